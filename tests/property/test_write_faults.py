# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
Every system call that changes a file is once the last one before SIGKILL, and once one that fails.
Afterwards the output is the old or the new one, byte for byte, and nothing else is there.
"""
import errno
import os
import shutil
import subprocess

import pytest

from programs import compile_helper, elf_section, pahole

SOURCE = "struct hold { char a; long b; } g; int main(void) { return g.a; }\n"
NOT_POSSIBLE, KILLED = 77, 128 + 9
STEPS_MAX = 40


@pytest.fixture(scope="module")
def tracer(tmp_path_factory):
    path = compile_helper("fault_tracer", tmp_path_factory.mktemp("tracer"))
    probe = subprocess.run([path, "kill", "1", "true"], capture_output=True, text=True)
    if probe.returncode == NOT_POSSIBLE or os.environ.get("SMELT_SANITIZE"):
        pytest.skip(f"programs cannot be traced here {probe.stderr.strip()}")  # nor can a sanitizer's
    return path


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    (folder / "u.c").write_text(SOURCE)
    subprocess.run(["gcc", "-g", "-o", "u", "u.c"], cwd=folder, check=True)
    return folder / "u"


class Run:
    """One way to write: files before, what to run, and the file that changes."""

    def __init__(self, name, program, folder):
        self.folder = folder / "files"
        self.output = self.folder / ("out" if "detached" in name else "u")
        self.options = ["--btf_features=default", "--btf_encode_detached=out" if "detached" in name else "-J", "u"]
        model = folder / "model"
        shutil.copy(program, model)
        if "again" in name:
            subprocess.run([pahole(), "-J", "--btf_features=layout,float", model], check=True)
        self.files = {"u": model.read_bytes()}
        if "detached over" in name:
            self.files["out"] = b"old"
        self.in_place = "in place" in name
        self.reset()
        subprocess.run([pahole(), *self.options], cwd=self.folder, check=True)
        self.old, self.new = self.files.get(self.output.name), self.output.read_bytes()

    def reset(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for name, content in self.files.items():
            (self.folder / name).write_bytes(content)
            (self.folder / name).chmod(0o755)
        if self.in_place:
            (self.folder / "link").hardlink_to(self.output)

    def content(self):
        return self.output.read_bytes() if self.output.exists() else None

    def others(self):
        """Names of files that are neither input nor output."""
        return {path.name for path in self.folder.iterdir()} - {*self.files, self.output.name, "link"}

    def traced(self, tracer, fault, step):
        """(name of the call that was hit or "none", exit status, messages)"""
        self.reset()
        result = subprocess.run([tracer, str(fault), str(step), pahole(), *self.options], cwd=self.folder,
                                capture_output=True, text=True, timeout=60)
        return result.stdout.strip(), result.returncode, result.stderr

    def finish(self):
        subprocess.run([pahole(), *self.options], cwd=self.folder, check=True)


def steps(run, tracer, fault):
    """Yields (call, status, messages) for each step until there are no more."""
    for step in range(1, STEPS_MAX):
        call, status, messages = run.traced(tracer, fault, step)
        if call == "none":
            assert status == 0 and step > 2
            return
        yield call, status, messages
    pytest.fail("no end")


@pytest.mark.parametrize("name", ["-J", "-J again", "detached", "detached over an old one"])
def test_killed_at_any_step(name, tracer, program, tmp_path):
    run = Run(name, program, tmp_path)
    calls = []
    for call, status, _ in steps(run, tracer, "kill"):
        assert status == KILLED
        assert run.content() == run.old, call
        # Where a draft has got a name, there is no way to remove it and put it in place at once.
        assert len(run.others()) <= (call in ("renameat", "renameat2"))
        calls.append(call)
        run.finish()
        assert run.content() == run.new
    assert calls[-1] in ("renameat", "renameat2", "linkat")


def view(path):
    """What other programs find in it."""
    table = subprocess.run(["readelf", "-W", "-l", "-x", ".debug_info", "-s", path], capture_output=True, text=True,
                           check=True)
    assert table.stderr == ""
    return table.stdout, elf_section(path, ".BTF")


@pytest.mark.parametrize("name", ["-J in place", "-J in place again"])
def test_killed_in_place(name, tracer, program, tmp_path):
    """Here bytes may stay behind the end; but headers lead to the old or the new content."""
    run = Run(name, program, tmp_path)
    run.reset()
    old = view(run.output)
    run.finish()
    new = view(run.output)
    seen = []
    for call, status, _ in steps(run, tracer, "kill"):
        assert status == KILLED
        content = run.content()
        is_old = content[:len(run.old)] == run.old
        assert view(run.output) == (old if is_old else new), call
        assert is_old or content[:64] != run.old[:64]
        assert not run.others()
        assert subprocess.run([run.output]).returncode == 0
        seen.append(is_old)
        run.finish()
        assert run.content() == run.new
    assert seen == sorted(seen, reverse=True) and True in seen and False in seen


@pytest.mark.parametrize("name", ["-J", "-J again", "-J in place", "-J in place again", "detached",
                                  "detached over an old one"])
@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO, errno.EPERM])
def test_failure_of_any_step(name, fault, tracer, program, tmp_path):
    run = Run(name, program, tmp_path)
    new = view(run.output) if run.in_place else None
    failed = 0
    for call, status, messages in steps(run, tracer, fault):
        assert not run.others(), call
        if status == 0:  # there is another way, or all that failed was tidying
            assert messages == ""
            if run.content() != run.new:
                assert run.in_place and view(run.output) == new
        else:
            failed += 1
            assert status == 1
            assert run.content() == run.old, call
            assert messages.startswith(f"pahole: {run.output.name}: ") and len(messages.splitlines()) == 1
            assert os.strerror(fault) in messages
    assert failed >= 2


class PairRun(Run):
    """A file and the distilled base beside it. `old` and `new` are pairs."""

    def __init__(self, program, folder):
        base = folder / "base.btf"
        subprocess.run([pahole(), f"--btf_encode_detached={base}", program], check=True)
        self.folder = folder / "files"
        self.output = self.folder / "out"
        self.options = ["--btf_base=base.btf", "--btf_features=default,distilled_base", "--btf_encode_detached=out", "u"]
        self.files = {"u": program.read_bytes(), "base.btf": base.read_bytes(), "out": b"old", "out.base": b"old base"}
        self.in_place = False
        self.reset()
        self.old = self.content()
        self.finish()
        self.new = self.content()

    def content(self):
        return (self.folder / "out.base").read_bytes(), self.output.read_bytes()


def test_killed_between_two_files(tracer, program, tmp_path):
    """There is one moment between the two; then the base is the new one."""
    run = PairRun(program, tmp_path)
    seen = []
    for call, status, _ in steps(run, tracer, "kill"):
        assert status == KILLED and len(run.others()) <= 2
        seen.append(run.content())
        run.finish()
        assert run.content() == run.new
    between = run.new[0], run.old[1]
    last = len(seen) - seen[::-1].index(run.old)
    assert set(seen[:last]) == {run.old} and set(seen[last:]) == {between}


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO])
def test_failure_of_one_of_two_files(fault, tracer, program, tmp_path):
    run = PairRun(program, tmp_path)
    for call, status, messages in steps(run, tracer, fault):
        assert not run.others(), call
        if status == 0:
            assert run.content() == run.new
        else:
            assert run.content() in (run.old, (run.new[0], run.old[1]))
            assert messages.startswith("pahole: out") and os.strerror(fault) in messages
