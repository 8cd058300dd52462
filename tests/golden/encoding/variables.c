/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c variables.c -o variables.o
 * encode: variables.o
 * encode: variables.o --btf_features=default
 * encode: variables.o --btf_features=var
 * encode: variables.o --btf_features=global_var
 * encode: variables.o --btf_features=var,global_var
 * encode: variables.o --btf_features=default,global_var
 *
 * Expect (default / 'var'): VARs pc_first, pc_static, pc_arr, pc_last in DATASEC '.data..percpu' size 32
 *         (end of the last variable, not the section size); pc_empty and pc_zero (size 0) and the
 *         function-local static are absent; '.data..percpu..read_mostly' is not percpu.
 * Expect ('global_var', with or without 'var'): additionally .data, .bss, .rodata, ..read_mostly and
 *         .custom.sec DATASECs, in section-header order; TLS and filtered names
 *         (__UNIQUE_ID*, __tpstrtab_*, __exitcall_*, __gendwarfksyms_ptr_*, __func_stack_frame_non_standard_*)
 *         are absent.
 */
#define PC __attribute__((section(".data..percpu")))
#define PCR __attribute__((section(".data..percpu..read_mostly")))
int PC pc_first; static long PC pc_static = 3; char PC pc_arr[10];
struct em {}; struct em PC pc_empty; int PC pc_zero[0]; int PC pc_last = 9;
int PCR pc_rm;
extern int PC pc_ext;
int data_a = 1; static int data_s = 2; int bss_a; static int bss_s; const int ro_a = 3; static const char ro_s[] = "x";
__thread int tls_a = 5;
int __attribute__((section(".custom.sec"))) cust = 3;
int __UNIQUE_ID_x = 3, __tpstrtab_y = 2, __exitcall_z = 2, __gendwarfksyms_ptr_w = 3,
    __func_stack_frame_non_standard_q = 3, _other = 2;
int user(void)
{
	static int fn_static = 3; static int PC fn_pc_static = 3;
	return data_s + bss_s + ro_s[1] + pc_static + fn_static++ + fn_pc_static++;
}
