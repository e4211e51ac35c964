"""The door: who is worst hit, found on some rows and judged on others."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.code_columns import holds_codes, refuse_open_codes
from fairaudit.data.engine import quoted
from fairaudit.data.given import SaidCounts, SaidLabels, as_table, documented
from fairaudit.data.roles import AskedOf, Outcome, make_outcome
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_POSITIVE, Positive
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.estimators.leakage import columns_that_reveal, columns_without_use
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started, result_of
from fairaudit.measure.comparison import check_settings, check_whole, is_number, rows
from fairaudit.measure.errors_by_group import check_positive
from fairaudit.measure.means import finite_moments
from fairaudit.measure.not_known import NotKnown, find_not_known, refuse_open
from fairaudit.measure.vocabulary import read_word
from fairaudit.subgroups.bounds import bounded
from fairaudit.subgroups.cells import MOST_VALUES, Cells, ColumnLevels, check_measure, cut_into_levels, read_cells
from fairaudit.subgroups.chance import Chance, shuffled
from fairaudit.subgroups.judging import chosen, judged
from fairaudit.subgroups.kinds import Direction, Measure, Ranking
from fairaudit.subgroups.results import LeftOut, RankingFound, SubgroupSearch
from fairaudit.subgroups.search import RANKINGS, Population, SampledPopulation, SubgroupSearchEnd, search
from fairaudit.work import Budget

# What is asked for, checked against the table: settings, outcome, and the columns that can be used.

MOST_CONDITIONS: Final = 4
"""A subgroup of more conditions is hard to picture, and tables of their levels are large."""

LEAST_FRACTION: Final = 0.1
"""The least share of the rows that searches, or judges."""

REVEALING_ROWS: Final = 20_000
"""Rows that near-copies of the decision are looked for in."""


@dataclass(frozen=True)
class Asking:
    """A search that can begin. The fields are the arguments of :func:`fairaudit.find_subgroups`.

    Parameters
    ----------
    outcome : dict of str to str or Condition
        What the table is counted by besides the columns: ``good`` or ``amount``, and ``predicted``.
    asked : AskedOf
        What the search is about, for its sentences.
    not_known : tuple of NotKnown
        Values of the decision, the prediction and the protected columns that say that something is not known.
    named : tuple of str
        The columns that subgroups may name.
    not_proposed : dict of str to str
        Columns that they may not, unless the person names them, and why.
    """

    table: Table
    outcome: dict[str, str | Condition]
    named: tuple[str, ...]
    not_proposed: Mapping[str, str]
    protected: tuple[str, ...]
    measure: Measure
    max_conditions: int
    min_rows: int
    direction: Direction
    search_fraction: float
    confidence: float
    time_limit: float
    random_state: int
    where: Condition | None
    bound_rows: int
    values_joined: int
    decision: str
    positive: Positive
    not_known: tuple[NotKnown, ...]
    asked: AskedOf


def read_asking(
    table: Table,
    *,
    decision: str,
    favorable: object = None,
    columns: Sequence[str] | None = None,
    protected: Sequence[str] | None = None,
    prediction: Condition | str | None = None,
    measure: Measure = "selection",
    max_conditions: int = 3,
    min_rows: int = 50,
    direction: Direction = "both",
    search_fraction: float = 0.5,
    confidence: float = USUAL_CONFIDENCE,
    time_limit: float = 60,
    random_state: int = 0,
    bound_rows: int = 200,
    where: Condition | str | None = None,
    values_joined: int = 2,
    positive: Positive = USUAL_POSITIVE,
    not_proposed: Mapping[str, str] | None = None,
) -> Asking:
    """Check what is asked against a table; without `columns`, those that are `not_proposed` are left out, too."""
    predicted = table.condition(prediction)
    has_good_outcome = favorable is not None
    measure = read_word(measure, get_args(Measure))
    check_measure(measure, has_prediction=predicted is not None, has_good_outcome=has_good_outcome)
    check_settings(0, confidence)
    check_positive(positive)
    check_whole("max_conditions", max_conditions, 1, MOST_CONDITIONS)
    check_whole("min_rows", min_rows, 1)
    check_whole("bound_rows", bound_rows, 2)
    check_whole("random_state", random_state, 0)
    check_whole("values_joined", values_joined, 1)
    if direction not in get_args(Direction):
        raise InputError(f"'direction' must be one of {', '.join(map(repr, get_args(Direction)))}, got {direction!r}.")
    most = 1 - LEAST_FRACTION
    if not is_number(search_fraction) or not (LEAST_FRACTION <= search_fraction <= most or search_fraction == 1):
        raise InputError(
            f"'search_fraction' must be a number from {LEAST_FRACTION} to {most}, or 1, got {search_fraction!r}.",
            hint="With 0.5, one half of the rows searches and the other half judges.",
        )
    if time_limit != math.inf and not (is_number(time_limit) and time_limit > 0):
        raise InputError(f"'time_limit' must be a number above 0, got {time_limit!r}.")
    outcome: dict[str, str | Condition] = {}
    judged: Outcome | str = decision
    if measure == "mean":
        if (kind := table.column(decision).kind) != "number":
            raise InputError(
                f"Column {quote(decision)} must hold numbers, got {kind} values.", hint="Choose a column of amounts."
            )
        outcome["amount"] = decision
    else:
        judged = make_outcome(table, decision, favorable)
        outcome["good"] = judged.condition
    if predicted is not None and measure != "selection" and measure != "mean":
        outcome["predicted"] = predicted
        if positive != USUAL_POSITIVE:
            # As on the page Errors: what is counted as good is then the other outcome.
            outcome = {key: ~part for key, part in outcome.items() if isinstance(part, Condition)}
    outcomes = {decision, *(() if predicted is None else predicted.columns)}
    wanted = _names("protected", protected)
    # How a sample was drawn makes no group of people, unless somebody asks.
    unasked = outcomes | set(() if table.design is None else table.design.columns)
    chosen = [name for name in table.columns if name not in unasked] if columns is None else _names("columns", columns)
    for name in (*chosen, *wanted):
        table.column(name)
        if name in outcomes:
            raise InputError(
                f"Column {quote(name)} is the {'decision' if name == decision else 'prediction'}, so that no subgroup "
                "may name it.",
                hint="Leave it out of the columns.",
            )
    within = table.condition(where)
    without = {} if columns is not None else {**(not_proposed or {}), **columns_without_use(table)}
    return Asking(
        table=table,
        outcome=outcome,
        not_proposed={name: why for name, why in without.items() if name not in wanted},
        named=tuple(dict.fromkeys((*chosen, *wanted))),
        protected=tuple(wanted),
        measure=measure,
        max_conditions=max_conditions,
        min_rows=min_rows,
        direction=direction,
        search_fraction=search_fraction,
        confidence=confidence,
        time_limit=time_limit,
        random_state=random_state,
        where=within,
        bound_rows=bound_rows,
        values_joined=values_joined,
        decision=decision,
        positive=positive,
        asked=AskedOf(decision, judged if isinstance(judged, Outcome) else None, tuple(wanted), predicted),
        not_known=refuse_open(
            find_not_known(
                table,
                judged,
                where=within,
                columns=wanted,
                used=[name for name in chosen if name not in without],
                prediction=predicted if "predicted" in outcome else None,
            )
        ),
    )


def usable_columns(asking: Asking) -> tuple[tuple[ColumnLevels, ...], tuple[LeftOut, ...]]:
    """Cut the columns into levels; say which cannot be used, and why."""
    outcomes = _yes_or_no(asking)
    columns, left_out = [], []
    for name in asking.named:
        found: ColumnLevels | str | None = asking.not_proposed.get(name)
        if found is None:
            values = asking.table.values(name, where=asking.where, limit=MOST_VALUES + 1)
            found = _reveals(asking, name, outcomes, many=len(values) > MOST_VALUES) or cut_into_levels(
                asking.table,
                name,
                values,
                where=asking.where,
                min_rows=asking.min_rows,
                joined=asking.values_joined,
            )
        if isinstance(found, str):
            left_out.append(LeftOut(name, found))
        else:
            columns.append(found)
    names = {levels.name for levels in columns}
    refuse_open_codes(
        asking.table, (name for name in asking.named if name in names and not holds_codes(asking.table.column(name)))
    )
    if not columns or (asking.protected and names.isdisjoint(asking.protected)):
        reasons = "; ".join(f"{quote(each.column)}: {each.reason}" for each in left_out) or "none was named"
        raise InputError(
            f"No {'protected ' if columns else ''}column is left to search ({reasons}).",
            hint="Choose columns with few values, or numbers.",
        )
    return tuple(columns), tuple(left_out)


def check_cells(cells: Cells, asking: Asking) -> None:
    """Refuse rows in which nothing can be compared."""
    if not cells.n_rows:
        raise _no_row(asking)
    if len(np.unique(cells.value)) < 2:
        raise GroupError(
            f"All {rows(cells.n_rows)} have the same outcome for the measure {asking.measure!r}: no subgroup differs.",
            uncounted="All rows have the same outcome, so no subgroup differs.",
            hint="Choose another favourable result, measure or filter.",
        )


def population_of(cells: Cells, asking: Asking) -> Population:
    """Return what subgroups of the rows that are searched are compared with."""
    mass = cells.mass
    n, total = math.fsum(mass.tolist()), math.fsum(cells.total.tolist())
    squares = math.fsum((mass * (cells.value - total / n) ** 2).tolist())
    if not squares:
        raise GroupError(
            f"The {rows(cells.n_rows)} that are searched have the same outcome.",
            uncounted="The rows that are searched have the same outcome.",
            hint="Choose a larger 'search_fraction' or another measure.",
        )
    least = max(1, math.ceil(asking.min_rows * asking.search_fraction))
    drawn = cells.sampled
    sampled = None if drawn is None else SampledPopulation(cells.n_rows, float(drawn.weight.min()))
    return Population(n, total, math.sqrt(squares / n), asking.measure != "mean", least, sampled)


def _no_row(asking: Asking) -> GroupError:
    return GroupError(
        f"None of {rows(asking.table.n_rows)} can be used for the measure {asking.measure!r}.",
        uncounted="No row can be used for the measure.",
        hint="Choose a wider filter, another measure or another decision.",
    )


def _yes_or_no(asking: Asking) -> dict[str, Condition]:
    """Return decision and prediction as conditions; an amount is above its median or not."""
    conditions = {key: part for key, part in asking.outcome.items() if isinstance(part, Condition)}
    if conditions:
        return conditions
    [row] = finite_moments(asking.table, asking.decision, {}, asking.where).to_dict("records")
    if not row["n"]:
        raise _no_row(asking)
    text = f"{quoted(asking.decision)} > {float(row['median'])!r}"
    return {"good": Condition.parse(text, asking.table.columns)}


def _reveals(asking: Asking, name: str, outcomes: dict[str, Condition], *, many: bool) -> str | None:
    """Say whether a column alone gives the decision or its prediction away; of `many` values, the first rows do."""
    for key, condition in outcomes.items():
        if many:
            head = asking.table.head(REVEALING_ROWS, asking.where)
            sample = pd.DataFrame({"column": head[name], "outcome": condition.truth(head)}).dropna(subset="outcome")
        else:
            counted = asking.table.counts({"column": name, "outcome": condition}, where=asking.where)
            counted = counted[counted["outcome"].notna()]
            # In proportion: what a column gives away in all rows, it gives away in these.
            n = counted["n"].to_numpy(dtype=float)
            n = np.ceil(n * min(1.0, REVEALING_ROWS / max(n.sum(), 1.0))).astype(np.int64)
            sample = counted.loc[counted.index.repeat(n), ["column", "outcome"]].reset_index(drop=True)
        if columns_that_reveal(sample[["column"]], sample["outcome"].astype(int)):
            return f"it alone nearly gives the {'prediction' if key == 'predicted' else 'decision'} away"
    return None


def _names(argument: str, names: Sequence[str] | None) -> list[str]:
    given = [] if names is None else [names] if isinstance(names, str) else list(names)
    if names is not None and not given:
        raise InputError(f"{argument!r} must name at least one column, got none.")
    return given


PART: Final = 100
"""Steps that the progress of each part is counted in: reading, searching, shuffling, bounding."""

TOTAL: Final = 4 * PART
"""All steps."""


@documented()
def find_subgroups(
    table: object,
    *,
    decision: str,
    favorable: object = None,
    columns: Sequence[str] | None = None,
    protected: Sequence[str] | None = None,
    prediction: Condition | str | None = None,
    measure: Measure = "selection",
    max_conditions: int = 3,
    min_rows: int = 50,
    direction: Direction = "both",
    search_fraction: float = 0.5,
    confidence: float = USUAL_CONFIDENCE,
    time_limit: float = 60,
    random_state: int = 0,
    bound_rows: int = 200,
    where: Condition | str | None = None,
    values_joined: int = 2,
    positive: Positive = USUAL_POSITIVE,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> SubgroupSearch:
    """Find the subgroups that are worst hit, and judge them on rows that the search never saw.

    A subgroup is a conjunction of conditions, at most one on each column: values, few values together, numbers above or
    below a cut. Each is compared with everybody else: ``gap = rate(subgroup) - rate(rest)``. Where the group is
    known beforehand, use :func:`fairaudit.check_controlled_fairness`: it needs no correction for having looked around.

    Parameters
    ----------
    decision : str
        The decision column; with a prediction, what truly happened.
    favorable : value, list of values or Condition, optional
        What counts as the good outcome in it. None for ``measure="mean"``.
    columns : sequence of str, optional
        The columns that subgroups may name; without it, all but the decision, the prediction and what names the rows.
    protected : sequence of str, optional
        Columns of which each subgroup names at least one; they are added to `columns`.
    prediction : Condition or str, optional
        When a good outcome is predicted, such as ``score >= 5``.
    measure : {"selection", "fpr", "fnr", "fdr", ``"for_"``, "accuracy", "mean"}
        What is compared: the share of good outcomes; with a prediction, its error rates and accuracy; or the mean of a
        decision that is an amount.
    max_conditions : int
        The most conditions of a subgroup, from 1 to 4.
    min_rows : int
        The fewest rows of a subgroup that the measure looks at, in both parts together.
    direction : {"both", "lower", "higher"}
        Whether subgroups with less than the rest, with more, or both are looked for.
    search_fraction : float
        The share of the rows that is searched, from 0.1 to 0.9; the others judge. With 1, all rows are searched, and
        nothing is judged.
    time_limit : float
        Work of the search, in seconds of a usual machine.
    random_state : int
        The seed that divides the rows and shuffles outcomes.
    bound_rows : int
        The fewest rows of the groups whose gaps are bounded all together (``.bounds``), 2 or more, counted in all rows.
    values_joined : int
        The most values of a column of texts with few values that one condition names.
    positive : {"favorable", "unfavorable"}
        Which outcome error rates call positive: with "unfavorable", "fpr" is the share of wrongly flagged people.
    weights, design_strata, design_clusters : str, optional
        The columns of the sampling weights, the strata and the first clusters of a survey: all shares and means are
        then weighted, whole clusters are searched or judge, and intervals allow for how rows were drawn.

    Returns
    -------
    SubgroupSearch
        The subgroups with their figures on both parts, how many were considered, what chance would show, and whether
        the search was proven to have missed none.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit, or no column is left to search.
    GroupError
        If no row can be used, all have the same outcome, or no subgroup is large enough.

    Notes
    -----
    One GROUP BY over the data, in the engine that holds them: of a connected table, too, all rows are counted, and
    nothing is drawn by a sample. Then O(c s) for c distinct combinations of levels and s sets of columns, and the same
    for each of 200 shuffles. Texts are asked for by their 20 most frequent values, numbers and dates are cut into eight
    parts of about equal size. Three rankings are searched: people affected, ``n (rate - rate of all) / N``; the gap,
    among subgroups of at least 1 % of the rows; and the gap in standard errors. The division of the rows, not the
    shuffles, decides what stands out. The searching rows say which way each gap goes and which is the clearest: on the
    other rows each is tested in that direction, of shares by Fisher's exact test, of means by the larger p-value of
    Welch's test and of amounts dealt out at random, by Holm's method with weights 1/2, 1/4, 1/8, ... in that order.
    ``.bounds`` says of all rows what no group of `bound_rows` or more exceeds: the largest of the one-sided bounds of
    all of them, which needs no correction, as only that of the true worst group must hold. It is None with weights, and
    where `time_limit` does not let all groups be counted.
    With sampling weights these are t of the linearised difference and, of shares, where Newcombe's interval with
    effective rows first holds no 0; columns are cut, and `min_rows` is asked for, by rows without their weights.

    References
    ----------
    Wrobel (1997) and Atzmueller (2015) on subgroup discovery, its rankings and optimistic bounds; Holm (1979),
    also with weights; Newcombe (1998), method 10, for the intervals; Berger (1982) on intersection-union tests.

    Examples
    --------
    >>> import pandas as pd
    >>> data = pd.DataFrame({"sex": ["F", "M"] * 400, "area": ["a", "a", "b", "b"] * 200})
    >>> data["loan"] = [int(i % 10 < (2 if i % 4 == 0 else 6)) for i in range(800)]
    >>> found = find_subgroups(data, decision="loan", favorable=1, columns=["sex", "area"])
    >>> found.subgroups[0].condition, found.subgroups[0].stands_out, found.proven
    ("sex = 'F' AND area = 'a'", True, True)
    """
    events = iter_subgroups(
        as_table(table, counts=counts, labels=labels),
        decision=decision,
        favorable=favorable,
        columns=columns,
        protected=protected,
        prediction=prediction,
        measure=measure,
        max_conditions=max_conditions,
        min_rows=min_rows,
        direction=direction,
        search_fraction=search_fraction,
        bound_rows=bound_rows,
        confidence=confidence,
        time_limit=time_limit,
        random_state=random_state,
        where=where,
        values_joined=values_joined,
        positive=positive,
        weights=weights,
        design_strata=design_strata,
        design_clusters=design_clusters,
    )
    return result_of(events)


def iter_subgroups(
    table: object,
    *,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    **asked: Any,
) -> Generator[Event, Command | None, None]:
    """Do the work of :func:`find_subgroups`, yielding events; `STOP` ends the search with the best so far."""
    weighted = as_weighted(
        table,
        decision=asked.get("decision"),
        weights=weights,
        design_strata=design_strata,
        design_clusters=design_clusters,
    )
    asking = read_asking(weighted, **asked)
    stopped = (yield Started("Searching subgroups", TOTAL)) is STOP
    stopped |= (yield Progress("Reading the columns", 0, TOTAL)) is STOP
    columns, left_out = usable_columns(asking)
    cells = read_cells(asking.table, columns, asking.outcome, asking.measure, asking.where)
    check_cells(cells, asking)
    yield from iter_cells(asking, columns, left_out, cells, stopped=stopped)


def iter_cells(
    asking: Asking, columns: Sequence[ColumnLevels], left_out: Sequence[LeftOut], cells: Cells, *, stopped: bool = False
) -> Generator[Event, Command | None, None]:
    """Do the same once the rows are counted by their levels."""
    places = {levels.name: place for place, levels in enumerate(columns)}
    rng = np.random.default_rng(asking.random_state)
    searched, held_out = (cells, None) if asking.search_fraction == 1 else cells.split(asking.search_fraction, rng)
    counted, unit = searched.in_whole_numbers()
    population = population_of(counted, asking)
    protected = frozenset(places[name] for name in asking.protected if name in places) or None
    looking = search(
        counted,
        columns,
        population,
        protected=protected,
        max_conditions=asking.max_conditions,
        direction=asking.direction,
        budget=Budget(asking.time_limit),
    )
    found, stopped = yield from _part(looking, 1, stopped)
    if not found.n_considered:
        raise GroupError(
            f"No subgroup of these columns has {rows(asking.min_rows)} among {rows(cells.n_rows)}.",
            uncounted="No subgroup of these columns is large enough.",
            hint="Lower 'min_rows', or choose other columns.",
        )
    shuffling = shuffled(counted, columns, population, found.sets, asking.direction, rng)
    chance, stopped = yield from _part(shuffling, 2, stopped)
    bounds = None
    if cells.sampled is None:
        bounding = bounded(
            cells,
            columns,
            protected=protected,
            max_conditions=asking.max_conditions,
            min_rows=asking.bound_rows,
            confidence=asking.confidence,
            budget=Budget(asking.time_limit),
        )
        bounds, _ = yield from _part(bounding, 3, stopped)
    shown = chosen(counted, columns, population, found, chance)
    yield Finished(
        SubgroupSearch(
            subgroups=judged(
                shown, columns, searched, held_out, shares=population.shares, confidence=asking.confidence
            ),
            measure=asking.measure,
            direction=asking.direction,
            columns=tuple(places),
            protected=tuple(name for name in places if name in asking.protected),
            left_out=tuple(left_out),
            where=None if asking.where is None else str(asking.where),
            max_conditions=asking.max_conditions,
            min_rows=asking.min_rows,
            confidence=asking.confidence,
            n_rows=cells.n_rows,
            n_searched=searched.n_rows,
            n_judged=0 if held_out is None else held_out.n_rows,
            rate=math.fsum(cells.total.tolist()) / math.fsum(cells.mass.tolist()),
            deviation=population.deviation * unit,
            n_considered=found.n_considered,
            n_shuffles=chance.n_shuffles,
            n_shuffled_rows=chance.n_rows,
            positive=asking.positive,
            not_known=asking.not_known,
            design=asking.table.design,
            asked=asking.asked,
            bounds=bounds,
            rankings=tuple(_ranking(name, found, chance, 1.0 if name == "evidence" else unit) for name in RANKINGS),
        )
    )


def _part(
    events: Generator[Progress, Command | None, Any], number: int, stopped: bool
) -> Generator[Event, Command | None, tuple[Any, bool]]:
    """Pass on the progress of one part of the work; return its result, and whether it was stopped."""
    command = None
    while True:
        try:
            event = events.send(command)
        except StopIteration as end:
            return end.value, stopped
        done = PART * number + PART * event.done // max(event.total, 1)
        stopped = stopped or (yield Progress(event.what, done, TOTAL)) is STOP
        command = STOP if stopped else None


def _ranking(name: Ranking, found: SubgroupSearchEnd, chance: Chance, unit: float) -> RankingFound:
    best = found.best[name][0].score if found.best[name] else 0.0
    shuffles = chance.best[name]
    middle, high = np.quantile(shuffles, [0.5, 0.95]) if len(shuffles) else (math.nan, math.nan)
    return RankingFound(
        ranking=name,
        best=best * unit,
        bound=found.bounds[name] * unit,
        proven=bool(found.bounds[name] <= best),
        chance=float(middle) * unit,
        chance_high=float(high) * unit,
        beaten_by_chance=float((shuffles >= best).mean()) if len(shuffles) else math.nan,
    )
