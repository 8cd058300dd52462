/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A worker encodes its files one after the other, in a session of its own that nobody else sees, and
 * hands each result on at once. Only the reports wait, for those of the files before them.
 */
#include "encode/encode_each.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vector.h"
#include "encode/encode.h"

/* A file and what became of it. */
struct each_file {
	uint64_t size;
	bool is_done;
	enum smelt_status status;
	struct smelt_error *error; /* NULL: none, or no memory for it */
	struct smelt_encode_report report;
	VECTOR(char *) warnings;
};

struct each_run {
	struct worker_pool *pool;
	const char *const *paths;
	uint32_t count;
	const struct smelt_encode_options *options;
	const struct smelt_each_callbacks *callbacks;
	uint32_t *order;       /* indices, largest file first */
	uint32_t shared_count; /* of them, those that all workers encode together */
	struct each_worker *workers;

	pthread_mutex_t lock; /* for what follows, and for `files` once they are done */
	struct each_file *files;
	uint32_t next_report;
	uint32_t done_count;
};

/* What a worker needs to encode a file alone; made for its first one. */
struct each_worker {
	_Alignas(64) struct worker_pool *pool;
	struct encode_session session;
};

/* ---- Reports ---- */

static void report_file(const struct each_run *each, uint32_t index)
{
	const struct smelt_each_callbacks *callbacks = each->callbacks;
	struct each_file *file = &each->files[index];
	struct smelt_error unsaid;

	for (size_t i = 0; i < file->warnings.count; i++) {
		if (callbacks->warning)
			callbacks->warning(callbacks->context, index, file->warnings.items[i]);
		free(file->warnings.items[i]);
	}
	vector_deinit(&file->warnings);
	if (file->status && !file->error)
		(void)error_no_memory(&unsaid);
	if (callbacks->done)
		callbacks->done(callbacks->context, index, file->status, &file->report,
				file->error ? file->error : &unsaid);
	free(file->error);
	file->error = NULL;
}

static void finish_file(struct each_run *each, uint32_t index)
{
	const struct smelt_encode_options *options = each->options;

	pthread_mutex_lock(&each->lock);
	each->files[index].is_done = true;
	each->done_count++;
	while (each->next_report < each->count && each->files[each->next_report].is_done)
		report_file(each, each->next_report++);
	if (options->progress)
		options->progress(options->context, each->done_count, each->count);
	pthread_mutex_unlock(&each->lock);
}

/* The text is lost when there is no memory; the file's status says more then. */
static void keep_warning(void *context, const char *text)
{
	struct each_file *file = context;
	char *copy = strdup(text);
	char **place = copy ? vector_push(&file->warnings) : NULL;

	if (place)
		*place = copy;
	else
		free(copy);
}

/* ---- Files ---- */

static enum smelt_status write_blob(const struct each_run *each, uint32_t index,
				    const struct smelt_btf_blob *blob, struct smelt_error *error)
{
	const struct smelt_each_callbacks *callbacks = each->callbacks;

	if (!blob->data || !callbacks->write)
		return SMELT_OK;
	return callbacks->write(callbacks->context, index, blob, error);
}

static void encode_one(struct each_run *each, uint32_t index, struct encode_session *session)
{
	struct each_file *file = &each->files[index];
	struct smelt_encode_options options = *each->options;
	struct smelt_btf_blob blob = { 0 };
	struct smelt_error error = { 0 };

	options.progress = NULL;
	options.warning = keep_warning;
	options.context = file;
	file->status = encode_files(session, &each->paths[index], 1, &options, &file->report, &blob,
				    &error);
	if (!file->status)
		file->status = write_blob(each, index, &blob, &error);
	smelt_btf_blob_deinit(&blob);
	if (file->status) {
		file->error = malloc(sizeof(*file->error));
		if (file->error)
			*file->error = error;
	}
	finish_file(each, index);
}

/* No session, no file. */
static void fail_file(struct each_run *each, uint32_t index, enum smelt_status status,
		      const struct smelt_error *error)
{
	struct each_file *file = &each->files[index];

	file->status = status;
	file->error = malloc(sizeof(*file->error));
	if (file->error)
		*file->error = *error;
	finish_file(each, index);
}

