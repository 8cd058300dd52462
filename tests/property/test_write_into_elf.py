# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""pahole -J FILE: other programs judge the files, and what they make of them still holds the BTF."""
import glob
import os
import pathlib
import re
import shutil
import struct
import subprocess
import threading

import pytest

from btf import Btf
from programs import elf_section, encode, need, pahole

SOURCE = """
struct hold { char a; long b; short c; int bf : 5; struct { int x, y; } in; };
struct hold g = { 1 };
int f(struct hold *h) { return h->in.x + g.c; }
"""
MAIN = "int f(void *); extern char g[];\nint main(void) { return f(g) + 7; }\n"
FEATURES = "--btf_features=default"
# name: compiler, flags; 32 and 64 bits, both byte orders.
MACHINES = {
    "x86_64": ["gcc", "-g"],
    "i386": ["gcc", "-g", "-m32"],
    "mips": ["clang-14", "-g", "--target=mips-linux-gnu"],
    "mipsel": ["clang-14", "-g", "--target=mipsel-linux-gnu"],
    "ppc64": ["clang-14", "-g", "--target=powerpc64-linux-gnu"],
    "s390x": ["clang-14", "-g", "--target=s390x-linux-gnu"],
    "aarch64": ["clang-14", "-g", "--target=aarch64-linux-gnu"],
    "riscv64": ["clang-14", "-g", "--target=riscv64-linux-gnu"],
    # Section and symbol names in one table.
    "clang": ["clang-14", "-g"],
}
NATIVE = os.uname().machine == "x86_64"
LINKED = {"executable": ["-no-pie"], "pie": ["-pie"], "library": ["-shared", "-fPIC"]}


def run(*command, **more):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                            errors="replace", **more)
    assert result.returncode == 0, f"{command}: {result.stderr}"
    return result.stdout


def write_into(path, *options):
    result = subprocess.run([pahole(), "-J", FEATURES, *options, path], capture_output=True, text=True,
                            env={**os.environ, "LLVM_OBJCOPY": "/not/there"})
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    """machine -> relocatable object"""
    folder = tmp_path_factory.mktemp("objects")
    (folder / "f.c").write_text(SOURCE)
    (folder / "main.c").write_text(MAIN)
    found = {}
    for name, command in MACHINES.items():
        if shutil.which(command[0]):
            result = subprocess.run([*command, "-O1", "-fPIC", "-ffunction-sections", "-c", "f.c", "-o", f"{name}.o"],
                                    cwd=folder, capture_output=True)
            if result.returncode == 0:
                found[name] = folder / f"{name}.o"
    assert found
    return found


@pytest.fixture
def make(objects, tmp_path):
    """make(machine) -> a copy of its object; make(kind) -> a linked file"""
    def get(name):
        output = tmp_path / name
        if name in LINKED:
            if not NATIVE:
                pytest.skip("not x86-64")
            folder = objects["x86_64"].parent
            run("gcc", "-g", *LINKED[name], folder / "f.c", folder / "main.c", "-o", output)
        elif name not in objects:
            pytest.skip(f"no compiler for {name}")
        else:
            shutil.copy(objects[name], output)
        return output
    return get


def detached(path):
    """The BTF that belongs into it."""
    return encode(pahole(), path.with_suffix(".btf"), [FEATURES, path]).data


def assert_readelf_is_content(path):
    result = subprocess.run(["readelf", "-a", "-W", path], capture_output=True, text=True, errors="replace",
                            env={**os.environ, "LC_ALL": "C"})
    assert result.returncode == 0 and result.stderr == ""
    assert not re.search("warning|error|corrupt|<unknown>", result.stdout, re.I), result.stdout


def section_lines(path):
    """What readelf says of each section but the names: everything that must not change, and where its bytes are."""
    lines = {}
    for line in run("readelf", "-S", "-W", path).splitlines():
        match = re.match(r" *\[ *(\d+)\] (\S*) +(.*)", line)
        if match and match[2] not in ("", ".shstrtab", ".BTF"):
            lines[int(match[1])] = line
    return lines


ALL = [*MACHINES, "executable", "pie", "library"]


@pytest.mark.parametrize("name", ALL)
def test_file_is_sound_and_the_rest_of_it_the_same(name, make):
    path = make(name)
    expected, before, content = detached(path), section_lines(path), path.read_bytes()
    segments = run("readelf", "-l", "-W", path)
    write_into(path)
    assert_readelf_is_content(path)
    assert elf_section(path, ".BTF") == expected
    assert run("readelf", "-l", "-W", path) == segments
    assert {number: line for number, line in section_lines(path).items() if number in before
            and ".strtab" not in line} == \
        {number: line for number, line in before.items() if ".strtab" not in line}
    assert path.read_bytes()[64:1000] == content[64:1000]


