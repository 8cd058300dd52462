# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What is encoded otherwise than by dwarves' pahole: docs/differences.md, each with a test."""
import os
import shutil
import subprocess

import pytest

import dwasm
from btf import Btf
from programs import pahole

CC = os.environ.get("SMELT_CC", "gcc")


@pytest.fixture
def encode(tmp_path):
    """encode(source text, option...) -> (BTF, lines of warnings)"""

    def run(source, *options, suffix=".c", compiler=CC, flags=("-g", "-c")):
        path = tmp_path / ("input" + suffix)
        path.write_text(source)
        subprocess.run([compiler, *flags, "-o", tmp_path / "input.o", path], check=True)
        output = tmp_path / "output.btf"
        output.unlink(missing_ok=True)
        result = subprocess.run(
            [pahole(), *options, f"--btf_encode_detached={output}", tmp_path / "input.o"],
            capture_output=True, text=True, timeout=60)
        assert result.returncode == 0, result.stderr
        return Btf(output.read_bytes()), result.stderr.splitlines()

    return run


def test_q3_long_names_of_parameters_are_whole(encode):
    name = "p" * 127 + "q" * 200
    btf, warnings = encode(f"int function(int {name}) {{ return {name}; }}")
    assert btf.parameters(btf.one("FUNC", "function")) == [name]
    assert not warnings


def test_q4_all_parameters_are_there(encode):
    names = [f"p{i}" for i in range(300)]
    parameters = ", ".join(f"int {name}" for name in names)
    btf, _ = encode(f"int function({parameters}) {{ return p299; }}")
    assert btf.parameters(btf.one("FUNC", "function")) == names


BIG_STRUCTS = """
struct few_far { int low : 3; int middle : 4; char room[3 << 20]; int after; } few_far;
struct many_far { int low : 3; char room[3 << 20]; int after; long last; } many_far;
struct far_bits { int low : 3; char room[3 << 20]; int high : 5; } far_bits;
struct no_bits { char room[3 << 20]; int after; } no_bits;
"""


def test_q13_members_beyond_two_megabytes_never_get_another_place(encode):
    far = (3 << 20) * 8
    btf, warnings = encode(BIG_STRUCTS)
    assert btf.members(btf.one("STRUCT", "few_far")) == {
        "low": (0, 3), "middle": (3, 4), "room": (8, 0)}
    assert btf.members(btf.one("STRUCT", "many_far")) == {
        "room": (8, 0), "after": (far + 32, 0), "last": (far + 64, 0)}
    assert btf.members(btf.one("STRUCT", "far_bits")) == {"low": (0, 3), "room": (8, 0)}
    assert btf.members(btf.one("STRUCT", "no_bits")) == {"room": (0, 0), "after": (far, 0)}
    assert len(warnings) == 1 and "3 types have members" in warnings[0]
    assert "few_far" in warnings[0]


# Variables that no compiler writes: name, whether it has a type, address.
VARIABLES_HEAD = """
    .data
start: .zero 64
    .section .debug_abbrev
    .byte 1, 0x11, 1, 0x03, 0x08, 0, 0
    .byte 2, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0
    .byte 3, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0
    .byte 4, 0x34, 0, 0x03, 0x08, 0x02, 0x18, 0, 0
    .byte 0
    .section .debug_info
unit: .4byte end - version
version: .2byte 4
    .4byte .debug_abbrev
    .byte 8
    .byte 1
    .string "input.c"
int: .byte 2
    .string "int"
    .byte 4, 5
"""


def variables_source(variables):
    text = VARIABLES_HEAD
    for name, has_type, address in variables:
        text += f'.byte {3 if has_type else 4}\n.string "{name}"\n'
        text += ".4byte int - unit\n" if has_type else ""
        text += f".byte 9, 3\n.8byte {address}\n"
    return text + ".byte 0\nend:\n"


def test_q17_only_what_is_loaded_has_variables(encode):
    source = variables_source([("ghost", True, "16"), ("real", True, "start + 8")])
    btf, _ = encode(source, "--btf_features=global_var", suffix=".s", flags=("-c",))
    assert [record.name for record in btf.all("VAR")] == ["real"]
    assert [record.name for record in btf.all("DATASEC")] == [".data"]


def test_variables_that_make_no_sense_do_not_cost_the_others(encode):
    source = variables_source([
        ("first", True, "start + 4"), ("typeless", False, "start + 8"),
        ("not a name", True, "start + 12"), ("last", True, "start + 16")])
    btf, warnings = encode(source, "--btf_features=global_var", suffix=".s", flags=("-c",))
    assert [record.name for record in btf.all("VAR")] == ["first", "last"]
    assert len(warnings) == 2
    assert "without a type" in warnings[0] and "typeless" in warnings[0]
    assert "name" in warnings[1] and "not a name" in warnings[1]


