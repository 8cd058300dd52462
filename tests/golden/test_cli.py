# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The command line of pahole: options, messages, exit statuses, and care with files."""
import errno
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import stat
import struct
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FEATURES = ("encode_force var float decl_tag type_tag enum64 optimized_func consistent_func "
            "decl_tag_kfuncs reproducible_build distilled_base global_var attributes "
            "true_signature layout").split()
DEFAULT = FEATURES[:9]
PLAIN = ["var", "decl_tag", "type_tag", "enum64"]
SOURCE = """
struct hold { char a; long b; short c; int bf : 5; struct { int x, y; } in; };
struct hold g;
int f(struct hold *h) { return h->in.x + g.c; }
int main(void) { return f(&g); }
"""
OK, FAILURE, USAGE = 0, 1, 64


def program():
    build = os.environ.get("SMELT_BUILD_DIR")
    path = os.path.join(build, "pahole") if build else shutil.which("pahole")
    if not path:
        pytest.skip("no pahole: set SMELT_BUILD_DIR or PATH")
    return path


def pahole(*arguments, env=None, **more):
    more.setdefault("capture_output", True)
    environment = {k: v for k, v in os.environ.items() if k != "PAHOLE_LANG_EXCLUDE"}
    environment.update(LC_ALL="C", **(env or {}))
    return subprocess.run([program(), *map(str, arguments)], text=True, errors="replace",
                          stdin=subprocess.DEVNULL, timeout=60, env=environment, **more)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A program with debug information, and others with less and less of it."""
    folder = tmp_path_factory.mktemp("inputs")
    source = folder / "u.c"
    source.write_text(SOURCE)
    compiler = os.environ.get("SMELT_CC", "gcc")

    def build(output, *flags):
        subprocess.run([compiler, "-O1", *flags, "-o", output, source.name], cwd=folder, check=True)

    build("good", "-g")
    build("good.o", "-g", "-c")
    build("plain.o", "-c")
    build("plain")
    subprocess.run(["strip", "-o", "stripped", "good"], cwd=folder, check=True)
    subprocess.run(["strip", "-s", "--keep-section=.debug_*", "-o", "nosymbols", "good"],
                   cwd=folder, check=True)
    good = (folder / "good").read_bytes()
    (folder / "cut").write_bytes(good[:len(good) * 2 // 3])
    (folder / "header").write_bytes(good[:40])
    (folder / "empty").write_bytes(b"")
    (folder / "text").write_text("no ELF file\n")
    (folder / "folder").mkdir()
    return folder


@pytest.fixture
def good(inputs):
    return inputs / "good"


def encode(output, *arguments, **more):
    return pahole(f"--btf_encode_detached={output}", *arguments, **more)


def assert_message(result, *parts):
    """One line on stderr that starts with the program's name and has the parts in it."""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("pahole: ")
    for part in parts:
        assert str(part) in lines[0]


# Questions

def test_version_is_exactly_what_kernel_builds_parse():
    result = pahole("--version")
    assert (result.returncode, result.stdout, result.stderr) == (OK, "v1.31\n", "")


@pytest.mark.parametrize("arguments", [["--version", "--verbose"], ["-V", "--version"]])
def test_verbose_version_adds_our_own(arguments):
    result = pahole(*arguments)
    assert result.returncode == OK
    assert re.fullmatch(r"v1\.31\nsmelt \d+\.\d+\.\d+\n", result.stdout)


def test_numeric_version():
    result = pahole("--numeric_version")
    assert (result.returncode, result.stdout) == (OK, "131\n")


def test_supported_features_in_order():
    result = pahole("--supported_btf_features")
    assert (result.returncode, result.stdout) == (OK, ",".join(FEATURES) + "\n")


