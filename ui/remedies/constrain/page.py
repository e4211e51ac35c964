"""Where the app shows training under constraints, and what leads there."""

from __future__ import annotations

from fairaudit.late import Late
from ui.remedies.constrain.draft import ConstraintDraft
from ui.remedies.remedy_page import RemedyPage

CONSTRAIN = RemedyPage(
    method="constrain",
    work="Constraining",
    point="constrained",
    file="14_Constraints.py",
    other="constraints",
    title="A model that keeps your limits",
    purpose="You say what must hold between groups, and a model is trained to keep it at the least loss. For limits "
    "that the others cannot say, such as on error rates.",
    gives_score=True,
    n_fits=20,
    draft_of=ConstraintDraft.of,
    show_search=Late("ui.remedies.constrain.search:show_fits_so_far"),
)
