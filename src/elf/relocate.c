/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Relocation of one loaded section of an ET_REL file. In RELA form the file holds zeros
 * where an offset or an address belongs: unrelocated debug information looks plausible and
 * is wrong throughout. So whatever cannot be applied is an error.
 *
 * A kernel has a thousand modules with a quarter of a million relocations each in the large
 * ones. The records are streamed through a buffer that stays in the cache; symbol addresses are
 * computed once per file; the loop over records is compiled for the common form (64 bits, host
 * byte order, RELA) and once more for all others.
 * gABI chapter 4, "Relocation".
 */
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/elf_internal.h"
#include "elf/endian_bytes.h"
#include "elf/relocation_tables.h"

enum relocation_fault {
	RELOCATION_FINE,
	RELOCATION_BAD_OFFSET,
	RELOCATION_BAD_SYMBOL,
	RELOCATION_BAD_TYPE,
	RELOCATION_BAD_FIELD, /* LEB128 that does not end */
};

/* The form of the records of one relocation section. */
struct relocation_form {
	bool is_64bit;
	bool is_big_endian;
	bool has_addend;    /* SHT_RELA; else the addend is in the field */
	bool is_mips64;     /* several types in a record, and an order of its own */
	uint32_t type_mask; /* SPARC V9 has data above the 8 bits of the type */
	size_t record_size;
};

struct relocation {
	uint64_t offset;
	uint64_t addend; /* 0 if in the field */
	uint32_t symbol;
	uint32_t type;
	/* MIPS64 only */
	uint8_t second_type;
	uint8_t third_type;
	uint8_t second_symbol;
};

struct relocation_job {
	struct elf_file *file;
	uint32_t target;
	uint8_t *data;
	uint64_t size;
	uint64_t address; /* of the target section */
	const struct relocation_machine *machine;
	const struct symbol_addresses *symbols;
	uint64_t difference; /* see RELOCATION_DIFFERENCE */
	struct relocation failed;
	uint8_t operations[RELOCATION_TYPE_LIMIT]; /* by type */
};

static inline bool fits(const struct relocation_job *job, uint64_t offset, unsigned width)
{
	return offset <= job->size && job->size - offset >= width;
}

/* A field of 1, 2, 3, 4 or 8 bytes. */
static uint64_t load_field(const uint8_t *field, unsigned width, bool big)
{
	switch (width) {
	case 1:
		return field[0];
	case 2:
		return load_u16(field, big);
	case 3:
		if (big)
			return (uint32_t)field[0] << 16 | load_u16(field + 1, true);
		return (uint32_t)field[2] << 16 | load_u16(field, false);
	case 4:
		return load_u32(field, big);
	default:
		return load_u64(field, big);
	}
}

static void store_field(uint8_t *field, unsigned width, uint64_t value, bool big)
{
	switch (width) {
	case 1:
		field[0] = (uint8_t)value;
		break;
	case 2:
		store_u16(field, (uint16_t)value, big);
		break;
	case 3:
		field[big ? 0 : 2] = (uint8_t)(value >> 16);
		store_u16(field + (big ? 1 : 0), (uint16_t)value, big);
		break;
	case 4:
		store_u32(field, (uint32_t)value, big);
		break;
	default:
		store_u64(field, value, big);
	}
}

/*
 * Replaces a LEB128 by one of the same length. Sums wrap at that length, so that a SET whose
 * value is too large is repaired by the SUBTRACT that follows it.
 */
static enum relocation_fault relocate_uleb128(struct relocation_job *job, uint64_t offset,
					      enum relocation_kind kind, uint64_t operand)
{
	uint8_t *field = job->data + offset;
	uint64_t available = job->size - offset;
	uint64_t value = 0;
	unsigned length = 0;

	do {
		/* Ten bytes hold 64 bits. */
		if (length == available || length == 10)
			return RELOCATION_BAD_FIELD;
		value |= (uint64_t)(field[length] & 0x7f) << (7 * length);
	} while (field[length++] & 0x80);

	if (kind == RELOCATION_SET_ULEB128) {
		value = operand - job->difference;
		job->difference = 0;
	} else {
		value = kind == RELOCATION_ADD_ULEB128 ? value + operand : value - operand;
	}
	for (unsigned i = 0; i < length; i++) {
		field[i] = (uint8_t)((value & 0x7f) | (i + 1 < length ? 0x80 : 0));
		value >>= 7;
	}
	return RELOCATION_FINE;
}

static uint8_t replace_low_6(uint8_t old, uint64_t value)
{
	return (uint8_t)((old & 0xc0) | (value & 0x3f));
}

