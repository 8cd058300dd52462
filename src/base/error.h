/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Constructors of struct smelt_error. Each returns the status it stored, so that
 * a failing path is one statement: return error_bad_data(error, "...").
 * `error` may be NULL when the caller does not want the text.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>

#include <smelt/error.h>

enum smelt_status error_set(struct smelt_error *error, enum smelt_status status, const char *format,
			    ...) __attribute__((format(printf, 3, 4)));
enum smelt_status error_no_memory(struct smelt_error *error);
/* "PATH: ACTION: strerror(errno)"; reads errno. */
enum smelt_status error_os(struct smelt_error *error, const char *action, const char *path);
/* Puts "PREFIX: " before the text that is there; for context on the way up. */
enum smelt_status error_prefix(struct smelt_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
