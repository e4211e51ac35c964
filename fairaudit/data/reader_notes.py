"""Sentences that all readers share."""

from __future__ import annotations

from collections.abc import Sequence

from fairaudit.columns import DecimalMark
from fairaudit.data.kinds import DAYS, Form, mark_of_form
from fairaudit.data.load import Loaded
from fairaudit.disclosure.said import remark, remarks
from fairaudit.errors import DataError, quote
from fairaudit.findings import Argument, Count, Message, Phrase


def no_rows(n_columns: int) -> DataError:
    """Return the error for a table without rows."""
    columns = "1 column name" if n_columns == 1 else f"{n_columns:,} column names"
    return DataError(
        f"The file has {columns} but no rows.",
        hint="Choose a file with at least one row, or say that the first line is data.",
    )


def one_column(n_columns: int) -> tuple[str, ...]:
    """Return a note where a table has a single column."""
    if n_columns > 1:
        return ()
    return (remark(Message("read-one-column"), "setting"),)


def written_notes(names: Sequence[str], loaded: Loaded) -> tuple[str, ...]:
    """Return which columns were read as days by their dots, and which numbers could have been meant otherwise."""
    by_form: dict[Form, list[str]] = {}
    for name, form in zip(names, loaded.forms, strict=True):
        by_form.setdefault(form, []).append(name)
    dotted = [name for form in DAYS[None] for name in by_form.get(form, ())]
    notes = []
    if dotted:
        notes.append(Message("read-days", {"columns": _listed(dotted)}))
    marks: dict[DecimalMark | None, list[str]] = {}
    for name, form in zip(names, loaded.forms, strict=True):
        marks.setdefault(mark_of_form(form), []).append(name)
    if "." in marks and "," in marks:
        notes.append(Message("read-marks", {"commas": _listed(marks[","]), "points": _listed(marks["."])}))
    return remarks(notes, "setting")


def _listed(names: list[str]) -> Argument:
    named, more = Phrase(", ".join(quote(name, limit=40) for name in names[:8])), len(names) - 8
    return Message("names-more", {"names": named, "n": Count(more)}) if more > 0 else named
