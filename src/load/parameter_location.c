/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Where a function's parameters are passed, as far as their location expressions tell, and whether
 * that is where the calling convention has them. A tracing program reads arguments from registers by
 * position; a function whose parameters are elsewhere must not be described as if they were there.
 *
 * The rules are the incumbent's, to the letter: which functions are in a kernel's BTF depends on them.
 */
#include <string.h>

#include "dwarf/constants.h"
#include "load/load_internal.h"

enum {
	MACHINE_SPARC = 2,
	MACHINE_386 = 3,
	MACHINE_MIPS = 8,
	MACHINE_MIPS_RS3_LE = 10,
	MACHINE_SPARC32PLUS = 18,
	MACHINE_PPC = 20,
	MACHINE_PPC64 = 21,
	MACHINE_S390 = 22,
	MACHINE_ARM = 40,
	MACHINE_SPARCV9 = 43,
	MACHINE_ARC = 45,
	MACHINE_X86_64 = 62,
	MACHINE_ARC_COMPACT = 93,
	MACHINE_AARCH64 = 183,
	MACHINE_ARC_COMPACT2 = 195,
	MACHINE_RISCV = 243,
};

const struct register_convention *register_convention_of(uint16_t machine)
{
	static const struct register_convention x86_64 = {
		.count = 6, .is_known = true, .pairs = true, .registers = { 5, 4, 1, 2, 8, 9 }
	};
	static const struct register_convention arm = {
		.count = 8, .is_known = true, .pairs = true, .registers = { 0, 1, 2, 3, 4, 5, 6, 7 }
	};
	static const struct register_convention s390 = {
		.count = 5, .is_known = true, .pairs = false, .registers = { 2, 3, 4, 5, 6 }
	};
	static const struct register_convention unknown_six = { .count = 6, .pairs = true };
	static const struct register_convention unknown_eight = { .count = 8, .pairs = true };
	static const struct register_convention none = { .count = 0, .pairs = true };

	switch (machine) {
	case MACHINE_X86_64:
		return &x86_64;
	case MACHINE_AARCH64:
	case MACHINE_ARM:
		return &arm;
	case MACHINE_S390:
		return &s390;
	case MACHINE_SPARC:
	case MACHINE_SPARC32PLUS:
	case MACHINE_SPARCV9:
		return &unknown_six;
	case MACHINE_ARC:
	case MACHINE_ARC_COMPACT:
	case MACHINE_ARC_COMPACT2:
	case MACHINE_MIPS:
	case MACHINE_MIPS_RS3_LE:
	case MACHINE_PPC:
	case MACHINE_PPC64:
	case MACHINE_RISCV:
		return &unknown_eight;
	default:
		return &none;
	}
}

static bool is_constant_op(unsigned code)
{
	return (code >= DW_OP_lit0 && code <= DW_OP_lit31) || code == DW_OP_constu ||
	       code == DW_OP_consts;
}

/* Register number + 1 of DW_OP_regN or DW_OP_bregN, else 0. */
static unsigned plain_register(unsigned code)
{
	return code >= DW_OP_reg0 && code <= DW_OP_reg31 ? code - DW_OP_reg0 + 1 : 0;
}

static unsigned base_register(unsigned code)
{
	return code >= DW_OP_breg0 && code <= DW_OP_breg31 ? code - DW_OP_breg0 + 1 : 0;
}

static void set_register(struct load_parameter *parameter, uint64_t register_plus_one)
{
	if (register_plus_one == 0 || parameter->has_register)
		return;
	parameter->has_register = true;
	parameter->reg = (uint16_t)(register_plus_one - 1);
}

/* An expression of one operation, or one and DW_OP_stack_value. */
static void locate_single(struct load_parameter *parameter, const struct location_op *op,
			  bool is_value, unsigned index)
{
	if (op->code == DW_OP_entry_value || op->code == DW_OP_GNU_entry_value) {
		set_register(parameter, op->number);
		return;
	}
	if (index != 0)
		return;
	if (op->code == DW_OP_fbreg)
		parameter->on_stack = true;
	else if (is_constant_op(op->code))
		parameter->is_const = true;
	else if (is_value)
		set_register(parameter, base_register(op->code));
	if (plain_register(op->code))
		set_register(parameter, plain_register(op->code));
}

