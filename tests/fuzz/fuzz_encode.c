/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Whole runs over any file: the same bytes, or the same message, with one thread, with three, in
 * another order of jobs, and with hashes that collide.
 *
 * Input: features (2 bytes, little endian), the file.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <smelt/encode.h>

enum { HEADER_BYTES = 2, THREADS = 3, SEED = 7, COLLIDING_HASH_BITS = 3 };

static void count_warning(void *context, const char *text)
{
	size_t *text_bytes = context;

	*text_bytes += strlen(text);
}

struct outcome {
	enum smelt_status status;
	struct smelt_error error;
	struct smelt_btf_blob blob;
	size_t warning_bytes;
};

static void encode(const char *path, uint32_t features, unsigned jobs, struct outcome *outcome)
{
	struct smelt_encode_options options = {
		.struct_size = sizeof(options),
		.features = features,
		.jobs = jobs,
		.warning = count_warning,
		.context = &outcome->warning_bytes,
		.shuffle_seed = jobs > 1 ? SEED : 0,
		.hash_bits = jobs > 1 ? COLLIDING_HASH_BITS : 0,
	};
	struct smelt_encode_report report;

	memset(outcome, 0, sizeof(*outcome));
	outcome->status =
		smelt_encode_file(path, &options, &report, &outcome->blob, &outcome->error);
}

static void compare(const struct outcome *one, const struct outcome *other)
{
	/* How much memory there is does depend on the number of threads. */
	if (one->status == SMELT_NO_MEMORY || other->status == SMELT_NO_MEMORY)
		return;
	if (one->status != other->status || one->warning_bytes != other->warning_bytes)
		abort();
	if (one->status && strcmp(one->error.text, other->error.text) != 0)
		abort();
	if (!one->blob.data != !other->blob.data || one->blob.size != other->blob.size)
		abort();
	if (one->blob.data && memcmp(one->blob.data, other->blob.data, one->blob.size) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct outcome serial, parallel;
	uint32_t features;
	char path[40];
	int fd;

	if (size < HEADER_BYTES)
		return 0;
	features = ((uint32_t)data[0] | (uint32_t)data[1] << 8) &
		   ((1u << SMELT_BTF_FEATURE_COUNT) - 1) & ~(uint32_t)SMELT_BTF_DISTILLED_BASE;
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 ||
	    write(fd, data + HEADER_BYTES, size - HEADER_BYTES) != (ssize_t)(size - HEADER_BYTES))
		abort();
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	encode(path, features, 1, &serial);
	encode(path, features, THREADS, &parallel);
	compare(&serial, &parallel);
	smelt_btf_blob_deinit(&serial.blob);
	smelt_btf_blob_deinit(&parallel.blob);
	close(fd);
	return 0;
}
