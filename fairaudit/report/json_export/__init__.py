"""The JSON export and its schema, both made from the same types."""

from fairaudit.report.json_export.document import to_json
from fairaudit.report.json_export.schema import schema

__all__ = ["schema", "to_json"]
