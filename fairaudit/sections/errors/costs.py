"""What errors cost a person on average, by group, with the costs that the audit sets."""

from __future__ import annotations

import math
from statistics import NormalDist

from fairaudit.audit.result import ErrorsFinding
from fairaudit.errors import sure
from fairaudit.findings import Amount, Argument, Message, Word
from fairaudit.present.error_tables import with_group
from fairaudit.sections.errors.reading import group_name, metric_of, read_errors

_COST = "average_error_cost"
_MOST_DIGITS = 5


def say_costs(finding: ErrorsFinding) -> tuple[Message, ...]:
    """Say which group errors cost most, where none is hidden and chance explains it of no other; else what they cost.

    It is about groups that are compared; nothing is said where that is hidden.
    """
    errors, costs = finding.errors, finding.costs
    if errors is None or costs is None:
        return ()
    reading = read_errors(finding)
    frame = with_group(costs).dropna(subset=[_COST])
    compared = {rate.group for error in reading.errors for rate in error.compared}
    shown = frame[frame["group"].map(str).isin(compared)]
    if shown.empty:
        return ()
    asked = finding.plan
    by_rate = {"fpr": asked.cost_false_positive, "fnr": asked.cost_false_negative}
    values = {str(row["group"]): float(row[_COST]) for _, row in shown.iterrows()}
    top, least, most = max(values, key=values.__getitem__), min(values.values()), max(values.values())
    digits = next((d for d in range(2, _MOST_DIGITS) if round(least, d) != round(most, d)), 2)
    args: dict[str, Argument] = {
        "one": Amount(by_rate[metric_of(errors, "flagged")], _digits(by_rate[metric_of(errors, "flagged")])),
        "another": Amount(by_rate[metric_of(errors, "missed")], _digits(by_rate[metric_of(errors, "missed")])),
        "group": group_name(finding, top),
        "fewer": Amount(least, digits),
        "first": Amount(most, digits),
        "spread": Word("none" if round(least, digits) == round(most, digits) else "some"),
        "hidden": Word("yes" if reading.has_hidden else "no"),
    }
    if reading.has_hidden:
        key = "errors-costs-range"
    elif least == most:
        key = "errors-costs-alike"
    else:
        key = "errors-costs" if _is_most(finding, top, list(values)) else "errors-costs-range"
    return (Message(key, args, reveals=("costs",)),)


def _is_most(finding: ErrorsFinding, top: str, groups: list[str]) -> bool:
    """Say whether errors cost a group more than each other one, beyond chance and allowing for all pairs of groups."""
    errors, asked = sure(finding.errors), finding.plan
    mean, spread = {}, {}
    for row in errors.counts.itertuples():
        n = row.tp + row.fp + row.tn + row.fn
        if str(row.group) not in groups or not n:
            continue
        one, another = asked.cost_false_positive * row.fp, asked.cost_false_negative * row.fn
        mean[str(row.group)] = (one + another) / n
        squares = (asked.cost_false_positive * one + asked.cost_false_negative * another) / n
        spread[str(row.group)] = (squares - mean[str(row.group)] ** 2) / n
    n_pairs = len(groups) * (len(groups) - 1) / 2
    limit = NormalDist().inv_cdf(1 - (1 - errors.confidence) / (2 * max(n_pairs, 1)))
    others = [group for group in mean if group != top]
    return all(mean[top] - mean[group] > limit * math.sqrt(spread[top] + spread[group]) for group in others)


def _digits(cost: float) -> int:
    """Return the decimals that a cost was set with, at most three."""
    return next((digits for digits in range(3) if abs(round(cost, digits) - cost) < 1e-9), 3)