static enum smelt_status worker_prepare(struct each_worker *worker, struct smelt_error *error)
{
	enum smelt_status status;

	if (worker->pool) {
		encode_session_reset(&worker->session);
		return SMELT_OK;
	}
	status = worker_pool_create(1, &worker->pool, error);
	if (!status)
		status = encode_session_init(&worker->session, worker->pool, error);
	return status;
}

static void worker_deinit(struct each_worker *worker)
{
	if (worker->pool)
		encode_session_deinit(&worker->session);
	worker_pool_destroy(worker->pool);
}

static void encode_alone_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct each_run *each = argument;
	struct each_worker *own = &each->workers[worker->index];
	uint32_t index = each->order[each->shared_count + job_index];
	struct smelt_error error;
	enum smelt_status status = worker_prepare(own, &error);

	if (status)
		fail_file(each, index, status, &error);
	else
		encode_one(each, index, &own->session);
}

static void encode_shared(struct each_run *each)
{
	struct encode_session session;
	struct smelt_error error;
	enum smelt_status status;

	if (each->shared_count == 0)
		return;
	status = encode_session_init(&session, each->pool, &error);
	for (uint32_t i = 0; i < each->shared_count; i++) {
		if (status) {
			fail_file(each, each->order[i], status, &error);
			continue;
		}
		encode_one(each, each->order[i], &session);
		encode_session_reset(&session);
	}
	encode_session_deinit(&session);
}

/* ---- All of them ---- */

static int compare_sizes(const void *a, const void *b, void *argument)
{
	const struct each_file *files = argument;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (files[x].size != files[y].size)
		return files[x].size < files[y].size ? 1 : -1;
	return x < y ? -1 : 1;
}

/* What cannot be looked at will fail soon enough. */
static void order_files(struct each_run *each)
{
	for (uint32_t i = 0; i < each->count; i++) {
		struct stat info;

		each->order[i] = i;
		if (stat(each->paths[i], &info) == 0 && info.st_size > 0)
			each->files[i].size = (uint64_t)info.st_size;
	}
	qsort_r(each->order, each->count, sizeof(*each->order), compare_sizes, each->files);
}

static bool plan(struct each_run *each)
{
	uint64_t *sizes = malloc(each->count * sizeof(*sizes));

	if (!sizes)
		return false;
	order_files(each);
	for (uint32_t i = 0; i < each->count; i++)
		sizes[i] = each->files[each->order[i]].size;
	each->shared_count = each_shared_count(sizes, each->count, worker_pool_size(each->pool));
	free(sizes);
	return true;
}

static enum smelt_status run_all(struct each_run *each, struct smelt_error *error)
{
	unsigned worker_count = worker_pool_size(each->pool);

	each->files = calloc(each->count, sizeof(*each->files));
	each->order = malloc(each->count * sizeof(*each->order));
	each->workers =
		aligned_alloc(_Alignof(struct each_worker), worker_count * sizeof(*each->workers));
	if (!each->files || !each->order || !each->workers || !plan(each))
		return error_no_memory(error);
	memset(each->workers, 0, worker_count * sizeof(*each->workers));
	encode_shared(each);
	worker_pool_run(each->pool, encode_alone_job, each, each->count - each->shared_count);
	for (unsigned i = 0; i < worker_count; i++)
		worker_deinit(&each->workers[i]);
	return SMELT_OK;
}

enum smelt_status encode_each(struct worker_pool *pool, const char *const *paths, uint32_t count,
			      const struct smelt_encode_options *options,
			      const struct smelt_each_callbacks *callbacks,
			      struct smelt_error *error)
{
	struct each_run each = {
		.pool = pool,
		.paths = paths,
		.count = count,
		.options = options,
		.callbacks = callbacks,
	};
	enum smelt_status status;

	if (count == 0)
		return SMELT_OK;
	pthread_mutex_init(&each.lock, NULL);
	status = run_all(&each, error);
	pthread_mutex_destroy(&each.lock);
	free(each.files);
	free(each.order);
	free(each.workers);
	return status;
}
