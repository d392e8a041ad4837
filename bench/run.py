#!/usr/bin/env python3
"""Runs the benchmarks and prints their tables; docs/performance.md explains them.

usage: run.py BUILD-FOLDER SCRATCH-FOLDER [--largest=NODES]

The Java models are not part of this repository: they lie in ../shared/models, or where the
environment variable NESTOR_MODELS says. Without them their tables are left out.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time
import zipfile

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
    print(f"{'model':<14} {'info ms':>8} {'formulas':>8} {'check ms':>9} {'check/info':>10}"
          f" {'one/reading':>11} {'lazy/reading':>12}")
    for name in names:
        model = scratch / f"{name}.rsm"
        every = scratch / f"{name}_usedef.ctl"
        single = scratch / f"{name}_single_usedef.ctl"
        info, check = medians([[nestor, "info", model], [nestor, "check", model, every]])
        count = len(answers(nestor, [model, every])["results"])
        one = share_of_reading(nestor, "summary", model, single)
        lazy = share_of_reading(nestor, "lazy", model, single)
        print(f"{name:<14} {info * 1000:>8.1f} {count:>8} {check * 1000:>9.1f} {check / info:>10.2f}"
              f" {one:>11.2f} {lazy:>12.2f}", flush=True)


def witnesses(nestor, scratch, names):
    """For every failing formula alone: the witness over reading and check, in the same process."""
    print(f"{'model':<14} {'failing':>7} {'median':>7} {'most':>7} {'steps':>6} {'all: MiB':>9}")
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
        print(f"{name:<14} {len(ratios):>7} {statistics.median(ratios):>7.2f} {max(ratios):>7.2f} {steps:>6}"
              f" {found['stats']['memory.peak_bytes'] / 2**20:>9.1f}", flush=True)


def start_up(nestor):
    version = statistics.median(seconds([nestor, "--version"]) for _ in range(51))
    nothing = statistics.median(seconds(["true"]) for _ in range(51))
    print(f"nestor --version {version * 1000:.1f} ms, /bin/true {nothing * 1000:.1f} ms")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--largest", default="10000000")
    options = parser.parse_args()
    nestor = options.build / "tools" / "nestor"
    options.scratch.mkdir(parents=True, exist_ok=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    print("== start-up", flush=True)
    start_up(nestor)
    names = unpack(models_folder(), options.scratch)
    print("\n== reading", flush=True)
    subprocess.run([options.build / "bench" / "reading_bench",
                    *(options.scratch / f"{name}.rsm" for name in names)], check=True)
    print("\n== Java programs", flush=True)
    if names:
        java(nestor, options.scratch, names)
    else:
        print(f"skipped: no models in {models_folder()}")
    print("\n== certificates", flush=True)
    subprocess.run([sys.executable, pathlib.Path(__file__).with_name("certificates.py"), nestor, options.scratch,
                    *(options.scratch / f"{name}.rsm" for name in names)], check=True)
    print("\n== witnesses", flush=True)
    if names:
        witnesses(nestor, options.scratch, names)
    print("\n== growth", flush=True)
    subprocess.run([options.build / "bench" / "growth_bench", options.largest], check=True)
    print("\n== grid", flush=True)
    subprocess.run([options.build / "bench" / "grid_bench", models_folder() / "random-formulas"],
                   check=True)
    print("\n== nets", flush=True)
    subprocess.run([sys.executable, pathlib.Path(__file__).parent / "finite.py", nestor, options.scratch],
                   check=True)


if __name__ == "__main__":
    main()
