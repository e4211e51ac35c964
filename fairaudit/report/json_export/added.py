"""What the export adds to findings: words, for who reads the file without the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from fairaudit.measure.not_known import NotKnown


def extended(kind: type, finding: Any, **added: Any) -> Any:
    """Return a finding as the class that adds fields to its own."""
    return kind(**{f.name: getattr(finding, f.name) for f in fields(finding)} | added)


@dataclass(frozen=True, kw_only=True)
class ExportedNotKnown(NotKnown):
    """Values of a column that say that something is not known, and where rows with them are counted.

    Parameters
    ----------
    sentence : str
        The same in words.
    """

    sentence: str


def in_words(parts: Iterable[NotKnown], sentences: Iterable[str]) -> tuple[ExportedNotKnown, ...]:
    """Add a sentence to each value that is not known."""
    return tuple(extended(ExportedNotKnown, part, sentence=text) for part, text in zip(parts, sentences, strict=True))
