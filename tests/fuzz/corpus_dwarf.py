#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Seeds of fuzz_abbrev, fuzz_unit and fuzz_encode: small programs, compiled in several ways.

Run alone, writes them to tests/fuzz/corpus/<target>/. Compilers that are missing are left out, files that
are there already stay, so what they would have made does not get lost. Files named by a digest were found
by fuzzing: of what reaches code that no other input does, the small ones.
"""

import pathlib
import shutil
import struct
import subprocess
import tempfile

# Functions have the names that fuzz_unit gives its symbols.
TYPES = r"""
struct node { struct node *next; unsigned flags : 3, kind : 5; short key[4][2]; };
union value { int i; float f; struct { char lo, hi; }; int (*call)(struct node *, ...); };
enum color { RED, GREEN = -5, BLUE = 1 << 20 };
typedef const volatile struct node *ref;
union value table[2];
enum color tint;
int f(ref n, enum color c) { return n->kind + c; }
"""
CALLS = r"""
struct pair { double a, b; };
struct pair last;
static __attribute__((noinline)) int g(int n, int unused) { return n ? g(n - 1, 2) + 2 : 0; }
int h(struct pair p, _Bool b, const char *format, ...) { last = p; return g(b, 1); }
int main(int argc, char **argv) { return h(last, argc, argv[0]); }
"""
TAGS = r"""
#define tag(x) __attribute__((btf_type_tag(x)))
#define note(x) __attribute__((btf_decl_tag(x)))
struct s { int tag("user") *p; int v note("member"); } note("struct");
struct s x note("var");
int f(struct s *s note("arg")) note("func");
int f(struct s *s) { return s->v; }
"""
CXX = r"""
namespace n { struct base { virtual int h(int) const; int b; }; }
struct derived : n::base { int &&r; int derived::*m; static int s; enum class e : char { A }; };
template <class T> int f(T &t) { return t.b; }
int use(derived &d) { return f(d); }
"""
BUILDS = {
    "dwarf5": ("gcc", TYPES, "-gdwarf-5"),
    "dwarf2": ("gcc", TYPES, "-gdwarf-2", "-gstrict-dwarf"),
    "calls-dwarf4": ("gcc", CALLS, "-gdwarf-4"),
    "calls-dwarf5": ("gcc", CALLS, "-gdwarf-5"),
    "dwarf64": ("gcc", TYPES, "-gdwarf-5", "-gdwarf64"),
    "32bit": ("gcc", CALLS, "-gdwarf-5", "-m32"),
    "type-units": ("gcc", TYPES, "-gdwarf-5", "-fdebug-types-section"),
    "type-units-dwarf4": ("gcc", TYPES, "-gdwarf-4", "-fdebug-types-section"),
    "indexed": ("clang-14", CALLS, "-gdwarf-5"),
    "tags": ("clang-14", TAGS, "-gdwarf-5"),
    "big-endian": ("clang-14", TYPES, "-gdwarf-5", "--target=powerpc64-linux-gnu"),
    "cxx": ("g++", CXX, "-gdwarf-5"),
}
# In the order that fuzz_unit.c has.
UNIT_SECTIONS = (".debug_abbrev .debug_str .debug_line_str .debug_str_offsets .debug_addr "
                 ".debug_loclists .debug_loc .debug_types").split()
DEFAULT_FEATURES, ALL_FEATURES = 0x1ff, 0x7bff


class Sections:
    """Name to content, of an ELF file; the first of several with the same name."""

    def __init__(self, data):
        self.wide, self.order = data[4] == 2, "<" if data[5] == 1 else ">"
        table, = self._read(data, 40, "Q") if self.wide else self._read(data, 32, "I")
        count, names = self._read(data, 60 if self.wide else 48, "HH")
        step = 64 if self.wide else 40
        layout = "IIQQQQ" if self.wide else "IIIIII"
        headers = [self._read(data, table + step * i, layout) for i in range(count)]
        self.content = {}
        for header in headers:
            start = headers[names][4] + header[0]
            name = data[start:data.index(b"\0", start)].decode()
            self.content.setdefault(name, data[header[4]:header[4] + header[5]])

    def _read(self, data, at, layout):
        return struct.unpack_from(self.order + layout, data, at)

    def get(self, name):
        return self.content.get(name, b"")


def build(folder, name):
    """Content of the object file and of the executable (or nothing), or None without the compiler."""
    compiler, source, *flags = BUILDS[name]
    if not shutil.which(compiler):
        return None
    path = folder / ("t.cc" if compiler == "g++" else "t.c")
    path.write_text(source)
    object_file, program = folder / f"{name}.o", folder / name
    command = [compiler, *flags, "-O1", f"-ffile-prefix-map={folder}=.", "-nostdinc", "-w"]
    if subprocess.run([*command, "-c", "-o", object_file, path.name], cwd=folder).returncode:
        return None
    # What fuzz_unit gets has no relocations, so it has to be linked.
    linker = ["ld.lld"] if shutil.which("ld.lld") else ["ld"]
    linked = subprocess.run([*linker, "-e", "0", "--unresolved-symbols=ignore-all", "-o", program,
                             object_file], cwd=folder, stderr=subprocess.DEVNULL)
    return object_file.read_bytes(), program.read_bytes() if linked.returncode == 0 else None


def unit_seed(sections, flags):
    parts = [sections.get(name) for name in UNIT_SECTIONS]
    flags |= (0 if sections.wide else 1) | (2 if sections.order == ">" else 0)
    sizes = struct.pack("<8H", *map(len, parts))
    return bytes([flags]) + sizes + b"".join(parts) + sections.get(".debug_info")


def abbrev_seed(sections):
    info, table = sections.get(".debug_info"), sections.get(".debug_abbrev")
    is_64bit = info[:4] == b"\xff\xff\xff\xff"
    at = 12 if is_64bit else 4
    version, = struct.unpack_from(sections.order + "H", info, at)
    header = at + 2 + (8 if is_64bit else 4) + (2 if version >= 5 else 1)
    flags = (1 if is_64bit else 0) | (2 if sections.order == ">" else 0)
    return bytes([version - 2, 0 if sections.wide else 1, flags]) + \
        struct.pack("<H", len(table)) + table + info[header:]


def encode_seed(data, features):
    return struct.pack("<H", features) + data


def seeds():
    """(target, name, content) of each."""
    with tempfile.TemporaryDirectory() as folder:
        for name in BUILDS:
            built = build(pathlib.Path(folder), name)
            if not built:
                continue
            object_file, program = built
            yield "fuzz_encode", f"{name}-object", encode_seed(object_file, DEFAULT_FEATURES)
            if program:
                sections = Sections(program)
                yield "fuzz_encode", name, encode_seed(program, ALL_FEATURES)
                yield "fuzz_unit", name, unit_seed(sections, 4)
                if name == "dwarf5":
                    # The first byte of a longer abbreviation code, and nothing after it.
                    yield "fuzz_unit", "ends-in-a-code", unit_seed(sections, 4)[:-1] + b"\x80"
                yield "fuzz_abbrev", name, abbrev_seed(sections)


def main():
    for target, name, content in seeds():
        path = pathlib.Path(__file__).parent / "corpus" / target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_bytes(content)


if __name__ == "__main__":
    main()
