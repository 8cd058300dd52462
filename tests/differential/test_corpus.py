# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""
Real files of many compilers and machines, encoded by us and by dwarves' pahole.

PEER names that pahole. SMELT_CORPUS_DIR (default: ~/.cache/corpus) has one folder per source; those
below are used where they exist. Every file the peer encodes must give the same bytes or a difference
that explained.py knows; every file it fails on must give valid BTF, or a clear message.
"""
import os
import pathlib
import re

import pytest

from btf import Btf, BtfError
from explained import NOT_ENCODED, Elf, unexplained
from programs import encode, pahole, peer


CORPUS = pathlib.Path(os.environ.get("SMELT_CORPUS_DIR", pathlib.Path.home() / ".cache/corpus"))
FOLDERS = ("own libc6-dbg libc6-dbg-s390x libc6-dbg-armhf libc6-dbg-i386 grub-i386 lua-dwz krb5-dwz vsftpd "
           "tftp libnl gsl xdp-bpf ebpf-go elfutils-tests libstdcxx").split()
OPTIONS = ((), ("--btf_features=default,global_var,true_signature",))
SIZE_MAX = 60 << 20
# Their slowest of these files takes seconds; one never ends.
PEER_TIMEOUT = 60


def is_elf(path):
    if path.is_symlink() or not path.is_file() or path.stat().st_size > SIZE_MAX:
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def judge(path, options, folder):
    """None, or what is wrong."""
    theirs = encode(peer(), folder / "peer.btf", [*options, path], timeout=PEER_TIMEOUT)
    ours = encode(pahole(), folder / "ours.btf", [*options, path])
    if ours.status not in (0, 1):
        return f"status {ours.status}: {ours.messages[:300]}"
    if ours.data is None:
        if not ours.messages.startswith("pahole: "):
            return f"nothing written, and no message: {ours.messages[:300]}"
        if ours.status == 0 and not re.search("nothing (encoded|written)", ours.messages):
            return f"nothing written, status 0: {ours.messages[:300]}"
        if theirs.data is not None and not any(re.search(text, ours.messages) for text in NOT_ENCODED):
            return f"only the peer encodes it: {ours.messages[:300]}"
        return None
    if ours.data == theirs.data:
        return None
    try:
        read = Btf(ours.data)
    except BtfError as error:
        return f"not BTF: {error}"
    if theirs.data is None:
        return None
    missing, extra = unexplained(Elf(path.read_bytes()), Btf(theirs.data), read)
    if missing or extra:
        return "\n".join(["", *(f"- {line[:200]}" for line in missing[:5]), *(f"+ {line[:200]}" for line in extra[:5])])
    return None


@pytest.mark.slow
@pytest.mark.parametrize("name", FOLDERS)
def test_corpus(name, tmp_path):
    peer()
    if not (CORPUS / name).is_dir():
        pytest.skip(f"no {CORPUS / name}")
    wrong = []
    for path in sorted(filter(is_elf, (CORPUS / name).rglob("*"))):
        for options in OPTIONS:
            complaint = judge(path, options, tmp_path)
            if complaint:
                wrong.append(f"{path.relative_to(CORPUS)} {' '.join(options)}: {complaint}")
    assert not wrong, f"{len(wrong)} differences\n" + "\n".join(wrong[:20])
