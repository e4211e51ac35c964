"""Conditions for Spark SQL, whatever the settings of the session, ANSI mode among them.

What Spark does in its own way is written out: it would read escapes and variables in a text, so that other than plain
texts are written as their bytes; it changes the case of a text by the rules of a language; a backslash in a pattern
is an escape sign; a division by zero may be an error; and it rounds the decimal writing of a number.
"""

from __future__ import annotations

import datetime
import re
import sys
from functools import cache

from fairaudit.conditions import tree
from fairaudit.conditions.engines.printer import Printer, is_double, no
from fairaudit.conditions.evaluation import BLANKS, to_lower, to_upper
from fairaudit.conditions.tree import write_timestamp

_PLAIN_TEXT = re.compile(r"[A-Za-z0-9 _.,:;<>=()%/+-]*", re.ASCII)
_SURROGATES = range(0xD800, 0xE000)


def to_spark(node: tree.Node) -> str:
    """Return a condition as a truth-valued expression.

    Examples
    --------
    >>> to_spark(tree.Like(tree.ColumnName("sex", "text"), "F%"))
    "`sex` LIKE 'F%'"
    """
    return _Spark().condition(node)


class _Spark(Printer):
    quote_mark = "`"

    def like(self, node: tree.Like) -> str:
        value = tree.Call("lower", (node.value,)) if node.ignore_case else node.value
        pattern = to_lower(node.pattern) if node.ignore_case else node.pattern
        return f"{self.value(value)}{no(node)} LIKE {self.text(pattern.replace(chr(92), chr(92) * 2))}"

    def literal(self, value: tree.Written) -> str:
        if isinstance(value, datetime.datetime):
            return f"TIMESTAMP_NTZ'{write_timestamp(value)}'"
        return super().literal(value)

    def text(self, value: str) -> str:
        if _PLAIN_TEXT.fullmatch(value):
            return f"'{value}'"
        return f"CAST(X'{value.encode().hex()}' AS STRING)"

    def whole(self, value: int) -> str:
        return f"({value}L)" if value < 0 else f"{value}L"

    def real(self, value: float) -> str:
        return f"({value!r}D)" if value < 0 else f"{value!r}D"

    def double(self, value: tree.Value) -> str:
        made = self.value(value)
        return made if is_double(value) else f"CAST({made} AS DOUBLE)"

    def arithmetic(self, value: tree.Arithmetic) -> str:
        left, right = self.double(value.left), self.double(value.right)
        # Functions that name each side once: what Spark writes out twice would double with each level of brackets.
        tried = {"/": "try_divide", "%": "try_mod"}.get(value.operator)
        made = f"{tried}({left}, {right})" if tried else f"{left} {value.operator} {right}"
        return f"nanvl({made}, CAST(NULL AS DOUBLE))"

    def rounded(self, number: str, decimals: int) -> str:
        # `rint` takes the even neighbour of a half, which is moved; `x` and `s` name what is long but once.
        there, back = ("*", "/") if decimals > 0 else ("/", "*")
        scale = self.real(10.0 ** abs(decimals))
        whole = "IF(abs(s - rint(s)) = 0.5D AND abs(rint(s)) < abs(s), rint(s) + signum(s), rint(s))"
        made = f"{whole} {back} {scale}"
        finite = f"abs({made}) < CAST('Infinity' AS DOUBLE)"
        return (
            f"element_at(transform(array({number}), x -> "
            f"element_at(transform(array(x {there} {scale}), s -> IF({finite}, {made}, x)), 1)), 1)"
        )

    def date_part(self, part: str, value: tree.Value) -> str:
        return f"CAST(extract({part} FROM {self.value(value)}) AS BIGINT)"

    def text_call(self, name: str, text: str) -> str:
        match name:
            case "trim":
                return f"trim(BOTH {self.text(BLANKS)} FROM {text})"
            case "length":
                return f"CAST(length({text}) AS BIGINT)"
        letters, turned = _letters(name)
        return f"translate({text}, {self.text(letters)}, {self.text(turned)})"


@cache
def _letters(function: str) -> tuple[str, str]:
    """Return the letters that change, and what they change to: letter by letter, unlike Spark's own functions."""
    change = to_lower if function == "lower" else to_upper
    every = (chr(code) for code in range(sys.maxunicode + 1) if code not in _SURROGATES)
    changing = [letter for letter in every if change(letter) != letter]
    return "".join(changing), "".join(map(change, changing))
