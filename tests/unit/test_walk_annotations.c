/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Type tags and declaration tags, as each compiler writes them. */
#include "unit_cases.h"

#define TAG_NAMES(kind, text) NAME("btf_" kind "_tag"), TEXT(const_value, strp, text)

static void build_type_tags(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 0, pointer_type, TYPE(1)); /* clang, gcc 16 */
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("type", "user"));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("decl", "not a type tag"));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("type", "rcu"));
	CLOSE(b);
	LEAF(b, 11, GNU_annotation, TAG_NAMES("type", "rcu"));
	LEAF(b, 10, GNU_annotation, TAG_NAMES("type", "user"), VALUE(GNU_annotation, ref4, 11));
	LEAF(b, 0, pointer_type, TYPE(1), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 0, pointer_type, VALUE(GNU_annotation, ref4, 11)); /* shares one; void */
	LEAF(b, 12, GNU_annotation, TAG_NAMES("decl", "ends it"), VALUE(GNU_annotation, ref4, 11));
	LEAF(b, 13, GNU_annotation, TAG_NAMES("type", "one"), VALUE(GNU_annotation, ref4, 12));
	LEAF(b, 0, pointer_type, TYPE(1), VALUE(GNU_annotation, ref4, 13));
	LEAF(b, 0, pointer_type, TYPE(1), VALUE(GNU_annotation, ref4, 12));
	OPEN(b, 0, const_type, TYPE(1)); /* honoured on pointers only */
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("type", "user"));
	CLOSE(b);
}

/* docs/encoding.md, 6: the two compilers' forms give opposite orders. */
static void type_tags_stand_between_pointer_and_pointee(void **state)
{
	static const struct dwarf_load_options no_tags = { .floats = true };

	(void)state;
	check(build_type_tags, "1 int int 4 signed\n"
			       "2 tag user -> 1\n3 tag rcu -> 2\n4 pointer -> 3\n"
			       "5 tag user -> 6\n6 tag rcu -> 1\n7 pointer -> 5\n"
			       "8 tag rcu -> 0\n9 pointer -> 8\n"
			       "10 tag one -> 1\n11 pointer -> 10\n"
			       "12 pointer -> 1\n13 const -> 1\n");
	check_with(&no_tags, build_type_tags,
		   "1 int int 4 signed\n2 pointer -> 1\n3 pointer -> 1\n4 pointer -> 0\n"
		   "5 pointer -> 1\n6 pointer -> 1\n7 const -> 1\n");
}

static void build_tag_circle(struct dwarf_builder *b)
{
	LEAF(b, 10, GNU_annotation, TAG_NAMES("decl", "d"), VALUE(GNU_annotation, ref4, 11));
	LEAF(b, 11, GNU_annotation, TAG_NAMES("decl", "d"), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 1, structure_type, NAME("s"), SIZE(0), VALUE(GNU_annotation, ref4, 10));
}

static void a_circle_of_annotations_ends(void **state)
{
	(void)state;
	check(build_tag_circle, "1 struct s 0 { }\n");
}

static void build_decl_tags(struct dwarf_builder *b)
{
	add_int(b, 1);
	LEAF(b, 10, GNU_annotation, TAG_NAMES("decl", "chained"));
	OPEN(b, 0, structure_type, NAME("s"), SIZE(8), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 0, inheritance, TYPE(1), AT_BYTE(0));
	OPEN(b, 0, member, NAME("m"), TYPE(1), AT_BYTE(4), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("decl", "member"));
	CLOSE(b);
	LEAF(b, 0, GNU_annotation, TAG_NAMES("decl", "whole"));
	CLOSE(b);
	OPEN(b, 0, union_type, NAME("u"), SIZE(8), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("decl", "union"));
	CLOSE(b);
	OPEN(b, 0, typedef, NAME("t"), TYPE(1), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("decl", "typedef"));
	CLOSE(b);
	OPEN(b, 0, class_type, NAME("c"), SIZE(8));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("decl", "class"));
	CLOSE(b);
}

/* docs/encoding.md, 6, the table of owners */
static void decl_tags_of_types_and_their_order(void **state)
{
	static const struct {
		uint32_t type;
		const char *value;
		int32_t component;
	} expected[] = { { 2, "member", 1 },   { 2, "chained", 1 }, { 2, "whole", -1 },
			 { 2, "chained", -1 }, { 3, "union", -1 },  { 4, "typedef", -1 } };

	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		struct dwarf_builder b;
		struct loaded_dwarf loaded;

		dwarf_builder_init(&b, &shapes[i]);
		elf_builder_add_symbol(&b.elf, &(struct elf_part_symbol){ .name = "x" });
		begin(&b);
		build_decl_tags(&b);
		end(&b);
		loaded_dwarf_open(&loaded, &b, &all_options);
		loaded_dwarf_unit(&loaded, 0);
		assert_int_equal(loaded.status, SMELT_OK);
		assert_int_equal(loaded.record.type_tag_count, 6);
		for (size_t k = 0; k < 6; k++) {
			const struct type_tag_record *record = &loaded.record.type_tags[k];

			assert_int_equal(record->type, expected[k].type);
			assert_int_equal(record->tag.component, expected[k].component);
			assert_string_equal(name_table_text(dwarf_loader_names(loaded.loader),
							    record->tag.value),
					    expected[k].value);
		}
		loaded_dwarf_close(&loaded);
		dwarf_builder_deinit(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(type_tags_stand_between_pointer_and_pointee),
		cmocka_unit_test(a_circle_of_annotations_ends),
		cmocka_unit_test(decl_tags_of_types_and_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
