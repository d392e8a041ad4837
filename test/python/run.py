#!/usr/bin/env python3
"""Tests of the Python module, by Debian's Python: pytest's, the code of docs/python.md, and mypy's of the stubs.

usage: run.py PYTHON PACKAGE-FOLDER SOURCE-ROOT
"""

import os
import pathlib
import subprocess
import sys


def has(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def main():
    python, package, root = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if not list(package.glob("nestor/_nestor*.so")):
        print("the Python module is not built ('make python' installs what it needs)")
        return 77
    if missing := [module for module in ("pytest", "numpy") if not has(python, module)]:
        print(f"Python has no {', '.join(missing)} ('make python' installs it)")
        return 77
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    status = subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", root / "test/python"],
                            env=environment, check=False).returncode
    if not has(python, "mypy"):
        print("mypy is missing: the stubs are not checked")
        return status
    return status or subprocess.run([python, "-m", "mypy", "--strict", "--cache-dir=/dev/null", root / "python/nestor"],
                                    cwd=root, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
