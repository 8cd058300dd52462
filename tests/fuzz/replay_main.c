/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Runs a fuzz target over files, without a fuzzing engine: each argument is a file or
 * a folder of files. Each input runs twice, because a target may compare with what
 * the last run left behind, and because a leak is then seen to grow. The copy given to
 * the target has exactly the file's size, so that AddressSanitizer sees overruns.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned inputs_run;

static _Noreturn void fail(const char *path)
{
	fprintf(stderr, "%s: %s\n", path, strerror(errno));
	exit(2);
}

static void replay_file(const char *path, size_t size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = malloc(size ? size : 1);

	if (!file || !data || fread(data, 1, size, file) != size)
		fail(path);
	fclose(file);
	/* Named first: after a crash the last line says which input it was. */
	printf("%s (%zu bytes)\n", path, size);
	fflush(stdout);
	for (int run = 0; run < 2; run++)
		LLVMFuzzerTestOneInput(data, size);
	free(data);
	inputs_run++;
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void replay_path(const char *path)
{
	struct dirent **entries;
	struct stat info;
	int count;

	if (stat(path, &info) != 0)
		fail(path);
	if (!S_ISDIR(info.st_mode)) {
		replay_file(path, (size_t)info.st_size);
		return;
	}
	count = scandir(path, &entries, not_hidden, alphasort);
	if (count < 0)
		fail(path);
	for (int i = 0; i < count; i++) {
		char *entry_path;

		if (asprintf(&entry_path, "%s/%s", path, entries[i]->d_name) < 0)
			fail(path);
		replay_path(entry_path);
		free(entry_path);
		free(entries[i]);
	}
	free(entries);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: %s FILE_OR_FOLDER...\n", argv[0]);
		return 2;
	}
	for (int i = 1; i < argc; i++)
		replay_path(argv[i]);
	printf("%u inputs replayed\n", inputs_run);
	return inputs_run ? 0 : 1;
}
