"""A remedy has one plain name; what it is called elsewhere stands only where that is said ("Known as ...")."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from sources import meanings_in

ROOT = Path(__file__).parents[2]
ELSEWHERE = re.compile(
    r"relabel|risk.based|risk adjustment|flipp|rule sets?\b|look-ahead|optimal tree|swarm|constrained model"
    r"|equalized distribution|demographic parity",
    re.IGNORECASE,
)
FOLDERS = ("fairaudit/remedies", "ui/remedies", "pages")


def sentences(path: Path) -> list[str]:
    """Return the texts with a blank that code holds, but docstrings and what fields say to who reads the JSON."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    alone |= set(map(id, meanings_in(tree)))
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in alone]
    return [node.value for node in texts if isinstance(node.value, str) and " " in node.value]


def named_elsewhere(texts: list[str]) -> list[str]:
    return [text for text in texts if ELSEWHERE.search(text) and "nown as" not in text]


@pytest.mark.parametrize("folder", FOLDERS)
def test_sentences_name_a_remedy_plainly(folder):
    found = {path: named_elsewhere(sentences(path)) for path in (ROOT / folder).rglob("*.py")}
    assert found and not {path.name: texts for path, texts in found.items() if texts}


def test_each_document_of_a_remedy_has_a_plain_title_and_says_what_else_it_is_called():
    for path in (ROOT / "docs" / "remedies").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert not ELSEWHERE.search(text.splitlines()[0]), path.name
        if "Known as" not in text:
            known = {"choosing", "comparing", "simple-rules", "worse-off"}
            assert path.stem in known, f'{path.name} does not say "Known as ...", with the name in the field'


def test_another_name_is_found():
    assert named_elsewhere(["a rule set", "Known as a rule set."]) == ["a rule set"]
