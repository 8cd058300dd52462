/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Programs from files of several units.
 *
 * ctest-labels: thread
 */
#include "program/dwarf_program.h"
#include "support/captured_text.h"
#include "unit_cases.h"

static struct program *load(const char *path, const struct dwarf_program_options *options)
{
	struct dwarf_program_report report;
	struct smelt_error error;
	struct program *program;
	struct elf_file *file;

	if (elf_file_open(path, &file, &error) ||
	    dwarf_program_load(file, options, &program, &report, &error))
		fail_msg("%s", error.text);
	assert_int_equal(report.missing_units, 0);
	return program;
}

static void check_load(const char *path, const struct dwarf_program_options *options,
		       const char *expected)
{
	struct program *program = load(path, options);
	char *text = program_text(program);

	assert_string_equal(text, expected);
	free(text);
	program_destroy(program);
}

/* Whatever the threads, their order, and the hash table do. */
static void check_program(build_fn build, const char *expected)
{
	struct dwarf_builder b;
	char *path;

	dwarf_builder_init(&b, &shapes[0]);
	build(&b);
	path = dwarf_builder_write(&b);
	for (uint64_t seed = 0; seed < 6; seed++) {
		check_load(path, &(struct dwarf_program_options){ .shuffle_seed = seed }, expected);
		check_load(path,
			   &(struct dwarf_program_options){
				   .jobs = 3, .shuffle_seed = seed, .hash_bits = 2 },
			   expected);
	}
	test_file_remove(path);
	dwarf_builder_deinit(&b);
}

#define MEMBER(b, name, type, at) LEAF((b), 0, member, NAME(name), TYPE(type), AT_BYTE(at))

static void add_holder(struct dwarf_builder *b, const char *name, uint32_t target)
{
	LEAF(b, 50, pointer_type, TYPE(target));
	OPEN(b, 0, structure_type, NAME(name), SIZE(8));
	MEMBER(b, "p", 50, 0);
	CLOSE(b);
}

static void build_repeats(struct dwarf_builder *b)
{
	begin(b);
	add_int(b, 1);
	LEAF(b, 2, structure_type, NAME("foo"), FLAG(declaration));
	add_holder(b, "bar", 2);
	end(b);
	begin(b);
	LEAF(b, 3, base_type, NAME("char"), SIZE(1), VALUE(encoding, data1, DW_ATE_signed_char));
	OPEN(b, 4, structure_type, NAME("foo"), SIZE(1));
	MEMBER(b, "c", 3, 0);
	CLOSE(b);
	add_holder(b, "bar", 4);
	end(b);
	begin(b);
	add_int(b, 5);
	OPEN(b, 0, union_type, NAME("last"), SIZE(4));
	MEMBER(b, "i", 5, 0);
	CLOSE(b);
	end(b);
}

/* A type stands where it was first met; a declaration stands for the definition, wherever that is. */
static void types_that_repeat_are_there_once(void **state)
{
	(void)state;
	check_program(build_repeats,
		      "1 int int 4 signed\n2 pointer -> 5\n3 struct bar 8 { p 2 @0 }\n"
		      "4 int char 1 unit 1 signed\n5 struct foo 1 unit 1 { c 4 @0 }\n"
		      "6 union last 4 unit 2 { i 1 @0 }\n");
}

static void definitions_are_counted_on_request(void **state)
{
	static const struct dwarf_program_options counting = { .has_definition_counts = true };
	/* void, int, pointer, bar, char, foo, last; a declaration is no definition */
	static const uint32_t counts[] = { 0, 2, 2, 2, 1, 1, 1 };
	struct program *program;
	struct dwarf_builder b;
	char *path;

	(void)state;
	dwarf_builder_init(&b, &shapes[0]);
	build_repeats(&b);
	path = dwarf_builder_write(&b);
	program = load(path, &counting);
	for (uint32_t type = 1; type < program->type_count; type++)
		assert_int_equal(program->origins[type].definition_count, counts[type]);
	program_destroy(program);
	program = load(path, &(struct dwarf_program_options){ 0 });
	assert_int_equal(program->origins[3].definition_count, 1);
	program_destroy(program);
	test_file_remove(path);
	dwarf_builder_deinit(&b);
}

