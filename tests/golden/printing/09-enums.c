/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Enumerations: value widths and signs, packed, 64 bits, --hex, forward,
 * in DWARF and in BTF; lookup by name; --contains_enumerator.
 *
 * cc: gcc-12 $CF -c 09-enums.c -o t.o
 * cc: clang-14 $CF -c 09-enums.c -o c.o
 * cc: clang-14 -target bpf $CF -c 09-enums.c -o bpf.o
 * cmd: pahole -C e,neg,small,big,hugeneg,one,u32max t.o
 * cmd: pahole -C e,neg,small,big,hugeneg,one,u32max c.o
 * cmd: pahole --hex -C neg,big,small t.o
 * cmd: pahole -F btf -C e,neg,small,one,u32max bpf.o
 * cmd: pahole --btf_encode_detached=t.btf t.o
 * cmd: pahole -F btf -C e,neg,small,big,hugeneg,one,u32max t.btf
 * cmd: pahole -C holder t.o
 * cmd: pahole -E -C holder t.o
 * cmd: pahole -C anon_e t.o
 * cmd: pahole --contains_enumerator N_A t.o
 * cmd: pahole --contains_enumerator DUP t.o
 * cmd: pahole --contains_enumerator NONESUCH t.o
 * cmd: pahole t.o -C fwd_e
 */
enum e { FIRST, SECOND, A_LONGER_ONE = 10, AGAIN = 10, LAST };
enum neg { N_A = -1, N_B, N_C = 1000 };
enum __attribute__((packed)) small { S_A, S_B = 200 };
enum big { B_A = 1, B_B = 0x123456789abcdefULL, B_C = 0xffffffffffffffffULL };
enum hugeneg { H_A = -1, H_B = 0x7fffffffffffffffLL };
enum one { ONLY };
enum u32max { U_A = 0xffffffffU, U_B = 0x80000000U };
enum fwd_e;
typedef enum { AN_A, AN_B } anon_e;
typedef enum { DUP, DUP2 } dup_e;
struct holder { enum e a; enum small b; enum big c; anon_e d; enum { IN_A, IN_B = -7 } f; enum fwd_e *g; enum neg h[2]; enum e i:4; };
enum e a; enum neg b; enum small c; enum big d; enum hugeneg f; enum one g; enum u32max h; dup_e i; struct holder j;
