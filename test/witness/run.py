#!/usr/bin/env python3
"""Witnesses through the command line: their JSON, their replay, damaged ones, long ones, graphs.

usage: run.py NESTOR SOURCE-ROOT
"""

import copy
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import jsonschema

LEVELS = 16       # of procedures that call the next one twice: more than 10^5 steps
DEPTH = 100_000   # of calls inside each other

problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


class Nestor:
    def __init__(self, program, root, folder):
        self.program, self.root, self.folder = program, root, pathlib.Path(folder)

    def run(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], cwd=self.root, capture_output=True,
                              text=True, check=False)

    def results(self, model, *arguments):
        done = self.run("check", "--witness", "--json", model, *arguments)
        expect(done.returncode in (0, 1, 3), f"check {model}: {done}")
        return json.loads(done.stdout)["results"]

    def replay(self, model, formula, witness):
        path = self.folder / "witness.json"
        path.write_text(json.dumps(witness), encoding="utf-8")
        return self.run("replay", model, formula, path)


def check_examples(nestor, schema):
    """Every witness of the examples fits the schema and is accepted, whichever engine decided."""
    engines = [engine["id"] for engine in json.loads(nestor.run("engines", "--json").stdout)["engines"]]
    for name in ("dataflow", "recursion"):
        model, formulas = f"examples/{name}.rsm", f"examples/{name}.ctl"
        for engine in engines:
            for result in nestor.results(model, formulas, f"--engine={engine}"):
                if result["verdict"] == "unknown":
                    continue  # the engine cannot handle the model
                jsonschema.validate(result["witness"], schema)
                done = nestor.replay(model, result["formula"], result["witness"])
                expect(done.returncode == 0 and done.stdout == f"accepted: {result['verdict']}\n",
                       f"{name} [{engine}]: {result['formula']}: {done}")


def damages(witness):
    """(what, damaged witness, pattern of the message)"""
    def damaged(change):
        other = copy.deepcopy(witness)
        change(other)
        return other

    path = next(i for i, e in enumerate(witness["evidence"]) if len(e.get("steps", [])) > 3)

    def evidence(w):
        return w["evidence"][path]

    def drop(w):
        del evidence(w)["path"][2], evidence(w)["steps"][2]

    def swap(w):
        p = evidence(w)["path"]
        p[2], p[3] = p[3], p[2]

    yield "drop a step", damaged(drop), rf"evidence {path}, step 2: "
    yield "swap two states", damaged(swap), rf"evidence {path}, step 2: "
    yield "another node", damaged(lambda w: w["states"][1].update(node="main_13_2")), r": "
    yield "no such node", damaged(lambda w: w["states"][1].update(node="x")), "state 1: procedure 'main' has no node 'x'"
    yield "no such procedure", damaged(lambda w: w["states"][1].update(procedure="x")), "state 1: there is no procedure"
    yield "a label more", damaged(lambda w: w["states"][1]["labels"].append("use_i")), "state 1: the labels of .* are"
    yield "a label less", damaged(lambda w: w["states"][0].update(labels=[])), "state 0: the labels of .* are"
    yield "another line", damaged(lambda w: w["states"][0].update(line=99)), "state 0: the source position"
    yield "another box", damaged(lambda w: w["stacks"][1].update(box="call_b")), "state 2: the stack does not match"
    yield "no such box", damaged(lambda w: w["stacks"][1].update(box="x")), "stack 1: procedure 'main' has no call 'x'"
    yield "another stack", damaged(lambda w: w["states"][2].update(stack=2)), "state 2: the stack does not match"
    yield "another step", damaged(lambda w: evidence(w)["steps"].__setitem__(1, "local")), "step 2: the stack does not match"
    yield "another verdict", damaged(lambda w: w.update(verdict="holds")), "a root that is no evidence for the verdict"
    yield "another formula", damaged(lambda w: w["formulas"][-1].update(op="AF")), "the text of the formula and its parts differ"
    yield "a claim turned round", damaged(lambda w: evidence(w).update(holds=True)), "evidence 0: "
    yield "no evidence at the end", damaged(lambda w: evidence(w).update(parts=[])), "nothing shows the operand"
    yield "no root", damaged(lambda w: w.update(roots=[])), "there is no evidence for the verdict"
    yield "no such evidence", damaged(lambda w: w.update(roots=[99])), "root 99: no such evidence"
    yield "no such state", damaged(lambda w: evidence(w)["path"].append(99)), "there is no state 99"


