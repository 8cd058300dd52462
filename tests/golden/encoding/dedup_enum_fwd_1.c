/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c dedup_enum_fwd_1.c -o dedup_enum_fwd_1.o
 * build: gcc-12 -g -c dedup_enum_fwd_2.c -o dedup_enum_fwd_2.o
 * build: gcc-12 -g -c dedup_enum_fwd_3.c -o dedup_enum_fwd_3.o
 * build: ld -r dedup_enum_fwd_1.o dedup_enum_fwd_2.o -o dedup_enum_fwd.12.o
 * build: ld -r dedup_enum_fwd_1.o dedup_enum_fwd_2.o dedup_enum_fwd_3.o -o dedup_enum_fwd.123.o
 * build: ld -r dedup_enum_fwd_2.o dedup_enum_fwd_3.o dedup_enum_fwd_1.o -o dedup_enum_fwd.231.o
 * build: ld -r dedup_enum_fwd_3.o dedup_enum_fwd_2.o dedup_enum_fwd_1.o -o dedup_enum_fwd.321.o
 * encode: dedup_enum_fwd_1.o
 * encode: dedup_enum_fwd_1.o --btf_features=default
 * encode: dedup_enum_fwd_2.o
 * encode: dedup_enum_fwd_2.o --btf_features=default
 * encode: dedup_enum_fwd_3.o
 * encode: dedup_enum_fwd_3.o --btf_features=default
 * encode: dedup_enum_fwd.12.o
 * encode: dedup_enum_fwd.12.o --btf_features=default
 * encode: dedup_enum_fwd.123.o
 * encode: dedup_enum_fwd.123.o --btf_features=default
 * encode: dedup_enum_fwd.231.o
 * encode: dedup_enum_fwd.231.o --btf_features=default
 * encode: dedup_enum_fwd.321.o
 * encode: dedup_enum_fwd.321.o --btf_features=default
 *
 * Expect: the empty enum is replaced by a full one; with two different full enums the LAST one seen wins
 *         (1+2+3 -> enum of CU 3); when the forward comes last it takes the newest candidate, subject to the
 *         table-growth rule (2+3+1 -> CU 3, 3+2+1 -> CU 2).
 */
enum en *pe1;
