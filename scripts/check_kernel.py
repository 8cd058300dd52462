#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Encodes real kernels and compares with what is known about them. `make check-kernel` runs it.

For each kernel and feature set of tests/data/kernel-digests.txt: the same bytes for several -j and
orders of jobs, and those bytes are the known ones. If the archive has moved on to a newer package, PEER
(a dwarves pahole v1.31) says what they are; without it that comparison is skipped. The running kernel
and bpftool look at the result, sanitizers at a whole run; the modules of one kernel are encoded on its BTF
(check_modules.py); then the tests that take too long for `make check`.

Environment:
  SMELT_BUILD_DIR  where the release build is
  ALL              not empty: all kernels (by hand; 7 GB of downloads), not one of each kind
  PEER             a dwarves pahole to compare with where no digest applies
  CORPUS_DIR       where kernels are kept (default ~/.cache/corpus, see fetch_kernel.sh)
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/support"))
import check_modules  # noqa: E402
import kernel_btf  # noqa: E402
from checks import Checks  # noqa: E402

DIGESTS = ROOT / "tests/data/kernel-digests.txt"
# The reference, a 32-bit one and a big-endian one.
DEFAULT_KERNELS = ("k612-cloud", "k61-armel", "k61-s390x")
REFERENCE = DEFAULT_KERNELS[0]
# Threads and seed of the order of jobs; 0: in order.
RUNS = ((1, 0), (2, 0), (8, 0), (2, 1), (8, 2), (3, 3))
# Of 64-bit little-endian kernels, which this one can judge when it is one itself.
VERIFIABLE = ("amd64", "arm64", "ppc64el", "mips64el")
# Understood by newer kernels and tools only.
RECENT_SETS = ("layout",)
PEAK_MB_MAX, PEAK_GROWTH_MB_MAX = 200, 100
BAD_INPUTS = 2000


class Kernel:
    def __init__(self, name, architecture, package, version, pattern):
        self.name, self.architecture = name, architecture
        self.package, self.version, self.pattern = package, version, pattern
        self.digests = {}  # feature set -> (bytes, sha256)
        self.vmlinux = None
        self.is_known = False

    def fetch(self):
        """None, or why not."""
        command = [ROOT / "scripts/fetch_kernel.sh", self.name, self.architecture, self.package,
                   self.pattern, "usr/lib/debug/boot/vmlinux-*",
                   *(["usr/lib/debug/lib/modules"] if self.name == REFERENCE else [])]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            return (result.stderr.strip().splitlines() or ["fetch_kernel.sh failed"])[-1]
        self.vmlinux, *_, archive = result.stdout.splitlines()
        self.is_known = archive.startswith(f"{self.package}_{self.version}_")
        self.found = archive.rsplit("_", 1)[0]
        return None


def read_digests():
    kernels, options = {}, {}
    for line in DIGESTS.read_text().splitlines():
        kind, *fields = line.split() or [""]
        if kind == "options":
            options[fields[0]] = fields[1:]
        elif kind == "kernel":
            kernels[fields[0]] = Kernel(*fields)
        elif kind == "digest":
            kernels[fields[0]].digests[fields[1]] = (int(fields[2]), fields[3])
    return kernels, options


class Run:
    """One run of a pahole: status, messages, peak memory, content of the output or None."""

    def __init__(self, program, vmlinux, options, jobs, seed, folder):
        output = folder / "out.btf"
        output.unlink(missing_ok=True)
        environment = {**os.environ, "LC_ALL": "C", "SMELT_TEST_SHUFFLE": str(seed),
                       "ASAN_OPTIONS": "detect_stack_use_after_return=1"}
        environment.pop("PAHOLE_LANG_EXCLUDE", None)
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                [program, f"-j{jobs}", *options, f"--btf_encode_detached={output}", vmlinux],
                env=environment, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = self.status = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            self.messages = errors.read().decode(errors="replace").strip()
        self.peak_mb = usage.ru_maxrss * 1024 / 1e6
        self.data = output.read_bytes() if output.exists() else None

    def fault(self):
        if self.status or self.data is None:
            return f"exit status {self.status}, {'' if self.data else 'no output, '}{self.messages}"
        return ""


def compare(data, size, digest):
    found = hashlib.sha256(data).hexdigest()
    if found == digest:
        return ""
    return f"{len(data)} bytes, sha256 {found}; expected {size} bytes, {digest}"


def check_bytes(checks, kernel, feature_set, options, program, folder):
    """All runs of one feature set. Returns the output, or None if something is wrong."""
    runs = {}
    expected = kernel.digests[feature_set] if kernel.is_known else None
    first = None
    for jobs, seed in RUNS:
        run = Run(program, kernel.vmlinux, options, jobs, seed, folder)
        what = f"{kernel.name} {feature_set} -j{jobs}" + (f" seed {seed}" if seed else "")
        fault = run.fault()
        if not fault and expected:
            fault = compare(run.data, *expected)
        elif not fault and first is not None and run.data != first:
            fault = f"not the same bytes as with -j{RUNS[0][0]}"
        checks.result(what, fault)
        if fault:
            return None
        first = run.data
        runs[jobs, seed] = run
    if kernel.name == REFERENCE and feature_set == "default":
        check_memory(checks, kernel, runs)
    return first


def check_memory(checks, kernel, runs):
    two, eight = runs[2, 0].peak_mb, runs[8, 0].peak_mb
    fault = ""
    if two > PEAK_MB_MAX or eight - two > PEAK_GROWTH_MB_MAX:
        fault = f"at most {PEAK_MB_MAX} MB, and {PEAK_GROWTH_MB_MAX} MB more with -j8"
    checks.result(f"{kernel.name} peak memory: -j2 {two:.0f} MB, -j8 {eight:.0f} MB", fault)


