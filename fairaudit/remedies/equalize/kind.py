"""The kind of remedy: scores that are spread alike in all groups."""

from __future__ import annotations

from fairaudit.late import Late
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.kind import RemedyKind, never

HOME = "fairaudit.remedies.equalize"

EQUALIZE = RemedyKind(
    method="equalize",
    plan=EqualizePlan,
    noun="model",
    fit=Late(f"{HOME}.fit:iter_equalize"),
    name=Late(f"{HOME}.naming:equalize_name"),
    done=Late(f"{HOME}.naming:done_sentences"),
    does="One score is spread alike in all groups, and one threshold cuts it for everybody.",
    details=Late(f"{HOME}.details:EqualizeDetails"),
    definitions=Late(f"{HOME}.naming:definitions"),
    learns_known_groups=True,
    cautions=Late(f"{HOME}.naming:cautions"),
    tables=Late(f"{HOME}.tables:equalize_tables"),
    search_blocks=Late(f"{HOME}.chapter:search_blocks"),
    hide=Late(f"{HOME}.disclosure:shown_in_part"),
    by_conditions=False,
    counts_people=never,
)
