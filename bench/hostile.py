#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Inputs that grow badly in programs that compare or read the same thing again and again.

Usage: hostile.py [PAHOLE]     default: the one in SMELT_BUILD_DIR, or in build/release

Prints CPU time and peak memory for each kind of input and number of units; exit status 1 if one grows
more than in proportion, give or take. With another PAHOLE the table shows what that one does.

  shared-table   all units use one abbreviation table, each unit 45 entries of its own (as linkers write it
                 after link-time optimisation of everything)
  look-alikes    each unit has its own definition of struct t, and structs around it that differ in nothing else
  same-units     the same headers in each unit, and a few types of its own: any large program
"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/fuzz"))
from corpus_elf import EM_X86_64, ET_EXEC, SHF_ALLOC, SHT_PROGBITS, SHT_STRTAB, SHT_SYMTAB, Elf  # noqa: E402

SIZES = (1000, 2000, 4000)
ROUNDS_MIN, ROUNDS_MAX = 5, 30
SLOW_SECONDS = 10
# Times the units, at most so many times the CPU time.
RATIO_MAX = {2: 2.1, 4: 4.4}
PEAK_MB_MAX = 300
# A peer can need minutes, and all of the memory there is.
SECONDS_MAX = 120
MEMORY_MAX = 8 << 30

# DWARF 4, 7.5.4: tags, attributes, forms.
TAG_ARRAY, TAG_ENUMERATION, TAG_MEMBER, TAG_POINTER, TAG_UNIT, TAG_STRUCT = 1, 4, 0xd, 0xf, 0x11, 0x13
TAG_TYPEDEF, TAG_SUBRANGE, TAG_BASE, TAG_ENUMERATOR, TAG_VARIABLE = 0x16, 0x21, 0x24, 0x28, 0x34
AT_NAME, AT_SIZE, AT_LANGUAGE, AT_CONST, AT_UPPER = 3, 0xb, 0x13, 0x1c, 0x2f
AT_OFFSET, AT_ENCODING, AT_EXTERNAL, AT_TYPE = 0x38, 0x3e, 0x3f, 0x49
FORM_DATA1, FORM_STRP, FORM_REF4, FORM_PRESENT = 0xb, 0xe, 0x13, 0x19
C99, SIGNED = 0xc, 5
UNIT_HEADER_BYTES = 11


def uleb128(value):
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7f | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


