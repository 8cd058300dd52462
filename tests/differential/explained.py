# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
When may our BTF differ from that of dwarves' pahole? Each rule is one row of docs/differences.md and
checks that the difference is of its kind, as far as the two results and the input tell.

A rule gets the lines that only the peer has and those that only we have (btf.Btf.content()), and
returns what it leaves unexplained of them.
"""
import collections
import re
import struct

# e_machine of those whose argument registers the peer does not know, and of those whose
# relocations its ELF library does not.
NO_REGISTERS = {2: "SPARC", 8: "MIPS", 18: "SPARC", 20: "PPC", 21: "PPC64", 43: "SPARC",
                164: "Hexagon", 243: "RISC-V", 258: "LoongArch"}
NO_RELOCATIONS = {8: "MIPS", 164: "Hexagon", 247: "BPF", 258: "LoongArch"}
ET_REL = 1
SHF_ALLOC = 2
NAMED = re.compile(r"(STRUCT|UNION|TYPEDEF|ENUM|ENUM64|INT|FLOAT|FUNC|VAR) (\S+)")


class Elf:
    """Just enough: type, machine, [(section name, flags)], whether it may have skeleton units."""

    def __init__(self, data):
        order = "<" if data[5] == 1 else ">"
        wide = data[4] == 2
        self.type, self.machine = struct.unpack_from(order + "HH", data, 16)
        table, = struct.unpack_from(order + ("Q" if wide else "I"), data, 40 if wide else 32)
        size, count, names = struct.unpack_from(order + "HHH", data, 58 if wide else 46)
        layout = order + ("IIQQQQ" if wide else "IIIIII")
        self.has_dwo_names = b".dwo\0" in data
        headers = [struct.unpack_from(layout, data, table + i * size) for i in range(count)]
        text = headers[names][4] if headers else 0
        self.sections = []
        for name, _, flags, *_ in headers:
            start = text + name
            self.sections.append((data[start:data.index(b"\0", start)].decode(), flags))


def _without(lines, pattern):
    return collections.Counter({line: n for line, n in lines.items() if not re.match(pattern, line)})


def not_loaded(elf, missing, extra):
    """Q17: variables in sections that are not loaded."""
    unloaded = {name for name, flags in elf.sections if not flags & SHF_ALLOC}
    lists = [line for line in missing if line.startswith("DATASEC ") and line.split()[1] in unloaded]
    names = {re.escape(name) for line in lists for name in re.findall(r"(\S+)@\d+\+\d+", line)}
    if not names:
        return missing, extra
    return _without(missing, rf"DATASEC ({'|'.join(map(re.escape, unloaded - {''}))}) |"
                             rf"VAR ({'|'.join(names)}) "), extra


def unknown_registers(elf, missing, extra):
    """Q10: functions on machines whose registers the peer does not know."""
    if elf.machine in NO_REGISTERS and not missing:
        extra = _without(extra, "FUNC |FUNC_PROTO |DECL_TAG ")
        # What only these functions refer to.
        if not any(NAMED.match(line) for line in extra):
            extra = collections.Counter()
    return missing, extra


def unknown_relocations(elf, missing, extra):
    """Relocations of an unknown machine are skipped: names and places read wrong."""
    if elf.type == ET_REL and elf.machine in NO_RELOCATIONS:
        return collections.Counter(), collections.Counter()
    return missing, extra


def type_units(elf, missing, extra):
    """Q39: users of a type in a type unit see an empty struct, or a declaration."""
    units = [name for name, _ in elf.sections if name in (".debug_info", ".debug_types")]
    if len(units) > 1:
        return collections.Counter(), collections.Counter()
    return missing, extra


def declarations(theirs, ours, missing, extra):
    """A declaration with several definitions is bound anew by each comparison: copies, never names."""
    defined = [collections.Counter(match.groups() for match in map(NAMED.match, lines.elements()) if match)
               for lines in (theirs, ours)]
    changed = {match.groups() for match in map(NAMED.match, [*missing, *extra]) if match}
    only_copies = all(kind not in ("FUNC", "VAR") and (kind, name) in defined[0] and (kind, name) in defined[1]
                      for kind, name in changed)
    if only_copies and any(count > 1 for count in defined[1].values()):
        return collections.Counter(), collections.Counter()
    return missing, extra


def no_such_kind(_, missing, extra):
    """A type of a kind that the peer does not know is void to its users."""
    def blurred(lines):
        return collections.Counter(re.sub(r"(@[\d:]+) .*?( \}|;)", r"\1 void\2", line) for line in lines.elements())

    if missing and all(" void" in line for line in missing) and blurred(missing) == blurred(extra):
        return collections.Counter(), collections.Counter()
    return missing, extra


def split_units(elf, missing, extra):
    """Units of .dwo files are left out by the peer."""
    if elf.has_dwo_names and not missing:
        extra = collections.Counter()
    return missing, extra


RULES = (split_units, not_loaded, unknown_relocations, type_units, unknown_registers, no_such_kind)

# Where the peer writes something and we do not: message -> why.
NOT_ENCODED = {
    r"is an archive": "not there yet",
    r"no DWARF; nothing encoded": "not there yet: objects that are to be compiled when they are linked",
    r"holds part of the DWARF of a program": "a .dwo file; the peer encodes, or crashes",
    r"the unit ends beyond the section|unknown address size": "damaged; the peer encodes what is before that",
}


def unexplained(elf, theirs, ours):
    """Lines of two Btf that no rule explains: (missing, extra)."""
    left, right = (collections.Counter(btf.content()) for btf in (theirs, ours))
    missing, extra = left - right, right - left
    if not missing and not extra:
        # Same types, another order: nothing explains that.
        return [f"order of types: {len(theirs.types)}"], []
    for rule in RULES:
        missing, extra = rule(elf, missing, extra)
    if missing or extra:
        missing, extra = declarations(left, right, missing, extra)
    return sorted(missing.elements()), sorted(extra.elements())
