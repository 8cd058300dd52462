/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "btf/writer.h"
#include "load/btf_types.h"

/* Offsets of names: any below the end of the strings will do. */
static const char strings[] = "\0one\0two\0three\0four\0five\0six";
enum { ONE = 1, TWO = 5, THREE = 9, FOUR = 15 };

struct loaded {
	struct btf_writer blob;
	struct btf_view view;
	struct arena arena;
	struct btf_types types;
};

static void load(struct loaded *loaded, void (*add)(struct btf_writer *types), bool is_big_endian,
		 const struct btf_view *base)
{
	struct btf_writer types;
	struct btf_section_sizes sizes;
	struct worker_pool *pool;

	btf_writer_init(&types, is_big_endian);
	add(&types);
	sizes = (struct btf_section_sizes){ .types = (uint32_t)types.size,
					    .strings = sizeof(strings) };
	btf_writer_init(&loaded->blob, is_big_endian);
	btf_writer_header(&loaded->blob, &sizes);
	memcpy(btf_writer_extend(&loaded->blob, types.size), types.data, types.size);
	memcpy(btf_writer_extend(&loaded->blob, sizeof(strings)), strings, sizeof(strings));
	btf_writer_deinit(&types);

	assert_int_equal(
		btf_view_init(&loaded->view, loaded->blob.data, loaded->blob.size, base, NULL),
		SMELT_OK);
	arena_init(&loaded->arena);
	assert_int_equal(worker_pool_create(2, &pool, NULL), SMELT_OK);
	assert_int_equal(btf_types_load(&loaded->types, &loaded->view, pool, &loaded->arena, NULL),
			 SMELT_OK);
	worker_pool_destroy(pool);
}

static void unload(struct loaded *loaded)
{
	arena_deinit(&loaded->arena);
	btf_view_deinit(&loaded->view);
	btf_writer_deinit(&loaded->blob);
}

static void record(struct btf_writer *writer, enum btf_kind kind, bool flag, uint32_t vlen,
		   uint32_t name, uint32_t size_or_type)
{
	btf_writer_record(writer, name, btf_info(kind, flag, vlen), size_or_type);
}

enum {
	INT = 1,
	STRUCT,
	UNION,
	ENUM,
	ENUM64,
	ARRAY,
	PROTOTYPE,
	FUNCTION,
	VARIABLE,
	SECTION,
	DECLARED,
	TAG
};

static void add_one_of_each(struct btf_writer *writer)
{
	btf_writer_int(writer, ONE, 4, BTF_INT_SIGNED);
	record(writer, BTF_KIND_STRUCT, true, 2, TWO, 8);
	btf_writer_triple(writer, ONE, INT, 3u << BTF_BITFIELD_WIDTH_SHIFT | 5);
	btf_writer_triple(writer, TWO, UNION, 32);
	record(writer, BTF_KIND_UNION, false, 1, THREE, 4);
	btf_writer_triple(writer, ONE, INT, 0);
	record(writer, BTF_KIND_ENUM, true, 2, FOUR, 4);
	btf_writer_pair(writer, ONE, UINT32_MAX);
	btf_writer_pair(writer, TWO, 7);
	record(writer, BTF_KIND_ENUM64, false, 1, 0, 8);
	btf_writer_triple(writer, ONE, 1, 2);
	record(writer, BTF_KIND_ARRAY, false, 0, 0, 0);
	btf_writer_triple(writer, STRUCT, INT, 11);
	record(writer, BTF_KIND_FUNC_PROTO, false, 2, 0, INT);
	btf_writer_pair(writer, TWO, STRUCT);
	btf_writer_pair(writer, 0, 0);
	record(writer, BTF_KIND_FUNC, false, BTF_LINKAGE_STATIC, ONE, PROTOTYPE);
	btf_writer_variable(writer, TWO, INT, BTF_LINKAGE_STATIC);
	record(writer, BTF_KIND_DATASEC, false, 1, THREE, 4);
	btf_writer_triple(writer, VARIABLE, 0, 4);
	record(writer, BTF_KIND_FWD, true, 0, FOUR, 0);
	record(writer, BTF_KIND_TYPE_TAG, false, 0, ONE, INT);
}

static void assert_item(const struct btf_types *types, uint32_t id, uint32_t index,
			struct model_item expected)
{
	const struct model_item *item =
		&types->unit.items[types->unit.types[id].first_item + index];

	assert_int_equal(item->name, expected.name);
	assert_int_equal(item->type, expected.type);
	assert_int_equal(item->value, expected.value);
}

