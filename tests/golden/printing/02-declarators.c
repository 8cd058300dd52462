/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * How declarators are spelt: pointers, arrays of and pointers to functions,
 * qualifiers at every level, _Atomic, complex, 128-bit.  Several of these are
 * not the declaration that was compiled; see "Quirks and bugs" in printing.md.
 *
 * cc: gcc-12 $CF -c 02-declarators.c -o t.o
 * cmd: pahole -C decl t.o
 * cmd: pahole -C cb_t,cb_p,ptr_t,arr_t,fnret_t,qual_t t.o
 */
struct s { int x; };
typedef int cb_t(int, const char *);
typedef int (*cb_p)(int, const char *);
typedef void *ptr_t;
typedef int arr_t[3];
typedef int (*fnret_t(int))(char);
typedef const volatile int *qual_t;

struct decl {
	const char		*a;
	char *const		b;
	const char *const	c;
	const char **		d;
	const char *const *	e;
	volatile int		f;
	volatile int *		g;
	int * volatile		h;
	const volatile int	i;
	int * restrict		j;
	const struct s		k;
	const struct s		*l;
	struct s *const		m;
	_Atomic int		n;
	_Atomic(int *)		o;
	const _Atomic int	p;
	void			*q;
	void			**r;
	const void		*s;
	int			(*t)(void);
	int			(*u)(int, ...);
	const char		*(*v)(const struct s *, char *const *);
	void			(*w)(int (*)(char), int [4]);
	int			(*x[4])(void);
	int			(*y)[5];
	int			(*(*z)(int))(char);
	cb_t			*aa;
	cb_p			bb;
	ptr_t			cc;
	arr_t			dd;
	arr_t			ee[2];
	fnret_t			*ff;
	qual_t			gg;
	const arr_t		hh;
	_Complex double		ii;
	__int128		jj;
	unsigned __int128	kk;
	struct s		*ll[3][4];
	const int		mm[3];
	struct { int q; }	*nn;
	union { int q; char r; } *oo;
	enum { ZERO, ONE }	*pp;
	struct { int q; }	*(*qq);
	void			(**rr)(int);
	const struct { int q; }	ss;
	struct { int q; }	tt[2];
	__builtin_va_list	uu;
};
struct decl g;
fnret_t *gg; cb_t *hh;
