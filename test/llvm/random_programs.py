#!/usr/bin/env python3
"""Compares what Nestor says of random C programs with what they do when they run.

usage: random_programs.py NESTOR [COUNT [SEED]]

The programs have functions, branches, short circuits, conditional expressions, switches, goto, calls through
pointers and recursion with a bound; no loops, so that the paths are finite. Every condition is the next bit of the
command line. Running a program on all bit strings gives all its traces; E [!a U b] holds exactly if some trace has b
without a before it, EF (a & EX EF b) if some has a and later b, AG !a if none has a.
"""

import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "random"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402
from scale import scaled  # noqa: E402

EVENTS = "abcd"
BITS = 10
PRELUDE = """
#include <stdio.h>
#include <stdlib.h>
static const char *bits; static int used;
static int bit(void) { if (used >= %d) { putchar('!'); exit(0); } return bits[used++] == '1'; }
""" % BITS
EVENT = "void ev_{0}(void);\n"
EVENT_BODY = "#include <stdio.h>\nvoid ev_{0}(void) {{ putchar('{0}'); }}\n"


class Writer:
    """A random program. Functions call only later ones, so that every run ends."""

    def __init__(self, rng):
        self.rng = rng
        self.count = rng.randint(2, 4)

    def condition(self):
        event = f"(ev_{self.rng.choice(EVENTS)}(), bit())"
        return self.rng.choice(["bit()", "bit()", "!bit()", f"(bit() && {event})", f"(bit() || {event})",
                                f"(bit() ? {event} : 0)", f"(bit() ? 1 : {event})", f"((bit() && {event}) == 1)"])

    def call(self, function):
        later = list(range(function + 1, self.count))
        if not later:
            return f"ev_{self.rng.choice(EVENTS)}();"
        if self.rng.random() < 0.3 and len(later) > 1:
            first, second = self.rng.sample(later, 2)
            return f"{{ void (*f)(void) = bit() ? f{first} : f{second}; f(); }}"
        return f"f{self.rng.choice(later)}();"

    def statement(self, function, depth):
        kind = self.rng.random()
        if kind < 0.35 or depth == 0:
            return f"ev_{self.rng.choice(EVENTS)}();"
        if kind < 0.55:
            return self.call(function)
        if kind < 0.75:
            return (f"if ({self.condition()}) {{ {self.block(function, depth - 1)} }}"
                    f" else {{ {self.block(function, depth - 1)} }}")
        if kind < 0.85:
            return (f"switch (bit() * 2 + bit()) {{ case 0: {self.block(function, depth - 1)} break;"
                    f" case 1: {self.block(function, depth - 1)} default: {self.block(function, depth - 1)} }}")
        if kind < 0.93:
            return f"if ({self.condition()}) return;"
        return "if (bit()) exit(0);"

    def block(self, function, depth):
        return " ".join(self.statement(function, depth) for _ in range(self.rng.randint(1, 3)))

    def text(self):
        parts = [PRELUDE, *(EVENT.format(e) for e in EVENTS), *(f"static void f{i}(void);\n" for i in range(self.count))]
        for i in range(self.count):
            parts.append(f"static void f{i}(void) {{ {self.block(i, 2)} }}\n")
        parts.append("int main(int argc, char **argv) { if (argc < 2) return 1; bits = argv[1]; f0(); ev_d(); return 0; }\n")
        return "".join(parts)


def formulas():
    for a, b in itertools.permutations(EVENTS, 2):
        yield f"E [!call_ev_{a} U call_ev_{b}]", lambda t, a=a, b=b: b in t and a not in t[:t.index(b)]
        yield f"EF (call_ev_{a} & EX EF call_ev_{b})", lambda t, a=a, b=b: a in t and b in t[t.index(a) + 1:]
    for a in EVENTS:
        yield f"EF call_ev_{a}", lambda t, a=a: a in t


# A driver that runs all bit strings in one process would be faster, but exit() ends it: fork for each.
ALL = """
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int real_main(int, char **);
int main(void) {
  for (int i = 0; i < (1 << %d); ++i) {
    char text[%d + 1] = {0};
    for (int k = 0; k < %d; ++k) text[k] = (i >> k) & 1 ? '1' : '0';
    fflush(stdout);
    if (fork() == 0) { char *v[] = {"p", text, 0}; int r = real_main(2, v); putchar('\\n'); exit(r); }
    int status; wait(&status);
  }
  return 0;
}
""" % (BITS, BITS, BITS)


def all_traces(folder, text):
    source = folder / "run.c"
    body = text.replace("int main(", "int real_main(").replace("exit(0)", "(putchar('\\n'), exit(0))")
    source.write_text("".join(EVENT_BODY.format(e) for e in EVENTS) + body + ALL, encoding="utf-8")
    subprocess.run(["clang-19", "-O1", "-w", str(source), "-o", str(folder / "run")], check=True)
    output = subprocess.run([str(folder / "run")], capture_output=True, text=True, check=True).stdout
    lines = set(output.splitlines())
    return None if any("!" in line for line in lines) else lines


def compare(nestor, folder, seed):
    text = Writer(random.Random(seed)).text()
    found = all_traces(folder, text)
    if found is None:
        return 0, []
    source, bitcode = folder / "program.c", folder / "program.bc"
    source.write_text(text, encoding="utf-8")
    subprocess.run(["clang-19", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fsanitize=kcfi", "-emit-llvm", "-c", "-w",
                    str(source), "-o", str(bitcode)], check=True)
    rows = list(formulas())
    done = subprocess.run([nestor, "check", str(bitcode), "--json", *(f"-f{text}" for text, _ in rows)],
                          capture_output=True, text=True, check=False)
    results = json.loads(done.stdout)["results"]
    problems = []
    for (formula, truth), result in zip(rows, results):
        # `bit` may stop the program when bits run out, which is no event; all traces are whole here.
        expected = "holds" if any(truth(trace) for trace in found) else "fails"
        if result["verdict"] != expected:
            problems.append(f"seed {seed}: {result['verdict']}, but runs say {expected}: {formula}\n{text}")
    return len(rows), problems


def main():
    nestor = sys.argv[1]
    count = scaled(int(sys.argv[2]) if len(sys.argv) > 2 else 8)
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    if missing := features.missing_for_programs(nestor):
        print(missing)
        return features.SKIPPED
    problems, checked, programs = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        while programs < count:
            rows, found = compare(nestor, pathlib.Path(folder), seed)
            seed += 1
            checked += rows
            programs += rows > 0
            problems += found
    for problem in problems[:5]:
        print(problem)
    print(f"{programs} programs, {checked} formulas, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
