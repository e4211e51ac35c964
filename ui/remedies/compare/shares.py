"""All models of a decision with a good outcome: what they can be compared by."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from fairaudit.findings import Amount, Argument, Message, Phrase, Share
from fairaudit.messages import say
from fairaudit.plan.roles import outcome_of
from fairaudit.present import naming
from fairaudit.present.numbers import finite
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.changes import measure_words
from fairaudit.remedies.shared.compared_models import GAP_LABELS, decided_line, judged
from fairaudit.remedies.shared.tables import frontier_rows, remedies_summary_table
from fairaudit.study.findings import RemediesFinding, RemedyFinding
from fairaudit.study.fitting import prediction_in_use
from fairaudit.study.judging import GOOD, MEASURES
from fairaudit.study.judging.results import Evaluation, Yardstick
from fairaudit.study.rows import Study
from ui.remedies.compare.comparison import Comparison, current_findings, numbered, show_figures
from ui.state import AuditState
from ui.widgets import start

GAPS = tuple(measure for measure in MEASURES if measure not in GOOD)
COLUMNS = (
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


def findings_of(state: AuditState, study: Study) -> RemediesFinding:
    """Return what is known of all models that are fitted to the present rows, each named once."""
    return RemediesFinding(study.facts, tuple(_named(finding, name) for finding, name in current_findings(state)))


def _named(finding: RemedyFinding, name: str) -> RemedyFinding:
    """Give a model its name; a plain model that it is compared with is not to be counted twice."""
    before = finding.before
    before = replace(before, name=naming.capital(before.name) if kind_of(finding.plan).is_remedy else name)
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
    at: dict[str, Argument] = {"name": Phrase(name), "threshold": Amount(simple.threshold, 3), "share": Share(good)}
    return say(Message("compare-simple-at", at))


def _in_use(state: AuditState, study: Study) -> tuple[Evaluation | None, str]:
    """Return the prediction that the data hold, judged, and what is to be known of it."""
    if state.prediction is None:
        return None, ""
    condition = outcome_of(state.table, state.prediction).condition
    key = (state.study_key, state.prediction)
    found = state.remember("in_use", key, lambda: prediction_in_use(study, state.table, condition))
    if found is None:
        return None, say(Message("compare-in-use-missing"))
    return found, say(Message("compare-in-use"))


def choose_comparison(state: AuditState, _study: Study, findings: RemediesFinding) -> Comparison:
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
        GAPS,
        format_func=measure_words,
        key=start("compare_y", "gap"),
    )
    gap = finite(findings.facts.decisions.difference) if y == "gap" else None
    simple = {name: model.kind for name, model, _ in judged(findings) if isinstance(model, Yardstick)}
    return Comparison(
        rows=numbered(state, frontier_rows(findings, x, y)),
        titles={
            "x_title": measure_words(x),
            "y_title": naming.capital(GAP_LABELS[y]),
            "decided": None if gap is None else abs(gap),
            "decided_words": decided_line(findings.facts),
        },
        points={name: POINTS[kind] for name, kind in simple.items()},
    )


def show_figures_of(state: AuditState, study: Study, findings: RemediesFinding) -> None:
    """Draw the figures of all models, and of the prediction that is in use."""
    in_use, legend = _in_use(state, study)
    show_figures(state, remedies_summary_table(findings, in_use), COLUMNS, legend)


def offer_models(state: AuditState, study: Study) -> None:
    """Draw nothing: the plain models that remedies build on are fitted with these."""
