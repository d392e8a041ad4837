#!/usr/bin/env python3
"""Random SMV models with LTL about states, inputs, next states and running processes.

usage: smv_ltl.py NESTOR [--cases=N] [--seed=S] [--keep=FOLDER]

The models are those of smv_oracle.py, and so is their meaning. Here the steps are what a path is made of:
(state, inputs, process, next state). A formula is decided without an automaton and without pairs of states
and truths: the values of its temporal operators along a path are guessed at each step, guesses of
neighbours have to agree, and a strongly connected set of them has to satisfy every constraint and keep
every promise. Each model is asked twice: with only infinite paths, and with paths that end in dead ends, where
the inputs are free. Witnesses are written, replayed, and followed here; certificates are verified.
"""

import itertools
import json
import pathlib
import random
import sys
import tempfile

from scale import scaled
from smv_oracle import Generator, Model, run, single, text

MOST_STEPS = 700
UNARY = ["X", "F", "G", "Y", "O", "H"]
BINARY = ["U", "S"]
TEMPORAL = UNARY + BINARY + ["Z", "R", "T"]
DUAL = {"X": "X", "F": "G", "G": "F", "U": "R", "Y": "Z", "O": "H", "H": "O", "S": "T", "&": "|", "|": "&"}
PAST = "YZOHST"


