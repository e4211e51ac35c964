"""The JSON export: every number of an audit, stable, as :func:`fairaudit.report.schema` describes it."""

from __future__ import annotations

import json

from fairaudit.audit.result import AuditResult
from fairaudit.disclosure.gate import exported
from fairaudit.measure.plain import plain
from fairaudit.report.json_document import Document


def to_json(result: AuditResult) -> str:
    """Return an audit as JSON text.

    The small-cell rule of the plan is applied first: hidden numbers are null.
    """
    values = plain(Document.of(exported(result)))
    return json.dumps(values, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
