# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
import sys
from dwasm import *
us = []
for i in range(300):
    k = [base("int", 4, 5, id=f"i{i}"), ref(PTR, f"n{i}", id=f"pn{i}", extra=[(SIZE, "data1", 8)]), struct("node", 16, member("p", f"pn{i}", 0), member("v", f"i{i}", 8), id=f"n{i}")]
    k += [struct(f"shared{j}", 16, member("n", f"pn{i}", 0), member("k", f"i{i}", 8)) for j in range(40)]
    us.append(unit(4, cu(f"tu{i}.c", *k, var(f"v{i}", f"n{i}"))))
print(emit(us, shared_abbrev=True, unique_abbrev=True))
