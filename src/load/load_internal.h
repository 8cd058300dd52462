/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What the files of the DWARF loader share. A unit is loaded in four steps:
 *
 *   unit_walk.c      one pass over its DIEs: types, functions, variables, with references as
 *                    offsets; the walk_*.c beside it are its parts
 *   unit_types.c     references become slots; what needs other types' sizes is settled
 *   unit_functions.c names and parameters through abstract origins; what the encoder needs to choose
 *   unit_record.c    what outlives the job is copied out
 */
#ifndef LOAD_LOAD_INTERNAL_H
#define LOAD_LOAD_INTERNAL_H

#include "base/vector.h"
#include "dwarf/die_reader.h"
#include "dwarf/location.h"
#include "load/die_index.h"
#include "load/dwarf_load.h"

/* The sections of one file that holds DWARF, apart from those with units. Of a .dwo or .dwp file, but `addr`. */
struct dwarf_sections {
	struct elf_file *file;
	struct elf_bytes abbrev;
	struct elf_bytes str;
	struct elf_bytes line_str;
	struct elf_bytes str_offsets;
	struct elf_bytes addr;
	uint32_t loclists_index; /* .debug_loclists and .debug_loc: 0 when absent */
	uint32_t loc_index;
	bool is_primary; /* `str` is the section of the name table */
	bool is_split;
};

/* A section of units: .debug_info or .debug_types; relocatable files may have many. */
struct info_section {
	const struct dwarf_sections
		*sections;    /* NULL: of a .dwo file, which is open while it is needed */
	const char *dwo_path; /* of that file, else NULL */
	const char *name;
	uint64_t size; /* of its content */
	uint32_t index;
	bool is_types;
	bool is_plain;          /* read with elf_section_read, else it is in `bytes` */
	struct elf_bytes bytes; /* data is NULL when plain or in a .dwo file */
	uint64_t base;          /* of its offsets in the DIE index of merged mode */
};

/* What a unit says whose DWARF is elsewhere. */
struct skeleton {
	const char *folder; /* the compiler ran in; "" if not known */
	const char *name;   /* of the .dwo file */
	uint64_t id;
	uint64_t addr_base;
};

/* What a unit of a .dwo or .dwp file does not say itself. */
struct split_unit {
	uint64_t id;
	uint64_t addr_base;
	const char *folder; /* as of the skeleton; NULL in type units */
	/* Where its parts of the sections begin; 0 in .dwo files. */
	uint64_t str_offsets_start;
	uint64_t lists_start;
};

struct file_unit {
	struct unit_header header;
	uint32_t section;                /* index into info_sections */
	const struct skeleton *skeleton; /* NULL: not known to be one */
	const struct split_unit *split;  /* NULL: not from a .dwo or .dwp file */
};

/* See split_units.c. */
struct split_state {
	bool is_done;
	struct arena arena;
	struct elf_file *package; /* ours, or NULL */
	struct dwarf_sections package_sections;
	uint32_t missing_count;
	struct smelt_error missing_cause; /* of the first one */
};

/* The .dwo file that a worker is at. */
struct dwo_file {
	const char *path; /* NULL: none is open */
	struct elf_file *file;
	struct dwarf_sections sections;
};

struct signature_entry {
	uint64_t signature;
	uint64_t index_offset; /* of the type's DIE; 0: free */
};

struct load_context {
	struct name_table *names; /* NULL before the first loader */
	uint32_t loader_count;    /* so far */
	struct load_worker *workers[WORKER_POOL_MAX];
};

