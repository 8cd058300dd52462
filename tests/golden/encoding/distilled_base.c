/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -DBASE -c distilled_base.c -o distilled_base.base.o
 * build: gcc-12 -g -c distilled_base.c -o distilled_base.mod.o
 * build: gcc-12 -g -DTAGGED -c distilled_base.c -o distilled_base.tagged.o
 * build: gcc-12 -g -DNAMELESS -c distilled_base.c -o distilled_base.nameless.o
 * build: clang-14 --target=s390x-linux-gnu -gdwarf-4 -DBASE -c distilled_base.c -o distilled_base.s390x.base.o
 * build: clang-14 --target=s390x-linux-gnu -gdwarf-4 -c distilled_base.c -o distilled_base.s390x.mod.o
 * encode: distilled_base.mod.o --btf_base=distilled_base.base.btf --btf_features=default,distilled_base
 * encode: distilled_base.s390x.mod.o --btf_base=distilled_base.s390x.base.btf --btf_features=default,distilled_base
 * encode: distilled_base.tagged.o --btf_base=distilled_base.base.btf --btf_features=default,distilled_base # differs: Q38
 * encode: distilled_base.nameless.o --btf_base=distilled_base.base.btf --btf_features=default,distilled_base # differs: uses no type with a name
 *
 * What a module keeps of its base. Expect in the base only INT, FLOAT, FWD and the names and sizes of structs, unions and
 * enums; at the end of the module all else that it uses. Tagged: the function that the base has, too, is in the
 * module, since its tag is.
 */
struct node { struct node *next; struct { int first; long second; } inside; };
union value { int number; float real; };
enum color { RED, GREEN, BLUE };
enum large { LARGE = 1LL << 40 };
struct unknown;
typedef struct node node_t;
typedef enum { EMPTY, FULL } state_t;
typedef struct { unsigned char bytes[6]; struct unknown *owner; } nameless_t;
typedef int (*callback_t)(const node_t *node, union value, ...);
struct table {
	callback_t callbacks[4];
	state_t state;
	nameless_t *nameless;
	const volatile struct unknown *unknown;
	void *data;
};

#ifndef NAMELESS
struct node nodes;
union value values;
enum color colors;
enum large larges;

int shared(struct table *table, int n)
{
	return table->state + n;
}
#endif

#ifdef BASE
const void *constant;
const void *take(const void *c) { return c; }
#elif defined TAGGED
#define IDS(text) __asm__(".pushsection .BTF_ids,\"a\"\n" text ".popsection")
IDS(".local __BTF_ID__set8__all\n.type __BTF_ID__set8__all, @object\n__BTF_ID__set8__all: .zero 4\n.long 1\n");
IDS(".local __BTF_ID__func__shared__1\n.type __BTF_ID__func__shared__1, @object\n"
    ".size __BTF_ID__func__shared__1, 4\n__BTF_ID__func__shared__1: .zero 4\n.long 0\n");
IDS(".size __BTF_ID__set8__all, .-__BTF_ID__set8__all\n");
#elif defined NAMELESS
struct own { void *data; const void *constant; };
void run(struct own *own) { own->data = 0; }
#else
struct own { node_t node; struct table *table; enum color color; enum large large; struct table copy;
	state_t states[2]; const volatile struct unknown *unknown; nameless_t nameless[3]; callback_t callbacks[4]; };
float run(struct own *own, callback_t callback, union value value)
{
	return own->table->state + value.real + callback(&own->node, value);
}
#endif
