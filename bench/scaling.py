#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What more cores would give: a simulation from the passes' times with one thread.

Usage: scaling.py VMLINUX [PAHOLE]      default: the pahole of build/release

Jobs of the pass that loads units are simulated one by one: each goes, in the file's order, to the thread that
is free first, as in the worker pool. The time of a unit is not measured but taken from its size in
.debug_info, to which it is nearly in proportion. Other parallel passes have many small jobs, so their time
is divided by the number of threads. What one thread does stays as it is. Not in it: memory bandwidth and
caches that cores share, clocks that drop, hyperthreads.

At the end the row for two threads is compared with runs, by turns with those of one thread, of which the best of
each count: what a busy machine adds is never less than nothing. There is nothing to compare if two processes of one thread,
started together, do not find a core each, not even at their best. The error has two parts that are told apart: two threads may need more CPU time than
one in all (what they share), and they may wait.
"""
import concurrent.futures
import heapq
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
THREADS = (1, 2, 4, 8, 16, 32, 64)
RUNS = 5
# A run whose wall time is longer than its CPU time by this factor was not alone on its core.
BUSY = 1.1
LOAD = "load units"
DWARF64 = 0xffffffff


def unit_sizes(path):
    """Bytes of each unit in .debug_info."""
    listing = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True,
                             check=True).stdout
    found = re.search(r" \.debug_info +PROGBITS +\w+ (\w+) (\w+)", listing)
    order = ">" if "big endian" in subprocess.run(["readelf", "-h", path], capture_output=True,
                                                  text=True, check=True).stdout else "<"
    if not found:
        sys.exit(f"{path}: no .debug_info")
    at, sizes = int(found[1], 16), []
    end = at + int(found[2], 16)
    with open(path, "rb") as stream:
        while at < end:
            stream.seek(at)
            head = stream.read(12)
            length, = struct.unpack_from(order + "I", head)
            size = length + 4
            if length == DWARF64:
                size = struct.unpack_from(order + "Q", head, 4)[0] + 12
            if at + size > end:
                sys.exit(f"{path}: .debug_info is compressed or damaged")
            sizes.append(size)
            at += size
    return sizes


def timings(program, path, jobs):
    """(wall, CPU, CPU of one thread alone, CPU of the loading pass) of one run."""
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            [program, "--timings", f"-j{jobs}", "--btf_features=default",
             f"--btf_encode_detached={folder}/out.btf", path], capture_output=True, text=True)
    text = result.stdout + result.stderr
    rows = {name: (float(wall), float(cpu), float(serial)) for name, wall, cpu, serial in
            re.findall(r"^(\S.*?)  +([\d.]+) +([\d.]+) +([\d.]+)$", text, re.M)}
    if result.returncode or "total" not in rows or LOAD not in rows:
        sys.exit(f"{program}: no timings: {text}")
    return *rows["total"], rows[LOAD][1]


def makespan(costs, threads):
    """Seconds until all jobs are done."""
    free = [0.0] * threads
    for cost in costs:
        heapq.heapreplace(free, free[0] + cost)
    return max(free)


def waiting_of_two(program, path):
    """How much longer than their CPU time two processes took that ran side by side."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda _: timings(program, path, 1), range(2)))
    return max(wall / cpu for wall, cpu, *_ in runs)


def check(waiting, cpu, simulated, runs):
    """Compares the simulated time of two threads with runs: (wall, CPU, ...) each."""
    print(f"-j2: {simulated:.3f} s simulated", end="")
    if waiting > BUSY:
        print(f"; no comparison, the machine is busy: two processes took {waiting:.1f} times their CPU time")
        return
    wall, more = min(run[0] for run in runs), min(run[1] for run in runs) / cpu
    print(f", {wall:.3f} s measured ({100 * (wall / simulated - 1):+.1f} %); "
          f"{100 * (more - 1):+.1f} % CPU time, {100 * (wall / (simulated * more) - 1):+.1f} % waiting")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: scaling.py VMLINUX [PAHOLE]")
    path = sys.argv[1]
    program = sys.argv[2] if len(sys.argv) > 2 else ROOT / "build/release/pahole"
    sizes = unit_sizes(path)
    ones, twos = zip(*((timings(program, path, 1), timings(program, path, 2)) for _ in range(RUNS)))
    _, cpu, outside, load = min(ones, key=lambda run: run[1])
    others = cpu - outside - load
    costs = [load * size / sum(sizes) for size in sizes]

    print(f"{len(sizes)} units, the largest has {100 * max(sizes) / sum(sizes):.2f} % of all bytes")
    print(f"-j1: {cpu:.3f} s CPU: {load:.3f} loading units, {others:.3f} in other parallel passes, "
          f"{outside:.3f} outside ({100 * outside / cpu:.1f} %)")
    print(f"{'threads':>7} {'load s':>8} {'other s':>8} {'alone s':>8} {'total s':>8} {'speedup':>8}")
    for threads in THREADS:
        loading = makespan(costs, threads)
        total = loading + others / threads + outside
        print(f"{threads:7} {loading:8.3f} {others / threads:8.3f} {outside:8.3f} {total:8.3f} "
              f"{cpu / total:8.1f}")
    waiting = min(waiting_of_two(program, path) for _ in range(RUNS))
    check(waiting, cpu, makespan(costs, 2) + others / 2 + outside, twos)


if __name__ == "__main__":
    main()
