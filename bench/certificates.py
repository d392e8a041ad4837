#!/usr/bin/env python3
"""Certificates: what writing and verifying them costs, and how large they are.

usage: certificates.py NESTOR SCRATCH-FOLDER [MODEL.rsm …]

Each figure is the processor time of a whole command, so that what else the machine does counts little,
and a median; the commands take turns. On each model, given ones and a random program of a million nodes:

  writing    (check --certificate - check) / check
  verifying  verify / info, which does nothing but read the model
  bytes      of the certificate of AG (p -> EF q), uncompressed, for each node of the model
"""

import json
import pathlib
import re
import resource
import statistics
import subprocess
import sys

import figures

RUNS = 5
NODES = 1000000


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1) or done.stderr.startswith(b"error"):
        sys.exit(f"{command}: exit status {done.returncode}: {done.stderr.decode()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(nestor, model, formula, certificate):
    info = [nestor, "info", model]
    check = [nestor, "check", model, "-f", formula, "--jobs=1"]
    certify = [*check, f"--certificate={certificate}"]
    verify = [nestor, "verify", model, certificate, "-f", formula]
    times = [[], [], [], []]
    for _ in range(RUNS):
        for command, of_command in zip((info, check, certify, verify), times):
            of_command.append(processor_seconds(command))
    return [statistics.median(of_command) for of_command in times]


def row(nestor, name, model, formula, shown, certificate):
    info, check, certify, verify = measure(nestor, model, formula, certificate)
    listing = subprocess.run([nestor, "info", "--json", model], capture_output=True, text=True, check=True)
    nodes = json.loads(listing.stdout)["nodes"]
    size = certificate.stat().st_size
    return [name, f"`{shown}`", nodes, f"{(certify - check) / check:.2f}", f"{verify / info:.2f}", f"{size / nodes:.1f}"]


def main():
    nestor, scratch, models = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    scratch.mkdir(parents=True, exist_ok=True)
    certificate = scratch / "bench.cert"
    rows = []
    for model in map(pathlib.Path, models):
        formulas = model.with_name(f"{model.stem}_single_usedef.ctl").read_text(encoding="utf-8")
        variable = re.search(r"\bdef__(\w+)", formulas).group(1)
        formula = f"AG (def__{variable} -> EF use__{variable})"
        rows.append(row(nestor, model.stem, model, formula, "AG (p -> EF q)", certificate))
    program = scratch / "program.rsm"
    subprocess.run([nestor, "generate", "program", f"--nodes={NODES}", "--seed=7", "--labels=p:0.1,q:0.1",
                    "-o", str(program)], check=True)
    for formula in ("AG (p -> EF q)", "AG (p -> AF q)", "E [p U q]", "AX AX p"):
        rows.append(row(nestor, "program", program, formula, formula, certificate))
    figures.store("certificates", ["model", "formula", "nodes", "writing (goal: 3)", "verifying (goal: 5)",
                                   "bytes a node (goal: 64)"], rows)
    figures.rewrite()
    program.unlink()
    certificate.unlink()


if __name__ == "__main__":
    main()
