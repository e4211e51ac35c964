"""No code looks into a text that the catalogue has made: what is to be known of it is known before it is said."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sources import APP_FILES, PACKAGE_FILES, ROOT

LOOKS = {
    "startswith", "endswith", "split", "rsplit", "splitlines", "partition", "rpartition", "replace", "removeprefix",
    "removesuffix", "find", "index", "count", "lower", "upper", "capitalize", "title", "swapcase",
}  # fmt: skip
"""What is done with a text by those who look into it or change it."""
SAYS = ("say", "answer_text", "answer_words", "answer_line")
"""What makes a text out of messages."""


def texts_looked_into(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield where a text of the catalogue, or a name that holds one, is looked into."""
    for scope in [tree, *(n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))]:
        held = {name for node in _own(scope) for name in _names_of(node)}
        for node in _own(scope):
            if _looks(node, held):
                yield node


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope without those of functions inside it."""
    for child in ast.iter_child_nodes(scope):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        yield child
        yield from _own(child)


def _names_of(node: ast.AST) -> list[str]:
    """Return the names that are given a text of the catalogue."""
    if isinstance(node, ast.NamedExpr):
        return [node.target.id] if _is_said(node.value, set()) else []
    if isinstance(node, ast.Assign) and _is_said(node.value, set()):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def _is_said(node: ast.AST, held: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in held
    if isinstance(node, ast.NamedExpr):
        return _is_said(node.value, held)
    if isinstance(node, ast.JoinedStr):
        return any(_is_said(part.value, held) for part in node.values if isinstance(part, ast.FormattedValue))
    if isinstance(node, ast.BinOp):
        return _is_said(node.left, held) or _is_said(node.right, held)
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    if isinstance(called, ast.Attribute) and called.attr == "strip":
        return _is_said(called.value, held)
    return getattr(called, "attr", getattr(called, "id", None)) in SAYS


def _looks(node: ast.AST, held: set[str]) -> bool:
    if isinstance(node, ast.Subscript):
        return _is_said(node.value, held)
    if isinstance(node, ast.Compare):
        inside = any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops)
        return inside and any(_is_said(each, held) for each in node.comparators)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in LOOKS and _is_said(node.func.value, held):
            return True
        is_pattern = node.func.attr in ("search", "match", "fullmatch", "findall", "sub")
        return is_pattern and any(_is_said(each, held) for each in node.args)
    return False


def test_no_code_looks_into_a_text_of_the_catalogue():
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path in (*PACKAGE_FILES, *APP_FILES)
        for node in texts_looked_into(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, "say it with another message, or ask the reading:\n" + "\n".join(found)


def test_what_looks_into_a_text_is_found_directly_and_by_its_name():
    code = """
def f(message, other):
    text = say(message)
    a = text.startswith("x")
    b = "many" in say(message)
    c = re.search("[0-9]", text)
    d = say(message).partition(". ")[0]
    e = f"{text} and more"[:3]
    return other.startswith("x"), "x" in other, text
"""
    assert len({node.lineno for node in texts_looked_into(ast.parse(code))}) == 5
