/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The pipe is make's and shared with every process of the build: it may be in blocking mode, and
 * changing that would change it for all. Opening it anew through /proc gives this process a
 * description with a mode of its own, for reading and writing at once, which is also how a fifo
 * is opened. So there is one way to take tokens: a read that never waits. And since this
 * process is a reader itself, giving back cannot raise SIGPIPE when make is gone.
 */
#include "base/jobserver.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* As many as a pool has workers. */
enum { TOKENS_MAX = 512 };

struct smelt_jobserver {
	int fd; /* both ends, never waits */
	pthread_mutex_t lock;
	bool is_abandoned;
	unsigned count;
	char tokens[TOKENS_MAX];
};

/*
 * Copies the next word of MAKEFLAGS, in which a backslash takes the meaning off what follows; what does
 * not fit is cut. NULL at the end.
 */
static const char *next_word(const char *text, char *word, size_t capacity)
{
	size_t size = 0;

	text += strspn(text, " \t");
	if (*text == '\0')
		return NULL;
	for (; *text != '\0' && *text != ' ' && *text != '\t'; text++) {
		if (*text == '\\' && text[1] != '\0')
			text++;
		if (size + 1 < capacity)
			word[size++] = *text;
	}
	word[size] = '\0';
	return text;
}

/*
 * The address of the jobserver; the last one counts. Definitions of variables, which may hold anything,
 * follow "--". Before make 4.2 the option had another name.
 */
static bool find_address(const char *makeflags, char *address, size_t capacity)
{
	static const char *const options[] = { "--jobserver-auth=", "--jobserver-fds=" };
	char word[PATH_MAX];
	bool found = false;

	while ((makeflags = next_word(makeflags, word, sizeof(word))) && strcmp(word, "--") != 0) {
		for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
			size_t size = strlen(options[i]);

			if (strncmp(word, options[i], size) != 0)
				continue;
			(void)snprintf(address, capacity, "%s", word + size);
			found = true;
		}
	}
	return found;
}

/* "R,W" */
static bool parse_descriptors(const char *address, int descriptors[2])
{
	char *end;

	for (int i = 0; i < 2; i++) {
		long number = strtol(address, &end, 10);

		if (end == address || *end != (i == 0 ? ',' : '\0') || number < INT_MIN ||
		    number > INT_MAX)
			return false;
		descriptors[i] = (int)number;
		address = end + 1;
	}
	return true;
}

/* Both ends of one pipe; a descriptor that make closed may be anything by now. */
static bool are_pipe(const int descriptors[2])
{
	struct stat ends[2];

	for (int i = 0; i < 2; i++) {
		if (descriptors[i] < 0 || fstat(descriptors[i], &ends[i]) != 0 ||
		    !S_ISFIFO(ends[i].st_mode))
			return false;
	}
	return ends[0].st_dev == ends[1].st_dev && ends[0].st_ino == ends[1].st_ino;
}

static enum smelt_status open_fifo(const char *path, int *fd, struct smelt_error *error)
{
	struct stat info;
	int opened = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (opened < 0)
		return error_os(error, "open the jobserver", path);
	if (fstat(opened, &info) != 0 || !S_ISFIFO(info.st_mode)) {
		close(opened);
		return error_set(error, SMELT_BAD_ARGUMENT, "%s: not a jobserver", path);
	}
	*fd = opened;
	return SMELT_OK;
}

static enum smelt_status open_address(const char *address, int *fd, struct smelt_error *error)
{
	static const char fifo[] = "fifo:";
	char path[64];
	int descriptors[2];

	if (strncmp(address, fifo, strlen(fifo)) == 0)
		return open_fifo(address + strlen(fifo), fd, error);
	if (!parse_descriptors(address, descriptors))
		return error_set(error, SMELT_BAD_ARGUMENT, "jobserver \"%s\": unknown form",
				 address);
	if (!are_pipe(descriptors))
		return error_set(error, SMELT_BAD_ARGUMENT,
				 "jobserver %s is not open here: no '+' before the recipe's line?",
				 address);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptors[0]);
	return open_fifo(path, fd, error);
}

enum smelt_status smelt_jobserver_open(const char *makeflags, struct smelt_jobserver **jobserver,
				       struct smelt_error *error)
{
	char address[PATH_MAX];
	struct smelt_jobserver *opened;
	enum smelt_status status;
	int fd = -1;

	if (!makeflags || !find_address(makeflags, address, sizeof(address))) {
		*jobserver = NULL;
		return SMELT_OK;
	}
	status = open_address(address, &fd, error);
	if (status)
		return status;
	opened = calloc(1, sizeof(*opened));
	if (!opened) {
		close(fd);
		return error_no_memory(error);
	}
	opened->fd = fd;
	pthread_mutex_init(&opened->lock, NULL);
	*jobserver = opened;
	return SMELT_OK;
}

/* Under the lock. The tokens came out of the pipe, so there is room for them. */
static void give_back(struct smelt_jobserver *jobserver, unsigned count)
{
	while (count > 0) {
		ssize_t written =
			write(jobserver->fd, jobserver->tokens + jobserver->count - count, count);

		if (written > 0)
			count -= (unsigned)written;
		else if (written < 0 && errno != EINTR)
			return;
	}
}

void smelt_jobserver_close(struct smelt_jobserver *jobserver)
{
	if (!jobserver)
		return;
	smelt_jobserver_abandon(jobserver);
	close(jobserver->fd);
	pthread_mutex_destroy(&jobserver->lock);
	free(jobserver);
}

void smelt_jobserver_abandon(struct smelt_jobserver *jobserver)
{
	pthread_mutex_lock(&jobserver->lock);
	give_back(jobserver, jobserver->count);
	jobserver->count = 0;
	jobserver->is_abandoned = true;
	pthread_mutex_unlock(&jobserver->lock);
}

unsigned jobserver_take(struct smelt_jobserver *jobserver, unsigned count)
{
	ssize_t taken = 0;

	pthread_mutex_lock(&jobserver->lock);
	if (count > TOKENS_MAX - jobserver->count)
		count = TOKENS_MAX - jobserver->count;
	if (count > 0 && !jobserver->is_abandoned) {
		do
			taken = read(jobserver->fd, jobserver->tokens + jobserver->count, count);
		while (taken < 0 && errno == EINTR);
		if (taken < 0) /* none left: EAGAIN */
			taken = 0;
		jobserver->count += (unsigned)taken;
	}
	pthread_mutex_unlock(&jobserver->lock);
	return (unsigned)taken;
}

void jobserver_give(struct smelt_jobserver *jobserver, unsigned count)
{
	pthread_mutex_lock(&jobserver->lock);
	if (count > jobserver->count) /* abandoned meanwhile */
		count = jobserver->count;
	give_back(jobserver, count);
	jobserver->count -= count;
	pthread_mutex_unlock(&jobserver->lock);
}
