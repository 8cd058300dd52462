/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * btf_load FILE: asks the running kernel to check raw BTF, as the loader of a module or of a BPF program would.
 * Exit status 0: accepted; 1: refused, its words are on stderr; 77: we may not ask, or there is no bpf(2).
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	EXIT_NOT_POSSIBLE = 77,
	/* The kernel writes a line per type and fails when they do not fit; only the end is of interest. */
	LOG_SIZE = 1 << 20,
	LOG_SHOWN = 2000,
};

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *bytes = NULL;
	long length;

	if (file == NULL)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0) {
		rewind(file);
		bytes = malloc((size_t)length);
		if (bytes != NULL && fread(bytes, 1, (size_t)length, file) == (size_t)length)
			*size = (size_t)length;
		else
			*size = 0;
	}
	fclose(file);
	return bytes;
}

static int load(const char *bytes, size_t size, char *log)
{
	union bpf_attr attributes;

	memset(&attributes, 0, sizeof(attributes));
	attributes.btf = (uint64_t)(uintptr_t)bytes;
	attributes.btf_size = (uint32_t)size;
	if (log != NULL) {
		attributes.btf_log_buf = (uint64_t)(uintptr_t)log;
		attributes.btf_log_size = LOG_SIZE;
		attributes.btf_log_level = 1;
	}
	return (int)syscall(SYS_bpf, BPF_BTF_LOAD, &attributes, sizeof(attributes));
}

int main(int argc, char **argv)
{
	size_t size = 0, length;
	char *bytes, *log;
	int error;

	if (argc != 2 || (bytes = read_file(argv[1], &size)) == NULL || size == 0) {
		fprintf(stderr, "usage: btf_load FILE\n");
		return 2;
	}
	if (load(bytes, size, NULL) >= 0)
		return 0;
	error = errno;
	if (error == EPERM || error == ENOSYS || error == EACCES) {
		fprintf(stderr, "BPF_BTF_LOAD: %s\n", strerror(error));
		return EXIT_NOT_POSSIBLE;
	}
	log = calloc(1, LOG_SIZE);
	if (log != NULL)
		load(bytes, size, log);
	length = log != NULL ? strlen(log) : 0;
	fprintf(stderr, "%s\n%s: %s\n",
		log && length > LOG_SHOWN ? log + length - LOG_SHOWN :
		log                       ? log :
					    "",
		argv[1], strerror(error));
	return 1;
}
