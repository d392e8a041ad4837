#!/usr/bin/env python3
"""Drives `nestor probe` through a pipe and through a terminal.

usage: run.py NESTOR SOURCE-ROOT
"""

import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

# The states of examples/mutex.net that the cases below come to.
START = "{process<1,0>, process<2,0>, turn<0>}"
TRYING = "{process<1,0>, process<2,1>, turn<2>}"
INSIDE = "{process<1,0>, turn<2>, process<2,2>}"

# model, commands, what must be printed in this order, exit status
CASES = [
    ("mutex.net", ["state"], [START, 'tokens("turn<0>") >= 1'], 0),
    ("mutex.net", ["succ"], ["  1 " + START, "  2 ", "  3 " + TRYING], 0),
    ("mutex.net", ["step 3", "pred"], [TRYING, "  1 " + START, "turn<1>, process<2,1>, process<1,2>}"], 0),
    ("mutex.net", ["step 3", "step 2", "back", "back"], [TRYING, INSIDE, TRYING, START], 0),
    ("mutex.net", ["ask EF tokens(process<2,CS>) = 1", "ask AF tokens(process<2,CS>) = 1"], ["holds", "fails"], 0),
    ("mutex.net", ["run tokens(process<2,CS>) = 1", "ask tokens(turn<2>) = 1"], ["2 steps", INSIDE, "holds"], 0),
    ("mutex.net", ["run tokens(process<1,CS>) = 1 & tokens(process<2,CS>) = 1"], ["no such state can be reached"], 0),
    ("mutex.net", ["why EF tokens(process<2,CS>) = 1", "follow", "follow", "back 2"],
     ["holds", "a shortest path", "  1 " + START, "  2 " + TRYING, "  3 " + INSIDE, TRYING, INSIDE, START], 0),
    ("mutex.net", ["why AF tokens(process<2,CS>) = 1"], ["fails", "it can go round for ever", "  1 " + START], 0),
    ("mutex.net", ["why AG !(tokens(process<1,CS>) = 1 & tokens(process<2,CS>) = 1)"],
     ["holds", "which no single path can show"], 0),
    ("mutex.net", ["find tokens(turn<1>) = 1"], ["4 of 9 states"], 0),
    ("mutex.net", ["scc"], ["1 strongly connected component", "1 of 9 states", "1 cannot be left"], 0),
    ("philosophers.net", ["scc", "run deadlock", "succ"],
     ["2 strongly connected components", "1 of 81 states", "1 of 1 state", "1 cannot be left", "a dead end: {waiting<0>",
      "5 steps", "none: a dead end"], 0),
    ("mutex.net", ["dot -"], ["digraph states {", "s0 [label=", "s0 -> s0;", "}"], 0),
    ("mutex.net", ["help"], ["state ", "succ ", "why ", "quit "], 0),
    ("mutex.net", ["help follow"], ["walk along the path", "N steps"], 0),
    ("mutex.net", ["", "   ", "# a comment", "state", "quit", "state"], [START], 0),
    # Mistakes do not end it, but show in the status.
    ("mutex.net", ["jump", "step 7", "back", "follow", "ask p", "ask EX", "state x", "help jump", "dot", "state"],
     ["unknown command 'jump'", "1 to 3", "there is no step to go back", "there is no path from here",
      "'p' is no atom of a net", "expected a formula before end of formula", "'state' takes no argument",
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
    edges, nodes = len(re.findall(" -> ", text)), len(re.findall("label=", text))
    return "" if (nodes, edges) == (9, 15) else f"dot: {nodes} states and {edges} transitions, expected 9 and 15"


def until(descriptor, wanted, seconds=20):
    """What the terminal shows until `wanted` is there."""
    shown, end = b"", time.monotonic() + seconds
    while wanted not in shown and time.monotonic() < end:
        if select.select([descriptor], [], [], 0.2)[0]:
            try:
                shown += os.read(descriptor, 4096)
            except OSError:
                break
    return shown


def check_terminal(nestor, examples):
    """Prompt, completion with the tabulator, history with the arrow, end with control-D."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "dumb"
        os.execv(nestor, [nestor, "probe", str(examples / "mutex.net")])
    problems = []
    if START.encode() not in until(terminal, b"probe> "):
        problems.append("terminal: the initial state is not shown")
    os.write(terminal, b"sta\t\n")
    if START.encode() not in until(terminal, b'"turn<0>") >= 1'):
        problems.append("terminal: 'sta' and a tabulator is not completed to 'state'")
    until(terminal, b"probe> ", 2)
    os.write(terminal, b"step 3\n")
    if TRYING.encode() not in until(terminal, TRYING.encode()):
        problems.append("terminal: 'step 3' does not go there")
    until(terminal, b"probe> ", 2)
    os.write(terminal, b"ask EF firea\tgo_critical)\n")
    if b"holds" not in until(terminal, b"holds"):
        problems.append("terminal: 'firea' and a tabulator is not completed to 'fireable('")
    until(terminal, b"probe> ", 2)
    os.write(terminal, b"\x10\x10\n")  # the last but one line again
    shown = until(terminal, b"turn<2>}")
    if b"step 3" not in shown:
        problems.append(f"terminal: the history does not bring 'step 3' back: {shown!r}")
    until(terminal, b"probe> ", 2)
    os.write(terminal, b"\x04")
    until(terminal, b"no such text", 1)
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    if os.waitstatus_to_exitcode(status) != 0:
        problems.append(f"terminal: exit status {os.waitstatus_to_exitcode(status)}")
    return problems


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
