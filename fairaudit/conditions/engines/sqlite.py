"""Conditions for SQLite.

Dates are texts such as ``2014-01-31``, time stamps texts such as ``2014-01-31 10:30:00.000000``. The functions
``unicode_lower``, ``unicode_upper``, ``unicode_trim``, ``remainder``, ``rounded`` and ``exact`` are those of
:mod:`fairaudit.data.engines.sqlite`. LIKE is written as GLOB, which distinguishes capital from small letters.
"""

from __future__ import annotations

import datetime

from fairaudit.conditions import tree
from fairaudit.conditions.engines.printer import Printer, compared_apart, is_double, is_large, is_open, no
from fairaudit.conditions.tree import write_timestamp

_MIDNIGHT = " 00:00:00.000000"
# Numbers of so few digits and so small an exponent are read without an error in the last digit.
_DIGITS, _EXPONENT = 15, 20
_GLOB = {"%": "*", "_": "?", "*": "[*]", "?": "[?]", "[": "[[]"}
_PLACES = {"year": (1, 4), "month": (6, 2), "day": (9, 2)}


def to_sqlite(node: tree.Node) -> str:
    """Return a condition as a truth-valued expression."""
    return _Sqlite().condition(node)


class _Sqlite(Printer):
    def alike(self, *values: tree.Value) -> tuple[tree.Value, ...]:
        kinds = {tree.kind_of(value) for value in values}
        if kinds == {"date", "timestamp"}:
            return tuple(tree.Call("moment", (v,)) if tree.kind_of(v) == "date" else v for v in values)
        if kinds == {"number"} and any(map(is_double, values)):
            return tuple(v if is_double(v) else tree.Call("real", (v,)) for v in values)
        return values

    def same(self, *values: tree.Value) -> tuple[tree.Value, ...]:
        return self.alike(*values)

    def compare(self, operator: str, left: tree.Value, right: tree.Value) -> str:
        made = [f"{self.value(left)} {operator} {self.value(right)}"]
        if (is_open(left) and (is_open(right) or is_large(right))) or (is_open(right) and is_large(left)):
            made.append(f"{self.double(left)} {operator} {self.double(right)}")
            return self._by_type([left, right], *made)
        return made[0]

    def in_list(self, node: tree.InList) -> str:
        made = super().in_list(node)
        if is_open(node.value) and any(map(is_large, node.items)) and not any(map(is_double, node.items)):
            items = ", ".join(map(self.double, node.items))
            return self._by_type([node.value], made, f"{self.double(node.value)}{no(node)} IN ({items})")
        return made

    def between(self, node: tree.Between) -> str:
        # A number is compared by its own type and that of the other, unless the other is small.
        apart = compared_apart(node) or any(is_open(end) or is_large(end) for end in (node.low, node.high))
        return self.apart(node) if apart and tree.kind_of(node.value) == "number" else super().between(node)

    def _by_type(self, values: list[tree.Value], exact: str, doubles: str) -> str:
        """Compare whole numbers exactly, but what is compared with double precision in double precision."""
        some = " OR ".join(f"typeof({self.value(v)}) = 'real'" for v in values if not isinstance(v, tree.Constant))
        return f"CASE WHEN {some} THEN {doubles} ELSE {exact} END"

    def value(self, value: tree.Value) -> str:
        match value:
            # Calls that no condition can hold: a date as the time stamp of its midnight, a number in double precision.
            case tree.Call(name="moment", arguments=(tree.Constant(value=datetime.date() as day),)):
                return self.text(day.isoformat() + _MIDNIGHT)
            case tree.Call(name="moment", arguments=(date,)):
                return f"({self.value(date)} || '{_MIDNIGHT}')"
            case tree.Call(name="real", arguments=(number,)):
                return self.double(number)
        return super().value(value)

    def literal(self, value: tree.Written) -> str:
        if isinstance(value, datetime.datetime):
            return self.text(write_timestamp(value) + ("" if value.microsecond else ".000000"))
        return self.text(value.isoformat()) if isinstance(value, datetime.date) else super().literal(value)

    def real(self, value: float) -> str:
        text = repr(value)
        mantissa, _, exponent = text.lstrip("-").partition("e")
        whole, _, part = mantissa.partition(".")
        digits = (whole + part).lstrip("0")
        if len(digits) > _DIGITS or abs(int(exponent or 0)) > _EXPONENT:
            return f"exact('{text}')"
        return f"({text})" if value < 0 or text.startswith("-") else text

    def double(self, value: tree.Value) -> str:
        match value:
            case tree.Constant(value=int() | float() as number):
                return self.real(float(number))
            case tree.Call(name="real"):
                return self.value(value)
        made = self.value(value)
        return made if is_double(value) else f"CAST({made} AS REAL)"

    def arithmetic(self, value: tree.Arithmetic) -> str:
        left, right = self.double(value.left), self.double(value.right)
        # Division by zero and what is undefined, such as inf - inf, are NULL already.
        return f"remainder({left}, {right})" if value.operator == "%" else f"({left} {value.operator} {right})"

    def rounded(self, number: str, decimals: int) -> str:
        return f"rounded({number}, {decimals})"

    def date_part(self, part: str, value: tree.Value) -> str:
        start, length = _PLACES[part]
        return f"CAST(substr({self.value(value)}, {start}, {length}) AS INTEGER)"

    def text_call(self, name: str, text: str) -> str:
        return f"{name}({text})" if name == "length" else f"unicode_{name}({text})"

    def matches(self, value: str, pattern: str, negated: str) -> str:
        glob = "".join(_GLOB.get(character, character) for character in pattern)
        return f"{value}{negated} GLOB {self.text(glob)}"
