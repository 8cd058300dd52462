/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Constructors of struct smelt_error; see base/error.h. */
#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum smelt_status error_set(struct smelt_error *error, enum smelt_status status, const char *format,
			    ...)
{
	va_list arguments;

	if (!error)
		return status;
	error->status = status;
	error->os_errno = 0;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return status;
}

enum smelt_status error_no_memory(struct smelt_error *error)
{
	return error_set(error, SMELT_NO_MEMORY, "out of memory");
}

enum smelt_status error_os(struct smelt_error *error, const char *action, const char *path)
{
	int os_errno = errno;
	char buffer[128];

	/* The GNU strerror_r: returns the text, which need not be in the buffer. */
	error_set(error, SMELT_OS_ERROR, "%s: %s: %s", path, action,
		  strerror_r(os_errno, buffer, sizeof(buffer)));
	if (error)
		error->os_errno = os_errno;
	return SMELT_OS_ERROR;
}

enum smelt_status error_prefix(struct smelt_error *error, const char *format, ...)
{
	enum { LAST = SMELT_ERROR_TEXT_BYTES - 1 };
	char prefix[SMELT_ERROR_TEXT_BYTES];
	va_list arguments;
	size_t shift;

	if (!error)
		return SMELT_OK;
	va_start(arguments, format);
	vsnprintf(prefix, sizeof(prefix), format, arguments);
	va_end(arguments);

	/* What does not fit falls off the end: the cause is last, but the file name helps more. */
	shift = strlen(prefix);
	if (shift > LAST - 2)
		shift = LAST - 2;
	memmove(error->text + shift + 2, error->text, LAST - shift - 2);
	memcpy(error->text, prefix, shift);
	memcpy(error->text + shift, ": ", 2);
	error->text[LAST] = '\0';
	return error->status;
}

const char *smelt_status_name(enum smelt_status status)
{
	switch (status) {
	case SMELT_OK:
		return "ok";
	case SMELT_NO_MEMORY:
		return "out of memory";
	case SMELT_OS_ERROR:
		return "system error";
	case SMELT_BAD_DATA:
		return "bad data";
	case SMELT_NO_DEBUG_INFO:
		return "no debug information";
	case SMELT_NOT_ELF:
		return "not an ELF file";
	case SMELT_UNSUPPORTED:
		return "unsupported";
	case SMELT_BAD_ARGUMENT:
		return "bad argument";
	}
	return "unknown status";
}
