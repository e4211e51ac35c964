"""What a filled form comes to: which ratio or gap stands out by the limit of its rule, and which rows are read how."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fairaudit.defaults import ENOUGH
from fairaudit.errors import require
from fairaudit.measure.impact import ImpactRow
from fairaudit.measure.pay import ROUNDING_OF_GAP, PayRow
from fairaudit.measure.standardized import MeanRow
from fairaudit.presets.findings import MeansFinding, PayFinding, PresetFinding, RatesFinding
from fairaudit.presets.preset import PresetRole
from fairaudit.presets.status import months_later

FormVerdict = Literal[
    "below", "below_may_be_chance", "lower", "reference_lower", "reference_none", "none_below", "none_selected",
    "marked", "marked_with_reasons", "none_marked", "to_publish", "answered", "held_back",
    "means_differ", "means_no_clear_difference",
    "not_all_shown", "nothing_to_compare", "not_shown",
]  # fmt: skip
CHANCE = 0.05
"""Below which p-value of Welch's test a difference of means is more than chance."""
FEW_PAID = 10
"""An average of fewer could show what one of them is paid."""
NO_DIFFERENCE = 1e-9
"""A standardised difference under it is none: equal means of floating-point numbers may differ by less."""


@dataclass(frozen=True)
class FormReading:
    """What a form comes to, without a sentence.

    Parameters
    ----------
    verdict : FormVerdict
        In the terms of the rule: a ratio below its limit, a gap that it marks, or what it asks to publish.
    rates : tuple of RatesFinding and ImpactRow, or None
        The table and row of the lowest ratio or, where the group compared with is lower, of the highest; of few people
        only where the rule would mark no other.
    n_below, n_compared : int
        Ratios below the limit in the tables that stand first, and all; of pay, categories that the rule marks, and all
        with a gap.
    n_below_elsewhere : int
        Ratios below the same limit in the other tables.
    is_clear : bool or None
        Whether that row differs by more than chance; None where the rule asks for no test.
    overall : tuple of PayFinding and PayRow, or None
        The first gap in pay of all people or, in an answer to a worker, of the worker's category.
    marked : tuple of PayFinding and PayRow
        The categories that the rule marks.
    n_open : int
        Those of them without a reason or a remedy in time.
    means : tuple of MeansFinding and MeanRow, or None
        The largest standardised difference.
    """

    verdict: FormVerdict
    rates: tuple[RatesFinding, ImpactRow] | None = None
    n_below: int = 0
    n_compared: int = 0
    n_below_elsewhere: int = 0
    is_clear: bool | None = None
    overall: tuple[PayFinding, PayRow] | None = None
    marked: tuple[tuple[PayFinding, PayRow], ...] = ()
    n_open: int = 0
    means: tuple[MeansFinding, MeanRow] | None = None


def read_form(finding: PresetFinding) -> FormReading:
    """Read a filled form, whole or as it leaves: by its pay, else its rates, else its means."""
    if finding.pay:
        return _read_pay(finding)
    return _read_rates(finding) if finding.rates else _read_means(finding)


def _read_rates(finding: PresetFinding) -> FormReading:
    compared = [(rates, row) for rates in finding.rates for row in rates.table.rows if is_compared(row)]
    if (nobody := _nobody_compared_with(finding)) is not None:
        return FormReading("reference_none", nobody)
    if not compared:
        rows = [row for rates in finding.rates for row in rates.table.rows]
        if hides_rates(finding):
            return FormReading("not_shown")
        return FormReading("nothing_to_compare" if any(row.group.positives for row in rows) else "none_selected")
    below = [pair for pair in compared if pair[1].below]
    higher = [pair for pair in compared if is_higher(*pair)]
    lower = [pair for pair in compared if not pair[1].below and pair[1].impact_ratio < 1 and is_clear(pair[1])]
    n = len(compared)
    if below:
        # A few people lead no form, however far below they are, where the rule marks a larger group.
        leading = _of_enough(below)
        clear = [pair for pair in leading if pair[1].significance is None or is_clear(pair[1])]
        lowest = min(clear or leading, key=lambda pair: pair[1].impact_ratio)
        # Of those below another limit, another table speaks.
        same = [rates for rates, _ in below if rates.table.threshold == lowest[0].table.threshold]
        first = _leading(finding, lowest[0])
        n_first = sum(any(rates is each for each in first) for rates in same)
        return FormReading(
            "below" if clear else "below_may_be_chance",
            lowest,
            n_below=n_first,
            n_compared=n,
            n_below_elsewhere=len(same) - n_first,
            is_clear=_tested(lowest[1]),
        )
    if higher:
        highest = max(_of_enough(higher), key=lambda pair: pair[1].impact_ratio)
        return FormReading("reference_lower", highest, n_compared=n, is_clear=_tested(highest[1]))
    lowest = min(_of_enough(lower) or compared, key=lambda pair: pair[1].impact_ratio)
    verdict: FormVerdict = "lower" if lower else "not_all_shown" if hides_rates(finding) else "none_below"
    return FormReading(verdict, lowest, n_compared=n, is_clear=_tested(lowest[1]))


