#!/usr/bin/env python3
"""Random properties of PSL on SMV models with one path, compared with what the operators mean there.

usage: smv_psl.py NESTOR [--cases=N] [--seed=S] [--keep=FOLDER]

The model counts along a word that loops; its letters are sets of atoms. A property is decided place by
place, each operator by the words of its definition: events are looked for along the path and counted, nothing is
taken apart into a first and a next letter, as Nestor does. Parentheses are left out where NuSMV's order of
precedence does not need them, by a printer that asks for each operand what would tear it apart.
"""

import json
import pathlib
import random
import sys
import tempfile

from scale import scaled
from smv_oracle import run

ATOMS = "pqr"
PROPERTIES = 40
# What binds more tightly has the larger number.
PREFIXES = {"always": 1, "never": 1, "G": 1, "eventually!": 3, "next": 3, "next!": 3, "F": 7, "X": 7, "X!": 7}
INFIXES = {"->": 2, "<->": 2, "before": 4, "before!": 4, "before_": 4, "before!_": 4, "until": 5, "until!": 5,
           "until_": 5, "until!_": 5, "||": 9, "&&": 10, "|": 11, "xor": 12, "&": 13}
NEXTS = ["X", "X!", "next", "next!", "next_a", "next_a!", "next_e", "next_e!"]
EVENTS = ["next_event", "next_event!", "next_event_a", "next_event_a!", "next_event_e", "next_event_e!"]
BRACKETS = ["U", "W"]


class Word:
    """Places 0 to n - 1; after the last one comes place `back`."""

    def __init__(self, rng):
        self.letters = [{a for a in ATOMS if rng.random() < 0.5} for _ in range(rng.randint(1, 6))]
        self.n = len(self.letters)
        self.back = rng.randrange(self.n)

    def after(self, i):
        return i + 1 if i + 1 < self.n else self.back

    def way(self, i):
        """The places from i on, once around the loop and more than once through it."""
        places = [i]
        while len(places) < 2 * self.n:
            places.append(self.after(places[-1]))
        return places

    def model(self):
        lines = ["MODULE main", f"VAR c : 0..{max(self.n - 1, 1)};",
                 f"ASSIGN init(c) := 0; next(c) := c < {self.n - 1} ? c + 1 : {self.back};"]
        for a in ATOMS:
            places = [str(i) for i in range(self.n) if a in self.letters[i]]
            lines.append(f"DEFINE {a} := " + (f"c in {{{', '.join(places)}}};" if places else "FALSE;"))
        return lines


def random_property(rng, weight):
    """Of at most so many operators that look ahead, bounds counted."""
    inner = lambda some: random_property(rng, some)  # noqa: E731
    if weight <= 0 or rng.random() < 0.1:
        return ("atom", rng.choice(ATOMS))
    kind, left = rng.random(), rng.randint(0, weight - 1)
    if kind < 0.1:
        return ("!", inner(weight - 1))
    if kind < 0.3:
        return ("prefix", rng.choice(list(PREFIXES)), inner(weight - 1))
    if kind < 0.65:
        return ("infix", rng.choice(list(INFIXES)), inner(left), inner(weight - 1 - left))
    if kind < 0.72:
        return ("bracket", rng.choice(BRACKETS), inner(left), inner(weight - 1 - left))
    low = rng.randint(0, 2)
    high = low + rng.randint(0, 2)
    if kind < 0.86:
        op = rng.choice(NEXTS)
        return ("next", op, low, high if "_" in op else low, inner(weight - 2))
    op = rng.choice(EVENTS)
    low, high = low + 1, high + 1
    return ("event", op, low, high if op.rstrip("!").endswith(("_a", "_e")) else low, inner(0), inner(weight - 3))


def tightness(f):
    return {"infix": INFIXES, "prefix": PREFIXES}[f[0]][f[1]] if f[0] in ("infix", "prefix") else 99


def open_at_right(f):
    """The loosest prefix that would take what follows f."""
    if f[0] == "prefix":
        return min(PREFIXES[f[1]], open_at_right(f[2]))
    if f[0] == "infix":
        return open_at_right(f[3])
    return 99


def property_text(f):
    """Without parentheses where they are not needed."""
    def inside(part, least, followed_by=None):
        shown = property_text(part)
        torn = part[0] == "infix" and tightness(part) < least
        taken = followed_by is not None and open_at_right(part) < followed_by
        return f"({shown})" if torn or taken else shown

    if f[0] == "atom":
        return f[1]
    if f[0] == "!":
        return f"!({property_text(f[1])})"
    if f[0] == "prefix":
        return f"{f[1]} {inside(f[2], PREFIXES[f[1]] + 1)}"
    if f[0] == "infix":
        level = INFIXES[f[1]]
        return f"{inside(f[2], level, level)} {f[1]} {inside(f[3], level + 1)}"
    if f[0] == "bracket":
        return f"[{property_text(f[2])} {f[1]} {property_text(f[3])}]"
    bounds = f"[{f[2]}:{f[3]}]" if f[1].rstrip("!").endswith(("_a", "_e")) else f"[{f[2]}]"
    if f[0] == "next":
        return f"{f[1]}{bounds} ({property_text(f[4])})"
    return f"{f[1]} ({property_text(f[4])}){bounds} ({property_text(f[5])})"


