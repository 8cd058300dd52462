# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Where the tree and the build are."""
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def build_dir():
    if "SMELT_BUILD_DIR" not in os.environ:
        pytest.skip("SMELT_BUILD_DIR is not set (run through ctest)")
    return pathlib.Path(os.environ["SMELT_BUILD_DIR"])


@pytest.fixture(scope="session")
def tracked():
    """Paths of the files git knows; in a release tarball, of all but the build's."""
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True)
    if listing.returncode == 0:
        names = listing.stdout.decode().split("\0")[:-1]
        return [ROOT / name for name in names if (ROOT / name).is_file()]
    return [p for p in sorted(ROOT.rglob("*"))
            if p.is_file() and p.relative_to(ROOT).parts[0] not in ("build", ".git")]
