/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: g++-12 -g -c cpp_enum_typedef.cc -o cpp_enum_typedef.g12.o
 * build: clang++-14 -g -c cpp_enum_typedef.cc -o cpp_enum_typedef.clang14.o
 * encode: cpp_enum_typedef.g12.o  # differs: Q35
 * encode: cpp_enum_typedef.g12.o --btf_features=default  # differs: Q35
 * encode: cpp_enum_typedef.clang14.o  # differs: Q35
 * encode: cpp_enum_typedef.clang14.o --btf_features=default  # differs: Q35
 *
 * dwarves: ENUM64 'E' has kind_flag 0 although its values are negative: DW_AT_type is a typedef, only a direct base type
 *         is looked at.  ENUM 'F' has kind_flag 1 (decided by the values).
 */
typedef long ml; enum E : ml { A = -(1L << 40), B }; E e;
typedef int mi; enum F : mi { FA = -1 }; F f;
