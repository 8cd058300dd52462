# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
Problems that others met with BTF encoders, and what is right: tests/golden/cases, one folder each.

build.sh makes the inputs; expect.txt has blocks:

    enc FILE [feat=LIST] [base=FILE]
                               encode FILE with these features (default: "default"), split on that base
        rc 0 | rc nonzero      exit status
        clean                  no crash, no time-out
        has RE | not RE        some, no line of the BTF as text matches
        count N RE             so many lines match
        err RE                 stderr matches
        mem MB, wall SECONDS   limits (not with a sanitizer)
"""
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

import pytest

from btf import Btf
from programs import SUPPORT, encode, pahole

FOLDER = pathlib.Path(__file__).parent / "cases"
SANITIZED = bool(os.environ.get("SMELT_SANITIZE"))


class Block:
    def __init__(self, case, line, checks):
        self.case, self.line, self.checks = case, line, checks
        _, self.input, *settings = line.split()
        self.settings = dict(word.split("=", 1) for word in settings)


def blocks():
    for path in sorted(FOLDER.glob("*/expect.txt")):
        current = None
        for line in path.read_text().splitlines():
            if line.startswith("enc "):
                current = Block(path.parent.name, line, [])
                yield current
            elif line.startswith(" "):
                current.checks.append(line.strip())


BLOCKS = list(blocks())


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """inputs(case) -> folder with what its build.sh made"""
    done = {}

    def get(case):
        if case not in done:
            folder = tmp_path_factory.mktemp(case)
            subprocess.run(["sh", "build.sh"], cwd=FOLDER / case, capture_output=True,
                           env={**os.environ, "OUT": folder, "PYTHON": sys.executable,
                                "PYTHONPATH": SUPPORT, "PYTHONDONTWRITEBYTECODE": "1"})
            done[case] = folder
        return done[case]

    return get


def missing_programs(case):
    words = re.findall(r"^\s*((?:gcc|g\+\+|clang)-\d+|as|dwz)\b", (FOLDER / case / "build.sh").read_text(),
                       re.MULTILINE)
    return sorted({word for word in words if shutil.which(word) is None})


def holds(check, result, text, memory_mb):
    kind, _, value = check.partition(" ")
    if kind == "rc":
        return result.status == 0 if value == "0" else result.status is not None and result.status > 0
    if kind == "clean":
        return result.status is not None and 0 <= result.status < 126
    if kind == "has":
        return any(re.search(value, line) for line in text)
    if kind == "not":
        return not any(re.search(value, line) for line in text)
    if kind == "count":
        number, _, pattern = value.partition(" ")
        return sum(bool(re.search(pattern, line)) for line in text) == int(number)
    if kind == "err":
        return re.search(value, result.messages) is not None
    if kind == "mem":
        return SANITIZED or memory_mb <= int(value)
    assert kind == "wall", check
    return result.status is not None


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"{block.case}:{block.input}")
def test_case(block, inputs, tmp_path):
    folder = inputs(block.case)
    if not (folder / block.input).exists() and block.input not in ("missing.out", "not-there"):
        missing = missing_programs(block.case)
        assert missing, f"{block.case}/build.sh did not make {block.input}"
        pytest.skip(f"no {', '.join(missing)}")
    wall = next((int(check.split()[1]) for check in block.checks if check.startswith("wall")), 60)
    options = [f"--btf_features={block.settings.get('feat', 'default')}"]
    base = None
    if "base" in block.settings:
        base = Btf(encode(pahole(), tmp_path / "base.btf", [*options, block.settings["base"]],
                          cwd=folder).data)
        options.append(f"--btf_base={tmp_path / 'base.btf'}")
    result = encode(pahole(), tmp_path / "output.btf", [*options, block.input], cwd=folder,
                    timeout=4 * wall if SANITIZED else wall)
    # Of the largest child so far, so the limit counts for all cases before, too.
    memory_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    text = []
    if result.data is not None:
        btf = Btf(result.data, base)
        text = [f"HDR endian={'little' if btf.order == '<' else 'big'}", *btf.content()]
    for check in block.checks:
        assert holds(check, result, text, memory_mb), "\n".join([check, result.messages, *text[:60]])
