"""The kind of remedy: retraining on changed decisions."""

from __future__ import annotations

from fairaudit.late import Late
from fairaudit.remedies.kind import RemedyKind, never
from fairaudit.remedies.relabel.plan import RelabelPlan, changes_model

HOME = "fairaudit.remedies.relabel"

RELABEL = RemedyKind(
    method="relabel",
    plan=RelabelPlan,
    noun="model",
    fit=Late(f"{HOME}.fit:iter_relabel"),
    name=Late(f"{HOME}.naming:relabel_name"),
    done=Late(f"{HOME}.chapter:done_sentences"),
    does="Some past decisions about the protected group are changed, and a new model learns from them.",
    details=Late(f"{HOME}.details:RelabelDetails"),
    definitions=Late(f"{HOME}.chapter:definitions"),
    cautions=Late(f"{HOME}.chapter:cautions"),
    changes_model=changes_model,
    tables=Late(f"{HOME}.tables:relabel_tables"),
    joint_tables=Late(f"{HOME}.tables:pairs_tables"),
    search_blocks=Late(f"{HOME}.chapter:search_blocks"),
    by_conditions=False,
    counts_people=never,
)
