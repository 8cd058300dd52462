/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One pass over a unit's DIEs: which way each goes. Types of the usual layouts are met here, the rest in the
 * other files of the walk.
 */
#include "load/walk_internal.h"

static inline enum type_kind leaf_kind(unsigned tag)
{
	switch (tag) {
	case DW_TAG_typedef:
		return TYPE_TYPEDEF;
	case DW_TAG_structure_type:
		return TYPE_STRUCT_FORWARD;
	case DW_TAG_union_type:
		return TYPE_UNION_FORWARD;
	default:
		return modifier_kind(tag);
	}
}

/*
 * The run of leaves at the position: pointers, qualifiers, typedefs and forward declarations as compilers write them. As in walk_run, the
 * caller meets anything unusual.
 */
static inline __attribute__((always_inline)) void walk_leaf_run(struct unit_load *load, bool swap)
{
	struct load_worker *worker = load->worker;
	const struct fast_view view = fast_view_of(load);
	const uint8_t *position = load->reader.position, *bytes = load->reader.bytes;
	uint32_t count = 0;

	for (;; count++) {
		uint32_t offset = (uint32_t)(position - bytes) + view.delta;
		const uint8_t *base = position, *name_start;
		const struct fast_plan *plan = peek_fast(&view, &base, &name_start, FAST_LEAF);
		struct model_type type = { 0 };
		uint32_t entity;

		if (plan == NULL)
			break;
		type.kind = (uint8_t)leaf_kind(plan->tag);
		if (type.kind == TYPE_TYPEDEF || type.kind == TYPE_STRUCT_FORWARD ||
		    type.kind == TYPE_UNION_FORWARD) {
			type.name = fast_name(load, &view, plan, name_start, base, swap);
			if (type.name == 0)
				break;
		}
		type.type = fast_reference(&view, plan, base, swap);
		entity = die_index_enter(&worker->index, offset);
		if (entity == UINT32_MAX ||
		    !vector_reserve(&worker->types, worker->types.count + 1)) {
			walk_no_memory(load);
			break;
		}
		die_index_set(&worker->index, entity, ENTITY_TYPE, (uint32_t)worker->types.count);
		worker->types.items[worker->types.count++] = type;
		position = base + plan->size;
	}
	load->reader.die_count += count;
	if (load->reader.fault == DIE_OK)
		load->reader.position = position;
}

static void walk_leaves(struct unit_load *load)
{
	if (load->reader.context.swap)
		walk_leaf_run(load, true);
	else
		walk_leaf_run(load, false);
}

static void walk_namespace(struct unit_load *load, const struct die_plan *plan, unsigned depth)
{
	uint32_t first_slot = (uint32_t)load->worker->types.count;
	struct die_values values;

	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault || !plan->has_children)
		return;
	walk_scope(load, IN_NAMESPACE, depth);
	if (load->loader->options.display)
		walk_close_scope(load, first_slot, value_name(load, &values), SCOPE_NAMESPACE);
}

void walk_die(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
	      enum place place, unsigned depth)
{
	if (walk_too_deep(load, depth))
		return;
	switch (plan->tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
		walk_modifier(load, plan, offset);
		break;
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		if (load->loader->options.display)
			walk_display_type(load, plan, offset);
		else
			walk_modifier(load, plan, offset);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		walk_struct(load, plan, offset, depth + 1);
		break;
	case DW_TAG_subroutine_type:
		walk_function_type(load, plan, offset, depth + 1);
		break;
	case DW_TAG_typedef:
		walk_typedef(load, plan, offset);
		break;
	case DW_TAG_array_type:
		walk_array(load, plan, offset, depth + 1);
		break;
	case DW_TAG_enumeration_type:
		walk_enum(load, plan, offset, depth + 1);
		break;
	case DW_TAG_base_type:
		walk_base_type(load, plan, offset);
		break;
	case DW_TAG_subprogram:
		walk_subprogram(load, plan, offset, depth + 1);
		break;
	case DW_TAG_variable:
		if (place == IN_BODY)
			die_reader_skip_tree(&load->reader, plan);
		else
			walk_variable(load, plan, offset, place == IN_UNIT);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
		die_reader_skip(&load->reader, plan);
		if (plan->has_children)
			walk_scope(load, IN_BODY, depth + 1);
		break;
	case DW_TAG_namespace:
	case DW_TAG_module:
		walk_namespace(load, plan, depth + 1);
		break;
	case DW_TAG_unspecified_type:
		if (load->loader->options.display)
			walk_display_type(load, plan, offset);
		else
			walk_unspecified(load, plan, offset);
		break;
	case DW_TAG_atomic_type:
		if (load->loader->options.display)
			walk_display_type(load, plan, offset);
		else
			walk_transparent(load, plan, offset);
		break;
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
	case DW_TAG_immutable_type:
	case DW_TAG_subrange_type:
		walk_transparent(load, plan, offset);
		break;
	case DW_TAG_ptr_to_member_type:
	case DW_TAG_string_type:
		if (load->loader->options.display)
			walk_display_type(load, plan, offset);
		else
			walk_opaque(load, plan, offset);
		break;
	case DW_TAG_set_type:
		walk_opaque(load, plan, offset);
		break;
	default:
		die_reader_skip_tree(&load->reader, plan);
	}
}

