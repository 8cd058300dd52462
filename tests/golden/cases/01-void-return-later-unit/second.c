/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
void (*second_hook)(void);
void *(*third_hook)(void *);
struct later { void (*cb)(struct later *); } later_obj;
