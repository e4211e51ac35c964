"""What a list of rules is called: its settings in words."""

from __future__ import annotations

from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.study.rates_alike import FAIRNESS_WORDS, limit_text


def rules_name(plan: RulesPlan) -> str:
    """Return the name of such a rule set."""
    if plan.rules:
        return f"A short list of rules, chosen by hand ({len(plan.rules)} rule{'' if len(plan.rules) == 1 else 's'})"
    alike = "" if plan.fairness is None else f", {FAIRNESS_WORDS[plan.fairness]}{_within(plan)}"
    return f"A short list of rules (complexity up to {plan.max_complexity}{alike}{_searched(plan)})"


def _within(plan: RulesPlan) -> str:
    margin = f" with a margin of {limit_text(plan.margin)}" if plan.margin else ""
    return f" within {limit_text(plan.max_difference)}{margin}"


def _long(longest: int | None) -> str:
    if longest is None:
        return "any length"
    return "1 condition" if longest == 1 else f"up to {longest} conditions"


def _searched(plan: RulesPlan) -> str:
    """Return how a rule set is searched for, where that is not as usual."""
    longest = plan.max_rule_length
    length = "" if longest == RulesPlan.model_fields["max_rule_length"].default else f", rules of {_long(longest)}"
    groups = ", also by columns that reveal the group" if plan.use_sensitive else ""
    loss = "" if plan.objective == "hamming" else ", each wrong row counted once"
    usual = RulesPlan.model_fields["time_limit"].default
    limit = "" if plan.time_limit == usual else f", a search of about {plan.time_limit:g} seconds' work"
    return f"{length}{groups}{loss}{limit}"
