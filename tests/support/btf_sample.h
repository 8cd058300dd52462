/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * BTF blobs for tests, put together by btf/writer.h, whose bytes test_btf_writer.c knows. Runs out
 * of memory by abort().
 */
#ifndef TESTS_SUPPORT_BTF_SAMPLE_H
#define TESTS_SUPPORT_BTF_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf/writer.h"

struct btf_sample {
	bool is_big_endian;
	uint32_t header_bytes; /* 24 or more; 0: BTF_HEADER_BYTES */
	bool has_layout;
	const char *strings; /* NULL: none */
	size_t string_bytes;
	void (*add_types)(struct btf_writer *writer); /* NULL: none */
};

/* Both fields: a literal with its last NUL. */
#define STRINGS(text) .strings = (text), .string_bytes = sizeof(text)

/*
 * The size; *data is from malloc() and has no byte more, for the address sanitizer to see when
 * one more is read.
 */
size_t btf_sample_build(const struct btf_sample *sample, uint8_t **data);

#endif
