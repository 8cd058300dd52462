# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
Reads BTF and writes it as text, one line per type. Strict, and written without a look at the code
under test.

dump() has ids, all strings and a digest: equal dumps are equal bytes.

content() leaves ids out and spells references instead, so that two encodings can be compared as sets
when one of them has a type more.
"""
import hashlib
import struct

KINDS = ("VOID INT PTR ARRAY STRUCT UNION ENUM FWD TYPEDEF VOLATILE CONST RESTRICT FUNC FUNC_PROTO "
         "VAR DATASEC FLOAT DECL_TAG TYPE_TAG ENUM64").split()
INT_ENCODINGS = {0: "none", 1: "SIGNED", 2: "CHAR", 4: "BOOL"}
FIXED_WORDS = {"INT": 1, "ARRAY": 3, "VAR": 1, "DECL_TAG": 1}
PART_WORDS = {"STRUCT": 3, "UNION": 3, "ENUM": 2, "FUNC_PROTO": 2, "DATASEC": 3, "ENUM64": 3}
PREFIXES = {"PTR": "*", "CONST": "const ", "VOLATILE": "volatile ", "RESTRICT": "restrict "}
FAMILIES = {"STRUCT": "struct", "UNION": "union", "ENUM": "enum", "ENUM64": "enum"}
# Deeper than any declaration; only loops of references get there.
DEPTH_MAX = 40


class BtfError(Exception):
    """The bytes are not BTF."""


class Type:
    """One record: id, kind, name, flag, size_or_type, words (fixed part), parts (tuples of words)."""

    __slots__ = ("id", "kind", "name", "flag", "size_or_type", "words", "parts", "vlen")

    def __init__(self, **fields):
        for name, value in fields.items():
            setattr(self, name, value)

    def __repr__(self):
        return f"[{self.id}] {self.kind} {self.name!r}"


class Btf:
    """base: the Btf that `data` continues, if it is split; ids and string offsets go on from there."""

    def __init__(self, data, base=None):
        self.data = data
        self.base = base
        self.first_id = base.end_id if base else 1
        self.string_origin = base.string_end if base else 0
        self.order = {b"\x9f\xeb": "<", b"\xeb\x9f": ">"}.get(data[:2])
        if self.order is None or len(data) < 24:
            raise BtfError("no BTF header")
        (_, self.version, self.flags, self.header_size, type_offset, type_size, string_offset,
         string_size) = self._unpack("HBBIIIII", 0)
        if self.version != 1 or self.flags != 0 or self.header_size not in (24, 32):
            raise BtfError("unknown kind of header")
        self.layout_offset, self.layout_size = (
            self._unpack("II", 24) if self.header_size == 32 else (0, 0))
        begin = self.header_size
        self.layout = data[begin + self.layout_offset:][:self.layout_size]
        self._strings = data[begin + string_offset:][:string_size]
        types = data[begin + type_offset:][:type_size]
        gap = self.layout_size if self.layout_size else 0
        if (type_offset != 0 or string_offset != type_size + gap or
                begin + string_offset + string_size != len(data) or
                (gap and self.layout_offset != type_size)):
            raise BtfError("sections do not follow each other")
        if (not base and self._strings[:1] != b"\0") or self._strings[-1:] not in (
                (b"\0",) if not base else (b"\0", b"")):
            raise BtfError("strings do not start and end with a NUL")
        self.string_end = self.string_origin + string_size
        self.types = self._read(types)
        self.end_id = self.first_id + len(self.types)
        self._check()

    def _unpack(self, layout, offset):
        try:
            return struct.unpack_from(self.order + layout, self.data, offset)
        except struct.error:
            raise BtfError("too short") from None

    def _read(self, data):
        found, at = [], 0

        def words(count):
            nonlocal at
            if at + 4 * count > len(data):
                raise BtfError(f"type {self.first_id + len(found)} ends beyond the section")
            values = struct.unpack_from(f"{self.order}{count}I", data, at)
            at += 4 * count
            return values

        while at < len(data):
            name, info, size_or_type = words(3)
            number, vlen = info >> 24 & 0x7f, info & 0xffffff
            if not 0 < number < len(KINDS):
                raise BtfError(f"type {self.first_id + len(found)} has kind {number}")
            kind = KINDS[number]
            found.append(Type(
                id=self.first_id + len(found), kind=kind, name=self.string(name), flag=info >> 31, vlen=vlen,
                size_or_type=size_or_type, words=words(FIXED_WORDS.get(kind, 0)),
                parts=[words(PART_WORDS[kind]) for _ in range(vlen)] if kind in PART_WORDS else []))
        return found

    def string(self, offset):
        if self.base and offset < self.string_origin:
            return self.base.string(offset)
        offset -= self.string_origin
        if offset >= len(self._strings):
            raise BtfError(f"string {offset} is beyond the section")
        return self._strings[offset:self._strings.index(b"\0", offset)].decode(errors="replace")

    def strings(self):
        own = self._strings if self.base else self._strings[1:]
        return [text.decode(errors="replace") for text in own[:-1].split(b"\0")] if own else []

    def _references(self, record):
        if record.kind in ("PTR", "TYPEDEF", "VOLATILE", "CONST", "RESTRICT", "FUNC", "FUNC_PROTO",
                           "VAR", "DECL_TAG", "TYPE_TAG"):
            yield record.size_or_type
        if record.kind == "ARRAY":
            yield from record.words[:2]
        if record.kind in ("STRUCT", "UNION", "FUNC_PROTO"):
            yield from (part[1] for part in record.parts)
        if record.kind == "DATASEC":
            yield from (part[0] for part in record.parts)

    def _check(self):
        for record in self.types:
            if any(number >= self.end_id for number in self._references(record)):
                raise BtfError(f"type {record.id} refers to a type that is not there")
            for part in record.parts:
                if record.kind != "DATASEC":
                    self.string(part[0])

    def type(self, number):
        if self.base and number < self.first_id:
            return self.base.type(number)
        return self.types[number - self.first_id] if number else None

    def all(self, kind):
        return [record for record in self.types if record.kind == kind]

    def one(self, kind, name):
        """The only type of that kind and name."""
        found = [record for record in self.all(kind) if record.name == name]
        assert len(found) == 1, f"{kind} {name}: {found}"
        return found[0]

    def members(self, record):
        """name -> (bit offset, width or 0)"""
        if record.flag:
            return {self.string(name): (place & 0xffffff, place >> 24)
                    for name, _, place in record.parts}
        return {self.string(name): (place, 0) for name, _, place in record.parts}

    def parameters(self, function):
        return [self.string(name) for name, _ in self.type(function.size_or_type).parts]

    # ---- text ----

    def _line(self, record, refer):
        """One line; refer(id) spells a reference."""
        kind, name, target = record.kind, record.name or "(anon)", record.size_or_type
        if kind == "INT":
            word, = record.words
            encoding = INT_ENCODINGS.get(word >> 24, word >> 24)
            place = f" off={word >> 16 & 0xff}" if word >> 16 & 0xff else ""
            return f"INT {name} size={target} bits={word & 0xff} enc={encoding}{place}"
        if kind == "ARRAY":
            element, index, count = record.words
            return f"ARRAY n={count} of {refer(element)} by {refer(index)}"
        if kind in ("STRUCT", "UNION"):
            members = "; ".join(self._member(record, part, refer) for part in record.parts)
            return f"{kind} {name} size={target} vlen={record.vlen} {{ {members} }}"
        if kind in ("ENUM", "ENUM64"):
            values = "; ".join(self._enumerator(record, part) for part in record.parts)
            sign = "signed" if record.flag else "unsigned"
            return f"{kind} {name} size={target} {sign} {{ {values} }}"
        if kind == "FWD":
            return f"FWD {'union' if record.flag else 'struct'} {name}"
        if kind == "FUNC_PROTO":
            return f"FUNC_PROTO {self._prototype(record, refer)}"
        if kind == "DATASEC":
            places = "; ".join(f"{self.type(number).name}@{offset}+{size}"
                               for number, offset, size in record.parts)
            return f"DATASEC {name} size={target} {{ {places} }}"
        if kind == "FLOAT":
            return f"FLOAT {name} size={target}"
        if kind == "FUNC":
            linkage = f" linkage={record.vlen}" if record.vlen else ""
            return f"FUNC {name}{linkage} : {refer(target)}"
        if kind == "VAR":
            return f"VAR {name} linkage={record.words[0]} : {refer(target)}"
        if kind == "DECL_TAG":
            component = record.words[0] - (1 << 32) if record.words[0] >> 31 else record.words[0]
            return f"DECL_TAG {name} -> {refer(target)} idx={component}"
        named = f"{record.name} " if record.name else ""
        return f"{kind} {named}-> {refer(target)}"

    def _member(self, record, part, refer):
        name, number, place = self.string(part[0]) or "(anon)", part[1], part[2]
        width = f":{place >> 24}" if record.flag and place >> 24 else ""
        return f"{name}@{place & 0xffffff if record.flag else place}{width} {refer(number)}"

    def _enumerator(self, record, part):
        bits = 32 * (len(part) - 1)
        value = part[1] | (part[2] << 32 if len(part) == 3 else 0)
        if record.flag and value >> (bits - 1):
            value -= 1 << bits
        return f"{self.string(part[0])}={value}"

    def _prototype(self, record, refer):
        parameters = ["..." if part == (0, 0) else f"{refer(part[1])} {self.string(part[0])}".strip()
                      for part in record.parts]
        return f"fn {refer(record.size_or_type)}({', '.join(parameters)})"

    def dump(self):
        """Everything, as lines."""
        endian = "little" if self.order == "<" else "big"
        yield f"BTF {endian} header={self.header_size}" + (
            f" layout={self.layout.hex()}" if self.layout_size else "")
        for record in self.types:
            yield f"[{record.id}] " + self._line(record, str)
        for start in range(0, len(self.strings()), 20):
            yield "strings " + " ".join(self.strings()[start:start + 20])
        yield f"{len(self.data)} bytes, sha256 {hashlib.sha256(self.data).hexdigest()[:16]}"

    def _spell(self, number, depth=0):
        if number == 0:
            return "void"
        if depth > DEPTH_MAX:
            return "?"
        record = self.type(number)
        name = record.name or "(anon)"
        if record.kind in ("INT", "TYPEDEF", "FLOAT"):
            return name
        if record.kind in PREFIXES:
            return PREFIXES[record.kind] + self._spell(record.size_or_type, depth + 1)
        if record.kind == "TYPE_TAG":
            return f"tag({name}) " + self._spell(record.size_or_type, depth + 1)
        if record.kind == "ARRAY":
            return f"[{record.words[2]}]" + self._spell(record.words[0], depth + 1)
        if record.kind == "FUNC_PROTO":
            return self._prototype(record, lambda other: self._spell(other, depth + 1))
        if record.kind == "FWD":
            return f"fwd {'union' if record.flag else 'struct'} {name}"
        return f"{FAMILIES.get(record.kind, record.kind)} {name}"

    def content(self):
        """Lines without ids and strings: references are spelled as types."""
        return [self._line(record, self._spell) for record in self.types]
