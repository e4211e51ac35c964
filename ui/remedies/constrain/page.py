"""Where the app shows training under constraints, and what leads there."""

from __future__ import annotations

from fairaudit.late import Late
from ui.remedies.constrain.draft import ConstraintDraft
from ui.remedies.remedy_page import RemedyPage

CONSTRAIN = RemedyPage(
    method="constrain",
    work="Constraining",
    point="constrained",
    file="8_Constraints.py",
    step="Train under constraints",
    remedy="a model that keeps what you declare",
    other="constraints",
    n_fits=20,
    draft_of=ConstraintDraft.of,
    show_search=Late("ui.remedies.constrain.search:show_fits_so_far"),
)
