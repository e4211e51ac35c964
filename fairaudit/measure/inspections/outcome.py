"""The outcome test: how often something was found where groups were looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairaudit.conditions import Condition
from fairaudit.data.given import SaidCounts, SaidLabels, as_table, documented
from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import quote
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.measure.comparison import check_settings, compare_many, said_rows, sides_at
from fairaudit.measure.inspections.looks import Looks, read_looks
from fairaudit.measure.inspections.results import HitRate, HitRateGap, OutcomeTest
from fairaudit.measure.intervals import Floats, central_p_values, equality_p_value, holm, shares, wilson
from fairaudit.measure.results import Comparison, GroupRatio, Interval, StratumRow
from fairaudit.measure.strata import UNDEFINED, cochran_mantel_haenszel, common_difference
from fairaudit.measure.verdicts import Side, Verdict, side_of, verdict_by
from fairaudit.measure.verdicts_of_many import by_holm, readings_by_holm
from fairaudit.messages import say

Cells = dict[tuple[int, int], tuple[int, int, int]]


@documented()
def outcome_test(
    table: object,
    *,
    acted: Condition | str,
    found: Condition | str,
    group: Condition | str | Sequence[str],
    strata: str | Sequence[str] | None = None,
    confidence: float = USUAL_CONFIDENCE,
    tolerance: float = USUAL_TOLERANCE,
    where: Condition | str | None = None,
    reference: object = None,
    stopped: Condition | str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> OutcomeTest:
    """Compare how often something was found where groups were looked at: searches, inspections, audits, flags.

    ``hit rate = found / looked at``. A lower hit rate can mean that a group is looked at on less evidence. It need not:
    hit rates are averages over all who were looked at, so groups can differ in them with the same threshold, and have
    the same with different ones (inframarginality). Where both rates are known use :func:`fairaudit.threshold_test`.

    Parameters
    ----------
    table : Table, path, or frame of pandas, polars, Arrow or DuckDB
        One row a case, or one row with counts.
    acted : Condition or str
        Who was looked at: a condition such as ``"searched = 'yes'"``, or the column that counts them.
    found : Condition or str
        Where something was found, in the same form.
    group : Condition, str or sequence of str
        The columns whose values make the groups, or a condition that makes two.
    strata : str or sequence of str, optional
        Columns inside whose values groups are compared, too: place, officer, kind. Missing values are a stratum.
    tolerance : float
        The largest difference that still counts as alike.
    reference : value or list of values, optional
        The group that the others are compared with; without it, the rest of a condition, or the group with most cases
        looked at.
    stopped : Condition or str, optional
        Who could have been looked at, in the same form as `acted`: a condition, or the column that counts them. Without
        it, every row; in a table of counts, how many were not looked at is then not known.

    Returns
    -------
    OutcomeTest
        ``hit_rates`` with Wilson's intervals, and ``gaps`` to the reference, pooled and inside the strata, with their
        evidence.

    Raises
    ------
    InputError
        If a column, condition or setting does not fit.
    GroupError
        If there are fewer than two groups, nobody was looked at, no look has an outcome, or counts do not fit together:
        found without a look, or more found than looked at.

    Notes
    -----
    Differences are ``group - reference`` with Newcombe's intervals, inside strata Mantel-Haenszel's with Sato's.
    Verdicts and p-values hold for all groups together, by Holm's method; those of several groups are Fisher's, as the z
    test can err more often than it says far out in a tail. Looks without a known outcome are left out and
    counted; a warning says so. One query.

    References
    ----------
    Becker (1957), "The Economics of Discrimination"; Knowles, Persico and Todd (2001); Ayres (2002) on
    inframarginality; Mantel and Haenszel (1959); Sato (1989).

    Examples
    --------
    >>> import pandas as pd
    >>> data = pd.DataFrame({"sex": ["F", "M"], "searches": [200, 300], "hits": [40, 90]})
    >>> test = outcome_test(data, acted="searches", found="hits", group="sex")
    >>> [(gap.name, round(gap.difference, 3), gap.comparison.verdict) for gap in test.gaps]
    [('F', -0.1, 'gap_size_unclear')]
    """
    table = as_table(table, counts=counts, labels=labels)
    check_settings(tolerance, confidence)
    looks = read_looks(table, acted=acted, found=found, group=group, places=strata, stopped=stopped, where=where)
    is_condition = not looks.group_values[0]
    base = 1 if reference is None and is_condition else looks.reference_of(reference)
    hit_rates = _hit_rates(looks, base, confidence)
    gaps = _gaps(looks, base, tolerance, confidence)
    return OutcomeTest(
        acted=looks.acted,
        found=looks.found,
        form=looks.form,
        group=looks.group_columns,
        strata=looks.place_columns,
        where=looks.where,
        tolerance=tolerance,
        confidence=confidence,
        reference=looks.groups[base],
        hit_rates=hit_rates,
        gaps=gaps,
        n_acted=int(looks.cells["n_acted"].sum()),
        n_unknown=looks.n_unknown,
        n_undecided=looks.n_undecided,
        rates_disagree=_rates_disagree(looks, base, gaps),
        warnings=_warnings(looks, hit_rates),
        as_unknown=looks.as_unknown,
    )


def _hit_rates(looks: Looks, base: int, confidence: float) -> tuple[HitRate, ...]:
    found = []
    for i, counts in enumerate(looks.by_group().itertuples()):
        low, high = wilson(counts.n_found, counts.n_known, confidence)
        hits = GroupRatio(
            name=looks.groups[i],
            n=int(counts.n_known),
            positives=int(counts.n_found),
            ratio=float(shares(counts.n_found, counts.n_known)),
            interval=Interval(float(low), float(high)),
            undecided=int(counts.n_acted - counts.n_known),
        )
        found.append(
            HitRate(
                values=looks.group_values[i],
                name=looks.groups[i],
                n_cases=int(counts.n_cases) if looks.knows_cases else None,
                n_acted=int(counts.n_acted),
                acted_rate=float(shares(counts.n_acted, counts.n_cases)) if looks.knows_cases else float("nan"),
                hits=hits,
                is_reference=i == base,
            )
        )
    return tuple(found)


def _gaps(looks: Looks, base: int, tolerance: float, confidence: float) -> tuple[HitRateGap, ...]:
    totals = looks.by_group()
    others = [i for i in range(len(looks.groups)) if i != base]
    compared = _compared(
        [tuple(totals.loc[i, ["n_found", "n_known", "n_acted"]]) for i in others],
        [tuple(totals.loc[base, ["n_found", "n_known", "n_acted"]])] * len(others),
        [(looks.groups[i], looks.groups[base]) for i in others],
        tolerance,
        confidence,
        exact=len(others) > 1,
    )
    compared = by_holm(compared, sides_at)
    p_values = holm([each.p_value for each in compared])
    inside = [_inside(looks, i, base, tolerance, confidence) for i in others]
    common_p = holm([each.p_value for each in inside])
    common_verdicts: Sequence[Verdict | None] = [None] * len(others)
    if looks.place_columns:
        read = readings_by_holm(lambda level: _sides_at(inside, level, tolerance), len(inside), confidence)
        common_verdicts = [
            verdict_by(side, likely=p_value < 1 - confidence) for side, p_value in zip(read, common_p, strict=True)
        ]
    return tuple(
        HitRateGap(
            values=looks.group_values[i],
            name=looks.groups[i],
            comparison=comparison,
            adjusted_p_value=float(p_value),
            small=comparison.protected.n < ENOUGH,
            strata=within.strata,
            left_out=within.left_out,
            common_difference=within.difference,
            common_difference_interval=within.interval,
            common_equivalence_interval=within.equivalence_interval,
            common_p_value=float(common),
            common_verdict=together,
            reversal=comparison.difference * within.difference < 0,
        )
        for i, comparison, p_value, within, common, together in zip(
            others, compared, p_values, inside, common_p, common_verdicts, strict=True
        )
    )


def _compared(
    mine: Sequence[tuple[int, int, int]],
    other: Sequence[tuple[int, int, int]],
    names: Sequence[tuple[str, str]],
    tolerance: float,
    confidence: float,
    *,
    exact: bool = False,
) -> tuple[Comparison, ...]:
    """Compare pairs of (found, known, acted)."""
    return compare_many(
        [int(m[0]) for m in mine],
        [int(m[1]) for m in mine],
        [int(o[0]) for o in other],
        [int(o[1]) for o in other],
        names=names,
        undecided=[(int(m[2] - m[1]), int(o[2] - o[1])) for m, o in zip(mine, other, strict=True)],
        tolerance=tolerance,
        confidence=confidence,
        exact=exact,
    )


@dataclass(frozen=True, eq=False)
class _Inside:
    """One group against the reference inside the strata."""

    strata: tuple[StratumRow, ...]
    left_out: tuple[str, ...]
    cells: Floats
    difference: float
    interval: Interval
    equivalence_interval: Interval
    p_value: float


def _inside(looks: Looks, group: int, base: int, tolerance: float, confidence: float) -> _Inside:
    nan = float("nan")
    if not looks.place_columns:
        return _Inside((), (), np.empty((0, 4)), nan, UNDEFINED, UNDEFINED, nan)
    sides = looks.cells.set_index("place")
    mine, other = (sides[sides["group"] == g][["n_found", "n_known", "n_acted"]] for g in (group, base))
    mine, other = mine[mine["n_known"] > 0], other[other["n_known"] > 0]
    both = sorted(set(mine.index) & set(other.index))
    left_out = tuple(looks.places[p] for p in sorted(set(mine.index) ^ set(other.index)))
    mine_rows = [tuple(row) for row in mine.loc[both].to_numpy()]
    other_rows = [tuple(row) for row in other.loc[both].to_numpy()]
    pairs = [(looks.groups[group], looks.groups[base])] * len(both)
    compared = _compared(mine_rows, other_rows, pairs, tolerance, confidence) if both else ()
    rows = tuple(StratumRow(looks.place_values[p], each, 0) for p, each in zip(both, compared, strict=True))
    cells = np.array([(*m[:2], *o[:2]) for m, o in zip(mine_rows, other_rows, strict=True)], dtype=float).reshape(-1, 4)
    difference, interval = common_difference(cells, confidence)
    p_value = cochran_mantel_haenszel(cells, correction=False)[1] if both else nan
    inner = common_difference(cells, max(2 * confidence - 1, 0.0))[1]
    return _Inside(rows, left_out, cells, difference, interval, inner, p_value)


def _sides_at(inside: Sequence[_Inside], confidence: float, tolerance: float) -> list[Side]:
    """Say where the common differences lie at a confidence, by Sato's intervals."""
    ends = [[common_difference(i.cells, c)[1] for c in (confidence, max(2 * confidence - 1, 0.0))] for i in inside]
    return [side_of(wide, narrow, tolerance) for wide, narrow in ends]


