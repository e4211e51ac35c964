"""The wish that no group is worse off than before, as the remedies that can keep it offer it."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from fairaudit.remedies.registry import RemedyPlan
from ui.remedies import drafts
from ui.state import AuditState

LABEL: Final = "No group worse off"
HELP: Final = "Than without the remedy. It may match fewer decisions, or leave a larger gap."


def choose_no_group_worse_off(state: AuditState, usual: RemedyPlan, **widget: Any) -> None:
    """Draw the choice for a page whose settings are a plan."""
    st.checkbox(LABEL, help=HELP, **widget, **drafts.tied(state, usual, "no_group_worse_off"))
