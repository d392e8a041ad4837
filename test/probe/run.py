#!/usr/bin/env python3
"""Drives `nestor probe` through a pipe and through a terminal.

usage: run.py NESTOR SOURCE-ROOT
"""

import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile

# The states of examples/mutex.net that the cases below come to.
START = "{process<1,NC>, process<2,NC>, turn<NOBODY>}"
TRYING = "{process<1,NC>, process<2,TRY>, turn<2>}"
INSIDE = "{process<1,NC>, process<2,CS>, turn<2>}"
# The steps there, and what they change.
TRY = "try(i=2, whose=NOBODY, next=2)"
TRIES = TRY + ": -process<2,NC> -turn<NOBODY> +process<2,TRY> +turn<2>"
ENTERS = "go_critical(i=2): -process<2,TRY> +process<2,CS>"

# model, commands, what must be printed in this order, exit status
CASES = [
    ("mutex.net", ["state"], [START, 'tokens(process<1,NC>) >= 1', 'tokens(turn<NOBODY>) >= 1'], 0),
    ("mutex.net", ["succ"], ["  1 idle(i=1): (nothing changes)", "  2 try(i=1, ", "  3 " + TRIES], 0),
    ("mutex.net", ["whole", "succ", "whole off", "succ"],
     ["  1 idle(i=1): " + START, "  3 " + TRY + ": " + TRYING, "  3 " + TRIES], 0),
    # A place as the report writes it, and as formulas do.
    ("mutex.net", ["state turn", "state process<.1,NC.>", "state process<2,TRY>", "succ process<2,TRY>"],
     ["{turn<NOBODY>}", "{process<1,NC>}", "{}", "  1 idle(i=1): {}", "  3 " + TRY + ": {process<2,TRY>}"], 0),
    ("mutex.net", ["step 3", "pred"], [TRY, TRYING, "  1 " + START, "{process<1,CS>, process<2,TRY>, turn<1>}"], 0),
    ("mutex.net", ["step 3", "step 2", "back", "back"], [TRYING, INSIDE, TRYING, START], 0),
    ("mutex.net", ["ask EF tokens(process<2,CS>) = 1", "ask AF tokens(process<2,CS>) = 1"], ["holds", "fails"], 0),
    ("mutex.net", ["run tokens(process<2,CS>) = 1", "ask tokens(turn<2>) = 1"], ["2 steps", INSIDE, "holds"], 0),
    ("mutex.net", ["run tokens(process<1,CS>) = 1 & tokens(process<2,CS>) = 1"], ["no such state can be reached"], 0),
    ("mutex.net", ["why EF tokens(process<2,CS>) = 1", "follow", "follow", "back 2"],
     ["holds", "a shortest path that shows E [true U tokens(process<2,CS>) = 1]", "  1 " + START, "  2 " + TRIES,
      "  3 " + ENTERS, TRY, TRYING, "go_critical(i=2)", INSIDE, START], 0),
    ("mutex.net", ["why AF tokens(process<2,CS>) = 1"], ["fails", "it can go round for ever", "  1 " + START], 0),
    ("mutex.net", ["why AG !(tokens(process<1,CS>) = 1 & tokens(process<2,CS>) = 1)"],
     ["holds", "which no single path can show"], 0),
    ("mutex.net", ["find tokens(turn<1>) = 1"], ["4 of 9 states"], 0),
    ("mutex.net", ["scc"], ["1 strongly connected component", "1 of 9 states", "1 cannot be left"], 0),
    ("philosophers.net", ["scc", "run deadlock", "succ"],
     ["2 strongly connected components", "1 of 81 states", "1 of 1 state", "1 cannot be left", "a dead end: {waiting<0>",
      "5 steps", "none: a dead end"], 0),
    ("mutex.net", ["dot -"], ["digraph states {", "s0 [label=", 's0 -> s0 [label="idle(i=1)"];', "}"], 0),
    ("mutex.net", ["help"], ["state ", "succ ", "why ", "quit "], 0),
    ("mutex.net", ["help follow"], ["walk along the path", "N steps"], 0),
    ("mutex.net", ["", "   ", "# a comment", "state", "quit", "state"], [START], 0),
    # Mistakes do not end it, but show in the status.
    ("mutex.net", ["jump", "step 7", "back", "follow", "ask p", "ask EX", "state x", "succ turn<1,2>", "whole x", "ask process<1,CS>",
                   "help jump", "dot", "state"],
     ["unknown command 'jump'", "1 to 3", "there is no step to go back", "there is no path from here",
      "'p' is no atom of a net", "expected a formula before end of formula", "the states have no place 'x'",
      "the states have no place 'turn<1,2>'", "expected 'on' or 'off'", "write 'tokens(process<1,CS>) >= 1'",
      "unknown command 'jump'", "expected the name of a file", START], 2),
    # Recursion: the open calls are part of a state.
    ("dataflow.rsm", ["run use_i", "why AG (def_i -> EF use_i)", "follow", "pred", "find use_i", "scc"],
     ["4 steps", "main.call_b/b.b_23_5", "fails", "  2 main.call_b/b.b_23_6", "main.call_b/b.b_23_6",
      "main.call_b/b.b_23_5", "shown so far", "infinitely many states"], 2),
]


