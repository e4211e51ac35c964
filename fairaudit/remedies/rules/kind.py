"""The kind of remedy: rules to be read aloud."""

from __future__ import annotations

from fairaudit.late import Late
from fairaudit.remedies.kind import RemedyKind
from fairaudit.remedies.rules.plan import RulesPlan, plain_model, search_plan, without_constraint

HOME = "fairaudit.remedies.rules"

RULES = RemedyKind(
    method="rules",
    plan=RulesPlan,
    noun="list of rules",
    fit=Late(f"{HOME}.fit:iter_rules"),
    name=Late(f"{HOME}.naming:rules_name"),
    done=Late(f"{HOME}.saying:made_sentences"),
    does="A few rules say for whom the outcome is expected. Anyone can read and check them.",
    details=Late(f"{HOME}.details:RulesDetails"),
    definitions=Late(f"{HOME}.chapter:definitions"),
    has_score=False,
    other_rates=True,
    marks_proxies=True,
    says_stopped=True,
    learns_known_groups=True,
    baseline=without_constraint,
    plain_model=plain_model,
    search_plan=search_plan,
    keeps_model=True,
    cautions=Late(f"{HOME}.saying:rules_caveats"),
    tables=Late(f"{HOME}.tables:rules_tables"),
    result_blocks=Late(f"{HOME}.chapter:result_blocks"),
    search_blocks=Late(f"{HOME}.chapter:search_blocks"),
    command_lines=Late(f"{HOME}.chapter:command_lines"),
    hide=Late(f"{HOME}.disclosure:shown_in_part"),
    hide_plan=Late(f"{HOME}.disclosure:shown_plan"),
    counts_people=Late(f"{HOME}.disclosure:counts_people"),
    without_people=None,
)
