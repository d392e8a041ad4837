#!/usr/bin/env python3
"""Measures `nestor lint` on the programs that build.sh made.

usage: measure.py NESTOR FOLDER [PROGRAM…]

One row a program: functions, nodes of the full model, the time that LLVM's own tool takes to read the bitcode
(opt --passes=verify, nothing else), and of nestor lint: to read, to check the default rules, which of them took longest and
the time of a run with that one alone, reading included, compared with LLVM's; the processor time of the run with all
default rules, which says most where the machine has other work; and the most memory. Then the alarms by rule. Times are
in seconds, of one run; the ratio compares times of the same minute.
"""

import collections
import json
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

ORDER = ["bzip2", "lua", "memcached", "sshd", "nginx", "redis", "sqlite3", "ninja", "git"]
LLVM_READER = ["opt-19", "--passes=verify", "--disable-output"]


def lint(nestor, bitcode, *options):
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([nestor, "lint", "--stats", "--quiet", *options, str(bitcode)], capture_output=True, text=True,
                          check=False)
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{bitcode}: {done.stderr[-500:]}")
    numbers = dict(re.findall(r"(?m)^([a-z][a-z_.-]*) +([0-9.]+)$", done.stderr))
    alarms = collections.Counter(re.findall(r"(?m) \[([a-z-]+)\]$", done.stdout))
    numbers["cpu"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, {name: float(value) for name, value in numbers.items()}, alarms


def programs(folder):
    """Those of docs/rules.md first, as it orders them; not the ones that repeat another."""
    found = {path.stem for path in folder.glob("*.bc") if not path.stem.endswith("-lto")}
    return [name for name in ORDER if name in found] + sorted(found - set(ORDER))


def tables(nestor, folder, names):
    """Sizes and times a program, alarms a rule, each as (header, rows)."""
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
        seconds, numbers, counts[name] = lint(nestor, bitcode)
        slowest = max((name for name in numbers if name.startswith("rule.")), key=numbers.get).split(".")[1]
        one, _, _ = lint(nestor, bitcode, f"--rule={slowest}")
        rows.append([name, int(numbers["program.functions"]), info["nodes"], f"{reading:.2f}",
                     f"{numbers['read.seconds']:.2f}", f"{numbers['check.seconds']:.2f}", f"{numbers['cpu']:.2f}",
                     f"`{slowest}`", f"{one:.2f}", f"{one / reading if reading else 0:.1f}", f"{numbers['memory.peak_bytes'] / 1e6:.0f}"])
        print(f"measured {name} in {seconds:.1f} s", file=sys.stderr, flush=True)
    rules = sorted({rule for alarms in counts.values() for rule in alarms})
    return ((["program", "functions", "nodes", "LLVM reads", "read", "all rules", "processor", "slowest rule", "alone",
              "ratio", "MB"], rows),
            (["rule", *names], [[f"`{rule}`", *(counts[name][rule] or "" for name in names)] for rule in rules]))


STEPS = {"none": "no values", "constants": "constants", "outcomes": "outcome exits", "conditions": "tracked conditions",
         "all": "refutation"}  # of --value-steps, each with those before it


def steps(nestor, folder, names):
    """What each step of following values costs and removes: (header, rows), of all programs together."""
    seconds, memory, counts = collections.Counter(), collections.Counter(), {step: collections.Counter() for step in STEPS}
    for step, alarms in counts.items():
        for name in names:
            _, numbers, found = lint(nestor, folder / f"{name}.bc", f"--value-steps={step}")
            seconds[step] += numbers["cpu"]
            memory[step] = max(memory[step], numbers["memory.peak_bytes"] / 1e6)
            alarms.update(found)
        print(f"measured {step}", file=sys.stderr, flush=True)
    rules = sorted({rule for alarms in counts.values() for rule in alarms})
    rows = [["processor, s", *(f"{seconds[step]:.1f}" for step in STEPS)],
            ["most memory, MB", *(f"{memory[step]:.0f}" for step in STEPS)],
            ["alarms", *(sum(counts[step].values()) for step in STEPS)],
            *([f"`{rule}`", *(counts[step][rule] or "" for step in STEPS)] for rule in rules)]
    return ["", *STEPS.values()], rows


def main():
    nestor, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    for header, rows in tables(nestor, folder, sys.argv[3:] or programs(folder)):
        print()
        for row in [header, ["---"] * len(header), *rows]:
            print(f"| {' | '.join(map(str, row))} |")


if __name__ == "__main__":
    main()
