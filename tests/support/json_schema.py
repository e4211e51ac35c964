"""The schema of the JSON, made once, and what it has against a document."""

from __future__ import annotations

from functools import cache

import jsonschema

from fairaudit.report.json_schema import schema


@cache
def validator() -> jsonschema.Draft202012Validator:
    """Return the validator of the schema."""
    return jsonschema.Draft202012Validator(schema())


def against_schema(values) -> list[str]:
    """Return what the schema has against a document."""
    return [f"{error.json_path}: {error.message}" for error in validator().iter_errors(values)]
