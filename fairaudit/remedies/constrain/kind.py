"""The kind of remedy: a model that is trained to meet constraints."""

from __future__ import annotations

from fairaudit.late import Late
from fairaudit.remedies.constrain.plan import ConstrainPlan, search_plan, without_constraint
from fairaudit.remedies.kind import RemedyKind, never

HOME = "fairaudit.remedies.constrain"

CONSTRAIN = RemedyKind(
    method="constrain",
    plan=ConstrainPlan,
    noun="model",
    fit=Late(f"{HOME}.fit:iter_constrain"),
    name=Late(f"{HOME}.naming:constrain_name"),
    done=Late(f"{HOME}.naming:done_sentences"),
    does="A model is trained again and again, until the groups are as near to each other as you asked.",
    details=Late(f"{HOME}.details:ConstrainDetails"),
    definitions=Late(f"{HOME}.naming:definitions"),
    baseline=without_constraint,
    search_plan=search_plan,
    keeps_model=True,
    group_columns=Late(f"{HOME}.columns:named_columns"),
    cautions=Late(f"{HOME}.naming:cautions"),
    tables=Late(f"{HOME}.tables:constraint_tables"),
    asked_blocks=Late(f"{HOME}.chapter:asked_blocks"),
    result_blocks=Late(f"{HOME}.chapter:result_blocks"),
    search_blocks=Late(f"{HOME}.chapter:search_blocks"),
    command_lines=Late(f"{HOME}.chapter:command_lines"),
    hide=Late(f"{HOME}.disclosure:shown_in_part"),
    by_conditions=False,
    counts_people=never,
)
