/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Runs a command up to its K-th system call that can change a file or folder, and there kills
 * it or makes that call fail.
 *
 *	fault_tracer kill K COMMAND [ARGUMENT]...
 *	fault_tracer ERRNO K COMMAND [ARGUMENT]...
 *
 * Output on descriptors up to 2 does not count. The name of the call goes to standard output, or
 * "none" if there were fewer. Exit status: the command's, 128 + signal, or 77 when it
 * cannot be traced here.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_POSSIBLE = 77, CLONE_FILE = 0x40049409 };

/* What makes a call count. */
enum rule {
	ALWAYS,
	ON_FILE, /* the first argument is a descriptor above 2 */
	CLONING, /* it is FICLONE */
	CREATING_2,
	CREATING_3, /* flags in the second, third argument create or cut a file */
};

struct call {
	const char *name;
	long number;
	enum rule rule;
};

/* clang-format off */
#define CALL(name, rule) { #name, SYS_##name, rule }
/* clang-format on */

static const struct call calls[] = {
	CALL(write, ON_FILE),     CALL(pwrite64, ON_FILE),       CALL(writev, ON_FILE),
	CALL(pwritev, ON_FILE),   CALL(pwritev2, ON_FILE),       CALL(ftruncate, ALWAYS),
	CALL(fallocate, ALWAYS),  CALL(copy_file_range, ALWAYS), CALL(sendfile, ALWAYS),
	CALL(ioctl, CLONING),     CALL(fchmod, ALWAYS),          CALL(fchown, ALWAYS),
	CALL(fsetxattr, ALWAYS),  CALL(utimensat, ALWAYS),       CALL(fsync, ALWAYS),
	CALL(fdatasync, ALWAYS),  CALL(msync, ALWAYS),           CALL(truncate, ALWAYS),
	CALL(openat, CREATING_3), CALL(renameat2, ALWAYS),       CALL(linkat, ALWAYS),
	CALL(unlinkat, ALWAYS),   CALL(mkdirat, ALWAYS),         CALL(symlinkat, ALWAYS),
#ifdef SYS_renameat
	CALL(renameat, ALWAYS),
#endif
#ifdef SYS_open
	CALL(open, CREATING_2),   CALL(creat, ALWAYS),           CALL(rename, ALWAYS),
	CALL(link, ALWAYS),       CALL(unlink, ALWAYS),          CALL(mkdir, ALWAYS),
#endif
};

static void give_up(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(NOT_POSSIBLE);
}

/* Registers of a stopped process: number and first arguments of its call, and its result. */
#if defined(__x86_64__)
typedef struct user_regs_struct registers;
#define CALL_NUMBER(r) ((long)(r).orig_rax)
#define ARGUMENT(r, i) ((i) == 0 ? (r).rdi : (i) == 1 ? (r).rsi : (r).rdx)
#define SET_RESULT(r, value) ((r).rax = (unsigned long long)(value))
#elif defined(__aarch64__)
typedef struct user_regs_struct registers;
#define CALL_NUMBER(r) ((long)(r).regs[8])
#define ARGUMENT(r, i) ((r).regs[i])
#define SET_RESULT(r, value) ((r).regs[0] = (unsigned long long)(value))
#else
#error "registers of this machine are not known"
#endif

static registers get_registers(pid_t child)
{
	registers values;
	struct iovec area = { &values, sizeof(values) };

	if (ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &area) != 0)
		give_up("PTRACE_GETREGSET");
	return values;
}

static void set_registers(pid_t child, registers *values)
{
	struct iovec area = { values, sizeof(*values) };

	if (ptrace(PTRACE_SETREGSET, child, NT_PRSTATUS, &area) != 0)
		give_up("PTRACE_SETREGSET");
}

/* Makes the call that the child is about to enter one that does not exist. */
static void skip_call(pid_t child, registers *values)
{
#if defined(__x86_64__)
	values->orig_rax = (unsigned long long)-1;
	set_registers(child, values);
#else
	int number = -1;
	struct iovec area = { &number, sizeof(number) };

	(void)values;
	if (ptrace(PTRACE_SETREGSET, child, NT_ARM_SYSTEM_CALL, &area) != 0)
		give_up("PTRACE_SETREGSET");
#endif
}

static bool counts(const struct call *call, const registers *values)
{
	const unsigned creating = O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);

	switch (call->rule) {
	case ALWAYS:
		return true;
	case ON_FILE:
		return ARGUMENT(*values, 0) > STDERR_FILENO;
	case CLONING:
		return ARGUMENT(*values, 1) == CLONE_FILE;
	case CREATING_2:
		return ARGUMENT(*values, 1) & creating;
	case CREATING_3:
		return ARGUMENT(*values, 2) & creating;
	}
	return false;
}

/* The call the child is about to enter, if it is one of ours. */
static const struct call *changing_call(const registers *values)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i].number == CALL_NUMBER(*values))
			return counts(&calls[i], values) ? &calls[i] : NULL;
	return NULL;
}

static pid_t start(char **command)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		give_up("fork");
	if (child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
			give_up("PTRACE_TRACEME");
		execvp(command[0], command);
		give_up(command[0]);
	}
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		exit(NOT_POSSIBLE);
	if (ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0)
		give_up("PTRACE_SETOPTIONS");
	return child;
}

/* Lets the child run to the next entry to or exit from a call; true when it has ended. */
static bool next_stop(pid_t child, int *status)
{
	int signal_number = 0;

	do {
		if (ptrace(PTRACE_SYSCALL, child, NULL, (void *)(intptr_t)signal_number) != 0 ||
		    waitpid(child, status, 0) != child)
			give_up("PTRACE_SYSCALL");
		if (!WIFSTOPPED(*status))
			return true;
		signal_number = WSTOPSIG(*status);
	} while (signal_number != (SIGTRAP | 0x80));
	return false;
}

/* Lets the call that the child is about to enter fail; true when the child has ended. */
static bool fail_call(pid_t child, registers *values, int os_errno, int *status)
{
	skip_call(child, values);
	if (next_stop(child, status))
		return true;
	*values = get_registers(child);
	SET_RESULT(*values, -os_errno);
	set_registers(child, values);
	return false;
}

/* Runs the child to its end, with the fault (0: SIGKILL) at call number `count`. */
static const char *run(pid_t child, int os_errno, long count, int *status)
{
	const char *hit = "none";

	while (!next_stop(child, status)) {
		registers values = get_registers(child);
		const struct call *call = changing_call(&values);
		bool ended;

		if (!call || --count != 0) {
			ended = next_stop(child, status);
		} else if (os_errno != 0) {
			hit = call->name;
			ended = fail_call(child, &values, os_errno, status);
		} else {
			hit = call->name;
			kill(child, SIGKILL);
			ended = waitpid(child, status, 0) == child;
		}
		if (ended)
			break;
	}
	return hit;
}

int main(int argc, char **argv)
{
	int status = 0;

	if (argc < 4)
		return NOT_POSSIBLE;
	puts(run(start(argv + 3), strcmp(argv[1], "kill") == 0 ? 0 : atoi(argv[1]), atol(argv[2]),
		 &status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
