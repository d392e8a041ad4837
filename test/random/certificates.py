#!/usr/bin/env python3
"""The second verifier, tools/verify.py, on what the random test of certificates writes, damaged ones
included: it must say of each what the first one says, and of those that are refused which line is at fault and why.

usage: certificates.py CERTIFICATES-PROGRAM SOURCE-ROOT PAIRS
"""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile


def load(path):
    spec = importlib.util.spec_from_file_location("verify", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    program, root, pairs = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    verify = load(root / "tools" / "verify.py")
    problems, accepted, refused = [], 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([program, f"--pairs={pairs}", "--seed=7000", f"--out={folder}"], check=True,
                       stdout=subprocess.DEVNULL)
        models = {}
        for line in (folder / "list").read_text(encoding="utf-8").split("\n")[:-1]:
            model, certificate, expected = line.split(" ", 2)
            if model not in models:
                models = {model: verify.Model(folder / model), **dict(list(models.items())[:1])}
            found, why = verify.verify(models[model], folder / certificate)
            accepted += found != "refused"
            refused += found == "refused"
            if (f"{found} {why}" if why else found) != expected:
                problems.append(f"{certificate} on {model}: {found} {why}, expected {expected}")
    for problem in problems[:20]:
        print(problem)
    print(f"{accepted} accepted, {refused} refused, {len(problems)} problems")
    return 1 if problems or not accepted or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
