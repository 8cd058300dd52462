#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Seeds of fuzz_btf: small BTF blobs with one record of each kind, alone and split on each other.

Run alone, writes them to tests/fuzz/corpus/fuzz_btf/.
"""

import pathlib
import struct

(INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, FUNC_PROTO,
 VAR, DATASEC, FLOAT, DECL_TAG, TYPE_TAG, ENUM64) = range(1, 20)


class Blob:
    """Records in order; strings are collected as they are used."""

    def __init__(self, order, base=None):
        self.order, self.types = order, b""
        self.next_id = base.next_id if base else 1
        self.origin = base.string_end() if base else 0
        self.known = dict(base.known) if base else {"": 0}
        self.strings = b"" if base else b"\0"

    def string_end(self):
        return self.origin + len(self.strings)

    def name(self, text):
        if text not in self.known:
            self.known[text] = self.string_end()
            self.strings += text.encode() + b"\0"
        return self.known[text]

    def add(self, kind, name, size_or_type, words=(), vlen=0, flag=0):
        """The id of the record. Words that are text are names."""
        numbers = [self.name(name), flag << 31 | kind << 24 | vlen, size_or_type]
        numbers += [self.name(word) if isinstance(word, str) else word for word in words]
        self.types += struct.pack(f"{self.order}{len(numbers)}I", *numbers)
        self.next_id += 1
        return self.next_id - 1

    def build(self, header_size=32, layout=b""):
        header = struct.pack(self.order + "HBBIIIII", 0xeb9f, 1, 0, header_size, 0, len(self.types),
                             len(self.types) + len(layout), len(self.strings))
        if header_size > 24:
            header += struct.pack(self.order + "II", len(self.types) if layout else 0, len(layout))
        return header.ljust(header_size, b"\0") + self.types + layout + self.strings


def all_kinds(order):
    blob = Blob(order)
    number = blob.add(INT, "int", 4, [1 << 24 | 32])
    text = blob.add(PTR, "", blob.add(CONST, "", blob.add(INT, "char", 1, [8])))
    blob.add(ARRAY, "", 0, [number, number, 7])
    node = blob.next_id
    blob.add(STRUCT, "node", 16, ["next", node + 2, 0, "bits", number, 3 << 24 | 64], 2, 1)
    blob.add(PTR, "", blob.add(TYPE_TAG, "user", node))
    blob.add(UNION, "", 4, ["a", number, 0], 1)
    blob.add(ENUM, "color", 4, ["RED", 1, "BLUE", 0xffffffff], 2, 1)
    blob.add(ENUM64, "large", 8, ["LARGE", 1, 2], 1)
    blob.add(FWD, "unknown", 0, flag=1)
    blob.add(TYPEDEF, "node_t", blob.add(VOLATILE, "", node))
    blob.add(RESTRICT, "", text)
    blob.add(FLOAT, "double", 8)
    prototype = blob.add(FUNC_PROTO, "", number, ["format", text, "", 0], 2)
    function = blob.add(FUNC, "print", prototype, vlen=1)
    variable = blob.add(VAR, "counter", number, [1])
    blob.add(DATASEC, ".data", 0, [variable, 0, 4, function, 0, 0], 2)
    blob.add(DECL_TAG, "kfunc", function, [0xffffffff])
    return blob


def module(base):
    """Refers to types of each kind in its base, by value and by pointer."""
    blob = Blob(base.order, base)
    members = []
    for number in range(1, base.next_id):
        members += ["next" if number % 2 else f"m{number}", number, 64 * number]
    blob.add(STRUCT, "module", 400, members, base.next_id - 1)
    blob.add(FUNC_PROTO, "", 4, ["bits", 5, "own", base.next_id], 2)
    blob.add(FUNC, "run", base.next_id + 1)
    return blob


def seeds():
    """File name to content."""
    little, big = all_kinds("<"), all_kinds(">")
    layout = bytes(4 * 20)
    first = Blob("<")
    first.add(INT, "int", 4, [32])
    second = Blob("<", first)
    second.add(PTR, "", 1)
    third = Blob("<", second)
    third.add(TYPEDEF, "int", 2)
    return {
        "little": little.build(),
        "big": big.build(),
        "short-header": little.build(24),
        "layout": little.build(32, layout),
        "long-header": big.build(48),
        "split": little.build() + module(little).build(),
        "split-big": big.build() + module(big).build(),
        "chain": first.build() + second.build() + third.build(24),
        "empty-split": first.build() + Blob("<", first).build(),
    }


def main():
    folder = pathlib.Path(__file__).parent / "corpus" / "fuzz_btf"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in seeds().items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