def random_path_formula(rng, atoms, depth, temporal=3):
    if depth == 0 or temporal == 0 or rng.random() < 0.1:
        return ("atom", atoms(), )
    op = rng.choice(["!", "&", "|", "->"] + UNARY * 2 + BINARY * 3)
    if op == "!" or op in UNARY:
        return (op, random_path_formula(rng, atoms, depth - 1, temporal - (op != "!")))
    left = temporal - (op in BINARY)
    return (op, random_path_formula(rng, atoms, depth - 1, left // 2),
            random_path_formula(rng, atoms, depth - 1, left - left // 2))


def formula_text(f, quote=""):
    if f[0] == "atom":
        return f"({quote}{text(f[1])}{quote})"
    if len(f) == 2:
        return f"{f[0]} ({formula_text(f[1], quote)})"
    return f"(({formula_text(f[1], quote)}) {f[0]} ({formula_text(f[2], quote)}))"


def negated(f):
    """With negations before atoms only: `X f` is not true where a path ends, whether or not it is negated."""
    if f[0] == "atom":
        return ("!", f)
    if f[0] == "!":
        return positive(f[1])
    if f[0] == "->":
        return ("&", positive(f[1]), negated(f[2]))
    return (DUAL[f[0]], *(negated(part) for part in f[1:]))


def positive(f):
    if f[0] == "atom":
        return f
    if f[0] == "!":
        return negated(f[1])
    if f[0] == "->":
        return ("|", negated(f[1]), positive(f[2]))
    return (f[0], *(positive(part) for part in f[1:]))


def temporal_of(f):
    inner = [] if f[0] == "atom" else [g for part in f[1:] for g in temporal_of(part)]
    return inner + ([f] if f[0] in TEMPORAL else [])


class Steps:
    """Every step from a reachable state, with the truths of the atoms and the constraints that it satisfies."""

    def __init__(self, model, initial, edges, ends):
        self.model, self.list, self.of = model, [], {s: [] for s in edges}
        choices = [dict(zip(model.inputs, values)) for values in itertools.product(*model.inputs.values())]
        for s in edges:
            for process, inputs in itertools.product(range(len(model.processes)), choices):
                for t in edges[s]:
                    if model.step(s, t, inputs, process):
                        self.add(s, t, model.environment(s, t, inputs, process), (inputs, process))
                if ends and not edges[s] and not model.fairness:
                    self.add(s, None, model.environment(s, None, inputs, process), (inputs, process))
        self.initial = [i for s in initial for i in self.of[s]]

    def add(self, s, t, env, how):
        marks = frozenset(i for i, c in enumerate(self.model.fairness) if single(c, env))
        self.of[s].append(len(self.list))
        self.list.append((s, t, env, marks, how))

    def after(self, i):
        return self.of[self.list[i][1]] if self.list[i][1] is not None else []


def reads_next(e):
    return isinstance(e, (tuple, list)) and (bool(e) and e[0] == "next" or any(reads_next(x) for x in e))


class PathChecker:
    """Whether some path satisfies `formula`."""

    def __init__(self, steps, formula):
        self.steps, self.formula = steps, formula
        self.temporal = temporal_of(formula)
        self.place = {id(f): n for n, f in enumerate(self.temporal)}
        self.atoms = {}

    def value(self, i, guess, f):
        if f[0] in TEMPORAL:
            return guess[self.place[id(f)]]
        if f[0] == "atom":
            key = (i, id(f))
            if key not in self.atoms:
                _, to, env, _, _ = self.steps.list[i]
                self.atoms[key] = not (to is None and reads_next(f[1])) and single(f[1], env)
            return self.atoms[key]
        a = self.value(i, guess, f[1])
        if f[0] == "!":
            return not a
        b = self.value(i, guess, f[2])
        return {"&": a and b, "|": a or b, "->": not a or b}[f[0]]

    def agree(self, node, after):
        """`after` is None where the path ends."""
        i, guess = node
        for f, claimed in zip(self.temporal, guess):
            op = f[0]
            if op in PAST:
                continue
            now = self.value(i, guess, f[-1])
            later = after and self.value(*after, f)
            if op == "X":
                wanted = bool(after) and self.value(*after, f[1])
            elif op == "F":
                wanted = now or bool(later)
            elif op == "G":
                wanted = now and (later if after else True)
            elif op == "U":
                wanted = now or (self.value(i, guess, f[1]) and bool(later))
            else:
                wanted = now and (self.value(i, guess, f[1]) or not after or later)
            if claimed != wanted:
                return False
        return after is None or self.past_agrees(after, node)

    def past_agrees(self, node, before):
        i, guess = node
        for f, claimed in zip(self.temporal, guess):
            op = f[0]
            if op not in PAST:
                continue
            now = self.value(i, guess, f[-1])
            earlier = before and self.value(*before, f)
            if op in "YZ":
                wanted = self.value(*before, f[1]) if before else op == "Z"
            elif op == "O":
                wanted = now or bool(earlier)
            elif op == "H":
                wanted = now and (earlier if before else True)
            elif op == "S":
                wanted = now or (self.value(i, guess, f[1]) and bool(earlier))
            else:
                wanted = now and (self.value(i, guess, f[1]) or not before or earlier)
            if claimed != wanted:
                return False
        return True

    def guesses(self, i):
        return [(i, guess) for guess in itertools.product([False, True], repeat=len(self.temporal))]

    def kept(self, node):
        """Which constraints and promises this node satisfies."""
        i, guess = node
        kept = set(self.steps.list[i][3])
        for n, f in enumerate(self.temporal):
            now = f[0] in "FUGR" and self.value(i, guess, f[-1])
            if f[0] in "FU" and (now or not guess[n]) or f[0] in "GR" and (guess[n] or not now) \
                    or f[0] in "X" + PAST:
                kept.add(("promise", n))
        return kept

    def exists(self):
        wanted = set(range(len(self.steps.model.fairness))) | {("promise", n) for n in range(len(self.temporal))}
        start = [n for i in self.steps.initial for n in self.guesses(i)
                 if self.past_agrees(n, None) and self.value(*n, self.formula)]
        edges, order = {}, list(start)
        for n in start:
            edges[n] = None
        while order:
            n = order.pop()
            if self.steps.list[n[0]][1] is None and self.agree(n, None):
                return True
            edges[n] = [m for j in self.steps.after(n[0]) for m in self.guesses(j) if self.agree(n, m)]
            for m in edges[n]:
                if m not in edges:
                    edges[m] = None
                    order.append(m)
        return any(wanted <= set().union(*(self.kept(n) for n in c)) for c in strong_components(edges))


def strong_components(edges):
    """With a cycle, by two passes (Kosaraju)."""
    order, seen = [], set()
    for root in edges:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(edges[root]))]
        while stack:
            for m in stack[-1][1]:
                if m not in seen:
                    seen.add(m)
                    stack.append((m, iter(edges[m])))
                    break
            else:
                order.append(stack.pop()[0])
    before = {n: [] for n in edges}
    for n, after in edges.items():
        for m in after:
            before[m].append(n)
    seen = set()
    for root in reversed(order):
        if root in seen:
            continue
        component, todo = [], [root]
        seen.add(root)
        while todo:
            n = todo.pop()
            component.append(n)
            fresh = [m for m in before[n] if m not in seen]
            seen.update(fresh)
            todo += fresh
        if len(component) > 1 or component[0] in edges[component[0]]:
            yield component


def compare(nestor, folder, seed, counts):
    rng = random.Random(seed)
    model = Model(rng, with_input=0.8)
    initial, edges = model.graph()
    if not initial:
        return ""
    frozen = model.frozen
    later = [n for n in model.domains if n not in frozen]
    reading = Generator(rng, {**model.domains, **model.inputs}, list(model.defines),
                        [n for n in later if rng.random() < 0.3])
    of_states = Generator(rng, model.domains, list(model.defines))
    of_next = Generator(rng, model.domains, [], later)
    of_inputs = Generator(rng, model.inputs or model.domains, [])

    def atom():
        if len(model.processes) > 1 and rng.random() < 0.2:
            return ("running", rng.choice(model.processes))
        return rng.choice([reading, of_inputs, of_next]).boolean(1)

    def formula():
        if rng.random() < 0.4:  # what a step is like has to do with where it leads
            then = ("X", ("atom", of_states.boolean(1)))
            return ("G", (rng.choice(["->", "|", "&"]), ("atom", atom()), rng.choice([then, ("!", then)])))
        return random_path_formula(rng, atom, rng.randint(1, 3))

    formulas = [formula() for _ in range(5)]
    invariants = [atom() for _ in range(2)]
    path = folder / "model.smv"
    path.write_text("\n".join(model.lines + [f"LTLSPEC {formula_text(f)}" for f in formulas] +
                              [f"INVARSPEC {text(i)}" for i in invariants] + model.modules) + "\n", encoding="utf-8")
    for ends in (False, True) if any(not after for after in edges.values()) else (False,):
        steps = Steps(model, initial, edges, ends)
        if len(steps.list) > MOST_STEPS:
            return ""
        arguments = ["--dead-ends=keep"] if ends else []
        problem = verdict_problem(nestor, folder, path, steps, formulas, invariants, arguments, counts)
        if problem:
            return f"{' '.join(arguments)} {problem}"
    return ""


def verdict_problem(nestor, folder, path, steps, formulas, invariants, arguments, counts):
    status, out, err = run(nestor, "check", str(path), "--json", "--witness", *arguments)
    if status not in (0, 1):
        return f"check: {status}: {err} {out[-300:]}"
    results = json.loads(out)["results"]
    for f, result in zip(formulas, results):
        truth = not PathChecker(steps, negated(f)).exists()
        counts["of steps"] += any(word in result["formula"] for word in ("in0", "next", "running"))
        counts["formulas"] += 1
        if result["verdict"] != ("holds" if truth else "fails"):
            return f"{result['verdict']}, expected {truth}: {result['formula']}"
        if not truth and "witness" not in result:
            return f"no witness: {result['formula']}"
    for f, result in zip(invariants, results[len(formulas):], strict=True):
        truth = all(single(f, env) for _, to, env, _, _ in steps.list if to is not None)
        ended = [i for i in steps.list if i[1] is None] or any(not steps.of[s] for s in steps.of)
        if result["verdict"] != ("holds" if truth else "fails") and not (ended and truth):
            return f"{result['verdict']}, expected {truth}: {result['formula']}"
    return evidence_problem(nestor, folder, path, formulas[0], results[0]["verdict"], arguments, counts)


def evidence_problem(nestor, folder, path, f, verdict, arguments, counts):
    """What is shown and proved for a formula from elsewhere, whose atoms are in quotes, written and read again."""
    asked = formula_text(f, '"')
    witness, proof = folder / "witness.json", folder / "proof.cert"
    status, out, err = run(nestor, "check", str(path), "-f", asked, f"--witness={witness}", *arguments)
    if status not in (0, 1) or verdict not in out:
        return f"-f: {status}: {out} {err} {asked}"
    if "witness" in json.loads(witness.read_text(encoding="utf-8"))["results"][0]:
        status, out, err = run(nestor, "replay", str(path), asked, str(witness), *arguments)
        counts["replayed"] += 1
        is_claim = status == 3 and verdict == "holds" and "no engine but the one that made" in out
        if not is_claim and (status != 0 or "accepted" not in out):
            return f"replay: {status}: {out} {err} {asked}"
    if "FAIRNESS" not in path.read_text(encoding="utf-8"):
        status, _, err = run(nestor, "check", str(path), "-f", asked, f"--certificate={proof}", *arguments)
        if status not in (0, 1):
            return f"certificate: {status}: {err}"
        status, out, err = run(nestor, "verify", str(path), str(proof), *arguments)
        counts["certificates"] += 1
        if status != 0 or verdict not in out:
            return f"verify: {status}: {out} {err} {asked}"
    return ""


def main():
    nestor = sys.argv[1]
    options = dict(a[2:].split("=") for a in sys.argv[2:])
    seed, cases = int(options.get("seed", 1)), scaled(int(options.get("cases", 200)))
    failures, counts = 0, {"formulas": 0, "of steps": 0, "replayed": 0, "certificates": 0}
    for k in range(cases):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(options.get("keep", scratch))
            problem = compare(nestor, folder, seed + k, counts)
            if problem:
                failures += 1
                print(f"seed {seed + k}: {problem}\n{(folder / 'model.smv').read_text(encoding='utf-8')}")
                if failures == 3:
                    break
    print(f"{cases} models from seed {seed}, " + ", ".join(f"{n} {what}" for what, n in counts.items())
          + f", {failures} failures")
    return 1 if failures or (cases >= 100 and min(counts.values()) == 0) else 0


if __name__ == "__main__":
    sys.exit(main())
