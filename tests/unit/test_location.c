/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "dwarf/location.h"

#define BYTES(string) (string), sizeof(string) - 1

static const struct plan_context usual = { .version = 5, .address_size = 8, .offset_size = 4 };

/* Operations without operands: DWARF 5, table 7.9, and the GNU ones (0xe0, 0xf0). */
static bool has_no_operand(unsigned code)
{
	return code == 0x06 || (code >= 0x12 && code <= 0x14) || (code >= 0x16 && code <= 0x22) ||
	       (code >= 0x24 && code <= 0x27) || (code >= 0x29 && code <= 0x2e) ||
	       (code >= 0x30 && code <= 0x6f) || code == 0x96 || code == 0x97 || code == 0x9b ||
	       code == 0x9c || code == 0x9f || code == 0xe0 || code == 0xf0;
}

/* Operands of 64-bit addresses and 32-bit DWARF, and what the first one reads as. */
static const struct {
	uint8_t code;
	const char *operands;
	size_t size;
	uint64_t number;
} operand_cases[] = {
	{ 0x03, BYTES("\1\2\3\4\5\6\7\x08"), 0x0807060504030201 }, /* addr */
	{ 0x08, BYTES("\xff"), 0xff },                             /* const1u */
	{ 0x09, BYTES("\x01"), 1 },                                /* const1s */
	{ 0x0a, BYTES("\1\2"), 0x0201 },                           /* const2u */
	{ 0x0b, BYTES("\1\2"), 0x0201 },                           /* const2s */
	{ 0x0c, BYTES("\1\2\3\4"), 0x04030201 },                   /* const4u */
	{ 0x0d, BYTES("\1\2\3\4"), 0x04030201 },                   /* const4s */
	{ 0x0e, BYTES("\1\2\3\4\5\6\7\x08"), 0x0807060504030201 }, /* const8u */
	{ 0x0f, BYTES("\1\2\3\4\5\6\7\x08"), 0x0807060504030201 }, /* const8s */
	{ 0x10, BYTES("\x80\1"), 128 },                            /* constu */
	{ 0x11, BYTES("\x80\x7f"), (uint64_t)-128 },               /* consts */
	{ 0x15, BYTES("\2"), 2 },                                  /* pick */
	{ 0x23, BYTES("\x80\1"), 128 },                            /* plus_uconst */
	{ 0x28, BYTES("\1\0"), 1 },                                /* bra */
	{ 0x2f, BYTES("\1\0"), 1 },                                /* skip */
	{ 0x70, BYTES("\x7f"), (uint64_t)-1 },                     /* breg0 */
	{ 0x8f, BYTES("\x80\1"), 128 },                            /* breg31 */
	{ 0x90, BYTES("\x80\1"), 128 },                            /* regx */
	{ 0x91, BYTES("\x80\x7f"), (uint64_t)-128 },               /* fbreg */
	{ 0x92, BYTES("\x80\1\x80\x7f"), 128 },                    /* bregx */
	{ 0x93, BYTES("\x80\1"), 128 },                            /* piece */
	{ 0x94, BYTES("\4"), 4 },                                  /* deref_size */
	{ 0x95, BYTES("\4"), 4 },                                  /* xderef_size */
	{ 0x98, BYTES("\1\2"), 0x0201 },                           /* call2 */
	{ 0x99, BYTES("\1\2\3\4"), 0x04030201 },                   /* call4 */
	{ 0x9a, BYTES("\1\2\3\4"), 0x04030201 },                   /* call_ref */
	{ 0x9d, BYTES("\x80\1\x80\1"), 128 },                      /* bit_piece */
	{ 0x9e, BYTES("\3abc"), 3 },                               /* implicit_value */
	{ 0xa0, BYTES("\1\2\3\4\x80\x7f"), 0x04030201 },           /* implicit_pointer */
	{ 0xa1, BYTES("\x80\1"), 128 },                            /* addrx */
	{ 0xa2, BYTES("\x80\1"), 128 },                            /* constx */
	{ 0xa3, BYTES("\1\x55"), 6 },                              /* entry_value of reg5 */
	{ 0xa4, BYTES("\x80\1\2ab"), 128 },                        /* const_type */
	{ 0xa5, BYTES("\x80\1\x80\1"), 128 },                      /* regval_type */
	{ 0xa6, BYTES("\4\x80\1"), 4 },                            /* deref_type */
	{ 0xa7, BYTES("\4\x80\1"), 4 },                            /* xderef_type */
	{ 0xa8, BYTES("\x80\1"), 128 },                            /* convert */
	{ 0xa9, BYTES("\x80\1"), 128 },                            /* reinterpret */
	{ 0xf2, BYTES("\1\2\3\4\x80\x7f"), 0x04030201 },           /* GNU_implicit_pointer */
	{ 0xf3, BYTES("\1\x55"), 6 },                              /* GNU_entry_value */
	{ 0xf4, BYTES("\x80\1\2ab"), 128 },                        /* GNU_const_type */
	{ 0xf5, BYTES("\x80\1\x80\1"), 128 },                      /* GNU_regval_type */
	{ 0xf6, BYTES("\4\x80\1"), 4 },                            /* GNU_deref_type */
	{ 0xf7, BYTES("\x80\1"), 128 },                            /* GNU_convert */
	{ 0xf9, BYTES("\x80\1"), 128 },                            /* GNU_reinterpret */
	{ 0xfa, BYTES("\1\2\3\4"), 0x04030201 },                   /* GNU_parameter_ref */
	{ 0xfb, BYTES("\x80\1"), 128 },                            /* GNU_addr_index */
	{ 0xfc, BYTES("\x80\1"), 128 },                            /* GNU_const_index */
	{ 0xfd, BYTES("\1\2\3\4"), 0x04030201 },                   /* GNU_variable_value */
};
enum { OPERAND_CASES = sizeof(operand_cases) / sizeof(operand_cases[0]) };

