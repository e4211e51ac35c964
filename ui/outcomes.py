"""The kinds of decisions as the app shows them: on the pages Check and Compare, and on every page of a remedy."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.late import Late
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind


@dataclass(frozen=True, kw_only=True)
class OutcomePage:
    """A kind of decision as the app shows it.

    Parameters
    ----------
    kind : OutcomeKind
        The kind.
    more : str
        What its third tab is called.
    show_settings : Late
        Draws tolerance and confidence, given the state.
    show_answer : Late
        Draws an answer, given the state: the verdict, its chart and table, and what makes it doubtful.
    draw_groups : Late
        Draws one comparison of groups, given the answer, the comparison and its place from 1.
    draw_strata : Late
        Draws the strata of an answer.
    show_more : Late
        Draws the third tab, given the state and the answer.
    show_formula : Late
        Draws what the words of an answer mean, and the query that gives its figures.
    tables, exact, groups, made : Late
        The tables of a fitted remedy; its exact figures and all groups, drawn; and how it was made, in sentences.
    findings, comparison : Late
        ``(state, study)`` -> what was found by all models; these -> how they are compared, with the choice drawn.
    figures : Late
        ``(state, study, findings)``: draws the figures of all models.
    offer_models : Late
        Draws what fits models to compare with, given the state and the rows.
    """

    kind: OutcomeKind
    more: str
    show_settings: Late
    show_answer: Late
    draw_groups: Late
    draw_strata: Late
    show_more: Late
    show_formula: Late
    tables: Late
    exact: Late
    groups: Late
    made: Late
    findings: Late
    comparison: Late
    figures: Late
    offer_models: Late


OUTCOMES = (
    OutcomePage(
        kind=SHARES,
        more="Explore",
        show_settings=Late("ui.check.verdict:show_settings"),
        show_answer=Late("ui.check.verdict:show_answer"),
        draw_groups=Late("ui.check.tabs:draw_comparison"),
        draw_strata=Late("ui.check.tabs:draw_strata"),
        show_more=Late("ui.check.tabs:show_explorer"),
        show_formula=Late("ui.check.tabs:show_formula"),
        tables=Late("ui.remedies.outcome:tables_of_shares"),
        exact=Late("ui.remedies.outcome:figures_of_shares"),
        groups=Late("ui.remedies.outcome:groups_of_shares"),
        made=Late("ui.remedies.outcome:made_of_shares"),
        findings=Late("ui.remedies.comparison:findings_of_shares"),
        comparison=Late("ui.remedies.comparison:choose_comparison_of_shares"),
        figures=Late("ui.remedies.comparison:show_figures_of_shares"),
        offer_models=Late("ui.remedies.comparison:offer_models_of_shares"),
    ),
    OutcomePage(
        kind=AMOUNTS,
        more="Similar people",
        show_settings=Late("ui.check.amounts:show_settings"),
        show_answer=Late("ui.check.amounts:show_answer"),
        draw_groups=Late("ui.check.amounts:draw_groups"),
        draw_strata=Late("ui.check.amounts:draw_strata"),
        show_more=Late("ui.check.amounts:show_similar"),
        show_formula=Late("ui.check.amounts:show_formula"),
        tables=Late("ui.remedies.outcome:tables_of_amounts"),
        exact=Late("ui.remedies.outcome:figures_of_amounts"),
        groups=Late("ui.remedies.outcome:groups_of_amounts"),
        made=Late("ui.remedies.outcome:made_of_amounts"),
        findings=Late("ui.remedies.comparison:findings_of_amounts"),
        comparison=Late("ui.remedies.comparison:choose_comparison_of_amounts"),
        figures=Late("ui.remedies.comparison:show_figures_of_amounts"),
        offer_models=Late("ui.remedies.comparison:offer_models_of_amounts"),
    ),
)


def page_of_outcome(kind: OutcomeKind) -> OutcomePage:
    """Return how a kind of decision is shown."""
    return next(page for page in OUTCOMES if page.kind is kind)
