#!/usr/bin/env python3
"""Runs the command line: one row a case.

usage: run.py NESTOR SOURCE-ROOT

Besides the rows it compares the generated files in the repository with what nestor prints, checks the
shape of all JSON, and tries the completion script in bash.
"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLE = "examples/dataflow.rsm"
FORMULAS = "examples/dataflow.ctl"
RECURSION = "examples/recursion.rsm"
ENDLESS = "test/usage/endless.rsm"
MUTUAL = "test/usage/mutual.rsm"
THRICE = "EF (p & EF (q & EF p))"
TOO_LONG = "AG (EF good | AX AG !good)"
MUTEX = "examples/mutex.net"
PHILOSOPHERS = "examples/philosophers.net"
UNBOUNDED = '<pnml><net id="n"><place id="p"/><transition id="t"/><arc id="a" source="t" target="p"/></net></pnml>'

# arguments, exit status, pattern of standard output, pattern of standard error, standard input
# Patterns must match somewhere; an empty pattern means that nothing may be printed.
ROWS = [
    # help and version
    (["--version"], 0, r"^nestor \d+\.\d+\.\d+\n$", ""),
    (["--help"], 0, r"check[\s\S]*info[\s\S]*convert[\s\S]*engines", ""),
    (["-h"], 0, r"check", ""),
    (["check", "--help"], 0, r"--engine[\s\S]*--seed", ""),
    (["check", "-h"], 0, r"^(?![\s\S]*--seed)[\s\S]*--engine", ""),
    (["info", "--help"], 0, r"MODEL", ""),
    # usage errors
    ([], 2, "", r"^error: no command given\n"),
    (["chekc"], 2, "", r"^error: unknown command 'chekc'\n"),
    (["check"], 2, "", r"^error: MODEL is required\n"),
    (["check", EXAMPLE], 2, "", r"^error: no formula to check"),
    (["check", EXAMPLE, "-f", "# nothing"], 2, "", r"^error: no formula to check"),
    (["check", EXAMPLE, "-f", "true", "--engine=fast"], 2, "", r"^error: .*'fast'.*reference"),
    (["check", EXAMPLE, "-f", "true", "--from=xyz"], 2, "", r"^error: .*'xyz'.*rsm"),
    (["check", EXAMPLE, "-f", "true", "--dead-ends=jump"], 2, "",
     r"^error: --dead-ends: 'jump' is not one of keep, infinite, loop, error\n"),
    (["check", EXAMPLE, "-f", "true", "--timeout=0"], 2, "", r"'0' is not a positive number"),
    (["check", EXAMPLE, "-f", "true", "--steps=x"], 2, "", r"'x' is not a whole number"),
    (["check", EXAMPLE, "-f", "true", "--timeout=nan"], 2, "", r"'nan' is not a positive number"),
    (["check", EXAMPLE, "-f", "true", "--jobs=-1"], 2, "", r"'-1' is not a whole number"),
    (["check", EXAMPLE, "-f", "true", "--memory=lots"], 2, "", r"'lots' is not a whole number"),
    (["check", EXAMPLE, "-f", "true", "--colour"], 2, "", r"^error: .*--colour"),
    (["check", EXAMPLE, "-f"], 2, "", r"^error: .*--formula"),
    (["check", "-", "-", "-f", "true"], 2, "", r"standard input"),
    (["convert", EXAMPLE], 2, "", r"^error: --output is required\n"),
    (["convert", EXAMPLE, "-o", "x.unknown"], 2, "", r"^error: .*rsm"),
    (["completion", "tcsh"], 2, "", r"'tcsh' is not one of bash, zsh, fish"),
    (["info"], 2, "", r"^error: MODEL is required\n"),
    # input errors
    (["check", "no/such.rsm", "-f", "true"], 2, "", r"^error: cannot open 'no/such.rsm': "),
    (["check", EXAMPLE, "no/such.ctl"], 2, "", r"^error: cannot open 'no/such.ctl': "),
    (["check", EXAMPLE, "-f", "AG ("], 2, "", r"^<formula>:1:\d+: error: "),
    (["check", EXAMPLE, "-f", "true", "-f", "AG ("], 2, "", r"^<formula 2>:1:\d+: error: "),
    (["check", "-", "-f", "true"], 2, "", r"^<stdin>:1:\d+: error: ", "["),
    (["convert", "no/such.rsm", "-o", "-"], 2, "", r"^error: cannot open"),
    # nets: limits, atoms, the contest's lines
    (["check", MUTEX, "-f", "EF deadlock", "--max-states=9"], 1, r"^fails   EF deadlock\n$", ""),
    (["check", MUTEX, "-f", "EF deadlock", "--max-states=8"], 3,
     r"^unknown EF deadlock \(more than 8 states\)\n$", ""),
    (["check", MUTEX, "-f", "AG EX true", "--max-states=0"], 3, r"^unknown AG EX true \(more than 0 states\)\n$", ""),
    (["info", MUTEX, "--max-states=8"], 2, "",
     r"^examples/mutex.net: error: the states of the model cannot be explored: more than 8 states\n$"),
    (["check", MUTEX, "-f", "AG tokens(turn) = 1 & EF fireable(try)"], 0, r"^holds ", ""),
    (["check", MUTEX, "-f", "true", "-f", "AG (p | tokens(turn) = 1)"], 2, "",
     r"^<formula 2>:1:5: error: 'p' is no atom of a net"),
    (["check", MUTEX, "-f", "AG tokens(turn) + tokens(turns) = 1"], 2, "",
     r"^<formula>:1:26: error: the net has no place 'turns'\n$"),
    (["check", MUTEX, "--mcc", "-f", "one := EF deadlock", "-f", "AG true"], 1,
     r"^FORMULA one FALSE TECHNIQUES EXPLICIT\nFORMULA 2 TRUE TECHNIQUES EXPLICIT\n$", ""),
    (["check", MUTEX, "--mcc", "-f", "AG EX true", "--max-states=1"], 3, r"^FORMULA 1 CANNOT_COMPUTE\n$", ""),
    (["check", MUTEX, "--mcc", "--json", "-f", "true"], 2, "", r"^error: --json and --mcc cannot"),
    # on the fly: what decides the formula is one step away, whatever else there is
    (["check", PHILOSOPHERS, "--engine=almc", "-f", "EX fireable(take_right)", "--max-states=10"], 0, r"^holds ", ""),
    (["check", PHILOSOPHERS, "--engine=dfs", "-f", "EX fireable(take_right)", "--max-states=10"], 3,
     r"more than 10 states", ""),
    (["check", PHILOSOPHERS, "--engine=almc", "-f", "AG EF deadlock", "--max-states=10"], 3, r"more than 10 states", ""),
    (["check", "-", "--from=pnml", "-f", "AG EF tokens(p) = 3"], 3,
     r"^unknown AG EF tokens\(p\) = 3 \(unbounded: \{p: 2\} comes after \{\} and strictly covers it\)\n$", "",
     UNBOUNDED),
    # what a verdict comes from, if not from all markings
    (["check", "-", "--from=pnml", "-f", "AG tokens(p) <= 5"], 1, r"^fails   .* \(on the fly\)\n$", "", UNBOUNDED),
    (["check", "-", "--from=pnml", "-f", "AG tokens(p) >= 0"], 0, r"\(reduced to a constant\)\n$", "", UNBOUNDED),
    (["check", "-", "--from=pnml", "-f", "AG tokens(p) <= 5", "--engine=almc"], 1, r"^fails ", "", UNBOUNDED),
    (["check", "-", "--from=pnml", "-f", "AG tokens(p) >= 0", "--engine=almc"], 3, r"unbounded", "", UNBOUNDED),
    (["info", "-", "--from=pnml"], 2, "", r"unbounded", UNBOUNDED),
    (["check", PHILOSOPHERS, "-f", "AG !deadlock", "--dead-ends=error"], 2, "", r"'\{waiting<0>.*' has no successors"),
    (["check", PHILOSOPHERS, "-f", "AG EX true", "--dead-ends=loop"], 0, r"^holds ", ""),
    (["check", PHILOSOPHERS, "-f", "AG EX true", "--dead-ends=loop", "--engine=almc"], 0, r"^holds ", ""),
    (["check", MUTEX, "-f", "AG true", "--engine=dfs", "--stats"], 0, r"^holds ",
     r"(?m)^explore\.bits_per_state +9$[\s\S]*^finite\.bits\.bitmaps +\d+$[\s\S]*^finite\.bits\.per_state +\d+$"),
    (["convert", MUTEX, "-o", "-", "--to=rsm"], 0, r'"deadlock"|tokens', ""),
    (["convert", EXAMPLE, "-o", "-", "--to=pnml"], 2, "", r"format 'pnml' can only be read, not written"),
    # witnesses are paths of the whole graph, also if the engine works on the fly
    (["check", MUTEX, "-f", "AF tokens(process<1,CS>) = 1", "--witness"], 1, r"^fails[\s\S]*turn<NOBODY>", ""),
    (["check", MUTEX, "-f", "AF tokens(process<1,CS>) = 1", "--witness", "--engine=almc"], 1, r"^fails[\s\S]*turn<NOBODY>", ""),
    (["verify", MUTEX, "-"], 2, "", r"the certificate is read twice: '-' cannot be", "x"),
    (["verify", MUTEX, "README.md"], 1, "", r"^README\.md:3: error: expected 'nestor-certificate 1' or"),
    (["verify", MUTEX, "README.md", "--max-states=3"], 2, "", r"cannot be explored: more than 3 states"),
    (["convert", MUTEX, "-f", "EF deadlock", "-o", "-", "--to=rsm"], 0, r'^(?![\s\S]*tokens)[\s\S]*"labels": \[\]', ""),
    (["convert", MUTEX, "-f", "EF fireable(nothing)", "-o", "-", "--to=rsm"], 2, "",
     r"^<formula>:1:13: error: the net has no transition 'nothing'"),
    (["convert", EXAMPLE, "-f", "EF end", "-o", "-"], 2, "", r"^error: --formula is for models whose states are explored"),
    (["convert", "examples/mutex.smv", "-o", "-", "--to=rsm"], 0, r'"labels": \["user1 = c1"\]', ""),
    (["probe", "-"], 2, "", r"reads commands from standard input"),
    (["probe", MUTEX], 0, r"^fails\n$", "", "ask deadlock\nquit\n"),
    # verdicts
    (["check", EXAMPLE, "-f", "true"], 0, r"^holds   true\n$", ""),
    (["check", EXAMPLE, "-f", "false"], 1, r"^fails   false\n$", ""),
    (["check", EXAMPLE, "-f", "true", "-f", "false"], 1, r"^holds   true\nfails   false\n$", ""),
    (["check", EXAMPLE, FORMULAS], 1,
     r"^fails   used_later: AG \(def_i -> EF use_i\)\n"
     r"holds   first_is_used: AX A \[ !def_i U use_i \]\n"
     r"holds   terminates: AF end\n$", ""),
    (["check", EXAMPLE, FORMULAS, "-f", "EF  use_i"], 1, r"\nholds   EF  use_i\n$", ""),
    (["check", EXAMPLE, "-", "-f", "true"], 0, r"^holds   here: EF end\nholds   true\n$", "",
     "here := EF end\n"),
    (["check", EXAMPLE, "-f", "true", "--engine=reference"], 0, r"^holds   true\n$", ""),
    (["check", EXAMPLE, "-f", "true", "--stats"], 0, r"^holds   true\n$",
     r"(?m)\Acheck\.seconds +\d+\.\d+$[\s\S]*^model\.nodes +12$[\s\S]*^read\.seconds"),
    (["check", EXAMPLE, "-f", "EF (p1 | p2)"], 1, r"^fails",
     r"^examples/dataflow\.rsm: warning: no node carries the proposition 'p1'\n.*'p2'\n$"),
    (["check", EXAMPLE, "-f", "p1|p2|p3|p4|p5|p6|p7"], 1, r"^fails",
     r"'p1'\n.*'p2'\n.*'p3'\n.*'p4'\n.*'p5'\n.*no node carries 2 more .*\n$"),
    (["check", EXAMPLE, "-f", "p1", "--json"], 1, r'"warnings":\[\n"no node carries', ""),
    (["check", "test/regress/semantics/dead_end.rsm", "-f", "true"], 0, r"^holds",
     r"^test/regress/semantics/dead_end\.rsm: warning: 1 dead end \(paths end there\), "
     r"first: main\.stop; see --dead-ends\n$"),
    (["check", "test/regress/semantics/dead_end.rsm", "-f", "AG EX true", "--dead-ends=loop"], 0,
     r"^holds", ""),
    (["check", "test/regress/semantics/dead_end.rsm", "-f", "true", "--dead-ends=error"], 2, "",
     r"dead_end\.rsm.*error: .*main\.stop|dead_end\.rsm.*error: .*stop"),
    # pages
    (["check", EXAMPLE, "-f", "EF use_i", "--html=/no/such/folder/page.html"], 2, "", r"/no/such/folder/page\.html"),
    (["check", EXAMPLE, "-f", "EF use_i", "--html"], 2, "", r"--html"),
    (["serve", "--port=65536"], 2, "", r"no port 65536"),
    (["serve", "no-such-model.rsm"], 2, "", r"no-such-model\.rsm"),
    # witnesses
    (["check", EXAMPLE, "-f", "EF use_i", "--witness"], 0,
     r"^holds   EF use_i\n    \[0\] EF use_i holds: 4 steps\n"
     r" +0  main\.main_11_0  Dataflow\.java:11\n +1  main\.main_12_1  .*\n +2    call a\.a_19_4  .*\n"
     r" +3  return to main\.main_13_2  .*\n +4    call b\.b_23_5  Dataflow\.java:23  \{use_i\}\n"
     r" +at the end: \[1\] use_i holds at b\.b_23_5 .*\n$", ""),
    (["check", "--witness", EXAMPLE, "-f", "AG EF end", "-f", "end"], 1,
     r"^holds   AG EF end\n    no path can be evidence: this is about all paths\n"
     r"fails   end\n    \[0\] end fails at main\.main_11_0 .*\n$", ""),
    (["check", EXAMPLE, "-f", "AF use_i & EX true", "--witness"], 0,
     r"\[1\] AF use_i holds at main.main_11_0 .*: about all paths, none can show it\n", ""),
    (["check", RECURSION, "-f", "AF done", "--witness"], 1,
     r"then a loop of 2 steps\n[\s\S]*repeats step 1 with the stack grown by call_17\n$", ""),
    (["check", "test/regress/semantics/dead_end.rsm", "-f", "EG EF true", "--witness"], 0, r"by its form", r"dead end"),
    (["check", "test/regress/semantics/dead_end.rsm", "-f", "AG EX true", "--witness"], 1,
     r"about all paths, none can show it", r"dead end"),
    (["check", "test/regress/semantics/dead_end.rsm", "-f", "EG !nowhere", "--witness"], 0,
     r"to a dead end\n[\s\S]*ends here: a dead end\n$", r"dead end"),
    (["check", ENDLESS, "-f", TOO_LONG, "--steps=100000", "--witness"], 3, r"^unknown [^\n]*\n$", ""),
    (["replay", EXAMPLE, "EF use_i"], 2, "", r"^error: WITNESS is required\n"),
    (["replay", EXAMPLE, "EF (", "-"], 2, "", r"^<formula>:1:\d+: error: "),
    (["replay", "-", "true", "-"], 2, "", r"standard input"),
    (["replay", EXAMPLE, "true", "no/such.json"], 2, "", r"^error: cannot open 'no/such.json': "),
    (["replay", EXAMPLE, "true", "-"], 2, "", r"^<stdin>:1:1: error: ", "[]"),
    (["replay", EXAMPLE, "true", "-"], 1, "", r"^<stdin>: rejected: there is no witness in the file\n$",
     '{"results": [{"verdict": "unknown"}]}'),
    (["replay", EXAMPLE, "true", "-", "--engine=fast"], 2, "", r"^error: .*'fast'", "{}"),
    # limits: the first formula needs more contexts than there is time or memory for
    (["check", ENDLESS, "-f", TOO_LONG, "-f", "EX true", "--steps=100000"], 3,
     r"^unknown AG \(EF good \| AX AG !good\) \(more than 100000 steps\)\nholds   EX true\n$", ""),
    (["check", ENDLESS, "-f", TOO_LONG, "-f", "AX good", "--steps=100000"], 1,
     r"^unknown .*\nfails   AX good\n$", ""),
    (["check", ENDLESS, "-f", TOO_LONG, "-f", "EX true", "--steps=100000", "--engine=lazy"], 3,
     r"^unknown .* \(more than 100000 steps\)\nholds   EX true\n$", ""),
    (["check", ENDLESS, "-f", TOO_LONG, "-f", "EX true", "--memory=30"], 3,
     r"^unknown .* \(memory over 30 MB\)\nholds   EX true\n$", ""),
    (["check", ENDLESS, "-f", TOO_LONG, "--timeout=0.2", "--json"], 3,
     r'"verdict":"unknown","reason":"timeout after 0\.2 s"', ""),
    # SMV: the examples of docs/smv.md, fairness, what is not supported, limits
    (["check", "examples/mutex.smv"], 1,
     r"^fails   fairness: AG AF user1 = c1\nholds   liveness: AG \(user1 = t1 -> AF user1 = c1\)\n"
     r"holds   exclusion: .*\n$", ""),
    (["check", "examples/mutex.smv", "--stats"], 1, r"^fails", r"(?m)^explore\.states +9$"),
    (["check", "examples/counter.smv"], 1, r"^fails   AG .*\nholds   E \[in_state2 U cr_reset\]\n$", ""),
    (["check", "examples/counter.smv", "--stats"], 1, r"^fails", r"(?m)^explore\.states +12$"),
    (["check", "examples/counter.smv", "-f", 'EF ("counter = 2" & ready & AX "state = s1")'], 0, r"^holds", ""),
    (["check", "examples/counter.smv", "-f", 'EF "counter = s1 + 1"'], 2, "",
     r"^<formula>:1:5: error: operator '\+': 's1' is no number\n$"),
    (["check", "examples/counter.smv", "-f", 'EF "2 / counter = 1"'], 2, "",
     r"^error: '2 / counter = 1': division by zero; in the state counter = 0, state = s1, ready = FALSE\n$"),
    (["check", "examples/counter.smv", "-f", "EF nowhere"], 2, "",
     r"^<formula>:1:4: error: 'nowhere' is not declared in module 'main'\n$"),
    (["check", "examples/counter.smv", "--max-states=5"], 3,
     r"^unknown AG .* \(more than 5 states\)\nunknown .* \(more than 5 states\)\n$", ""),
    (["check", "examples/calls.smv"], 1,
     r"^fails   E \[q U p\] IN foo\nholds   EF q IN foo\nfails   EF p IN foo\nfails   EF x IN bar\n"
     r"holds   y IN bar\n$", ""),
    (["check", "examples/calls.smv", "--max-states=1"], 3, r"^unknown .* \(more than 1 states\)\n", ""),
    # x may stay false
    (["check", "-", "--from=smv"], 1, r"^fails   LTLSPEC G F x\nholds   AG EF x\n$", "",
     "MODULE main\nVAR x : boolean;\nLTLSPEC G F x\nSPEC AG EF x\n"),
    (["check", "-", "--from=smv"], 3, r"^unknown x \(unsupported: COMPASSION, line 3\)\n$", "",
     "MODULE main\nVAR x : boolean;\nCOMPASSION (x, !x)\nSPEC x\n"),
    (["check", "-", "--from=smv", "-f", "x"], 2, "", r"^<stdin>:3:1: error: COMPASSION is not supported\n$",
     "MODULE main\nVAR x : boolean;\nCOMPASSION (x, !x)\nSPEC x\n"),
    (["check", "-", "--from=smv"], 0, r"^holds   AG AF x\n$", "",
     "MODULE main\nVAR x : boolean;\nFAIRNESS x\nSPEC AG AF x\n"),
    (["check", "-", "--from=smv", "--engine=summary"], 3,
     r"^unknown AG AF x \(this engine does not support fairness constraints\)\n$", "",
     "MODULE main\nVAR x : boolean;\nFAIRNESS x\nSPEC AG AF x\n"),
    (["check", "-", "--from=smv", "--engine=almc"], 3,
     r"^unknown AG AF x \(this engine does not support fairness constraints\)\n$", "",
     "MODULE main\nVAR x : boolean;\nFAIRNESS x\nSPEC AG AF x\n"),
    # x is true again and again on a fair path, so a loop without it is no counterexample; y is free
    (["check", "-", "--from=smv", "--witness"], 1,
     r"^fails   AF y\n(.*\n)*            loop:\n(.*x = TRUE.*\n|.*\n)*      the loop satisfies every fairness "
     r"constraint\n$", "", "MODULE main\nVAR x : boolean; y : boolean;\nFAIRNESS x\nSPEC AF y\n"),
    (["check", "-", "--from=smv", "--witness"], 0, r"\n      a fair path goes on from there\n", "",
     "MODULE main\nVAR x : boolean;\nINIT x\nFAIRNESS x\nSPEC EF !x\n"),
    # evidence from the search stack of dfs; other finite engines know values or nothing
    (["check", "examples/mutex.smv", "--engine=dfs", "--witness", "--json"], 1,
     r'"witness":\{"schema":"nestor/witness","schema_version":"1.0","formula":".*","verdict":"fails","engine":"dfs",', ""),
    (["check", "examples/mutex.smv", "--engine=emc", "--witness", "--json"], 1,
     r'"witness":\{"schema":"nestor/witness","schema_version":"1.0","formula":".*","verdict":"fails","engine":"emc",', ""),
    (["check", "test/regress/smv/computed_distances.smv"], 0,
     r"^holds   COMPUTE MIN \[n = 1, n = 0\] \(= 2\)\n.* \(= 3\)\n.* \(= infinity\)\n.* \(= 0\)\n.* \(= undefined\)\n$", ""),
    (["check", "test/regress/smv/computed_distances.smv", "--engine=local"], 0, r"holds +COMPUTE .*\(= ", ""),
    (["check", "test/regress/smv/abstraction_is_skipped.smv"], 1, r"^fails   AG x\n$",
     r"warning: PRED in line 4 is skipped: it is no part of the model\n"),
    (["check", "test/regress/smv/no_initial_state.smv", "-f", "x = 0"], 0, r"^holds   x = 0\n$",
     r"warning: there is no initial state: every specification holds\n"),
    (["check", "test/regress/smv/no_initial_state.smv", "--dead-ends=keep"], 2, "", r"has no initial state"),
    (["convert", "test/regress/smv/no_initial_state.smv", "-o", "-", "--to=rsm"], 2, "", r"has no initial state"),
    (["convert", "examples/calls.smv", "-o", "-", "--to=rsm"], 0, r'"foo_initial"', ""),
    (["convert", EXAMPLE, "-o", "-", "--to=smv"], 0, r"^MODULE main\nVAR\n  state : \{main_11_0", ""),
    # info, engines, convert
    (["info", EXAMPLE], 0,
     r"components +3\nnodes +12 \(8 plain, 2 call, 2 return\)\nboxes +2\ntransitions +7\n"
     r"propositions +3\ninitial +main: main_11_0\nentries +3 [\s\S]*exits +3 [\s\S]*"
     r"call graph +not recursive, 3 strongly connected components, the largest of 1\n"
     r"[\s\S]*odd +1 node that is entry and exit: first a\.a_19_4\n$", ""),
    (["info", "test/regress/semantics/infinite_descent.rsm"], 0, r"call graph +recursive, 1 ", ""),
    (["engines"], 0, r"(?m)^reference .*\[.+\]", ""),
    (["convert", EXAMPLE, "-o", "-"], 0, r'"main_11_0"', ""),
    (["convert", EXAMPLE, "-o", "-", "--to=pds"], 0, r"(?m)^\(q0 <main_11_0>\)$", ""),
    (["convert", EXAMPLE, "-o", "-", "--to=pdmu"], 2, "", r"^error: format 'pdmu' can only be read"),
    (["check", "test/fuzz/corpus/pdmu/program.pdmu"], 1, r"^fails   mu property: nu X \. ", r"1 dead end"),
    # the mu-calculus: a property that is none of CTL, formulas from the command line, no evidence
    (["check", "test/fuzz/corpus/pdmu/restricted.pdmu"], 1, r"^fails   mu property: !\(\(nu X",
     r"no node carries the proposition 'csend'"),
    (["check", EXAMPLE, "--mu", "nu X. []X & (def_i => mu Y. use_i | <>Y)", "--mu=mu X. nu Y. [](end & Y | X)"], 1,
     r"^fails   nu X\. \[\]X & .*\nholds   mu X\. nu Y\. .*\n$", ""),
    (["check", EXAMPLE, "--mu=nu X. mu Y. <>(use_i & X | Y)", "-f", "EF end", "--json"], 1,
     r'"verdict":"holds","engine":"summary"[\s\S]*"verdict":"fails","engine":"mu"', ""),
    (["check", EXAMPLE, "--mu=<>~<>tt", "--witness"], 0, r"^holds   <>~<>tt\n$",
     r"warning: no witness for formula 1: .*one of the mu-calculus\n$"),
    (["check", EXAMPLE, "--mu=<>~<>tt", "--certificate=/dev/null"], 0, r"^holds   <>~<>tt\n$",
     r"warning: no certificate '/dev/null': .*one of the mu-calculus\n$"),
    (["check", EXAMPLE, "--mu=nu X. mu Y. <>(use_i & X | Y)", "--steps=20"], 3, r"^unknown .*more than 20 steps", ""),
    (["check", EXAMPLE, "--mu=<>tt & (mu X. X"], 2, "", r"^<mu>:1:16: error: expected '\)' before end"),
    (["check", EXAMPLE, "--mu=tt", "--mu=mu X. !X"], 2, "", r"^<mu 2>:1:8: error: variable 'X' occurs negated"),
    # Steps of nets have names; markings are told by what changes, or whole.
    (["check", MUTEX, "-f", "EF tokens(process<1,CS>) = 1", "--witness"], 0,
     r"\[0\] EF tokens\(process<1,CS>\) = 1 holds: 2 steps\n +0  \{process<1,NC>, process<2,NC>, turn<NOBODY>\}\n"
     r" +1  try\(i=1, whose=NOBODY, next=1\): -process<1,NC> -turn<NOBODY> \+process<1,TRY> \+turn<1>\n"
     r" +2  go_critical\(i=1\): -process<1,TRY> \+process<1,CS>  \{tokens\(process<1,CS>\) = 1\}\n", ""),
    (["check", MUTEX, "-f", "EF tokens(process<1,CS>) = 1", "--witness", "--whole-states"], 0,
     r" 2  go_critical\(i=1\): \{process<1,CS>, process<2,NC>, turn<1>\}", ""),
    (["check", MUTEX, "-f", "EF tokens(process<1,CS>) = 1", "--witness", "--json"], 0,
     r'"fired":\[\{"transition":"try","binding":\{"i":"1","whose":"NOBODY","next":"1"\}\},'
     r'\{"transition":"go_critical","binding":\{"i":"1"\}\}\]', ""),
    (["check", MUTEX, "-f", "EF tokens(process<1,CS>) = 1", "--witness-dot=-"], 0,
     r'label="1: try\(i=1, whose=NOBODY, next=1\)"', ""),
    (["check", MUTEX, "-f", "AG process<1,CS>"], 2, "",
     r"^<formula>:1:4: error: a place is no atom; write 'tokens\(process<1,CS>\) >= 1' for a token there\n$"),
    (["convert", MUTEX, "-o", "-", "--to=rsm", "--atoms=all"], 0,
     r'tokens\(process<1,CS>\) >= 1.*fireable\(try\)', ""),
    (["convert", MUTEX, "-o", "-", "--to=rsm", "--atoms=some"], 2, "", "--atoms"),
    (["convert", MUTEX, "-o", "-", "--to=rsm", "--atoms=all", "-f", "EF deadlock"], 2, "", "exclude each other"),
    (["convert", "examples/dataflow.rsm", "-o", "-", "--atoms=all"], 2, "", "--atoms is for models whose states"),
    (["check", "examples/mutex.net", "--mu=nu X. <>X"], 0, r"^holds   nu X\. <>X\n$", ""),
    (["check", "examples/mutex.net", "--mu=nu X. mu Y. <><>X | <>Y", "--max-states=2"], 3, r"^unknown .*more than 2 states", ""),
    (["check", "examples/mutex.net", "--mu=nu X. mu Y. <><>X | <>Y"], 0, r"^holds ", ""),
    (["check", "test/fuzz/corpus/pdmu/restricted.pdmu", "-f", "AG x"], 0, r"^holds   AG x\n$", ""),
    # LTL on the fly: a loop decides, however many states there are
    (["check", "test/usage/huge.smv", "--steps=3000000"], 1,
     r"^fails   LTLSPEC G F s = halt \(on the fly\)\nfails   LTLSPEC F G s = run \(on the fly\)\n$", ""),
    (["check", "test/usage/unbounded.net", "-f", "[]<>tokens(q) > 0", "--steps=3000000"], 1,
     r"^fails   \[\]<>tokens\(q\) > 0 \(on the fly\)\n$", ""),
    # only infinite paths count for the mu-calculus, too
    (["check", "test/regress/semantics/dead_end.rsm", "--mu=mu X. []X"], 0, r"^holds ", r"paths end there"),
    (["check", "test/usage/endless.rsm", "--mu=mu X. []X", "--dead-ends=infinite"], 1, r"^fails ", ""),
    # certificates: check_certificates() has the rest
    (["verify"], 2, "", r"^error: MODEL is required\n"),
    (["verify", EXAMPLE], 2, "", r"^error: CERTIFICATE is required\n"),
    (["verify", EXAMPLE, "no/such.cert"], 2, "", r"^error: cannot open 'no/such.cert': "),
    (["verify", "no/such.rsm", "-"], 2, "", r"^error: cannot open 'no/such.rsm': ", ""),
    (["verify", "-", "-"], 2, "", r"standard input"),
    (["verify", EXAMPLE, "-", "-f", "AG ("], 2, "", r"^<formula>:1:\d+: error: ", ""),
    (["verify", EXAMPLE, "-", "-f", "p", "-f", "q"], 2, "", r"^error: a certificate is about one formula", ""),
    (["verify", EXAMPLE, "-"], 1, "", r"^<stdin>:1: error: expected 'nestor-certificate 1' or 'nestor-certificate 2'\n$", "certificate\n"),
    (["verify", EXAMPLE, EXAMPLE], 1, "", r"^examples/dataflow\.rsm:1: error: expected 'nestor-certificate 1' or 'nestor-certificate 2'\n$"),
    (["check", EXAMPLE, FORMULAS, "--certificate=x"], 2, "",
     r"^error: --certificate is for one formula, there are 3: use --certificate-dir\n"),
    (["check", EXAMPLE, "-f", "true", "--certificate=-"], 2, "", r"^error: --certificate needs a file"),
    (["check", EXAMPLE, "-f", "true", "--certificate=x", "--certificate-dir=y"], 2, "", r"exclude each other"),
    (["check", EXAMPLE, "-f", "true", "--certificate=no/such/x"], 2, "", r"^error: cannot write 'no/such/x': "),
    (["check", EXAMPLE, "-f", "true", "--certificate-dir=README.md/x"], 2, "", r"^error: cannot make the folder"),
    # label: which nodes can lead to a use of i is read off the program of the example
    (["label", EXAMPLE, "-f", "use_i", "--component=b"], 0,
     r"^use_i\n  1  use_i\nb: [^\n]*\n +1\n  b_23_5  t\n(?:  \S+  f\n)+$", r"^$"),
    # figure 3.7 (b) of the thesis on recursive Kripke structures; tables 3.3 to 3.5, columns 4, 9 and 14
    (["label", MUTUAL, "-f", THRICE], 0,
     r"C: the initial context\n[ 0-9]*\n  c1   f   f   t   t   f   t   t   f   t   f   t   t   f   t\n"
     r"  c3   f   t   t   f   t   f   t   f   f   t   t   t   f   f\n", r"^$"),
    (["label", MUTUAL, "-f", THRICE, "--component=D", "--node=d3"], 0,
     r"D: 4 after d3; 9 after d3\n[ 0-9]*\n  d3   t   f   t   t   f   t   t   f   t   f   f   f   t   t\nD: ", r"^$"),
    # table 5.1: 14 local checks instead of 40
    (["label", MUTUAL, "-f", THRICE, "--trace", "--engine=rks"], 0,
     r"  round 2: \(C, ftt\) \(C, fft\)\n  round 3: \(D, fff\)\n  round 4: \(C, fff\)\n"
     r"  14 checks of 10 pairs; all pairs in each of 4 rounds would be 40\n$", r"^$"),
    (["label", MUTUAL, "-f", THRICE, "--trace", "--engine=rks-incremental"], 0,
     r"local checks of E \[true U p\]\n  before the fixpoint: \(C, f\)", r"^$"),
    (["label", MUTUAL, "-f", "EF p", "--trace"], 3, r"\nno steps to show \(the engine makes no local checks", r"^$"),
    (["label", MUTUAL, "-f", "EF p", "--json", "--trace", "--engine=rks"], 0,
     r'"context":\[\{"subformula":2,"exits":\["c3"\]\}\][\s\S]*"local_checks":', r"^$"),
    (["label", MUTUAL, "-f", "EF p", "--dot"], 0,
     r'n1 \[label="c3",fillcolor=lightcoral[\s\S]*n2 \[label="d1",fillcolor=palegreen[\s\S]*n0 -> n2 \[style=bold\]', r"^$"),
    (["label", MUTUAL, "-f", "EF p", "--dot", "--json"], 2, "", r"^error: --dot draws a graph"),
    (["label", MUTUAL, "-f", "EF p", "--component=E"], 2, "", r"^error: there is no component 'E'\n"),
    (["label", MUTUAL, "-f", "EF p", "--node=e1"], 2, "", r"^error: there is no node 'e1'\n"),
    (["label", MUTUAL, "-f", "EF p", "--states=some"], 2, "", r"'some' is not a whole number"),
    (["label", MUTUAL, "-f", "EF p", "--engine=fast"], 2, "", r"^error: .*'fast'"),
    # a, b, c, d in a row, a and d loop: approximations of fixpoints, as the slides on labelling have them
    (["label", "test/usage/steps.rsm", "-f", "EG p", "-f", "EF q", "--trace"], 0,
     r"approximations of EG p\n  X₀ = \{a; b; c; d\}\n  X₁ = \{a; b; c\}\n  X₂ = \{a; b\}\n  X₃ = \{a\}\n"
     r"  X₄ = \{a\} = X₃\n[\s\S]*approximations of E \[true U q\]\n  X₀ = \{\}\n  X₁ = \{d\}\n  X₂ = \{c; d\}\n"
     r"  X₃ = \{b; c; d\}\n  X₄ = \{a; b; c; d\}\n  X₅ = \{a; b; c; d\} = X₄\n$", r"^$"),
    (["label", MUTEX, "-f", "EF deadlock", "--states=2"], 0, r"  and \d+ more states \(--states=N\)\n$", r"^$"),
    # another beginning
    (["check", MUTUAL, "-f", "AX p", "--initial=D:d3"], 0, r"^holds   AX p\n$", ""),  # the exit loops there
    (["check", MUTUAL, "-f", "p", "--initial=D:d3"], 0, r"^holds   p\n$", ""),
    (["check", MUTUAL, "-f", "EX p", "--initial=D"], 0, r"^holds   EX p\n$", ""),
    (["check", MUTUAL, "-f", "p", "--initial=E"], 2, "", r"mutual.rsm: error: no component to start in is named as in 'E'"),
    (["check", MUTUAL, "-f", "p", "--initial=D:d9"], 2, "", r"error: component 'D' has no node 'd9' to start at"),
    (["check", MUTUAL, "-f", "p", "--initial=D:"], 2, "", r"error: no component to start in is named as in 'D:'"),
    (["check", MUTEX, "-f", "EF deadlock", "--initial=p"], 2, "", r"error: the states of this model are explored"),
    (["check", "examples/mutex.smv", "-f", "true", "--initial=main"], 2, "", r"error: the states of this model are explored"),
    (["check", "examples/calls.smv", "-f", "y", "--initial=bar"], 0, r"^holds   y\n$", ""),
    (["check", "examples/calls.smv", "-f", "y", "--initial=baz"], 2, "", r"error: no component to start in"),
    (["check", "examples/calls.smv", "-f", "y", "--initial=bar:b3"], 1, r"^fails   y\n$", ""),
    (["check", "examples/calls.smv", "-f", "y", "--initial=bar:b9"], 2, "", r"error: component 'bar' has no node 'b9'"),
    (["label", MUTUAL, "-f", "p", "--initial=D"], 0, r"^p\n  1  p\nD: the initial context\n", r"^$"),
    (["convert", MUTUAL, "--initial=D:d3", "-o", "-", "--to=rsm"], 0, r'"initial_component": "D"', ""),
    (["probe", MUTUAL, "--initial=D"], 0, r"^D.d1\n", "", "state\n"),
    # the choices of the lazy strategy
    (["check", MUTUAL, "-f", THRICE, "--engine=lazy", "--choice=leftmost"], 0, r"^holds", ""),
    (["check", MUTUAL, "-f", THRICE, "--engine=lazy", "--choice=random", "--seed=7", "--no-switch"], 0, r"^holds", ""),
    (["check", MUTUAL, "-f", THRICE, "--engine=lazy", "--choice=first"], 2, "",
     r"^error: --choice: 'first' is not one of leftmost, random, all\n"),
    # the stages of nets
    (["check", "-", "--from=pnml", "-f", "AG tokens(p) <= 5", "--net-stages=rewriting"], 1,
     r"^fails   .* \(on the fly\)\n$", "", UNBOUNDED),
    (["check", "-", "--from=pnml", "-f", "EF deadlock", "--net-stages=unfolding"], 2, "",
     r"^error: --net-stages: 'unfolding' is not one of rewriting, reductions, state-equation, stubborn-sets, all\n"),
    (["label", EXAMPLE], 2, "", r"^error: --formula is required"),
    (["label", EXAMPLE, "-f", "EX"], 2, "", r"error: expected a formula"),
    (["label", EXAMPLE, "-f", "A (F G end)"], 3, r"unknown \(", r"^$"),
    (["label", EXAMPLE, "-f", "AG EF end", "--steps=1"], 3, r"^AG EF end\n  unknown \(more than 1 step", r"^$"),
    # generate
    (["generate"], 2, "", r"^error: WHAT is required\n"),
    (["generate", "cats"], 2, "", r"'cats' is not one of rsm, program, ctl, pds, usedef"),
    (["generate", "ctl", EXAMPLE], 2, "", r"^error: generate ctl takes no model"),
    (["generate", "usedef"], 2, "", r"^error: MODEL is required\n"),
    (["generate", "usedef", "test/fuzz/corpus/pdmu/program.pdmu"], 0,
     r"^AG \(def__x \| usedef__x -> EF \(use__x \| usedef__x\)\)\n$", ""),
    (["generate", "rsm", "--labels=a"], 2, "", r"'a' is not of the form NAME:SHARE"),
    (["generate", "rsm", "--labels=a:2"], 2, "", r"'2' is not a number from 0 to 1"),
    (["generate", "rsm", "--density=1.5"], 2, "", r"'1.5' is not a number from 0 to 1"),
    (["generate", "rsm", "--components=0"], 2, "", r"^error: components: '0' is not from 1 to "),
    (["generate", "rsm", "-o", "x.unknown"], 2, "", r"^error: cannot tell the format of 'x.unknown'"),
    (["generate", "rsm", "--to=pdmu"], 2, "", r"^error: format 'pdmu' can only be read"),
    (["generate", "pds", "--to=rsm"], 0, r'^\{"initial_component"', ""),
    (["generate", "ctl", "--count=3", "--depth=0", "--width=0", "--negation=0", "--propositions=x"], 0,
     r"^((x|true|false)\n){3}$", ""),
    # shards; test/shards has the rest
    (["check", EXAMPLE, FORMULAS, "--shard=1"], 2, "", r"^error: --shard: '1' is no share, expected I/N with 1 ≤ I ≤ N"),
    (["check", EXAMPLE, FORMULAS, "--shard=3/2"], 2, "", r"^error: --shard: '3/2' is no share"),
    (["check", EXAMPLE, FORMULAS, "--shard=0/2"], 2, "", r"^error: --shard: '0/2' is no share"),
    (["check", EXAMPLE, FORMULAS, "--shard=1/2x"], 2, "", r"^error: --shard: '1/2x' is no share"),
    (["check", EXAMPLE, FORMULAS, "--shard=-1/-1"], 2, "", r"^error: --shard: '-1/-1' is no share"),
    (["lint", "x.bc", "--shard=1/99999999999999999999"], 2, "", r"^error: --shard: '1/99999999999999999999' is no share"),
    (["check", EXAMPLE, "-", "--shard=1/2"], 2, "", r"^error: with --shard, no input can be standard input\n"),
    (["check", EXAMPLE, FORMULAS, "--shard=1/2", "--html=x.html"], 2, "", r"^error: --html and --shard cannot be given together\n"),
    (["check", EXAMPLE, FORMULAS, "--shard=1/2", "--json-lines"], 2, "", r"^error: --json-lines and --shard cannot"),
    (["check", EXAMPLE, FORMULAS, "--shard=1/2", "--certificate-dir=x"], 2, "", r"^error: --certificate-dir and --shard cannot"),
    (["check", EXAMPLE, FORMULAS, "--shard=1/2", "--witness=x.json"], 2, "", r"^error: --witness=FILE and --shard cannot"),
    (["lint", "x.bc", "--shard=1/2", "--write-baseline=x"], 2, "", r"^error: --write-baseline and --shard cannot"),
    (["check", EXAMPLE, FORMULAS, "--shard=1/2", "--stats"], 2, "", r"^error: --stats and --shard cannot"),
    (["check", EXAMPLE, FORMULAS, "--shard-costs=x.json"], 2, "", r"^error: --shard-costs needs --shard\n"),
    (["check", EXAMPLE, FORMULAS, "--shard=1/2", "--shard-costs=no/such"], 2, "", r"^error: cannot open 'no/such': "),
    (["check", EXAMPLE, FORMULAS, "--shard=1/2", f"--shard-costs={EXAMPLE}"], 2, "", r"^examples/dataflow.rsm: error: it tells no costs"),
    (["check", EXAMPLE, FORMULAS, "--json-lines", "-o", "x"], 2, "", r"^error: --json-lines and --output cannot"),
    (["check", EXAMPLE, FORMULAS, "--shard=1/2"], 0, r'^\{"schema":"nestor/part"', ""),
    (["check", EXAMPLE, FORMULAS, "--json", "--reproducible"], 1, r'^(?![\s\S]*(seconds|engine|contexts))[\s\S]*"stats":\{\}\}\n$', ""),
    (["merge"], 2, "", r"^error: PART is required\n"),
    (["merge", EXAMPLE], 2, "", r"^examples/dataflow.rsm: error: it is no part of a report"),
    # C and C++ programs, as far as they need no LLVM; test/llvm and test/lint have the rest
    (["lint"], 2, "", r"^error: PROGRAM is required\n"),
    (["lint", "--explain=nonsense"], 2, "", r"^error: unknown rule 'nonsense'"),
    (["lint", "--explain=double-free"], 0, r"(?s)^double-free \(error, CWE-415, CERT MEM30-C, on\)\n.*"
     r"/\* warn \*/.*How to mend it:\n.*// nestor: ignore double-free\n", ""),
    (["lint", "x.bc", "--format=html"], 2, "", r"'html' is not one of text, json, sarif, junit"),
    (["lint", "x.bc", "--rule=nonsense"], 2, "", r"^error: unknown rule 'nonsense'"),
    (["lint", "x.bc", "--rules=no/such.toml"], 2, "", r"^error: cannot open 'no/such.toml': "),
    (["rules"], 0, r"(?m)^double-free +error +on +CWE-415 +MEM30-C +Memory is freed twice$", ""),
    (["rules", "--json"], 0, r'^\{"schema":"nestor/rules",.*"rules":\[\n\{"id":"chroot-without-chdir"', ""),
    (["info", EXAMPLE, "--link=x.bc"], 2, "", r"^error: --link is for LLVM bitcode only\n"),
    (["cc", "--help"], 0, r"Compile C as clang does", ""),
    (["completion", "bash"], 0, r"complete -F _nestor nestor\n$", ""),
    (["docs", "cli"], 0, r"^# The command line\n", ""),
]


def run(nestor, arguments, cwd, text=None):
    return subprocess.run([nestor, *arguments], cwd=cwd, input=text or "", capture_output=True, text=True,
                          check=False)


def matches(pattern, text):
    return text == "" if pattern == "" else re.search(pattern, text) is not None


def check_rows(nestor, root):
    problems = []
    for row in ROWS:
        arguments, status, out, err = row[:4]
        done = run(nestor, arguments, root, row[4] if len(row) > 4 else None)
        call = "nestor " + " ".join(arguments)
        if done.returncode != status:
            problems.append(f"{call}: exit status {done.returncode}, expected {status}: {done.stderr}")
        elif not matches(out, done.stdout):
            problems.append(f"{call}: standard output does not match {out!r}:\n{done.stdout}")
        elif not matches(err, done.stderr):
            problems.append(f"{call}: standard error does not match {err!r}:\n{done.stderr}")
    return problems


def check_generated_files(nestor, root):
    problems = []
    for arguments, path in ((["docs", "cli"], "docs/cli.md"), (["docs", "man"], "share/man/nestor.1"),
                            (["completion", "bash"], "completions/nestor.bash"),
                            (["completion", "zsh"], "completions/_nestor"),
                            (["completion", "fish"], "completions/nestor.fish")):
        if run(nestor, arguments, root).stdout != (root / path).read_text(encoding="utf-8"):
            problems.append(f"{path} is out of date: run 'make docs'")
    return problems


def check_json(nestor, root):
    """The keys of every JSON object that nestor prints, and the types of their values."""
    problems = []

    def expect(condition, what):
        if not condition:
            problems.append(f"JSON: {what}")

    done = json.loads(run(nestor, ["check", EXAMPLE, FORMULAS, "-f", "\"p\u00e4\"", "--json"], root).stdout)
    expect(list(done) == ["schema", "schema_version", "nestor", "model", "results", "warnings", "stats"], f"keys of check: {list(done)}")
    expect(done["model"] == EXAMPLE, "model is the file")
    expect([r["verdict"] for r in done["results"]] == ["fails", "holds", "holds", "fails"], "verdicts")
    expect(done["results"][0]["name"] == "used_later" and "name" not in done["results"][3], "names")
    for result in done["results"]:
        expect(set(result) - {"name"} == {"formula", "verdict", "engine", "contexts", "seconds"},
               f"keys of a result: {sorted(result)}")
        expect(isinstance(result["contexts"], int) and result["seconds"] >= 0, "numbers of a result")
    expect(done["stats"]["model.nodes"] == 12 and done["stats"]["memory.peak_bytes"] > 0, "stats")
    expect(list(done["stats"]) == sorted(done["stats"]), "stats are sorted")
    info = json.loads(run(nestor, ["info", EXAMPLE, "--json"], root).stdout)
    expect(info["nodes"] == 12 and info["recursive"] is False, "info")
    expect(info["oddities"]["entry_exits"] == {"count": 1, "first": "a.a_19_4"}, "oddities")
    engines = json.loads(run(nestor, ["engines", "--json"], root).stdout)["engines"]
    expect(sum(engine["default"] for engine in engines) == 1, "one engine is the default")
    expect(all(set(e) == {"id", "description", "source", "default"} for e in engines), "keys of engines")
    return problems


def check_convert(nestor, root):
    """Converting twice gives the same text; a failed conversion leaves no file."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        first, second = pathlib.Path(folder) / "a.rsm", pathlib.Path(folder) / "b.rsm"
        for source, target in ((root / EXAMPLE, first), (first, second)):
            done = run(nestor, ["convert", str(source), "-o", str(target)], root)
            if done.returncode != 0 or done.stdout or done.stderr:
                problems.append(f"convert {source}: {done}")
        if not problems and first.read_bytes() != second.read_bytes():
            problems.append("converting twice changes the file")
        broken = pathlib.Path(folder) / "broken.rsm"
        broken.write_text("{", encoding="utf-8")
        if run(nestor, ["convert", str(broken), "-o", str(second)], root).returncode != 2:
            problems.append("a broken file is converted")
        if not problems and first.read_bytes() != second.read_bytes():
            problems.append("a failed conversion touches its output")
        if len(list(pathlib.Path(folder).iterdir())) != 3:
            problems.append("a failed conversion leaves something behind")
        full = run(nestor, ["convert", EXAMPLE, "-o", "/dev/full/x"], root)
        if full.returncode != 2:
            problems.append(f"output to an impossible place: {full}")
    return problems