@pytest.mark.parametrize("option", ["--help", "-?", "--usage", "--version"])
def test_an_answer_that_does_not_arrive_is_a_failure(option):
    assert pahole(option).returncode == OK
    with open("/dev/full", "w") as full:
        result = pahole(option, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == FAILURE
    assert os.strerror(errno.ENOSPC) in result.stderr


# The option table

def help_options():
    """name -> (letter, argument, not yet), from --help with a line for each option."""
    text = pahole("--help", env={"ARGP_HELP_FMT": "rmargin=1000,opt-doc-col=70"}).stdout
    options = {}
    pattern = r"^ +(?:-(.), )?--(\w+)(\[?=\S+)?  +(\S.*)$"
    for letter, name, argument, doc in re.findall(pattern, text, re.M):
        assert name not in options
        options[name] = (letter, argument, doc.endswith("[not yet]"))
    return options


def manual_options():
    """The same, from the manual page."""
    text = (ROOT / "docs/man/pahole.1").read_text()
    text = text[text.index(".SH OPTIONS"):text.index(".SH FEATURES")]
    options = {}
    for entry in text.split(".TP\n")[1:]:
        head, body = entry.split("\n", 1)
        head = head.replace("\\-", "-").replace("\\fI", "").replace("\\fP", "")
        match = re.fullmatch(r"\.B (?:-(.), )?--(\w+)(\[?=\S+)?", head)
        assert match, head
        assert match[2] not in options
        options[match[2]] = (match[1] or "", match[3] or "", body.startswith("Not yet:"))
    return options


def test_manual_page_has_the_same_options_as_the_program():
    assert len(help_options()) > 90
    assert help_options() == manual_options()


def test_manual_page_has_no_warnings():
    if not shutil.which("man"):
        pytest.skip("no man")
    result = subprocess.run(["man", "--warnings", "-l", ROOT / "docs/man/pahole.1"],
                            capture_output=True, text=True, env={**os.environ, "MANWIDTH": "100"})
    assert (result.returncode, result.stderr) == (0, "")


def test_every_missing_option_is_refused_by_name(inputs, tmp_path):
    missing = {n: o for n, o in help_options().items() if o[2]}
    assert "prettify" in missing
    for name, (letter, argument, _) in missing.items():
        option = f"--{name}" + ("=1" if argument else "")
        for arguments in ([option, inputs / "good"],
                          [option, f"--btf_encode_detached={tmp_path}/out", inputs / "good"]):
            result = pahole(*arguments)
            assert result.returncode == USAGE, name
            assert_message(result, f"--{name}", f"(-{letter})" if letter else "--",
                           "is not supported yet")
            assert result.stdout == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("short, full", [
    ("--padding", "--padding_ge"),
    ("--header", "--header_type"),
    ("--prefix", "--prefix_filter"),
    ("--contains_enum", "--contains_enumerator"),
    ("--rec=x", "--recursive"),
    ("--show_f=x", "--show_first_biggest_size_base_type_member"),
])
def test_abbreviations_resolve_to_the_option_they_always_did(short, full):
    """The message of what is wrong here has the whole name."""
    result = pahole(short)
    assert result.returncode == USAGE
    assert f"'{full}'" in result.stderr


@pytest.mark.parametrize("arguments, text", [
    (["--supp"], "ambiguous"),
    (["--nonsense"], "unrecognized option"),
    (["--lang"], "requires an argument"),
    (["-k"], "invalid option"),
    (["--sort=x"], "doesn't allow an argument"),
    (["--btf_encode_detached=out"], "no FILE"), (["-J"], "no FILE"),
    (["--btf_encode_detached=", "file"], "no file name"),
])
def test_bad_command_lines(arguments, text, tmp_path):
    result = pahole(*arguments, cwd=tmp_path)
    assert result.returncode == USAGE
    assert text in result.stderr
    assert "--help" in result.stderr.splitlines()[1]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [["good"], ["-F", "dwarf", "-j2", "good"]])
def test_a_file_with_dwarf_is_shown_and_left_alone(arguments, inputs):
    before = (inputs / "good").read_bytes()
    result = pahole(*arguments, cwd=inputs)
    assert (result.returncode, result.stderr) == (OK, "")
    assert result.stdout.startswith("struct hold {\n")
    assert (inputs / "good").read_bytes() == before


@pytest.mark.parametrize("formats, status", [
    ("dwarf", OK), ("btf,dwarf", OK), ("dwarf,nonsense", OK),
    ("btf", FAILURE), ("ctf", FAILURE), ("nonsense,dwarf", FAILURE), ("", FAILURE),
])
def test_formats(formats, status, good, tmp_path):
    result = encode(tmp_path / "out", "-F", formats, good)
    assert result.returncode == status
    assert (tmp_path / "out").exists() == (status == OK)
    if status:
        assert_message(result, "DWARF")


# Features

