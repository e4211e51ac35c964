"""Limits that hold on new people: the rows that are set aside to test them, and what these say."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypedDict

from fairaudit.disclosure.fields import figure, setting
from fairaudit.findings import Message, Phrase
from fairaudit.measure.plain import Hideable
from fairaudit.messages import say

if TYPE_CHECKING:
    from fairaudit.estimators.certified import Certificate

SET_ASIDE: Final = 0.4
"""Share of the rows that a remedy learns from or chooses by that tests its limits, where that is asked."""


class Certifying(TypedDict, total=False):
    """What an estimator is asked of limits that are to hold on new people; nothing where that is not asked."""

    certify_fraction: float
    confidence: float


def certifying(confidence: float | None) -> Certifying:
    """Return what an estimator is asked for by the confidence that a plan asks for.

    Examples
    --------
    >>> certifying(0.9), certifying(None)
    ({'certify_fraction': 0.4, 'confidence': 0.9}, {})
    """
    return {} if confidence is None else {"certify_fraction": SET_ASIDE, "confidence": confidence}


@dataclass(frozen=True)
class CertifiedLimit:
    """Whether the limits of a remedy hold on new people, by cases that nothing was learned from or chosen by.

    New people are others of the same population: the confidence is over the draw of the rows.
    """

    confidence: float = setting(
        "With which chance limits hold on new people, at least.", label="confidence", kind="share"
    )
    n_rows: Hideable[int] = figure(
        "Cases that were set aside to test limits: of those to learn from, and none of the test cases.",
        label="cases set aside",
        kind="count",
    )
    n_candidates: Hideable[int] = figure(
        "Models that were tested on them, strictest first.", label="models tested", kind="count"
    )
    n_certified: Hideable[int] = figure(
        "Those of them whose limits hold with that confidence.", label="of these, limit holds", kind="count"
    )
    p_value: float = figure(
        "Of the model that was taken: that a gap at its limit looks as small by chance; 1 where it is undefined.",
        label="p-value",
        kind="p",
    )
    ratio: float = figure(
        "Its largest gap on the cases set aside, as a multiple of its limit.",
        label="gap there, times the limit",
        kind="number",
    )
    n_needed: Hideable[int | None] = figure(
        "Where none holds: cases in the table with which one would in four of five audits, to two digits. None where "
        "the first that are tested have gaps beyond the limit.",
        label="cases needed",
        kind="count",
    )

    @classmethod
    def of(cls, found: Certificate | None, n_cases: int) -> CertifiedLimit | None:
        """Read what an estimator found; `n_cases` are those in the table that it was given a part of."""
        if found is None:
            return None
        needed = found.n_needed
        return cls(
            confidence=found.confidence,
            n_rows=found.n_rows,
            n_candidates=found.n_candidates,
            n_certified=found.n_certified,
            p_value=found.p_value,
            ratio=found.ratio,
            n_needed=None if needed is None else up_to_two_digits(n_cases * needed / found.n_rows),
        )

    @property
    def is_certified(self) -> bool | None:
        """Whether limits hold on new people with that confidence; None where it is hidden."""
        return None if self.n_certified is None else self.n_certified > 0


class Searched(Protocol):
    """A search for rules or a tree whose limit may have been tested on rows that were set aside."""

    certified_: Certificate | None
    max_difference_: float | None


def searched_within(search: Searched, limit: float, words: Callable[[float], str]) -> tuple[str, ...]:
    """Return within what limit the one that was taken was searched, where that is another than the one asked for."""
    own = search.max_difference_
    if search.certified_ is None or own is None or math.isclose(own, limit):
        return ()
    return (say(Message("remedies-searched-within", {"limit": Phrase(words(own))})),)


def up_to_two_digits(n: float) -> int:
    """Return a number rounded up to two digits.

    Examples
    --------
    >>> up_to_two_digits(4130.2), up_to_two_digits(87), up_to_two_digits(100.5)
    (4200, 87, 110)
    """
    unit = 10 ** max(len(str(math.ceil(n))) - 2, 0)
    return math.ceil(n / unit) * unit


CERTIFIED: Final = (
    "Whether its limits hold on new people, with the confidence that was asked for; None where none was, or where the "
    "search has nothing to test."
)
"""What a finding says of it."""
