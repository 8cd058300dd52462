/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "inputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char KERNEL_BTF_FOLDER[] = "/sys/kernel/btf/";
static const char KERNEL_BTF[] = "/sys/kernel/btf/vmlinux";

bool input_is_type_names(const char *argument)
{
	/* Names of C and C++, with their template arguments. */
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_$,:<> &*";

	return *argument && strspn(argument, letters) == strlen(argument) &&
	       access(argument, F_OK) != 0;
}

const char *input_kernel_btf(void)
{
	const char *named = getenv("PAHOLE_VMLINUX_BTF_FILENAME");
	const char *path = named && *named ? named : KERNEL_BTF;

	return access(path, R_OK) == 0 ? path : NULL;
}

const char *input_implied_base(const char *path)
{
	if (strncmp(path, KERNEL_BTF_FOLDER, sizeof(KERNEL_BTF_FOLDER) - 1) != 0 ||
	    strcmp(path, KERNEL_BTF) == 0)
		return NULL;
	return input_kernel_btf();
}
