# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Types of DWARF as they are shown: the source says what they are, the compiler where they are from."""
import re
import subprocess

import pytest

from programs import need, pahole

HEADER = """
struct shared { int first; char second; };
"""
SOURCES = {
    "one.c": """
        #include "shared.h"
        struct shared in_one;
        struct other;
        struct holder { struct other *what; } holder;
    """,
    "two.c": """
        #include "shared.h"
        struct shared in_two;
        struct other { long l; } other;
        struct twice { int a; } twice;
    """,
    "three.c": """
        struct twice { char a; } again;
        void f(void) { struct local { int i; } l; __asm__("" : : "r"(&l)); }
        int main(void) { f(); return 0; }
    """,
}


def build(folder, *options, compiler="gcc"):
    (folder / "include").mkdir()
    (folder / "include/shared.h").write_text(HEADER)
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    subprocess.run([need(compiler), "-g", *options, "-Iinclude", "-o", "program", *SOURCES], cwd=folder, check=True)
    return folder / "program"


def show(program, *options, status=0):
    result = subprocess.run([pahole(), "-F", "dwarf", *options, program], stdin=subprocess.DEVNULL,
                            capture_output=True, text=True)
    assert result.returncode == status, result.stderr
    return result.stderr if status else result.stdout


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("version", [2, 4, 5])
def test_source_files(version, compiler, tmp_path):
    program = build(tmp_path, f"-gdwarf-{version}", compiler=compiler)
    text = show(program, "-I")
    places = re.findall(r"^/\* Used at: (.*) \*/\n/\* <[0-9a-f]+> (.*) \*/\nstruct (\w+)", text, re.MULTILINE)
    assert places == [
        ("one.c", "include/shared.h:2", "shared"),
        ("one.c", f"{tmp_path}/one.c:5", "holder"),
        ("two.c", f"{tmp_path}/two.c:4", "other"),
        ("two.c", f"{tmp_path}/two.c:5", "twice"),
        ("three.c", f"{tmp_path}/three.c:2", "twice"),
    ]
    assert "struct shared" not in show(program, "-D", "include/")
    assert re.findall(r"^struct (\w+)", show(program, "-D", str(tmp_path)), re.MULTILINE) == ["shared"]


def test_the_unit_that_defines_a_type(tmp_path):
    program = build(tmp_path)
    assert show(program, "-u", "-C", "other").split() == ["two.c"]


def test_definitions_are_counted(tmp_path):
    counts = dict(line.split("\t") for line in show(build(tmp_path), "-T").splitlines())
    assert counts == {"shared": "2", "holder": "1", "other": "1", "twice": "1"}


@pytest.mark.parametrize("option", ["-I", "-T", "--sort"])
def test_threads_do_not_matter(option, tmp_path):
    program = build(tmp_path)
    assert show(program, "-j1", option) == show(program, "-j3", option) != ""


def test_damaged_line_numbers_are_an_error_where_they_are_needed(tmp_path):
    program = build(tmp_path)
    subprocess.run([need("objcopy"), "--dump-section", ".debug_line=lines", program, "/dev/null"], cwd=tmp_path)
    content = bytearray((tmp_path / "lines").read_bytes())
    content[4] = 77  # the version
    (tmp_path / "lines").write_bytes(content)
    subprocess.run(["objcopy", "--update-section", ".debug_line=lines", program], cwd=tmp_path, check=True)
    message = show(program, "-I", status=1)
    assert f"{program}: .debug_line: offset 0x0: unknown version" in message
    assert "struct shared" in show(program)
