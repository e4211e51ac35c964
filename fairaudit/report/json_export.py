"""The JSON export: every number of an audit, stable, as :func:`fairaudit.report.json_schema.schema` describes it."""

from __future__ import annotations

import json
from dataclasses import dataclass, make_dataclass
from types import GenericAlias
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field

from fairaudit.audit.result import AuditResult
from fairaudit.catalog import SECTIONS, remedies_on
from fairaudit.data.quality import QualityReport
from fairaudit.disclosure.fields import exported_values, extended, field_named, setting
from fairaudit.disclosure.gate import exported
from fairaudit.measure.plain import plain
from fairaudit.outcomes import AMOUNTS, SHARES
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import DataFacts
from fairaudit.present.cases import ExportedNotKnown, in_words, not_known_sentence
from fairaudit.sections.compare import answer_text, read_comparison
from fairaudit.sections.compare.reading import CompareVerdict
from fairaudit.sections.remedy import read_remedy, remedy_text
from fairaudit.sections.remedy.learned_rows import learned_not_known_sentences
from fairaudit.sections.remedy.saying import done_sentence
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts

# What is exported of remedies, with words for who reads the file without the report.


def classes_of_details() -> tuple[type, ...]:
    """Return the classes of what remedies found."""
    return tuple(kind.details for kind in remedies_on(SHARES) if kind.details is not None)


def classes_of_amount_details() -> tuple[type, ...]:
    """Return the classes of what remedies of amounts found."""
    return tuple(kind.details for kind in remedies_on(AMOUNTS) if kind.details is not None)


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedFacts(StudyFacts):
    """The rows and columns that all models of an audit were made from."""

    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, facts: StudyFacts) -> Self:
        """Add sentences on cases that ended undecided."""
        return extended(cls, facts, not_known=in_words(facts.not_known, learned_not_known_sentences(facts)))


@dataclass(frozen=True, eq=False, kw_only=True)
class _InWords:
    """What was done and what came of it, in words."""

    verdict: str = setting('What it did in one of a few words, such as "gap_smaller".')
    headline: str = setting("The answer, in words.")
    done: str = setting("What was done, in words.")

    @classmethod
    def of(cls, finding: RemedyFinding | AmountRemedyFinding, facts: StudyFacts | AmountStudyFacts) -> Self:
        """Add these to a remedy."""
        return extended(
            cls,
            finding,
            verdict=read_remedy(finding, facts).verdict,
            headline=remedy_text(finding, facts),
            done=done_sentence(finding, facts),
            details=exported_values(finding.details),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedRemedy(_InWords, RemedyFinding):
    """One remedy: what was done, and both models on the same held-out rows."""

    details: Any = setting(classes=classes_of_details)


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedAmountRemedy(_InWords, AmountRemedyFinding):
    """One remedy of a decision that is an amount: what was done, and both models on the same held-out rows."""

    details: Any = setting(classes=classes_of_amount_details)


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedRemedies(RemediesFinding):
    """All remedies of an audit, judged on the same held-out rows."""

    verdict: CompareVerdict = setting(
        "The best that any of them does: whether its gap is within the limit, for certain or in the test alone."
    )
    sentence: str = setting("Which remedies meet the limit and what that costs, as a paragraph.")
    facts: ExportedFacts
    remedies: tuple[ExportedRemedy, ...]

    @classmethod
    def of(cls, finding: RemediesFinding) -> Self:
        """Add the words."""
        remedies = (ExportedRemedy.of(remedy, finding.facts) for remedy in finding.remedies)
        return cls(
            facts=ExportedFacts.of(finding.facts),
            remedies=tuple(remedies),
            verdict=read_comparison(finding).verdict,
            sentence=answer_text(finding),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedAmountRemedies(AmountRemediesFinding):
    """All remedies of an audit of amounts, judged on the same held-out rows."""

    verdict: CompareVerdict = setting(
        "The best that any of them does: whether its gap is within the limit, for certain or in the test alone."
    )
    sentence: str = setting("Which remedies meet the limit and what that costs, as a paragraph.")
    facts: AmountStudyFacts
    remedies: tuple[ExportedAmountRemedy, ...]

    @classmethod
    def of(cls, finding: AmountRemediesFinding) -> Self:
        """Add the words."""
        remedies = (ExportedAmountRemedy.of(remedy, finding.facts) for remedy in finding.remedies)
        return cls(
            facts=finding.facts,
            remedies=tuple(remedies),
            verdict=read_comparison(finding).verdict,
            sentence=answer_text(finding),
        )


# The document.

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, eq=False)
class Common:
    """What every document holds beside the answers to questions."""

    schema_version: Literal[1] = setting("Version of this schema.")
    plan: AuditPlan = setting("The whole audit as data, as in plan.toml.")
    plan_digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] = setting("SHA-256 of the plan's content.")
    data: DataFacts = setting("The data that the audit was made on.")
    remedies: ExportedRemedies | None = setting("None where the plan has no remedies.")
    amount_remedies: ExportedAmountRemedies | None = setting(
        "None where the plan has no remedies, or its decision has a good outcome."
    )
    not_known: tuple[ExportedNotKnown, ...] = setting(
        "Cases that ended before anyone decided them, in the errors and follow-ups."
    )
    quality: QualityReport | None = setting("What is remarkable about the data. None where left out.")
    versions: dict[str, str] = setting("Software that computed the numbers.")
    changed_since_seal: tuple[str, ...] | None = setting(field_named(AuditResult, "changed_since_seal").meaning)
    counts_hidden_under: int | None = setting("The minimum of the small-cell rule. None: nothing is hidden.")


JsonDocument = make_dataclass(
    "JsonDocument",
    [
        (key, GenericAlias(tuple, (kind, ...)), setting(field_named(AuditResult, section.kind).meaning))
        for section in SECTIONS
        for key, kind in section.json_classes.items()
    ],
    bases=(Common,),
    namespace={
        "__doc__": """What an audit found.

    Shares and differences are fractions, not percent; every difference is protected minus reference. null means
    undefined (such as a share of no rows) or hidden by the small-cell rule.
    """
    },
    frozen=True,
    eq=False,
)


def to_json(result: AuditResult) -> str:
    """Return an audit as JSON text.

    The small-cell rule of the plan is applied first: hidden numbers are null.
    """
    values = plain(document_of(exported(result)))
    return json.dumps(values, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def document_of(result: AuditResult) -> Common:
    """Return what is exported of a result that has passed the small-cell rule."""
    small_cells, amounts = result.plan.small_cells, result.amount_remedies
    return JsonDocument(
        schema_version=SCHEMA_VERSION,
        plan=result.plan,
        plan_digest=result.plan_digest,
        data=result.data,
        **{key: held for each in SECTIONS for key, held in each.export(each.found(result)).items()},
        remedies=None if result.remedies is None else ExportedRemedies.of(result.remedies),
        amount_remedies=None if amounts is None else ExportedAmountRemedies.of(amounts),
        not_known=in_words(result.not_known, map(not_known_sentence, result.not_known)),
        quality=result.quality,
        versions=dict(result.versions),
        changed_since_seal=result.changed_since_seal,
        counts_hidden_under=small_cells.minimum if small_cells.mask else None,
    )
