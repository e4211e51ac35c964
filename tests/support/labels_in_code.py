"""The labels that stand in the code by their English words, which `translated` looks up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sources import APP_FILES, PACKAGE_FILES

POSITIONS = {
    "column": (1, 2), "figure": (0,), "setting": (0,), "fitted": (0,), "never": (0,), "InForm": (0,), "Choice": (1, 2),
    "Heading": (1,), "Note": (0,), "KeyValues": (0,), "TableBlock": (1,), "Chart": (1,), "Strip": (0,),
    "ShortSection": (0,), "translated": (0,), "Field": (1,),
}  # fmt: skip
"""What is called with labels, and which of its arguments they are."""
KEYWORDS = {"label", "brief", "meaning", "help", "empty", "none", "caption", "title", "strong", "text"}
"""Names of arguments that are labels there."""


@cache
def labels_in_code() -> dict[str, Path]:
    """Return all labels, each with a file where it stands."""
    return {text: path for path in [*PACKAGE_FILES, *APP_FILES] for text in _labels(path)}


def _labels(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and (name := _name(node.func)) in POSITIONS:
            given = [node.args[i] for i in POSITIONS[name] if i < len(node.args)]
            given += [keyword.value for keyword in node.keywords if keyword.arg in KEYWORDS]
            yield from (text for each in given for text in _texts(each))
        elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and _is_fact(node.elts[0]):
            yield from _texts(node.elts[0])


def _name(function: ast.expr) -> str:
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )


def _is_fact(node: ast.expr) -> bool:
    """Say whether it is the name of a fact, such as "Decision column"."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(re.match(r"[A-Z][a-z]+", node.value))


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)) if re.search(r"[A-Za-z]{2}", text):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from _texts(body)
            yield from _texts(orelse)
