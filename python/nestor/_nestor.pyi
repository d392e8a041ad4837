from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy
from numpy.typing import NDArray

version: str
has_llvm: bool

class Error(Exception):
    kind: str
    message: str
    file: str
    line: int
    column: int

class Formula:
    op: Final[str]
    proposition: Final[str]
    operands: Final[list[Formula]]
    name: Final[str]
    text: Final[str]
    unsupported: Final[str]
    def __init__(self, text: str) -> None: ...
    @staticmethod
    def read(path: str) -> list[Formula]: ...
    @staticmethod
    def parse_lines(text: str, file: str = ...) -> list[Formula]: ...
    @staticmethod
    def parse_mu(text: str, name: str = ...) -> Formula: ...
    @staticmethod
    def constant(value: bool) -> Formula: ...
    @staticmethod
    def atom(proposition: str) -> Formula: ...
    @staticmethod
    def unary(op: str, operand: Formula) -> Formula: ...
    @staticmethod
    def binary(op: str, left: Formula, right: Formula) -> Formula: ...
    def named(self, name: str) -> Formula: ...

class Settings:
    def __init__(self, *, engine: str = ..., timeout: float | None = ..., memory: int | None = ...,
                 steps: int | None = ..., max_states: int | None = ..., dead_ends: str = ..., jobs: int = ...,
                 seed: int = ..., evidence: bool = ..., all_paths: bool = ...,
                 progress: Callable[[str, int, int], object] | None = ...) -> None: ...

class Node:
    name: Final[str]
    is_entry: Final[bool]
    is_exit: Final[bool]
    labels: Final[list[str]]
    file: Final[str]
    line: Final[int]

class Component:
    name: Final[str]
    nodes: Final[list[Node]]
    boxes: Final[dict[str, str]]
    transitions: Final[list[tuple[tuple[str, str], tuple[str, str]]]]

class Model:
    name: Final[str]
    properties: Final[list[Formula]]
    warnings: Final[list[str]]
    is_explored: Final[bool]
    initial_component: Final[str]
    initial_nodes: Final[list[str]]
    propositions: Final[list[str]]
    @staticmethod
    def read(path: str, format: str, link: list[str], externals: str, max_targets: int, settings: Settings) -> Model: ...
    @staticmethod
    def parse(text: str, format: str, name: str, settings: Settings) -> Model: ...
    @staticmethod
    def _of_states(initial: list[Any], successors: Callable[[Any], Any], labels: Callable[[Any], Any],
                   propositions: list[str], name: str, settings: Settings) -> Model: ...
    def explore(self, propositions: list[str] | None, settings: Settings) -> None: ...
    def components(self) -> list[Component]: ...
    def write(self, format: str = ...) -> str: ...
    def info(self) -> dict[str, Any]: ...

class ModelBuilder:
    def __init__(self, name: str = ...) -> None: ...
    def component(self, name: str) -> ModelBuilder: ...
    def node(self, name: str, entry: bool = ..., exit: bool = ..., labels: list[str] = ..., file: str = ...,
             line: int = ...) -> ModelBuilder: ...
    def box(self, name: str, callee: str) -> ModelBuilder: ...
    def _transition(self, from_box: str, start: str, to_box: str, end: str) -> None: ...
    def initial_component(self, name: str) -> ModelBuilder: ...
    def initial_node(self, name: str) -> ModelBuilder: ...
    def finish(self, settings: Settings) -> Model: ...

class Step:
    procedure: Final[str]
    node: Final[str]
    depth: Final[int]
    labels: Final[list[str]]
    file: Final[str]
    line: Final[int]
    how: Final[str]
    transition: Final[str]
    binding: Final[dict[str, str]]
    change: Final[str]

class Piece:
    formula: Final[str]
    holds: Final[bool]
    kind: Final[str]
    ending: Final[str]
    path: Final[list[Step]]
    loop: Final[int]
    parts: Final[list[int]]
    along: Final[list[int]]

class Witness:
    _repr_html_: Callable[[Witness], str]
    holds: Final[bool]
    engine: Final[str]
    steps: Final[list[Step]]
    roots: Final[list[int]]
    def piece(self, number: int) -> Piece: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Step]: ...
    def json(self) -> str: ...
    def dot(self, title: str = ...) -> str: ...

class Labelling:
    rows: Final[int]
    instances: Final[list[tuple[str, int, int]]]
    def __len__(self) -> int: ...
    def subformula(self, number: int) -> str: ...
    def words(self, number: int) -> NDArray[numpy.uint64]: ...
    def value(self, number: int, row: int) -> bool: ...

class Verdict:
    verdict: Final[str]
    reason: Final[str]
    seconds: Final[float]
    contexts: Final[int]
    how: Final[str]
    engine: Final[str]

