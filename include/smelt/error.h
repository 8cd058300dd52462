/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/**
 * @file
 * What can go wrong, as values.
 *
 * Every fallible function of smelt returns an enum smelt_status and fills a
 * caller-owned struct smelt_error on failure only. The library never prints
 * and never exits. A struct smelt_error needs no cleanup; it may be shared by
 * several calls, the last failure wins. Not thread-safe: one per thread.
 */
#ifndef SMELT_ERROR_H
#define SMELT_ERROR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Outcome of a call. Zero is success, so `if (status)` reads as "on failure". */
enum smelt_status {
	SMELT_OK = 0,
	SMELT_NO_MEMORY,     /**< allocation failed */
	SMELT_OS_ERROR,      /**< a system call failed; smelt_error.os_errno says how */
	SMELT_BAD_DATA,      /**< input violates its format */
	SMELT_NO_DEBUG_INFO, /**< valid file, but nothing of the wanted kind inside */
	SMELT_NOT_ELF,       /**< no ELF magic */
	SMELT_UNSUPPORTED,   /**< valid, but this version cannot do it */
	SMELT_BAD_ARGUMENT,  /**< caller asked for something that does not exist */
};

enum { SMELT_ERROR_TEXT_BYTES = 512 };

/** Details of the last failure. */
struct smelt_error {
	enum smelt_status status;
	int os_errno;                      /**< 0 unless status is SMELT_OS_ERROR */
	char text[SMELT_ERROR_TEXT_BYTES]; /**< one line: file, section, offset, cause */
};

/** A short English name of `status`, for logs; never NULL. */
const char *smelt_status_name(enum smelt_status status);

#ifdef __cplusplus
}
#endif

#endif
