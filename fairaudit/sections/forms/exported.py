"""A filled form as the JSON has it: with its rule, and each table in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from fairaudit.disclosure.fields import extended, setting
from fairaudit.measure.impact import ImpactTable
from fairaudit.measure.pay import PayTable
from fairaudit.measure.plain import Hideable
from fairaudit.measure.standardized import StandardizedMeans
from fairaudit.messages import say
from fairaudit.presets.findings import (
    MeansFinding,
    PayFinding,
    PaySides,
    PresetFinding,
    RatesFinding,
    RecordEntry,
    WorkerPay,
)
from fairaudit.presets.items import PresetItem
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.status import RuleStatus
from fairaudit.sections.forms.details import form_notes, say_mean_row, say_pay_row, say_pay_table, say_rate_row
from fairaudit.sections.forms.reading import FormVerdict, read_form
from fairaudit.sections.forms.records import RecordVerdict, answers, known_text, record_verdict
from fairaudit.sections.forms.saying import answer_text


@dataclass(frozen=True, kw_only=True)
class ExportedRates(ImpactTable):
    """One table of rates and impact ratios of a form."""

    roles: tuple[str, ...] = setting("The roles that make the groups.")
    unknown: Hideable[int] = setting(
        "People with a known decision who are in no group of the table, because a value is unknown."
    )
    readings: tuple[str, ...] = setting("Each row in words.")

    @classmethod
    def of(cls, finding: RatesFinding) -> Self:
        """Add the rows in words."""
        readings = tuple(say(say_rate_row(finding, row)) for row in finding.table.rows)
        return extended(cls, finding.table, roles=finding.roles, unknown=finding.unknown, readings=readings)


@dataclass(frozen=True, kw_only=True)
class ExportedMeans(StandardizedMeans):
    """One table of standardised mean differences of a form."""

    roles: tuple[str, ...] = setting("The roles that make the groups.")
    unknown: Hideable[int] = setting(
        "People with a number who are in no group of the table, because a value is unknown."
    )
    readings: tuple[str, ...] = setting("Each row in words.")

    @classmethod
    def of(cls, finding: MeansFinding) -> Self:
        """Add the rows in words."""
        readings = tuple(say(say_mean_row(row)) for row in finding.table.rows)
        return extended(cls, finding.table, roles=finding.roles, unknown=finding.unknown, readings=readings)


@dataclass(frozen=True, kw_only=True)
class ExportedPay(PayTable):
    """One table of pay of a form."""

    roles: tuple[str, ...] = setting("The role that has two sides, and that of the categories, where there are any.")
    article: str | None = setting("Which part of the rule asks for it.")
    asks: str | None = setting("What that asks for, in a sentence.")
    among: Literal["all", "receiving"] = setting("Whether all with a number are compared, or those with more than 0.")
    unknown: Hideable[int] = setting("People of both sides who are in no row, because their category is unknown.")
    rounded: bool = setting("Whether medians are rounded, because of small counts.")
    of_means: bool = setting("Whether the column holds means of several people; then only means and gaps are known.")
    sentence: str = setting("What the table comes to.")
    readings: tuple[str, ...] = setting("Each row in words; empty for shares.")

    @classmethod
    def of(cls, finding: PayFinding, form: PresetFinding) -> Self:
        """Add what is asked, and the table in words."""
        is_gap = finding.table.has_relative_gap
        return extended(
            cls,
            finding.table,
            roles=finding.roles,
            article=finding.check.article,
            asks=finding.check.asks,
            among=finding.check.among,
            unknown=finding.unknown,
            rounded=finding.rounded,
            of_means=finding.of_means,
            sentence=say(say_pay_table(form, finding)),
            readings=tuple(say(say_pay_row(form, finding, row)) for row in finding.table.rows) if is_gap else (),
        )


@dataclass(frozen=True)
class CountedAsUnknown:
    """Values that were counted as unknown in a form."""

    column: str = setting("The column.")
    values: tuple[str, ...] = setting('The values as text; "(blank)" for a text of blanks.')


@dataclass(frozen=True)
class ExportedEntry:
    """One item of a record."""

    item: str = setting("Its name.")
    label: str = setting("The same for people.")
    article: str | None = setting("Which part of the rule asks for it.")
    asks: str | None = setting("What that asks for, in a sentence.")
    source: Literal["audit", "person", "form", "nobody"] = setting("Who states it.")
    answer: str = setting("What is stated; empty where nobody states it yet.")
    known: str = setting("What the audit says of it.")

    @classmethod
    def of(cls, item: PresetItem, entry: RecordEntry, answer: str) -> Self:
        """Return an item with its words."""
        return cls(item.item, item.label, item.article, item.asks, entry.source, answer, known_text(entry))


@dataclass(frozen=True)
class ExportedForm:
    """A form of a rule, filled."""

    plan: PresetPlan = setting("What was asked.")
    key: str = setting("The form's short name.")
    title: str = setting("The title of the plan, or that of the form.")
    rule: str = setting("The rule that asks for the form.")
    section: str = setting("Where in the rule.")
    date: str = setting("As of when the form follows the rule.")
    status: RuleStatus | None = setting(
        "How it stands with the rule, as last checked; None where an office's own file does not say so."
    )
    is_overdue: bool = setting("Whether nobody had checked that for six months when the form was filled.")
    notice: str = setting("What the form is not.")
    verdict: FormVerdict | RecordVerdict = setting("What the form comes to, in the terms of the rule.")
    sentence: str = setting("The answer as a paragraph.")
    rate: Literal["selection", "scoring"] = setting(
        "Whether the rate is the share of the good outcome, or of those above the median score."
    )
    meaning: str = setting("What counts as selected, in words.")
    median: float | None = setting(
        "The median score of all people with a score; None where the rate is no scoring rate."
    )
    where: str | None = setting("The filter.")
    n_population: Hideable[int] = setting("People who meet the filter.")
    undecided: Hideable[int] = setting("Those without a decision, or without a score.")
    counted_as_unknown: tuple[CountedAsUnknown, ...] = setting("By column.")
    file_name: str | None = setting("The name of an office's own file of the form; None for a form of the package.")
    rates: tuple[ExportedRates, ...] = setting(
        "The tables of rates; empty where the form asks for none, or the decision is an amount."
    )
    means: tuple[ExportedMeans, ...] = setting("The tables of means.")
    pay: tuple[ExportedPay, ...] = setting("The tables of pay.")
    sides: tuple[PaySides, ...] = setting("Who is compared in them.")
    worker: WorkerPay | None = setting("The pay of the worker who asked; None where the form is no answer.")
    of_counts: bool = setting("Whether the table holds numbers of people: who is in none of them is not known.")
    notes: tuple[str, ...] = setting("What to keep in mind, one sentence each.")
    as_yaml: bool = setting("Whether it is also written as YAML.")
    record: tuple[ExportedEntry, ...] = setting("Of a record, what it states; empty of all other forms.")

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
            status=preset.status,
            is_overdue=finding.is_overdue,
            notice=preset.notice,
            verdict=read_form(finding).verdict if finding.record is None else record_verdict(finding),
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
            worker=finding.worker,
            of_counts=finding.of_counts,
            notes=form_notes(finding),
            as_yaml=preset.as_yaml,
            record=() if finding.record is None else tuple(ExportedEntry.of(*each) for each in answers(finding)),
        )
