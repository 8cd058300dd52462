# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Others judge the output: the running kernel, libbpf's deduplicator, bpftool."""
import os
import pathlib
import subprocess

import pytest

from many_units import sources
from programs import compile_helper, encode, need, pahole

NOT_POSSIBLE = 77
FEATURES = "--btf_features=default,global_var"


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """name -> BTF of programs in which no name has two definitions."""
    folder = tmp_path_factory.mktemp("outputs")
    names = []
    for name, text in sources("oracles", 60, with_clashes=False):
        (folder / name).write_text(text)
        names.append(name)
    compiler = os.environ.get("SMELT_CC", "gcc")
    subprocess.run([compiler, "-g", "-w", "-c", *names], cwd=folder, check=True)
    subprocess.run(["ld", "-r", "-o", "units.o", *(name.replace(".c", ".o") for name in names)],
                   cwd=folder, check=True)
    inputs = {"units": folder / "units.o"}
    if not os.environ.get("SMELT_SANITIZE"):  # a sanitizer's runtime is C++, with names the kernel refuses
        inputs["pahole"] = pathlib.Path(pahole()).resolve()
    found = {}
    for name, path in inputs.items():
        output = folder / f"{name}.btf"
        if encode(pahole(), output, [FEATURES, path]).data is not None:
            found[name] = output
    assert "units" in found
    return found


def test_kernel_accepts_it(outputs, tmp_path):
    helper = compile_helper("btf_load", tmp_path)
    for name, path in outputs.items():
        result = subprocess.run([helper, path], capture_output=True, text=True)
        if result.returncode == NOT_POSSIBLE:
            pytest.skip(f"not permitted: {result.stderr.strip()}")
        assert result.returncode == 0, f"{name}: {result.stderr}"


def test_kernel_refuses_what_is_wrong(outputs, tmp_path):
    """Or the test above would say nothing."""
    helper = compile_helper("btf_load", tmp_path)
    data = bytearray(outputs["units"].read_bytes())
    data[32 + 7] = 0x1f  # the kind of the first type
    (tmp_path / "bad.btf").write_bytes(data)
    result = subprocess.run([helper, tmp_path / "bad.btf"], capture_output=True, text=True)
    if result.returncode == NOT_POSSIBLE:
        pytest.skip(f"not permitted: {result.stderr.strip()}")
    assert result.returncode == 1


def test_libbpf_finds_nothing_to_merge(outputs, tmp_path):
    helper = compile_helper("btf_dedup", tmp_path, "-lbpf")
    for name, path in outputs.items():
        result = subprocess.run([helper, path], capture_output=True, text=True)
        assert result.returncode == 0, f"{name}: {result.stderr}"
        before, after = map(int, result.stdout.split())
        assert before == after, name


def test_bpftool_reads_it(outputs):
    bpftool = need("bpftool")
    for name, path in outputs.items():
        for form in ("raw", "c"):
            result = subprocess.run([bpftool, "btf", "dump", "file", path, "format", form],
                                    capture_output=True, text=True)
            assert result.returncode == 0, f"{name}: {result.stderr}"
