/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct hidden;
struct port;
struct user { struct hidden *hidden; int (*call)(struct hidden *hidden); };
struct chain { struct chain *next; struct user user; struct port *port; };