def check_against_peer(checks, kernel, feature_set, options, data, peer, folder):
    what = f"{kernel.name} {feature_set} against known bytes"
    if kernel.is_known:
        return
    if not peer:
        checks.skip(what, f"the archive has {kernel.found}, digests are for {kernel.package}_"
                          f"{kernel.version}, and PEER is not set")
        return
    run = Run(peer, kernel.vmlinux, options, 1, 0, folder)
    fault = run.fault()
    if not fault and run.data != data:
        fault = f"{len(data)} bytes, the peer writes {len(run.data)} different ones"
    checks.result(f"{what} (those of PEER)", fault)


def check_with_others(checks, kernel, feature_set, data, folder):
    """The running kernel and bpftool."""
    if feature_set in RECENT_SETS:
        return
    # A kernel judges only BTF that could be its own.
    if kernel.architecture in VERIFIABLE and sys.byteorder == "little":
        what = f"{kernel.name} {feature_set}: the running kernel accepts it"
        if feature_set == "global_var":
            # Two variables at one offset: the bytes asked for are ones that no kernel takes.
            checks.skip(what, "it takes no lists of variables that overlap, and these do")
        else:
            try:
                checks.result(what, kernel_btf.verdict(data))
            except kernel_btf.NotPermitted as reason:
                checks.skip(what, reason)
    bpftool = shutil.which("bpftool", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if kernel.architecture == "s390x":  # older versions refuse the other byte order
        return
    if not bpftool:
        checks.skip(f"{kernel.name} {feature_set}: bpftool reads it", "no bpftool")
        return
    path = folder / "read.btf"
    path.write_bytes(data)
    result = subprocess.run([bpftool, "btf", "dump", "file", path], capture_output=True, text=True)
    fault = "" if result.returncode == 0 and result.stdout.startswith("[1] ") else \
        result.stderr.strip() or "no output"
    checks.result(f"{kernel.name} {feature_set}: bpftool reads it", fault)


def check_reader(checks, kernel, program, data, folder):
    """Our reader on the kernel's BTF, whole and damaged."""
    path = folder / "kernel.btf"
    path.write_bytes(data)
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         ROOT / "tests/property/test_btf_reader.py", "-k", "whole_and_damaged"],
        env={**os.environ, "SMELT_KERNEL_BTF": str(path), "SMELT_BUILD_DIR": str(program.parent)},
        capture_output=True, text=True, cwd=ROOT)
    checks.result(f"{kernel.name}: reading its BTF", "" if result.returncode == 0 else result.stdout[-2000:])


def check_sanitizers(checks, kernel, options, folder):
    for preset in ("asan", "tsan"):
        what = f"{kernel.name} kernel -j8 with {preset}"
        if subprocess.run([ROOT / "scripts/build.sh", preset]).returncode:
            checks.result(what, "does not build")
            continue
        run = Run(ROOT / f"build/{preset}/pahole", kernel.vmlinux, options, 8, 0, folder)
        fault = run.fault()
        if not fault and kernel.is_known:
            fault = compare(run.data, *kernel.digests["kernel"])
        checks.result(what, fault)


def check_suites(checks):
    """Tests of the tree with larger numbers."""
    environment = {**os.environ, "SMELT_BAD_INPUTS": str(BAD_INPUTS),
                   "ASAN_OPTIONS": "allocator_may_return_null=1:detect_stack_use_after_return=1"}
    sanitized = ROOT / "build/asan/pahole"
    if sanitized.exists():
        environment["SMELT_BAD_INPUT_PROGRAM"] = str(sanitized)
    for what, command in (
        (f"{BAD_INPUTS} damaged files",
         [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
          ROOT / "tests/property/test_bad_input.py"]),
        ("growth with the number of units", [sys.executable, ROOT / "bench/hostile.py"]),
    ):
        result = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)
        if result.returncode:
            print(result.stdout[-4000:], result.stderr[-2000:])
        checks.result(what, f"exit status {result.returncode}" if result.returncode else "")


def main():
    start = time.monotonic()
    program = pathlib.Path(os.environ.get("SMELT_BUILD_DIR") or ROOT / "build/release") / "pahole"
    peer = os.environ.get("PEER")
    kernels, options = read_digests()
    names = list(kernels) if os.environ.get("ALL") else DEFAULT_KERNELS
    checks = Checks()
    fetched = []
    for name in names:
        reason = kernels[name].fetch()
        if reason:
            checks.skip(name, reason)
        else:
            fetched.append(kernels[name])
    if not fetched:
        checks.result("fetching kernels", "none could be had")

    with tempfile.TemporaryDirectory(prefix="smelt-check-kernel-") as temporary:
        folder = pathlib.Path(temporary)
        for kernel in fetched:
            for feature_set in kernel.digests:
                arguments = options[feature_set]
                data = check_bytes(checks, kernel, feature_set, arguments, program, folder)
                if data is None:
                    continue
                check_against_peer(checks, kernel, feature_set, arguments, data, peer, folder)
                check_with_others(checks, kernel, feature_set, data, folder)
                if kernel.name == REFERENCE and feature_set == "default":
                    check_modules.check(checks, kernel, program, data, folder)
                    check_reader(checks, kernel, program, data, folder)
        if fetched:
            check_sanitizers(checks, fetched[0], options["kernel"], folder)
    check_suites(checks)
    print(f"{time.monotonic() - start:.0f} s")
    return checks.summary()


if __name__ == "__main__":
    sys.exit(main())
