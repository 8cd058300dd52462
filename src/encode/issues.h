/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What was left out or changed because BTF has no way to say it: counted by kind, with the
 * name of the first case, and reported as one line each. Jobs have a log of their own;
 * logs are merged in the order of jobs, so the lines do not depend on timing.
 */
#ifndef ENCODE_ISSUES_H
#define ENCODE_ISSUES_H

#include <stdint.h>

#include <smelt/encode.h>

#include "base/name_table.h"

enum issue_kind {
	ISSUE_TYPE_UNNAMED,
	ISSUE_TYPE_TOO_LONG,
	ISSUE_MEMBER,
	ISSUE_ENUM_SIZE,
	ISSUE_ENUM_VALUE,
	ISSUE_FLOAT_SIZE,
	ISSUE_TAG_EMPTY,
	ISSUE_TAG_MEMBER,
	ISSUE_VARIABLE_VOID,
	ISSUE_VARIABLE_NAME,
	ISSUE_SECTION_TOO_LONG,
	ISSUE_ARENA_TYPE,
	ISSUE_KIND_COUNT
};

struct issue {
	uint32_t count;
	uint32_t first_name;
};

struct issue_log {
	struct issue issues[ISSUE_KIND_COUNT];
};

/* name: of what it is about; 0: it has none. */
static inline void issue_add(struct issue_log *log, enum issue_kind kind, uint32_t name)
{
	struct issue *issue = &log->issues[kind];

	if (issue->count++ == 0)
		issue->first_name = name;
}

/* `later` comes after everything in `log`. */
void issue_log_merge(struct issue_log *log, const struct issue_log *later);

/* One call of `warning` per kind that occurred; warning may be NULL. */
void issue_log_report(const struct issue_log *log, const struct name_table *names,
		      smelt_warning_fn warning, void *context);

#endif
