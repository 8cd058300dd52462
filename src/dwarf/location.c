/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "dwarf/location.h"

#include "dwarf/constants.h"

static bool is_register_op(unsigned code)
{
	return code >= DW_OP_reg0 && code <= DW_OP_reg31;
}

/* DW_OP_entry_value: a block that holds an expression; of interest if that is one register. */
static uint64_t read_entry_value(struct byte_reader *bytes)
{
	uint64_t size = byte_reader_uleb128(bytes);
	const uint8_t *block = byte_reader_bytes(bytes, size);
	struct byte_reader inner;
	uint64_t number;

	if (block == NULL || size == 0)
		return 0;
	if (size == 1 && is_register_op(block[0]))
		return block[0] - DW_OP_reg0 + UINT64_C(1);
	if (block[0] != DW_OP_regx)
		return 0;
	inner = byte_reader_over(block + 1, size - 1, bytes->swap);
	number = byte_reader_uleb128(&inner);
	return inner.fault || byte_reader_left(&inner) ? 0 : number + 1;
}

static uint64_t skip_block(struct byte_reader *bytes, uint64_t size)
{
	(void)byte_reader_bytes(bytes, size);
	return size;
}

/* Operand sizes: DWARF 5, 7.7.1. Returns the first operand. */
static uint64_t read_operands(struct byte_reader *bytes, const struct plan_context *context,
			      unsigned code, bool *known)
{
	uint64_t number;

	if (code >= DW_OP_breg0 && code <= DW_OP_breg31)
		return (uint64_t)byte_reader_sleb128(bytes);
	switch (code) {
	case DW_OP_addr:
		return byte_reader_unsigned(bytes, context->address_size);
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_pick:
	case DW_OP_deref_size:
	case DW_OP_xderef_size:
		return byte_reader_u8(bytes);
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_bra:
	case DW_OP_skip:
	case DW_OP_call2:
		return byte_reader_u16(bytes);
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_call4:
	case DW_OP_GNU_parameter_ref:
		return byte_reader_u32(bytes);
	case DW_OP_const8u:
	case DW_OP_const8s:
		return byte_reader_u64(bytes);
	case DW_OP_constu:
	case DW_OP_plus_uconst:
	case DW_OP_regx:
	case DW_OP_piece:
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_convert:
	case DW_OP_GNU_reinterpret:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		return byte_reader_uleb128(bytes);
	case DW_OP_consts:
	case DW_OP_fbreg:
		return (uint64_t)byte_reader_sleb128(bytes);
	case DW_OP_bregx:
		number = byte_reader_uleb128(bytes);
		(void)byte_reader_sleb128(bytes);
		return number;
	case DW_OP_bit_piece:
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
		number = byte_reader_uleb128(bytes);
		(void)byte_reader_uleb128(bytes);
		return number;
	case DW_OP_deref_type:
	case DW_OP_xderef_type:
	case DW_OP_GNU_deref_type:
		number = byte_reader_u8(bytes);
		(void)byte_reader_uleb128(bytes);
		return number;
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		number = byte_reader_uleb128(bytes);
		skip_block(bytes, byte_reader_u8(bytes));
		return number;
	case DW_OP_implicit_value:
		return skip_block(bytes, byte_reader_uleb128(bytes));
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return read_entry_value(bytes);
	case DW_OP_call_ref:
	case DW_OP_GNU_variable_value:
		return byte_reader_unsigned(bytes, context->version == 2 ? context->address_size :
									   context->offset_size);
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		number = byte_reader_unsigned(bytes, context->version == 2 ? context->address_size :
									     context->offset_size);
		(void)byte_reader_sleb128(bytes);
		return number;
	default:
		/* 0x06, 0x12 .. 0x4f, 0x96 .. 0x9f: no operands; anything else is unknown */
		*known = code == DW_OP_deref || (code >= 0x12 && code <= DW_OP_lit31) ||
			 is_register_op(code) || (code >= 0x96 && code <= DW_OP_stack_value) ||
			 code == 0xe0 || code == 0xf0;
		return 0;
	}
}

bool location_next_op(struct byte_reader *bytes, const struct plan_context *context,
		      struct location_op *op)
{
	bool known = true;