class Session:
    def __init__(self, model: Model, settings: Settings = ...) -> None: ...
    def ask(self, formula: Formula) -> int: ...
    def verdict(self, question: int) -> Verdict: ...
    def formula(self, question: int) -> Formula: ...
    def witness(self, question: int) -> tuple[Witness | None, str]: ...
    def labelling(self, question: int) -> tuple[Labelling | None, str]: ...
    def certificate(self, question: int) -> tuple[str | None, str]: ...
    def not_certifiable(self, question: int) -> str: ...
    def warnings(self) -> list[str]: ...
    def later_warnings(self) -> list[str]: ...
    def engine(self) -> str: ...
    def statistics(self) -> tuple[dict[str, int], dict[str, float]]: ...

class State:
    calls: Final[list[int]]
    node: Final[int]
    def __lt__(self, other: State) -> bool: ...

class StateGraph:
    is_flat: Final[bool]
    def __init__(self, model: Model, settings: Settings) -> None: ...
    def initial(self) -> list[State]: ...
    def successors(self, state: State) -> list[State]: ...
    def predecessors(self, state: State) -> list[State]: ...
    def reachable(self) -> list[State]: ...
    def strong_components(self) -> list[tuple[int, State, bool, bool]]: ...
    def describe(self, state: State) -> str: ...
    def labels(self, state: State) -> list[str]: ...
    def check(self, formula: Formula, state: State) -> Verdict: ...
    def shortest_path(self, start: State, goal: Formula) -> tuple[list[State] | None, str]: ...
    def explain(self, formula: Formula, state: State) -> tuple[list[State] | None, str]: ...

class RandomRsmOptions:
    components: int
    boxes: int
    nodes: int
    entries: float
    exits: float
    density: float
    labels: dict[str, float]
    hierarchical: bool
    entries_may_exit: bool
    into_entries: bool
    exits_go_on: bool
    some_never_exit: bool
    dead_ends: bool
    forward: bool
    any_initial_nodes: bool

class RandomProgramOptions:
    nodes: int
    least_procedure: int
    largest_procedure: int
    most_exits: int
    recursion: float
    labels: dict[str, float]

class RandomPushdownOptions:
    controls: int
    symbols: int
    pops: int
    rewrites: int
    pushes: int
    labels: dict[str, float]

class RandomFormulaOptions:
    quantifier_depth: int
    width: int
    negation: float
    propositions: list[str]

class Rule:
    id: Final[str]
    title: Final[str]
    severity: Final[str]
    cwe: Final[str]
    cert: Final[str]
    scope: Final[str]
    formula: Final[str]
    fix: Final[str]
    assumes: Final[str]
    is_default: Final[bool]

class PathStep:
    kind: Final[str]
    file: Final[str]
    line: Final[int]
    column: Final[int]
    message: Final[str]
    depth: Final[int]

class Warning:
    rule: Final[str]
    severity: Final[str]
    file: Final[str]
    line: Final[int]
    column: Final[int]
    function: Final[str]
    subject: Final[str]
    message: Final[str]
    fingerprint: Final[str]
    path: Final[list[PathStep]]

class LintReport:
    warnings: Final[list[Warning]]
    unknown: Final[list[str]]
    notes: Final[list[str]]
    summary: Final[str]
    def text(self) -> str: ...
    def json(self) -> str: ...
    def sarif(self) -> str: ...
    def junit(self) -> str: ...
    def baseline(self) -> str: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Warning]: ...

class LintRequest:
    programs: list[str]
    rule_files: list[str]
    rule_ids: list[str]
    all_rules: bool
    externals: str
    most_targets: int
    baseline: str
    source_root: str
    system_headers: bool
    refutes: bool
    settings: Settings

def verify(model: Model, certificate: str, formula: Formula | None, settings: Settings) -> tuple[bool, bool, int, str]: ...
def replay(model: Model, formula: Formula, witness: str, settings: Settings) -> tuple[str, bool, str]: ...
def random_rsm(options: RandomRsmOptions, seed: int) -> Model: ...
def random_program(options: RandomProgramOptions, seed: int) -> Model: ...
def random_pushdown(options: RandomPushdownOptions, seed: int) -> str: ...
def random_formulas(count: int, options: RandomFormulaOptions, seed: int) -> list[Formula]: ...
def use_def_formulas(path: str, format: str) -> list[Formula]: ...
def engines() -> dict[str, str]: ...
def formats() -> dict[str, str]: ...
def rules(files: list[str] = ...) -> dict[str, Rule]: ...
def explain_rule(id: str, files: list[str] = ...) -> str: ...
def lint(request: LintRequest) -> LintReport: ...
