"""Short sentences: the answer in large type, what stands below it, strata in one sentence, and who is worst off.

:mod:`fairaudit.present.words` says the same in one paragraph that stands alone. All functions are pure and take
findings or results, masked or not; what is hidden makes them empty.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fairaudit.measure.mean_comparison import TOLERATED_DEVIATIONS
from fairaudit.measure.results import GroupComparison, GroupRow
from fairaudit.present import amount_words, brief, words
from fairaudit.present.numbers import (
    count_text,
    share_text,
    tolerance_text,
)

if TYPE_CHECKING:
    from fairaudit.audit.result import AmountFinding, CheckFinding

PROPOSED = f"{share_text(TOLERATED_DEVIATIONS, digits=0)} of the standard deviation of all amounts looked at"
"""What a tolerance for amounts is where the audit sets none."""


def group_words(finding: Any) -> str:
    """Return the protected group for the middle of a sentence: by its name, or by its condition in words."""
    name = finding.plan.protected_name
    return name or f"the protected group ({finding.protected_words})"


def question(finding: CheckFinding) -> str:
    """Return what was asked, in words."""
    among = "" if finding.where_words is None else f", where {finding.where_words}"
    return (
        f"Is the good outcome ({finding.meaning}) as frequent among {group_words(finding)} as among the "
        f"rest{among}? {_alike_within(tolerance_text(finding.result.tolerance))}"
    )


def amount_question(finding: AmountFinding) -> str:
    """Return what was asked where the decision is an amount, in words."""
    among = "" if finding.where_words is None else f", where {finding.where_words}"
    asked = f"Is the mean {finding.meaning} the same for {group_words(finding)} as for the rest{among}?"
    if finding.result.tolerance is None:
        return asked
    limit = amount_words.tolerance_text(finding)
    if amount_words.is_proposed(finding):
        return (
            f"{asked} This audit sets no tolerance, so one is proposed: a difference of up to {limit} counts as alike "
            f"({PROPOSED})."
        )
    return f"{asked} {_alike_within(limit)}"


def _alike_within(limit: str) -> str:
    return f"Tolerance: a difference of up to {limit} counts as alike."


def worst_off_sentence(
    comparison: Any, figure: Any, gap: Any, *, than: str = "against", more_is_better: bool = True
) -> str:
    """Return which group is worst off, one with a clear gap first, then one with enough rows; empty where none is.

    `figure` writes what a group has, `gap` how far that is from what it is compared with, both as the chart and the
    table beside the sentence do; `than` leads on from one to the other. Empty also where a group is hidden: it could be
    worse off, and a named one would say what its figure is at least.
    """
    rows = comparison.rows
    if len(rows) < 2 or any(row.comparison.difference is None for row in rows):
        return ""
    sign = 1 if more_is_better else -1
    behind = [row for row in rows if sign * row.comparison.difference < 0]
    if not behind:
        return ""
    behind.sort(key=lambda row: sign * row.comparison.difference)
    clear = [row for row in behind if words.verdict_word(row.comparison) == words.CLEAR_GAP]
    worst = (clear or [row for row in behind if not row.small] or behind)[0]
    found = worst.comparison
    sure = words.verdict_word(found)
    against = comparison.reference or "all others"
    sentence = (
        f"Worst off: {brief.group(worst.name, brief.WHOLE)}, {figure(found)} ({gap(found)} {than} {against}; {sure})."
    )
    lower = [
        f"{brief.group(row.name, brief.WHOLE)} ({gap(row.comparison)}{_rows_text(row)})"
        for row in behind[: behind.index(worst)]
    ]
    if lower:
        sentence += f" Further behind, but not clearly: {words.listed(lower)}."
    return sentence


def worst_share_sentence(comparison: GroupComparison, *, digits: int = 1) -> str:
    """Return :func:`worst_off_sentence` of shares, with so many decimals."""
    figure, gap = (partial(write, digits=digits) for write in (words.own_share_text, words.gap_text))
    return worst_off_sentence(comparison, figure, gap)


def _rows_text(row: GroupRow) -> str:
    n = row.comparison.protected.n
    return "" if n is None else f", {count_text(n)} row{'' if n == 1 else 's'}"
