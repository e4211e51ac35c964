"""Which decisions a remedy changed, whose they are, and where these rows lie."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.remedies.relabel.charts import MOST_POINTS, flipped_points_alt, flipped_points_chart
from fairaudit.study.rows import Study
from ui.remedies.outcome import tables_of
from ui.result import show_chart, show_table
from ui.state import AuditState, Fitted
from ui.text import labels, literal
from ui.widgets import start, start_choice

BEFORE, AFTER = "as they were", "as changed"


def show_relabeling(state: AuditState, study: Study, fitted: Fitted) -> None:
    """Draw how many decisions changed, whose they are, and where these rows lie."""
    tables = tables_of(fitted)
    show_table(tables["flipped"], columns=("group", "label_words", "n", "n_flipped"))
    with st.expander("All figures of the change"):
        show_table(tables["relabelling"])
    if not state.is_current(fitted):
        st.caption(literal(say(Message("retrain-old-points"))))
    elif state.small_cells.mask:
        st.caption(literal(say(Message("retrain-masked-points"))))
    else:
        _show_points(study, fitted)


def _show_points(study: Study, fitted: Fitted) -> None:
    relabeling = getattr(fitted.candidate.model, "relabeling_", None)
    numbers = [name for name in study.X.columns if pd.api.types.is_numeric_dtype(study.X[name].dtype)]
    numbers = [name for name in numbers if not pd.api.types.is_bool_dtype(study.X[name].dtype)]
    if relabeling is None or len(numbers) < 2:
        st.caption(literal(say(Message("retrain-no-points"))))
        return
    st.subheader("Where these cases lie", anchor=False)
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
