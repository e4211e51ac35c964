"""What a search for worst groups found: which stand out, the worst of them, and how figures are written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.defaults import USUAL_POSITIVE, Positive
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.quantity import Quantity
from fairaudit.subgroups.kinds import Measure
from fairaudit.subgroups.results import Subgroup, SubgroupFigures

WorstVerdict = Literal["groups_stand_out", "none_stands_out", "not_shown"]
Compared = Literal["selection", "flagged", "missed", "wrong_flags", "wrong_clearances", "accuracy", "mean"]
"""What is compared, whichever outcome is called positive: flags warn of the outcome that is not favourable."""

_BY_MEASURE: dict[Measure, tuple[Compared, Compared]] = {
    "selection": ("selection", "selection"),
    "fpr": ("missed", "flagged"),
    "fnr": ("flagged", "missed"),
    "fdr": ("wrong_clearances", "wrong_flags"),
    "for_": ("wrong_flags", "wrong_clearances"),
    "accuracy": ("accuracy", "accuracy"),
    "mean": ("mean", "mean"),
}
_MOST_DIGITS = 3


@dataclass(frozen=True)
class WorstReading:
    """What a search found, without a sentence.

    Parameters
    ----------
    verdict : WorstVerdict
        Whether any group stands out by more than chance.
    standing_out : tuple of int
        The places of those that do: first those that fare worse than everyone else, the largest gap first.
    others : tuple of int
        The places of the other groups that are shown, in the same order.
    n_worse : int
        How many of those that stand out fare worse than everyone else; they come first.
    """

    verdict: WorstVerdict
    standing_out: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    n_worse: int = 0


def read_worst(finding: SubgroupsFinding) -> WorstReading:
    """Read a finding, whole or as it leaves."""
    result = finding.result
    if is_hidden(finding):
        return WorstReading("not_shown")
    harm = harms(finding)

    def place(number: int) -> tuple[bool, float]:
        gap = result.subgroups[number].gap
        return (not fares_worse(number), -abs(gap) if gap == gap else math.inf)

    def fares_worse(number: int) -> bool:
        return result.subgroups[number].gap * harm > 0

    order = sorted(range(len(result.subgroups)), key=place)
    standing = tuple(number for number in order if result.subgroups[number].stands_out)
    verdict: WorstVerdict = "groups_stand_out" if standing else "none_stands_out"
    others = tuple(number for number in order if number not in standing)
    return WorstReading(verdict, standing, others, sum(map(fares_worse, standing)))


def chart_order(finding: SubgroupsFinding) -> tuple[int, ...]:
    """Return the places of all groups in the order of pictures and tables: those that stand out first."""
    reading = read_worst(finding)
    return (*reading.standing_out, *reading.others)


def is_hidden(finding: SubgroupsFinding) -> bool:
    """Say whether the small-cell rule hides what was found."""
    n_considered: int | None = finding.result.n_considered
    return n_considered is None


def compared(finding: SubgroupsFinding) -> Compared:
    """Return what is compared."""
    return compared_by(finding.result.measure, finding.result.positive)


def compared_by(measure: Measure, positive: Positive) -> Compared:
    """Return what a measure compares, where an outcome is called positive.

    Examples
    --------
    >>> compared_by("fpr", "unfavorable"), compared_by("fpr", "favorable")
    ('flagged', 'missed')
    """
    return _BY_MEASURE[measure][positive != USUAL_POSITIVE]


def harms(finding: SubgroupsFinding) -> int:
    """Return 1 where a group with more of what is compared fares worse than everyone else, and -1 where it does not."""
    match compared(finding):
        case "flagged" | "missed" | "wrong_flags" | "wrong_clearances":
            return 1
        case "mean" if not finding.higher_is_favorable:
            return 1
    return -1


def quantity_of(finding: SubgroupsFinding) -> Quantity:
    """Return how figures are written, with the fewest decimals by which those of a gap differ."""
    what = compared(finding)
    if what == "mean":
        return Quantity("amount", amount_digits(finding.result.deviation))
    standing = [finding.result.subgroups[number] for number in read_worst(finding).standing_out]
    pairs = [(each.rate, each.rest) for each in standing]
    digits = next((d for d in range(_MOST_DIGITS) if all(_differ(pair, d) for pair in pairs)), 0)
    return Quantity("share", digits, finding.names.of_unfavorable and what == "selection")


def figures_of(figures: SubgroupFigures | Subgroup) -> tuple[float, float]:
    """Return what a group and everyone else have."""
    return figures.rate, figures.rest


def _differ(pair: tuple[float, float], digits: int) -> bool:
    own, other = (round(100 * value, digits) for value in pair)
    return own != other
