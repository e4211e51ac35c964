"""What a kind of remedy is: one frozen object, from the part of a plan to the lines on the command line.

A package ``fairaudit/remedies/<kind>/`` holds all that is particular to a kind; its ``plan.py`` names the functions,
and :mod:`fairaudit.remedies.registry` lists the kinds. Everything else asks the object and not for the class of a plan.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fairaudit.late import Late
from fairaudit.plan.parts import Part


def same(plan: Part) -> Part:
    """Return the plan itself."""
    return plan


def nothing(*_: Any, **__: Any) -> tuple[Any, ...]:
    """Return nothing to show."""
    return ()


def no_change(*_: Any, **__: Any) -> dict[str, Any]:
    """Return no field that is shown otherwise."""
    return {}


def always(*_: Any, **__: Any) -> bool:
    """Say yes."""
    return True


def never(*_: Any, **__: Any) -> bool:
    """Say no."""
    return False


def no_model(plan: Part) -> None:
    """Name no model."""


def allow(plan: Part) -> None:
    """Refuse nothing."""


WITHOUT_FIGURES = Late("fairaudit.disclosure.hidden:without_figures")


def without_amounts(details: Any, shared: Callable[[float], float | None]) -> Any:
    """Return details without any figure, so that none has to be shared by several people."""
    return WITHOUT_FIGURES(details)


@dataclass(frozen=True)
class OnAmounts:
    """What a kind does where the decision is an amount. What it does not say hides more, as in :class:`RemedyKind`.

    Parameters
    ----------
    fit : callable
        ``(study, plan, name, known)`` -> generator of events that returns the `Candidate`.
    name : callable
        ``plan`` -> what it is called.
    check : callable
        ``plan`` -> None; raises ValueError for settings that need a good outcome.
    plain_model : callable
        As :attr:`RemedyKind.plain_model`.
    details : Late or None
        The class of what a fit found; None where there is nothing to say.
    hide : callable
        As :attr:`RemedyKind.hide`.
    done : callable
        ``(finding, facts)`` -> the sentence that says what was done.
    cautions : callable
        ``(finding, facts)`` -> sentences to keep in mind.
    tables : callable
        ``(finding, number)`` -> its tables beside those that all remedies have.
    result_blocks, search_blocks : callable
        ``(finding, facts, number, tables)`` -> its part of a report, before and after the tables that all have.
    command_lines : callable
        As :attr:`RemedyKind.command_lines`.
    definitions : callable
        As :attr:`RemedyKind.definitions`.
    with_shared_amounts : callable
        ``(details, shared)`` -> the same with each amount that people have rounded by `shared`, see
        :mod:`fairaudit.disclosure.means`; by default nothing stays.
    """

    fit: Late
    name: Late
    done: Late
    check: Callable[..., None] = allow
    plain_model: Callable[..., str | None] = no_model
    details: Late | None = None
    hide: Callable[..., dict[str, Any]] = no_change
    cautions: Callable[..., Any] = nothing
    tables: Callable[..., Any] = nothing
    result_blocks: Callable[..., Any] = nothing
    search_blocks: Callable[..., Any] = nothing
    command_lines: Callable[..., Any] = nothing
    definitions: Callable[..., tuple[tuple[str, str], ...]] = nothing
    with_shared_amounts: Callable[..., Any] = without_amounts


@dataclass(frozen=True)
class RemedyKind:
    """All that is particular to a kind of remedy.

    Defaults show nothing beside what all remedies show, and where small counts are hidden they hide most: a kind that
    may show more says so.

    Parameters
    ----------
    method : str
        Its name in a plan, such as "rules".
    plan : type
        Its part of a plan.
    noun : str
        What comes out, for sentences: "rule set".
    does : str
        What it does, in a sentence or two that need no word of statistics.
    fit : Late
        ``(study, plan, name, known)`` -> generator of events that returns the `Candidate`; `known` finds models that
        are fitted already, by their plan.
    name : Late
        ``plan`` -> what it is called where the plan gives no name.
    done : Late
        ``finding`` -> the sentences that say what was done.
    details : Late or None
        The class of what a fit found; each field says who may see it (:mod:`fairaudit.disclosure.fields`). None where
        there is nothing to say.
    on_amounts : OnAmounts or None
        What it does where the decision is an amount; None where it cannot be tried there.
    check : callable
        ``plan`` -> None; raises ValueError for settings that need a decision that is an amount.
    is_remedy : bool
        False for a model that is only there to compare with.
    has_score : bool
        Whether the model gives a score, so that it has an AUC.
    by_conditions : bool
        Whether the model decides by conditions that are shown, so that the figures of two could be subtracted to count
        who meets one and not the other: where they are close, those of the later one are hidden.
    other_rates : bool
        Whether it speaks of differences in other rates beside the gap, which is then named in full.
    marks_proxies : bool
        Whether columns that reveal the groups are marked one by one where the model uses them.
    says_stopped : bool
        Whether its own sentences say that a person stopped it.
    baseline : callable
        ``plan`` -> the plan without a constraint that it is compared with, where its fit keeps that model for others;
        itself where there is none. The one place that says so.
    plain_model : callable
        ``plan`` -> the plain model that a page fits before it, as it is put on that or compared with it; None where
        there is none, or where the fit of the remedy takes care of it. Fitted once, that serves all.
    changes_model : callable
        ``plan`` -> whether the model that it is compared with is of another kind, so that a part of the change may
        come from that.
    learns_known_groups : bool
        Whether it learns from people whose group is known alone.
    search_plan : callable
        ``plan`` -> a plan that is the same for all whose models are picked from one search.
    keeps_model : bool
        Whether its model can serve other remedies of the audit.
    group_columns : callable
        ``(plan, table)`` -> columns that say who is in which group, beside those of the study.
    cautions : callable
        ``finding`` -> sentences to keep in mind.
    tables : callable
        ``(finding, number)`` -> its tables beside those that all remedies have.
    joint_tables : callable
        ``findings`` of this kind -> tables that hold several of them.
    asked_blocks, result_blocks, search_blocks : callable
        ``(finding, facts, number, tables)`` -> its part of a report: what was asked, then what came out, both before
        the tables that all remedies have, and how it was found, after them. `tables` are by the end of their keys.
    command_lines : callable
        ``(finding, facts)`` -> lines on the command line, below that with accuracy and gap.
    definitions : callable
        Nothing -> words that its part of a report uses and what they mean, beside those that all remedies use.
    hide : callable
        ``(finding, minimum, hidden)`` -> fields of the details that are shown in part where small counts are hidden.
        What it does not name follows the declaration of the field.
    hide_plan : callable
        ``(finding, details)`` -> the plan as it is exported, given the details after hiding.
    counts_people : callable
        ``details``, after hiding -> whether they count who meets which condition.
    without_people : callable or None
        ``details`` -> the same without these counts, where another remedy shows its own: without any figure, if a kind
        does not say otherwise. None where they stay.
    """

    method: str
    plan: type[Part]
    noun: str
    fit: Late
    name: Late
    done: Late
    does: str = ""
    details: Late | None = None
    on_amounts: OnAmounts | None = None
    check: Callable[..., None] = allow
    is_remedy: bool = True
    has_score: bool = True
    by_conditions: bool = True
    other_rates: bool = False
    marks_proxies: bool = False
    says_stopped: bool = False
    baseline: Callable[..., Any] = same
    plain_model: Callable[..., str | None] = no_model
    changes_model: Callable[..., bool] = never
    learns_known_groups: bool = False
    search_plan: Callable[..., Any] = same
    keeps_model: bool = False
    group_columns: Callable[..., Any] = nothing
    cautions: Callable[..., Any] = nothing
    tables: Callable[..., Any] = nothing
    joint_tables: Callable[..., Any] = nothing
    asked_blocks: Callable[..., Any] = nothing
    result_blocks: Callable[..., Any] = nothing
    search_blocks: Callable[..., Any] = nothing
    command_lines: Callable[..., Any] = nothing
    definitions: Callable[..., tuple[tuple[str, str], ...]] = nothing
    hide: Callable[..., dict[str, Any]] = no_change
    hide_plan: Callable[..., Part] | None = None
    counts_people: Callable[..., bool] = always
    without_people: Callable[..., Any] | None = WITHOUT_FIGURES
