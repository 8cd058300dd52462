/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/error.h"

static void set_stores_and_returns_the_status(void **state)
{
	struct smelt_error error = { .os_errno = EIO };

	(void)state;
	assert_int_equal(error_set(&error, SMELT_BAD_DATA, "unit %d", 7), SMELT_BAD_DATA);
	assert_int_equal(error.status, SMELT_BAD_DATA);
	assert_int_equal(error.os_errno, 0);
	assert_string_equal(error.text, "unit 7");
}

/* Callers that probe pass NULL; the status still has to come through. */
static void a_null_error_is_accepted(void **state)
{
	(void)state;
	errno = ENOENT;
	assert_int_equal(error_set(NULL, SMELT_BAD_DATA, "x"), SMELT_BAD_DATA);
	assert_int_equal(error_no_memory(NULL), SMELT_NO_MEMORY);
	assert_int_equal(error_os(NULL, "open", "f"), SMELT_OS_ERROR);
}

static void os_error_names_file_action_and_cause(void **state)
{
	struct smelt_error error = { 0 };

	(void)state;
	errno = ENOENT;
	assert_int_equal(error_os(&error, "open", "a.o"), SMELT_OS_ERROR);
	assert_int_equal(error.os_errno, ENOENT);
	assert_string_equal(error.text, "a.o: open: No such file or directory");
}

static void prefix_goes_before_the_text(void **state)
{
	struct smelt_error error = { 0 };

	(void)state;
	errno = EACCES;
	error_os(&error, "open", "a.o");
	assert_int_equal(error_prefix(&error, "unit %d", 3), SMELT_OS_ERROR);
	assert_int_equal(error.os_errno, EACCES);
	assert_string_equal(error.text, "unit 3: a.o: open: Permission denied");
}

/* The buffer is fixed: what does not fit is cut at the end, and the text stays terminated. */
static void long_texts_are_cut(void **state)
{
	static const size_t lengths[] = { 0, 1, 507, 508, 509, 510, 511, 512, 4096 };
	char long_text[4097];
	struct smelt_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		memset(long_text, 'x', lengths[i]);
		long_text[lengths[i]] = '\0';

		memset(&error, 0x7f, sizeof(error));
		error_set(&error, SMELT_BAD_DATA, "%s", long_text);
		assert_int_equal(strlen(error.text), lengths[i] < 511 ? lengths[i] : 511);

		error_set(&error, SMELT_BAD_DATA, "cause");
		error_prefix(&error, "%s", long_text);
		assert_int_equal(strlen(error.text), lengths[i] < 504 ? lengths[i] + 7 : 511);
		assert_int_equal(error.text[0], lengths[i] ? 'x' : ':');
	}
}

static void every_status_has_its_own_name(void **state)
{
	(void)state;
	for (int i = SMELT_OK; i <= SMELT_BAD_ARGUMENT; i++) {
		for (int j = SMELT_OK; j < i; j++)
			assert_string_not_equal(smelt_status_name(i), smelt_status_name(j));
	}
	assert_non_null(smelt_status_name((enum smelt_status)1000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_stores_and_returns_the_status),
		cmocka_unit_test(a_null_error_is_accepted),
		cmocka_unit_test(os_error_names_file_action_and_cause),
		cmocka_unit_test(prefix_goes_before_the_text),
		cmocka_unit_test(long_texts_are_cut),
		cmocka_unit_test(every_status_has_its_own_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
