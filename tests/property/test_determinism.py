# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The same bytes for the same input and options, whatever threads, their timing and hashes do."""
import itertools
import os
import pathlib
import subprocess

import pytest

from many_units import sources
from programs import encode, pahole

# Sanitizers look for other faults, which some of the combinations show as well as all.
SANITIZE = os.environ.get("SMELT_SANITIZE", "")
JOBS = (1, 8) if SANITIZE else (1, 2, 3, 8)
SEEDS = (0, 1) if SANITIZE else (0, 1, 7, 4711)
# With few bits nearly everything collides. 0: full width.
NARROW_HASHES = (6, 12)
UNITS = 200
# The thread sanitizer makes a run take ten seconds; it is there to see races, and one run at -j8 will do.
SLOW = "thread" in SANITIZE
OPTIONS = ("--btf_features=default,global_var",)


def compile_units(folder, seed, units, *flags, **options):
    """One relocatable object of all units."""
    names = []
    for name, text in sources(seed, units, **options):
        (folder / name).write_text(text)
        names.append(name)
    compiler = os.environ.get("SMELT_CC", "gcc")
    subprocess.run([compiler, "-g", "-w", "-c", *flags, *names], cwd=folder, check=True)
    objects = [name.replace(".c", ".o") for name in names]
    subprocess.run(["ld", "-r", "-o", "all.o", *objects], cwd=folder, check=True)
    return folder / "all.o"


@pytest.fixture(scope="module")
def program_of_many_units(tmp_path_factory):
    return compile_units(tmp_path_factory.mktemp("units"), "determinism", UNITS)


def assert_always_the_same(path, folder, jobs, seeds, hash_bits, options=OPTIONS):
    first = encode(pahole(), folder / "first.btf", ["-j1", *options, path])
    assert first.data is not None, first.messages
    for job_count, seed, bits in itertools.product(jobs, seeds, hash_bits):
        # 0 is for both settings as if they were not there.
        env = {"SMELT_TEST_SHUFFLE": str(seed), "SMELT_TEST_HASH_BITS": str(bits)}
        other = encode(pahole(), folder / "other.btf", [f"-j{job_count}", *options, path], env=env)
        assert other.status == 0, other.messages
        assert other.data == first.data, f"-j{job_count}, {env}"
        assert other.messages == first.messages, f"-j{job_count}, {env}"


@pytest.mark.thread
def test_many_units(program_of_many_units, tmp_path):
    if SLOW:
        assert_always_the_same(program_of_many_units, tmp_path, (8,), SEEDS[1:2], (12,))
        return
    assert_always_the_same(program_of_many_units, tmp_path, JOBS, SEEDS, (0,))
    assert_always_the_same(program_of_many_units, tmp_path, (1, 8), SEEDS[-1:], NARROW_HASHES)


def test_our_own_program(tmp_path):
    path = pathlib.Path(pahole()).resolve()
    if encode(pahole(), tmp_path / "probe.btf", [path]).data is None:
        pytest.skip("pahole was built without debug information")
    assert_always_the_same(path, tmp_path, JOBS, SEEDS[:2], (0, 12))


def test_c_library(tmp_path):
    """Where the system has the library's debug file: some 1,700 units with a few ambiguous names."""
    corpus = pathlib.Path(os.environ.get("SMELT_CORPUS_DIR", pathlib.Path.home() / ".cache/corpus"))
    candidates = [*pathlib.Path("/usr/lib/debug/.build-id").glob("*/*.debug"),
                  *corpus.glob("libc6-dbg/usr/lib/debug/.build-id/*/*.debug")]
    if not candidates:
        pytest.skip("no debug file of the C library (libc6-dbg)")
    path = max(candidates, key=lambda path: path.stat().st_size)
    assert_always_the_same(path, tmp_path, JOBS, SEEDS[1:3], (0, 12), ("--btf_features=default",))
