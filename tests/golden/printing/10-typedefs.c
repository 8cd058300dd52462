/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Lookups of typedefs by name, in DWARF and in BTF, with -E and without.
 * What cannot be looked up: base types, functions, variables.
 *
 * cc: gcc-12 $CF -c 10-typedefs.c -o t.o
 * cmd: pahole -C u32,u32_2,vp,cvp,st,stp,anon_t,anon_p,un,anon_un,en,anon_en,arr,arr2,fn,fnp,fnpp,vec t.o
 * cmd: pahole -E -C u32_2,st,stp,un,en,arr_st t.o
 * cmd: pahole -C voidish,cst,vol,res,atm,cfnp,arr_st,arr_cs t.o
 * cc: gcc-12 $CF -DNO_ATOMIC -c 10-typedefs.c -o n.o
 * cmd: pahole --btf_encode_detached=t.btf n.o
 * cmd: pahole -F btf -C u32,anon_t,anon_un,anon_en,arr2,fnp,cst t.btf
 * cmd: pahole -C int t.o
 * cmd: pahole -C f t.o
 */
typedef unsigned int u32;
typedef u32 u32_2;
typedef void *vp;
typedef const void *cvp;
struct s { int a; char b; };
union u { int a; char b; };
enum e { E_A, E_B };
typedef struct s st;
typedef struct s *stp;
typedef struct { long a; char b; } anon_t;
typedef struct { long a; } *anon_p;
typedef union u un;
typedef union { long a; char b; } anon_un;
typedef enum e en;
typedef enum { AE_A, AE_LONGER = 7 } anon_en;
typedef int arr[4];
typedef struct s arr2[2][3];
typedef int fn(int, char *, ...);
typedef int (*fnp)(int, char *, ...);
typedef int (**fnpp)(void);
typedef float vec __attribute__((__vector_size__(16)));
typedef void voidish;
typedef const int cst;
typedef volatile struct s vol;
typedef int *restrict res;
#ifdef NO_ATOMIC
typedef int atm;
#else
typedef _Atomic int atm;
#endif
typedef int (*const cfnp)(void);
typedef struct s arr_st[2];
typedef const struct s arr_cs[2];
u32 a; u32_2 b; vp c; cvp d; st e; stp f; anon_t g; anon_p h; un i; anon_un j;
en k; anon_en l; arr m; arr2 n; fn *o; fnp p; fnpp q; vec r; voidish *s; cst t;
vol uu; res v; atm w; cfnp x; arr_st y; arr_cs z;
