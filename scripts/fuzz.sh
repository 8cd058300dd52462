#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Runs fuzz targets with libFuzzer: scripts/fuzz.sh SECONDS [TARGET...]
# Each target gets SECONDS; all of tests/fuzz/ without TARGET. What it finds stays in
# build/fuzz/findings/; new inputs in build/fuzz/corpus/, the checked-in corpus is only read.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:?usage: $0 SECONDS [TARGET...]}
shift
if [ $# -eq 0 ]; then
	for source in tests/fuzz/fuzz_*.c; do
		set -- "$@" "$(basename "$source" .c)"
	done
fi

scripts/build.sh fuzz
status=0
for target in "$@"; do
	work=build/fuzz/corpus/$target
	findings=build/fuzz/findings/$target
	mkdir -p "$work" "$findings"
	corpora=("$work")
	[ -d "tests/fuzz/corpus/$target" ] && corpora+=("tests/fuzz/corpus/$target")
	echo "== $target"
	ASAN_OPTIONS=allocator_may_return_null=1 "build/fuzz/fuzz/$target" \
		-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix="$findings/" "${corpora[@]}" || status=1
done
exit $status
