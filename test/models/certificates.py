#!/usr/bin/env python3
"""Every use-def formula of two Java programs: certified, the certificates verified.

usage: certificates.py CERTIFY-FILE-PROGRAM SOURCE-ROOT SCRATCH-FOLDER

The models are found as by java.py, and the test is skipped where they are absent.
"""

import os
import pathlib
import subprocess
import sys
import zipfile

SKIPPED = 77
MODELS = ["avroraMedTest", "avroraReg"]


def main():
    program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    models = pathlib.Path(os.environ.get("NESTOR_MODELS", source.resolve().parent / "shared" / "models"))
    java = models / "java"
    if not java.is_dir():
        print(f"skipped: there is no folder {java}; set NESTOR_MODELS to the folder of the models")
        return SKIPPED
    scratch.mkdir(parents=True, exist_ok=True)
    problems = 0
    for name in MODELS:
        with zipfile.ZipFile(java / f"{name}.zip") as archive:
            archive.extractall(scratch)
        truths = (java / f"{name}.expected.tsv").read_text(encoding="utf-8").splitlines()
        holding = sum(line.startswith("true\t") for line in truths)
        done = subprocess.run([program, scratch / f"{name}.rsm", scratch / f"{name}_usedef.ctl"],
                              capture_output=True, text=True, check=False)
        expected = f"{len(truths)} formulas, {holding} hold, {len(truths) - holding} fail, 0 problems\n"
        print(f"{name}: {done.stdout}{done.stderr}", end="", flush=True)
        if done.returncode != 0 or done.stdout != expected:
            problems += 1
            print(f"{name}: expected {expected}", end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
