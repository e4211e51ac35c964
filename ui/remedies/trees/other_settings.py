"""Trees of other settings: what depth, limits and prices cost."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.remedies.trees import charts
from fairaudit.remedies.trees.charts import allowed_of
from fairaudit.remedies.trees.plan import TreesPlan
from ui.remedies import drafts
from ui.remedies.outcome import tables_of
from ui.remedies.trees.form import USUAL
from ui.remedies.trees.views import views_of
from ui.result import show_chart, show_table
from ui.state import AuditState, Fitted
from ui.text import literal

COLUMNS = (
    *("words", "n_leaves", "objective", "trained_accuracy", "trained_mae", "accuracy", "mae", "gap", "index", "chosen"),
)


def show_settings(state: AuditState, fitted: Fitted) -> None:
    """Draw accuracy and differences of trees of other settings, and the choice of one of them."""
    finding = fitted.candidate.finding
    details, plan = finding.details, finding.plan
    settings = details.settings
    if len(settings) < 2:
        st.caption(literal(say(Message("learn-no-settings"))))
        return
    unit = unit_of(fitted)
    for by in ("gap", "index"):
        if len(charts.drawn_settings(settings, by)) > 1:
            shown = {"by": by, "allowed": allowed_of(details, by), "unit": unit}
            show_chart(
                charts.tree_settings_chart(settings, **shown),
                title=say(Message("tree-settings-title")),
                description=charts.settings_alt(settings, **shown),
            )
    if len(charts.drawn_depths(settings)) > 1:
        show_chart(
            charts.tree_depths_chart(settings, digits=unit.digits),
            title=say(charts.depth_lines(settings, digits=unit.digits).title),
            description=charts.depths_alt(settings, digits=unit.digits),
        )
    by = "gap" if details.constraint is not None else "index"
    words = [setting_words(row, unit, by) for row in settings.itertuples()]
    drafts.choose_setting(state, plan, settings, words, take_setting=take_setting, note=say(Message("tree-take")))
    show_table(tables_of(fitted)["settings"], columns=_columns(settings))


def unit_of(fitted: Fitted) -> charts.Unit:
    """Return what figures of trees of other settings are in."""
    digits = views_of(fitted.outcome).digits(fitted.facts)
    return charts.Unit(digits, by_ratio=fitted.candidate.finding.details.by_ratio)


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


def setting_words(row: Any, unit: charts.Unit, by: str) -> str:
    """Return a setting, a row of ``TreesDetails.settings``, and what it gives on the tuning rows, in words."""
    quality = unit.quality(row.mae if unit.digits is not None else row.accuracy)
    return charts.option(row.words, quality, unit.distance(getattr(row, by), by), chosen=bool(row.chosen))
