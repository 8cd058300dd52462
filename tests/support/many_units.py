# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
C programs of many units, by seed, with all that makes deduplication hard: names with several
definitions, declarations that another unit completes, loops through pointers, types of one content
in many places, functions of one name with different signatures, and enumerations declared early.

sources(seed, units) yields (name, text). Every unit is compilable alone; there is no main().
"""
import random

SHARED = 40        # names defined in the same way wherever they are
CLASHING = 6       # names with several definitions
VARIANTS = 3
SCALARS = ("char", "short", "int", "long", "unsigned char", "unsigned int", "unsigned long long",
           "_Bool", "float", "double")
PARTS_OF_NAMES = ("head", "next", "lock", "count", "flags", "owner", "size", "ops", "data", "link")


class Unit:
    def __init__(self, random_source, with_clashes):
        self.random = random_source
        self.with_clashes = with_clashes
        # Or a name in a parameter list would declare another type, for that list alone.
        self.lines = [" ".join(f"struct s{index};" for index in range(SHARED))]
        self.declared = set()
        self.defined = set()

    def scalar(self, key):
        return SCALARS[key % len(SCALARS)]

    def member(self, owner, index):
        """A member of a shared struct: the same text in each unit that defines it."""
        key = random.Random(f"{owner}.{index}").randrange(10000)
        name = f"{PARTS_OF_NAMES[key % len(PARTS_OF_NAMES)]}{index}"
        choice = key % 9
        if choice == 0:
            return f"struct s{key % SHARED} *{name};"
        if choice == 1:
            return f"const struct s{key % SHARED} *{name}[{key % 4 + 1}];"
        if choice == 2:
            return f"int (*{name})(struct s{key % SHARED} *, {self.scalar(key)});"
        if choice == 3:
            return f"struct {{ {self.scalar(key)} a; volatile {self.scalar(key + 1)} *b; }} {name};"
        if choice == 4:
            return f"unsigned int {name} : {key % 31 + 1};"
        if choice == 5 and self.with_clashes:
            return f"struct c{key % CLASHING} *{name};"
        if choice == 6:
            return f"t{key % SHARED} {name};"
        if choice == 7:
            return f"enum e{key % SHARED} *{name};"
        return f"{self.scalar(key)} {name};"

    def struct(self, index):
        if index in self.defined:
            return
        self.defined.add(index)
        members = [self.member(f"s{index}", i) for i in range(index % 7 + 1)]
        for member in members:
            for word in member.replace("*", " ").split():
                if word[0] == "t" and word[1:].isdigit():
                    self.typedef(int(word[1:]))
        self.lines.append(f"struct s{index} {{ {' '.join(members)} }};")

    def typedef(self, index):
        if ("t", index) not in self.declared:
            self.declared.add(("t", index))
            target = f"struct s{(index * 7) % SHARED} *" if index % 3 else f"{self.scalar(index)} "
            self.lines.append(f"typedef {target}t{index};")

    def clash(self, index, variant):
        if ("c", index) not in self.declared:
            self.declared.add(("c", index))
            other = (index + 1) % CLASHING
            self.lines.append(f"struct c{index} {{ struct c{other} *up; {SCALARS[variant]} v; "
                              f"struct s{index} *s; }};")

    def enumeration(self, index):
        if ("e", index) not in self.declared:
            self.declared.add(("e", index))
            values = ", ".join(f"E{index}_{i} = {i * i - index % 2}" for i in range(index % 5 + 1))
            self.lines.append(f"enum e{index} {{ {values} }};")


def sources(seed, units, with_clashes=True):
    for number in range(units):
        source = random.Random(f"{seed}.{number}")
        unit = Unit(source, with_clashes)
        for index in source.sample(range(SHARED), source.randint(1, 12)):
            unit.struct(index)
        for index in source.sample(range(SHARED), source.randint(0, 5)):
            unit.typedef(index)
        for index in source.sample(range(SHARED), source.randint(0, 4)):
            unit.enumeration(index)
        if with_clashes:
            for index in source.sample(range(CLASHING), source.randint(0, CLASHING)):
                unit.clash(index, 0 if source.random() < 0.8 else source.randrange(VARIANTS))
        for index in sorted(unit.defined):
            unit.lines.append(f"struct s{index} *u{number}_p{index};")
        if with_clashes:
            for index in range(CLASHING):
                unit.lines.append(f"struct c{index} *u{number}_c{index};")
        first = min(unit.defined)
        unit.lines.append(f"long u{number}_get(const struct s{first} *p) {{ return (long)p; }}")
        unit.lines.append(f"static __attribute__((used, noinline)) int helper{number % 11}"
                          f"(struct s{first} *p, int n) {{ return p ? n : {number}; }}")
        yield f"u{number}.c", "\n".join(unit.lines) + "\n"