def _rates_disagree(looks: Looks, base: int, gaps: Sequence[HitRateGap]) -> bool:
    """Say whether a group is looked at clearly more often than the reference without a clearly lower hit rate.

    What is clear allows for all groups, by Holm's method.
    """
    if not looks.knows_cases:
        return False
    totals = looks.by_group()[["n_acted", "n_cases"]].to_numpy()
    others = [i for i in range(len(looks.groups)) if i != base]
    p_value_of = central_p_values if len(others) > 1 else equality_p_value
    p_values = holm(p_value_of(*totals[others].T, *totals[base]))
    rates = shares(*totals.T)
    for i, p_value, gap in zip(others, p_values, gaps, strict=True):
        low, high = gap.comparison.difference_interval
        if p_value < 1 - gap.comparison.confidence and (high >= 0 if rates[i] > rates[base] else low <= 0):
            return True
    return False


def _warnings(looks: Looks, hit_rates: Sequence[HitRate]) -> tuple[str, ...]:
    said = []
    for rate in hit_rates:
        if rate.hits.n < ENOUGH:
            args: dict[str, Argument] = {"group": Phrase(quote(rate.name)), "rows": said_rows(rate.hits.n)}
            said.append(Message("doubt-few-searched" if rate.hits.n else "doubt-nobody-searched", args))
    if looks.n_undecided:
        said.append(Message("doubt-search-open", {"rows": said_rows(looks.n_undecided)}))
    if looks.n_unknown:
        said.append(Message("doubt-search-unknown", {"rows": said_rows(looks.n_unknown)}))
    for column, values in looks.as_unknown:
        named = {"values": Phrase(", ".join(map(quote, values))), "column": Phrase(quote(column))}
        said.append(Message("doubt-search-values", named))
    return tuple(map(say, (*said, *looks.say_uncounted())))
