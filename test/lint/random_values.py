#!/usr/bin/env python3
"""Compares what lint says of random C programs with what runs of them do.

usage: random_values.py NESTOR [--programs=N] [--first=N] [--keep=FOLDER]

Each program allocates, copies, frees and uses memory under flags, through functions, structures and out-parameters,
and asks choice() where it may go either way. It is run with every sequence of choices, and a run tells whether memory
was left behind, freed twice or used after it was freed. What a run shows, lint must find (memory-leak, double-free,
use-after-free). What lint says without such a run is counted: beyond the share that FALSE_SHARE names, the test fails.

A function that releases on some paths only is believed by memory-leak, and what a function has released and hands
out is not followed (docs/c-programs.md): in programs with such functions a fault may be missed. Where Nestor was built
without LLVM, or clang 19 is missing, the test is skipped.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import examples

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

RULES = ("memory-leak", "double-free", "use-after-free")
CHOICES = 8  # of one run; then choice() says no
BATCH = 100  # programs in one file
FALSE_SHARE = 0.02  # of programs and rules without a fault

MODEL = """#include <stdlib.h>
int choice(void);
int number(void);
#define USE(p) (*(p) = 1)
struct box { char *item; int flag; };
"""

RUNTIME = """#include <stdio.h>
#include <string.h>
static int bits, asked, made, is_freed[1000];
static char memory[1000];
static int twice, after;
static int choice(void) { return asked < %d ? bits >> asked++ & 1 : 0; }
static int number(void) { return choice() + 2 * choice(); }
static void *malloc(unsigned long size) { (void)size; return &memory[++made]; }
static void free(void *p) {
  if (p != NULL && is_freed[(char *)p - memory]++ > 0) twice = 1;
}
static void use(char *p) { if (p != NULL && is_freed[p - memory] > 0) after = 1; }
#define USE(p) use(p)
struct box { char *item; int flag; };
""" % CHOICES


class Program:
    """One program: a few functions, the last of which is called `run_K`."""

    def __init__(self, number, seed):
        self.random = random.Random(seed)
        self.number = number
        self.releases_in = set()  # kinds of helpers that may release
        self.helpers = []  # (kind, name)
        self.callers = collections.defaultdict(set)  # by name
        self.current = None
        self.lines = []
        for i in range(self.random.randint(0, 3)):
            self.helper(i)
        self.function(f"static void run_{number}(void)", "", 8, self.helpers)

    def helper(self, i):
        kind = self.random.choice(["take", "maker", "out", "fill", "test"])
        name = f"{kind}_{self.number}_{i}"
        earlier = list(self.helpers)
        if kind == "take":  # does something with its argument
            self.function(f"static int {name}(char *p, int a)", "return a;", 3, earlier, "p a")
        elif kind == "maker":
            self.function(f"static char *{name}(int a)", "return p;", 3, earlier, "a")
        elif kind == "out":  # hands out by an argument
            self.function(f"static int {name}(char **o, int a)", "*o = p; return a;", 3, earlier, "a",
                          "*o = NULL; return 0;")
        elif kind == "fill":
            self.function(f"static int {name}(struct box *t, int a)", "t->item = p; t->flag = a; return b;", 2,
                          earlier, "a", "return 0;")
        else:
            self.lines += [f"static int {name}(char *p) {{", "  return p != NULL;", "}"]
        self.helpers.append((kind, name))

    def function(self, head, end, size, helpers, parameters="", early=None):
        names = [name for name in ("p", "q") if name not in parameters.split()]
        self.current = re.search(r"(\w+)\(", head)[1]
        self.lines.append(f"{head} {{")
        self.lines += [f"  char *{name} = NULL;" for name in names]
        self.lines += [f"  int {name} = 0;" for name in "ab" if name not in parameters.split()]
        self.lines.append("  struct box s = {NULL, 0};")
        self.lines.append("  int x = 0, y = 0;")
        frees_before = sum("free(" in line for line in self.lines)
        self.block(size, 1, helpers, early if early is not None else end)
        if not self.current.startswith("run_") and sum("free(" in line for line in self.lines) > frees_before:
            self.releases_in.add(self.current.split("_")[0])
        self.lines += [f"  {end}", "  (void)a; (void)b; (void)p; (void)q; (void)s;" if not end else "", "}"]

    def block(self, size, depth, helpers, end):
        for _ in range(self.random.randint(1, size)):
            if self.statement(depth, helpers, end) == "return":
                break

    def calls(self, name):
        """Whether run_K comes to call it."""
        return any(caller == f"run_{self.number}" or self.calls(caller) for caller in self.callers[name])

    def put(self, depth, text):
        self.lines.append("  " * depth + text)

    def condition(self):
        pick = self.random.choice
        return pick(["a", "b", "!a", "choice()", "choice()", "p", "q != NULL", "!p", "s.flag", "a == 1", "b != 0",
                     "p == q", "s.item != NULL", "a && b", "a || p", "x < y", "x < y", "y <= x", "x == y", "x & 2", "x & 2",
                     "x + 1 > y", "y > 1"])

    def statement(self, depth, helpers, end):
        pick = self.random.choice
        kinds = ["make"] * 4 + ["free"] * 4 + ["use"] * 2 + ["copy"] * 3 + ["flag"] * 4
        if depth < 4:
            kinds += ["if"] * 6 + ["loop"]
        if depth > 1:
            kinds += ["return"]
        if helpers:
            kinds += ["call"] * 5
        kind = pick(kinds)
        if kind == "make":
            self.put(depth, f"{pick(['p', 'p', 'q', 's.item'])} = malloc(1);")
        elif kind == "free":
            self.put(depth, f"free({pick(['p', 'p', 'q', 's.item'])});")
        elif kind == "use":
            self.put(depth, f"if ({(name := pick(['p', 'q', 's.item']))}) USE({name});")
        elif kind == "copy":
            self.put(depth, pick(["p = q;", "q = p;", "s.item = p;", "p = s.item;", "p = NULL;", "q = NULL;",
                                  "s.item = NULL;"]))
        elif kind == "flag":
            self.put(depth, pick(["a = 1;", "a = 0;", "b = choice();", "b = p != NULL;", "s.flag = a;", "a = s.flag;",
                                  "b = !a;", "a = b;", "x = number();", "y = number();", "b = x < y;"]))
        elif kind == "return":
            self.put(depth, end if end else "return;")
        elif kind == "call":
            self.call(depth, *pick(helpers))
        elif kind == "loop":
            self.put(depth, "while (choice()) {")
            self.block(2, depth + 1, helpers, end)
            self.put(depth, "}")
        else:
            self.put(depth, f"if ({self.condition()}) {{")
            self.block(3, depth + 1, helpers, end)
            if self.random.random() < 0.4:
                self.put(depth, "} else {")
                self.block(2, depth + 1, helpers, end)
            self.put(depth, "}")
        return kind

    def call(self, depth, kind, name):
        self.callers[name].add(self.current)
        pick = self.random.choice
        flag = pick(["0", "1", "a", "b"])
        if kind == "take":
            self.put(depth, f"{pick(['', 'a = ', 'b = '])}{name}({pick(['p', 'q', 's.item'])}, {flag});")
        elif kind == "maker":
            self.put(depth, f"{pick(['p', 'q', 's.item'])} = {name}({flag});")
        elif kind == "out":
            self.put(depth, f"{pick(['', 'a = ', 'b = '])}{name}({pick(['&p', '&q', '&s.item'])}, {flag});")
        elif kind == "fill":
            self.put(depth, f"{pick(['', 'a = '])}{name}(&s, {flag});")
        else:
            self.put(depth, f"b = {name}({pick(['p', 'q'])});")


def runs(folder, programs, body):
    """What happens: the faults of each program, by its number."""
    source = folder / "run.c"
    def loop(number, call):
        return f"  for (bits = 0; bits < 1 << {CHOICES}; ++bits) {{ before(); {call}; after_it({number}); }}"

    # Lint looks at each function for itself as well: what it does with any argument.
    alone = {"take": "char *p = malloc(1); {0}(p, {1}); keep(p)", "maker": "keep({0}({1}))",
             "out": "char *o = NULL; {0}(&o, {1}); keep(o)",
             "fill": "struct box x = {{NULL, 0}}; {0}(&x, {1}); keep(x.item)"}
    calls = []
    for p in programs:
        calls.append(loop(p.number, f"run_{p.number}()"))
        calls += [loop(p.number, alone[kind].format(name, flag))
                  for kind, name in p.helpers if kind in alone and p.calls(name) for flag in "01"]
    source.write_text(RUNTIME + body + """
