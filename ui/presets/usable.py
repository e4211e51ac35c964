"""Which forms of an audit can be filled with the present table."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import PurePath

from fairaudit.errors import FairauditError, quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.presets import open_preset
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import names_file


def usable_forms(parts: Iterable[PresetPlan], columns: Collection[str]) -> tuple[list[PresetPlan], list[str]]:
    """Return the forms whose columns the table has, and a sentence for each of the others.

    A form in a file is not opened: a plan comes from the person at the browser, and must not say which files of the
    server are read.
    """
    usable, dropped = [], []
    for part in parts:
        gone = [name for names in part.columns.values() for name in names if name not in columns]
        if names_file(part.preset):
            dropped.append(say(Message("form-file-not-opened", {"name": Phrase(PurePath(part.preset).name)})))
        elif gone:
            lacking = {"column": Phrase(quote(gone[0])), "title": Phrase(part.title or part.preset)}
            dropped.append(say(Message("form-no-column", lacking)))
        else:
            usable.append(_with_digest(part))
    return usable, dropped


def _with_digest(part: PresetPlan) -> PresetPlan:
    """Return a form that records the office's file as it is, where the plan recorded none."""
    if part.file_digest is not None:
        return part
    try:
        return part.model_copy(update={"file_digest": open_preset(part.preset).digest})
    except FairauditError:
        # The page where it is drawn says that there is no such form.
        return part
