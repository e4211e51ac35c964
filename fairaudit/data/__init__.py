"""Tables: read from files, typed, counted, checked for quality, given roles."""

from __future__ import annotations

from fairaudit.columns import Column, ReadOptions, Source
from fairaudit.data.given import as_table
from fairaudit.data.limits import Limits
from fairaudit.data.quality import ColumnQuality, QualityIssue, QualityReport, quality_report
from fairaudit.data.readers import FolderFile, list_folder, open_from_folder, read_table
from fairaudit.data.roles import Outcome, make_outcome
from fairaudit.data.table import Table

__all__ = [
    "Column",
    "ColumnQuality",
    "FolderFile",
    "Limits",
    "Outcome",
    "QualityIssue",
    "QualityReport",
    "ReadOptions",
    "Source",
    "Table",
    "as_table",
    "list_folder",
    "make_outcome",
    "open_from_folder",
    "quality_report",
    "read_table",
]