	if (bytes->position == bytes->end)
		return false;
	op->code = byte_reader_u8(bytes);
	op->number = read_operands(bytes, context, op->code, &known);
	if (!known)
		byte_reader_fail(bytes, bytes->position, READER_TRUNCATED);
	return bytes->fault == READER_OK;
}

int location_read(const uint8_t *data, size_t size, const struct plan_context *context,
		  struct location_op ops[LOCATION_OPS_MAX])
{
	struct byte_reader bytes = byte_reader_over(data, size, context->swap);
	struct location_op op;
	int count = 0;

	while (location_next_op(&bytes, context, &op)) {
		if (count < LOCATION_OPS_MAX)
			ops[count] = op;
		count++;
	}
	return bytes.fault ? -1 : count;
}

/* DWARF 4, 2.6.2: pairs of addresses, a two-byte size, the expression; (0, 0) ends it. */
static bool old_list_next(struct byte_reader *list, uint8_t address_size, const uint8_t **data,
			  size_t *size)
{
	uint64_t base_selector = address_size == 8 ? UINT64_MAX :
				 address_size == 4 ? UINT32_MAX :
						     UINT16_MAX;

	while (!list->fault) {
		uint64_t begin = byte_reader_unsigned(list, address_size);
		uint64_t end = byte_reader_unsigned(list, address_size);

		if (list->fault || (begin == 0 && end == 0))
			return false;
		if (begin == base_selector)
			continue;
		*size = byte_reader_u16(list);
		*data = byte_reader_bytes(list, *size);
		return list->fault == READER_OK;
	}
	return false;
}

/* DWARF 5, 7.7.3 */
static bool new_list_next(struct byte_reader *list, uint8_t address_size, const uint8_t **data,
			  size_t *size)
{
	for (;;) {
		uint8_t kind = byte_reader_u8(list);

		switch (kind) {
		case DW_LLE_base_addressx:
			(void)byte_reader_uleb128(list);
			continue;
		case DW_LLE_base_address:
			(void)byte_reader_bytes(list, address_size);
			continue;
		case DW_LLE_GNU_view_pair:
			(void)byte_reader_uleb128(list);
			(void)byte_reader_uleb128(list);
			continue;
		case DW_LLE_startx_endx:
		case DW_LLE_startx_length:
		case DW_LLE_offset_pair:
			(void)byte_reader_uleb128(list);
			(void)byte_reader_uleb128(list);
			break;
		case DW_LLE_default_location:
			break;
		case DW_LLE_start_end:
			(void)byte_reader_bytes(list, UINT64_C(2) * address_size);
			break;
		case DW_LLE_start_length:
			(void)byte_reader_bytes(list, address_size);
			(void)byte_reader_uleb128(list);
			break;
		default: /* DW_LLE_end_of_list, a fault, or nothing known */
			return false;
		}
		*size = byte_reader_uleb128(list);
		*data = byte_reader_bytes(list, *size);
		return list->fault == READER_OK;
	}
}

/* Like the later form, with some sizes fixed. */
static bool gnu_list_next(struct byte_reader *list, const uint8_t **data, size_t *size)
{
	for (;;) {
		switch (byte_reader_u8(list)) {
		case DW_LLE_GNU_base_address_selection_entry:
			(void)byte_reader_uleb128(list);
			continue;
		case DW_LLE_GNU_start_end_entry:
			(void)byte_reader_uleb128(list);
			(void)byte_reader_uleb128(list);
			break;
		case DW_LLE_GNU_start_length_entry:
			(void)byte_reader_uleb128(list);
			(void)byte_reader_u32(list);
			break;
		default: /* DW_LLE_GNU_end_of_list_entry, a fault, or nothing known */
			return false;
		}
		*size = byte_reader_u16(list);
		*data = byte_reader_bytes(list, *size);
		return list->fault == READER_OK;
	}
}

bool location_list_next(struct byte_reader *list, enum location_list_form form,
			uint8_t address_size, const uint8_t **data, size_t *size)
{
	switch (form) {
	case LOCATION_LIST_PAIRS:
		return old_list_next(list, address_size, data, size);
	case LOCATION_LIST_ENTRIES:
		return new_list_next(list, address_size, data, size);
	case LOCATION_LIST_GNU_ENTRIES:
		return gnu_list_next(list, data, size);
	}
	return false;
}
