"""What a user of the module does."""

import json
import shutil
import signal
import subprocess
import threading
import time

import nestor
import pathlib
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = str(ROOT / "examples/dataflow.rsm")


def recursive():
    """main calls f, which calls itself or comes back."""
    builder = nestor.ModelBuilder("recursive").component("main")
    builder.node("start", entry=True).node("end", exit=True, labels=["done"], file="m.c", line=7).box("call", "f")
    builder.transition("start", ("call", "in")).transition(("call", "out"), "end")
    builder.component("f").node("in", entry=True).node("out", exit=True).box("again", "f")
    builder.transition("in", "out").transition("in", ("again", "in")).transition(("again", "out"), "out")
    return builder.initial("main").finish()


def endless():
    """A chain without an end: to explore it takes for ever."""
    return nestor.Model.of_states([0], lambda state: [state + 1], lambda state: ["never"] if state < 0 else [])


def test_one_formula_and_several():
    model = nestor.Model.read(EXAMPLE)
    result = model.check("AG (def_i -> EF use_i)")
    assert result.holds is False and result.verdict == "fails"
    assert [one.holds for one in model.check(nestor.read_formulas(str(ROOT / "examples/dataflow.ctl")))] == [
        False, True, True]


def test_formulas_are_built_as_they_are_parsed():
    p, q = nestor.atom("p"), nestor.atom("q")
    assert nestor.AG(p >> nestor.EF(q)) == nestor.Formula("AG (p -> EF q)")
    assert nestor.EU(~p, p & q | q) == nestor.Formula("E [ !p U (p & q | q) ]")
    assert len({nestor.Formula("p & q"), p & q}) == 1
    assert str(nestor.AW("p", "q")) == "A [p W q]"
    assert nestor.Formula("EF p").operands == [p]


def test_witness_is_iterable():
    result = recursive().check("EF done")
    steps = list(result.witness)
    assert steps[0].node == "start" and steps[-1].node == "end" and len(steps) == len(result.witness)
    assert [step.depth for step in steps] == [0, 1, 1, 0]
    assert steps[-1].labels == ["done"] and (steps[-1].file, steps[-1].line) == ("m.c", 7)
    assert nestor.replay(recursive(), "EF done", result.witness) == "accepted"
    assert nestor.replay(recursive(), "AF done", result.witness) == "rejected"


