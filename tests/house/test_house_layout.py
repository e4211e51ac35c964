"""Small files in known places, and an app that shows text as text."""

from __future__ import annotations

import ast

import pytest
from sources import APP_FILES, PACKAGE_FILES, ROOT

ALL_FILES = [*PACKAGE_FILES, *APP_FILES]


def short_name(path) -> str:
    """Return a path as a person in the project would say it."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", ALL_FILES, ids=short_name)
def test_file_is_short(path):
    most = 120 if path.parent.name == "pages" or path.name == "app.py" else 350
    n_lines = len(path.read_text(encoding="utf-8").splitlines())
    assert n_lines <= most, f"{n_lines} lines, at most {most}: split at the second reason to change"


@pytest.mark.parametrize("path", [p for p in PACKAGE_FILES if p.name == "__init__.py"], ids=short_name)
def test_init_holds_no_logic(path):
    body = ast.parse(path.read_text(encoding="utf-8")).body
    named = ("__all__", "__getattr__")
    other = [
        node.lineno
        for node in body[1:]
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Assign) and node.targets[0].id in named)
    ]
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), "a package says what it is for"
    assert not other, f"a docstring, imports, __all__ and late names only; see lines {other}"


@pytest.mark.parametrize("path", ALL_FILES, ids=short_name)
def test_text_is_only_ever_text_and_nothing_is_unpickled(path):
    text = path.read_text(encoding="utf-8")
    for name in ("unsafe_allow_" + "html=True", "unsafe_allow_" + "javascript", "pick" + "le.load", "read_" + "pickle"):
        assert name not in text


@pytest.mark.parametrize("path", APP_FILES, ids=short_name)
def test_what_is_cached_from_uploads_stays_in_its_session(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.FunctionDef):
            continue
        cached = [d for d in node.decorator_list if "cache_" in ast.unparse(d)]
        for decorator in cached:
            given = {k.arg: ast.unparse(k.value) for k in getattr(decorator, "keywords", [])}
            takes_nothing = not node.args.args and not node.args.kwonlyargs
            assert takes_nothing or (given.get("scope") == "'session'" and "max_entries" in given), (
                f"{node.name}: a cache of what a person brought takes scope='session' and max_entries"
            )
