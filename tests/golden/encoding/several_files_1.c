/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -O1 -g -c several_files_1.c
 * build: gcc-12 -O1 -g -c several_files_2.c
 * build: gcc-12 -O1 -g -shared -fPIC -nostdlib -o several_files_1.so several_files_1.c
 * build: gcc-12 -O1 -g -shared -fPIC -nostdlib -o several_files_2.so several_files_2.c
 * encode: several_files_1.o several_files_2.o --btf_features=default
 * encode: several_files_2.o several_files_1.o --btf_features=default
 * encode: several_files_1.so several_files_2.so several_files_1.o --btf_features=default
 * encode: several_files_1.o several_files_2.o --btf_features=default,global_var # differs: Q28
 * encode: several_files_1.so several_files_2.so --btf_features=default,global_var # differs: Q28
 *
 * Functions are chosen for each file by itself: "both" is the same in the two files and there once, "differs" is
 * there with both prototypes, consistent_func or not. Types are one set. Variables are those of their file's sections.
 */
struct shared {
	int a;
	struct only_second *p;
};

struct shared first = { 1 };

static __attribute__((noinline, used)) int both(struct shared *s)
{
	return s->a + 1;
}

int differs(struct shared *s)
{
	return s->a;
}

int only_first(int n)
{
	return n + first.a;
}
