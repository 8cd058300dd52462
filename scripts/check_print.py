#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Compares what two paholes print for a file, and explains each line that differs. `make check-print` runs it.

An explanation is a row of docs/differences.md with a rule here that recognises it. The exit status says
whether there are lines without one; the first of these are shown.

Environment:
  SMELT_BUILD_DIR  where the build to check is
  PEER             dwarves' pahole v1.31
  INPUT            a file with BTF, best that of a kernel; default: that of the running one
  FORMATS          btf (default), dwarf, or both: btf,dwarf
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import Counter

OPTIONS = ("", "-E", "-q", "-r", "--hex", "--sort", "-s", "-n", "-T", "-H 1", "-m", "-i list_head", "--compile",
           "-E -r --hex", "-E -q", "-a -A", "--packed", "--unions", "-f task_struct", "--flat_arrays", "-c 32",
           "-C task_struct,gfp_t,zone_type")
COMMENT = re.compile(r"/\* +(?:0x)?[0-9a-f]+(?:: *(?:0x)?[0-9a-f]+)? +(?:0x)?[0-9a-f]+ \*/$")
DECLARATOR = re.compile(r"\*(?: ?(?:const|volatile|restrict|_Atomic))+\b|\(\*+\w*\)\[|\(\*+\w*\[|\(\*(?:const|\()")
NESTED_SUMMARY = re.compile(r"^(?:\t\t+/\* .* \*/|)$")
SOURCE_GAP = re.compile(r"^\t+(?:int :\d+;|char __gap\d+\[\d+\];)$")
ENUM_LINE = re.compile(r"^(?:enum \w+(?:;| \{)|\t\w+ +=.*|\};|)$")
ALIGNED = re.compile(r" __attribute__\(\(__aligned__\(\d+\)\)\)")
DECLARED_AGAIN = re.compile(r"^(?:(?:struct|union) \w+;)?$")
LIST_LINE = re.compile(r"^[^\t {}]+(?:\t\d+)+$")
SHOWN_MAX = 10


def words(line):
    """What a member line says, whatever its declarator: identifiers in any order, and the comment."""
    comment = COMMENT.search(line)
    text = line[:comment.start()] if comment else line
    return Counter(w for w in re.findall(r"\w+", text) if not w.isdigit() and w not in ("const", "volatile")), \
        comment and comment.group()


def is_declarator(theirs, ours):
    if not DECLARATOR.search(ours) and "const const" not in theirs:
        return False
    return words(theirs) == words(ours)


def explain(theirs, ours):
    """The row that explains why some lines became others, or None."""
    if len(theirs) == len(ours) and all(a == b or is_declarator(a, b) for a, b in zip(theirs, ours)):
        return "P1"
    if theirs and not ours and all(NESTED_SUMMARY.match(line) for line in theirs):
        return "P2"
    if len(theirs) == len(ours) == 1:
        a, b = theirs[0], ours[0]
        plain = a.replace(" __attribute__((__aligned__(64)))", "")
        if re.sub(r" __attribute__\(\(__\w+__(\(\d+\))?\)\)", "", a) == \
                re.sub(r" __attribute__\(\(__\w+__(\(\d+\))?\)\)", "", b):
            if sorted(re.findall(r"__attribute__\S+\)\)", a)) == sorted(re.findall(r"__attribute__\S+\)\)", b)):
                return "P3"
            return "P22" if "packed" in b and "packed" not in a else "P10" if "packed" in a else None
        if a.strip() == plain.strip() and re.match(r"^\t*}\[", a) and re.match(r"^\t*} \w+\[", b):
            return "P2"
        if sorted(a) == sorted(b) and re.match(r"^\t*} ", a):
            return "P3"
        if "(null)" in a and "(anonymous)" in b:
            return "P13"
        if re.match(r"^\t+};", a) and re.match(r"^\t+} \w+;", b):
            return "P2"
        if re.sub(r"__\d+\b", "", b).split() == a.split():
            return "P21"
    if any("const const enum" in line for line in theirs):
        return "P1"
    if ours and all(SOURCE_GAP.match(line) for line in ours) and \
            re.search("Force (?:alignment|padding)", "".join(theirs)):
        return "P22"
    if theirs and not ours and re.match(r"struct \w+ \{$", theirs[0]) and "/* size: 0," in "".join(theirs):
        return "P21"
    if ours and not theirs and all(SOURCE_GAP.match(line) for line in ours):
        return "P22"
    if theirs and not ours and all(line.startswith("typedef ") and "__builtin_" in line for line in theirs):
        return "P22"
    if all("(null)" in line or "(anonymous)" in line for line in theirs + ours):
        return "P13"
    return None


def explain_by_option(options, theirs, ours):
    """The row that explains it where only this option makes such a difference, or None."""
    if re.match(r"-[if] ", options) and not theirs:
        return "P18"
    if options != "--compile":
        return None
    if all(ENUM_LINE.match(line) for line in theirs + ours):  # `enum NAME;` is no C
        return "P21"
    if len(theirs) == len(ours) and all(ALIGNED.sub("", a).split() == ALIGNED.sub("", b).split()
                                        for a, b in zip(theirs, ours)):
        return "P22"
    left = [line for line in theirs if not DECLARED_AGAIN.match(line)]
    if len(left) < len(theirs):
        return explain(left, ours) if left or ours else "P21"
    if not theirs or not all("/* size: 0," in line for line in theirs):
        return None
    return "P21"


class Comparison:
    def __init__(self, options):
        self.options, self.explained, self.unexplained = options, Counter(), []

    def add(self, theirs, ours, whole_types):
        # A type of which only those of its members differ moves others, or stands there in addition.
        reason = (explain(theirs, ours) or explain_by_option(self.options, theirs, ours)
                  or ("P8" if whole_types else None))
        if reason:
            self.explained[reason] += len(theirs) + len(ours)
        else:
            self.unexplained += [f"< {line}" for line in theirs] + [f"> {line}" for line in ours]


