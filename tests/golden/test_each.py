# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""pahole --each: every file on its own gives what it gives alone, and one file's failure is no other's."""
import os
import pathlib
import shutil
import subprocess

import pytest

from many_units import sources
from programs import encode, pahole

OK, FAILURE, USAGE = 0, 1, 64
FEATURES = "--btf_features=default,global_var"


def compiler(folder, *arguments):
    subprocess.run([os.environ.get("SMELT_CC", "gcc"), "-w", *map(str, arguments)], cwd=folder, check=True)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """name -> path: twelve objects of very different size, and some that are not what they should be."""
    folder = tmp_path_factory.mktemp("inputs")
    units = list(sources("each", 48, with_clashes=False))
    for name, text in units:
        (folder / name).write_text(text)
    compiler(folder, "-g", "-c", *[name for name, _ in units])
    objects = [name.replace(".c", ".o") for name, _ in units]
    files = {}
    for number in range(12):
        # 1, 1, 1, 2, 2, 3, 4, 6, 8, 12, 18, 27 units or what is left of the 48.
        count = max(1, int(1.5 ** (number - 3)))
        part = objects[number:number + count]
        subprocess.run(["ld", "-r", "-o", f"m{number}.ko", *part], cwd=folder, check=True)
        files[f"m{number}"] = folder / f"m{number}.ko"
    (folder / "plain.c").write_text("int plain;\n")
    compiler(folder, "-c", "plain.c", "-o", "plain.ko")
    files["plain"] = folder / "plain.ko"
    data = files["m9"].read_bytes()
    (folder / "cut.ko").write_bytes(data[:len(data) // 2])
    files["cut"] = folder / "cut.ko"
    return files


@pytest.fixture(scope="module")
def alone(inputs, tmp_path_factory):
    """name -> the BTF of the file when it is encoded alone."""
    output = tmp_path_factory.mktemp("alone") / "out.btf"
    result = {name: encode(pahole(), output, ["-j1", FEATURES, path]).data
              for name, path in inputs.items() if name.startswith("m")}
    assert all(result.values())
    return result


def each(*arguments, env=None, **more):
    return subprocess.run([pahole(), "--each", FEATURES, *map(str, arguments)], text=True,
                          capture_output=True, timeout=300, env=dict(os.environ, LC_ALL="C", **(env or {})),
                          **{"stdin": subprocess.DEVNULL, **more})


def copies(inputs, folder, names):
    return [pathlib.Path(shutil.copy(inputs[name], folder)) for name in names]


def section(path, folder):
    output = folder / "section"
    output.unlink(missing_ok=True)
    subprocess.run(["objcopy", "--dump-section", f".BTF={output}", path, "/dev/null"], check=True,
                   stderr=subprocess.DEVNULL)
    return output.read_bytes()


@pytest.mark.thread
@pytest.mark.parametrize("jobs", [1, 2, 3, 8])
@pytest.mark.parametrize("seed", [0, 4711])
def test_into_a_folder(jobs, seed, inputs, alone, tmp_path):
    files = [inputs[name] for name in alone]
    result = each(f"-j{jobs}", f"--btf_encode_detached={tmp_path / 'out'}", *files,
                  env={"SMELT_TEST_SHUFFLE": str(seed)})
    assert (result.returncode, result.stdout, result.stderr) == (OK, "", "")
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == \
        {f"{name}.ko.btf": data for name, data in alone.items()}


@pytest.mark.parametrize("jobs", [1, 8])
def test_into_the_files(jobs, inputs, alone, tmp_path):
    files = copies(inputs, tmp_path, alone)
    result = each(f"-j{jobs}", "-J", *files)
    assert (result.returncode, result.stdout, result.stderr) == (OK, "", "")
    for file, data in zip(files, alone.values()):
        assert section(file, tmp_path) == data


@pytest.mark.thread
@pytest.mark.parametrize("jobs", [1, 8])
def test_on_a_base(jobs, inputs, alone, tmp_path):
    """All at a time read the base that is opened once."""
    base = tmp_path / "base.btf"
    base.write_bytes(alone["m7"])
    on_base = {name: encode(pahole(), tmp_path / "one.btf", ["-j1", FEATURES, f"--btf_base={base}",
                                                             inputs[name]]).data for name in alone}
    assert all(on_base.values()) and on_base != alone
    result = each(f"-j{jobs}", f"--btf_base={base}", f"--btf_encode_detached={tmp_path / 'out'}",
                  *[inputs[name] for name in alone])
    assert (result.returncode, result.stderr) == (OK, "")
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == \
        {f"{name}.ko.btf": data for name, data in on_base.items()}


@pytest.mark.parametrize("in_place", [False, True])
def test_without_its_base_nothing_is_encoded(in_place, inputs, tmp_path):
    file, = copies(inputs, tmp_path, ["m0"])
    before = file.read_bytes()
    result = each("-J" if in_place else f"--btf_encode_detached={tmp_path / 'out'}",
                  f"--btf_base={tmp_path / 'no.btf'}", file)
    assert result.returncode == FAILURE
    assert f"{tmp_path / 'no.btf'}: " in result.stderr
    assert file.read_bytes() == before
    assert not list(tmp_path.glob("out/*"))


def test_one_file(inputs, alone, tmp_path):
    result = each("-j4", f"--btf_encode_detached={tmp_path}/", inputs["m11"])
    assert result.returncode == OK, result.stderr
    assert (tmp_path / "m11.ko.btf").read_bytes() == alone["m11"]


@pytest.mark.thread
@pytest.mark.parametrize("jobs", [1, 2, 8])
@pytest.mark.parametrize("in_place", [False, True])
def test_bad_ones_among_good_ones(jobs, in_place, inputs, alone, tmp_path):
    """Reports come in the order of the list, whatever was done first."""
    names = ["cut", "m0", "m11", "missing", "m3", "text", "m9", "plain", "m5"]
    folder = tmp_path / "in"
    folder.mkdir()
    copies(inputs, folder, [name for name in names if name in inputs])
    (folder / "text.ko").write_text("no module\n")
    files = [folder / f"{name}.ko" for name in names]
    before = {path: path.read_bytes() for path in files if path.exists()}
    where = "-J" if in_place else f"--btf_encode_detached={tmp_path / 'out'}"
    result = each(f"-j{jobs}", where, *files)
    assert result.returncode == FAILURE

    lines = result.stderr.splitlines()
    said = [next(name for name in names if f"/{name}.ko" in line) for line in lines[:-1]]
    assert said == ["cut", "missing", "text", "plain"], result.stderr
    assert lines[3] == f"pahole: {folder / 'plain.ko'}: no DWARF; nothing encoded"
    assert lines[-1] == "pahole: 3 of 9 files failed"
    for name, path in zip(names, files):
        output = path if in_place else tmp_path / "out" / f"{name}.ko.btf"
        if name in alone:
            assert (section(path, tmp_path) if in_place else output.read_bytes()) == alone[name]
        elif in_place and name != "missing":
            assert path.read_bytes() == before[path]
        else:
            assert not output.exists()


def test_files_without_dwarf_are_no_failure(inputs, tmp_path):
    """As for one file alone."""
    result = each(f"--btf_encode_detached={tmp_path}", inputs["plain"], inputs["m0"])
    assert result.returncode == OK
    assert result.stderr == f"pahole: {inputs['plain']}: no DWARF; nothing encoded\n"


def test_an_output_that_cannot_be_written_costs_one_file(inputs, alone, tmp_path):
    out = tmp_path / "out"
    (out / "m1.ko.btf").mkdir(parents=True)
    result = each("-j2", f"--btf_encode_detached={out}", *[inputs[f"m{i}"] for i in range(3)])
    assert result.returncode == FAILURE
    assert f"{out / 'm1.ko.btf'}: " in result.stderr
    assert result.stderr.splitlines()[-1] == "pahole: 1 of 3 files failed"
    assert (out / "m0.ko.btf").read_bytes() == alone["m0"]
    assert (out / "m2.ko.btf").read_bytes() == alone["m2"]


# Lists

def test_lists(inputs, alone, tmp_path):
    """The kernel's modules.order names objects; what is meant are the modules."""
    tree = tmp_path / "tree"
    (tree / "drivers").mkdir(parents=True)
    for name in ("m0", "m1", "m2", "m3"):
        shutil.copy(inputs[name], tree / "drivers")
    (tree / "drivers/m0.o").write_text("not the module\n")
    (tree / "drivers/m3.ko").rename(tree / "drivers/m3.o")
    (tree / "modules.order").write_text("drivers/m0.o\ndrivers/m1.o\n\ndrivers/m2.ko\ndrivers/m3.o")
    (tree / "more").write_text(f"{inputs['m4']}\n")
    result = each("--btf_encode_detached=out", inputs["m5"], "@modules.order", "@more", "@-",
                  cwd=tree, stdin=None, input=f"{inputs['m6']}\n")
    assert (result.returncode, result.stderr) == (OK, "")
    expected = {f"m{i}.ko.btf": alone[f"m{i}"] for i in (0, 1, 2, 4, 5, 6)} | {"m3.o.btf": alone["m3"]}
    assert {path.name: path.read_bytes() for path in (tree / "out").iterdir()} == expected


@pytest.mark.parametrize("content, cause", [(None, "No such file"), ("folder", "directory"),
                                            (b"a.ko\nb\0.ko\n", "not a list of files")])
def test_unusable_lists(content, cause, tmp_path):
    path = tmp_path / "list"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    result = each(f"--btf_encode_detached={tmp_path / 'out'}", f"@{path}")
    assert result.returncode == FAILURE
    assert result.stderr.startswith(f"pahole: {path}: ") and cause in result.stderr
    assert not (tmp_path / "out").exists()


def test_an_empty_list_is_nothing_to_do(tmp_path):
    (tmp_path / "list").write_text("\n\n")
    result = each(f"--btf_encode_detached={tmp_path / 'out'}", f"@{tmp_path / 'list'}")
    assert (result.returncode, result.stderr) == (OK, "")


def test_a_list_is_a_file_otherwise(tmp_path):
    """Only --each has lists."""
    (tmp_path / "list").write_text("a.ko\n")
    result = subprocess.run([pahole(), "--btf_encode_detached=out", "@list"], cwd=tmp_path, text=True,
                            capture_output=True, env=dict(os.environ, LC_ALL="C"))
    assert result.returncode == FAILURE
    assert result.stderr == "pahole: @list: open: No such file or directory\n"


# What must not meet

def test_two_files_of_one_name_need_two_folders(inputs, tmp_path):
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        shutil.copy(inputs["m0"], folder / "same.ko")
    files = [folder / "same.ko" for folder in folders]
    out = tmp_path / "out"
    result = each(f"--btf_encode_detached={out}", *files)
    assert result.returncode == FAILURE
    assert result.stderr == f"pahole: {out / 'same.ko.btf'}: would be the output of two files; nothing was encoded\n"
    assert not out.exists()
    assert each("-J", *files).returncode == OK


def test_one_file_twice(inputs, tmp_path):
    file, = copies(inputs, tmp_path, ["m0"])
    (tmp_path / "other.ko").hardlink_to(file)
    before = file.read_bytes()
    result = each("-J", file, inputs["plain"], tmp_path / "other.ko")
    assert result.returncode == FAILURE
    assert result.stderr == f"pahole: {tmp_path / 'other.ko'}: is the same file as {file}; nothing was encoded\n"
    assert file.read_bytes() == before


def test_an_input_is_no_output(inputs, tmp_path):
    copies(inputs, tmp_path, ["m0", "m1"])
    (tmp_path / "m1.ko").rename(tmp_path / "m0.ko.btf")
    before = (tmp_path / "m0.ko.btf").read_bytes()
    result = each(f"--btf_encode_detached={tmp_path}", tmp_path / "m0.ko", tmp_path / "m0.ko.btf")
    assert result.returncode == FAILURE
    assert "is an input too" in result.stderr
    assert (tmp_path / "m0.ko.btf").read_bytes() == before


def test_the_output_is_a_folder(inputs, tmp_path):
    (tmp_path / "file").write_text("old")
    for path in (tmp_path / "file", tmp_path / "no" / "such"):
        result = each(f"--btf_encode_detached={path}", inputs["m0"])
        assert result.returncode == FAILURE
        assert result.stderr.startswith(f"pahole: {path}: ")
    assert (tmp_path / "file").read_text() == "old"


def test_only_for_encoding(inputs):
    result = each(inputs["m0"])
    assert result.returncode == USAGE


def test_timings_add_up(inputs, alone, tmp_path):
    result = each("--timings", "-j2", f"--btf_encode_detached={tmp_path}", inputs["m0"], inputs["m1"])
    assert result.returncode == OK
    numbers = {line[:28].strip(): line[28:].split()[0] for line in result.stderr.splitlines() if line[28:].split()}
    assert numbers["files"] == "2"
    assert int(numbers["BTF bytes"]) == len(alone["m0"]) + len(alone["m1"])


def test_tokens_of_a_jobserver_come_back(inputs, alone, tmp_path):
    ends = os.pipe()
    os.write(ends[1], b"abc")
    result = subprocess.run([pahole(), "--each", FEATURES, f"--btf_encode_detached={tmp_path}",
                             *[inputs[name] for name in alone], inputs["cut"]],
                            pass_fds=ends, capture_output=True, text=True, timeout=300,
                            env=dict(os.environ, MAKEFLAGS=f"--jobserver-auth={ends[0]},{ends[1]}"))
    assert result.returncode == FAILURE
    assert (tmp_path / "m11.ko.btf").read_bytes() == alone["m11"]
    assert sorted(os.read(ends[0], 10)) == sorted(b"abc")
    for end in ends:
        os.close(end)
