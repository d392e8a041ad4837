#!/usr/bin/env python3
"""Compares verdicts on nets of the Model Checking Contest with the contest's own.

usage: mcc.py NESTOR SOURCE-ROOT SCRATCH-FOLDER

The nets are not part of this repository: they lie in ../shared/models beside the sources, or where
the environment variable NESTOR_MODELS says. Where they are absent the test is skipped.
"""

import json
import os
import pathlib
import subprocess
import sys
import tarfile

SKIPPED = 77
NETS = 18
FORMULAS = 32
# The default, and those for finite models. Each decides every formula of every net.
ENGINES = ["summary", "emc", "almc", "dfs"]


def run(nestor, *arguments):
    done = subprocess.run([nestor, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(map(str, arguments))}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def expected_of(net):
    """{formula: "TRUE" or "FALSE"}, number of reachable markings."""
    verdicts, markings = {}, None
    for line in (net / "expected.tsv").read_text(encoding="utf-8").splitlines():
        name, value = line.split("\t")
        if name.startswith("#"):
            markings = int(value)
        else:
            verdicts[name] = value
    return verdicts, markings


def check_net(nestor, net):
    expected, markings = expected_of(net)
    problems = []
    if len(expected) != FORMULAS:
        problems.append(f"{net.name}: {len(expected)} expected verdicts, there should be {FORMULAS}")
    files = [net / "CTLCardinality.xml", net / "CTLFireability.xml"]
    for engine in ENGINES:
        found = {}
        for line in run(nestor, "check", "--mcc", f"--engine={engine}", net / "model.pnml", *files).splitlines():
            word, name, verdict, techniques, how = line.split(" ", 4)
            if (word, techniques, how) != ("FORMULA", "TECHNIQUES", "EXPLICIT"):
                problems.append(f"{net.name} [{engine}]: odd line: {line}")
            found[name] = verdict
        for name in sorted(expected.keys() | found.keys()):
            if found.get(name) != expected.get(name):
                problems.append(f"{name} [{engine}]: {found.get(name)}, the contest says {expected.get(name)}")
    nodes = json.loads(run(nestor, "info", "--json", net / "model.pnml"))["nodes"]
    if nodes != markings:
        problems.append(f"{net.name}: {nodes} markings, the contest says {markings}")
    print(f"{net.name}: {nodes} markings, {len(expected)} formulas, {len(problems)} problems", flush=True)
    return problems


def main():
    nestor, root, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    models = pathlib.Path(os.environ.get("NESTOR_MODELS", root.resolve().parent / "shared" / "models"))
    archive = models / "mcc" / "nets.tar.xz"
    if not archive.exists():
        print(f"skipped: {archive} does not exist; set NESTOR_MODELS")
        return SKIPPED
    folder = scratch / "mcc"
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as tar:
        tar.extractall(folder)
    nets = sorted(path.parent for path in folder.glob("*/model.pnml"))
    problems = [problem for net in nets for problem in check_net(nestor, net)]
    if len(nets) != NETS:
        problems.append(f"{len(nets)} nets, there should be {NETS}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
