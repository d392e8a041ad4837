#!/usr/bin/env python3
"""Nets of the Model Checking Contest against the contest's verdicts.

usage: contest.py NESTOR ARCHIVE SCRATCH-FOLDER [--seconds=60] [--memory=4096] [--half=all|work|held]
                  [--only=TEXT] [--every=N] [--all-coloured] [--jobs=N] [--results=FILE] [--store]
                  [--stages | --states=N] [-- OPTIONS-OF-CHECK...]

Each formula file of each net is one run of `nestor check`; its output is not waited for longer than
the limits and a second. `--half`: the nets whose names hash to even ('work') or odd ('held')
numbers, so that what is tried on one half can be judged on the other. `--every=N`: every N-th net in
the order of their names, with `--all-coloured` and all coloured ones, of which there are few.
`--results`: a line for each run, written when it ends; runs that are in the file are not repeated,
so a long run may be stopped and gone on with. If `verifypn` is installed it is run beside, one
formula at a time with the same time a file.

`--stages`: each file once for each stage, with those before it: what each adds. `--store` makes what
was found the tables of docs/nets.md (bench/figures.py). `--states=N`: the first N markings of each
net instead, and what one takes, also when memory matters.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time

import figures

FORMULAS = 16  # of a file
FILES = ["CTLCardinality.xml", "CTLFireability.xml"]
WORDS = {"holds": "TRUE", "fails": "FALSE"}
SMALL_MEMORY = 256  # megabytes, of which a 64th is soon used
STAGES = {
    "exploring, then labelling": ["--engine=labelling"],
    "on the fly": ["--engine=local"],
    "both, formulas rewritten": ["--net-stages=rewriting"],
    "and reductions": ["--net-stages=reductions"],
    "and the state equation": ["--net-stages=state-equation"],
    "and stubborn sets": ["--net-stages=stubborn-sets"],
    "and decision diagrams": ["--net-stages=all"],
}


def is_held(name):
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 1


def kind_of(name):
    return "coloured" if "-COL-" in name else "place/transition"


def expected_of(net, formulas):
    lines = (net / "expected.tsv").read_text(encoding="utf-8").splitlines()
    expected = dict(line.split("\t") for line in lines if not line.startswith("#"))
    return {n: v for n, v in expected.items() if formulas.split(".")[0] in n}


def nestor_run(net, formulas, options, more):
    """What becomes a line of the results: verdicts right and wrong, by what they come from."""
    # An engine that is named has the time for each formula.
    seconds = float(options.seconds) / (FORMULAS if "--engine=local" in more else 1)
    command = [options.nestor, "check", "--json", f"--timeout={seconds}",
               f"--memory={options.memory}", f"--jobs={options.jobs}", *more, *options.more,
               net / "model.pnml", net / formulas]
    expected = expected_of(net, formulas)
    row = {"net": net.name, "formulas": formulas, "asked": len(expected), "right": 0, "wrong": [],
           "how": {}, "odd": ""}
    start = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              timeout=2 * float(options.seconds) + 30)
    except subprocess.TimeoutExpired:
        return {**row, "seconds": time.time() - start, "odd": "did not end"}
    row["seconds"] = time.time() - start
    if done.returncode not in (0, 1, 3):
        row["odd"] = f"exit status {done.returncode}: {done.stderr.strip()[:200]}"
        return row
    if row["seconds"] > float(options.seconds) + 1:
        row["odd"] = "late"
    for result in json.loads(done.stdout)["results"]:
        verdict = WORDS.get(result["verdict"])
        value = expected.get(result["name"])
        if verdict is None or value is None:
            continue
        if verdict != value:
            row["wrong"].append(f"{result['name']}: {verdict} ({result.get('how', '')})")
        else:
            row["right"] += 1
            how = result.get("how", "")
            row["how"][how] = row["how"].get(how, 0) + 1
    return row


def verifypn_run(net, formulas, count, seconds):
    found = 0
    for i in range(count):
        done = subprocess.run(["verifypn", "-x", str(i + 1), net / "model.pnml", net / formulas],
                              capture_output=True, text=True, check=False, timeout=seconds)
        found += "is satisfied" in done.stdout or "is NOT satisfied" in done.stdout
    return found


def chosen_nets(folder, options):
    nets = sorted(path.parent for path in folder.glob("*/*/model.pnml"))
    nets = [net for net in nets if options.only in net.name]
    if options.half != "all":
        nets = [net for net in nets if is_held(net.name) == (options.half == "held")]
    return [net for i, net in enumerate(nets)
            if i % options.every == 0 or (options.all_coloured and kind_of(net.name) == "coloured")]


def results_of(options):
    """The runs that have ended before, by net, file and stage."""
    path = pathlib.Path(options.results) if options.results else None
    if path is None or not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(row["net"], row["formulas"], row["stage"]): row for row in rows}


def run_all(nets, stages, options):
    rows = results_of(options)
    chosen = []
    for net in nets:
        for formulas in FILES:
            for stage, more in stages.items():
                key = (net.name, formulas, stage)
                if key not in rows:
                    rows[key] = {**nestor_run(net, formulas, options, more), "stage": stage}
                    if options.results:
                        with open(options.results, "a", encoding="utf-8") as out:
                            out.write(json.dumps(rows[key]) + "\n")
                row = rows[key]
                chosen.append(row)
                print(f"{net.name} {formulas} {stage}: {row['right']} of {row['asked']},"
                      f" {row['seconds']:.1f} s {row['odd']}", flush=True)
                for wrong in row["wrong"]:
                    print(f"WRONG {wrong}", flush=True)
    return chosen


def report(rows, stages):
    print(f"\n| {'stage' if len(stages) > 1 else ''} | nets | asked | answered | wrong | seconds |")
    print("|---|---|---|---|---|---|")
    for stage in stages:
        for kind in sorted({kind_of(row["net"]) for row in rows}):
            of = [row for row in rows if row["stage"] == stage and kind_of(row["net"]) == kind]
            asked, right = sum(row["asked"] for row in of), sum(row["right"] for row in of)
            print(f"| {stage} | {kind} | {asked} | {right} ({100 * right / max(1, asked):.1f} %)"
                  f" | {sum(len(row['wrong']) for row in of)} | {sum(row['seconds'] for row in of):.0f} |")
    how = collections.Counter()
    for row in rows:
        how.update(row["how"])
    if len(stages) == 1:
        for what, count in how.most_common():
            print(f"  {what or 'explored'}: {count}")
    for row in rows:
        if row["odd"]:
            print(f"  {row['net']} {row['formulas']} {row['stage']}: {row['odd']}, {row['seconds']:.1f} s")


def store_stages(rows):
    kinds = sorted({kind_of(row["net"]) for row in rows}, reverse=True)
    asked = {kind: sum(row["asked"] for row in rows if row["stage"] == "on the fly" and kind_of(row["net"]) == kind)
             for kind in kinds}
    table = []
    for stage in STAGES:
        of = [row for row in rows if row["stage"] == stage]
        right = [sum(row["right"] for row in of if kind_of(row["net"]) == kind) for kind in kinds]
        table.append([stage, *(f"{n} ({100 * n / asked[kind]:.1f} %)" for n, kind in zip(right, kinds)),
                      str(sum(len(row["wrong"]) for row in of))])
    figures.store("nets_stages", ["stage", *(f"{kind}, of {asked[kind]}" for kind in kinds), "wrong"], table)
    figures.rewrite()


def store_answers(rows):
    how = collections.Counter()
    for row in rows:
        how.update({what or "all markings": count for what, count in row["how"].items()})
    table = []
    for kind in sorted({kind_of(row["net"]) for row in rows}, reverse=True):
        of = [row for row in rows if kind_of(row["net"]) == kind]
        asked, right = sum(row["asked"] for row in of), sum(row["right"] for row in of)
        table.append([kind, asked, f"{right} ({100 * right / asked:.1f} %)", sum(len(row["wrong"]) for row in of)])
    figures.store("nets_answers", ["nets", "formulas with a known verdict", "answered", "wrong"], table)
    figures.store("nets_answers_how", ["what the answers come from", "answers"], how.most_common())
    figures.rewrite()


def bytes_of_states(net, options, megabytes):
    """(Markings, bits, bytes of one) of the first so many; None if they are too few to tell."""
    command = [options.nestor, "check", "--json", "--engine=labelling", "-f", "EF deadlock",
               f"--timeout={options.seconds}", f"--memory={megabytes}",
               f"--max-states={options.states}", net / "model.pnml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    stats = json.loads(done.stdout)["stats"] if done.returncode in (0, 1, 3) else {}
    states = stats.get("explore.states", 0)
    if states < 10_000:  # what does not grow with them counts too much
        return None
    return states, stats["explore.bits_per_state"], stats["explore.states_bytes"] / states


def states_of(nets, options):
    """What a marking takes: one behind the other, and when memory matters."""
    rows, ratios = [], []
    for net in nets:
        flat = bytes_of_states(net, options, options.memory)
        small = bytes_of_states(net, options, SMALL_MEMORY) if flat else None
        if flat and small:
            ratios.append((flat[2], small[2]))
            rows.append([net.name, flat[0], flat[1], f"{flat[2]:.1f}", f"{small[2]:.1f}"])
            print(*rows[-1], sep="\t", flush=True)
    if not ratios:
        return
    columns = [sorted(column) for column in zip(*ratios)]
    rows.append(["median", "", "", *(f"{column[len(column) // 2]:.1f}" for column in columns)])
    rows.append(["at most 20", "", "", *(f"{sum(r <= 20 for r in column)} of {len(column)}" for column in columns)])
    header = ["net", "markings", "bits", "bytes a marking", "when memory matters (goal: 20)"]
    if options.store:
        figures.store("nets_states", header, rows)
        figures.rewrite()
    else:
        print(*header, *rows[-2:], sep="\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nestor")
    parser.add_argument("archive")
    parser.add_argument("folder")
    parser.add_argument("--seconds", default="60")
    parser.add_argument("--memory", default="4096")
    parser.add_argument("--half", default="all", choices=["all", "work", "held"])
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--all-coloured", action="store_true")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--results")
    parser.add_argument("--stages", action="store_true")
    parser.add_argument("--store", action="store_true")
    parser.add_argument("--states", type=int)
    parser.add_argument("more", nargs="*")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    if not folder.exists():
        folder.mkdir(parents=True)
        with tarfile.open(options.archive) as tar:
            tar.extractall(folder)
    nets = chosen_nets(folder, options)
    if options.states:
        states_of(nets, options)
        return 0
    stages = STAGES if options.stages else {"all": []}
    rows = run_all(nets, stages, options)
    report(rows, stages)
    if options.store:
        (store_stages if options.stages else store_answers)(rows)
    if shutil.which("verifypn"):
        beside = sum(verifypn_run(net, formulas, len(expected_of(net, formulas)), float(options.seconds))
                     for net in nets for formulas in FILES)
        print(f"verifypn: {beside}")
    return 1 if any(row["wrong"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