def _of_enough(pairs: list[tuple[RatesFinding, ImpactRow]]) -> list[tuple[RatesFinding, ImpactRow]]:
    """Return the rows of enough people and as many as the rule asks for; all, where there are none."""
    return [pair for pair in pairs if not _is_few(pair[1])] or pairs


def _is_few(row: ImpactRow) -> bool:
    """Say whether a row is known to be of few people, or of fewer than the rule asks for."""
    return bool(row.small) or (row.group.n is not None and row.group.n < ENOUGH)


def _nobody_compared_with(finding: PresetFinding) -> tuple[RatesFinding, ImpactRow] | None:
    """Return a table whose comparison group nobody is selected of, with the group that is selected most often."""
    for rates in finding.rates:
        base = reference_of(rates)
        others = [row for row in rates.table.rows if row.group.positives and not row.left_out]
        if base is not None and base.group.positives == 0 and others:
            return rates, max(others, key=lambda row: row.group.ratio)
    return None


def hides_rates(finding: PresetFinding) -> bool:
    """Say whether a rate or ratio of a form is hidden."""
    return any(row.group.ratio is None or row.impact_ratio is None for t in finding.rates for row in t.table.rows)


def hides_gaps(finding: PresetFinding) -> bool:
    """Say whether a gap in pay of a form is hidden, for another reason than that people are too few for a figure."""
    return any(is_hidden(pay, row) for pay in finding.pay for row in pay.table.rows)


def is_hidden(pay: PayFinding, row: PayRow) -> bool:
    """Say whether a gap is hidden although the form would give it."""
    return row.gap is None and not is_held(pay, row)


def is_held(pay: PayFinding, row: PayRow) -> bool:
    """Say whether the form itself gives no gap, because people are too few for one."""
    sides = (row.protected, row.reference)
    return pay.check.fewest is not None and row.gap is None and None not in (side.n for side in sides)


def holds_back(finding: PresetFinding) -> bool:
    """Say whether the form gives no figure somewhere, because people are too few for one."""
    quarters = (pay for pay in finding.pay if pay.table.statistic == "quarter" and not pay.is_unknowable)
    return any(not pay.table.rows for pay in quarters) or any(
        is_held(pay, row) for pay in finding.pay for row in pay.table.rows
    )


def has_several_limits(finding: PresetFinding) -> bool:
    """Say whether the tables of rates of a form have limits of their own."""
    return len({rates.table.threshold for rates in finding.rates}) > 1


def compared_columns(finding: PresetFinding) -> tuple[str, ...]:
    """Return the columns by which rates are compared."""
    roles = dict.fromkeys(role for rates in finding.rates for role in rates.roles)
    return tuple(column for role in roles for column in finding.plan.columns[role])


def unnamed_roles(finding: PresetFinding) -> tuple[PresetRole, ...]:
    """Return the groups that the rule asks to compare by rates, for which no column is named."""
    asked = dict.fromkeys(role for check in finding.preset.checks for roles in check.by for role in roles)
    return tuple(
        finding.preset.role(role)
        for role in asked
        if finding.rates and finding.preset.role(role).kind == "group" and not finding.plan.columns.get(role)
    )


