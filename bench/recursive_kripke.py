#!/usr/bin/env python3
"""The engines of recursive Kripke structures beside `eager`: how their work grows on chains of procedures and on one
procedure with many calls (section 5.4 of the thesis; docs/engines.md).

usage: recursive_kripke.py NESTOR SCRATCH-FOLDER

Instructions, counted by Valgrind, so that what else the machine does changes nothing; those of a check without those
that reading the model takes.
"""

import json
import pathlib
import re
import subprocess
import sys

import figures

SIZES = (1000, 4000)
ENGINES = ("rks", "rks-split", "rks-incremental")
FORMULAS = ("EF p", "AF p", "EG !p", "EF (p & EX true)")


def node(name):
    return {"type": "node", "name": name}


def box_node(box, name):
    return {"type": "box_node", "box_name": box, "node_name": name}


def component(name, calls, transitions, label):
    return {"name": name,
            "nodes": [{"name": end, "labels": [label] if label and end == "x" else [], "is_entry": end == "e",
                       "is_exit": end == "x"} for end in "ex"],
            "boxes": [{"name": box, "component": callee, "call_nodes": ["e"], "return_nodes": ["x"]}
                      for box, callee in calls],
            "transitions": [{"source": source, "targets": [target]} for source, target in transitions]}


def call_after_call(name, calls, label):
    places = [node("e")]
    for box, _ in calls:
        places += [box_node(box, "e"), box_node(box, "x")]
    places.append(node("x"))
    return component(name, calls, zip(places[::2], places[1::2]), label)


def chain(size):
    """A procedure calls the next; `p` holds at the end of the last one."""
    return [call_after_call(f"f{i}", [("b", f"f{i + 1}")] if i + 1 < size else [], "p" if i + 1 == size else None)
            for i in range(size)]


def calls_in_a_row(size):
    """One procedure makes all calls; `p` holds behind them."""
    return [call_after_call("f0", [(f"b{i}", "g") for i in range(size)], "p"), call_after_call("g", [], None)]


def instructions(command):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main():
    nestor, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
    scratch.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, make in (("chain of procedures", chain), ("calls in a row", calls_in_a_row)):
        for formula in FORMULAS:
            counts = []
            for size in SIZES:
                path = scratch / f"{make.__name__}_{size}.rsm"
                path.write_text(json.dumps({"initial_component": "f0", "initial_node": "e", "components": make(size)}),
                                encoding="utf-8")
                # `true` is decided without the model, so what is left is reading.
                reading = instructions([nestor, "check", path, "--formula=true", "--engine=eager", "--jobs=1"])
                counts.append({engine: instructions([nestor, "check", path, f"--formula={formula}",
                                                     f"--engine={engine}", "--jobs=1"]) - reading
                               for engine in ("eager", *ENGINES)})
            last = counts[-1]
            rows.append([name, f"`{formula}`", f"{last['eager'] / SIZES[-1]:.0f}",
                         *(f"{last[engine] / last['eager']:.1f}" for engine in ENGINES),
                         *(f"{last[engine] / counts[0][engine]:.1f}" for engine in ENGINES)])
    figures.store("recursive_kripke",
                  ["model", "formula", "`eager`, instructions a call", *(f"`{engine}` over `eager`" for engine in ENGINES),
                   *(f"`{engine}`, four times the calls" for engine in ENGINES)], rows)
    figures.rewrite()


if __name__ == "__main__":
    main()