/* All operations; `value` is S + A where A is that of the record. */
static enum relocation_fault apply_any(struct relocation_job *job, const struct relocation *record,
				       uint8_t operation, uint64_t value, bool has_addend, bool big)
{
	enum relocation_kind kind = relocation_operation_kind(operation);
	unsigned width = relocation_operation_width(operation);
	struct elf_symbol symbol;
	uint8_t *field;
	uint64_t old;

	if (!fits(job, record->offset, width))
		return RELOCATION_BAD_OFFSET;
	field = job->data + record->offset;
	old = width ? load_field(field, width, big) : 0;
	switch (kind) {
	case RELOCATION_UNKNOWN:
		return RELOCATION_BAD_TYPE;
	case RELOCATION_NONE:
		return RELOCATION_FINE;
	case RELOCATION_ABSOLUTE:
		value += has_addend ? 0 : old;
		break;
	case RELOCATION_RELATIVE:
		value += (has_addend ? 0 : old) - (job->address + record->offset);
		break;
	case RELOCATION_SIZE:
		symbol.size = 0;
		if (record->symbol < job->symbols->table.count)
			elf_symbol_table_get(&job->symbols->table, record->symbol, &symbol);
		value = symbol.size + (has_addend ? record->addend : old);
		break;
	case RELOCATION_NEGATE:
		value -= 2 * record->addend;
		value -= has_addend ? 0 : old;
		break;
	case RELOCATION_ADD:
		value += old;
		break;
	case RELOCATION_SUBTRACT:
		value = old - value;
		break;
	case RELOCATION_DIFFERENCE:
		job->difference = value;
		return RELOCATION_FINE;
	case RELOCATION_MINUEND:
		value += (has_addend ? 0 : old) - job->difference;
		job->difference = 0;
		break;
	case RELOCATION_SET_6:
		value = replace_low_6(field[0], value);
		break;
	case RELOCATION_SUBTRACT_6:
		value = replace_low_6(field[0], old - value);
		break;
	case RELOCATION_ADD_6:
		value = replace_low_6(field[0], old + value);
		break;
	case RELOCATION_SET_ULEB128:
	case RELOCATION_ADD_ULEB128:
	case RELOCATION_SUBTRACT_ULEB128:
		return relocate_uleb128(job, record->offset, kind, value);
	}
	store_field(field, width, value, big);
	return RELOCATION_FINE;
}

/* The two operations that nearly all relocations of debug information are, then the rest. */
static inline enum relocation_fault
apply(struct relocation_job *job, const struct relocation *record, bool has_addend, bool big)
{
	uint64_t value;
	uint8_t operation;

	if (record->type >= RELOCATION_TYPE_LIMIT)
		return RELOCATION_BAD_TYPE;
	if (record->symbol >= job->symbols->count)
		return RELOCATION_BAD_SYMBOL;
	operation = job->operations[record->type];
	value = job->symbols->values[record->symbol] + record->addend;
	if (operation == RELOCATION_OPERATION(RELOCATION_ABSOLUTE, 4)) {
		if (!fits(job, record->offset, 4))
			return RELOCATION_BAD_OFFSET;
		if (!has_addend)
			value += load_u32(job->data + record->offset, big);
		store_u32(job->data + record->offset, (uint32_t)value, big);
		return RELOCATION_FINE;
	}
	if (operation == RELOCATION_OPERATION(RELOCATION_ABSOLUTE, 8)) {
		if (!fits(job, record->offset, 8))
			return RELOCATION_BAD_OFFSET;
		if (!has_addend)
			value += load_u64(job->data + record->offset, big);
		store_u64(job->data + record->offset, value, big);
		return RELOCATION_FINE;
	}
	return apply_any(job, record, operation, value, has_addend, big);
}

/*
 * One MIPS64 record with up to three types: the result of each is the addend of the next, only the
 * last one stores. The second operation has a special symbol of which only "none" occurs
 * in data, the third has none.
 */
