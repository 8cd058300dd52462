# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
Our reader of BTF sees what others see, and survives what is damaged.

SMELT_KERNEL_BTF is the BTF of a kernel, to be used beside the running one's.
"""
import os
import pathlib
import random
import subprocess
import sys

import pytest

from btf import KINDS, Btf
from programs import ROOT, compile_with_library, need

sys.path.insert(0, str(ROOT / "tests/fuzz"))
import corpus_btf  # noqa: E402

RUNNING_KERNEL = pathlib.Path("/sys/kernel/btf/vmlinux")
NAMED_PARTS = ("STRUCT", "UNION", "ENUM", "ENUM64", "FUNC_PROTO")
DAMAGED_FILES = 400


@pytest.fixture(scope="module")
def btf_list(tmp_path_factory):
    return compile_with_library("btf_list", tmp_path_factory.mktemp("helper"))


def run(command):
    result = subprocess.run(command, capture_output=True, text=True, errors="replace")
    assert result.returncode == 0, result.stderr
    assert not result.stderr
    return result.stdout.splitlines()


def lines(btf):
    """What btf_list prints, from the reader that the tests have of their own."""
    for record in btf.types:
        words = [f"'{record.name}'", record.size_or_type, *record.words]
        for part in record.parts:
            named = record.kind in NAMED_PARTS
            words += [f"'{btf.string(part[0])}'" if named else part[0], *part[1:]]
        yield f"{record.id} {KINDS.index(record.kind)} {record.flag} " + " ".join(map(str, words))


@pytest.mark.parametrize("name", ("little", "big", "short-header", "layout"))
def test_reads_what_an_independent_reader_reads(btf_list, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(corpus_btf.seeds()[name])
    assert run([btf_list, path]) == list(lines(Btf(path.read_bytes())))


def count_of_bpftool(path):
    return sum(line.startswith("[") for line in run([need("bpftool"), "btf", "dump", "file", path]))


def test_reads_the_running_kernel_as_bpftool_does(btf_list):
    """A file of /sys, with the header of 24 bytes."""
    if not RUNNING_KERNEL.exists():
        pytest.skip("the running kernel has no BTF")
    assert run([btf_list, "-c", RUNNING_KERNEL]) == [str(count_of_bpftool(RUNNING_KERNEL))]


def test_reads_a_kernel_as_bpftool_does_whole_and_damaged(btf_list, tmp_path):
    path = os.environ.get("SMELT_KERNEL_BTF")
    if not path:
        pytest.skip("SMELT_KERNEL_BTF is not set")
    assert run([btf_list, "-c", path]) == [str(count_of_bpftool(path))]
    generator = random.Random(2)
    good = pathlib.Path(path).read_bytes()
    for _ in range(50):
        data = bytearray(good)
        for _ in range(20):
            data[generator.randrange(len(data))] = generator.randrange(256)
        (tmp_path / "damaged").write_bytes(data)
        assert len(run([btf_list, "-c", tmp_path / "damaged"])) == 1


def test_a_split_file_needs_its_base(btf_list, tmp_path):
    base = corpus_btf.all_kinds("<")
    (tmp_path / "base").write_bytes(base.build())
    (tmp_path / "split").write_bytes(corpus_btf.module(base).build())
    assert run([btf_list, "-c", "-B", tmp_path / "base", tmp_path / "split"]) == ["3"]
    assert "needs its base" in run([btf_list, tmp_path / "split"])[0]


def test_elf_files_with_and_without(btf_list, tmp_path):
    """.BTF of an ELF file; its own .BTF.base goes before the one that is named."""
    base = corpus_btf.all_kinds("<")
    for name, content in (("base", base.build()), ("split", corpus_btf.module(base).build()),
                          ("other", corpus_btf.Blob("<").build())):
        (tmp_path / name).write_bytes(content)
    (tmp_path / "empty.s").write_text("")
    subprocess.run([need("as"), "-o", tmp_path / "none.o", tmp_path / "empty.s"], check=True)
    objcopy = need("objcopy")
    subprocess.run([objcopy, f"--add-section=.BTF={tmp_path}/split", tmp_path / "none.o",
                    tmp_path / "split.o"], check=True)
    subprocess.run([objcopy, f"--add-section=.BTF.base={tmp_path}/base", tmp_path / "split.o",
                    tmp_path / "both.o"], check=True)
    results = run([btf_list, "-c", *(tmp_path / name for name in ("none.o", "split.o", "both.o"))])
    assert "no section .BTF" in results[0]
    assert "split.o: section .BTF: offset 0x" in results[1]
    assert results[2] == "3"
    assert run([btf_list, "-c", "-B", tmp_path / "base", tmp_path / "split.o"]) == ["3"]
    assert run([btf_list, "-c", "-B", tmp_path / "other", tmp_path / "both.o"]) == ["3"]


def test_what_is_no_btf_says_so(btf_list, tmp_path):
    (tmp_path / "text").write_text("int x;")
    (tmp_path / "nothing").write_text("")
    (tmp_path / "magic").write_bytes(b"\x9f\xeb")
    results = run([btf_list, "-c", *(tmp_path / name for name in ("text", "nothing", "magic", "", "x"))])
    for result, cause in zip(results, ("neither BTF nor an ELF file", "(empty)", "raw BTF: offset 0x0: 2",
                                       "is a directory", "No such file")):
        assert cause in result


def test_damage_is_refused_or_harmless(btf_list, tmp_path):
    good = corpus_btf.all_kinds("<").build()
    generator = random.Random(1)
    paths = []
    for number in range(DAMAGED_FILES):
        data = bytearray(good)
        for _ in range(generator.choice((1, 1, 2, 8))):
            data[generator.randrange(len(data))] = generator.choice((0, 1, 0x7f, 0xff, generator.randrange(256)))
        paths.append(tmp_path / f"damaged-{number}")
        paths[-1].write_bytes(data[:generator.choice((len(data), len(data), generator.randrange(len(data))))])
    results = run([btf_list, "-c", *paths])
    assert len(results) == DAMAGED_FILES
    assert sum(result.startswith("refused: ") for result in results) > DAMAGED_FILES / 2
