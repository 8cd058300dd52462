/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writing results: the new content is there completely or the folder is as it was.
 * Every test gets an empty folder of its own and leaves nothing in it unsaid.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <smelt/encode.h>

enum { NOBODY = 65534, CHILD_SKIPPED = 77 };

static const char content[] = "new content";

/* The tests run inside their folder, so paths are short. */
static int enter_folder(void **state)
{
	char name[] = "/tmp/smelt-write-XXXXXX";

	if (!mkdtemp(name) || chmod(name, 0755) != 0 || chdir(name) != 0)
		return -1;
	*state = strdup(name);
	return *state ? 0 : -1;
}

static int leave_folder(void **state)
{
	char command[128];
	int result;

	(void)snprintf(command, sizeof(command), "rm -rf %s", (char *)*state);
	result = chdir("/") != 0 || system(command) != 0;
	free(*state);
	return result;
}

static int entry_count(void)
{
	DIR *folder = opendir(".");
	int count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2; /* . and .. */
}

static void make_file(const char *path, const char *text, mode_t mode)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static void assert_content(const char *path, const char *text)
{
	char buffer[256];
	FILE *file = fopen(path, "r");
	size_t size;

	assert_non_null(file);
	size = fread(buffer, 1, sizeof(buffer), file);
	(void)fclose(file);
	assert_int_equal(size, strlen(text));
	assert_memory_equal(buffer, text, size);
}

static unsigned file_mode(const char *path)
{
	struct stat info;

	assert_int_equal(lstat(path, &info), 0);
	return info.st_mode;
}

static enum smelt_status write_content(const char *path, struct smelt_error *error)
{
	return smelt_write_file(path, content, strlen(content), error);
}

static void new_file_gets_0640_less_the_umask(void **state)
{
	struct smelt_error error;
	mode_t old_mask = umask(0);

	(void)state;
	assert_int_equal(write_content("open", &error), SMELT_OK);
	(void)umask(0077);
	assert_int_equal(write_content("closed", &error), SMELT_OK);
	(void)umask(old_mask);

	assert_int_equal(file_mode("open"), S_IFREG | 0640);
	assert_int_equal(file_mode("closed"), S_IFREG | 0600);
	assert_content("open", content);
	assert_int_equal(entry_count(), 2);
}

static void existing_file_is_cut_and_keeps_its_mode(void **state)
{
	struct smelt_error error;

	(void)state;
	make_file("out", "something that is quite a bit longer than what comes", 0755);
	assert_int_equal(write_content("out", &error), SMELT_OK);
	assert_content("out", content);
	assert_int_equal(file_mode("out"), S_IFREG | 0755);
	assert_int_equal(entry_count(), 1);
}

static void existing_file_keeps_its_owner(void **state)
{
	struct smelt_error error;
	struct stat info;

	(void)state;
	if (geteuid() != 0) {
		print_message("not root: owner of a replaced file not tested\n");
		skip();
	}
	make_file("out", "old", 0600);
	assert_int_equal(chown("out", NOBODY, NOBODY), 0);
	assert_int_equal(write_content("out", &error), SMELT_OK);
	assert_int_equal(stat("out", &info), 0);
	assert_int_equal(info.st_uid, NOBODY);
	assert_int_equal(info.st_gid, NOBODY);
}

static void empty_content_gives_an_empty_file(void **state)
{
	struct smelt_error error;

	(void)state;
	assert_int_equal(smelt_write_file("out", NULL, 0, &error), SMELT_OK);
	assert_content("out", "");
}

static void links_are_followed(void **state)
{
	struct smelt_error error;

	(void)state;
	assert_int_equal(mkdir("folder", 0755), 0);
	make_file("folder/file", "old", 0604);
	assert_int_equal(symlink("folder/second", "first"), 0);
	assert_int_equal(symlink("file", "folder/second"), 0);
	assert_int_equal(symlink("folder/not-there-yet", "dangling"), 0);

	assert_int_equal(write_content("first", &error), SMELT_OK);
	assert_int_equal(write_content("dangling", &error), SMELT_OK);
	assert_content("folder/file", content);
	assert_content("folder/not-there-yet", content);
	assert_int_equal(file_mode("folder/file"), S_IFREG | 0604);
	assert_true(S_ISLNK(file_mode("first")));
	assert_true(S_ISLNK(file_mode("dangling")));
	assert_int_equal(entry_count(), 3);
}

