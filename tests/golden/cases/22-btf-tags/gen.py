# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
from dwasm import *
GNU = lambda what, val, nxt=None, id=None: D(0x6001, [(NAME, "string", what), (CVAL, "string", val)] + ([(0x2139, "ref4", nxt)] if nxt else []), id=id)
print(emit([unit(5, cu("gcc16.c", base("int", 4, 5, id="i"), GNU("btf_type_tag", "t1", id="g1"), GNU("btf_decl_tag", "mem", id="g2"),
  ref(PTR, "i", id="p", extra=[(SIZE, "data1", 8), (0x2139, "ref4", "g1")]),
  struct("foo", 16, D(MEMBER, [(NAME, "string", "a"), (TYPE, "ref4", "p"), (MLOC, "udata", 0), (0x2139, "ref4", "g2")]), member("b", "i", 8), id="s"), var("v", "s")))]))
