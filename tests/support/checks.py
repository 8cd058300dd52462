# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What scripts that check real kernels share: they take minutes, so each outcome is printed as it comes."""


class Checks:
    """Counts outcomes and prints them as they come."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def result(self, what, fault):
        """`fault` is empty or says what is wrong."""
        if fault:
            self.failed += 1
            print(f"FAILED   {what}: {fault}", flush=True)
        else:
            self.passed += 1
            print(f"ok       {what}", flush=True)

    def skip(self, what, reason):
        self.skipped += 1
        print(f"SKIPPED  {what}: {reason}", flush=True)

    def summary(self):
        """Prints the counts; the exit status that they amount to."""
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed or not self.passed else 0
