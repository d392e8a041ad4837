#!/usr/bin/env python3
"""Compares verdicts on real Java programs with exact ones found by other means.

usage: java.py NESTOR SOURCE-ROOT SCRATCH-FOLDER

The models are not part of this repository: they lie in ../shared/models beside the sources, or where
the environment variable NESTOR_MODELS says. Where they are absent the test is skipped.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import zipfile

SKIPPED = 77

# Verdicts on <model>_single_usedef.ctl. The published ones differ on four of the models, because
# calls of empty procedures were taken for calls that never return. The second formula of dom2pdf
# speaks of a variable that does not exist.
SINGLE = {
    "dataflow": ["fails"],
    "avroraReg": ["fails"],
    "avroraELF": ["fails"],
    "avroraMedTest": ["holds"],
    "dom2pdf": ["fails", "holds"],
    "fop2pdf": ["fails"],
}


def verdicts(nestor, engine, model, formulas):
    command = [nestor, "check", "--json", f"--engine={engine}", str(model), str(formulas)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr}")
    return [(result["verdict"], result["formula"]) for result in json.loads(done.stdout)["results"]]


def without_blanks(text):
    return "".join(text.split())


def check_all(nestor, engine, folder, name, expected):
    """Every formula of <name>_usedef.ctl against the lines of <name>.expected.tsv."""
    rows = [line.split("\t", 1) for line in expected.read_text(encoding="utf-8").splitlines()]
    found = verdicts(nestor, engine, folder / f"{name}.rsm", folder / f"{name}_usedef.ctl")
    problems = []
    if len(found) != len(rows):
        problems.append(f"{name} [{engine}]: {len(found)} verdicts, {len(rows)} expected")
    for (verdict, formula), (truth, text) in zip(found, rows):
        if without_blanks(formula) != without_blanks(text):
            problems.append(f"{name} [{engine}]: {formula} does not match the expected line {text}")
        if verdict != ("holds" if truth == "true" else "fails"):
            problems.append(f"{name} [{engine}]: {verdict}, expected {truth}: {formula}")
    print(f"{name} [{engine}]: {len(found)} formulas, {len(problems)} problems", flush=True)
    return problems


def check_single(nestor, engine, folder, name):
    found = [verdict for verdict, _ in
             verdicts(nestor, engine, folder / f"{name}.rsm", folder / f"{name}_single_usedef.ctl")]
    print(f"{name}_single_usedef [{engine}]: {', '.join(found)}", flush=True)
    return [] if found == SINGLE[name] else [f"{name}_single_usedef [{engine}]: {found}, expected {SINGLE[name]}"]


def components(nestor, model):
    done = subprocess.run([nestor, "info", "--json", str(model)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["components"]


def check_formats(nestor, folder, name):
    """The pushdown systems from which the models were made: the same verdicts, as many components."""
    problems = []
    for formulas in (folder / f"{name}_usedef.ctl", folder / f"{name}_single_usedef.ctl"):
        found = [verdicts(nestor, "summary", folder / f"{name}{extension}", formulas)
                 for extension in (".rsm", ".pds", ".pdmu")]
        if not found[0] == found[1] == found[2]:
            problems.append(f"{formulas.name}: the formats differ in their verdicts")
    sizes = [components(nestor, folder / f"{name}{extension}") for extension in (".rsm", ".pds", ".pdmu")]
    if not sizes[0] == sizes[1] == sizes[2]:
        problems.append(f"{name}: {sizes} components")
    made = subprocess.run([nestor, "generate", "usedef", str(folder / f"{name}.pdmu")], capture_output=True,
                          text=True, check=True).stdout
    variables = set(re.findall(r"\bdef__(\S+) \|", made))
    wanted = set(re.findall(r"\bdef__(\S+) \|", (folder / f"{name}_usedef.ctl").read_text(encoding="utf-8")))
    if variables != wanted or len(variables) != len(made.splitlines()):
        problems.append(f"{name}: {len(variables)} use-def formulas, {len(wanted)} in the published file")
    print(f"{name}: .rsm, .pds and .pdmu, {len(problems)} problems, {len(variables)} of {len(wanted)} variables",
          flush=True)
    return problems


def check_witnesses(nestor, folder, name, every):
    """Witnesses of the failing formulas are replayed; what no path shows is decided by another engine."""
    file = folder / f"{name}.witness.json"
    formulas = folder / f"{name}{'' if every else '_single'}_usedef.ctl"
    command = [nestor, "check", f"--witness={file}", str(folder / f"{name}.rsm"), str(formulas)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or "no witness" in done.stderr:
        return [f"{' '.join(command)}: {done.returncode} {done.stderr}"]
    problems, replayed = [], 0
    for result in json.loads(file.read_text(encoding="utf-8"))["results"]:
        if result["verdict"] == "fails" and replayed < 3:
            replayed += 1
            done = subprocess.run([nestor, "replay", str(folder / f"{name}.rsm"), result["formula"], str(file)],
                                  capture_output=True, text=True, check=False)
            if done.stdout != "accepted: fails\n":
                problems.append(f"{name}: {result['formula']}: {done}")
    print(f"{name}: {replayed} witnesses replayed, {len(problems)} problems", flush=True)
    return problems


def main():
    nestor, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    models = pathlib.Path(os.environ.get("NESTOR_MODELS", source.resolve().parent / "shared" / "models"))
    java = models / "java"
    if not java.is_dir():
        print(f"skipped: there is no folder {java}; set NESTOR_MODELS to the folder of the models")
        return SKIPPED
    listing = subprocess.run([nestor, "engines", "--json"], capture_output=True, text=True, check=True)
    engines = [engine["id"] for engine in json.loads(listing.stdout)["engines"]]
    scratch.mkdir(parents=True, exist_ok=True)
    for archive in sorted(java.glob("*.zip")):
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(scratch)
    problems, ran = [], 0
    for engine in [name for name in ("summary", "lazy") if name in engines]:
        ran += 1
        for name in SINGLE:
            problems += check_single(nestor, engine, scratch, name)
    every = "summary" if "summary" in engines else "lazy"
    if every in engines:
        for expected in sorted(java.glob("*.expected.tsv")):
            problems += check_all(nestor, every, scratch, expected.name.split(".")[0], expected)
    if "summary" in engines:
        for name in SINGLE:
            problems += check_formats(nestor, scratch, name)
            problems += check_witnesses(nestor, scratch, name, name in ("dataflow", "avroraReg"))
    for problem in problems[:20]:
        print(problem)
    if ran == 0:
        print("skipped: neither engine 'summary' nor engine 'lazy' is there")
        return SKIPPED
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