class Dwarf:
    """.debug_info, .debug_abbrev and .debug_str of a program, a unit at a time."""

    def __init__(self, shared_table=False, own_entries=False):
        self.info, self.abbrev, self.text = bytearray(), bytearray(), bytearray(b"\0")
        self.shared_table, self.own_entries = shared_table, own_entries
        self.strings, self.shapes = {}, {}

    def begin_unit(self, name):
        if not self.shared_table:
            self.shapes, self.table_start = {}, len(self.abbrev)
        else:
            self.table_start = 0
        self.start, self.labels, self.references = len(self.info), {}, []
        self.unit = name
        self.info += bytes(UNIT_HEADER_BYTES)
        self.entry(TAG_UNIT, True, (AT_NAME, FORM_STRP, name), (AT_LANGUAGE, FORM_DATA1, C99))

    def end_unit(self):
        self.end_children()
        for position, label in self.references:
            struct.pack_into("<I", self.info, position, self.labels[label])
        struct.pack_into("<IHIB", self.info, self.start, len(self.info) - self.start - 4, 4,
                         self.table_start, 8)
        if not self.shared_table:
            self.abbrev.append(0)

    def entry(self, tag, has_children, *attributes, label=None):
        shape = (tag, has_children, tuple(a[:2] for a in attributes))
        if self.own_entries:
            shape += (self.unit, len(self.info))
        code = self.shapes.get(shape)
        if code is None:
            code = self.shapes[shape] = len(self.shapes) + 1
            self.abbrev += uleb128(code) + bytes([tag, has_children])
            for attribute, form, _ in attributes:
                self.abbrev += bytes([attribute, form])
            self.abbrev += b"\0\0"
        if label:
            self.labels[label] = len(self.info) - self.start
        self.info += uleb128(code)
        for _, form, value in attributes:
            if form == FORM_STRP:
                self.info += struct.pack("<I", self.string(value))
            elif form == FORM_DATA1:
                self.info.append(value)
            elif form == FORM_REF4:
                self.references.append((len(self.info), value))
                self.info += bytes(4)

    def end_children(self):
        self.info.append(0)

    def string(self, text):
        offset = self.strings.get(text)
        if offset is None:
            offset = self.strings[text] = len(self.text)
            self.text += text.encode() + b"\0"
        return offset

    def base(self, name, size):
        self.entry(TAG_BASE, False, (AT_NAME, FORM_STRP, name), (AT_SIZE, FORM_DATA1, size),
                   (AT_ENCODING, FORM_DATA1, SIGNED), label=name)

    def pointer(self, label, target):
        self.entry(TAG_POINTER, False, (AT_SIZE, FORM_DATA1, 8), (AT_TYPE, FORM_REF4, target),
                   label=label)

    def struct(self, name, *members):
        """members: (name, type); each takes eight bytes."""
        self.entry(TAG_STRUCT, True, (AT_NAME, FORM_STRP, name),
                   (AT_SIZE, FORM_DATA1, 8 * len(members)), label=name)
        for index, (member, kind) in enumerate(members):
            self.entry(TAG_MEMBER, False, (AT_NAME, FORM_STRP, member),
                       (AT_TYPE, FORM_REF4, kind), (AT_OFFSET, FORM_DATA1, 8 * index))
        self.end_children()

    def variable(self, name, kind):
        self.entry(TAG_VARIABLE, False, (AT_NAME, FORM_STRP, name), (AT_TYPE, FORM_REF4, kind),
                   (AT_EXTERNAL, FORM_PRESENT, None))

    def write(self, path):
        if self.shared_table:
            self.abbrev.append(0)
        elf = Elf(64, "<", ET_EXEC, EM_X86_64)
        text = elf.add(".text", SHT_PROGBITS, bytes(16), flags=SHF_ALLOC)
        elf.add(".debug_info", SHT_PROGBITS, bytes(self.info))
        elf.add(".debug_abbrev", SHT_PROGBITS, bytes(self.abbrev))
        elf.add(".debug_str", SHT_PROGBITS, bytes(self.text))
        symbols = elf.symbol(0, 0, 0) + elf.symbol(1, 0, text)
        elf.add(".symtab", SHT_SYMTAB, symbols, link=len(elf.sections) + 1, entry_size=24, info=1)
        elf.add(".strtab", SHT_STRTAB, b"\0main\0")
        path.write_bytes(elf.build())


def shared_table(count):
    dwarf = Dwarf(shared_table=True, own_entries=True)
    for i in range(count):
        dwarf.begin_unit(f"unit{i}.c")
        dwarf.base("long", 8)
        dwarf.pointer("*node", "node")
        dwarf.struct("node", ("next", "*node"), ("value", "long"))
        for j in range(13):
            dwarf.struct(f"shared{j}", ("node", "*node"), ("key", "long"))
        dwarf.variable(f"v{i}", "node")
        dwarf.end_unit()
    return dwarf


def look_alikes(count):
    dwarf = Dwarf()
    for i in range(count):
        dwarf.begin_unit(f"unit{i}.c")
        dwarf.base("long", 8)
        dwarf.struct("t", ("first", "long"), (f"member{i}", "long"))
        dwarf.pointer("*t", "t")
        dwarf.pointer("*s", "s")
        dwarf.struct("s", ("p", "*t"), ("next", "*s"), ("value", "long"))
        dwarf.pointer("*u", "u")
        dwarf.struct("u", ("s", "*s"), ("parent", "*u"), ("children", "*u"))
        for j in range(8):
            dwarf.struct(f"holder{j}", ("u", "*u"), ("s", "*s"), ("count", "long"))
        dwarf.variable(f"v{i}", "u")
        dwarf.end_unit()
    return dwarf


