# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
pahole --static_assertions: two compilers agree with every size and offset that it says, for the types of
tests/golden/printing and of random structs.
"""
import pathlib
import random
import re
import shutil
import subprocess

import pytest

from programs import need, pahole

FOLDER = pathlib.Path(__file__).parent / "printing"
COMPILERS = ("gcc", "clang")
SCALARS = (("char", 8), ("short", 16), ("int", 32), ("long", 64), ("long long", 64), ("_Bool", 1),
           ("unsigned char", 8), ("float", 0), ("double", 0), ("void *", 0), ("long double", 0), ("enum e", 32))


def to_btf(source, folder, *flags):
    (folder / "t.c").write_text(source)
    subprocess.run([need("gcc"), "-g", "-w", *flags, "-c", "t.c", "-o", "t.o"], cwd=folder, check=True)
    subprocess.run([pahole(), "--btf_encode_detached=t.btf", "t.o"], cwd=folder, check=True)
    return folder / "t.btf"


def faults(btf, folder, *options):
    """{compiler: its first error}"""
    text = subprocess.run([pahole(), "-F", "btf", "--static_assertions", *options, btf], check=True,
                          capture_output=True, text=True).stdout
    assert "_Static_assert" in text
    (folder / "shown.c").write_text(text)
    found = {}
    for compiler in filter(shutil.which, COMPILERS):
        result = subprocess.run([compiler, "-w", "-fsyntax-only", "shown.c"], cwd=folder,
                                capture_output=True, text=True)
        if result.returncode:
            line = re.search(r"shown.c:(\d+)", result.stderr)
            found[compiler] = result.stderr.splitlines()[0] + "\n" + (
                text.splitlines()[int(line.group(1)) - 1] if line else "")
    return found


@pytest.mark.parametrize("case", ["01-columns", "02-declarators", "03-arrays", "04-bitfields", "06-cachelines",
                                  "07-anonymous", "08-unions", "09-enums", "11-alignment", "12-packed",
                                  "13-expand", "17-lists", "18-filters", "19-containers", "22-compile"])
def test_the_printing_cases(case, tmp_path):
    btf = to_btf((FOLDER / f"{case}.c").read_text(), tmp_path, "-DU=1")
    assert faults(btf, tmp_path) == {}


def random_member(rng, name, structs):
    kind = rng.random()
    alignment = f" __attribute__((aligned({rng.choice((1, 2, 4, 8, 16, 32))})))" if rng.random() < 0.1 else ""
    scalar, bits = rng.choice(SCALARS)
    if kind < 0.3 and bits:
        return f"{scalar} {name}:{rng.randint(1, bits)};" if rng.random() < 0.8 else f"{scalar} :{rng.randint(0, bits)};"
    if kind < 0.4 and structs:
        return f"struct {rng.choice(structs)} {name}{alignment};"
    if kind < 0.5:
        inner = " ".join(random_member(rng, f"{name}_{i}", structs) for i in range(rng.randint(1, 3)))
        packed = "__attribute__((packed)) " if rng.random() < 0.2 else ""
        return f"{rng.choice(('struct', 'union'))} {packed}{{ {inner} }} {rng.choice((name, ''))};"
    if kind < 0.6:
        return f"{scalar} {name}[{rng.randint(0, 5)}]{'[2]' * rng.randint(0, 1)};"
    if kind < 0.65:
        return f"{scalar} (*{name}[3])(int, struct undefined *);"
    return f"{scalar} {name}{alignment};"


def random_source(seed):
    rng = random.Random(seed)
    structs, lines = [], ["enum e { A, B = 70000 };"]
    for i in range(60):
        name = f"s{i}"
        attributes = []
        if rng.random() < 0.25:
            attributes.append("packed")
        if rng.random() < 0.15:
            attributes.append(f"aligned({rng.choice((2, 4, 8, 16, 64))})")
        members = " ".join(random_member(rng, f"m{k}", structs) for k in range(rng.randint(1, 8)))
        lines.append(f"struct {name} {{ {members} }} __attribute__(({', '.join(attributes)}));")
        lines.append(f"struct {name} v{i};")
        structs.append(name)
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(8))
def test_random_structs(seed, tmp_path):
    assert faults(to_btf(random_source(seed), tmp_path), tmp_path) == {}
