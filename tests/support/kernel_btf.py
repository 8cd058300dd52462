# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Asks the running kernel whether it takes some BTF: a verifier that nobody of us wrote."""
import ctypes
import errno
import os
import platform
import struct

SYSCALL_BPF = {"x86_64": 321, "aarch64": 280, "riscv64": 280, "s390x": 351, "ppc64le": 361}
BPF_BTF_LOAD = 18
LOG_BYTES = 1 << 20
LOG_LINES = 4


class NotPermitted(Exception):
    """This machine does not let us ask; the text says why."""


def _load(data, log):
    """File descriptor, or minus errno."""
    libc = ctypes.CDLL(None, use_errno=True)
    blob = ctypes.create_string_buffer(data, len(data))
    # union bpf_attr for BPF_BTF_LOAD: btf, btf_log_buf, btf_size, btf_log_size, btf_log_level
    attributes = struct.pack("=QQIII", ctypes.addressof(blob), ctypes.addressof(log) if log else 0,
                             len(data), len(log) if log else 0, 1 if log else 0)
    result = libc.syscall(SYSCALL_BPF[platform.machine()], BPF_BTF_LOAD, attributes,
                          len(attributes))
    return result if result >= 0 else -ctypes.get_errno()


def verdict(data):
    """None if the kernel accepts the BTF, else what it says; NotPermitted where we cannot ask."""
    if platform.machine() not in SYSCALL_BPF:
        raise NotPermitted(f"no number of bpf(2) for {platform.machine()}")
    result = _load(data, None)
    if result >= 0:
        os.close(result)
        return None
    if -result in (errno.EPERM, errno.ENOSYS):
        raise NotPermitted(f"bpf(2): {os.strerror(-result)}")
    log = ctypes.create_string_buffer(LOG_BYTES)
    # A log that is too short is an error of its own, but what fits is there.
    _load(data, log)
    lines = log.value.decode(errors="replace").splitlines()
    return "; ".join([os.strerror(-result), *lines[-LOG_LINES:]])
