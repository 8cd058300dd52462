# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Programs whose debug information was moved to another file, and that file by itself."""
import shutil
import struct
import subprocess

import pytest

from btf import Btf
from programs import encode, pahole

SOURCE = """
static int counter = 1;
__attribute__((noinline)) static int twice(int n) { return n + counter++; }
int main(int argc, char **argv) { return twice(argc) + !argv; }
"""
OPTIONS = "--btf_features=default,global_var"
SHT_NOBITS = 8


@pytest.fixture
def whole(tmp_path):
    (tmp_path / "whole.c").write_text(SOURCE)
    subprocess.run(["gcc", "-g", "-O1", "-o", "whole", "whole.c"], cwd=tmp_path, check=True)
    return tmp_path / "whole"


def run(path):
    result = encode(pahole(), path.with_suffix(".btf"), [OPTIONS, path])
    assert result.status == 0, result.messages
    return result


def leave_symbols_elsewhere(path):
    """Makes the symbol table one without content (as `eu-strip -g -f` does in the debug file)."""
    content = bytearray(path.read_bytes())
    headers, = struct.unpack_from("<Q", content, 40)
    count, names = struct.unpack_from("<HH", content, 60)
    names_offset, = struct.unpack_from("<Q", content, headers + 64 * names + 24)
    for at in range(headers, headers + 64 * count, 64):
        name, = struct.unpack_from("<I", content, at)
        if content[names_offset + name:].startswith(b".symtab\0"):
            struct.pack_into("<I", content, at + 4, SHT_NOBITS)
    path.write_bytes(content)


def test_a_stripped_program_is_as_a_whole_one(whole):
    program, debug = whole.with_name("program"), whole.with_name("program.debug")
    shutil.copy(whole, program)
    subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
    expected = run(whole)
    assert run(debug).data == expected.data
    for strip in ("--strip-debug", "--strip-all"):
        subprocess.run(["strip", strip, program], check=True)
        subprocess.run(["objcopy", "--remove-section=.gnu_debuglink", program], check=True)
        subprocess.run(["objcopy", f"--add-gnu-debuglink={debug.name}", program.name],
                       cwd=program.parent, check=True)
        result = run(program)
        assert (result.data, result.messages) == (expected.data, "")


def test_a_debug_file_without_the_symbols(whole):
    debug = whole.with_name("whole.debug")
    subprocess.run(["objcopy", "--only-keep-debug", whole, debug], check=True)
    leave_symbols_elsewhere(debug)
    result = run(debug)
    assert result.messages == (
        f"pahole: {debug}: the symbol table was left in the program that this is the debug information of; "
        "no functions encoded\n")
    btf = Btf(result.data)
    assert btf.all("FUNC") == [] and btf.one("INT", "int")
    # The program still has the table.
    program = whole.with_name("program")
    expected = run(whole).data
    shutil.copy(whole, program)
    subprocess.run(["strip", "--strip-debug", program], check=True)
    subprocess.run(["objcopy", f"--add-gnu-debuglink={debug.name}", program.name],
                   cwd=program.parent, check=True)
    assert run(program).data == expected
