# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Under `make -jN`: GNU make's jobserver says how many threads work, and gets all its tokens back."""
import array
import contextlib
import fcntl
import os
import signal
import subprocess
import termios
import time

import pytest

from many_units import sources
from programs import encode, need, pahole

TOKENS = b"abc"
OK, FAILURE = 0, 1


@pytest.fixture(scope="module")
def program_of_many_units(tmp_path_factory):
    folder = tmp_path_factory.mktemp("units")
    names = []
    for name, text in sources("jobserver", 60, with_clashes=False):
        (folder / name).write_text(text)
        names.append(name)
    compiler = os.environ.get("SMELT_CC", "gcc")
    subprocess.run([compiler, "-g", "-w", "-shared", "-fPIC", "-nostdlib", "-o", "all.so", *names],
                   cwd=folder, check=True)
    return folder / "all.so"


def waiting(fd):
    """Bytes in the pipe."""
    count = array.array("i", [0])
    fcntl.ioctl(fd, termios.FIONREAD, count)
    return count[0]


class Make:
    """A make of ours: the ends of its pipe, and what it tells in MAKEFLAGS."""

    def __init__(self, ends, flags):
        self.read_end, self.write_end = ends
        self.flags = flags

    def environment(self):
        return {"MAKEFLAGS": self.flags}

    def run(self, *arguments):
        return subprocess.run([pahole(), *map(str, arguments)], text=True, capture_output=True,
                              env=dict(os.environ, LC_ALL="C", **self.environment()),
                              pass_fds=(self.read_end, self.write_end), timeout=120)

    def tokens(self):
        """The tokens that are there, sorted; they stay."""
        tokens = os.read(self.read_end, waiting(self.read_end)) if waiting(self.read_end) else b""
        os.write(self.write_end, tokens)
        return bytes(sorted(tokens))


@contextlib.contextmanager
def pipe_make(folder):
    ends = os.pipe()
    os.write(ends[1], TOKENS)
    yield Make(ends, f"ks -j4 --jobserver-auth={ends[0]},{ends[1]} -- V=1")
    for end in ends:
        os.close(end)


@contextlib.contextmanager
def old_pipe_make(folder):
    ends = os.pipe()
    os.write(ends[1], TOKENS)
    yield Make(ends, f" --jobserver-fds={ends[0]},{ends[1]} -j")
    for end in ends:
        os.close(end)


@contextlib.contextmanager
def fifo_make(folder):
    path = folder / "GMfifo1"
    os.mkfifo(path)
    end = os.open(path, os.O_RDWR)
    os.write(end, TOKENS)
    yield Make((end, end), f" -j4 --jobserver-auth=fifo:{path}")
    os.close(end)


MAKES = pytest.mark.parametrize("make_of", [pipe_make, old_pipe_make, fifo_make])


@pytest.mark.thread
@MAKES
@pytest.mark.parametrize("jobs", [[], ["-j"], ["-j4", "-j"]])
def test_success(make_of, jobs, program_of_many_units, tmp_path):
    expected = encode(pahole(), tmp_path / "expected.btf", ["-j1", program_of_many_units])
    with make_of(tmp_path) as make:
        result = make.run("-V", *jobs, f"--btf_encode_detached={tmp_path / 'out.btf'}",
                          program_of_many_units)
        assert make.tokens() == TOKENS
    assert result.returncode == OK, result.stderr
    assert "pahole: make's jobserver has the say over up to" in result.stderr
    assert (tmp_path / "out.btf").read_bytes() == expected.data


