# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
pahole --reorganize: what it prints compiles to what it says, is never larger than before, and for few members
is the smallest that trying all orders finds.
"""
import itertools
import os
import random
import re
import shutil
import subprocess

import pytest

from programs import need, pahole

SCALARS = {"char": (1, 1), "short": (2, 2), "int": (4, 4), "long": (8, 8), "double": (8, 8), "void *": (8, 8),
           "long double": (16, 16), "struct in3": (3, 1), "struct in12": (12, 4), "struct in40": (40, 8)}
PRELUDE = ("struct in3 { char a[3]; }; struct in12 { int a; short b; int c; }; struct in40 { char a; long b[4]; };\n")
MEMBER = re.compile(r"^\t(?!\t).*?(\w+)(?:\[\d*\])*(?: __attribute__\(\(__aligned__\(\d+\)\)\))?; +/\* +(\d+) +\d+ \*/$",
                    re.MULTILINE)


class Member:
    def __init__(self, rng, name, with_bits):
        self.name = name
        kind = rng.choice(list(SCALARS))
        size, self.alignment = SCALARS[kind]
        count = rng.choice((1, 1, 1, 2, 3, 5))
        forced = rng.choice((16, 32)) if rng.random() < 0.05 else 0
        self.size = size * count
        self.text = f"{kind} {name}"
        if with_bits and rng.random() < 0.25:
            self.text += f"_b:{rng.randint(1, size * 8)}" if kind in ("char", "short", "int", "long") else ""
        elif count > 1:
            self.text += f"[{count}]"
        if forced and ":" not in self.text:
            self.text += f" __attribute__((aligned({forced})))"
            self.alignment = max(self.alignment, forced)


def layout_size(members):
    end = 0
    for member in members:
        end = -(-end // member.alignment) * member.alignment + member.size
    alignment = max(member.alignment for member in members)
    return -(-end // alignment) * alignment


def build(structs, folder):
    """BTF knows no alignment, so DWARF where it can be read."""
    lines = [PRELUDE]
    for name, members in structs.items():
        lines.append(f"struct {name} {{ {' '.join(m.text + ';' for m in members)} }} v_{name};")
    (folder / "t.c").write_text("\n".join(lines))
    subprocess.run([need("gcc"), "-g", "-w", "-c", "t.c", "-o", "t.o"], cwd=folder, check=True)


def reorganized(folder, names):
    """{name: (text, new size)}"""
    out = subprocess.run([pahole(), "-F", "dwarf", "-R", "-C", ",".join(names), "t.o"], cwd=folder, check=True,
                         capture_output=True, text=True).stdout
    shown = {}
    for text in re.findall(r"^struct \w+ \{.*?^\}[^\n]*\n", out, re.MULTILINE | re.DOTALL):
        name = re.match(r"struct (\w+)", text).group(1)
        shown[name] = (text, int(re.search(r"/\* size: (\d+),", text).group(1)))
    assert sorted(shown) == sorted(names)
    return shown


def compiles(shown, folder):
    lines = [PRELUDE]
    for name, (text, size) in shown.items():
        lines.append(text)
        lines.append(f"_Static_assert(sizeof(struct {name}) == {size}, \"{name}\");")
        lines += [f"_Static_assert(__builtin_offsetof(struct {name}, {member}) == {offset}, \"{name}\");"
                  for member, offset in MEMBER.findall(text)]
    (folder / "shown.c").write_text("\n".join(lines))
    for compiler in filter(shutil.which, ("gcc", "clang")):
        result = subprocess.run([compiler, "-w", "-fsyntax-only", "shown.c"], cwd=folder, capture_output=True,
                                text=True)
        assert result.returncode == 0, result.stderr[:2000]


def sizes(folder):
    out = subprocess.run([pahole(), "-F", "dwarf", "-s", "t.o"], cwd=folder, check=True, capture_output=True,
                         text=True).stdout
    return {line.split("\t")[0]: int(line.split("\t")[1]) for line in out.splitlines()}


@pytest.mark.parametrize("seed", range(int(os.environ.get("REORGANIZE_SEEDS", "2"))))
def test_the_smallest_of_all_orders(seed, tmp_path):
    rng = random.Random(seed)
    structs = {f"s{i}": [Member(rng, f"m{k}", False) for k in range(rng.randint(1, 6))] for i in range(60)}
    build(structs, tmp_path)
    shown = reorganized(tmp_path, list(structs))
    compiles(shown, tmp_path)
    for name, members in structs.items():
        best = min(map(layout_size, itertools.permutations(members)))
        assert shown[name][1] == best, [m.text for m in members]


@pytest.mark.parametrize("seed", range(int(os.environ.get("REORGANIZE_SEEDS", "2"))))
def test_bit_fields_and_many_members(seed, tmp_path):
    rng = random.Random(1000 + seed)
    structs = {f"s{i}": [Member(rng, f"m{k}", True) for k in range(rng.choice((3, 8, 20, 60)))] for i in range(40)}
    build(structs, tmp_path)
    before = sizes(tmp_path)
    shown = reorganized(tmp_path, list(structs))
    compiles(shown, tmp_path)
    for name, (text, size) in shown.items():
        assert size <= before[name], text


def test_packable_lists_what_reorganizing_saves(tmp_path):
    rng = random.Random(7)
    structs = {f"s{i}": [Member(rng, f"m{k}", True) for k in range(rng.randint(1, 12))] for i in range(60)}
    build(structs, tmp_path)
    before = sizes(tmp_path)
    shown = reorganized(tmp_path, list(structs))
    out = subprocess.run([pahole(), "-F", "dwarf", "-P", "t.o"], cwd=tmp_path, check=True, capture_output=True,
                         text=True).stdout
    listed = {name: tuple(map(int, numbers)) for name, *numbers in (line.split("\t") for line in out.splitlines())}
    expected = {name: (before[name], size, before[name] - size) for name, (_, size) in shown.items()
                if size < before[name]}
    assert {name: row for name, row in listed.items() if name in structs} == expected
