#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Time and memory of our pahole and another one, side by side. `make bench` runs it.

Runs go by turns (ours, peer, ours, peer, ...) after one of each that does not count; a ratio is that of two
neighbours. BENCHMARKING.md says what makes the numbers mean something.

Environment:
  SMELT_BUILD_DIR  where the release build is
  PEER             the pahole to compare with (default: pahole on PATH, Debian's dwarves)
  INPUT            an ELF file with DWARF (default: the kernel that the project's figures are about, fetched)
"""
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
import check_kernel  # noqa: E402

PAIRS = 5
FEATURES = "--btf_features=default"
# Before that the features were options of their own; these come closest.
FIRST_WITH_FEATURES, OLDER_OPTIONS = 126, ["--btf_gen_floats"]


class Program:
    def __init__(self, label, path):
        self.label, self.path = label, path
        number = subprocess.run([path, "--numeric_version"], capture_output=True, text=True)
        self.version = int(number.stdout.strip() or 0)
        self.options = [FEATURES] if self.version >= FIRST_WITH_FEATURES else OLDER_OPTIONS

    def run(self, jobs, vmlinux, output):
        """(wall seconds, CPU seconds, peak MB)"""
        output.unlink(missing_ok=True)
        command = [self.path, "-J", f"-j{jobs}", *self.options, f"--btf_encode_detached={output}",
                   vmlinux]
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode or not output.exists():
            sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}")
        return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def find_input():
    if os.environ.get("INPUT"):
        return os.environ["INPUT"]
    kernel = check_kernel.read_digests()[0][check_kernel.REFERENCE]
    fault = kernel.fetch()
    if fault:
        sys.exit(f"bench: {fault}; give a file with INPUT=")
    return kernel.vmlinux


def find_peer():
    path = os.environ.get("PEER") or shutil.which("pahole")
    if not path:
        print("no other pahole: set PEER, or install dwarves\n")
    return path


def cpu_model():
    try:
        found = re.search(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        found = None
    return found[1] if found else platform.machine()


def print_timings(ours, vmlinux, output):
    """What our own clock says of one run with one thread."""
    result = subprocess.run([ours.path, "--timings", "-j1", FEATURES,
                             f"--btf_encode_detached={output}", vmlinux],
                            capture_output=True, text=True)
    wanted = ("CPU outside parallel passes", "units", "DIEs", "BTF bytes")
    for line in (result.stdout + result.stderr).splitlines():
        if line.startswith(wanted):
            print(line)
    print()


def spread(values, digits=2):
    """Median, then least and most."""
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def print_row(label, results):
    walls, cpus, peaks = zip(*results)
    print(f"  {label:12} {spread(walls):>22} {spread(cpus):>22} {max(peaks):9.1f}", flush=True)


def compare(programs, jobs, vmlinux, folder):
    outputs = [folder / f"{program.label}.btf" for program in programs]
    results = [[] for _ in programs]
    for count in range(PAIRS + 1):
        for program, output, result in zip(programs, outputs, results):
            measured = program.run(jobs, vmlinux, output)
            if count:
                result.append(measured)
    print(f"-j{jobs}")
    for program, result in zip(programs, results):
        print_row(program.label, result)
    if len(programs) == 2:
        ours, peers = results
        same = "equal" if outputs[0].read_bytes() == outputs[1].read_bytes() else "different"
        wall, cpu = ([peer[i] / own[i] for own, peer in zip(ours, peers)] for i in (0, 1))
        print(f"  {'times faster':12} {spread(wall, 1):>22} {spread(cpu, 1):>22}   "
              f"outputs are {same}", flush=True)
    for output in outputs:
        output.unlink()


def main():
    build = pathlib.Path(os.environ.get("SMELT_BUILD_DIR") or ROOT / "build/release")
    peer = find_peer()
    programs = [Program("smelt", str(build / "pahole"))]
    if peer:
        programs.append(Program("peer", peer))
    vmlinux = find_input()
    cores = len(os.sched_getaffinity(0))

    print(f"machine      {cpu_model()}, {cores} cores, Linux {platform.release()}, "
          f"load {os.getloadavg()[0]:.1f}")
    print(f"input        {pathlib.Path(vmlinux).name}, {os.stat(vmlinux).st_size / 1e6:.0f} MB")
    for program in programs:
        print(f"{program.label:12} version {program.version}, {' '.join(program.options)}")
    shared_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="smelt-bench-", dir=shared_memory) as folder:
        folder = pathlib.Path(folder)
        print_timings(programs[0], vmlinux, folder / "timings.btf")
        print(f"{'median (least-most)':14} {'wall s':>22} {'CPU s':>22} {'peak MB':>9}")
        for jobs in sorted({1, 2, cores}):
            compare(programs, jobs, vmlinux, folder)


if __name__ == "__main__":
    main()
