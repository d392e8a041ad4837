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
from typing import TYPE_CHECKING, Any, TypeVar, overload

from . import _nestor
from ._formula import (AF, AG, AR, AU, AW, AX, EF, EG, ER, EU, EW, EX, Formula, atom, mu, read_formulas)
from ._nestor import (Component, Error, Labelling, LintReport, Node, PathStep, Piece, Rule, Settings, State, Step, Warning,
                      Witness, engines, explain_rule, formats, has_llvm, rules)
from ._nestor import Model as _Model

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

__version__: str = _nestor.version
__all__ = ["AF", "AG", "AR", "AU", "AW", "AX", "Component", "EF", "EG", "ER", "EU", "EW", "EX", "Error", "Formula",
           "Labelling", "LintReport", "Model", "ModelBuilder", "Node", "PathStep", "Piece", "Result", "Rule", "Session",
           "Settings", "State", "StateGraph", "Step", "Warning", "Witness", "atom", "bits", "engines", "explain_rule",
           "formats", "has_llvm", "lint", "mu", "random_formulas", "random_program", "random_pushdown", "random_rsm",
           "read_formulas", "replay", "rules", "use_def_formulas", "verify"]
_T = TypeVar("_T")


class Result:
    """The answer for one formula. Evidence and proof are found when they are asked for."""

    def __init__(self, session: Session, question: int) -> None:
        self._session = session
        self._question = question
        found = self._found = session._session.verdict(question)
        self.verdict: str = found.verdict
        self.reason: str = found.reason
        self.seconds: float = found.seconds
        self.contexts: int = found.contexts

    @property
    def how(self) -> str:
        """What the verdict comes from, if not from all states."""
        return self._found.how

    @property
    def engine(self) -> str:
        """The id of what decided."""
        return self._found.engine or self._session.engine

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
        """A proof of the verdict, for verify(). None if there is none: `not_certifiable` says why, or a limit was
        reached."""
        return self._session._session.certificate(self._question)[0]

    @property
    def not_certifiable(self) -> str:
        """Why the verdict can have no certificate, whatever the limits. Empty if it can."""
        return self._session._session.not_certifiable(self._question)

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
    def later_warnings(self) -> list[str]:
        """Those that could not be given before the model was explored."""
        return self._session.later_warnings()

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

    def finish(self, *, dead_ends: str = "") -> Model:
        return Model(self._builder.finish(Settings(dead_ends=dead_ends)))


class Model:
    """A model: read, built, or given by a function of your own."""

    def __init__(self, model: _Model) -> None:
        self._model = model

    @staticmethod
    def read(path: str, *, format: str = "", link: Iterable[str] = (), externals: str = "", max_targets: int = 256,
             **settings: Any) -> Model:
        """A file of any format. Settings: timeout, max_states and dead_ends, which says what dead ends mean in all
        checks of the model. `link`, `externals` and `max_targets` are for C and C++ programs."""
        return Model(_Model.read(str(path), format, list(link), externals, max_targets, Settings(**settings)))

    @staticmethod
    def parse(text: str, *, format: str = "rsm", name: str = "<model>", **settings: Any) -> Model:
        return Model(_Model.parse(text, format, name, Settings(**settings)))

    @staticmethod
    def of_states(initial: Iterable[Hashable], successors: Callable[[Any], Iterable[Hashable]],
                  labels: Callable[[Any], Iterable[str]], *, propositions: Iterable[str] = (),
                  name: str = "<model>", dead_ends: str = "") -> Model:
        """States are any hashable objects; each is asked for its successors and labels when it is needed."""
        return Model(_Model._of_states(list(initial), successors, lambda state: set(labels(state)),
                                       list(propositions), name, Settings(dead_ends=dead_ends)))

    @staticmethod
    def from_networkx(graph: Any) -> Model:
        """Of a graph that to_networkx() made; or any directed graph, whose nodes may have `labels` and `initial`."""
        from . import _networkx
        return _networkx.from_networkx(graph)

    def to_networkx(self) -> Any:
        """A MultiDiGraph. Nodes are (component, node), or (component, box, node) for those of boxes."""
        from . import _networkx
        return _networkx.to_networkx(self)

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

    def explore(self, propositions: Sequence[str] | None = None, **settings: Any) -> None:
        self._model.explore(None if propositions is None else list(propositions), Settings(**settings))

    def graph(self, **settings: Any) -> StateGraph:
        """The states one by one."""
        return StateGraph(self, **settings)

    @property
    def propositions(self) -> list[str]:
        """That the states are labelled with."""
        return self._model.propositions

    def components(self) -> list[Component]:
        return self._model.components()

    @property
    def initial(self) -> tuple[str, list[str]]:
        return self._model.initial_component, self._model.initial_nodes

    def info(self) -> dict[str, Any]:
        """What `nestor info --json` tells; the oddities as (how many, the first)."""
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


def bits(labelling: Labelling, number: int = -1) -> NDArray[numpy.bool_]:
    """The values of one subformula, the whole formula unless told otherwise, a row each; a copy. words() is none."""
    import numpy
    number = number if number >= 0 else len(labelling) + number
    return numpy.unpackbits(labelling.words(number).view(numpy.uint8), count=labelling.rows,
                            bitorder="little").astype(numpy.bool_)


