/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: clang-14 --target=riscv64-linux-gnu -g -O2 -c riscv_clang_params.c -o riscv_clang_params.riscv64.o
 * build: clang-14 --target=powerpc64le-linux-gnu -g -O2 -c riscv_clang_params.c -o riscv_clang_params.powerpc64le.o
 * build: clang-14 --target=x86_64-linux-gnu -g -O2 -c riscv_clang_params.c -o riscv_clang_params.x86_64.o
 * build: clang-14 --target=aarch64-linux-gnu -g -O2 -c riscv_clang_params.c -o riscv_clang_params.aarch64.o
 * build: clang-14 --target=s390x-linux-gnu -g -O2 -c riscv_clang_params.c -o riscv_clang_params.s390x.o
 * build: clang-14 --target=i386-linux-gnu -g -O2 -c riscv_clang_params.c -o riscv_clang_params.i386.o
 * encode: riscv_clang_params.riscv64.o  # differs: Q10
 * encode: riscv_clang_params.riscv64.o --btf_features=default  # differs: Q10
 * encode: riscv_clang_params.powerpc64le.o  # differs: Q10
 * encode: riscv_clang_params.powerpc64le.o --btf_features=default  # differs: Q10
 * encode: riscv_clang_params.x86_64.o
 * encode: riscv_clang_params.x86_64.o --btf_features=default
 * encode: riscv_clang_params.aarch64.o
 * encode: riscv_clang_params.aarch64.o --btf_features=default
 * encode: riscv_clang_params.s390x.o
 * encode: riscv_clang_params.s390x.o --btf_features=default
 * encode: riscv_clang_params.i386.o
 * encode: riscv_clang_params.i386.o --btf_features=default
 *
 * Build: clang-14 --target=riscv64-linux-gnu -g -O2 -c riscv_clang_params.c   (also powerpc64le)
 * dwarves: with_param is skipped ("unexpected register usage for parameter"): argument registers of these
 *         machines are unknown upstream, every known location register is "unexpected" for clang code.
 *         no_param is kept.  On x86_64, aarch64, s390x and i386 both are kept.
 */
int with_param(int a) { return a + 1; }
int no_param(void) { return 1; }
