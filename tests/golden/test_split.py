# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
pahole --btf_base: which bases are accepted, and that nothing but input and options decides the output. What the output
is: tests/golden/encoding/split_*, and the modules of a kernel in scripts/check_kernel.py.
"""
import pathlib
import shutil
import subprocess

import pytest

from btf import Btf
from programs import encode, need, pahole

SOURCES = pathlib.Path(__file__).parent / "encoding"
OK, FAILURE = 0, 1
LAST = """
struct hidden;
struct module_user;
struct last { struct module_user *user; struct hidden *hidden; struct chain *chain; } last;
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """base.btf, mod.o that disagrees with it in several ways, mod.btf, and last.o for a third layer."""
    path = tmp_path_factory.mktemp("split")
    header = SOURCES / "split_disagrees.h"

    def build(output, source, *flags):
        subprocess.run(["gcc", "-g", *flags, "-c", source, "-o", output], cwd=path, check=True)

    build("base.o", SOURCES / "split_disagrees_1.c", "-DBASE", "-include", header)
    build("one.o", SOURCES / "split_disagrees_1.c", "-include", header)
    build("two.o", SOURCES / "split_disagrees_2.c", "-include", header)
    subprocess.run(["ld", "-r", "one.o", "two.o", "-o", "mod.o"], cwd=path, check=True)
    (path / "last.c").write_text(LAST)
    build("last.o", "last.c")
    assert run(path, "base.btf", "base.o").status == OK
    assert run(path, "mod.btf", "--btf_base=base.btf", "mod.o").status == OK
    return path


def run(folder, output, *arguments, env=None):
    return encode(pahole(), folder / output, ["--btf_features=default", *arguments], cwd=folder, env=env)


def test_only_input_and_options_decide(folder):
    expected = (folder / "mod.btf").read_bytes()
    for jobs in (1, 2, 8):
        for seed, bits in ((0, 0), (1, 1), (2, 3), (3, 8)):
            result = run(folder, "again.btf", f"-j{jobs}", "--btf_base=base.btf", "mod.o",
                         env={"SMELT_TEST_SHUFFLE": str(seed), "SMELT_TEST_HASH_BITS": str(bits)})
            assert result.status == OK, result.messages
            assert result.data == expected, f"-j{jobs}, seed {seed}, {bits} bits"


def test_a_base_may_be_a_section(folder):
    shutil.copy(folder / "base.o", folder / "with-btf.o")
    subprocess.run([need("objcopy"), "--add-section", ".BTF=base.btf", "with-btf.o"], cwd=folder, check=True)
    result = run(folder, "again.btf", "--btf_base=with-btf.o", "mod.o")
    assert result.data == (folder / "mod.btf").read_bytes()


def test_a_base_may_be_split_itself(folder):
    result = run(folder, "last.btf", "--btf_base=base.btf", "--btf_base=mod.btf", "last.o")
    assert result.status == OK, result.messages
    base = Btf((folder / "base.btf").read_bytes())
    last = Btf(result.data, Btf((folder / "mod.btf").read_bytes(), base))
    assert last.first_id > base.end_id
    # All but `last` itself and what only it needs is there by now.
    assert [record.name for record in last.types if record.kind == "STRUCT"] == ["last"]
    kinds = {member[0]: last.type(last.type(member[1]).size_or_type).kind
             for record in last.types if record.kind == "STRUCT" for member in record.parts}
    assert set(kinds.values()) == {"STRUCT", "FWD"}


def test_the_last_of_several_bases_counts(folder):
    result = run(folder, "again.btf", "--btf_base=mod.btf", "--btf_base=base.btf", "mod.o")
    assert result.data == (folder / "mod.btf").read_bytes()


@pytest.mark.parametrize("name, words", [
    ("not-there", "No such file"),
    ("last.c", "neither BTF nor an ELF file"),
    ("base.o", "no BTF"),
    ("mod.btf", "mod.btf"),
    ("cut.btf", "cut.btf"),
    (".", "directory"),
])
def test_a_bad_base_is_an_error(folder, name, words):
    (folder / "cut.btf").write_bytes((folder / "base.btf").read_bytes()[:200])
    result = run(folder, "none.btf", f"--btf_base={name}", "mod.o")
    assert result.status == FAILURE
    assert result.data is None and not (folder / "none.btf").exists()
    assert words in result.messages and len(result.messages.splitlines()) == 1, result.messages


def test_a_bad_base_fails_all_files(folder):
    result = subprocess.run([pahole(), "--each", "--btf_base=not-there", "--btf_encode_detached=all", "one.o", "two.o"],
                            cwd=folder, capture_output=True, text=True)
    assert result.returncode == FAILURE and "not-there" in result.stderr
    assert not list(folder.glob("all/*"))
