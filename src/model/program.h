/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The types of a file in the form in which they are shown to people, free of any file format.
 *
 * It says what the encoder's model (unit.h) has no use for: where a type is declared and in what
 * scope, forced alignments, base classes, methods. A type is there once, however many units
 * repeat it: types are the same if they say the same, references to named types counting as kind and name.
 * References are numbers of types of this program, whatever unit they come from, so nobody
 * who reads a program needs to know about units.
 *
 * Types are numbered 1 .. type_count-1; 0 is void, or "none". The order is that of the file: by
 * unit, and in a unit by where their descriptions end (one nested in another comes before it); a
 * type that repeats stands where it was first met. Whatever the output calls "first" is
 * the lowest number.
 *
 * Following targets comes to an end, if perhaps after many steps (program_break_loops), unless it goes through
 * functions; a struct that contains itself is possible in damaged files.
 *
 * Texts end in NUL and live as long as the program; NULL stands for no name, and a name is
 * never empty. A program is only read once it is loaded, so threads may share it.
 */
#ifndef MODEL_PROGRAM_H
#define MODEL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/type_kind.h"

/* Those that make a difference. DWARF 5, table 7.17. */
enum program_language { LANGUAGE_C = 0x02, LANGUAGE_CXX98 = 0x04, LANGUAGE_RUST = 0x1c };

/* A part of the source that was compiled at once. */
struct program_unit {
	const char *name;   /* as the debug information has it; of BTF: the file's path */
	const char *folder; /* where it was compiled, or NULL */
	uint16_t language;  /* DWARF's code, see enum program_language; C for BTF */
};

enum scope_kind { SCOPE_UNIT, SCOPE_NAMESPACE, SCOPE_TYPE, SCOPE_FUNCTION };

/* What encloses a declaration. Scope 0 is the unit itself: what is in it is top-level. */
struct program_scope {
	const char *name; /* NULL: anonymous */
	uint32_t parent;  /* lower than this scope's own number */
	uint8_t kind;     /* enum scope_kind */
};

struct program_type {
	const char *name; /* without its scope; TAG: the attribute's text */
	uint64_t size;    /* bytes; 0: none, or what follows from the target */
	uint32_t
		type; /* target, element, return type, underlying type of an ENUM; 0: void or none */
	union {
		uint32_t first_item; /* index into the program's array for this kind */
		uint32_t member_of;  /* MEMBER_POINTER: the class it points into */
	};
	uint32_t item_count; /* STRUCT, UNION: members; ENUM: enumerators; FUNCTION: parameters;
			        ARRAY: dimensions, outermost first, at least one */
	uint32_t alignment;  /* bytes, if the source forces one; 0: not, or not recorded */
	uint32_t scope;
	uint16_t flags; /* enum type_flag */
	uint8_t kind;   /* enum type_kind, never ALIAS */
};

/* Where a type comes from. */
struct program_origin {
	const char *
		file; /* path of the source file, perhaps from the unit's folder; NULL: not known */
	uint64_t offset;           /* of its description in the debug information */
	uint32_t line;             /* 0: not known */
	uint32_t unit;             /* the first that has it */
	uint32_t definition_count; /* how often the file has it, at least 1 */
};

enum member_kind {
	MEMBER_DATA,
	MEMBER_BASE,         /* a base class; no name */
	MEMBER_STATIC,       /* a data member of the class, not of its objects */
	MEMBER_METHOD,       /* `type` is the index of a function */
	MEMBER_TYPE,         /* a type defined in the class's body, for its own sake */
	MEMBER_VARIANT_PART, /* `type` is the index of a variant part */
};

enum member_flag {
	MEMBER_IS_VIRTUAL = 1, /* BASE: the place depends on the object, bit_offset says nothing */
	MEMBER_HAS_VALUE = 2,  /* STATIC: `value` is known */
	MEMBER_IS_ARTIFICIAL = 4 /* made by the compiler, as a pointer to a vtable */
};

enum accessibility { ACCESS_NOT_RECORDED, ACCESS_PUBLIC, ACCESS_PROTECTED, ACCESS_PRIVATE };

/* An entry of a struct's or union's body; entries are in the order of the source. */
struct program_member {
	const char *name;
	union {
		/*
		 * From the start of the aggregate. Of a bit field: of its first bit, counted the way the
		 * target numbers bits, so that a field's bits are contiguous in either byte order.
		 */
		uint64_t bit_offset;
		uint64_t value; /* STATIC */
	};
	uint32_t type;
	uint32_t alignment;    /* bytes, if the source forces one; 0: not, or not recorded */
	uint16_t bit_size;     /* 0: no bit field */
	uint8_t kind;          /* enum member_kind */
	uint8_t accessibility; /* enum accessibility */
	uint8_t flags;         /* enum member_flag */
};

