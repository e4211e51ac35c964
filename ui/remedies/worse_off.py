"""The wish that no group is worse off than before, as the remedies that can keep it offer it."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from fairaudit.remedies.registry import RemedyPlan
from ui.remedies import drafts
from ui.state import AuditState

LABEL: Final = "No group may be worse off than without it"
HELP: Final = (
    "Before: the model that the remedy is compared with, which is a plain one or, for rules and trees, "
    "the same without the limit. Groups then become alike because some do better, not "
    "because others do worse. It is kept on the tuning rows while the model is chosen, and judged on the held-out "
    "rows. It may cost accuracy, or leave a larger gap."
)


def choose_no_group_worse_off(state: AuditState, usual: RemedyPlan, **widget: Any) -> None:
    """Draw the choice for a page whose settings are a plan."""
    st.checkbox(LABEL, help=HELP, **widget, **drafts.tied(state, usual, "no_group_worse_off"))
