# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Tiny helper that writes hand-made DWARF as GNU-as source.

A DIE is D(tag, attrs, *children, id='label').  attrs is a list of
(DW_AT number, DW_FORM name, value), so any odd combination can be written.
Only what the cases here need is implemented.  Use unit(version, root) and emit([...units], extra_asm).
"""
FORM = dict(addr=0x01, data2=0x05, data4=0x06, data8=0x07, string=0x08, data1=0x0b,
            flag=0x0c, sdata=0x0d, strp=0x0e, udata=0x0f, ref_addr=0x10, ref4=0x13,
            sec_offset=0x17, exprloc=0x18, flag_present=0x19, implicit_const=0x21)

class D:
    n = 0
    def __init__(self, tag, attrs=(), *kids, id=None):
        D.n += 1
        self.tag, self.attrs, self.kids = tag, list(attrs), list(kids)
        self.id = id or "d%d" % D.n

def uleb(v):
    out = []
    while True:
        b = v & 0x7f
        v >>= 7
        out.append(b | (0x80 if v else 0))
        if not v:
            return out

class unit:
    def __init__(self, version, root):
        self.version, self.root = version, root

def emit(units, extra="", shared_abbrev=False, unique_abbrev=False):
    """shared_abbrev: all units use one table (as full-LTO linkers write it);
    unique_abbrev: no two DIEs share an abbreviation."""
    info, strs = [], {}
    tables = []                       # list of dict: shape -> code
    def die(d, cu):
        t = 0 if shared_abbrev else cu
        while len(tables) <= t:
            tables.append({})
        shape = (d.tag, bool(d.kids), tuple((a, f, v if f == "implicit_const" else None) for a, f, v in d.attrs),
                 d.id if unique_abbrev else None)
        c = tables[t].setdefault(shape, len(tables[t]) + 1)
        info.append(".L%s:\n\t.uleb128 %d" % (d.id, c))
        for at, form, val in d.attrs:
            if form == "string":
                info.append('\t.asciz "%s"' % val)
            elif form == "strp":
                lab = strs.setdefault(val, ".Lstr%d" % len(strs))
                info.append("\t.long %s" % lab)
            elif form in ("data1", "flag"):
                info.append("\t.byte %s" % val)
            elif form == "data2":
                info.append("\t.value %s" % val)
            elif form in ("data4", "sec_offset"):
                info.append("\t.long %s" % val)
            elif form == "data8" or form == "addr":
                info.append("\t.quad %s" % val)
            elif form == "udata":
                info.append("\t.uleb128 %s" % val)
            elif form == "sdata":
                info.append("\t.sleb128 %s" % val)
            elif form == "ref4":
                info.append("\t.long .L%s-.Lcu%d" % (val, cu))
            elif form == "ref_addr":
                info.append("\t.long .L%s" % val)
            elif form == "exprloc":
                if isinstance(val, str):          # assembler text, length computed
                    info.append("\t.uleb128 9f-8f\n8:\n%s\n9:" % val)
                else:
                    info.append("\t.uleb128 %d\n\t.byte %s" % (len(val), ",".join(map(str, val))))
        for k in d.kids:
            die(k, cu)
        if d.kids:
            info.append("\t.byte 0")
    for i, u in enumerate(units):
        info.append(".Lcu%d:\n\t.long .Lcuend%d-.Lcubeg%d\n.Lcubeg%d:\n\t.value %d" % (i, i, i, i, u.version))
        ab = ".Labbrev%d" % (0 if shared_abbrev else i)
        if u.version >= 5:
            info.append("\t.byte 1,8\n\t.long " + ab)
        else:
            info.append("\t.long " + ab + "\n\t.byte 8")
        die(u.root, i)
        info.append(".Lcuend%d:" % i)
    s = extra + "\n\t.section .debug_info,\"\",@progbits\n" + "\n".join(info)
    s += "\n\t.section .debug_abbrev,\"\",@progbits\n"
    for i, t in enumerate(tables):
        s += ".Labbrev%d:\n" % i
        for (tag, kids, attrs, _), c in t.items():
            s += "\t.uleb128 %d\n\t.uleb128 0x%x\n\t.byte %d\n" % (c, tag, 1 if kids else 0)
            for at, form, v in attrs:
                s += "\t.uleb128 0x%x\n\t.uleb128 0x%x\n" % (at, FORM[form])
                if form == "implicit_const":
                    s += "\t.sleb128 %d\n" % v
            s += "\t.byte 0,0\n"
        s += "\t.byte 0\n"
    s += "\t.section .debug_str,\"MS\",@progbits,1\n"
    for v, lab in strs.items():
        s += '%s:\n\t.asciz "%s"\n' % (lab, v)
    s += "\t.section .note.GNU-stack,\"\",@progbits\n"
    return s

# short names
CU, MEMBER, PTR, STRUCT, TYPEDEF, UNION, BASE, CONST, SUBPROG, VAR, PARAM, ENUM, ENUMR, ARRAY, SUBR, VOLATILE, FNTYPE = \
    0x11, 0x0d, 0x0f, 0x13, 0x16, 0x17, 0x24, 0x26, 0x2e, 0x34, 0x05, 0x04, 0x28, 0x01, 0x21, 0x35, 0x15
NAME, SIZE, LANG, TYPE, MLOC, ENC, LOC, EXT, DECL, LOWPC, HIGHPC, CVAL, BITSZ, DBITOFF, UPPER, ORIGIN, PROTO = \
    0x03, 0x0b, 0x13, 0x49, 0x38, 0x3e, 0x02, 0x3f, 0x3c, 0x11, 0x12, 0x1c, 0x0d, 0x6b, 0x2f, 0x31, 0x27

def cu(name, *kids, lang=12, id=None, attrs=()):
    return D(CU, [(NAME, "string", name), (LANG, "data1", lang)] + list(attrs), *kids, id=id)
def base(name, size, enc, id=None):
    return D(BASE, [(NAME, "string", name), (SIZE, "udata", size), (ENC, "data1", enc)], id=id)
def ref(tag, to=None, name=None, id=None, extra=()):
    a = ([(NAME, "string", name)] if name else []) + ([(TYPE, "ref4", to)] if to else [])
    return D(tag, a + list(extra), id=id)
def struct(name, size, *members, id=None, tag=STRUCT):
    return D(tag, ([(NAME, "string", name)] if name else []) + [(SIZE, "udata", size)], *members, id=id)
def member(name, to, off, extra=()):
    return D(MEMBER, ([(NAME, "string", name)] if name else []) + [(TYPE, "ref4", to), (MLOC, "udata", off)] + list(extra))
def var(name, to, extra=()):
    return D(VAR, [(NAME, "string", name), (TYPE, "ref4", to), (EXT, "flag_present", 1)] + list(extra))
