#!/usr/bin/env python3
"""Random SMV models: nestor's state graph and verdicts against a naive reading of the same model.

usage: smv_oracle.py NESTOR [--cases=N] [--seed=S] [--keep=FOLDER]

Each case makes a model as a tree, prints it as SMV and evaluates the tree itself: all assignments of
values to variables are states, and a pair of them is a transition if it satisfies every assignment and
constraint, read as a relation. Nothing here plans, packs or explores, and fair paths are found by
strongly connected components instead of fixpoints. Each model is asked twice: with only infinite paths,
and with paths that end in dead ends; invariants speak of all reachable states. Case k has seed S + k.
"""

import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import typing

from scale import scaled

SYMBOLS = ["red", "green", "blue"]
ENGINES = [[], [], ["--engine=reference"], ["--engine=local"], ["--engine=summary"], ["--engine=emc"], ["--engine=dfs"]]
MOST_STATES = 72


class Word(typing.NamedTuple):
    signed: bool
    width: int
    value: int


def word(signed, width, bits):
    """The word with the lowest `width` of these bits."""
    bits &= (1 << width) - 1
    return Word(signed, width, bits - (1 << width) if signed and bits >> (width - 1) else bits)


def resized(w, width):
    if w.signed and width < w.width:  # the sign and the lowest bits
        return word(True, width, (w.value < 0) << (width - 1) | w.value & ((1 << (width - 1)) - 1))
    return word(w.signed, width, w.value)


def kind_of(value):
    return (Word, value.signed, value.width) if isinstance(value, Word) else type(value)


# Expressions are tuples: the operator first. evaluate() returns the set of possible values.

def evaluate(e, env):
    kind = e[0]
    if kind == "const":
        return {e[1]}
    if kind in ("var", "next", "running"):
        return {env[e[:2]]}
    if kind == "set":
        return set().union(*(evaluate(x, env) for x in e[1]))
    if kind == "in":
        return {single(e[1], env) in evaluate(e[2], env)}
    if kind == "case":
        for condition, value in e[1]:
            if single(condition, env):
                return evaluate(value, env)
        raise AssertionError("no branch")
    if kind == "select":  # an array's name, its elements, the index
        return evaluate(e[2][single(e[3], env)], env)
    operands = [evaluate(x, env) for x in e[1:]]
    return {apply(kind, *values) for values in itertools.product(*operands)}


def single(e, env):
    (value,) = evaluate(e, env)
    return value


def apply(op, a, b=None):
    return {
        "!": lambda: not a, "&": lambda: a and b, "|": lambda: a or b, "xor": lambda: a != b,
        "->": lambda: not a or b, "<->": lambda: a == b, "xnor": lambda: a == b,
        "=": lambda: a == b, "!=": lambda: a != b, "<": lambda: a < b, "<=": lambda: a <= b,
        ">": lambda: a > b, ">=": lambda: a >= b, "+": lambda: a + b, "-": lambda: a - b,
        "*": lambda: a * b, "mod": lambda: abs(a) % b * (1 if a >= 0 else -1),
        "max": lambda: max(a, b), "min": lambda: min(a, b),
        "w+": lambda: word(*a[:2], a.value + b.value), "w-": lambda: word(*a[:2], a.value - b.value),
        "w*": lambda: word(*a[:2], a.value * b.value), "w&": lambda: word(*a[:2], a.value & b.value),
        "w|": lambda: word(*a[:2], a.value | b.value), "wxor": lambda: word(*a[:2], a.value ^ b.value),
        "w!": lambda: word(*a[:2], ~a.value), "resize": lambda: resized(a, b), "toint": lambda: a.value,
        "low": lambda: word(False, b + 1, a.value), "sizeof": lambda: a.width,
    }[op]()


def literal(value):
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, Word):
        sign = "-" if value.value < 0 else ""
        return f"{sign}0{'s' if value.signed else 'u'}d{value.width}_{abs(value.value)}"
    return str(value)