struct dwarf_loader {
	struct load_context *context; /* caller's */
	uint32_t number;              /* in the context, from 1 */
	struct elf_file *file;        /* caller's */
	struct elf_file *debug_file;  /* ours, or NULL */
	struct elf_file *alternate;   /* ours, or NULL */
	struct dwarf_load_options options;
	struct dwarf_sections sections[2]; /* main, alternate */
	VECTOR(struct info_section) info_sections;
	VECTOR(struct file_unit) units;
	VECTOR(struct signature_entry) signatures; /* hash table, power of two */
	struct name_table *names;                  /* the context's */
	struct split_state split;
	uint64_t index_end;      /* of the info sections' offsets in the DIE index */
	uint64_t alternate_base; /* of the alternate file's .debug_info in the DIE index; 0: none */
	_Atomic bool has_skeletons; /* units that split_units.c has not looked for yet */
	uint16_t machine;
	bool is_big_endian;
	bool swap;
	bool is_merged;
	_Atomic bool needs_merge; /* a unit refers to another */
	bool settles_names;       /* no provisional names: some are the empty text, which is none */
	uint32_t int_name;
	uint32_t fake_int_name;       /* of integers BTF cannot express */
	_Atomic uint64_t *seen_names; /* see unit_record.c */
	unsigned seen_bits;           /* of their number */
};

/* A member whose offset or size depends on the size of its type. */
struct pending_bitfield {
	uint32_t type_slot;
	uint32_t item; /* index among the type's items */
	uint64_t byte_location;
	uint64_t bit_offset; /* old style: DW_AT_bit_offset; UINT64_MAX: none */
	uint64_t byte_size;  /* DW_AT_byte_size of the member, or 0 */
};

/* The types in a namespace, a struct or a function: those of the slots first .. end-1 that no scope before has. */
struct type_scope {
	uint32_t first_slot;
	uint32_t end_slot;
	uint32_t name;     /* 0: none */
	uint32_t kind;     /* enum scope_kind of model/program.h */
	uint32_t parent;   /* index + 1, or 0: the unit */
	uint32_t identity; /* number of a name that stands for the scope and all around it */
};

/* A struct without a name that completes another DIE. */
struct pending_name {
	uint32_t type_slot;
	uint32_t reference;
};

enum location_kind {
	LOCATION_NONE,
	LOCATION_EXPRESSION,
	LOCATION_LIST,
	LOCATION_LIST_INDEX,
	LOCATION_OTHER
};

struct load_parameter {
	uint32_t name;
	uint32_t type;   /* reference, later slot */
	uint32_t origin; /* reference, or 0 */
	uint32_t entity; /* index into the DIE index */
	const uint8_t *expression;
	uint64_t list_offset;
	uint32_t expression_size;
	uint8_t location; /* enum location_kind */
	uint8_t position; /* among the parameters, mod 256 as the incumbent counts */
	/* What is known of where it is passed, see parameter_location.c. */
	bool is_resolved : 1; /* `type` is a slot */
	bool has_location : 1;
	bool has_const : 1;
	bool is_const : 1;
	bool on_stack : 1;
	bool in_memory : 1;
	bool is_optimized : 1;
	bool is_unexpected : 1;
	bool has_register : 1;
	uint16_t reg;
	uint32_t size;
	uint64_t first_fields;  /* bit per byte offset below the address size */
	uint64_t second_fields; /* and above */
	uint32_t member_name;   /* the one member of a struct that is really passed */
	uint32_t member_type;   /* slot; 0: none */
};

struct load_function {
	uint32_t name;
	uint32_t type;   /* reference, later slot */
	uint32_t origin; /* references, or 0 */
	uint32_t specification;
	uint32_t first_parameter;
	uint32_t parameter_count;
	uint32_t first_tag;
	uint32_t tag_count;
	uint32_t unit;  /* index in the worker's walked units */
	uint32_t group; /* of symbols; UINT32_MAX: none, the function is not encoded */
	uint64_t low_pc;
	uint8_t calling_convention;
	bool is_declaration : 1;
	bool is_variadic : 1;
	bool is_inline : 1; /* DW_AT_inline is there and not zero */
	bool is_reordered : 1;
};

struct load_variable {
	uint32_t name;
	uint32_t type;          /* reference */
	uint32_t specification; /* reference, or 0 */
	uint32_t first_tag;
	uint32_t tag_count;
	uint64_t address;
	bool has_address : 1;
	bool is_declaration : 1;
	bool is_external : 1;
	bool is_artificial : 1;
	bool is_at_unit_level : 1;
};

