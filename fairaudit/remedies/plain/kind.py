"""The kind of remedy: a model without any, to compare with."""

from __future__ import annotations

from fairaudit.late import Late
from fairaudit.remedies.kind import OnAmounts, RemedyKind
from fairaudit.remedies.plain.plan import PlainPlan, check_for_amounts, check_for_outcomes

HOME = "fairaudit.remedies.plain"

PLAIN = RemedyKind(
    method="plain",
    plan=PlainPlan,
    noun="model",
    fit=Late(f"{HOME}.fit:iter_plain"),
    name=Late(f"{HOME}.naming:plain_name"),
    done=Late(f"{HOME}.naming:done_sentences"),
    does="A model without any remedy, to compare with.",
    check=check_for_outcomes,
    is_remedy=False,
    keeps_model=True,
    by_conditions=False,
    on_amounts=OnAmounts(
        fit=Late(f"{HOME}.amounts:iter_amount_plain"),
        name=Late(f"{HOME}.naming:amount_plain_name"),
        done=Late(f"{HOME}.naming:amount_done_sentences"),
        check=check_for_amounts,
    ),
)
