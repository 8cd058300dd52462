# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
from dwasm import *
P = [(SIZE, "data1", 8)]
def tu(i, two):
    k = [base("int", 4, 5, id=f"i{i}"), base("long unsigned int", 8, 7, id=f"u{i}"), ref(PTR, f"i{i}", id=f"p{i}a", extra=P)]
    arr = lambda n: D(ARRAY, [(TYPE, "ref4", f"i{i}")], D(SUBR, [(TYPE, "ref4", f"u{i}"), (UPPER, "data1", 3)]), id=n)
    anon = lambda n: struct(None, 8, member("x", f"i{i}", 0), member("y", f"i{i}", 4), id=n)
    k += [arr(f"a{i}a"), anon(f"n{i}a")]
    if two:
        k += [ref(PTR, f"i{i}", id=f"p{i}b", extra=P), arr(f"a{i}b"), anon(f"n{i}b")]
    b = "b" if two else "a"
    k.append(struct("holder", 64, member("p1", f"p{i}a", 0), member("p2", f"p{i}{b}", 8), member("a1", f"a{i}a", 16), member("a2", f"a{i}{b}", 32),
                    member("n1", f"n{i}a", 48), member("n2", f"n{i}{b}", 56), id=f"s{i}"))
    k += [ref(PTR, f"s{i}", id=f"ph{i}", extra=P), struct("user", 8, member("h", f"ph{i}", 0), id=f"us{i}"), var(f"v{i}", f"us{i}")]
    return unit(4, cu(f"tu{i}.c", *k))
print(emit([tu(1, True), tu(2, False), tu(3, True)]))
