"""Controlled fairness: whether like cases are treated alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Final

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases, as_weighted, count_warnings, weight_warnings
from fairaudit.data.given import SaidCounts, SaidLabels, documented
from fairaudit.data.roles import Outcome, make_outcome
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import GroupError, InputError, in_brief, quote
from fairaudit.findings import REST
from fairaudit.measure import clusters, weighted
from fairaudit.measure.bands import Part, counted
from fairaudit.measure.comparison import check_settings, compare_counts, rows
from fairaudit.measure.not_known import find_not_known, refuse_open
from fairaudit.measure.results import Comparison, ControlledFairness
from fairaudit.measure.weighted import SUMS, Drawn, drawn_by

# One query, one small table: good outcomes and rows, by group and stratum.

TALLY = ["n", "positives", "undecided"]


@dataclass(frozen=True)
class AskedQuestion:
    """What is asked of which table: the good outcome and the population, checked against the columns.

    Parameters
    ----------
    table : Table
        The data.
    outcome : Outcome
        The decision column and the condition of the good outcome.
    where : Condition, optional
        The filter.
    drawn : Drawn, optional
        How the sample was drawn, where rows have weights.
    """

    table: Table
    outcome: Outcome
    where: Condition | None
    drawn: Drawn | None = None

    @classmethod
    def read(
        cls,
        table: object,
        *,
        decision: str,
        favorable: object,
        where: Condition | str | None,
        may_lack: bool = False,
    ) -> AskedQuestion:
        """Check a question against a table, whose rows must have no weights and `may_lack` the good outcome."""
        table = as_cases(table, decision=decision)
        return cls(table, make_outcome(table, decision, favorable, may_lack=may_lack), table.condition(where))

    @classmethod
    def read_weighted(
        cls, table: Table, *, decision: str, favorable: object, where: Condition | str | None, cluster: str | None
    ) -> AskedQuestion:
        """Check a question against a table of :func:`as_weighted`, whose rows may have weights."""
        table = weighted.asked_design(table, cluster)
        drawn = Drawn.of(table)
        return cls(table, make_outcome(table, decision, favorable), table.condition(where), drawn)

    def clustered_by(self, cluster: str | None) -> list[str]:
        """Return the last keys of a tally that allows for clusters; with weights, these are a part of the design."""
        return [] if cluster is None or self.drawn is not None else [self.table.column(cluster).name]

    @property
    def drawn_by(self) -> list[str]:
        """The columns of a tally that say from where rows were drawn."""
        return [] if self.drawn is None else self.drawn.keys

    def tally(self, by: Sequence[Part], *, may_lack: bool = False) -> pd.DataFrame:
        """Count rows, good outcomes and missing decisions with one query; all decisions `may_lack`.

        Columns: 0, 1, ...; where rows have weights, those of the sample and :data:`SUMS` of the rows with a decision.
        """
        named: dict[str, Part] = {str(i): part for i, part in enumerate(by)}
        count = self.table.counts
        if self.table.design is not None:
            named |= drawn_by(self.table.design)
            count = self.table.weighted_counts
        counts = counted(partial(count, where=self.where), named | {"good": self.outcome.condition})
        rows = counts["n"].astype("int64")
        if not rows.sum():
            raise no_rows(self.table, self.where)
        known = counts["good"].notna()
        tally = counts[list(named)].assign(
            n=rows.where(known, 0),
            positives=rows.where(counts["good"].fillna(False).astype(bool), 0),
            undecided=rows.where(~known, 0),
        )
        if self.table.design is not None:
            good = counts["good"].fillna(False).astype(bool)
            sums = {
                "w": ("w", known),
                "wy": ("w", good),
                "w2": ("w2", known),
                "w2y": ("w2", good),
                "w2yy": ("w2", good),
            }
            tally = tally.assign(**{name: counts[of].where(mask, 0.0) for name, (of, mask) in sums.items()})
        tally = tally.rename(columns={str(i): i for i in range(len(by))})
        if not (may_lack or tally["n"].sum()):
            raise GroupError(
                f"Column {quote(self.outcome.column)} has no decision in any of the {int(rows.sum()):,} rows.",
                uncounted=f"Column {quote(self.outcome.column)} has no decision in any row looked at.",
                hint="Choose another decision column or a wider filter.",
            )
        return sum_by(tally, [*range(len(by)), *self.drawn_by])


def sum_by(tally: pd.DataFrame, by: Sequence[object]) -> pd.DataFrame:
    """Add a tally up over fewer columns, in the order of first occurrence; missing values are kept."""
    figures = [name for name in (*TALLY, *SUMS) if name in tally]
    return tally.groupby(list(by), dropna=False, sort=False)[figures].sum().reset_index()


def no_rows(table: Table, where: Condition | None) -> GroupError:
    """Return the error for a question that no row is left for."""
    kept = uncounted = "The table has no rows."
    if where is not None:
        kept = f"The filter {quote(where)} keeps 0 of {table.n_rows:,} rows."
        uncounted = f"The filter {quote(where)} keeps no row."
    return GroupError(kept, uncounted=uncounted, hint="Choose a wider filter or another table.")


def column_list(columns: object, name: str, table: Table) -> tuple[str, ...]:
    """Check a choice of columns."""
    if not isinstance(columns, Iterable):
        raise InputError(f"{name!r} must name columns, got {columns!r}.")
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    if not names:
        raise InputError(f"{name!r} must name at least one column, got none.")
    if len(set(names)) < len(names):
        raise InputError(f"{name!r} must not name a column twice, got {', '.join(map(quote, names))}.")
    for column in names:
        table.column(column)
    return names


@documented()
def check_controlled_fairness(
    table: object,
    *,
    decision: str,
    favorable: object,
    protected: Condition | str,
    where: Condition | str | None = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    cluster: str | None = None,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> ControlledFairness:
    """Compare the share of good outcomes of a protected group with that of the rest of a filtered population.

    Among the rows that meet `where`: ``share(protected) - share(not protected)``, fair when it is within the
    tolerance. Where the groups differ in something that may justify a gap, control for it with `where` or use
    :func:`fairaudit.check_strata`; for a column with many values use :func:`fairaudit.measure.check_groups`.

    Parameters
    ----------
    cluster : str, optional
        A column whose values hold rows that depend on each other, such as the officer or school that decided them:
        intervals, test and verdict then allow for that. Rows without a value are one cluster together.
    weights : str, optional
        The column of sampling weights, where rows are a sample of a survey; without it those that the table was read
        with. Shares are then those of the people that the sample speaks for; ``n`` is always the number of rows.
    design_strata, design_clusters : str, optional
        The columns of the strata that the sample was drawn from, and of what was drawn first; the latter is `cluster`
        by another name.

    Returns
    -------
    ControlledFairness
        Both groups, the gap and its interval, the point answer and the verdict.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit.
    GroupError
        If no row meets the filter, or a group has no row with a decision.

    Notes
    -----
    One GROUP BY over the data, after each favorable value was looked up; everything else comes from at most nine
    counts, or nine a cluster. See :func:`fairaudit.measure.compare_counts` for the intervals and tests. With `cluster`,
    variances are those of the jackknife and quantiles those of t, with one degree of freedom less than the clusters of
    the group that is in fewer of them; with fewer than twenty the intervals may be too narrow, which a warning says.
    With `weights`, variances are linearised, and units outside of a group count as zeros in their stratum.

    References
    ----------
    Luskin, "controlled fairness", section 3: condN is `where`, condP is `protected`. Dean and Pagano (2015) on
    intervals of shares in clusters.

    Examples
    --------
    >>> import pandas as pd
    >>> data = pd.DataFrame({"sex": ["F", "F", "M", "M", None], "loan": ["yes", "no", "yes", "yes", "no"]})
    >>> result = check_controlled_fairness(data, decision="loan", favorable="yes", protected="sex = 'F'")
    >>> result.difference, result.protected.n, result.reference.n, result.unknown
    (-0.5, 2, 2, 1)
    """
    check_settings(tolerance, confidence)
    table = as_weighted(
        table,
        decision=decision,
        weights=weights,
        design_strata=design_strata,
        design_clusters=design_clusters,
        counts=counts,
        labels=labels,
    )
    question = AskedQuestion.read_weighted(table, decision=decision, favorable=favorable, where=where, cluster=cluster)
    condition = protected_condition(question.table, protected)
    by: list[Part] = [condition, *question.clustered_by(cluster)]
    return controlled_from_tally(question.tally(by), question, condition, tolerance, confidence, cluster)


def controlled_from_tally(
    tally: pd.DataFrame,
    question: AskedQuestion,
    protected: Condition,
    tolerance: float,
    confidence: float,
    cluster: str | None = None,
) -> ControlledFairness:
    """Answer a question from its counts by group, which are in column 0, and by `cluster`, which is the last key."""
    inside, outside, neither = split(tally)
    found = controlled_from_counts(
        inside,
        outside,
        unknown=neither["n"] + neither["undecided"],
        n_rows=question.table.n_rows,
        protected=protected.in_words(),
        protected_condition=str(protected),
        decision=question.outcome.column,
        favorable=str(question.outcome.condition),
        where=None if question.where is None else str(question.where),
        tolerance=tolerance,
        confidence=confidence,
    )
    sizes = (found.protected.n, found.reference.n)
    named = refuse_open(
        find_not_known(question.table, question.outcome, where=question.where, protected=protected, sizes=sizes)
    )
    doubts = (*weight_warnings(question.table), *count_warnings(question.table))
    found = replace(found, not_known=named, warnings=(*found.warnings, *doubts))
    if question.drawn is not None:
        return _weighted(found, tally, question.drawn)
    if cluster is None:
        return found
    cells, _ = clusters.by_cluster(tally, last_key(tally), *sides(tally))
    found = clusters.allowing_for_clusters(found, cells)
    warned = (*found.warnings, *clusters.warnings(cells, cluster))
    return replace(found, cluster=cluster, n_clusters=len(cells), warnings=warned)


def _weighted(found: ControlledFairness, tally: pd.DataFrame, drawn: Drawn) -> ControlledFairness:
    """Return an answer that is one on the people that a sample speaks for."""
    masks, design = sides(tally), drawn.design
    sampled = weighted.sampled_shares(tally, *masks, drawn)
    compared = weighted.with_weights(found, sampled)
    warned = (*found.warnings, *weighted.warnings(sampled, design))
    n_clusters = None
    if design.clusters is not None:
        both = (masks[0] | masks[1]).to_numpy(dtype=bool)
        n_clusters, _ = weighted.units_and_strata(tally, both, drawn)
    return replace(compared, design=design, cluster=design.clusters, n_clusters=n_clusters, warnings=warned)


def check_others(protected: str, n_protected: int, n_rows: int) -> None:
    """Refuse a protected group, in words, that is all of the rows looked at."""
    if n_protected == n_rows:
        raise GroupError(
            f"In all {rows(n_rows)} looked at, {in_brief(protected)}: there is nobody to compare with.",
            uncounted=f"In all rows looked at, {in_brief(protected)}: there is nobody to compare with.",
            hint="Choose another group, or a wider filter.",
        )


def check_both(protected: str | Condition, sizes: Sequence[tuple[int, int]], unknown: int, what: str) -> None:
    """Refuse two groups, the protected one first, of which one has no row with what is compared.

    `sizes` are rows with it and without, `unknown` those of neither group.
    """
    (n_protected, _), (n_reference, _) = sizes
    population = rows(unknown + sum(map(sum, sizes)))
    for is_protected, (n, without) in zip((True, False), sizes, strict=True):
        if n == 0:
            raise lacking(
                protected if is_protected else None,
                f"0 rows with {what} ({without:,} without) among {population}: "
                f"protected {n_protected:,}, everyone else {n_reference:,}, unknown {unknown:,}",
                f"no row with {what} among the rows looked at",
            )


def lacking(protected: str | Condition | None, has: str, uncounted: str) -> GroupError:
    """Return the error that the protected group, or all others where that is None, has too little."""
    group = "Everyone else" if protected is None else f"The protected group ({in_brief(protected)})"
    return GroupError(
        f"{group} has {has}.",
        uncounted=f"{group} has {uncounted}.",
        hint="Check how the values are spelled in the condition, or choose a wider filter.",
    )


def controlled_from_counts(
    inside: Mapping[str, int],
    outside: Mapping[str, int],
    *,
    unknown: int,
    n_rows: int,
    protected: str,
    protected_condition: str,
    decision: str,
    favorable: str,
    where: str | None,
    tolerance: float,
    confidence: float,
) -> ControlledFairness:
    """Answer a question from the counts of both groups."""
    population = unknown + sum(group["n"] + group["undecided"] for group in (inside, outside))
    check_others(protected, inside["n"] + inside["undecided"], population)
    sizes = [(int(group["n"]), int(group["undecided"])) for group in (inside, outside)]
    check_both(protected_condition, sizes, unknown, "a decision")
    comparison = compare_counts(
        inside["positives"],
        inside["n"],
        outside["positives"],
        outside["n"],
        names=(protected, REST),
        undecided=(inside["undecided"], outside["undecided"]),
        tolerance=tolerance,
        confidence=confidence,
    )
    parts = {field.name: getattr(comparison, field.name) for field in fields(Comparison)}
    return ControlledFairness(
        **parts,
        decision=decision,
        favorable=favorable,
        protected_condition=protected_condition,
        where=where,
        n_population=population,
        n_filtered_out=n_rows - population,
        unknown=unknown,
        undecided=inside["undecided"] + outside["undecided"],
    )


def protected_condition(table: Table, protected: Condition | str) -> Condition:
    """Check who is protected against the table."""
    condition = table.condition(protected)
    if condition is None:
        raise InputError("'protected' must be a condition, got an empty one.", hint="Write one such as: sex = 'F'.")
    check_weighty(table, {"protected": condition}, lambda keys: [_SIDES[bool(inside)] for inside in keys["protected"]])
    return condition


_SIDES: Final = {True: "the protected group", False: "everyone else"}


def check_weighty(
    table: Table,
    by: Mapping[str, str | Condition],
    named: Callable[[pd.DataFrame], Sequence[str]],
    where: Condition | None = None,
) -> None:
    """Refuse a group, by columns and conditions, of which no row has a weight above 0."""
    whole, design = table.without_design, table.design
    if design is None or whole.n_rows == table.n_rows:
        return
    keys = list(by)
    before, after = (each.counts(by, where=where).dropna(subset=keys) for each in (whole, table))
    lost = before[before.merge(after, on=keys, how="left")["n_y"].isna().to_numpy()]
    if len(lost):
        name, rule = named(lost[keys])[0], f"have no weight above 0 in column {quote(design.weights)}"
        raise GroupError(
            f"All {int(lost['n'].iloc[0]):,} rows of {name} {rule}.",
            uncounted=f"All rows of {name} {rule}.",
            hint="Choose another group, other weights, or a filter that leaves these rows out.",
        )


def split(tally: pd.DataFrame) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Add up the rows inside, outside and in neither group."""
    masks = (*sides(tally), tally[0].isna())
    inside, outside, neither = ({c: int(tally.loc[mask, c].sum()) for c in TALLY} for mask in masks)
    return inside, outside, neither


def sides(tally: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return which rows of a tally are inside the group of column 0, and which are outside."""
    protected = tally[0]
    return protected.fillna(False).astype(bool), (~protected.fillna(True)).astype(bool)


def last_key(tally: pd.DataFrame) -> int:
    """Return the last of the columns that a tally is made by."""
    return max(column for column in tally if isinstance(column, int))
