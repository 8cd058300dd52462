/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The BTF that split BTF continues: opened and indexed once, from then on read by any number of runs in any
 * number of threads. Ids and string offsets of a run go on where the base's end.
 */
#ifndef ENCODE_BASE_H
#define ENCODE_BASE_H

#include <stdint.h>

#include <smelt/encode.h>

#include "base/arena.h"
#include "base/text_index.h"
#include "base/worker_pool.h"
#include "btf/reader.h"
#include "dedup/base_index.h"
#include "encode/base_records.h"
#include "load/btf_file.h"
#include "model/unit.h"

struct smelt_btf_base {
	struct btf_file *file;
	const struct btf_view *view;
	struct arena arena;
	struct text_index *texts;
	struct base_index *types;
	struct base_records records; /* what is no type: functions, tags */
};

/* What smelt_btf_base_open() does. */
enum smelt_status encode_base_open(const char *path, const struct smelt_btf_base *parent,
				   struct worker_pool *pool, unsigned hash_bits,
				   struct smelt_btf_base **base, struct smelt_error *error);
void encode_base_close(struct smelt_btf_base *base);

#endif