/* Short names in place are looked up by their eight bytes first: they are the commonest of members. */
enum { SHORT_NAMES_BITS = 12, SHORT_NAMES = 1 << SHORT_NAMES_BITS };
struct short_name {
	uint64_t text;
	uint32_t name;
};

/* What is left of a unit of the file after the walk over it, for the location lists of its functions. */
struct walked_unit {
	const struct file_unit *unit;
	uint64_t loclists_base;
	uint64_t lists_start; /* offsets in the section of lists count from here */
};

enum { ABBREV_TABLES = 4 };

/* A worker's buffers, reused from job to job, and the memory of what it hands out. */
struct load_worker {
	struct arena results;
	uint32_t loader; /* number of the one that the caches up to next_abbrev are of */
	struct dwo_file dwo;
	struct elf_window window; /* into window_section */
	const struct info_section *window_section;
	VECTOR(uint8_t) unit_bytes;                 /* when it cannot be mapped */
	VECTOR(uint8_t) list_bytes;                 /* window into a section of location lists */
	const struct dwarf_sections *list_sections; /* whose, NULL: none */
	uint32_t list_section;
	uint64_t list_start;
	struct plan_pool plans;
	struct abbrev_table abbrevs[ABBREV_TABLES];
	const struct dwarf_sections *abbrev_owner[ABBREV_TABLES];
	struct plan_context abbrev_context[ABBREV_TABLES];
	unsigned next_abbrev;
	struct short_name short_names[SHORT_NAMES];

	struct die_index index;
	VECTOR(struct walked_unit) walked_units;
	VECTOR(struct model_type) types;
	VECTOR(struct model_item) items;
	VECTOR(struct model_item) spilt_items; /* of types whose children hold other types */
	VECTOR(struct load_parameter) parameters;
	VECTOR(struct load_parameter) open_parameters;
	VECTOR(struct load_function) functions;
	VECTOR(struct load_variable) variables;
	VECTOR(uint32_t) aliases; /* references of DIEs that stand for another */
	VECTOR(struct decl_tag) tags;
	VECTOR(struct decl_tag) open_tags;
	VECTOR(struct type_tag_record) type_tags;
	VECTOR(struct pending_bitfield) bitfields;
	VECTOR(struct pending_name) pending_names;
	VECTOR(uint32_t) wide_enum_slots; /* enumerations whose sign comes from their type */
	VECTOR(uint32_t) member_pointer_slots;
	/* Display only: scopes in the order they end; if there are any, index + 1 of the innermost per slot, or 0. */
	VECTOR(struct type_scope) type_scopes;
	VECTOR(uint32_t) slot_scopes;
	uint32_t first_function_slot; /* of functions.items[0], as wanted for display; 0: none */
	VECTOR(uint32_t) function_names;
	VECTOR(uint8_t) packed_state; /* per slot, see packed.c */
};

/* One job. */
struct unit_load {
	struct dwarf_loader *loader;
	struct load_worker *worker;
	struct arena *scratch;
	const struct symbol_groups *groups;    /* NULL: nothing to be encoded but types */
	const struct file_unit *unit;          /* being walked */
	const struct dwarf_sections *sections; /* of that unit's file */
	uint32_t unit_number;
	uint64_t index_delta; /* offset from the unit's header + this = offset in the DIE index */
	struct die_reader reader;
	/* What the short paths need of loader and unit, without the way there. */
	uint32_t name_limit; /* offsets in .debug_str below this are numbers of names */
	uint32_t unit_size;
	uint64_t str_offsets_base;
	uint64_t addr_base;
	uint64_t loclists_base;
	uint16_t language;
	bool is_clang;        /* of the first unit */
	uint8_t address_size; /* of the first unit */
	uint32_t int_slot;
	bool has_arrays;
	bool out_of_memory;
	uint64_t die_count;
	uint64_t sanitized_count;
};

