/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
typedef unsigned int u32; typedef struct { int counter; } atomic_t; struct ops;
struct list { struct list *n, *p; };
struct dev { struct list l; atomic_t ref; const struct ops *ops; char name[16]; u32 f:3; };
struct ops { int (*open)(struct dev *d, u32 fl); void (*close)(struct dev *d); };
struct only_fwd_in_base;
