"""The JSON export: every number of an audit, stable, documented by the JSON Schema beside this module."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from fairaudit.audit.result import AmountFinding, AuditResult, CheckFinding, ErrorsFinding
from fairaudit.disclosure.gate import exported
from fairaudit.measure.results import plain
from fairaudit.present import amount_words, words
from fairaudit.present.error_tables import with_group
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.means_words import mean_reading
from fairaudit.presets.notes import preset_notes
from fairaudit.presets.words import preset_verdict, row_reading
from fairaudit.report.json_remedies import amount_remedies_values, errors_values, remedies_values

SCHEMA_VERSION = 1


def to_json(result: AuditResult) -> str:
    """Return an audit as JSON text.

    The small-cell rule of the plan is applied first: hidden numbers are null.
    """
    result = exported(result)
    small_cells = result.plan.small_cells
    values = {
        "schema_version": SCHEMA_VERSION,
        "plan": result.plan.model_dump(mode="json", exclude_none=True),
        "plan_digest": result.plan_digest,
        "data": plain(result.data),
        "checks": [_check(finding) for finding in result.checks],
        "amounts": [_amount(finding) for finding in result.amounts],
        "errors": [_errors(finding) for finding in result.errors],
        "remedies": None if result.remedies is None else remedies_values(result.remedies),
        "amount_remedies": None if result.amount_remedies is None else amount_remedies_values(result.amount_remedies),
        "presets": [_preset(finding) for finding in result.presets],
        "quality": plain(result.quality),
        "versions": dict(result.versions),
        "counts_hidden_under": small_cells.minimum if small_cells.mask else None,
    }
    return json.dumps(values, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of :func:`to_json`."""
    return json.loads(resources.files("fairaudit.report").joinpath("schema.json").read_text(encoding="utf-8"))


def _check(finding: CheckFinding) -> dict[str, Any]:
    return {
        "plan": finding.plan.model_dump(mode="json", exclude_none=True),
        "meaning": finding.meaning,
        "where_words": finding.where_words,
        "protected_words": finding.protected_words,
        "sql": finding.sql,
        "answer": words.verdict_word(finding.result),
        "verdict": words.verdict_sentence(finding),
        "result": plain(finding.result),
        "groups": plain(finding.groups),
        "strata": plain(finding.strata),
        "not_compared": list(finding.not_compared),
        "not_known": [plain(part) | {"sentence": not_known_sentence(part)} for part in finding.not_known],
    }


def _amount(finding: AmountFinding) -> dict[str, Any]:
    return {
        "plan": finding.plan.model_dump(mode="json", exclude_none=True),
        "meaning": finding.meaning,
        "higher_is_favorable": finding.decision.higher_is_favorable,
        "where_words": finding.where_words,
        "protected_words": finding.protected_words,
        "sql": finding.sql,
        "answer": words.verdict_word(finding.result),
        "verdict": amount_words.verdict_sentence(finding),
        "result": plain(finding.result),
        "groups": plain(finding.groups),
        "strata": plain(finding.strata),
        "similar": plain(finding.similar),
        "not_compared": list(finding.not_compared),
        "not_known": [plain(part) | {"sentence": not_known_sentence(part)} for part in finding.not_known],
    }


def _errors(finding: ErrorsFinding) -> dict[str, Any]:
    return {
        "plan": finding.plan.model_dump(mode="json", exclude_none=True),
        "errors": None if finding.errors is None else errors_values(finding.errors),
        "scores": plain(finding.scores),
        "costs": None if finding.costs is None else plain(with_group(finding.costs)),
    }


def _preset(finding: PresetFinding) -> dict[str, Any]:
    preset = finding.preset
    rates = [
        plain(told.table)
        | {
            "roles": list(told.roles),
            "unknown": told.unknown,
            "readings": [row_reading(told, r) for r in told.table.rows],
        }
        for told in finding.rates
    ]
    means = [
        plain(told.table)
        | {"roles": list(told.roles), "unknown": told.unknown, "readings": [mean_reading(r) for r in told.table.rows]}
        for told in finding.means
    ]
    return {
        "plan": finding.plan.model_dump(mode="json", exclude_none=True),
        "key": preset.key,
        "title": finding.title,
        "rule": preset.rule,
        "section": preset.section,
        "date": preset.date,
        "notice": preset.notice,
        "verdict": " ".join(part for part in preset_verdict(finding) if part),
        "rate": finding.rate,
        "meaning": finding.meaning,
        "median": finding.median,
        "where": finding.where,
        "n_population": finding.n_population,
        "undecided": finding.undecided,
        "counted_as_unknown": [{"column": column, "values": list(texts)} for column, texts in finding.unknown_texts],
        "file_name": finding.file_name,
        "rates": rates,
        "means": means,
        "notes": list(preset_notes(finding)),
    }
