"""What a session keeps in lists, such as its questions and remedies, and what becomes of it with another table."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from fairaudit.conditions.correcting import lacking_values
from fairaudit.data import ReadOptions, Table
from fairaudit.errors import (
    ConditionError,
    ConnectError,
    FairauditError,
    StoppedError,
    TwoReadings,
    expect,
    quote,
    sure,
)
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.outcomes import OutcomeKind
from fairaudit.plan import CheckPlan, OutcomePlan, ScorePlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.questions import InspectionPlan, SubgroupsPlan
from fairaudit.remedies.plans import REMEDY_PLANS, RemedyPlan
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts
from ui.text import condition_words

if TYPE_CHECKING:
    from fairaudit.study.fitting import Candidate


# What becomes of a filter and a protected group where another table is brought: they stay where they fit, else go.
#
# Both name values of the table that they were written for. On another table they may mean nothing, or leave nobody; so
# the page says what became of them, and one press takes that back.

MOST_VALUES = 200
"""Of a column with more values, it is not looked whether those of a filter are among them."""


@dataclass(frozen=True)
class CarriedCondition:
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
        filters = (CarriedCondition("where", where, why[where], words[where]),) if where else ()
        groups = (
            (CarriedCondition("protected", protected, why[protected], words[protected]),) if why.get(protected) else ()
        )
        entry.moved = (*filters, *groups)
        entry.undo, entry.where_typed = [where] if where and why[where] else [], None
        entry.plan = fitted(entry.plan)
        if groups:
            entry.plan, entry.protected_typed = entry.plan.model_copy(update={"protected": ""}), None
    for name in lists:
        setattr(state, name, [fitted(part) for part in getattr(state, name)])
    if (draft := state.subgroups_draft) is not None:
        # A search for columns that are gone would ask another question; it is proposed anew.
        is_whole = {*draft.columns, *draft.protected} <= set(state.table.columns)
        state.subgroups_draft = fitted(draft) if is_whole else None
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
        condition = sure(table.condition(text))
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


# What a session keeps in lists: its questions, its remedies, what was fitted, and what is being fitted.


@dataclass
class CheckEntry:
    """One question of the audit, whether its answer goes into the report, and its earlier filters.

    ``where_typed`` and ``protected_typed`` are what was written last on the page Groups and is not in use, to be
    corrected; None where what is in use was written last. ``cuts_typed`` holds the same of the cuts of
    bands, by column. ``moved`` says what became of its conditions when another table was brought.
    """

    plan: CheckPlan = field(default_factory=lambda: CheckPlan(protected=""))
    in_report: bool = True
    undo: list[str] = field(default_factory=list)
    where_typed: str | None = None
    protected_typed: str | None = None
    cuts_typed: dict[str, str] = field(default_factory=dict)
    moved: tuple[CarriedCondition, ...] = ()


@dataclass
class RemedyEntry:
    """One remedy that the person keeps, whether it goes into the report, and whether a person has said so."""

    plan: RemedyPlan
    in_report: bool = True
    by_hand: bool = False


@dataclass(frozen=True)
class Wanted:
    """What a remedy may and must be: whether it may use the group, must give a score, and must be read by people.

    None stands for what has not been said.
    """

    may_use_group: bool | None = None
    needs_score: bool | None = None
    must_be_read: bool | None = None


@dataclass(frozen=True, eq=False)
class Fitted:
    """A remedy that was fitted, the ``study_key`` of the rows that it was fitted to, and the facts about those."""

    candidate: Candidate
    study_key: str
    facts: StudyFacts | AmountStudyFacts

    @property
    def of_shares(self) -> tuple[RemedyFinding, StudyFacts]:
        """What was found and the facts, where shares are compared."""
        return expect(RemedyFinding, self.candidate.finding), expect(StudyFacts, self.facts)

    @property
    def of_amounts(self) -> tuple[AmountRemedyFinding, AmountStudyFacts]:
        """What was found and the facts, where means of amounts are compared."""
        return expect(AmountRemedyFinding, self.candidate.finding), expect(AmountStudyFacts, self.facts)

    @property
    def outcome(self) -> OutcomeKind:
        """The kind of decision that it predicts."""
        return self.facts.outcome


@dataclass(frozen=True)
class FitRequest:
    """What a job of this session fits: what its ``about`` holds. `keep` makes the result an entry of the audit."""

    plan: RemedyPlan
    study_key: str
    facts: StudyFacts | AmountStudyFacts
    keep: bool

    @property
    def outcome(self) -> OutcomeKind:
        """The kind of decision that it is to predict."""
        return self.facts.outcome


@dataclass(frozen=True)
class Search:
    """A question that a job of this session answers, such as a search for subgroups, and what it depends on."""

    plan: SubgroupsPlan | InspectionPlan
    key: str


@dataclass(frozen=True)
class Pressed:
    """A press on the button that fits, until that has begun: who leaves a page at once must not lose it.

    ``page`` is where the button was drawn, ``asked`` what the settings were then, and ``begin`` begins the fit.
    """

    page: str | None
    asked: str
    begin: Callable[[], object]


@dataclass(frozen=True)
class AskedFile:
    """A file that is not read before the person has said how its numbers are meant.

    Parameters
    ----------
    source : str
        Its name.
    content : bytes or None
        What it holds; None where it lies in the administrator's folder.
    options : ReadOptions
        How it was to be read.
    columns : tuple of TwoReadings
        The columns that can be read in two ways.
    key : str
        What widgets of this question are called by.
    """

    source: str
    content: bytes | None
    options: ReadOptions
    columns: tuple[TwoReadings, ...]
    key: str = field(default_factory=lambda: uuid.uuid4().hex)


# What becomes of the remedies of an audit where another table is brought: they stay where all they rest on does.


class Trying(Protocol):
    """The part of a session's audit that is about remedies: see :class:`ui.state.AuditState`."""

    decision: OutcomePlan | None
    score: ScorePlan | None
    models: ModelsPlan | None
    remedies: list[RemedyEntry]
    drafts: dict[str, Any]
    shown: dict[str, str]
    wanted: Wanted


def basis(state: Trying) -> tuple[object, ...]:
    """Return what remedies rest on: the decision, the score, and who is protected."""
    models = state.models
    return state.decision, state.score, None if models is None else (models.protected, models.where, models.by)


def leave_remedies(state: Trying, before: tuple[object, ...]) -> tuple[str, ...]:
    """Leave out all remedies where what they rest on is not as `before`, and return a sentence that says so.

    Whether the decision may use the group is a question of law, which is asked again of other decisions.
    """
    if basis(state) == before:
        return ()
    n, was_asked, state.wanted = len(state.remedies), state.wanted != Wanted(), Wanted()
    state.remedies.clear()
    state.shown.clear()
    # Limits that do not fit are said, and kept to be put right.
    for place in [
        name for name in state.drafts if str(name).partition(" of ")[0] in REMEDY_PLANS.keys() - {"constrain"}
    ]:
        del state.drafts[place]
    if not n:
        return (say(Message("moved-asked-again")),) if was_asked else ()
    return (
        say(Message("moved-remedies", {"n": Count(n)})),
        *((say(Message("moved-asked-again")),) if was_asked else ()),
    )
