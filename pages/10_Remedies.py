"""Which remedy fits: three questions, and a way to each."""

from __future__ import annotations

from ui.frame import need, open_page
from ui.remedies import choosing
from ui.remedies.strata_warning import warn_of_strata

state = open_page(
    "Which remedy fits?",
    "What could make the gap smaller, and at what price? Three questions leave the remedies that fit your case. Each "
    "is then tried on people it has not learned from. That it works does not say that it is right or lawful.",
)
need(state, decision=True, protected=True)
warn_of_strata(state)
choosing.show_choice(state, choosing.ask(state))
