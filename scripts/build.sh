#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Configures and builds presets: scripts/build.sh PRESET...
# Quiet unless something fails.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build

for preset in "$@"; do
	log=build/build-$preset.log
	if ! { cmake --preset "$preset" && cmake --build --preset "$preset"; } >"$log" 2>&1; then
		grep -E -A12 'error|FAILED|CMake Error' "$log" | head -60 >&2
		echo "build of preset $preset failed; full output in $log" >&2
		exit 1
	fi
done