def text(e):
    kind = e[0]
    if kind == "const":
        return literal(e[1])
    if kind == "var":
        return e[1]
    if kind == "running":
        return f"{e[1]}.running" if e[1] else "running"
    if kind == "next":
        return f"next({e[1]})"
    if kind == "set":
        return "{" + ", ".join(text(x) for x in e[1]) + "}"
    if kind == "in":
        return f"({text(e[1])} in {text(e[2])})"
    if kind == "case":
        return "case " + " ".join(f"{text(c)} : {text(v)};" for c, v in e[1]) + " esac"
    if kind == "!":
        return f"!{text(e[1])}" if e[1][0] in ("const", "var") else f"!({text(e[1])})"
    if kind == "select":
        return f"{e[1]}[{text(e[3])}]"
    if kind == "low":
        return f"({text(e[1])})[{text(e[2])}:0]"
    if kind in ("toint", "sizeof"):
        return f"{kind}({text(e[1])})"
    if kind == "w!":
        return f"!({text(e[1])})"
    if kind[0] == "w":
        return f"({text(e[1])} {kind[1:]} {text(e[2])})"
    if kind in ("max", "min", "resize"):
        return f"{kind}({text(e[1])}, {text(e[2])})"
    return f"({text(e[1])} {kind} {text(e[2])})"