@pytest.mark.parametrize("name", ALL)
def test_again_and_with_other_features(name, make):
    path = make(name)
    write_into(path)
    once, stamp = path.read_bytes(), path.stat().st_mtime_ns
    write_into(path)
    assert path.stat().st_mtime_ns == stamp
    write_into(path, "--btf_features=layout")
    assert path.read_bytes() != once
    assert_readelf_is_content(path)
    write_into(path)
    assert path.read_bytes() == once


@pytest.mark.parametrize("name", ["executable", "pie"])
def test_programs_still_run(name, make):
    path = make(name)
    tools = [["strip"], ["strip", "-g"], ["llvm-strip", "-g"], ["objcopy"], ["llvm-objcopy"],
             ["objcopy", "--remove-section=.BTF"]]
    write_into(path)
    write_into(path, "--btf_features=layout")
    expected = elf_section(path, ".BTF")
    for tool in tools:
        if not shutil.which(tool[0]):
            continue
        copy = path.with_suffix(".copy")
        shutil.copy(path, copy)
        run(*tool, copy)
        assert subprocess.run([copy]).returncode == 7, tool
        assert_readelf_is_content(copy)
        assert elf_section(copy, ".BTF") == (None if "--remove-section=.BTF" in tool else expected), tool
    assert subprocess.run([path]).returncode == 7


@pytest.mark.parametrize("name", ALL)
def test_other_tools_keep_it(name, make, tmp_path):
    """And we can write again into what they made."""
    path, output = make(name), tmp_path / "output"
    write_into(path)
    expected = elf_section(path, ".BTF")
    tools = [["llvm-objcopy"], ["llvm-strip", "-g"], ["llvm-objcopy", "--only-section=.BTF"]]
    if NATIVE and name in ("x86_64", "i386", "clang", *LINKED):
        tools += [["objcopy"], ["strip", "-g"], ["objcopy", "--only-section=.BTF"]]
    for tool in tools:
        if not shutil.which(tool[0]):
            continue
        run(*tool, path, *(["-o"] if "strip" in tool[0] else []), output)
        assert elf_section(output, ".BTF") == expected, tool
        if len(tool) == 1:
            write_into(output, "--btf_features=layout")
            assert elf_section(output, ".BTF") != expected
            assert_readelf_is_content(output)


@pytest.mark.parametrize("name", MACHINES)
def test_objects_still_link(name, make, tmp_path):
    path = make(name)
    write_into(path)
    expected, output = elf_section(path, ".BTF"), tmp_path / "linked.o"
    linkers = [["ld.lld", "-r"]] if name != "s390x" else []
    if NATIVE and name in ("x86_64", "clang"):
        linkers += [["ld", "-r"], ["gcc", "-shared"]]
    for linker in linkers:
        if not shutil.which(linker[0]):
            continue
        result = subprocess.run([*linker, path, "-o", output], capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, ""), linker
        assert elf_section(output, ".BTF") == expected, linker
        write_into(output)
        assert_readelf_is_content(output)


def test_bpftool_reads_it(make, tmp_path):
    bpftool = need("bpftool")
    for name in ("x86_64", "i386", "aarch64", "executable"):
        path = make(name)
        raw = tmp_path / "raw.btf"
        raw.write_bytes(detached(path))
        write_into(path)
        assert run(bpftool, "btf", "dump", "file", path) == run(bpftool, "btf", "dump", "file", raw)


@pytest.fixture(scope="module")
def resolve_btfids():
    """The kernel's program that puts type numbers into .BTF_ids; Debian: package linux-kbuild-6.12.*."""
    found = sorted(glob.glob("/usr/lib/linux-kbuild-6.*/tools/bpf/resolve_btfids/resolve_btfids"))
    path = os.environ.get("RESOLVE_BTFIDS") or (found[-1] if found else shutil.which("resolve_btfids"))
    if not path:
        pytest.skip("no resolve_btfids")
    return path


BTF_ID = """
asm(".pushsection .BTF_ids,\\"a\\"; .type __BTF_ID__struct__hold__1, %object; .size __BTF_ID__struct__hold__1, 4;"
    "__BTF_ID__struct__hold__1: .zero 4; .popsection");
"""


