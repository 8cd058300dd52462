/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A program's options as a table.
 *
 * Every option of the program that ours replaces has a row, also those that are not
 * there yet: abbreviations then resolve as they do there, and asking for something
 * missing gets an answer instead of a guess.
 */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

enum cli_support {
	CLI_SUPPORTED,
	CLI_NOT_YET, /* known, refused with a message */
};

/* A row without a name is a heading for those that follow. */
struct cli_option {
	const char *name;     /* without the dashes, words joined by underscores */
	int key;              /* the letter of the short form, or a number above 255 */
	const char *argument; /* what --help calls it; NULL: takes none */
	bool argument_optional;
	enum cli_support support;
	const char *help;
};

struct cli_option_table {
	const struct cli_option *rows;
	size_t count;
};

/* The same for argp_parse(3); the caller frees it. NULL when out of memory. */
struct argp_option *cli_option_table_to_argp(const struct cli_option_table *table);

/* The row with this key, or NULL. */
const struct cli_option *cli_option_table_find(const struct cli_option_table *table, int key);

/* For argp's help_filter: puts "[not yet]" after the text of a missing option. */
char *cli_option_table_filter_help(const struct cli_option_table *table, int key, const char *text);

/* Says that this option is not there yet. */
void cli_option_refuse(const char *program, const struct cli_option *option);

#endif
