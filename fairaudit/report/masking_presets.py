"""The small-cell rule for the forms of rules: a rate or a ratio is shown only where the counts behind it are.

The tables of selection rates are tied to all other counts of the audit, see :mod:`fairaudit.report.count_ties`: the
same groups may stand in a question, with a few people more or fewer. Scoring rates count another outcome. Their tables
have a ledger of their own, and are hidden as a whole where anything else in the report is. So are means, also where one
group is small.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from fairaudit.audit import AuditResult
from fairaudit.measure.impact import ImpactRow, ImpactTable
from fairaudit.measure.standardized import MeanRow
from fairaudit.presets.findings import MeansFinding, PresetFinding, RatesFinding
from fairaudit.report.count_ties import CROSSED, SINGLE, TOTAL, CountTies, Grid, group_sides
from fairaudit.report.disclosure import hidden_counts
from fairaudit.report.hidden import HIDDEN

NO_MEAN = {
    "n": None,
    "mean": None,
    "deviation": None,
    "difference": None,
    "standardized": None,
    "p_value": None,
    "size": None,
}
"""The figures of a row of means, without their values."""

NO_RATIO = {"impact_ratio": None, "below": None, "significance": None, "one_person": None}
"""What compares a row of rates with the reference, without its values."""


FEWEST_LEFT = 4
"""How many numbers a hidden count must at least leave open below what the highest rate allows."""


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
        if finding.where in self.everyone:
            self.ledger.tie([population], [self.everyone[finding.where].parts[-1]])
        for position, told in enumerate(finding.rates):
            ranks: Counter[tuple] = Counter()
            loss = SINGLE if len(told.roles) == 1 else CROSSED
            rows = {
                tuple(value for _, value in row.values): self._ranked(
                    (*path, position, i), row.group, ranks, "own", loss
                )
                for i, row in enumerate(told.table.rows)
            }
            total = self._untold(self._sum(rows.values()))
            self._add_up(total, list(rows.values()))
            n = self._size((*path, position, "n"), told.table.n)
            unknown = self._size((*path, position, "unknown"), told.unknown)
            self.ledger.tie([n], [total.n])
            self.ledger.tie([population], [n, unknown, undecided])
            self.grids.append(Grid(told.table.columns, finding.where, rows))


def masked_presets(result: AuditResult, ties: CountTies, hidden: set[int]) -> tuple[PresetFinding, ...]:
    """Return the forms of a result without what the small-cell rule hides.

    Parameters
    ----------
    result : AuditResult
        What a run found, not masked.
    ties : CountTies
        The counts of the audit; with the forms of selection rates, if there are any.
    hidden : set of int
        Which of them are hidden.

    Returns
    -------
    tuple of PresetFinding
        In the same order. Hidden numbers are None.
    """
    shown: list[PresetFinding] = []
    any_hidden = bool(hidden)
    for number, finding in enumerate(result.presets):
        if finding.rate == "selection" and isinstance(ties, FormTies):
            made = _masked(finding, ties, hidden, ("preset", number), means_hidden=any_hidden)
        else:
            alone = replace(result, checks=(), amounts=(), errors=(), presets=(finding,))
            own = FormTies(alone, ties.minimum, rate=finding.rate)
            gone = hidden_counts(own.ledger)
            if any_hidden or _nearly_told(finding, result, ties.minimum):
                gone = set(range(len(own.ledger.values)))
            made = _masked(finding, own, gone, ("preset", 0), means_hidden=any_hidden)
            any_hidden = any_hidden or bool(gone)
        shown.append(made)
    return tuple(shown)


def _masked(
    finding: PresetFinding, ties: FormTies, gone: set[int], path: tuple, *, means_hidden: bool
) -> PresetFinding:
    rates = tuple(_rates(told, (*path, position), ties, gone) for position, told in enumerate(finding.rates))
    few = means_hidden or rates != finding.rates or any(_has_few(told, ties.minimum) for told in finding.means)
    means = tuple(_no_means(told) for told in finding.means) if few else finding.means
    values = {} if ties.sizes[*path, "population"] not in gone else {"n_population": None}
    if ties.sizes[*path, "undecided"] in gone:
        values["undecided"] = None
    if finding.median is not None and finding.n_population < ties.minimum:
        values["median"] = None
    return replace(finding, rates=rates, means=means, **values)


def _rates(told: RatesFinding, path: tuple, ties: FormTies, gone: set[int]) -> RatesFinding:
    rows = []
    for i, row in enumerate(told.table.rows):
        parts = ties.groups[*path, i].parts
        rows.append(_row(row, rate=parts[0] in gone, size=parts[3] in gone))
    reference = told.table.reference
    base = next((row for row in rows if row.is_reference), None)
    if base is not None and (base.group.ratio is None or _tells_by_rank(rows, base)):
        # Two rates and the ratio between them tell the rate of the reference, and so may that it is the highest.
        rows = [replace(row, **NO_RATIO, is_reference=False) for row in rows]
        reference = None
    unknown = None if ties.sizes[*path, "unknown"] in gone else told.unknown
    n = None if ties.sizes[*path, "n"] in gone else told.table.n
    return replace(told, table=replace(told.table, rows=tuple(rows), n=n, reference=reference), unknown=unknown)


def _tells_by_rank(rows: list[ImpactRow], base: ImpactRow) -> bool:
    """Say whether the highest rate leaves few numbers for the selected people of a group whose rate is hidden."""
    hidden = [row.group.n for row in rows if row.group.ratio is None and row.group.n is not None]
    return any(base.group.ratio * n < FEWEST_LEFT for n in hidden)


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


def _has_few(told: MeansFinding, minimum: int) -> bool:
    few = any(0 < row.n < minimum or row.deviation == 0 for row in told.table.rows)
    return few or 0 < told.unknown < minimum or 0 < told.table.missing < minimum


def _no_means(told: MeansFinding) -> MeansFinding:
    rows: tuple[MeanRow, ...] = tuple(replace(row, **NO_MEAN) for row in told.table.rows)
    return replace(told, table=replace(told.table, rows=rows, n=None, missing=None, deviation=None), unknown=None)


def _nearly_told(finding: PresetFinding, result: AuditResult, minimum: int) -> bool:
    """Say whether a question tells of the same groups with a few people more or fewer, such as those with no race."""
    told = {_key(row): row for each in finding.rates for row in each.table.rows}
    told |= {_key(row): row for each in finding.means for row in each.table.rows}
    for check in (*result.checks, *result.amounts):
        for comparison in check.groups:
            for row in comparison.rows:
                own = told.get(tuple(sorted((column, str(value)) for column, value in row.values)))
                if own is not None and 0 < abs(_people(own) - row.comparison.protected.n) < minimum:
                    return True
        for each in finding.rates:
            if any(0 < abs(a - b) < minimum for a, b in _both_sides(each.table, check.result)):
                return True
    return False


def _both_sides(table: ImpactTable, result) -> list[tuple[int, int]]:
    """Return the people of both sides of a question, as the form and as the question count them."""
    rows = {tuple(value for _, value in row.values): row for row in table.rows}
    sides = group_sides(result.protected_condition, Grid(table.columns, None, rows))
    pairs = []
    for truth, group in ((True, result.protected), (False, result.reference)):
        inside = [row.group.n for row, side in zip(rows.values(), sides, strict=True) if side is truth]
        if inside:
            pairs.append((sum(inside), group.n))
    return pairs


def _key(row: ImpactRow | MeanRow) -> tuple:
    return tuple(sorted((column, str(value)) for column, value in row.values))


def _people(row: ImpactRow | MeanRow) -> int:
    return row.group.n if isinstance(row, ImpactRow) else row.n
