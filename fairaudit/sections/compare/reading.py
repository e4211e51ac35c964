"""Which remedies bring the gap within the limit, for certain or in the test alone, and what each costs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Share
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.results import ControlledFairness, ControlledMeans, Interval
from fairaudit.messages import keys, say
from fairaudit.sections.remedy.favorable_shares import given_share
from fairaudit.sections.remedy.reading import (
    OF_LIMIT,
    Facts,
    Finding,
    decides_by_group,
    is_same_search,
    predicts_the_same,
    read_remedy,
    turns_within,
    unit_of,
)
from fairaudit.sections.remedy.saying import simple_rule_called
from fairaudit.study.amounts.findings import AmountEvaluation, AmountRemediesFinding
from fairaudit.study.findings import RemediesFinding
from fairaudit.study.judging.results import Evaluation

Remedies: TypeAlias = RemediesFinding | AmountRemediesFinding
Compared: TypeAlias = ControlledFairness | ControlledMeans
Model: TypeAlias = Evaluation | AmountEvaluation
Limit = Literal[
    "limit_met", "limit_met_in_test", "limit_not_met", "one_answer", "nearly_one_answer", "worse_than_simple_rule"
]
CompareVerdict = Literal[
    "limit_met", "limit_met_in_test", "limit_not_met", "one_answer", "nearly_one_answer", "worse_than_simple_rule",
    "nothing_to_compare", "not_shown",
]  # fmt: skip
Role = Literal["past", "without", "remedy"]
MET = ("limit_met", "limit_met_in_test")
BESIDE = ("one_answer", "nearly_one_answer", "worse_than_simple_rule")
"""What nobody should take, whatever its gap."""


@dataclass(frozen=True)
class ModelRow:
    """What decides, its gap, and what it costs; figures are None where they are hidden, or there are none."""

    role: Role
    name: Argument  # by itself
    phrase: Argument  # within a sentence
    gap: float  # the protected group minus the others
    interval: Interval
    limit: Limit | None  # its own limit or else that on the gap, or what speaks against it; None of past decisions
    given: float | None  # the share of all test cases with the favourable result, or their mean amount
    right: float | None  # how often it is right, or how far it is from the amounts; None of past decisions
    right_without: float | None = None  # the same of the model without the remedy
    without: str = "model"  # that model: "rules" or "trees" for the same search without a limit, or another "model"
    needs_group: bool = False
    has_own_limit: bool = False  # whether it states a limit, and that is another one than that on the gap
    made: str = ""  # the name of the finding of a remedy
    simple: Argument | None = None  # the simple rule that does better
    changes_nothing: bool = False  # whether it does the same for each test case as the model without it


@dataclass(frozen=True)
class CompareReading:
    """Which remedies meet the limit, without a sentence."""

    limit: float  # the largest gap that counts as alike
    rows: tuple[ModelRow, ...]  # past decisions, models without a remedy, and remedies from the widest gap on
    n_tried: int  # remedies with a gap that is shown
    n_hidden: int
    quantity: Quantity
    is_outcome: bool  # whether what happened is compared, which nobody decided
    n_turning: int  # remedies with which the gap among similar cases is clearly on the other side

    @property
    def remedies(self) -> tuple[ModelRow, ...]:
        """The remedies, the smallest gap first."""
        return tuple(row for row in self.rows if row.role == "remedy")[::-1]

    @property
    def met(self) -> tuple[ModelRow, ...]:
        """Those within the limit, the smallest gap first."""
        return tuple(row for row in self.remedies if row.limit in MET)

    @property
    def usable(self) -> tuple[ModelRow, ...]:
        """Those that somebody could take, the smallest gap first."""
        return tuple(row for row in self.remedies if row.limit not in BESIDE)

    @property
    def best(self) -> ModelRow | None:
        """The one that leaves the smallest gap, of those within their limit or, where none is, of the usable ones."""
        return next(iter(self.met or self.usable), None)

    def is_other_way(self, row: ModelRow) -> bool:
        """Whether the gap of a model is on the other side than that of past decisions, which is beyond chance."""
        past = self.past
        if past is None or past.interval.low <= 0 <= past.interval.high:
            return False
        return self.quantity.is_other_way(row.gap, past.gap)

    @property
    def past(self) -> ModelRow | None:
        """Past decisions."""
        return next((row for row in self.rows if row.role == "past"), None)

    @property
    def gains_nothing(self) -> bool:
        """Whether no usable remedy leaves a smaller gap than past decisions have, as both are written.

        Of an outcome, whether each leaves a larger one than what happened.
        """
        past, best = self.past, next(iter(self.usable), None)
        if past is None or best is None:
            return False
        if self.is_outcome:
            return not self.quantity.is_no_smaller(past.gap, best.gap, self.limit)
        return self.quantity.is_no_smaller(best.gap, past.gap, self.limit)

    @property
    def verdict(self) -> CompareVerdict:
        """The best that any usable remedy does; without one, what speaks against all, or that no limit is met."""
        if not self.n_tried:
            return "not_shown" if self.n_hidden else "nothing_to_compare"
        found = {row.limit for row in self.usable}
        if not found:
            against = {row.limit for row in self.remedies}
            if against == {"one_answer", "nearly_one_answer"}:
                return "nearly_one_answer"
            first, *others = against
            return "limit_not_met" if others or first is None else first
        if "limit_met" in found:
            return "limit_met"
        return "limit_met_in_test" if "limit_met_in_test" in found else "limit_not_met"


def read_comparison(finding: Remedies, numbers: Sequence[int] = ()) -> CompareReading:
    """Read the findings of all remedies, whole or as they leave; `numbers` are as in :func:`names_of`."""
    facts, names = finding.facts, names_of(finding, numbers)
    limit = facts.decisions.tolerance
    rows = [_row("past", (_past_name(finding), _past_name(finding)), facts.decisions)]
    rows += _without(finding)
    tried = [
        _row(
            "remedy",
            names[remedy.name],
            remedy.after.compared,
            **_limit(remedy, facts),
            right=_right(remedy.after),
            right_without=_right(remedy.before),
            without=remedy.plan.method if is_same_search(remedy) else "model",
            needs_group=decides_by_group(remedy),
            made=remedy.name,
            changes_nothing=predicts_the_same(remedy),
        )
        for remedy in finding.remedies
        if remedy.plan.is_remedy
    ]
    known = [row for row in tried if _is_known(row)]
    known.sort(key=lambda row: (-abs(row.gap), row.limit not in BESIDE))
    n_hidden = sum(None in (row.gap, *row.interval) for row in tried)
    shown = (*(row for row in rows if _is_known(row)), *known)
    compared = [each for each in finding.remedies if each.plan.is_remedy]
    n_turning = sum(turns_within(each.within, facts) for each in compared)
    return CompareReading(limit, shown, len(known), n_hidden, unit_of(facts), facts.decision_is_outcome, n_turning)


def row_reading(row: ModelRow) -> Message | None:
    """Return whether a model meets the limit, that on the gap or its own; None of past decisions."""
    if row.limit is None:
        return None
    reading = Message(f"reading-{row.limit.replace('_', '-')}")
    return Message("compare-row-own", {"reading": reading}) if row.has_own_limit else reading


def right_figure(quantity: Quantity, value: float) -> Share | Amount:
    """Return how often a model is right, or how far from the amounts it is."""
    return Share(value) if quantity.kind == "share" else Amount(value, quantity.digits)


def _row(role: Role, names: tuple[Argument, Argument], found: Compared, **values: Any) -> ModelRow:
    filled = {"limit": None, "right": None} | values
    # The same answer for everybody leaves no gap, also for other people.
    is_same = found.difference is not None and found.has_one_decision
    interval = Interval(math.nan, math.nan) if is_same else found.difference_interval
    return ModelRow(role, *names, found.difference, interval, given=_given(found), **filled)


def _is_known(row: ModelRow) -> bool:
    return None not in (row.gap, *row.interval) and math.isfinite(row.gap)


def _without(finding: Remedies) -> list[ModelRow]:
    """Return each model without a remedy, and each simple rule that does better than one; the same figures are one."""
    found: dict[str, tuple[str, Model]] = {}
    for remedy in finding.remedies:
        model = remedy.before if remedy.plan.is_remedy else remedy.after
        name = model.name if remedy.plan.is_remedy else remedy.name
        found.setdefault(repr((model.compared.difference, _right(model))), (name, model))
    is_one = len(found) == 1
    rows = {
        key: _row(
            "without",
            (Message("remedy-name-none") if is_one else Message("remedy-name-own", {"name": Phrase(name)}),) * 2,
            model.compared,
            limit=_met(model.compared, finding.facts.decisions.tolerance),
            right=_right(model),
        )
        for key, (name, model) in found.items()
    }
    # A simple rule that does better than a remedy is there to be compared with, too.
    simple = (read_remedy(remedy, finding.facts).simple for remedy in finding.remedies)
    for rule in (each.rule for each in simple if each is not None):
        row = _row(
            "without",
            (Message("remedy-name-own", {"name": simple_rule_called(rule)}),) * 2,
            rule.fairness,
            limit=_met(rule.fairness, finding.facts.decisions.tolerance),
            right=rule.change.before,
            needs_group=rule.kind.startswith("by_group"),
        )
        rows.setdefault(repr((row.gap, row.right)), row)
    return list(rows.values())


def _past_name(finding: Remedies) -> Message:
    return Message("remedy-name-happened" if finding.facts.decision_is_outcome else "remedy-name-past")


def title_of(finding: Remedies, remedy: Finding) -> str:
    """Return what a remedy is called in the title of its part."""
    return say(Message("group-alone", {"group": names_of(finding)[remedy.name][0]}))


def names_of(finding: Remedies, numbers: Sequence[int] = ()) -> dict[str, tuple[Argument, Argument]]:
    """Return what remedies are called by themselves and within a sentence: by their kind, or as the person says.

    Of several of one kind each has its number, too: that of tables and files, or the one that `numbers` gives it.
    """
    remedies: Sequence[Finding] = finding.remedies
    times = Counter(remedy.plan.method for remedy in remedies)
    found: dict[str, tuple[Argument, Argument]] = {}
    for number, remedy in zip(numbers or range(1, len(remedies) + 1), remedies, strict=True):
        method = remedy.plan.method
        if remedy.plan.name or f"remedy-name-{method}" not in keys():
            found[remedy.name] = (Phrase(remedy.plan.name or remedy.name),) * 2
            continue
        name, phrase = Message(f"remedy-name-{method}"), Message(f"remedy-phrase-{method}")
        if times[method] > 1:
            n = Count(number)
            name = Message("remedy-numbered", {"n": n, "name": name})
            phrase = Message("remedy-phrase-numbered", {"n": n, "name": phrase})
        found[remedy.name] = (name, phrase)
    return found


def _given(found: Compared) -> float | None:
    if isinstance(found, ControlledFairness):
        return given_share(found)
    sides = (found.protected, found.reference)
    if any(side.n is None or side.mean is None for side in sides):
        return None
    n = sum(side.n for side in sides)
    return sum(side.n * side.mean for side in sides) / n if n else None


def _right(model: Model) -> float | None:
    value: float | None = model.performance
    return value if value is not None and math.isfinite(value) else None


def _limit(remedy: Finding, facts: Facts) -> dict[str, Any]:
    """Return whether a remedy meets its limit, as its own page reads it where it states one, and whether it does."""
    reading = read_remedy(remedy, facts)
    if reading.verdict in BESIDE:
        simple = None if reading.simple is None else simple_rule_called(reading.simple.rule)
        return {"limit": reading.verdict, "simple": simple}
    tolerance = facts.decisions.tolerance
    if reading.limit is None:
        return {"limit": _met(remedy.after.compared, tolerance)}
    is_of_gap = reading.compared is not None and reading.compared.is_gap
    return {
        "limit": OF_LIMIT[reading.limit],
        "has_own_limit": not (is_of_gap and reading.limit_size == tolerance),
    }


def _met(found: Compared, limit: float) -> Limit | None:
    is_hidden: bool = found.difference is None
    if is_hidden:
        return None
    if abs(found.difference) > limit:
        return "limit_not_met"
    return "limit_met" if found.verdict == "no_gap_above_tolerance" else "limit_met_in_test"
