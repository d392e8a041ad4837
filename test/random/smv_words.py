#!/usr/bin/env python3
"""Words of any width in SMV: every operator against Python's integers.

usage: smv_words.py NESTOR [--cases=N] [--seed=S] [--keep=FOLDER]

A case is a model whose variables are words of up to 200 bits, most of them wider than 64, with one value to
begin with and one that follows; a counter ends it after a few steps. The states that nestor finds have to be
those that the same expressions give here, and specifications about them as they are here.
"""

import json
import pathlib
import random
import sys
import tempfile

from scale import scaled
from smv_oracle import Word, apply, literal, run, word

STEPS = 4
WIDTHS = [1, 2, 7, 31, 32, 33, 63, 64, 65, 66, 95, 96, 97, 127, 128, 129, 160, 191, 192, 193, 200]


class Undefined(Exception):
    """A value that does not exist: a division by zero, a shift too far, a number too large."""


def divided(a, b):
    if b.value == 0:
        raise Undefined
    quotient = abs(a.value) // abs(b.value)
    return quotient if (a.value < 0) == (b.value < 0) else -quotient


def shifted(op, a, amount):
    if not 0 <= amount <= a.width:
        raise Undefined
    return word(a.signed, a.width, a.value << amount if op == "<<" else a.value >> amount)


def as_number(a):
    if abs(a.value) >= 1 << 61:
        raise Undefined
    return a.value


def evaluate(e, env):
    """The value of an expression: a word, a truth value or a number."""
    op = e[0]
    if op == "const":
        return e[1]
    if op == "var":
        return env[e[1]]
    if op == "case":
        return evaluate(e[2] if evaluate(e[1], env) else e[3], env)
    a = evaluate(e[1], env)
    if op == "select":
        return word(False, e[2] - e[3] + 1, a.value >> e[3])
    if op in ("resize", "extend"):
        return apply("resize", a, e[2])
    if op in ("signed", "unsigned"):
        return word(op == "signed", a.width, a.value)
    if op == "-" and len(e) == 2:
        return word(a.signed, a.width, -a.value)
    if op == "!":
        return word(a.signed, a.width, ~a.value) if isinstance(a, Word) else not a
    if op == "toint":
        return as_number(a)
    b = evaluate(e[2], env)
    if op == "::":
        return word(False, a.width + b.width, (a.value << b.width) | (b.value & ((1 << b.width) - 1)))
    if op in ("<<", ">>"):
        return shifted(op, a, b.value if isinstance(b, Word) else b)
    if op == "/":
        return word(a.signed, a.width, divided(a, b))
    if op == "mod":
        return word(a.signed, a.width, a.value - divided(a, b) * b.value)
    if op in ("=", "!=", "<", "<=", ">", ">="):
        return apply(op, a.value, b.value) if isinstance(a, Word) else apply(op, a, b)
    if op in ("&", "|") and not isinstance(a, Word):
        return apply(op, a, b)
    if op == "->":
        return word(a.signed, a.width, ~a.value | b.value)
    if op in ("xnor", "<->"):
        return word(a.signed, a.width, ~(a.value ^ b.value))
    return apply("w" + op, a, b)


def text(e):
    op = e[0]
    if op == "const":
        return written(e[1], e[2]) if isinstance(e[1], Word) else literal(e[1])
    if op == "var":
        return e[1]
    if op == "case":
        return f"(case {text(e[1])} : {text(e[2])}; TRUE : {text(e[3])}; esac)"
    if op == "select":
        return f"({text(e[1])})[{e[2]}:{e[3]}]"
    if op == "extend":
        return f"extend({text(e[1])}, {e[2] - e[3]})"
    if op == "resize":
        return f"resize({text(e[1])}, {e[2]})"
    if op in ("signed", "unsigned", "toint"):
        return f"{op}({text(e[1])})"
    if len(e) == 2:
        return f"{op} ({text(e[1])})"
    return f"({text(e[1])} {op} {text(e[2])})"


def written(value, base):
    """A constant, in one of the bases that the language has."""
    sign = "-" if value.value < 0 else ""
    mark = "s" if value.signed else "u"
    if base == "d":
        return literal(value)
    bits = value.value & ((1 << value.width) - 1)
    digits = {"b": f"{bits:b}", "o": f"{bits:o}", "h": f"{bits:x}"}[base]
    return f"0{mark}{base}{value.width}_{digits}" if sign == "" or value.signed else literal(value)


