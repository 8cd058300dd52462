#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Checks every #include of src/, tools/, include/ and examples/ against the layers.

The table of src/ is the one the build uses, read from cmake/SmeltLibrary.cmake. The build
alone cannot see everything: a relative path gets around its include trees, and system
headers are always in reach.

Usage: check_layers.py [ROOT]
Prints one line per violation; exit status 1 if there is one.
"""
import pathlib
import re
import sys

# Third-party libraries are wrapped by one folder each; None is nobody.
SYSTEM_HEADER_OWNERS = [
    (re.compile(r"(libelf|gelf|zlib|zstd|zstd_errors)\.h"), "elf"),
    (re.compile(r"(elfutils/.*|libdw|dwarf)\.h"), None),
    (re.compile(r"(bpf|linux)/.*\.h"), None),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def read_layers(root):
    """folder -> set of folders it may include, itself among them"""
    text = (root / "cmake/SmeltLibrary.cmake").read_text()
    layers = {}
    for folder, allowed in re.findall(r"^set\(SMELT_LAYER_(\w+)([^)]*)\)", text, re.M):
        layers[folder] = {folder, *allowed.split()}
    return layers


def includes_of(path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1] == "<", match[2]


def complaint_about(root, layers, part, folder, is_system, name):
    """What is wrong with one include, or None. part is src, tools, include or examples."""
    if ".." in name.split("/"):
        return "relative include"
    if is_system:
        if name.startswith("smelt/"):
            return None if (root / "include" / name).is_file() else "no such public header"
        for pattern, owner in SYSTEM_HEADER_OWNERS:
            if pattern.fullmatch(name) and not (part == "src" and folder == owner):
                return f"only {owner} may use this library" if owner else "not a dependency of ours"
        return None

    if part in ("include", "examples"):
        return "only <smelt/...> and the C library"
    if part == "tools":
        if "/" not in name:
            found = (root / "tools" / folder / name).is_file() and folder != "cli"
            return None if found else "not in the program's own folder"
        return None if name.startswith("cli/") else "programs see <smelt/...> and cli/ only"

    target = name.split("/")[0]
    if "/" not in name:
        return "write the folder, too"
    if target not in layers:
        return "no folder of src/"
    if target not in layers[folder]:
        return f"{folder} may include: {' '.join(sorted(layers[folder]))}"
    return None


def check(root):
    layers = read_layers(root)
    complaints = []
    for folder in sorted(p.name for p in (root / "src").iterdir() if p.is_dir()):
        if folder not in layers:
            complaints.append(f"src/{folder}: not in the table of cmake/SmeltLibrary.cmake")
    for part in ("src", "tools", "include", "examples"):
        for path in sorted((root / part).rglob("*.[ch]")):
            folder = path.parent.name
            if part == "src" and (path.parent.parent.name != "src" or folder not in layers):
                complaints.append(f"{path.relative_to(root)}: not directly in a folder of src/")
                continue
            for number, is_system, name in includes_of(path):
                what = complaint_about(root, layers, part, folder, is_system, name)
                if what:
                    complaints.append(f"{path.relative_to(root)}:{number}: {name}: {what}")
    return complaints


def main():
    default = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else default
    complaints = check(root)
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
