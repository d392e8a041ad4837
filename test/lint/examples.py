#!/usr/bin/env python3
"""Checks every shipped rule on its two examples in rules/examples.

usage: examples.py NESTOR SOURCE-ROOT

ID.bad.c (or .cpp) must get warnings of rule ID on exactly the lines that say `warn` in a comment, ID.good.c none. Where
Nestor was built without LLVM, or clang 19 is missing, the test is skipped.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

FLAGS = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fsanitize=kcfi", "-emit-llvm", "-c", "-w"]


def compile_to(source, bitcode):
    subprocess.run([features.CLANG, *FLAGS, str(source), "-o", str(bitcode)], check=True)


def warned_lines(nestor, rule, bitcode):
    done = subprocess.run([nestor, "lint", f"--rule={rule}", "--quiet", str(bitcode)], capture_output=True, text=True,
                          check=False)
    lines = {int(match) for match in re.findall(r"(?m)^[^\n:]+:(\d+)(?::\d+)?: (?:error|warning|note): .* \[" + rule + r"\]$",
                                                done.stdout)}
    if done.returncode != (1 if lines else 0) or done.stderr:
        raise RuntimeError(f"{bitcode}: exit status {done.returncode}: {done.stdout}{done.stderr}")
    return lines


def main():
    nestor, root = sys.argv[1], pathlib.Path(sys.argv[2])
    if missing := features.missing_for_programs(nestor):
        print(missing)
        return features.SKIPPED
    folder = root / "rules" / "examples"
    rules = [line.split()[0] for line in
             subprocess.run([nestor, "rules"], capture_output=True, text=True, check=True).stdout.splitlines()]
    problems = [f"{path.name}: there is no such rule" for path in folder.iterdir() if path.name.split(".")[0] not in rules]
    with tempfile.TemporaryDirectory() as scratch:
        for rule in rules:
            for kind in ("bad", "good"):
                source = next(iter(folder.glob(f"{rule}.{kind}.c*")), None)
                if source is None:
                    problems.append(f"{rule}.{kind} is missing")
                    continue
                bitcode = pathlib.Path(scratch) / f"{rule}.{kind}.bc"
                compile_to(source, bitcode)
                expected = {number for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1)
                            if "/* warn */" in line}
                if (kind == "bad") != bool(expected):
                    problems.append(f"{source.name}: {len(expected)} lines are marked")
                found = warned_lines(nestor, rule, bitcode)
                if found != expected:
                    problems.append(f"{source.name}: warnings on lines {sorted(found)}, expected {sorted(expected)}")
    for problem in problems:
        print(problem)
    print(f"{len(rules)} rules, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