class Truth:
    def __init__(self, word):
        self.word = word

    def of(self, f):
        """Its truth at each place."""
        return getattr(self, "of_" + {"!": "no"}.get(f[0], f[0]))(f)

    def of_atom(self, f):
        return [f[1] in letter for letter in self.word.letters]

    def of_no(self, f):
        return [not value for value in self.of(f[1])]

    def of_prefix(self, f):
        value = self.of(f[2])
        ways = [self.word.way(i) for i in range(self.word.n)]
        if f[1] in ("always", "G"):
            return [all(value[j] for j in way) for way in ways]
        if f[1] == "never":
            return [not any(value[j] for j in way) for way in ways]
        if f[1] in ("eventually!", "F"):
            return [any(value[j] for j in way) for way in ways]
        return [self.later(value, i, 1) for i in range(self.word.n)]

    def later(self, value, i, steps):
        for _ in range(steps):
            i = self.word.after(i)
        return value[i]

    def of_infix(self, f):
        a, b = self.of(f[2]), self.of(f[3])
        plain = {"->": lambda x, y: not x or y, "<->": lambda x, y: x == y, "xor": lambda x, y: x != y,
                 "|": lambda x, y: x or y, "||": lambda x, y: x or y,
                 "&": lambda x, y: x and y, "&&": lambda x, y: x and y}
        if f[1] in plain:
            return [plain[f[1]](x, y) for x, y in zip(a, b)]
        strong, inclusive = "!" in f[1], f[1].endswith("_")
        if f[1].startswith("until"):
            return [self.waits(self.word.way(i), a, b, strong, inclusive) for i in range(self.word.n)]
        return [self.comes_first(self.word.way(i), a, b, strong, inclusive) for i in range(self.word.n)]

    def waits(self, way, a, b, strong, inclusive):
        """a is true until b is, there too if it is inclusive."""
        for place in way:
            if b[place]:
                return a[place] or not inclusive
            if not a[place]:
                return False
        return not strong

    def comes_first(self, way, a, b, strong, inclusive):
        first_a = next((n for n, place in enumerate(way) if a[place]), None)
        first_b = next((n for n, place in enumerate(way) if b[place]), None)
        if first_a is None:
            return first_b is None and not strong
        return first_b is None or first_a < first_b or inclusive and first_a == first_b

    def of_bracket(self, f):
        a, b = self.of(f[2]), self.of(f[3])
        return [self.waits(self.word.way(i), a, b, f[1] == "U", False) for i in range(self.word.n)]

    def of_next(self, f):
        value, some = self.of(f[4]), any if "_e" in f[1] else all
        return [some(self.later(value, i, k) for k in range(f[2], f[3] + 1)) for i in range(self.word.n)]

    def of_event(self, f):
        event, value, strong = self.of(f[4]), self.of(f[5]), f[1].endswith("!")
        some = any if "_e" in f[1].replace("next_event", "") else all
        return [some(self.at_event(i, k, event, value, strong) for k in range(f[2], f[3] + 1))
                for i in range(self.word.n)]

    def at_event(self, i, count, event, value, strong):
        """What is true where the event comes for the count-th time."""
        for _ in range((count + 1) * (self.word.n + 1)):
            if event[i]:
                count -= 1
                if count == 0:
                    return value[i]
            i = self.word.after(i)
        return not strong


def compare(nestor, folder, seed, counts):
    rng = random.Random(seed)
    word = Word(rng)
    properties = [random_property(rng, rng.randint(1, 4)) for _ in range(PROPERTIES)]
    path = folder / "model.smv"
    path.write_text("\n".join(word.model() + [f"PSLSPEC {property_text(f)};" for f in properties]) + "\n",
                    encoding="utf-8")
    status, out, err = run(nestor, "check", str(path), "--json")
    if status not in (0, 1):
        return f"check: {status}: {err} {out[-300:]}"
    for f, result in zip(properties, json.loads(out)["results"], strict=True):
        counts["properties"] += 1
        truth = Truth(word).of(f)[0]
        counts["true"] += truth
        if result["verdict"] != ("holds" if truth else "fails"):
            return f"{result['verdict']}, expected {truth}: {result['formula']}"
    return ""


def main():
    nestor = sys.argv[1]
    options = dict(a[2:].split("=") for a in sys.argv[2:])
    seed, cases = int(options.get("seed", 1)), scaled(int(options.get("cases", 250)))
    failures, counts = 0, {"properties": 0, "true": 0}
    for k in range(cases):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(options.get("keep", scratch))
            problem = compare(nestor, folder, seed + k, counts)
            if problem:
                failures += 1
                print(f"seed {seed + k}: {problem}\n{(folder / 'model.smv').read_text(encoding='utf-8')}")
                if failures == 3:
                    break
    print(f"{cases} words from seed {seed}, {counts['properties']} properties of which {counts['true']} are true, "
          f"{failures} failures")
    return 1 if failures or not 0 < counts["true"] < counts["properties"] else 0


if __name__ == "__main__":
    sys.exit(main())
