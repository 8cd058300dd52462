#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Fetches files of a Debian kernel's package:
#   scripts/fetch_kernel.sh NAME ARCHITECTURE PACKAGE PATTERN FILE...
# Takes PACKAGE, or if the archive no longer has it, the newest one whose name matches PATTERN (an extended
# regular expression). A FILE is a path in the package without leading slash, perhaps with wildcards, or a
# folder. Prints the paths in the order of FILEs, then the package's file name (name_version_architecture.deb).
#
# Works on Debian and its derivatives with the sources that the machine is configured for. Needs no root
# and changes nothing on the system: package lists of any architecture are kept in the cache folder,
# $CORPUS_DIR (default ~/.cache/corpus), next to what was fetched; packages are deleted once unpacked.
set -eu

if [ $# -lt 5 ]; then
	sed -n '3,11s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
name=$1 architecture=$2 package=$3 pattern=$4
shift 4
files=("$@")
corpus=${CORPUS_DIR:-$HOME/.cache/corpus}
LISTS_AGE_MAX_MINUTES=1440

say() { echo "fetch_kernel.sh: $*" >&2; }
die() { say "$*"; exit 1; }

for tool in apt-get apt-cache dpkg-deb tar flock; do
	command -v "$tool" >/dev/null || die "needs $tool: not a Debian system?"
done
mkdir -p "$corpus/$name" "$corpus/.apt/$architecture"
corpus=$(cd "$corpus" && pwd)
folder=$corpus/$name
state=$corpus/.apt/$architecture

# apt with a state of its own, as if this were a machine of that architecture without any package.
with_apt() {
	local tool=$1
	shift
	"$tool" -q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
		-o Dir::State::Lists="$state/lists" -o Dir::State::Status="$state/status" \
		-o Dir::Cache="$state/cache" -o Dir::Cache::Archives="$state/cache/archives" \
		-o Dir::Cache::pkgcache=pkgcache.bin -o Dir::Cache::srcpkgcache=srcpkgcache.bin \
		-o Dir::Etc::SourceList="$state/sources.sources" -o Dir::Etc::SourceParts=/dev/null \
		-o Acquire::Languages=none -o Acquire::GzipIndexes=true -o Acquire::Retries=3 \
		-o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false \
		-o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
		-o APT::Sandbox::User=root "$@"
}

# The machine's sources, in the newer of the two formats, one after the other.
write_sources() {
	local file
	for file in /etc/apt/sources.list.d/*.sources; do
		[ ! -e "$file" ] || { awk '/^[^#]/ || /^$/' "$file"; echo; }
	done
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
		sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) \([^ ]*\) \(.*\)/Types: deb\nURIs: \2\nSuites: \3\nComponents: \4\n/p'
}

# Package lists, unless there are some of today.
update_lists() {
	if [ "${1-}" != now ] && [ -e "$state/stamp" ] &&
		[ -n "$(find "$state/stamp" -mmin "-$LISTS_AGE_MAX_MINUTES")" ]; then
		return
	fi
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
	: >"$state/status"
	write_sources >"$state/sources.sources"
	[ -s "$state/sources.sources" ] || die "no package sources are configured on this machine"
	say "updating package lists for $architecture"
	# One suite may be out of step on a mirror; the others are then still good.
	with_apt apt-get update >"$state/update.log" 2>&1 ||
		say "some package lists for $architecture could not be updated; going on with the rest"
	touch "$state/stamp"
}

choose_package() {
	if with_apt apt-cache show "$package" >/dev/null 2>&1; then
		echo "$package"
	else
		with_apt apt-cache pkgnames 2>/dev/null | grep -E -- "$pattern" | sort -V | tail -1
	fi
}

unpack() {
	local chosen downloads=$corpus/.deb/$architecture-$name
	update_lists
	chosen=$(choose_package) || true
	if [ -z "$chosen" ]; then
		update_lists now
		chosen=$(choose_package) || true
	fi
	[ -n "$chosen" ] || die "no package $package for $architecture, and no newer one"
	[ "$chosen" = "$package" ] || say "$package is gone; taking $chosen"

	rm -rf "$downloads"
	mkdir -p "$downloads"
	say "downloading $chosen"
	(cd "$downloads" && with_apt apt-get download "$chosen" >.log 2>&1) || {
		# Without addresses: this may end up in a public log.
		sed -n 's/^E: //p' "$downloads/.log" | sed 's#[a-z]*://[^ ]*#(address)#' >&2
		die "cannot download $chosen"
	}
	say "unpacking $chosen"
	rm -f "$folder/PACKAGE" # until all is there
	dpkg-deb --fsys-tarfile "$downloads"/*.deb |
		tar -C "$folder" -x --wildcards "${files[@]/#/./}" ||
		die "$chosen has not all of: ${files[*]}"
	basename "$downloads"/*.deb | sed 's/%3a/:/' >"$folder/PACKAGE"
	rm -rf "$downloads"
}

exec 9>"$folder/.lock"
flock 9
# Fails if a file is missing. The shell finds what the wildcards stand for, so they are not quoted.
print_paths() {
	local file
	for file in "${files[@]}"; do
		ls -d "$folder"/$file || return
	done
	[ -s "$folder/PACKAGE" ] && cat "$folder/PACKAGE"
}

print_paths >/dev/null 2>&1 || unpack
print_paths
