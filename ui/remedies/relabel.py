"""Retraining: how past decisions are changed, which two models learn, and whose decisions were changed."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from fairaudit.disclosure.fields import Field
from fairaudit.errors import expect
from fairaudit.findings import Count, Message, Word
from fairaudit.messages import say
from fairaudit.plan.models import MODEL_WORDS
from fairaudit.present.blocks import TableBlock, pick
from fairaudit.remedies.relabel.charts import (
    MOST_POINTS,
    extents_alt,
    extents_chart,
    flipped_points_alt,
    flipped_points_chart,
)
from fairaudit.remedies.relabel.details import is_all_there_is, no_more, pairs_tables, reach_message
from fairaudit.remedies.relabel.fit import reach_of, search_target
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.rows import Study
from ui.remedies import drafts
from ui.remedies.learning_panel import rows_key
from ui.remedies.outcome import tables_of
from ui.remedies.trying import start_fit, tick_report
from ui.result import show_chart, show_table
from ui.state import AuditState, Fitted
from ui.text import labels, literal, stated
from ui.widgets import start, start_choice

# How past decisions are changed, and which two models learn.

USUAL: Final = RelabelPlan()


def show_what_to_expect(state: AuditState, study: Study, plan: RelabelPlan) -> None:
    """Say before a fit whom it learns from, and what models reach that do not see who is protected."""
    if study.models.where is not None:
        st.caption(stated("retrain-learns", who=Word(study.models.learn_from)))
    if study.group_in_features:
        return
    hides = state.small_cells.mask
    # Whether there are too few cases to search is made of counts.
    if not plan.searches(group_in_features=False) or (not hides and search_target(study, plan) is None):
        st.caption(stated("retrain-unseen"))
    if hides:
        return
    found = state.remember("reach of features", rows_key(state), lambda: reach_of(study))
    if found is not None:
        st.caption(literal(say(reach_message(found, study.models.tolerance)), limit=300))


def choose_plan(state: AuditState, study: Study) -> RelabelPlan:
    """Draw how decisions are changed and which two models learn, and return the remedy that this makes."""
    algorithm = drafts.ask(state, USUAL, "algorithm")
    left, right = st.columns(2)
    drafts.ask(state, USUAL, "risk_model", left)
    drafts.ask(state, USUAL, "final_model", right)
    drafts.ask(state, USUAL, "no_group_worse_off")
    draft = drafts.draft_of(state, USUAL)
    changed = any(getattr(draft, field) != getattr(USUAL, field) for field in RARE)
    if st.toggle("More settings", key=start("retrain_more", changed)):
        _choose_rare(state, study, algorithm)
    draft = drafts.draft_of(state, USUAL)
    return draft if draft.search and not draft.as_published else draft.with_defaults("target_gap")


RARE = ("threshold", "as_published", "search", "target_gap", "reweigh", "add_group_columns")


def _choose_rare(state: AuditState, study: Study, algorithm: str) -> None:
    """Draw what few people change: how far decisions are changed, and what goes with models that see the group."""
    if algorithm == "risk_adjustment":
        drafts.ask(state, USUAL, "threshold")
    if drafts.ask(state, USUAL, "as_published"):
        return
    sees = study.group_in_features
    if sees:
        drafts.ask(state, USUAL, "add_group_columns")
        drafts.ask(state, USUAL, "reweigh")
    if not drafts.draft_of(state, USUAL).weighs(group_in_features=sees) and drafts.ask(state, USUAL, "search"):
        drafts.ask(state, USUAL, "target_gap")


# All pairs of the two models side by side.

PAIRS = tuple(itertools.product(("logistic_regression", "mlp"), repeat=2))
PAIR_COLUMNS = (
    "risk_model", "final_model", "auc", "accuracy", "protected_share", "reference_share", "gap", "gap_interval",
)  # fmt: skip
PAIRS_HELP = "One after another. None is in the report unless you tick it."


def start_pairs(state: AuditState, study: Study, plan: RelabelPlan) -> None:
    """Fit all pairs of the two models that the table compares, one after another; none is kept unless asked."""
    for pair in pair_plans(plan):
        if state.find_current(pair) is None:
            start_fit(state, study, pair, keep=False)


def pairs_missing(state: AuditState, plan: RelabelPlan) -> bool:
    """Whether a pair is still to be fitted with the present settings."""
    return any(state.find_current(pair) is None for pair in pair_plans(plan))


def pair_plans(plan: RelabelPlan) -> list[RelabelPlan]:
    """Return this remedy with each pair of models."""
    return [plan.model_copy(update={"risk_model": risk, "final_model": final}) for risk, final in PAIRS]


def show_pairs(state: AuditState, plan: RelabelPlan) -> None:
    """Draw the model pairs that are fitted as a table, the best ranking first, and what of them is kept."""
    found = [state.find_current(pair) for pair in pair_plans(plan)]
    current = [one.of_shares[0] for one in found if one is not None]
    if not current:
        st.caption(stated("retrain-pairs"))
        return
    st.caption(stated("retrain-pairs-tried", n=Count(len(current)), all=Count(len(PAIRS))))
    turned = any(one is not None and one.facts.names.of_unfavorable for one in found)
    show_table(replace(_pairs_table(current), is_turned=turned))
    if len(current) == 1:
        return
    st.markdown("**Put in the report**")
    for finding in current:
        pair = expect(RelabelPlan, finding.plan)
        tick_report(state, pair, _pair_words(pair), key=f"retrain_keep_{pair.risk_model}_{pair.final_model}")


def _pairs_table(findings: list[RemedyFinding]) -> TableBlock:
    """Return one row a pair, the highest area under the ROC curve first, with the gap of its first model."""
    areas = {id(finding): finding.after.measure("auc").value for finding in findings}
    ranked = sorted(findings, key=lambda finding: -np.nan_to_num(areas[id(finding)], nan=-1.0))
    [pairs] = pairs_tables(ranked)
    table = pick(pairs, PAIR_COLUMNS)
    gaps = tuple(finding.before.fairness.difference for finding in ranked)
    rows = tuple((*row, gap) for row, gap in zip(table.rows, gaps, strict=True))
    column = Field(
        "gap_before", "gap of the first model, points", "points", "Before any decision is changed.", turns=True
    )
    return replace(table, columns=(*table.columns, column), rows=rows, note=say(Message("retrain-pairs-note")))


def _pair_words(plan: RelabelPlan) -> str:
    return f"{MODEL_WORDS[plan.risk_model]}, then {MODEL_WORDS[plan.final_model]}"


# Which decisions a remedy changed, whose they are, and where these rows lie.

BEFORE, AFTER = "as they were", "as changed"


def show_relabeling(state: AuditState, study: Study, fitted: Fitted) -> None:
    """Draw how many decisions changed, whose they are, and where these rows lie."""
    tables = tables_of(fitted)
    show_table(tables["flipped"], columns=("group", "label_words", "n", "n_flipped"))
    with st.expander("All figures of the change"):
        show_table(tables["relabelling"])
    if not state.is_current(fitted):
        st.caption(stated("retrain-old-points"))
    elif state.small_cells.mask:
        st.caption(stated("retrain-masked-points"))
    else:
        _show_points(study, fitted)


def show_search(fitted: Fitted) -> None:
    """Draw how far decisions were changed, and the gap that each change left."""
    details, tables = fitted.of_shares[0].details, tables_of(fitted)
    if "extents" not in tables:
        st.caption(stated("retrain-no-search"))
        return
    # Where the curve is the answer's picture, it stands there.
    if needs_curve(fitted):
        st.caption(literal(say(no_more(details)), limit=300))
    else:
        show_extents(fitted)
    with st.expander("The same as a table"):
        show_table(tables["extents"])


def show_extents(fitted: Fitted) -> None:
    """Draw the gap that the new model had by how far decisions were changed."""
    details = fitted.of_shares[0].details
    show_chart(
        extents_chart(details.path, target=details.target),
        title=say(Message("retrain-chart-extents")),
        description=extents_alt(details.path),
    )


def needs_curve(fitted: Fitted) -> bool:
    """Whether the answer is that these data allow no more, so that the curve is its picture."""
    return is_all_there_is(fitted.of_shares[0].details)


def show_places(fitted: Fitted) -> None:
    """Draw the gaps inside and outside the filter, where there is one."""
    tables = tables_of(fitted)
    if "places" in tables:
        show_table(tables["places"])


def _show_points(study: Study, fitted: Fitted) -> None:
    relabeling = getattr(fitted.candidate.model, "relabeling_", None)
    numbers = [name for name in study.X.columns if pd.api.types.is_numeric_dtype(study.X[name].dtype)]
    numbers = [name for name in numbers if not pd.api.types.is_bool_dtype(study.X[name].dtype)]
    if relabeling is None or len(numbers) < 2:
        st.caption(stated("retrain-no-points"))
        return
    with st.expander("Where these cases lie", key="retrain_points"):
        left, right = st.columns(2)
        label = labels(numbers)
        x = left.selectbox("Across", numbers, format_func=label, key="retrain_x")
        upright = [name for name in numbers if name != x]
        y = right.selectbox("Upright", upright, format_func=label, key=start_choice("retrain_y", upright[0], upright))
        when = st.segmented_control(
            "Decisions", [BEFORE, AFTER], key=start("retrain_when", AFTER), required=True, label_visibility="collapsed"
        )
        frame = points_of(study, fitted, x, y, after=when == AFTER)
        show_chart(
            flipped_points_chart(frame, x_title=x, y_title=y),
            description=flipped_points_alt(frame, x_title=x, y_title=y),
            note=say(Message("retrain-points-note", {"n": Count(MOST_POINTS)})),
        )


def points_of(study: Study, fitted: Fitted, x: str, y: str, *, after: bool) -> pd.DataFrame:
    """Return the rows whose decisions could be changed by two columns of numbers, with the decision after or before.

    Columns: x, y, label, flipped.
    """
    model = fitted.candidate.model
    rows = study.X.iloc[study.split.learning].iloc[model.relabel_index_]
    found = model.relabeling_
    return pd.DataFrame(
        {
            "x": rows[x].to_numpy(dtype=float, na_value=np.nan),
            "y": rows[y].to_numpy(dtype=float, na_value=np.nan),
            "label": found.labels if after else found.labels_before,
            "flipped": found.flipped,
        }
    )
