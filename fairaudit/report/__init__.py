"""From findings to what leaves the building: a PDF, a bundle of CSV files and JSON."""

from fairaudit.disclosure.gate import exported
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.compose import compose
from fairaudit.report.files import write_report
from fairaudit.report.json_export import schema, to_json
from fairaudit.report.pdf import to_pdf

__all__ = ["compose", "exported", "schema", "to_csv_bundle", "to_json", "to_pdf", "write_report"]
