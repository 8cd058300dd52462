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


POINTERS = {
    "1.c": """
        struct late; struct both { int a; };
        int f1(struct late *p, struct both *q) { return p == 0 && q == 0; }
        static inline __attribute__((always_inline)) int twice(struct both *q) { return q->a * 2; }
        int f2(struct late *p, struct both *q) { return p == 0 && twice(q); }
    """,
    "2.c": """
        struct late { int x; }; struct both { int a; }; struct only { int z; };
        int f1(struct late *, struct both *);
        int g1(struct late *p, struct both *q, struct only *r) { return p->x + q->a + r->z + f1(p, q); }
        int g2(const struct late *p, struct late **q) { return p->x + (*q)->x; }
    """,
}


def test_p24_parameters_count_wherever_they_are(tmp_path):
    """f1, f2, f1 declared, g1 to `late`; those, `twice` to `both`. dwarves does not count the first two for `late`."""
    for name, text in POINTERS.items():
        (tmp_path / name).write_text(text)
    subprocess.run([need("gcc"), "-g", "-O1", "-shared", "-o", "library", *POINTERS], cwd=tmp_path, check=True)
    assert show(tmp_path / "library", "-m") == "late\t4\nboth\t5\nonly\t1\n"


def test_p18_containers_in_all_units(tmp_path):
    """The first unit with struct shared has no struct that holds it."""
    source = '#include "shared.h"\nstruct outer { struct shared s; struct shared *p; } outer;\n'
    build(tmp_path)
    (tmp_path / "four.c").write_text(source)
    subprocess.run([need("gcc"), "-g", "-Iinclude", "-o", "program", *SOURCES, "four.c"], cwd=tmp_path, check=True)
    assert show(tmp_path / "program", "-i", "shared") == "outer\n"
    assert show(tmp_path / "program", "-f", "shared") == "outer: p\n"


def test_p25_types_without_a_name_once(tmp_path):
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text("typedef struct { int i; long l; } t, same; t %s;" % name[0])
    subprocess.run([need("gcc"), "-g", "-shared", "-o", "library", "a.c", "b.c"], cwd=tmp_path, check=True)
    assert show(tmp_path / "library", "-a", "-s") == "t\t16\t1\n"


@pytest.mark.parametrize("option", ["-I", "-T", "-m", "--sort"])
def test_threads_do_not_matter(option, tmp_path):
    program = build(tmp_path)
    assert show(program, "-j1", option) == show(program, "-j3", option)


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
