#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Installs what is missing, on Debian and Ubuntu; elsewhere says what to install and fails.
# scripts/install-deps.sh GROUP...    groups: build demo test bench kbuild
# Needs neither root nor network when everything is there.
set -eu
PATH=$PATH:/usr/sbin:/sbin

# probe, Debian package. A probe is a command, pc: and a pkg-config module, py: and a
# Python module, or the path of a file. "?" marks what tests skip when it is missing.
needs_of() {
	case $1 in
	build)
		cat <<-END
			cc gcc
			/usr/include/stdio.h libc6-dev
			cmake cmake
			ninja ninja-build
			pkg-config pkg-config
			pc:zlib zlib1g-dev
			pc:libzstd libzstd-dev
		END
		;;
	demo)
		echo 'bpftool bpftool ?'
		;;
	test)
		cat <<-END
			pc:cmocka libcmocka-dev
			/usr/bin/python3 python3
			py:pytest python3-pytest
			readelf binutils
			bpftool bpftool ?
			gcc-12 gcc-12 ?
			g++-12 g++-12 ?
			clang-14 clang-14 ?
			clang-format-14 clang-format-14 ?
			llvm-objcopy llvm ?
			ld.lld lld ?
			pc:libbpf libbpf-dev ?
			dwz dwz ?
		END
		;;
	bench)
		cat <<-END
			/usr/bin/python3 python3
			pahole dwarves ?
		END
		;;
	kbuild)
		cat <<-END
			/usr/bin/python3 python3
			make make
			flex flex
			bison bison
			bc bc
			perl perl
			cpio cpio
			kmod kmod
			rsync rsync
			xz xz-utils
			objcopy binutils
			/usr/include/libelf.h libelf-dev
			/usr/include/openssl/ssl.h libssl-dev
			bpftool bpftool ?
			clang-19 clang-19 ?
			ld.lld-19 lld-19 ?
			llvm-objcopy-19 llvm-19 ?
		END
		;;
	*)
		echo "usage: $0 [build] [demo] [test] [bench] [kbuild]" >&2
		exit 2
		;;
	esac
}

is_there() {
	case $1 in
	pc:*) pkg-config --exists "${1#pc:}" 2>/dev/null ;;
	py:*) /usr/bin/python3 -c "import ${1#py:}" 2>/dev/null ;;
	/*) [ -e "$1" ] ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

required=()
optional=()
for group in "$@"; do
	needs=$(needs_of "$group")
	while read -r probe package mark; do
		if is_there "$probe"; then
			continue
		elif [ "$mark" = "?" ]; then
			optional+=("$package")
		else
			required+=("$package")
		fi
	done <<<"$needs"
done

# Without the optional ones we can go on; the caller decides with the exit status otherwise.
give_up() {
	echo "$1; please install: ${required[*]} ${optional[*]}" >&2
	[ ${#required[@]} -eq 0 ]
	exit
}

if [ $((${#required[@]} + ${#optional[@]})) -gt 0 ]; then
	command -v apt-get >/dev/null || give_up "not a Debian system (names are Debian's)"
	as_root=()
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null || give_up "not root, and no sudo"
		as_root=(sudo)
	fi
	"${as_root[@]}" apt-get update -qq || give_up "apt-get update failed"

	available=()
	for package in "${optional[@]}"; do
		if apt-cache policy "$package" | grep -q 'Candidate: [^(]'; then
			available+=("$package")
		else
			echo "no package $package here; what needs it is skipped" >&2
		fi
	done
	install=("${required[@]}" "${available[@]}")
	if [ ${#install[@]} -gt 0 ]; then
		echo "installing: ${install[*]}"
		"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
			--no-install-recommends "${install[@]}" >/dev/null ||
			give_up "apt-get install failed"
	fi
fi

version=$(cmake --version | sed -n '1s/[^0-9]*//p')
if [ "$(printf '%s\n' 3.25 "$version" | sort -V | head -1)" != 3.25 ]; then
	echo "cmake is $version; 3.25 or newer is needed" >&2
	exit 1
fi
