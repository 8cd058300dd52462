# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
from dwasm import *
print(emit([unit(4, cu("loop.c", base("int", 4, 5, id="i"),
 ref(CONST, "c2", id="c1"), ref(VOLATILE, "c1", id="c2"), ref(TYPEDEF, "td", name="selfref", id="td"),
 struct("inside", 8, member("me", "st", 0), id="st"), struct("fine", 4, member("x", "i", 0), id="ok"), var("w", "ok"),
 struct("user", 24, member("a", "c1", 0), member("b", "td", 8), member("c", "st", 16)), var("v", "c1")))]))
