/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* See multi_file_1.c */
int pad[4] = { 1 };
int second[8] = { 1 };
int fb(int b) { return b; }