def check_certificates(nestor, root):
    """Certificates of every engine, compressed, for other formats and with dead ends made to loop."""
    problems = []

    def expect(arguments, status, out=None, err=None):
        done = run(nestor, [str(argument) for argument in arguments], root)
        if done.returncode != status or (out is not None and done.stdout != out) or \
                (err is not None and not re.search(err, done.stderr)):
            problems.append(f"{arguments}: {done.returncode} {done.stdout!r} {done.stderr!r}")

    formula = "AG (def_i -> EF use_i)"
    listing = json.loads(run(nestor, ["engines", "--json"], root).stdout)
    # Those for finite models leave this one to others.
    engines = [engine["id"] for engine in listing["engines"]
               if run(nestor, ["check", EXAMPLE, "-f", formula, f"--engine={engine['id']}"], root).returncode != 3]
    if "summary" not in engines or "reference" not in engines:
        problems.append(f"only {engines} can decide the example")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for engine in engines:
            if run(nestor, ["check", EXAMPLE, "-f", formula, f"--engine={engine}"], root).returncode == 3:
                continue  # it cannot handle calls
            for suffix in ("cert", "cert.gz"):
                file = folder / f"{engine}.{suffix}"
                expect(["check", EXAMPLE, "-f", formula, f"--engine={engine}", f"--certificate={file}"], 1,
                       f"fails   {formula}\n")
                expect(["verify", EXAMPLE, file], 0, "verified: fails\n", "^$")
            if (folder / f"{engine}.cert.gz").read_bytes()[:2] != b"\x1f\x8b":
                problems.append("not compressed")
        sound = folder / "summary.cert"
        expect(["verify", EXAMPLE, sound, "-f", "AG (!def_i | EF use_i)"], 0, "verified: fails\n")
        expect(["verify", EXAMPLE, sound, "-f", "AG (def_i -> AF use_i)"], 1, "", "another formula")
        expect(["verify", "test/regress/semantics/dead_end.rsm", sound], 1, "", r"(?m)^\S+summary\.cert:\d+: error: ")
        wrong = folder / "wrong.cert"
        wrong.write_text(sound.read_text().replace("verdict fails", "verdict holds"))
        expect(["verify", EXAMPLE, wrong], 1, "", r"wrong\.cert:\d+: error: rule 7: ")
        cut = folder / "cut.cert.gz"
        cut.write_bytes((folder / "summary.cert.gz").read_bytes()[:-20])
        expect(["verify", EXAMPLE, cut], 1, "", r"cut\.cert\.gz:\d+: error: damaged compressed file")
        # A file for each formula, and their names in the report.
        done = run(nestor, ["check", EXAMPLE, FORMULAS, f"--certificate-dir={folder}/all", "--json"], root)
        for k, result in enumerate(json.loads(done.stdout)["results"]):
            if result.get("certificate") != f"{folder}/all/{k + 1}.cert":
                problems.append(f"certificate of formula {k}: {result}")
            else:
                expect(["verify", EXAMPLE, result["certificate"]], 0, f"verified: {result['verdict']}\n")
        # Formulas beyond CTL have certificates of the second kind.
        for formula, status, verdict in (("G (def_i -> F use_i)", 1, "fails"), ("F G !use_i", 0, "holds")):
            expect(["check", EXAMPLE, "-f", formula, f"--certificate={folder}/ltl.cert"], status)
            expect(["verify", EXAMPLE, f"{folder}/ltl.cert", "-f", formula], 0, f"verified: {verdict}\n")
            expect(["verify", EXAMPLE, f"{folder}/ltl.cert", "-f", f"!{formula}"], 1, None, "about another formula")
        # Other formats, and models that nestor changes: the certificate is about what convert writes.
        # In the order of their names, whatever the order in the formula: the first state has both.
        waits = "G (user1 = t1 -> X (user1 = t1 | user1 = c1))"
        both, swapped = "EF (user2 = n2 & user1 = n1)", "EF (user1 = n1 & user2 = n2)"
        for model, formula, options, to_convert in (
                ("test/fuzz/corpus/pds/shared_code.pds", "EG true", [], []),
                ("test/regress/semantics/dead_end.rsm", "EG true", ["--dead-ends=loop"], []),
                ("examples/mutex.smv", both, [], ["-f", swapped]),
                ("examples/mutex.smv", waits, [], ["-f", waits]),
                (MUTEX, "AG EF fireable(try)", [], ["-f", "AG EF fireable(try)"]),
                (PHILOSOPHERS, "AG EX true", ["--dead-ends=loop"], ["-f", "AG EX true"])):
            file = folder / "other.cert"
            expect(["check", model, "-f", formula, f"--certificate={file}", *options], 0)
            expect(["verify", model, file, *options], 0, "verified: holds\n")
            expect(["convert", model, "-o", folder / "other.rsm", *options, *to_convert], 0)
            expect(["verify", folder / "other.rsm", file], 0, "verified: holds\n")
            second = subprocess.run([sys.executable, root / "tools" / "verify.py", folder / "other.rsm", file],
                                    capture_output=True, text=True, check=False)
            if second.stdout != "verified: holds\n":
                problems.append(f"tools/verify.py on {model}: {second}")
        # An invariant of a model with fairness constraints speaks of all paths, and must be taken so.
        fair = "test/regress/smv/invariant_without_a_fair_path.smv"
        expect(["check", fair, f"--certificate-dir={folder}/fair", f"--witness={folder}/fair.json"], 1)
        expect(["verify", fair, f"{folder}/fair/2.cert", "--all-paths"], 0, "verified: fails\n")
        expect(["verify", fair, f"{folder}/fair/2.cert"], 2, "", "the model has fairness constraints")
        expect(["replay", fair, "AG n < 3", f"{folder}/fair.json", "--all-paths"], 0, "accepted: fails\n")
        expect(["replay", fair, "AG n < 3", f"{folder}/fair.json"], 1, "", "fairness constraints")
        # Where paths end that do not count, evidence is for the formula that says so, and the user's is taken for it.
        ends = "test/regress/smv/only_infinite_paths_count.smv"
        expect(["check", ends, f"--certificate-dir={folder}/ends", f"--witness={folder}/ends.json"], 1, None,
               r"1 dead end \(only infinite paths count\), first: n = 3; see --dead-ends")
        expect(["verify", ends, f"{folder}/ends/03.cert", "-f", "EF n = 3"], 0, "verified: fails\n")
        expect(["verify", ends, f"{folder}/ends/03.cert", "-f", "EF n = 3", "--dead-ends=keep"], 1, "", "another formula")
        expect(["replay", ends, "EF n = 3", f"{folder}/ends.json"], 0, "accepted: fails\n")
        expect(["replay", ends, "AG n < 3", f"{folder}/ends.json", "--all-paths"], 0, "accepted: fails\n")
        expect(["check", ends, "--dead-ends=keep"], 1, None, r"1 dead end \(paths end there\)")
        # The certificate that docs/certificates.md shows is the one that is written.
        page = (root / "docs" / "certificates.md").read_text(encoding="utf-8")
        shown = re.search(r"```\n(nestor-certificate 1\n[\s\S]*?)```", page).group(1)
        if shown != sound.read_text():
            problems.append("docs/certificates.md shows another certificate")
        # No certificate where there is no verdict, or no time to prove it.
        expect(["check", ENDLESS, "-f", TOO_LONG, "--steps=100000", f"--certificate={folder}/none"], 3, None,
               r"warning: no certificate '.*/none': the verdict is unknown")
        if (folder / "none").exists():
            problems.append("a certificate without verdict")
    return problems


