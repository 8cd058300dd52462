# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
What small programs are encoded as, to the byte: tests/golden/encoding.

The head of a source says how to build it ("build:", run in order in a copy of the folder) and which
objects to encode, together, with which options ("encode:"); --btf_base=NAME.btf stands for NAME.o encoded with
the others of these options. With the feature distilled_base, the result is what -J puts into the first object: the
base, then what is split on it. NAME.expected beside it has the result as text,
one line per type, under the "encode:" lines that give it.

Expectations come from dwarves' pahole, never from ours:

    PEER=.../pahole pytest tests/golden/test_encoding.py --rewrite

The exception is a line marked "differs: Q13": there we deviate on purpose, the mark is a number or
a phrase of docs/differences.md, and the text was checked by eye when it was written.
"""
import pathlib
import re
import shutil
import subprocess

import pytest

from btf import Btf, BtfError
from programs import ROOT, elf_section, encode, head_lines, need, pahole, peer

FOLDER = pathlib.Path(__file__).parent / "encoding"
SOURCES = [path for path in sorted(FOLDER.iterdir())
           if path.suffix in (".c", ".cc", ".s", ".S") and head_lines(path, "encode")]
HEAD = "# Made by test_encoding.py --rewrite\n"


class Line:
    """An "encode:" line: text (without the mark), objects, options, differs (or None), base (or None)."""

    def __init__(self, line):
        self.text, _, mark = (part.strip() for part in line.partition("# differs:"))
        self.objects = [word for word in self.text.split() if not word.startswith("-")]
        self.options = [word for word in self.text.split() if word.startswith("-")]
        self.differs = mark or None
        bases = [option for option in self.options if option.startswith("--btf_base=")]
        self.base = bases[0].partition("=")[2] if bases else None
        self.is_distilled = ",distilled_base" in self.text

    def encode(self, program, folder, **arguments):
        """The result's bytes, and as text."""
        base = None
        if self.base:
            options = [option.replace(",distilled_base", "") for option in self.options
                       if not option.startswith("--btf_base=")]
            base = encode(program, folder / self.base,
                          [*options, pathlib.Path(self.base).with_suffix(".o")], cwd=folder).data
        if self.is_distilled:
            return self.encode_into(program, folder)
        result = encode(program, folder / "output.btf", [*self.options, *self.objects], cwd=folder,
                        **arguments)
        if result.data is None:
            return None, f"nothing, exit status {result.status}\n"
        btf = Btf(result.data, Btf(base) if base else None)
        return result.data, "\n".join(btf.dump()) + "\n"

    def encode_into(self, program, folder):
        """The same with the base that the object gets."""
        path = shutil.copy(folder / self.objects[0], folder / "output.o")
        result = subprocess.run([program, "-J", *self.options, path, *self.objects[1:]], cwd=folder,
                                capture_output=True, text=True)
        base, split = elf_section(path, ".BTF.base"), elf_section(path, ".BTF")
        if base is None or split is None:
            return None, f"nothing, exit status {result.returncode}\n"
        (folder / "output.btf.base").write_bytes(base)
        (folder / "output.btf").write_bytes(split)
        try:
            return split, "\n".join([*Btf(base).dump(), *Btf(split, Btf(base)).dump()]) + "\n"
        except BtfError as error:  # theirs, of which we differ
            return split, f"not BTF: {error}\n"

    def absent(self, folder):
        return [name for name in self.objects if not (folder / name).exists()]


def lines_of(source):
    return [Line(line) for line in head_lines(source, "encode")]


def build(source, folder):
    """The commands that could not run because a program is missing; objects are in `folder`."""
    missing = set()
    for path in FOLDER.iterdir():
        if path.suffix != ".expected":
            shutil.copy(path, folder)
    for command in head_lines(source, "build"):
        words = command.split()
        if shutil.which(words[0]) is None:
            missing.add(words[0])
            continue
        result = subprocess.run(words, cwd=folder, capture_output=True, text=True)
        # An input may be missing because its compiler is.
        assert result.returncode == 0 or missing, f"{command}\n{result.stderr}"
    return missing


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """built(source) -> (folder with the objects, missing programs); builds once."""
    done = {}

    def get(source):
        if source not in done:
            folder = tmp_path_factory.mktemp("encoding")
            done[source] = folder, build(source, folder)
        return done[source]

    return get


