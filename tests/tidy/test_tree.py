# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Rules about the files of the tree."""
import importlib.util
import re
import shutil
import subprocess
import textwrap

import pytest

LICENSE_LINE = "SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause"
SOURCE_SUFFIXES = {".c", ".h", ".cc", ".S", ".py", ".sh", ".cmake"}
SOURCE_NAMES = {"CMakeLists.txt", "Makefile"}
# Formatted by us; inputs of golden tests may need a shape of their own.
FORMATTED = ("src/", "include/", "tools/", "examples/", "bench/", "tests/unit/", "tests/fuzz/",
             "tests/support/")
# A path of somebody's machine: home folders, and roots outside the file hierarchy standard.
HOST_PATH = re.compile(r"(?<![\w.~${}-])/(home|roo[t]|wor[k]|Users)/\w")


def text_of(path):
    data = path.read_bytes()
    if b"\0" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def is_source(path):
    return path.suffix in SOURCE_SUFFIXES or path.name in SOURCE_NAMES


def load_check_layers(root):
    spec = importlib.util.spec_from_file_location("check_layers", root / "scripts/check_layers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_source_names_its_license(root, tracked):
    missing = [str(path.relative_to(root)) for path in tracked if is_source(path)
               and LICENSE_LINE not in "\n".join(path.read_text().splitlines()[:3])]
    assert not missing


def test_no_path_of_a_host(root, tracked):
    found = []
    for path in tracked:
        for number, line in enumerate((text_of(path) or "").splitlines(), 1):
            if HOST_PATH.search(line):
                found.append(f"{path.relative_to(root)}:{number}: {line.strip()}")
    assert not found


def test_lines_end_cleanly(root, tracked):
    bad = []
    for path in tracked:
        text = text_of(path) if is_source(path) or path.suffix == ".md" else None
        if text is None:
            continue
        if text and not text.endswith("\n"):
            bad.append(f"{path.relative_to(root)}: no newline at the end")
        for number, line in enumerate(text.splitlines(), 1):
            if line != line.rstrip():
                bad.append(f"{path.relative_to(root)}:{number}: trailing white space")
    assert not bad


def test_includes_keep_the_layers(root):
    assert load_check_layers(root).check(root) == []


@pytest.mark.parametrize("path, line, complains", [
    ("src/dwarf/a.c", '#include "base/arena.h"', False),
    ("src/dwarf/a.c", '#include "elf/elf_file.h"', True),
    ("src/dwarf/a.c", '#include "../elf/elf_file.h"', True),
    ("src/dwarf/a.c", '#include "die.h"', True),
    ("src/dwarf/a.c", "#include <dwarf.h>", True),
    ("src/dwarf/a.c", "#include <libelf.h>", True),
    ("src/elf/a.c", "#include <libelf.h>", False),
    ("src/api/a.c", '#include "load/a.h"', False),
    ("src/other/a.c", "", True),
    ("tools/pahole/a.c", '#include "cli/a.h"', False),
    ("tools/pahole/a.c", '#include "base/arena.h"', True),
    ("tools/pahole/a.c", "#include <smelt/error.h>", False),
    ("include/smelt/b.h", '#include "base/arena.h"', True),
])
def test_a_forbidden_include_is_seen(root, tmp_path, path, line, complains):
    """The checker itself, on a tree with one file."""
    for name in ("cmake/SmeltLibrary.cmake", "include/smelt/error.h"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, tmp_path / name)
    (tmp_path / "src").mkdir()
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text(line + "\n")
    assert bool(load_check_layers(root).check(tmp_path)) == complains


@pytest.mark.skipif(not shutil.which("clang-format-14"), reason="no clang-format-14")
def test_c_is_formatted(root, tracked):
    paths = [path for path in tracked if path.suffix in (".c", ".h")
             and str(path.relative_to(root)).startswith(FORMATTED)]
    result = subprocess.run(["clang-format-14", "--dry-run", "-Werror", *map(str, paths)],
                            capture_output=True, text=True, cwd=root)
    files = sorted(set(re.findall(r"^(?:\S*/)?((?:src|include|tools|examples|bench|tests)/\S+?):",
                                  result.stderr, re.M)))
    assert not files, textwrap.shorten(result.stderr, 600)


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="no shellcheck")
def test_shell_scripts_pass_shellcheck(tracked):
    scripts = [path for path in tracked
               if (text_of(path) or "").startswith(("#!/bin/sh", "#!/bin/bash"))]
    result = subprocess.run(["shellcheck", "-S", "warning", *map(str, scripts)],
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