# What a seed gives must never change, whatever the machine, compiler or version.
GENERATED = [
    ("rsm --seed=7", "4cac525d33c823eb"),
    ("rsm --components=5 --boxes=1 --nodes=15 --density=0.1 --labels=p:0.5 --seed=18446744073709551615",
     "06fe190f8867404b"),
    ("program --nodes=2000 --seed=2", "9bd6691246cb0a82"),
    ("rsm --program --nodes=2000 --seed=2", "9bd6691246cb0a82"),
    ("ctl --count=20 --depth=4 --seed=9", "fba350a913994fce"),
    ("pds --controls=3 --symbols=20 --pops=15 --rewrites=30 --pushes=15 --seed=4", "b50fb29b88962b44"),
    ("rsm --seed=7 --to=pds", "4bbc5159d9d523df"),
]


def check_generate(nestor, root):
    problems = []
    for arguments, digest in GENERATED:
        done = run(nestor, ["generate", *arguments.split()], root)
        found = hashlib.sha256(done.stdout.encode()).hexdigest()[:16]
        if done.returncode != 0 or done.stderr or found != digest:
            problems.append(f"generate {arguments}: {found}, expected {digest} {done.stderr}")
    return problems


def check_many_contexts(nestor, root):
    """A pushdown system with 1207 instances, most of which do not matter: decided before they are made, in 12 million
    steps instead of more than 200 million; the verdict is that of `lazy`."""
    with tempfile.TemporaryDirectory() as folder:
        model, formula = f"{folder}/p.pds", f"{folder}/p.ctl"
        run(nestor, ["generate", "pds", "--controls=3", "--symbols=215", "--pops=215", "--rewrites=860", "--pushes=430",
                     "--seed=215", "-o", model], root)
        run(nestor, ["generate", "ctl", "--depth=4", "--seed=215", "-o", formula], root)
        done = run(nestor, ["check", model, formula, "--steps=40000000"], root)
        lazy = run(nestor, ["check", model, formula, "--engine=lazy"], root)
    if not done.stdout.startswith("fails ") or not lazy.stdout.startswith("fails "):
        return [f"a pushdown system with many contexts: {done.stdout[:200]}{done.stderr}{lazy.stdout[:200]}"]
    return []


