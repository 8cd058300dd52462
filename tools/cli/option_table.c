/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "cli/option_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/message.h"

enum { FIRST_LONG_ONLY_KEY = 256 };

struct argp_option *cli_option_table_to_argp(const struct cli_option_table *table)
{
	struct argp_option *options = calloc(table->count + 1, sizeof(*options));
	int group = 0;

	if (!options)
		return NULL;
	for (size_t i = 0; i < table->count; i++) {
		const struct cli_option *row = &table->rows[i];

		if (!row->name)
			group++;
		options[i].name = row->name;
		options[i].key = row->key;
		options[i].arg = row->argument;
		options[i].flags = row->argument_optional ? OPTION_ARG_OPTIONAL : 0;
		options[i].doc = row->help;
		options[i].group = group;
	}
	return options; /* calloc made the end marker */
}

const struct cli_option *cli_option_table_find(const struct cli_option_table *table, int key)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].name && table->rows[i].key == key)
			return &table->rows[i];
	return NULL;
}

char *cli_option_table_filter_help(const struct cli_option_table *table, int key, const char *text)
{
	const struct cli_option *row = cli_option_table_find(table, key);
	char *marked;

	if (!row || row->support == CLI_SUPPORTED || asprintf(&marked, "%s [not yet]", text) < 0)
		return (char *)text; /* argp's contract: the same pointer means unchanged */
	return marked;
}

void cli_option_refuse(const char *program, const struct cli_option *option)
{
	if (option->key < FIRST_LONG_ONLY_KEY)
		cli_message(program, "--%s (-%c) is not supported yet", option->name, option->key);
	else
		cli_message(program, "--%s is not supported yet", option->name);
}
