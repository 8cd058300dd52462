/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ctest-labels: thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/jobserver.h"
#include "base/worker_pool.h"

/* What make keeps: a pipe with tokens in it, each another byte, so that a wrong one shows. */
struct make {
	int ends[2];
	char flags[256];
};

static void make_start(struct make *make, const char *tokens)
{
	assert_int_equal(pipe(make->ends), 0);
	assert_int_equal(write(make->ends[1], tokens, strlen(tokens)), strlen(tokens));
	(void)snprintf(make->flags, sizeof(make->flags), "ks -j4 --jobserver-auth=%d,%d -- X=1",
		       make->ends[0], make->ends[1]);
}

static int compare_bytes(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}

/* The tokens that are in the pipe, which is emptied. */
static const char *make_tokens(struct make *make, char *buffer, size_t size)
{
	ssize_t count;

	assert_int_equal(fcntl(make->ends[0], F_GETFL) & O_NONBLOCK, 0);
	assert_int_equal(fcntl(make->ends[0], F_SETFL, O_NONBLOCK), 0);
	count = read(make->ends[0], buffer, size - 1);
	if (count < 0)
		count = 0;
	buffer[count] = '\0';
	qsort(buffer, (size_t)count, 1, compare_bytes);
	return buffer;
}

static void make_end(struct make *make)
{
	close(make->ends[0]);
	close(make->ends[1]);
}

static struct smelt_jobserver *open_ok(const char *flags)
{
	struct smelt_jobserver *jobserver = NULL;
	struct smelt_error error;

	assert_int_equal(smelt_jobserver_open(flags, &jobserver, &error), SMELT_OK);
	return jobserver;
}

static void no_make_no_jobserver(void **state)
{
	static const char *const flags[] = {
		NULL,
		"",
		"k",
		"-j --trace",
		"ks -- AUTH=--jobserver-auth=3,4",
		"ks -- --jobserver-auth=3,4",
		"--jobserver-style=fifo",
		"A\\ --jobserver-auth=3,4",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		assert_null(open_ok(flags[i]));
	smelt_jobserver_close(NULL);
}

static void what_is_announced_must_be_there(void **state)
{
	static const char *const flags[] = {
		"--jobserver-auth=-2,-2", /* what make 4.4 leaves to recipes without '+' */
		"--jobserver-auth=700,701",
		"--jobserver-auth=0,0,0",
		"--jobserver-auth=",
		"--jobserver-auth=3",
		"--jobserver-auth=3,",
		"--jobserver-auth=99999999999,4",
		"--jobserver-auth=fifo:",
		"--jobserver-auth=fifo:/nowhere/at/all",
		"--jobserver-auth=fifo:/dev/null",
		"--jobserver-auth=sem:name",
	};
	struct smelt_error error;
	struct make one, other;
	char mixed[64];

	(void)state;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct smelt_jobserver *jobserver = (void *)&error;

		error.text[0] = '\0';
		assert_int_not_equal(smelt_jobserver_open(flags[i], &jobserver, &error), SMELT_OK);
		assert_ptr_equal(jobserver, &error);
		assert_int_not_equal(strlen(error.text), 0);
	}

	/* Descriptors that make closed and somebody else opened. */
	make_start(&one, "a");
	make_start(&other, "b");
	(void)snprintf(mixed, sizeof(mixed), "--jobserver-auth=%d,%d", one.ends[0], other.ends[1]);
	assert_int_not_equal(
		smelt_jobserver_open(mixed, &(struct smelt_jobserver *){ NULL }, &error), SMELT_OK);
	make_end(&one);
	make_end(&other);
}

static void the_last_address_counts(void **state)
{
	struct smelt_jobserver *jobserver;
	struct make make;
	char flags[256];

	(void)state;
	make_start(&make, "a");
	(void)snprintf(flags, sizeof(flags), "k --jobserver-fds=700,701 --jobserver-fds=%d,%d",
		       make.ends[0], make.ends[1]);
	jobserver = open_ok(flags);
	assert_non_null(jobserver);
	assert_int_equal(jobserver_take(jobserver, 5), 1);
	smelt_jobserver_close(jobserver);
	make_end(&make);
}

static void tokens_go_back_as_they_were(void **state)
{
	struct smelt_jobserver *jobserver;
	struct make make;
	char buffer[16];

	(void)state;
	make_start(&make, "abcd");
	jobserver = open_ok(make.flags);
	assert_int_equal(jobserver_take(jobserver, 0), 0);
	assert_int_equal(jobserver_take(jobserver, 3), 3);
	assert_int_equal(jobserver_take(jobserver, 3), 1);
	assert_int_equal(jobserver_take(jobserver, 3), 0); /* and does not wait */
	jobserver_give(jobserver, 2);
	assert_int_equal(jobserver_take(jobserver, 1), 1);
	jobserver_give(jobserver, 1);
	smelt_jobserver_close(jobserver);
	assert_string_equal(make_tokens(&make, buffer, sizeof(buffer)), "abcd");
	make_end(&make);
}

