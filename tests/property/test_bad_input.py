# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Damaged files: whatever is in them, pahole ends soon, within its memory, and says what is wrong.

Unusable files of other kinds (not ELF, empty, unreadable, a full disk, ...) are in golden/test_cli.py.

SMELT_BAD_INPUTS is the number of files with changed bytes; the default is a small part of what
`make check-kernel` takes. SMELT_BAD_INPUT_PROGRAM is a pahole to use instead of the build's (one with
sanitizers). Case N is the same file in every run with the same compilers.
"""
import concurrent.futures
import os
import pathlib
import random
import shutil
import struct
import subprocess
import threading

import pytest

from btf import Btf, BtfError
from programs import pahole

TRUNCATIONS = 200
CHANGED_FILES = int(os.environ.get("SMELT_BAD_INPUTS", "200"))
SECONDS_MAX = 10
MEMORY_MAX_KB = 1 << 20
OLD_OUTPUT = b"what was here before"
FEATURES = ("default", "default,global_var,true_signature,layout", "")

# Units that differ in compiler, version and what they declare.
SOURCES = {
    "shapes": r"""
        struct node { struct node *next; const char *name; unsigned flags : 3, kind : 5; long key[4][2]; };
        union value { int i; float f; struct { short lo, hi; }; void (*call)(struct node *, ...); };
        enum color { RED, GREEN = -5, BLUE = 1 << 20 };
        enum wide { LOW = 1, HIGH = 1LL << 40 };
        typedef volatile struct node *node_ref;
        struct forward;
        struct node table[3];
        __thread union value local;
        int percpu_like __attribute__((section(".data..percpu")));
        int walk(node_ref n, enum color c, enum wide w, struct forward *f) { return n->key[c][1] + w + !f; }
    """,
    "calls": r"""
        struct node { struct node *next; const char *name; unsigned flags : 3, kind : 5; long key[4][2]; };
        struct pair { double a, b; };
        static int twice(int n) { return n ? twice(n - 1) + 2 : 0; }
        static inline int same(const struct node *n, int unused) { return n->kind; }
        int by_value(struct pair p, char c, _Bool b, int n) { return (int)p.a + c + b + twice(n); }
        int variadic(const char *format, ...) { return format[0]; }
        int (*handlers[2])(const char *, ...) = { variadic };
        int use(struct node *n) { struct pair p = { 1, n->key[0][0] }; return by_value(p, 2, 1, 3) + same(n, 1); }
    """,
    "main": r"""
        struct forward { struct forward *self; _Complex double z; _Atomic int count; };
        extern int use(void *), walk(void *, int, long, struct forward *);
        struct forward last;
        int main(int argc, char **argv) { return use(argv) + walk(argv, argc, 1, &last); }
    """,
}
BUILDS = {
    # Units of several versions in one executable.
    "versions": [("gcc", "-gdwarf-5"), ("gcc", "-gdwarf-4"), ("gcc", "-gdwarf-2", "-gstrict-dwarf")],
    # References between units, type units.
    "type_units": [("gcc", "-gdwarf-5", "-fdebug-types-section"), ("gcc", "-gdwarf-5"),
                   ("gcc", "-gdwarf-4", "-fdebug-types-section")],
    # Indexed strings and addresses, location lists by index.
    "clang": [("clang-14", "-gdwarf-5"), ("clang-14", "-gdwarf-5"), ("clang-14", "-gdwarf-4")],
    # An object with relocations: nothing is in place before they are applied.
    "relocatable": [("gcc", "-gdwarf-5"), ("gcc", "-gdwarf-4"), ("gcc", "-gdwarf-5", "-gz")],
}


def program():
    return os.environ.get("SMELT_BAD_INPUT_PROGRAM") or pahole()


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Name to content of files that are as they should be."""
    folder = tmp_path_factory.mktemp("sound")
    files = {}
    for name, compilers in BUILDS.items():
        objects = []
        for (unit, source), (compiler, *flags) in zip(SOURCES.items(), compilers):
            if not shutil.which(compiler):
                break
            (folder / f"{unit}.c").write_text(source)
            objects.append(folder / f"{name}-{unit}.o")
            subprocess.run([compiler, "-O2", *flags, "-c", "-o", objects[-1], f"{unit}.c"],
                           cwd=folder, check=True)
        else:
            output = folder / name
            how = ["ld", "-r"] if name == "relocatable" else ["gcc"]
            subprocess.run([*how, "-o", output, *objects], check=True)
            files[name] = output.read_bytes()
    assert files
    return files


def debug_sections(content):
    """(offset, size) of each section with debug information, its relocations included."""
    table, = struct.unpack_from("<Q", content, 40)
    count, names_index = struct.unpack_from("<HH", content, 60)
    headers = [struct.unpack_from("<IIQQQQ", content, table + 64 * i) for i in range(count)]
    names = headers[names_index][4]

    def name(header):
        start = names + header[0]
        return content[start:content.index(b"\0", start)].decode()
    return [(h[4], h[5]) for h in headers if ".debug_" in name(h) and h[5] and h[1] != 8]


