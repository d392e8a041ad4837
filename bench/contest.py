#!/usr/bin/env python3
"""Nets of the Model Checking Contest against the contest's verdicts.

usage: contest.py NESTOR ARCHIVE SCRATCH-FOLDER [--seconds=60] [--memory=4096] [--half=all|work|held]
                  [--only=TEXT] [--every=N] [--jobs=N] [--csv=FILE] [-- OPTIONS-OF-CHECK...]

Each formula file of each net is one run of `nestor check`; its output is not waited for longer than
the limits and a second. `--half`: the nets whose names hash to even ('work') or odd ('held')
numbers, so that what is tried on one half can be judged on the other. If `verifypn` is installed it
is run beside, one formula at a time with the same time a file.
"""

import argparse
import collections
import csv
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time

FILES = ["CTLCardinality.xml", "CTLFireability.xml"]
WORDS = {"holds": "TRUE", "fails": "FALSE"}


def is_held(name):
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 1


def expected_of(net):
    lines = (net / "expected.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))


def nestor_run(nestor, net, formulas, options):
    """{formula: (verdict, how)}, seconds, what was odd."""
    command = [nestor, "check", "--json", f"--timeout={options.seconds}", f"--memory={options.memory}",
               f"--jobs={options.jobs}", *options.more, net / "model.pnml", net / formulas]
    start = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              timeout=2 * float(options.seconds) + 30)
    except subprocess.TimeoutExpired:
        return {}, time.time() - start, "did not end"
    seconds = time.time() - start
    if done.returncode not in (0, 1, 3):
        return {}, seconds, f"exit status {done.returncode}: {done.stderr.strip()[:200]}"
    results = json.loads(done.stdout)["results"]
    late = "" if seconds <= float(options.seconds) + 1 else f"late: {seconds:.1f} s"
    return {r["name"]: (WORDS.get(r["verdict"]), r.get("how", "")) for r in results}, seconds, late


def verifypn_run(net, formulas, count, seconds):
    found = 0
    for i in range(count):
        done = subprocess.run(["verifypn", "-x", str(i + 1), net / "model.pnml", net / formulas],
                              capture_output=True, text=True, check=False, timeout=seconds)
        found += "is satisfied" in done.stdout or "is NOT satisfied" in done.stdout
    return found


def chosen_nets(folder, options):
    nets = sorted(path.parent for path in folder.glob("*/*/model.pnml"))
    nets = [net for net in nets if options.only in net.name]
    if options.half != "all":
        nets = [net for net in nets if is_held(net.name) == (options.half == "held")]
    return nets[:: options.every]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nestor")
    parser.add_argument("archive")
    parser.add_argument("folder")
    parser.add_argument("--seconds", default="60")
    parser.add_argument("--memory", default="4096")
    parser.add_argument("--half", default="all", choices=["all", "work", "held"])
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--csv")
    parser.add_argument("more", nargs="*")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    if not folder.exists():
        folder.mkdir(parents=True)
        with tarfile.open(options.archive) as tar:
            tar.extractall(folder)
    total, answered, wrong = collections.Counter(), collections.Counter(), 0
    by_how, rows, all_seconds, beside = collections.Counter(), [], 0.0, 0
    for net in chosen_nets(folder, options):
        expected = expected_of(net)
        kind = "coloured" if "-COL-" in net.name else "place/transition"
        for formulas in FILES:
            wanted = {n: v for n, v in expected.items() if formulas.split(".")[0] in n}
            found, seconds, odd = nestor_run(options.nestor, net, formulas, options)
            all_seconds += seconds
            right = 0
            for name, value in wanted.items():
                verdict, how = found.get(name, (None, ""))
                if verdict is not None and verdict != value:
                    print(f"WRONG {name}: {verdict} ({how}), the contest says {value}", flush=True)
                    wrong += 1
                elif verdict is not None:
                    right += 1
                    by_how[how] += 1
            total[kind] += len(wanted)
            answered[kind] += right
            if shutil.which("verifypn"):
                beside += verifypn_run(net, formulas, len(wanted), float(options.seconds))
            rows.append([net.name, formulas, len(wanted), right, f"{seconds:.2f}", odd])
            print(f"{net.name} {formulas}: {right} of {len(wanted)}, {seconds:.1f} s {odd}", flush=True)
    for kind in sorted(total):
        print(f"{kind}: {answered[kind]} of {total[kind]} answered"
              f" ({100 * answered[kind] / total[kind]:.1f} %)")
    for how, count in by_how.most_common():
        print(f"  {how or 'explored'}: {count}")
    print(f"{wrong} wrong, {all_seconds:.0f} s")
    if shutil.which("verifypn"):
        print(f"verifypn: {beside}")
    if options.csv:
        with open(options.csv, "w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([["net", "formulas", "asked", "answered", "seconds", "odd"], *rows])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
