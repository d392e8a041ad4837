"""What the program that is tested was built with, and what stands beside it, for tests that need it."""

import shutil
import subprocess

SKIPPED = 77
CLANG = "clang-19"


def has_llvm(nestor):
    """Asked by what needs no file: of one that cannot be opened nobody hears whether it could have been read."""
    done = subprocess.run([nestor, "cc", "--version"], capture_output=True, text=True, check=False)
    return "without LLVM" not in done.stderr


def missing_for_programs(nestor):
    """Empty if C programs can be compiled and read, else what to say when the test is skipped."""
    if has_llvm(nestor) and shutil.which(CLANG):
        return ""
    return f"skipped: needs a nestor with LLVM, and {CLANG}"
