#!/usr/bin/env python3
"""Checks that warnings go whose paths no run of the program can take, and only those.

usage: refutation.py NESTOR SOURCE-ROOT

In the programs of test/lint/refuted branches depend on each other by arithmetic that only a solver sees. In NAME.good.c
a comment `refuted: RULE` ends the line that lint warns of with --no-refutation, and not without. Its faulty twin
NAME.bad.c has `warn: RULE` where lint warns either way, and `found: RULE` where it does so only if paths are left out
that no run can take. Where Nestor was built without LLVM or Z3, or clang 19 is missing, the test is skipped.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import examples

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

RULES = ("memory-leak", "lock-not-released", "double-lock", "double-unlock")


def lint(nestor, bitcode, *options):
    done = subprocess.run([nestor, "lint", "--stats", *[f"--rule={rule}" for rule in RULES], *options, str(bitcode)],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{bitcode}: exit status {done.returncode}: {done.stderr}")
    found = {(int(line), rule) for line, rule in re.findall(
        r"(?m)^[^\n:]+:(\d+)(?::\d+)?: (?:error|warning|note): .* \[([a-z-]+)\]$", done.stdout)}
    return found, done.stdout, done.stderr


def marks(source, word):
    return {(number, rule) for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1)
            for rule in re.findall(rf"/\* {word}: ([a-z-]+) \*/", line)}


def check(nestor, source, bitcode):
    examples.compile_to(source, bitcode)
    refuted, warned, found = (marks(source, word) for word in ("refuted", "warn", "found"))
    kept, _, _ = lint(nestor, bitcode, "--no-refutation")
    left, text, statistics = lint(nestor, bitcode)
    problems = []
    if (".bad." in source.name) != bool(warned | found):
        problems.append(f"{len(warned | found)} warnings are marked")
    if kept != refuted | warned:
        problems.append(f"without refutation {sorted(kept)}, expected {sorted(refuted | warned)}")
    if left != warned | found:
        problems.append(f"with refutation {sorted(left)}, expected {sorted(warned | found)}")
    if refuted and not re.search(r"dropped_warnings\W+[1-9]", statistics):
        problems.append(f"--stats does not tell of the warning that was dropped:\n{statistics}")
    if "was not found out" in text:
        problems.append("the solver gave up")
    return [f"{source.name}: {problem}" for problem in problems]


def main():
    nestor, root = sys.argv[1], pathlib.Path(sys.argv[2])
    if missing := features.missing_for_programs(nestor):
        print(missing)
        return features.SKIPPED
    sources = sorted((root / "test" / "lint" / "refuted").glob("*.c"))
    problems = [] if sources else ["there are no programs"]
    for source in sources:
        twin = source.with_name(source.name.replace(".good.", ".?.").replace(".bad.", ".good.").replace(".?.", ".bad."))
        if not twin.exists():
            problems.append(f"{twin.name} is missing")
    with tempfile.TemporaryDirectory() as scratch:
        bitcode = pathlib.Path(scratch) / "program.bc"
        examples.compile_to(sources[0], bitcode)
        if "lint.refutation.solver 1" not in re.sub(r"[ \t=:]+", " ", lint(nestor, bitcode)[2]):
            print("skipped: needs a nestor with Z3")
            return features.SKIPPED
        for source in sources:
            problems += check(nestor, source, bitcode)
        # What the path was found possible with.
        examples.compile_to(root / "test" / "lint" / "refuted" / "next_number.bad.c", bitcode)
        if "with x = -1, y = 0" not in lint(nestor, bitcode)[1]:
            problems.append("next_number.bad.c: the values are not told")
    for problem in problems:
        print(problem)
    print(f"{len(sources)} programs, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
