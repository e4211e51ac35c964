"""The gap of a comparison, its range and the tolerance as texts, of shares and of means."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, TypeVar

from fairaudit.findings import Message, Phrase
from fairaudit.measure.limits import answer_digits, limit_digits
from fairaudit.measure.quantity import QuantityKind
from fairaudit.measure.results import (
    Comparison,
    ControlledFairness,
    ControlledMeans,
    ControlledWaiting,
    Interval,
    MeanComparison,
    as_kind,
)
from fairaudit.messages import say
from fairaudit.present.numbers import (
    by_tolerance,
    difference_text,
    gap_number,
    gap_text,
    interval_text,
    number_text,
    share_text,
    signed_text,
    tolerance_text,
)

C = TypeVar("C", Comparison, MeanComparison)


@dataclass(frozen=True)
class GapTexts(ABC, Generic[C]):
    """How the figures of a comparison are written, with the decimals of its answer.

    Parameters
    ----------
    answer : Comparison or MeanComparison
        The answer that the figures belong to.
    """

    answer: C

    than: ClassVar[str]
    """What leads on from the figure of a group to its gap."""

    @property
    def digits(self) -> int:
        """Decimals of its figures."""
        return answer_digits(self.answer)

    @property
    @abstractmethod
    def gap(self) -> str:
        """Its gap, with a sign."""

    @property
    @abstractmethod
    def limit(self) -> str:
        """Its tolerance."""

    @property
    def note(self) -> str:
        """What else is said of the answer to a question; empty where nothing is."""
        return ""

    @abstractmethod
    def range(self, ends: Interval) -> str:
        """Return a range of its gap."""

    @abstractmethod
    def own(self, c: C) -> str:
        """Return what the first group of a comparison beside it has."""

    @abstractmethod
    def gap_of(self, c: C) -> str:
        """Return how far that is from what the other group has, in a sentence."""


class ShareTexts(GapTexts[Comparison]):
    """Shares in percent, and their gaps in points."""

    than = "against"

    @property
    def gap(self) -> str:
        """Its gap in points."""
        return gap_number(self.answer, digits=self.digits)

    @property
    def limit(self) -> str:
        """Its tolerance in points."""
        return tolerance_text(self.answer.tolerance)

    @property
    def note(self) -> str:
        """The disparate impact discrimination index with what it means; empty where counts are not known or weigh."""
        answer, sides = self.answer, (self.answer.protected, self.answer.reference)
        is_weighed = isinstance(answer, ControlledFairness) and answer.design is not None
        if is_weighed or not math.isfinite(answer.difference):
            return ""
        both = sum(side.positives for side in sides) / sum(side.n for side in sides)
        # Both outcomes, with the favourable result and without it, are as far apart.
        size = number_text(2 * sum(abs(side.ratio - both) for side in sides), digits=3)
        return say(Message("share-didi", {"size": Phrase(size)}))

    def range(self, ends: Interval) -> str:
        """Return a range of its gap in points."""
        return interval_text(ends, **by_tolerance(self.answer))

    def own(self, c: Comparison) -> str:
        """Return the share of the first group of a comparison beside it."""
        return share_text(c.protected.ratio, digits=self.digits)

    def gap_of(self, c: Comparison) -> str:
        """Return the gap in points."""
        return gap_text(c, digits=self.digits)


class MeanTexts(GapTexts[MeanComparison]):
    """Means and their differences, in the unit of the amount."""

    than = "than"

    @property
    def gap(self) -> str:
        """Its difference."""
        return signed_text(self.answer.difference, digits=self.digits)

    @property
    def limit(self) -> str:
        """Its tolerance."""
        return number_text(self.answer.tolerance, digits=limit_digits(self.answer))

    @property
    def note(self) -> str:
        """The disparate impact discrimination index with what it means."""
        if isinstance(self.answer, ControlledWaiting):
            return ""
        size = number_text(as_kind(ControlledMeans, self.answer).didi, digits=self.digits)
        return say(Message("amount-didi", {"size": Phrase(size)}))

    def range(self, ends: Interval) -> str:
        """Return a range of its difference."""
        return interval_text(ends, "difference", digits=limit_digits(self.answer))

    def own(self, c: MeanComparison) -> str:
        """Return the mean of the first group of a comparison beside it."""
        return number_text(c.protected.value, digits=self.digits)

    def gap_of(self, c: MeanComparison) -> str:
        """Return how much less or more that is."""
        return difference_text(c.difference, digits=self.digits)


TEXTS: Final[Mapping[QuantityKind, type[GapTexts]]] = {"share": ShareTexts, "amount": MeanTexts}


def texts_of(answer: Comparison | MeanComparison) -> GapTexts:
    """Return how the figures of a comparison are written."""
    return TEXTS[answer.quantity](answer)
