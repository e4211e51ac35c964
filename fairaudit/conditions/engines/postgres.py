"""Conditions for PostgreSQL.

Capital and small letters come from ICU's rules without a language, which need letters set apart that become several
ones. A result beyond the range of numbers is an error of the server, never a wrong count.
"""

from __future__ import annotations

from fairaudit.conditions import tree
from fairaudit.conditions.engines.printer import EXACT, Printer, is_double, is_large, without_columns
from fairaudit.conditions.evaluation import BLANKS, capital_exceptions

_DOUBLE = "double precision"
# Doubles can distinguish decimal numbers of so few digits.
_DIGITS = 15
# One scale for halves, quarters and so on, with which both sides of % become whole.
_PARTS = 1024
NO_REMAINDER = "no remainder of"
"""What the server's error holds where a remainder cannot be computed."""

_ANY_CASE = 'COLLATE "und-x-icu"'
_BY_CODE = 'COLLATE "C"'


def to_postgres(node: tree.Node) -> str:
    """Return a condition as a truth-valued expression."""
    return _Postgres().condition(node)


class _Postgres(Printer):
    def alike(self, *values: tree.Value) -> tuple[tree.Value, ...]:
        # Among decimals, a large whole number would be compared exactly; the mask has it in double precision, too.
        if not any(isinstance(value, tree.ColumnName) for value in values) or any(map(is_large, values)):
            return values
        return tuple(map(_as_decimal, values))

    def value(self, value: tree.Value) -> str:
        match value:
            case _Decimal(value=float() as number):
                return f"({number!r})" if number < 0 else f"{abs(number)!r}"
        return super().value(value)

    def ordered(self, value: tree.Value, *others: tree.Value) -> str:
        by_default = without_columns(value) and any(map(without_columns, others))
        return f"{self.value(value)}{f' {_BY_CODE}' if by_default and tree.kind_of(value) == 'text' else ''}"

    def no_escape(self) -> str:
        return " ESCAPE ''"

    def real(self, value: float) -> str:
        return f"CAST('{value!r}' AS {_DOUBLE})"

    def double(self, value: tree.Value) -> str:
        made = self.value(value)
        return made if is_double(value) else f"CAST({made} AS {_DOUBLE})"

    def arithmetic(self, value: tree.Arithmetic) -> str:
        left, right = self.double(value.left), self.double(value.right)
        match value.operator:
            case "%":
                return _remainder(left, right)
            case "/":
                made = f"{left} / NULLIF({right}, 0)"
            case _:
                made = f"{left} {value.operator} {right}"
        plain = [side.value for side in (value.left, value.right) if isinstance(side, tree.Constant)]
        # Infinite values make inf - inf, 0 * inf and inf / inf undefined.
        undefined = not plain or (value.operator == "*" and 0 in plain)
        return f"NULLIF({made}, 'NaN')" if undefined else f"({made})"

    def rounded(self, number: str, decimals: int) -> str:
        scale = self.real(10.0 ** abs(decimals))
        if decimals > 0:
            return f"({_whole(f'{number} * {scale}')} / {scale})"
        return f"({_whole(f'{number} / {scale}')} * {scale})" if decimals else _whole(number)

    def date_part(self, part: str, value: tree.Value) -> str:
        made = self.value(value)
        found = f"CAST(extract({part} FROM {made}) AS bigint)"
        # For the server, the year of a day without end is infinite; elsewhere such a day has none.
        return found if isinstance(value, tree.Constant) else f"CASE WHEN isfinite({made}) THEN {found} END"

    def text_call(self, name: str, text: str) -> str:
        match name:
            case "trim":
                return f"btrim({text}, {self.text(BLANKS)})"
            case "length":
                return f"length({text})"
        before, marked, after = capital_exceptions(name)
        found = f"{name}(translate({text}, {self.text(before)}, {self.text(marked)}) {_ANY_CASE})"
        if marked != after:
            found = f"translate({found}, {self.text(marked)}, {self.text(after)})"
        return f"({found} {_BY_CODE})"


class _Decimal(tree.Constant):
    """A number that is written as it is, for the server to take as decimal or double, as what it is compared with."""


def _as_decimal(value: tree.Value) -> tree.Value:
    """Return a number as decimal if it means the same so: few digits, and not beyond whole doubles."""
    match value:
        case tree.Constant(value=float() as number) if abs(number) < EXACT:
            text = repr(abs(number))
            return _Decimal(number) if "e" not in text and len(text.replace(".", "").strip("0")) <= _DIGITS else value
    return value


def _whole(number: str) -> str:
    """Return a number rounded to a whole one; round() of double precision would take halves to even numbers."""
    return f"CAST(round(CAST(CAST({number} AS text) AS numeric)) AS {_DOUBLE})"


def _remainder(left: str, right: str) -> str:
    """Return what a division leaves, exactly, for what is whole in parts of 1024; else the server gives an error."""
    largest = f"{2**62}e0"
    fits = " AND ".join(
        f"v.{side} * {_PARTS} = trunc(v.{side} * {_PARTS}) AND abs(v.{side} * {_PARTS}) < {largest}" for side in "ab"
    )
    # The error names both sides: of a constant alone the server would make it while planning, whatever the rows hold.
    error = f"CAST('{NO_REMAINDER} ' || v.a || ' and ' || v.b AS {_DOUBLE})"
    exact = f"mod(CAST(v.a * {_PARTS} AS bigint), CAST(v.b * {_PARTS} AS bigint)) / CAST({_PARTS} AS {_DOUBLE})"
    return (
        f"(SELECT CASE WHEN v.a IS NULL OR v.b IS NULL OR v.b = 0 OR abs(v.a) = 'Infinity' THEN NULL"
        f" WHEN abs(v.b) = 'Infinity' THEN v.a WHEN {fits} THEN {exact}"
        f" ELSE {error} END FROM (SELECT {left} AS a, {right} AS b) AS v)"
    )
