"""What may be said of a finding as it leaves: each message declares which of its figures a reader could learn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Final

import pandas as pd

from fairaudit.disclosure.fields import Export, Remark, export_of
from fairaudit.findings import Amount, Count, Message, Points, Said, Share
from fairaudit.messages import say

FIGURES: Final = (Share, Points, Amount, Count)
"""Arguments of a message that are figures."""


def remark(message: Message, reveals: Export = "figure") -> Remark:
    """Return a message as text that says what it reveals."""
    return Remark(say(message), reveals)


def remarks(messages: Iterable[Message], reveals: Export = "figure") -> tuple[Remark, ...]:
    """Return messages as texts that all reveal the same."""
    return tuple(remark(message, reveals) for message in messages)


def said_as_shown(said: Said, finding: object) -> Said:
    """Return what is said without each message that reveals a figure which is hidden in the finding.

    Where that is the verdict or the headline, it says that the answer is not shown.
    """
    if not (is_shown(said.verdict, finding) and is_shown(said.headline, finding)):
        return Said(Message("verdict-not-shown"), Message("check-headline-not-shown"))
    parts = (said.lead, said.caution, said.also)
    return Said(said.verdict, said.headline, *(tuple(m for m in part if is_shown(m, finding)) for part in parts))


def is_shown(message: Message, finding: object) -> bool:
    """Say whether all figures that a message reveals are shown in a finding, by their names, such as "result.p_value".

    What a message says inside another one is revealed by that one, too.
    """
    inside = [value for value in dict(message.args).values() if isinstance(value, Message)]
    return not any(_is_hidden(_part(finding, name)) for name in message.reveals) and all(
        is_shown(each, finding) for each in inside
    )


def has_figures(message: Message) -> bool:
    """Say whether a message holds a figure, itself or in another one that it holds."""
    return any(
        has_figures(value) if isinstance(value, Message) else isinstance(value, FIGURES)
        for value in dict(message.args).values()
    )


def _part(finding: object, name: str) -> object:
    for step in name.split("."):
        finding = getattr(finding, step, None)
    return finding


def _is_hidden(value: object) -> bool:
    """Say whether a figure is hidden, or all figures of a part are."""
    if is_dataclass(value):
        held = [getattr(value, field.name) for field in fields(value) if export_of(field) != "setting"]
        return bool(held) and all(map(_is_hidden, held))
    if isinstance(value, pd.DataFrame):
        return value.empty
    return value is None or (isinstance(value, tuple) and all(map(_is_hidden, value)))
