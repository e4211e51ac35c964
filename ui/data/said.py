"""How the table was read, as a sentence: what most people got, or what is still to be said."""

from __future__ import annotations

import math

from fairaudit import Condition
from fairaudit.conditions.condition import values_left_out
from fairaudit.errors import ConnectError, FairauditError, StoppedError
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Said, Share, Word
from fairaudit.measure.not_known import NotKnown
from fairaudit.plan.naming import speaks_of_unfavorable, verb_of
from ui.data import counts, several_rows
from ui.data.roles import asks_direction
from ui.state import AuditState

_DIGITS = {100.0: 0, 1.0: 1}
"""Decimals of a mean from this size on; of a smaller one, three."""


def say_table(state: AuditState, not_known: tuple[NotKnown, ...]) -> Said:
    """Say what the decision column tells of all people, or ask what is not said yet."""
    asked = counts.counts_cases(state)
    n = asked + several_rows.is_open(state) + (state.decision is None) + len(not_known)
    verdict = Message("verdict-open-questions", {"n": Count(n)}) if n else Message("verdict-ready")
    if asked:
        return Said(verdict, Message("data-headline-cases"), (Message("data-lead-cases"),))
    if state.decision is None:
        if state.begun.get("decision") is None:
            return Said(verdict, Message("data-headline-decision"), (Message("data-lead-decision"),))
        if asks_direction(state):
            return Said(verdict, Message("data-headline-direction"), (Message("data-lead-direction"),))
        return Said(verdict, Message("data-headline-good"), (Message("data-lead-good"),))
    return Said(verdict, _headline(state), (Message("data-lead-read"),))


def _headline(state: AuditState) -> Message:
    decision = state.decision
    args: dict[str, Argument] = {"verb": verb_of(decision)}
    try:
        value = state.remember("all_people", (decision, state.check.where), lambda: _of_all(state))
    except (ConnectError, StoppedError):
        value = math.nan
    if not math.isfinite(value):
        return Message("data-headline-named", args)
    if decision.kind.has_good_outcome:
        return Message(
            "data-headline-share", args | {"share": Share(1 - value if speaks_of_unfavorable(decision) else value)}
        )
    digits = next((digits for size, digits in _DIGITS.items() if abs(value) >= size), 3)
    what = Phrase("" if decision.verb else decision.meaning or decision.column)
    better = Word("more" if decision.higher_is_favorable else "less")
    return Message("data-headline-amount", args | {"mean": Amount(value, digits), "what": what, "better": better})


def _of_all(state: AuditState) -> float:
    """Return the share with the favourable result, or the mean, of all rows that the filter does not call undecided."""
    table, decision = state.table, state.decision
    known = ~Condition.equals(decision.column, None, table.columns)
    if not decision.kind.has_good_outcome:
        moments = table.moments(decision.column, {"known": known}, where=known)
        n = moments["n"].sum()
        return float((moments["n"] * moments["mean"]).sum() / n) if n else math.nan
    if undecided := _undecided(state):
        known &= ~Condition.one_of(decision.column, undecided, table.columns)
    good = decision.kind.read(table, decision).condition
    frame = table.counts({"good": good}, where=known)
    n = frame["n"].sum()
    return float(frame.loc[frame["good"].fillna(False).astype(bool), "n"].sum() / n) if n else math.nan


def _undecided(state: AuditState) -> tuple:
    try:
        condition = state.table.condition(state.check.where or None)
    except FairauditError:
        return ()
    return () if condition is None else values_left_out(condition, state.decision.column)
