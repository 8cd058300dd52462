# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
from dwasm import *
k = [base("int", 4, 5, id="i")]
prev = "i"
for j in range(20000):
    k.append(ref(PTR, prev, id=f"p{j}", extra=[(SIZE, "data1", 8)])); prev = f"p{j}"
k += [struct("top", 8, member("deep", prev, 0), id="s"), var("v", "s")]
print(emit([unit(4, cu("deep.c", *k))]))