static void note_field(struct load_parameter *parameter, uint64_t offset, unsigned address_size)
{
	if (offset < address_size)
		parameter->first_fields |= UINT64_C(1) << offset;
	else if (offset - address_size < 64)
		parameter->second_fields |= UINT64_C(1) << (offset - address_size);
}

/* An aggregate in pieces: which parts of it are passed, and the register of the first. */
static void locate_pieces(struct load_parameter *parameter, const struct location_op *ops,
			  int count, unsigned address_size)
{
	uint64_t offset = 0;

	for (int i = 0; i < count && i < LOCATION_OPS_MAX; i++) {
		if (ops[i].code == DW_OP_piece) {
			if (i != 0)
				note_field(parameter, offset, address_size);
			offset = i == 0 ? ops[i].number : offset + ops[i].number;
		} else if (plain_register(ops[i].code) &&
			   (offset < address_size || !parameter->has_register)) {
			set_register(parameter, plain_register(ops[i].code));
		}
	}
}

static void locate_expression(struct unit_load *load, struct load_parameter *parameter,
			      const struct plan_context *context, const uint8_t *data, size_t size,
			      unsigned index)
{
	const struct register_convention *convention =
		register_convention_of(load->loader->machine);
	struct location_op ops[LOCATION_OPS_MAX];
	int count = location_read(data, size, context, ops);
	bool is_value;

	if (count <= 0 || count > LOCATION_OPS_MAX)
		return;
	is_value = ops[count - 1].code == DW_OP_stack_value;
	if (count == 2 && is_value)
		count = 1;
	if (count == 1) {
		locate_single(parameter, &ops[0], is_value, index);
	} else if (is_constant_op(ops[0].code)) {
		parameter->is_const |= index == 0;
	} else if (parameter->size <= load->address_size || !convention->pairs) {
		bool value_later = false;

		for (int i = 1; i < count; i++)
			value_later |= ops[i].code == DW_OP_stack_value;
		if (index == 0 && plain_register(ops[0].code))
			set_register(parameter, plain_register(ops[0].code));
		else if (index == 0 && value_later)
			set_register(parameter, base_register(ops[0].code));
	} else {
		locate_pieces(parameter, ops, count, load->address_size);
	}
}

/*
 * Bytes of a section of location lists from `offset` on. The lists of a unit lie together, so a window of the section is
 * kept; *at_least bytes of it, unless the section ends.
 */
static bool list_window(struct unit_load *load, const struct dwarf_sections *sections,
			uint32_t section, uint64_t offset, uint64_t at_least,
			struct byte_reader *reader)
{
	enum { WINDOW_BYTES = 128 * 1024 };
	struct load_worker *worker = load->worker;
	uint64_t size = elf_section_content_size(sections->file, section);
	uint64_t window;

	if (section == 0 || offset >= size)
		return false;
	if (!elf_section_is_plain(sections->file, section)) {
		struct elf_bytes bytes;

		if (elf_section_load(sections->file, section, &bytes, NULL) || offset >= bytes.size)
			return false;
		*reader = byte_reader_over(bytes.data + offset, bytes.size - offset,
					   load->loader->swap);
		return true;
	}
	window = at_least > WINDOW_BYTES ? at_least : WINDOW_BYTES;
	if (window > size - offset)
		window = size - offset;
	if (at_least > size - offset)
		at_least = size - offset;
	if (worker->list_sections != sections || worker->list_section != section ||
	    offset < worker->list_start ||
	    offset - worker->list_start + at_least > worker->list_bytes.count) {
		worker->list_sections = NULL;
		worker->list_bytes.count = 0;
		if (!vector_reserve(&worker->list_bytes, window) ||
		    elf_section_read(sections->file, section, offset, worker->list_bytes.items,
				     window, NULL))
			return false;
		worker->list_bytes.count = window;
		worker->list_start = offset;
		worker->list_sections = sections;
		worker->list_section = section;
	}
	*reader = byte_reader_over(worker->list_bytes.items + (offset - worker->list_start),
				   worker->list_bytes.count - (offset - worker->list_start),
				   load->loader->swap);
	return true;
}