class StateGraph:
    """The states of a model one by one: what follows, what holds, and a path that shows why. In a model without calls
    each state is a node; else there may be infinitely many. Paths end in states without successors."""

    def __init__(self, model: Model, **settings: Any) -> None:
        self._graph = _nestor.StateGraph(model._model, Settings(**settings))

    @property
    def is_flat(self) -> bool:
        """Nothing is called. predecessors(), reachable() and strong_components() are for such models."""
        return self._graph.is_flat

    @property
    def initial(self) -> list[State]:
        return self._graph.initial()

    def successors(self, state: State) -> list[State]:
        return self._graph.successors(state)

    def predecessors(self, state: State) -> list[State]:
        return self._graph.predecessors(state)

    def reachable(self) -> list[State]:
        return self._graph.reachable()

    def strong_components(self) -> list[tuple[int, State, bool, bool]]:
        """(size, first state, whether it can be left, whether it holds a cycle)"""
        return self._graph.strong_components()

    def describe(self, state: State) -> str:
        return self._graph.describe(state)

    def labels(self, state: State) -> list[str]:
        return self._graph.labels(state)

    def holds(self, formula: Formula | str, state: State) -> bool | None:
        """None if a limit was reached."""
        verdict = self._graph.check(Formula(formula)._formula, state).verdict
        return None if verdict == "unknown" else verdict == "holds"

    def shortest_path(self, state: State, goal: Formula | str) -> list[State] | None:
        """To the nearest state where the formula holds; empty if there is none, None if a limit was reached."""
        return self._graph.shortest_path(state, Formula(goal)._formula)[0]

    def explain(self, formula: Formula | str, state: State) -> tuple[list[State] | None, str]:
        """A path that shows why the formula holds there or does not, and what it shows; or None and the limit."""
        return self._graph.explain(Formula(formula)._formula, state)


def verify(model: Model, certificate: str, formula: Formula | str | None = None, *, all_paths: bool = False) -> bool:
    """Whether the certificate says that the formula holds. Raises Error if it proves nothing. `all_paths`: the formula
    is an invariant of an SMV file, about paths fair or not, infinite or not."""
    accepted, holds, line, why = _nestor.verify(model._model, certificate,
                                                None if formula is None else Formula(formula)._formula,
                                                Settings(all_paths=all_paths))
    if not accepted:
        error = Error(f"<certificate>:{line}: error: {why}")
        error.kind, error.message, error.file, error.line, error.column = "input", why, "<certificate>", line, 0
        raise error
    return holds


def replay(model: Model, formula: Formula | str, witness: Witness | str, **settings: Any) -> str:
    """`accepted`, `rejected` or `unknown`, by code that did not find the witness. Settings: engine, timeout, memory,
    steps, all_paths."""
    return _nestor.replay(model._model, Formula(formula)._formula,
                          witness if isinstance(witness, str) else witness.json(), Settings(**settings))[0]


def lint(programs: str | Iterable[str], *, rules: Iterable[str] = (), rule_files: Iterable[str] = (),
         settings: dict[str, Any] | None = None, **request: Any) -> LintReport:
    """What rules say of a C or C++ program, given as LLVM bitcode. Further: all_rules, externals, most_targets,
    baseline, source_root, system_headers, refutes; and settings of each check."""
    asked = _with(_nestor.LintRequest(), request)
    asked.programs = [programs] if isinstance(programs, str) else list(programs)
    asked.rule_ids, asked.rule_files = list(rules), list(rule_files)
    asked.settings = Settings(**(settings or {}))
    return _nestor.lint(asked)


def random_rsm(seed: int = 1, **options: Any) -> Model:
    """A random machine: components, boxes, nodes, entries, exits, density, labels (shares by name) and more."""
    return Model(_nestor.random_rsm(_with(_nestor.RandomRsmOptions(), options), seed))


def random_program(seed: int = 1, **options: Any) -> Model:
    """Structured procedures: nodes, least_procedure, largest_procedure, most_exits, recursion, labels."""
    return Model(_nestor.random_program(_with(_nestor.RandomProgramOptions(), options), seed))


def random_pushdown(seed: int = 1, **options: Any) -> str:
    """A pushdown system, a text of the format pds: controls, symbols, pops, rewrites, pushes, labels."""
    return _nestor.random_pushdown(_with(_nestor.RandomPushdownOptions(), options), seed)


def random_formulas(count: int, seed: int = 1, **options: Any) -> list[Formula]:
    """Of CTL: quantifier_depth, width, negation, propositions."""
    made = _nestor.random_formulas(count, _with(_nestor.RandomFormulaOptions(), options), seed)
    return [Formula(formula) for formula in made]


def use_def_formulas(path: str, *, format: str = "") -> list[Formula]:
    """For each variable V of a model labelled def__V, use__V, usedef__V, that what is defined can be used."""
    return [Formula(formula) for formula in _nestor.use_def_formulas(str(path), format)]


def _with(made: _T, members: dict[str, Any]) -> _T:
    for name, value in members.items():
        if not hasattr(made, name):
            raise TypeError(f"{type(made).__name__} has no {name!r}")
        setattr(made, name, value)
    return made


def _witness_html(witness: Witness) -> str:
    return _drawn(witness.dot())


Witness._repr_html_ = _witness_html
