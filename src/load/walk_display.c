/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What is different when types are for people to read, not for BTF.
 *
 * Nothing is expressed by something else that BTF has: references, pointers to members, atomic and unspecified
 * types are kinds of their own, base types keep size and name, base classes are members without a name.
 *
 * What is collected tells types apart; the few that are shown are then read again with all they say. So the name of a type in
 * a namespace, a class or a function stands for it there: in C++ half of all names would have several
 * definitions otherwise. And what items of some kinds mean is nobody else's business: of an array, its dimensions but the
 * first, of a vector all, marked; of a pointer to a member, its class.
 */
#include "load/walk_internal.h"

void display_base_type(struct model_type *type, uint64_t encoding)
{
	switch (encoding) {
	case DW_ATE_float:
	case DW_ATE_complex_float:
	case DW_ATE_imaginary_float:
	case DW_ATE_decimal_float:
		type->kind = TYPE_FLOAT;
		break;
	case DW_ATE_boolean:
		type->kind = TYPE_INT;
		type->flags = TYPE_BOOL;
		break;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		type->kind = TYPE_INT;
		type->flags = TYPE_SIGNED;
		break;
	default:
		type->kind = TYPE_INT;
	}
}

/* Plans have no room for the class. The size, where it is not said, is settled with those of member pointers in general. */
static void add_member_pointer(struct unit_load *load, const struct die_values *values,
			       struct model_type *type)
{
	uint32_t *place = vector_push(&load->worker->member_pointer_slots);

	if (place == NULL) {
		walk_no_memory(load);
		return;
	}
	*place = (uint32_t)load->worker->types.count;
	type->kind = TYPE_MEMBER_POINTER;
	type->first_item = (uint32_t)load->worker->items.count;
	type->item_count = 1;
	push_item(load, 0,
		  values_have(values, ATTR_CONTAINING_TYPE) ?
			  load_reference(load, &values->values[ATTR_CONTAINING_TYPE]) :
			  0,
		  0);
}

