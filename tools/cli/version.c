/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "cli/version.h"

#include <stdio.h>

#ifndef SMELT_VERSION
#define SMELT_VERSION "unknown" /* the build says which */
#endif

void cli_print_version(bool own)
{
	(void)printf("v%d.%d\n", CLI_COMPATIBLE_MAJOR, CLI_COMPATIBLE_MINOR);
	if (own)
		(void)printf("smelt %s\n", SMELT_VERSION);
}

void cli_print_numeric_version(void)
{
	(void)printf("%d%02d\n", CLI_COMPATIBLE_MAJOR, CLI_COMPATIBLE_MINOR);
}
