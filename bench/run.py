#!/usr/bin/env python3
"""Runs the benchmarks, stores their tables and rewrites the pages that show them; docs/performance.md explains them.

usage: run.py BUILD-FOLDER SCRATCH-FOLDER [--largest=NODES]

The Java models are not part of this repository: they lie in ../shared/models, or where the
environment variable NESTOR_MODELS says. Without them their tables stay as they are.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import textwrap
import time
import zipfile

import figures
import smv

RUNS = 11


def models_folder():
    return pathlib.Path(os.environ.get("NESTOR_MODELS", "../shared/models"))


def unpack(folder, scratch):
    names = []
    for archive in sorted((folder / "java").glob("*.zip")):
        with zipfile.ZipFile(archive) as content:
            content.extractall(scratch)
        names.append(archive.stem)
    return names


def seconds(command):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}")
    return time.perf_counter() - start


def medians(commands):
    """The commands take turns, so that what else the machine does falls on all of them."""
    times = [[] for _ in commands]
    for _ in range(RUNS):
        for command, of_command in zip(commands, times):
            of_command.append(seconds(command))
    return [statistics.median(of_command) for of_command in times]


def answers(nestor, arguments):
    done = subprocess.run([nestor, "check", "--json", *arguments], capture_output=True, text=True,
                          check=False)
    return json.loads(done.stdout)


def share_of_reading(nestor, engine, model, formulas):
    """Time of the check itself over time of reading the model, in the same process."""
    ratios = []
    for _ in range(RUNS):
        found = answers(nestor, [f"--engine={engine}", "--jobs=1", model, formulas])
        ratios.append(max(r["seconds"] for r in found["results"]) / found["stats"]["read.seconds"])
    return statistics.median(ratios)


def java(nestor, scratch, names):
    rows = []
    for name in names:
        model = scratch / f"{name}.rsm"
        every = scratch / f"{name}_usedef.ctl"
        single = scratch / f"{name}_single_usedef.ctl"
        info, check = medians([[nestor, "info", model], [nestor, "check", model, every]])
        count = len(answers(nestor, [model, every])["results"])
        one = share_of_reading(nestor, "summary", model, single)
        lazy = share_of_reading(nestor, "lazy", model, single)
        rows.append([name, count, f"{info * 1000:.1f} ms", f"{check * 1000:.1f} ms", f"{check / info:.2f}", f"{one:.2f}",
                     f"{lazy:.2f}"])
    figures.store("java", ["model", "formulas", "info", "check", "check / info (goal: 3)",
                           "`summary` / reading (goal: 0.5)", "`lazy` / reading (goal: 1)"], rows)


def witnesses(nestor, scratch, names):
    """For every failing formula alone: the witness over reading and check, in the same process."""
    rows = []
    for name in names:
        model, every = scratch / f"{name}.rsm", scratch / f"{name}_usedef.ctl"
        file = scratch / "witness.json"
        found = answers(nestor, ["--witness", model, every])
        ratios, steps = [], 0
        for result in found["results"]:
            if result["verdict"] != "fails":
                continue
            steps = max([steps] + [len(e.get("steps", [])) for e in result["witness"]["evidence"]])
            tries = []
            for _ in range(3):  # the least, as the machine may do something else meanwhile
                stats = answers(nestor, [f"--witness={file}", model, "-f", result["formula"]])["stats"]
                tries.append(stats["witness.seconds"] / (stats["read.seconds"] + stats["check.seconds"]))
            ratios.append(min(tries))
        rows.append([name, len(ratios), f"{statistics.median(ratios):.2f}", f"{max(ratios):.2f}", f"{steps} steps",
                     f"{found['stats']['memory.peak_bytes'] / 2**20:.0f} MiB"])
    figures.store("witnesses", ["model", "failing formulas", "median", "most", "longest path", "memory for all"], rows)


def machine(build):
    """Where and of what the figures are."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    memory = re.search(r"MemTotal: +(\d+)", pathlib.Path("/proc/meminfo").read_text(encoding="utf-8"))
    compiler = re.search(r"CMAKE_CXX_COMPILER:\w+=(.*)", (build / "CMakeCache.txt").read_text(encoding="utf-8"))[1]
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    text = (f"The figures are of commit {commit or 'unknown'}, on {os.cpu_count()} cores of {model[1] if model else '?'} "
            f"with {round(int(memory[1]) / 2**20)} GiB, {version}.")
    figures.store_text("machine", textwrap.fill(text, 100))


def start_up(nestor):
    version = statistics.median(seconds([nestor, "--version"]) for _ in range(51))
    nothing = statistics.median(seconds(["true"]) for _ in range(51))
    figures.store("start_up", ["command", "time (goal: 5 ms)"],
                  [["`nestor --version`", f"{version * 1000:.1f} ms"], ["`/bin/true`", f"{nothing * 1000:.1f} ms"]])


