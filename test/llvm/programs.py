#!/usr/bin/env python3
"""Checks small C and C++ programs whose verdicts are known by reading them.

usage: programs.py NESTOR

Each file of programs/ names its formulas in comments, `// CHECK holds: FORMULA` or `// CHECK fails: FORMULA`, and says
why. It is compiled to bitcode, checked, written as .rsm and checked again, and once more as assembly (.ll); C programs with
and without the marks of -fsanitize=kcfi, which must not matter as long as there is debug information. A .toml file beside it is the model of external functions. Where Nestor was built without LLVM, or clang 19 is missing, the test is skipped.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

FLAGS = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-w"]


def run(arguments):
    return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False)


def verdicts(nestor, model, formulas, more):
    options = [*more, *(f"--formula={formula}" for formula in formulas)]
    done = run([nestor, "check", model, *options, "--json"])
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{model}: exit status {done.returncode}: {done.stderr}")
    return [result["verdict"] for result in json.loads(done.stdout)["results"]]


def check_program(nestor, source, scratch):
    expected = re.findall(r"(?m)^// CHECK (holds|fails): (.*)$", source.read_text(encoding="utf-8"))
    if not expected:
        return [f"{source.name}: no CHECK line"]
    cpp = source.suffix == ".cpp"
    compiler = ["clang++-19" if cpp else "clang-19", *FLAGS]
    marked = [] if cpp else ["-fsanitize=kcfi"]
    unmarked, bitcode, text, model = (scratch / f"{source.stem}{suffix}" for suffix in (".unmarked.bc", ".bc", ".ll", ".rsm"))
    for output, flags in ((unmarked, ["-c"]), (bitcode, ["-c", *marked]), (text, ["-S", *marked])):
        done = run([*compiler, *flags, source, "-o", output])
        if done.returncode != 0:
            return [f"{source.name}: {done.stderr}"]
    externals = source.with_suffix(".toml")
    more = [f"--externals={externals}"] if externals.exists() else []
    done = run([nestor, "convert", bitcode, "-o", model, *more])
    if done.returncode != 0:
        return [f"{source.name}: convert: {done.stderr}"]
    problems = []
    for file in (unmarked, bitcode, text, model):
        found = verdicts(nestor, file, [formula for _, formula in expected], more)
        problems += [f"{source.name} ({file.name}): {verdict}, expected {truth}: {formula}"
                     for verdict, (truth, formula) in zip(found, expected) if verdict != truth]
    return problems


def main():
    nestor = sys.argv[1]
    if missing := features.missing_for_programs(nestor):
        print(missing)
        return features.SKIPPED
    sources = sorted((pathlib.Path(__file__).parent / "programs").glob("*.c*"))
    with tempfile.TemporaryDirectory() as scratch:
        problems = [p for source in sources for p in check_program(nestor, source, pathlib.Path(scratch))]
    for problem in problems:
        print(problem)
    print(f"{len(sources)} programs, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
