/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/**
 * @file
 * DWARF to BTF.
 *
 * One call encodes one file, or several as one BTF. The bytes written depend on input and options
 * only, never on `jobs`, time or memory addresses. Calls on different files
 * may run in different threads.
 */
#ifndef SMELT_ENCODE_H
#define SMELT_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <smelt/error.h>
#include <smelt/jobserver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** BTF features, one bit each, in the order `--supported_btf_features` prints them. */
enum smelt_btf_feature {
	SMELT_BTF_ENCODE_FORCE = 1u << 0,
	SMELT_BTF_VAR = 1u << 1,
	SMELT_BTF_FLOAT = 1u << 2,
	SMELT_BTF_DECL_TAG = 1u << 3,
	SMELT_BTF_TYPE_TAG = 1u << 4,
	SMELT_BTF_ENUM64 = 1u << 5,
	SMELT_BTF_OPTIMIZED_FUNC = 1u << 6,
	SMELT_BTF_CONSISTENT_FUNC = 1u << 7,
	SMELT_BTF_DECL_TAG_KFUNCS = 1u << 8,
	SMELT_BTF_REPRODUCIBLE_BUILD = 1u << 9,
	SMELT_BTF_DISTILLED_BASE = 1u << 10,
	SMELT_BTF_GLOBAL_VAR = 1u << 11,
	SMELT_BTF_ATTRIBUTES = 1u << 12,
	SMELT_BTF_TRUE_SIGNATURE = 1u << 13,
	SMELT_BTF_LAYOUT = 1u << 14,
};
enum { SMELT_BTF_FEATURE_COUNT = 15 };

/** What a run without any feature option encodes. */
#define SMELT_BTF_PLAIN (SMELT_BTF_VAR | SMELT_BTF_DECL_TAG | SMELT_BTF_TYPE_TAG | SMELT_BTF_ENUM64)
/** What the feature name `default` stands for: bits 0 to 8. */
#define SMELT_BTF_DEFAULT 0x1ffu

/** Name of feature bit `index` (0 <= index < SMELT_BTF_FEATURE_COUNT). */
const char *smelt_btf_feature_name(unsigned index);

/** DWARF language code for a name of spec spelling ("c11", "rust", ...; any case), or 0 if unknown. */
uint16_t smelt_language_code(const char *name);

/**
 * BTF that split BTF continues: the types of a kernel, which those of its modules refer to. Opened
 * once and not changed from then on, so any number of calls in any threads may use it at the same time.
 */
struct smelt_btf_base;

/** Called on the calling thread's behalf from any worker, at most some ten times a second. */
typedef void (*smelt_progress_fn)(void *context, uint64_t units_done, uint64_t units_total);

/** Called for each warning, in an order that does not depend on `jobs`. `text` has no newline. */
typedef void (*smelt_warning_fn)(void *context, const char *text);

struct smelt_encode_options {
	size_t struct_size;        /**< sizeof(struct smelt_encode_options) */
	uint32_t features;         /**< bits of enum smelt_btf_feature */
	unsigned jobs;             /**< worker threads; 0 and 1 mean the calling thread only */
	const uint16_t *languages; /**< DW_LANG codes, or NULL for all */
	size_t language_count;
	bool languages_excluded;         /**< `languages` are dropped instead of kept */
	const char *unit_exclude_prefix; /**< drop units whose name starts so, or NULL */
	const char *kabi_prefix;         /**< names that start so read as exactly this, or NULL */
	bool fixup_silly_bitfields; /**< bit fields as wide as their type become ordinary members */
	const struct smelt_btf_base *base; /**< for split BTF, or NULL */
	smelt_progress_fn progress;        /**< or NULL */
	smelt_warning_fn warning;          /**< or NULL */
	void *context;                     /**< for both callbacks */
	uint64_t shuffle_seed; /**< testing: claim jobs in this pseudo-random order; 0 = in order */
	unsigned hash_bits;    /**< testing: use only so many bits of a hash; 0 = all */
	struct smelt_jobserver *jobserver; /**< threads but the caller's need its tokens; or NULL */
};

/**
 * Opens a base: a file that is BTF alone, or an ELF file with a section .BTF. What that is split on, if
 * it is, is `parent` or is in a section .BTF.base.
 *
 * @param parent   or NULL; must stay open as long as the base
 * @param options  `jobs`, `jobserver` and `hash_bits` count
 * @param base     out: caller owns it, and closes it after the last call that uses it
 * @return SMELT_OK; SMELT_NO_DEBUG_INFO for an ELF file without BTF; SMELT_NOT_ELF for neither
 */
enum smelt_status smelt_btf_base_open(const char *path, const struct smelt_btf_base *parent,
				      const struct smelt_encode_options *options,
				      struct smelt_btf_base **base, struct smelt_error *error);

/** NULL is fine. */
void smelt_btf_base_close(struct smelt_btf_base *base);

/** One timed pass of a run. */
struct smelt_pass_time {
	const char *name; /**< static string */
	double wall_seconds;
	double cpu_seconds;        /**< of all threads */
	double serial_cpu_seconds; /**< the part of it that only one thread can do */
};

