"""What a user of the module does."""

import signal
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


def test_rules():
    assert "double-free" in nestor.rules()
    if not nestor.has_llvm:
        with pytest.raises(nestor.Error):
            nestor.lint("x.bc")
