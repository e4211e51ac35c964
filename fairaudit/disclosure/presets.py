"""The small-cell rule for the forms of rules: a rate or a ratio is shown only where the counts behind it are.

The tables of selection rates are tied to all other counts of the audit (:mod:`fairaudit.disclosure.count_equations`):
the same groups may stand in a question, with a few people more or fewer. Scoring rates count another outcome. Their
tables have a ledger of their own, and are hidden as a whole where anything else in the report is, or where another
table is about nearly the same people (:mod:`fairaudit.disclosure.overlapping_tables`). A table of means is hidden so
too, also where few people stand behind one of its means (:mod:`fairaudit.disclosure.means_of_few`), and where it is
made under another filter than the questions on amounts, or than the first form: from the sums of people who overlap in
several ways, one person's amount may follow.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from fairaudit.audit.result import AuditResult
from fairaudit.disclosure.count_equations import CROSSED, SINGLE, TOTAL, Cells, CountTies, Grid
from fairaudit.disclosure.hidden import HIDDEN, without_counts, without_figures
from fairaudit.disclosure.highest_rate import RankCheck
from fairaudit.disclosure.ledger import MAIN, hidden_counts
from fairaudit.disclosure.means_of_few import has_few
from fairaudit.disclosure.overlapping_tables import (
    TableOrSide,
    overlap_nearly,
    tables_of_means,
    tables_of_questions,
    tables_of_rates,
)
from fairaudit.measure.impact import ImpactRow
from fairaudit.presets.findings import MeansFinding, PresetFinding, RatesFinding
from fairaudit.presets.means_words import without_number
from fairaudit.presets.plan import PresetPlan

NO_RATIO = {"impact_ratio": None, "below": None, "significance": None, "one_person": None}
"""What compares a row of rates with the reference, without its values."""

RANK, FORMS_RANKED = 10, 6
"""How much more is lost with a count of a form than of the next one; see also ``count_equations.SINGLE``."""


class FormTies(CountTies):
    """The ledger of an audit with its forms, and where each of their counts stands.

    Parameters
    ----------
    result : AuditResult
        What a run found.
    minimum : int
        Counts under it are small.
    rate : str
        Which forms are in it: those of this rate.
    """

    def __init__(self, result: AuditResult, minimum: int, *, rate: str = "selection"):
        self.rate = rate
        super().__init__(result, minimum)

    def _forms(self, result: AuditResult) -> None:
        for number, finding in enumerate(result.presets):
            if finding.rate == self.rate:
                self._form(finding, ("preset", number))

    def _form(self, finding: PresetFinding, path: tuple) -> None:
        population = self._size((*path, "population"), finding.n_population, TOTAL)
        undecided = self._size((*path, "undecided"), finding.undecided)
        if finding.where is None:
            self.ledger.tie([population], [self.rows])
        else:
            left_out = self.ledger.values[self.rows] - finding.n_population
            outside = self.ledger.count(left_out, small=0 < left_out < self.minimum)
            self.ledger.tie([self.rows], [population, outside])
        if finding.where in self.everyone:
            self.ledger.tie([population], [self.everyone[finding.where].parts[-1]])
        above = _above_median(finding)
        # Where two forms reveal each other's small counts, the first one stays as whole as it can.
        first = max(0, FORMS_RANKED - path[1]) * RANK
        for position, rates in enumerate(finding.rates):
            ranks: Counter[tuple] = Counter()
            loss = (SINGLE if len(rates.roles) == 1 else CROSSED) + first
            rows = {
                tuple(value for _, value in row.values): self._ranked(
                    (*path, position, i), row.group, ranks, "own", loss
                )
                for i, row in enumerate(rates.table.rows)
            }
            total = self._unpublished(self._sum(rows.values()))
            self._add_up(total, list(rows.values()))
            n = self._size((*path, position, "n"), rates.table.n)
            unknown = self._size((*path, position, "unknown"), rates.unknown)
            self.ledger.tie([n], [total.n])
            self.ledger.tie([population], [n, unknown, undecided])
            if above is not None:
                self._known_above(total, unknown, above)
            self.grids.append(Grid(rates.table.columns, finding.where, rows))

    def _known_above(self, total: Cells, unknown: int, above: int) -> None:
        """Tie a table to the number of people above the median, which follows from the median: as many as below it."""
        outside = above - self.ledger.values[total.parts[0]]
        part = self.ledger.count(outside)
        rest = self.ledger.count(self.ledger.values[unknown] - outside)
        self.ledger.tie([unknown], [part, rest])
        self.ledger.tie([total.parts[0], part], [], above)


def _above_median(finding: PresetFinding) -> int | None:
    """Return how many people a reader takes to have a score above the median; None without one.

    Half of them, rounded down, if no score occurs twice there. Who is in no table counts, so that where scores are
    equal the number is the nearest one that the tables allow: what is hidden then is more than needed.
    """
    if finding.median is None or not finding.rates:
        return None
    sums = [(sum(row.group.positives for row in rates.table.rows), rates.unknown) for rates in finding.rates]
    least, most = max(above for above, _ in sums), min(above + unknown for above, unknown in sums)
    return max(least, min((finding.n_population - finding.undecided) // 2, most))


def masked_presets(result: AuditResult, ties: CountTies, hidden: set[int]) -> tuple[PresetFinding, ...]:
    """Return the forms of a result without what the small-cell rule hides."""
    return tuple(_Forms(result, ties, hidden).shown())


@dataclass(frozen=True)
class _Counts:
    """The ledger that masks a form: which counts are hidden, where the form stands, what its ranks may reveal."""

    ties: FormTies
    gone: set[int]
    path: tuple
    ranks: RankCheck

    def without(self) -> _Counts:
        """Return the same with every count hidden."""
        return replace(self, gone=set(range(len(self.ties.ledger.values))))


class _Forms:
    """The forms of an audit, one after the other, and what was shown before."""

    def __init__(self, result: AuditResult, ties: CountTies, hidden: set[int]):
        self.result, self.minimum = result, ties.minimum
        self.any_hidden = bool(hidden)
        self.rows_hidden = ties.rows in hidden
        self.joint = _Counts(ties, hidden, (), RankCheck(ties.ledger, hidden)) if isinstance(ties, FormTies) else None
        self.published: list[TableOrSide] = tables_of_questions(result)
        for finding in result.presets:
            if self._is_joint(finding):
                self.published += tables_of_rates(finding)
        checks = (*result.checks, *result.amounts)
        self.populations = [(check.result.where, check.result.n_population) for check in checks]
        self.filters = {check.result.where for check in result.amounts}

    def shown(self) -> list[PresetFinding]:
        return [self._shown(finding, number) for number, finding in enumerate(self.result.presets)]

    def _is_joint(self, finding: PresetFinding) -> bool:
        """Say whether the counts of a form are tied to all others of the audit."""
        return self.joint is not None and finding.rate == "selection"

    def _shown(self, finding: PresetFinding, number: int) -> PresetFinding:
        if self._is_joint(finding):
            counts = replace(self.joint, path=("preset", number))
            near = False
        else:
            counts = self._own(finding)
            near = self.any_hidden or overlap_nearly(tables_of_rates(finding), self.published, self.minimum)
            self.published += tables_of_rates(finding)
        if near or self._swaps(finding):
            counts = counts.without()
        self.any_hidden |= bool(counts.gone)
        ties, gone, path = counts.ties, counts.gone, counts.path
        rates = tuple(_rates(part, (*path, position), counts) for position, part in enumerate(finding.rates))
        # These values are of the decision, which does not involve anybody's group.
        values: dict[str, Any] = {"not_known": without_counts(finding.not_known, protected="")}
        if ties.sizes[*path, "population"] in gone:
            values["n_population"] = None
        if ties.sizes[*path, "undecided"] in gone:
            values["undecided"] = None
        if finding.median is not None and (
            values.get("n_population", 0) is None or finding.n_population < self.minimum
        ):
            # Beside the median of all but a few people, it reveals on which side of it those few are.
            values["median"] = None
        return replace(finding, rates=rates, means=self._means(finding), **values)

    def _own(self, finding: PresetFinding) -> _Counts:
        alone = replace(self.result, checks=(), amounts=(), errors=(), presets=(finding,))
        own = FormTies(alone, self.minimum, rate=finding.rate)
        if not self.rows_hidden:
            # The rest of the report says how many rows there are: to hide it here would be in vain.
            own.ledger.cost[own.rows] = MAIN
        gone = hidden_counts(own.ledger)
        counts = _Counts(own, gone, ("preset", 0), RankCheck(own.ledger, gone))
        return counts.without() if own.rows in gone and not self.rows_hidden else counts

    def _swaps(self, finding: PresetFinding) -> bool:
        """Say whether another filter leaves nearly as many people: the same ones, but for a few on either side."""
        others = [n for where, n in self.populations if None not in (where, finding.where) and where != finding.where]
        self.populations.append((finding.where, finding.n_population))
        return any(abs(finding.n_population - n) < self.minimum for n in others)

    def _means(self, finding: PresetFinding) -> tuple[MeansFinding, ...]:
        """Return the tables of means, each without its figures where they could reveal those of a few people."""
        other = bool(self.filters) and finding.where not in self.filters
        shown = []
        for means, tally in zip(finding.means, tables_of_means(finding), strict=True):
            hidden = other or self.any_hidden or has_few(means, self.minimum)
            # Those who are looked at and counted nowhere in the table.
            hidden |= 0 < (without_number(finding, means) or 0) < self.minimum
            if hidden or overlap_nearly([tally], [*self.published, *tables_of_rates(finding)], self.minimum):
                shown.append(_no_means(means, finding.plan))
            else:
                shown.append(means)
                self.published.append(tally)
                self.filters.add(finding.where)
        return tuple(shown)


def _rates(rates: RatesFinding, path: tuple, counts: _Counts) -> RatesFinding:
    ties, gone, rows = counts.ties, counts.gone, []
    for i, row in enumerate(rates.table.rows):
        parts = ties.groups[*path, i].parts
        rows.append(_row(row, rate=parts[0] in gone, size=parts[3] in gone))
    reference = rates.table.reference
    base = next((row for row in rows if row.is_reference), None)
    if base is None:
        # There is none because nobody was selected: that must look like a hidden reference.
        hides_reference = any(row.group.ratio is None for row in rows)
    else:
        hides_reference = base.group.ratio is None or _rank_reveals(rates, rows, path, counts)
    if hides_reference:
        # Two rates and the ratio between them reveal the rate of the reference; so can its rank as the highest.
        rows = [replace(row, **NO_RATIO, is_reference=False) for row in rows]
        reference = None
    unknown = None if ties.sizes[*path, "unknown"] in gone else rates.unknown
    n = None if ties.sizes[*path, "n"] in gone else rates.table.n
    return replace(rates, table=replace(rates.table, rows=tuple(rows), n=n, reference=reference), unknown=unknown)


def _rank_reveals(rates: RatesFinding, rows: list[ImpactRow], path: tuple, counts: _Counts) -> bool:
    """Say whether showing the highest rate of a table, or not showing that of another, reveals a small count."""
    # The largest group reveals no rate; a group that is left out is never the reference.
    hidden = [i for i, row in enumerate(rows) if row.group.ratio is None and not row.left_out]
    if rates.check.reference != "highest" or not hidden:
        return False
    known = [row.group for row in rows if row.group.ratio is not None and not row.left_out]
    highest = max(Fraction(group.positives, group.n) for group in known)
    groups = [(parts[0], parts[3]) for parts in (counts.ties.groups[*path, i].parts for i in hidden)]
    if not counts.ranks.leaves_open(groups, highest):
        return True
    counts.ranks.note(groups, highest)
    return False


def _row(row: ImpactRow, *, rate: bool, size: bool) -> ImpactRow:
    group, values = row.group, {}
    if rate:
        group = replace(group, positives=None, ratio=None, interval=HIDDEN)
        values = dict(NO_RATIO)
    if size:
        group = replace(group, n=None)
        # That a group is under a share of the data bounds its size.
        values |= {"share": None, "small": None, "left_out": None}
    return replace(row, group=group, **values)


def _no_means(means: MeansFinding, plan: PresetPlan) -> MeansFinding:
    # Without a choice of the plan it is the largest group, and which one that is may hang on one person.
    chosen = all(role in plan.references for role in means.roles)
    rows = tuple(replace(without_figures(row), is_reference=chosen and row.is_reference) for row in means.table.rows)
    reference = means.table.reference if chosen else None
    return replace(means, table=replace(without_figures(means.table), rows=rows, reference=reference), unknown=None)