def output(command):
    """Of a benchmark that is a program of its own; shown as it comes."""
    lines = []
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode != 0:
        sys.exit(f"{command[0]}: exit status {process.returncode}")
    return "".join(lines)


READING = re.compile(r"(\S+) \((\S+ MB)\)\n"
                     r" +simdjson DOM +(\S+ ms).*\n"
                     r" +reading .*\n"
                     r" +nestor info +(\S+ ms) +(\S+) times +\S+ MB +(\S+) times the file\n")


def reading(program, models):
    rows = [[pathlib.Path(model).stem, *cells] for model, *cells in READING.findall(output([program, *models]))]
    figures.store("reading", ["model", "file", "simdjson", "`nestor info`", "ratio (goal: 3)",
                              "memory, times the file (goal for dom2pdf: 4)"], rows)


def growth(program, largest):
    """Nanoseconds and bytes a node, a row a formula, a column a size."""
    rows = {}
    for line in output([program, largest]).splitlines()[1:]:
        formula = re.fullmatch(r" *\d+ +\d+ (.*?) +(?:holds|fails) .*", line)[1]
        time_a_node, *_, bytes_a_node = map(float, line.split()[-4:])
        rows.setdefault(formula, []).append((round(time_a_node), round(bytes_a_node)))
    sizes = ["10⁴", "10⁵", "10⁶", "10⁷"][:len(next(iter(rows.values())))]
    figures.store("growth", ["formula", *sizes, "time, largest / least (goal: 2)", "memory, largest / least (goal: 2)"],
                  [[f"`{formula}`", *(f"{ns} ns, {size} B" for ns, size in cells),
                    *(f"{max(column) / min(column):.1f}" for column in zip(*cells))] for formula, cells in rows.items()])


def grid(program, folder):
    lines = [line.split() for line in output([program, folder]).splitlines()[1:-1]]
    order = ["summary", "summary-whole", "lazy", "eager"]
    figures.store("grid", ["engine", "pairs", "decided", "longest", "contexts", "time, geometric mean over that of `summary`"],
                  [[f"`{engine}`", pairs, decided, "over 1 s" if float(longest) > 1 else f"{float(longest):.2f} s", contexts,
                    "1" if engine == "summary" else f"{float(ratio):.1f}"]
                   for engine, pairs, decided, _, longest, contexts, ratio in sorted(lines, key=lambda l: order.index(l[0]))])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--largest", default="10000000")
    options = parser.parse_args()
    nestor = options.build / "tools" / "nestor"
    options.scratch.mkdir(parents=True, exist_ok=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    machine(options.build)
    print("== start-up", flush=True)
    start_up(nestor)
    names = unpack(models_folder(), options.scratch)
    print("\n== reading", flush=True)
    if names:
        reading(options.build / "bench" / "reading_bench", [options.scratch / f"{name}.rsm" for name in names])
    print("\n== Java programs", flush=True)
    if names:
        java(nestor, options.scratch, names)
    else:
        print(f"skipped: no models in {models_folder()}")
    print("\n== SMV", flush=True)
    smv.report(nestor, options.scratch)
    print("\n== certificates", flush=True)
    subprocess.run([sys.executable, pathlib.Path(__file__).with_name("certificates.py"), nestor, options.scratch,
                    *(options.scratch / f"{name}.rsm" for name in names)], check=True)
    print("\n== the proved checker", flush=True)
    proved = options.build / "proof" / "nestor-verify-proved"
    if proved.exists():
        subprocess.run([sys.executable, pathlib.Path(__file__).with_name("proved.py"), nestor, proved, options.scratch,
                        *(options.scratch / f"{name}.rsm" for name in names if name == "dom2pdf")], check=True)
    else:
        print("skipped: 'make proof' builds it")
    print("\n== evidence", flush=True)
    subprocess.run([sys.executable, pathlib.Path(__file__).with_name("evidence.py"), nestor, options.scratch,
                    *(options.scratch / f"{name}.rsm" for name in names if name == "dom2pdf")], check=True)
    print("\n== witnesses", flush=True)
    if names:
        witnesses(nestor, options.scratch, names)
    print("\n== growth", flush=True)
    growth(options.build / "bench" / "growth_bench", options.largest)
    print("\n== grid", flush=True)
    if (models_folder() / "random-formulas" / "1.ctl").exists():
        grid(options.build / "bench" / "grid_bench", models_folder() / "random-formulas")
    print("\n== nets", flush=True)
    subprocess.run([sys.executable, pathlib.Path(__file__).parent / "finite.py", nestor, options.scratch],
                   check=True)
    print("\n== rules", flush=True)
    subprocess.run([sys.executable, pathlib.Path(__file__).parent / "rules.py", nestor, options.scratch], check=True)
    figures.rewrite()


if __name__ == "__main__":
    main()