@pytest.mark.parametrize("name", ["x86_64", "i386", "mips", "mipsel", "s390x", "executable"])
def test_resolve_btfids_finds_its_way(name, resolve_btfids, tmp_path):
    source, path = tmp_path / "ids.c", tmp_path / "ids"
    source.write_text(SOURCE + BTF_ID + "int main(void) { return f(&g); }")
    compiler = [*MACHINES["x86_64"]] if name == "executable" else [*MACHINES[name], "-c"]
    if not shutil.which(compiler[0]):
        pytest.skip(f"no {compiler[0]}")
    run(*compiler, source, "-o", path)
    write_into(path)
    before = elf_section(path, ".BTF")
    result = subprocess.run([resolve_btfids, path], capture_output=True, text=True)
    if "non-native endianness due to unsupported header" in result.stderr:
        pytest.skip("this one reads our header in its own byte order only")
    assert (result.returncode, result.stderr) == (0, "")
    assert_readelf_is_content(path)
    assert elf_section(path, ".BTF") == before
    big = path.read_bytes()[5] == 2
    number = int.from_bytes(elf_section(path, ".BTF_ids"), "big" if big else "little")
    found = Btf(before).types[number - 1]
    assert (found.id, found.kind, found.name) == (number, "STRUCT", "hold")


def objcopy_with(path, name, content, *more):
    added = path.with_suffix(".added")
    added.write_bytes(content)
    run("llvm-objcopy", f"--add-section={name}={added}", *more, path)


@pytest.mark.parametrize("name", ["x86_64", "mips", "pie"])
def test_what_others_added_is_replaced(name, make, tmp_path):
    """Also a stale base: at the end of the sections, or amid them, where an empty header stays."""
    need("llvm-objcopy")
    path, output = make(name), tmp_path / "output"
    expected = detached(path)
    for extra in (None, ".other"):
        objcopy_with(path, ".BTF", b"stale")
        objcopy_with(path, ".BTF.base", b"stale base")
        if extra:
            objcopy_with(path, extra, b"content")
        write_into(path)
        tools = [["llvm-objcopy"], ["ld.lld", "-r", "-o"]] if name == "mips" else \
            [["llvm-objcopy"], ["objcopy"], ["strip", "-o"], ["ld", "-r", "-o"]]
        for tool in [["cp"], *tools]:
            if not shutil.which(tool[0]) or name == "pie" and "-r" in tool:
                continue
            run(*tool, *([output, path] if tool[-1] == "-o" else [path, output]))
            assert_readelf_is_content(output)
            assert elf_section(output, ".BTF") == expected, tool
            assert elf_section(output, ".BTF.base") is None, tool
            assert elf_section(output, ".other") == (b"content" if extra else None), tool
        run("llvm-objcopy", "--remove-section=.BTF", path)


def test_btf_that_is_loaded_stays_in_its_segment(make, tmp_path):
    """As in a kernel: the linker has put .BTF between other sections of a segment."""
    source, path = tmp_path / "loaded.c", tmp_path / "loaded"
    source.write_text(SOURCE + """
        __attribute__((section(".BTF"))) const char data[] = "old BTF";
        int main(void) { return data[0] == 'o' && data[6] == 'F' ? f(&g) + 7 : 99; }""")
    run("gcc", "-g", source, "-o", path)
    assert re.search(r"\.BTF +PROGBITS .* A ", run("readelf", "-S", "-W", path))
    expected = detached(path)
    segments = re.sub(r"\.BTF ", "", run("readelf", "-l", "-W", path))
    write_into(path)
    assert elf_section(path, ".BTF") == expected
    assert run("readelf", "-l", "-W", path) == segments
    assert_readelf_is_content(path)
    assert subprocess.run([path]).returncode == 7
    assert b"old BTF" in path.read_bytes()
    run("strip", path)
    assert subprocess.run([path]).returncode == 7


def test_stripped_program_and_its_debug_file(make):
    """BTF goes into the file that was named, from wherever the DWARF comes."""
    path = make("executable")
    expected, debug = detached(path), path.with_suffix(".debug")
    run("objcopy", "--only-keep-debug", path, debug)
    run("strip", path)
    run("objcopy", f"--add-gnu-debuglink={debug}", path)
    before = debug.read_bytes()
    write_into(path)
    assert elf_section(path, ".BTF") == expected
    assert subprocess.run([path]).returncode == 7
    assert debug.read_bytes() == before
    write_into(debug)
    assert elf_section(debug, ".BTF") == expected
    assert_readelf_is_content(path)