/* Reads an exact copy, so that sanitizers see what is read beyond it. */
static int read_copy(const void *data, size_t size, const struct plan_context *context,
		     struct location_op ops[LOCATION_OPS_MAX])
{
	uint8_t *copy = malloc(size ? size : 1);
	int count;

	assert_non_null(copy);
	memcpy(copy, data, size);
	count = location_read(copy, size, context, ops);
	free(copy);
	return count;
}

/* A wrong length shows in the operation after it. */
static void lengths_of_operations(void **state)
{
	struct location_op ops[LOCATION_OPS_MAX];
	char bytes[32];

	(void)state;
	for (size_t i = 0; i < OPERAND_CASES; i++) {
		size_t size = operand_cases[i].size;

		bytes[0] = (char)operand_cases[i].code;
		memcpy(bytes + 1, operand_cases[i].operands, size);
		bytes[1 + size] = (char)DW_OP_stack_value;
		assert_int_equal(read_copy(bytes, size + 2, &usual, ops), 2);
		assert_int_equal(ops[0].code, operand_cases[i].code);
		assert_true(ops[0].number == operand_cases[i].number);
		assert_int_equal(ops[1].code, DW_OP_stack_value);
		for (size_t cut = 1; cut <= size; cut++)
			assert_int_equal(read_copy(bytes, cut, &usual, ops), -1);
	}
}

/* Every other code has no operand or is unknown, after which nothing can be read. */
static void operations_without_operands_and_unknown_ones(void **state)
{
	struct location_op ops[LOCATION_OPS_MAX];

	(void)state;
	for (unsigned code = 0; code < 256; code++) {
		const char bytes[] = { (char)code, (char)DW_OP_stack_value };
		bool is_case = code >= 0x70 && code <= 0x8f;

		for (size_t i = 0; i < OPERAND_CASES; i++)
			is_case |= operand_cases[i].code == code;
		if (is_case)
			continue;
		if (read_copy(bytes, 2, &usual, ops) != (has_no_operand(code) ? 2 : -1))
			fail_msg("operation 0x%x", code);
	}
}

/* Addresses have the size of the machine's, references of the format's (DWARF 2: of an address). */
static void operands_whose_size_varies(void **state)
{
	static const struct {
		struct plan_context context;
		uint8_t code;
		size_t size;
	} cases[] = {
		{ { .version = 5, .address_size = 4, .offset_size = 4 }, DW_OP_addr, 4 },
		{ { .version = 5, .address_size = 2, .offset_size = 4 }, DW_OP_addr, 2 },
		{ { .version = 5, .address_size = 4, .offset_size = 8 }, DW_OP_call_ref, 8 },
		{ { .version = 2, .address_size = 8, .offset_size = 4 }, DW_OP_call_ref, 8 },
		{ { .version = 4, .address_size = 8, .offset_size = 8 },
		  DW_OP_GNU_variable_value,
		  8 },
		{ { .version = 3, .address_size = 4, .offset_size = 8 }, DW_OP_call_ref, 8 },
	};
	struct location_op ops[LOCATION_OPS_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char bytes[16] = { 0 };

		bytes[0] = (char)cases[i].code;
		bytes[1] = 7;
		bytes[1 + cases[i].size] = (char)DW_OP_stack_value;
		assert_int_equal(read_copy(bytes, 2 + cases[i].size, &cases[i].context, ops), 2);
		assert_int_equal(ops[0].number, 7);
		assert_int_equal(ops[1].code, DW_OP_stack_value);
	}
}

