# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The modules of the reference kernel, for check_kernel.py: split BTF on the kernel's own BTF.

All of them in one run of --each, for two numbers of threads; some also in a process of their own, and some with a
distilled base. The bytes are the known ones.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
DIGESTS = ROOT / "tests/data/module-digests.txt"
DISTILLED_DIGESTS = ROOT / "tests/data/distilled-digests.txt"
OPTIONS = ("--btf_features=default",)
# Threads and seed of the order of jobs.
RUNS = ((2, 0), (8, 1))
PEAK_MB_MAX = 400
# With ALL all of them.
ALONE = 40


def read_digests():
    """path below the folder of modules -> sha256"""
    lines = (line.split() for line in DIGESTS.read_text().splitlines() if not line.startswith("#"))
    return {path: digest for digest, path in lines}


def folder_of(kernel):
    """Where the kernel's modules are, or None."""
    boot = pathlib.Path(kernel.vmlinux)
    folder = boot.parents[1] / "lib/modules" / boot.name.removeprefix("vmlinux-")
    return folder if folder.is_dir() else None


def wrong_ones(expected, data_of):
    """What to say of modules whose bytes are not the known ones."""
    wrong = []
    for path, digest in expected.items():
        data = data_of(path)
        if data is None or hashlib.sha256(data).hexdigest() != digest:
            wrong.append(path)
    return f"{len(wrong)} of {len(expected)} differ, {wrong[0]} for one" if wrong else ""


def read(path):
    return path.read_bytes() if path.exists() else None


def check_each(checks, what, program, base, folder, expected, temporary, jobs, seed):
    order = temporary / "modules.order"
    order.write_text("".join(f"{path}\n" for path in expected))
    output = temporary / "modules"
    shutil.rmtree(output, ignore_errors=True)
    process = subprocess.Popen(
        [program, f"-j{jobs}", "--each", *OPTIONS, f"--btf_base={base}", f"--btf_encode_detached={output}",
         f"@{order}"], cwd=folder, stdin=subprocess.DEVNULL,
        env={**os.environ, "LC_ALL": "C", "SMELT_TEST_SHUFFLE": str(seed)})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    peak_mb = usage.ru_maxrss * 1024 / 1e6
    fault = f"exit status {process.returncode}" if process.returncode else \
        wrong_ones(expected, lambda path: read(output / f"{pathlib.Path(path).name}.btf"))
    if not fault and peak_mb > PEAK_MB_MAX:
        fault = f"at most {PEAK_MB_MAX} MB"
    checks.result(f"{what}: {len(expected)} with --each -j{jobs}, {usage.ru_utime + usage.ru_stime:.1f} s of "
                  f"CPU time, {peak_mb:.0f} MB", fault)


def check_alone(checks, what, program, base, folder, expected, temporary):
    count = len(expected) if os.environ.get("ALL") else ALONE
    chosen = dict(list(expected.items())[::len(expected) // count])
    output = temporary / "module.btf"

    def encode(path):
        output.unlink(missing_ok=True)
        subprocess.run([program, *OPTIONS, f"--btf_base={base}", f"--btf_encode_detached={output}",
                        folder / path], stdin=subprocess.DEVNULL)
        return read(output)

    checks.result(f"{what}: {len(chosen)} in a process each", wrong_ones(chosen, encode))


def check_distilled(checks, what, program, base, folder, temporary):
    """Both parts have the known bytes, and bpftool reads each pair."""
    rows = [line.split() for line in DISTILLED_DIGESTS.read_text().splitlines() if not line.startswith("#")]
    output = temporary / "distilled"
    result = subprocess.run(
        [program, "-j2", "--each", "--btf_features=default,distilled_base", f"--btf_base={base}",
         f"--btf_encode_detached={output}", *(folder / path for _, _, path in rows)], stdin=subprocess.DEVNULL)
    outputs = {path: output / f"{pathlib.Path(path).name}.btf" for _, _, path in rows}
    fault = f"exit status {result.returncode}" if result.returncode else \
        wrong_ones({path: digest for digest, _, path in rows}, lambda path: read(outputs[path])) or \
        wrong_ones({path: digest for _, digest, path in rows}, lambda path: read(base_of(outputs[path])))
    checks.result(f"{what}: {len(rows)} with a distilled base", fault)
    if not fault:
        check_pairs(checks, f"{what}: bpftool reads those with a distilled base", outputs.values())


def base_of(path):
    return path.with_name(f"{path.name}.base")


def check_pairs(checks, what, outputs):
    bpftool = shutil.which("bpftool", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if not bpftool:
        checks.skip(what, "no bpftool")
        return
    for path in outputs:
        result = subprocess.run([bpftool, "-B", base_of(path), "btf", "dump", "file", path], capture_output=True,
                                text=True)
        if result.returncode:
            checks.result(what, f"{path.name}: {result.stderr.strip()}")
            return
    checks.result(what, "")


def check(checks, kernel, program, kernel_btf, temporary):
    """kernel_btf: bytes of the kernel's BTF with the same options."""
    what = f"{kernel.name} modules"
    folder = folder_of(kernel)
    if not folder or not kernel.is_known:
        checks.skip(what, "digests are for another version" if folder else "not unpacked")
        return
    base = temporary / "base.btf"
    base.write_bytes(kernel_btf)
    expected = read_digests()
    missing = [path for path in expected if not (folder / path).exists()]
    if missing:
        checks.result(what, f"{len(missing)} are not there, {missing[0]} for one")
        return
    for jobs, seed in RUNS:
        check_each(checks, what, program, base, folder, expected, temporary, jobs, seed)
    check_alone(checks, what, program, base, folder, expected, temporary)
    check_distilled(checks, what, program, base, folder, temporary)