static void before(void) { asked = made = twice = after = 0; memset(is_freed, 0, sizeof is_freed); }
static void keep(char *p) { if (p != NULL && !is_freed[p - memory]) is_freed[p - memory] = 1; }
static void after_it(int number) {
  for (int i = 1; i <= made; ++i) if (!is_freed[i]) { printf("%d memory-leak\\n", number); break; }
  if (twice) printf("%d double-free\\n", number);
  if (after) printf("%d use-after-free\\n", number);
}
int main(void) {
""" + "\n".join(calls) + "\n  return 0;\n}\n", encoding="utf-8")
    binary = folder / "run"
    subprocess.run([features.CLANG, "-O1", "-w", "-fno-builtin", "-o", binary, source], check=True)
    done = subprocess.run([binary], capture_output=True, text=True, check=True)
    return {(int(number), rule) for number, rule in (line.split() for line in done.stdout.splitlines())}


def findings(nestor, folder, programs, body):
    source, bitcode = folder / "model.c", folder / "model.bc"
    calls = "\n".join(f"  if (choice()) run_{p.number}();" for p in programs)
    source.write_text(MODEL + body + "\nint main(void) {\n" + calls + "\n  return 0;\n}\n", encoding="utf-8")
    subprocess.run([features.CLANG, "-g", "-O0", "-w", "-emit-llvm", "-c", "-o", bitcode, source], check=True)
    # The form of a rule that warns of a path, whatever others do.
    rules = [f"--rule={'possible-' if rule == 'double-free' else ''}{rule}" for rule in RULES]
    done = subprocess.run([nestor, "lint", *rules, bitcode], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    number, program_of = None, {}
    for line, text in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        if found := re.match(r"static .*?_(\d+)(?:_\d+)?\(", text):
            number = int(found[1])
        program_of[line] = number
    given_up = "given up" in done.stderr
    return {(program_of[int(line)], rule.removeprefix("possible-")) for line, rule in re.findall(
        r"(?m)^[^\n ]+?:(\d+):\d+: (?:error|warning|note): .* \[([a-z-]+)\]$", done.stdout)}, given_up


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nestor")
    parser.add_argument("--programs", type=int, default=round(300 * float(os.environ.get("NESTOR_SCALE", "1"))))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path, help="writes programs that differ there")
    options = parser.parse_args()
    if missing := features.missing_for_programs(options.nestor):
        print(missing)
        return features.SKIPPED
    counts, problems = collections.Counter(), []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        last = options.first + options.programs
        for first in range(options.first, last, BATCH):
            programs = [Program(number, number) for number in range(first, min(first + BATCH, last))]
            body = "\n".join("\n".join(p.lines) for p in programs)
            happening = runs(folder, programs, body)
            found, given_up = findings(options.nestor, folder, programs, body)
            for program in programs:
                for rule in RULES:
                    key = (program.number, rule)
                    counts[f"{rule} faults"] += key in happening
                    counts[f"{rule} found"] += key in happening and key in found
                    counts["without fault"] += key not in happening
                    counts[f"{rule} false"] += key in found and key not in happening
                    excused = program.releases_in - (set() if rule == "memory-leak" else {"take"})
                    if key in happening and key not in found and not excused:
                        problems.append(f"program {program.number}: {rule} happens and is not found")
                    if options.keep and (key in happening) != (key in found) and not (excused and key in happening):
                        kind = "missed" if key in happening else "false"
                        (options.keep / f"{kind}-{rule}-{program.number}.c").write_text(
                            MODEL + "\n".join(program.lines) + "\n"
                            f"int main(void) {{ run_{program.number}(); return 0; }}\n", encoding="utf-8")
            counts["files with values given up"] += given_up
    falses = sum(counts[f"{rule} false"] for rule in RULES)
    if falses > FALSE_SHARE * counts["without fault"]:
        problems.append(f"{falses} false warnings")
    for problem in problems:
        print(problem)
    print(f"{options.programs} programs; " + "; ".join(
        f"{rule}: {counts[f'{rule} found']} of {counts[f'{rule} faults']} found, {counts[f'{rule} false']} false"
        for rule in RULES) + f"; {counts['files with values given up']} files with values given up")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
