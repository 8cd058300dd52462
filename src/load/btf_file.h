/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A file with BTF: BTF alone (bpftool's and pahole's detached output, /sys/kernel/btf/, a pipe) or
 * the section .BTF of an ELF file.
 */
#ifndef LOAD_BTF_FILE_H
#define LOAD_BTF_FILE_H

#include "base/error.h"
#include "btf/reader.h"

struct btf_file;

/*
 * Opens and checks the BTF of `path`. What it continues, if it is split: the distilled base in its own
 * section .BTF.base if there is one, else `base` (may itself be split), which must then outlive
 * the file. NULL: it must stand alone; so must a `base` that is not what the file was split on, but only
 * ids and offsets out of range tell.
 *
 * SMELT_NO_DEBUG_INFO: an ELF file without .BTF. SMELT_NOT_ELF: neither. Errors name the
 * file, "section .BTF", "section .BTF.base" or "raw BTF", and the offset there.
 */
enum smelt_status btf_file_open(const char *path, const struct btf_view *base,
				struct btf_file **file, struct smelt_error *error);
void btf_file_close(struct btf_file *file); /* NULL is fine */

/* Valid as long as the file is open. */
const struct btf_view *btf_file_view(const struct btf_file *file);
const char *btf_file_path(const struct btf_file *file);

#endif