static void after_abandon_nothing_is_taken(void **state)
{
	struct smelt_jobserver *jobserver;
	struct make make;
	char buffer[16];

	(void)state;
	make_start(&make, "abc");
	jobserver = open_ok(make.flags);
	assert_int_equal(jobserver_take(jobserver, 2), 2);
	smelt_jobserver_abandon(jobserver);
	assert_int_equal(jobserver_take(jobserver, 2), 0);
	jobserver_give(jobserver, 2); /* by threads that do not know */
	assert_string_equal(make_tokens(&make, buffer, sizeof(buffer)), "abc");
	smelt_jobserver_close(jobserver);
	make_end(&make);
}

static void a_fifo_may_have_blanks_in_its_name(void **state)
{
	char folder[] = "/tmp/jobserver XXXXXX";
	char path[64], flags[128], buffer[4];
	struct smelt_jobserver *jobserver;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/fifo", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR | O_NONBLOCK);
	assert_int_equal(write(fd, "xy", 2), 2);

	(void)snprintf(flags, sizeof(flags), " -j3 --jobserver-auth=fifo:/tmp/jobserver\\ %s/fifo",
		       strchr(folder, ' ') + 1);
	jobserver = open_ok(flags);
	assert_non_null(jobserver);
	assert_int_equal(jobserver_take(jobserver, 3), 2);
	assert_int_equal(read(fd, buffer, sizeof(buffer)), -1);
	smelt_jobserver_close(jobserver);
	assert_int_equal(read(fd, buffer, sizeof(buffer)), 2);
	close(fd);
	unlink(path);
	rmdir(folder);
}

/* Which workers had a job. */
struct attendance {
	struct make *make;
	atomic_uint workers;
	unsigned wanted; /* wait for so many, but not forever */
};

static unsigned count_workers(struct attendance *attendance)
{
	return (unsigned)__builtin_popcount(atomic_load(&attendance->workers));
}

static void attend_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct attendance *attendance = argument;
	const struct timespec moment = { .tv_nsec = 1000 * 1000 };

	atomic_fetch_or(&attendance->workers, 1u << worker->index);
	/* Somebody else is done and gives a token back. */
	if (job_index == 0 && attendance->make)
		assert_int_equal(write(attendance->make->ends[1], "z", 1), 1);
	if (count_workers(attendance) < attendance->wanted)
		nanosleep(&moment, NULL);
}

static void threads_work_with_tokens_only(void **state)
{
	struct worker_pool *pool;
	struct smelt_jobserver *jobserver;
	struct attendance two = { .wanted = 3 }, none = { .wanted = 2 };
	struct make make;
	char buffer[16];

	(void)state;
	make_start(&make, "ab");
	jobserver = open_ok(make.flags);
	assert_int_equal(worker_pool_create(8, &pool, NULL), SMELT_OK);
	worker_pool_set_jobserver(pool, jobserver);

	worker_pool_run(pool, attend_job, &two, 500);
	assert_int_equal(count_workers(&two), 3);
	assert_string_equal(make_tokens(&make, buffer, sizeof(buffer)), "ab");

	worker_pool_run(pool, attend_job, &none, 5);
	assert_int_equal(atomic_load(&none.workers), 1); /* the caller */
	worker_pool_destroy(pool);
	smelt_jobserver_close(jobserver);
	make_end(&make);
}

static void a_token_that_comes_late_is_used(void **state)
{
	struct worker_pool *pool;
	struct smelt_jobserver *jobserver;
	struct make make;
	struct attendance late = { .make = &make, .wanted = 2 };
	char buffer[16];

	(void)state;
	make_start(&make, "");
	jobserver = open_ok(make.flags);
	assert_int_equal(worker_pool_create(4, &pool, NULL), SMELT_OK);
	worker_pool_set_jobserver(pool, jobserver);
	worker_pool_run(pool, attend_job, &late, 10000);
	assert_int_equal(count_workers(&late), 2);
	assert_string_equal(make_tokens(&make, buffer, sizeof(buffer)), "z");
	worker_pool_destroy(pool);
	smelt_jobserver_close(jobserver);
	make_end(&make);
}

static void idle_threads_hold_no_token_between_passes(void **state)
{
	struct worker_pool *pool;
	struct smelt_jobserver *jobserver;
	struct make make;
	char buffer[16];

	(void)state;
	make_start(&make, "abc");
	jobserver = open_ok(make.flags);
	assert_int_equal(worker_pool_create(4, &pool, NULL), SMELT_OK);
	worker_pool_set_jobserver(pool, jobserver);
	for (unsigned pass = 0; pass < 200; pass++) {
		struct attendance any = { .wanted = 0 };

		worker_pool_run(pool, attend_job, &any, pass % 7);
	}
	assert_string_equal(make_tokens(&make, buffer, sizeof(buffer)), "abc");
	worker_pool_destroy(pool);
	smelt_jobserver_close(jobserver);
	make_end(&make);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_make_no_jobserver),
		cmocka_unit_test(what_is_announced_must_be_there),
		cmocka_unit_test(the_last_address_counts),
		cmocka_unit_test(tokens_go_back_as_they_were),
		cmocka_unit_test(after_abandon_nothing_is_taken),
		cmocka_unit_test(a_fifo_may_have_blanks_in_its_name),
		cmocka_unit_test(threads_work_with_tokens_only),
		cmocka_unit_test(a_token_that_comes_late_is_used),
		cmocka_unit_test(idle_threads_hold_no_token_between_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
