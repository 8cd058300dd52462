/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/issues.h"

#include <inttypes.h>
#include <stdio.h>

struct issue_text {
	const char *one;
	const char *many;
};

static const struct issue_text issue_texts[ISSUE_KIND_COUNT] = {
	[ISSUE_TYPE_UNNAMED] = { "type that needs a name has none; called __unnamed",
				 "types that need a name have none; called __unnamed" },
	[ISSUE_TYPE_TOO_LONG] = { "type has more parts than BTF can count; the last are left out",
				  "types have more parts than BTF can count; the last are left out" },
	[ISSUE_MEMBER] = { "type has members at places that BTF cannot express; these are left out",
			   "types have members at places that BTF cannot express; these are left out" },
	[ISSUE_ENUM_SIZE] = { "enumeration has a size that BTF does not allow; changed",
			      "enumerations have a size that BTF does not allow; changed" },
	[ISSUE_ENUM_VALUE] = { "enumeration of 32 bits has wider values; cut",
			       "enumerations of 32 bits have wider values; cut" },
	[ISSUE_FLOAT_SIZE] = { "floating point type has a size that BTF does not allow; opaque",
			       "floating point types have a size that BTF does not allow; opaque" },
	[ISSUE_TAG_EMPTY] = { "declaration tag without a text left out",
			      "declaration tags without a text left out" },
	[ISSUE_TAG_MEMBER] = { "declaration tag of a member that is left out",
			       "declaration tags of members that are left out" },
	[ISSUE_VARIABLE_VOID] = { "variable without a type left out",
				  "variables without a type left out" },
	[ISSUE_VARIABLE_NAME] = { "variable with a name that BTF does not allow left out",
				  "variables with a name that BTF does not allow left out" },
	[ISSUE_SECTION_TOO_LONG] = { "section has more variables than BTF can count",
				     "sections have more variables than BTF can count" },
	[ISSUE_ARENA_TYPE] = { "kfunc has an arena flag where there is no pointer; not tagged",
			       "kfuncs have an arena flag where there is no pointer; not tagged" },
};

void issue_log_merge(struct issue_log *log, const struct issue_log *later)
{
	for (unsigned kind = 0; kind < ISSUE_KIND_COUNT; kind++) {
		struct issue *issue = &log->issues[kind];

		if (issue->count == 0)
			issue->first_name = later->issues[kind].first_name;
		issue->count += later->issues[kind].count;
	}
}

void issue_log_report(const struct issue_log *log, const struct name_table *names,
		      smelt_warning_fn warning, void *context)
{
	char line[512];

	for (unsigned kind = 0; kind < ISSUE_KIND_COUNT && warning; kind++) {
		const struct issue *issue = &log->issues[kind];
		const struct issue_text *text = &issue_texts[kind];
		const char *name = name_table_text(names, issue->first_name);

		if (issue->count == 0)
			continue;
		if (issue->count == 1)
			(void)snprintf(line, sizeof(line), "1 %s: '%.200s'", text->one, name);
		else
			(void)snprintf(line, sizeof(line), "%" PRIu32 " %s; the first: '%.200s'",
				       issue->count, text->many, name);
		warning(context, line);
	}
}
