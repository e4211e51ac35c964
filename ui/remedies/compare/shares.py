"""All models of a decision with a good outcome: what they can be compared by."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from fairaudit.plan.roles import outcome_of
from fairaudit.present import brief
from fairaudit.present.numbers import finite, number_text, points_text, share_text
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.chart_texts import GAP_LABELS, decided_line
from fairaudit.remedies.shared.compared_models import judged
from fairaudit.remedies.shared.one_answer_words import ONE, found_words, is_rare, one_answer
from fairaudit.remedies.shared.tables import frontier_rows, remedies_summary_table
from fairaudit.remedies.shared.words import befores_sentence, measure_words
from fairaudit.study.findings import RemediesFinding, RemedyFinding
from fairaudit.study.in_use import IN_USE, prediction_in_use
from fairaudit.study.judging import GOOD, MEASURES
from fairaudit.study.judging.results import Evaluation, Yardstick
from fairaudit.study.rows import Study
from ui.remedies.compare.comparison import Comparison, current_findings, numbered
from ui.state import AuditState
from ui.widgets import start

GAPS = tuple(measure for measure in MEASURES if measure not in GOOD)
COLUMNS = (
    "model",
    "accuracy",
    "balanced_accuracy",
    "auc",
    "gap",
    "tpr_gap",
    "fpr_gap",
    "worse_off",
    "needs_group",
    "unbeaten",
)


POINTS = {
    "constant": "same for all",
    "plain": "no remedy",
    "shifted": "one threshold",
    "by_group": "by group",
    "shifted_closer": "one threshold",
    "by_group_closer": "by group",
}
"""What points of the chart are called that stand for simple answers."""


def findings_of(state: AuditState, study: Study) -> RemediesFinding:
    """Return what is known of all models that are fitted to the present rows, each named once."""
    return RemediesFinding(study.facts, tuple(_named(finding, name) for finding, name in current_findings(state)))


def _named(finding: RemedyFinding, name: str) -> RemedyFinding:
    """Give a model its name; a plain model that it is compared with is not to be counted twice."""
    before = finding.before
    before = replace(before, name=brief.capital(before.name) if kind_of(finding.plan).is_remedy else name)
    yardsticks = tuple(replace(each, name=_called(each)) for each in finding.yardsticks)
    after = replace(finding.after, name=name)
    return replace(finding, name=name, before=before, after=after, yardsticks=yardsticks)


def _called(simple: Yardstick) -> str:
    """Name a simple answer; one with another threshold by that, and by how many it gives the good outcome."""
    name, errors = brief.capital(simple.name), None if simple.evaluation is None else simple.evaluation.errors
    if not simple.kind.startswith("shifted") or errors is None:
        return name
    counts = errors.counts[["tp", "fp", "tn", "fn"]].sum()
    good = counts[["tp", "fp"] if errors.positive == "favorable" else ["tn", "fn"]].sum() / counts.sum()
    return f"{name} ({number_text(simple.threshold, digits=3)}: the good outcome for {share_text(good)})"


def _in_use(state: AuditState, study: Study) -> tuple[Evaluation | None, str]:
    """Return the prediction that the data hold, judged, and what is to be known of it."""
    if state.prediction is None:
        return None, ""
    condition = outcome_of(state.table, state.prediction).condition
    key = (state.study_key, state.prediction)
    found = state.remember("in_use", key, lambda: prediction_in_use(study, state.table, condition))
    if found is None:
        return None, f"{IN_USE} is not listed: some held-out rows have none."
    return found, (
        f"{IN_USE} stands in the data, and no model here has made it. It may have been made from these very rows, "
        "which flatters it. It is on this page only, not in the report."
    )


def choose_comparison(state: AuditState, study: Study, findings: RemediesFinding) -> Comparison:
    """Draw by which two measures models are compared, and return what these give."""
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
    in_use, legend = _in_use(state, study)
    gap = finite(findings.facts.decisions.difference) if y == "gap" else None
    simple = {name: model.kind for name, model, _ in judged(findings) if isinstance(model, Yardstick)}
    return Comparison(
        rows=numbered(state, frontier_rows(findings, x, y)),
        x=MEASURES[x],
        y=MEASURES[y],
        figures=lambda well, apart: f"{MEASURES[x]} {share_text(well)}, gap {points_text(apart, signed=False)}",
        titles={
            "x_title": measure_words(x),
            "y_title": brief.capital(GAP_LABELS[y]),
            "decided": None if gap is None else abs(gap),
            "decided_words": decided_line(findings.facts),
        },
        table=remedies_summary_table(findings, in_use),
        columns=COLUMNS,
        about=befores_sentence(findings),
        legend=legend,
        points={name: POINTS[kind] for name, kind in simple.items()},
        constants=frozenset(name for name, kind in simple.items() if kind == "constant"),
        same=_same(findings),
        remedies=frozenset(remedy.name for remedy in findings.remedies if kind_of(remedy.plan).is_remedy),
        rare=x == "accuracy" and any(is_rare(remedy.after.errors) for remedy in findings.remedies),
        decision_is_outcome=findings.facts.decision_is_outcome,
    )


def _same(findings: RemediesFinding) -> dict[str, str]:
    """Return the models that predict the same for all or nearly all people: by their names, that and what they find."""
    before = {remedy.name: remedy.before for remedy in findings.remedies if remedy.changes}
    return {name: _same_words(model, before.get(name)) for name, model, _ in judged(findings) if one_answer(model)}


def _same_words(model: Evaluation | Yardstick, before: Evaluation | None) -> str:
    """Return that a model predicts the same for everybody or nearly so, and how many of the rarer outcome it finds."""
    if one_answer(model) == ONE:
        return "predicts the same for everybody"
    judged_by_group = model.evaluation if isinstance(model, Yardstick) else model
    found = "" if judged_by_group is None else found_words(judged_by_group, before)
    return f"predicts the same for nearly everybody{f': it {found}' if found else ''}"


def offer_models(state: AuditState, study: Study) -> None:
    """Draw nothing: the plain models that remedies build on are fitted with these."""
