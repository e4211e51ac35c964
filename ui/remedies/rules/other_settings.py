"""Rule sets of other settings, made of the same rules: what other limits and complexities would give."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from fairaudit.findings import Argument, Count, Message, Points, Share
from fairaudit.messages import say
from fairaudit.remedies.rules.charts import allowed_of, rules_frontier_alt, rules_frontier_chart
from fairaudit.remedies.rules.plan import RulesPlan
from ui.remedies import drafts
from ui.remedies.outcome import tables_of
from ui.remedies.rules.form import USUAL
from ui.result import show_chart, show_table
from ui.state import AuditState, Fitted
from ui.text import literal

COLUMNS = ("max_complexity", "max_difference", "complexity", "trained_gap", "accuracy", "gap", "chosen")
TAKEN = "Puts it in the settings. Find rules with it to have them tested."


def show_settings(state: AuditState, fitted: Fitted) -> None:
    """Draw accuracy, gap and complexity of other settings on the tuning rows, and the choice of one of them."""
    finding = fitted.candidate.finding
    details, plan = finding.details, finding.plan
    if len(details.frontier) < 2:
        st.caption(literal(say(Message("learn-no-settings"))))
        return
    show_chart(
        rules_frontier_chart(details.frontier, allowed=allowed_of(details)),
        title=say(Message("rules-chart-settings")),
        description=rules_frontier_alt(details.frontier),
    )
    words = [setting_words(row) for row in details.frontier.itertuples()]
    drafts.choose_setting(state, plan, details.frontier, words, take_setting=take_setting, note=TAKEN)
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
    """Return a setting, a row of ``RulesDetails.frontier``, and what it gives on the tuning cases, in words."""
    args: dict[str, Argument] = {"n": Count(int(row.max_complexity)), "share": Share(float(row.accuracy), 1)}
    if pd.isna(row.max_difference):
        return say(Message("rules-setting", args))
    gaps: dict[str, Argument] = {"limit": Points(row.max_difference, 1), "size": Points(float(row.gap), 1)}
    return say(Message("rules-setting-limit", args | gaps))
