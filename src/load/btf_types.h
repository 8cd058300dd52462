/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The types of a BTF blob in the words of the model. */
#ifndef LOAD_BTF_TYPES_H
#define LOAD_BTF_TYPES_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/worker_pool.h"
#include "btf/reader.h"
#include "model/unit.h"

struct btf_types {
	/*
	 * Slots are type ids, those of the view's base included; names are string offsets. FUNC, VAR, DATASEC and
	 * DECL_TAG are no types of the model: TYPE_ALIAS to void. So is what no loader of DWARF would say: integers with an odd
	 * size, offset or the CHAR encoding, tags that are attributes of the compiler's, arrays whose
	 * index type is not index_type. Values of ENUMs are cut to 32 bits.
	 */
	struct model_unit unit;
	uint32_t index_type; /* of all arrays that are there, 0: there are none */
	uint32_t *data_ids;  /* VARs and DATASECs, ascending */
	uint32_t data_count;
};

/* Memory is that of `arena`. */
enum smelt_status btf_types_load(struct btf_types *types, const struct btf_view *view,
				 struct worker_pool *pool, struct arena *arena,
				 struct smelt_error *error);

#endif