void walk_display_type(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { 0 };
	uint32_t entity = enter(load, offset);
	struct die_values values;

	die_reader_details(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
	type.size = (uint32_t)load_number(&values, ATTR_BYTE_SIZE);
	type.type = value_type(load, &values);
	switch (plan->tag) {
	case DW_TAG_reference_type:
		type.kind = TYPE_REFERENCE;
		break;
	case DW_TAG_rvalue_reference_type:
		type.kind = TYPE_RVALUE_REFERENCE;
		break;
	case DW_TAG_atomic_type:
		type.kind = TYPE_ATOMIC;
		break;
	case DW_TAG_ptr_to_member_type:
		add_member_pointer(load, &values, &type);
		break;
	case DW_TAG_string_type:
		type.kind = TYPE_STRING;
		break;
	default:
		type.kind = TYPE_UNSPECIFIED;
		type.name = value_name(load, &values);
	}
	if (load->reader.fault)
		return;
	if (type.kind == TYPE_UNSPECIFIED && type.name == 0)
		finish_alias(load, entity, 0); /* void */
	else
		finish_type(load, entity, &type);
}

/* ---- Scopes ---- */

void walk_close_scope(struct unit_load *load, uint32_t first_slot, uint32_t name, uint32_t kind)
{
	struct load_worker *worker = load->worker;
	struct type_scope *scope;

	if (!load->loader->options.display || first_slot == worker->types.count)
		return;
	scope = vector_push(&worker->type_scopes);
	if (scope == NULL) {
		walk_no_memory(load);
		return;
	}
	*scope = (struct type_scope){ .first_slot = first_slot,
				      .end_slot = (uint32_t)worker->types.count,
				      .name = name,
				      .kind = kind };
}

/* The number of what stands for a name in a scope; no name of a program starts like that. */
static uint32_t scoped_name(struct unit_load *load, uint32_t scope_identity, uint32_t name)
{
	char text[11] = "\x01";
	uint32_t number;

	for (unsigned i = 0; i < 5; i++) {
		text[1 + i] = (char)(0x80 | (scope_identity >> 7 * i & 0x7f));
		text[6 + i] = (char)(0x80 | (name >> 7 * i & 0x7f));
	}
	number = name_table_intern(load->loader->names, text, sizeof(text));
	load->out_of_memory |= number == UINT32_MAX;
	return number == UINT32_MAX ? 0 : number;
}

static bool is_known_by_name(const struct model_type *type)
{
	const uint32_t kinds = 1u << TYPE_STRUCT | 1u << TYPE_UNION | 1u << TYPE_ENUM |
			       1u << TYPE_TYPEDEF | 1u << TYPE_STRUCT_FORWARD |
			       1u << TYPE_UNION_FORWARD;

	return type->name != 0 && (kinds >> type->kind & 1);
}

/* Outer scopes end after inner ones: those met later here are the inner ones. */
static void place_slots(struct load_worker *worker)
{
	memset(worker->slot_scopes.items, 0, worker->types.count * sizeof(uint32_t));
	for (size_t i = worker->type_scopes.count; i-- > 0;) {
		struct type_scope *scope = &worker->type_scopes.items[i];

		scope->parent = worker->slot_scopes.items[scope->first_slot];
		for (uint32_t slot = scope->first_slot; slot < scope->end_slot; slot++)
			worker->slot_scopes.items[slot] = (uint32_t)i + 1;
	}
}

void display_settle_scopes(struct unit_load *load)
{
	struct load_worker *worker = load->worker;

	if (!vector_reserve(&worker->slot_scopes, worker->types.count)) {
		load->out_of_memory = true;
		return;
	}
	worker->slot_scopes.count = worker->types.count;
	place_slots(worker);
	for (size_t i = worker->type_scopes.count; i-- > 0;) {
		struct type_scope *scope = &worker->type_scopes.items[i];
		uint32_t outer =
			scope->parent ? worker->type_scopes.items[scope->parent - 1].identity : 0;

		scope->name = load_settled_name(load, scope->name);
		scope->identity = scoped_name(load, outer, scope->name);
	}
	for (size_t slot = 1; slot < worker->types.count; slot++) {
		struct model_type *type = &worker->types.items[slot];
		uint32_t scope = worker->slot_scopes.items[slot];

		if (scope != 0 && is_known_by_name(type))
			type->name = scoped_name(load,
						 worker->type_scopes.items[scope - 1].identity,
						 load_settled_name(load, type->name));
	}
}

/* ---- Functions ---- */

/* What tells a function's descriptions apart besides its prototype. */
enum { DESCRIBES_DECLARATION = 1, DESCRIBES_INLINE = 2 };

/* Items: the parameters; for code, its address. A type without a name, for a function without, keeps the others' places. */
static bool add_function(struct unit_load *load, const struct load_function *function)
{
	struct load_worker *worker = load->worker;
	struct model_type *type = vector_push(&worker->types);
	const struct load_parameter *parameters =
		worker->parameters.items + function->first_parameter;
	size_t count = function->parameter_count + function->is_variadic + (function->low_pc != 0);

	if (type == NULL || !vector_reserve(&worker->items, worker->items.count + count))
		return false;
	*type = (struct model_type){ .kind = TYPE_VOID };
	if (function->name == 0)
		return true;
	*type = (struct model_type){
		.kind = TYPE_FUNCTION,
		.name = function->name,
		.type = unit_type_slot(load, function->type),
		.size = (function->is_declaration ? DESCRIBES_DECLARATION : 0) |
			(function->is_inline ? DESCRIBES_INLINE : 0),
		.first_item = (uint32_t)worker->items.count,
		.item_count = (uint32_t)count,
	};
	for (uint32_t i = 0; i < function->parameter_count; i++)
		push_item(load, parameters[i].name, parameters[i].type, 0);
	if (function->is_variadic)
		push_item(load, 0, 0, 0);
	if (function->low_pc != 0)
		push_item(load, 0, 0, function->low_pc);
	return true;
}

void display_add_functions(struct unit_load *load)
{
	struct load_worker *worker = load->worker;

	worker->first_function_slot = (uint32_t)worker->types.count;
	for (size_t i = 0; i < worker->functions.count; i++) {
		if (!add_function(load, &worker->functions.items[i])) {
			load->out_of_memory = true;
			return;
		}
	}
}
