"""All models of an audit side by side: the frontier, the table, which go into the report, and fitting them again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from fairaudit.plan.amounts import goes_with
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.charts import parts
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.remedies.shared.chart_texts import GAP_LABELS, frontier_alt
from fairaudit.remedies.shared.charts import frontier_chart
from fairaudit.remedies.shared.tables import frontier_rows, remedies_summary_table
from fairaudit.remedies.shared.words import measure_words
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.findings import RemediesFinding, RemedyFinding
from fairaudit.study.judging import GOOD, MEASURES
from fairaudit.study.rows import Study
from fairaudit.study.trying import plan_key, remedy_name
from ui.charts import show_chart
from ui.frame import next_step
from ui.remedies.registry import REMEDIES, page_of, remedy_pages
from ui.remedies.trying import offer_look, show_fits, start_fit, tick_report
from ui.state import AuditState
from ui.tables import show_table
from ui.text import literal, shortened
from ui.widgets import start

LONGEST = 120
MOST_NAMED = 6
GAPS = tuple(measure for measure in MEASURES if measure not in GOOD)
COLUMNS = ("model", "accuracy", "balanced_accuracy", "auc", "gap", "tpr_gap", "fpr_gap", "needs_group", "unbeaten")


def show_running(state: AuditState) -> None:
    """Draw all fits that are under way, whatever the remedy, and those that failed."""
    for page in REMEDIES:
        show_fits(state, page.method)


def findings_of(state: AuditState, study: Study) -> RemediesFinding:
    """Return what is known of all models that are fitted to the present rows, each named once."""
    return RemediesFinding(study.facts, tuple(_named(finding, name) for finding, name in current_findings(state)))


def current_findings(state: AuditState) -> list[tuple[Any, str]]:
    """Return what was found by all models that are fitted to the present rows, each with its name."""
    names = names_of(state)
    current = {key: one.candidate.finding for key, one in state.fitted.items() if state.is_current(one)}
    return [(finding, names[key]) for key, finding in current.items()]


def names_of(state: AuditState) -> dict[str, str]:
    """Return the names of all models that are fitted or kept, by their ``plan_key``, no two alike."""
    amount = state.decision.amount
    names = {key: shortened(remedy_name(plan, amount=amount), LONGEST) for key, plan in _plans(state).items()}
    seen: dict[str, int] = {}
    for key, name in names.items():
        seen[name] = seen.get(name, 0) + 1
        names[key] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return names


def _plans(state: AuditState) -> dict[str, RemedyPlan]:
    """Return what is fitted, in the order of the fits, then what is kept and not fitted, of the kind of decision."""
    plans = {key: one.candidate.finding.plan for key, one in state.fitted.items()}
    plans |= {plan_key(entry.plan): entry.plan for entry in state.remedies}
    return {key: plan for key, plan in plans.items() if goes_with(plan, amount=state.decision.amount)}


def _named(finding: RemedyFinding, name: str) -> RemedyFinding:
    """Give a model its name; thresholds are compared with a plain model, which is not to be counted twice."""
    before = finding.before
    plan = finding.plan
    if plan.method == "plain":
        before = replace(before, name=name)
    elif plan.method == "thresholds" and plan.model != "score":
        before = replace(before, name=remedy_name(PlainPlan(model=plan.model)))
    before = replace(before, name=parts.capital(before.name))
    return replace(finding, name=name, before=before, after=replace(finding.after, name=name))


def show_frontier(findings: RemediesFinding) -> None:
    """Draw how well each model does against how far apart it leaves the groups."""
    left, right = st.columns(2)
    x = left.selectbox(
        "How well it does",
        GOOD,
        format_func=measure_words,
        key=start("compare_x", "accuracy"),
        help="Higher is better.",
    )
    y = right.selectbox(
        "How far apart the groups are",
        GAPS,
        format_func=measure_words,
        key=start("compare_y", "gap"),
        help="Lower is better.",
    )
    rows = frontier_rows(findings, x, y)
    show_standing(rows, MEASURES[x], MEASURES[y])
    kinds = {finding.name: page_of(finding.plan.method).point for finding in findings.remedies}
    short = rows.assign(name=[kinds.get(name, "no remedy") for name in rows["name"]])
    titles = {"x_title": measure_words(x), "y_title": parts.capital(GAP_LABELS[y])}
    show_chart(
        frontier_chart(short, **titles),
        description=frontier_alt(rows, **titles),
        note="Lines: intervals. Filled points, joined: no other model is at least as good in both and better in one. "
        "Where intervals overlap, the order of two models may be chance.",
    )
    show_names(rows)


def show_standing(rows: pd.DataFrame, x: str, y: str) -> None:
    """Draw which models are not beaten, and what picking one does; see :func:`frontier_sentence`."""
    with st.container(border=True, key="compare_verdict"):
        st.header(literal(frontier_sentence(rows, x, y), limit=900), anchor=False)
        st.markdown(flattery(len(rows)))


def show_names(rows: pd.DataFrame) -> None:
    """Draw the names of the models that are drawn as points, by their numbers."""
    st.markdown("\n".join(f"{i}. {literal(name, limit=LONGEST + 10)}" for i, name in enumerate(rows["name"], start=1)))


def frontier_sentence(rows: pd.DataFrame, x: str, y: str) -> str:
    """Return which models are not beaten in both measures, in words."""
    best = [parts.shorten(name, LONGEST) for name in rows.loc[rows["on_frontier"], "name"]]
    figures = f"{x} and {y}"
    if not best:
        return f"No model has both figures: {figures}."
    if len(rows) == 1:
        return f"There is one model so far: {best[0]}."
    if len(best) == 1:
        return f"{best[0]}: no other of the {len(rows)} models does better in {figures}."
    if len(best) == len(rows):
        return f"None of the {len(rows)} models beats another in both {figures}. Each is a trade of one for the other."
    named = f": {'; '.join(best)}" if len(best) <= MOST_NAMED else ""
    return f"{len(best)} of {len(rows)} models are not beaten by another in {figures}{named}."


def flattery(n: int) -> str:
    """Return what picking among models on held-out rows does to the figures of the one that is picked."""
    if n < 2:
        return "With more models here, their strengths can be compared."
    return (
        f"**{n} models are compared on the same held-out rows.** Whichever you pick because it looks best here looks a "
        "little better than it is: with new people, expect somewhat less. The more models, the more so."
    )


def show_models(findings: RemediesFinding) -> None:
    """Draw all models as a table, with what each needs when it decides and whether another beats it."""
    st.subheader("All models", anchor=False)
    x, y = st.session_state["compare_x"], st.session_state["compare_y"]
    table = remedies_summary_table(findings)
    figures = f"{MEASURES[x]} and {MEASURES[y]}"
    show_table(with_unbeaten(table, frontier_rows(findings, x, y), figures), columns=COLUMNS)


def with_unbeaten(table: Table, rows: pd.DataFrame, figures: str) -> Table:
    """Return a table of models with a last column that says which are not beaten in both figures; `rows` has both."""
    unbeaten = dict(zip(rows["name"], map(bool, rows["on_frontier"]), strict=True))
    place = [column.name for column in table.columns].index("model")
    column = ColumnSpec("unbeaten", "unbeaten", "text", f"yes: no other model is at least as good in {figures}.")
    cells = tuple((*row, unbeaten.get(row[place], "")) for row in table.rows)
    return replace(table, columns=(*table.columns, column), rows=cells)


def show_entries(state: AuditState, study: Study | AmountStudy) -> None:
    """Draw each model with its place in the report, and what can be done with it; fit again what is out of date."""
    plans, names = _plans(state), names_of(state)
    if not plans:
        return
    st.header("For the report", anchor=False)
    st.caption(
        "Tick those that the report should tell of. Several may be ticked: it shows them side by side. Of several "
        "trees or rule sets, the last that you tried is ticked at first."
    )
    absent = {key: told for key, plan in plans.items() if (told := absence(state, plan)) is not None}
    waiting = [key for key in absent if not _under_way(state, key)]
    if waiting:
        label = "Fit the one that is missing" if len(waiting) == 1 else f"Fit all {len(waiting)} that are missing"
        if st.button(label, type="primary", key="compare_fit_all", help="One after another, in the background."):
            for key in waiting:
                _fit(state, study, plans[key])
            st.rerun()
    for position, (key, plan) in enumerate(plans.items()):
        with st.container(border=True, key=f"compare_card_{position}"):
            st.markdown(f"**{literal(names[key], limit=LONGEST + 10)}**")
            if key in absent:
                st.caption(absent[key])
            _card(state, study, plan, position, fit=key in waiting)


def _card(state: AuditState, study: Study, plan: RemedyPlan, position: int, *, fit: bool) -> None:
    """Draw what can be done with one model."""
    with st.container(horizontal=True, vertical_alignment="center"):
        tick_report(state, plan, "In the report", key=f"compare_in_{position}")
        label = "Fit" if state.find_fitted(plan) is None else "Fit again"
        if fit and st.button(label, key=f"compare_fit_{position}"):
            _fit(state, study, plan)
            st.rerun()
        offer_look(state, plan, key=f"compare_open_{position}")
        st.button("Remove", key=f"compare_remove_{position}", on_click=remove, args=(state, plan))


def _fit(state: AuditState, study: Study, plan: RemedyPlan) -> None:
    start_fit(state, study, plan, keep=state.find_entry(plan) is not None)


def _under_way(state: AuditState, key: str) -> bool:
    """Whether a model is being fitted to the present rows."""
    jobs = [job.about for job in state.jobs.active]
    return any(about.study_key == state.study_key and plan_key(about.plan) == key for about in jobs)


def absence(state: AuditState, plan: RemedyPlan) -> str | None:
    """Return what keeps a model out of the comparison, in words; None where nothing does."""
    fitted = state.find_fitted(plan)
    if fitted is not None and state.is_current(fitted):
        return None
    if _under_way(state, plan_key(plan)):
        return "It is being fitted, and comes into the comparison then."
    if fitted is None:
        return "Not fitted yet on these data, so it is not in the comparison."
    return "Out of date: settings have changed since it was fitted, so it is not in the comparison."


def remove(state: AuditState, plan: RemedyPlan) -> None:
    """Forget a model: it is neither compared nor in the report."""
    state.leave(plan)
    state.fitted.pop(plan_key(plan), None)
    if state.shown.get(plan.method) == plan_key(plan):
        del state.shown[plan.method]


def show_next(*, amount: bool) -> None:
    """Draw where to go from here."""
    st.header("What next", anchor=False)
    with st.container(horizontal=True):
        next_step("pages/12_Report.py", "Make the report")
        for page in remedy_pages(amount=amount):
            next_step(page.path, f"Try {page.other}")
