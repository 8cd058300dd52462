#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Encodes an ELF file as BTF and shows some of the result: scripts/demo.sh [FILE]
# Without FILE the input is the pahole just built.
set -eu
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin

scripts/install-deps.sh build demo
echo 'building the release preset ...'
scripts/build.sh release

pahole=build/release/pahole
input=${1:-$pahole}
output=build/demo.btf

echo "$pahole --timings --btf_encode_detached=$output $input"
"$pahole" --timings --btf_encode_detached="$output" "$input"
echo "$output: $(stat -c %s "$output") bytes of BTF for $input ($(stat -c %s "$input") bytes)"

if command -v bpftool >/dev/null; then
	echo 'one struct of it, as bpftool prints it:'
	# The first named struct with at least three members.
	bpftool btf dump file "$output" format c | awk '
		/^struct [^ ]+ \{$/ { text = ""; lines = 0; open = 1 }
		open { text = text $0 "\n"; lines++ }
		open && /^};?$/ { if (lines >= 5) { printf "%s", text; exit } open = 0 }'
else
	echo 'its header (magic, version, flags, header length):'
	od -A d -t x1 -N 8 "$output"
fi
