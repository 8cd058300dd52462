/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One type of the canonical set as one BTF record. What BTF cannot express is changed
 * here, always towards saying less, never towards saying something wrong.
 */
#ifndef ENCODE_TYPE_RECORD_H
#define ENCODE_TYPE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "btf/string_table.h"
#include "btf/writer.h"
#include "dedup/dedup.h"
#include "encode/issues.h"

/* What references and names of a record become. */
struct record_context {
	const uint32_t *ids; /* per number of the set, [0] is 0 */
	const struct string_table *strings;
	uint32_t index_type;   /* id of the type that counts the elements of arrays */
	uint32_t unnamed_name; /* stands in where BTF demands a name */
};

struct record_options {
	bool has_enum64; /* off: values of enumerations are cut as a matter of course */
};

/* Bytes of the record; notes in `issues` what it cannot say. */
uint32_t type_record_bytes(const struct dedup_type *type, const struct record_options *options,
			   struct issue_log *issues);

void type_record_write(struct btf_writer *writer, const struct dedup_type *type,
		       const struct record_context *context);

/*
 * Index among the members that the record keeps of member `index` of a struct or union; -1 if it is left
 * out. Indices behind the last member (C++ base classes count, too) are shifted by what was left out.
 */
int64_t type_record_member_index(const struct dedup_type *type, uint32_t index);

#endif