/* DWARF 5, 7.29: list `index` of the unit. */
static bool list_index_offset(struct unit_load *load, const struct walked_unit *walked,
			      const struct dwarf_sections *sections, uint64_t index,
			      uint64_t *offset)
{
	unsigned size = walked->unit->header.offset_size;
	struct byte_reader reader;

	if (index > UINT32_MAX || !list_window(load, sections, sections->loclists_index,
					       walked->loclists_base + index * size, size, &reader))
		return false;
	*offset = walked->loclists_base + byte_reader_unsigned(&reader, size);
	return reader.fault == READER_OK;
}

/* Once a scalar's register is known, no further entry of its list can tell more. */
static bool later_entries_are_idle(const struct unit_load *load,
				   const struct load_parameter *parameter)
{
	return parameter->has_register && parameter->size <= load->address_size;
}

static void locate_list(struct unit_load *load, const struct walked_unit *walked,
			const struct plan_context *context, struct load_parameter *parameter)
{
	enum { FIRST_BYTES = 256, MOST_BYTES = 64 * 1024 * 1024 };
	const struct dwarf_sections *sections;
	enum location_list_form form;
	uint64_t offset = walked->lists_start + parameter->list_offset;
	uint32_t section;

	if (split_sections(load, &load->loader->info_sections.items[walked->unit->section],
			   &sections, NULL))
		return;
	section = context->version >= 5 ? sections->loclists_index : sections->loc_index;
	form = context->version >= 5 ? LOCATION_LIST_ENTRIES :
	       sections->is_split    ? LOCATION_LIST_GNU_ENTRIES :
				       LOCATION_LIST_PAIRS;
	if (parameter->location == LOCATION_LIST_INDEX &&
	    !list_index_offset(load, walked, sections, parameter->list_offset, &offset))
		return;
	for (uint64_t bytes = FIRST_BYTES; bytes <= MOST_BYTES; bytes *= 16) {
		struct load_parameter result = *parameter;
		struct byte_reader reader;
		const uint8_t *data;
		size_t size;

		if (!list_window(load, sections, section, offset, bytes, &reader))
			return;
		for (unsigned index = 0;
		     !later_entries_are_idle(load, &result) &&
		     location_list_next(&reader, form, context->address_size, &data, &size);
		     index++)
			locate_expression(load, &result, context, data, size, index);
		if (reader.fault == READER_OK) {
			*parameter = result;
			return;
		}
	}
}

/* The one member that is passed of a struct by value, when the expressions show just one part of it. */
static void find_member(struct unit_load *load, struct load_parameter *parameter)
{
	uint64_t fields = parameter->first_fields ? parameter->first_fields :
						    parameter->second_fields;
	const struct model_type *types = load->worker->types.items;
	const struct model_type *type;
	uint64_t bit_offset;

	if ((parameter->first_fields != 0) == (parameter->second_fields != 0) ||
	    (fields & (fields - 1)) != 0 || parameter->name == 0)
		return;
	bit_offset = 8 * ((uint64_t)__builtin_ctzll(fields) +
			  (parameter->first_fields ? 0 : load->address_size));
	type = &types[unit_strip_type(load, parameter->type)];
	if (type->kind != TYPE_STRUCT || (type->flags & TYPE_CLASS))
		return;
	for (uint32_t i = 0; i < type->item_count; i++) {
		const struct model_item *item = &load->worker->items.items[type->first_item + i];

		if (model_item_bit_offset(item) != bit_offset)
			continue;
		if (item->name != 0 && item->type != 0) {
			parameter->member_name = item->name;
			parameter->member_type = item->type;
		}
		return;
	}
}

