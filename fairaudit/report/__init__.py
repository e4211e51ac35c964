"""From findings to what leaves the building: a PDF, a bundle of CSV files and JSON.

Every name is imported when it is first asked for: JSON and CSV need no library that draws.
"""

from typing import TYPE_CHECKING

from fairaudit.late import late_names

if TYPE_CHECKING:
    from fairaudit.disclosure.gate import exported
    from fairaudit.report.bundle import to_csv_bundle
    from fairaudit.report.composing import compose_annexes, compose_report, write_report
    from fairaudit.report.json_export import to_json
    from fairaudit.report.json_schema import schema
    from fairaudit.report.pdf import to_pdf, to_picture

__all__ = [
    "compose_annexes",
    "compose_report",
    "exported",
    "schema",
    "to_csv_bundle",
    "to_json",
    "to_pdf",
    "to_picture",
    "write_report",
]

__getattr__ = late_names(
    __name__,
    {
        "compose_annexes": "fairaudit.report.composing",
        "compose_report": "fairaudit.report.composing",
        "exported": "fairaudit.disclosure.gate",
        "schema": "fairaudit.report.json_schema",
        "to_csv_bundle": "fairaudit.report.bundle",
        "to_json": "fairaudit.report.json_export",
        "to_pdf": "fairaudit.report.pdf",
        "to_picture": "fairaudit.report.pdf",
        "write_report": "fairaudit.report.composing",
    },
)
