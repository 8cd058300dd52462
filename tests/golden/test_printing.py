# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
What pahole prints: tests/golden/printing, one source file and one record for each case.

The source's first comment has lines "cc: COMMAND" (make the input) and "cmd: COMMAND" (what is
recorded). Here the objects are encoded as BTF, and the commands read that. CASE.btf.expected is what dwarves' pahole
v1.31 printed: "$ COMMAND", stdout, stderr lines with "2> " before them, "[exit N]" if not 0. Where
smelt differs CASE.btf.patch says how: a unified diff without context whose hunks name their reason behind the
second "@@", a row of docs/differences.md.

  --rewrite  with PEER: records it in CASE.expected; without: writes the patches, keeping the reasons
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from programs import pahole, peer

FOLDER = pathlib.Path(__file__).parent / "printing"
DIFFERENCES = pathlib.Path(__file__).resolve().parents[2] / "docs/differences.md"
NOT_YET = "[wl]|first_obj_only|fixup\\w*"
CASES = sorted(path.stem for path in FOLDER.glob("*.c"))
# Commands that are about encoding or other programs, and options that are not there yet.
LEFT_OUT = re.compile(r"--btf_encode|-F|pfunct|\bdiff\b|LANG_EXCLUDE=|-V -s --lang|(^| )--?(" + NOT_YET + r")\b")
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@ ?(.*)")


def commands(case, kind):
    return re.findall(rf"^ \* {kind}: (.*)$", (FOLDER / f"{case}.c").read_text(), re.MULTILINE)


def shown_commands(case):
    return [re.sub(r"\b(\w+)\.o\b", r"\1.btf", command).replace("pahole", "pahole -F btf")
            for command in commands(case, "cmd") if not LEFT_OUT.search(command)]


def shell(command, folder, tool):
    bin_folder = folder.parent / (folder.name + "-bin")
    bin_folder.mkdir(exist_ok=True)
    link = bin_folder / "pahole"
    link.unlink(missing_ok=True)
    link.symlink_to(os.path.abspath(tool))
    environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "LC_ALL": "C",
                   "PAHOLE_VMLINUX_BTF_FILENAME": "/nonexistent",
                   "CF": f"-g -gdwarf-5 -gno-column-info -fdebug-prefix-map={folder}=/src"}
    environment.pop("PAHOLE_LANG_EXCLUDE", None)
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60)


def build(case, folder, encoder):
    """Makes the inputs, BTF with `encoder`; skips if a compiler is not there."""
    shutil.copy(FOLDER / f"{case}.c", folder)
    for command in commands(case, "cc"):
        for program in re.findall(r"(?:gcc|clang)-\d+", command):
            if not shutil.which(program):
                pytest.skip(f"no {program}")
        result = shell(command, folder, encoder)
        assert result.returncode == 0, command + result.stderr
    for path in folder.glob("*.o"):
        shell(f"pahole --btf_encode_detached={path.stem}.btf {path.name}", folder, encoder)


def record(case, folder, tool):
    lines = []
    for command in shown_commands(case):
        result = shell(command, folder, tool)
        lines += [f"$ {command}", *result.stdout.splitlines()]
        lines += ["2> " + line for line in result.stderr.splitlines()]
        if result.returncode:
            lines.append(f"[exit {result.returncode}]")
    return lines


def read_patch(case):
    """[(first line, lines removed, lines added, reason)]"""
    path = FOLDER / f"{case}.btf.patch"
    hunks = []
    for line in path.read_text().splitlines() if path.exists() else []:
        header = HUNK.match(line)
        if header:
            start, count, reason = header.groups()
            count = 1 if count is None else int(count)
            hunks.append((int(start) - (count > 0), count, [], [], reason))
        elif line.startswith("-"):
            hunks[-1][2].append(line[1:])
        elif line.startswith("+"):
            hunks[-1][3].append(line[1:])
    return hunks


def patched(case, lines):
    for start, count, removed, added, _ in reversed(read_patch(case)):
        assert lines[start:start + count] == removed, f"the patch of {case} does not fit"
        lines = lines[:start] + added + lines[start + count:]
    return lines


def write_patch(case, before, after):
    reasons = {(tuple(removed), tuple(added)): reason
               for _, _, removed, added, reason in read_patch(case)}
    out, body = [], []
    for line in [*difflib.unified_diff(before, after, n=0, lineterm=""), "@@ end"][2:]:
        if line.startswith("@@"):
            if body:
                key = (tuple(l[1:] for l in body[1:] if l[0] == "-"),
                       tuple(l[1:] for l in body[1:] if l[0] == "+"))
                body[0] += f" {reasons[key]}" if reasons.get(key) else ""
                out += [body[0].rstrip(), *body[1:]]
            body = [line]
        else:
            body.append(line)
    path = FOLDER / f"{case}.btf.patch"
    path.unlink(missing_ok=True)
    if out:
        path.write_text("\n".join(out) + "\n")


@pytest.mark.parametrize("case", CASES)
def test_case(case, tmp_path, request):
    expected = FOLDER / f"{case}.btf.expected"
    rewrites = request.config.getoption("--rewrite")
    folder = tmp_path / "t"
    folder.mkdir()
    build(case, folder, pahole())
    if rewrites and os.environ.get("PEER"):
        expected.write_text("\n".join(record(case, folder, peer())) + "\n")
    theirs = expected.read_text().splitlines()
    ours = record(case, folder, pahole())
    if rewrites:
        write_patch(case, theirs, ours)
    assert ours == patched(case, theirs)


def test_differences_have_reasons():
    rows = DIFFERENCES.read_text()
    for case in CASES:
        for start, _, removed, added, reason in read_patch(case):
            assert reason and f"| {reason} |" in rows, f"{case}.btf.patch, line {start + 1}: {removed} {added}"
