#!/usr/bin/env python3
"""One check by the command, by a program with the library, and by Python: instructions executed, counted by callgrind's
tool, which no other work on the machine changes. Python's are without those of starting it and importing the module.

usage: library.py BUILD-FOLDER MODEL FORMULA
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = """#include <nestor/nestor.h>
#include <cstdio>
int main(int, char** argv) {
  nestor::Model model = nestor::Model::read(argv[1]);
  std::puts(to_string(nestor::decide(model, nestor::Formula::parse(argv[2])).verdict).data());
}
"""
SCRIPT = "import nestor, sys; print(nestor.Model.read(sys.argv[1]).check(sys.argv[2]).verdict)"


def instructions(command, environment=None):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *map(str, command)],
                              capture_output=True, text=True, check=False, env={**os.environ, **(environment or {})})
    if done.returncode not in (0, 1, 3) or not (count := re.search(r"Collected : (\d+)", done.stderr)):
        raise SystemExit(f"{command}: {done.stderr}")
    return int(count[1]), done.stdout.split()[0] if done.stdout else ""


def main():
    build, model, formula = pathlib.Path(sys.argv[1]).resolve(), *sys.argv[2:]
    root = pathlib.Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "one.cpp", pathlib.Path(folder) / "one"
        source.write_text(PROGRAM, encoding="utf-8")
        subprocess.run(["c++", "-std=c++20", "-O2", "-I", root / "include", source, "-L", build, "-lnestor",
                        f"-Wl,-rpath,{build}", "-o", program], check=True)
        command, verdict = instructions([build / "tools/nestor", "check", "--jobs=1", model, "-f", formula])
        library, second = instructions([program, model, formula])
    path = {"PYTHONPATH": str(build / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    start, _ = instructions(["/usr/bin/python3", "-c", "import nestor"], path)
    python, third = instructions(["/usr/bin/python3", "-c", SCRIPT, model, formula], path)
    if not verdict == second == third:
        raise SystemExit(f"verdicts differ: {verdict}, {second}, {third}")
    print(f"command   {command:>15,}")
    print(f"library   {library:>15,}  {100 * library / command - 100:+.1f} %")
    print(f"Python    {python - start:>15,}  {100 * (python - start) / command - 100:+.1f} %  (and {start:,} to start)")


if __name__ == "__main__":
    main()
