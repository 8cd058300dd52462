#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Builds presets and runs their tests: scripts/check.sh PRESET...
# The last line is "N passed, N failed, N skipped"; the exit status is 0 if nothing failed.
# A thread sanitizer run takes only the tests labelled "thread".
set -u
cd "$(dirname "$0")/.." || exit 1

passed=0
failed=0
skipped=0
for preset in "$@"; do
	if ! scripts/build.sh "$preset"; then
		failed=$((failed + 1))
		continue
	fi
	log=build/ctest-$preset.log
	ctest --preset "$preset" --output-on-failure --no-tests=error -j "$(nproc)" 2>&1 | tee "$log"
	status=${PIPESTATUS[0]}

	# "100% tests passed, 0 tests failed out of 42"
	summary=$(sed -n 's/.*, \([0-9]*\) tests failed out of \([0-9]*\).*/\1 \2/p' "$log" | tail -1)
	read -r preset_failed total <<<"${summary:-0 0}"
	# No summary, or a status it does not explain, is a failure too.
	if [ "$status" -ne 0 ] && [ "$preset_failed" -eq 0 ]; then
		preset_failed=1
		total=$((total + 1))
	fi
	preset_skipped=$(grep -c '\*\*\*Skipped' "$log")
	preset_passed=$((total - preset_failed - preset_skipped))
	passed=$((passed + preset_passed))
	failed=$((failed + preset_failed))
	skipped=$((skipped + preset_skipped))
	echo "$preset: $preset_passed passed, $preset_failed failed, $preset_skipped skipped"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
