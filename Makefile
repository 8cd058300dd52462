# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Short names for the usual sequences; the build itself is CMake (see CMakePresets.json).

PRESET ?= release
PREFIX ?= /usr/local
PYTHON ?= /usr/bin/python3
BUILD := build/$(PRESET)

# An ELF file with DWARF for `make demo` (empty: the freshly built pahole itself) and
# `make bench` (empty: a kernel, which is fetched).
INPUT ?=
# Any value: `make check-kernel` also takes the large inputs.
ALL ?=
# Path of a pahole to compare with. Empty: for `make bench` the one on PATH, for `make check-kbuild` none.
PEER ?=

.PHONY: help demo build check check-kernel check-print check-kbuild bench install

help:
	@echo 'make demo [INPUT=FILE]     build, encode FILE (default: pahole itself) as BTF, show some of it'
	@echo 'make build [PRESET=NAME]   build only; presets: release debug asan tsan fuzz'
	@echo 'make check                 all tests: debug, then sanitizers (minutes)'
	@echo 'make check-kernel [ALL=1]  real kernels against known digests (downloads them)'
	@echo 'make check-print PEER=PAHOLE  compare what is printed with another pahole (INPUT=FILE)'
	@echo 'make check-kbuild          builds a kernel with gcc and clang, its BTF by our pahole (PEER=PAHOLE compares)'
	@echo 'make bench [PEER=PAHOLE]   time and memory, side by side with another pahole (INPUT=VMLINUX)'
	@echo 'make install [PREFIX=DIR]  install the release build; DESTDIR is honoured'

demo:
	@scripts/demo.sh $(INPUT)

build:
	@scripts/install-deps.sh build
	@scripts/build.sh $(PRESET)

check:
	@scripts/install-deps.sh build test
	@scripts/check.sh debug asan tsan

check-kernel:
	@scripts/install-deps.sh build test
	@scripts/build.sh release
	@SMELT_BUILD_DIR='$(CURDIR)/build/release' ALL='$(ALL)' $(PYTHON) scripts/check_kernel.py

check-print:
	@scripts/build.sh release
	@SMELT_BUILD_DIR='$(CURDIR)/build/release' PEER='$(PEER)' INPUT='$(INPUT)' $(PYTHON) scripts/check_print.py

check-kbuild:
	@scripts/install-deps.sh build kbuild
	@scripts/build.sh release
	@SMELT_BUILD_DIR='$(CURDIR)/build/release' PEER='$(PEER)' $(PYTHON) scripts/check_kbuild.py

bench:
	@scripts/install-deps.sh build bench
	@scripts/build.sh release
	@SMELT_BUILD_DIR='$(CURDIR)/build/release' PEER='$(PEER)' $(PYTHON) bench/run.py

install:
	@scripts/build.sh $(PRESET)
	cmake --install $(BUILD) --prefix '$(PREFIX)'
