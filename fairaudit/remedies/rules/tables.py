"""What is said of a set of rules, and its tables: its rules, whom each concerns, its gaps, and how it was found."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Field, Kind
from fairaudit.findings import Argument, Count, Message, Phrase, Share, Word
from fairaudit.measure.limits import SLACK, exceeds, within
from fairaudit.measure.quantity import Quantity
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import figures_table, frame_rows, frame_table, heads
from fairaudit.present.numbers import are_known, shown
from fairaudit.remedies.rules.details import BOUNDS, COVERAGE, FRONTIER, PATH, RULES, RulesDetails
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.tables import differences_table
from fairaudit.study.constraint_check import FAIRNESS_WORDS, limit_text
from fairaudit.study.findings import RemedyFinding, StudyFacts


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


LONGEST_RULE = 1200
"""A rule longer than this is cut in a sentence; files hold it whole."""
_SHARE_DIGITS = 1
_SHARE = Quantity("share", 0)
Args = dict[str, Argument]


def rules_head(details: RulesDetails, facts: StudyFacts) -> str:
    """Return what is expected where a rule holds, or that there is none, or that they are hidden."""
    if not len(details.rules):
        return say(Message("rules-not-shown" if details.complexity else "rules-none"))
    args: dict[str, Argument] = {"outcome": Phrase(facts.positive_meaning), "n": Count(len(details.rules))}
    return say(Message("rules-head", args))


def rule_items(details: RulesDetails) -> tuple[str, ...]:
    """Return the rules, numbered, with what should be known beside each."""
    return tuple(map(rule_text, details.rules.itertuples()))


def rule_text(row: Any) -> str:
    """Return a rule, a row of ``RulesDetails.rules``, with its number and what should be known beside it."""
    return " ".join((f"{row.rule}. {naming.whole(row.text, LONGEST_RULE)}.", *map(say, rule_marks(row))))


def rule_marks(row: Any) -> tuple[Message, ...]:
    """Return what should be known beside a rule."""
    return (
        *((Message("rules-mark-group"),) if row.uses_protected else ()),
        *((Message("rules-mark-proxy", {"columns": Phrase(row.proxies)}),) if row.proxies else ()),
    )


def made(details: RulesDetails) -> tuple[Message, ...]:
    """Return how a rule set was made, and what it was allowed to be."""
    is_chosen = details.status == "chosen"
    size = {"n": Count(details.n_columns), "most": Count(details.max_complexity)}
    said = [Message("rules-made-by-hand") if is_chosen else Message("rules-made", size)]
    if details.fairness is not None:
        alike: Args = {"alike": Word(details.fairness.replace("_", "-")), "size": _SHARE.limit(details.max_difference)}
        said.append(Message("rules-made-alike", alike))
        if not is_chosen and details.max_difference - details.trained_difference > SLACK:
            said.append(Message("rules-made-margin", {"size": _SHARE.limit(details.trained_difference)}))
    if details.keeps_groups:
        said.append(Message("rules-made-kept"))
    return tuple(said)


def proof(details: RulesDetails) -> tuple[Message, ...]:
    """Return how far from the best a rule set can be, and how the search ended."""
    if details.status == "chosen":
        return (Message("rules-no-search"),)
    if details.status == "optimal":
        return (Message("rules-proof"),)
    return (_distance(details), *_ended(details.status))


def _ended(status: str) -> tuple[Message, ...]:
    """Return that a search ended before it was through."""
    keys = {"work_limit": "rules-ended-work-limit", "stopped": "rules-ended-stopped"}
    return (Message(keys[status]),) if status in keys else ()


def _distance(details: RulesDetails) -> Message:
    gap = details.optimality_gap
    if gap is None or not math.isfinite(gap) or gap >= 1:
        return Message("rules-proof-open")
    # `gap` is a share of what was reached; people ask for the share of the lowest possible. Rounded up: "at most".
    above = math.ceil(round(1000 * gap / (1 - gap), 6)) / 1000
    return Message("rules-proof-near", {"above": Share(above, _SHARE_DIGITS)})


def rules_warnings(details: RulesDetails, n_covered: pd.Series, n_right: pd.Series) -> tuple[str, ...]:
    """Say what makes a rule set doubtful; the series count training rows by the number of the rule."""
    few = n_covered.index[n_covered < ENOUGH]
    wrong = n_covered.index[(n_covered > 0) & (2 * n_right < n_covered)]
    found = (
        *_limits(details),
        *(() if few.empty else (Message("rules-doubt-few", {"numbers": _named(few)}),)),
        *(() if wrong.empty else (Message("rules-doubt-wrong", {"numbers": _named(wrong)}),)),
    )
    return tuple(map(say, found))


def _limits(details: RulesDetails) -> tuple[Message, ...]:
    """Return that a limit is kept by those alone who are learned from."""
    if details.status == "chosen" or not are_known(details.trained_gap, details.tuned_gap):
        return ()
    allowed = details.max_difference
    if within(details.trained_gap, allowed) and exceeds(details.tuned_gap, allowed):
        return (Message("rules-doubt-margin"),)
    return ()


def _named(numbers: Any) -> Phrase:
    return Phrase(", ".join(map(str, numbers)))


COUNTS = ("n", "n_covered", "n_right", "n_only", "n_only_wrong")
ENDS = {
    "gap": "all steps taken",
    "work_limit": "all work done that was allowed",
    "stopped": "stopped by a person",
    "optimal": "proven to be the best",
    "chosen": "chosen by a person",
}


def rules_tables(finding: RemedyFinding, number: int) -> list[TableBlock]:
    """Return the tables of a rule set; what is hidden has no rows or is not shown."""
    details = finding.details
    return [
        rules_table(details, number),
        coverage_table(details, number),
        rates_table(details, number),
        search_table(details, number),
        path_table(details, number),
        bounds_table(details, number),
        frontier_table(details, number),
    ]


TOTALS = ("n_covered", "n_right", "precision", "n_only", "n_only_wrong")


def rules_table(details: RulesDetails, number: int) -> TableBlock:
    """Return one row a rule: what it says, what it costs and what it does on the test cases of all groups."""
    other = {"n_covered": "Test cases of a known group.", "n_only": "Test cases that no other rule holds for."}
    summed = (replace(each, meaning=other.get(each.name, each.meaning)) for each in heads(COVERAGE, TOTALS))
    totals = _totals(details)
    rows = []
    for number_of, cells in zip(details.rules["rule"], frame_rows(details.rules, RULES), strict=True):
        counts = totals.get(number_of)
        rows.append((*cells, *(shown(counts and counts[name]) for name in TOTALS)))
    return TableBlock(f"remedy_{number}_rules", "The rules", (*heads(RULES), *summed), tuple(rows))


def coverage_table(details: RulesDetails, number: int) -> TableBlock:
    """Return one row for each rule and group, and for the whole set and group, on the test cases."""
    key, title = f"remedy_{number}_coverage", "Whom each rule concerns"
    return frame_table(key, title, details.coverage, COVERAGE, note="Rule 0: all rules.")


def rates_table(details: RulesDetails, number: int) -> TableBlock:
    """Return the difference of each rate and pair of groups on training, tuning and test cases side by side."""
    return differences_table(details, f"remedy_{number}_rates")


SEARCH: Final[dict[Kind, Field]] = {
    "number": Field("value", "value", "number", "Where it is a number.", digits=1),
    "share": Field("share", "share", "share", "Where it is a share."),
    "size": Field("gap", "difference, points", "size", "Where it is a difference or a limit."),
    "text": Field("words", "in words", "text", "What is counted."),
}
FOUND = ("status", "max_complexity", "complexity")
SEARCHED = (
    "objective", "max_rule_length", "lp_bound", "bound", "optimality_gap", "errors", "errors_bound", "n_columns",
    "n_rounds",
)  # fmt: skip
LIMITED = ("max_difference", "trained_difference", "trained_gap", "tuned_gap")


def search_table(details: RulesDetails, number: int) -> TableBlock:
    """Return how the search for rules ended, one row a figure."""
    names = (
        *FOUND,
        *(SEARCHED if details.status != "chosen" else ()),
        *(LIMITED if details.fairness is not None else ()),
        *("trained_accuracy", "tuned_accuracy"),
    )
    words = {
        "status": ENDS[details.status], "objective": details.objective_words, "optimality_gap": "of the errors"
    }  # fmt: skip
    return figures_table(f"remedy_{number}_search", "How the rules were found", details, names, SEARCH, words=words)


def path_table(details: RulesDetails, number: int) -> TableBlock:
    """Return one row a round of the search for rules."""
    return frame_table(f"remedy_{number}_path", "Rounds of the search", details.path, PATH)


def bounds_table(details: RulesDetails, number: int) -> TableBlock:
    """Return what is proven of short rules, one row for each length."""
    key, title = f"remedy_{number}_bounds", "Proven, by length of rules"
    return frame_table(key, title, details.bounds, BOUNDS, note="0: nothing is proven.")


def frontier_table(details: RulesDetails, number: int) -> TableBlock:
    """Return rule sets of other settings, made of the same rules, on training and tuning cases."""
    return frame_table(f"remedy_{number}_frontier", "Rules of other settings", details.frontier, FRONTIER)


def _totals(details: RulesDetails) -> dict[int, dict[str, Any]]:
    """Return the counts of each rule over all groups, and its precision; empty where they are hidden."""
    sums = details.coverage.groupby("rule")[list(COUNTS)].sum()
    sums = sums.assign(precision=sums["n_right"] / sums["n_covered"].where(sums["n_covered"] > 0))
    return {int(rule): record for rule, record in sums.to_dict("index").items()}