static enum relocation_fault apply_composite(struct relocation_job *job,
					     const struct relocation *record, bool has_addend,
					     bool big)
{
	const uint8_t types[3] = { (uint8_t)record->type, record->second_type, record->third_type };
	struct relocation step = *record;
	uint64_t value = 0;
	unsigned width = 0;

	if (record->second_symbol != 0 || record->type == R_MIPS_NONE)
		return RELOCATION_BAD_TYPE;
	for (int i = 0; i < 3 && types[i] != R_MIPS_NONE; i++) {
		uint8_t operation = job->operations[types[i]];
		uint64_t symbol = i == 0 ? job->symbols->values[record->symbol] : 0;

		width = relocation_operation_width(operation);
		if (i == 0 && !fits(job, record->offset, width))
			return RELOCATION_BAD_OFFSET;
		if (i == 0 && !has_addend)
			step.addend = load_field(job->data + record->offset, width, big);
		switch (relocation_operation_kind(operation)) {
		case RELOCATION_ABSOLUTE:
			value = symbol + step.addend;
			break;
		case RELOCATION_RELATIVE:
			value = symbol + step.addend - (job->address + record->offset);
			break;
		case RELOCATION_NEGATE:
			value = symbol - step.addend;
			break;
		default:
			return RELOCATION_BAD_TYPE;
		}
		step.addend = value;
	}
	if (!fits(job, record->offset, width))
		return RELOCATION_BAD_OFFSET;
	store_field(job->data + record->offset, width, value, big);
	return RELOCATION_FINE;
}

static inline void decode(const uint8_t *bytes, const struct relocation_form *form,
			  struct relocation *record)
{
	bool big = form->is_big_endian;

	if (form->is_64bit) {
		uint64_t info = load_u64(bytes + offsetof(Elf64_Rela, r_info), big);

		record->offset = load_u64(bytes, big);
		record->symbol = (uint32_t)(info >> 32);
		record->type = (uint32_t)info & form->type_mask;
		record->addend = form->has_addend ?
					 load_u64(bytes + offsetof(Elf64_Rela, r_addend), big) :
					 0;
	} else {
		uint32_t info = load_u32(bytes + offsetof(Elf32_Rela, r_info), big);

		record->offset = load_u32(bytes, big);
		record->symbol = info >> 8;
		record->type = info & 0xff;
		record->addend = form->has_addend ?
					 load_u32(bytes + offsetof(Elf32_Rela, r_addend), big) :
					 0;
	}
}

/* Elf64_Mips_Rela: the symbol in file byte order, then four bytes in the order of the struct. */
static void decode_mips64(const uint8_t *bytes, const struct relocation_form *form,
			  struct relocation *record)
{
	decode(bytes, form, record);
	record->symbol = load_u32(bytes + 8, form->is_big_endian);
	record->second_symbol = bytes[12];
	record->third_type = bytes[13];
	record->second_type = bytes[14];
	record->type = bytes[15];
}

/* Inlined twice: with a constant form the tests of the form vanish. */
static inline __attribute__((always_inline)) enum relocation_fault
apply_records(struct relocation_job *job, const struct relocation_form *form, const uint8_t *bytes,
	      size_t count)
{
	for (size_t i = 0; i < count; i++, bytes += form->record_size) {
		struct relocation record = { 0 };
		enum relocation_fault fault;

		decode(bytes, form, &record);
		fault = apply(job, &record, form->has_addend, form->is_big_endian);
		if (__builtin_expect(fault != RELOCATION_FINE, 0)) {
			job->failed = record;
			return fault;
		}
	}
	return RELOCATION_FINE;
}

static enum relocation_fault apply_mips64_records(struct relocation_job *job,
						  const struct relocation_form *form,
						  const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++, bytes += form->record_size) {
		struct relocation record = { 0 };
		enum relocation_fault fault;

		decode_mips64(bytes, form, &record);
		if (record.second_type == R_MIPS_NONE || record.symbol >= job->symbols->count)
			fault = apply(job, &record, form->has_addend, form->is_big_endian);
		else
			fault = apply_composite(job, &record, form->has_addend,
						form->is_big_endian);
		if (fault != RELOCATION_FINE) {
			job->failed = record;
			return fault;
		}
	}
	return RELOCATION_FINE;
}

static enum relocation_fault apply_chunk(struct relocation_job *job,
					 const struct relocation_form *form, const uint8_t *bytes,
					 size_t count)
{
	static const struct relocation_form common = {
		.is_64bit = true,
		.is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
		.has_addend = true,
		.type_mask = UINT32_MAX,
		.record_size = sizeof(Elf64_Rela),
	};

	if (form->is_mips64)
		return apply_mips64_records(job, form, bytes, count);
	if (form->is_64bit && form->is_big_endian == common.is_big_endian && form->has_addend &&
	    form->type_mask == common.type_mask)
		return apply_records(job, &common, bytes, count);
	return apply_records(job, form, bytes, count);
}