def read_expected(path):
    """encode line -> text"""
    expected, waiting = {}, []
    blocks = re.split(r"^== (.*)\n", path.read_text(), flags=re.MULTILINE)[1:]
    for line, text in zip(blocks[::2], blocks[1::2]):
        waiting.append(line)
        if text:
            expected.update(dict.fromkeys(waiting, text))
            waiting = []
    return expected


def write_expected(path, texts):
    """Lines with the same result stand together, above it."""
    lines_by_text = {}
    for line, text in texts.items():
        lines_by_text.setdefault(text, []).append(line)
    path.write_text(HEAD + "".join(
        "".join(f"== {line}\n" for line in lines) + text for text, lines in lines_by_text.items()))


def first_difference(expected, actual):
    for number, (old, new) in enumerate(zip(expected.splitlines(), actual.splitlines()), 1):
        if old != new:
            return f"line {number}:\n- {old[:500]}\n+ {new[:500]}"
    return f"{len(expected.splitlines())} lines expected, {len(actual.splitlines())} there"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_encoding(source, built, request):
    folder, missing = built(source)
    lines = lines_of(source)
    texts, absent = {}, []
    rewrite = request.config.getoption("--rewrite")
    expected_path = source.with_name(source.name + ".expected")
    for line in lines:
        if line.absent(folder):
            absent += line.absent(folder)
            continue
        program = peer() if rewrite and not line.differs else pahole()
        _, texts[line.text] = line.encode(program, folder)

    if rewrite:
        assert not absent, f"not built: {absent}"
        write_expected(expected_path, texts)
        pytest.skip("expectations were written")
    expected = read_expected(expected_path)
    assert set(expected) == {line.text for line in lines}
    for line, text in texts.items():
        assert text == expected[line], f"{line}: {first_difference(expected[line], text)}"
    if absent:
        pytest.skip(f"no {', '.join(sorted(missing))}: {len(texts)} of {len(lines)} encodings compared")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_bpftool_reads_it(source, built):
    bpftool = need("bpftool")
    folder, _ = built(source)
    for line in lines_of(source):
        # bpftool 7.1 knows neither big-endian files nor the layout section.
        if line.absent(folder) or "s390x" in line.text:
            continue
        if line.encode(pahole(), folder)[0] is None:
            continue
        base = "output.btf.base" if line.is_distilled else line.base
        base = ["-B", folder / base] if base else []
        result = subprocess.run([bpftool, *base, "btf", "dump", "file", folder / "output.btf"],
                                capture_output=True, text=True)
        assert result.returncode == 0, f"{line.text}: {result.stderr}"


@pytest.mark.parametrize("source", [source for source in SOURCES
                                    if any(line.is_distilled for line in lines_of(source))],
                         ids=lambda path: path.name)
def test_detached_base_is_beside_the_output(source, built):
    """Where dwarves' pahole has none. The bytes are those that -J puts into a file."""
    folder, _ = built(source)
    for line in lines_of(source):
        if not line.is_distilled or line.encode(pahole(), folder)[0] is None:
            continue
        result = encode(pahole(), folder / "beside.btf", [*line.options, *line.objects], cwd=folder)
        assert result.status == 0 and not result.messages
        assert result.data == (folder / "output.btf").read_bytes()
        assert (folder / "beside.btf.base").read_bytes() == (folder / "output.btf.base").read_bytes()


def test_marks_are_listed_differences():
    listed = (ROOT / "docs" / "differences.md").read_text()
    for source in SOURCES:
        for line in lines_of(source):
            if line.differs:
                assert re.search(rf"\b{re.escape(line.differs)}\b", listed), f"{source.name}: {line.differs}"


def test_every_source_is_used():
    """A source without "encode:" lines is part of another one's build."""
    used = " ".join(command for source in SOURCES for command in head_lines(source, "build"))
    for path in FOLDER.iterdir():
        if path.suffix != ".expected":
            assert path.name in used, path.name


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_peer_agrees_with_expectations(source, built):
    """And does not where a difference is marked: the list of differences must not outlive its reasons."""
    program = peer()
    folder, _ = built(source)
    expected = read_expected(source.with_name(source.name + ".expected"))
    for line in lines_of(source):
        if line.absent(folder):
            continue
        # One case of theirs never ends.
        _, text = line.encode(program, folder, timeout=10)
        same = text == expected[line.text]
        assert same != bool(line.differs), line.text
