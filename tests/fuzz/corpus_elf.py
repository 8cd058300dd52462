#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Seeds of fuzz_elf_file: small ELF files with one of each thing that src/elf decodes; and of
fuzz_section_update: files with and without the sections that are replaced.

Run alone, writes them to tests/fuzz/corpus/fuzz_*/.
"""

import pathlib
import struct
import zlib

SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_RELA, SHT_NOTE, SHT_NOBITS, SHT_REL = 1, 2, 3, 4, 7, 8, 9
SHT_SYMTAB_SHNDX = 18
SHF_ALLOC, SHF_COMPRESSED = 2, 0x800
ET_REL, ET_EXEC = 1, 2
EM_386, EM_MIPS, EM_X86_64, EM_AARCH64, EM_RISCV = 3, 8, 62, 183, 243

# One zstd frame that holds "abc " eight times; Python 3.11 cannot compress zstd itself.
ZSTD_FRAME = bytes.fromhex("28b52ffd202055000020616263200100338e08")


class Elf:
    """Sections in order; offsets and names are filled in by build()."""

    def __init__(self, bits, order, kind, machine):
        self.bits, self.order, self.kind, self.machine = bits, order, kind, machine
        self.sections = []
        self.add("", 0)

    def pack(self, layout, *values):
        """struct.pack with W for a field of the size of an address."""
        layout = layout.replace("W", "Q" if self.bits == 64 else "I")
        return struct.pack(self.order + layout, *values)

    def add(self, name, kind, data=b"", **fields):
        self.sections.append({"name": name, "kind": kind, "data": data, **fields})
        return len(self.sections) - 1

    def symbol(self, name, value, section):
        if self.bits == 64:
            return self.pack("IBBHQQ", name, 0x12, 0, section, value, 4)
        return self.pack("IIIBBH", name, value, 4, 0x12, 0, section)

    def relocation(self, offset, symbol, kind, addend=None):
        if self.bits == 64 and self.machine == EM_MIPS:
            record = self.pack("QI", offset, symbol) + struct.pack(">I", kind)
        elif self.bits == 64:
            record = self.pack("QQ", offset, symbol << 32 | kind)
        else:
            record = self.pack("II", offset, symbol << 8 | kind)
        return record if addend is None else record + self.pack("W", addend)

    def compression_header(self, kind, size):
        return self.pack("IIQQ", kind, 0, size, 1) if self.bits == 64 else \
            self.pack("III", kind, size, 1)

    def build(self, extended=False):
        names = b"\0"
        names_index = self.add(".shstrtab", SHT_STRTAB)
        for section in self.sections:
            section["name_offset"] = len(names) if section["name"] else 0
            names += section["name"].encode() + b"\0" if section["name"] else b""
        self.sections[names_index]["data"] = names
        count = len(self.sections)
        header_size, entry_size = (64, 64) if self.bits == 64 else (52, 40)
        body, headers = b"", b""
        for index, section in enumerate(self.sections):
            offset, size = header_size + len(body), section.get("size", len(section["data"]))
            link = section.get("link", 0)
            if index == 0 and extended:
                size, link = count, names_index
            headers += self.pack("IIWWWWIIWW", section["name_offset"], section["kind"],
                                 section.get("flags", 0), 0, offset, size, link,
                                 section.get("info", 0), section.get("alignment", 1),
                                 section.get("entry_size", 0))
            body += section["data"]
        body += bytes(-len(body) % 8)
        ident = b"\x7fELF" + bytes([2 if self.bits == 64 else 1, 1 if self.order == "<" else 2, 1])
        header = ident.ljust(16, b"\0") + self.pack(
            "HHIWWWIHHHHHH", self.kind, self.machine, 1, 0, 0, header_size + len(body), 0,
            header_size, 0, 0, entry_size, 0 if extended else count,
            0xffff if extended else names_index)
        return header + body + headers


def relocatable(bits, order, machine, kinds, uses_rel=False):
    """A relocation of each kind on a field of eight bytes, with symbols and a note."""
    elf = Elf(bits, order, ET_REL, machine)
    text = elf.add(".text", SHT_PROGBITS, bytes(16), flags=SHF_ALLOC, alignment=16)
    info = elf.add(".debug_info", SHT_PROGBITS, bytes(8 * len(kinds) + 8))
    names = b"\0symbol\0other\0"
    symbols = elf.symbol(0, 0, 0) + elf.symbol(1, 4, text) + elf.symbol(8, 8, 0xffff)
    table = elf.add(".symtab", SHT_SYMTAB, symbols, link=len(elf.sections) + 1,
                    entry_size=len(symbols) // 3)
    elf.add(".strtab", SHT_STRTAB, names)
    elf.add(".symtab_shndx", SHT_SYMTAB_SHNDX, elf.pack("III", 0, 0, text), link=table)
    records = b"".join(elf.relocation(8 * i, 1 + i % 2, kind, None if uses_rel else 5)
                       for i, kind in enumerate(kinds))
    elf.add(".rel.debug_info" if uses_rel else ".rela.debug_info",
            SHT_REL if uses_rel else SHT_RELA, records, link=table, info=info,
            entry_size=len(records) // len(kinds))
    elf.add(".note.gnu.build-id", SHT_NOTE, elf.pack("III", 4, 4, 3) + b"GNU\0" + b"\1\2\3\4",
            alignment=4)
    return elf


def compressed(bits, order):
    elf = Elf(bits, order, ET_EXEC, EM_X86_64)
    text = b"abc " * 8
    stream = zlib.compress(text)
    elf.add(".debug_str", SHT_PROGBITS, elf.compression_header(1, len(text)) + stream,
            flags=SHF_COMPRESSED)
    elf.add(".debug_line_str", SHT_PROGBITS, elf.compression_header(2, len(text)) + ZSTD_FRAME,
            flags=SHF_COMPRESSED)
    elf.add(".zdebug_info", SHT_PROGBITS, b"ZLIB" + struct.pack(">Q", len(text)) + stream)
    elf.add(".bss", SHT_NOBITS, size=4096)
    return elf


def seeds():
    """File name to content."""
    return {
        "x86_64-rela": relocatable(64, "<", EM_X86_64, [1, 10, 2, 24, 32]).build(),
        "i386-rel": relocatable(32, "<", EM_386, [1, 2, 20, 22], uses_rel=True).build(),
        "aarch64_be-extended": relocatable(64, ">", EM_AARCH64, [257, 258, 261]).build(True),
        "riscv64-pairs": relocatable(64, "<", EM_RISCV, [35, 39, 53, 52, 60, 61, 36]).build(),
        "mips64el-composite": relocatable(64, "<", EM_MIPS, [0x12000000, 0x02120000]).build(),
        "compressed64": compressed(64, "<").build(),
        "compressed32_be": compressed(32, ">").build(),
    }


def with_segment(bits, order, extended=False):
    """A segment that covers .text, a loaded .BTF, one that is not, and a base, with relocations."""
    elf = Elf(bits, order, ET_EXEC, EM_X86_64)
    header_size, segment_size = (64, 56) if bits == 64 else (52, 32)
    elf.add(".text", SHT_PROGBITS, bytes(16), flags=SHF_ALLOC)
    elf.add(".segments", SHT_PROGBITS, elf.pack("IIQQQQQQ", 1, 5, header_size, 0, 0, 16, 16, 16) if bits == 64
            else elf.pack("IIIIIIII", 1, header_size, 0, 0, 16, 16, 5, 16))
    elf.add(".BTF", SHT_PROGBITS, b"loaded", flags=SHF_ALLOC)
    elf.add(".rel.BTF", SHT_REL, elf.relocation(0, 0, 1), info=3)
    elf.add("", 0)
    elf.add(".BTF", SHT_PROGBITS, b"second")
    elf.add(".BTF.base", SHT_PROGBITS, b"base")
    content = bytearray(elf.build(extended))
    struct.pack_into(order + ("Q" if bits == 64 else "I"), content, 32 if bits == 64 else 28, header_size + 16)
    struct.pack_into(order + "HH", content, 54 if bits == 64 else 42, segment_size, 1)
    return bytes(content)


def update_seeds():
    return {
        "segment64": with_segment(64, "<"),
        "segment64_be-extended": with_segment(64, ">", True),
        "segment32": with_segment(32, "<"),
        "segment32_be": with_segment(32, ">"),
        "x86_64-rela": seeds()["x86_64-rela"],
        "compressed32_be": seeds()["compressed32_be"],
    }


def main():
    for target, contents in (("fuzz_elf_file", seeds()), ("fuzz_section_update", update_seeds())):
        folder = pathlib.Path(__file__).parent / "corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