class Generator:
    """Random expressions over the variables in `scope`: name → list of values."""

    def __init__(self, rng, scope, defines, may_next=()):
        self.rng, self.scope, self.defines, self.may_next = rng, scope, defines, may_next

    def names(self, kind):
        return [n for n, values in self.scope.items() if isinstance(values[0], kind)
                and (kind is not int or not isinstance(values[0], bool))]

    def variable(self, name):
        return ("next", name) if name in self.may_next and self.rng.random() < 0.5 else ("var", name)

    def boolean(self, depth):
        rng = self.rng
        names = self.names(bool)
        roll = rng.random()
        if depth > 0 and self.words() and rng.random() < 0.3:
            like = self.scope[rng.choice(self.words())][0]
            return (rng.choice(["=", "!=", "<", "<=", ">", ">="]), self.word(like, depth - 1),
                    self.word(like, depth - 1))
        if depth > 0 and rng.random() < 0.1 and (chosen := self.element(bool, depth)):
            return chosen
        if depth <= 0 or roll < 0.15:
            if self.defines and rng.random() < 0.3:
                return ("var", rng.choice(self.defines))
            return self.variable(rng.choice(names)) if names else ("const", rng.random() < 0.5)
        if roll < 0.3:
            return ("!", self.boolean(depth - 1))
        if roll < 0.55:
            return (rng.choice(["&", "|", "xor", "->", "<->", "xnor"]), self.boolean(depth - 1),
                    self.boolean(depth - 1))
        if roll < 0.75 and self.names(int):
            return (rng.choice(["=", "!=", "<", "<=", ">", ">="]), self.number(depth - 1),
                    self.number(depth - 1))
        if self.names(str):
            name = rng.choice(self.names(str))
            if rng.random() < 0.5:
                return (rng.choice(["=", "!="]), self.variable(name), ("const", rng.choice(self.scope[name])))
            return ("in", self.variable(name),
                    ("set", [("const", v) for v in rng.sample(SYMBOLS, rng.randint(1, 2))]))
        return ("case", [(self.boolean(depth - 1), self.boolean(depth - 1)),
                         (("const", True), self.boolean(depth - 1))])

    def words(self):
        return [n for n, values in self.scope.items() if isinstance(values[0], Word)]

    def word(self, like, depth):
        """Of the same type as `like`."""
        rng = self.rng
        names = [n for n in self.words() if kind_of(self.scope[n][0]) == kind_of(like)]
        roll = rng.random()
        if depth <= 0 or roll < 0.4:
            return self.variable(rng.choice(names)) if names and rng.random() < 0.7 else \
                ("const", word(like.signed, like.width, rng.randint(0, 7)))
        if roll < 0.6:
            return (rng.choice(["w+", "w-", "w*"]), self.word(like, depth - 1), self.word(like, depth - 1))
        if roll < 0.75:
            return (rng.choice(["w&", "w|", "wxor"]), self.word(like, depth - 1), self.word(like, depth - 1))
        if roll < 0.85:
            return ("w!", self.word(like, depth - 1))
        if not like.signed and rng.random() < 0.5:
            return ("low", self.word(word(rng.random() < 0.5, 3, 0), depth - 1), ("const", like.width - 1))
        return ("resize", self.word(word(like.signed, rng.randint(1, 3), 0), depth - 1), ("const", like.width))

    def element(self, kind, depth):
        """Of an array whose two elements are in the scope, by an index that is not constant."""
        for name, values in self.scope.items():
            if name.endswith("[0]") and type(values[0]) is kind and name[:-3] + "[1]" in self.scope:
                elements = [("var", name), ("var", name[:-3] + "[1]")]
                return ("select", name[:-3], elements, ("mod", self.number(depth - 1), ("const", 2)))
        return None

    def number(self, depth):
        rng = self.rng
        names = self.names(int)
        if depth > 0 and rng.random() < 0.1:  # a truth value as a number
            return ("+", self.number(depth - 1), self.boolean(depth - 1))
        if depth > 0 and rng.random() < 0.1 and (chosen := self.element(int, depth)):
            return chosen
        unsigned = [n for n in self.words() if not self.scope[n][0].signed]
        if depth > 0 and unsigned and rng.random() < 0.15:
            return (rng.choice(["toint", "toint", "sizeof"]), self.word(self.scope[unsigned[0]][0], depth - 1))
        if depth <= 0 or rng.random() < 0.4:
            return self.variable(rng.choice(names)) if names and rng.random() < 0.7 else \
                ("const", rng.randint(0, 3))
        if rng.random() < 0.15:
            return ("case", [(self.boolean(depth - 1), self.number(depth - 1)),
                             (("const", True), self.number(depth - 1))])
        return (rng.choice(["+", "*", "max", "min", "+"]), self.number(depth - 1), self.number(depth - 1))

    def value(self, values, depth):
        """An expression, perhaps with several values, all among `values`."""
        rng = self.rng
        if rng.random() < 0.35 and depth > 0:
            branches = []
            for _ in range(rng.randint(1, 5)):
                branches.append((self.boolean(1), self.value(values, depth - 1)))
            return ("case", branches + [(("const", True), self.value(values, depth - 1))])
        if rng.random() < 0.3:
            picked = rng.sample(values, rng.randint(1, len(values)))
            return ("set", [("const", v) for v in picked])
        same = [n for n, other in self.scope.items() if set(other) <= set(values)
                and kind_of(other[0]) == kind_of(values[0])]
        if same and rng.random() < 0.3:
            if rng.random() < 0.3:
                return ("set", [self.variable(rng.choice(same)), ("const", rng.choice(values))])
            return self.variable(rng.choice(same))
        if isinstance(values[0], bool):
            return self.boolean(depth)
        if isinstance(values[0], Word):
            return self.word(values[0], depth)
        if isinstance(values[0], int) and rng.random() < 0.6:
            inner = self.number(depth)
            if rng.random() < 0.2:
                inner = ("+", inner, ("set", [("const", 0), ("const", 1)]))
            return ("mod", inner, ("const", len(values)))
        return ("const", rng.choice(values))


def random_values(rng):
    kind = rng.random()
    if kind < 0.15:
        signed, width = rng.random() < 0.5, rng.randint(1, 2)
        return sorted(word(signed, width, bits) for bits in range(1 << width))
    if kind < 0.45:
        return [False, True]
    if kind < 0.7:
        return list(range(rng.randint(2, 3)))
    return rng.sample(SYMBOLS, rng.randint(2, 3))


def type_text(values):
    if isinstance(values[0], bool):
        return "boolean"
    if isinstance(values[0], Word):
        return f"{'signed' if values[0].signed else 'unsigned'} word[{values[0].width}]"
    if isinstance(values[0], int):
        return f"0..{len(values) - 1}"
    return "{" + ", ".join(values) + "}"


def switch_on(rng, name, values, targets):
    """A case with one branch for each value: what nestor turns into a table."""
    order = rng.sample(values, len(values))
    return ("case", [(("=", ("var", name), ("const", v)), rng.choice(targets)) for v in order]
            + [(("const", True), rng.choice(targets))])


