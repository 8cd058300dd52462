# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Where the feature distilled_base puts its base, and when it does not. What is in it: test_encoding.py."""
import os
import shutil
import subprocess

import pytest

from btf import Btf
from programs import elf_section, need, pahole

OK, FAILURE = 0, 1
DISTILLED = "--btf_features=default,distilled_base"
SOURCE = """
struct base { int number; struct base *next; } base;
int use(struct base *b) { return b->number; }
#ifdef MODULE
struct own { struct base base; } own;
struct base *find(struct own *o) { return o->base.next; }
#endif
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    (folder / "u.c").write_text(SOURCE)
    compiler = os.environ.get("SMELT_CC", "gcc")
    subprocess.run([compiler, "-g", "-c", "-o", "base.o", "u.c"], cwd=folder, check=True)
    for name in ("one.ko", "two.ko"):
        subprocess.run([compiler, "-g", "-DMODULE", "-c", "-o", name, "u.c"], cwd=folder, check=True)
    subprocess.run([pahole(), "--btf_features=default", "--btf_encode_detached=base.btf", "base.o"], cwd=folder,
                   check=True)
    return folder


@pytest.fixture
def folder(built, tmp_path):
    for path in built.iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path


def run(folder, *arguments):
    return subprocess.run([pahole(), *arguments], cwd=folder, capture_output=True, text=True, timeout=60,
                          env=dict(os.environ, LC_ALL="C"))



@pytest.mark.thread
@pytest.mark.parametrize("jobs", [1, 8])
def test_both_in_the_file_or_side_by_side(jobs, folder):
    detached = run(folder, f"-j{jobs}", "--btf_base=base.btf", DISTILLED, "--btf_encode_detached=out", "one.ko")
    inside = run(folder, f"-j{jobs}", "--btf_base=base.btf", DISTILLED, "-J", "two.ko")
    for result in detached, inside:
        assert result.returncode == OK and not result.stderr
    base, split = (folder / "out.base").read_bytes(), (folder / "out").read_bytes()
    assert elf_section(folder / "two.ko", ".BTF.base") == base
    assert elf_section(folder / "two.ko", ".BTF") == split
    types = Btf(split, Btf(base))
    assert types.one("STRUCT", "own") and not types.all("INT")


def test_bpftool_reads_the_pair(folder):
    assert run(folder, "--btf_base=base.btf", DISTILLED, "--btf_encode_detached=out", "one.ko").returncode == OK
    for form in "raw", "c":
        result = subprocess.run([need("bpftool"), "-B", "out.base", "btf", "dump", "file", "out", "format", form],
                                cwd=folder, capture_output=True, text=True)
        assert result.returncode == OK, result.stderr
        assert "own" in result.stdout


def test_an_old_base_does_not_stay(folder):
    assert run(folder, "--btf_base=base.btf", DISTILLED, "-J", "one.ko").returncode == OK
    assert run(folder, "--btf_base=base.btf", "--btf_features=default", "-J", "one.ko").returncode == OK
    assert elf_section(folder / "one.ko", ".BTF.base") is None


def test_each_has_its_own(folder):
    alone = run(folder, "--btf_base=base.btf", DISTILLED, "--btf_encode_detached=out", "one.ko")
    each = run(folder, "--each", "--btf_base=base.btf", DISTILLED, "--btf_encode_detached=all", "one.ko", "two.ko")
    assert alone.returncode == each.returncode == OK
    for name in "one.ko.btf", "two.ko.btf":
        assert (folder / "all" / name).read_bytes() == (folder / "out").read_bytes()
        assert (folder / "all" / f"{name}.base").read_bytes() == (folder / "out.base").read_bytes()
    assert run(folder, "--each", "--btf_base=base.btf", DISTILLED, "-J", "one.ko", "two.ko").returncode == OK
    for name in "one.ko", "two.ko":
        assert elf_section(folder / name, ".BTF.base") == (folder / "out.base").read_bytes()


@pytest.mark.parametrize("arguments, text", [
    ([DISTILLED, "--btf_encode_detached=out", "one.ko"], "needs --btf_base"),
    ([DISTILLED, "-J", "one.ko"], "needs --btf_base"),
    (["--btf_base=base.btf", DISTILLED, "--btf_encode_detached=/dev/stdout", "one.ko"], "not a regular file"),
    (["--btf_base=x.base", DISTILLED, "--btf_encode_detached=x", "one.ko"], "x.base: is an input too"),
    (["--btf_base=base.btf", DISTILLED, "--btf_encode_detached=x", "x.base"], "x.base: is an input too"),
    (["--each", "--btf_base=base.btf", DISTILLED, "--btf_encode_detached=.", "one.ko", "one.ko.btf.base"],
     "one.ko.btf.base: is an input too"),
])
def test_refusals_change_nothing(arguments, text, folder):
    for name in "x.base", "one.ko.btf.base":
        shutil.copy(folder / "base.btf", folder / name)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    result = run(folder, *arguments)
    assert result.returncode == FAILURE and not result.stdout
    assert text in result.stderr and len(result.stderr.splitlines()) == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
