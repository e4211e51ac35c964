"""Which words of the glossary a report uses: only these are explained."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from fairaudit.present.blocks import Block, Chart, Code, Table, row_texts

SHORT = 3
"""So many letters begin many other words."""
_SMALL = frozenset(("a", "and", "of", "the"))


def used_words(words: Sequence[tuple[str, str]], blocks: Iterable[Block]) -> tuple[tuple[str, str], ...]:
    """Return the words that some blocks use, or that explain such a word, with their meanings.

    A word of several parts is used where some text holds the beginning of each, such as "interval" and "change".
    """
    texts = [text.casefold() for block in blocks for text in _texts(block)]
    kept: list[tuple[str, str]] = []
    while new := [word for word in words if word not in kept and _is_used(word[0], texts)]:
        kept += new
        texts += [meaning.casefold() for _, meaning in new]
    return tuple(word for word in words if word in kept)


def _is_used(word: str, texts: Sequence[str]) -> bool:
    """Say whether one of the terms that a word of the glossary lists is in some text."""
    terms = [re.findall(r"[^\W_]+", term.casefold()) for term in re.split(r"[,;()]", word)]
    needed = [[_beginning(part) for part in term if part not in _SMALL] for term in terms]
    return any(all(part.search(text) for part in term) for term in needed if term for text in texts)


def _beginning(part: str) -> re.Pattern[str]:
    """Return what finds words that begin so; a short one, such as AUC, is found as a whole word only, or with an s."""
    return re.compile(rf"\b{re.escape(part)}" + (r"s?\b" if len(part) <= SHORT else ""))


def _texts(block: Block) -> list[str]:
    """Return what a block shows as texts; code is no text, and a chart also says what is written in it."""
    match block:
        case Code():
            return []
        case Table():
            heads = [column.label for column in block.columns]
            return [block.title, block.note or "", " ".join(heads), *(" ".join(row) for row in row_texts(block))]
        case Chart():
            return [block.title, block.alt, " ".join(_strings(block.chart.to_dict()))]
    return list(_strings({each.name: getattr(block, each.name) for each in fields(block)}))


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _strings(each)
