#!/usr/bin/env python3
"""Runs every regression case with every engine that can handle it.

usage: run.py NESTOR [FOLDER]

A case is a model, `x.rsm` or a net `x.pnml` or `x.net`, with its formulas in `x.ctl` beside it. Each formula line of the .ctl file
comes after comment lines that say what is expected:

    # EXPECT: holds | fails | unknown
    # ENGINES: reference, summary (a reason)     only these engines; without it: all
    # ARGS: --dead-ends=loop                     for the whole file, at its top

An engine that says it cannot handle a model (`unknown` where a verdict is expected, with every
formula of the file unknown) is passed over; `reference` may never be.
"""

import json
import pathlib
import re
import subprocess
import sys

MODELS = (".rsm", ".pnml", ".net")
DIRECTIVE = re.compile(r"#\s*(EXPECT|ENGINES|ARGS):\s*(.*)")


def read_case(path):
    """The expectations of a .ctl file, in order, and extra arguments."""
    expected, arguments = [], []
    verdict, engines = None, None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.strip()
        match = DIRECTIVE.match(line)
        if match and match[1] == "EXPECT":
            verdict = match[2].strip()
            if verdict not in ("holds", "fails", "unknown"):
                raise ValueError(f"{path}:{number}: EXPECT: {verdict}")
        elif match and match[1] == "ENGINES":
            listed = re.fullmatch(r"([\w, -]+?)\s*\((.+)\)", match[2].strip())
            if not listed:
                raise ValueError(f"{path}:{number}: ENGINES needs a list and a reason in parentheses")
            engines = [name.strip() for name in listed[1].split(",")]
        elif match:
            arguments = match[2].split()
        elif line and not line.startswith("#"):
            if verdict is None:
                raise ValueError(f"{path}:{number}: a formula without EXPECT")
            expected.append({"line": number, "verdict": verdict, "engines": engines})
            verdict, engines = None, None
    if not expected:
        raise ValueError(f"{path}: no formula")
    return expected, arguments


def run_case(nestor, model, engine, arguments):
    formulas = model.with_suffix(".ctl")
    # A witness that cannot be replayed is an internal error.
    command = [nestor, "check", "--json", "--witness", f"--engine={engine}", *arguments, str(model), str(formulas)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        return None, f"exit status {done.returncode}: {done.stderr.strip()}"
    return json.loads(done.stdout)["results"], ""


def compare(nestor, model, engine, expected, arguments):
    """Messages about what is wrong, and whether the engine was passed over."""
    results, problem = run_case(nestor, model, engine, arguments)
    if results is None:
        return [f"{model} [{engine}]: {problem}"], False
    if len(results) != len(expected):
        return [f"{model} [{engine}]: {len(results)} results for {len(expected)} expectations"], False
    if engine != "reference" and all(result["verdict"] == "unknown" for result in results):
        if any(row["verdict"] != "unknown" for row in expected):
            return [], True
    problems = []
    for result, row in zip(results, expected):
        if row["engines"] is not None and engine not in row["engines"]:
            continue
        if result["verdict"] != row["verdict"]:
            reason = f" ({result['reason']})" if "reason" in result else ""
            problems.append(f"{model.with_suffix('.ctl')}:{row['line']} [{engine}]: expected "
                            f"{row['verdict']}, got {result['verdict']}{reason}: {result['formula']}")
    return problems, False


def main():
    nestor = sys.argv[1]
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).parent
    listing = subprocess.run([nestor, "engines", "--json"], capture_output=True, text=True, check=True)
    engines = [engine["id"] for engine in json.loads(listing.stdout)["engines"]]
    problems, cases, runs, passed_over = [], 0, 0, []
    for model in sorted(path for path in folder.rglob("*") if path.suffix in MODELS):
        cases += 1
        try:
            expected, arguments = read_case(model.with_suffix(".ctl"))
        except (OSError, ValueError) as error:
            problems.append(str(error))
            continue
        for engine in engines:
            found, skipped = compare(nestor, model, engine, expected, arguments)
            problems += found
            runs += 1
            if skipped:
                passed_over.append(f"{engine} on {model.name}")
    for problem in problems:
        print(problem)
    if passed_over:
        print("cannot handle:", "; ".join(passed_over))
    print(f"{cases} cases, {len(engines)} engines, {runs} runs, {len(problems)} problems")
    return 1 if problems or cases == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
