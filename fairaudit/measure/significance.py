"""Whether a difference of two rates is more than chance, and what one person more or fewer would change."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from fairaudit.disclosure.fields import figure
from fairaudit.errors import InputError
from fairaudit.measure.intervals import equality_p_value, needs_fisher, pooled_z
from fairaudit.measure.limits import FOUR_FIFTHS

TWO_DEVIATIONS = 2.0
"""From how many standard deviations on courts and agencies call a difference of rates significant."""

FISHER_LEVEL = 0.05
"""Under which p-value Fisher's exact test calls a difference significant."""


@dataclass(frozen=True)
class RateSignificance:
    """Whether two rates differ by more than chance.

    Parameters
    ----------
    z : float
        The difference in standard deviations, with the pooled variance; NaN where undefined.
    p_value : float
        Two-sided, of the test that was used.
    test : {"z", "fisher"}
        Which of them: Fisher's exact test where an expected count of the two-by-two table is below 5.
    significant : bool or None
        Beyond two standard deviations, or below 0.05 by Fisher's test; None where undefined.
    """

    z: float = figure()
    p_value: float = figure()
    test: Literal["z", "fisher"] = figure()
    significant: bool | None = figure()


@dataclass(frozen=True)
class OnePerson:
    """What one person more or fewer would do to the answer of the four-fifths rule.

    Parameters
    ----------
    ratio_one_more, ratio_one_fewer : float
        The impact ratio if one more, or one fewer, person of the group were selected; NaN where nobody is left.
    ratio_instead : float
        The impact ratio if one person of the group were selected instead of one of the reference.
    flips : bool
        Whether one more, or one fewer, person moves the ratio to the other side of the threshold.
    reverses : bool
        Whether the ratio is below the threshold, and one person of the group instead of one of the reference gives
        the group the higher rate.
    """

    ratio_one_more: float = figure()
    ratio_one_fewer: float = figure()
    ratio_instead: float = figure()
    flips: bool = figure()
    reverses: bool = figure()


def rates_differ(
    positives: int,
    n: int,
    reference_positives: int,
    reference_n: int,
    *,
    deviations: float = TWO_DEVIATIONS,
    level: float = FISHER_LEVEL,
) -> RateSignificance:
    """Say whether two selection rates differ by more than chance.

    ``z = (p - r) / sqrt(q (1 - q) (1 / n_p + 1 / n_r))`` with the pooled rate q. Where an expected count is below 5
    the normal curve fits badly, and Fisher's exact test takes its place. For intervals use
    :func:`fairaudit.measure.compare_counts`.

    References
    ----------
    Hazelwood School District v. United States, 433 U.S. 299 (1977), footnotes 14 and 17: "two or three standard
    deviations".

    Examples
    --------
    >>> result = rates_differ(12, 40, 48, 80)
    >>> round(result.z, 2), result.test, result.significant
    (-3.1, 'z', True)
    """
    _check(positives, n)
    _check(reference_positives, reference_n)
    counts = (positives, n, reference_positives, reference_n)
    z, p_value = float(pooled_z(*counts)), float(equality_p_value(*counts))
    if n == 0 or reference_n == 0:
        return RateSignificance(math.nan, math.nan, "fisher", None)
    if bool(needs_fisher(*counts)):
        return RateSignificance(z, p_value, "fisher", p_value < level)
    return RateSignificance(z, p_value, "z", abs(z) > deviations)


def one_more_person(
    positives: int, n: int, reference_positives: int, reference_n: int, *, threshold: float = FOUR_FIFTHS
) -> OnePerson:
    """Say whether one person more or fewer would turn the answer of the four-fifths rule round.

    Small groups let one decision carry the whole answer. Where it does, the ratio says little; look at the test of
    :func:`rates_differ` and at more data.

    References
    ----------
    Questions and Answers on the Uniform Guidelines, 44 FR 11996 (2 March 1979), questions 20 and 21.

    Examples
    --------
    >>> result = one_more_person(3, 20, 16, 80)
    >>> result.flips, result.reverses
    (True, True)
    """
    _check(positives, n)
    _check(reference_positives, reference_n)
    limit = Fraction(str(threshold))
    now = _ratio(positives, n, reference_positives, reference_n)
    more = _ratio(positives + 1, n, reference_positives, reference_n)
    fewer = _ratio(positives - 1, n, reference_positives, reference_n)
    instead = _ratio(positives + 1, n, reference_positives - 1, reference_n)
    flips = now is not None and any(other is not None and (other < limit) != (now < limit) for other in (more, fewer))
    reverses = now is not None and now < min(limit, Fraction(1)) and positives < n and reference_positives > 0
    if reverses:
        reverses = Fraction(positives + 1, n) > Fraction(reference_positives - 1, reference_n)
    return OnePerson(_number(more), _number(fewer), _number(instead), flips=flips, reverses=reverses)


def _ratio(positives: int, n: int, reference_positives: int, reference_n: int) -> Fraction | None:
    possible = 0 <= positives <= n and 0 < reference_positives <= reference_n and n > 0
    return Fraction(positives, n) / Fraction(reference_positives, reference_n) if possible else None


def _number(ratio: Fraction | None) -> float:
    return math.nan if ratio is None else float(ratio)


def _check(positives: int, n: int) -> None:
    if not 0 <= positives <= n:
        raise InputError(f"Selected people must be from 0 to the people of the group, got {positives} of {n}.")
