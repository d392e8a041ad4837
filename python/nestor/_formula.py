"""Formulas: read, or built from others."""

from __future__ import annotations

import functools

from ._nestor import Formula as _Formula


class Formula:
    """A formula, read from a text or built from others by `&`, `|`, `~`, `>>` (implies), EX, AU and so on. A text may
    also be of LTL or CTL*, as the command line takes them; mu() reads the mu-calculus."""

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

    @property
    def unsupported(self) -> str:
        """Of a property in a model's file: why it cannot be checked. Else empty."""
        return self._formula.unsupported

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


def mu(text: str) -> Formula:
    """A formula of the modal mu-calculus (docs/mu.md)."""
    return Formula(_Formula.parse_mu(text))


# Functions of one formula and of two, each of which may be a text.
EX, EF, EG, AX, AF, AG = (functools.partial(_unary, op) for op in ("EX", "EF", "EG", "AX", "AF", "AG"))
EU, EW, ER, AU, AW, AR = (functools.partial(_binary, op) for op in ("EU", "EW", "ER", "AU", "AW", "AR"))


def read_formulas(path: str) -> list[Formula]:
    """The formulas of a file: one a line, or an XML file of the Model Checking Contest."""
    return [Formula(formula) for formula in _Formula.read(str(path))]
