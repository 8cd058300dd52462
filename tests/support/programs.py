# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Runs the programs that tests need: our pahole, another one to compare with, compilers, oracles."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUPPORT = pathlib.Path(__file__).parent
# Ours needs milliseconds, but a sanitizer on a busy machine does not.
TIMEOUT = 120


def pahole():
    """Path of the program under test."""
    build = os.environ.get("SMELT_BUILD_DIR")
    path = os.path.join(build, "pahole") if build else shutil.which("pahole")
    if not path or not os.path.exists(path):
        pytest.skip("no pahole: set SMELT_BUILD_DIR or PATH")
    return path


def peer():
    """Path of dwarves' pahole of the version we follow; skips without."""
    path = os.environ.get("PEER")
    if not path:
        pytest.skip("PEER is not set: no pahole to compare with")
    return path


def need(command):
    """Path of a command; skips, naming it, without."""
    path = shutil.which(command, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if not path:
        pytest.skip(f"no {command}")
    return path


class Encoding:
    """What one run left: data (bytes, or None when nothing was written), status, messages."""

    def __init__(self, data, status, messages):
        self.data, self.status, self.messages = data, status, messages


def encode(program, output, arguments, env=None, cwd=None, timeout=TIMEOUT):
    """Runs a pahole with detached BTF at `output`. A time-out gives status None."""
    output = pathlib.Path(output)
    output.unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if name != "PAHOLE_LANG_EXCLUDE"}
    environment.update(LC_ALL="C", **(env or {}))
    command = [program, f"--btf_encode_detached={output}", *map(str, arguments)]
    try:
        result = subprocess.run(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        return Encoding(None, None, "timed out")
    data = output.read_bytes() if output.exists() and output.stat().st_size else None
    return Encoding(data, result.returncode, result.stderr)


def elf_section(path, name):
    """Content of a section, according to llvm-objcopy, or None."""
    output = pathlib.Path(f"{path}.section")
    subprocess.run([need("llvm-objcopy"), f"--dump-section={name}={output}", path, "/dev/null"],
                   capture_output=True)
    content = output.read_bytes() if output.exists() else None
    output.unlink(missing_ok=True)
    return content


def head_lines(path, keyword):
    """Values of the "keyword: value" lines in the comment at the head of a source file."""
    head = re.match(r"/\* SPDX.*?\*/\s*/\*(.*?)\*/", path.read_text(), re.DOTALL)
    return re.findall(rf"^ \* {keyword}: (.*)$", head.group(1), re.MULTILINE) if head else []


def compile_helper(name, folder, *flags):
    """Builds tests/support/programs/NAME.c; skips, with the compiler's words, when that fails."""
    output = folder / name
    compiler = os.environ.get("SMELT_CC", "cc")
    result = subprocess.run([compiler, "-O1", "-g", "-o", output, SUPPORT / "programs" / f"{name}.c", *flags],
                            capture_output=True, text=True)
    if result.returncode != 0:
        pytest.skip(f"cannot build {name}: {result.stderr.strip().splitlines()[-1]}")
    return output


def compile_with_library(name, folder):
    """The same for a program that looks inside of the library. Needs a build."""
    build = os.environ.get("SMELT_BUILD_DIR")
    if not build:
        pytest.skip("SMELT_BUILD_DIR is not set")
    sanitizers = os.environ.get("SMELT_SANITIZE")
    return compile_helper(name, folder, "-D_GNU_SOURCE", f"-I{ROOT / 'src'}", f"-I{ROOT / 'include'}",
                          f"{build}/libsmelt.a", "-lz", "-lzstd", "-pthread",
                          *([f"-fsanitize={sanitizers}"] if sanitizers else []))