/* A function in two units, its abstract instance first; and one that is declared twice. */
static void build_functions(struct dwarf_builder *b)
{
	for (unsigned i = 0; i < 2; i++) {
		begin(b);
		add_int(b, 1);
		OPEN(b, 2, subprogram, NAME("f"), TYPE(1), VALUE(decl_line, data1, 7),
		     VALUE(inline, data1, DW_INL_declared_inlined));
		LEAF(b, 3, formal_parameter, NAME("x"), TYPE(1));
		LEAF(b, 0, unspecified_parameters);
		OPEN(b, 0, structure_type, NAME("local"), SIZE(4));
		CLOSE(b);
		CLOSE(b);
		OPEN(b, 0, subprogram, VALUE(abstract_origin, ref4, 2),
		     VALUE(low_pc, addr, 4096 + i), VALUE(high_pc, data4, 8));
		LEAF(b, 0, formal_parameter, VALUE(abstract_origin, ref4, 3));
		LEAF(b, 0, unspecified_parameters);
		CLOSE(b);
		OPEN(b, 0, subprogram, NAME("g"), FLAG(declaration), FLAG(external));
		LEAF(b, 0, formal_parameter, TYPE(1));
		CLOSE(b);
		LEAF(b, 0, subprogram, VALUE(low_pc, addr, 0)); /* nobody knows what it is */
		end(b);
	}
}

static void check_functions(const struct program *program)
{
	static const struct {
		const char *name;
		uint32_t count, traits;
		uint64_t address;
	} expected[] = {
		{ "f", 2, FUNCTION_IS_DECLARED_INLINE | FUNCTION_IS_INLINED, 0 },
		{ "f", 1, FUNCTION_IS_DECLARED_INLINE | FUNCTION_IS_INLINED, 4096 },
		{ "g", 2, FUNCTION_IS_DECLARATION | FUNCTION_IS_EXTERNAL, 0 },
		{ "f", 1, FUNCTION_IS_DECLARED_INLINE | FUNCTION_IS_INLINED, 4097 },
	};

	assert_int_equal(program->function_count, 4);
	for (unsigned i = 0; i < 4; i++) {
		const struct program_function *function = &program->functions[i];
		const struct program_parameter *parameters =
			program->parameters + function->first_parameter;

		assert_string_equal(function->name, expected[i].name);
		assert_int_equal(function->origin.definition_count, expected[i].count);
		assert_int_equal(function->traits, expected[i].traits);
		assert_int_equal(function->address, expected[i].address);
		assert_int_equal(function->size, expected[i].address ? 8 : 0);
		assert_int_equal(parameters[0].type, 1);
		if (function->name[0] == 'g')
			continue;
		assert_int_equal(function->origin.line, 7);
		assert_int_equal(function->return_type, 1);
		assert_int_equal(function->parameter_count, 2);
		assert_string_equal(parameters[0].name, "x");
		assert_null(parameters[1].name);
	}
}

static void functions_are_there_once_for_each_meaning(void **state)
{
	struct dwarf_builder b;
	char *path;

	(void)state;
	for (size_t shape = 0; shape < SHAPES; shape++) {
		dwarf_builder_init(&b, &shapes[shape]);
		build_functions(&b);
		path = dwarf_builder_write(&b);
		for (unsigned jobs = 1; jobs <= 3; jobs++) {
			struct program *program = load(
				path,
				&(struct dwarf_program_options){ .jobs = jobs,
								 .shuffle_seed = jobs - 1,
								 .has_functions = true,
								 .has_definition_counts = true });
			char *text = program_text(program);

			check_functions(program);
			assert_string_equal(text,
					    "1 int int 4 signed\n2 struct local 4 in f { }\n");
			free(text);
			program_destroy(program);
		}
		test_file_remove(path);
		dwarf_builder_deinit(&b);
	}
}

static void build_foo(struct dwarf_builder *b, unsigned size)
{
	begin(b);
	OPEN(b, 1, structure_type, NAME("foo"), SIZE(size));
	CLOSE(b);
	OPEN(b, 2, array_type, TYPE(1));
	LEAF(b, 0, subrange_type, VALUE(upper_bound, data1, 3));
	CLOSE(b);
	OPEN(b, 0, structure_type, NAME("bar"), SIZE(64));
	MEMBER(b, "a", 2, 0);
	CLOSE(b);
	end(b);
}

static void build_meanings(struct dwarf_builder *b)
{
	build_foo(b, 8);
	build_foo(b, 16);
	build_foo(b, 8);
	build_foo(b, 4);
	build_foo(b, 16);
}

/* Both bars read the same and are not: what each is made of is another foo. */
static void each_meaning_of_a_name_is_there(void **state)
{
	(void)state;
	check_program(build_meanings,
		      "1 struct foo 8 { }\n2 array -> 1 [4]\n3 struct bar 64 { a 2 @0 }\n"
		      "4 struct foo 16 unit 1 { }\n5 array -> 4 unit 1 [4]\n"
		      "6 struct bar 64 unit 1 { a 5 @0 }\n"
		      "7 struct foo 4 unit 3 { }\n8 array -> 7 unit 3 [4]\n"
		      "9 struct bar 64 unit 3 { a 8 @0 }\n");
}

