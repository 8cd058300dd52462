/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * -i, -f: who contains, who points to.
 *
 * cc: gcc-12 $CF -c 19-containers.c -o t.o
 * cmd: pahole -i leaf t.o
 * cmd: pahole -i leaf_t t.o
 * cmd: pahole -V -i leaf t.o
 * cmd: pahole -d -i leaf t.o
 * cmd: pahole -d -V -i mid t.o
 * cmd: pahole -f leaf t.o
 * cmd: pahole -f leaf_t t.o
 * cmd: pahole -f fwd t.o
 * cmd: pahole -i fwd t.o
 * cmd: pahole -i en t.o
 * cmd: pahole -i u t.o
 * cmd: pahole -f nonesuch t.o
 * cmd: pahole -i leaf,mid t.o
 * cmd: pahole -y m -i leaf t.o
 * cc: gcc-12 $CF -DU2 -c 19-containers.c -o 2.o; gcc-12 -nostdlib -r t.o 2.o -o both.o
 * cmd: pahole -i leaf both.o
 * cmd: pahole -f leaf both.o
 */
struct leaf { int a; };
typedef struct leaf leaf_t;
enum en { A };
union u { int a; enum en e; struct leaf l; };
struct fwd;
struct mid { struct leaf x, y; leaf_t z; struct leaf arr[2]; const struct leaf c; };
struct top { struct mid m; struct leaf n; struct { struct leaf in_anon; } o; union u p; };
struct ptrs { struct leaf *a; leaf_t *b; struct leaf **c; const struct leaf *d; struct fwd *e; struct leaf *arr[2]; struct leaf *f; struct { struct leaf *g; } h; };
union pu { struct leaf *a; long b; };
#ifndef U2
struct mid a; struct top b; struct ptrs c; union pu d;
#else
struct only_in_2 { struct leaf l; struct leaf *p; } x;
#endif