def test_certificate_is_verified():
    model = recursive()
    proof = model.check("AF done").certificate
    assert nestor.verify(model, proof) is False
    assert nestor.verify(model, proof, "AF done") is False
    with pytest.raises(nestor.Error) as refused:
        nestor.verify(model, proof[: len(proof) // 2])
    assert refused.value.line > 0


def test_labelling_without_copying():
    numpy = pytest.importorskip("numpy")
    labelling = recursive().check("EF done").labelling
    words = labelling.words(len(labelling) - 1)
    assert words.dtype == numpy.uint64 and not words.flags.owndata and not words.flags.writeable
    again = labelling.words(len(labelling) - 1)
    assert words.__array_interface__["data"] == again.__array_interface__["data"]
    values = nestor.bits(labelling)
    assert values.shape == (labelling.rows,) and values.all()
    name, first, rows = labelling.instances[0]
    assert (name, rows) == ("main", 2)
    del labelling, again
    assert words.sum() > 0  # kept alive by the array


def test_errors_have_a_place():
    with pytest.raises(nestor.Error) as refused:
        nestor.Formula("AG (p ->")
    error = refused.value
    assert (error.kind, error.file, error.line, error.column) == ("input", "<formula>", 1, 9)
    assert str(error).startswith("<formula>:1:9: error: ")
    with pytest.raises(nestor.Error):
        nestor.Model.read("/nowhere.rsm")
    with pytest.raises(nestor.Error, match="unknown engine"):
        recursive().check("EF done", engine="none")


def test_limits_are_no_errors():
    result = endless().check("EF never", max_states=100)
    assert result.holds is None and result.reason


def test_states_are_any_objects():
    def moves(state):  # two jugs of 3 and 5 litres
        a, b = state
        return {(3, b), (a, 5), (0, b), (a, 0), (max(0, a + b - 5), min(5, a + b)), (min(3, a + b), max(0, a + b - 3))}
    model = nestor.Model.of_states([(0, 0)], moves, lambda state: ["four"] if state[1] == 4 else [])
    result = model.check("EF four")
    assert result.holds
    path = [step.node for step in result.witness]
    assert path[0] == "(0, 0)" and len(path) == 7  # six steps are the fewest
    assert model.check("AG EF four").holds


def test_errors_of_successors_are_raised():
    def broken(state):
        raise ValueError("mine")
    with pytest.raises(ValueError, match="mine"):
        nestor.Model.of_states([0], broken, lambda state: []).check("EF p")


def test_ctrl_c_ends_a_check():
    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        endless().check("EF never")
    timer.join()
    assert recursive().check("EF done").holds


def test_the_lock_is_released():
    """While C++ alone is at work, another thread runs, and its signal ends the check."""
    ticks = []

    def tick():
        for _ in range(20):
            time.sleep(0.01)
            ticks.append(1)
        signal.raise_signal(signal.SIGINT)
    thread = threading.Thread(target=tick)
    model = nestor.Model.read(str(ROOT / "test/usage/endless.rsm"))
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        # Were the lock held, the steps would run out.
        model.check("AG (EF good | AX AG !good)", engine="lazy", steps=10**10)
    thread.join()
    assert len(ticks) == 20


def test_networkx_and_back():
    networkx = pytest.importorskip("networkx")
    model = recursive()
    graph = model.to_networkx()
    assert graph.nodes["main", "end"]["labels"] == {"done"} and graph.graph["boxes"]["f", "again"] == "f"
    assert nestor.Model.from_networkx(graph).write() == model.write()
    ring = networkx.cycle_graph(5, create_using=networkx.DiGraph)
    ring.nodes[3]["labels"] = ["goal"]
    assert nestor.Model.from_networkx(ring).check("AF goal").holds


def test_drawings():
    model = recursive()
    for drawn in (model._repr_html_(), model.check("EF done")._repr_html_(), model.check("EF done").witness._repr_html_()):
        assert "<svg" in drawn or "<pre>" in drawn


def test_progress_and_statistics():
    seen = []
    session = nestor.Session(recursive(), progress=lambda *what: seen.append(what))
    assert session.result(session.ask("EF done")).holds
    assert seen[-1] == ("deciding", 1, 1)
    assert session.engine in nestor.engines() and session.statistics


def test_the_mu_calculus():
    model = nestor.Model.read(EXAMPLE)
    invariant, infinitely_often = model.check([nestor.mu("nu X. []X & (def_i => mu Y. use_i | <>Y)"),
                                               nestor.mu("nu X. mu Y. <>(use_i & X | Y)")])
    # The first is AG (def_i -> EF use_i), which fails; i is not used again and again.
    assert invariant.holds is False and infinitely_often.holds is False
    assert model.check("AG (def_i -> EF use_i)").holds is False
    with pytest.raises(nestor.Error) as caught:
        nestor.mu("nu X. <>")
    assert caught.value.line == 1


def test_paths_beyond_ctl():
    model = nestor.Model.read(EXAMPLE)
    # Every path comes to the end and stays there; before that, not every state is the end.
    result = model.check("A (F G end)", engine="ctl-star")
    assert result.holds is True and result.engine == "ctl-star"
    assert model.check("A (F G end)").holds is True
    assert model.check("A (G F def_i)").holds is False
    assert nestor.verify(model, result.certificate) is True


DEAD_END = """MODULE main
VAR x : {a, b, c};
INIT x = a
TRANS (x = a & (next(x) = b | next(x) = c)) | (x = b & next(x) = b)
"""


def test_what_dead_ends_mean():
    formula = 'EG !"x = b"'
    assert nestor.Model.parse(DEAD_END, format="smv").check(formula).holds is False
    keeping = nestor.Model.parse(DEAD_END, format="smv", dead_ends="keep")
    assert keeping.check(formula).holds is True
    infinite = nestor.Model.parse(DEAD_END, format="smv", dead_ends="infinite")
    assert infinite.check(formula, dead_ends="infinite").holds is False
    for model, meaning in ((keeping, "infinite"), (infinite, "keep"), (infinite, "sometimes")):
        with pytest.raises(nestor.Error) as caught:
            model.check(formula, dead_ends=meaning)
        assert caught.value.kind == "usage"
    stairs = [[0], lambda state: [state + 1] if state < 2 else [], lambda state: []]
    assert nestor.Model.of_states(*stairs).check("EX true").holds is True
    assert nestor.Model.of_states(*stairs, dead_ends="infinite").check("AX false").holds is True


def test_invariants_speak_of_all_paths():
    text = "MODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := {TRUE, FALSE};\nFAIRNESS x\nINVARSPEC !x\n"
    model = nestor.Model.parse(text, format="smv")
    result, = model.check()
    assert result.holds is False
    assert nestor.replay(model, result.formula, result.witness, all_paths=True) == "accepted"
    assert nestor.verify(model, result.certificate, result.formula, all_paths=True) is False


def test_walking_through_states():
    graph = nestor.Model.parse(DEAD_END, format="smv").graph()
    start, = graph.initial
    assert graph.is_flat and len(graph.reachable()) == 3 and len(set(graph.reachable())) == 3
    path = graph.shortest_path(start, "x = c")
    assert [graph.describe(state) for state in path] == ["x = a", "x = c"]
    assert graph.successors(path[-1]) == [] and graph.predecessors(path[-1]) == [start]
    assert graph.holds("EX true", path[-1]) is False and graph.holds('EG !"x = b"', start) is True
    shown, says = graph.explain('EG !"x = b"', start)
    assert shown == path and "dead end" in says
    assert sorted(size for size, *_ in graph.strong_components()) == [1, 1, 1]
    calls = recursive().graph()
    inside = calls.successors(calls.initial[0])[0]
    assert calls.describe(inside) == "main.call/f.in" and len(inside.calls) == 1
    assert calls.labels(calls.shortest_path(inside, "done")[-1]) == ["done"]
    with pytest.raises(nestor.Error):
        calls.reachable()
    assert recursive().graph(steps=1).holds("AG EF done", calls.initial[0]) is None


def test_generators():
    assert nestor.random_rsm(3, components=2).info()["components"] == 2
    assert nestor.random_rsm(3).write() == nestor.random_rsm(3).write() != nestor.random_rsm(4).write()
    assert nestor.random_program(nodes=200, labels={"here": 1}).check("AG here").holds is True
    assert nestor.Model.parse(nestor.random_pushdown(5), format="pds").info()["nodes"] > 0
    assert len(nestor.random_formulas(4, propositions=["x"])) == 4
    assert all(formula.op == "AG" for formula in nestor.use_def_formulas(ROOT / "test/fuzz/corpus/pdmu/program.pdmu"))
    with pytest.raises(TypeError):
        nestor.random_rsm(hedgehogs=2)
    with pytest.raises(nestor.Error):
        nestor.random_rsm(components=0)


def test_info_is_that_of_the_command():
    info = nestor.Model.read(str(ROOT / "test/regress/semantics/dead_end.rsm")).info()
    assert info["oddities"]["dead_ends"][0] == 1 and info["oddities"]["dead_ends"][1]
    assert info["plain_nodes"] + info["call_nodes"] + info["return_nodes"] == info["nodes"]


def test_rules():
    rule = nestor.rules()["double-free"]
    assert rule.cwe == "CWE-415" and rule.is_default and rule.title in nestor.explain_rule("double-free")
    if not nestor.has_llvm:
        with pytest.raises(nestor.Error):
            nestor.lint("x.bc")
    

def test_lint(tmp_path):
    clang = shutil.which("clang-19")
    if not nestor.has_llvm or clang is None:
        pytest.skip("LLVM is missing")
    bitcode = str(tmp_path / "double_free.bc")
    subprocess.run([clang, "-g", "-O0", "-c", "-emit-llvm", ROOT / "rules/examples/double-free.bad.c", "-o", bitcode],
                   check=True)
    report = nestor.lint(bitcode, rules=["double-free"])
    assert len(report) > 0
    first, *_ = report
    assert first.rule == "double-free" and first.severity == "error" and first.line > 0
    assert first.path and first.path[-1].line > 0 and {step.kind for step in first.path} <= {"event", "branch", "call", "return"}
    told = json.loads(report.json())
    assert told["schema"] == "nestor/lint" and len(told["warnings"]) == len(report)
    assert json.loads(report.sarif())["version"] == "2.1.0" and "<testsuite" in report.junit()
    known = tmp_path / "known"
    known.write_text(report.baseline(), encoding="utf-8")
    assert len(nestor.lint(bitcode, rules=["double-free"], baseline=str(known))) == 0
    with pytest.raises(TypeError):
        nestor.lint(bitcode, hedgehogs=1)
    with pytest.raises(nestor.Error):
        nestor.lint(bitcode, rules=["no-such-rule"])