/* An error names the path as the caller wrote it, and how it failed. */
static void unusable_paths_fail_and_leave_nothing(void **state)
{
	static const struct {
		const char *path;
		int os_errno;
	} cases[] = {
		{ "no/such/out", ENOENT }, { "file/out", ENOTDIR }, { "folder", EISDIR },
		{ "folder/", EISDIR },     { "loop", ELOOP },       { "", ENOENT },
		{ "new/", EISDIR },        { "/dev/full", ENOSPC },
	};

	(void)state;
	assert_int_equal(mkdir("folder", 0755), 0);
	make_file("file", "old", 0644);
	assert_int_equal(symlink("loop", "loop"), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct smelt_error error = { 0 };

		assert_int_equal(write_content(cases[i].path, &error), SMELT_OS_ERROR);
		assert_int_equal(error.os_errno, cases[i].os_errno);
		assert_ptr_equal(strstr(error.text, cases[i].path), error.text);
		assert_null(strchr(error.text, '\n'));
	}
	assert_content("file", "old");
	assert_int_equal(entry_count(), 3);
}

/* No disk of a few bytes is needed to run out of space in the middle of a write. */
static void file_that_grows_too_large_leaves_the_old_one(void **state)
{
	static const uint8_t large[100000];
	const struct rlimit small = { .rlim_cur = 5000, .rlim_max = RLIM_INFINITY };
	struct rlimit old_limit;
	struct smelt_error error;
	enum smelt_status status[2];

	(void)state;
	make_file("out", "old", 0644);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	status[0] = smelt_write_file("out", large, sizeof(large), &error);
	status[1] = smelt_write_file("new", large, sizeof(large), &error);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old_limit), 0);

	assert_int_equal(status[0], SMELT_OS_ERROR);
	assert_int_equal(status[1], SMELT_OS_ERROR);
	assert_int_equal(error.os_errno, EFBIG);
	assert_content("out", "old");
	assert_int_equal(entry_count(), 1);
}

