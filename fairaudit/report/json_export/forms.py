"""What is exported of the filled form of a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from fairaudit.measure.impact import ImpactTable
from fairaudit.measure.pay import PayTable
from fairaudit.measure.plain import Hideable
from fairaudit.measure.standardized import StandardizedMeans
from fairaudit.messages import say
from fairaudit.presets.findings import MeansFinding, PayFinding, PaySides, PresetFinding, RatesFinding
from fairaudit.presets.plan import PresetPlan
from fairaudit.report.json_export.added import extended
from fairaudit.sections.forms import answer_text, read_form
from fairaudit.sections.forms.details import form_notes, say_mean_row, say_pay_row, say_pay_table, say_rate_row
from fairaudit.sections.forms.reading import FormVerdict


@dataclass(frozen=True, kw_only=True)
class ExportedRates(ImpactTable):
    """One table of rates and impact ratios of a form.

    Parameters
    ----------
    roles : tuple of str
        The roles that make the groups.
    unknown : int
        People with a known decision who are in no group of the table, because a value is unknown.
    readings : tuple of str
        Each row in words.
    """

    roles: tuple[str, ...]
    unknown: Hideable[int]
    readings: tuple[str, ...]

    @classmethod
    def of(cls, finding: RatesFinding) -> Self:
        """Add the rows in words."""
        readings = tuple(say(say_rate_row(finding, row)) for row in finding.table.rows)
        return extended(cls, finding.table, roles=finding.roles, unknown=finding.unknown, readings=readings)


@dataclass(frozen=True, kw_only=True)
class ExportedMeans(StandardizedMeans):
    """One table of standardised mean differences of a form.

    Parameters
    ----------
    roles : tuple of str
        The roles that make the groups.
    unknown : int
        People with a number who are in no group of the table, because a value is unknown.
    readings : tuple of str
        Each row in words.
    """

    roles: tuple[str, ...]
    unknown: Hideable[int]
    readings: tuple[str, ...]

    @classmethod
    def of(cls, finding: MeansFinding) -> Self:
        """Add the rows in words."""
        readings = tuple(say(say_mean_row(row)) for row in finding.table.rows)
        return extended(cls, finding.table, roles=finding.roles, unknown=finding.unknown, readings=readings)


@dataclass(frozen=True, kw_only=True)
class ExportedPay(PayTable):
    """One table of pay of a form.

    Parameters
    ----------
    roles : tuple of str
        The role that has two sides, and that of the categories, where there are any.
    article : str or None
        Which part of the rule asks for it.
    asks : str or None
        What that asks for, in a sentence.
    among : {"all", "receiving"}
        Whether all with a number are compared, or those with more than 0.
    unknown : int
        People of both sides who are in no row, because their category is unknown.
    rounded : bool
        Whether medians are rounded, because of small counts.
    sentence : str
        What the table comes to.
    readings : tuple of str
        Each row in words; empty for shares.
    """

    roles: tuple[str, ...]
    article: str | None
    asks: str | None
    among: Literal["all", "receiving"]
    unknown: Hideable[int]
    rounded: bool
    sentence: str
    readings: tuple[str, ...]

    @classmethod
    def of(cls, finding: PayFinding, form: PresetFinding) -> Self:
        """Add what is asked, and the table in words."""
        is_gap = finding.table.statistic in ("mean", "median")
        return extended(
            cls,
            finding.table,
            roles=finding.roles,
            article=finding.check.article,
            asks=finding.check.asks,
            among=finding.check.among,
            unknown=finding.unknown,
            rounded=finding.rounded,
            sentence=say(say_pay_table(form, finding)),
            readings=tuple(say(say_pay_row(form, finding, row)) for row in finding.table.rows) if is_gap else (),
        )


@dataclass(frozen=True)
class CountedAsUnknown:
    """Values that were counted as unknown in a form.

    Parameters
    ----------
    column : str
        The column.
    values : tuple of str
        The values as text; "(blank)" for a text of blanks.
    """

    column: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class ExportedForm:
    """A form of a rule, filled.

    Parameters
    ----------
    plan : PresetPlan
        What was asked.
    key : str
        The form's short name.
    title : str
        The title of the plan, or that of the form.
    rule : str
        The rule that asks for the form.
    section : str
        Where in the rule.
    date : str
        As of when the form follows the rule.
    notice : str
        What the form is not.
    verdict : FormVerdict
        What the form comes to, in the terms of the rule.
    sentence : str
        The answer as a paragraph.
    rate : {"selection", "scoring"}
        Whether the rate is the share of the good outcome, or of those above the median score.
    meaning : str
        What counts as selected, in words.
    median : float or None
        The median score of all people with a score; None where the rate is no scoring rate.
    where : str or None
        The filter.
    n_population : int
        People who meet the filter.
    undecided : int
        Those without a decision, or without a score.
    counted_as_unknown : tuple of CountedAsUnknown
        By column.
    file_name : str or None
        The name of an office's own file of the form; None for a form of the package.
    rates : tuple of ExportedRates
        The tables of rates; empty where the form asks for none, or the decision is an amount.
    means : tuple of ExportedMeans
        The tables of means.
    pay : tuple of ExportedPay
        The tables of pay.
    sides : tuple of PaySides
        Who is compared in them.
    notes : tuple of str
        What to keep in mind, one sentence each.
    """

    plan: PresetPlan
    key: str
    title: str
    rule: str
    section: str
    date: str
    notice: str
    verdict: FormVerdict
    sentence: str
    rate: Literal["selection", "scoring"]
    meaning: str
    median: float | None
    where: str | None
    n_population: Hideable[int]
    undecided: Hideable[int]
    counted_as_unknown: tuple[CountedAsUnknown, ...]
    file_name: str | None
    rates: tuple[ExportedRates, ...]
    means: tuple[ExportedMeans, ...]
    pay: tuple[ExportedPay, ...]
    sides: tuple[PaySides, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, finding: PresetFinding) -> Self:
        """Return a filled form with its words."""
        preset = finding.preset
        return cls(
            plan=finding.plan,
            key=preset.key,
            title=finding.title,
            rule=preset.rule,
            section=preset.section,
            date=preset.date,
            notice=preset.notice,
            verdict=read_form(finding).verdict,
            sentence=answer_text(finding),
            rate=finding.rate,
            meaning=finding.meaning,
            median=finding.median,
            where=finding.where,
            n_population=finding.n_population,
            undecided=finding.undecided,
            counted_as_unknown=tuple(CountedAsUnknown(*pair) for pair in finding.unknown_texts),
            file_name=finding.file_name,
            rates=tuple(map(ExportedRates.of, finding.rates)),
            means=tuple(map(ExportedMeans.of, finding.means)),
            pay=tuple(ExportedPay.of(pay, finding) for pay in finding.pay),
            sides=finding.sides,
            notes=form_notes(finding),
        )
