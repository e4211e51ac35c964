"""The JSON export as types: the findings, and what is added to them for who reads the file without the report."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from fairaudit.audit.result import AmountFinding, AuditResult, CheckFinding, ErrorsFinding
from fairaudit.data.quality import QualityReport
from fairaudit.disclosure.fields import exported_values
from fairaudit.measure.impact import ImpactTable
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable
from fairaudit.measure.standardized import StandardizedMeans
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data_facts import DataFacts
from fairaudit.present import amount_words, words
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.presets.findings import MeansFinding, PresetFinding, RatesFinding
from fairaudit.presets.means_words import mean_reading
from fairaudit.presets.notes import preset_notes
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.words import preset_verdict, row_reading
from fairaudit.remedies.shared import amount_words as amount_remedy_words
from fairaudit.remedies.shared.learned_rows_words import learned_not_known_sentences
from fairaudit.remedies.shared.words import done_sentence, headline
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts

SCHEMA_VERSION = 1

Answer = Literal["Yes", "No", "Too close to call", "Cannot say", "Not shown"]


def _extended(kind: type, finding: Any, **added: Any) -> Any:
    """Return a finding as the class that adds fields to its own."""
    return kind(**{f.name: getattr(finding, f.name) for f in fields(finding)} | added)


@dataclass(frozen=True)
class ExportedNotKnown(NotKnown):
    """Values of a column that say that something is not known, and where rows with them are counted.

    Parameters
    ----------
    sentence : str
        The same in words.
    """

    sentence: str


@dataclass(frozen=True, kw_only=True)
class ExportedCheck(CheckFinding):
    """One controlled-fairness question and its answer.

    Parameters
    ----------
    answer : {"Yes", "No", "Too close to call", "Cannot say", "Not shown"}
        The answer in a word or two.
    verdict : str
        The answer as a paragraph.
    """

    answer: Answer
    verdict: str
    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, finding: CheckFinding) -> Self:
        """Add the answer in words."""
        return _extended(
            cls,
            finding,
            answer=words.verdict_word(finding.result),
            verdict=words.verdict_sentence(finding),
            not_known=_in_words(finding.not_known, map(not_known_sentence, finding.not_known)),
        )


@dataclass(frozen=True, kw_only=True)
class ExportedAmount(AmountFinding):
    """One question about a decision that is an amount, and its answer.

    Parameters
    ----------
    higher_is_favorable : bool
        Whether more is better for the person.
    answer : {"Yes", "No", "Too close to call", "Cannot say", "Not shown"}
        The answer in a word or two.
    verdict : str
        The answer as a paragraph.
    """

    higher_is_favorable: bool
    answer: Answer
    verdict: str
    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, finding: AmountFinding) -> Self:
        """Add the answer in words."""
        return _extended(
            cls,
            finding,
            higher_is_favorable=finding.decision.higher_is_favorable,
            answer=words.verdict_word(finding.result),
            verdict=amount_words.verdict_sentence(finding),
            not_known=_in_words(finding.not_known, map(not_known_sentence, finding.not_known)),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedFacts(StudyFacts):
    """The rows and columns that all models of an audit were made from."""

    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, facts: StudyFacts) -> Self:
        """Add sentences on values that are not known."""
        return _extended(cls, facts, not_known=_in_words(facts.not_known, learned_not_known_sentences(facts)))


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedAmountFacts(AmountStudyFacts):
    """The rows and columns that all models of an amount were made from."""

    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, facts: AmountStudyFacts) -> Self:
        """Add sentences on values that are not known."""
        return _extended(cls, facts, not_known=_in_words(facts.not_known, learned_not_known_sentences(facts)))


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedRemedy(RemedyFinding):
    """One remedy: what was done, and both models on the same held-out rows.

    Parameters
    ----------
    headline : str
        What changed, in words.
    done : str
        What was done, in words.
    """

    headline: str
    done: str

    @classmethod
    def of(cls, finding: RemedyFinding) -> Self:
        """Add what was done and what came of it, in words."""
        return _extended(
            cls,
            finding,
            details=exported_values(finding.details),
            headline=" ".join(headline(finding)),
            done=done_sentence(finding),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedAmountRemedy(AmountRemedyFinding):
    """One remedy of a decision that is an amount: what was done, and both models on the same held-out rows.

    Parameters
    ----------
    headline : str
        What changed, in words.
    done : str
        What was done, in words.
    """

    headline: str
    done: str

    @classmethod
    def of(cls, finding: AmountRemedyFinding, facts: AmountStudyFacts) -> Self:
        """Add what was done and what came of it, in words."""
        return _extended(
            cls,
            finding,
            details=exported_values(finding.details),
            headline=" ".join(amount_remedy_words.headline(finding, facts)).strip(),
            done=amount_remedy_words.done_sentence(finding, facts),
        )


@dataclass(frozen=True, eq=False)
class ExportedRemedies(RemediesFinding):
    """All remedies of an audit, judged on the same held-out rows."""

    facts: ExportedFacts
    remedies: tuple[ExportedRemedy, ...]

    @classmethod
    def of(cls, finding: RemediesFinding) -> Self:
        """Add the words."""
        return cls(ExportedFacts.of(finding.facts), tuple(map(ExportedRemedy.of, finding.remedies)))


@dataclass(frozen=True, eq=False)
class ExportedAmountRemedies(AmountRemediesFinding):
    """All remedies of an audit of amounts, judged on the same held-out rows."""

    facts: ExportedAmountFacts
    remedies: tuple[ExportedAmountRemedy, ...]

    @classmethod
    def of(cls, finding: AmountRemediesFinding) -> Self:
        """Add the words."""
        remedies = (ExportedAmountRemedy.of(remedy, finding.facts) for remedy in finding.remedies)
        return cls(ExportedAmountFacts.of(finding.facts), tuple(remedies))


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
        readings = tuple(row_reading(finding, row) for row in finding.table.rows)
        return _extended(cls, finding.table, roles=finding.roles, unknown=finding.unknown, readings=readings)


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
        readings = tuple(map(mean_reading, finding.table.rows))
        return _extended(cls, finding.table, roles=finding.roles, unknown=finding.unknown, readings=readings)


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
    verdict : str
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
    verdict: str
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
            verdict=" ".join(part for part in preset_verdict(finding) if part),
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
            notes=preset_notes(finding),
        )


@dataclass(frozen=True, eq=False)
class Document:
    """What an audit found.

    Shares and differences are fractions, not percent; every difference is protected minus reference. null means
    undefined (such as a share of no rows) or hidden by the small-cell rule.

    Parameters
    ----------
    schema_version : {1}
        Version of this schema.
    plan : AuditPlan
        The whole audit as data, as in plan.toml.
    plan_digest : str
        SHA-256 of the plan's content.
    data : DataFacts
        The data that the audit was made on.
    checks : tuple of ExportedCheck
        One for each controlled-fairness question, in the order of the plan.
    amounts : tuple of ExportedAmount
        One for each question, in the order of the plan, where the decision is an amount; else empty.
    errors : tuple of ErrorsFinding
        One for each question about errors, in the order of the plan.
    remedies : ExportedRemedies or None
        None where the plan has no remedies.
    amount_remedies : ExportedAmountRemedies or None
        None where the plan has no remedies, or its decision has a good outcome.
    presets : tuple of ExportedForm
        One for each form of a rule, in the order of the plan.
    quality : QualityReport or None
        What is remarkable about the data. None where left out.
    versions : dict of str
        Software that computed the numbers.
    counts_hidden_under : int or None
        The minimum of the small-cell rule. None: nothing is hidden.
    """

    schema_version: Literal[1]
    plan: AuditPlan
    plan_digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    data: DataFacts
    checks: tuple[ExportedCheck, ...]
    amounts: tuple[ExportedAmount, ...]
    errors: tuple[ErrorsFinding, ...]
    remedies: ExportedRemedies | None
    amount_remedies: ExportedAmountRemedies | None
    presets: tuple[ExportedForm, ...]
    quality: QualityReport | None
    versions: dict[str, str]
    counts_hidden_under: int | None

    @classmethod
    def of(cls, result: AuditResult) -> Self:
        """Return what is exported of a result that has passed the small-cell rule."""
        small_cells = result.plan.small_cells
        return cls(
            schema_version=SCHEMA_VERSION,
            plan=result.plan,
            plan_digest=result.plan_digest,
            data=result.data,
            checks=tuple(map(ExportedCheck.of, result.checks)),
            amounts=tuple(map(ExportedAmount.of, result.amounts)),
            errors=result.errors,
            remedies=None if result.remedies is None else ExportedRemedies.of(result.remedies),
            amount_remedies=None
            if result.amount_remedies is None
            else ExportedAmountRemedies.of(result.amount_remedies),
            presets=tuple(map(ExportedForm.of, result.presets)),
            quality=result.quality,
            versions=dict(result.versions),
            counts_hidden_under=small_cells.minimum if small_cells.mask else None,
        )


def _in_words(parts: tuple[NotKnown, ...], sentences: Any) -> tuple[ExportedNotKnown, ...]:
    """Add a sentence to each value that is not known."""
    return tuple(_extended(ExportedNotKnown, part, sentence=text) for part, text in zip(parts, sentences, strict=True))