def rename(e, mapping):
    """Replaces variables: own names and parameters of a module by what they are in main."""
    if not isinstance(e, tuple):
        return [rename(x, mapping) for x in e] if isinstance(e, list) else e
    if e[0] == "var" and e[1] in mapping:
        return mapping[e[1]]
    if e[0] == "next" and e[1] in mapping:
        return ("next", mapping[e[1]][1])
    if e[0] == "running" and "" in mapping:
        return ("running", mapping[""])
    if e[0] == "const":
        return e
    return tuple(rename(x, mapping) if isinstance(x, (tuple, list)) else x for x in e)


class Model:
    def __init__(self, rng, with_input=0.2):
        self.rng = rng
        self.with_input = with_input  # how often there is an input
        self.domains = {}      # state variables
        self.frozen = set()
        self.inputs = {}
        self.assigns = []      # (kind, variable, process, expression)
        self.init, self.trans, self.invar, self.fairness = [], [], [], []
        self.defines = {}      # name → expression
        self.processes = [""]
        self.lines = ["MODULE main", f"CONSTANTS {', '.join(SYMBOLS)};"]
        self.modules = []
        self.build()

    def build(self):
        rng = self.rng
        size = 1
        for i in range(rng.randint(1, 4)):
            values = random_values(rng)
            if size * len(values) > MOST_STATES:
                break
            size *= len(values)
            name = f"v{i}"
            self.domains[name] = values
            frozen = rng.random() < 0.1
            if frozen:
                self.frozen.add(name)
            self.lines.append(f"{'FROZENVAR' if frozen else 'VAR'} {name} : {type_text(values)};")
        if rng.random() < 0.3 and size <= MOST_STATES // 4:
            values = rng.choice([[False, True], [0, 1]])
            self.lines.append(f"VAR a : array 0..1 of {type_text(values)};")
            for i in range(2):
                self.domains[f"a[{i}]"] = values
            size *= 4
        if rng.random() < self.with_input:
            self.inputs["in0"] = random_values(rng)
            self.lines.append(f"IVAR in0 : {type_text(self.inputs['in0'])};")
        scope = dict(self.domains)
        for i in range(rng.randint(0, 2)):
            expression = Generator(rng, dict(self.domains), list(self.defines)).boolean(2)
            self.defines[f"d{i}"] = expression
            self.lines.append(f"DEFINE d{i} := {text(expression)};")
        self.instances(size)
        for name, values in list(scope.items()):
            self.assign(name, values, scope)
        self.constraints(scope)

    def assign(self, name, values, scope):
        rng = self.rng
        others = {n: v for n, v in scope.items() if n < name}
        roll = rng.random()
        taken = [a for a in self.assigns if a[1] == name]
        if roll < 0.15 and not taken and name not in self.frozen:
            self.add("", name, Generator(rng, others, []).value(values, 1))
            return
        if rng.random() < 0.75:
            self.add("init", name, Generator(rng, others, []).value(values, 1))
        if name in self.frozen or rng.random() < 0.15:
            return
        reading = dict(scope)
        reading.update(self.inputs)
        later = [n for n in others if n not in self.frozen]
        generator = Generator(rng, reading, list(self.defines), later if rng.random() < 0.3 else ())
        if rng.random() < 0.4:
            targets = [generator.value(values, 0) for _ in range(3)]
            expression = switch_on(rng, name, values, targets)
        else:
            expression = generator.value(values, 2)
        self.add("next", name, expression)

    def add(self, kind, name, expression):
        self.assigns.append((kind, name, 0, expression))
        left = f"{kind}({name})" if kind else name
        self.lines.append(f"ASSIGN {left} := {text(expression)};")

    def instances(self, size):
        """A module with a variable of its own, a parameter that it reads, one that it may assign."""
        rng = self.rng
        if rng.random() < 0.5 or not self.domains:
            return
        own = random_values(rng)
        shared = [n for n, v in self.domains.items() if n not in self.frozen]
        process = rng.random() < 0.5 and bool(shared)
        local = {"x": own, "p": [False, True]}
        target_values = None
        target = rng.choice(shared) if process else None
        if target:
            target_values = self.domains[target]
            local["q"] = target_values
        generator = Generator(rng, local, [])
        body = {"init": Generator(rng, {}, []).value(own, 0), "next": generator.value(own, 2)}
        to_q = generator.value(target_values, 1) if target else None
        define = generator.boolean(1)
        fair = process and rng.random() < 0.6
        self.modules += ["MODULE cell(p, q)", f"VAR x : {type_text(own)};",
                         f"ASSIGN init(x) := {text(body['init'])}; next(x) := {text(body['next'])};",
                         f"DEFINE d := {text(define)};"]
        if to_q:
            self.modules.append(f"ASSIGN next(q) := {text(to_q)};")
        if fair:
            self.modules.append("FAIRNESS running")
        for i in range(rng.randint(1, 2)):
            if size * len(own) > MOST_STATES:
                return
            size *= len(own)
            name = f"c{i}"
            reads = Generator(rng, {n: v for n, v in self.domains.items() if n[0] == "v"}, []).boolean(1)
            self.lines.append(f"VAR {name} : {'process ' if process else ''}"
                              f"cell({text(reads)}, {target or 'TRUE'});")
            if process:
                self.processes.append(name)
            index = len(self.processes) - 1 if process else 0
            mapping = {"x": ("var", f"{name}.x"), "p": reads, "": name}
            if target:
                mapping["q"] = ("var", target)
            self.domains[f"{name}.x"] = own
            self.assigns.append(("init", f"{name}.x", index, rename(body["init"], mapping)))
            self.assigns.append(("next", f"{name}.x", index, rename(body["next"], mapping)))
            if to_q:
                self.assigns.append(("next", target, index, rename(to_q, mapping)))
            if fair:
                self.fairness.append(("running", name))
            self.defines[f"{name}.d"] = rename(define, mapping)

    def constraints(self, scope):
        rng = self.rng
        plain = Generator(rng, dict(scope), list(self.defines))
        if rng.random() < 0.2:
            self.constrain("INIT", self.init, plain.boolean(2))
        if rng.random() < 0.15:
            self.constrain("INVAR", self.invar, plain.boolean(1))
        if rng.random() < 0.2:
            reading = dict(scope)
            reading.update(self.inputs)
            generator = Generator(rng, reading, [], [n for n in scope if n not in self.frozen])
            expression = generator.boolean(2)
            if rng.random() < 0.4:
                name = rng.choice([n for n in scope if n not in self.frozen] or list(scope))
                if name not in self.frozen:
                    expression = ("=", ("next", name), Generator(rng, dict(scope), []).variable(name))
            self.constrain("TRANS", self.trans, expression)
        if rng.random() < 0.25:
            reading = dict(scope)
            reading.update(self.inputs)
            self.constrain("FAIRNESS", self.fairness, Generator(rng, reading, []).boolean(1))

    def constrain(self, keyword, to, expression):
        to.append(expression)
        self.lines.append(f"{keyword} {text(expression)}")

    # The meaning.

    def environment(self, state, following=None, inputs=None, process=0):
        env = {("var", n): v for n, v in zip(self.domains, state)}
        env.update({("var", n): v for n, v in (inputs or {}).items()})
        if following is not None:
            env.update({("next", n): v for n, v in zip(self.domains, following)})
        for i, name in enumerate(self.processes):
            env["running", name] = i == process
        for name, expression in self.defines.items():
            env["var", name] = single(expression, env)
        return env

    def valid(self, state):
        env = self.environment(state)
        return all(single(c, env) for c in self.invar) and \
            all(env["var", n] in evaluate(e, env) for kind, n, _, e in self.assigns if kind == "")

    def graph(self):
        states = [s for s in itertools.product(*self.domains.values()) if self.valid(s)]
        initial = []
        for s in states:
            env = self.environment(s)
            if all(single(c, env) for c in self.init) and \
                    all(env["var", n] in evaluate(e, env) for kind, n, _, e in self.assigns if kind == "init"):
                initial.append(s)
        choices = [dict(zip(self.inputs, values)) for values in itertools.product(*self.inputs.values())]
        edges = {}
        reached, open_states = set(initial), list(initial)
        while open_states:
            s = open_states.pop()
            edges[s] = {}
            for process in range(len(self.processes)):
                for inputs in choices:
                    now = self.environment(s, None, inputs, process)
                    marks = frozenset(i for i, c in enumerate(self.fairness) if single(c, now))
                    for t in states:
                        if self.step(s, t, inputs, process):
                            edges[s][t] = edges[s].get(t, frozenset()) | marks
                            if t not in reached:
                                reached.add(t)
                                open_states.append(t)
        return initial, edges

    def step(self, s, t, inputs, process):
        env = self.environment(s, t, inputs, process)
        after = dict(zip(self.domains, t))
        nexts = {}
        for kind, name, p, expression in self.assigns:
            if kind == "next":
                nexts.setdefault(name, {})[p] = expression
        for name, by_process in nexts.items():
            if process in by_process:
                if after[name] not in evaluate(by_process[process], env):
                    return False
            elif after[name] != env["var", name]:
                return False
        if any(after[n] != env["var", n] for n in self.frozen):
            return False
        return all(single(c, env) for c in self.trans)


