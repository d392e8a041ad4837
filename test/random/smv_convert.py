#!/usr/bin/env python3
"""Random machines written as SMV and read back: formulas must have the same verdicts.

usage: smv_convert.py NESTOR [--cases=N] [--seed=S]
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from scale import scaled

FORMULAS = 12


def run(nestor, *arguments):
    done = subprocess.run([nestor, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def verdicts(nestor, model, formulas):
    status, out, err = run(nestor, "check", model, formulas, "--json", "--jobs=1")
    if status not in (0, 1):
        return f"{status}: {err}"
    return [r["verdict"] for r in json.loads(out)["results"]]


def compare(nestor, folder, seed):
    """None if SMV cannot express the machine; else what is wrong."""
    machine, smv, formulas = folder / "m.rsm", folder / "m.smv", folder / "f.ctl"
    boxes = seed % 3
    run(nestor, "generate", "rsm", f"--seed={seed}", "-o", machine, f"--components={1 + seed % 3}",
        f"--boxes={boxes}", "--nodes=6", "--entries=0.01", "--exits=0.01", f"--density={0.15 + seed % 4 * 0.1}",
        "--labels=a:0.5,b:0.5")
    run(nestor, "generate", "ctl", f"--seed={seed}", "-o", formulas, f"--count={FORMULAS}",
        "--propositions=a,b")
    status, _, err = run(nestor, "convert", machine, "-o", smv)
    if status != 0:
        return None if "which SMV cannot express" in err else err
    expected = verdicts(nestor, machine, formulas)
    found = verdicts(nestor, smv, formulas)
    if "is not declared" in found:  # no reachable state carries it, and so the file does not name it
        return None
    if expected != found:
        return f"{expected} as .rsm, {found} as .smv"
    status, _, err = run(nestor, "convert", smv, "-o", folder / "again.rsm")
    status, _, err = run(nestor, "convert", folder / "again.rsm", "-o", folder / "again.smv") if status == 0 \
        else (status, "", err)
    if status != 0:
        return err
    found = verdicts(nestor, folder / "again.smv", formulas)
    if found != expected and "is not declared" not in found:
        return f"{expected} first, {found} after the second time"
    # What cannot be reached is gone now, perhaps with every call; from then on nothing changes.
    for before, after in (("again", "third"), ("third", "fourth")):
        run(nestor, "convert", folder / f"{before}.smv", "-o", folder / f"{after}.rsm")
        run(nestor, "convert", folder / f"{after}.rsm", "-o", folder / f"{after}.smv")
    if (folder / "third.smv").read_text() != (folder / "fourth.smv").read_text():
        return "writing, reading and writing again changes the file"
    return ""


def main():
    nestor = sys.argv[1]
    options = dict(a[2:].split("=") for a in sys.argv[2:])
    seed, cases = int(options.get("seed", 1)), scaled(int(options.get("cases", 100)))
    compared = failures = 0
    for k in range(cases):
        with tempfile.TemporaryDirectory() as folder:
            problem = compare(nestor, pathlib.Path(folder), seed + k)
            if problem is None:
                continue
            compared += 1
            if problem:
                failures += 1
                print(f"seed {seed + k}: {problem}")
    print(f"{compared} of {cases} machines compared, {failures} failures")
    return 1 if failures or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
