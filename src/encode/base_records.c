/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/base_records.h"

static inline bool is_indexed(const struct btf_record *record)
{
	enum { INDEXED = 1 << BTF_KIND_FUNC | 1 << BTF_KIND_DECL_TAG };

	return INDEXED >> btf_record_kind(record) & 1 ||
	       (btf_record_kind(record) == BTF_KIND_TYPE_TAG && btf_record_flag(record));
}

static uint64_t place_of(const struct base_records *records, uint32_t name, uint32_t target)
{
	uint64_t key = ((uint64_t)target << 32 | name) * UINT64_C(0x9fb21c651e98df25);

	return (key ^ key >> 32) & records->mask;
}

bool base_records_init(struct base_records *records, const struct btf_view *view,
		       unsigned hash_bits, struct arena *arena)
{
	uint64_t heads = 64;

	/* Half of a kernel's types are functions. */
	while (heads < view->end_id / 2)
		heads *= 2;
	*records = (struct base_records){
		.view = view,
		.heads = arena_calloc(arena, heads, sizeof(*records->heads)),
		.next = arena_alloc(arena, (size_t)view->end_id * sizeof(*records->next)),
		.mask = heads - 1,
	};
	if (hash_bits && hash_bits < 32)
		records->mask &= (UINT64_C(1) << hash_bits) - 1;
	if (!records->heads || !records->next)
		return false;
	/* From the end, so that chains are ascending. */
	for (uint32_t id = view->end_id; id-- > 1;) {
		const struct btf_record *record = btf_view_record(view, id);
		uint64_t place;

		if (!is_indexed(record))
			continue;
		place = place_of(records, record->name, record->size_or_type);
		records->next[id] = records->heads[place];
		records->heads[place] = id;
	}
	return true;
}

/* component: compared if the kind is DECL_TAG. */
static uint32_t find(const struct base_records *records, uint32_t name, uint32_t info,
		     uint32_t target, uint32_t component)
{
	uint32_t id = records->heads[place_of(records, name, target)];

	for (; id != 0; id = records->next[id]) {
		const struct btf_record *record = btf_view_record(records->view, id);

		if (record->name == name && record->info == info &&
		    record->size_or_type == target &&
		    (btf_record_kind(record) != BTF_KIND_DECL_TAG || record->words[0] == component))
			break;
	}
	return id;
}

uint32_t base_records_function(const struct base_records *records, uint32_t name,
			       uint32_t prototype)
{
	return find(records, name, btf_info(BTF_KIND_FUNC, false, BTF_LINKAGE_STATIC), prototype,
		    0);
}

uint32_t base_records_decl_tag(const struct base_records *records, uint32_t value, uint32_t type,
			       int32_t component)
{
	return find(records, value, btf_info(BTF_KIND_DECL_TAG, false, 0), type,
		    (uint32_t)component);
}

uint32_t base_records_attribute(const struct base_records *records, uint32_t value, uint32_t type)
{
	return find(records, value, btf_info(BTF_KIND_TYPE_TAG, true, 0), type, 0);
}
