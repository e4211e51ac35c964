"""The sentences about a decision that is an amount, shared by pages, command line and report.

What holds for shares and amounts alike, such as :func:`fairaudit.present.words.verdict_word`, is in that module. All
functions are pure and take an ``AmountFinding``, masked or not.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.limits import MOST_DIGITS, SAME, digits_beside, digits_that_subtract, is_whole
from fairaudit.measure.results import MeanComparison
from fairaudit.messages import say
from fairaudit.present import words
from fairaudit.present.numbers import (
    amount_digits,
    are_known,
    number_text,
)

if TYPE_CHECKING:
    from fairaudit.audit.result import AmountFinding


def usual_digits(finding: AmountFinding) -> int:
    """Return how many decimals figures of a finding need, so that its amounts differ in print."""
    sides = (finding.result.protected, finding.result.reference)
    known = [side.deviation for side in sides if side.deviation is not None and math.isfinite(side.deviation)]
    # Where all amounts of each group are alike, the difference between the groups is all that is to be seen.
    return amount_digits(max(known, default=0.0) or abs(finding.result.difference or 0.0))


def amount_text(value: float | None, finding: AmountFinding, *, size: bool = False) -> str:
    """Return an amount or, as a `size`, how large a difference is, with the decimals of its finding."""
    shown = abs(value) if size and value is not None else value
    return number_text(shown, digits=digits_of(finding))


def difference_text(difference: float | None, finding: AmountFinding, *, digits: int | None = None) -> str:
    """Return a difference as "1,230 less" or "1,230 more", seen from the protected group."""
    if difference is None or not math.isfinite(difference):
        return number_text(difference)
    digits = digits_of(finding) if digits is None else digits
    if difference == 0:
        return "exactly the same"
    way = "less" if difference < 0 else "more"
    if round(abs(difference), digits) == 0:
        return f"less than {number_text(10.0**-digits, digits=digits)} {way}"
    return f"{number_text(abs(difference), digits=digits)} {way}"


def tolerance_text(finding: AmountFinding) -> str:
    """Return the tolerance in the unit of the amount."""
    return number_text(finding.result.tolerance, digits=tolerance_digits(finding))


def is_proposed(finding: AmountFinding) -> bool:
    """Say whether the audit sets no tolerance, so that one is proposed."""
    return finding.plan.amount_tolerance is None


def tolerance_digits(finding: AmountFinding) -> int:
    """Return how many decimals difference and tolerance have: more than usual where they would read alike."""
    found = _digits_apart(finding)
    return usual_digits(finding) if found is None else found


def digits_of(finding: AmountFinding) -> int:
    """Return with how many decimals all figures of a finding are shown: those of its answer subtract in print.

    As usual where a count is hidden.
    """
    return _digits_that_subtract(finding.result, tolerance_digits(finding))


def own_mean_text(found: MeanComparison, finding: AmountFinding) -> str:
    """Return the mean of the group that is compared, one of those of a finding."""
    return number_text(found.protected.mean, digits=digits_of(finding))


def _digits_that_subtract(result: MeanComparison, digits: int) -> int:
    if not is_whole(result) or round(result.difference, digits) == 0:
        return digits
    own, other = result.protected.mean, result.reference.mean
    return digits_that_subtract(own, other, digits=digits, difference=result.difference)


def deciding_ends(finding: AmountFinding) -> str:
    """Return the ends of the interval that decides, apart from the tolerance."""
    return words.interval_text(words.deciding_interval(finding.result), "difference", digits=tolerance_digits(finding))


def didi_sentence(finding: AmountFinding) -> str:
    """Return the disparate impact discrimination index with what it means."""
    return say(Message("amount-didi", {"size": Phrase(amount_text(finding.result.didi, finding))}))


def similar_sentence(finding: AmountFinding) -> str:
    """Return the answer among similar people in words; empty where it was not asked or is not shown."""
    similar = finding.similar
    if similar is None:
        return ""
    if similar.dtdi is None:
        return say(Message("amount-similar-hidden"))
    args: dict[str, Argument] = {
        "n": Count(similar.n_neighbors),
        "columns": Phrase(words.listed(similar.columns)),
        "protected": finding.names.protected,
        "gap": Phrase(difference_text(similar.difference, finding)),
        "sure": Word("yes" if similar.is_beyond_chance else "no"),
    }
    return say(Message("amount-similar" if math.isfinite(similar.difference) else "amount-similar-nobody", args))


def similar_details(finding: AmountFinding) -> str:
    """Return the index of the answer among similar people, and how many were drawn; empty where there is none."""
    similar = finding.similar
    if similar is None or similar.dtdi is None:
        return ""
    said = [Message("amount-dtdi", {"size": Phrase(amount_text(similar.dtdi, finding))})]
    if similar.n_rows < similar.n_usable:
        drawn: dict[str, Argument] = {"n": Count(similar.n_rows), "all": Count(similar.n_usable)}
        said.append(Message("amount-similar-drawn", drawn))
    return say(said)


def _digits_apart(finding: AmountFinding) -> int | None:
    """Return with how many decimals the difference reads within or outside the tolerance; None where with none."""
    result, usual = finding.result, usual_digits(finding)
    if not are_known(result.difference, result.tolerance):
        return usual
    size = abs(result.difference)
    past = size > result.tolerance * (1 + SAME) if result.within_tolerance else size <= result.tolerance
    if past:
        return None  # Where small counts are hidden, the tolerance is rounded.
    most = MOST_DIGITS if is_whole(result) else usual
    return digits_beside(size, [result.tolerance], digits=usual, most=most, rounded=True)
