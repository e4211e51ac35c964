"""What a sheet of a workbook says beside its cells: hidden rows and columns, and formulas without a stored value."""

from __future__ import annotations

import html
import io
import posixpath
import re
import zipfile
from dataclasses import dataclass

from fairaudit.findings import Count, Message
from fairaudit.messages import say

_SHEET = re.compile(r"<(?:\w+:)?sheet\s[^<>]*>")
_RELATION = re.compile(r"<(?:\w+:)?Relationship\s[^<>]*>")
_HIDDEN_ROW = re.compile(rb"<(?:\w+:)?row\s[^<>]*?\bhidden\s*=\s*[\"'](?:1|true)[\"']")
_HIDDEN_COLUMN = re.compile(rb"<(?:\w+:)?col\s[^<>]*?\bhidden\s*=\s*[\"'](?:1|true)[\"'][^<>]*>")
_END = re.compile(rb"\b(min|max)\s*=\s*[\"'](\d{1,9})[\"']")
# A formula that ends its cell, or stands before an empty value.
_UNCOMPUTED = re.compile(
    rb"(?:</(?:\w+:)?f>|<(?:\w+:)?f(?:\s[^<>]*)?/>)\s*"
    rb"(?:<(?:\w+:)?v\s*/>\s*|<(?:\w+:)?v>\s*</(?:\w+:)?v>\s*)?</(?:\w+:)?c>"
)
_WORKBOOK, _RELATIONS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"


@dataclass(frozen=True)
class SheetMarks:
    """How much of a sheet is hidden, and how many of its formulas have no stored value."""

    hidden_rows: int = 0
    hidden_columns: int = 0
    uncomputed: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence, or two, where there is anything to say."""
        said = []
        if self.hidden_rows or self.hidden_columns:
            hidden = {"rows": Count(self.hidden_rows), "columns": Count(self.hidden_columns)}
            said.append(Message("read-hidden", hidden))
        if self.uncomputed:
            said.append(Message("read-uncomputed", {"n": Count(self.uncomputed)}))
        return (say(tuple(said)),) if said else ()


def marks_of_sheet(data: bytes, sheet: str, *, width: int) -> SheetMarks:
    """Return the marks of a sheet of at most so many columns; an archive that was checked before."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        path = _path_of(archive, sheet)
        if path is None:
            return SheetMarks()
        content = archive.read(path)
    columns: set[int] = set()
    for found in _HIDDEN_COLUMN.findall(content):
        ends = {end: int(number) for end, number in _END.findall(found)}
        columns.update(range(ends.get(b"min", 1), min(ends.get(b"max", width), width) + 1))
    rows, uncomputed = len(_HIDDEN_ROW.findall(content)), len(_UNCOMPUTED.findall(content))
    return SheetMarks(rows, len(columns), uncomputed)


def _path_of(archive: zipfile.ZipFile, sheet: str) -> str | None:
    """Return where in a workbook a sheet stands; None where it does not say."""
    names = set(archive.namelist())
    if not {_WORKBOOK, _RELATIONS} <= names:
        return None
    sheets = map(_attributes, _SHEET.findall(_text(archive, _WORKBOOK)))
    relation = next((each.get("id") for each in sheets if each.get("name") == sheet), None)
    relations = map(_attributes, _RELATION.findall(_text(archive, _RELATIONS)))
    target = next((each.get("Target") for each in relations if relation and each.get("Id") == relation), None)
    if target is None:
        return None
    path = posixpath.normpath(target.lstrip("/") if target.startswith("/") else posixpath.join("xl", target))
    return path if path in names else None


def _text(archive: zipfile.ZipFile, path: str) -> str:
    return archive.read(path).decode("utf-8", errors="replace")


def _attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a tag by their names without a prefix."""
    found = re.findall(r"(?:\w+:)?(\w+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", tag)
    return {name: html.unescape(double or single) for name, double, single in found}
