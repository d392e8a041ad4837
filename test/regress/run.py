#!/usr/bin/env python3
"""Runs every regression case with every engine that can handle it.

usage: run.py NESTOR [FOLDER]

A case is a model of any format, with what is expected in its comments:

    # EXPECT: holds AG EF done                   a verdict and a formula; holds, fails or unknown
    # EXPECT: holds                              a verdict for the next property that the model itself has
    # ENGINES: reference, summary (a reason)     only these engines, for the next EXPECT; without it: all
    # ARGS: --dead-ends=loop                     for the whole file

Without any, as in a format that has no comments (JSON), they stand in a file of formulas beside it, `x.ctl`, each EXPECT before its formula.

An engine that says it cannot handle a model (`unknown` where a verdict is expected, with every
formula of the file unknown) is passed over; `reference` may never be, nor what runs unless an engine is named.
"""

import json
import pathlib
import re
import subprocess
import sys

MODELS = (".rsm", ".pds", ".pdmu", ".smv", ".pnml", ".net")
DIRECTIVE = re.compile(r"(?:#|//|--|/\*|<!--)\s*(EXPECT|ENGINES|ARGS):\s*(.*?)\s*(?:\*/|-->)?")
EXPECTATION = re.compile(r"(holds|fails|unknown)\b\s*(.*)")
LISTED = re.compile(r"([\w, -]+?)\s*\((.+)\)")


class Case:
    """A model, what to check of it, and what must come out, in order."""

    def __init__(self, model):
        self.model, self.place, self.expected, self.arguments, self.formulas = model, model, [], [], []
        if "EXPECT:" not in model.read_text(encoding="utf-8"):
            self.place = model.with_suffix(".ctl")
            self.formulas = [self.place]
        engines = None
        for number, line in enumerate(self.place.read_text(encoding="utf-8").splitlines(), 1):
            if not (match := DIRECTIVE.fullmatch(line.strip())):
                continue
            if match[1] == "ARGS":
                self.arguments = match[2].split()
            elif match[1] == "ENGINES":
                listed = LISTED.fullmatch(match[2])
                if not listed:
                    raise ValueError(f"{self.place}:{number}: ENGINES needs a list and a reason in parentheses")
                engines = [name.strip() for name in listed[1].split(",")]
            else:
                expectation = EXPECTATION.fullmatch(match[2])
                if not expectation:
                    raise ValueError(f"{self.place}:{number}: EXPECT: {match[2]}")
                self.expected.append({"line": number, "verdict": expectation[1], "engines": engines})
                self.formulas += ["-f", expectation[2]] if expectation[2] else []
                engines = None
        if not self.expected:
            raise ValueError(f"{self.place}: no EXPECT")

    def run(self, nestor, engine):
        # A witness that cannot be replayed is an internal error.
        chosen = [f"--engine={engine}"] if engine else []
        command = [nestor, "check", "--json", "--witness", *chosen, *self.arguments, self.model, *self.formulas]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 3):
            return None, f"exit status {done.returncode}: {done.stderr.strip()}"
        return json.loads(done.stdout)["results"], ""


def compare(nestor, case, engine):
    """Messages about what is wrong, and whether the engine was passed over."""
    model, expected = case.model, case.expected
    results, problem = case.run(nestor, engine)
    if results is None:
        return [f"{model} [{engine}]: {problem}"], False
    if len(results) != len(expected):
        return [f"{model} [{engine}]: {len(results)} results for {len(expected)} expectations"], False
    if engine not in ("", "reference") and all(result["verdict"] == "unknown" for result in results):
        if any(row["verdict"] != "unknown" for row in expected):
            return [], True
    problems = []
    for result, row in zip(results, expected):
        if row["engines"] is not None and engine and engine not in row["engines"]:
            continue
        if result["verdict"] != row["verdict"]:
            reason = f" ({result['reason']})" if "reason" in result else ""
            problems.append(f"{case.place}:{row['line']} [{engine}]: expected "
                            f"{row['verdict']}, got {result['verdict']}{reason}: {result['formula']}")
    return problems, False


def main():
    nestor = sys.argv[1]
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).parent
    listing = subprocess.run([nestor, "engines", "--json"], capture_output=True, text=True, check=True)
    engines = [engine["id"] for engine in json.loads(listing.stdout)["engines"]] + [""]  # "": what users get
    problems, cases, runs, passed_over = [], 0, 0, []
    for model in sorted(path for path in folder.rglob("*") if path.suffix in MODELS):
        cases += 1
        try:
            case = Case(model)
        except (OSError, ValueError) as error:
            problems.append(str(error))
            continue
        for engine in engines:
            found, skipped = compare(nestor, case, engine)
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
