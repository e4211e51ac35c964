"""Which remedy fits: three questions, and a way to each."""

from __future__ import annotations

from ui.frame import need, open_page
from ui.remedies import choosing

state = open_page(
    "Which remedy fits?",
    "What could make the gap smaller, and at what price? Three questions leave the remedies that fit your case. Each "
    "is tried on people that it has not seen. None of them says that a remedy is right or lawful.",
)
need(state, decision=True, protected=True)
choosing.show_choice(state, choosing.ask(state))
