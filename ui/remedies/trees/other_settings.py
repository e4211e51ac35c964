"""Trees of other settings: what depth, limits and prices cost."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.remedies.trees.chart_texts import (
    PRICED,
    Unit,
    depth_lines,
    drawn_depths,
    drawn_settings,
    tree_depths_alt,
    tree_settings_alt,
)
from fairaudit.remedies.trees.charts import tree_depths_chart, tree_settings_chart
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.plan import TreesPlan
from ui.charts import show_chart
from ui.remedies import drafts
from ui.remedies.outcome import tables_of
from ui.remedies.trees.form import USUAL
from ui.remedies.trees.views import views_of
from ui.state import AuditState, Fitted
from ui.tables import show_table

COLUMNS = (
    *("words", "n_leaves", "objective", "trained_accuracy", "trained_mae", "accuracy", "mae", "gap", "index", "chosen"),
)
ERRORS_BY_DEPTH = (
    "Where more questions make fewer errors on the training rows and not on the tuning rows, they no longer help for "
    "other people."
)
PRICED_DEPTH = (
    "The error plus the price of discrimination, for the best tree of each depth that was found. No tree of that depth "
    "can come below the proven bound."
)
TAKEN = "Puts it in the settings. Then find a tree with it, with all the work allowed, to have it judged."


def show_settings(state: AuditState, fitted: Fitted) -> None:
    """Draw accuracy and differences of trees of other settings, and the choice of one of them."""
    finding = fitted.candidate.finding
    details, plan = finding.details, finding.plan
    settings = details.settings
    if len(settings) < 2:
        st.caption("No other setting was tried.")
        return
    st.caption(
        "Each point is a tree of its own, found with a tenth of the work. Compared on the tuning rows, where a setting "
        "may be chosen: choosing by the held-out rows would make the result look better than it is."
    )
    unit = unit_of(fitted)
    for by in ("gap", "index"):
        if len(drawn_settings(settings, by)) > 1:
            shown = {"by": by, "allowed": allowed_of(details, by), "unit": unit}
            drawn = tree_settings_chart(settings, **shown)
            show_chart(drawn, description=tree_settings_alt(settings, **shown))
    if len(drawn_depths(settings)) > 1:
        found = depth_lines(settings, digits=unit.digits)
        show_chart(
            tree_depths_chart(settings, digits=unit.digits),
            description=tree_depths_alt(settings, digits=unit.digits),
            note=PRICED_DEPTH if found.title == PRICED else ERRORS_BY_DEPTH,
        )
    words = [setting_words(row, unit) for row in settings.itertuples()]
    drafts.choose_setting(state, plan, settings, words, take_setting=take_setting, note=TAKEN)
    with st.expander("The settings as a table"):
        show_table(tables_of(fitted)["settings"], columns=_columns(settings))


def unit_of(fitted: Fitted) -> Unit:
    """Return what figures of trees of other settings are in."""
    digits = views_of(fitted.outcome).digits(fitted.facts)
    return Unit(digits, by_ratio=fitted.candidate.finding.details.by_ratio)


def allowed_of(details: TreesDetails, by: str) -> float | None:
    """Return what is allowed of the largest difference, the smallest ratio or the index; None where nothing is."""
    if by == "index":
        return details.max_discrimination
    if details.by_ratio:
        return FOUR_FIFTHS
    return None if details.constraint is None else details.max_difference


def _columns(settings: pd.DataFrame) -> tuple[str, ...]:
    return tuple(name for name in COLUMNS if name in settings and settings[name].notna().any())


def take_setting(state: AuditState, plan: TreesPlan, row: pd.Series) -> None:
    """Put a setting in the form; all else stays as it was when the tree was found."""
    changes: dict[str, Any] = {name: getattr(plan, name) for name in TreesPlan.model_fields if name != "name"}
    changes["max_depth"] = int(row["max_depth"])
    if row["setting"] == "free":
        changes |= {"constraint": None, "discrimination": None, "fairness_weight": 0.0, "max_discrimination": None}
        changes["amount_difference"] = None
        changes["choose_weight"] = False
    elif row["setting"] == "weight":
        changes["fairness_weight"] = float(row["weight"])
    elif row["setting"] == "limit" and plan.constraint is None:
        changes["max_discrimination"] = float(row["limit"])
    elif row["setting"] == "limit":
        changes[views_of(state.decision.kind).limit] = float(row["limit"])
    drafts.take(state, USUAL, **changes)


def setting_words(row: Any, unit: Unit) -> str:
    """Return a setting, a row of ``TreesDetails.settings``, and what it gives on the tuning rows, in words."""
    said = [unit.quality(row.mae if unit.digits is not None else row.accuracy)]
    said += [unit.words(getattr(row, by), by) for by in ("gap", "index") if pd.notna(getattr(row, by))]
    return f"{row.words}: {', '.join(said)}{' (this tree)' if row.chosen else ''}"
