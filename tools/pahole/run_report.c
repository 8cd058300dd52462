/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "run_report.h"

#include <inttypes.h>
#include <sys/resource.h>
#include <time.h>

static double clock_seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct run_clock run_clock_now(void)
{
	return (struct run_clock){
		.wall = clock_seconds(CLOCK_MONOTONIC),
		.cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID),
	};
}

void run_report_add(struct run_report *report, const struct smelt_encode_report *file)
{
	struct smelt_encode_report *sum = &report->encode;

	report->files++;
	sum->units += file->units;
	sum->units_excluded += file->units_excluded;
	sum->dies += file->dies;
	sum->types_seen += file->types_seen;
	sum->types_distinct += file->types_distinct;
	sum->ambiguous_names += file->ambiguous_names;
	sum->btf_types += file->btf_types;
	sum->btf_bytes += file->btf_bytes;
	sum->sanitized_types += file->sanitized_types;
	sum->variables += file->variables;
	sum->functions.encoded += file->functions.encoded;
	sum->functions.unexpected_register += file->functions.unexpected_register;
	sum->functions.inconsistent += file->functions.inconsistent;
	sum->functions.uncertain += file->functions.uncertain;
	sum->functions.reordered += file->functions.reordered;
	sum->functions.optimized += file->functions.optimized;
	sum->functions.ambiguous += file->functions.ambiguous;
}

static void print_pass(FILE *stream, const struct smelt_pass_time *pass)
{
	(void)fprintf(stream, "%-28s %9.3f %9.3f %9.3f\n", pass->name, pass->wall_seconds,
		      pass->cpu_seconds, pass->serial_cpu_seconds);
}

static void print_passes(const struct run_report *report, FILE *stream)
{
	const struct smelt_encode_report *encode = &report->encode;
	struct run_clock now = run_clock_now();
	double cpu = now.cpu - report->start.cpu;
	double outside = 0;

	(void)fprintf(stream, "%-28s %9s %9s %9s\n", "pass", "wall s", "CPU s", "serial s");
	for (unsigned i = 0; i < encode->pass_count && i < SMELT_PASS_MAX; i++) {
		const struct smelt_pass_time *pass = &encode->passes[i];

		print_pass(stream, pass);
		outside += pass->serial_cpu_seconds;
	}
	if (report->write.name)
		print_pass(stream, &report->write);
	outside += report->write.cpu_seconds;
	print_pass(stream, &(struct smelt_pass_time){ .name = "total",
						      .wall_seconds = now.wall - report->start.wall,
						      .cpu_seconds = cpu,
						      .serial_cpu_seconds = outside });
	if (encode->pass_count > 0)
		(void)fprintf(stream, "%-28s %18.1f %%\n", "CPU outside parallel passes",
			      cpu > 0 && outside > 0 ? 100 * outside / cpu : 0.0);
}

static void print_memory(FILE *stream)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) == 0)
		(void)fprintf(stream, "%-28s %18.1f MB\n", "peak memory",
			      (double)usage.ru_maxrss * 1024 / 1e6);
}

static void print_count(FILE *stream, const char *name, uint64_t count)
{
	(void)fprintf(stream, "%-28s %18" PRIu64 "\n", name, count);
}

static void print_counts(const struct smelt_encode_report *report, FILE *stream)
{
	print_count(stream, "units", report->units);
	print_count(stream, "  left out", report->units_excluded);
	print_count(stream, "DIEs", report->dies);
	print_count(stream, "type DIEs", report->types_seen);
	print_count(stream, "distinct types", report->types_distinct);
	print_count(stream, "ambiguous names", report->ambiguous_names);
	print_count(stream, "types without a BTF kind", report->sanitized_types);
	print_count(stream, "BTF types", report->btf_types);
	print_count(stream, "BTF bytes", report->btf_bytes);
	print_count(stream, "variables", report->variables);
}

static void print_functions(const struct smelt_function_counts *functions, FILE *stream)
{
	print_count(stream, "functions", functions->encoded);
	(void)fprintf(stream, "functions left out\n");
	print_count(stream, "  unexpected register", functions->unexpected_register);
	print_count(stream, "  inconsistent prototypes", functions->inconsistent);
	print_count(stream, "  uncertain location", functions->uncertain);
	print_count(stream, "  reordered parameters", functions->reordered);
	print_count(stream, "  optimized parameters", functions->optimized);
	print_count(stream, "  ambiguous address", functions->ambiguous);
}

void run_report_print(const struct run_report *report, FILE *stream)
{
	print_passes(report, stream);
	print_memory(stream);
	if (report->files > 0)
		print_count(stream, "files", report->files);
	print_counts(&report->encode, stream);
	print_functions(&report->encode.functions, stream);
}
