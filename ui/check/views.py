"""What the page Check draws, by the kind of the decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from ui.check import amounts, tabs, verdict
from ui.state import AuditState


@dataclass(frozen=True, kw_only=True)
class CheckViews:
    """What the page draws of an answer about decisions of one kind.

    Parameters
    ----------
    more : str
        What its third tab is called.
    show_settings : callable
        Draws tolerance and confidence, given the state.
    show_answer : callable
        Draws an answer, given the state: its exact figures, and what makes it doubtful.
    draw_groups : callable
        Draws one comparison of groups, given the answer, the comparison and its place from 1.
    draw_strata : callable
        Draws the strata of an answer.
    show_more : callable
        Draws the third tab, given the state and the answer.
    show_formula : callable
        Draws what the words of an answer mean, and the query that gives its figures.
    """

    more: str
    show_settings: Callable[[AuditState], None]
    show_answer: Callable[[AuditState, Any], None]
    draw_groups: Callable[[Any, Any, int], None]
    draw_strata: Callable[[Any], None]
    show_more: Callable[[AuditState, Any], None]
    show_formula: Callable[[Any], None]


CHECK_VIEWS: dict[OutcomeKind, CheckViews] = {
    SHARES: CheckViews(
        more="Explore",
        show_settings=verdict.show_settings,
        show_answer=verdict.show_answer,
        draw_groups=tabs.draw_comparison,
        draw_strata=tabs.draw_strata,
        show_more=tabs.show_explorer,
        show_formula=tabs.show_formula,
    ),
    AMOUNTS: CheckViews(
        more="Similar people",
        show_settings=amounts.show_settings,
        show_answer=amounts.show_answer,
        draw_groups=amounts.draw_groups,
        draw_strata=amounts.draw_strata,
        show_more=amounts.show_similar,
        show_formula=amounts.show_formula,
    ),
}
