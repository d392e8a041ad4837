#!/usr/bin/env python3
"""The proved checker beside `nestor verify`: processor time and memory of whole commands.

usage: proved.py NESTOR NESTOR-VERIFY-PROVED SCRATCH-FOLDER [MODEL.rsm …]

On each model, given ones and a random program of a million nodes, as certificates.py: the ratio of
the medians, the commands taking turns, and the most memory that the proved checker took.
"""

import os
import pathlib
import re
import statistics
import subprocess
import sys

import certificates
import figures

RUNS = 3


def usage(command):
    """Seconds of the processor and GiB at the peak."""
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    _, status, spent = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        sys.exit(f"{command}: status {status}")
    return spent.ru_utime + spent.ru_stime, spent.ru_maxrss / 2**20


def row(nestor, proved, name, model, formula, shown, certificate):
    subprocess.run([nestor, "check", str(model), "-f", formula, f"--certificate={certificate}"],
                   capture_output=True, check=False)
    times, peak = [[], []], 0
    for _ in range(RUNS):
        for command, of_command in zip(([nestor, "verify"], [proved]), times):
            seconds, memory = usage([*command, model, certificate])
            of_command.append(seconds)
            peak = memory if command == [proved] and memory > peak else peak
    verify, checker = map(statistics.median, times)
    return [name, f"`{shown}`", f"{checker / verify:.1f}", f"{peak:.2f}"]


def main():
    nestor, proved, scratch = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    scratch.mkdir(parents=True, exist_ok=True)
    certificate = scratch / "bench.cert"
    rows = []
    for model in map(pathlib.Path, sys.argv[4:]):
        formulas = model.with_name(f"{model.stem}_single_usedef.ctl").read_text(encoding="utf-8")
        variable = re.search(r"\bdef__(\w+)", formulas).group(1)
        formula = f"AG (def__{variable} -> EF use__{variable})"
        rows.append(row(nestor, proved, model.stem, model, formula, "AG (p -> EF q)", certificate))
    program = scratch / "program.rsm"
    subprocess.run([nestor, "generate", "program", f"--nodes={certificates.NODES}", "--seed=7",
                    "--labels=p:0.1,q:0.1", "-o", str(program)], check=True)
    for formula in ("AG (p -> EF q)", "AG (p -> AF q)", "E [p U q]", "AX AX p"):
        rows.append(row(nestor, proved, "program", program, formula, formula, certificate))
    figures.store("proved", ["model", "formula", "time, over `nestor verify` (goal: 20)", "GiB (goal: 4)"], rows)
    figures.rewrite()
    program.unlink()
    certificate.unlink()


if __name__ == "__main__":
    main()