struct program_enumerator {
	const char *name;
	uint64_t value; /* sign-extended if the ENUM is SIGNED */
};

/* A last one without name and type is `...`. */
struct program_parameter {
	const char *name;
	uint32_t type;
};

enum function_trait {
	FUNCTION_IS_EXTERNAL = 1,
	FUNCTION_IS_DECLARATION = 2,
	FUNCTION_IS_DECLARED_INLINE = 4,
	FUNCTION_IS_INLINED = 8,
	FUNCTION_IS_VIRTUAL = 16,
	FUNCTION_IS_PURE_VIRTUAL = 32,
};

/* A function or a method. */
struct program_function {
	const char *name;
	const char *linkage_name; /* NULL: not recorded, or the name itself */
	uint64_t address;         /* 0: none */
	uint64_t size;            /* bytes of code */
	uint32_t return_type;
	uint32_t first_parameter;
	uint32_t parameter_count;
	uint32_t scope;
	int32_t vtable_slot; /* -1: none */
	uint16_t traits;     /* enum function_trait */
	struct program_origin origin;
};

/* Which members a value has depends on one of them; Rust's enumerations with data. */
struct program_variant_part {
	uint32_t discriminant; /* type of the member that decides; 0: none */
	uint64_t bit_offset;   /* of that member, from the start of the struct */
	uint32_t first_variant;
	uint32_t variant_count;
};

struct program_variant {
	uint64_t value;        /* of the discriminant */
	uint32_t first_member; /* into the program's members; offsets are those of the struct */
	uint32_t member_count;
	bool is_default; /* for all values that no other variant has */
};

struct program {
	const char *path;           /* of the file, as the caller wrote it */
	struct program_unit *units; /* at least one */
	uint32_t unit_count;

	struct program_type *types; /* [0] is void */
	uint32_t type_count;
	uint32_t *
		present; /* ids of the types that were asked for and what they mention, ascending; all others
			      are void. NULL: everything is there */
	uint32_t present_count;
	struct program_origin
		*origins; /* a type's, or NULL: all in unit 0, once, where is not known */

	struct program_scope *scopes; /* [0] is the unit */
	uint32_t scope_count;
	struct program_member *members;
	uint32_t member_count;
	struct program_enumerator *enumerators;
	uint32_t enumerator_count;
	struct program_parameter *parameters;
	uint32_t parameter_count;
	uint64_t *dimensions; /* numbers of elements; 0 also for `[]` */
	uint32_t dimension_count;
	struct program_variant_part *variant_parts;
	uint32_t variant_part_count;
	struct program_variant *variants;
	uint32_t variant_count;
	struct program_function *functions; /* in the order of the file, each description */
	uint32_t function_count;

	uint8_t address_size; /* bytes */
	bool is_big_endian;
	bool has_alignment; /* forced alignments are recorded; else those readers want are guessed */

	struct arena arena; /* for the arrays above, and texts that no file holds */
	void *backing;      /* what the loader needs to keep, such as the file that holds texts */
	void (*release)(void *backing); /* or NULL */
};

/* Nothing but void, one scope and one unit, of C. `path` must outlive it. NULL when out of memory. */
struct program *program_create(const char *path);
void program_destroy(struct program *program); /* NULL is fine */

/*
 * For loaders, at the end: makes the promise above true. Of a loop of types, each the target or element
 * of the next, one is made to refer to void. False when out of memory.
 */
bool program_break_loops(struct program *program);

/* Kinds that stand for their target with something added: const, volatile, restrict, _Atomic and tags. */
static inline bool type_kind_is_qualifier(enum type_kind kind)
{
	const uint32_t kinds = 1u << TYPE_CONST | 1u << TYPE_VOLATILE | 1u << TYPE_RESTRICT |
			       1u << TYPE_ATOMIC | 1u << TYPE_TAG;

	return kinds >> kind & 1;
}

/* Structs and unions, with a body. */
static inline bool type_kind_is_aggregate(enum type_kind kind)
{
	return kind == TYPE_STRUCT || kind == TYPE_UNION;
}

static inline const struct program_member *program_members(const struct program *program,
							   const struct program_type *type)
{
	return program->members + type->first_item;
}

/* Unit of a type, and how often it is defined. */
static inline uint32_t program_unit_of(const struct program *program, uint32_t type)
{
	return program->origins ? program->origins[type].unit : 0;
}

static inline uint32_t program_definition_count(const struct program *program, uint32_t type)
{
	return program->origins ? program->origins[type].definition_count : 1;
}

#endif
