"""The rows that all models of an audit learn from and are judged on, read once for the present settings."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from fairaudit.study.divided import DividedRows
from ui.state import AuditState


def rows_key(state: AuditState) -> str:
    """Return what the rows and their facts depend on: what fits do, and what no fit looks at.

    That is the columns of strata, whether the decision is what truly happened, and what groups are called.
    """
    plan = state.plan(fingerprint=False)
    inside = [(check.protected, check.where, check.strata, check.strata_cuts) for check in plan.checks if check.strata]
    called = [(plan.names, plan.decision, [(check.protected_name, check.others_name) for check in plan.checks])]
    return repr((state.study_key, inside, plan.decision_is_outcome, called))


def study_of(state: AuditState) -> DividedRows:
    """Return the rows for ``state.models``, read once; only the last ones are held in memory."""
    key = rows_key(state)
    if state.study is None or state.study[0] != key:
        # Columns that constraints name are read when they are needed: one that is gone must not take all models away.
        plan = state.plan(fingerprint=False).model_copy(update={"remedies": ()})
        with st.spinner("Drawing rows in the database …" if state.table.is_connected else "Reading the rows …"):
            state.study = (key, plan.decision.kind.study(state.table, plan))
    return state.study[1]


def with_columns(state: AuditState, study: DividedRows, columns: Sequence[str]) -> DividedRows:
    """Return the rows with more columns that distinguish groups, read once for the present settings."""
    key = rows_key(state)
    if state.study is not None and state.study[0] == key:
        study = state.study[1]
    if columns and not set(columns) <= set(study.sensitive.columns):
        study = study.reading(state.table, tuple(columns))
        state.study = (key, study)
    return study
