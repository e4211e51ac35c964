"""What a search for alternatives found: which serve as well, and of which a smaller gap is more than chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from fairaudit.measure.quantity import Quantity
from fairaudit.sections.alternatives.finding import Alternative, AlternativesFinding

AlternativesVerdict = Literal["gap_smaller", "gap_may_not_have_changed", "none_found", "too_few_to_tell", "not_shown"]
RowReading = Literal["smaller", "chance", "no_smaller", "less_good"]


@dataclass(frozen=True)
class AlternativesReading:
    """What was found, without a sentence.

    Parameters
    ----------
    verdict : AlternativesVerdict
        Whether an equally good model that decides by no group has a smaller gap.
    rows : tuple of (Alternative, RowReading)
        All that were judged: the one that is spoken of first, then by how they are read, and of these the smallest gap
        where models were picked.
    """

    verdict: AlternativesVerdict
    rows: tuple[tuple[Alternative, RowReading], ...] = ()

    @property
    def serving(self) -> tuple[Alternative, ...]:
        """Those with a smaller gap that serve as well on test cases, too, and decide by no group."""
        own = [row for row, reading in self.rows if reading in ("smaller", "chance") and not row.origin.by_group]
        return tuple(own)

    @property
    def clear(self) -> tuple[Alternative, ...]:
        """Those of them whose gap is smaller by more than chance."""
        return tuple(row for row, reading in self.rows if reading == "smaller" and not row.origin.by_group)

    @property
    def best(self) -> Alternative | None:
        """The one that is spoken of: that with the smallest gap where models were picked, as the test would flatter."""
        return min(self.clear or self.serving, key=lambda row: abs(row.tuned_gap), default=None)


def read_alternatives(finding: AlternativesFinding) -> AlternativesReading:
    """Read a finding, whole or as it leaves."""
    if is_hidden(finding):
        return AlternativesReading("not_shown")
    read = [(each, _read(each, finding)) for each in finding.alternatives]
    best = AlternativesReading("none_found", tuple(read)).best
    order = get_args(RowReading)
    read.sort(key=lambda row: (row[0] is not best, order.index(row[1]), abs(row[0].tuned_gap)))
    reading = AlternativesReading("none_found", tuple(read))
    if reading.clear:
        return AlternativesReading("gap_smaller", reading.rows)
    if reading.serving:
        return AlternativesReading("gap_may_not_have_changed", reading.rows)
    if not finding.n_as_good and finding.n_unclear and finding.in_use.tuned_gap:
        return AlternativesReading("too_few_to_tell", reading.rows)
    return reading


def is_hidden(finding: AlternativesFinding) -> bool:
    """Say whether the small-cell rule hides what was found."""
    n_tried: int | None = finding.n_tried
    return n_tried is None


def _read(each: Alternative, finding: AlternativesFinding) -> RowReading:
    # NaN where nobody is approved: no more is known of it.
    if not each.quality_change >= -finding.plan.loss:
        return "less_good"
    if each.size_change >= 0:
        return "no_smaller"
    return "smaller" if each.p_adjusted <= 1 - finding.facts.plan.confidence else "chance"


def quantity_of(finding: AlternativesFinding) -> Quantity:
    """Return how figures are written: in whole percent, or with decimals where the gaps would read the same."""
    turned = finding.facts.names.of_unfavorable
    reading = read_alternatives(finding)
    if reading.best is None:
        return Quantity("share", 0, turned)
    sizes = [abs(each.gap) for each in (finding.in_use, reading.best)]
    digits = next((d for d in range(3) if round(100 * sizes[0], d) != round(100 * sizes[1], d)), 0)
    return Quantity("share", digits, turned)
