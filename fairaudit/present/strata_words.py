"""What the strata say one by one, where their average hides it: sentences for shares and for amounts.

A `strata` is a ``StratifiedFairness`` or ``StratifiedMeans``, masked or not. All functions are pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fairaudit.measure.bands import stratum_filter
from fairaudit.measure.results import GroupRow, StratifiedFairness, StratumRow
from fairaudit.present import brief, words
from fairaudit.present.numbers import are_known

if TYPE_CHECKING:
    from fairaudit.audit.result import AmountFinding, CheckFinding
    from fairaudit.measure.mean_strata import StratifiedMeans

MOST_NAMED = 3
"""Strata with a clear gap that a sentence names."""


def strata_apart(strata: StratifiedFairness | StratifiedMeans | None) -> tuple[StratumRow, ...]:
    """Return strata with a clear gap that their average does not show: not all have one, or not in its direction.

    Those come first that contradict the average, then the largest gaps. Nothing where the average is hidden.
    """
    if strata is None or not are_known(*strata.common_difference_interval):
        return ()
    read = zip(strata.strata, words.evidence_of_many(strata.strata), strict=True)
    clear = [row for row, word in read if word == words.CLEAR_GAP]
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
    n_others = len(strata.strata) - len(clear)
    others = f"; in the other {'one' if n_others == 1 else f'{n_others:,}'} no clear {noun} shows" if n_others else ""
    return f" {lead} in {words.listed(named)}{others}: read the strata, not the average alone."


def only_stratum_sentence(strata: StratifiedFairness | StratifiedMeans, noun: str = "gap") -> str:
    """Say that one stratum holds all rows that are compared, so that its gap is no second one; else empty."""
    if len(strata.strata) != 1 or strata.left_out:
        return ""
    return f"Only one stratum is left, {brief.short(strata.strata[0].name)}: the {noun} inside it is this same one."


def apart_filter(finding: CheckFinding | AmountFinding, row: StratumRow) -> str:
    """Return the condition that leaves one stratum of a finding."""
    return stratum_filter(row.values, finding.plan.strata_cuts)


def apart_step(finding: CheckFinding | AmountFinding, noun: str = "gap") -> str:
    """Return where to look next if the average hides a stratum, with the filter for it and a blank; else empty."""
    clear = strata_apart(finding.strata)
    if not clear:
        return ""
    others = f"So look at the other strata with a clear {noun}. " if len(clear) > 1 else ""
    return f"Look at {brief.short(clear[0].name)} apart (filter: {apart_filter(finding, clear[0])}). {others}"


def comparisons_note(rows: Sequence[StratumRow | GroupRow], what: str = "stratum") -> str:
    """Say what readings of many comparisons allow for that the drawn and printed intervals do not; else empty."""
    known = [row.comparison for row in rows if row.comparison.difference is not None]
    if len(rows) < 2 or not known:
        return ""
    note = f"Readings allow for {len(rows):,} comparisons; the interval of each {what} does not."
    alike = [found for found in known if words.evidence_word(found) == words.ALIKE]
    if any(max(map(abs, found.difference_interval)) > found.tolerance for found in alike):
        note += " Alike is read from two one-sided tests, whose interval is narrower than the one shown."
    return note


def _contradicts(strata: StratifiedFairness | StratifiedMeans, row: StratumRow) -> bool:
    low, high = strata.common_difference_interval
    return low <= 0 <= high or row.difference * (low + high) < 0
