"""Branching-time properties of programs with recursive procedures, of nets and of other finite models.

    import nestor
    model = nestor.Model.read("model.rsm")
    result = model.check("AG (opened -> AF closed)")
    print(result.holds)
    for step in result.witness or []:
        print(step.procedure, step.node, step.labels)

The page docs/python.md goes on.
"""

from __future__ import annotations

import html
import shutil
import subprocess
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

from . import _nestor
from ._nestor import (Component, Error, Labelling, Node, Piece, Settings, Step, Warning, Witness, engines, formats,
                      has_llvm, rules)
from ._nestor import Formula as _Formula
from ._nestor import Model as _Model

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

__version__: str = _nestor.version
__all__ = ["AF", "AG", "AR", "AU", "AW", "AX", "Component", "EF", "EG", "ER", "EU", "EW", "EX", "Error", "Formula",
           "Labelling", "Model", "ModelBuilder", "Node", "Piece", "Result", "Session", "Settings", "Step", "Warning",
           "Witness", "atom", "bits", "engines", "formats", "has_llvm", "lint", "read_formulas", "replay", "rules",
           "verify"]


class Formula:
    """A formula of CTL, read from a text or built from others by `&`, `|`, `~`, `>>` (implies), EX, AU and so on."""

    def __init__(self, text: str | Formula | _Formula) -> None:
        if isinstance(text, Formula):
            self._formula: _Formula = text._formula
        else:
            self._formula = _Formula(text) if isinstance(text, str) else text

    @property
    def name(self) -> str:
        """Empty if it has none."""
        return self._formula.name

    @property
    def text(self) -> str:
        """As it was written."""
        return self._formula.text

    @property
    def op(self) -> str:
        """The outermost operator: `EF`, `and`, `atom`, …"""
        return self._formula.op

    @property
    def operands(self) -> list[Formula]:
        return [Formula(operand) for operand in self._formula.operands]

    def __and__(self, other: Formula | str) -> Formula:
        return _binary("and", self, other)

    def __or__(self, other: Formula | str) -> Formula:
        return _binary("or", self, other)

    def __rshift__(self, other: Formula | str) -> Formula:
        return _binary("implies", self, other)

    def __invert__(self) -> Formula:
        return _unary("not", self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self._formula == other._formula

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return str(self._formula)

    def __repr__(self) -> str:
        return f"nestor.Formula({str(self)!r})"


def _unary(op: str, operand: Formula | str) -> Formula:
    return Formula(_Formula.unary(op, Formula(operand)._formula))


def _binary(op: str, left: Formula | str, right: Formula | str) -> Formula:
    return Formula(_Formula.binary(op, Formula(left)._formula, Formula(right)._formula))


def atom(proposition: str) -> Formula:
    """Any text is a name."""
    return Formula(_Formula.atom(proposition))


def EX(operand: Formula | str) -> Formula:
    return _unary("EX", operand)


def EF(operand: Formula | str) -> Formula:
    return _unary("EF", operand)


def EG(operand: Formula | str) -> Formula:
    return _unary("EG", operand)


def AX(operand: Formula | str) -> Formula:
    return _unary("AX", operand)


def AF(operand: Formula | str) -> Formula:
    return _unary("AF", operand)


def AG(operand: Formula | str) -> Formula:
    return _unary("AG", operand)


def EU(left: Formula | str, right: Formula | str) -> Formula:
    return _binary("EU", left, right)


def EW(left: Formula | str, right: Formula | str) -> Formula:
    return _binary("EW", left, right)


def ER(left: Formula | str, right: Formula | str) -> Formula:
    return _binary("ER", left, right)


def AU(left: Formula | str, right: Formula | str) -> Formula:
    return _binary("AU", left, right)


def AW(left: Formula | str, right: Formula | str) -> Formula:
    return _binary("AW", left, right)


def AR(left: Formula | str, right: Formula | str) -> Formula:
    return _binary("AR", left, right)


def read_formulas(path: str) -> list[Formula]:
    """The formulas of a file: one a line, or an XML file of the Model Checking Contest."""
    return [Formula(formula) for formula in _Formula.read(path)]


class Result:
    """The answer for one formula. Evidence and proof are found when they are asked for."""

    def __init__(self, session: Session, question: int) -> None:
        self._session = session
        self._question = question
        self.verdict, self.reason, self.seconds, self.contexts = session._session.verdict(question)

    @property
    def holds(self) -> bool | None:
        """None if that is unknown; `reason` says why."""
        return None if self.verdict == "unknown" else self.verdict == "holds"

    @property
    def formula(self) -> Formula:
        return Formula(self._session._session.formula(self._question))

    @property
    def witness(self) -> Witness | None:
        """Iterable: the steps of a path that shows the verdict. None if a limit was reached."""
        return self._session._session.witness(self._question)[0]

    @property
    def certificate(self) -> str | None:
        """A proof of the verdict, for verify(). None if there is none for such a model."""
        return self._session._session.certificate(self._question)[0]

    @property
    def labelling(self) -> Labelling | None:
        """The values of all subformulas everywhere."""
        return self._session._session.labelling(self._question)[0]

    def __repr__(self) -> str:
        reason = f" ({self.reason})" if self.reason else ""
        return f"<nestor.Result {self.verdict}: {self.formula.text}{reason}>"

    def _repr_html_(self) -> str:
        drawing = _drawn(self.witness.dot(self.formula.text)) if self.witness is not None else ""
        return f"<p><b>{self.verdict}</b> <code>{html.escape(self.formula.text)}</code></p>{drawing}"


class Session:
    """Questions about one model that share what is found out: ask first, and all are decided together."""

    def __init__(self, model: Model, **settings: Any) -> None:
        self._session: _nestor.Session = _nestor.Session(model._model, Settings(**settings))

    def ask(self, formula: Formula | str) -> int:
        return self._session.ask(Formula(formula)._formula)

    def result(self, question: int) -> Result:
        return Result(self, question)

    @property
    def engine(self) -> str:
        return self._session.engine()

    @property
    def warnings(self) -> list[str]:
        return self._session.warnings()

    @property
    def statistics(self) -> dict[str, float]:
        counters, seconds = self._session.statistics()
        return {**counters, **seconds}


class ModelBuilder:
    """Makes a model piece by piece; pieces belong to the component begun last."""

    def __init__(self, name: str = "<model>") -> None:
        self._builder = _nestor.ModelBuilder(name)

    def component(self, name: str) -> ModelBuilder:
        self._builder.component(name)
        return self

    def node(self, name: str, *, entry: bool = False, exit: bool = False, labels: Iterable[str] = (), file: str = "",
             line: int = 0) -> ModelBuilder:
        self._builder.node(name, entry, exit, list(labels), file, line)
        return self

    def box(self, name: str, callee: str) -> ModelBuilder:
        self._builder.box(name, callee)
        return self

    def transition(self, start: str | tuple[str, str], end: str | tuple[str, str]) -> ModelBuilder:
        """An end is a node, or (box, node) for the call or return node that a box has."""
        from_box, from_node = ("", start) if isinstance(start, str) else start
        to_box, to_node = ("", end) if isinstance(end, str) else end
        self._builder._transition(from_box, from_node, to_box, to_node)
        return self

    def initial(self, component: str, nodes: Iterable[str] = ()) -> ModelBuilder:
        self._builder.initial_component(component)
        for node in nodes:
            self._builder.initial_node(node)
        return self

    def finish(self) -> Model:
        return Model(self._builder.finish())


class Model:
    """A model: read, built, or given by a function of your own."""

    def __init__(self, model: _Model) -> None:
        self._model = model

    @staticmethod
    def read(path: str, *, format: str = "", dead_ends: str = "", timeout: float | None = None,
             max_states: int | None = None) -> Model:
        return Model(_Model.read(str(path), format, dead_ends, timeout, max_states))

    @staticmethod
    def parse(text: str, *, format: str = "rsm", name: str = "<model>") -> Model:
        return Model(_Model.parse(text, format, name))

    @staticmethod
    def of_states(initial: Iterable[Hashable], successors: Callable[[Any], Iterable[Hashable]],
                  labels: Callable[[Any], Iterable[str]], *, propositions: Iterable[str] = (),
                  name: str = "<model>") -> Model:
        """States are any hashable objects; each is asked for its successors and labels when it is needed."""
        return Model(_Model._of_states(list(initial), successors, lambda state: set(labels(state)),
                                       list(propositions), name))

    @staticmethod
    def from_networkx(graph: Any) -> Model:
        """Of a graph that to_networkx() made; or any directed graph, whose nodes may have `labels` and `initial`."""
        return _from_networkx(graph)

    def to_networkx(self) -> Any:
        """A MultiDiGraph. Nodes are (component, node), or (component, box, node) for those of boxes."""
        return _to_networkx(self)

    @overload
    def check(self, formulas: str | Formula, **settings: Any) -> Result: ...  # type: ignore[misc]
    @overload
    def check(self, formulas: Iterable[str | Formula] | None = None, **settings: Any) -> list[Result]: ...

    def check(self, formulas: str | Formula | Iterable[str | Formula] | None = None,
              **settings: Any) -> Result | list[Result]:
        """One result, or a list for several formulas; without any, the properties of the model's file are checked.

        Settings: engine, timeout, memory, steps, max_states, dead_ends, jobs, seed, evidence, progress."""
        session = Session(self, **settings)
        if isinstance(formulas, (str, Formula)):
            return session.result(session.ask(formulas))
        asked = [session.ask(formula) for formula in (self.properties if formulas is None else formulas)]
        return [session.result(question) for question in asked]

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def properties(self) -> list[Formula]:
        """Of the model's file."""
        return [Formula(formula) for formula in self._model.properties]

    @property
    def warnings(self) -> list[str]:
        return self._model.warnings

    def explore(self, propositions: Sequence[str] | None = None, *, timeout: float | None = None,
                max_states: int | None = None) -> None:
        self._model.explore(None if propositions is None else list(propositions), timeout, max_states)

    def components(self) -> list[Component]:
        return self._model.components()

    @property
    def initial(self) -> tuple[str, list[str]]:
        return self._model.initial_component, self._model.initial_nodes

    def info(self) -> dict[str, Any]:
        return self._model.info()

    def write(self, format: str = "rsm") -> str:
        return self._model.write(format)

    def __repr__(self) -> str:
        return f"<nestor.Model {self.name}>"

    def dot(self) -> str:
        """The model as a Graphviz graph, one cluster a component."""
        lines = ["digraph model {", "  node [shape=box];"]
        for number, component in enumerate(self.components()):
            lines += [f"  subgraph cluster_{number} {{", f"    label={_quoted(component.name)};"]
            for node in component.nodes:
                text = node.name + ("\n{" + ", ".join(node.labels) + "}" if node.labels else "")
                lines.append(f"    {_quoted(_key(component.name, '', node.name))} [label={_quoted(text)}];")
            for (from_box, start), (to_box, end) in component.transitions:
                for box, name in ((from_box, start), (to_box, end)):
                    if box:
                        lines.append(f"    {_quoted(_key(component.name, box, name))} "
                                     f"[shape=ellipse, label={_quoted(f'{box}: {name}')}];")
                lines.append(f"    {_quoted(_key(component.name, from_box, start))} -> "
                             f"{_quoted(_key(component.name, to_box, end))};")
            lines.append("  }")
        return "\n".join([*lines, "}"]) + "\n"

    def _repr_html_(self) -> str:
        if self.info()["nodes"] > 200:
            return f"<pre>{html.escape(repr(self))}: {self.info()['nodes']} nodes, too many to draw</pre>"
        return _drawn(self.dot())


def _key(component: str, box: str, node: str) -> str:
    return "\x1f".join((component, box, node))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _drawn(dot: str) -> str:
    """As SVG where Graphviz is installed; else the text of the graph."""
    program = shutil.which("dot")
    if program is None:
        return f"<pre>{html.escape(dot)}</pre>"
    drawing = subprocess.run([program, "-Tsvg"], input=dot, capture_output=True, text=True, check=True).stdout
    return drawing[drawing.index("<svg"):]


def _to_networkx(model: Model) -> Any:
    import networkx  # type: ignore[import]
    graph = networkx.MultiDiGraph(name=model.name)
    component, nodes = model.initial
    graph.graph["initial"] = (component, nodes)
    graph.graph["boxes"] = {}
    graph.graph["components"] = []
    for component_ in model.components():
        graph.graph["components"].append(component_.name)
        for node in component_.nodes:
            graph.add_node((component_.name, node.name), entry=node.is_entry, exit=node.is_exit,
                           labels=set(node.labels), file=node.file, line=node.line)
        for box, callee in component_.boxes.items():
            graph.graph["boxes"][component_.name, box] = callee
        for start, end in component_.transitions:
            graph.add_edge(*((component_.name, *([box] if box else []), name) for box, name in (start, end)))
    return graph


def _from_networkx(graph: Any) -> Model:
    if "boxes" not in graph.graph:
        return _from_plain_graph(graph)
    builder = ModelBuilder(graph.graph.get("name") or "<graph>")
    for component in graph.graph["components"]:
        builder.component(component)
        for key, data in graph.nodes(data=True):
            if key[0] == component and len(key) == 2:
                builder.node(key[1], entry=data.get("entry", False), exit=data.get("exit", False),
                             labels=data.get("labels", ()), file=data.get("file", ""), line=data.get("line", 0))
        for (owner, box), callee in graph.graph["boxes"].items():
            if owner == component:
                builder.box(box, callee)
        for start, end in graph.edges():
            if start[0] == component:
                builder.transition(*(key[1] if len(key) == 2 else (key[1], key[2]) for key in (start, end)))
    return builder.initial(*graph.graph["initial"]).finish()


def _from_plain_graph(graph: Any) -> Model:
    builder = ModelBuilder(graph.graph.get("name") or "<graph>").component("graph")
    names = {node: str(node) for node in graph}
    if len(set(names.values())) < len(names):
        raise ValueError("two nodes of the graph have the same text")
    initial = [node for node, data in graph.nodes(data=True) if data.get("initial")] or list(graph)[:1]
    for node, data in graph.nodes(data=True):
        builder.node(names[node], entry=node in initial, labels=data.get("labels", ()))
    for start, end in graph.edges():
        builder.transition(names[start], names[end])
    return builder.initial("graph", [names[node] for node in initial]).finish()


def bits(labelling: Labelling, number: int = -1) -> NDArray[numpy.bool_]:
    """The values of one subformula, the whole formula unless told otherwise, a row each; a copy. words() is none."""
    import numpy
    number = number if number >= 0 else len(labelling) + number
    return numpy.unpackbits(labelling.words(number).view(numpy.uint8), count=labelling.rows,
                            bitorder="little").astype(numpy.bool_)


def verify(model: Model, certificate: str, formula: Formula | str | None = None) -> bool:
    """Whether the certificate says that the formula holds. Raises Error if it proves nothing."""
    accepted, holds, line, why = _nestor.verify(model._model, certificate,
                                                None if formula is None else Formula(formula)._formula)
    if not accepted:
        error = Error(f"<certificate>:{line}: error: {why}")
        error.kind, error.message, error.file, error.line, error.column = "input", why, "<certificate>", line, 0
        raise error
    return holds


def replay(model: Model, formula: Formula | str, witness: Witness | str) -> str:
    """`accepted`, `rejected` or `unknown`, by code that did not find the witness."""
    return _nestor.replay(model._model, Formula(formula)._formula,
                          witness if isinstance(witness, str) else witness.json())[0]


def lint(programs: str | Iterable[str], *, rules: Iterable[str] = (), rule_files: Iterable[str] = ()) -> list[Warning]:
    """What rules say of a C or C++ program, given as LLVM bitcode."""
    return _nestor.lint([programs] if isinstance(programs, str) else list(programs), list(rules), list(rule_files))


def _witness_html(witness: Witness) -> str:
    return _drawn(witness.dot())


Witness._repr_html_ = _witness_html