def features_of(*arguments):
    result = encode("out", "-V", *arguments, "not-there")
    assert result.returncode == FAILURE
    return re.search(r"^pahole: BTF features: (.*)$", result.stderr, re.M)[1].split(",")


@pytest.mark.parametrize("arguments, expected", [
    ([], PLAIN),
    (["--btf_features=var"], ["var"]),
    (["--btf_features="], [""]),
    (["--btf_features=nonsense"], [""]),
    (["--btf_features=default"], DEFAULT),
    (["--btf_features=layout,default"], DEFAULT + ["layout"]),
    (["--btf_features=+layout"], DEFAULT + ["layout"]),
    (["--btf_features=+"], DEFAULT),
    (["--btf_features=layout,+var"], ["layout"]),
    (["--btf_features=var,-var,Float, float"], ["var"]),
    (["--btf_features=,var,,float,"], ["var", "float"]),
    (["--btf_features=var", "--btf_features=float,layout"], ["var", "float", "layout"]),
    (["--btf_features=layout", "--btf_features_strict=+"], DEFAULT + ["layout"]),
    (["--btf_gen_floats", "--btf_features=decl_tag"], ["decl_tag"]),
    (["--btf_features=decl_tag", "--btf_gen_floats"], ["float", "decl_tag"]),
    (["--btf_features=default", "--skip_encoding_btf_vars"], [f for f in DEFAULT if f != "var"]),
    (["--btf_gen_all"], DEFAULT),
    (["--skip_encoding_btf_decl_tag", "--skip_encoding_btf_type_tag"], ["var", "enum64"]),
    (["--skip_encoding_btf_enum64", "--btf_encode_force"],
     ["encode_force", "var", "decl_tag", "type_tag"]),
    (["--skip_encoding_btf_inconsistent_proto", "--btf_gen_optimized"],
     ["var", "decl_tag", "type_tag", "enum64", "optimized_func", "consistent_func"]),
    (["--btf_attributes", "--reproducible_build"],
     PLAIN + ["reproducible_build", "attributes"]),
    (["--btf_features=" + "nonsense," * 500 + "var"], ["var"]),
])
def test_features(arguments, expected):
    assert features_of(*arguments) == expected


@pytest.mark.parametrize("feature", [f for f in FEATURES if f != "distilled_base"])
def test_every_feature_has_its_own_name(feature, good, tmp_path):
    assert features_of(f"--btf_features={feature}") == [feature]
    assert encode(tmp_path / "out", f"--btf_features_strict={feature}", good).returncode == OK


def test_unknown_features_are_noted_when_verbose(good, tmp_path):
    arguments = ["--btf_features=var,cold_fusion", "--btf_features=x", good]
    assert encode(tmp_path / "out", *arguments).stderr == ""
    noted = encode(tmp_path / "out", *arguments, "-V").stderr
    assert '"cold_fusion" ignored' in noted and '"x" ignored' in noted


@pytest.mark.parametrize("features, culprit", [
    ("cold_fusion", "cold_fusion"), ("var,cold_fusion,x", "cold_fusion"), ("var,+float", "+float"),
])
def test_strict_features(features, culprit, good, tmp_path):
    result = encode(tmp_path / "out", f"--btf_features_strict={features}", good)
    assert result.returncode == FAILURE
    assert f'"{culprit}"' in result.stderr and ",".join(FEATURES) in result.stderr
    assert not (tmp_path / "out").exists()


# Languages and other filters

@pytest.mark.parametrize("arguments, env, kept", [
    (["--lang=c,c89,c99,C11"], {}, True),
    (["--lang=rust"], {}, False),
    (["--lang_exclude=rust,go,swift,java,julia,d,ada83,ada95,objc"], {}, True),
    (["--lang_exclude=c89,c99,c11,rust"], {}, False),
    (["--lang_ex=c89,C99,c11"], {}, False),
    (["--lang=rust", "--lang=c99,c11"], {}, True),
    (["--lang=c99,c11,rust", "--lang_exclude=rust"], {}, True),
    (["--lang_exclude=c11,c99", "--lang=c99,c11,rust"], {}, False),
    (["--lang=rust", "--lang_exclude=go"], {}, False),
    ([], {"PAHOLE_LANG_EXCLUDE": "c99,c11"}, False),
    ([], {"PAHOLE_LANG_EXCLUDE": ""}, True),
    (["--lang_exclude=rust"], {"PAHOLE_LANG_EXCLUDE": "c99,c11"}, True),
    (["-X", "u."], {}, False),
    (["-X", "."], {}, True),
])
def test_filters(arguments, env, kept, good, tmp_path):
    result = encode(tmp_path / "out", *arguments, good, env=env)
    assert (result.returncode, result.stderr) == (OK, "")
    assert (tmp_path / "out").exists() == kept