static enum smelt_status fault_error(const struct relocation_job *job, enum relocation_fault fault,
				     uint32_t section, struct smelt_error *error)
{
	const struct relocation *record = &job->failed;
	const char *from = job->file->sections[section].name;

	switch (fault) {
	case RELOCATION_BAD_TYPE:
		if (record->second_type)
			return elf_section_error(job->file, job->target, SMELT_UNSUPPORTED, error,
						 "offset 0x%" PRIx64
						 ": %s relocation types %" PRIu32
						 ", %u, %u are not supported",
						 record->offset, job->machine->name, record->type,
						 record->second_type, record->third_type);
		return elf_section_error(job->file, job->target, SMELT_UNSUPPORTED, error,
					 "offset 0x%" PRIx64 ": %s relocation type %" PRIu32
					 " is not supported",
					 record->offset, job->machine->name, record->type);
	case RELOCATION_BAD_SYMBOL:
		return elf_section_error(job->file, job->target, SMELT_BAD_DATA, error,
					 "offset 0x%" PRIx64
					 ": relocation in %s names symbol %" PRIu32 " of %" PRIu32,
					 record->offset, from, record->symbol, job->symbols->count);
	case RELOCATION_BAD_FIELD:
		return elf_section_error(job->file, job->target, SMELT_BAD_DATA, error,
					 "offset 0x%" PRIx64 ": no LEB128 where %s relocates one",
					 record->offset, from);
	default:
		return elf_section_error(job->file, job->target, SMELT_BAD_DATA, error,
					 "offset 0x%" PRIx64 ": relocation in %s outside of the "
					 "section (size 0x%" PRIx64 ")",
					 record->offset, from, job->size);
	}
}

static enum smelt_status describe_records(const struct elf_file *file, uint32_t section,
					  struct relocation_form *form, struct smelt_error *error)
{
	enum { SPARC_TYPE_MASK = 0xff };
	const struct elf_section *records = &file->sections[section];
	bool is_64bit = file->header.is_64bit;

	if (records->type != SHT_REL && records->type != SHT_RELA)
		return elf_section_error(file, section, SMELT_UNSUPPORTED, error,
					 "compact relocations are not supported");
	*form = (struct relocation_form){
		.is_64bit = is_64bit,
		.is_big_endian = file->header.is_big_endian,
		.has_addend = records->type == SHT_RELA,
		.is_mips64 = is_64bit && file->header.machine == EM_MIPS,
		.type_mask = file->header.machine == EM_SPARCV9 ? SPARC_TYPE_MASK : UINT32_MAX,
	};
	if (form->has_addend)
		form->record_size = is_64bit ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);
	else
		form->record_size = is_64bit ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel);
	if (records->entry_size != form->record_size)
		return elf_section_error(file, section, SMELT_BAD_DATA, error,
					 "relocations of %" PRIu64 " bytes", records->entry_size);
	return elf_section_check_range(file, section, error);
}

/* Applies relocation section `section`. */
static enum smelt_status apply_section(struct relocation_job *job, uint32_t section,
				       struct smelt_error *error)
{
	/* A multiple of all record sizes. */
	enum { CHUNK_BYTES = 1365 * 48 };
	uint8_t chunk[CHUNK_BYTES];
	struct relocation_form form = { 0 };
	enum smelt_status status = describe_records(job->file, section, &form, error);
	uint64_t size;

	if (!status)
		status = elf_file_prepare_symbols(job->file, job->file->sections[section].link,
						  error);
	if (status)
		return status;
	job->symbols = &job->file->symbols;
	size = job->file->sections[section].size;
	for (uint64_t offset = 0; offset < size; offset += CHUNK_BYTES) {
		size_t bytes = size - offset < CHUNK_BYTES ? (size_t)(size - offset) : CHUNK_BYTES;
		enum relocation_fault fault;

		status = elf_section_read(job->file, section, offset, chunk, bytes, error);
		if (status)
			return status;
		fault = apply_chunk(job, &form, chunk, bytes / form.record_size);
		if (fault != RELOCATION_FINE)
			return fault_error(job, fault, section, error);
	}
	return SMELT_OK;
}

enum smelt_status elf_section_relocate(struct elf_file *file, uint32_t index, uint8_t *data,
				       uint64_t size, struct smelt_error *error)
{
	struct relocation_job job = {
		.file = file,
		.target = index,
		.data = data,
		.size = size,
		.address = elf_section_address(file, index),
		.machine = relocation_machine_find(&file->header, file->processor_flags),
	};

	if (!job.machine)
		return elf_section_error(file, index, SMELT_UNSUPPORTED, error,
					 "relocations of ELF machine %u are not supported",
					 file->header.machine);
	for (size_t i = 0; i < job.machine->count; i++)
		job.operations[job.machine->types[i].type] = job.machine->types[i].operation;
	for (uint32_t i = file->first_relocation[index]; i != 0; i = file->next_relocation[i]) {
		enum smelt_status status = apply_section(&job, i, error);

		if (status)
			return status;
	}
	return SMELT_OK;
}
