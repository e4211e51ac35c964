"""Rule sets of other settings, made of the same rules: what other limits and complexities would give."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from fairaudit.present.numbers import points_text, share_text, tolerance_text
from fairaudit.remedies.rules.chart_texts import rules_frontier_alt
from fairaudit.remedies.rules.charts import rules_frontier_chart
from fairaudit.remedies.rules.plan import RulesPlan
from ui.charts import show_chart
from ui.remedies import drafts
from ui.remedies.outcome import tables_of
from ui.remedies.rules.form import USUAL
from ui.state import AuditState, Fitted
from ui.tables import show_table

COLUMNS = ("max_complexity", "max_difference", "complexity", "trained_gap", "accuracy", "gap", "chosen")
TAKEN = (
    "Puts it in the settings. Then find rules with it, to have them judged. Where the setting allows less than you do, "
    "the difference becomes the margin. The new search considers other rules, too: its figures will differ somewhat."
)


def show_settings(state: AuditState, fitted: Fitted) -> None:
    """Draw accuracy, gap and complexity of other settings on the tuning rows, and the choice of one of them."""
    finding = fitted.candidate.finding
    details, plan = finding.details, finding.plan
    if len(details.frontier) < 2:
        st.caption("No other setting was tried.")
        return
    allowed = None if details.fairness is None else details.max_difference
    show_chart(
        rules_frontier_chart(details.frontier, allowed=allowed),
        title="Other complexities and limits",
        description=rules_frontier_alt(details.frontier, allowed=allowed),
        note="On the tuning rows, where a setting may be chosen: choosing by the held-out rows would make the result "
        "look better than it is. Each point is the best for its setting among the rules that were considered.",
    )
    words = [setting_words(row) for row in details.frontier.itertuples()]
    drafts.choose_setting(state, plan, details.frontier, words, take_setting=take_setting, note=TAKEN)
    with st.expander("The settings as a table"):
        show_table(tables_of(fitted)["frontier"], columns=COLUMNS if details.fairness else _without_gaps())


def _without_gaps() -> tuple[str, ...]:
    return tuple(name for name in COLUMNS if name not in ("max_difference", "trained_gap", "gap"))


def take_setting(state: AuditState, plan: RulesPlan, row: pd.Series) -> None:
    """Put a setting in the form: what is aimed at stays, and a limit that is closer is reached by a margin."""
    changes: dict[str, Any] = {
        name: getattr(plan, name)
        for name in ("fairness", "objective", "max_rule_length", "use_sensitive", "no_group_worse_off")
    }
    changes["max_complexity"] = int(row["max_complexity"])
    if plan.fairness is not None:
        # On the training rows the margin was taken off.
        trained = max(float(row["max_difference"]) - plan.margin, 0.0)
        allowed = max(plan.max_difference, trained)
        changes |= {"max_difference": round(allowed, 9), "margin": round(allowed - trained, 9)}
    drafts.take(state, USUAL, **changes)


def setting_words(row: Any) -> str:
    """Return a setting, a row of ``RulesDetails.frontier``, and what it gives on the tuning rows, in words."""
    limit, gap = "", ""
    if pd.notna(row.max_difference):
        limit = f", {tolerance_text(row.max_difference)} allowed"
        gap = f", largest difference {points_text(row.gap, signed=False)}"
    chosen = " (these rules)" if row.chosen else ""
    return f"complexity up to {row.max_complexity}{limit}: accuracy {share_text(row.accuracy)}{gap}{chosen}"