def check_damage(nestor):
    model, formula = "examples/dataflow.rsm", "AG (def_i -> EF use_i)"
    witness = nestor.results(model, "-f", formula)[0]["witness"]
    for what, damaged, pattern in damages(witness):
        done = nestor.replay(model, formula, damaged)
        expect(done.returncode == 1 and re.search("witness.json: rejected: .*" + pattern, done.stderr)
               and not done.stdout, f"{what}: {done}")
    done = nestor.replay(model, "AF end", witness)
    expect(done.returncode == 1 and "for another formula" in done.stderr, f"another formula: {done}")
    done = nestor.replay("examples/recursion.rsm", formula, witness)
    expect(done.returncode == 1, f"another model: {done}")

    loop = nestor.results("examples/recursion.rsm", "-f", "AF done")[0]["witness"]
    expect(loop["evidence"][0]["grown"] == ["call_17"], f"the stack grows: {loop['evidence']}")
    for change, pattern in (({"loop": 0, "grown": ["call_8", "call_17"]}, "step 3: the loop does not close"),
                            ({"loop": 3, "grown": []}, "the loop has no step"),
                            ({"grown": []}, "the stack grows by other calls"),
                            ({"ending": "dead end", "grown": []}, "step 3: is no dead end"),
                            ({"ending": "reached", "grown": []}, "does not go on for ever")):
        damaged = copy.deepcopy(loop)
        damaged["evidence"][0].update(change)
        done = nestor.replay("examples/recursion.rsm", "AF done", damaged)
        expect(done.returncode == 1 and re.search(pattern, done.stderr), f"{change}: {done}")


def node(name, labels=(), entry=False, leaves=False):
    return {"name": name, "labels": list(labels), "is_entry": entry, "is_exit": leaves}


def plain(name):
    return {"type": "node", "name": name}


def in_box(box, name):
    return {"type": "box_node", "box_name": box, "node_name": name}


def box(name, callee):
    return {"name": name, "component": callee, "call_nodes": ["in"], "return_nodes": ["out"]}


def edge(source, *targets):
    return {"source": source, "targets": list(targets)}


def check_later_rounds(nestor):
    """A loop that makes the stack grow must have its operand in every round, not only in the first."""
    model = {"initial_component": "main", "components": [
        {"name": "main", "nodes": [node("start", entry=True), node("end", ["p"], leaves=True)], "boxes": [box("c", "f")],
         "transitions": [edge(plain("start"), in_box("c", "in")), edge(in_box("c", "out"), plain("end"))]},
        {"name": "f", "nodes": [node("in", entry=True), node("out", leaves=True), node("stuck")], "boxes": [box("d", "f")],
         "transitions": [edge(plain("in"), in_box("d", "in"), plain("out")), edge(in_box("d", "out"), plain("stuck")),
                         edge(plain("stuck"), plain("stuck"))]}]}
    path = nestor.folder / "rounds.rsm"
    path.write_text(json.dumps(model), encoding="utf-8")
    formula = "EX EG EX EX p"
    witness = nestor.results(path, "-f", formula)[0]["witness"]
    expect(nestor.replay(path, formula, witness).returncode == 0, "later rounds: the right witness")
    # From in under c, p is two steps away; from in under c d it is not.
    lie = next(e for e in witness["evidence"] if e["kind"] == "always")
    first = lie["state"]
    expect(witness["states"][first]["node"] == "in", f"later rounds: {witness['states']}")
    witness["stacks"].append({"below": witness["states"][first]["stack"], "box": "d"})
    witness["states"].append({**witness["states"][first], "stack": len(witness["stacks"]) - 1})
    lie.update(path=[first, len(witness["states"]) - 1], steps=["call"], ending="loop", loop=0, grown=["d"],
               along=lie["along"][:1])
    done = nestor.replay(path, formula, witness)
    expect(done.returncode == 1 and "step 0: decided otherwise" in done.stderr, f"later rounds: {done}")


def doubling():
    """Each procedure calls the next one twice; the innermost one takes a step."""
    components = [{"name": "p0", "nodes": [node("in", entry=True), node("out", leaves=True)], "boxes": [],
                   "transitions": [edge(plain("in"), plain("out"))]}]
    for i in range(1, LEVELS + 1):
        components.append({
            "name": f"p{i}", "nodes": [node("in", entry=True), node("out", ["done"] if i == LEVELS else [], leaves=True)],
            "boxes": [box("a", f"p{i - 1}"), box("b", f"p{i - 1}")],
            "transitions": [edge(plain("in"), in_box("a", "in")), edge(in_box("a", "out"), in_box("b", "in")),
                            edge(in_box("b", "out"), plain("out"))]})
    return {"initial_component": f"p{LEVELS}", "components": components}


def nesting():
    """Each procedure calls the next one; what is looked for is in the innermost one."""
    components = []
    for i in range(DEPTH):
        components.append({
            "name": f"p{i}", "nodes": [node("in", entry=True), node("out", leaves=True)],
            "boxes": [box("call", f"p{i + 1}")],
            "transitions": [edge(plain("in"), in_box("call", "in")), edge(in_box("call", "out"), plain("out"))]})
    components.append({"name": f"p{DEPTH}", "nodes": [node("in", ["done"], entry=True), node("out", leaves=True)],
                       "boxes": [], "transitions": [edge(plain("in"), plain("out"))]})
    return {"initial_component": "p0", "components": components}


