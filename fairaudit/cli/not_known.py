"""Lines on values that say that something is not known, below an answer."""

from __future__ import annotations

from collections.abc import Iterable

from fairaudit.cli.terminal import emit, one_line
from fairaudit.measure.not_known import NotKnown
from fairaudit.present.cases import not_known_sentence


def emit_not_known(parts: Iterable[NotKnown]) -> None:
    """Write a line for each value of a group, decision or prediction that says that it is not known."""
    for part in parts:
        emit(one_line(not_known_sentence(part)))
