#!/usr/bin/env python3
"""Gives nestor every malformed formula of formulas.txt and compares place and message.

usage: formulas.py NESTOR

nestor must exit with status 2 and print one line, with line and column, to standard error and nothing else.
"""

import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

MODEL = """{"initial_component": "main", "initial_node": "n", "components": [{"name": "main",
"nodes": [{"name": "n", "labels": ["p"], "is_entry": true, "is_exit": true}],
"boxes": [], "transitions": []}]}
"""
SMV = "MODULE main\nVAR x : boolean; n : 0..3;\nIVAR i : boolean;\n"
PUSHDOWN = "Rules:\ncsinit # -> csq main #;\ncsq main -> csq _;\nPropositions:\ncsq main p;\nMu Property:\n"


def command(kind, formula, folder, number):
    """What follows `nestor check`, and the name that the message begins with."""
    if kind == "formula":
        return ["model.rsm", "-f", formula], "<formula>"
    if kind == "mu":
        return ["model.rsm", f"--mu={formula}"], "<mu>"
    name = f"{number}.{'pdmu' if kind == 'pdmu' else 'smv'}"
    text = f"{PUSHDOWN}{formula}\n" if kind == "pdmu" else f"{SMV}{kind} {formula}\n"
    (folder / name).write_text(text, encoding="utf-8")
    return [name], name


def problem_of(nestor, folder, number, row):
    kind, formula, expected = row
    arguments, name = command(kind, formula.replace("·", " "), folder, number)
    done = subprocess.run([nestor, "check", *arguments], cwd=folder, check=False, capture_output=True,
                          encoding="utf-8")
    wanted = f"{name}:{expected}"
    if done.returncode == 2 and not done.stdout and done.stderr.rstrip("\n") == wanted:
        return ""
    return (f"{kind} {formula!r}:\n  expected {wanted}\n"
            f"  got      {done.stderr.rstrip()} {done.stdout.rstrip()} (status {done.returncode})")


def main():
    nestor = str(pathlib.Path(sys.argv[1]).resolve())
    table = pathlib.Path(__file__).with_name("formulas.txt").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "model.rsm").write_text(MODEL, encoding="utf-8")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            found = pool.map(lambda item: problem_of(nestor, folder, *item), enumerate(rows))
        problems = [problem for problem in found if problem]
    for problem in problems:
        print(problem)
    print(f"{len(rows)} malformed formulas, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
