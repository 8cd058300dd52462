/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -DBASE -c split_agrees.c -o split_agrees.base.o
 * build: gcc-12 -g -c split_agrees.c -o split_agrees.mod.o
 * encode: split_agrees.mod.o --btf_base=split_agrees.base.btf
 * encode: split_agrees.mod.o --btf_base=split_agrees.base.btf --btf_features=default
 * encode: split_agrees.mod.o --btf_base=split_agrees.base.btf --btf_features=default,global_var
 * encode: split_agrees.mod.o --btf_base=split_agrees.base.btf --btf_features=default,distilled_base
 *
 * A module that uses its base's types as they are: each kind of type once in the base and once of the module's own.
 * Expect of the names that both have only what a nameless type of the module makes new.
 */
typedef unsigned int u32;
typedef unsigned char u8;
enum color { RED, GREEN = -5 };
enum big { HUGE = 0x1234567890ULL };
union word { u32 all; u8 bytes[4]; };
struct later;
struct list { struct list *next, *prev; };
struct device {
	struct list list;
	enum color color;
	enum big big;
	union word word;
	const char *name;
	volatile u32 *restrict registers;
	struct later *later;
	struct { int x; struct { u32 low : 3, high : 29; }; } nested[2];
	int (*open)(struct device *device, u32 flags);
	void (*log)(const char *format, ...);
	double factor;
};

#ifdef BASE
struct later { u8 content[8]; };
struct device device;
struct later later;
u8 (*first_operation)(struct list *list);
enum { ANONYMOUS, VALUES } values;

int common(struct device *device, u32 flags)
{
	return device->open(device, flags);
}
#else
struct mine {
	struct device device;
	struct list lists[3];
	u8 (*operation)(struct list *list);
	u8 (*other_name)(struct list *entry);
	struct later *const later;
	volatile enum color *color;
	struct { int x; struct { u32 low : 3, high : 29; }; } same;
	struct { int y; union word word; } other;
	enum { ANONYMOUS, VALUES } values;
	long double wide;
} mine;

int common(struct device *device, u32 flags)
{
	return device->open(device, flags);
}

int own(struct mine *mine, struct device *device)
{
	return mine->operation(&device->list);
}

struct later *renamed(struct device *common_name)
{
	return common_name->later;
}
#endif