static void kinds_become_kinds_of_the_model(void **state)
{
	(void)state;
	for (int big = 0; big <= 1; big++) {
		struct loaded loaded;
		const struct model_type *types;

		load(&loaded, add_one_of_each, big, NULL);
		types = loaded.types.unit.types;
		assert_int_equal(loaded.types.unit.type_count, TAG + 1);
		assert_int_equal(types[0].kind, TYPE_VOID);
		assert_int_equal(types[INT].kind, TYPE_INT);
		assert_int_equal(types[INT].flags, TYPE_SIGNED);
		assert_int_equal(types[INT].name, ONE);
		assert_int_equal(types[STRUCT].kind, TYPE_STRUCT);
		assert_int_equal(types[STRUCT].flags, TYPE_BITFIELDS);
		assert_int_equal(types[STRUCT].item_count, 2);
		assert_item(&loaded.types, STRUCT, 0, (struct model_item){ ONE, INT, 5 << 8 | 3 });
		assert_item(&loaded.types, STRUCT, 1, (struct model_item){ TWO, UNION, 32 << 8 });
		assert_int_equal(types[UNION].kind, TYPE_UNION);
		assert_int_equal(types[ENUM].flags, TYPE_SIGNED);
		assert_item(&loaded.types, ENUM, 0, (struct model_item){ ONE, 0, UINT32_MAX });
		assert_int_equal(types[ENUM64].flags, TYPE_WIDE);
		assert_item(&loaded.types, ENUM64, 0,
			    (struct model_item){ ONE, 0, UINT64_C(0x200000001) });
		assert_int_equal(types[ARRAY].kind, TYPE_ARRAY);
		assert_int_equal(types[ARRAY].type, STRUCT);
		assert_int_equal(types[ARRAY].size, 11);
		assert_int_equal(types[PROTOTYPE].kind, TYPE_FUNCTION);
		assert_int_equal(types[PROTOTYPE].type, INT);
		assert_item(&loaded.types, PROTOTYPE, 0, (struct model_item){ TWO, STRUCT, 0 });
		assert_item(&loaded.types, PROTOTYPE, 1, (struct model_item){ 0, 0, 0 });
		assert_int_equal(types[DECLARED].kind, TYPE_UNION_FORWARD);
		assert_int_equal(types[TAG].kind, TYPE_TAG);
		for (uint32_t id = FUNCTION; id <= SECTION; id++)
			assert_int_equal(types[id].kind, TYPE_ALIAS);
		assert_int_equal(loaded.types.index_type, INT);
		assert_int_equal(loaded.types.data_count, 2);
		assert_int_equal(loaded.types.data_ids[0], VARIABLE);
		assert_int_equal(loaded.types.data_ids[1], SECTION);
		unload(&loaded);
	}
}

static void add_what_dwarf_never_says(struct btf_writer *writer)
{
	btf_writer_int(writer, ONE, 4, 0);
	record(writer, BTF_KIND_ARRAY, false, 0, 0, 0);
	btf_writer_triple(writer, 1, 1, 2);
	/* A CHAR, three bits of an int, an array with another index type, an attribute. */
	btf_writer_int(writer, TWO, 1, BTF_INT_CHAR);
	record(writer, BTF_KIND_INT, false, 0, TWO, 4);
	btf_writer_u32(writer, 3);
	record(writer, BTF_KIND_ARRAY, false, 0, 0, 0);
	btf_writer_triple(writer, 1, 3, 2);
	record(writer, BTF_KIND_TYPE_TAG, true, 0, ONE, 1);
}

static void the_rest_is_no_type_of_the_model(void **state)
{
	struct loaded loaded;

	(void)state;
	load(&loaded, add_what_dwarf_never_says, false, NULL);
	assert_int_equal(loaded.types.unit.types[2].kind, TYPE_ARRAY);
	for (uint32_t id = 3; id <= 6; id++)
		assert_int_equal(loaded.types.unit.types[id].kind, TYPE_ALIAS);
	unload(&loaded);
}

static void add_pointer_to_base(struct btf_writer *writer)
{
	record(writer, BTF_KIND_PTR, false, 0, 0, STRUCT);
}

static void types_of_the_base_are_there(void **state)
{
	struct loaded base, loaded;

	(void)state;
	load(&base, add_one_of_each, false, NULL);
	load(&loaded, add_pointer_to_base, false, &base.view);
	assert_int_equal(loaded.types.unit.type_count, TAG + 2);
	assert_int_equal(loaded.types.unit.types[STRUCT].kind, TYPE_STRUCT);
	assert_item(&loaded.types, STRUCT, 1, (struct model_item){ TWO, UNION, 32 << 8 });
	assert_int_equal(loaded.types.unit.types[TAG + 1].kind, TYPE_POINTER);
	assert_int_equal(loaded.types.unit.types[TAG + 1].type, STRUCT);
	unload(&loaded);
	unload(&base);
}

static void add_many(struct btf_writer *writer)
{
	btf_writer_int(writer, ONE, 4, 0);
	for (uint32_t i = 0; i < 20000; i++) {
		record(writer, BTF_KIND_FUNC_PROTO, false, i % 3, 0, 0);
		for (uint32_t k = 0; k < i % 3; k++)
			btf_writer_pair(writer, TWO, i + 1 - k);
	}
}

/* More types than one job takes: items are where their types say. */
static void jobs_put_their_items_side_by_side(void **state)
{
	struct loaded loaded;

	(void)state;
	load(&loaded, add_many, false, NULL);
	for (uint32_t i = 0; i < 20000; i++) {
		assert_int_equal(loaded.types.unit.types[i + 2].item_count, i % 3);
		for (uint32_t k = 0; k < i % 3; k++)
			assert_item(&loaded.types, i + 2, k,
				    (struct model_item){ TWO, i + 1 - k, 0 });
	}
	unload(&loaded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_become_kinds_of_the_model),
		cmocka_unit_test(the_rest_is_no_type_of_the_model),
		cmocka_unit_test(types_of_the_base_are_there),
		cmocka_unit_test(jobs_put_their_items_side_by_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
