#!/usr/bin/env python3
"""Nets of the Model Checking Contest, decided without exploring them: no verdict may differ from the
contest's, and as many as before must be found.

usage: contest.py NESTOR SOURCE-ROOT SCRATCH-FOLDER

The nets are not part of this repository: they lie in ../shared/models beside the sources, or where
the environment variable NESTOR_MODELS says. Where they are absent the test is skipped. The limit is
one of steps: the same on every machine.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tarfile

SKIPPED = 77
NETS = 40
STEPS = 40_000
LARGEST = 250_000  # bytes of a net
WORDS = {"holds": "TRUE", "fails": "FALSE"}
# Of all formulas of these nets, with and without the state equation (GLPK).
LEAST = 500


def expected_of(net):
    lines = (net / "expected.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))


def check_net(nestor, net):
    """Verdicts found, what is wrong."""
    files = [net / "CTLCardinality.xml", net / "CTLFireability.xml"]
    done = subprocess.run([nestor, "check", "--json", f"--steps={STEPS}", net / "model.pnml", *files],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        return 0, [f"{net.name}: exit status {done.returncode}: {done.stderr}"]
    expected, found, problems = expected_of(net), 0, []
    for result in json.loads(done.stdout)["results"]:
        verdict, right = WORDS.get(result["verdict"]), expected.get(result["name"])
        if verdict is not None and right is not None:
            found += 1
            if verdict != right:
                problems.append(f"{result['name']}: {verdict} ({result.get('how', '')}), the contest says {right}")
    return found, problems


def main():
    nestor, root, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    models = pathlib.Path(os.environ.get("NESTOR_MODELS", root.resolve().parent / "shared" / "models"))
    archive = models / "mcc" / "contest.tar.xz"
    if not archive.exists():
        print(f"skipped: {archive} does not exist; set NESTOR_MODELS")
        return SKIPPED
    folder = scratch / "contest"
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as tar:
        tar.extractall(folder)
    nets = sorted(path.parent for path in folder.glob("*/*/model.pnml"))
    small = [net for net in nets if (net / "model.pnml").stat().st_size < LARGEST]
    chosen = small[:: max(1, len(small) // NETS)][:NETS]
    found, problems = 0, []
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for net, (count, wrong) in zip(chosen, pool.map(lambda net: check_net(nestor, net), chosen)):
            print(f"{net.name}: {count} verdicts", flush=True)
            found += count
            problems += wrong
    if len(chosen) != NETS:
        problems.append(f"{len(chosen)} nets, there should be {NETS}")
    if found < LEAST:
        problems.append(f"{found} verdicts, there should be {LEAST}")
    print(f"{found} verdicts of {len(chosen)} nets, {len(problems)} problems")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
