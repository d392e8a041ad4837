#!/usr/bin/env python3
"""Certificates that lie consistently: in each, one condition of one rule is all that stands between a
verifier and a wrong verdict or a false fact. Both verifiers must refuse them, with the same message; the proved
one, which must as well, is compared by ../proof/run.py. Those in paths are of the second kind; of them it is also
tested that verify.py without that condition accepts them.

usage: run.py NESTOR SOURCE-ROOT

A case is `<lie>.rsm` and `<lie>.cert`, which begins with `# EXPECT: LINE: MESSAGE`, how nestor's refusal
begins, and says why the claim is false. In place of the model's hash it says "h".
"""

import hashlib
import importlib
import pathlib
import subprocess
import sys
import tempfile


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def check(nestor, root, case, scratch):
    model = case.with_suffix(".rsm")
    text = case.read_text(encoding="utf-8")
    expected = text.splitlines()[0].removeprefix("# EXPECT: ")
    line, why = expected.split(": ", 1)
    copy = scratch / case.name
    copy.write_text(text.replace('model "h"', f'model "{hashlib.sha256(model.read_bytes()).hexdigest()}"'),
                    encoding="utf-8")
    problems = []
    first = run([nestor, "verify", model, copy])
    if first.returncode != 1 or not first.stderr.startswith(f"{copy}:{line}: error: {why}"):
        problems.append(f"{case.name}: {first.returncode} {first.stdout}{first.stderr}, expected {expected}")
    second = run([sys.executable, root / "tools" / "verify.py", model, copy])
    if (second.returncode, second.stderr) != (1, first.stderr):
        problems.append(f"{case.name}, verify.py: {second.returncode} {second.stdout}{second.stderr}")
    if case.parent.name == "paths" and not accepts_without(root, model, copy, why):
        problems.append(f"{case.name}: there is more that is wrong than '{why}'")
    return problems


def accepts_without(root, model, certificate, condition):
    """Whether verify.py accepts it where this one condition, named by its message, is not asked for."""
    sys.path.insert(0, str(root / "tools"))
    frame, paths, verify = (importlib.import_module(name) for name in ("verify_frame", "verify_paths", "verify"))
    plain, of_rules = frame.need, frame.FrameRules.need

    def need(met, line, why):
        plain(met or condition.startswith(why), line, why)

    def need_by_rule(self, met, where, why):
        of_rules(self, met or condition.startswith(why), where, why)

    frame.need = paths.need = need
    frame.FrameRules.need = need_by_rule
    try:
        return verify.verify(verify.Model(model), certificate)[0] != "refused"
    finally:
        frame.need = paths.need = plain
        frame.FrameRules.need = of_rules


def main():
    nestor, root = sys.argv[1], pathlib.Path(sys.argv[2])
    cases = sorted(pathlib.Path(__file__).parent.rglob("*.cert"))
    with tempfile.TemporaryDirectory() as scratch:
        problems = [p for case in cases for p in check(nestor, root, case, pathlib.Path(scratch))]
    for problem in problems:
        print(problem)
    print(f"{len(cases)} cases, {len(problems)} problems")
    return 1 if problems or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
