"""Sentences come whole from the catalogue: no code makes one, or looks into one that was made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from sources import APP_FILES, PACKAGE_FILES, ROOT

LOOKS = {
    "startswith", "endswith", "split", "rsplit", "splitlines", "partition", "rpartition", "replace", "removeprefix",
    "removesuffix", "find", "index", "count", "lower", "upper", "capitalize", "title", "swapcase",
}  # fmt: skip
"""What is done with a text by those who look into it or change it."""
SAYS = ("say", "answer_text", "answer_words", "answer_line")
"""What makes a text out of messages."""
PROSE = re.compile(r"(?<![\w'’.(-])[a-z]+(?:['’-][a-z]+)*(?:,? [a-z]+(?:['’-][a-z]+)*){2,}(?![\w(])")
"""Three words or more in a row: SQL is in capitals, and keys have underscores."""
LABELLED = {
    "button", "checkbox", "download_button", "expander", "file_uploader", "form_submit_button", "multiselect",
    "number_input", "popover", "radio", "selectbox", "slider", "text_area", "text_input", "toggle",
}  # fmt: skip
"""Calls whose first argument is the label of a widget."""
MAY_SAY = {
    "fairaudit/audit/": "what of a question has no answer, and why: part of the result",
    "fairaudit/cli/help_texts.py": "help of the command line",
    "fairaudit/cli/main.py": "what is said of an error that ends a command",
    "fairaudit/conditions/": "what is wrong with a condition, and what it says in words",
    "fairaudit/data/": "how a file was read and what was found in it: part of the table",
    "fairaudit/disclosure/counts.py": "why all figures are hidden: part of the result",
    "fairaudit/errors.py": "parts of errors",
    "fairaudit/estimators/": "warnings and steps of estimators that are used without the app",
    "fairaudit/measure/": "warnings that are part of results",
    "fairaudit/plan/": "what is wrong with a plan, and how data differ from those it was saved with",
    "fairaudit/presets/filling.py": "why a table of a form is not made: part of the result",
    "fairaudit/presets/loading.py": "part of an error",
    "fairaudit/remedies/constrain/naming.py": "what a limit is called in results and files",
    "fairaudit/remedies/equalize/naming.py": "the name of a remedy in results and files",
    "fairaudit/remedies/rules/": "names of remedies and of models in results and files",
    "fairaudit/remedies/thresholds/naming.py": "the name of a remedy in results and files",
    "fairaudit/remedies/trees/": "names of models in results and files, and part of an error",
    "fairaudit/solver/": "part of an error",
    "fairaudit/study/": "parts of errors, and names of simple rules in results and files",
    "fairaudit/subgroups/": "why a column is not searched: part of the result",
    "ui/memory.py": "part of an error",
    "ui/remedies/thresholds/form.py": "the name of a remedy in results and files",
    "ui/server/running.py": "what the server prints where it starts",
}
"""Where sentences may still be made, and why."""


def prose_made(tree: ast.AST) -> Iterator[ast.JoinedStr]:
    """Yield where a sentence is made of parts, outside errors, help, labels of widgets and heads of columns."""
    left_out: set[int] = set()
    for node in ast.walk(tree):
        for part in _parts_left_out(node):
            left_out.update(id(each) for each in ast.walk(part))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in left_out:
            texts = (part.value for part in node.values if isinstance(part, ast.Constant))
            if any(PROSE.search(str(text)) for text in texts):
                yield node


def _parts_left_out(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Raise):
        return [node]
    if isinstance(node, ast.keyword) and node.arg in ("help", "hint"):
        return [node]
    if not isinstance(node, ast.Call):
        return []
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if called == "ColumnSpec" or called.endswith("Error"):
        return [node]
    return list(node.args[:1]) if called in LABELLED else []


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


def test_no_sentence_is_made_of_parts():
    found = [
        f"{name}:{node.lineno}: {ast.unparse(node)}"
        for path in (*PACKAGE_FILES, *APP_FILES)
        if not (name := path.relative_to(ROOT).as_posix()).startswith(tuple(MAY_SAY))
        for node in prose_made(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, "make it one message of the catalogue:\n" + "\n".join(found)


@pytest.mark.parametrize("place", MAY_SAY)
def test_where_sentences_may_be_made_some_are(place):
    paths = [path for path in (*PACKAGE_FILES, *APP_FILES) if path.relative_to(ROOT).as_posix().startswith(place)]
    assert any(True for path in paths for _ in prose_made(ast.parse(path.read_text(encoding="utf-8"))))


def test_a_sentence_that_is_made_of_parts_is_found_and_what_is_none_is_not():
    code = """
def f(name, n, st):
    a = f"{n} rows were left out of {name}"
    b = "; ".join([f"the gap is {n} points", f"that of {name} is much the larger"])
    c = f"SELECT count(*) FROM {name} WHERE {n} IS NOT NULL"
    d = f"remedy_{n}_groups_chart", f"{name}: {n}", f"by {name}"
    if n:
        raise InputError(f"{name} is not a column of it", hint=f"take one of the {n}")
    st.button(f"Leave out all the rows of {name}", help=f"this can be undone in {n} ways")
    return ColumnSpec("gap", f"largest gap in the test, {name}"), GroupError(f"there is not one row of {name}")
"""
    assert [node.lineno for node in prose_made(ast.parse(code))] == [3, 4, 4]
