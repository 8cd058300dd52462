/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * btf_dedup FILE: number of types in raw BTF before and after libbpf's btf__dedup().
 * Links libbpf, which nothing of ours does: here it is the judge.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct btf *btf;
	int before, status;

	if (argc != 2)
		return 2;
	libbpf_set_print(NULL);
	btf = btf__parse_raw(argv[1]);
	if (libbpf_get_error(btf)) {
		fprintf(stderr, "%s: libbpf cannot read it\n", argv[1]);
		return 1;
	}
	before = (int)btf__type_cnt(btf);
	status = btf__dedup(btf, NULL);
	if (status != 0) {
		fprintf(stderr, "btf__dedup: %d\n", status);
		return 1;
	}
	printf("%d %d\n", before, (int)btf__type_cnt(btf));
	btf__free(btf);
	return 0;
}
