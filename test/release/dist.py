#!/usr/bin/env python3
"""Two runs of tools/dist.sh give the same bytes, and the tarball has what a build needs.

usage: dist.py SOURCE-ROOT
"""

import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time

NEEDED = ["CMakeLists.txt", "Makefile", "include/nestor/nestor.h", "src/driver/run.cpp", "LICENSE", "CHANGELOG.md"]


def main():
    root = pathlib.Path(sys.argv[1])
    if subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, check=False).returncode != 0:
        print("no git repository here: there is nothing to make a tarball of")
        return 77
    made = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("one", "two"):
            subprocess.run([root / "tools/dist.sh", pathlib.Path(folder) / name], check=True, capture_output=True)
            [path] = (pathlib.Path(folder) / name).glob("*.tar.gz")
            made.append(path.read_bytes())
            time.sleep(1.1 if name == "one" else 0)  # a time of day in the file would differ
        with tarfile.open(path) as tarball:
            names = set(tarball.getnames())
    version = re.search(r"project\(nestor VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    missing = [name for name in NEEDED if f"nestor-{version}/{name}" not in names]
    if made[0] != made[1] or missing:
        print(f"the same bytes: {made[0] == made[1]}; missing: {missing}")
        return 1
    print(f"{len(made[0])} bytes, twice the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
