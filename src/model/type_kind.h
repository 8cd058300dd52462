/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What kinds of types there are: one vocabulary for all that is encoded and shown. */
#ifndef MODEL_TYPE_KIND_H
#define MODEL_TYPE_KIND_H

enum type_kind {
	TYPE_VOID = 0,
	TYPE_INT,
	TYPE_FLOAT,
	TYPE_POINTER,
	TYPE_REFERENCE,
	TYPE_RVALUE_REFERENCE,
	TYPE_MEMBER_POINTER,
	TYPE_CONST,
	TYPE_VOLATILE,
	TYPE_RESTRICT,
	TYPE_ATOMIC,
	TYPE_TYPEDEF,
	TYPE_TAG, /* an attribute string on a pointee: name is the string */
	TYPE_ARRAY,
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_ENUM,
	TYPE_FUNCTION,
	TYPE_STRUCT_FORWARD,
	TYPE_UNION_FORWARD,
	TYPE_ALIAS, /* stands for its target everywhere; loaders leave none behind a reference */
	TYPE_UNSPECIFIED, /* a name without content, as decltype(nullptr); shown only */
	TYPE_STRING,      /* of Fortran: size is its length; shown only */
	TYPE_KIND_COUNT
};

enum type_flag {
	TYPE_SIGNED = 1,    /* INT, ENUM */
	TYPE_BOOL = 2,      /* INT */
	TYPE_WIDE = 4,      /* ENUM: needs 64-bit values */
	TYPE_BITFIELDS = 8, /* STRUCT, UNION: some member has a bit size or starts within a byte */
	TYPE_CLASS = 16,    /* STRUCT, STRUCT_FORWARD: declared with `class` */
	/* Only in what is shown, see program.h. */
	TYPE_INTERFACE = 32,   /* STRUCT, STRUCT_FORWARD: declared with `interface` */
	TYPE_DECLARATION = 64, /* ENUM: only declared; structs and unions have kinds for that */
	TYPE_VECTOR = 128,     /* ARRAY: what vector instructions work on */
};

#endif
