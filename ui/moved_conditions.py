"""What becomes of a filter and a protected group where another table is brought: they stay where they fit, else go.

Both name values of the table that they were written for. On another table they may mean nothing, or leave nobody; so
the page says what became of them, and one press takes that back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from fairaudit.conditions.correcting import lacking_values
from fairaudit.data import Table
from fairaudit.errors import ConditionError, ConnectError, FairauditError, StoppedError, quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan import CheckPlan
from ui.text import condition_words

MOST_VALUES = 200
"""Of a column with more values, it is not looked whether those of a filter are among them."""


@dataclass(frozen=True)
class Moved:
    """A condition of a question about the table before, why it was left out (empty: still in use), and its words."""

    part: Literal["where", "protected"]
    condition: str
    why: str = ""
    words: str = ""

    def is_so(self, plan: CheckPlan) -> bool:
        """Whether that is still so, as the question is now."""
        now = getattr(plan, self.part)
        return not now if self.why else now == self.condition


class Questions(Protocol):
    """The part of a session's audit that is about its conditions: see :class:`ui.state.AuditState`."""

    table: Any
    amount_column: str
    asking: Any
    checks: list[Any]
    selected: int
    subgroups_draft: Any
    explanations: list[Any]
    changes: list[Any]
    models: Any


def move_conditions(state: Questions, before: Table) -> tuple[str, ...]:
    """Leave out filters and protected groups that do not fit the new table; the questions say which.

    A filter is left out wherever it is used, and a question beside others with its group. Returns a sentence for each
    question and follow-up that goes.
    """
    forget_amount_tolerance(state)
    lists = ("errors", "subgroups", "explanations", "changes", "inspections")
    single = [part for part in (state.subgroups_draft, state.models) if part is not None]
    parts = [entry.plan for entry in state.checks] + [part for name in lists for part in getattr(state, name)]
    asking = [*(e.plan for e in state.checks), *state.explanations, *state.changes, *filter(None, [state.models])]
    used = [part.where for part in (*parts, *single)] + [part.protected for part in asking]
    with state.asking.raised():
        why = {text: misfit(state.table, text) for text in dict.fromkeys(used) if text}
    words = {text: condition_words(before, text) for text in why}

    def fitted(part: Any) -> Any:
        return part.model_copy(update={"where": None}) if why.get(part.where) else part

    gone = _leave_questions(state, why, words)
    for entry in state.checks:
        where, protected = entry.plan.where, entry.plan.protected
        filters = (Moved("where", where, why[where], words[where]),) if where else ()
        groups = (Moved("protected", protected, why[protected], words[protected]),) if why.get(protected) else ()
        entry.moved = (*filters, *groups)
        entry.undo, entry.where_typed = [where] if where and why[where] else [], None
        entry.plan = fitted(entry.plan)
        if groups:
            entry.plan, entry.protected_typed = entry.plan.model_copy(update={"protected": ""}), None
    for name in lists:
        setattr(state, name, [fitted(part) for part in getattr(state, name)])
    state.subgroups_draft = state.subgroups_draft and fitted(state.subgroups_draft)
    if state.models is not None:
        state.models = fitted(state.models)
        if why.get(state.models.protected):
            gone.append(say(Message("moved-models", {"group": Phrase(words[state.models.protected])})))
            state.models = None
    for name, key in (("explanations", "moved-explanation"), ("changes", "moved-change")):
        was = getattr(state, name)
        gone += [say(Message(key, {"group": Phrase(words[e.protected])})) for e in was if why[e.protected]]
        setattr(state, name, [each for each in was if not why[each.protected]])
    return tuple(gone)


def forget_amount_tolerance(state: Questions) -> None:
    """Leave out the tolerances in the unit of an amount that is asked about no longer: they are proposed anew."""
    state.amount_column = ""
    for entry in state.checks:
        entry.plan = entry.plan.model_copy(update={"amount_tolerance": None})
    state.changes = [change.model_copy(update={"amount_tolerance": None}) for change in state.changes]


def _leave_questions(state: Questions, why: dict[str, str], words: dict[str, str]) -> list[str]:
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
        condition = table.condition(text)
        lacking = lacking_values(condition, lambda name: _all_values(table, name))
        if lacking:
            name, value = lacking[0]
            return say(Message("moved-value", {"value": Phrase(quote(str(value))), "column": Phrase(quote(name))}))
        if not table.count(condition):
            return "No row of this table meets it."
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
