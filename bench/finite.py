#!/usr/bin/env python3
"""Benchmarks of nets and of the engines for finite models; docs/finite.md explains them.

usage: finite.py NESTOR SCRATCH-FOLDER [--largest=N] [--plot=FILE.svg]

Dining philosophers of growing number (examples/philosophers.net). Stores its tables and rewrites
docs/finite.md; with --plot, draws the times of the engines with gnuplot.
"""

import argparse
import json
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys

import figures

RUNS = 5
ENGINES = ["naive", "emc", "almc", "dfs", "summary"]
TIMEOUT = 20  # seconds for one formula
# What the properties ask of an engine: a search that ends early, all states, nested operators.
FORMULAS = {
    "may_eat": "EF tokens(eating<0>) = 1",
    "exclusion": "AG !(tokens(eating<0>) = 1 & tokens(eating<1>) = 1)",
    "way_back": "AG (deadlock | EF tokens(thinking) = N)",
    "must_eat": "AG (tokens(waiting<0>) = 1 -> AF tokens(eating<0>) = 1)",
    "until": "A [tokens(eating<0>) = 0 U tokens(waiting<0>) = 1]",
}


def net_of(example, scratch, size):
    path = scratch / f"philosophers{size}.net"
    path.write_text(re.sub(r"#define N \d+", f"#define N {size}", example.read_text(encoding="utf-8")), encoding="utf-8")
    return path


def check(nestor, net, formula, engine):
    """What nestor says, with the processor time of the whole process as stats["cpu"]."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([nestor, "check", "--json", f"--engine={engine}", f"--timeout={TIMEOUT}", "--jobs=1", net, "-f",
                           formula], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{net} {formula} [{engine}]: exit status {done.returncode}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(done.stdout)
    found["stats"]["cpu"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found


def explore(nestor, scratch, example, sizes):
    """Markings a second and bytes a marking."""
    rows = []
    for size in sizes:
        runs = [check(nestor, net_of(example, scratch, size), "AG true", "dfs")["stats"] for _ in range(RUNS)]
        stats = runs[0]
        seconds = statistics.median(run["cpu"] for run in runs)
        states, transitions = stats["explore.states"], stats["explore.transitions"]
        rows.append([size, states, transitions, stats["explore.bits_per_state"],
                     f"{stats['explore.states_bytes'] / states:.1f}", f"{stats['memory.peak_bytes'] / states:.0f}",
                     f"{states / seconds / 1000:.0f}", f"{transitions / seconds / 1000:.0f}"])
    figures.store("exploring", ["philosophers", "markings", "transitions", "bits a marking", "bytes a marking with index",
                                "bytes a marking, whole process", "thousand markings a second",
                                "thousand transitions a second"], rows)


def compare(nestor, scratch, example, sizes):
    """{(formula, engine): [(size, states, seconds, bytes, states seen, bits a state)]}"""
    rows = {}
    for size in sizes:
        net = net_of(example, scratch, size)
        states = check(nestor, net, "AG true", "dfs")["stats"]["explore.states"]
        for name, formula in FORMULAS.items():
            formula = formula.replace("= N)", f"= {size})")
            # The engines take turns, so that what else the machine does falls on all of them.
            runs = [{engine: check(nestor, net, formula, engine) for engine in ENGINES} for _ in range(RUNS)]
            verdicts = {engine: runs[0][engine]["results"][0]["verdict"] for engine in ENGINES}
            if len(set(verdicts.values()) - {"unknown"}) > 1:
                sys.exit(f"{name} on {size} philosophers: the engines disagree")
            for engine in ENGINES:
                if verdicts[engine] != "unknown":
                    stats = runs[0][engine]["stats"]
                    seconds = statistics.median(run[engine]["stats"]["cpu"] for run in runs)
                    rows.setdefault((name, engine), []).append(
                        (size, states, seconds, stats["memory.peak_bytes"], stats["explore.states"],
                         stats.get("finite.bits.per_state", 0)))
    return rows


def table(rows, size):
    lines = []
    for name in FORMULAS:
        cells = []
        for engine in ENGINES:
            found = [row for row in rows.get((name, engine), []) if row[0] == size]
            if not found:
                cells.append(f"> {TIMEOUT} s")
                continue
            _, states, seconds, peak, seen, bits = found[0]
            part = "" if seen == states else f", {100 * seen / states:.3g} % of the markings"
            more = f", {bits} bits a state" if bits else ""
            cells.append(f"{seconds * 1000:.0f} ms, {peak / 2**20:.0f} MB{more}{part}")
        lines.append([f"`{name}`", *cells])
    figures.store("philosophers", ["property", *(f"`{engine}`" for engine in ENGINES)], lines)


def memory(nestor, scratch, example, size):
    """What the report predicts and what the arrays take, in bytes: all engines on the whole graph."""
    formula = FORMULAS["way_back"].replace("= N)", f"= {size})")
    rows = []
    for engine in ["naive", "emc", "almc", "dfs", "dfs-terminal"]:
        # For a witness the graph is there before the engine runs, also for those that can do without.
        done = subprocess.run([nestor, "check", "--json", f"--engine={engine}", "--witness", "--jobs=1",
                               net_of(example, scratch, size), "-f", formula], capture_output=True, text=True, check=False)
        stats = json.loads(done.stdout)["stats"]
        search = sum(stats[f"finite.bits.{part}"] for part in ("bitmaps", "dfs_numbers", "search_stacks")) / 8
        relations = stats["finite.bits.relations"] / 8
        rows.append([f"`{engine}`", stats["explore.states"], f"{search:.0f}", stats["finite.bytes.search"], f"{relations:.0f}",
                     stats["finite.bytes.relations"], stats["finite.peak_stack"] if "finite.peak_stack" in stats else 0])
    figures.store("finite_memory", ["engine", "states", "search, predicted bytes", "search, measured bytes",
                                    "relations, predicted bytes", "relations, measured bytes",
                                    "most states on stacks"], rows)


def plot(rows, sizes, path, scratch):
    if shutil.which("gnuplot") is None:
        print("no plot: gnuplot is not installed")
        return
    curves = []
    for engine in ENGINES:
        data = scratch / f"{engine}.dat"
        points = [row for row in rows.get(("way_back", engine), [])]
        data.write_text("".join(f"{states} {seconds}\n" for _, states, seconds, *_ in points), encoding="utf-8")
        if points:
            curves.append(f"'{data}' with linespoints title '{engine}'")
    script = (f"set terminal svg size 720,420 background 'white'; set output '{path}'; set logscale xy; set key left top;"
              "set xlabel 'markings'; set ylabel 'seconds of processor time, exploring included';"
              f"plot {', '.join(curves)}\n")
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nestor", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--largest", type=int, default=16)
    parser.add_argument("--plot", type=pathlib.Path)
    options = parser.parse_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    example = pathlib.Path(__file__).parent.parent / "examples" / "philosophers.net"
    explore(options.nestor, options.scratch, example, range(12, options.largest + 1, 2))
    sizes = range(6, min(options.largest, 14) + 1, 2)
    rows = compare(options.nestor, options.scratch, example, sizes)
    table(rows, sizes[-1])
    memory(options.nestor, options.scratch, example, 12)
    figures.rewrite()
    if options.plot:
        plot(rows, sizes, options.plot, options.scratch)


if __name__ == "__main__":
    main()
