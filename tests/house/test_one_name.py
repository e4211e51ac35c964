"""What a person reads has one name for one thing: tolerance, columns that may explain a gap, the saved audit."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from sources import meanings_in

ROOT = Path(__file__).parents[2]
CODE = ("ui", "pages", "fairaudit/present", "fairaudit/report")
EXPLAINING = (
    "ui/follow_ups",
    "fairaudit/measure/explain",
    "fairaudit/cli/explain.py",
)
OTHERS = {
    # "The largest gap that still counts as alike" and the like say what the tolerance is.
    "tolerance": re.compile(
        r"^(?!The largest)(?!.*olerance).*counts? as alike|\byou allow(?:ed)? another\b|^You allow$", re.DOTALL
    ),
    "saved audit": re.compile(r"\b(?:saved?|full|this|the) plan\b(?! is\b)|\bPlan \(", re.IGNORECASE),
}
CONTROL = re.compile(r"(?<!--)\bcontrols?\b(?! \{\})", re.IGNORECASE)


def texts_of(path: Path) -> list[str]:
    """Return the texts of code and manual, without docstrings, options, names and words of the JSON schema."""
    if path.suffix == ".md":
        return re.sub(r"```.*?```|`[^`]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL).split("\n\n")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found, parts = [], set(map(id, meanings_in(tree)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            parts.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in node.values}
            found.append("".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            found.append(node.value)
    return found


def files_in(*places: str) -> list[Path]:
    """Return the files of these folders and files."""
    return [path for place in places for path in ([ROOT / place] if "." in place else (ROOT / place).rglob("*.py"))]


def manual() -> list[Path]:
    """Return the pages of the manual that are for people who audit."""
    apart = {"changelog.md", "architecture.md", "extending.md", "contributing.md", "python.md", "reference.md"}
    return [ROOT / "README.md", *(path for path in (ROOT / "docs").rglob("*.md") if path.name not in apart)]


@pytest.mark.parametrize("name", OTHERS)
def test_no_other_name_is_read(name):
    paths = [*files_in(*CODE), *manual()]
    found = {path.name: [text for text in texts_of(path) if OTHERS[name].search(text)] for path in paths}
    assert len(paths) > 100 and not {path: texts for path, texts in found.items() if texts}


def test_columns_that_may_explain_a_gap_are_called_columns():
    found = [
        (path.name, text)
        for path in files_in(*EXPLAINING)
        for text in texts_of(path)
        if " " in text and CONTROL.search(text)
    ]
    assert not found


@pytest.mark.parametrize(
    ("name", "text"),
    [("tolerance", "more than the 5 points that count as alike"), ("saved audit", "Save the plan below")],
)
def test_another_name_is_found(name, text):
    assert OTHERS[name].search(text)
