"""What two groups are compared in, and how sentences of all sections write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairaudit.findings import Amount, Points, Share, Word
from fairaudit.measure.limits import digits_beside, do_subtract


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

    kind: Literal["share", "amount"]
    digits: int
    is_turned: bool = False

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
        scale = 100 if self.kind == "share" else 1
        digits = digits_beside(scale * abs(value), [scale * limit], digits=self.digits, most=self.digits + 2)
        return self.size(value, digits=self.digits if digits is None else digits)

    def end_beside(self, value: float, limit: float) -> Points | Amount:
        """Return how large an end of a range is, with the decimals that show its side of no gap and of a limit."""
        scale = 100 if self.kind == "share" else 1
        digits = digits_beside(scale * abs(value), [scale * limit, 0], digits=self.digits, most=self.digits + 2)
        return self.size(value, digits=self.digits if digits is None else digits)

    def subtracts(self, own: float, other: float, gap: float) -> bool:
        """Say whether both figures and the gap subtract as they are written."""
        scale = 100 if self.kind == "share" else 1
        return do_subtract(scale * own, scale * other, digits=self.digits, difference=scale * gap)

    def is_other_way(self, gap: float, than: float) -> bool:
        """Say whether a gap is on the other side than another, as both are written."""
        return gap * than < 0 and not self.is_nothing(gap) and not self.is_nothing(than)

    def is_no_smaller(self, value: float, than: float, limit: float) -> bool:
        """Say whether a gap is at least as large as another one, as both are written."""
        own, other = (self.size_beside(each, limit) for each in (value, than))
        scale = 100 if self.kind == "share" else 1
        return round(scale * own.value, own.digits) >= round(scale * other.value, other.digits)

    def size(self, value: float, *, digits: int | None = None) -> Points | Amount:
        """Return how large a difference is, without its sign."""
        digits = self.digits if digits is None else digits
        return Points(abs(value), digits) if self.kind == "share" else Amount(abs(value), digits)

    def limit(self, tolerance: float) -> Points | Amount:
        """Return a tolerance with the decimals that it was set with."""
        scale = 100 if self.kind == "share" else 1
        digits = next((d for d in range(4) if abs(round(scale * tolerance, d) - scale * tolerance) < 1e-9), 3)
        return self.size(tolerance, digits=digits)

    def is_nothing(self, value: float) -> bool:
        """Say whether a gap is 0 as it is written."""
        return round((100 if self.kind == "share" else 1) * value, self.digits) == 0