def in_order(text, wanted):
    """The first of `wanted` that does not follow what comes before it; None if all do."""
    at = 0
    for part in wanted:
        found = text.find(part, at)
        if found < 0:
            return part
        at = found + len(part)
    return None


def run_case(nestor, examples, model, commands, wanted, status):
    done = subprocess.run([nestor, "probe", examples / model], input="".join(f"{c}\n" for c in commands),
                          capture_output=True, text=True, check=False)
    if done.returncode != status:
        return f"{model} {commands}: exit status {done.returncode}, expected {status}: {done.stderr}"
    missing = in_order(done.stdout, wanted)
    return f"{model} {commands}: no {missing!r} at its place in\n{done.stdout}" if missing else ""


def check_dot_file(nestor, examples):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "graph.dot"
        subprocess.run([nestor, "probe", examples / "mutex.net"], input=f"dot {file}\n", text=True, check=True,
                       capture_output=True)
        text = file.read_text(encoding="utf-8")
    edges, nodes = len(re.findall(" -> ", text)), len(re.findall(r"^  s\d+ \[label=", text, re.M))
    return "" if (nodes, edges) == (9, 15) else f"dot: {nodes} states and {edges} transitions, expected 9 and 15"


class Terminal:
    """`nestor probe` on a terminal. What it shows is read up to texts that must come."""

    PATIENCE = 120  # seconds; only so that a program that hangs ends the test

    def __init__(self, command):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = "dumb"
            os.execv(command[0], command)
        self.unread = b""

    def read(self):
        """Waits for more; False at the end."""
        if not select.select([self.descriptor], [], [], self.PATIENCE)[0]:
            os.kill(self.process, signal.SIGKILL)
            raise TimeoutError(f"terminal: hangs after {self.unread!r}")
        try:
            more = os.read(self.descriptor, 4096)
        except OSError:  # how Linux tells the end of a terminal
            more = b""
        self.unread += more
        return bool(more)

    def type(self, keys, *wanted):
        """Types `keys`; then the texts `wanted` must come, one after the other, and the prompt."""
        os.write(self.descriptor, keys)
        self.expect(*wanted)

    def expect(self, *wanted):
        for text in [*wanted, "probe> "]:
            while text.encode() not in self.unread:
                if not self.read():
                    raise EOFError(f"terminal: ended without {text!r}, with {self.unread!r}")
            self.unread = self.unread.split(text.encode(), 1)[1]

    def close(self):
        """Types control-D; the exit status."""
        os.write(self.descriptor, b"\x04")
        while self.read():
            pass
        _, status = os.waitpid(self.process, 0)
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(status)


def check_terminal(nestor, examples):
    """Prompt, completion with the tabulator, history with control-P, end with control-D."""
    terminal = Terminal([nestor, "probe", str(examples / "mutex.net")])
    try:
        terminal.expect(START)
        terminal.type(b"sta\t\n", "state", START, 'tokens(turn<NOBODY>) >= 1')
        terminal.type(b"step 3\n", TRYING)
        terminal.type(b"ask EF firea\tgo_critical)\n", "fireable(", "holds")
        terminal.type(b"back\n", START)
        terminal.type(b"\x10\x10\x10\n", "step 3", TRYING)  # the third line from the end again
        status = terminal.close()
    except (EOFError, TimeoutError) as problem:
        return [str(problem)]
    return [f"terminal: exit status {status}"] if status != 0 else []


def main():
    nestor = str(pathlib.Path(sys.argv[1]).resolve())
    examples = pathlib.Path(sys.argv[2]).resolve() / "examples"
    problems = [problem for case in CASES if (problem := run_case(nestor, examples, *case))]
    problems += [problem] if (problem := check_dot_file(nestor, examples)) else []
    problems += check_terminal(nestor, examples)
    for problem in problems:
        print(problem)
    print(f"{len(CASES)} cases and a terminal, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