def run(program, options, path, formats, output):
    with open(output, "w") as out:
        subprocess.run([program, "-F", formats, *options.split(), path], stdout=out,
                       stderr=subprocess.DEVNULL, timeout=600, check=False)


def type_names(path):
    """Names of which the output has several definitions; with --compile also numbered ones."""
    heads = Counter(re.findall(r"^(?:struct|union) (\S+) \{$", pathlib.Path(path).read_text(), re.MULTILINE))
    repeated = {re.sub(r"__\d+$", "", name) for name in heads if re.search(r"__\d+$", name)}
    return {name for name, count in heads.items() if count > 1} | repeated


def enclosing(lines, start):
    """Name of the type that a line belongs to."""
    for i in range(min(start, len(lines) - 1), -1, -1):
        head = re.match(r"^(?:struct|union) (\S+) \{$", lines[i])
        if head:
            return re.sub(r"__\d+$", "", head.group(1))
    return None


def compare_counts(options, ours_path, theirs_path):
    """-m: names are ordered by what is compared."""
    comparison = Comparison(options)
    sums = []
    for path in (ours_path, theirs_path):
        sums.append(Counter())
        for line in pathlib.Path(path).read_text().splitlines():
            name, count = line.rsplit("\t", 1)
            sums[-1][name] += int(count)  # P8: of one name there may be several
    ours, theirs = sums
    for name in ours.keys() | theirs.keys():
        if ours[name] < theirs[name]:
            comparison.unexplained += [f"< {name}\t{theirs[name]}", f"> {name}\t{ours[name]}"]
        elif ours[name] > theirs[name]:
            comparison.explained["P24"] += 1
    return comparison


def drop_repeats(path):
    """Leaves each body of a type without a name out that was there before; how many lines that were."""
    seen, kept, dropped, block = set(), [], 0, []
    for line in pathlib.Path(path).read_text().splitlines(keepends=True):
        block.append(line)
        if not line.startswith("}"):
            continue
        text = "".join(block)
        body = re.sub(r"(?m)^(\}.*?)(?: \w+)?;$", r"\1;", text.removeprefix("typedef "))
        if re.match(r"(?:struct|union) \{", body) and body in seen:
            dropped += len(block)
        else:
            seen.add(body)
            kept.append(text)
        block = []
    pathlib.Path(path).write_text("".join(kept) + "".join(block))
    return dropped


def compare(options, ours_path, theirs_path):
    comparison = Comparison(options)
    if options.startswith("-a"):
        comparison.explained["P25"] = drop_repeats(theirs_path)
    repeated = type_names(ours_path) | type_names(theirs_path)
    theirs_all = pathlib.Path(theirs_path).read_text().splitlines()
    ours_all = pathlib.Path(ours_path).read_text().splitlines()
    diff = subprocess.run(["diff", "-U0", theirs_path, ours_path], capture_output=True, text=True, check=False)
    for hunk in re.split(r"^@@ ", diff.stdout, flags=re.MULTILINE)[1:]:
        header, *body = hunk.splitlines()
        numbers = re.match(r"-(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", header)
        theirs = [line[1:] for line in body if line.startswith("-")]
        ours = [line[1:] for line in body if line.startswith("+")]
        first_theirs, first_ours = int(numbers.group(1)) - 1, int(numbers.group(3)) - 1
        names = {enclosing(theirs_all, first_theirs), enclosing(ours_all, first_ours + max(len(ours) - 1, 0))}
        listed = {line.split("\t")[0] for line in theirs + ours if LIST_LINE.match(line)}
        # A declaration that was taken for a definition without members.
        if options == "--compile" and not theirs and "/* size: 0," in "".join(theirs_all[first_theirs:first_theirs + 4]):
            comparison.explained["P21"] += len(ours)
            continue
        comparison.add(theirs, ours, bool(names & repeated) or
                       (bool(listed) and listed <= REPEATED_NAMES))
    return comparison


def find_repeated_names(program, path, formats):
    """Names with more than one definition; lists of them differ where their texts do."""
    result = subprocess.run([program, "-F", formats, "-n", path], capture_output=True, text=True, check=False)
    counts = Counter(line.split("\t")[0] for line in result.stdout.splitlines())
    return {name for name, count in counts.items() if count > 1}


REPEATED_NAMES = set()


def main():
    ours = os.path.join(os.environ.get("SMELT_BUILD_DIR", "build/release"), "pahole")
    theirs = os.environ.get("PEER")
    path = os.environ.get("INPUT") or "/sys/kernel/btf/vmlinux"
    if not theirs:
        sys.exit("PEER is not set: no pahole to compare with")
    failed = False
    for formats in os.environ.get("FORMATS", "btf").split(","):
        REPEATED_NAMES.clear()
        REPEATED_NAMES.update(find_repeated_names(ours, path, formats))
        with tempfile.TemporaryDirectory() as folder:
            for options in OPTIONS:
                names = [f"{folder}/ours", f"{folder}/theirs"]
                run(ours, options, path, formats, names[0])
                run(theirs, options, path, formats, names[1])
                result = (compare_counts if options == "-m" else compare)(options, *names)
                explained = ", ".join(f"{row} {count}" for row, count in sorted(result.explained.items()))
                print(f"-F {formats} {options or '(default)'}: {len(result.unexplained)} lines unexplained; "
                      f"explained: {explained or 'none'}", flush=True)
                for line in result.unexplained[:SHOWN_MAX]:
                    print("    " + line)
                failed |= bool(result.unexplained)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