static void build_lists(struct dwarf_builder *b)
{
	static const char *const spaces[] = { "one", "two", "one" };

	for (unsigned i = 0; i < 3; i++) {
		begin(b);
		add_int(b, 1);
		OPEN(b, 0, namespace, NAME(spaces[i]));
		OPEN(b, 0, enumeration_type, NAME("e"), SIZE(4));
		LEAF(b, 0, enumerator, NAME("A"), VALUE(const_value, data1, 1));
		CLOSE(b);
		OPEN(b, 2, class_type, NAME("c"), SIZE(4 + i / 2));
		OPEN(b, 0, variant_part, TYPE(1));
		OPEN(b, 0, variant, VALUE(discr_value, data1, 1));
		MEMBER(b, "v", 1, 0);
		CLOSE(b);
		CLOSE(b);
		OPEN(b, 0, subprogram, NAME("f"), TYPE(1));
		LEAF(b, 0, formal_parameter, TYPE(1), NAME("x"));
		CLOSE(b);
		LEAF(b, 3, typedef, NAME("t"), TYPE(1));
		MEMBER(b, "m", 3, 0);
		CLOSE(b);
		CLOSE(b);
		OPEN(b, 0, subroutine_type, TYPE(2));
		LEAF(b, 0, formal_parameter, TYPE(1));
		CLOSE(b);
		end(b);
	}
}

/* All lists of things in types; and what is in another namespace is something else. */
static void lists_and_scopes(void **state)
{
	static const char body[] =
		"{ variants by 1 @0 1 { v 1 @0 }, method f -> 1 ( x 1 ), type %u, m %u @0 }\n";
	char expected[2048], first[256], second[256], third[256];

	(void)state;
	snprintf(first, sizeof(first), body, 3, 3);
	snprintf(second, sizeof(second), body, 7, 7);
	snprintf(third, sizeof(third), body, 3, 3);
	snprintf(expected, sizeof(expected),
		 "1 int int 4 signed\n2 enum e 4 in one { A 1 }\n3 typedef t -> 1 in one::c\n"
		 "4 struct c 4 class in one %s5 function -> 4 ( - 1 )\n"
		 "6 enum e 4 unit 1 in two { A 1 }\n7 typedef t -> 1 unit 1 in two::c\n"
		 "8 struct c 4 unit 1 class in two %s9 function -> 8 unit 1 ( - 1 )\n"
		 "10 struct c 5 unit 2 class in one %s11 function -> 10 unit 2 ( - 1 )\n",
		 first, second, third);
	check_program(build_lists, expected);
}

static void build_loop(struct dwarf_builder *b)
{
	begin(b);
	LEAF(b, 1, const_type, TYPE(2));
	LEAF(b, 2, volatile_type, TYPE(1));
	end(b);
}

static void loops_are_broken(void **state)
{
	(void)state;
	check_program(build_loop, "1 const -> 2\n2 volatile\n");
}

static void nothing(struct dwarf_builder *b)
{
	begin(b);
	end(b);
}

static void a_file_without_types(void **state)
{
	(void)state;
	check_program(nothing, "");
}

/* Nothing is left of what there was, and the lowest unit that is damaged is named. */
static void damage_is_an_error(void **state)
{
	enum { DWARF_5_HEADER = 12 };
	size_t starts[4];
	struct dwarf_builder b;
	char *path, where[64];

	(void)state;
	dwarf_builder_init(&b, &shapes[0]);
	for (unsigned i = 0; i < 4; i++) {
		starts[i] = b.info.size;
		build_loop(&b);
	}
	/* Their first entries have codes without abbreviation. */
	b.info.data[starts[1] + DWARF_5_HEADER] = 99;
	b.info.data[starts[3] + DWARF_5_HEADER] = 99;
	snprintf(where, sizeof(where), ".debug_info: unit at offset 0x%zx: ", starts[1]);
	path = dwarf_builder_write(&b);
	for (unsigned jobs = 1; jobs < 5; jobs++) {
		struct dwarf_program_options options = { .jobs = jobs, .shuffle_seed = jobs - 1 };
		struct dwarf_program_report report;
		struct smelt_error error;
		struct program *program = NULL;
		struct elf_file *file;

		assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
		assert_int_equal(dwarf_program_load(file, &options, &program, &report, &error),
				 SMELT_BAD_DATA);
		assert_null(program);
		assert_non_null(strstr(error.text, where));
	}
	test_file_remove(path);
	dwarf_builder_deinit(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_that_repeat_are_there_once),
		cmocka_unit_test(definitions_are_counted_on_request),
		cmocka_unit_test(functions_are_there_once_for_each_meaning),
		cmocka_unit_test(each_meaning_of_a_name_is_there),
		cmocka_unit_test(lists_and_scopes),
		cmocka_unit_test(loops_are_broken),
		cmocka_unit_test(a_file_without_types),
		cmocka_unit_test(damage_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