void parameter_locate(struct unit_load *load, const struct load_function *function,
		      struct load_parameter *parameter, uint32_t size)
{
	const struct register_convention *convention =
		register_convention_of(load->loader->machine);
	const struct walked_unit *walked = &load->worker->walked_units.items[function->unit];
	const struct unit_header *header = &walked->unit->header;
	struct plan_context context = {
		.version = header->version,
		.address_size = header->address_size,
		.offset_size = header->offset_size,
		.swap = load->loader->swap,
	};

	parameter->size = size;
	parameter->in_memory = size >
			       (convention->pairs ? 2u * load->address_size : load->address_size);
	switch (parameter->location) {
	case LOCATION_EXPRESSION:
		locate_expression(load, parameter, &context, parameter->expression,
				  parameter->expression_size, 0);
		break;
	case LOCATION_LIST:
	case LOCATION_LIST_INDEX:
		locate_list(load, walked, &context, parameter);
		break;
	default:
		break;
	}
	if (load->loader->options.true_signatures)
		find_member(load, parameter);
}

/* What the analysis of one function's parameters carries along. */
struct analysis {
	struct unit_load *load;
	const struct register_convention *convention;
	struct load_parameter *parameters;
	uint32_t count;
	uint32_t register_index; /* next of the convention */
	bool true_signature;     /* asked for, and the compiler changed this one */
};

static uint32_t register_slots(const struct analysis *analysis, const struct load_parameter *p)
{
	uint32_t address_size = analysis->load->address_size;

	if (p->size <= address_size || !analysis->convention->pairs)
		return 1;
	return (p->size + address_size - 1) / address_size;
}

static bool next_parameter_is_in(const struct analysis *analysis, uint32_t index, uint32_t place)
{
	const struct load_parameter *next = &analysis->parameters[index + 1];

	return index + 1 < analysis->count && next->has_register &&
	       place < analysis->convention->count && analysis->convention->is_known &&
	       next->reg == analysis->convention->registers[place];
}

/* clang writes where parameters are only as far as it knows; a wrong register is the only sign. */
static void analyse_unchanged(struct analysis *analysis)
{
	for (uint32_t i = 0; i < analysis->count; i++) {
		struct load_parameter *p = &analysis->parameters[i];
		uint32_t slots = register_slots(analysis, p);
		bool expected = false;

		if (p->in_memory)
			continue;
		if (analysis->register_index >= analysis->convention->count)
			break;
		for (uint32_t k = analysis->register_index;
		     k < analysis->register_index + slots && k < analysis->convention->count; k++)
			expected |= p->reg == analysis->convention->registers[k];
		if (p->has_register && analysis->convention->is_known && !expected)
			p->is_unexpected = true;
		analysis->register_index += slots;
	}
}

enum advance { ADVANCE_DEFAULT, ADVANCE_NONE, ADVANCE_DONE };

/* A struct of which only parts are in registers. */
static enum advance analyse_parts(struct analysis *analysis, uint32_t index)
{
	struct load_parameter *p = &analysis->parameters[index];
	uint32_t slots = register_slots(analysis, p);

	if (p->first_fields != 0 && p->second_fields != 0) {
		analysis->register_index += slots;
		return ADVANCE_DONE;
	}
	if (next_parameter_is_in(analysis, index, analysis->register_index + slots)) {
		p->member_type = 0;
		analysis->register_index += slots;
		return ADVANCE_DONE;
	}
	if (p->member_type != 0) {
		p->type = p->member_type;
		analysis->register_index += 1;
		return ADVANCE_DONE;
	}
	return ADVANCE_DEFAULT;
}

static enum advance analyse_located(struct analysis *analysis, uint32_t index)
{
	const struct register_convention *convention = analysis->convention;
	struct load_parameter *p = &analysis->parameters[index];
	bool available = analysis->register_index < convention->count;

