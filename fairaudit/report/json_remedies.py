"""Remedies and errors as plain values for the JSON export; frames become lists of objects."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from fairaudit.measure.results import ErrorComparison, plain
from fairaudit.present.error_tables import with_group
from fairaudit.remedies.shared import amount_words as amount_remedy_words
from fairaudit.remedies.shared.learned_rows_words import learned_not_known_sentences
from fairaudit.remedies.shared.words import done_sentence, headline
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.results import Evaluation


def remedies_values(finding: RemediesFinding) -> dict[str, Any]:
    """Return the findings of remedies as JSON can hold them."""
    return {"facts": _facts(finding.facts), "remedies": [_remedy(remedy) for remedy in finding.remedies]}


def amount_remedies_values(finding: AmountRemediesFinding) -> dict[str, Any]:
    """Return the findings of remedies of amounts as JSON can hold them."""
    told = []
    for remedy in finding.remedies:
        values = {field.name: plain(getattr(remedy, field.name)) for field in fields(remedy) if field.name != "plan"}
        values["plan"] = remedy.plan.model_dump(mode="json", exclude_none=True)
        values["headline"] = " ".join(amount_remedy_words.headline(remedy, finding.facts)).strip()
        values["done"] = amount_remedy_words.done_sentence(remedy, finding.facts)
        told.append(values)
    return {"facts": _facts(finding.facts), "remedies": told}


def errors_values(errors: ErrorComparison) -> dict[str, Any]:
    """Return error rates by group as JSON can hold them."""
    frames = {name: with_group(getattr(errors, name)) for name in ("counts", "metrics", "intervals")}
    return plain(replace(errors, gaps=with_group(errors.gaps, "metric"), **frames))


def _facts(facts: StudyFacts | AmountStudyFacts) -> dict[str, Any]:
    others = {field.name: plain(getattr(facts, field.name)) for field in fields(facts) if field.name != "plan"}
    sentences = learned_not_known_sentences(facts)
    others["not_known"] = [
        plain(part) | {"sentence": told} for part, told in zip(facts.not_known, sentences, strict=True)
    ]
    return {"plan": facts.plan.model_dump(mode="json", exclude_none=True), **others}


def _remedy(finding: RemedyFinding) -> dict[str, Any]:
    return {
        "name": finding.name,
        "plan": finding.plan.model_dump(mode="json", exclude_none=True),
        "headline": " ".join(headline(finding)),
        "done": done_sentence(finding),
        "before": _evaluation(finding.before),
        "after": _evaluation(finding.after),
        "changes": [plain(change) for change in finding.changes],
        "details": plain(finding.details),
        "needs_group": bool(finding.needs_group),
        "uses_protected_features": bool(finding.uses_protected_features),
        "warnings": list(finding.warnings),
    }


def _evaluation(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "name": evaluation.name,
        "n": evaluation.n,
        "measures": [plain(measured) for measured in evaluation.measures],
        "errors": errors_values(evaluation.errors),
        "fairness": plain(evaluation.fairness),
    }