static void operands_of_big_endian_data(void **state)
{
	struct plan_context big = usual;
	struct location_op ops[LOCATION_OPS_MAX];

	(void)state;
	big.swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	assert_int_equal(read_copy("\x03\1\2\3\4\5\6\7\x08\x0a\1\2", 12, &big, ops), 2);
	assert_true(ops[0].number == 0x0102030405060708);
	assert_int_equal(ops[1].number, 0x0102);
}

/* Of interest is only the entry value of one register. */
static void entry_values(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		uint64_t number; /* register + 1 */
	} cases[] = {
		{ BYTES("\xa3\1\x50"), 1 },
		{ BYTES("\xa3\1\x6f"), 32 },
		{ BYTES("\xa3\2\x90\x05"), 6 },
		{ BYTES("\xa3\3\x90\x80\1"), 129 },
		{ BYTES("\xa3\0"), 0 },
		{ BYTES("\xa3\2\x75\0"), 0 },       /* breg5 0 */
		{ BYTES("\xa3\2\x55\x9f"), 0 },     /* reg5 stack_value */
		{ BYTES("\xa3\3\x90\x05\x9f"), 0 }, /* regx 5 stack_value */
		{ BYTES("\xa3\2\x90\x80"), 0 },     /* regx, cut */
		{ BYTES("\xa3\x81\x00\x55"), 6 },   /* a long length */
	};
	struct location_op ops[LOCATION_OPS_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(read_copy(cases[i].bytes, cases[i].size, &usual, ops), 1);
		assert_int_equal(ops[0].number, cases[i].number);
	}
}

static void long_expressions_are_counted(void **state)
{
	struct location_op ops[LOCATION_OPS_MAX];
	char bytes[LOCATION_OPS_MAX + 10];

	(void)state;
	memset(bytes, DW_OP_lit0, sizeof(bytes));
	assert_int_equal(read_copy(bytes, sizeof(bytes), &usual, ops), sizeof(bytes));
	assert_int_equal(read_copy(bytes, 0, &usual, ops), 0);
}

/* Expressions of a list as one string: "<bytes in hex> ...", and whether it ended well. */
static void check_list(const char *bytes, size_t size, enum location_list_form form,
		       const struct plan_context *context, const char *expected, bool is_good)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct byte_reader list;
	char text[128] = "";
	const uint8_t *data;
	size_t length;

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	list = byte_reader_over(copy, size, context->swap);
	while (location_list_next(&list, form, context->address_size, &data, &length)) {
		strcat(text, "<");
		for (size_t i = 0; i < length; i++)
			sprintf(text + strlen(text), "%02x", data[i]);
		strcat(text, ">");
	}
	assert_string_equal(text, expected);
	assert_int_equal(list.fault == READER_OK, is_good);
	free(copy);
}

/* DWARF 5, 7.7.3, table 7.10 */
static const char new_list[] = "\x01\x80\1"             /* base_addressx 128 */
			       "\x02\x80\1\2\1\x50"     /* startx_endx */
			       "\x03\1\x80\1\1\x51"     /* startx_length */
			       "\x09\x80\1\2"           /* GNU_view_pair */
			       "\x04\1\2\2\x75\1"       /* offset_pair */
			       "\x06\1\2\3\4\5\6\7\x08" /* base_address */
			       "\x05\0"                 /* default_location, empty */
			       "\x07\1\2\3\4\5\6\7\x08\1\2\3\4\5\6\7\x09\1\x53" /* start_end */
			       "\x08\1\2\3\4\5\6\7\x08\x80\1\1\x54";            /* start_length */

