"""The kind of remedy: a decision tree."""

from __future__ import annotations

from fairaudit.late import Late
from fairaudit.remedies.kind import OnAmounts, RemedyKind
from fairaudit.remedies.trees.plan import (
    TreesPlan,
    amount_plain_model,
    check_for_amounts,
    check_for_outcomes,
    plain_model,
    search_plan,
    without_constraint,
)

HOME = "fairaudit.remedies.trees"

TREES = RemedyKind(
    method="trees",
    plan=TreesPlan,
    noun="tree",
    fit=Late(f"{HOME}.fit:iter_trees"),
    name=Late(f"{HOME}.naming:tree_name"),
    done=Late(f"{HOME}.saying:made_text"),
    does="A few questions, asked one after another, lead to the prediction. Anyone can read and check them.",
    details=Late(f"{HOME}.details:TreesDetails"),
    definitions=Late(f"{HOME}.definitions:definitions"),
    check=check_for_outcomes,
    has_score=False,
    other_rates=True,
    marks_proxies=True,
    says_stopped=True,
    learns_known_groups=True,
    baseline=without_constraint,
    plain_model=plain_model,
    search_plan=search_plan,
    keeps_model=True,
    cautions=Late(f"{HOME}.saying:caution_texts"),
    tables=Late(f"{HOME}.tables:trees_tables"),
    result_blocks=Late(f"{HOME}.chapter:result_blocks"),
    search_blocks=Late(f"{HOME}.chapter:search_blocks"),
    command_lines=Late(f"{HOME}.saying:command_lines"),
    hide=Late(f"{HOME}.disclosure:shown_in_part"),
    counts_people=Late(f"{HOME}.disclosure:counts_people"),
    without_people=Late(f"{HOME}.disclosure:without_people"),
    on_amounts=OnAmounts(
        fit=Late(f"{HOME}.amounts.fit:iter_amount_tree"),
        name=Late(f"{HOME}.naming:amount_tree_name"),
        done=Late(f"{HOME}.saying:made_text"),
        check=check_for_amounts,
        plain_model=amount_plain_model,
        details=Late(f"{HOME}.amounts.details:AmountTreeDetails"),
        definitions=Late(f"{HOME}.definitions:amount_definitions"),
        hide=Late(f"{HOME}.amounts.disclosure:shown_in_part"),
        with_shared_amounts=Late(f"{HOME}.amounts.disclosure:with_shared_amounts"),
        cautions=Late(f"{HOME}.chapter:amount_cautions"),
        tables=Late(f"{HOME}.amounts.tables:amount_tree_tables"),
        result_blocks=Late(f"{HOME}.chapter:amount_result_blocks"),
        search_blocks=Late(f"{HOME}.chapter:amount_search_blocks"),
        command_lines=Late(f"{HOME}.saying:command_lines"),
    ),
)
