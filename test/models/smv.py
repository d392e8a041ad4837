#!/usr/bin/env python3
"""Checks the models of NuSMV's distribution and compares the verdicts with NuSMV's own.

usage: smv.py NESTOR SOURCE-ROOT

The models are not part of this repository: the folder `smv` and the archive `smv-more.tar.xz` of
$NESTOR_MODELS, or of ../shared/models beside the source tree. Without them the test is skipped (exit
status 77). NuSMV prints its specifications with other blanks and parentheses than the file has; these do
not count here.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

# Of the archive: models with more than ten million states.
TOO_LARGE = {"examples_psl-samples_syncarb10", "examples_smv-dist_syncarb10", "examples_deadlock_gas-nq7"}

VERDICTS = {"true": "holds", "false": "fails"}


def folder_of_models(root):
    given = os.environ.get("NESTOR_MODELS")
    return pathlib.Path(given) if given else root.parent / "shared/models"


def bare(text):
    """The formula without blanks and parentheses, sets in one order, and the instance it stands in."""
    formula, _, instance = text.partition(" IN ")
    formula = re.sub(r"{[^}]*}", lambda found: str(sorted(re.findall(r"\w+", found[0]))), formula)
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
        return None, f"unknown: {result['formula']} ({result['reason']})"
    return sorted((*bare(r["formula"]), r["verdict"]) for r in results
                  if not r["formula"].startswith("COMPUTE")), ""


def answers_of(model):
    """NuSMV's: for each specification, as it is bare, the verdicts or numbers of those that are written so."""
    answers = collections.defaultdict(list)
    for line in model.with_suffix(".expected.tsv").read_text(encoding="utf-8").splitlines():
        if line:
            answer, _, formula = line.split("\t", 2)
            answers[bare(formula)].append(VERDICTS.get(answer, answer))
    return answers


def compare_more(nestor, model):
    """Problems, and how many specifications are decided."""
    done = subprocess.run([nestor, "check", str(model), "--json"], check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        return [done.stderr], 0
    answers = answers_of(model)
    problems, decided = [], 0
    for result in json.loads(done.stdout)["results"]:
        if result["verdict"] == "unknown":
            problems.append(f"unknown: {result['formula']} ({result['reason']})")
            continue
        decided += 1
        found = result.get("how", "")[2:] if result["formula"].startswith("COMPUTE") else result["verdict"]
        expected = answers[bare(re.sub(r"^(COMPUTE|INVARSPEC|LTLSPEC|PSLSPEC) ", "", result["formula"]))]
        if not expected or found not in expected:
            problems.append(f"{found}, expected {expected}: {result['formula']}")
        else:
            expected.remove(found)
    return problems, decided


def check_more(nestor, archive):
    count = problems = all_decided = 0
    with tempfile.TemporaryDirectory() as scratch, tarfile.open(archive) as tar:
        tar.extractall(scratch)
        for model in sorted(pathlib.Path(scratch).rglob("*.smv")):
            if model.stem in TOO_LARGE:
                continue
            found, decided = compare_more(nestor, model)
            count, problems, all_decided = count + 1, problems + len(found), all_decided + decided
            for problem in found:
                print(f"{model.name}: {problem}")
    print(f"{count} more models, {all_decided} specifications decided, {problems} problems")
    return problems == 0 and all_decided > 0


def main():
    nestor, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    folder, archive = folder_of_models(root) / "smv", folder_of_models(root) / "smv-more.tar.xz"
    if not folder.is_dir() and not archive.is_file():
        print("skipped: the models of NuSMV are not there, set NESTOR_MODELS")
        return 77
    problems = 0 if not archive.is_file() or check_more(nestor, archive) else 1
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
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
