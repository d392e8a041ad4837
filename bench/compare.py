#!/usr/bin/env python3
"""Two builds of the program beside each other: instructions executed for the rows of docs/performance.md, counted by
Valgrind, which no other work on the machine changes.

usage: compare.py OLD-NESTOR NEW-NESTOR SCRATCH-FOLDER [--only=TEXT] [--store] [MODEL.rsm …]

On each model with its MODEL_usedef.ctl, and on what the new program generates; smaller than in the page, as counting
takes fifty times as long as running. With --store the page shows the table.
"""

import argparse
import pathlib
import re
import subprocess
import sys

import figures
import finite
import smv


def instructions(command):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3) or not (count := re.search(r"Collected : (\d+)", done.stderr)):
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return int(count[1]), done.returncode


def of_model(model, scratch):
    """Rows of a Java program: what is run, by name."""
    every, single = (model.with_name(f"{model.stem}_{part}.ctl") for part in ("usedef", "single_usedef"))
    variable = re.search(r"\bdef__(\w+)", single.read_text(encoding="utf-8")).group(1)
    formula, proof = f"AG (def__{variable} -> EF use__{variable})", scratch / f"{model.stem}.cert"
    one = ["check", "--jobs=1", model, "-f", formula]
    yield "info", ["info", model]
    yield "all formulas", ["check", "--jobs=1", model, every]
    yield "one formula", ["check", "--jobs=1", model, single]
    yield "one formula, lazy", ["check", "--jobs=1", "--engine=lazy", model, single]
    yield "certificate", [*one, f"--certificate={proof}"]
    yield "verify", ["verify", model, proof, "-f", formula]
    yield "all witnesses", ["check", "--jobs=1", "--json", f"--witness={scratch / 'witness.json'}", model, every]


def of_generated(nestor, scratch):
    """Rows of the other tables: random programs, dense machines, SMV and nets."""
    def generated(name, *options):
        path = scratch / name
        subprocess.run([nestor, "generate", *options, "-o", path], check=True)
        return path

    for size in (10_000, 100_000):
        program = generated(f"program{size}.rsm", "program", f"--nodes={size}", "--seed=7", "--labels=p:0.1,q:0.1")
        yield f"program of {size}, info", ["info", program]
        for formula in ("EF p", "AG (p -> EF q)", "AG (p -> AF q)", "A [p U q]"):
            yield f"program of {size}, `{formula}`", ["check", "--jobs=1", "--engine=summary-whole", program, "-f", formula]
    proof = scratch / "program.cert"
    for formula in ("AG (p -> EF q)", "AG (p -> AF q)", "E [p U q]", "AX AX p"):
        yield f"program of {size}, certificate of `{formula}`", ["check", "--jobs=1", program, "-f", formula, f"--certificate={proof}"]
        yield f"program of {size}, verify `{formula}`", ["verify", program, proof, "-f", formula]
    dense = generated("dense.rsm", "rsm", "--components=30", "--boxes=10", "--nodes=90", "--seed=30")
    formulas = generated("dense.ctl", "ctl", "--count=10", "--depth=3", "--seed=45")
    for engine in ("summary", "summary-whole", "lazy", "eager"):
        yield f"dense machine, `{engine}`", ["check", "--jobs=1", f"--engine={engine}", dense, formulas]
    for states, count in ((5_000, 4_500), (10_000, 100)):
        path = scratch / f"chain{states}.smv"
        smv.write_model(path, states, count)
        yield f"SMV, {states} states, {count} formulas", ["check", "--jobs=1", path]
    path = scratch / "counters.smv"
    smv.write_counters(path, 3, 4)
    yield "SMV, counters", ["check", "--jobs=1", path]
    example = pathlib.Path(__file__).parent.parent / "examples" / "philosophers.net"
    for size in (10, 12):
        net = finite.net_of(example, scratch, size)
        for name, formula in finite.FORMULAS.items():
            formula = formula.replace("= N)", f"= {size})")
            yield f"{size} philosophers, `{name}`", ["check", "--jobs=1", "--engine=labelling", net, "-f", formula]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("models", type=pathlib.Path, nargs="*")
    parser.add_argument("--only", default="")
    parser.add_argument("--store", action="store_true")
    options = parser.parse_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    commands = [("`--version`", ["--version"])]
    commands += [(f"{model.stem}, {name}", command) for model in options.models
                 for name, command in of_model(model, options.scratch)]
    rows = []
    for name, command in [*commands, *of_generated(options.new, options.scratch)]:
        if options.only in name:
            (old, status), (new, same) = instructions([options.old, *command]), instructions([options.new, *command])
            if status != same:
                sys.exit(f"{name}: exit status {status} and {same}")
            rows.append([name, f"{old / 1e6:.1f}", f"{new / 1e6:.1f}", f"{new / old:.2f}"])
            print(*rows[-1][1:], name, sep="\t", flush=True)
    if options.store:
        figures.store("compare", ["command", "before, million instructions", "now", "ratio"], rows)
        figures.rewrite()


if __name__ == "__main__":
    main()
