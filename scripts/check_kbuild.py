#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Builds a small Linux kernel with our pahole. `make check-kbuild` runs it (3 to 6 minutes a compiler).

Debian's kernel source with BTF for vmlinux and modules, by gcc and by clang: the build's own probing of
pahole's version, its flags, its post-processing. Then each BTF is what PEER writes for the same
object with the same arguments, bpftool reads it, and resolve_btfids has found the ids of vmlinux.

Environment:
  SMELT_BUILD_DIR  where the release build is
  PEER             a dwarves pahole v1.31 to compare with; without it, bytes are not compared
  COMPILERS        some of "gcc clang" (the default)
  JOBS             how many jobs make runs (default 2)
  CORPUS_DIR       where the source package is kept (default ~/.cache/corpus, see fetch_kernel.sh)
  TMPDIR           where 3 GB for source and objects are, deleted at the end
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/support"))
from checks import Checks  # noqa: E402

SOURCE = ["linux-source", "amd64", "linux-source-6.1", r"^linux-source-6\.[0-9]+$",
          "usr/src/linux-source-*.tar.xz"]
# Arguments of make, and what has to be there for them.
COMPILERS = {"gcc": ([], ["gcc"]),
             "clang": (["LLVM=-19"], ["clang-19", "ld.lld-19", "llvm-objcopy-19"])}
# On top of tinyconfig. File systems for modules with some types, two small ones for modules with hardly any.
ENABLE = """64BIT DEBUG_KERNEL DEBUG_INFO_DWARF5 BPF_SYSCALL DEBUG_INFO_BTF MODULES DEBUG_INFO_BTF_MODULES
    PRINTK SYSFS PROC_FS KALLSYMS BLOCK BLK_DEV NET INET NLS""".split()
MODULES = "BLK_DEV_LOOP EXT4_FS SQUASHFS NLS_ISO8859_1 CRC4 CRC7 LIBCRC32C".split()
REQUIRED = ("CONFIG_DEBUG_INFO_BTF=y", "CONFIG_DEBUG_INFO_BTF_MODULES=y", "CONFIG_PAHOLE_VERSION=131")
LOG_TAIL_LINES = 15

# Stands for pahole in the build. Keeps, in a folder for each call that names a file, the arguments, the
# file as it was before and the exit status. The shell passes on make's jobserver.
WRAPPER = """#!/bin/sh
for last; do :; done
[ -f "$last" ] || exec '{program}' "$@"
call=$(mktemp -d '{calls}/XXXXXX')
cp "$last" "$call/input"
printf '%s\\n' "$@" >"$call/arguments"
'{program}' "$@"
echo $? >"$call/status"
exit $(cat "$call/status")
"""


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **options)


def section(path, name, folder):
    """Content of an ELF section, None without one."""
    output = folder / "section"
    output.unlink(missing_ok=True)
    run(["objcopy", f"--dump-section={name}={output}", path, "/dev/null"])
    return output.read_bytes() if output.exists() else None


class Call:
    """One run of pahole by the build."""

    def __init__(self, folder):
        self.input = folder / "input"
        self.arguments = (folder / "arguments").read_text().splitlines()
        self.status = int((folder / "status").read_text())
        self.is_module = self.arguments[-1].endswith(".ko")

    def flags(self):
        return " ".join(self.arguments[:-1])


class Build:
    """A kernel tree of objects."""

    def __init__(self, compiler, source, program, folder):
        self.source, self.objects, self.log = source, folder / "objects", folder / "log"
        self.call_folder = folder / "calls"
        self.folder = folder
        self.objects.mkdir(parents=True)
        self.call_folder.mkdir()
        wrapper = folder / "pahole"
        wrapper.write_text(WRAPPER.format(program=program, calls=self.call_folder))
        wrapper.chmod(0o755)
        self.make_command = ["make", "-C", source, f"O={self.objects}", f"PAHOLE={wrapper}",
                             f"-j{os.environ.get('JOBS') or 2}", *COMPILERS[compiler][0]]

    def make(self, *targets):
        """Empty, or why it failed."""
        # As if the outer make were not there: its variables and jobserver are not ours.
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "PAHOLE_LANG_EXCLUDE")}
        with open(self.log, "ab") as log:
            status = subprocess.run([*self.make_command, *targets], stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=log, env={**environment, "LC_ALL": "C"}).returncode
        if not status:
            return ""
        tail = self.log.read_text(errors="replace").splitlines()[-LOG_TAIL_LINES:]
        return "\n".join([f"make {' '.join(targets)}: exit status {status}", *tail])

    def configure(self):
        """Empty, or what is wrong."""
        fault = self.make("tinyconfig")
        if fault:
            return fault
        changes = ["-d", "DEBUG_INFO_NONE"]
        for option in ENABLE:
            changes += ["-e", option]
        for option in MODULES:
            changes += ["-m", option]
        config = self.objects / ".config"
        subprocess.run([self.source / "scripts/config", "--file", config, *changes], check=True)
        fault = self.make("olddefconfig")
        lines = config.read_text().splitlines()
        return fault or ", ".join(f"no {line}" for line in REQUIRED if line not in lines)

    def calls(self):
        return [Call(folder) for folder in sorted(self.call_folder.iterdir())]

    def file_of(self, call):
        """What became of the object that `call` was about."""
        return self.objects / (call.arguments[-1] if call.is_module else "vmlinux")


