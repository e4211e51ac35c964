"""What is said of a rule set: its rules, how it was made, how far from the best it can be, and what to doubt."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.findings import Argument, Count, Message, Phrase, Share, Word
from fairaudit.measure.limits import SLACK, exceeds, within
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.numbers import are_known
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.sections.quantity import Quantity
from fairaudit.study.findings import RemedyFinding, StudyFacts

LONGEST_RULE = 1200
"""A rule longer than this is cut in a sentence; files hold it whole."""
_SHARE_DIGITS = 1
_SHARE = Quantity("share", 0)
Args = dict[str, Argument]


def rules_head(details: RulesDetails, facts: StudyFacts) -> str:
    """Return what is expected where a rule holds, or that there is none."""
    if not len(details.rules):
        return say(Message("rules-none"))
    args: dict[str, Argument] = {"outcome": Phrase(facts.positive_meaning), "n": Count(len(details.rules))}
    return say(Message("rules-head", args))


def rule_items(details: RulesDetails) -> tuple[str, ...]:
    """Return the rules, numbered, with what should be known beside each."""
    return tuple(map(rule_text, details.rules.itertuples()))


def rule_text(row: Any) -> str:
    """Return a rule, a row of ``RulesDetails.rules``, with its number and what should be known beside it."""
    if row.text is None:
        return say(Message("rules-item-hidden", {"number": Count(row.rule)}))
    return " ".join((f"{row.rule}. {naming.whole(row.text, LONGEST_RULE)}.", *map(say, rule_marks(row))))


def rule_marks(row: Any) -> tuple[Message, ...]:
    """Return what should be known beside a rule; nothing where that is hidden."""
    return (
        *((Message("rules-mark-group"),) if row.uses_protected else ()),
        *((Message("rules-mark-proxy", {"columns": Phrase(row.proxies)}),) if row.proxies else ()),
    )


def made_sentences(finding: RemedyFinding) -> str:
    """Return how a rule set was made, and what it was allowed to be."""
    return say(made(finding.details))


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


def rules_caveats(finding: RemedyFinding) -> tuple[str, ...]:
    """Return what happened on the way."""
    return tuple(finding.details.notes)


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
