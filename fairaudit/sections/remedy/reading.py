"""What a remedy did: its verdict, the two groups whose gap it is about, its price, and harm among similar cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.errors import ConditionError, require
from fairaudit.estimators.constraints import TOP
from fairaudit.findings import REST, Argument, Message, Phrase
from fairaudit.measure.grouping import value_text
from fairaudit.measure.limits import SLACK, amount_digits, exceeds
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.results import ErrorComparison, Interval
from fairaudit.measure.verdicts_of_many import gap_is_likely, is_turned, resized_widest
from fairaudit.present.numbers import are_known
from fairaudit.remedies.tables import MISSED
from fairaudit.sections.remedy.favorable_shares import gives_less, one_answer
from fairaudit.study.amounts.findings import AmountChange, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.certified import CertifiedLimit
from fairaudit.study.findings import RemedyFinding, StudyFacts
from fairaudit.study.judging.results import WORSE, Change, GroupChange, WithinStrata, Yardstick

Finding: TypeAlias = RemedyFinding | AmountRemedyFinding
Facts: TypeAlias = StudyFacts | AmountStudyFacts
RemedyVerdict = Literal[
    "one_answer", "nearly_one_answer", "worse_than_simple_rule", "limit_met", "limit_met_in_test", "limit_not_met",
    "gap_smaller", "gap_larger", "gap_unchanged", "gap_may_not_have_changed", "nothing_to_compare", "not_shown",
]  # fmt: skip
Limit = Literal["met", "met_in_test", "not_met"]
Measure = Literal["share", "flagged", "missed", "amount"]
Beside = Literal["decision", "outcome", "amount"]
Harm = Literal["turned", "opens", "wider"]
GAPS = ("gap_smaller", "gap_larger", "gap_unchanged", "gap_may_not_have_changed")
_MOST_DIGITS = 2
_HALF = 0.5
"""A model without the remedy does the same among similar cases where its gap there is at least this part as large."""
_WRONGLY = {"fpr": "false", "fnr": "true", "tpr": "true"}
"""The rates that limits are set on which say who is judged wrongly."""
_SELECTION = frozenset(("demographic_parity", "selection_rate"))
"""Those that say who is predicted to have an outcome."""


OF_LIMIT: dict[Limit, Literal["limit_met", "limit_met_in_test", "limit_not_met"]] = {
    "met": "limit_met",
    "met_in_test": "limit_met_in_test",
    "not_met": "limit_not_met",
}
"""The verdict of a remedy that states a limit; one that states none has that of its gap."""


@dataclass(frozen=True)
class GroupsCompared:
    """What two groups have in past decisions, without the remedy and with it; the gap is the first minus the second."""

    measure: (
        Measure  # shares of the favourable result, or who is wrongly refused it or wrongly gets it; or mean amounts
    )
    own: Argument
    other: Argument
    decided: tuple[float, float] | None  # None for what only a model has
    before: tuple[float, float]
    after: tuple[float, float]
    change: Change | AmountChange | None  # the paired change of the gap; None for a model that is no remedy

    @property
    def is_gap(self) -> bool:
        """Whether it is the gap itself, and not who is judged wrongly."""
        return self.measure in ("share", "amount")


@dataclass(frozen=True)
class SimpleRule:
    """A simple rule that surely matches more often than a remedy, with gaps that are within the limit and no larger."""

    rule: Yardstick
    gap: float  # the size of the gap that is spoken of, with the rule
    own_gap: float  # and with the remedy


@dataclass(frozen=True, kw_only=True)
class RemedyReading:
    """What a remedy did, without a sentence."""

    verdict: RemedyVerdict  # one answer for all and a better simple rule come first, then a limit, then the gap
    gap: RemedyVerdict  # what became of its size; it is smaller only where it gains something on past decisions, too
    quantity: Quantity  # a gap that is smaller or larger than another is so in writing, too
    compared: GroupsCompared | None  # None where its figures are hidden
    limit: Limit | None  # whether a stated limit is met on the test cases; None without one, or where that is hidden
    certified: CertifiedLimit | None  # whether it holds on new people, where that is asked and shown
    limit_size: float | None  # of a limit on the gap that is spoken of; None where limits are on something else
    harm: Harm | None  # among similar cases; None where past decisions or the model without the remedy do it, too
    is_wider: bool  # whether its gap is surely wider than that of past decisions, or of what happened
    is_turned: bool  # whether the gap is on the other side than without the remedy, both beyond chance
    is_other_way: bool  # whether it is on the other side than in past decisions, where that is beyond chance
    gains_nothing: bool  # whether its gap is smaller than without it, and not than in past decisions
    gives_less: bool  # whether both groups have the favourable result less often than in past decisions, surely in all
    worse_off: GroupChange | None  # of several groups the one that loses most
    simple: SimpleRule | None


def read_remedy(finding: Finding, facts: Facts) -> RemedyReading:
    """Read a finding, whole or as it leaves."""
    compared = _wrongly(finding, facts) or _both_groups(finding, facts)
    wider = bool(finding.changes) and is_wider(finding, facts)
    gap = _gap(finding, compared)
    gains_nothing = gap == "gap_smaller" and _is_no_smaller(compared, facts)
    if gains_nothing:
        gap = "gap_larger" if wider else "gap_may_not_have_changed"
    limit, simple = _limit(finding, facts), _simple(finding, compared)
    verdict, is_less = gap, False
    if isinstance(finding, RemedyFinding) and isinstance(facts, StudyFacts):
        is_less = gives_less(finding, facts)
        verdict = (one_answer(finding.after.fairness, facts.decisions) if finding.changes else None) or gap
    if verdict == gap and simple is not None:
        verdict = "worse_than_simple_rule"
    elif verdict in GAPS and limit is not None:
        verdict = OF_LIMIT[limit]
    size = limit_size(finding, facts, compared)
    return RemedyReading(
        verdict=verdict,
        gap=gap,
        quantity=_quantity(facts, gap, compared, None if limit is None else size),
        compared=compared,
        limit=limit,
        certified=finding.certified if limit is not None else None,
        limit_size=size,
        harm=harm_within(finding.within, facts),
        is_wider=wider,
        is_turned=gap in GAPS and _is_turned(finding, compared),
        is_other_way=gap in GAPS and _is_other_way(compared, facts),
        gains_nothing=gains_nothing,
        gives_less=is_less,
        worse_off=_worse_off(finding),
        simple=simple,
    )


def predicts_the_same(finding: Finding) -> bool:
    """Say whether a remedy predicts the same as the model without it on all test cases; False where that is hidden."""
    return bool(finding.changes) and not finding.predictions_differ


def change_of(finding: Finding, measure: str) -> Change | AmountChange | None:
    """Return the change of one measure; None where there is none, or it is hidden."""
    changes: Sequence[Change | AmountChange] = finding.changes
    return next((change for change in changes if change.measure == measure), None)


def is_wider(finding: Finding, facts: Facts) -> bool:
    """Say whether a remedy leaves a wider gap than decisions, or what happened, have, with the whole of its interval.

    It is that of a paired difference. Where that is hidden, both gaps are taken as if they were of different rows.
    """
    after, decided = finding.after.compared, facts.decisions
    ends = (*after.difference_interval, *decided.difference_interval)
    if not are_known(after.difference, decided.difference, *ends):
        return False
    if finding.beside_decisions is not None:
        return finding.beside_decisions.gap.low > 0
    low, _ = _away(after.difference, after.difference_interval)
    _, high = _away(decided.difference, decided.difference_interval)
    own, other = abs(after.difference), abs(decided.difference)
    return bool(own - other > math.hypot(own - low, high - other))


def _away(gap: float, interval: Interval) -> tuple[float, float]:
    """Return the ends of an interval, counted in the direction of its gap."""
    low, high = interval
    return (low, high) if gap >= 0 else (-high, -low)


def beside_models(facts: Facts) -> Beside:
    """Return what stands beside models and is none: past decisions, what truly happened, or actual amounts."""
    if not facts.outcome.has_good_outcome:
        return "amount"
    return "outcome" if facts.decision_is_outcome else "decision"


def unit_of(facts: Facts) -> Quantity:
    """Return what groups are compared in: in whole percent, or with decimals by which amounts differ."""
    if facts.outcome.has_good_outcome:
        return Quantity("share", 0, facts.names.of_unfavorable)
    return Quantity("amount", amount_digits(facts.deviation))


def _quantity(facts: Facts, gap: RemedyVerdict, compared: GroupsCompared | None, limit: float | None) -> Quantity:
    """Return how figures are written, so that the gap is smaller, larger and within its limit in writing, too."""
    unit = unit_of(facts)
    if unit.kind == "amount":
        return unit
    is_turned = unit.is_turned and compared is not None and compared.measure == "share"
    if compared is None or compared.change is None:
        return replace(unit, is_turned=is_turned)
    before, after = abs(compared.change.before), abs(compared.change.after)
    digits = 0
    if gap in ("gap_smaller", "gap_larger") and math.isfinite(before) and math.isfinite(after):
        digits = digits_apart(before, after, most=_MOST_DIGITS) or 0
    if limit is not None and math.isfinite(after):
        # The lead says on which side of the limit it stands: one that is within it may be written as the limit.
        beyond, places = exceeds(after, limit), range(digits, _MOST_DIGITS + 1)
        digits = next((d for d in places if exceeds(round(100 * after, d), 100 * limit) == beyond), digits)
    return Quantity("share", digits, is_turned)


def digits_apart(first: float, last: float, *, most: int) -> int | None:
    """Return with how few decimals of their percentage two shares are written differently; None where with none.

    Examples
    --------
    >>> digits_apart(0.31, 0.34, most=1), digits_apart(0.312, 0.314, most=1), digits_apart(0.31, 0.31, most=1)
    (0, 1, None)
    """
    return next((d for d in range(most + 1) if round(100 * first, d) != round(100 * last, d)), None)


def harm_within(found: WithinStrata | None, facts: Facts) -> Harm | None:
    """Return what a remedy does among similar cases that neither past decisions nor the model without it do.

    A gap there opens, turns around or is wider than in past decisions, all beyond chance. The model without the remedy
    does the same where its gap there points the same way and is at least half as large.
    """
    if found is None or not are_known(found.after, found.before, *found.after_interval, *found.change_interval):
        return None
    side = "before" if facts.decision_is_outcome else "decisions"
    other, (other_low, other_high) = getattr(found, side), getattr(found, f"{side}_interval")
    low, high = found.after_interval
    if not are_known(other, other_low, other_high) or low <= 0 <= high:
        return None
    if -found.tolerance <= low and high <= found.tolerance:
        return None
    if found.before * found.after > 0 and abs(found.before) >= _HALF * abs(found.after):
        return None
    if found.change_interval.low <= 0 <= found.change_interval.high:
        return None
    was_clear = not other_low <= 0 <= other_high
    if was_clear and found.after * other < 0:
        return "turned"
    if abs(found.after) <= abs(other):
        return None
    return "wider" if was_clear else "opens"


def turns_within(found: WithinStrata | None, facts: Facts) -> bool:
    """Say whether a gap among similar cases is on the other side with a remedy, both beyond chance.

    Unlike harm, that is so whatever the model without it does.
    """
    if found is None or not are_known(found.after, *found.after_interval):
        return False
    side = "before" if facts.decision_is_outcome else "decisions"
    other, own = getattr(found, f"{side}_interval"), found.after_interval
    if not are_known(*other) or max(map(abs, own)) <= found.tolerance:
        return False
    return bool((other[1] < 0 < own[0]) or (own[1] < 0 < other[0]))


def is_same_search(finding: Finding) -> bool:
    """Say whether the model without a remedy is the same search for rules or a tree without a limit."""
    return finding.plan.method in ("rules", "trees") and finding.plan.plain_model() is None


def decides_by_group(finding: Finding) -> bool:
    """Say whether the group of a person is asked, or a rule or split uses a column that says it.

    Of hidden rules and splits it is known whether they use a column that the groups are made of.
    """
    table = getattr(finding.details, "rules", getattr(finding.details, "nodes", None))
    if table is None:
        return finding.needs_group
    return finding.uses_protected_features or bool(table["uses_protected"].fillna(False).astype(bool).any())


def limit_size(finding: Finding, facts: Facts, compared: GroupsCompared | None) -> float | None:
    """Return how far apart the two groups may be where that is all that a remedy has a limit on."""
    details = finding.details
    if getattr(finding.plan, "strata", ()):
        # It is about averages over similar cases.
        return None
    if not facts.outcome.has_good_outcome:
        asked = getattr(details, "constraint", None) is not None
        return details.max_difference if asked and not facts.group_columns else None
    table = _limits(details)
    if table is None or len(table) != 1 or compared is None or facts.group_columns or (table["second"] == TOP).any():
        return None
    if compared.measure == "share" and not _rates_limited(details) <= _SELECTION:
        return None
    if REST not in _groups_limited(table):
        return None
    if "max_difference" in table:
        return float(table["max_difference"].iloc[0])
    return None if getattr(details, "by_ratio", False) else float(details.max_difference)


def _limits(details: object) -> pd.DataFrame | None:
    """Return the table of what had to be alike; None where nothing had to be, or it is hidden."""
    if getattr(details, "max_loss", None) is not None:
        return None
    table = getattr(details, "pairs", getattr(details, "gaps", None))
    return table if table is not None and len(table) and not table["reading"].isna().any() else None


def _limit(finding: Finding, facts: Facts) -> Limit | None:
    """Return whether a limit is met on the test cases, and whether that is certain.

    Where it was to hold on new people, it is certain if the cases that were set aside for that say so; else, if all
    that fits the test cases is within it.
    """
    found = _limit_in_test(finding, facts)
    if finding.certified is None or found in (None, "not_met"):
        return found
    return "met" if finding.certified.is_certified else "met_in_test"


def _limit_in_test(finding: Finding, facts: Facts) -> Limit | None:
    details = finding.details
    if not facts.outcome.has_good_outcome:
        is_missed = None if details is None else details.misses_limit(facts)
        # No interval stands beside the largest of several differences.
        return None if is_missed is None else "not_met" if is_missed else "met_in_test"
    table = _limits(details)
    if table is None:
        return None
    readings = table["reading"].astype(str)
    if readings.isin(MISSED).any():
        return "not_met"
    return "met" if (readings == "within").all() else "met_in_test"


def _gap(finding: Finding, compared: GroupsCompared | None) -> RemedyVerdict:
    if not finding.plan.is_remedy:
        return "nothing_to_compare"
    change = None if compared is None else compared.change
    if change is None or None in (change.before, change.after):
        return "not_shown"
    if predicts_the_same(finding):
        return "gap_unchanged"
    moved = resized_widest([(change.before, _interval_of(change, finding))])
    return "gap_may_not_have_changed" if moved == "gap_changed" else moved


def _interval_of(change: Change | AmountChange, finding: Finding) -> Interval:
    """Return the paired interval of the change of a gap; where it is hidden, that of two gaps as of different rows.

    It is wider, and of what is shown. Of gaps in errors none is known: any change fits.
    """
    if None not in change.interval:
        return change.interval
    gaps = (finding.before.compared, finding.after.compared)
    ends = [end for gap in gaps for end in gap.difference_interval]
    if change.measure != "gap" or not are_known(*ends):
        return Interval(-math.inf, math.inf)
    (before_low, before_high), (after_low, after_high) = (gap.difference_interval for gap in gaps)
    low = change.difference - math.hypot(change.after - after_low, before_high - change.before)
    return Interval(low, change.difference + math.hypot(after_high - change.after, change.before - before_low))


def _is_turned(finding: Finding, compared: GroupsCompared | None) -> bool:
    """Say whether a gap that is spoken of is on the other side than without the remedy, both beyond chance."""
    before, after = finding.before.compared, finding.after.compared
    # Gaps of other people than the change is of say nothing of it.
    is_of_gap = compared is not None and compared.is_gap
    return is_of_gap and are_known(before.difference, after.difference) and is_turned(before, after)


def _is_other_way(compared: GroupsCompared | None, facts: Facts) -> bool:
    """Say whether a gap is on the other side than that of past decisions, as it is written."""
    if compared is None or compared.decided is None or not gap_is_likely(facts.decisions):
        return False
    own, past = (first - second for first, second in (compared.after, compared.decided))
    return unit_of(facts).is_other_way(own, past)


def _is_no_smaller(compared: GroupsCompared | None, facts: Facts) -> bool:
    """Say whether a gap is at least as large as that of past decisions, as both are written.

    One that is as large as in what happened only says so; it is held against a model where it is larger.
    """
    if compared is None or compared.decided is None:
        return False
    quantity = unit_of(facts)
    own, past = (first - second for first, second in (compared.after, compared.decided))
    tolerance = facts.decisions.tolerance
    if facts.decision_is_outcome:
        return not quantity.is_no_smaller(past, own, tolerance)
    return quantity.is_no_smaller(own, past, tolerance)


def _both_groups(finding: Finding, facts: Facts) -> GroupsCompared | None:
    """Return the shares or the mean amounts of both groups."""
    sides = (facts.decisions, finding.before.compared, finding.after.compared)
    decided, before, after = ((side.protected.value, side.reference.value) for side in sides)
    if not are_known(*before, *after):
        return None
    measure: Measure = "share" if facts.outcome.has_good_outcome else "amount"
    shown = decided if are_known(*decided) else None
    names = facts.names
    return GroupsCompared(measure, names.protected, names.others, shown, before, after, change_of(finding, "gap"))


def _wrongly(finding: Finding, facts: Facts) -> GroupsCompared | None:
    """Return who is judged wrongly, where that is all that a remedy has a limit on."""
    if not isinstance(finding, RemedyFinding) or not isinstance(facts, StudyFacts):
        return None
    rates = _rates_limited(finding.details)
    if len(rates) != 1 or not rates <= frozenset(_WRONGLY):
        return None
    favorable = finding.after.errors.positive == "favorable"
    is_false = _WRONGLY[next(iter(rates))] == "false"
    # What is called positive is wrongly predicted among people without it, and wrongly missed among people with it.
    measure: Measure = "missed" if favorable == is_false else "flagged"
    change = change_of(finding, "fpr_gap" if is_false else "tpr_gap")
    if change is None or change.first is None or change.second is None:
        return None
    names = (change.first, change.second)
    if not set(names) <= _groups_limited(require(_limits(finding.details))):
        return None
    before, after = (_wrong_rates(side.errors, names, is_false=is_false) for side in (finding.before, finding.after))
    if before is None or after is None:
        return None
    moved = change if is_false else _turned(change)
    if change.first == REST:
        names, before, after, moved = names[::-1], before[::-1], after[::-1], _turned(moved)
    own, other = (group_called(name, facts) for name in names)
    return GroupsCompared(measure, own, other, None, before, after, moved)


def better_simple_rule(finding: Finding) -> Yardstick | None:
    """Return the simple rule that does better on the test cases; None where none does, or that is hidden.

    Of those within the limit on the tuning rows it is the one that agrees most often there. It surely agrees with the
    decisions more often than the remedy, and its gaps are within the limit and no larger than the remedy's.
    """
    best = next((each for each in finding.yardsticks if each.is_best), None)
    if best is None or not best.holds_in_test or best.change.interval.high is None:
        return None
    return best if best.change.interval.high < 0 else None


def _simple(finding: Finding, compared: GroupsCompared | None) -> SimpleRule | None:
    rule = better_simple_rule(finding)
    if rule is None or compared is None or compared.change is None or not isinstance(finding, RemedyFinding):
        return None
    if compared.measure == "share":
        gap, own = rule.fairness.difference, compared.change.after
    else:
        # Of more than two groups, the gap is that between those furthest apart with either.
        name = compared.change.measure
        gap, own = rule.measure(name).value, finding.after.measure(name).value
    if not are_known(gap, own) or abs(gap) > abs(own) + SLACK:
        return None
    return SimpleRule(rule, abs(gap), abs(own))


def _groups_limited(table: pd.DataFrame) -> set[str]:
    return {*table["first"].astype(str), *table["second"].astype(str)}


def _rates_limited(details: object) -> frozenset[str]:
    table = _limits(details)
    if table is None:
        return frozenset()
    return frozenset(table["metric" if "metric" in table else "rate"].astype(str))


def _wrong_rates(errors: ErrorComparison, names: tuple[str, str], *, is_false: bool) -> tuple[float, float] | None:
    rates = errors.metrics["fpr" if is_false else "fnr"]
    if not set(names) <= set(rates.index):
        return None
    first, second = (rates[name] for name in names)
    return (float(first), float(second)) if are_known(first, second) else None


def _turned(change: Change) -> Change:
    low, high = change.interval
    ends = change.interval if None in change.interval else Interval(-high, -low)
    return replace(change, before=-change.before, after=-change.after, difference=-change.difference, interval=ends)


def group_called(name: str, facts: StudyFacts) -> Argument:
    """Return what a group of error rates is called: as the audit says, or by its columns and values."""
    if name == REST:
        return facts.names.others
    columns = facts.group_columns
    if not columns:
        return facts.names.protected
    if (called := _as_asked(name, facts)) is not None:
        return called
    key = "name-people-with" if len(columns) == 1 else "name-people-with-all"
    return Message(key, {"columns": Phrase(" and ".join(columns)), "values": Phrase(name)})


def _as_asked(name: str, facts: StudyFacts) -> Argument | None:
    """Return what a group by one column is called that the question asks about, by that column and one value of it."""
    try:
        listed = Condition.parse(facts.plan.protected, facts.group_columns).listed
    except ConditionError:
        # Other columns say who is protected.
        return None
    if len(facts.group_columns) > 1 or listed is None or len(listed[1]) != 1:
        return None
    if name == value_text(listed[1][0]):
        return facts.names.protected
    # Of more groups than two, others are not all of them.
    return facts.names.others if len(facts.groups) == 2 else None


def _worse_off(finding: Finding) -> GroupChange | None:
    found = finding.worse_off
    groups = [] if found is None else [each for each in found.groups if each.standing == WORSE]
    return max(groups, key=lambda each: abs(each.difference), default=None)
