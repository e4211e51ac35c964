"""Where the app shows training under constraints, and what leads there."""

from __future__ import annotations

from fairaudit.late import Late
from ui.remedies.constrain.draft import ConstraintDraft
from ui.remedies.remedy_page import RemedyPage

CONSTRAIN = RemedyPage(
    method="constrain",
    work="Training to limits",
    point="trained to limits",
    file="14_Constraints.py",
    called="Known as training under fairness constraints.",
    gives_score=True,
    draft_of=ConstraintDraft.of,
    respelled=Late("ui.remedies.constrain.respelling:respelled"),
    show_search=Late("ui.remedies.constrain.search:show_fits_so_far"),
)
