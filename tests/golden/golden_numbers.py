"""The numbers of the exported documents of an audit, each once: those of the JSON, those of its tables, what they mean.

Words may change without any figure changing: these files stay the same then, to the byte.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

LEFT_OUT = ("plan", "plan_digest", "schema_version", "versions")
"""What JSON holds of the question and of the software; both stand in the text."""

Row = tuple[str, ...]


def numbers_of(exported: Mapping[str, str], hiding: Mapping[str, str]) -> str:
    """Return the values of the JSON, those of each object in one line, and how many stay where counts are hidden.

    What people read is left out where the documents hold it, too: it is reviewed there.
    """
    documents = " ".join(" ".join(without_page_ends(text) for text in _read(exported)).split())
    lines = list(_of_json(result_in(exported), "", documents))
    shown = Counter(_part(path) for path, value in leaves(result_in(hiding)) if _is_figure(value))
    figures = Counter(_part(path) for path, value in leaves(result_in(exported)) if _is_figure(value))
    lines += ["", "figures that stay where small counts are hidden:"]
    lines += [f"{part}: {shown[part]} of {n}" for part, n in figures.items()]
    return "\n".join(lines) + "\n"


def tables_of(exported: Mapping[str, str]) -> str:
    """Return all tables one after the other, each below the name of its file."""
    return "\n".join(f"{path.removeprefix('tables/')}\n{text}" for path, text in tables_in(exported).items())


def tables_in(exported: Mapping[str, str]) -> dict[str, str]:
    """Return the CSV files of an export, but for the dictionary of their columns."""
    return {path: text for path, text in exported.items() if path.endswith(".csv") and path != DICTIONARY}


DICTIONARY = "tables/data_dictionary.csv"


def columns_in(exported: Mapping[str, str]) -> list[Row]:
    """Return what the dictionary of an export says of each column, with # for the numbers in names of files."""
    _, *rows = rows_of(exported[DICTIONARY])
    return [(re.sub(r"\d+", "#", file), *others) for file, *others in rows]


def columns_text(rows: Iterable[Row]) -> str:
    """Return the columns of all tables in order, each once."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(sorted(set(rows)))
    return text.getvalue()


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of a CSV file."""
    return list(csv.reader(io.StringIO(text)))


def result_in(exported: Mapping[str, str]) -> dict[str, Any]:
    """Return what the JSON of an export holds of the answers."""
    return {name: value for name, value in json.loads(exported["result.json"]).items() if name not in LEFT_OUT}


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each value of a JSON that holds no others, and where it stands."""
    if not isinstance(value, dict | list):
        yield path, value
        return
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield from leaves(inner, (*path, str(name)))


def without_page_ends(text: str) -> str:
    """Return the text of a document without what stands between its pages."""
    return re.sub(r"(?:[^\n]*\n)?[^\n]* page \d+ of \d+\n--- page \d+ of \d+ ---\n", "", text)


def _read(exported: Mapping[str, str]) -> list[str]:
    return [text for path, text in exported.items() if path.endswith((".txt", ".csv"))]


def _of_json(value: Any, path: str, documents: str) -> Iterator[str]:
    items = list(value.items() if isinstance(value, dict) else enumerate(value))
    own = [(name, one) for name, one in items if not isinstance(one, dict | list)]
    if stated := [_stated(name, one) for name, one in own if not _is_read(one, documents)]:
        yield " ".join([f"{path}:", *stated])
    for name, inner in items:
        if isinstance(inner, dict | list):
            yield from _of_json(inner, f"{path}.{name}" if path else str(name), documents)


def _is_read(value: Any, documents: str) -> bool:
    """Say whether a value is a text for people that stands in the documents, and no word such as that of a verdict."""
    if not isinstance(value, str) or re.fullmatch(r"[a-z0-9_]*", value):
        return False
    return " ".join(value.split()) in documents


def _stated(name: str | int, value: Any) -> str:
    written = f"{value + 0.0:.10g}" if _is_figure(value) else json.dumps(value, ensure_ascii=False).strip('"')
    return f"{name}={written}" if isinstance(name, str) else written


def _is_figure(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _part(path: tuple[str, ...]) -> str:
    return ".".join(path[:3])
