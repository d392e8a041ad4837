#!/usr/bin/env python3
"""Gives nestor every broken file below this folder and compares the message, byte by byte.

usage: run.py NESTOR

A case is `<format>/<defect>.<extension>` with the line that nestor must print to standard error in
`<format>/<defect>.expected`. nestor must exit with status 2 and print nothing to standard output.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

MODEL = """{"initial_component": "main", "initial_node": "n", "components": [{"name": "main",
"nodes": [{"name": "n", "labels": ["p"], "is_entry": true, "is_exit": true}],
"boxes": [], "transitions": []}]}
"""
NET = """<pnml><net id="n"><place id="p"/><transition id="t"/></net></pnml>
"""


def arguments_for(case, model):
    if case.suffix == ".ctl":
        return ["check", str(model), case.name]
    if case.suffix == ".json":
        return ["replay", str(model), "p", case.name]
    if case.suffix == ".xml":
        return ["check", str(model.with_suffix(".pnml")), case.name]
    if case.suffix in (".pdmu", ".smv"):
        return ["check", case.name]  # its own properties, so that they are read too
    if case.parent.name == "rules":
        return ["rules", f"--rules={case.name}"]
    if case.parent.name == "externals":
        return ["info", "../../llvm/smallest.ll", f"--externals={case.name}"]
    if case.parent.name == "baseline":
        return ["lint", "../../llvm/smallest.ll", f"--baseline={case.name}"]
    return ["check", case.name, "-f", "true"]


def run_case(nestor, case, model):
    expected = case.with_suffix(".expected")
    if not expected.exists():
        return f"{case}: {expected.name} is missing"
    done = subprocess.run([nestor, *arguments_for(case, model)], cwd=case.parent, check=False,
                          capture_output=True)
    if done.returncode != 2:
        return f"{case}: exit status {done.returncode}, expected 2"
    if done.stdout:
        return f"{case}: standard output is not empty: {done.stdout[:200]!r}"
    wanted = expected.read_bytes().rstrip(b"\n")
    if done.stderr.rstrip(b"\n") != wanted:
        return f"{case}:\n  expected {wanted.decode()}\n  got      {done.stderr.decode(errors='replace').rstrip()}"
    return ""


def main():
    nestor = str(pathlib.Path(sys.argv[1]).resolve())
    here = pathlib.Path(__file__).parent
    cases = sorted(path for path in here.glob("*/*") if path.is_file() and path.suffix != ".expected")
    orphans = [path for path in here.glob("*/*.expected")
               if not any(case.with_suffix(".expected") == path for case in cases)]
    problems = [f"{path}: no broken file beside it" for path in orphans]
    if not features.has_llvm(nestor):
        print("skipped: what needs a nestor with LLVM")
        cases = [case for case in cases if case.parent.name not in ("llvm", "externals", "baseline")]
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.rsm"
        model.write_text(MODEL, encoding="utf-8")
        model.with_suffix(".pnml").write_text(NET, encoding="utf-8")
        sound = subprocess.run([nestor, "check", str(model), "-f", "p"], check=False, capture_output=True)
        if sound.returncode != 0:
            problems.append(f"the sound model is refused: {sound.stderr.decode()}")
        problems += [problem for case in cases if (problem := run_case(nestor, case, model))]
    for problem in problems:
        print(problem)
    print(f"{len(cases)} broken files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