static void lists_of_dwarf_5(void **state)
{
	(void)state;
	/* C's NUL is the end_of_list */
	check_list(new_list, sizeof(new_list), LOCATION_LIST_ENTRIES, &usual,
		   "<50><51><7501><><53><54>", true);
	check_list(BYTES("\0\x05\1\x50"), LOCATION_LIST_ENTRIES, &usual, "", true);
	/* a kind nobody knows ends it; without an end it is cut */
	check_list(BYTES("\x05\1\x50\x7f\x05\1\x50"), LOCATION_LIST_ENTRIES, &usual, "<50>", true);
	check_list(BYTES("\x05\1\x50"), LOCATION_LIST_ENTRIES, &usual, "<50>", false);
	check_list(BYTES("\x05\2\x50"), LOCATION_LIST_ENTRIES, &usual, "", false);
}

/* DWARF 4, 2.6.2 */
static void lists_of_dwarf_4(void **state)
{
	static const struct plan_context old = { .version = 4,
						 .address_size = 4,
						 .offset_size = 4 };
	static const struct plan_context old_big = { .version = 3,
						     .address_size = 4,
						     .offset_size = 4,
						     .swap = __BYTE_ORDER__ ==
							     __ORDER_LITTLE_ENDIAN__ };
	static const char list[] = "\1\0\0\0\2\0\0\0\1\0\x50"
				   "\xff\xff\xff\xff\0\x10\0\0" /* base address */
				   "\0\0\0\0\2\0\0\0\2\0\x75\1"
				   "\2\0\0\0\2\0\0\0\0\0"
				   "\0\0\0\0\0\0\0\0";

	(void)state;
	check_list(BYTES(list), LOCATION_LIST_PAIRS, &old, "<50><7501><>", true);
	check_list(BYTES("\0\0\0\1\0\0\0\2\0\1\x50\0\0\0\0\0\0\0\0"), LOCATION_LIST_PAIRS, &old_big,
		   "<50>", true);
	for (size_t size = 0; size + 1 < sizeof(list); size++)
		check_list(list, size, LOCATION_LIST_PAIRS, &old,
			   size < 11 ? "" :
			   size < 31 ? "<50>" :
			   size < 41 ? "<50><7501>" :
				       "<50><7501><>",
			   false);
}

/* gcc 12 -gdwarf-4 -gsplit-dwarf; the base addresses are of clang */
static void lists_of_dwo_files(void **state)
{
	static const struct plan_context four = { .version = 4,
						  .address_size = 8,
						  .offset_size = 4 };
	static const char list[] = "\x03\1\x25\0\0\0\1\0\x55"       /* start_length */
				   "\x01\x80\1"                     /* base_address_selection */
				   "\x02\x80\1\2\4\0\xf3\1\x54\x9f" /* start_end */
				   "\x03\2\1\0\0\0\0\0";

	(void)state;
	check_list(list, sizeof(list), LOCATION_LIST_GNU_ENTRIES, &four, "<55><f301549f><>", true);
	for (size_t size = 0; size + 1 < sizeof(list); size++)
		check_list(list, size, LOCATION_LIST_GNU_ENTRIES, &four,
			   size < 9  ? "" :
			   size < 22 ? "<55>" :
			   size < 30 ? "<55><f301549f>" :
				       "<55><f301549f><>",
			   false);
}

static void lists_cut_anywhere(void **state)
{
	(void)state;
	for (size_t size = 0; size + 1 < sizeof(new_list); size++) {
		static const size_t ends[] = { 9, 15, 25, 36, 55, 68 };
		static const char *const texts[] = { "",
						     "<50>",
						     "<50><51>",
						     "<50><51><7501>",
						     "<50><51><7501><>",
						     "<50><51><7501><><53>",
						     "<50><51><7501><><53><54>" };
		size_t whole = 0;

		while (whole < 6 && ends[whole] <= size)
			whole++;
		check_list(new_list, size, LOCATION_LIST_ENTRIES, &usual, texts[whole], false);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_of_operations),
		cmocka_unit_test(operations_without_operands_and_unknown_ones),
		cmocka_unit_test(operands_whose_size_varies),
		cmocka_unit_test(operands_of_big_endian_data),
		cmocka_unit_test(entry_values),
		cmocka_unit_test(long_expressions_are_counted),
		cmocka_unit_test(lists_of_dwarf_5),
		cmocka_unit_test(lists_of_dwarf_4),
		cmocka_unit_test(lists_of_dwo_files),
		cmocka_unit_test(lists_cut_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