def test_everything_left_out_is_noted_when_verbose(good, tmp_path):
    result = encode(tmp_path / "out", "-V", "--lang=rust", good)
    assert result.returncode == OK
    assert f"{good}: all 1 units are left out; nothing written" in result.stderr


@pytest.mark.parametrize("arguments, env, name", [
    (["--lang=c,klingon"], {}, "klingon"),
    (["--lang_exclude=c++17"], {}, "c++17"),
    (["--lang="], {}, ""),
    (["--lang=" + "x" * 100], {}, "x" * 100),
    ([], {"PAHOLE_LANG_EXCLUDE": "rust,klingon"}, "klingon"),
])
def test_unknown_language(arguments, env, name, good, tmp_path):
    result = encode(tmp_path / "out", *arguments, good, env=env)
    assert result.returncode == FAILURE
    assert_message(result, f'pahole: unknown language "{name}"')
    assert not (tmp_path / "out").exists()


# Inputs

@pytest.mark.parametrize("name", ["plain.o", "plain", "stripped"])
def test_no_dwarf_is_said_and_no_failure(name, inputs, tmp_path):
    """Kernel builds hand in such objects and stop at any other status."""
    out = tmp_path / "out"
    out.write_text("old")
    result = encode(out, inputs / name)
    assert result.returncode == OK
    assert_message(result, f"pahole: {inputs / name}: no DWARF; nothing encoded")
    assert out.read_text() == "old"


@pytest.mark.parametrize("name", ["not-there", "empty", "text", "header", "cut", "nosymbols",
                                  "folder"])
def test_unusable_inputs_fail_and_change_nothing(name, inputs, tmp_path):
    out = tmp_path / "out"
    out.write_text("old")
    result = encode(out, inputs / name)
    assert result.returncode == FAILURE
    assert_message(result, inputs / name)
    assert result.stderr.count(str(inputs / name)) == 1
    assert out.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


# Several files

