/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Types read again, with all that is shown of them.
 *
 * A pass over all units tells which types are distinct (dwarf_load.h, dedup/dedup.h); of a hundred descriptions one
 * is new. Just these are captured: their DIEs are read a second time, in full, while the unit is at hand.
 *
 * What is captured has the form of model/program.h, but references to types are slots of the unit that
 * it was captured from, and indices and scopes are those of the capture.
 */
#ifndef LOAD_CAPTURE_H
#define LOAD_CAPTURE_H

#include "base/vector.h"
#include "load/dwarf_load.h"
#include "model/program.h"

struct captured_type {
	uint32_t unit; /* as loaded: an index for dwarf_loader_load_unit */
	uint32_t slot;
	/* A function: its name, and in first_item which of the capture's functions. */
	struct program_type type;
	struct program_origin origin; /* its unit: of the file */
	bool is_function;
};

struct captured_scope {
	uint32_t parent; /* index; 0: the unit */
	uint32_t name;   /* number in the loader's name table, 0: anonymous */
	uint32_t kind;   /* enum scope_kind */
};

struct captured_unit {
	uint32_t number; /* in the file */
	struct program_unit unit;
};

/* What one worker captured. Zeroed is empty; items of one type are adjacent. */
struct capture {
	VECTOR(struct captured_type) types;
	VECTOR(struct program_member) members;
	VECTOR(struct program_enumerator) enumerators;
	VECTOR(struct program_parameter) parameters;
	VECTOR(uint64_t) dimensions;
	VECTOR(struct program_variant_part) variant_parts;
	VECTOR(struct program_variant) variants;
	VECTOR(struct program_function) functions;
	VECTOR(struct captured_scope) scopes; /* [0] is the unit */
	VECTOR(struct captured_unit)
	units; /* those it captured something of; repeats are possible */
};

void capture_deinit(struct capture *capture);

/*
 * Adds the types in these slots (ascending) of the unit that `worker` loaded last, for display. Texts live as long
 * as loader and context. Thread-safe for different workers with captures of their own.
 */
enum smelt_status dwarf_loader_capture(struct dwarf_loader *loader, uint32_t unit_index,
				       const uint32_t *slots, uint32_t slot_count,
				       struct worker *worker, struct capture *capture,
				       struct smelt_error *error);

#endif