/* What the short way through a type has at hand. */
struct fast_type {
	struct unit_load *load;
	const struct fast_view *view;
	const struct fast_plan *plan;
	struct model_type type;
	uint32_t entity;
	unsigned depth;
};

/* A struct or union whose own attributes, and mostly its members too, go the short way. */
static inline __attribute__((always_inline)) void walk_fast_struct(struct fast_type *fast,
								   bool swap)
{
	struct unit_load *load = fast->load;
	struct load_worker *worker = load->worker;
	struct open_struct open = { .items = items_begin(load),
				    .first_tag = worker->open_tags.count,
				    .first_bitfield = worker->bitfields.count };

	fast->type.kind = fast->plan->tag == DW_TAG_union_type ? TYPE_UNION : TYPE_STRUCT;
	fast->type.type = 0;
	if (fast->plan->has_children) {
		open.component = (int32_t)walk_run(load, fast->view, FAST_MEMBER, swap);
		if (pass_null(load)) {
			if (load->language != DW_LANG_Rust) {
				items_close(load, &open.items, &fast->type);
				finish_type(load, fast->entity, &fast->type);
				return;
			}
		} else {
			walk_struct_children(load, &open, fast->depth);
		}
	}
	if (load->reader.fault == DIE_OK)
		close_struct(load, &open, fast->entity, &fast->type, NULL);
}

static inline __attribute__((always_inline)) void walk_fast_function(struct fast_type *fast,
								     bool swap)
{
	struct unit_load *load = fast->load;
	struct open_items open = items_begin(load);

	if (fast->plan->has_children) {
		walk_run(load, fast->view, FAST_PARAMETER, swap);
		if (!pass_null(load)) {
			walk_function_type_children(load, &fast->type, fast->entity, &open,
						    fast->depth);
			return;
		}
	}
	fast->type.kind = TYPE_FUNCTION;
	fast->type.name = 0;
	fast->type.size = 0;
	items_close(load, &open, &fast->type);
	if (load->reader.fault == DIE_OK)
		finish_type(load, fast->entity, &fast->type);
}

static inline __attribute__((always_inline)) void walk_fast_array(struct fast_type *fast, bool swap)
{
	struct unit_load *load = fast->load;
	const uint8_t *base = load->reader.position, *name_start;
	const struct fast_plan *child;
	struct open_array array = { .elements = 1 };

	fast->type.kind = TYPE_ARRAY;
	fast->type.name = 0;
	if (fast->plan->has_children &&
	    (child = peek_fast(fast->view, &base, &name_start, FAST_SUBRANGE)) != NULL) {
		array.elements = fast_value(child, base, swap) + 1;
		array.dimension_count = 1;
		load->reader.position = base + child->size;
		load->reader.die_count++;
	}
	if (fast->plan->has_children && !pass_null(load)) {
		walk_array_children(load, &fast->type, fast->entity, &array, fast->depth);
		return;
	}
	load->has_arrays = true;
	fast->type.size = array.elements;
	finish_type(load, fast->entity, &fast->type);
}