/* unit_open.c */
/* Sets all in *load that is of a unit of the file; its reader is at the root DIE then. */
enum smelt_status unit_open(struct unit_load *load, const struct file_unit *unit,
			    struct smelt_error *error);
/* values: of the root DIE. */
void unit_read_bases(struct unit_load *load, const struct die_values *values);
/* offset: of what is wrong, from the unit's header. */
enum smelt_status unit_error(const struct unit_load *load, struct smelt_error *error,
			     enum smelt_status status, uint64_t offset, const char *cause);
/* For the fault of load->reader, or memory that ran out. */
enum smelt_status unit_reader_error(const struct unit_load *load, struct smelt_error *error);

/* Whether functions are of interest, not only the types in them. */
static inline bool load_has_functions(const struct unit_load *load)
{
	return load->groups != NULL || load->loader->options.functions;
}

/* unit_walk.c: all DIEs of load->unit. */
void unit_walk(struct unit_load *load);

/* unit_values.c: values to model terms. */
uint32_t load_name(struct unit_load *load, const struct die_value *value);
/* A name as it may be in a struct model_unit; see there. */
static inline uint32_t load_provisional_name(struct unit_load *load, const struct die_value *value)
{
	if (value->value_class == VALUE_STRP && value->number < load->name_limit)
		return (uint32_t)value->number + 1;
	return load_name(load, value);
}
/* Makes one final. */
uint32_t load_settled_name(struct unit_load *load, uint32_t name);
const char *load_text(struct unit_load *load, const struct die_value *value);
/* Offset in the DIE index of the DIE referred to, or 0. */
uint32_t load_reference(struct unit_load *load, const struct die_value *value);
/* spec of numeric attributes: constants and flags; anything else is 0. */
int64_t load_number(const struct die_values *values, enum die_attr attr);
bool load_address(struct unit_load *load, const struct die_value *value, uint64_t *address);
uint32_t load_short_name(struct unit_load *load, const char *text, size_t size);

static inline bool values_have(const struct die_values *values, enum die_attr attr)
{
	return values->present & ATTR_BIT(attr);
}

/*
 * While a unit is walked, `type` fields hold references (offsets in the DIE index, 0: none). A pointer or
 * tag with this flag holds a slot already.
 */
enum { TYPE_TARGET_IS_SLOT = 128 };

/* walk_functions.c */
void walk_subprogram(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
		     unsigned depth);
void walk_variable(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
		   bool is_at_unit_level);
struct load_variable *walk_add_variable(struct unit_load *load, const struct die_values *values,
					uint32_t offset, bool is_at_unit_level);
/* Scopes: units, namespaces, bodies. Reads children up to and including their null entry. */
enum place { IN_UNIT, IN_NAMESPACE, IN_BODY };
void walk_scope(struct unit_load *load, enum place place, unsigned depth);
/* One DIE that may be a type, a function or a scope; anything else is stepped over. */
void walk_die(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
	      enum place place, unsigned depth);
bool walk_too_deep(struct unit_load *load, unsigned depth);
void walk_no_memory(struct unit_load *load);

/* walk_display.c: what is different for display */
/* A type without a list below it that BTF has no word for. */
void walk_display_type(struct unit_load *load, const struct die_plan *plan, uint32_t offset);
void display_base_type(struct model_type *type, uint64_t encoding);
/* After the walk. */
void display_settle_scopes(struct unit_load *load);
/* After functions were resolved. */
void display_add_functions(struct unit_load *load);
/* The types from `first_slot` on are in a scope, which ends here. kind: enum scope_kind. No effect but for display. */
void walk_close_scope(struct unit_load *load, uint32_t first_slot, uint32_t name, uint32_t kind);

/*
 * walk_struct.c: where a member is, as the value of an item; of a base class, too. True when that depends on the
 * size of its type: unit_bitfield_value() then has the answer.
 */
bool walk_member_place(struct unit_load *load, const struct die_values *values, uint64_t *value,
		       struct pending_bitfield *pending);

