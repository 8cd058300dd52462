# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Reads BTF for tests: strict, small, and written without a look at the code under test."""
import struct

KINDS = ("VOID INT PTR ARRAY STRUCT UNION ENUM FWD TYPEDEF VOLATILE CONST RESTRICT FUNC FUNC_PROTO "
         "VAR DATASEC FLOAT DECL_TAG TYPE_TAG ENUM64").split()
FIXED = {"INT": 1, "ARRAY": 3, "VAR": 1, "DECL_TAG": 1}
PARTS = {"STRUCT": 3, "UNION": 3, "ENUM": 2, "FUNC_PROTO": 2, "DATASEC": 3, "ENUM64": 3}


class Record:
    """One type: id, kind, name, flag, vlen, size_or_type, words (fixed part), parts (tuples)."""

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __repr__(self):
        return f"[{self.id}] {self.kind} {self.name!r}"


class Btf:
    def __init__(self, data):
        self.order = "<" if data[:2] == b"\x9f\xeb" else ">"
        magic, version, _, header, types, type_bytes, strings, string_bytes = struct.unpack_from(
            self.order + "HBBIIIII", data)
        assert (magic, version) == (0xeb9f, 1)
        self._strings = data[header + strings:header + strings + string_bytes]
        assert len(self._strings) == string_bytes and header + strings + string_bytes == len(data)
        self.records = []
        self._read(data[header + types:header + types + type_bytes])

    def _read(self, data):
        at = 0

        def words(count):
            nonlocal at
            values = struct.unpack_from(f"{self.order}{count}I", data, at)
            at += 4 * count
            return values

        while at < len(data):
            name, info, size_or_type = words(3)
            kind, vlen = KINDS[info >> 24 & 0x7f], info & 0xffffff
            self.records.append(Record(
                id=len(self.records) + 1, kind=kind, name=self.string(name), flag=info >> 31,
                vlen=vlen, size_or_type=size_or_type, words=words(FIXED.get(kind, 0)),
                parts=[words(PARTS[kind]) for _ in range(vlen)] if kind in PARTS else []))
        assert at == len(data)

    def string(self, offset):
        return self._strings[offset:self._strings.index(b"\0", offset)].decode()

    def all(self, kind):
        return [record for record in self.records if record.kind == kind]

    def one(self, kind, name):
        found = [record for record in self.all(kind) if record.name == name]
        assert len(found) == 1, f"{kind} {name}: {found}"
        return found[0]

    def type(self, number):
        return self.records[number - 1] if number else None

    def members(self, record):
        """name -> (bit offset, width or 0)"""
        if record.flag:
            return {self.string(n): (o & 0xffffff, o >> 24) for n, _, o in record.parts}
        return {self.string(n): (o, 0) for n, _, o in record.parts}

    def parameters(self, function):
        return [self.string(name) for name, _ in self.type(function.size_or_type).parts]
