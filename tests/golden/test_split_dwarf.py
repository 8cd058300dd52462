# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Split DWARF: a program whose DWARF is in .dwo files or a .dwp file has the BTF of one built without -gsplit-dwarf."""
import shutil
import subprocess

import pytest

from btf import Btf
from programs import encode, need, pahole

SOURCES = {
    "walk": r"""
        struct node { struct node *next; unsigned flags : 3, kind : 5; long key[4][2]; };
        enum color { RED, GREEN = -3 };
        int counter = 5;
        extern int twice(int n, struct node by_value);
        __attribute__((noinline)) int walk(struct node *n, enum color c, struct node by_value, int y)
        {
            if (y > 3) { y = twice(c, by_value); counter = y * c; }
            return n->kind + y + by_value.kind;
        }
    """,
    "main": r"""
        struct node { struct node *next; unsigned flags : 3, kind : 5; long key[4][2]; };
        typedef struct node *node_ref;
        static struct node first;
        int walk(node_ref, int, struct node, int);
        __attribute__((noinline)) static int cut(int n, int unused) { return n ? cut(n - 1, 2) + 2 : 0; }
        __attribute__((noinline)) int twice(int n, struct node by_value)
        {
            static int calls;
            int m = n * 2;
            calls += m;
            return walk(by_value.next, m, by_value, cut(calls, 3));
        }
        int main(int argc, char **argv) { return argv ? twice(argc, first) : cut(argc, argc); }
    """,
}
COMPILERS = [
    ("gcc", "-O2 -gdwarf-4"),
    ("gcc", "-O2 -gdwarf-5"),
    ("gcc", "-O2 -gdwarf-5 -gz"),
    ("clang", "-O2 -gdwarf-4"),
    # Optimised, clang describes conversions by base types, which it leaves out of .dwo files.
    ("clang", "-O0 -gdwarf-5"),
]
OPTIONS = "--btf_features=default,global_var,true_signature"


def compiler_path(name):
    return shutil.which(name) or need(f"{name}-14")


def build(folder, compiler, flags, output):
    """Compiles in `folder` each source to its own object; all of it is there afterwards."""
    folder.mkdir(exist_ok=True)
    objects = [f"{output}-{name}.o" for name in SOURCES]
    for (name, source), target in zip(SOURCES.items(), objects):
        (folder / f"{name}.c").write_text(source)
        subprocess.run([compiler, *flags.split(), "-c", "-o", target, f"{name}.c"],
                       cwd=folder, check=True)
    subprocess.run([compiler, "-o", output, *objects], cwd=folder, check=True)
    return folder / output


def run(path, *options):
    return encode(pahole(), path.with_suffix(".btf"), [OPTIONS, *options, path])


def good(path, *options):
    result = run(path, *options)
    assert result.status == 0 and not result.messages, result.messages
    return result.data


@pytest.mark.parametrize("name, flags", COMPILERS)
def test_split_units_are_as_others(tmp_path, name, flags):
    compiler = compiler_path(name)
    whole = good(build(tmp_path, compiler, flags, "whole"))
    split = build(tmp_path, compiler, flags + " -gsplit-dwarf", "split")
    assert list(tmp_path.glob("split-*.dwo"))
    assert good(split) == whole
    assert good(split, "-j3") == whole
    # Objects, with relocations for what is in the .dwo file.
    assert good(tmp_path / "split-walk.o") == good(tmp_path / "whole-walk.o")


