#!/usr/bin/env python3
"""LTL files of the Model Checking Contest on two nets, against the explored graph.

usage: mcc_ltl.py NESTOR [--cases=N] [--seed=S]

Random formulas of the contest's LTLCardinality and LTLFireability categories, written by hand here as the contest's
schema has them: `all-paths` around path operators without further quantifiers. `nestor check --mcc net.pnml x.xml`
has to answer as `nestor check graph.rsm` does for the same formula in Nestor's own notation, where the graph is the
one that `nestor convert` writes, labelled with what the formulas ask: a file without tokens and transitions.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

from scale import scaled

PLACES, TRANSITIONS = ["free", "wait-1", "busy"], ["ask", "get", "give", "stop"]
# Two users of one thing, and a way to end: `stop` takes what is free.
NET = """<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="idle"><initialMarking><text>2</text></initialMarking></place>
<place id="free"><initialMarking><text>1</text></initialMarking></place>
<place id="wait-1"/><place id="busy"/>
<transition id="ask"/><transition id="get"/><transition id="give"/><transition id="stop"/>
<arc id="a1" source="idle" target="ask"/><arc id="a2" source="ask" target="wait-1"/>
<arc id="a3" source="wait-1" target="get"/><arc id="a4" source="free" target="get"/><arc id="a5" source="get" target="busy"/>
<arc id="a6" source="busy" target="give"/><arc id="a7" source="give" target="idle"/><arc id="a8" source="give" target="free"/>
STOP
</page></net></pnml>
"""
STOP = '<arc id="a9" source="free" target="stop"/>'
NEVER = '<arc id="a9" source="busy" target="stop"/><arc id="b0" source="free" target="stop"/><arc id="b1" source="stop" target="free"/>'


def random_formula(rng, atom, depth):
    if depth == 0 or rng.random() < 0.1:
        return atom()
    op = rng.choice(["!", "&", "|", "->", "X", "F", "G", "U", "F", "G", "U"])
    count = 1 if op in "!XFG" else 2
    return (op, *(random_formula(rng, atom, depth - 1) for _ in range(count)))


def cardinality(rng):
    def integer():
        if rng.random() < 0.6:
            return ("tokens", rng.sample(PLACES, rng.randint(1, 2)))
        return ("constant", rng.randint(0, 2))
    return lambda: ("<=", integer(), integer())


def fireability(rng):
    return lambda: ("fireable", rng.sample(TRANSITIONS, rng.randint(1, 2)))


XML = {"!": "negation", "&": "conjunction", "|": "disjunction", "->": "implication", "X": "next", "F": "finally",
       "G": "globally"}


def xml(f):
    op = f[0]
    if op == "tokens":
        return f"<tokens-count>{''.join(f'<place>{p}</place>' for p in f[1])}</tokens-count>"
    if op == "constant":
        return f"<integer-constant>{f[1]}</integer-constant>"
    if op == "<=":
        return f"<integer-le>{xml(f[1])}{xml(f[2])}</integer-le>"
    if op == "fireable":
        return f"<is-fireable>{''.join(f'<transition>{t}</transition>' for t in f[1])}</is-fireable>"
    if op == "U":
        return f"<until><before>{xml(f[1])}</before><reach>{xml(f[2])}</reach></until>"
    return f"<{XML[op]}>{''.join(xml(g) for g in f[1:])}</{XML[op]}>"


def text(f):
    op = f[0]
    if op in ("tokens", "fireable"):
        quoted = ", ".join(f'"{name}"' if "-" in name else name for name in f[1])
        return f"{op}({quoted})"
    if op == "constant":
        return str(f[1])
    if op == "<=":
        return f"{text(f[1])} <= {text(f[2])}"
    if len(f) == 2:
        return f"{op} ({text(f[1])})"
    return f"(({text(f[1])}) {op} ({text(f[2])}))"


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def compare(nestor, folder, seed):
    rng = random.Random(seed)
    category, atoms = rng.choice([("LTLCardinality", cardinality(rng)), ("LTLFireability", fireability(rng))])
    formulas = [random_formula(rng, atoms, rng.randint(0, 4)) for _ in range(16)]
    net, file, graph, own = (folder / n for n in ("model.pnml", f"{category}.xml", "graph.rsm", "own.ctl"))
    net.write_text(NET.replace("STOP", rng.choice([STOP, NEVER])), encoding="utf-8")
    file.write_text('<?xml version="1.0"?>\n<property-set xmlns="http://mcc.lip6.fr/">\n' + "\n".join(
        f"<property><id>{category}-{i:02}</id><description>Automatically generated</description>"
        f"<formula><all-paths>{xml(f)}</all-paths></formula></property>" for i, f in enumerate(formulas))
        + "\n</property-set>\n", encoding="utf-8")
    own.write_text("".join(f"{text(f)}\n" for f in formulas), encoding="utf-8")
    done = run(nestor, "convert", str(net), *(a for f in formulas for a in ("-f", text(f))), "-o", str(graph))
    if done.returncode != 0:
        return f"convert: {done.stderr}"
    asked = run(nestor, "check", "--mcc", str(net), str(file))
    answers = [line.split()[2] for line in asked.stdout.splitlines() if line.startswith("FORMULA")]
    explored = run(nestor, "check", str(graph), str(own))
    verdicts = [{"holds": "TRUE", "fails": "FALSE"}.get(line.split()[0]) for line in explored.stdout.splitlines()]
    if len(answers) != len(formulas) or answers != verdicts:
        different = [text(f) for f, a, b in zip(formulas, answers, verdicts) if a != b]
        return f"{different[:2]}: {answers} {verdicts} {asked.stderr} {explored.stderr}"
    return ""


def main():
    nestor = sys.argv[1]
    options = dict(a[2:].split("=") for a in sys.argv[2:])
    seed, cases = int(options.get("seed", 1)), scaled(int(options.get("cases", 50)))
    failures = 0
    for k in range(cases):
        with tempfile.TemporaryDirectory() as scratch:
            problem = compare(nestor, pathlib.Path(scratch), seed + k)
            if problem:
                failures += 1
                print(f"seed {seed + k}: {problem}")
    print(f"{cases} files of 16 formulas from seed {seed}, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
