"""What may not be known of groups and decisions, and rows that add others up: found once for what is selected."""

from __future__ import annotations

from collections.abc import Callable

from fairaudit.errors import FairauditError, require
from fairaudit.measure.not_known import NotKnown, groups_not_known, totals_not_known
from fairaudit.sections.check.answering import outcome_not_known
from ui.frame import group_sizes
from ui.state import AuditState


def groups_of(state: AuditState) -> tuple[NotKnown, ...]:
    """Return what is found in the columns that the protected condition names, with or without a decision."""
    check = state.check

    def find() -> tuple[NotKnown, ...]:
        table = state.present_table
        return groups_not_known(
            table,
            require(table.condition(check.protected)),
            sizes=group_sizes(state)[:2],
            where=table.condition(check.where),
        )

    return _found(state, "groups_not_known", (check.where, check.protected), find)


def decisions_of(state: AuditState) -> tuple[NotKnown, ...]:
    """Return what is found in the decision column, among the rows that the filter of the selected question keeps."""
    decision, where = state.decision, state.check.where
    if decision is None:
        return ()

    def find() -> tuple[NotKnown, ...]:
        return outcome_not_known(state.present_table, decision, state.present_table.condition(where))

    return _found(state, "decisions_not_known", (where, decision), find)


def totals_of(state: AuditState) -> tuple[NotKnown, ...]:
    """Return the rows that add others up, in any column of texts but the decision; none of a database."""
    table, where = state.present_table, state.check.where
    decided = None if state.decision is None else state.decision.column

    def find() -> tuple[NotKnown, ...]:
        apart = () if decided is None else (decided,)
        return totals_not_known(table, apart=apart, where=table.condition(where))

    return _found(state, "totals", (where, decided), find)


def _found(state: AuditState, kind: str, key: tuple, find: Callable[[], tuple[NotKnown, ...]]) -> tuple[NotKnown, ...]:
    try:
        return state.remember(kind, key, find)
    except FairauditError:
        # What is wrong with the filter or the decision is said where they are chosen.
        return ()
