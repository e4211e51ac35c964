"""From findings to what leaves the building: a PDF, a bundle of CSV files and JSON."""

from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.compose import compose
from fairaudit.report.json_export import schema, to_json

__all__ = ["compose", "schema", "to_csv_bundle", "to_json"]