class Expressions:
    def __init__(self, rng, variables):
        self.rng, self.variables = rng, variables

    def constant(self, signed, width):
        rng = self.rng
        bits = rng.choice([rng.getrandbits(width), rng.getrandbits(min(width, 5)), (1 << width) - 1, 1 << (width - 1), 0])
        return ("const", word(signed, width, bits), rng.choice("bodhd"))

    def word(self, signed, width, depth):
        rng = self.rng
        same = [n for n, v in self.variables.items() if (v.signed, v.width) == (signed, width)]
        roll = rng.random()
        if depth == 0 or roll < 0.1:
            return ("var", rng.choice(same)) if same and rng.random() < 0.7 else self.constant(signed, width)
        if roll < 0.4:
            op = rng.choice(["+", "-", "*", "/", "mod", "&", "|", "xor", "xnor", "->", "<->"])
            return (op, self.word(signed, width, depth - 1), self.word(signed, width, depth - 1))
        if roll < 0.48:
            return (rng.choice(["!", "-"]), self.word(signed, width, depth - 1))
        if roll < 0.58:
            amount = ("const", rng.choice([0, 1, 31, 32, 63, 64, 65, width, rng.randint(0, width)]))
            if rng.random() < 0.4:
                amount = ("const", word(False, rng.choice([9, 64, 70]), min(amount[1], width, 511)), "d")
            return (rng.choice(["<<", ">>"]), self.word(signed, width, depth - 1), amount)
        if roll < 0.66 and not signed and width > 1:
            low = rng.randint(1, width - 1)
            return ("::", self.word(rng.random() < 0.3, width - low, depth - 1),
                    self.word(rng.random() < 0.3, low, depth - 1))
        if roll < 0.74 and not signed:
            larger = rng.choice([w for w in WIDTHS if w >= width] or [width])
            low = rng.randint(0, larger - width)
            return ("select", self.word(rng.random() < 0.5, larger, depth - 1), low + width - 1, low)
        if roll < 0.84:
            return ("resize", self.word(signed, rng.choice(WIDTHS), depth - 1), width)
        if roll < 0.9 and width > 1:
            smaller = rng.randint(1, width)
            return ("extend", self.word(signed, smaller, depth - 1), width, smaller)
        if roll < 0.95:
            return ("signed" if signed else "unsigned", self.word(not signed, width, depth - 1))
        return ("case", self.condition(depth - 1), self.word(signed, width, depth - 1), self.word(signed, width, depth - 1))

    def condition(self, depth):
        rng = self.rng
        if depth > 1 and rng.random() < 0.3:
            return (rng.choice(["&", "|"]), self.condition(depth - 1), self.condition(depth - 1))
        signed, width = rng.random() < 0.5, rng.choice(WIDTHS)
        if self.variables and rng.random() < 0.7:
            like = rng.choice(list(self.variables.values()))
            signed, width = like.signed, like.width
        if rng.random() < 0.1:
            return ("<", ("toint", self.word(signed, width, depth)), ("const", rng.randint(0, 1 << 40)))
        return (rng.choice(["=", "!=", "<", "<=", ">", ">="]), self.word(signed, width, depth), self.word(signed, width, depth))


def defined(make, environments):
    """An expression that has a value in all of these."""
    while True:
        e = make()
        try:
            for env in environments:
                evaluate(e, env)
        except Undefined:
            continue
        return e


def compare(nestor, folder, seed):
    rng = random.Random(seed)
    types = {f"v{i}": (rng.random() < 0.4, rng.choice(WIDTHS[5:] if i == 0 else WIDTHS)) for i in range(rng.randint(1, 3))}
    env = {}
    make = Expressions(rng, {})
    inits = {}
    for name, (signed, width) in types.items():
        inits[name] = defined(lambda s=signed, w=width: make.word(s, w, rng.randint(0, 2)), [{}])
        env[name] = evaluate(inits[name], {})
    # Values of the next states are not known before the expressions are: those that fail on the way are drawn anew.
    while True:
        make = Expressions(rng, env)
        nexts = {n: make.word(*types[n], rng.randint(1, 3)) for n in types}
        states = [dict(env)]
        try:
            for _ in range(STEPS):
                states.append({n: evaluate(nexts[n], states[-1]) for n in types})
            for n in types:
                evaluate(nexts[n], states[-1])
        except Undefined:
            continue
        break
    make = Expressions(rng, env)
    conditions = [defined(lambda: make.condition(2), states) for _ in range(4)]
    lines = ["MODULE main", f"VAR step : 0..{STEPS};"]
    lines += [f"VAR {n} : {'signed' if s else 'unsigned'} word[{w}];" for n, (s, w) in types.items()]
    lines += ["ASSIGN init(step) := 0;", f"next(step) := step < {STEPS} ? step + 1 : step;"]
    for n in types:
        lines += [f"init({n}) := {text(inits[n])};", f"next({n}) := step < {STEPS} ? {text(nexts[n])} : {n};"]
    lines += [f"SPEC AG ({text(c)})" for c in conditions] + [f"SPEC EF ({text(c)})" for c in conditions]
    path = folder / "model.smv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    status, _, err = run(nestor, "convert", str(path), "-o", str(folder / "model.rsm"))
    if status != 0:
        return f"convert: {status}: {err}"
    nodes = json.loads((folder / "model.rsm").read_text(encoding="utf-8"))["components"][0]["nodes"]
    wanted = {", ".join([f"step = {k}"] + [f"{n} = {literal(v)}" for n, v in s.items()]) for k, s in enumerate(states)}
    if {n["name"] for n in nodes} != wanted:
        return f"found {sorted(n['name'] for n in nodes)}, expected {sorted(wanted)}"
    status, out, err = run(nestor, "check", str(path), "--json")
    if status not in (0, 1):
        return f"check: {status}: {err}"
    truths = [[evaluate(c, s) for s in states] for c in conditions]
    expected = [all(t) for t in truths] + [any(t) for t in truths]
    for truth, result in zip(expected, json.loads(out)["results"], strict=True):
        if result["verdict"] != ("holds" if truth else "fails"):
            return f"{result['verdict']}, expected {truth}: {result['formula']}"
    return ""


def main():
    nestor = sys.argv[1]
    options = dict(a[2:].split("=") for a in sys.argv[2:])
    seed, cases = int(options.get("seed", 1)), scaled(int(options.get("cases", 300)))
    failures = 0
    for k in range(cases):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(options.get("keep", scratch))
            problem = compare(nestor, folder, seed + k)
            if problem:
                failures += 1
                print(f"seed {seed + k}: {problem}\n{(folder / 'model.smv').read_text(encoding='utf-8')}")
                if failures == 3:
                    break
    print(f"{cases} models with words from seed {seed}, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