@pytest.mark.parametrize("name", ["not-there", "text", "cut", "nosymbols", "plain.o", "plain"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_bad_file_of_several_costs_all(name, place, inputs, tmp_path):
    out = tmp_path / "out"
    out.write_text("old")
    files = [inputs / "good", inputs / "good.o"]
    files.insert(place, inputs / name)
    result = encode(out, *files)
    assert result.returncode == FAILURE
    assert_message(result, f"pahole: {inputs / name}: ", "nothing is written for the other files")
    assert out.read_text() == "old"


def test_files_of_two_byte_orders_are_refused(good, tmp_path):
    identification = bytearray(good.read_bytes()[:16])
    identification[5] = 3 - identification[5]
    order = "<" if identification[5] == 1 else ">"
    # A relocatable file for s390x without sections: the order is looked at first.
    header = struct.pack(order + "HHIQQQIHHHHHH", 1, 22, 1, 0, 0, 0, 0, 64, 0, 0, 64, 0, 0)
    (tmp_path / "swapped").write_bytes(identification + header)
    result = encode(tmp_path / "out", good, tmp_path / "swapped")
    assert result.returncode == FAILURE
    assert_message(result, f"{tmp_path / 'swapped'}: byte order is not that of {good}")


def test_no_input_of_several_is_overwritten(inputs, tmp_path):
    for name in ("good", "good.o"):
        shutil.copy(inputs / name, tmp_path)
    before = (tmp_path / "good.o").read_bytes()
    result = encode(tmp_path / "good.o", tmp_path / "good", tmp_path / "good.o")
    assert result.returncode == FAILURE
    assert (tmp_path / "good.o").read_bytes() == before


def test_several_files_go_into_the_first(inputs, tmp_path):
    for name in ("good", "good.o"):
        shutil.copy(inputs / name, tmp_path)
    second = (tmp_path / "good.o").read_bytes()
    assert encode(tmp_path / "out", inputs / "good", inputs / "good.o").returncode == OK
    assert pahole("-J", tmp_path / "good", tmp_path / "good.o").returncode == OK
    subprocess.run(["objcopy", "--dump-section", f".BTF={tmp_path / 'section'}", tmp_path / "good"],
                   check=True)
    assert (tmp_path / "section").read_bytes() == (tmp_path / "out").read_bytes()
    assert (tmp_path / "good.o").read_bytes() == second


def as_nobody():
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


def test_unreadable_input(good, tmp_path):
    hidden = tmp_path / "hidden"
    shutil.copy(good, hidden)
    hidden.chmod(0)
    if os.geteuid() == 0:
        if not nobody_can_run(program()):
            pytest.skip("the build is in a folder that nobody else may enter")
        for folder in (tmp_path, *tmp_path.parents[:-2]):
            folder.chmod(folder.stat().st_mode | 0o711)
    result = encode(tmp_path / "out", hidden,
                    preexec_fn=as_nobody if os.geteuid() == 0 else None)
    assert result.returncode == FAILURE
    assert_message(result, hidden, "Permission denied")


def nobody_can_run(path):
    try:
        return subprocess.run([path, "--version"], preexec_fn=as_nobody,
                              capture_output=True).returncode == 0
    except OSError:
        return False


# Output

def test_plain_success_is_silent(good, tmp_path):
    result = encode(tmp_path / "out", good)
    assert (result.returncode, result.stdout, result.stderr) == (OK, "", "")
    assert (tmp_path / "out").read_bytes()[:3] in (b"\x9f\xeb\x01", b"\xeb\x9f\x01")


@pytest.mark.parametrize("arguments", [
    ["-J", "--btf_encode_detached=out", "good"],
    ["--btf_encode_detached", "out", "-J", "good"],
    ["good", "--btf_encode_det=out", "--btf_encode"],
    ["--btf_encode_detached=other", "--btf_encode_detached=out", "--", "good"],
    ["-j", "-J", "--btf_encode_detached=out", "good"],
    ["-j8", "--btf_encode_detached=out", "good"],
    ["--jobs=3", "--hashbits=10", "--btf_encode_detached=out", "good"],
    ["--jobs=nonsense", "--btf_encode_detached=out", "good"],
    ["-j-1", "--btf_encode_detached=out", "good"],
])
def test_ways_to_ask_for_a_detached_file(arguments, good, tmp_path):
    shutil.copy(good, tmp_path / "good")
    result = pahole(*arguments, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (OK, "")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["good", "out"]
    assert (tmp_path / "good").read_bytes() == good.read_bytes()


@pytest.mark.parametrize("arguments", [["-J", "file"], ["--btf_encode", "file"], ["file", "-JV"],
                                       ["-j", "-J", "--", "file"]])
def test_ways_to_ask_for_btf_in_the_file(arguments, good, tmp_path):
    shutil.copy(good, tmp_path / "file")
    result = pahole(*arguments, cwd=tmp_path)
    assert result.returncode == OK
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    headers = subprocess.run(["readelf", "-S", "-W", "file"], cwd=tmp_path, capture_output=True, text=True).stdout
    assert re.search(r"\] \.BTF +PROGBITS ", headers)


@pytest.mark.parametrize("name, status", [("plain", OK), ("stripped", OK), ("text", FAILURE), ("cut", FAILURE),
                                          ("nosymbols", FAILURE), ("not-there", FAILURE)])
def test_files_that_get_no_btf_are_left_alone(name, status, inputs, tmp_path):
    if (inputs / name).exists():
        shutil.copy(inputs / name, tmp_path / name)
    before = [(p.name, p.read_bytes(), p.stat().st_mtime_ns) for p in tmp_path.iterdir()]
    result = pahole("-J", name, cwd=tmp_path)
    assert result.returncode == status
    assert_message(result, f"pahole: {name}: ")
    assert [(p.name, p.read_bytes(), p.stat().st_mtime_ns) for p in tmp_path.iterdir()] == before


def test_existing_output_is_cut_and_keeps_its_mode(good, tmp_path):
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_bytes(b"x" * 1000000)
    old.chmod(0o754)
    assert encode(new, good, umask=0o027).returncode == OK
    assert encode(old, good).returncode == OK
    assert stat.S_IMODE(new.stat().st_mode) == 0o640
    assert stat.S_IMODE(old.stat().st_mode) == 0o754
    assert old.read_bytes() == new.read_bytes()


def test_standard_output(good, tmp_path):
    out = tmp_path / "out"
    assert encode(out, good).returncode == OK
    command = [program(), "--btf_encode_detached=/dev/stdout", good]
    piped = subprocess.run(command, capture_output=True, check=True).stdout
    with open(tmp_path / "redirected", "wb") as stream:
        subprocess.run(command, stdout=stream, check=True)
    (tmp_path / "appended").write_bytes(b"before")
    with open(tmp_path / "appended", "ab") as stream:
        subprocess.run(command, stdout=stream, check=True)
    assert piped == out.read_bytes()
    assert (tmp_path / "redirected").read_bytes() == piped
    assert (tmp_path / "appended").read_bytes() == b"before" + piped


@pytest.mark.parametrize("output, cause", [
    ("/dev/full", errno.ENOSPC), ("no/such/folder", errno.ENOENT), ("good", None),
])
def test_unusable_output(output, cause, good, tmp_path):
    shutil.copy(good, tmp_path / "good")
    result = encode(output, "good", cwd=tmp_path)
    assert result.returncode == FAILURE
    assert_message(result, f"pahole: {output}: ", os.strerror(cause) if cause else "input")
    assert [p.name for p in tmp_path.iterdir()] == ["good"]
    assert (tmp_path / "good").read_bytes() == good.read_bytes()


def test_file_size_limit(good, tmp_path):
    out = tmp_path / "out"
    out.write_text("old")
    result = encode(out, good, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                     (100, 100)))
    assert result.returncode == FAILURE
    assert_message(result, f"pahole: {out}: ", os.strerror(errno.EFBIG))
    assert out.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 256 KB with nothing left."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "smelt-test", disk],
                      capture_output=True).returncode != 0:
        pytest.skip("cannot mount a tmpfs here: full disk not tested")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_full_disk(good, small_disk):
    old = small_disk / "old"
    old.write_text("old")
    with pytest.raises(OSError), open(small_disk / "ballast", "wb", buffering=0) as ballast:
        while True:
            ballast.write(b"x" * 4096)
    for output in (old, small_disk / "new"):
        result = encode(output, good)
        assert result.returncode == FAILURE
        assert_message(result, f"pahole: {output}: ", os.strerror(errno.ENOSPC))
    assert old.read_text() == "old"
    assert sorted(p.name for p in small_disk.iterdir()) == ["ballast", "old"]
    (small_disk / "ballast").unlink()
    assert encode(old, good).returncode == OK
    assert old.read_bytes() != b"old"


@pytest.mark.parametrize("links", [1, 2])
def test_full_disk_leaves_the_file_alone(links, good, small_disk):
    file, ballast = small_disk / "file", small_disk / "ballast"
    shutil.copy(good, file)
    if links == 2:
        (small_disk / "link").hardlink_to(file)
    with pytest.raises(OSError), open(ballast, "wb", buffering=0) as stream:
        while True:
            stream.write(b"x" * 512)
    before = [(p.name, p.read_bytes(), p.stat().st_mtime_ns) for p in small_disk.iterdir()]
    result = pahole("-J", file)
    assert result.returncode == FAILURE
    assert_message(result, f"pahole: {file}: ", os.strerror(errno.ENOSPC))
    assert [(p.name, p.read_bytes(), p.stat().st_mtime_ns) for p in small_disk.iterdir()] == before
    ballast.unlink()
    assert pahole("-J", file).returncode == OK


def test_read_only_folder_or_file(good, tmp_path):
    """A new file cannot take the place of the old one; one that must not be written is not replaced."""
    folder, program_copy = tmp_path / "folder", tmp_path / "pahole"
    folder.mkdir()
    shutil.copy(good, folder / "file")
    shutil.copy(program(), program_copy)
    as_user = as_nobody if os.geteuid() == 0 else None
    for path in (tmp_path, *tmp_path.parents[:-2]) if as_user else ():
        path.chmod(path.stat().st_mode | 0o711)
    for folder_mode, file_mode in ((0o555, 0o666), (0o777, 0o444)):
        (folder / "file").chmod(file_mode)
        folder.chmod(folder_mode)
        result = subprocess.run([program_copy, "-J", folder / "file"], capture_output=True, text=True,
                                preexec_fn=as_user)
        folder.chmod(0o755)
        assert result.returncode == FAILURE
        assert_message(result, f"pahole: {folder / 'file'}: ", "Permission denied")
        assert (folder / "file").read_bytes() == good.read_bytes()
        assert [p.name for p in folder.iterdir()] == ["file"]


@pytest.mark.parametrize("links", [1, 2])
def test_a_signal_leaves_the_old_or_the_new_file(links, good, tmp_path):
    """Also where the file is changed in place: signals other than SIGKILL wait until it is whole."""
    model, file = tmp_path / "model", tmp_path / "file"
    shutil.copy(good, model)
    start = time.monotonic()
    assert pahole("-J", model).returncode == OK
    duration = time.monotonic() - start
    contents = (good.read_bytes(), model.read_bytes())
    for step in range(25):
        file.write_bytes(contents[0])
        if links == 2:
            (tmp_path / "link").unlink(missing_ok=True)
            (tmp_path / "link").hardlink_to(file)
        process = subprocess.Popen([program(), "-J", file], stderr=subprocess.DEVNULL)
        time.sleep(duration * step / 20)
        process.send_signal(signal.SIGTERM if step % 2 else signal.SIGINT)
        process.wait(timeout=60)
        assert file.read_bytes() in contents
        assert {p.name for p in tmp_path.iterdir()} <= {"model", "file", "link"}


def test_killed_run_leaves_no_draft(good, tmp_path):
    """Whenever the signal comes, the output is whole, old or not there, and alone."""
    out, reference = tmp_path / "out", tmp_path / "reference"
    assert encode(reference, good).returncode == OK
    whole = reference.read_bytes()
    reference.unlink()
    start = time.monotonic()
    assert encode(out, good).returncode == OK
    duration = time.monotonic() - start
    for step in range(25):
        out.write_text("old")
        process = subprocess.Popen([program(), f"--btf_encode_detached={out}", good],
                                   stderr=subprocess.DEVNULL)
        time.sleep(duration * step / 20)
        process.send_signal(signal.SIGTERM if step % 2 else signal.SIGINT)
        process.wait(timeout=60)
        assert out.read_bytes() in (b"old", whole)
        assert [p.name for p in tmp_path.iterdir()] == ["out"]


# What a run says about itself

@pytest.mark.parametrize("option", ["--timings", "-V"])
def test_timings(option, good, tmp_path):
    result = encode(tmp_path / "out", option, "-j2", good)
    assert (result.returncode, result.stdout) == (OK, "")
    for word in ("wall s", "CPU s", "write", "total", "CPU outside parallel passes",
                 "peak memory", "units", "DIEs", "distinct types", "ambiguous names", "BTF types",
                 "functions left out", "inconsistent prototypes"):
        assert word in result.stderr
    assert re.search(r"^units +1$", result.stderr, re.M)


def test_timings_of_a_failed_run(inputs, tmp_path):
    result = encode(tmp_path / "out", "--timings", inputs / "cut")
    assert result.returncode == FAILURE
    assert "peak memory" in result.stderr


def run_on_terminal(*arguments, env=None):
    """Exit status and what arrived on a terminal that is the standard error."""
    master, slave = pty.openpty()
    process = subprocess.Popen([program(), *map(str, arguments)], stderr=slave,
                               stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})})
    os.close(slave)
    seen = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:  # EIO: the last writer is gone
            break
        if not piece:
            break
        seen += piece
    os.close(master)
    return process.wait(timeout=60), seen.decode()


def screen(text):
    """The lines that stay on the screen."""
    lines = []
    for line in text.split("\n"):
        cells = []
        for part in line.split("\r"):
            cells[:len(part)] = part
        lines.append("".join(cells).rstrip())
    return "\n".join(lines)


def test_progress_on_a_terminal_leaves_nothing(good, tmp_path):
    arguments = [f"--btf_encode_detached={tmp_path / 'out'}", good]
    assert run_on_terminal(*arguments) == (OK, ""), "quick work has no progress line"
    status, text = run_on_terminal(*arguments, env={"SMELT_TEST_PROGRESS": "1"})
    assert status == OK
    assert "units, good" in text
    assert screen(text) == ""


def test_no_progress_without_a_terminal(good, tmp_path):
    assert encode(tmp_path / "out", good, env={"SMELT_TEST_PROGRESS": "1"}).stderr == ""
