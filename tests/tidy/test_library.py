# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Rules about libsmelt as built, and about its public headers."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

# Constant once relocated: tables of pointers live in .data.rel.ro.
WRITABLE_SECTION = re.compile(r"\.(data|bss|tbss|tdata|sdata|sbss)(?!\.rel\.ro)(\..*)?|\*COM\*")
# Libraries that a program may link next to ours.
NEIGHBOURS = ("libelf.so.1", "libdw.so.1", "libbpf.so.1", "libz.so.1", "libzstd.so.1")


@pytest.fixture(scope="session")
def library(build_dir):
    path = build_dir / "libsmelt.a"
    if not path.is_file():
        pytest.skip("libsmelt.a is not built")
    return path


@pytest.fixture(scope="session")
def defined_symbols(library):
    """Global symbols that libsmelt.a defines."""
    output = subprocess.run(["nm", "--defined-only", "-g", "-A", library], check=True,
                            capture_output=True, text=True).stdout
    return {line.split()[-1] for line in output.splitlines()}


def header_functions(root):
    names = set()
    for header in (root / "include/smelt").glob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
        names |= set(re.findall(r"\b(smelt_\w+)\s*\([^)]*\)\s*[;_]", text))
    return names


@pytest.mark.skipif(os.environ.get("SMELT_SANITIZE", "") != "",
                    reason="sanitizers add data of their own")
def test_no_writable_globals(library):
    """Two runs in one process, in two threads, must not meet."""
    output = subprocess.run(["objdump", "-t", library], check=True, capture_output=True,
                            text=True).stdout
    found = []
    member = None
    for line in output.splitlines():
        if match := re.match(r"(\S+\.o):", line):
            member = match[1]
        elif match := re.match(r"[0-9a-f]+ (.{7}) (\S+)\s+[0-9a-f]+ (.*)", line):
            flags, section, name = match.groups()
            if "d" in flags and "O" not in flags:  # section symbols
                continue
            if WRITABLE_SECTION.fullmatch(section):
                found.append(f"{member}: {name} in {section}")
    assert member and not found


def test_public_functions_are_those_of_the_headers(root, defined_symbols):
    public = {name for name in defined_symbols if name.startswith("smelt_")}
    declared = header_functions(root)
    assert declared
    assert public - declared == set(), "smelt_ is for what a public header declares"
    assert declared - public == set(), "declared, but not there"


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
def test_no_symbol_of_a_neighbour(defined_symbols, neighbour):
    """A static libsmelt and that library can be linked into one program."""
    listing = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
    paths = re.findall(rf"{re.escape(neighbour)} .*=> (\S+)", listing)
    if not paths:
        pytest.skip(f"no {neighbour}")
    output = subprocess.run(["nm", "-D", "--defined-only", paths[0]], check=True,
                            capture_output=True, text=True).stdout
    theirs = {line.split()[-1].split("@")[0] for line in output.splitlines()}
    assert theirs and not defined_symbols & theirs


HEADERS = sorted((pathlib.Path(__file__).resolve().parents[2] / "include/smelt").glob("*.h"))


@pytest.mark.parametrize("compiler, language, standard", [
    ("cc", "c", "c11"),
    ("clang-14", "c", "c11"),
    ("g++-12", "c++", "c++11"),
    ("clang-14", "c++", "c++11"),
])
@pytest.mark.parametrize("header", HEADERS, ids=lambda path: path.name)
def test_a_public_header_compiles_alone(root, tmp_path, header, compiler, language, standard):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    source = tmp_path / "alone.c"
    # Twice: the include guard is part of it.
    source.write_text(f"#include <smelt/{header.name}>\n" * 2)
    result = subprocess.run([compiler, "-x", language, f"-std={standard}", "-pedantic", "-Wall",
                             "-Wextra", "-Werror", "-fsyntax-only", f"-I{root / 'include'}",
                             str(source)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
