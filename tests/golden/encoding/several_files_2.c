/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* See several_files_1.c */
struct only_second {
	char c;
};

struct shared {
	int a;
	struct only_second *p;
};

int pad[3] = { 1 };
struct shared second = { 2 };

static __attribute__((noinline, used)) int both(struct shared *s)
{
	return s->a + 2;
}

int differs(struct shared *s, int n)
{
	return s->a + n;
}

int another(struct only_second *o)
{
	return o->c + pad[0] + second.a;
}
