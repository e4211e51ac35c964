"""Read a table from a file or bytes, its kind told from the content."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from fairaudit.data.columns import Format, ReadOptions
from fairaudit.data.limits import Limits
from fairaudit.data.table import Table
from fairaudit.data.text_table import read_text
from fairaudit.data.columns import Source


def read_table(source, *, name=None, format=None, options=None, limits=None) -> Table:
    data = Path(source).read_bytes() if isinstance(source, (str, Path)) else source
    return read_text(data, name=name or "table", options=options or ReadOptions(), limits=limits or Limits(), source=Source("csv", size_bytes=len(data)))
