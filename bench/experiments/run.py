#!/usr/bin/env python3
"""Reruns the experiments of Dubslaff, Wienhöft and Fehnker 2024, section 7, and the comparison of section 8.1.1
(docs/experiments.md).

usage: run.py [OPTION…] [grid] [pushdown] [java] [choice]

Results are CSV files, plots (SVG and PNG) and tables in the folder of --out. An interrupted run goes on with
--resume, without redoing what is finished.
"""

import argparse
import pathlib
import sys
import zipfile

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1]))
import figures  # noqa: E402
import measure  # noqa: E402
import report  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINES = ["lazy", "ternary", "random", "eager", "summary"]
CHOICES = ["lazy:leftmost", "lazy:random", "lazy:all"]
PROGRAMS = ["dataflow", "avroraELF", "avroraMedTest", "avroraReg", "dom2pdf", "fop2pdf"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("experiments", nargs="*", help="grid, pushdown, java, choice; all unless given")
    parser.add_argument("--nestor", default=str(ROOT / "build/release/tools/nestor"))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out/experiments")
    parser.add_argument("--models", type=pathlib.Path, default=ROOT.parent / "shared/models",
                        help="folder with java/*.zip; without it the third experiment is skipped")
    parser.add_argument("--timeout", type=float, default=1800, help="seconds for each run")
    parser.add_argument("--memory", type=int, default=4096, help="megabytes for each run")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--grid-step", type=int, default=1, help="every N-th size of the 50 x 50 grid")
    parser.add_argument("--pushdown-step", type=int, default=1, help="every N-th of the 500 systems")
    parser.add_argument("--store", action="store_true", help="put the tables into docs/experiments.md")
    parser.add_argument("--resume", action="store_true", help="keep what is finished")
    options = parser.parse_args()
    unknown = set(options.experiments) - {"grid", "pushdown", "java", "choice"}
    if unknown:
        parser.error(f"unknown experiment {', '.join(sorted(unknown))}, expected grid, pushdown, java or choice")
    return options


def generated(options, path, *arguments):
    """A generated file: it depends on its arguments only, so one that is there is right."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        measure.call(options.nestor, "generate", *arguments, "-o", path)
    return path


def grid_cases(options):
    """Machine A_i: i components, each of floor(i/3) boxes and 3i nodes. Formula F_j: depth floor(j/9)."""
    folder = options.out / "models"

    def case(i, j):
        def make():
            return (generated(options, folder / f"grid_{i}.rsm", "rsm", f"--components={i}", f"--boxes={i // 3}",
                              f"--nodes={3 * i}", "--density=0.2", f"--seed={i}"),
                    generated(options, folder / f"grid_{j}.ctl", "ctl", f"--depth={j // 9}", f"--seed={1000 + j}"))
        return f"{i},{j}", make

    sizes = range(options.grid_step, 51, options.grid_step)
    return [case(i, j) for i in sizes for j in sizes]


def pushdown_cases(options):
    """System P_i: 3 control states, i symbols, i pops, 4i rewrites, 2i pushes; formula of depth 1 + i mod 4."""
    folder = options.out / "models"

    def case(i):
        def make():
            return (generated(options, folder / f"pushdown_{i}.pds", "pds", "--controls=3", f"--symbols={i}",
                              f"--pops={i}", f"--rewrites={4 * i}", f"--pushes={2 * i}", f"--seed={i}"),
                    generated(options, folder / f"pushdown_{i}.ctl", "ctl", f"--depth={1 + i % 4}", f"--seed={i}"))
        return str(i), make

    return [case(i) for i in range(10, 510, options.pushdown_step)]


def java_cases(options):
    archives = sorted((options.models / "java").glob("*.zip"))
    if not archives:
        return []
    folder = options.out / "models"
    folder.mkdir(parents=True, exist_ok=True)
    for archive in archives:
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder)

    def case(name):
        def make():
            # One formula a run: the second one of dom2pdf is about a variable that does not exist.
            lines = (folder / f"{name}_single_usedef.ctl").read_text(encoding="utf-8").splitlines()
            first = next(line for line in lines if line.strip() and not line.startswith("#"))
            single = folder / f"{name}_first.ctl"
            single.write_text(first + "\n", encoding="utf-8")
            return folder / f"{name}.rsm", single
        return name, make

    return [case(name) for name in PROGRAMS]


def choice_cases(options):
    """The grid and the programs, for the choices of FINDREASON."""
    return grid_cases(options) + java_cases(options)


def refute(cases, table, options):
    """A replayed counterexample for each program of which the paper says that its formula holds and we that it fails."""
    refuted = []
    for name, make in cases:
        if report.PUBLISHED[name][0] == "holds" and "fails" in {row["verdict"] for row in table.of_case(name)}:
            path = options.out / f"counterexample_{name}.json"
            refuted.append((name, path.name, *measure.counterexample(options.nestor, *make(), path)))
    text = report.counterexample_table(refuted)
    report.keep("counterexamples", text, options)
    return text


def main():
    options = parse_arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    wrong = False
    for name, cases_of in (("grid", grid_cases), ("pushdown", pushdown_cases), ("java", java_cases),
                           ("choice", choice_cases)):
        if options.experiments and name not in options.experiments:
            continue
        engines = CHOICES if name == "choice" else options.engines.split(",")
        cases = cases_of(options)
        if not cases:
            print(f"{name}: skipped, no models in {options.models}/java")
            continue
        table = measure.Table(options.out / f"{name}.csv", options.resume)
        measure.run_all(name, cases, engines, table, options.nestor, options)
        different = measure.disagreements(table)
        if different:
            wrong = True
            print(f"{name}: engines disagree on {', '.join(different[:10])}", file=sys.stderr)
        text = report.write(name, table, [key for key, _ in cases], engines, options)
        if name == "java":
            text += f"\n\n{refute(cases, table, options)}"
        print(text)
    if options.store:
        figures.rewrite()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
