/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct Base { long b; char c; };
struct WithRef { int &r; int &&rr; int tail; };
struct WithMember { int Base::*pm; void (Base::*pmf)(int); char tail; };
struct WithNull { decltype(nullptr) np; int k; };
struct LastNull { int k; decltype(nullptr) np; };
LastNull ln; Base b; WithRef *wr; WithMember *wm; WithNull *wn; int main() { return b.c; }