# The file as a file

def test_mode_links_and_attributes(make, tmp_path):
    plain, linked = make("x86_64"), tmp_path / "linked"
    shutil.copy(plain, linked)
    (tmp_path / "other").hardlink_to(linked)
    (tmp_path / "symbolic").symlink_to("linked")
    plain.chmod(0o4751)
    try:
        os.setxattr(plain, "user.smelt", b"kept")
    except OSError:
        pass
    attributes = {name: os.getxattr(plain, name) for name in os.listxattr(plain)}
    inode = linked.stat().st_ino
    write_into(plain)
    write_into(tmp_path / "symbolic")
    assert plain.stat().st_mode & 0o7777 == 0o4751
    assert {name: os.getxattr(plain, name) for name in os.listxattr(plain)} == attributes
    assert (tmp_path / "symbolic").is_symlink()
    assert linked.stat().st_ino == (tmp_path / "other").stat().st_ino == inode
    assert linked.read_bytes() == plain.read_bytes()


def test_owner(make):
    if os.geteuid() != 0:
        pytest.skip("not root")
    path = make("x86_64")
    os.chown(path, 12345, 54321)
    write_into(path)
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


def test_a_program_that_runs_gets_a_new_file(tmp_path):
    """The text of a running program cannot be written to, and need not."""
    source, path = tmp_path / "pause.c", tmp_path / "pause"
    source.write_text("#include <unistd.h>\nint main(void) { return pause(); }\n")
    run("gcc", "-g", source, "-o", path)
    process = subprocess.Popen([path])
    try:
        write_into(path)
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    assert elf_section(path, ".BTF")


def test_names_with_blanks_and_a_neighbour_with_the_name_of_a_temporary_file(make, tmp_path):
    path = tmp_path / "a b; $(touch c).o"
    shutil.copy(make("x86_64"), path)
    neighbour = pathlib.Path(f"{path}.btf")
    neighbour.write_text("mine")
    write_into(path)
    assert elf_section(path, ".BTF")
    assert neighbour.read_text() == "mine"


def test_two_files_in_one_folder_at_a_time(make, tmp_path):
    one, two = make("x86_64"), make("mips")
    models = {path: path.read_bytes() for path in (one, two)}
    expected = {}
    for path in models:
        write_into(path)
        expected[path] = path.read_bytes()

    def work(path):
        for _ in range(15):
            path.write_bytes(models[path])
            write_into(path)
            assert path.read_bytes() == expected[path]

    failures = []

    def guarded(path):
        try:
            work(path)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=(path,)) for path in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_two_runs_on_one_file(make):
    """One after the other, whoever is first: each leaves a whole file."""
    path = make("x86_64")
    model = path.read_bytes()
    write_into(path)
    expected = path.read_bytes()
    for _ in range(10):
        path.write_bytes(model)
        processes = [subprocess.Popen([pahole(), "-J", FEATURES, path], stderr=subprocess.PIPE, text=True)
                     for _ in range(2)]
        for process in processes:
            message = process.communicate(timeout=60)[1]
            assert process.returncode == 0 or "somebody else" in message
        assert path.read_bytes() == expected
        assert not [p for p in path.parent.iterdir() if p.name.startswith(".smelt")]


def move_section(path, name, offset):
    """Puts a section of an ELF64 file of little endian somewhere else; sparse, if that is far away."""
    content = bytearray(path.read_bytes())
    table, = struct.unpack_from("<Q", content, 40)
    number = next(number for number, line in section_lines(path).items() if f" {name} " in line)
    old, size = struct.unpack_from("<QQ", content, table + 64 * number + 24)
    struct.pack_into("<Q", content, table + 64 * number + 24, offset)
    with open(path, "wb") as stream:
        stream.write(content)
        stream.seek(offset)
        stream.write(content[old:old + size])


def test_a_large_file(make):
    """One that is not copied where blocks cannot be shared."""
    path = make("x86_64")
    move_section(path, ".comment", 130 << 20)
    expected, before = detached(path), section_lines(path)
    write_into(path)
    assert_readelf_is_content(path)
    assert elf_section(path, ".BTF") == expected
    assert {number: line for number, line in section_lines(path).items() if number in before} == before
    assert path.stat().st_size < 131 << 20
    assert not [p for p in path.parent.iterdir() if p.name.startswith(".smelt")]
