#!/usr/bin/env python3
"""Benchmarks of the rules; docs/rules.md explains them.

usage: rules.py NESTOR SCRATCH-FOLDER [--rulebench=FOLDER] [--programs=FOLDER] [--only=PART]

labelled  cases with a weakness and without, scored for nestor and the peers that are installed, in one run. They are not
          part of this repository: they lie in ../shared/rulebench, or where --rulebench or NESTOR_RULEBENCH says.
seeded    bugs that were made by taking releases out of real programs (programs/seeds.py)
alarms    of the default rules on real programs, with time and memory (programs/measure.py)
steps     what each step of following values costs and which alarms it removes, on the same programs

The programs are those that programs/build.sh made, in SCRATCH-FOLDER/programs, or where --programs or NESTOR_PROGRAMS
says. A part stays as it was where what it needs is missing.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import figures

sys.path.insert(0, str(pathlib.Path(__file__).parent / "programs"))
import measure  # noqa: E402
import seeds  # noqa: E402

TOOLS = {  # of score.py: what must be installed, and its name in the table
    "nestor": ("clang-19", "nestor"), "nestor-all": ("clang-19", "nestor, all rules"),
    "clang": ("clang-19", "clang 19"), "gcc": ("gcc-12", "gcc 12 -fanalyzer"), "cppcheck": ("cppcheck", "cppcheck"),
}

STEP_PROGRAMS = ["sshd", "memcached", "less", "tree"]  # where the table of steps comes from


def scores(text):
    """[(CWE or 'all', bad flows, good flows, {tool: (found %, false %, precision %)})] of what score.py printed."""
    tools = re.search(r"^CWE +bad/good +(.*?) +\(found", text, re.M)[1].split()
    rows = []
    for cwe, bad, good, numbers in re.findall(r"(?m)^(\d+) +([1-9]\d*)/(\d+) +([\d. ]+)$", text):
        cells = numbers.split()
        rows.append((cwe, int(bad), int(good), {tool: tuple(cells[3 * i:3 * i + 3]) for i, tool in enumerate(tools)}))
    total = {tool: (found, false, precision) for tool, found, false, precision in re.findall(
        r"(?m)^(\S+): found \d+ of \d+ \(([\d.]+) %\), false \d+ of \d+ \(([\d.]+) %\), precision ([\d.]+) %$", text)}
    return rows + [("all", sum(row[1] for row in rows), sum(row[2] for row in rows), total)]


def labelled(nestor, scratch, rulebench):
    with tarfile.open(rulebench / "juliet-dev.tar.xz") as archive:
        archive.extractall(scratch)
    tools = [tool for tool, (needs, _) in TOOLS.items() if shutil.which(needs)]
    done = subprocess.run([sys.executable, "-B", rulebench / "score.py", scratch / "juliet-dev", "--nestor", nestor,
                           "--tools", ",".join(tools)], capture_output=True, text=True, check=True)
    rows = scores(done.stdout)
    figures.store("rules_labelled", ["CWE", "bad", "good", *(TOOLS[tool][1] for tool in tools)],
                  [[cwe, bad, good, *(" / ".join(by_tool[tool]) for tool in tools)] for cwe, bad, good, by_tool in rows])


def seeded(nestor, folder):
    by_program, by_holder = seeds.tables(seeds.run(nestor, folder, [
        name for name in seeds.PROGRAMS if (folder / f"{name}.bc").exists()]))
    figures.store("rules_seeded", *by_program)
    figures.store("rules_holders", *by_holder)


def alarms(nestor, folder):
    size_and_time, by_rule = measure.tables(nestor, folder, measure.programs(folder))
    figures.store("rules_programs", *size_and_time)
    figures.store("rules_alarms", *by_rule)


def steps(nestor, folder):
    names = [name for name in STEP_PROGRAMS if (folder / f"{name}.bc").exists()]
    figures.store("rules_steps", *measure.steps(nestor, folder, names))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nestor", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--rulebench", type=pathlib.Path, default=os.environ.get("NESTOR_RULEBENCH", "../shared/rulebench"))
    parser.add_argument("--programs", type=pathlib.Path, default=os.environ.get("NESTOR_PROGRAMS"))
    parser.add_argument("--only", choices=["labelled", "seeded", "alarms", "steps"])
    options = parser.parse_args()
    nestor, programs = options.nestor.resolve(), options.programs or options.scratch / "programs"
    if "built without LLVM" in subprocess.run([nestor, "lint", "x.bc"], capture_output=True, text=True, check=False).stderr:
        print("skipped: needs a nestor with LLVM")
        return
    if options.only in (None, "labelled"):
        if (options.rulebench / "score.py").exists():
            labelled(nestor, options.scratch, options.rulebench)
        else:
            print(f"skipped: no labelled cases in {options.rulebench}")
    if not any(programs.glob("*.bc")):
        print(f"skipped: no programs in {programs}; bench/programs/build.sh makes them")
    else:
        if options.only in (None, "seeded"):
            seeded(nestor, programs)
        if options.only in (None, "alarms"):
            alarms(nestor, programs)
        if options.only in (None, "steps"):
            steps(nestor, programs)
    figures.rewrite()


if __name__ == "__main__":
    main()
