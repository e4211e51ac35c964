"""What becomes of the filters of an audit where another table is brought: each stays where it fits, else it goes.

A filter names values of the table that it was written for. On another table it may mean nothing, or leave nobody; so a
person is told what became of it, and takes that back with one press.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairaudit.conditions.correcting import lacking_values
from fairaudit.data import Table
from fairaudit.errors import ConnectError, FairauditError, StoppedError, quote

if TYPE_CHECKING:
    from ui.state import AuditState

MOST_VALUES = 200
"""Of a column with more values, it is not looked whether those of a filter are among them."""
_LISTS = ("errors", "subgroups", "explanations", "changes", "inspections")


@dataclass(frozen=True)
class MovedFilter:
    """A filter of the table before, and why it was left out; empty where it is in use on this table, too."""

    where: str
    why: str = ""


def move_filters(state: AuditState) -> None:
    """Leave out each filter that does not fit the new table, wherever the audit uses it; its questions know which."""
    parts = [entry.plan for entry in state.checks] + [part for name in _LISTS for part in getattr(state, name)]
    parts += [state.subgroups_draft] + ([] if state.models is None else [state.models])
    why = {where: _misfit(state, where) for where in dict.fromkeys(part.where for part in parts) if where}

    def fitted(part: Any) -> Any:
        return part.model_copy(update={"where": None}) if why.get(part.where) else part

    for entry in state.checks:
        where = entry.plan.where
        entry.moved = MovedFilter(where, why[where]) if where else None
        entry.undo, entry.where_typed = [where] if where and why[where] else [], None
        entry.plan = fitted(entry.plan)
    for name in _LISTS:
        setattr(state, name, [fitted(part) for part in getattr(state, name)])
    state.subgroups_draft = fitted(state.subgroups_draft)
    if state.models is not None:
        state.models = fitted(state.models)


def moved_filters(state: AuditState) -> tuple[MovedFilter, ...]:
    """Return what became of the filters, as long as nobody has changed them since."""
    said = [entry.moved for entry in state.checks if entry.moved is not None and _is_so(entry.moved, entry.plan.where)]
    return tuple(dict.fromkeys(said))


def turn_back(state: AuditState, moved: MovedFilter) -> None:
    """Put a filter back that was left out, or leave out one that was kept."""
    now = moved.where if moved.why else None
    for entry in state.checks:
        if entry.moved == moved and _is_so(moved, entry.plan.where):
            before = entry.plan.where
            entry.undo.append(before or "")
            entry.plan = entry.plan.model_copy(update={"where": now})
            state.errors = [e.model_copy(update={"where": now}) if e.where == before else e for e in state.errors]
            if state.models is not None and (state.models.protected, state.models.where) == (
                entry.plan.protected,
                before,
            ):
                state.models = state.models.model_copy(update={"where": now})


def _is_so(moved: MovedFilter, where: str | None) -> bool:
    return not where if moved.why else where == moved.where


def _misfit(state: AuditState, where: str) -> str:
    """Return why a filter means nothing on the new table; empty where it fits, or where that cannot be said."""
    table = state.table
    try:
        with state.asking.raised():
            condition = table.condition(where)
            lacking = lacking_values(condition, lambda name: _all_values(table, name))
            if lacking:
                name, value = lacking[0]
                return f"No row of this table has the value {quote(str(value))} in the column {quote(name)}."
            if not state.remember("count", where, lambda: table.count(condition)):
                return "No row of this table meets it."
    except (ConnectError, StoppedError):
        pass
    except FairauditError as error:
        return error.message
    return ""


def _all_values(table: Table, column: str) -> Sequence[Any] | None:
    values = table.common_values(column)
    return values if len(values) <= MOST_VALUES else None
