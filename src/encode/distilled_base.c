/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <stdlib.h>

#include "btf/distill.h"
#include "encode/run.h"

enum smelt_status distill_base(struct encode_run *run, struct smelt_error *error)
{
	struct btf_distilled distilled;
	struct btf_view view;
	enum smelt_status status =
		btf_view_init(&view, run->blob.data, run->blob.size, run->base->view, error);

	/* Types that only damaged DWARF can have, such as a struct within itself. */
	if (status)
		return error_prefix(error, "the BTF has no distilled base");
	status = btf_distill(&view, &distilled, error);
	btf_view_deinit(&view);
	if (status)
		return status;
	free(run->blob.data);
	run->blob = (struct smelt_btf_blob){
		.data = distilled.split,
		.size = distilled.split_size,
		.base_data = distilled.base,
		.base_size = distilled.base_size,
	};
	return SMELT_OK;
}