	if (analysis->true_signature && p->is_const) {
		p->is_optimized = true;
		return ADVANCE_NONE;
	}
	if (!available)
		return ADVANCE_NONE;
	if (analysis->true_signature && p->on_stack) {
		if (p->in_memory)
			return ADVANCE_NONE;
		p->is_unexpected = true;
		return ADVANCE_DEFAULT;
	}
	if (!p->has_register) {
		if (analysis->true_signature)
			p->is_unexpected = true;
		else
			p->is_optimized = true;
		return ADVANCE_DEFAULT;
	}
	if (convention->is_known && convention->registers[analysis->register_index] != p->reg) {
		p->is_unexpected = true;
		return ADVANCE_DEFAULT;
	}
	if (analysis->true_signature && (p->first_fields != 0 || p->second_fields != 0))
		return analyse_parts(analysis, index);
	return ADVANCE_DEFAULT;
}

static enum advance analyse_missing(struct analysis *analysis, uint32_t index)
{
	struct load_parameter *p = &analysis->parameters[index];
	uint32_t slots = register_slots(analysis, p);

	if (p->has_const && !analysis->load->is_clang) {
		p->is_optimized = true;
		return ADVANCE_DEFAULT;
	}
	if (!analysis->true_signature)
		return ADVANCE_DEFAULT;
	if (analysis->register_index < analysis->convention->count &&
	    next_parameter_is_in(analysis, index, analysis->register_index + slots)) {
		analysis->register_index += slots;
		return ADVANCE_DONE;
	}
	p->is_optimized = true;
	return ADVANCE_NONE;
}

static void analyse_changed(struct analysis *analysis)
{
	for (uint32_t i = 0; i < analysis->count; i++) {
		struct load_parameter *p = &analysis->parameters[i];
		uint32_t step = p->in_memory ? 1 : register_slots(analysis, p);
		enum advance advance = p->has_location ? analyse_located(analysis, i) :
							 analyse_missing(analysis, i);

		if (advance == ADVANCE_DEFAULT)
			analysis->register_index += step;
	}
}

static bool signature_is_changed(const struct unit_load *load, const struct load_function *function)
{
	const struct load_worker *worker = load->worker;
	uint32_t value;

	if (!load->is_clang || function->is_inline)
		return false;
	if (function->calling_convention == DW_CC_nocall)
		return true;
	value = function->origin ? die_index_find(&worker->index, function->origin) : 0;
	return value >> ENTITY_KIND_SHIFT == ENTITY_FUNCTION &&
	       worker->functions.items[value & ENTITY_NUMBER_MASK].calling_convention ==
		       DW_CC_nocall;
}

/* Through typedef and const only, as the incumbent looks. */
static bool is_struct_by_value(const struct unit_load *load, uint32_t slot)
{
	const struct model_type *types = load->worker->types.items;
	size_t limit = load->worker->types.count;

	while (limit-- > 0 && (types[slot].kind == TYPE_TYPEDEF || types[slot].kind == TYPE_CONST))
		slot = types[slot].type;
	/* A declaration will do: gcc -femit-struct-debug-baseonly has no more. */
	return (types[slot].kind == TYPE_STRUCT || types[slot].kind == TYPE_STRUCT_FORWARD) &&
	       !(types[slot].flags & TYPE_CLASS);
}

uint32_t unit_function_flags(struct unit_load *load, const struct load_function *function)
{
	bool changed = signature_is_changed(load, function);
	struct analysis analysis = {
		.load = load,
		.convention = register_convention_of(load->loader->machine),
		.parameters = load->worker->parameters.items + function->first_parameter,
		.count = function->parameter_count,
		.true_signature = changed && load->loader->options.true_signatures,
	};
	uint32_t flags = changed ? FUNCTION_SIGNATURE_CHANGED : 0;
	bool unexpected = false, by_value = false;

	if (load->is_clang && !changed)
		analyse_unchanged(&analysis);
	else
		analyse_changed(&analysis);
	for (uint32_t i = 0; i < analysis.count; i++) {
		const struct load_parameter *p = &analysis.parameters[i];

		if (p->is_optimized || !p->has_location)
			flags |= FUNCTION_OPTIMIZED_PARAMETERS;
		unexpected |= p->is_unexpected;
		by_value |= is_struct_by_value(load, p->type);
	}
	if (unexpected && !by_value)
		flags |= FUNCTION_UNEXPECTED_REGISTER;
	if (function->is_reordered)
		flags |= FUNCTION_REORDERED;
	return flags;
}