@pytest.mark.slow
def test_q18_a_section_has_all_its_variables(encode):
    count = 70000
    source = "".join(f"char v{i:05} = 1;\n" for i in range(count))
    btf, _ = encode(source, "--btf_features=global_var")
    section = btf.one("DATASEC", ".data")
    assert section.vlen == count and section.size_or_type == count
    assert [btf.type(variable).name for variable, _, _ in section.parts[:2]] == ["v00000", "v00001"]


def clang():
    found = shutil.which("clang") or shutil.which("clang-14")
    if not found:
        pytest.skip("gcc has no btf_decl_tag: needs clang")
    return found


EMPTY_TAGS = """
#define tag(text) __attribute__((btf_decl_tag(text)))
struct s { int a tag("member"); int b tag(""); } tag("") tag("whole");
int variable tag("") tag("tagged") = 1;
int function(struct s *s) tag("") tag("called");
int function(struct s *s) { return s->a + variable; }
"""


def test_q30_an_empty_tag_costs_nothing_but_itself(encode):
    btf, warnings = encode(EMPTY_TAGS, "--btf_features=decl_tag,global_var", compiler=clang())
    tags = {(record.name, btf.type(record.size_or_type).name) for record in btf.all("DECL_TAG")}
    assert tags == {("member", "s"), ("whole", "s"), ("tagged", "variable"), ("called", "function")}
    assert btf.one("FUNC", "function") and btf.one("VAR", "variable")
    assert len(warnings) == 1 and "4 declaration tags without a text" in warnings[0]


KFUNCS = r"""
#define ID(symbol, size, words)                                                 \
    __asm__(".pushsection .BTF_ids,\"a\"\n.local " symbol "\n.type " symbol ", @object\n" \
            ".size " symbol ", " size "\n" symbol ":\n" words "\n.popsection");
void *with_pointer(void *p) { return p; }
int without_pointer(int z) { return z; }
void without_parameter(void) { }
ID("__BTF_ID__set8__all", "32", ".long 3, 1")
ID("__BTF_ID__func__with_pointer__1", "4", ".long 0, 0x4000")
ID("__BTF_ID__func__without_pointer__2", "4", ".long 0, 0x6000")
ID("__BTF_ID__func__without_parameter__3", "4", ".long 0, 0x8000")
"""


def test_an_arena_flag_without_a_pointer_costs_nothing(encode):
    btf, warnings = encode(KFUNCS, "--btf_features=default,attributes")
    tagged = {btf.type(record.size_or_type).name for record in btf.all("DECL_TAG")}
    assert tagged == {"with_pointer", "without_pointer", "without_parameter"}
    pointer = btf.type(btf.type(btf.one("FUNC", "with_pointer").size_or_type).parts[0][1])
    tag = btf.type(pointer.size_or_type)
    assert (pointer.kind, tag.kind, tag.name, tag.flag) == ("PTR", "TYPE_TAG", "address_space(1)", 1)
    assert btf.parameters(btf.one("FUNC", "without_pointer")) == ["z"]
    assert len(warnings) == 1 and "3 kfuncs have an arena flag" in warnings[0]


def test_q12_gen_all_turns_features_on(encode):
    btf, _ = encode("double d; enum wide { BIG = 1ull << 40 } e;", "--btf_gen_all")
    assert btf.one("FLOAT", "double") and btf.one("ENUM64", "wide")


def nameless(form):
    """Assembly of units with types whose name is there in `form` but empty; None: not there."""
    def unnamed(tag, *attributes, id):
        name = [(dwasm.NAME, form, "")] if form else []
        return dwasm.D(tag, name + list(attributes), id=id)

    def unit(number):
        def ref(name):
            return f"{name}{number}"
        children = [
            dwasm.base("int", 4, 5, id=ref("int")),
            unnamed(dwasm.TYPEDEF, (dwasm.TYPE, "ref4", ref("int")), id=ref("typedef")),
            unnamed(dwasm.STRUCT, (dwasm.DECL, "flag_present", 1), id=ref("forward")),
            unnamed(dwasm.STRUCT, (dwasm.SIZE, "data1", 8), id=ref("struct")),
            dwasm.ref(dwasm.PTR, ref("forward"), id=ref("pointer")),
            dwasm.struct(f"user{number}", 24, dwasm.member("t", ref("typedef"), 0),
                         dwasm.member("p", ref("pointer"), 8), dwasm.member("s", ref("struct"), 16)),
        ]
        for child in children:
            child.attrs = [(at, "strp" if at == dwasm.NAME and value else kind, value)
                           for at, kind, value in child.attrs]
        return dwasm.unit(4, dwasm.cu(f"{number}.c", *children))

    return dwasm.emit([unit(1), unit(2)])


def test_an_empty_name_is_none(encode):
    expected, _ = encode(nameless(None), suffix=".s", flags=("-c",))
    assert [record.kind for record in expected.types] == ["INT", "STRUCT", "STRUCT", "PTR", "STRUCT", "STRUCT"]
    for form in ("string", "strp"):
        btf, warnings = encode(nameless(form), suffix=".s", flags=("-c",))
        assert (btf.data, warnings) == (expected.data, []), form
