"""The benchmark of SMV models: modules as static analysis makes them, with one variable, the program
counter (section 5.5 of the thesis on recursive Kripke structures). docs/performance.md explains the
tables."""

import random
import re
import statistics
import subprocess
import sys
import time

import figures

LABELS = 20
RUNS = 5
# Of a model of 5000 states with 4500 formulas over 20 labels, as published or stated, on other machines.

SHAPES = ["AG {a}", "EF {a}", "AF {a}", "EG {a}", "EX {a}", "E [{a} U {b}]", "A [{a} U {b}]",
          "AG ({a} -> EF {b})", "AG ({a} -> AF {b})", "EF ({a} & EG {b})", "AG ({a} -> EX {b})",
          "EF ({a} & E [{b} U {c}])", "AG EF {a}", "AF AG {a}", "EG EF {a}", "AG ({a} -> A [{b} U {c}])"]


def write_model(path, states, formulas, seed=1):
    """Mostly straight code with branches and loops: one to three successors, most of them near."""
    rng = random.Random(seed)
    with open(path, "w", encoding="utf-8") as out:
        out.write("MODULE main\nVAR state : {" + ",".join(f"s{i}" for i in range(states)) + "};\nDEFINE\n")
        for label in range(LABELS):
            carriers = rng.sample(range(states), max(1, states // LABELS))
            out.write(f"  l{label} := state in {{" + ",".join(f"s{i}" for i in carriers) + "};\n")
        out.write("ASSIGN\n  init(state) := s0;\n  next(state) := case\n")
        for i in range(states):
            targets = {(i + 1) % states}
            if rng.random() < 0.4:
                targets.add(min(states - 1, max(0, i + rng.randint(-50, 50))))
            if rng.random() < 0.1:
                targets.add(rng.randrange(states))
            out.write(f"    state = s{i} : {{" + ",".join(f"s{t}" for t in sorted(targets)) + "};\n")
        out.write("  esac;\n")
        for _ in range(formulas):
            names = dict(zip("abc", rng.sample([f"l{i}" for i in range(LABELS)], 3)))
            out.write("SPEC " + rng.choice(SHAPES).format(**names) + "\n")


def write_counters(path, bits, width):
    """Many transitions: `width` counters that each stay or go on."""
    with open(path, "w", encoding="utf-8") as out:
        out.write("MODULE main\nVAR\n")
        for i in range(width):
            out.write(f"  c{i} : 0..{2 ** bits - 1};\n")
        out.write("ASSIGN\n")
        for i in range(width):
            out.write(f"  init(c{i}) := 0;\n  next(c{i}) := {{c{i}, (c{i} + 1) mod {2 ** bits}}};\n")
        out.write("SPEC AG (c0 = 0 -> EF c1 = 1)\n")


def write_many_labels(path, states):
    """As write_model, and a proposition of its own for each state."""
    write_model(path, states, 0)
    with open(path, "a", encoding="utf-8") as out:
        for i in range(states):
            out.write(f"SPEC EF state = s{i}\n")


def write_chain(path, sizes):
    """Many states, few transitions: counters of which one moves the next."""
    with open(path, "w", encoding="utf-8") as out:
        out.write("MODULE main\nVAR\n")
        for i, size in enumerate(sizes):
            out.write(f"  c{i} : 0..{size - 1};\n")
        out.write("ASSIGN\n")
        for i, size in enumerate(sizes):
            carry = " & ".join(f"c{j} = {sizes[j] - 1}" for j in range(i)) or "TRUE"
            out.write(f"  init(c{i}) := 0;\n"
                      f"  next(c{i}) := case {carry} : (c{i} + 1) mod {size}; TRUE : c{i}; esac;\n")
        out.write("SPEC AG (c0 = 0 -> AF c1 = 1)\n")


def measure(nestor, path, *arguments, runs=RUNS):
    """Medians of the whole command and of its parts, in seconds; sizes."""
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        done = subprocess.run([nestor, "check", str(path), "--stats", *arguments], capture_output=True,
                              text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{path}: exit status {done.returncode}: {done.stderr}")
        numbers = {name: float(value) for name, value in re.findall(r"^(\S+) +(\S+)$", done.stderr, re.M)}
        numbers["total"] = time.perf_counter() - start
        found.append(numbers)
    return {name: statistics.median(run[name] for run in found) for name in found[0]}


def number(value):
    """Thousands apart: 1 000 000."""
    return f"{value:,}".replace(",", " ")


def report(nestor, scratch):
    rows = []
    path = scratch / "smv_model.smv"
    for states, formulas in [(5000, 4500), (10_000, 100), (100_000, 100), (1_000_000, 100)]:
        write_model(path, states, formulas)
        m = measure(nestor, path, runs=RUNS if states < 1_000_000 else 3)
        build = m["read.seconds"] + m["explore.seconds"]
        rows.append([number(states), number(formulas), f"{m['read.seconds']:.3f} s", f"{m['explore.seconds']:.3f} s",
                     f"{m['check.seconds']:.3f} s", f"{m['check.seconds'] / build:.2f}", f"{m['total']:.3f} s",
                     f"{m['check.seconds'] / states / formulas * 1e9:.1f} ns"])
    figures.store("smv", ["states", "formulas", "read", "build", "check", "check / (read + build) (goal: 3)",
                          "whole command", "check, a state and formula"], rows)
    rows = []
    write_many_labels(path, 5000)
    m = measure(nestor, path)
    rows.append(["a proposition of its own for each of 5 000 states: building them",
                 f"{m['explore.seconds'] * 1000:.1f} ms", ""])
    write_counters(path, 4, 4)
    m = measure(nestor, path)
    rows.append([f"four counters, {number(round(m['explore.states']))} states and "
                 f"{number(round(m['explore.transitions']))} transitions: exploring",
                 f"{m['explore.transitions'] / m['explore.seconds'] / 1e6:.1f} million transitions a second", "2 million"])
    write_chain(path, [100, 100, 1000])
    m = measure(nestor, path, runs=1)
    rows.append([f"{number(round(m['explore.states']))} states of {m['explore.bits_per_state']:.0f} bits, index included",
                 f"{m['explore.states_bytes'] / 2**20:.0f} MiB", ""])
    rows.append(["the whole process, with the graph and a check of depth 2",
                 f"{m['memory.peak_bytes'] / 2**20:.0f} MiB", "1 GiB"])
    figures.store("smv_states", ["what", "measured", "goal"], rows)
    path.unlink()
