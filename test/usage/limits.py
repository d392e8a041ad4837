"""Limits on models whose states are explored, for every engine: the verdict is `unknown` with the
reason, and the memory limit is hardly passed. A limit of steps gives the same verdicts in every run
and with any number of threads."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

SIZES = [50, 40, 200]  # of three counters: 400 000 states
STATES = 400_000
WHILE_EXPLORING_MB = 5  # more than the program takes on a small model: too little for the graph
WHILE_CHECKING_MB = 1  # more than the graph takes: too little for most engines
# These would take too long on long chains.
TOO_SLOW = {"naive", "reference"}
OVERSHOT_MB = 4
LARGEST_START_MB = 40  # with sanitizers it is more, and what they take is not ours

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def write_counters(path):
    """One chain through all combinations of three counters."""
    with open(path, "w", encoding="utf-8") as out:
        out.write("MODULE main\nVAR\n")
        for i, size in enumerate(SIZES):
            out.write(f"  c{i} : 0..{size - 1};\n")
        out.write("ASSIGN\n")
        for i, size in enumerate(SIZES):
            carry = " & ".join(f"c{j} = {SIZES[j] - 1}" for j in range(i)) or "TRUE"
            out.write(f"  init(c{i}) := 0;\n"
                      f"  next(c{i}) := case {carry} : (c{i} + 1) mod {size}; TRUE : c{i}; esac;\n")


def write_net(path):
    """The same as a net: tokens go round three rings, a round of one moves the next."""
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"#define A {SIZES[0]}\n#define B {SIZES[1]}\n#define C {SIZES[2]}\n")
        out.write("#place c0 lo(<.0.>) hi(<.A-1.>) mk(<.0.>)\n#place c1 lo(<.0.>) hi(<.B-1.>) mk(<.0.>)\n"
                  "#place c2 lo(<.0.>) hi(<.C-1.>) mk(<.0.>)\n")
        out.write("#trans first\nin { c0: <.x.>; }\nout { c0: <.x+1.>; }\ngate x < A-1;\n#endtr\n")
        out.write("#trans second\nin { c0: <.x.>; c1: <.y.>; }\nout { c0: <.0.>; c1: <.y+1.>; }\n"
                  "gate x == A-1 && y < B-1;\n#endtr\n")
        out.write("#trans third\nin { c0: <.x.>; c1: <.y.>; c2: <.z.>; }\n"
                  "out { c0: <.0.>; c1: <.0.>; c2: <.z+1.>; }\n"
                  "gate x == A-1 && y == B-1 && z < C-1;\n#endtr\n")
        out.write("#trans fourth\nin { c0: <.x.>; c1: <.y.>; c2: <.z.>; }\n"
                  "out { c0: <.0.>; c1: <.0.>; c2: <.0.>; }\n"
                  "gate x == A-1 && y == B-1 && z == C-1;\n#endtr\n")


def check(nestor, model, formula, *options):
    """The verdict, its reason and the statistics."""
    done = subprocess.run([nestor, "check", str(model), "-f", formula, "--json", "--stats", *options],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{model.name} {options}: exit status {done.returncode}: {done.stderr}")
    report = json.loads(done.stdout)
    result = report["results"][0]
    return result["verdict"], result.get("reason", ""), report["stats"]


def peak_mb(checked):
    return int(checked[2]["memory.peak_bytes"] / 2**20) + 1


def main():
    nestor = sys.argv[1]
    engines = [e["id"] for e in json.loads(subprocess.run([nestor, "engines", "--json"], check=True,
                                                          capture_output=True).stdout)["engines"]]
    with tempfile.TemporaryDirectory() as folder:
        smv, net = pathlib.Path(folder) / "counters.smv", pathlib.Path(folder) / "counters.net"
        write_counters(smv)
        write_net(net)
        small = pathlib.Path(folder) / "small.smv"
        small.write_text("MODULE main VAR x : boolean;\n", encoding="utf-8")
        start_mb = peak_mb(check(nestor, small, "EF x"))
        # Every state leads to every other: so all of them are looked at before this is known to hold.
        formulas = {smv: 'AG EF "c2 = 199 & c0 = 0"', net: 'AG EF "tokens(c2<.199.>) + tokens(c0<.0.>) = 2"'}
        for model, formula in formulas.items():
            verdict, _, stats = check(nestor, model, formula)
            expect((verdict, stats["explore.states"]) == ("holds", STATES), f"{model.name}: {verdict}, {stats}")
            check_limits(nestor, model, formula, engines, start_mb)
        check_repeatable(nestor, pathlib.Path(folder))
    for failure in failures:
        print(failure)
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


def check_limits(nestor, model, formula, engines, start_mb):
    graph_mb = peak_mb(check(nestor, model, "true", "--engine=emc"))
    decided = 0
    for engine in engines:
        use = [f"--engine={engine}"]
        where = f"{model.name}, {engine}"
        for megabytes in [start_mb + WHILE_EXPLORING_MB, graph_mb + WHILE_CHECKING_MB]:
            if megabytes > graph_mb and engine in TOO_SLOW:
                continue
            verdict, reason, stats = check(nestor, model, formula, *use, f"--memory={megabytes}")
            peak = stats["memory.peak_bytes"] / 2**20
            print(f"{where}, --memory={megabytes}: {verdict} ({reason}), peak {peak:.1f} MB")
            decided += verdict != "unknown"
            expect(verdict == "holds" or reason == f"memory over {megabytes} MB",
                   f"{where}: {verdict} ({reason}) with {megabytes} MB")
            expect(verdict == "unknown" or megabytes > graph_mb, f"{where}: {verdict} with {megabytes} MB")
            expect(peak <= megabytes + OVERSHOT_MB or start_mb > LARGEST_START_MB,
                   f"{where}: peak {peak:.1f} MB with {megabytes}")
        verdict, reason, stats = check(nestor, model, formula, *use, "--max-states=1000")
        expect((verdict, reason) == ("unknown", "more than 1000 states"), f"{where}: {verdict} ({reason})")
        expect(stats["explore.states"] <= 1000, f"{where}: {stats['explore.states']} states")
        verdict, reason, stats = check(nestor, model, formula, *use, "--steps=100000")
        expect((verdict, reason) == ("unknown", "more than 100000 steps"), f"{where}: {verdict} ({reason})")
        expect(stats["explore.states"] <= 100_000, f"{where}: {stats['explore.states']} states")
        verdict, reason, _ = check(nestor, model, formula, *use, "--timeout=0.02")
        expect(verdict == "holds" or re.match(r"timeout after 0\.02 s", reason), f"{where}: {verdict} ({reason})")
    expect(decided < len(engines) / 2 or start_mb > LARGEST_START_MB,
           f"{model.name}: {graph_mb + WHILE_CHECKING_MB} MB are enough for most engines")


def check_repeatable(nestor, folder):
    """With a program large enough for threads inside of one formula."""
    program = folder / "program.rsm"
    subprocess.run([nestor, "generate", "program", "--nodes=40000", "--seed=1", "-o", program], check=True)
    texts = ["AG EF q", "AG (p -> EF none)", "AG (q -> EF none)", "EG (EF none | EX p)", "AG (EF (p & EX q) | EX EG !q)"]
    formulas = [word for text in texts for word in ("-f", text)]
    mixed = 0
    for engine in ["summary", "summary-whole", "lazy"]:
        for steps in [10, 1000, 100_000, 300_000, 1_000_000, 3_000_000]:
            answers = []
            for jobs in [1, 2, 4, 4] if engine != "lazy" else [1, 1]:
                done = subprocess.run([nestor, "check", program, *formulas, f"--engine={engine}", f"--steps={steps}",
                                       f"--jobs={jobs}"], capture_output=True, text=True, check=False)
                answers.append(done.stdout)
            print(f"{engine}, --steps={steps}: {answers[0].count('unknown')} of {len(texts)} unknown")
            mixed += 0 < answers[0].count("unknown") < len(texts)
            expect(len(set(answers)) == 1, f"{engine}, --steps={steps}:\n" + "\n".join(answers))
    expect(mixed >= 2, "no limit divides the formulas")


main()