static void signal_mask_is_as_before(void **state)
{
	struct smelt_error error;
	sigset_t before;
	sigset_t after;

	(void)state;
	sigemptyset(&before);
	sigaddset(&before, SIGQUIT);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	assert_int_equal(write_content("out", &error), SMELT_OK);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (int number = 1; number < 32; number++)
		assert_int_equal(sigismember(&after, number), number == SIGQUIT);
	sigemptyset(&before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void pipes_and_descriptors_are_written_directly(void **state)
{
	char path[32];
	char buffer[64];
	int ends[2];
	struct smelt_error error;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
	assert_int_equal(write_content(path, &error), SMELT_OK);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[1]);
	assert_int_equal(write_content(path, &error), SMELT_OK);
	assert_int_equal(read(ends[0], buffer, sizeof(buffer)), 2 * strlen(content));
	assert_memory_equal(buffer, content, strlen(content));
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(write_content("/dev/null", &error), SMELT_OK);
	assert_int_equal(entry_count(), 0);
}

static void named_pipe_stays_one(void **state)
{
	char buffer[64];
	struct smelt_error error;
	int reader;

	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	reader = open("fifo", O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	assert_int_equal(write_content("fifo", &error), SMELT_OK);
	assert_int_equal(read(reader, buffer, sizeof(buffer)), strlen(content));
	close(reader);
	assert_true(S_ISFIFO(file_mode("fifo")));
	assert_int_equal(entry_count(), 1);
}

/* What the shell's >> means: a name of our own descriptor goes on where that one is. */
static void descriptor_keeps_its_position(void **state)
{
	char path[32];
	struct smelt_error error;
	int descriptor;

	(void)state;
	make_file("out", "before, ", 0644);
	descriptor = open("out", O_WRONLY | O_APPEND);
	assert_true(descriptor >= 0);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", descriptor);
	assert_int_equal(write_content(path, &error), SMELT_OK);
	close(descriptor);
	assert_content("out", "before, new content");
}

static void assert_child(pid_t child, int expected)
{
	int result;

	assert_true(child > 0);
	assert_int_equal(waitpid(child, &result, 0), child);
	assert_true(WIFEXITED(result));
	assert_int_equal(WEXITSTATUS(result), expected);
}

/* Other users' files and folders: a refusal, though the folder would allow a rename. */
static void permissions_are_respected(void **state)
{
	pid_t child;

	(void)state;
	if (geteuid() != 0) {
		print_message("not root: files of other users not tested\n");
		skip();
	}
	assert_int_equal(mkdir("open", 0777), 0);
	assert_int_equal(chmod("open", 0777), 0);
	make_file("open/out", "old", 0644);
	child = fork();
	if (child == 0) {
		struct smelt_error error = { 0 };
		int failures = 0;

		if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
			_exit(CHILD_SKIPPED);
		failures += write_content("open/out", &error) != SMELT_OS_ERROR;
		failures += error.os_errno != EACCES;
		failures += write_content("new", &error) != SMELT_OS_ERROR;
		failures += error.os_errno != EACCES;
		failures += write_content("open/new", &error) != SMELT_OK;
		_exit(failures);
	}
	assert_child(child, 0);
	assert_content("open/out", "old");
	assert_content("open/new", content);
	assert_int_equal(entry_count(), 1);
}

/* Without /proc a nameless draft cannot get a name, so the draft is a hidden file. */
static void works_without_proc(void **state)
{
	pid_t child;

	(void)state;
	if (geteuid() != 0) {
		print_message("not root: a file system without /proc not tested\n");
		skip();
	}
	make_file("old", "old", 0604);
	child = fork();
	if (child == 0) {
		const struct rlimit small = { .rlim_cur = 5, .rlim_max = 5 };
		struct smelt_error error = { 0 };
		int failures = 0;

		if (chroot(".") != 0 || chdir("/") != 0)
			_exit(CHILD_SKIPPED);
		failures += access("/proc/self/fd", X_OK) == 0;
		failures += write_content("/old", &error) != SMELT_OK;
		failures += write_content("new", &error) != SMELT_OK;
		setrlimit(RLIMIT_FSIZE, &small);
		failures += write_content("too-large", &error) != SMELT_OS_ERROR;
		_exit(failures);
	}
	assert_child(child, 0);
	assert_content("old", content);
	assert_content("new", content);
	assert_int_equal(file_mode("old"), S_IFREG | 0604);
	assert_int_equal(entry_count(), 2);
}

/* A crash by SIGKILL can leave a draft; it must not stand in the way for ever. */
static void leftover_drafts_do_not_matter(void **state)
{
	char name[64];
	struct smelt_error error;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		(void)snprintf(name, sizeof(name), ".smelt-%ld-%u.tmp", (long)getpid(), i);
		make_file(name, "leftover", 0600);
	}
	assert_int_equal(write_content("out", &error), SMELT_OK);
	assert_content("out", content);
	assert_int_equal(entry_count(), 4);
}

static void files_that_belong_together_change_together(void **state)
{
	static const struct smelt_output_file files[] = {
		{ "one", content, sizeof(content) - 1 },
		{ "two", "2", 1 },
	};
	static const struct smelt_output_file bad_folder[] = {
		{ "one", "1", 1 },
		{ "missing/two", "2", 1 },
	};
	static const struct smelt_output_file bad_kind[] = {
		{ "one", "1", 1 },
		{ "/dev/stdout", "2", 1 },
	};
	struct smelt_error error;

	(void)state;
	assert_int_equal(smelt_write_files(files, 2, &error), SMELT_OK);
	assert_content("one", content);
	assert_content("two", "2");
	assert_int_equal(smelt_write_files(bad_folder, 2, &error), SMELT_OS_ERROR);
	assert_non_null(strstr(error.text, "missing/two"));
	assert_int_equal(smelt_write_files(bad_kind, 2, &error), SMELT_BAD_ARGUMENT);
	assert_non_null(strstr(error.text, "/dev/stdout"));
	assert_content("one", content);
	assert_int_equal(entry_count(), 2);
}

/* The second one is too large: the first one, which is written by then, does not take its place. */
static void failed_draft_leaves_all_old_files(void **state)
{
	enum { LIMIT = 1000 };
	const struct smelt_output_file files[] = {
		{ "one", content, sizeof(content) - 1 },
		{ "two", calloc(1, LIMIT + 1), LIMIT + 1 },
	};
	struct rlimit old, small;
	struct smelt_error error;

	(void)state;
	make_file("one", "old", 0600);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){ .rlim_cur = LIMIT, .rlim_max = old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(smelt_write_files(files, 2, &error), SMELT_OS_ERROR);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_content("one", "old");
	assert_int_equal(entry_count(), 1);
	free((void *)files[1].data);
}

static void blob_deinit_accepts_anything(void **state)
{
	struct smelt_btf_blob blob = { .data = malloc(10), .size = 10 };

	(void)state;
	smelt_btf_blob_deinit(&blob);
	assert_null(blob.data);
	assert_int_equal(blob.size, 0);
	smelt_btf_blob_deinit(&blob);
	smelt_btf_blob_deinit(NULL);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(new_file_gets_0640_less_the_umask),
		IN_FOLDER(existing_file_is_cut_and_keeps_its_mode),
		IN_FOLDER(existing_file_keeps_its_owner),
		IN_FOLDER(empty_content_gives_an_empty_file),
		IN_FOLDER(links_are_followed),
		IN_FOLDER(unusable_paths_fail_and_leave_nothing),
		IN_FOLDER(file_that_grows_too_large_leaves_the_old_one),
		IN_FOLDER(signal_mask_is_as_before),
		IN_FOLDER(pipes_and_descriptors_are_written_directly),
		IN_FOLDER(named_pipe_stays_one),
		IN_FOLDER(descriptor_keeps_its_position),
		IN_FOLDER(permissions_are_respected),
		IN_FOLDER(works_without_proc),
		IN_FOLDER(leftover_drafts_do_not_matter),
		IN_FOLDER(files_that_belong_together_change_together),
		IN_FOLDER(failed_draft_leaves_all_old_files),
		cmocka_unit_test(blob_deinit_accepts_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