def check_long(nestor, schema):
    for name, model, steps in (("doubling", doubling(), None), ("nesting", nesting(), DEPTH)):
        path = nestor.folder / f"{name}.rsm"
        path.write_text(json.dumps(model), encoding="utf-8")
        for formula in ("EF done", "E [EX true U done]"):
            witness = nestor.results(path, "-f", formula)[0]["witness"]
            longest = max(len(e.get("steps", [])) for e in witness["evidence"])
            expect(longest >= 100_000 if steps is None else longest == steps, f"{name}: {longest} steps")
            if formula == "EF done":
                jsonschema.validate({**witness, "states": witness["states"][:9], "stacks": witness["stacks"][:9],
                                     "evidence": witness["evidence"][-1:]}, schema)
            done = nestor.replay(path, formula, witness)
            expect(done.returncode == 0, f"{name}: {formula}: {done}")
        text = nestor.run("check", "--witness", path, "-f", "EF done").stdout
        expect(len(text.splitlines()) < 100, f"{name}: {len(text.splitlines())} lines")
        expect("steps inside p" in text if name == "doubling" else " steps …" in text, f"{name}: {text}")


def check_too_long(nestor):
    """Shortest paths can be too long to write down; the verdict stands all the same."""
    model = doubling()
    previous = f"p{LEVELS}"
    for i in range(LEVELS + 1, 60):
        component = copy.deepcopy(model["components"][2])
        component["name"] = f"p{i}"
        for call in component["boxes"]:
            call["component"] = previous
        model["components"].append(component)
        previous = f"p{i}"
    for component in model["components"]:
        component["nodes"][1]["labels"] = ["done"] if component["name"] == previous else []
    model["initial_component"] = previous
    path = nestor.folder / "too_long.rsm"
    path.write_text(json.dumps(model), encoding="utf-8")
    done = nestor.run("check", "--witness", path, "-f", "EF done")
    expect(done.returncode == 0 and done.stdout == "holds   EF done\n"
           and "warning: no witness for formula 1: the shortest path is too long" in done.stderr, f"too long: {done}")


def check_files(nestor):
    """--witness=FILE and --witness-dot=FILE; nothing is left behind where a run fails."""
    written, graph = nestor.folder / "w.json", nestor.folder / "w.dot"
    done = nestor.run("check", "examples/recursion.rsm", "examples/recursion.ctl", f"--witness={written}",
                      f"--witness-dot={graph}")
    expect(done.returncode == 1 and len(done.stdout.splitlines()) == 4, f"files: {done}")
    for formula, verdict in (("AF done", "fails"), ("EF done", "holds")):
        done = nestor.run("replay", "examples/recursion.rsm", formula, written)
        expect(done.stdout == f"accepted: {verdict}\n", f"{formula}: {done}")
    text = graph.read_text(encoding="utf-8")
    expect(text.count("digraph") == 4 and 'label="visit";' in text and "color=red" in text, f"graph: {text}")
    if shutil.which("dot"):
        done = subprocess.run(["dot", "-Tplain", str(graph)], capture_output=True, check=False)
        expect(done.returncode == 0 and not done.stderr, f"dot: {done.stderr}")
    missing = nestor.folder / "no" / "w.json"
    done = nestor.run("check", "examples/recursion.rsm", "-f", "EF done", f"--witness={missing}")
    expect(done.returncode == 2 and not done.stdout, f"a folder that is not there: {done}")


def check_pages(nestor):
    """What the pages show is what is printed."""
    page = (nestor.root / "docs/explain.md").read_text(encoding="utf-8")
    shown = re.findall(r"^    \$ nestor (check .*)\n((?:    .*\n)+)", page, re.MULTILINE)
    expect(len(shown) == 5, f"docs/explain.md: {len(shown)} examples")
    for command, output in shown:
        done = nestor.run(*shlex.split(command))
        expect("".join(f"    {line}\n" for line in done.stdout.splitlines()) == output,
               f"docs/explain.md: nestor {command} prints\n{done.stdout}")
    readme = (nestor.root / "README.md").read_text(encoding="utf-8")
    done = nestor.run("check", "--witness", "examples/dataflow.rsm", "examples/dataflow.ctl")
    expect("".join(f"    {line}\n" for line in done.stdout.splitlines()) in readme,
           f"README.md: make run prints\n{done.stdout}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(sys.argv[2]).resolve()
        nestor = Nestor(str(pathlib.Path(sys.argv[1]).resolve()), root, folder)
        schema = json.loads((root / "share/nestor/schema/witness.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        check_examples(nestor, schema)
        check_damage(nestor)
        check_later_rounds(nestor)
        check_long(nestor, schema)
        check_too_long(nestor)
        check_files(nestor)
        check_pages(nestor)
    for problem in problems:
        print(problem[:2000])
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