@MAKES
def test_failure(make_of, program_of_many_units, tmp_path):
    """A broken unit in the middle: workers were at it."""
    data = bytearray(program_of_many_units.read_bytes())
    sections = subprocess.run(["readelf", "-SW", program_of_many_units], check=True, text=True,
                              capture_output=True).stdout
    offset, size = next((int(words[3], 16), int(words[4], 16)) for words in
                        (line.partition("]")[2].split() for line in sections.splitlines())
                        if words and words[0] == ".debug_abbrev")
    data[offset + size // 2:offset + size] = b"\xff" * (size - size // 2)
    broken = tmp_path / "broken.so"
    broken.write_bytes(data)
    with make_of(tmp_path) as make:
        result = make.run(f"--btf_encode_detached={tmp_path / 'out.btf'}", broken)
        assert make.tokens() == TOKENS
    assert result.returncode == FAILURE, result.stderr
    assert not (tmp_path / "out.btf").exists()


@MAKES
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signal(make_of, number, program_of_many_units, tmp_path):
    """The signal comes when tokens are seen to be out; a run that is too quick for that is repeated."""
    command = [pahole(), f"--btf_encode_detached={tmp_path / 'out.btf'}", program_of_many_units]
    with make_of(tmp_path) as make:
        for _ in range(200):
            process = subprocess.Popen(command, env=dict(os.environ, **make.environment()),
                                       pass_fds=(make.read_end, make.write_end),
                                       preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
            while (seen := waiting(make.read_end)) == len(TOKENS) and process.poll() is None:
                pass
            process.send_signal(number)
            process.wait(timeout=120)
            assert make.tokens() == TOKENS
            if seen < len(TOKENS) and process.returncode == -number:
                return
            assert process.returncode in (OK, -number)
    pytest.fail("never seen with a token")


def test_an_ignored_signal_stays_ignored(program_of_many_units, tmp_path):
    with pipe_make(tmp_path) as make:
        process = subprocess.Popen([pahole(), f"--btf_encode_detached={tmp_path / 'out.btf'}",
                                    program_of_many_units],
                                   env=dict(os.environ, **make.environment()),
                                   pass_fds=(make.read_end, make.write_end),
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        while process.poll() is None:
            process.send_signal(signal.SIGHUP)
            time.sleep(0.001)
        assert process.returncode == OK


def test_a_number_of_threads_needs_no_jobserver(program_of_many_units, tmp_path):
    with pipe_make(tmp_path) as make:
        result = make.run("-V", "-j2", f"--btf_encode_detached={tmp_path / 'out.btf'}",
                          program_of_many_units)
        assert make.tokens() == TOKENS
    assert result.returncode == OK
    assert "jobserver" not in result.stderr


@pytest.mark.parametrize("flags, cause", [
    ("--jobserver-auth=-2,-2", "is not open here"),
    ("--jobserver-auth=700,701", "is not open here"),
    ("--jobserver-auth=fifo:/nowhere/GMfifo7", "No such file"),
])
def test_a_jobserver_that_is_not_there(flags, cause, program_of_many_units, tmp_path):
    output = f"--btf_encode_detached={tmp_path / 'out.btf'}"
    for verbose in ([], ["-V"]):
        result = subprocess.run([pahole(), *verbose, "-j", output, program_of_many_units], text=True,
                                capture_output=True, env=dict(os.environ, LC_ALL="C", MAKEFLAGS=flags))
        assert result.returncode == OK
        assert ("working with one thread" in result.stderr and cause in result.stderr) == bool(verbose)


MAKEFILE = """
all: {targets}
%.btf: {input}
\t{mark}{pahole} {options} --btf_encode_detached=$@ $<
"""


def run_make(folder, mark, options, count, path, *arguments):
    targets = [f"out{number}.btf" for number in range(count)]
    (folder / "Makefile").write_text(MAKEFILE.format(targets=" ".join(targets), input=path, mark=mark,
                                                     pahole=pahole(), options=options))
    result = subprocess.run([need("make"), *arguments], cwd=folder, text=True, capture_output=True,
                            env=dict(os.environ, LC_ALL="C"), timeout=300)
    return result, [folder / target for target in targets]


def test_a_real_make_misses_no_token(program_of_many_units, tmp_path):
    """It counts them at its end, and says so when the number is wrong."""
    expected = encode(pahole(), tmp_path / "expected.btf", ["-j1", program_of_many_units])
    result, outputs = run_make(tmp_path, "+", "-j -j", 12, program_of_many_units, "-j2")
    assert result.returncode == OK, result.stderr
    assert result.stderr == ""
    assert all(output.read_bytes() == expected.data for output in outputs)


def test_a_recipe_without_the_mark_works_alone(program_of_many_units, tmp_path):
    result, _ = run_make(tmp_path, "", "-V -j", 1, program_of_many_units, "-j2")
    assert result.returncode == OK
    assert "working with one thread" in result.stderr


def test_a_make_without_jobs_decides_nothing(program_of_many_units, tmp_path):
    result, _ = run_make(tmp_path, "+", "-V -j", 1, program_of_many_units)
    assert result.returncode == OK
    assert "jobserver" not in result.stderr