def few_highest(finding: PresetFinding, rates: RatesFinding) -> ImpactRow | None:
    """Return the group with the highest rate where it is of few people: then every ratio of its table is of these."""
    base = reference_of(rates)
    if base is None or rates.check.reference != "highest":
        return None
    return base if _is_few(base) else None


def _read_pay(finding: PresetFinding) -> FormReading:
    gaps = [pay for pay in finding.pay if pay.check.measure == "pay_gap"]
    answers = [pay for pay in finding.pay if pay.check.measure == "answer"]
    alone = [(pay, pay.table.rows[0]) for pay in answers or gaps if (answers or not pay.has_rows) and pay.table.rows]
    overall = alone[0] if alone else None
    marking = [(pay, row) for pay in gaps if pay.check.mark_from is not None for row in pay.table.rows]
    marked = tuple((pay, row) for pay, row in marking if is_marked(pay, row))
    n_open = sum(is_open(finding, pay, row) for pay, row in marked)
    stated = [row for _, row in marking if row.gap is not None and not math.isnan(row.gap)]
    verdict: FormVerdict
    if answers:
        verdict = _read_answers(answers)
    elif n_open:
        verdict = "marked"
    elif marked:
        verdict = "marked_with_reasons"
    elif any(row.gap is None for _, row in marking) or (overall is not None and overall[1].gap is None):
        verdict = "not_all_shown"
    else:
        verdict = "none_marked" if stated else "to_publish"
    return FormReading(
        verdict, n_below=len(marked), n_compared=len(stated), overall=overall, marked=marked, n_open=n_open
    )


def _read_answers(answers: Sequence[PayFinding]) -> FormVerdict:
    """Return what an answer to a worker comes to."""
    rows = [(pay, row) for pay in answers for row in pay.table.rows]
    return "held_back" if any(is_held(pay, row) for pay, row in rows) or not rows else "answered"


def _read_means(finding: PresetFinding) -> FormReading:
    compared = [
        (means, row)
        for means in finding.means
        for row in means.table.rows
        if not row.is_reference and row.standardized is not None and math.isfinite(row.standardized)
    ]
    if not compared:
        hides = any(row.mean is None for means in finding.means for row in means.table.rows)
        return FormReading("not_shown" if hides else "nothing_to_compare")
    largest = max(compared, key=lambda pair: (mean_is_clear(pair[1]), abs(pair[1].standardized)))
    is_clear_there = mean_is_clear(largest[1])
    verdict: FormVerdict = "means_differ" if is_clear_there else "means_no_clear_difference"
    return FormReading(verdict, n_compared=len(compared), is_clear=is_clear_there, means=largest)


def leading_rates(finding: PresetFinding) -> tuple[RatesFinding, ...]:
    """Return the tables of rates that stand first: that of the group in the headline, else those of one column each."""
    reading = read_form(finding)
    return _leading(finding, None if reading.rates is None else reading.rates[0])


def _leading(finding: PresetFinding, rates: RatesFinding | None) -> tuple[RatesFinding, ...]:
    if rates is not None and len(rates.roles) > 1:
        return (rates,)
    return tuple(each for each in finding.rates if len(each.roles) == 1) or finding.rates[:1]


def is_compared(row: ImpactRow) -> bool:
    """Say whether a row has a ratio to the group compared with."""
    return row.below is not None and not row.is_reference


def is_clear(row: ImpactRow) -> bool:
    """Say whether a rate differs from that compared with by more than chance."""
    return row.significance is not None and bool(row.significance.significant)


def is_higher(rates: RatesFinding, row: ImpactRow) -> bool:
    """Say whether the comparison group is at a disadvantage: so far below this group that the rule would mark it."""
    higher = row.impact_ratio > 1 / rates.table.threshold or (row.impact_ratio > 1 and is_clear(row))
    return rates.check.reference == "largest" and higher


def reference_of(rates: RatesFinding) -> ImpactRow | None:
    """Return the row that the others of a table are compared with."""
    return next((row for row in rates.table.rows if row.is_reference), None)


def mean_is_clear(row: MeanRow) -> bool:
    """Say whether a group is shown to differ from the one it is compared with by more than chance."""
    if row.is_reference or row.standardized is None or not math.isfinite(row.standardized):
        return False
    return abs(row.standardized) >= NO_DIFFERENCE and row.p_value < CHANCE