# CTL by sets of states.

def components(nodes, edges):
    """Strongly connected components: mutual reachability, the plain way."""
    reach = {}
    for n in nodes:
        seen, todo = set(), [n]
        while todo:
            for m in edges[todo.pop()]:
                if m in nodes and m not in seen:
                    seen.add(m)
                    todo.append(m)
        reach[n] = seen
    return [{m for m in nodes if m in reach[n] and n in reach[m]} for n in nodes if n in reach[n]]


class Checker:
    """`infinite`: paths that end do not count. With fairness constraints they never do."""

    def __init__(self, model, edges, infinite):
        self.model, self.edges = model, edges
        self.infinite = infinite or bool(model.fairness)
        self.constraints = range(len(model.fairness))
        self.fair = self.eg(set(edges)) if self.infinite else set(edges)

    def until(self, left, right):
        result = set(right)
        while True:
            more = {s for s in left - result if any(t in result for t in self.edges[s])}
            if not more:
                return result
            result |= more

    def eg(self, f):
        if not self.model.fairness:
            result = set(f)
            while True:
                keep = {s for s in result if any(t in result for t in self.edges[s])
                        or not self.edges[s] and not self.infinite}
                if keep == result:
                    return result
                result = keep
        good = set()
        for c in components(f, self.edges):
            marks = frozenset().union(*(m for s in c for t, m in self.edges[s].items() if t in c))
            if set(self.constraints) <= marks:
                good |= c
        return self.until(f, good)

    def after(self, s):
        return [t for t in self.edges[s] if t in self.fair]

    def bounded(self, op, low, high, left, right):
        """By the number of steps that are made, from `high` down."""
        result = set()
        for made in range(high, -1, -1):
            now = set()
            for s in self.edges:
                after = self.after(s)
                if op == "EBG":
                    goes_on = made == high or not after or any(t in result for t in after)
                    keeps = goes_on and (made < low or s in left)
                elif op == "ABG":
                    keeps = (made < low or s in left) and (made == high or all(t in result for t in after))
                else:
                    arrived = made >= low and s in right
                    some = any(t in result for t in after) if op[0] == "E" else \
                        bool(after) and all(t in result for t in after)
                    keeps = arrived or (s in left and made < high and some)
                if keeps:
                    now.add(s)
            result = now
        return result

    def label(self, f):
        every = set(self.edges)
        op = f[0]
        if op in ("EBF", "ABF"):
            return self.bounded(op, *f[2], every, self.label(f[1]))
        if op in ("EBG", "ABG"):
            return self.bounded(op, *f[2], self.label(f[1]), None)
        if op in ("EBU", "ABU"):
            return self.bounded(op, *f[3], self.label(f[1]), self.label(f[2]))
        if op == "atom":
            return {s for s in every if single(f[1], self.model.environment(s))}
        a = self.label(f[1])
        b = self.label(f[2]) if len(f) > 2 else None
        fair_a = a & self.fair
        return {
            "!": lambda: every - a, "&": lambda: a & b, "|": lambda: a | b, "->": lambda: (every - a) | b,
            "EX": lambda: {s for s in every if any(t in fair_a for t in self.edges[s])},
            "AX": lambda: every - {s for s in every
                                   if any(t in self.fair and t not in a for t in self.edges[s])},
            "EF": lambda: self.until(every, fair_a),
            "AG": lambda: every - self.until(every, (every - a) & self.fair),
            "EG": lambda: self.eg(a),
            "AF": lambda: every - self.eg(every - a),
            "EU": lambda: self.until(a, b & self.fair),
            "AU": lambda: every - (self.until(every - b, (every - a - b) & self.fair) | self.eg(every - b)),
        }[op]()


