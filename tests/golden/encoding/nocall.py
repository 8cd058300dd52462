# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
nocall.py IN.ll OUT.ll: marks the type of each static function DW_CC_nocall, as newer clang does when
it has changed a function's signature.
"""
import re
import sys

SUBROUTINE = r"^!(\d+) = !DISubroutineType\(types: !(\d+)\)"


def main(source, target):
    text = open(source).read()
    types = dict(re.findall(SUBROUTINE, text, re.MULTILINE))
    number = max(int(n) for n in re.findall(r"^!(\d+) = ", text, re.MULTILINE))
    added = []

    def mark(match):
        nonlocal number
        line = match.group(0)
        if "DISPFlagLocalToUnit" not in line or "DISPFlagDefinition" not in line:
            return line
        number += 1
        old = re.search(r"type: !(\d+)", line).group(1)
        added.append(f"!{number} = !DISubroutineType(cc: DW_CC_nocall, types: !{types[old]})")
        return re.sub(rf"type: !{old}\b", f"type: !{number}", line)

    text = re.sub(r"^!\d+ = distinct !DISubprogram\(.*$", mark, text, flags=re.MULTILINE)
    open(target, "w").write(text + "\n".join(added) + "\n")


main(*sys.argv[1:])