static inline __attribute__((always_inline)) bool walk_fast_type_in(struct unit_load *load,
								    unsigned depth, bool swap)
{
	const struct fast_view view = fast_view_of(load);
	const uint8_t *position = load->reader.position, *base = position, *name_start;
	const struct fast_plan *plan = peek_fast(&view, &base, &name_start, FAST_NONE);
	struct fast_type fast = { .load = load, .view = &view, .plan = plan, .depth = depth };

	if (plan == NULL || plan->kind < FAST_STRUCT || plan->kind > FAST_ARRAY)
		return false;
	fast.entity = enter(load, (uint32_t)(position - load->reader.bytes));
	if (fast.entity == UINT32_MAX)
		return true;
	fast.type.name = fast_name(load, &view, plan, name_start, base, swap);
	fast.type.type = fast_reference(&view, plan, base, swap);
	fast.type.size = fast_value(plan, base, swap);
	if (load->reader.fault)
		return true;
	load->reader.position = base + plan->size;
	load->reader.die_count++;
	if (plan->kind == FAST_STRUCT)
		walk_fast_struct(&fast, swap);
	else if (plan->kind == FAST_FUNCTION)
		walk_fast_function(&fast, swap);
	else
		walk_fast_array(&fast, swap);
	return true;
}

/*
 * The type at the position if it is a struct, union, function type or array of the usual layout, with all
 * below it. False leaves the position: the long way deals with it.
 */
static bool walk_fast_type(struct unit_load *load, unsigned depth)
{
	return load->reader.context.swap ? walk_fast_type_in(load, depth, true) :
					   walk_fast_type_in(load, depth, false);
}

/*
 * The DIEs at the position that a function's body is mostly made of: variables, calls, blocks, inlined functions. Nothing in
 * them is wanted but what their children may hold. *level is how many lists of children are open; the walk stops when the
 * last is closed (false) or at something else (true).
 */
static bool pass_body(struct unit_load *load, uint32_t *level)
{
	const struct fast_view view = fast_view_of(load);
	const uint8_t *position = load->reader.position;
	uint32_t count = 0;

	while (position < view.end) {
		const uint8_t *base = position;
		const struct fast_plan *plan;
		uint32_t code = *base++;

		if (code == 0) {
			position = base;
			if (--*level == 0)
				break;
			continue;
		}
		/* Longer codes are beyond every table by code: the long way reads them. */
		if (code >= 0x80)
			code = *base < 0x80 ? (code & 0x7f) | (uint32_t)*base++ << 7 : UINT32_MAX;
		if (code >= view.plan_count)
			break;
		plan = &view.plans[code];
		if (plan->body == BODY_OTHER || view.end - base < plan->body_size)
			break;
		position = base + plan->body_size;
		*level += plan->body == BODY_ENTER;
		count++;
	}
	load->reader.position = position;
	load->reader.die_count += count;
	return *level != 0 && position < view.end;
}

/* The rest of a body, up to the null entry that ends it. */
static void walk_body(struct unit_load *load, unsigned depth)
{
	uint32_t level = 1;

	while (pass_body(load, &level)) {
		uint32_t offset = (uint32_t)die_reader_offset(&load->reader);
		const struct die_plan *plan;

		if (walk_fast_type(load, depth + 1))
			continue;
		plan = die_reader_next(&load->reader);
		if (plan == NULL) {
			/* A fault, or a null entry of more than one byte. */
			if (--level == 0)
				return;
			continue;
		}
		if (plan->has_children &&
		    (plan->tag == DW_TAG_lexical_block || plan->tag == DW_TAG_inlined_subroutine)) {
			die_reader_skip(&load->reader, plan);
			level++;
		} else {
			walk_die(load, plan, offset, IN_BODY, depth);
		}
	}
}

void walk_scope(struct unit_load *load, enum place place, unsigned depth)
{
	const struct die_plan *plan;

	if (walk_too_deep(load, depth))
		return;
	if (place == IN_BODY) {
		walk_body(load, depth);
		return;
	}
	for (;;) {
		uint32_t offset;

		walk_leaves(load);
		if (walk_fast_type(load, depth + 1))
			continue;
		offset = (uint32_t)die_reader_offset(&load->reader);
		plan = die_reader_next(&load->reader);
		if (plan != NULL)
			walk_die(load, plan, offset, place, depth);
		else if (place != IN_UNIT || load->reader.position >= load->reader.end)
			return; /* null entries after the unit's children are padding */
	}
}

void unit_walk(struct unit_load *load)
{
	walk_scope(load, IN_UNIT, 1);
}
