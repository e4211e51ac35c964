"""Both errors of each group with their ranges, and what may be read there."""

from __future__ import annotations

from typing import Any

from fairaudit.audit.result import ErrorsFinding
from fairaudit.findings import Message, Word
from fairaudit.messages import say
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import NOT_SHOWN
from fairaudit.sections.errors.reading import ErrorReading, GroupRate, read_errors


def standing_table(finding: ErrorsFinding, number: int) -> Table:
    """Return how often each group is wrongly flagged and wrongly missed, against the group that is named."""
    errors, has_hidden = read_errors(finding).errors, read_errors(finding).has_hidden
    columns = [ColumnSpec("group", say(Message("errors-column-group")), "text")]
    for error in errors:
        kind = {
            "error": Word(error.kind),
            "has_worst": Word("yes" if error.is_worst_known(has_hidden=has_hidden) else "no"),
        }
        columns += [
            ColumnSpec(error.kind, say(Message("errors-column-share", kind)), "share"),
            ColumnSpec(f"{error.kind}_range", say(Message("errors-column-range", kind)), "share_interval"),
            ColumnSpec(f"{error.kind}_n", say(Message("errors-column-of", kind)), "count"),
            ColumnSpec(f"{error.kind}_reading", say(Message("errors-column-reading", kind)), "text"),
        ]
    groups = [rate.group for rate in errors[0].groups]
    rows = tuple(
        (group, *(cell for error in errors for cell in _cells(error, group, has_hidden=has_hidden))) for group in groups
    )
    return Table(
        f"errors_{number}_standing",
        say(Message("errors-table")),
        tuple(columns),
        rows,
        note=say(Message("errors-table-note")),
    )


def _cells(error: ErrorReading, group: str, *, has_hidden: bool) -> tuple[Any, ...]:
    rate = error.rate_of(group)
    hidden = rate.n is None
    return (
        NOT_SHOWN if hidden else _or_nan(rate.share),
        (None, None) if hidden else (_or_nan(rate.low), _or_nan(rate.high)),
        NOT_SHOWN if hidden else rate.n,
        _reading(error, rate, has_hidden=has_hidden),
    )


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value


def _reading(error: ErrorReading, rate: GroupRate, *, has_hidden: bool) -> str:
    if rate.n is None:
        return say(Message("reading-not-shown"))
    if rate.is_few:
        return say(Message("reading-too-few-to-tell"))
    if rate.group == error.worse_off:
        known = error.is_worst_known(has_hidden=has_hidden)
        return say(Message("errors-reading-worst" if known else "errors-reading-reference"))
    return "" if rate.verdict is None else say(Message(f"reading-{rate.verdict.replace('_', '-')}"))
