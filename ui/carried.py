"""What becomes of the choices of an audit where another table is brought: they stay where they fit, else go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairaudit.conditions.correcting import lacking_values
from fairaudit.data import Table
from fairaudit.errors import ConditionError, ConnectError, FairauditError, StoppedError, quote, require
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.parts import Part
from fairaudit.plan.questions import ABOUT_OPEN
from ui.entries import CarriedCondition, Wanted
from ui.session_audit import SessionAudit
from ui.text import condition_words

# What becomes of a filter and a protected group where another table is brought: they stay where they fit, else go.
#
# Both name values of the table that they were written for. On another table they may mean nothing, or leave nobody; so
# the page says what became of them, and one press takes that back.

MOST_VALUES = 200
"""Of a column with more values, it is not looked whether those of a filter are among them."""


def move_conditions(state: SessionAudit, before: Table) -> tuple[str, ...]:
    """Leave out filters and protected groups that do not fit the new table; the questions say which.

    A filter is left out wherever it is used, and a question beside others with its group. Returns a sentence for each
    question and follow-up that goes.
    """
    forget_amount_tolerance(state)
    table, checks = state.present_table, [entry.plan for entry in state.checks]
    follow_ups = [asked for kept in state.follow_ups.values() for asked in kept]
    models = [] if state.models is None else [state.models]
    draft = [] if state.subgroups_draft is None else [state.subgroups_draft]
    used = [part.where for part in (*checks, *follow_ups, *draft, *models)]
    of_group = {kind: kept for kind, kept in state.follow_ups.items() if any(map(_group_of, kept))}
    asking: list[Part] = [*checks, *models, *(asked for kept in of_group.values() for asked in kept)]
    used += [_group_of(part) for part in asking]
    with state.asking.raised():
        why = {text: misfit(table, text) for text in dict.fromkeys(used) if text}
    words = {text: condition_words(before, text) for text in why}

    def fitted(part: Any) -> Any:
        return part.model_copy(update={"where": None}) if why.get(part.where) else part

    gone = _leave_questions(state, why, words)
    for entry in state.checks:
        where, protected = entry.plan.where, entry.plan.protected
        filters = (CarriedCondition("where", where, why[where], words[where]),) if where else ()
        groups = (
            (CarriedCondition("protected", protected, why[protected], words[protected]),) if why.get(protected) else ()
        )
        entry.moved = (*filters, *groups)
        entry.undo, entry.where_typed = [where] if where and why[where] else [], None
        entry.plan = fitted(entry.plan)
        if groups:
            entry.plan, entry.protected_typed = entry.plan.model_copy(update={"protected": ""}), None
    for kept in state.follow_ups.values():
        kept[:] = map(fitted, kept)
    for search in draft:
        # A search for columns that are gone would ask another question; it is proposed anew.
        state.subgroups_draft = fitted(search) if search.named_columns <= table.columns.keys() else None
    if state.models is not None:
        state.models = fitted(state.models)
        if why.get(state.models.protected):
            gone.append(say(Message("moved-models", {"group": Phrase(words[state.models.protected])})))
            state.models = None
    for kind, kept in of_group.items():
        about = map(_group_of, kept)
        gone += [say(Message(f"moved-{kind}", {"group": Phrase(words[group])})) for group in about if why.get(group)]
        kept[:] = [asked for asked in kept if not why.get(_group_of(asked))]
    return tuple(gone)


def _group_of(part: Part) -> str:
    """Return who is protected in a part of a plan, as a condition; empty where it says nobody."""
    protected = getattr(part, "protected", "")
    return protected if isinstance(protected, str) else ""


def forget_amount_tolerance(state: SessionAudit) -> None:
    """Leave out the tolerances in the unit of an amount that is asked about no longer: they are proposed anew."""
    state.amount_column = ""
    for entry in state.checks:
        entry.plan = entry.plan.model_copy(update={"amount_tolerance": None, **ABOUT_OPEN})
    state.changes = [change.model_copy(update={"amount_tolerance": None}) for change in state.changes]


def _leave_questions(state: SessionAudit, why: dict[str, str], words: dict[str, str]) -> list[str]:
    """Leave out the questions without a group of the new table, all but one; return a sentence for each."""
    asked = [(entry, entry.plan.protected) for entry in state.checks]
    fitting = [entry for entry, protected in asked if protected and not why[protected]]
    kept = fitting or [state.checks[state.selected]]
    selected = state.checks[state.selected]
    gone = [
        say(Message("moved-question", {"group": Phrase(words[protected])}))
        for entry, protected in asked
        if protected and entry not in kept
    ]
    state.checks = kept
    state.selected = kept.index(selected) if selected in kept else 0
    return gone


def misfit(table: Table, text: str) -> str:
    """Return why a condition means nothing on a table; empty where it fits, or a database does not answer."""
    try:
        condition = require(table.condition(text))
        lacking = lacking_values(condition, lambda name: _all_values(table, name))
        if lacking:
            name, value = lacking[0]
            return say(Message("moved-value", {"value": Phrase(quote(str(value))), "column": Phrase(quote(name))}))
        if not table.count(condition):
            return say(Message("moved-no-row"))
    except (ConnectError, StoppedError):
        return ""
    except ConditionError as error:
        return f"{error.plain.rstrip('.')}."
    except FairauditError as error:
        return error.message
    return ""


def _all_values(table: Table, column: str) -> Sequence[Any] | None:
    values = table.common_values(column)
    return values if len(values) <= MOST_VALUES else None


# What becomes of the remedies of an audit where another table is brought: they stay where all they rest on does.


def basis(state: SessionAudit) -> tuple[object, ...]:
    """Return what remedies rest on: the decision, the score, and who is protected."""
    models = state.models
    return state.decision, state.score, None if models is None else (models.protected, models.where, models.by)


def leave_remedies(state: SessionAudit, before: tuple[object, ...]) -> tuple[str, ...]:
    """Leave out all remedies where what they rest on is not as `before`, and return a sentence that says so.

    Whether the decision may use the group is a question of law, which is asked again of other decisions.
    """
    if basis(state) == before:
        return ()
    n, was_asked, state.wanted = len(state.remedies), state.wanted != Wanted(), Wanted()
    state.remedies.clear()
    state.shown.clear()
    # Limits that do not fit are said, and kept to be put right.
    state.settings = {place: offered for place, offered in state.settings.items() if place[0] == "constrain"}
    if not n:
        return (say(Message("moved-asked-again")),) if was_asked else ()
    return (
        say(Message("moved-remedies", {"n": Count(n)})),
        *((say(Message("moved-asked-again")),) if was_asked else ()),
    )
