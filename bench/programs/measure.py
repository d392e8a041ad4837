#!/usr/bin/env python3
"""Measures `nestor lint` on the programs that build.sh made.

usage: measure.py NESTOR FOLDER [PROGRAM…]

One row a program: functions, nodes of the full model, the time that LLVM's own tool takes to read the bitcode
(opt --passes=verify, nothing else), and of nestor lint: to read, to check the default rules, which of them took longest and
the time of a run with that one alone, reading included, compared with LLVM's; and the most memory. Then the alarms by
rule. Times are in seconds, of one run; the ratio compares times of the same minute.
"""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

LLVM_READER = ["opt-19", "--passes=verify", "--disable-output"]


def lint(nestor, bitcode, *options):
    start = time.monotonic()
    done = subprocess.run([nestor, "lint", "--stats", "--quiet", *options, str(bitcode)], capture_output=True, text=True,
                          check=False)
    seconds = time.monotonic() - start
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{bitcode}: {done.stderr[-500:]}")
    numbers = dict(re.findall(r"(?m)^([a-z][a-z_.-]*) +([0-9.]+)$", done.stderr))
    alarms = collections.Counter(re.findall(r"(?m) \[([a-z-]+)\]$", done.stdout))
    return seconds, {name: float(value) for name, value in numbers.items()}, alarms


def main():
    nestor, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    names = sys.argv[3:] or sorted(path.stem for path in folder.glob("*.bc"))
    counts, rows = {}, []
    for name in names:
        bitcode = folder / f"{name}.bc"
        info = json.loads(subprocess.run([nestor, "info", "--json", str(bitcode)], capture_output=True, text=True,
                                         check=True).stdout)
        reading = 0.0
        if shutil.which(LLVM_READER[0]):
            start = time.monotonic()
            subprocess.run([*LLVM_READER, str(bitcode)], check=True)
            reading = time.monotonic() - start
        seconds, numbers, alarms = lint(nestor, bitcode)
        slowest = max((name for name in numbers if name.startswith("rule.")), key=numbers.get).split(".")[1]
        one, _, _ = lint(nestor, bitcode, f"--rule={slowest}")
        counts[name] = alarms
        rows.append((name, int(numbers["program.functions"]), info["nodes"], reading, numbers["read.seconds"],
                     numbers["check.seconds"], slowest, one, one / reading if reading else 0,
                     numbers["memory.peak_bytes"] / 1e6))
        print(f"measured {name} in {seconds:.1f} s", file=sys.stderr, flush=True)
    print("| program | functions | nodes | LLVM reads | read | all rules | slowest rule | alone | ratio | MB |\n"
          "|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        print("| {} | {} | {} | {:.2f} | {:.2f} | {:.2f} | `{}` | {:.2f} | {:.1f} | {:.0f} |".format(*row))
    print("\n| rule | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for rule in sorted({rule for alarms in counts.values() for rule in alarms}):
        print(f"| `{rule}` | " + " | ".join(str(counts[name][rule] or "") for name in names) + " |")


if __name__ == "__main__":
    main()
