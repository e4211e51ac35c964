"""The sentences that pages, command line and report share: plain English, right in direction and number.

Shares are shown in percent, gaps in points, as :mod:`fairaudit.present.numbers` prints them. All functions are pure
and take the dataclasses of :mod:`fairaudit.measure.results` or a ``CheckFinding``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairaudit.defaults import ENOUGH
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.measure.bands import each_of, named_strata
from fairaudit.measure.comparison import said_rows
from fairaudit.measure.limits import answer_digits
from fairaudit.measure.results import (
    Comparison,
    GroupRow,
    Interval,
    MeanComparison,
    StratifiedFairness,
    StratumRow,
)
from fairaudit.measure.verdicts import ShownVerdict, verdict_of
from fairaudit.measure.verdicts_of_many import gap_is_likely
from fairaudit.messages import say
from fairaudit.present.comparison_numbers import (
    by_tolerance,
    figures_that_subtract,
    gap_text,
    own_share_text,
    ratio_text,
)
from fairaudit.present.numbers import (
    confidence_text,
    count_text,
    interval_text,
    number_text,
    p_text,
    points_text,
    share_text,
    tolerance_text,
)

if TYPE_CHECKING:
    from fairaudit.audit.result import AmountFinding, CheckFinding
    from fairaudit.measure.inspections.results import HitRateGap
    from fairaudit.measure.mean_strata import StratifiedMeans

__all__ = [
    "answer_digits",
    "confidence_text",
    "count_text",
    "deciding_ends",
    "deciding_interval",
    "deciding_level",
    "figures_that_subtract",
    "gap_is_likely",
    "gap_text",
    "group_name",
    "interval_text",
    "is_hidden",
    "listed",
    "number_text",
    "own_share_text",
    "p_text",
    "points_text",
    "population_sentence",
    "ratio_text",
    "reading",
    "share_text",
    "tolerance_text",
    "unknown_sentence",
    "verdict_word",
    "verdict_words",
]

CLEAR_GAP, ALIKE, PERHAPS_SMALL = "Clear gap", "No gap above your limit", "Gap, perhaps small"
CANNOT_TELL, NOTHING_TO_COMPARE, NO_VERDICT = "Too few to tell", "Nothing to compare", "Not shown"
BY_VERDICT: Mapping[ShownVerdict, str] = {
    "clear_gap": CLEAR_GAP, "no_gap_above_tolerance": ALIKE, "gap_size_unclear": PERHAPS_SMALL,
    "too_few_to_tell": CANNOT_TELL, "nothing_to_compare": NOTHING_TO_COMPARE, "not_shown": NO_VERDICT,
}  # fmt: skip
READINGS = (ALIKE, CLEAR_GAP, PERHAPS_SMALL, CANNOT_TELL)
"""Verdicts that charts mark."""
READINGS_MEANING = "The verdict."
ONE_DECISION = "one decision only"
"""The reading where all decisions are the same."""


def verdict_word(result: Comparison | MeanComparison) -> str:
    """Return the verdict, as the chip of the same comparison says it."""
    return BY_VERDICT[verdict_of(result)]


def verdict_words(rows: Sequence[GroupRow | HitRateGap | StratumRow]) -> tuple[str, ...]:
    """Return :func:`verdict_word` of each of many groups, whose verdicts allow for all of them."""
    return tuple(verdict_word(row.comparison) for row in rows)


def reading(result: Comparison | MeanComparison, *, small: bool | None = None, word: str | None = None) -> str:
    """Return what the data support in a few words, for the last column of a table: `word`, or :func:`verdict_word`.

    A `small` group, one with fewer rows than the plan asks for, is marked with "few rows". Where it is not said whether
    a group is small, a comparison is marked if either side has fewer than 30 rows.
    """
    if small is None:
        small = any(side.n is not None and side.n < ENOUGH for side in (result.protected, result.reference))
    word = word or verdict_word(result)
    if word == NO_VERDICT:
        return word
    mark = ", few rows" if small else ""
    if word == NOTHING_TO_COMPARE:
        return (ONE_DECISION if result.has_one_decision else word) + mark
    return word + mark


def strata_text(finding: CheckFinding | AmountFinding, bands: str = "bands of") -> list[str]:
    """Return what the strata of an answer are made of, in words; nothing without strata."""
    strata = finding.strata
    return [] if strata is None else named_strata(strata.columns, finding.plan.strata_cuts, bands)


def each_stratum_text(finding: CheckFinding | AmountFinding, between: str = " and ") -> str:
    """Say of which columns each value is a stratum, and of which each band; empty without strata."""
    strata = finding.strata
    return "" if strata is None else each_of(strata.columns, finding.plan.strata_cuts, between=between)


def say_left_out(strata: StratifiedFairness | StratifiedMeans) -> list[Message]:
    """Say which strata are not compared, as one of the groups is empty there."""
    return [Message("cases-strata-out", {"values": Phrase("; ".join(strata.left_out))})] if strata.left_out else []


def is_hidden(result: Comparison | MeanComparison) -> bool:
    """Return whether the small-cell rule hides the numbers of a comparison."""
    return result.difference is None


def deciding_interval(result: Comparison | MeanComparison) -> Interval:
    """Return the interval that decides: where both groups are clearly alike, that of the two one-sided tests."""
    return result.equivalence_interval if result.verdict == "no_gap_above_tolerance" else result.difference_interval


def deciding_level(result: Comparison | MeanComparison) -> str:
    """Return the confidence of the interval that decides; two one-sided tests at 95 % make a 90 % interval."""
    alike = result.verdict == "no_gap_above_tolerance"
    return confidence_text(max(2 * result.confidence - 1, 0.0) if alike else result.confidence)


def deciding_ends(result: Comparison) -> str:
    """Return the ends of the interval that decides, in points, apart from the tolerance."""
    return interval_text(deciding_interval(result), **by_tolerance(result))


def unknown_sentence(finding: CheckFinding | AmountFinding) -> str:
    """Return how many rows are left out because their group is unknown; empty where none is, or where it is hidden."""
    n = finding.result.unknown
    return say(Message("cases-unknown", {"n": Count(n)})) if n else ""


def say_undecided(finding: CheckFinding | AmountFinding, lacking: str) -> list[Message]:
    """Say how many rows of either group are left out for what they are `lacking`; nothing where that is hidden."""
    sides = [side.undecided for side in (finding.result.protected, finding.result.reference)]
    if None in sides or not sum(map(int, sides)):
        return []
    own, rest = map(int, sides)
    args: dict[str, Argument] = {"rows": said_rows(own + rest), "lacking": Phrase(lacking)}
    return [Message("cases-undecided", args | {"own": Count(own), "rest": Count(rest)})]


def population_sentence(finding: CheckFinding | AmountFinding) -> str:
    """Return how many rows were compared, and how many were not."""
    result = finding.result
    sides: dict[str, Argument] = {
        "own": Phrase(count_text(result.protected.n)),
        "rest": Phrase(count_text(result.reference.n)),
        "unknown": Phrase(count_text(result.unknown)),
        "undecided": Phrase(count_text(result.undecided)),
    }
    if finding.where_words is None:
        said = [Message("cases-compared", sides)]
    else:
        said = [Message("cases-of-filter", sides | {"where": Phrase(finding.where_words)})]
    if result.unknown != 0 or result.undecided != 0:
        said.append(Message("cases-out", sides))
    return say(said)


def listed(parts: Sequence[str], link: str = "and") -> str:
    """Return phrases as one, such as "a, b, and c"."""
    if len(parts) < 3:
        return f" {link} ".join(parts)
    return f"{', '.join(parts[:-1])}, {link} {parts[-1]}"


def group_name(finding: Any) -> str:
    """Return the protected group as its plan names it, or its condition in words."""
    return finding.plan.protected_name or finding.protected_words
