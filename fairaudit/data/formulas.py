"""Texts that a spreadsheet would run as a formula, made harmless."""

from __future__ import annotations

import re

_BLANK = r"[\s\x00-\x1f\u200b-\u200f\u2060\ufeff]*"
_RUNS = re.compile(rf"^(?={_BLANK}[=+\-@＝＋－＠])|^(?=[\t\r\n])|(?<=[;\t\r\n])(?={_BLANK}[=+\-@＝＋－＠])")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def neutralised(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula.

    Examples
    --------
    >>> neutralised("=cmd()"), neutralised("-3.5"), neutralised("a = b")
    ("'=cmd()", '-3.5', 'a = b')
    """
    return text if _NUMBER.fullmatch(text) else _RUNS.sub("'", text)
