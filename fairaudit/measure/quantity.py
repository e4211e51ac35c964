"""What two groups are compared in, and how sentences of all sections write it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from fairaudit.disclosure.fields import Kind
from fairaudit.findings import Amount, Points, Share, Word
from fairaudit.measure.limits import digits_beside, do_subtract

QuantityKind = Literal["share", "amount"]


@dataclass(frozen=True, kw_only=True)
class Unit:
    """How figures of a kind are written, as data.

    Parameters
    ----------
    scale : int
        By what figures are multiplied: shares are fractions, and written in percent.
    name, meaning : str
        What a figure is called in a table, and in what a column means.
    figure, figure_interval, gap, gap_interval : str
        How tables show a figure, a gap, and their ranges.
    gap_unit : str
        In what a gap is, for messages.
    has_one_scale : bool
        Whether figures of several questions can be drawn on one scale.
    """

    scale: int
    name: str
    meaning: str
    figure: Kind
    figure_interval: Kind
    gap: Kind
    gap_interval: Kind
    gap_unit: Word
    has_one_scale: bool


UNITS: Final[Mapping[QuantityKind, Unit]] = {
    "share": Unit(
        scale=100,
        name="share",
        meaning="share",
        figure="share",
        figure_interval="share_interval",
        gap="points",
        gap_interval="points_interval",
        gap_unit=Word("points"),
        has_one_scale=True,
    ),
    "amount": Unit(
        scale=1,
        name="mean",
        meaning="mean amount",
        figure="amount",
        figure_interval="amount_interval",
        gap="difference",
        gap_interval="difference_interval",
        gap_unit=Word("amount"),
        has_one_scale=False,
    ),
}


@dataclass(frozen=True)
class Quantity:
    """What two groups are compared in: shares, whose gap is in points, or amounts in a unit of their own.

    Parameters
    ----------
    kind : {"share", "amount"}
        Which of them.
    digits : int
        Decimals in sentences.
    is_turned : bool
        Whether sentences speak of the share without the favourable result.
    """

    kind: QuantityKind
    digits: int
    is_turned: bool = False

    @property
    def unit(self) -> Unit:
        """How its figures are written."""
        return UNITS[self.kind]

    def scaled(self, value: float) -> float:
        """Return a figure or gap as the number that is written."""
        return self.unit.scale * value

    def said(self, value: float) -> float:
        """Return what one group has of what sentences speak of."""
        return 1 - value if self.is_turned else value

    def signed(self, difference: float) -> float:
        """Return a difference in what sentences speak of."""
        return -difference if self.is_turned else difference

    def figure(self, value: float) -> Share | Amount:
        """Return what one group has."""
        value = self.said(value)
        return Share(value, self.digits) if self.kind == "share" else Amount(value, self.digits)

    def direction(self, difference: float) -> Word:
        """Return whether the protected group has less or more of what sentences speak of."""
        return Word("less" if (difference > 0) == self.is_turned else "more")

    def size_beside(self, value: float, limit: float) -> Points | Amount:
        """Return how large a gap is, with the decimals that show on which side of a limit it stands."""
        digits = digits_beside(self.scaled(abs(value)), [self.scaled(limit)], digits=self.digits, most=self.digits + 2)
        return self.size(value, digits=self.digits if digits is None else digits)

    def end_beside(self, value: float, limit: float) -> Points | Amount:
        """Return how large an end of a range is, with the decimals that show its side of no gap and of a limit."""
        limits = [self.scaled(limit), 0]
        digits = digits_beside(self.scaled(abs(value)), limits, digits=self.digits, most=self.digits + 2)
        return self.size(value, digits=self.digits if digits is None else digits)

    def subtracts(self, own: float, other: float, gap: float) -> bool:
        """Say whether both figures and the gap subtract as they are written."""
        return do_subtract(self.scaled(own), self.scaled(other), digits=self.digits, difference=self.scaled(gap))

    def is_other_way(self, gap: float, than: float) -> bool:
        """Say whether a gap is on the other side than another, as both are written."""
        return gap * than < 0 and not self.is_nothing(gap) and not self.is_nothing(than)

    def is_no_smaller(self, value: float, than: float, limit: float) -> bool:
        """Say whether a gap is at least as large as another one, as both are written."""
        own, other = (self.size_beside(each, limit) for each in (value, than))
        return round(self.scaled(own.value), own.digits) >= round(self.scaled(other.value), other.digits)

    def size(self, value: float, *, digits: int | None = None) -> Points | Amount:
        """Return how large a difference is, without its sign."""
        digits = self.digits if digits is None else digits
        return Points(abs(value), digits) if self.kind == "share" else Amount(abs(value), digits)

    def limit(self, tolerance: float) -> Points | Amount:
        """Return a tolerance with the decimals that it was set with."""
        digits = next((d for d in range(4) if abs(round(self.scaled(tolerance), d) - self.scaled(tolerance)) < 1e-9), 3)
        return self.size(tolerance, digits=digits)

    def is_nothing(self, value: float) -> bool:
        """Say whether a gap is 0 as it is written."""
        return round(self.scaled(value), self.digits) == 0
