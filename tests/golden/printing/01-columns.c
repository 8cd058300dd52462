/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Plain members: the type column, the name column, the offset/size comment,
 * names and types too long for their columns, holes, footer.
 * Also the same type read back from BTF.
 *
 * cc: gcc-12 $CF -c 01-columns.c -o t.o
 * cmd: pahole t.o
 * cmd: pahole -C outer --hex t.o
 * cmd: pahole -C wide t.o
 * cmd: pahole --btf_encode_detached=t.btf t.o
 * cmd: pahole -F btf -C wide t.btf
 */
typedef unsigned int u32;
typedef unsigned long long a_typedef_with_a_long_name;
enum color { RED, GREEN };
enum __attribute__((__packed__)) tiny { TINY };

struct inner { char c; int i; };

struct outer {
	char		a;
	int		b;
	u32		c;
	long long	d;
	unsigned char	e;
	_Bool		f;
	float		g;
	double		h;
	long double	i;
	struct inner	j;
	enum color	k;
	enum tiny	l;
	void		*m;
	struct unseen	*n;
};

struct wide {
	char name_that_is_twenty_1;
	char name_that_is_twenty__2;
	char name_that_is_twenty___3;
	char name_that_is_twenty____4;
	char name_of_exactly_a_lot_of_characters_so_that_the_comment_moves;
	unsigned long long type_17;
	a_typedef_with_a_long_name type_26;
	struct a_struct_name_with_a_very_long_tag *p;
	int big[100000];
	int last;
};

struct outer o;
struct wide w;
