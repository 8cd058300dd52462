/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -DBASE -include split_disagrees.h -c split_disagrees_1.c -o split_disagrees.base.o
 * build: gcc-12 -g -include split_disagrees.h -c split_disagrees_1.c -o split_disagrees_1.o
 * build: gcc-12 -g -include split_disagrees.h -c split_disagrees_2.c -o split_disagrees_2.o
 * build: ld -r split_disagrees_1.o split_disagrees_2.o -o split_disagrees.mod.o
 * build: ld -r split_disagrees_2.o split_disagrees_1.o -o split_disagrees.other.o
 * encode: split_disagrees.mod.o --btf_base=split_disagrees.base.btf --btf_features=default
 * encode: split_disagrees.other.o --btf_base=split_disagrees.base.btf --btf_features=default
 * encode: split_disagrees.mod.o --btf_base=split_disagrees.base.btf --btf_features=default,distilled_base
 *
 * A module that means something else than its base: it defines struct hidden, which the base only declares, its
 * struct port and enum mode are others than the base's, and one of its units only declares what the other defines.
 * Expect of the types that reach hidden only the first one that is compared with the base's again.
 */
#ifdef BASE
enum mode { MODE_A, MODE_B };
struct port { long number; };
struct port port;
enum mode mode;
struct user user;
struct chain chain;

int use(struct chain *chain, struct hidden *hidden)
{
	return chain->user.hidden == hidden;
}
#else
struct hidden { int content; };
enum mode { MODE_X = 7 };
struct port { short number; enum mode mode; };
struct module_user { struct user *user; struct chain *chain; struct hidden hidden; struct port *port; } module_user;

int use(struct chain *chain, struct hidden *hidden)
{
	return chain->user.hidden == hidden;
}

int use_module(struct module_user *user, struct port *port)
{
	return user->port == port;
}
#endif
