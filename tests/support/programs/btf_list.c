/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * btf_list [-c] [-B BASE] FILE...: the BTF of each file as our reader sees it, split on that of BASE if
 * there is one. A line for each of its own types: id, kind, flag, and all words after the second, strings quoted; -c: only their
 * number. What is wrong with a file that is refused is its line. The exit status is 0.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "load/btf_file.h"

static bool is_string(const struct btf_record *record, uint32_t word)
{
	struct btf_references strings = btf_string_references(record);

	for (uint32_t i = 0; i < strings.count; i++) {
		if (btf_reference_word(&strings, i) == word)
			return true;
	}
	return false;
}

static void list_type(const struct btf_view *view, uint32_t id)
{
	const struct btf_record *record = btf_view_record(view, id);
	const uint32_t *words = (const uint32_t *)record;
	uint32_t count = btf_record_word_count(record);

	printf("%" PRIu32 " %d %d", id, btf_record_kind(record), btf_record_flag(record));
	for (uint32_t i = 0; i < count; i++) {
		if (is_string(record, i))
			printf(" '%s'", btf_view_string(view, words[i]));
		else if (i != 1)
			printf(" %" PRIu32, words[i]);
	}
	putchar('\n');
}

static void list_file(struct btf_file *file, bool only_count)
{
	const struct btf_view *view = btf_file_view(file);

	if (only_count)
		printf("%" PRIu32 "\n", btf_view_own_count(view));
	for (uint32_t id = view->first_id; id < view->end_id && !only_count; id++)
		list_type(view, id);
	btf_file_close(file);
}

int main(int argc, char **argv)
{
	const struct btf_view *base = NULL;
	struct btf_file *base_file = NULL;
	struct smelt_error error;
	bool only_counts = false;
	int option;

	while ((option = getopt(argc, argv, "cB:")) != -1) {
		if (option == 'c') {
			only_counts = true;
		} else if (option != 'B' || btf_file_open(optarg, NULL, &base_file, &error)) {
			fprintf(stderr, "%s\n", option == 'B' ? error.text : "bad option");
			return 2;
		}
	}
	if (base_file)
		base = btf_file_view(base_file);
	for (char **path = argv + optind; *path; path++) {
		struct btf_file *file;

		if (btf_file_open(*path, base, &file, &error))
			printf("refused: %s\n", error.text);
		else
			list_file(file, only_counts);
	}
	btf_file_close(base_file);
	return 0;
}
