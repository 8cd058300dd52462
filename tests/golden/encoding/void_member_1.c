/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c void_member_1.c -o void_member_1.o
 * build: g++-12 -g -c void_member_2.cc -o void_member_2.o
 * build: ld -r void_member_1.o void_member_2.o -o void_member.12.o
 * build: ld -r void_member_2.o void_member_1.o -o void_member.21.o
 * encode: void_member_1.o
 * encode: void_member_1.o --btf_features=default
 * encode: void_member_2.o  # differs: Q8
 * encode: void_member_2.o --btf_features=default  # differs: Q8
 * encode: void_member.12.o  # differs: Q6
 * encode: void_member.12.o --btf_features=default  # differs: Q6
 * encode: void_member.21.o  # differs: Q8
 * encode: void_member.21.o --btf_features=default  # differs: Q8
 *
 * dwarves: member S.p (type decltype(nullptr), i.e. void) refers to the last type id of the CU before it
 *         ('long int'), not to 0.  With the link order reversed it is 0.
 */
struct one { long l; }; struct one o;
