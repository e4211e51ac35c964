"""Selection rates of groups and their impact ratios, as rules on employment and lending ask for them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import pandas as pd

from fairaudit.defaults import USUAL_CONFIDENCE
from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.measure.grouping import check_group_count, group_names, place_of, plain_value
from fairaudit.measure.intervals import equality_p_value, needs_fisher, pooled_z, shares, wilson
from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.measure.plain import Hideable
from fairaudit.measure.results import GroupRatio, Interval

# Whether a difference of two rates is more than chance, and what one person more or fewer would change.

TWO_DEVIATIONS = 2.0
"""From how many standard deviations on courts and agencies call a difference of rates significant."""

FISHER_LEVEL = 0.05
"""Under which p-value Fisher's exact test calls a difference significant."""


@dataclass(frozen=True)
class RateSignificance:
    """Whether two rates differ by more than chance."""

    z: float = figure("The difference in standard deviations, with the pooled variance; NaN where undefined.")
    p_value: float = figure("Two-sided, of the test that was used.")
    test: Literal["z", "fisher"] = figure(
        "Which of them: Fisher's exact test where an expected count of the two-by-two table is below 5."
    )
    significant: bool | None = figure(
        "Beyond two standard deviations, or below 0.05 by Fisher's test; None where undefined."
    )


@dataclass(frozen=True)
class OnePerson:
    """What one person more or fewer would do to the answer of the four-fifths rule."""

    ratio_one_more: float = figure(
        "The impact ratio if one more, or one fewer, person of the group were selected; NaN where nobody is left."
    )
    ratio_one_fewer: float = figure(AS_ABOVE)
    ratio_instead: float = figure(
        "The impact ratio if one person of the group were selected instead of one of the reference."
    )
    flips: bool = figure("Whether one more, or one fewer, person moves the ratio to the other side of the threshold.")
    reverses: bool = figure(
        "Whether the ratio is below the threshold, and one person of the group instead of one of the reference "
        "gives the group the higher rate."
    )


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


Reference = Literal["highest", "largest"]


@dataclass(frozen=True)
class ImpactRow:
    """One group of an impact table."""

    values: tuple[tuple[str, object], ...] = setting("The columns and values that make the group.")
    group: GroupRatio = figure("People, those selected, and the rate with its interval.")
    share: float = figure("The group's share of the people of the table.")
    small: bool | None = figure(
        "Whether that share is below the rule's least share; None where a small count is hidden."
    )
    left_out: bool | None = figure(
        "Whether the group is left out of the impact ratios for that; its counts and rate stay. None as before."
    )
    is_reference: bool = figure("Whether the others are compared with it.")
    impact_ratio: float = figure("Its rate divided by the reference's; NaN where left out or undefined.")
    below: bool | None = figure(
        "Whether the ratio is below the threshold, on exact fractions; None where there is no ratio."
    )
    significance: RateSignificance | None = figure(
        "Whether its rate differs from the reference's by more than chance; None for the reference and where left out."
    )
    one_person: OnePerson | None = figure(
        "What one person more would change; None for the reference and where left out."
    )

    @property
    def name(self) -> str:
        """The values of the group, for people."""
        return self.group.name


@dataclass(frozen=True)
class ImpactTable:
    """The groups of one column, or of a crossing, with their impact ratios."""

    columns: tuple[str, ...] = setting("What makes the groups.")
    rows: tuple[ImpactRow, ...] = figure("In ascending order of the values.")
    reference: str | None = figure("The group that the others are compared with; None where all rates are 0.")
    n: Hideable[int] = figure("People in the table: with a known decision and a known group.")
    threshold: float = setting("The impact ratio under which a group is marked.")


def impact_table(
    counts: pd.DataFrame,
    columns: Sequence[str],
    *,
    names: Sequence[str] | None = None,
    reference: Reference | str = "highest",
    chosen: Sequence[object] | None = None,
    threshold: float = FOUR_FIFTHS,
    smallest_share: float = 0.0,
    leave_out_small: bool = False,
    significance: bool = True,
    one_person: bool = True,
    deviations: float = TWO_DEVIATIONS,
    level: float = FISHER_LEVEL,
    confidence: float = USUAL_CONFIDENCE,
) -> ImpactTable:
    """Compute selection rates and impact ratios of groups from counts.

    ``impact ratio = rate of the group / rate of the reference``, the reference being the group with the highest rate
    or another one. For a difference with its interval use :func:`fairaudit.measure.check_groups`.

    Notes
    -----
    A share is compared with `smallest_share`, and a ratio with `threshold`, on exact fractions.

    Examples
    --------
    >>> counts = pd.DataFrame({"race": ["Black", "White"], "n": [40, 80], "positives": [12, 48]})
    >>> [(row.name, row.impact_ratio) for row in impact_table(counts, ["race"]).rows]
    [('Black', 0.5), ('White', 1.0)]
    """
    columns, names = list(columns), tuple(names or columns)
    groups = counts.groupby(columns, sort=True, observed=True)[["n", "positives"]].sum().reset_index()
    groups = groups[groups["n"] > 0].reset_index(drop=True)
    check_group_count(len(groups), names)
    if groups.empty:
        raise GroupError(
            f"{' and '.join(map(quote, names))}: nobody has both a known group and a known decision.",
            uncounted=f"{' and '.join(map(quote, names))}: nobody has both a known group and a known decision.",
            hint="Choose other columns, or a wider filter.",
        )
    people, selected = groups["n"].astype(int).tolist(), groups["positives"].astype(int).tolist()
    labels, total = group_names(groups[columns]), sum(people)
    small = [Fraction(n, total) < Fraction(str(smallest_share)) for n in people]
    out = [is_small and leave_out_small for is_small in small]
    base = _reference(people, selected, out, reference)
    if chosen is not None:
        base = place_of(chosen, labels, "people")
        out[base] = False
    low, high = wilson(selected, people, confidence)
    rates = shares(selected, people)
    limit = Fraction(str(threshold))
    rows = []
    for i, values in enumerate(groups[columns].itertuples(index=False)):
        pair = (selected[i], people[i], *((selected[base], people[base]) if base is not None else (0, 0)))
        ratio = None if base is None or out[i] or pair[2] == 0 else Fraction(*pair[:2]) / Fraction(*pair[2:])
        compared = base is not None and i != base and not out[i]
        rows.append(
            ImpactRow(
                values=tuple(zip(names, map(plain_value, values), strict=True)),
                group=GroupRatio(
                    labels[i], people[i], selected[i], float(rates[i]), Interval(float(low[i]), float(high[i]))
                ),
                share=people[i] / total,
                small=small[i],
                left_out=out[i],
                is_reference=i == base,
                impact_ratio=math.nan if ratio is None else float(ratio),
                below=None if ratio is None else ratio < limit,
                significance=rates_differ(*pair, deviations=deviations, level=level)
                if compared and significance
                else None,
                one_person=one_more_person(*pair, threshold=threshold) if compared and one_person else None,
            )
        )
    return ImpactTable(names, tuple(rows), None if base is None else labels[base], total, threshold)


def _reference(people: list[int], selected: list[int], out: list[bool], how: str) -> int | None:
    """Return the place of the reference group; of equals the one with more people, then the first."""
    usable = [i for i in range(len(people)) if not out[i]]
    if not usable:
        return None
    if how == "largest":
        return max(usable, key=lambda i: (people[i], -i))
    best = max(usable, key=lambda i: (Fraction(selected[i], people[i]), people[i], -i))
    return best if selected[best] else None