def same_units(count):
    dwarf = Dwarf()
    for i in range(count):
        dwarf.begin_unit(f"unit{i}.c")
        dwarf.base("long", 8)
        for j in range(40):
            dwarf.pointer(f"*header{j}", f"header{j}")
            dwarf.struct(f"header{j}", ("next", f"*header{j}"), ("other", f"*header{j * 7 % 40}"),
                         ("count", "long"), ("flags", "long"))
        dwarf.struct(f"own{i}", ("header", "*header3"), ("value", "long"))
        dwarf.variable(f"v{i}", f"own{i}")
        dwarf.end_unit()
    return dwarf


GENERATORS = {"shared-table": shared_table, "look-alikes": look_alikes, "same-units": same_units}


def generate(generator, count, path):
    """In a process of its own: what a process starts inherits its peak memory."""
    child = os.fork()
    if child == 0:
        generator(count).write(path)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise SystemExit("no input could be made")


def run_once(program, path, output):
    """(CPU seconds, peak memory in MB), or a text."""
    output.unlink(missing_ok=True)
    process = subprocess.Popen(
        ["prlimit", f"--cpu={SECONDS_MAX}", f"--as={MEMORY_MAX}", program, "-j1",
         "--btf_features=default", f"--btf_encode_detached={output}", path],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    messages = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or not output.exists():
        return f"exit status {process.returncode} {messages.decode(errors='replace')[:200]}"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def faults(best):
    """What grows too much, of {units: (CPU seconds, peak MB)}."""
    base = best[SIZES[0]][0]
    found = [f"{count} units: more than {RATIO_MAX[count // SIZES[0]]} times the time"
             for count, (seconds, _) in best.items()
             if seconds > RATIO_MAX.get(count // SIZES[0], 1) * base]
    return found + [f"{count} units: more than {PEAK_MB_MAX} MB"
                    for count, (_, peak) in best.items() if peak > PEAK_MB_MAX]


def check(name, generator, program, folder):
    """Prints the rows of one kind of input; True if it grows as it should."""
    paths = {count: folder / f"{name}-{count}" for count in SIZES}
    for count, path in paths.items():
        generate(generator, count, path)
    best = {}
    # Sizes by turns, so that a busy moment hits all; what others do only adds, so more rounds are fairer.
    for rounds in range(ROUNDS_MAX):
        for count, path in paths.items():
            result = run_once(program, path, folder / "out.btf")
            if isinstance(result, str):
                print(f"{name:14} {count:6}  {result}")
                return False
            seconds, peak = best.get(count, (float("inf"), 0))
            best[count] = min(seconds, result[0]), max(peak, result[1])
        if rounds + 1 >= ROUNDS_MIN and not faults(best) or best[SIZES[-1]][0] > SLOW_SECONDS:
            break
    for count, (seconds, peak) in best.items():
        print(f"{name:14} {count:6} {paths[count].stat().st_size / 1e6:8.1f} {seconds:9.3f} "
              f"{seconds / best[SIZES[0]][0]:7.2f} {peak:9.1f}", flush=True)
    for fault in faults(best):
        print(f"{name:14} {fault}")
    return not faults(best)


def main():
    build = pathlib.Path(os.environ.get("SMELT_BUILD_DIR") or ROOT / "build/release")
    program = sys.argv[1] if len(sys.argv) > 1 else str(build / "pahole")
    print(f"{'input':14} {'units':>6} {'file MB':>8} {'CPU s':>9} {'times':>7} {'peak MB':>9}")
    with tempfile.TemporaryDirectory(prefix="smelt-hostile-") as folder:
        good = [check(name, generator, program, pathlib.Path(folder))
                for name, generator in GENERATORS.items()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
