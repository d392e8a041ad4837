#!/usr/bin/env python3
"""The recipes of docs/batch.md: make and GNU parallel, and with --slurm a job array of Slurm on this machine. Each gives the
report of one run, and its status.

usage: recipes.py NESTOR SOURCE-ROOT [--slurm]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CHECK = ["check", "examples/dataflow.rsm", "examples/dataflow.ctl", "--json", "--witness"]


def is_gnu(program):
    """moreutils has a 'parallel' as well."""
    if not shutil.which(program):
        return False
    done = subprocess.run([program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.stdout.startswith(f"GNU {program}")


def main():
    nestor, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    environment = {**os.environ, "NESTOR": nestor}
    problems, tried = [], []

    def run(*command, **more):
        return subprocess.run([str(word) for word in command], cwd=root, capture_output=True, text=True, check=False,
                              env={**environment, **more})

    def compare(what, done, out, one, status):
        tried.append(what)
        if not out.exists() or out.read_text() != one.stdout or status != one.returncode:
            problems.append(f"{what}: {done} {out.read_text() if out.exists() else 'no report'}\n{one.stdout}")

    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = pathlib.Path(name)
        one = run(nestor, *CHECK, "--reproducible")
        if shutil.which("make"):
            out = folder / "make.json"
            done = run("make", "-j2", "-f", "tools/batch/shards.mk", "SHARDS=3", f"OUT={out}", f"RUN={' '.join(CHECK)}")
            compare("make", done, out, one, int(pathlib.Path(f"{out}.status").read_text()) if done.returncode == 0 else -1)
            done = run("make", "-q", "-f", "tools/batch/shards.mk", "SHARDS=3", f"OUT={out}", f"RUN={' '.join(CHECK)}")
            if done.returncode != 0:
                problems.append(f"make would do it all again: {done}")
            out = folder / "bad.json"
            done = run("make", "-f", "tools/batch/shards.mk", "SHARDS=2", f"OUT={out}", "RUN=check no/such.rsm -f true")
            if done.returncode == 0 or out.exists():
                problems.append(f"make goes on without a model: {done}")
        else:
            print("make is missing: its recipe is left out")
        if is_gnu("parallel"):
            out = folder / "parallel.json"
            done = run("tools/batch/parallel.sh", 3, out, *CHECK)
            compare("GNU parallel", done, out, one, done.returncode)
            out = folder / "bad.json"
            done = run("tools/batch/parallel.sh", 2, out, "check", "no/such.rsm", "-f", "true")
            if done.returncode != 2 or out.exists():
                problems.append(f"parallel goes on without a model: {done}")
        else:
            print("GNU parallel is missing: its recipe is left out")
        if "--slurm" in sys.argv:
            here = folder / "slurm"
            done = run("tools/batch/slurm_here.sh", "start", here)
            if done.returncode == 77:
                print(done.stderr.strip())
                return 77
            if done.returncode != 0:
                print(done.stdout, done.stderr)
                return 1
            try:
                slurm = {"SLURM_CONF": f"{here}/slurm.conf"}
                print(run("sinfo", **slurm).stdout, end="")
                out = folder / "slurm.json"
                done = run("tools/batch/slurm.sh", 4, out, *CHECK, **slurm)
                compare("Slurm", done, out, one, done.returncode)
                out = folder / "bad.json"
                done = run("tools/batch/slurm.sh", 2, out, "check", "no/such.rsm", "-f", "true", **slurm)
                if done.returncode != 2 or out.exists() or "cannot open" not in done.stderr:
                    problems.append(f"slurm.sh goes on without a model: {done}")
            finally:
                run("tools/batch/slurm_here.sh", "stop", here)
    print("\n".join(problems) or f"{' and '.join(tried)} give the report of one run")
    return 1 if problems else (0 if tried else 77)


if __name__ == "__main__":
    sys.exit(main())