def random_formula(rng, atoms, depth):
    if depth == 0 or rng.random() < 0.15:
        return ("atom", atoms.boolean(1))
    op = rng.choice(["!", "&", "|", "->", "EX", "AX", "EF", "AG", "EG", "AF", "EU", "AU"])
    if rng.random() < 0.12:
        op = rng.choice(["EBF", "ABF", "EBG", "ABG", "EBU", "ABU"])
        bounds = (low := rng.randint(0, 2), low + rng.randint(0, 2))
        count = 2 if op[2] == "U" else 1
        return (op, *(random_formula(rng, atoms, depth - 1) for _ in range(count)), bounds)
    if op in ("!", "EX", "AX", "EF", "AG", "EG", "AF"):
        return (op, random_formula(rng, atoms, depth - 1))
    return (op, random_formula(rng, atoms, depth - 1), random_formula(rng, atoms, depth - 1))


def formula_text(f):
    op = f[0]
    if op == "atom":
        return f"({text(f[1])})"
    if op in ("EBU", "ABU"):
        return f"{op[0]} [{formula_text(f[1])} BU {f[3][0]}..{f[3][1]} {formula_text(f[2])}]"
    if op[1:2] == "B":
        return f"{op} {f[2][0]}..{f[2][1]} ({formula_text(f[1])})"
    if op in ("EU", "AU"):
        return f"{op[0]} [{formula_text(f[1])} U {formula_text(f[2])}]"
    if len(f) == 2:
        return f"{op} ({formula_text(f[1])})"
    return f"({formula_text(f[1])} {op} {formula_text(f[2])})"


