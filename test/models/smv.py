#!/usr/bin/env python3
"""Checks the models of NuSMV's distribution and compares the verdicts with NuSMV's own.

usage: smv.py NESTOR SOURCE-ROOT

The models are not part of this repository: the folder `smv` of $NESTOR_MODELS, or of
../shared/models beside the source tree. Without it the test is skipped (exit status 77). NuSMV prints
its specifications with other blanks and parentheses than the file has; these do not count here.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

VERDICTS = {"true": "holds", "false": "fails"}


def folder_of_models(root):
    given = os.environ.get("NESTOR_MODELS")
    folder = (pathlib.Path(given) if given else root.parent / "shared/models") / "smv"
    return folder if folder.is_dir() else None


def bare(text):
    """The formula without blanks and parentheses, and the instance it stands in."""
    formula, _, instance = text.partition(" IN ")
    return re.sub(r"[\s()]", "", formula), instance.strip()


def expected_of(path):
    rows = [line.split("\t", 1) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return sorted((*bare(formula), VERDICTS[verdict]) for verdict, formula in rows)


def verdicts_of(nestor, model):
    done = subprocess.run([nestor, "check", str(model), "--json"], check=False, capture_output=True,
                          text=True)
    if done.returncode not in (0, 1, 3):
        return None, done.stderr
    results = json.loads(done.stdout)["results"]
    other = [r for r in results if r["verdict"] == "unknown"]
    for result in other:
        if not result["reason"].startswith("unsupported: COMPUTE"):
            return None, f"unknown: {result['formula']} ({result['reason']})"
    return sorted((*bare(r["formula"]), r["verdict"]) for r in results if r not in other), ""


def main():
    nestor, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    folder = folder_of_models(root)
    if folder is None:
        print("skipped: the models of NuSMV are not there, set NESTOR_MODELS")
        return 77
    problems = 0
    models = sorted(folder.glob("*.smv"))
    formulas = 0
    for model in models:
        expected = expected_of(model.with_suffix(".expected.tsv"))
        found, problem = verdicts_of(nestor, model)
        if found != expected:
            problems += 1
            print(f"{model.name}: {problem}\n  expected {expected}\n  found    {found}")
        formulas += len(expected)
    print(f"{len(models)} models, {formulas} formulas, {problems} problems")
    return 1 if problems or not models else 0


if __name__ == "__main__":
    sys.exit(main())