def with_changed_bytes(content, sections, case):
    """Case number `case`: a few bytes of one section or of several are something else."""
    chance = random.Random(case)
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 4, 16, 64))):
        # Weighted by the root of the size: tables that are small and matter get their share.
        offset, size = chance.choices(sections, [s ** 0.5 for _, s in sections])[0]
        at = offset + chance.randrange(size)
        changed[at] = chance.choice((chance.randrange(256), 0, 0xff, 0x7f, 0x80,
                                     changed[at] ^ 1 << chance.randrange(8),
                                     (changed[at] + 1) & 0xff, (changed[at] - 1) & 0xff))
    return bytes(changed)


def run_limited(arguments, errors):
    """Exit status (negative: a signal) and peak memory in KB."""
    with open(errors, "wb") as stream:
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=stream,
                                   stderr=stream)
        alarm = threading.Timer(SECONDS_MAX, process.kill)
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss


def faults_of_btf(data):
    """What is wrong with BTF that a run has called good."""
    try:
        Btf(data)
    except BtfError as error:
        return f"not BTF: {error}"
    return None


def faults_of_run(content, folder, case):
    """Encodes one damaged file; returns what was not as it has to be, or None."""
    folder.mkdir()
    damaged, output = folder / "damaged", folder / "out.btf"
    damaged.write_bytes(content)
    if case % 2:
        output.write_bytes(OLD_OUTPUT)
    before = sorted(path.name for path in folder.iterdir())
    status, memory = run_limited(
        [program(), f"-j{1 + case % 3}", f"--btf_features={FEATURES[case % len(FEATURES)]}",
         f"--btf_encode_detached={output}", str(damaged)], folder.with_suffix(".stderr"))
    text = folder.with_suffix(".stderr").read_text(errors="replace")
    if "Sanitizer" in text or "runtime error" in text:
        return text
    if status == -9:
        return f"killed after {SECONDS_MAX} s"
    if status not in (0, 1):
        return f"exit status {status}: {text}"
    if memory > MEMORY_MAX_KB:
        return f"{memory} KB of memory"
    lines = text.splitlines()
    if not all(line.startswith(f"pahole: {damaged}: ") and line.isprintable() for line in lines):
        return f"a message that does not name the file: {text}"
    after = sorted(path.name for path in folder.iterdir())
    written = output.exists() and output.read_bytes() != OLD_OUTPUT
    if status == 0 and written:
        return faults_of_btf(output.read_bytes())
    if not lines:
        return f"nothing written, exit status {status}, and no message"
    if status and len(lines) != 1 and ": error" in text:
        return f"not one line: {text}"
    if after != before or written:
        return f"failed, but left {after}, {'changed' if written else 'unchanged'}"
    return None


def check_all(cases, folder):
    """cases: (number, what it is, function that makes the content). Two at a time."""
    def check(case):
        number, what, make = case
        content, place = make(), folder / f"{number}"
        fault = faults_of_run(content, place, number)
        if fault:
            keep = pathlib.Path(os.environ.get("SMELT_BUILD_DIR", folder)) / "bad-input"
            keep.mkdir(exist_ok=True)
            kept = keep / what.replace(" ", "-")
            kept.write_bytes(content)
            return f"{what} ({kept}): {fault}"
        shutil.rmtree(place)
        place.with_suffix(".stderr").unlink()
        return None

    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        faults = [fault for fault in pool.map(check, cases) if fault]
    assert not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:20])


def test_the_sound_files_are_encoded(sound, tmp_path):
    for name, content in sound.items():
        path, output = tmp_path / name, tmp_path / f"{name}.btf"
        path.write_bytes(content)
        subprocess.run([program(), "--btf_features=default", f"--btf_encode_detached={output}",
                        path], check=True)
        assert faults_of_btf(output.read_bytes()) is None
        assert Btf(output.read_bytes()).one("STRUCT", "node")


def test_messages_have_no_control_characters_of_names(sound, tmp_path):
    content = sound["versions"]
    assert content.count(b"table\0") >= 1
    path = tmp_path / "named"
    path.write_bytes(content.replace(b"table\0", b"t\x1b[m\n\0"))
    result = subprocess.run([program(), "--btf_features=global_var",
                             f"--btf_encode_detached={tmp_path / 'out.btf'}", path],
                            capture_output=True, text=True)
    assert result.returncode == 0
    assert result.stderr.startswith(f"pahole: {path}: ") and "'t?[m?'" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_truncated_anywhere(sound, tmp_path):
    content = sound["versions"]
    sizes = sorted({len(content) * i // TRUNCATIONS for i in range(TRUNCATIONS)})
    assert len(sizes) == TRUNCATIONS
    check_all([(i, f"cut to {size} bytes", lambda size=size: content[:size])
               for i, size in enumerate(sizes)], tmp_path)


def test_changed_bytes_of_debug_sections(sound, tmp_path):
    names = sorted(sound)
    sections = {name: debug_sections(sound[name]) for name in names}

    def make(name, case):
        return with_changed_bytes(sound[name], sections[name], case)
    check_all([(case, f"{names[case % len(names)]} changed {case}",
                lambda name=names[case % len(names)], case=case: make(name, case))
               for case in range(CHANGED_FILES)], tmp_path)


def test_changed_bytes_anywhere(sound, tmp_path):
    """Headers, symbols and notes are not safer than debug sections."""
    content = sound["versions"]
    parts = [(0, 64), (len(content) - 64 * 40, 64 * 40), (0, len(content))]
    check_all([(case, f"anywhere changed {case}",
                lambda case=case: with_changed_bytes(content, parts, case))
               for case in range(CHANGED_FILES // 4)], tmp_path)
