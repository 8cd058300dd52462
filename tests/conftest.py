# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What all suites share: tests/support on the module path, and options."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))


def pytest_addoption(parser):
    parser.addoption("--rewrite", action="store_true",
                     help="golden tests: write expectations instead of comparing (PEER=PAHOLE: from that one)")
