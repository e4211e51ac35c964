"""The threshold test: how likely a find must seem before a group is searched."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.given import SaidCounts, SaidLabels, as_table, documented
from fairaudit.defaults import USUAL_CONFIDENCE
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.events import Event, Finished, Progress, Started, result_of
from fairaudit.findings import Count, Message, Share, Word
from fairaudit.measure.comparison import check_settings, check_whole, is_number, said_rows
from fairaudit.measure.inspections import sampling
from fairaudit.measure.inspections.looks import CASES, Looks, read_looks
from fairaudit.measure.inspections.model import PlaceCounts, ThresholdModel
from fairaudit.measure.inspections.outcome import outcome_test
from fairaudit.measure.inspections.results import Placebo, ThresholdChecks, ThresholdTest
from fairaudit.measure.inspections.signals import SIGNALS, Family
from fairaudit.measure.intervals import Floats
from fairaudit.measure.results import Interval
from fairaudit.measure.verdicts import Side, Verdict, side_of, verdict_by
from fairaudit.measure.verdicts_of_many import readings_by_holm
from fairaudit.messages import say
from fairaudit.processes import ONE_THREAD

# What draws from a posterior support: the interval of a figure, and the verdicts on differences together.


def ends_of(draws: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Return the ends of the interval that holds the middle part of draws."""
    low, high = np.quantile(draws, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return low, high


def verdicts_of_draws(differences: Sequence[Floats], confidence: float, tolerance: float) -> list[Verdict]:
    """Return the verdicts on draws of differences together, by Holm's method."""

    def read(limit: float) -> Sequence[Side]:
        return readings_by_holm(
            lambda level: [_side_at(each, level, tolerance, limit) for each in differences],
            len(differences),
            confidence,
        )

    return [verdict_by(side, likely=apart == "beyond") for side, apart in zip(read(tolerance), read(0.0), strict=True)]


def _side_at(difference: Floats, confidence: float, tolerance: float, limit: float) -> Side:
    """Say whether all of a difference that is likely is within the tolerance, or beyond a limit."""
    wide, narrow = (
        Interval(*map(float, ends_of(difference, level))) for level in (confidence, max(2 * confidence - 1, 0.0))
    )
    if wide.low > limit or wide.high < -limit:
        return "beyond"
    return side_of(wide, narrow, tolerance)


BASE_RATE = 0.03
"""Expected share of finds among traffic stops (Pierson et al., 2017)."""

FOUND_TIMES = 2.0
"""Least ratio of expected to observed finds where more is found than in traffic stops."""

STEPS = 400
PLACEBO_STEPS = 150
MOST_PLACES, MOST_GROUPS = 200, 10
FEW_GROUPS, FEW_PLACES = 3, 5
REPLICATES = 400
STEPS_OF_A_FIT = 100
"""How many steps of progress stand for one fit."""


@documented()
def threshold_test(
    table: object,
    *,
    group: Condition | str | Sequence[str],
    location: str | Sequence[str],
    stopped: Condition | str | None = None,
    searched: Condition | str,
    found: Condition | str,
    random_state: int = 0,
    confidence: float = USUAL_CONFIDENCE,
    tolerance: float = 0.02,
    where: Condition | str | None = None,
    reference: object = None,
    signal: Family = "beta",
    base_rate: float | None = None,
    n_placebo: int = 0,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> ThresholdTest:
    """Infer how likely a find must seem before each group is searched in each place.

    The model: whoever decides sees of each case how likely a find is, and searches where that is at least the threshold
    of the group and place; how likely finds seem differs between groups and between places, and both add up. Search and
    hit rates together then tell thresholds apart, where hit rates alone may not. A threshold says at what chance of a
    find a group is searched, if the model holds. It says nothing of why: a lower one can come from habit, rules, intent
    or something that the model leaves out.

    Parameters
    ----------
    table : Table, path, or frame of pandas, polars, Arrow or DuckDB
        One row a case, or one row with counts.
    group : Condition, str or sequence of str
        The columns whose values make the groups, or a condition that makes two.
    location : str or sequence of str
        The columns whose values make the places.
    stopped : Condition or str, optional
        Who could have been searched: the column that counts them, or a condition. Without it each row is such a case;
        with counts it is needed.
    searched : Condition or str
        Who was searched: a condition such as ``"searched = 'yes'"``, or the column that counts them.
    found : Condition or str
        Where something was found, in the same form.
    random_state : int
        The seed of the draws. The same data and seed give the same answer.
    tolerance : float
        The largest difference of thresholds that still counts as alike.
    reference : value or list of values, optional
        The group that the others are compared with; without it, the rest of a condition, or the group with most
        searches.
    signal : {"beta", "discriminant"}
        The family of distributions of how likely a find seems. Beta is that of the first papers; discriminant
        distributions take a fifth of the time. Thresholds differ by family, differences between groups less.
    base_rate : float, optional
        The share of all cases that is expected to be worth a find, before the data, above 0 and below 1. Without it
        0.03, as for traffic stops, or twice what was found of all cases where that is more.
    n_placebo : int
        How often the test is repeated with groups shuffled among the cases of each place. Each takes about half as long
        as the test.

    Returns
    -------
    ThresholdTest
        ``thresholds`` of groups in places, ``aggregate`` of groups, ``gaps`` to the reference, and ``checks`` of
        whether the model fits.

    Raises
    ------
    InputError
        If a column, condition or setting does not fit, or there are too many groups or places.
    GroupError
        If stops are not known, counts do not fit together, nobody was searched, or fewer than two places have two
        groups.

    Notes
    -----
    Finds and searches of each group and place are multinomial given the model's rates; see
    ``fairaudit.measure.inspections.model`` for what is expected before the data. Of searches without a known outcome
    only that they were made counts. The posterior is drawn from by Hamiltonian steps of eight chains with the gradient
    in closed form. Points are means, intervals quantiles of draws. A group's aggregate weighs its places by the stops
    of all groups there. Without stops there is one hit rate for each group and place and at least one unknown more, so
    that any threshold fits: this is refused. With two groups, or fewer than five places, the data leave much to what is
    expected before them; a warning says so. Time grows with groups times places.

    References
    ----------
    Simoiu, Corbett-Davies and Goel (2017), "The problem of infra-marginality in outcome tests for discrimination";
    Pierson, Corbett-Davies and Goel (2018), "Fast threshold tests for detecting discrimination", on discriminant
    distributions; Pierson and others (2017), arXiv 1706.05678, for what is expected of traffic stops.

    Examples
    --------
    >>> data = pd.DataFrame({"area": list("aabbcc"), "sex": list("FM") * 3, "stops": 2_000, "searches": [90, 40] * 3,
    ...                      "hits": [18, 14] * 3})
    >>> test = threshold_test(data, group="sex", location="area", stopped="stops", searched="searches", found="hits",
    ...                       signal="discriminant", reference="M")
    >>> bool(test.gaps["difference"][0] < 0), test.n_locations
    (True, 3)
    """
    table = as_table(table, counts=counts, labels=labels)
    events = iter_threshold_test(
        table,
        group=group,
        location=location,
        stopped=stopped,
        searched=searched,
        found=found,
        random_state=random_state,
        confidence=confidence,
        tolerance=tolerance,
        where=where,
        reference=reference,
        signal=signal,
        base_rate=base_rate,
        n_placebo=n_placebo,
    )
    result: ThresholdTest = result_of(events)
    finds = outcome_test(
        table,
        acted=searched,
        found=found,
        group=group,
        stopped=stopped,
        where=where,
        confidence=confidence,
        reference=reference,
    )
    return replace(result, finds=finds)


def iter_threshold_test(
    table: object,
    *,
    group: Condition | str | Sequence[str],
    location: str | Sequence[str],
    stopped: Condition | str | None = None,
    searched: Condition | str,
    found: Condition | str,
    random_state: int = 0,
    confidence: float = USUAL_CONFIDENCE,
    tolerance: float = 0.02,
    where: Condition | str | None = None,
    reference: object = None,
    signal: Family = "beta",
    base_rate: float | None = None,
    n_placebo: int = 0,
) -> Generator[Event, object, None]:
    """Do the work of :func:`threshold_test`, yielding events."""
    check_settings(tolerance, confidence)
    _check(signal, base_rate, random_state, n_placebo)
    total = STEPS_OF_A_FIT * (1 + n_placebo)
    yield Started("Inferring thresholds", total)
    yield Progress("Counting stops, searches and finds", 0, total)
    looks = read_looks(
        table,
        acted=searched,
        found=found,
        group=group,
        places=location,
        stopped=stopped,
        where=where,
        acted_role="searched",
        place_role="location",
        missing_places=False,
    )
    base = 1 if reference is None and not looks.group_values[0] else looks.reference_of(reference)
    cells, left_out, n_left_out = _usable(looks)
    _check_shared(looks, cells, base)
    expected = _expected_base_rate(cells, base_rate)
    with ONE_THREAD:
        fit = yield from _fit(cells, signal, expected, STEPS, random_state, 0, total)
        placebo = None
        if n_placebo:
            placebo = yield from _placebo(cells, base, signal, expected, confidence, random_state, n_placebo, total)
        checks = _checks(cells, fit, confidence, random_state, placebo)
    yield Finished(
        ThresholdTest(
            group=looks.group_columns,
            location=looks.place_columns,
            stopped=looks.stopped,
            searched=looks.acted,
            found=looks.found,
            form=looks.form,
            where=looks.where,
            tolerance=tolerance,
            confidence=confidence,
            signal=signal,
            base_rate=expected,
            random_state=random_state,
            n_draws=fit.thresholds.shape[0] * fit.thresholds.shape[1],
            reference=looks.groups[base],
            thresholds=_thresholds(looks, cells, fit, confidence),
            aggregate=_aggregate(looks, cells, fit, confidence),
            gaps=_gaps(looks, cells, fit, base, confidence, tolerance),
            checks=checks,
            n_locations=int(cells["place"].nunique()),
            left_out=left_out,
            n_left_out=n_left_out,
            n_unknown=looks.n_unknown,
            n_undecided=looks.n_undecided,
            warnings=_warnings(looks, cells, checks, left_out, n_left_out, base_rate, expected, fit.is_settled),
            as_unknown=looks.as_unknown,
        )
    )


def _check(signal: str, base_rate: float | None, random_state: int, n_placebo: int) -> None:
    if signal not in get_args(Family):
        raise InputError(f"'signal' must be one of {', '.join(map(repr, get_args(Family)))}, got {signal!r}.")
    if base_rate is not None and not (is_number(base_rate) and 0 < base_rate < 1):
        raise InputError(
            f"'base_rate' must be a number above 0 and below 1, got {base_rate!r}.", hint="0.03 means 3 % of all cases."
        )
    check_whole("random_state", random_state, 0)
    check_whole("n_placebo", n_placebo, 0)


def _usable(looks: Looks) -> tuple[pd.DataFrame, tuple[str, ...], int]:
    """Return the cells with cases in places with two groups, the other places, and the cases there."""
    if not looks.knows_cases:
        text = "Thresholds cannot be inferred: it is not known who could have been searched and was not"
        raise GroupError(
            f"{text}.",
            uncounted=f"{text}.",
            hint="Name the column that counts stops with 'stopped', or bring rows of those not searched, too. Hit "
            "rates alone are what outcome_test compares.",
        )
    cells = looks.cells[looks.cells["n_cases"] > 0].reset_index(drop=True)
    n_groups = cells.groupby("place")["group"].transform("nunique")
    alone = cells[n_groups < 2]
    left_out = tuple(looks.places[p] for p in sorted(alone["place"].unique()))
    n_left_out = int(alone["n_cases"].sum())
    cells = cells[n_groups > 1].reset_index(drop=True)
    n_places = cells["place"].nunique()
    if n_places < 2:
        columns = " and ".join(map(quote, looks.place_columns))
        raise GroupError(
            f"{columns} has {'one place' if n_places else 'no place'} with two groups; at least 2 are needed "
            f"({len(left_out):,} have one group).",
            uncounted=f"{columns} has fewer than two places with two groups.",
            hint="Choose another column for places, or larger areas.",
        )
    for n, most, name in ((n_places, MOST_PLACES, "places"), (cells["group"].nunique(), MOST_GROUPS, "groups")):
        if n > most:
            raise InputError(
                f"There are {n:,} {name}; at most {most} can be compared.",
                hint="Choose a column with fewer values, put values together, or leave small ones out by the filter.",
            )
    for name, text in (
        ("n_acted", "Nobody was searched in the places with two groups"),
        ("n_known", "No search in the places with two groups has a known outcome"),
    ):
        if not cells[name].sum():
            raise GroupError(f"{text}.", uncounted=f"{text}.", hint="Choose a wider filter.")
    return cells, left_out, n_left_out


def _check_shared(looks: Looks, cells: pd.DataFrame, base: int) -> None:
    """Refuse a reference that shares no place with another group."""
    if not (cells["group"] == base).any():
        text = f"The reference group {quote(looks.groups[base])} shares no place with another group"
        raise GroupError(f"{text}.", uncounted=f"{text}.", hint="Choose another reference, or larger areas.")


def _expected_base_rate(cells: pd.DataFrame, base_rate: float | None) -> float:
    if base_rate is not None:
        return float(base_rate)
    found = cells["n_found"].sum() / cells["n_cases"].sum()
    return float(min(max(BASE_RATE, FOUND_TIMES * found), 0.5))


@dataclass(frozen=True, eq=False)
class _Draws:
    """Draws, shapes (n_steps, n_chains, n_cells), and whether their start is the same on every processor."""

    thresholds: Floats
    search_rates: Floats
    hit_rates: Floats
    is_settled: bool


def _counts(cells: pd.DataFrame) -> PlaceCounts:
    group, groups = pd.factorize(cells["group"], sort=True)
    place, places = pd.factorize(cells["place"], sort=True)
    n, searched, known, found = (cells[name].to_numpy(float) for name in CASES)
    return PlaceCounts(group, place, n, searched, known, found, n_groups=len(groups), n_places=len(places))


def _fit(
    cells: pd.DataFrame, signal: Family, base_rate: float, steps: int, seed: int, fit: int, total: int
) -> Generator[Progress, object, _Draws]:
    model = ThresholdModel(_counts(cells), SIGNALS[signal], base_rate)
    try:
        drawing = sampling.iter_draws(model, model.mode(), n_steps=steps, rng=np.random.default_rng([seed, fit]))
        while True:
            event = next(drawing)
            done = STEPS_OF_A_FIT * fit + event.done * STEPS_OF_A_FIT // event.total
            yield Progress(event.what if fit == 0 else "Shuffling groups", done, total)
    except StopIteration as end:
        points = end.value.points
    except np.linalg.LinAlgError:
        text = "The model can hardly make such counts, as where nearly all are searched or nothing is found"
        raise GroupError(f"{text}.", uncounted=f"{text}.", hint="Compare hit rates, or leave places out.") from None
    search_rates, hit_rates = (np.stack(rates) for rates in zip(*map(model.rates, points), strict=True))
    return _Draws(model.thresholds(points), search_rates, hit_rates, model.is_settled)


def _weights(cells: pd.DataFrame) -> Floats:
    """Return for each cell the cases of all groups in its place."""
    return cells.groupby("place")["n_cases"].transform("sum").to_numpy(float)


def _flat(draws: Floats) -> Floats:
    return draws.reshape(-1, draws.shape[-1])


def _rates(cells: pd.DataFrame) -> dict[str, object]:
    """Return the counts and observed rates of rows."""
    n, searched, known, found = (cells[name].to_numpy(float) for name in CASES)
    return {
        "n_stops": n.astype(int),
        "n_searches": searched.astype(int),
        "n_hits": found.astype(int),
        "search_rate": searched / n,
        "hit_rate": np.divide(found, known, out=np.full(len(n), np.nan), where=known > 0),
    }


def _thresholds(looks: Looks, cells: pd.DataFrame, fit: _Draws, confidence: float) -> pd.DataFrame:
    draws = _flat(fit.thresholds)
    low, high = ends_of(draws, confidence)
    return pd.DataFrame(
        {
            "group": [looks.groups[g] for g in cells["group"]],
            "location": [looks.places[p] for p in cells["place"]],
            "threshold": draws.mean(axis=0),
            "low": low,
            "high": high,
            **_rates(cells),
            "fitted_search_rate": _flat(fit.search_rates).mean(axis=0),
            "fitted_hit_rate": _flat(fit.hit_rates).mean(axis=0),
        }
    )


def _aggregate(looks: Looks, cells: pd.DataFrame, fit: _Draws, confidence: float) -> pd.DataFrame:
    draws, weights = _flat(fit.thresholds), _weights(cells)
    totals = cells.groupby("group")[CASES].sum()
    means = np.column_stack(
        [np.average(draws[:, cells["group"] == g], axis=1, weights=weights[cells["group"] == g]) for g in totals.index]
    )
    low, high = ends_of(means, confidence)
    return pd.DataFrame(
        {
            "group": [looks.groups[g] for g in totals.index],
            "threshold": means.mean(axis=0),
            "low": low,
            "high": high,
            "n_locations": cells.groupby("group")["place"].nunique().to_numpy(),
            **_rates(totals),
        }
    )


def _pair(cells: pd.DataFrame, fit: _Draws, group: int, base: int) -> tuple[Floats, Floats]:
    """Return draws of the differences in places where both are, and their weights."""
    places = cells[["group", "place"]].reset_index().pivot(index="place", columns="group", values="index")
    both = places[[group, base]].dropna().astype(int)
    draws = _flat(fit.thresholds)
    return draws[:, both[group]] - draws[:, both[base]], _weights(cells)[both[group]]


def _gaps(
    looks: Looks, cells: pd.DataFrame, fit: _Draws, base: int, confidence: float, tolerance: float
) -> pd.DataFrame:
    records, together = [], []
    for group in sorted(set(cells["group"]) - {base}):
        inside, weights = _pair(cells, fit, group, base)
        if not inside.shape[1]:
            continue
        mean = np.average(inside, axis=1, weights=weights)
        together.append(mean)
        low, high = ends_of(mean, confidence)
        inner_low, inner_high = ends_of(mean, max(2 * confidence - 1, 0.0))
        each_low, each_high = ends_of(inside, confidence)
        records.append(
            {
                "group": looks.groups[group],
                "difference": float(mean.mean()),
                "low": float(low),
                "high": float(high),
                "equivalence_low": float(inner_low),
                "equivalence_high": float(inner_high),
                "chance_lower": float((mean < 0).mean()),
                "verdict": "",
                "n_locations": inside.shape[1],
                "n_lower": int((inside.mean(axis=0) < 0).sum()),
                "n_clearly_lower": int((each_high < 0).sum()),
                "n_clearly_higher": int((each_low > 0).sum()),
            }
        )
    frame = pd.DataFrame.from_records(records)
    return frame.assign(verdict=verdicts_of_draws(together, confidence, tolerance))


def shuffled(cells: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Shuffle the groups among the cases of each place: numbers of cases by group and by what happened stay."""
    kinds = np.column_stack(
        [
            cells["n_found"],
            cells["n_known"] - cells["n_found"],
            cells["n_acted"] - cells["n_known"],
            cells["n_cases"] - cells["n_acted"],
        ]
    )
    drawn = np.zeros_like(kinds)
    for rows in cells.groupby("place").indices.values():
        left = kinds[rows].sum(axis=0)
        for row in rows[:-1]:
            drawn[row] = rng.multivariate_hypergeometric(left, int(kinds[row].sum()), method="marginals")
            left = left - drawn[row]
        drawn[rows[-1]] = left
    known = drawn[:, :2].sum(axis=1)
    return cells.assign(n_found=drawn[:, 0], n_known=known, n_acted=known + drawn[:, 2])


def _placebo(
    cells: pd.DataFrame,
    base: int,
    signal: Family,
    base_rate: float,
    confidence: float,
    seed: int,
    n_placebo: int,
    total: int,
) -> Generator[Progress, object, Placebo]:
    n, different, largest = 0, 0, 0.0
    for i in range(1, n_placebo + 1):
        mixed = shuffled(cells, np.random.default_rng([seed, i, 1]))
        fit = yield from _fit(mixed, signal, base_rate, PLACEBO_STEPS, seed, i, total)
        for group in sorted(set(cells["group"]) - {base}):
            inside, weights = _pair(mixed, fit, group, base)
            if inside.shape[1]:
                mean = np.average(inside, axis=1, weights=weights)
                low, high = ends_of(mean, confidence)
                n += 1
                different += bool(low > 0 or high < 0)
                largest = max(largest, abs(float(mean.mean())))
    return Placebo(n_placebo, n, different, largest)


def _checks(cells: pd.DataFrame, fit: _Draws, confidence: float, seed: int, placebo: Placebo | None) -> ThresholdChecks:
    rng = np.random.default_rng([seed, 0, 2])
    search_rates, hit_rates = _flat(fit.search_rates), _flat(fit.hit_rates)
    some = np.linspace(0, len(search_rates) - 1, REPLICATES).astype(int)
    n, searched, known, found = (cells[name].to_numpy(np.int64) for name in CASES)
    made_searches = rng.binomial(n, np.clip(search_rates[some], 0, 1))
    made_finds = rng.binomial(known, np.clip(hit_rates[some], 0, 1))
    looked = known > 0
    within = [
        _within(made_searches, searched, confidence),
        _within(made_finds[:, looked], found[looked], confidence),
    ]
    of_group = pd.get_dummies(cells["group"]).to_numpy(float)
    totals = np.concatenate(
        [
            _within(made @ of_group, real @ of_group, confidence)
            for made, real in ((made_searches, searched), (made_finds, found))
        ]
    )
    observed = np.divide(found, known, out=np.zeros(len(n)), where=looked)
    errors = [
        math.sqrt(np.average((search_rates.mean(axis=0) - searched / n) ** 2, weights=n)),
        math.sqrt(np.average((hit_rates.mean(axis=0) - observed) ** 2, weights=known)),
    ]
    # A share of cells this far below the confidence is more than three errors of chance.
    enough = [each.mean() >= confidence - 3 * math.sqrt(confidence * (1 - confidence) / len(each)) for each in within]
    checks = ThresholdChecks(
        search_rate_error=errors[0],
        hit_rate_error=errors[1],
        search_rates_within=float(within[0].mean()),
        hit_rates_within=float(within[1].mean()),
        group_rates_within=bool(totals.all()),
        rates_within=bool(all(enough) and totals.all()),
        worst_split=float(sampling.split_reduction(fit.thresholds).max()),
        effective_draws=float(sampling.effective_number(fit.thresholds).min()),
        passed=False,
        placebo=placebo,
    )
    return replace(checks, passed=checks.rates_within and checks.draws_agree)


def _within(made: Floats, real: Floats, confidence: float) -> np.ndarray:
    low, high = ends_of(made, confidence)
    return (low <= real) & (real <= high)


def _warnings(
    looks: Looks,
    cells: pd.DataFrame,
    checks: ThresholdChecks,
    left_out: tuple[str, ...],
    n_left_out: int,
    asked: float | None,
    base_rate: float,
    is_settled: bool,
) -> tuple[str, ...]:
    said = [] if is_settled else [Message("doubt-model-start")]
    if not checks.draws_agree:
        said.append(Message("doubt-model-rough"))
    if not checks.rates_within:
        said.append(_misfit(checks))
    n_groups, n_places = cells["group"].nunique(), cells["place"].nunique()
    if n_groups < FEW_GROUPS or n_places < FEW_PLACES:
        said.append(Message("doubt-model-few", {"groups": Count(n_groups), "places": Count(n_places)}))
    if asked is None and base_rate > BASE_RATE:
        said.append(Message("doubt-model-base", {"share": Share(base_rate, 0 if base_rate >= 0.1 else 1)}))
    empty = int((cells["n_acted"] == 0).sum())
    if empty:
        said.append(Message("doubt-model-empty", {"n": Count(empty)}))
    if left_out:
        said.append(Message("doubt-model-alone", {"n": Count(len(left_out)), "rows": said_rows(n_left_out)}))
    if looks.n_undecided:
        said.append(Message("doubt-model-open", {"rows": said_rows(looks.n_undecided)}))
    if looks.n_unknown:
        said.append(Message("doubt-model-unknown", {"rows": said_rows(looks.n_unknown)}))
    return tuple(map(say, (*said, *looks.say_uncounted())))


def _misfit(checks: ThresholdChecks) -> Message:
    """Say what the model expects otherwise than it is."""
    if not checks.group_rates_within:
        return Message("doubt-model-misfit-group")
    share, what = min((checks.search_rates_within, "looks"), (checks.hit_rates_within, "finds"))
    return Message("doubt-model-misfit", {"share": Share(share, 1), "what": Word(what)})
