"""Tables: read from files, typed, counted, checked for quality, given roles."""

from __future__ import annotations

from fairaudit.data.columns import Column, ReadOptions, Source
from fairaudit.data.limits import Limits
from fairaudit.data.readers import read_table
from fairaudit.data.table import Table, as_table

__all__ = ["Column", "Limits", "ReadOptions", "Source", "Table", "as_table", "read_table"]
