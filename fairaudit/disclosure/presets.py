"""The small-cell rule for the forms of rules: a rate or a ratio is shown only where the counts behind it are.

A table of means is hidden as a whole where one of its counts is, where few people stand behind one of its means
(:mod:`fairaudit.disclosure.means_of_few`), and where it says so of what is left of a mean less others, or of
what follows from all means together (:mod:`fairaudit.disclosure.rests_of_means`).
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from fairaudit.audit.people import score_of
from fairaudit.audit.result import AuditResult
from fairaudit.disclosure.counts import Counts
from fairaudit.disclosure.hidden import HIDDEN, replaced, without_counts, without_figures
from fairaudit.disclosure.means_of_few import has_few
from fairaudit.disclosure.pay import masked_pay
from fairaudit.errors import sure
from fairaudit.measure.impact import ImpactRow
from fairaudit.presets.findings import MeansFinding, PresetFinding, RatesFinding
from fairaudit.presets.plan import PresetPlan

NO_RATIO = {"impact_ratio": None, "below": None, "significance": None, "one_person": None}
"""What compares a row of rates with the reference, without its values."""

NO_SHARE = {"share": None, "small": None, "left_out": None}
"""What bounds the size of a group beside that of its table, and the other way round, without its values."""


def masked_presets(result: AuditResult, counts: Counts) -> tuple[PresetFinding, ...]:
    """Return the forms of a result without what the small-cell rule hides."""
    gone = _hidden_means(result, counts)
    return tuple(_form(finding, ("preset", i), counts, gone) for i, finding in enumerate(result.presets))


def _hidden_means(result: AuditResult, counts: Counts) -> set[tuple]:
    """Return the tables of means that are hidden, for themselves or because of what is left of them less others."""
    gone: set[tuple] = set()
    shown: dict[str, list[int]] = {}
    for number, finding in enumerate(result.presets):
        for position, means in enumerate(finding.means):
            path, column = ("preset", number, "means", position), means.table.column
            if _hides(finding, means, path, counts):
                gone.add(path)
                continue
            # The groups of the table, and all of them together.
            if column not in shown:
                shown[column] = counts.means(counts.hidden, column)
            numbers = shown[column] + list(counts.tables[path][: len(means.table.rows) + 1])
            rests = counts.rests(column, numbers)
            if next(chain(rests.revealing(), rests.following(counts.hidden_tables(counts.hidden))), None) is None:
                shown[column] = numbers
            else:
                gone.add(path)
    return gone


def _form(finding: PresetFinding, path: tuple, counts: Counts, gone: set[tuple]) -> PresetFinding:
    rates = tuple(_rates(part, (*path, i), counts) for i, part in enumerate(finding.rates))
    means = tuple(
        _no_means(part, finding.plan) if (*path, "means", i) in gone else part for i, part in enumerate(finding.means)
    )
    # These values are of the decision, which does not involve anybody's group.
    values: dict[str, Any] = {"not_known": without_counts(finding.not_known, protected="")}
    if counts.hides((*path, "population")):
        values["n_population"] = None
    if finding.rates and counts.hides((*path, "undecided")):
        values["undecided"] = None
    if finding.median is not None:
        # Beside the median of all but a few people, it reveals on which side of it those few are.
        few = "n_population" in values or finding.n_population < counts.minimum
        scored = counts.sizes.get((*path, "scored"))
        values["median"] = None if few else counts.shared(finding.median, sure(scored), score_of(finding))
    pay, sides = masked_pay(finding, path, counts)
    return replaced(finding, rates=rates, means=means, pay=pay, sides=sides, **values)


def _rates(rates: RatesFinding, path: tuple, counts: Counts) -> RatesFinding:
    rows = [
        _row(row, rate=counts.is_hidden(cells.good), size=counts.is_hidden(cells.n))
        for row, cells in ((row, counts.cells((*path, i))) for i, row in enumerate(rates.table.rows))
    ]
    reference = rates.table.reference
    base = next((row for row in rows if row.is_reference), None)
    hides_reference = any(row.group.ratio is None for row in rows) if base is None else base.group.ratio is None
    if hides_reference or path in counts.unnamed:
        # Two rates and the ratio between them reveal the rate of the reference. There may be none because nobody was
        # selected: that must look like a hidden one.
        rows = [replaced(row, **NO_RATIO, is_reference=False) for row in rows]
        reference = None
    unknown, n = (counts.hides((*path, name)) for name in ("unknown", "n"))
    if n:
        # What share of the table a group is would give the number of people in it.
        rows = [replaced(row, **NO_SHARE) for row in rows]
    table = replaced(rates.table, rows=tuple(rows), n=None if n else rates.table.n, reference=reference)
    return replaced(rates, table=table, unknown=None if unknown else rates.unknown)


def _hides(finding: PresetFinding, means: MeansFinding, path: tuple, counts: Counts) -> bool:
    """Say whether a table of means is hidden: few people stand behind it, or a count of it is hidden."""
    few = has_few(means, counts.minimum) or 0 < (finding.without_number(means) or 0) < counts.minimum
    return few or counts.hides_table(path)


def _row(row: ImpactRow, *, rate: bool, size: bool) -> ImpactRow:
    group = row.group
    values: dict[str, Any] = {}
    if rate:
        group = replaced(group, positives=None, ratio=None, interval=HIDDEN)
        values = dict(NO_RATIO)
    if size:
        group = replaced(group, n=None)
        values |= NO_SHARE
    return replaced(row, group=group, **values)


def _no_means(means: MeansFinding, plan: PresetPlan) -> MeansFinding:
    # Without a choice of the plan it is the largest group, and which one that is may hang on one person.
    chosen = all(role in plan.references for role in means.roles)
    rows = tuple(replaced(without_figures(row), is_reference=chosen and row.is_reference) for row in means.table.rows)
    reference = means.table.reference if chosen else None
    return replaced(means, table=replaced(without_figures(means.table), rows=rows, reference=reference), unknown=None)