def check_full_output(nestor, root):
    if not pathlib.Path("/dev/full").exists():
        return []
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([nestor, "check", EXAMPLE, "-f", "true"], cwd=root, stdout=full,
                              stderr=subprocess.PIPE, text=True, check=False)
    return [] if done.returncode == 2 else [f"a full disk goes unnoticed: {done}"]


def check_completion(nestor, root):
    """words typed so far (the last one is being completed) -> words offered"""
    cases = [
        (["nestor", "che"], {"check"}),
        (["nestor", ""], {"check", "verify", "replay", "label", "info", "convert", "generate", "probe", "serve", "lint", "merge", "rules", "cc", "c++",
                          "engines", "completion", "-h", "--help", "--version"}),
        (["nestor", "check", "--en"], {"--engine"}),
        (["nestor", "check", "--engine", "=", "refe"], {"reference"}),
        (["nestor", "check", "--dead-ends", "="], {"keep", "infinite", "loop", "error"}),
        (["nestor", "check", "--dead-ends", "l"], {"loop"}),
        (["nestor", "info", "--"], {"--json", "--max-states", "--from", "--link", "--externals", "--max-targets", "--help"}),
        (["nestor", "completion", "b"], {"bash"}),
    ]
    problems = []
    for words, expected in cases:
        array = " ".join(f"'{word}'" for word in words)
        script = (f"source completions/nestor.bash; compopt() {{ :; }}; COMP_WORDS=({array}); "
                  f"COMP_CWORD={len(words) - 1}; _nestor '{nestor}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        done = subprocess.run(["bash", "-c", script], cwd=root, capture_output=True, text=True, check=False)
        if set(done.stdout.split()) != expected:
            problems.append(f"completion of {words}: {done.stdout.split()} {done.stderr}")
    return problems


def main():
    nestor, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    problems = check_rows(nestor, root)
    for part in (check_generated_files, check_json, check_convert, check_certificates, check_generate, check_many_contexts,
                 check_full_output, check_completion):
        try:
            problems += part(nestor, root)
        except (OSError, ValueError, KeyError) as error:
            problems.append(f"{part.__name__}: {error!r}")
    for problem in problems:
        print(problem)
    print(f"{len(ROWS)} rows, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
