"""What the strata say one by one, where their average hides it: sentences for shares and for amounts.

A `strata` is a ``StratifiedFairness`` or ``StratifiedMeans``, masked or not. All functions are pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fairaudit.measure.bands import stratum_filter
from fairaudit.measure.results import StratifiedFairness, StratumRow
from fairaudit.measure.within import (
    Reading,
    alike_on_average,
    clear_on_average,
    clear_strata,
    reading_within,
    what_remains,
    zero_fits_average,
)
from fairaudit.present import brief, words
from fairaudit.present.numbers import are_known

if TYPE_CHECKING:
    from fairaudit.audit.result import AmountFinding, CheckFinding
    from fairaudit.measure.mean_strata import StratifiedMeans

MOST_NAMED = 3
"""Strata with a clear gap that a sentence names."""


def differs_within(finding: CheckFinding | AmountFinding) -> Reading | None:
    """Return how strata say otherwise than all rows together; None where they do not, without them, or where hidden."""
    return None if finding.strata is None else reading_within(finding.strata, finding.result)


def remedy_caution(finding: CheckFinding | AmountFinding, noun: str = "gap") -> str:
    """Say what a remedy for all rows together may do where strata say otherwise than these; else empty."""
    said = _inside(finding, noun)
    return f"{brief.capital(said)}. {may_widen(noun)}" if said else ""


def may_widen(noun: str) -> str:
    """Say what a remedy may do inside strata, and what to look at before it is used."""
    return (
        f"So a remedy for the overall {noun} may make or widen {noun}s there: look at what it does inside the strata "
        "before you use it."
    )


def _inside(finding: CheckFinding | AmountFinding, noun: str) -> str:
    """Return what the strata say where that is otherwise than all rows together; else empty."""
    how, strata = differs_within(finding), finding.strata
    if how is None or strata is None:
        return ""
    said = {
        "both ways": f"the {noun} turns around",
        "turned": f"the {noun} turns around",
        "gone": f"{what_remains(strata, noun)} on average",
        "open": f"{what_remains(strata, noun)} on average",
        "average": f"there is a clear {noun} on average",
        "some": f"there is a clear {noun} in some strata",
        "all": f"there are clear {noun}s",
    }[how]
    return f"within {words.listed(words.strata_text(finding))} {said}"


def average_words(strata: StratifiedFairness | StratifiedMeans, noun: str = "gap") -> str:
    """Return what becomes of a gap on average inside strata.

    Groups are alike where all that fits is within the tolerance; a gap that shrinks stays clear where all is beyond it.
    """
    if zero_fits_average(strata) and strata_apart(strata):
        return f"the {noun} may be chance"
    if zero_fits_average(strata) or alike_on_average(strata):
        return what_remains(strata, noun)
    verb = words.strata_verb(strata.common_difference, strata.pooled.difference)
    return f"the {noun} {verb}{' but stays clear' if verb == 'shrinks' and clear_on_average(strata) else ''}"


def strata_apart(strata: StratifiedFairness | StratifiedMeans | None) -> tuple[StratumRow, ...]:
    """Return strata with a clear gap that their average does not show: not all have one, or not in its direction.

    Those come first that contradict the average, then the largest gaps. Nothing where the average is hidden.
    """
    if strata is None or not are_known(*strata.common_difference_interval):
        return ()
    clear = clear_strata(strata.strata)
    against = [_contradicts(strata, row) for row in clear]
    if len(clear) == len(strata.strata) and not any(against):
        return ()
    return tuple(sorted(clear, key=lambda row: (not _contradicts(strata, row), -abs(row.difference))))


def clear_strata_sentence(
    strata: StratifiedFairness | StratifiedMeans, size: Callable[[StratumRow], str], noun: str = "gap"
) -> str:
    """Name the strata of :func:`strata_apart` and say how many others there are; empty where there are none.

    `size` writes the gap of a stratum, with its interval. The sentence follows another one, so it begins with a blank.
    """
    clear = strata_apart(strata)
    if not clear:
        return ""
    named = [f"{brief.short(row.name)} ({size(row)})" for row in clear[:MOST_NAMED]]
    if len(clear) > MOST_NAMED:
        named.append(f"{len(clear) - MOST_NAMED} more")
    lead = f"But there is a clear {noun}" if _contradicts(strata, clear[0]) else f"The {noun} is clear"
    others = _others_words(strata, clear, noun)
    return f" {lead} in {words.listed(named)}{others}: read the strata, not the average alone."


def _others_words(strata: StratifiedFairness | StratifiedMeans, clear: Sequence[StratumRow], noun: str) -> str:
    """Return what shows in the strata without a clear gap; empty where there are none."""
    named = {row.values for row in clear}
    rest = [
        word
        for row, word in zip(strata.strata, words.verdict_words(strata.strata), strict=True)
        if row.values not in named
    ]
    n, n_unclear = len(rest), rest.count(words.SIZE_UNCLEAR)
    others = "one" if n == 1 else f"{n:,}"
    if not n_unclear:
        return f"; in the other {others} no clear {noun} shows" if n else ""
    if n_unclear == n:
        return f"; in the other {others} there is a {noun}, too, of unclear size"
    return f"; of the other {others}, {n_unclear:,} {'has' if n_unclear == 1 else 'have'} a {noun} of unclear size"


def each_alone_sentence(strata: StratifiedFairness | StratifiedMeans) -> str:
    """Say, with a blank before it, that groups are alike on average and in no stratum surely so; empty where not so."""
    if not alike_on_average(strata) or words.ALIKE in words.verdict_words(strata.strata) or strata_apart(strata):
        return ""
    return " In no single stratum are there enough rows to say so."


def only_stratum_sentence(strata: StratifiedFairness | StratifiedMeans, noun: str = "gap") -> str:
    """Say that one stratum holds all rows that are compared, so that its gap is no second one; else empty."""
    if len(strata.strata) != 1 or strata.left_out:
        return ""
    return f"Only one stratum is left, {brief.short(strata.strata[0].name)}: the {noun} inside it is this same one."


def apart_filter(finding: CheckFinding | AmountFinding, row: StratumRow) -> str:
    """Return the condition that leaves one stratum of a finding."""
    return stratum_filter(row.values, finding.plan.strata_cuts)


def _contradicts(strata: StratifiedFairness | StratifiedMeans, row: StratumRow) -> bool:
    low, high = strata.common_difference_interval
    return zero_fits_average(strata) or alike_on_average(strata) or row.difference * (low + high) < 0