@pytest.mark.parametrize("name, flags, packer", [
    ("gcc", "-O2 -gdwarf-4", "dwp"),
    ("clang", "-O0 -gdwarf-5", "llvm-dwp"),
    ("gcc", "-O2 -gdwarf-4 -fdebug-types-section", "dwp"),
])
def test_packages_are_as_what_was_packed(tmp_path, name, flags, packer):
    packer = need(packer)
    split = build(tmp_path, compiler_path(name), flags + " -gsplit-dwarf", "split")
    unpacked = Btf(good(split))
    subprocess.run([packer, "-e", "split", "-o", "split.dwp"], cwd=tmp_path, check=True)
    for path in tmp_path.glob("*.dwo"):
        path.unlink()
    packed = Btf(good(split))
    # Type units are put in another order.
    assert sorted(packed.content()) == sorted(unpacked.content())
    assert packed.data == unpacked.data or "types" in flags
    damaged = (tmp_path / "split.dwp").read_bytes()
    (tmp_path / "split.dwp").write_bytes(damaged[:len(damaged) // 2])
    result = run(split)
    assert (result.status, result.data) == (1, None) and "split.dwp: " in result.messages


@pytest.mark.parametrize("version", [4, 5])
def test_type_units_of_dwo_files(tmp_path, version):
    flags = f"-O2 -gdwarf-{version} -fdebug-types-section"
    whole = Btf(good(build(tmp_path, "gcc", flags, "whole")))
    split = Btf(good(build(tmp_path, "gcc", flags + " -gsplit-dwarf", "split")))
    assert sorted(split.content()) == sorted(whole.content())


@pytest.mark.parametrize("split", SOURCES)
def test_split_and_other_units_that_are_loaded_as_one(tmp_path, split):
    for output in ("whole", "mixed"):
        for name in SOURCES:
            extra = "-gsplit-dwarf" if output == "mixed" and name == split else "-fdebug-types-section"
            (tmp_path / f"{name}.c").write_text(SOURCES[name])
            subprocess.run(["gcc", "-g", "-O2", extra, "-c", "-o", f"{name}.o", f"{name}.c"],
                           cwd=tmp_path, check=True)
        subprocess.run(["gcc", "-o", output, *(f"{name}.o" for name in SOURCES)], cwd=tmp_path, check=True)
    whole, mixed = (Btf(good(tmp_path / output)) for output in ("whole", "mixed"))
    assert sorted(mixed.content()) == sorted(whole.content())


@pytest.mark.parametrize("version", [4, 5])
def test_dwo_files_may_move_with_the_program(tmp_path, version):
    split = build(tmp_path / "here", "gcc", f"-gdwarf-{version} -gsplit-dwarf", "split")
    before = good(split)
    (tmp_path / "here").rename(tmp_path / "there")
    assert good(tmp_path / "there/split") == before


@pytest.fixture(params=[4, 5])
def split(request, tmp_path):
    return build(tmp_path, "gcc", f"-gdwarf-{request.param} -gsplit-dwarf", "split")


def failure(path):
    result = run(path)
    assert (result.status, result.data) == (1, None)
    line, = result.messages.splitlines()
    return line


def test_no_dwo_file(split):
    for path in split.parent.glob("*.dwo"):
        path.unlink()
    assert failure(split) == (
        f"pahole: {split}: the DWARF of its 2 units is in .dwo files, the first of which cannot be read: "
        f"{split.parent}/split-walk.dwo: open: No such file or directory")


def test_a_dwo_file_is_no_program(split):
    assert failure(split.parent / "split-walk.dwo").endswith(
        ": holds part of the DWARF of a program, which is to be given instead")


def test_one_dwo_file_is_missing(split):
    (split.parent / "split-walk.dwo").unlink()
    result = run(split)
    assert result.status == 0
    assert result.messages == (f"pahole: {split}: 1 unit is left out: "
                               f"{split.parent}/split-walk.dwo: open: No such file or directory\n")
    assert [record.name for record in Btf(result.data).all("FUNC")] == ["cut", "main", "twice"]


def test_a_dwo_file_of_another_build(split):
    folder = split.parent
    (folder / "split-main.dwo").write_bytes((folder / "split-walk.dwo").read_bytes())
    assert "split-main.dwo: " in failure(split)
    assert failure(split).endswith("they are from different builds")


def test_damaged_dwo_files(split):
    path = split.parent / "split-walk.dwo"
    content = path.read_bytes()
    for size in range(0, len(content), 97):
        path.write_bytes(content[:size])
        assert "split-walk.dwo: " in failure(split)