/* walk_annotations.c */
enum annotation_kind { ANNOTATION_OTHER, ANNOTATION_DECL_TAG, ANNOTATION_TYPE_TAG };
/* Reads an annotation DIE at the position (its plan was read); *value is the name of its text. */
enum annotation_kind walk_annotation(struct unit_load *load, const struct die_plan *plan,
				     uint32_t *value);
/* Adds the tags of a GNU annotation chain that starts at `reference` (from the unit's header). */
void walk_decl_tag_chain(struct unit_load *load, const struct die_value *reference,
			 int32_t component);
void walk_add_tag(struct unit_load *load, uint32_t value, int32_t component);
/* Adds TYPE_TAG types for a chain; returns what the pointer points to then. */
uint32_t walk_type_tag_chain(struct unit_load *load, const struct die_value *reference,
			     uint32_t pointee, uint32_t *tag_slot);
uint32_t walk_add_type(struct unit_load *load, const struct model_type *type);

/* unit_types.c */
bool unit_resolve_types(struct unit_load *load);
/* Slot of the type at an offset of the DIE index; 0 for void, none and what is not a type. */
uint32_t unit_type_slot(const struct unit_load *load, uint32_t reference);
/* The final value of a member of type `slot`. */
uint64_t unit_bitfield_value(const struct unit_load *load, const struct pending_bitfield *pending,
			     uint32_t slot, uint64_t value);
/* Bytes of a slot's type as a variable of it takes; 0: unknown. */
uint64_t unit_type_size(const struct unit_load *load, uint32_t slot);
/* Without typedefs, const, volatile, restrict. */
uint32_t unit_strip_type(const struct unit_load *load, uint32_t slot);

/* unit_functions.c, parameter_location.c, packed.c */
void unit_resolve_functions(struct unit_load *load);
void parameter_locate(struct unit_load *load, const struct load_function *function,
		      struct load_parameter *parameter, uint32_t size);
uint32_t unit_function_flags(struct unit_load *load, const struct load_function *function);
bool unit_struct_is_packed(struct unit_load *load, uint32_t slot);

/* How a machine passes parameters; see parameter_location.c. */
struct register_convention {
	uint8_t count;
	bool is_known; /* `registers` is right */
	bool pairs;    /* aggregates of two registers are passed in two */
	int8_t registers[8];
};
const struct register_convention *register_convention_of(uint16_t machine);

/* load_context.c */
struct load_worker *load_worker_of(struct load_context *context, const struct worker *worker);
/* Forgets what is cached of a loader's file. */
void load_worker_forget_file(struct load_worker *state);

/* dwarf_loader.c */
/* suffix: "" or ".dwo" */
enum smelt_status load_sections(struct elf_file *file, const char *suffix,
				struct dwarf_sections *sections, struct smelt_error *error);
/* Adds the sections of units to the loader's. */
enum smelt_status add_info_sections(struct dwarf_loader *loader,
				    const struct dwarf_sections *sections,
				    struct smelt_error *error);
/* Reads the header of the unit at `offset` of a section. */
enum smelt_status read_unit(struct dwarf_loader *loader, uint32_t number, uint64_t offset,
			    struct file_unit *unit, struct smelt_error *error);
/* Adds the units of a section to the loader's. */
enum smelt_status index_section(struct dwarf_loader *loader, uint32_t number,
				struct smelt_error *error);

/* split_units.c */
/* Notes in the loader's unit that the one being loaded is a skeleton. */
void split_note_skeleton(struct unit_load *load, const struct die_values *values);
/* Puts the units of .dwo and .dwp files in the place of the skeletons that name them. */
enum smelt_status split_open_units(struct dwarf_loader *loader, struct smelt_error *error);
void split_deinit(struct split_state *split);
/* The sections of the file a section of units is in; valid until the worker's next call. */
enum smelt_status split_sections(struct unit_load *load, const struct info_section *section,
				 const struct dwarf_sections **sections, struct smelt_error *error);
void dwo_file_close(struct dwo_file *dwo);

/* unit_record.c */
bool unit_copy_record(struct unit_load *load, struct unit_record *record);

#endif
