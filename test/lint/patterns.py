#!/usr/bin/env python3
"""Checks that lint follows values: patterns in which one branch depends on another, each with a faulty twin.

usage: patterns.py NESTOR SOURCE-ROOT

The default rules must give, in each file of test/lint/patterns, exactly what its comments name: `warn: RULE, RULE`
at the end of the line. What is about a rule that is off says `rule: RULE` in its first line, and only that is asked.
NAME.good.c (or .cpp) has no such comment, NAME.bad.c has one. Where Nestor was built without LLVM, or clang 19 is
missing, the test is skipped.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import examples

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402


def warnings(nestor, source, bitcode):
    rule = re.match(r"/\* rule: ([a-z-]+)\. ", source.read_text(encoding="utf-8"))
    done = subprocess.run([nestor, "lint", "--quiet", *([f"--rule={rule[1]}"] if rule else []), str(bitcode)],
                          capture_output=True, text=True, check=False)
    found = {(int(line), rule) for line, rule in re.findall(
        r"(?m)^[^\n:]+:(\d+)(?::\d+)?: (?:error|warning|note): .* \[([a-z-]+)\]$", done.stdout)}
    # Other rules may find a pattern too large.
    problems = re.sub(r"(?m)^nestor: note: .* values were given up, .*\n", "", done.stderr)
    if done.returncode != (1 if found else 0) or problems:
        raise RuntimeError(f"{bitcode}: exit status {done.returncode}: {done.stdout}{done.stderr}")
    return found


def marks(source):
    return {(number, rule) for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1)
            for list_of_rules in re.findall(r"/\* warn: ([a-z, -]+) \*/", line) for rule in list_of_rules.split(", ")}


def main():
    nestor, root = sys.argv[1], pathlib.Path(sys.argv[2])
    if missing := features.missing_for_programs(nestor):
        print(missing)
        return features.SKIPPED
    folder = root / "test" / "lint" / "patterns"
    names = sorted({path.name.split(".")[0] for path in folder.iterdir()})
    problems = [] if names else ["there are no patterns"]
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            for kind in ("bad", "good"):
                source = next(iter(folder.glob(f"{name}.{kind}.c*")), None)
                if source is None:
                    problems.append(f"{name}.{kind} is missing")
                    continue
                bitcode = pathlib.Path(scratch) / f"{name}.{kind}.bc"
                examples.compile_to(source, bitcode)
                expected, found = marks(source), warnings(nestor, source, bitcode)
                if (kind == "bad") != bool(expected):
                    problems.append(f"{source.name}: {len(expected)} warnings are marked")
                if found != expected:
                    problems.append(f"{source.name}: warnings {sorted(found)}, expected {sorted(expected)}")
    for problem in problems:
        print(problem)
    print(f"{len(names)} patterns, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
