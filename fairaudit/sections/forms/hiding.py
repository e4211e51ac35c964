"""The small-cell rule for the forms of rules: what of each rate, ratio and figure of pay is shown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from fairaudit.audit.people import number_key, score_of
from fairaudit.audit.result import AuditResult
from fairaudit.disclosure.counted_people import SIDES
from fairaudit.disclosure.counts import HiddenCounts
from fairaudit.disclosure.hidden import HIDDEN, replaced, without_counts, without_figures
from fairaudit.disclosure.means import has_few
from fairaudit.errors import require
from fairaudit.measure.impact import ImpactRow
from fairaudit.measure.pay import PayRow, PaySide, relative_gap
from fairaudit.presets.findings import MeansFinding, PayFinding, PaySides, PresetFinding, RatesFinding
from fairaudit.presets.plan import PresetPlan

# The small-cell rule for tables of pay: what of each figure is shown.
#
# A mean is shown where the number behind it is; a median is rounded until several people have it, and its gap is that
# of the rounded ones. Quarters follow from the order of all people by pay, of which the ledger knows nothing. They are
# shown as a whole, where each of their numbers is large and nothing else in the export divides people by that column;
# else they are hidden as a whole.


def masked_pay(
    form: PresetFinding, path: tuple, counts: HiddenCounts
) -> tuple[tuple[PayFinding, ...], tuple[PaySides, ...]]:
    """Return the tables of pay of a form, and who is compared in them, without what the small-cell rule hides."""
    pay = tuple(_shown(form, each, (*path, "pay", i), counts) for i, each in enumerate(form.pay))
    sides = tuple(
        replaced(
            each,
            **{
                f"n_{name}": None
                for name in (*SIDES, "others", "unknown")
                if counts.hides((*path, "sides", each.role, name))
            },
        )
        for each in form.sides
    )
    return pay, sides


def _shown(form: PresetFinding, pay: PayFinding, path: tuple, counts: HiddenCounts) -> PayFinding:
    table = pay.table
    if table.statistic == "workforce":
        hides = counts.hides((*path, "n"))
        rows = tuple(_workforce_row(row, (*path, i), counts, hides_all=hides) for i, row in enumerate(table.rows))
        return replaced(pay, table=replaced(table, rows=rows, n=None if hides else table.n))
    if table.statistic == "quarter" and not table.rows:
        rows = ()
    elif table.statistic == "quarter":
        hides = not _may_show_quarters(form, pay, path, counts)
        rows = tuple(_pay_row(row, *(_NOTHING,) * 2) if hides else row for row in table.rows)
    else:
        rows = tuple(
            _pay_row(row, *(_side(getattr(row, side), pay, (*path, i, side), counts) for side in SIDES))
            for i, row in enumerate(table.rows)
        )
    if table.statistic == "share":
        # The share of one side is that of the other, too.
        rows = tuple(_without_shares(row) for row in rows)
    is_median = table.statistic == "median"
    if is_median:
        rows = tuple(_with_gap(row) for row in rows)
    rounded = is_median and any(
        getattr(row, side).value not in (None, getattr(whole, side).value) and getattr(row, side).n
        for row, whole in zip(rows, table.rows, strict=True)
        for side in SIDES
    )
    n, missing, unknown = (
        None if counts.hides((*path, name)) else value
        for name, value in (("n", table.n), ("missing", table.missing), ("unknown", pay.unknown))
    )
    return replaced(pay, table=replaced(table, rows=rows, n=n, missing=missing), unknown=unknown, rounded=rounded)


def _without_shares(row: PayRow) -> PayRow:
    sides = (row.protected, row.reference)
    is_hidden: bool = None in (row.protected.n, row.reference.n)
    if not is_hidden:
        return row
    protected, reference = (replaced(side, value=None) for side in sides)
    return replaced(row, protected=protected, reference=reference)


def _workforce_row(row: PayRow, path: tuple, counts: HiddenCounts, *, hides_all: bool) -> PayRow:
    """Return a group of all people without what is hidden: a number divided by its share is the number of all."""
    hides = counts.is_hidden(counts.cells((*path, "protected")).n)
    own = replaced(row.protected, value=None) if hides_all else row.protected
    return replaced(row, protected=_NOTHING if hides else own, reference=_NOTHING if hides_all else row.reference)


# A hidden side has no figure, while those of all others are numbers or NaN.
_NOTHING = PaySide(None, None, None)  # type: ignore[arg-type]


def _side(side: PaySide, pay: PayFinding, path: tuple, counts: HiddenCounts) -> PaySide:
    cells = counts.cells(path)
    if counts.is_hidden(cells.n):
        return _NOTHING
    is_held: bool = side.value is None
    if is_held:
        return side
    if pay.table.statistic == "median":
        return replaced(side, value=counts.shared(side.value, cells.n, pay.table.column))
    return replaced(side, value=None) if counts.is_hidden(cells.good) else side


def _pay_row(row: PayRow, protected: PaySide, reference: PaySide) -> PayRow:
    """Return a row with these sides; without its gap where one of them is hidden."""
    row = replaced(row, protected=protected, reference=reference)
    is_gone: bool = None in (protected.value, reference.value)
    if is_gone:
        return replaced(row, gap=None, interval=HIDDEN)
    return row


def _with_gap(row: PayRow) -> PayRow:
    """Return a row with the gap of the medians that are shown."""
    is_gone: bool = None in (row.protected.value, row.reference.value)
    if is_gone:
        return row
    return replaced(row, gap=relative_gap(row.protected.value, row.reference.value))


def _may_show_quarters(form: PresetFinding, pay: PayFinding, path: tuple, counts: HiddenCounts) -> bool:
    if any(counts.hides((*path, name)) for name in ("n", "missing", *SIDES)):
        return False
    if any(getattr(row, side).n < counts.minimum for row in pay.table.rows for side in SIDES):
        return False
    if pay.table.column in _dividing(counts.result):
        return False
    others = (each for other in counts.result.presets for each in other.pay)
    same = [each for each in others if each.table.statistic == "quarter" and each.table.column == pay.table.column]
    return all(each.table.rows == pay.table.rows for each in same)


def _dividing(result: AuditResult) -> set[str]:
    """Return the columns by which any figure of an export divides people: beside quarters they would count few."""
    people, plan = require(result.people), result.plan
    columns = set(people.columns)
    # That somebody has a number at all divides nobody by how much that is.
    parts = {**people.attributes, **people.outcomes}
    conditions = [
        part for key, part in parts.items() if not isinstance(part, str) and not key.startswith(number_key(""))
    ]
    columns |= {name for condition in conditions for name in condition.columns}
    if plan.decision.kind.has_good_outcome:
        columns.add(plan.decision.column)
    columns |= {score_of(form) for form in result.presets if form.median is not None}
    return columns | ({plan.score.column} if plan.score is not None else set())


# The small-cell rule for the forms of rules: a rate or a ratio is shown only where the counts behind it are.
#
# A table of means is hidden as a whole where one of its counts is, where few people stand behind one of its means
# (:mod:`fairaudit.disclosure.means`), and where it says so of what is left of a mean less others, or of
# what follows from all means together (:mod:`fairaudit.disclosure.means`).

NO_RATIO = {"impact_ratio": None, "below": None, "significance": None, "one_person": None}
"""What compares a row of rates with the reference, without its values."""

NO_SHARE = {"share": None, "small": None, "left_out": None}
"""What bounds the size of a group beside that of its table, and the other way round, without its values."""


def masked_presets(findings: Sequence[PresetFinding], counts: HiddenCounts) -> tuple[PresetFinding, ...]:
    """Return forms without what the small-cell rule hides."""
    gone = _hidden_means(findings, counts)
    return tuple(_form(finding, ("preset", i), counts, gone) for i, finding in enumerate(findings))


def _hidden_means(findings: Sequence[PresetFinding], counts: HiddenCounts) -> set[tuple]:
    """Return the tables of means that are hidden, for themselves or because of what is left of them less others."""
    gone: set[tuple] = set()
    shown: dict[str, list[int]] = {}
    for number, finding in enumerate(findings):
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


def _form(finding: PresetFinding, path: tuple, counts: HiddenCounts, gone: set[tuple]) -> PresetFinding:
    rates = tuple(_rates(part, (*path, i), counts) for i, part in enumerate(finding.rates))
    means = tuple(
        _no_means(part, finding.plan) if (*path, "means", i) in gone else part for i, part in enumerate(finding.means)
    )
    # These values are of the decision, which does not involve anybody's group.
    values: dict[str, object] = {"not_known": without_counts(finding.not_known)}
    if counts.hides((*path, "population")):
        values["n_population"] = None
    if finding.rates and counts.hides((*path, "undecided")):
        values["undecided"] = None
    if finding.median is not None:
        # Beside the median of all but a few people, it reveals on which side of it those few are.
        few = "n_population" in values or finding.n_population < counts.minimum
        scored = counts.sizes.get((*path, "scored"))
        values["median"] = None if few else counts.shared(finding.median, require(scored), score_of(finding))
    pay, sides = masked_pay(finding, path, counts)
    return replaced(finding, rates=rates, means=means, pay=pay, sides=sides, **values)


def _rates(rates: RatesFinding, path: tuple, counts: HiddenCounts) -> RatesFinding:
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


def _hides(finding: PresetFinding, means: MeansFinding, path: tuple, counts: HiddenCounts) -> bool:
    """Say whether a table of means is hidden: few people stand behind it, or a count of it is hidden."""
    few = has_few(means, counts.minimum) or 0 < (finding.without_number(means) or 0) < counts.minimum
    return few or counts.hides_table(path)


def _row(row: ImpactRow, *, rate: bool, size: bool) -> ImpactRow:
    group = row.group
    values: dict[str, object] = {}
    if rate:
        group = replaced(group, positives=None, ratio=None, interval=HIDDEN)
        values = dict(NO_RATIO)
    if size:
        group = replaced(group, n=None)
        values |= NO_SHARE
    return replaced(row, group=group, **values)


def _no_means(means: MeansFinding, plan: PresetPlan) -> MeansFinding:
    # Without a choice of the plan it is the largest group, and which one that is may depend on one person.
    chosen = all(role in plan.references for role in means.roles)
    rows = tuple(replaced(without_figures(row), is_reference=chosen and row.is_reference) for row in means.table.rows)
    reference = means.table.reference if chosen else None
    return replaced(means, table=replaced(without_figures(means.table), rows=rows, reference=reference), unknown=None)