def is_marked(pay: PayFinding, row: PayRow) -> bool:
    """Say whether the gap of a category is shown to be as large as the one from which on the rule marks it."""
    limit = pay.check.mark_from
    return (
        limit is not None
        and row.gap is not None
        and not math.isnan(row.gap)
        and abs(row.gap) >= limit - ROUNDING_OF_GAP
    )


def is_open(finding: PresetFinding, pay: PayFinding, row: PayRow) -> bool:
    """Say whether a marked category has neither a reason nor a remedy in time."""
    day, due = finding.plan.remedied.get(row.name), due_day(pay, finding.plan.reported)
    return row.name not in finding.plan.justified and (day is None or (due is not None and day > due))


def why_closed(finding: PresetFinding, marked: Sequence[tuple[PayFinding, PayRow]]) -> str:
    """Return what closes categories that are marked and not open: "reasons", "remedies" or "both"."""
    ways = {"reasons" if row.name in finding.plan.justified else "remedies" for _, row in marked}
    return "both" if len(ways) > 1 else next(iter(ways), "reasons")


def lacks_base(finding: PresetFinding) -> bool:
    """Say whether a gap in pay that leads the form has no figure, because the other side is paid 0 or less on average.

    That is shown only where both sides are.
    """
    return any(
        pay.check.measure in ("pay_gap", "answer")
        and (pay.check.mark_from is not None or not pay.has_rows or pay.check.measure == "answer")
        and pay.table.statistic == "mean"
        and pay.check.among != "receiving"
        and not finding.preset.role(require(pay.check.of)).optional
        and row.protected.n
        and row.reference.value is not None
        and row.reference.value <= 0
        for pay in finding.pay
        for row in pay.table.rows
    )


def shows_few(finding: PresetFinding) -> bool:
    """Say whether an average of few people is shown, which the rule asks for."""
    return finding.preset.is_joint and any(
        side.n is not None and side.value is not None and 0 < side.n < FEW_PAID
        for pay in finding.pay
        if pay.table.statistic == "mean"
        for row in pay.table.rows
        for side in (row.protected, row.reference)
    )


def due_day(pay: PayFinding, reported: str | None) -> str | None:
    """Return until when a gap that is not justified is to be remedied, as a plan writes days; None without a report."""
    if reported is None:
        return None
    return months_later(datetime.date.fromisoformat(reported), pay.check.within_months).isoformat()


def share_not_disclosed(finding: PresetFinding) -> float | None:
    """Return which share of all people did not say of which group they are; None where nothing says so."""
    made = next((pay.table for pay in finding.pay if pay.table.statistic == "workforce"), None)
    return None if made is None or not made.rows else made.rows[-1].protected.value


def marking_limit(finding: PresetFinding) -> float | None:
    """Return from which gap on the rule marks a category; no gap of the form reads as if it were on the other side."""
    return next((check.mark_from for check in finding.preset.checks if check.mark_from is not None), None)


def category_names(pay: PayFinding) -> list[str]:
    """Return what the categories of a table of pay are called: after the column where values say little."""
    names = [row.name for row in pay.table.rows]
    if not pay.has_rows or any(len(name) > 3 for name in names):
        return names
    return [f"{pay.table.columns[-1]} {name}" for name in names]


def category_name(pay: PayFinding, row: PayRow) -> str:
    """Return what one category is called."""
    return category_names(pay)[[each.name for each in pay.table.rows].index(row.name)]


def n_without_pay(finding: PresetFinding) -> int | None:
    """Return how many people have no number for the first gap in pay; None where that is hidden."""
    pay = next((pay for pay in finding.pay if pay.check.measure in ("pay_gap", "answer")), None)
    return 0 if pay is None else pay.table.missing


def unknown_people(finding: PresetFinding) -> int | None:
    """Return how many people are in no table of rates, because a value is unknown; None where that is hidden."""
    counts: Sequence[int | None] = [rates.unknown for rates in finding.rates]
    return None if None in counts else max(map(require, counts), default=0)


def _tested(row: ImpactRow) -> bool | None:
    return None if row.significance is None else is_clear(row)
