"""The numbers of the exported documents of an audit, without their texts.

Words may change without any figure changing: these files stay the same then, to the byte.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

LEFT_OUT = ("plan", "schema_version", "versions")
"""What JSON holds of the question and of the software; both stand in the documents."""


def numbers_of(texts: Mapping[str, str]) -> str:
    """Return the numbers of one export: those of each object of the JSON in one line, and of each row of a table."""
    lines: list[str] = []
    for path, text in sorted(texts.items()):
        if path == "result.json":
            values = {name: value for name, value in json.loads(text).items() if name not in LEFT_OUT}
            lines += _of_json(values, "")
        elif path.endswith(".csv"):
            lines += _of_table(text, path.removeprefix("tables/").removesuffix(".csv"))
    return "\n".join(lines) + "\n"


def _of_json(value: Any, path: str) -> Iterator[str]:
    items = list(value.items() if isinstance(value, dict) else enumerate(value))
    if own := [_stated(name, one) for name, one in items if _is_number(one)]:
        yield " ".join([f"{path}:", *own])
    for name, inner in items:
        if isinstance(inner, (dict, list)):
            yield from _of_json(inner, f"{path}.{name}" if path else str(name))


def _of_table(text: str, name: str) -> Iterator[str]:
    for number, row in enumerate(csv.reader(io.StringIO(text))):
        if found := [_written(float(cell)) for cell in row if _reads_as_number(cell)]:
            yield " ".join([f"{name} {number}:", *found])


def _stated(name: str | int, number: float) -> str:
    return f"{name}={_written(number)}" if isinstance(name, str) else _written(number)


def _written(number: float) -> str:
    return f"{number + 0.0:.10g}"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _reads_as_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