def check_calls(checks, name, build, calls):
    """Every module and vmlinux, once, with success: whether it is so."""
    modules = sorted(str(path.relative_to(build.objects)) for path in build.objects.rglob("*.ko"))
    called = sorted(call.arguments[-1] for call in calls if call.is_module)
    vmlinux = [call for call in calls if not call.is_module]
    failed = [f"{call.arguments[-1]}: exit status {call.status}" for call in calls if call.status]
    if called != modules or not modules or len(vmlinux) != 1:
        failed.append(f"vmlinux and {len(modules)} modules, but pahole ran for {len(vmlinux)} and {len(called)}")
    for flags in sorted({call.flags() for call in calls}):
        print(f"         pahole {flags}")
    checks.result(f"{name}: pahole ran for vmlinux and {len(modules)} modules", "; ".join(failed))
    return not failed


def check_readable(checks, name, build, calls):
    what = f"{name}: bpftool reads all"
    bpftool = shutil.which("bpftool", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if not bpftool:
        checks.skip(what, "no bpftool")
        return
    faults = []
    for call in calls:
        file = build.file_of(call)
        base = ["--base-btf", build.objects / "vmlinux"] if call.is_module else []
        result = run([bpftool, *base, "btf", "dump", "file", file])
        if result.returncode:
            faults.append(f"{file.name}: {result.stderr.strip()}")
    checks.result(what, "; ".join(faults))


def check_ids(checks, name, build, vmlinux):
    """The section of ids has zeros until resolve_btfids fills them in; it warns of what it does not find."""
    unresolved = re.findall(r"WARN: resolve_btfids: (.*)", build.log.read_text(errors="replace"))
    before = section(vmlinux.input, ".BTF_ids", build.folder)
    after = section(build.objects / "vmlinux", ".BTF_ids", build.folder)
    fault = "; ".join(unresolved)
    if not after or before == after:
        fault = fault or "no ids filled in"
    checks.result(f"{name}: resolve_btfids finds all ids of vmlinux", fault)


def check_bytes(checks, name, build, calls, peer):
    """What is in the final file is what PEER writes for the object, run as ours was."""
    what = f"{name}: the same bytes as PEER's"
    if not peer:
        checks.skip(what, "PEER is not set")
        return
    faults = []
    for call in calls:
        file = build.file_of(call)
        result = run([peer, *call.arguments[:-1], call.input], cwd=build.objects,
                     env={**os.environ, "LC_ALL": "C", "LLVM_OBJCOPY": "objcopy"})
        ours, theirs = (section(path, ".BTF", build.folder) for path in (file, call.input))
        if result.returncode or ours is None or ours != theirs:
            faults.append(f"{file.name}: {len(ours or b'')} bytes, PEER (exit status {result.returncode}) "
                          f"has {len(theirs or b'')} {result.stderr.strip()}")
    checks.result(what, "; ".join(faults))


def check_compiler(checks, compiler, source, program, peer, folder):
    name = f"{source.name} {compiler}"
    missing = [tool for tool in COMPILERS[compiler][1] if not shutil.which(tool)]
    if missing:
        checks.skip(name, f"no {' '.join(missing)}")
        return
    build = Build(compiler, source, program, folder)
    fault = build.configure()
    checks.result(f"{name}: configuration with BTF", fault)
    if fault:
        return
    start = time.monotonic()
    fault = build.make("vmlinux", "modules")
    checks.result(f"{name}: build, {time.monotonic() - start:.0f} s", fault)
    if fault:
        return
    calls = build.calls()
    if not check_calls(checks, name, build, calls):
        return
    check_readable(checks, name, build, calls)
    check_ids(checks, name, build, next(call for call in calls if not call.is_module))
    check_bytes(checks, name, build, calls, peer)


def unpack_source(folder):
    """Fetches and unpacks; the tree, or None after saying why not."""
    fetched = subprocess.run([ROOT / "scripts/fetch_kernel.sh", *SOURCE], stdout=subprocess.PIPE, text=True)
    if fetched.returncode:
        return None
    archive = fetched.stdout.splitlines()[-2]
    subprocess.run(["tar", "-C", folder, "-xf", archive], check=True)
    return next(folder.iterdir())


def main():
    build = pathlib.Path(os.environ.get("SMELT_BUILD_DIR") or ROOT / "build/release")
    program, peer = build.resolve() / "pahole", os.environ.get("PEER")
    peer = peer and shutil.which(os.path.abspath(peer) if os.path.exists(peer) else peer)
    if os.environ.get("PEER") and not peer:
        sys.exit(f"check_kbuild.py: no program {os.environ['PEER']}")
    compilers = (os.environ.get("COMPILERS") or " ".join(COMPILERS)).split()
    if not set(compilers) <= set(COMPILERS):
        sys.exit(f"check_kbuild.py: COMPILERS are some of: {' '.join(COMPILERS)}")
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="smelt-check-kbuild-") as temporary:
        folder = pathlib.Path(temporary)
        (folder / "source").mkdir()
        source = unpack_source(folder / "source")
        if not source:
            checks.result("source of the kernel", "could not be had")
            return checks.summary()
        for compiler in compilers:
            check_compiler(checks, compiler, source, program, peer, folder / compiler)
            # Half of the disk space.
            shutil.rmtree(folder / compiler, ignore_errors=True)
    return checks.summary()


if __name__ == "__main__":
    sys.exit(main())