def state_text(model, state):
    return ", ".join(f"{n} = {literal(v)}" for n, v in zip(model.domains, state))


def named(model, name):
    """A state by its printed values, whatever their order."""
    values = dict(part.split(" = ") for part in name.split(", "))
    return ", ".join(f"{n} = {values[n]}" for n in model.domains)


def run(nestor, *arguments):
    done = subprocess.run([nestor, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def compare(nestor, folder, seed):
    rng = random.Random(seed)
    model = Model(rng)
    initial, edges = model.graph()
    atoms = Generator(rng, dict(model.domains), list(model.defines))
    formulas = [random_formula(rng, atoms, rng.randint(1, 3)) for _ in range(8)]
    invariants = [atoms.boolean(2) for _ in range(2)]
    path = folder / "model.smv"
    source = model.lines + [f"SPEC {formula_text(f)}" for f in formulas] + \
        [f"INVARSPEC {text(i)}" for i in invariants] + model.modules
    path.write_text("\n".join(source) + "\n", encoding="utf-8")
    if not initial:
        status, out, err = run(nestor, "check", str(path))
        if status != 0 or out.count("holds ") < 10 or "there is no initial state" not in err:
            return f"no initial state, but {status}: {err}"
        status, _, err = run(nestor, "check", str(path), "--dead-ends=keep")
        return "" if status == 2 and "initial state" in err else f"no initial state, but {status}: {err}"
    status, _, err = run(nestor, "convert", str(path), "-o", str(folder / "model.rsm"))
    if status != 0:
        return f"convert: {status}: {err}"
    written = json.loads((folder / "model.rsm").read_text(encoding="utf-8"))["components"][0]
    found = {named(model, n["name"]) for n in written["nodes"]}
    wanted = {state_text(model, s) for s in edges}
    if found != wanted:
        return f"states: missing {sorted(wanted - found)[:3]}, too many {sorted(found - wanted)[:3]}"
    entries = {named(model, n["name"]) for n in written["nodes"] if n["is_entry"]}
    if entries != {state_text(model, s) for s in initial}:
        return "initial states differ"
    steps = {(named(model, t["source"]["name"]), named(model, target["name"]))
             for t in written["transitions"] for target in t["targets"]}
    wanted_steps = {(state_text(model, s), state_text(model, t)) for s in edges for t in edges[s]}
    if steps != wanted_steps:
        return f"steps: missing {sorted(wanted_steps - steps)[:2]}, too many {sorted(steps - wanted_steps)[:2]}"
    has_dead_ends = any(not after for after in edges.values())
    for infinite in (True, False) if has_dead_ends else (True,):
        checker = Checker(model, edges, infinite)
        checker.initial = initial
        arguments = [] if infinite else ["--dead-ends=keep"]
        problem = verdict_problem(nestor, path, model, checker, formulas, invariants, arguments)
        if problem:
            return f"{' '.join(arguments)} {problem}"
    return ""


def verdict_problem(nestor, path, model, checker, formulas, invariants, arguments):
    engine = random.Random(len(checker.edges)).choice(ENGINES) if not model.fairness else []
    status, out, err = run(nestor, "check", str(path), "--json", "--witness", *engine, *arguments)
    if status not in (0, 1):
        return f"check: {status}: {err}"
    results = json.loads(out)["results"]
    for f, result in zip(formulas, results):
        holds = checker.label(f)
        truth = all(s in holds for s in checker.initial if s in checker.fair)
        if result["verdict"] != ("holds" if truth else "fails"):
            return f"{engine} {result['verdict']}, expected {truth}: {result['formula']}"
        problem = witness_problem(model, checker, result.get("witness"))
        if problem:
            return f"{problem}: {result['formula']}"
    for invariant, result in zip(invariants, results[len(formulas):], strict=True):
        truth = all(single(invariant, model.environment(s)) for s in checker.edges)
        if result["verdict"] != ("holds" if truth else "fails"):
            return f"{engine} {result['verdict']}, expected {truth}: {result['formula']}"
    return ""


def witness_problem(model, checker, witness):
    """Every loop has to satisfy each constraint, and from what is reached a fair path has to go on."""
    if witness is None:
        return "" if not checker.fair.intersection(checker.initial) else "no witness"
    by_name = {state_text(model, s): s for s in checker.edges}
    states = [by_name[named(model, s["node"])] for s in witness["states"]]
    for e in witness["evidence"]:
        path = [states[i] for i in e.get("path", [])]
        if any(t not in checker.edges[s] for s, t in zip(path, path[1:])):
            return "a step that is none"
        if e.get("ending") == "loop":
            loop = path[e["loop"]:]
            marks = frozenset().union(*(checker.edges[s][t] for s, t in zip(loop, loop[1:])))
            if loop[0] != loop[-1] or not set(checker.constraints) <= marks:
                return "a loop that is not fair"
        if e.get("ending") == "reached" and model.fairness and path[-1] not in checker.fair:
            return "a path that ends where no fair one begins"
    return ""


def main():
    nestor = sys.argv[1]
    options = dict(a[2:].split("=") for a in sys.argv[2:])
    seed, cases = int(options.get("seed", 1)), scaled(int(options.get("cases", 300)))
    failures = 0
    kinds = {"fair": 0, "process": 0, "word": 0, "array": 0}
    for k in range(cases):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(options.get("keep", scratch))
            problem = compare(nestor, folder, seed + k)
            source = (folder / "model.smv").read_text(encoding="utf-8")
            kinds["fair"] += "FAIRNESS" in source
            kinds["process"] += "process" in source
            kinds["word"] += " word[" in source
            kinds["array"] += " array " in source
            if problem:
                failures += 1
                print(f"seed {seed + k}: {problem}\n{source}")
                if failures == 3:
                    break
    print(f"{cases} models from seed {seed}, {kinds['fair']} with fairness, {kinds['process']} with processes, "
          f"{kinds['word']} with words, {kinds['array']} with arrays, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
