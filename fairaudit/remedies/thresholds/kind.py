"""The kind of remedy: a threshold for each group."""

from __future__ import annotations

from fairaudit.late import Late
from fairaudit.remedies.kind import RemedyKind, never
from fairaudit.remedies.thresholds.plan import ThresholdsPlan, plain_model

HOME = "fairaudit.remedies.thresholds"

THRESHOLDS = RemedyKind(
    method="thresholds",
    plan=ThresholdsPlan,
    noun="model",
    fit=Late(f"{HOME}.fit:iter_thresholds"),
    name=Late(f"{HOME}.naming:thresholds_name"),
    done=Late(f"{HOME}.naming:done_sentences"),
    does="In each group, people get a yes from another score upwards.",
    details=Late(f"{HOME}.details:ThresholdDetails"),
    definitions=Late(f"{HOME}.naming:definitions"),
    plain_model=plain_model,
    cautions=Late(f"{HOME}.naming:cautions"),
    tables=Late(f"{HOME}.tables:thresholds_tables"),
    result_blocks=Late(f"{HOME}.chapter:result_blocks"),
    search_blocks=Late(f"{HOME}.chapter:search_blocks"),
    by_conditions=False,
    counts_people=never,
)
