/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Any bytes as BTF blobs one after the other, each split on the one before. What is accepted keeps
 * the promises of btf/reader.h; distilled it is accepted again, and cannot be distilled further.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "btf/distill.h"
#include "btf/reader.h"

enum { BLOBS_MAX = 3 };

static volatile uint8_t sink;

static void require(bool fact)
{
	if (!fact)
		abort();
}

static void touch_string(const struct btf_view *view, uint32_t offset)
{
	require(offset < view->string_end);
	sink = (uint8_t)strlen(btf_view_string(view, offset));
}

/* Chains of targets end, within as many steps as there are types. */
static void follow_targets(const struct btf_view *view, uint32_t id)
{
	for (uint32_t steps = 0;; steps++) {
		const struct btf_record *record = btf_view_record(view, id);

		require(steps <= view->end_id);
		switch (btf_record_kind(record)) {
		case BTF_KIND_PTR:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_TYPE_TAG:
			id = record->size_or_type;
			break;
		case BTF_KIND_ARRAY:
			id = btf_record_array(record)->element;
			break;
		default:
			return;
		}
	}
}

static void check_record(const struct btf_view *view, uint32_t id)
{
	const struct btf_record *record = btf_view_record(view, id);
	const uint32_t *words = (const uint32_t *)record;
	struct btf_references types = btf_type_references(record);
	struct btf_references strings = btf_string_references(record);
	enum btf_kind kind = btf_record_kind(record);
	uint32_t word_count = btf_record_word_count(record);

	require(kind > BTF_KIND_VOID && kind < BTF_KIND_COUNT);
	sink = (uint8_t)words[word_count - 1];
	for (uint32_t i = 0; i < types.count; i++) {
		uint32_t word = btf_reference_word(&types, i);

		require(word < word_count && words[word] < view->end_id);
		if (kind == BTF_KIND_FUNC)
			require(btf_view_kind(view, words[word]) == BTF_KIND_FUNC_PROTO);
	}
	for (uint32_t i = 0; i < strings.count; i++) {
		uint32_t word = btf_reference_word(&strings, i);

		require(word < word_count);
		touch_string(view, words[word]);
	}
}

static void check_view(const struct btf_view *view)
{
	for (uint32_t id = view->first_id; id < view->end_id; id++)
		check_record(view, id);
	/* A chain may be as long as the view, so not all of them are followed. */
	for (uint32_t id = view->first_id; id < view->end_id && id - view->first_id < 100; id++)
		follow_targets(view, id);
}

static void distill_twice(const struct btf_view *split)
{
	struct btf_distilled first, second;
	struct btf_view base, rest;

	require(btf_distill(split, &first, NULL) == SMELT_OK);
	require(btf_view_init(&base, first.base, first.base_size, NULL, NULL) == SMELT_OK);
	require(btf_view_init(&rest, first.split, first.split_size, &base, NULL) == SMELT_OK);
	check_view(&base);
	check_view(&rest);
	require(btf_distill(&rest, &second, NULL) == SMELT_OK);
	require(first.base_size == second.base_size && first.split_size == second.split_size);
	require(memcmp(first.base, second.base, first.base_size) == 0);
	require(memcmp(first.split, second.split, first.split_size) == 0);
	btf_view_deinit(&rest);
	btf_view_deinit(&base);
	free(first.base);
	free(first.split);
	free(second.base);
	free(second.split);
}

/* Start of the next blob behind `data`, or its end. */
static size_t next_blob(const uint8_t *data, size_t size)
{
	for (size_t i = 4; i + 4 <= size; i++) {
		if (btf_is_blob(data + i, size - i) && data[i + 2] == BTF_VERSION)
			return i;
	}
	return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf_view views[BLOBS_MAX];
	uint8_t *blobs[BLOBS_MAX];
	struct smelt_error error;
	unsigned count = 0;

	while (count < BLOBS_MAX && size > 0) {
		size_t bytes = next_blob(data, size);
		/* A copy of its own, aligned and exactly as large, to see one byte too far. */
		uint8_t *copy = malloc(bytes);
		enum smelt_status status;

		require(copy != NULL);
		memcpy(copy, data, bytes);
		status = btf_view_init(&views[count], copy, bytes, count ? &views[count - 1] : NULL,
				       &error);
		if (status) {
			require(status == SMELT_BAD_DATA || status == SMELT_UNSUPPORTED);
			require(strncmp(error.text, "offset 0x", 9) == 0);
			free(copy);
			break;
		}
		check_view(&views[count]);
		if (count > 0)
			distill_twice(&views[count]);
		blobs[count++] = copy;
		data += bytes;
		size -= bytes;
	}
	while (count-- > 0) {
		btf_view_deinit(&views[count]);
		free(blobs[count]);
	}
	return 0;
}
