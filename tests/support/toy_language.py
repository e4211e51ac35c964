"""A language of English texts in brackets: what a person reads outside of any could not be translated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from fluent.syntax import ast, parse, serialize
from fluent.syntax.visitor import Transformer
from labels_in_code import labels_in_code

from fairaudit.messages import catalogue
from fairaudit.messages.catalogue import ENGLISH, FOLDER

TOY = "de"
"""Numbers are written as in German."""
BRACKETS = re.compile(r"⟦[^⟧]*⟧")


class _Bracketed(Transformer):
    def visit_TextElement(self, node: ast.TextElement) -> ast.TextElement:
        if re.search("[A-Za-z]", node.value):
            lines = node.value.split("\n")
            node.value = "\n".join(_bracketed(line) for line in lines)
        return node


def _bracketed(line: str) -> str:
    return re.sub(r"\S(?:.*\S)?", lambda text: f"⟦{text[0]}⟧", line, count=1)


def write_toy_language(folder: Path) -> None:
    """Write the languages into a folder: English as it is, and the other one."""
    (folder / ENGLISH).symlink_to(FOLDER / ENGLISH)
    (folder / TOY).mkdir()
    for path in sorted((FOLDER / ENGLISH).glob("*.ftl")):
        said = parse(path.read_text(encoding="utf-8"))
        (folder / TOY / path.name).write_text(serialize(_Bracketed().visit(said)), encoding="utf-8")
    labels = Catalog(locale=TOY)
    for text in labels_in_code():
        labels.add(text, "\n".join(map(_bracketed, text.split("\n"))))
    with (folder / TOY / "labels.po").open("wb") as file:
        write_po(file, labels)


@contextmanager
def languages_of(folder: Path) -> Iterator[None]:
    """Read the catalogue from another folder within the ``with``."""
    kept = (catalogue.keys, catalogue._bundle, catalogue._labels)
    with mock.patch.object(catalogue, "FOLDER", folder):
        for each in kept:
            each.cache_clear()
        yield
    for each in kept:
        each.cache_clear()
