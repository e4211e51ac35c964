"""All models of an audit side by side, what they can be compared by, and which of them go into the report."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
import streamlit as st

from fairaudit.errors import require
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Share
from fairaudit.measure.limits import amount_digits
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.roles import outcome_of
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.remedies.plain.plan import AMOUNT_MODELS, PlainPlan
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.sections.compare import read_comparison, say_comparison
from fairaudit.sections.compare.charts import (
    FrontierAxes,
    compare_chart,
    compare_chart_text,
    compare_chart_title,
    frontier_chart,
    frontier_chart_text,
)
from fairaudit.sections.compare.models import (
    GAP_LABELS,
    amount_frontier_rows,
    amount_summary_table,
    frontier_rows,
    judged,
    letters,
    measure_words,
    past_line,
    past_size,
    summary_table,
)
from fairaudit.study.amounts.findings import AmountRemediesFinding
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.divided import DividedRows
from fairaudit.study.findings import RemediesFinding, RemedyFinding, plan_key
from fairaudit.study.fitting import prediction_in_use
from fairaudit.study.judging import GOOD, MEASURES
from fairaudit.study.judging.results import Evaluation, Yardstick
from fairaudit.study.rows import Study
from ui.check.questions import asked_of_models, show_asked
from ui.frame import next_step
from ui.manual import offer_manual
from ui.remedies.registry import PLAIN, page_of
from ui.remedies.trying import (
    all_numbers_of,
    in_bold,
    names_of,
    numbered_name,
    offer_look,
    plans_of,
    start_fit,
    tick_key,
    tick_report,
)
from ui.result import show_caution, show_chart, show_said, show_table, show_wide_and_narrow
from ui.state import AuditState
from ui.steps import CHOOSER
from ui.text import literal, stated
from ui.widgets import start

# All models of an audit side by side, whatever they predict: the answer, and what stands behind *More*.


@dataclass(frozen=True, kw_only=True)
class ComparedModels:
    """How well each model does against how far apart it leaves the groups, and all their figures."""

    rows: pd.DataFrame  # a point a model, as of `frontier_rows`
    axes: FrontierAxes
    points: dict[str, str] = field(default_factory=dict)  # what points are called that are no remedies, by their names


def current_findings(state: AuditState) -> list[tuple[Any, str]]:
    """Return what was found by all models that are fitted to the present rows, each with its name."""
    names = names_of(state)
    current = {key: one.candidate.finding for key, one in state.fitted.items() if state.is_current(one)}
    return [(finding, names[key]) for key, finding in current.items()]


def is_answered(state: AuditState) -> bool:
    """Whether any remedy is made from the present rows."""
    return state.decision is not None and state.models is not None and any(map(state.is_current, state.fitted.values()))


def numbered(state: AuditState, rows: pd.DataFrame) -> pd.DataFrame:
    """Give models their numbers, and letters to what they are compared with."""
    numbers, free = _numbers_by_name(state), map(letters, itertools.count())
    return rows.assign(number=[str(numbers.get(name) or next(free)) for name in rows["name"]])


def _numbers_by_name(state: AuditState) -> dict[str, int]:
    numbers = all_numbers_of(state)
    return {name: numbers[key] for key, name in names_of(state).items()}


def show_context(state: AuditState, findings: RemediesFinding | AmountRemediesFinding) -> None:
    """Draw on how many people all models are tested, and the way to the manual."""
    n = findings.facts.n_held_out
    with st.container(horizontal=True, vertical_alignment="center", key="result_about"):
        if n is not None:
            show_asked(Message("compare-context", {"n": Count(n)} | asked_of_models(state)))
        offer_manual()


def show_answer(state: AuditState, findings: RemediesFinding | AmountRemediesFinding) -> None:
    """Draw which remedies meet the limit, and all of them on its band."""
    known = _numbers_by_name(state)
    numbers = [known[remedy.name] for remedy in findings.remedies]
    said = say_comparison(findings, numbers)
    show_said(said)
    if read_comparison(findings).rows:
        show_wide_and_narrow(
            compare_chart(findings, numbers),
            compare_chart(findings, numbers, narrow=True),
            title=compare_chart_title(findings),
            description=compare_chart_text(findings, numbers),
        )
    show_caution(said)


def show_figures(state: AuditState, table: TableBlock, columns: tuple[str, ...], legend: str = "") -> None:
    """Draw the figures of all models, with what they are compared with; the first column numbers them."""
    st.subheader(stated("compare-more-figures"), anchor=False)
    numbers, names = _numbers_by_name(state), [column.name for column in table.columns]
    number, model = names.index(columns[0]), names.index("model")
    written = str if table.columns[number].kind == "text" else int
    rows = (
        (*row[:number], written(numbers[row[model]]), *row[number + 1 :]) if row[model] in numbers else row
        for row in table.rows
    )
    show_table(replace(table, rows=tuple(rows)), columns=columns)
    if legend:
        st.caption(literal(legend, limit=900))


def show_trade(findings: RemediesFinding | AmountRemediesFinding, compared: ComparedModels) -> None:
    """Draw all models as points: how well each does, and how far apart it leaves the groups."""
    rows = compared.rows
    if rows.empty:
        st.info(stated("compare-trade-none"))
        return
    points = {finding.name: page_of(finding.plan.method).point for finding in findings.remedies} | compared.points
    short = rows.assign(name=[points.get(name, PLAIN.point) for name in rows["name"]])
    show_chart(
        frontier_chart(short, compared.axes),
        description=frontier_chart_text(rows, compared.axes),
        note=say(Message("compare-computed-beaten")),
    )


# All models of a decision with a good outcome: what they can be compared by.

SHARE_GAPS = tuple(measure for measure in MEASURES if measure not in GOOD)
SHARE_COLUMNS = (
    "number",
    "model",
    "accuracy",
    "balanced_accuracy",
    "auc",
    "gap",
    "tpr_gap",
    "fpr_gap",
    "worse_off",
    "needs_group",
)


POINTS = {
    "constant": "same for all",
    "plain": "no remedy",
    "shifted": "one threshold",
    "by_group": "by group",
    "shifted_closer": "one threshold",
    "by_group_closer": "by group",
}
"""What points of the chart are called that stand for simple rules."""


def findings_of_shares(state: AuditState, study: Study) -> RemediesFinding:
    """Return what is known of all models that are fitted to the present rows, each named once."""
    return RemediesFinding(study.facts, tuple(_named(finding, name) for finding, name in current_findings(state)))


def _named(finding: RemedyFinding, name: str) -> RemedyFinding:
    """Give a model its name; a plain model that it is compared with is not to be counted twice."""
    before = finding.before
    before = replace(before, name=naming.capital(before.name) if finding.plan.is_remedy else name)
    yardsticks = tuple(replace(each, name=_called(each)) for each in finding.yardsticks)
    after = replace(finding.after, name=name)
    return replace(finding, name=name, before=before, after=after, yardsticks=yardsticks)


def _called(simple: Yardstick) -> str:
    """Name a simple rule; one with another threshold by that, and by its share of favourable results."""
    name, errors = naming.capital(simple.name), None if simple.evaluation is None else simple.evaluation.errors
    if not simple.kind.startswith("shifted") or errors is None:
        return name
    counts = errors.counts[["tp", "fp", "tn", "fn"]].sum()
    good = counts[["tp", "fp"] if errors.positive == "favorable" else ["tn", "fn"]].sum() / counts.sum()
    at: dict[str, Argument] = {"name": Phrase(name), "share": Share(good)}
    at["threshold"] = Amount(require(simple.threshold), 3)
    return say(Message("compare-simple-at", at))


def _in_use(state: AuditState, study: Study) -> tuple[Evaluation | None, str]:
    """Return the prediction that the data hold, judged, and what is to be known of it."""
    if state.prediction is None:
        return None, ""
    condition = outcome_of(state.present_table, state.prediction).condition
    key = (state.study_key, state.prediction)
    found = state.remember("in_use", key, lambda: prediction_in_use(study, state.present_table, condition))
    if found is None:
        return None, say(Message("compare-in-use-missing"))
    return found, say(Message("compare-in-use"))


def choose_comparison_of_shares(state: AuditState, _study: Study, findings: RemediesFinding) -> ComparedModels:
    """Draw by which two measures models are compared, and return what these give."""
    left, right = st.columns(2)
    x = left.selectbox(
        "How well",
        GOOD,
        format_func=measure_words,
        key=start("compare_x", "accuracy"),
    )
    y = right.selectbox(
        "How far apart",
        SHARE_GAPS,
        format_func=measure_words,
        key=start("compare_y", "gap"),
    )
    simple = {name: model.kind for name, model, _ in judged(findings) if isinstance(model, Yardstick)}
    return ComparedModels(
        rows=numbered(state, frontier_rows(findings, x, y)),
        axes=FrontierAxes(
            measure_words(x),
            naming.capital(GAP_LABELS[y]),
            past=past_size(findings.facts) if y == "gap" else None,
            past_words=past_line(findings.facts),
        ),
        points={name: POINTS[kind] for name, kind in simple.items()},
    )


def show_figures_of_shares(state: AuditState, study: Study, findings: RemediesFinding) -> None:
    """Draw the figures of all models, and of the prediction that is in use."""
    in_use, legend = _in_use(state, study)
    show_figures(state, summary_table(findings, in_use), SHARE_COLUMNS, legend)


def offer_models_of_shares(state: AuditState, study: Study) -> None:
    """Draw nothing: the plain models that remedies build on are fitted with these."""


# All models of an amount: what they can be compared by, and the plain models to compare with.

ERROR = "Mean absolute error"
AMOUNT_GAPS = {
    "difference": "Difference of mean predictions",
    "didi": "DIDI of predictions",
    "dtdi": "DTDI of predictions",
}
"""What a model can be drawn by, beside its error."""

AMOUNT_COLUMNS = ("remedy", "model", "mae", "mae_interval", "r2", "difference", "difference_interval", "didi", "dtdi")


def findings_of_amounts(state: AuditState, study: AmountStudy) -> AmountRemediesFinding:
    """Return what is known of all models that are fitted to the present rows, each named once."""
    named = (
        replace(finding, name=name, after=replace(finding.after, name=name))
        for finding, name in current_findings(state)
    )
    return AmountRemediesFinding(study.facts, tuple(named))


def choose_comparison_of_amounts(
    state: AuditState, _study: AmountStudy, findings: AmountRemediesFinding
) -> ComparedModels:
    """Draw how far apart models leave the groups, in which sense, and return what that gives beside their errors."""
    y = st.selectbox(
        "How far apart",
        [*AMOUNT_GAPS],
        format_func=AMOUNT_GAPS.__getitem__,
        key=start("compare_amount_y", "difference"),
    )
    digits = amount_digits(findings.facts.deviation)
    return ComparedModels(
        rows=numbered(state, amount_frontier_rows(findings, y)),
        axes=FrontierAxes(ERROR, AMOUNT_GAPS[y], digits=digits),
    )


def show_figures_of_amounts(state: AuditState, _study: AmountStudy, findings: AmountRemediesFinding) -> None:
    """Draw the figures of all models."""
    show_figures(state, amount_summary_table(findings), AMOUNT_COLUMNS)


def offer_models_of_amounts(state: AuditState, study: AmountStudy) -> None:
    """Draw the button that fits the plain models to compare with, where they are not there yet."""
    plans = [PlainPlan(model=name) for name in AMOUNT_MODELS]
    lacking = [plan for plan in plans if state.find_current(plan) is None and not state.find_fit(plan)]
    if lacking and st.button(
        "Add models without the remedy",
        key="compare_plain",
        help="A linear regression, and the same amount for all.",
    ):
        for plan in lacking:
            start_fit(state, study, plan, keep=False)
        st.rerun()


# Which models go into the report, what can be done with each, and where to go from there.


def show_entries(state: AuditState, study: DividedRows) -> None:
    """Draw each model with its place in the report, and what can be done with it; fit again what is out of date."""
    plans = plans_of(state)
    if not plans:
        return
    absent = {key: said for key, plan in plans.items() if (said := absence(state, plan)) is not None}
    waiting = {plan_key(plan) for plan in _waiting(state)}
    for position, (key, plan) in enumerate(plans.items()):
        with st.container(border=True, key=f"compare_card_{position}"):
            st.markdown(in_bold(numbered_name(state, plan)))
            if key in absent:
                st.caption(literal(absent[key]))
            _card(state, study, plan, position, fit=key in waiting)


def offer_missing(state: AuditState, study: DividedRows, *, first: bool = False) -> bool:
    """Draw the button that makes what is not made, the `first` of a page or not; say whether there is any."""
    waiting = _waiting(state)
    if not waiting:
        return False
    label = say(Message("compare-make", {"n": Count(len(waiting))}))
    if st.button(literal(label), key="compare_fit_all", type="primary" if first else "secondary"):
        for plan in waiting:
            _fit(state, study, plan)
        st.rerun()
    return True


def _waiting(state: AuditState) -> list[RemedyPlan]:
    """Return the remedies that are neither made with these data and settings nor being made."""
    return [plan for plan in plans_of(state).values() if absence(state, plan) is not None and not state.find_fit(plan)]


def _card(state: AuditState, study: DividedRows, plan: RemedyPlan, position: int, *, fit: bool) -> None:
    """Draw what can be done with one model."""
    with st.container(horizontal=True, vertical_alignment="center"):
        # By its place, a browser would answer for the one that stood there before another was made.
        tick_report(state, plan, "In the report", key=f"compare_{tick_key(plan)}")
        label = "Make it" if state.find_fitted(plan) is None else "Make it again"
        if fit and st.button(label, key=f"compare_fit_{position}"):
            _fit(state, study, plan)
            st.rerun()
        offer_look(state, plan, key=f"compare_open_{position}")
        st.button("Remove", key=f"compare_remove_{position}", on_click=remove, args=(state, plan))


def _fit(state: AuditState, study: DividedRows, plan: RemedyPlan) -> None:
    start_fit(state, study, plan, keep=state.find_entry(plan) is not None)


def absence(state: AuditState, plan: RemedyPlan) -> str | None:
    """Return what keeps a model out of the comparison, in words; None where nothing does."""
    if state.find_current(plan) is not None:
        return None
    fit = state.find_fit(plan)
    if fit is not None:
        return say(Message("compare-being-made"))
    return say(Message("compare-not-made" if state.find_fitted(plan) is None else "compare-out-of-date"))


def none_made(state: AuditState) -> str:
    """Return why there is nothing to compare: nothing was tried, or what is kept is not made with these data."""
    n = len(plans_of(state))
    return say(Message("learn-kept", {"n": Count(n)}) if n else Message("compare-none-made"))


def remove(state: AuditState, plan: RemedyPlan) -> None:
    """Forget a model: it is neither compared nor in the report."""
    state.leave(plan)
    state.fitted.pop(plan_key(plan), None)
    if state.shown.get(plan.method) == plan_key(plan):
        del state.shown[plan.method]


def show_next(state: AuditState, study: DividedRows, *, is_answered: bool) -> None:
    """Draw where to go from here: where nothing is compared yet, making what is kept comes first."""
    with st.container(horizontal=True, vertical_alignment="center", key="compare_ways"):
        makes = not is_answered and offer_missing(state, study, first=True)
        next_step("pages/4_Report.py", "Go to the report", first=not makes)
        next_step(CHOOSER, "Try another remedy")


# What the page Compare asks, by the kind of the decision.


@dataclass(frozen=True, kw_only=True)
class CompareViews:
    """What the page finds and draws of models of decisions of one kind.

    Parameters
    ----------
    findings : callable
        ``(state, study)`` -> what was found by all models.
    comparison : callable
        ``(state, study, findings)`` -> how they are compared, with the choice drawn.
    figures : callable
        ``(state, study, findings)``: draws the figures of all models.
    offer_models : callable
        ``(state, study)``: draws what fits models to compare with.
    """

    findings: Callable[[AuditState, Any], Any]
    comparison: Callable[[AuditState, Any, Any], ComparedModels]
    figures: Callable[[AuditState, Any, Any], None]
    offer_models: Callable[[AuditState, Any], None]


COMPARE_VIEWS: dict[OutcomeKind, CompareViews] = {
    SHARES: CompareViews(
        findings=findings_of_shares,
        comparison=choose_comparison_of_shares,
        figures=show_figures_of_shares,
        offer_models=offer_models_of_shares,
    ),
    AMOUNTS: CompareViews(
        findings=findings_of_amounts,
        comparison=choose_comparison_of_amounts,
        figures=show_figures_of_amounts,
        offer_models=offer_models_of_amounts,
    ),
}