enum { SMELT_PASS_MAX = 16 };

/** Functions left out, by reason; the reason counted is the last that applies in this order. */
struct smelt_function_counts {
	uint64_t encoded;
	uint64_t unexpected_register;
	uint64_t inconsistent;
	uint64_t uncertain;
	uint64_t reordered;
	uint64_t optimized;
	uint64_t ambiguous;
};

/** What a run did; filled as far as the run came, also on failure. */
struct smelt_encode_report {
	struct smelt_pass_time passes[SMELT_PASS_MAX];
	unsigned pass_count;
	uint64_t units;           /**< units in the file */
	uint64_t units_excluded;  /**< by language or prefix */
	uint64_t dies;            /**< DIEs walked */
	uint64_t types_seen;      /**< type DIEs decoded */
	uint64_t types_distinct;  /**< types kept */
	uint64_t ambiguous_names; /**< names with more than one definition */
	uint64_t btf_types;       /**< records in the output */
	uint64_t btf_bytes;       /**< size of the output */
	uint64_t sanitized_types; /**< types that BTF has no kind for, replaced */
	uint64_t variables;
	struct smelt_function_counts functions;
};

/** A finished BTF blob; free with smelt_btf_blob_deinit. */
struct smelt_btf_blob {
	uint8_t *data; /**< NULL when there was nothing to encode */
	size_t size;
	uint8_t *base_data; /**< SMELT_BTF_DISTILLED_BASE: what `data` is split on; else NULL */
	size_t base_size;
};

void smelt_btf_blob_deinit(struct smelt_btf_blob *blob);

/**
 * Encodes the DWARF of several files as one BTF, with the units in the order of the files. Each file's
 * functions are chosen by its own symbols, and its variables are listed for its own sections; so functions of
 * one name may be there more than once if their signatures differ, and sections of one name may, too.
 *
 * @param count   at least 1. The files have one byte order.
 * @param report  may be NULL
 * @param blob    out: caller owns it; untouched on failure
 * @return SMELT_OK; blob->data is NULL if all units were filtered away or hold no
 *         types, and there is no base: on a base that is BTF without types. SMELT_NO_DEBUG_INFO if a file has no DWARF, of its own or in a separate debug file.
 */
enum smelt_status smelt_encode_files(const char *const *paths, size_t count,
				     const struct smelt_encode_options *options,
				     struct smelt_encode_report *report,
				     struct smelt_btf_blob *blob, struct smelt_error *error);

/** The same for one file. */
enum smelt_status smelt_encode_file(const char *path, const struct smelt_encode_options *options,
				    struct smelt_encode_report *report, struct smelt_btf_blob *blob,
				    struct smelt_error *error);

/**
 * Writes `size` bytes to `path` through a temporary file in the same folder and
 * rename(2): after any failure an old file is unchanged and no new one is left.
 * A new file gets mode 0640 & ~umask; an existing one keeps its mode. Something
 * that is not a regular file (a pipe, /dev/stdout) is written to directly.
 */
enum smelt_status smelt_write_file(const char *path, const void *data, size_t size,
				   struct smelt_error *error);

/** A file for smelt_write_files(). */
struct smelt_output_file {
	const char *path;
	const void *data;
	size_t size;
};

/**
 * Writes files that belong together, each as smelt_write_file() does; but only when all
 * are written does the first one take its place, and then the others in their order. So a failure, or the
 * end of the process, leaves all old files, unless it comes just between two rename(2).
 *
 * @return SMELT_BAD_ARGUMENT for what is not a regular file
 */
enum smelt_status smelt_write_files(const struct smelt_output_file *files, size_t count,
				    struct smelt_error *error);

/** A section for smelt_write_elf_sections(). */
struct smelt_elf_section {
	const char *name; /**< no two alike in one call */
	const void *data; /**< NULL: afterwards the file has no section of this name */
	size_t size;
};

/**
 * Puts sections into the ELF file `path` in place of those with the same names, as SHT_PROGBITS
 * that are not loaded, aligned to 4. All other sections and the program headers keep their content
 * and place in the file, section numbers stay. What lay behind the last section and segment
 * is dropped. A file that has exactly these sections is left alone.
 *
 * The new file takes the place of the old one in one step (rename(2)), so that after any failure, and
 * whenever the process ends, it is the one or the other. Files over 128 MiB on file systems that cannot
 * share blocks between files, files with several hard links, and files whose owner or attributes we may not
 * give to a copy, are changed in place instead: then nothing that the ELF header leads to is written
 * over, and the header is switched over when everything else is on disk. When the process is
 * killed just then, the old or new file can have bytes behind its end that nothing refers
 * to; the next call drops them.
 *
 * @return SMELT_UNSUPPORTED for a file without section names, and for a 32-bit file
 *         that would grow beyond 4 GiB
 */
enum smelt_status smelt_write_elf_sections(const char *path,
					   const struct smelt_elf_section *sections, size_t count,
					   struct smelt_error *error);

#ifdef __cplusplus
}
#endif

#endif
