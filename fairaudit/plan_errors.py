"""Say in one sentence, with the line, what is wrong in a plan file and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from fairaudit.errors import ConditionError, FairauditError, PlanError, SpecError, near_names, quote

HEADER = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_\-]+(?:\s*\.\s*[A-Za-z0-9_\-]+)*)\s*\]\]?\s*(?:#.*)?$")
KEY = re.compile(r"""^\s*(["']?)([A-Za-z0-9_\-]+)\1\s*=""")

# What pydantic calls the error: (rule, remedy); {name} is the field's own name.
RULES = {
    "string_type": ("must be a text", 'Put it in quotes: {name} = "..."'),
    "tuple_type": ("must be a list", 'Write it in brackets: {name} = ["..."]'),
    "bool_type": ("must be true or false", "Write {name} = true or {name} = false, without quotes."),
    "bool_parsing": ("must be true or false", "Write {name} = true or {name} = false, without quotes."),
    "float_type": ("must be a number", "Write the number without quotes, with a decimal point."),
    "float_parsing": ("must be a number", "Write the number without quotes, with a decimal point."),
    "int_type": ("must be a whole number", "Write the number without quotes."),
    "int_parsing": ("must be a whole number", "Write the number without quotes."),
    "int_from_float": ("must be a whole number", "Write the number without a decimal point."),
    "model_type": ("must be a table of fields", "Give it a heading line, [{name}], and one field a line below."),
    "dataclass_type": ("must be a table of fields", "Give it a heading line, [{name}], and one field a line below."),
}


def plan_error(
    error: ValidationError, text: str, known_fields: Iterable[str], tagged: Iterable[str] = (), *, what: str = "plan"
) -> PlanError:
    """Turn the first finding of a validation into a sentence with a line number and a remedy.

    Parameters
    ----------
    error : pydantic.ValidationError
        What the schema found.
    text : str
        The plan as it was given, TOML.
    known_fields : iterable of str
        All field names of the schema, for near names.
    tagged : iterable of str
        Lists whose entries are of several kinds, told by a field.
    what : str
        What the text is, for people.

    Returns
    -------
    PlanError
        Ready to be raised.
    """
    first = error.errors(include_url=False)[0]
    path = _written_path(first, tagged)
    field = _field(path)
    name = next((part for part in reversed(path) if isinstance(part, str)), what)
    line = line_of(text, path)
    place = f"in the {what}" if line is None else f"in line {line} of the {what}"
    if first["type"] == "extra_forbidden":
        return PlanError(f"The field {quote(field)} {place} is not known.", hint=near_names(name, known_fields))
    if not path:
        return PlanError(f"The {what} {_rule(first['msg'])}.")
    if first["type"] == "missing" and isinstance(path[-1], int):
        return PlanError(f"{quote(_field(path[:-1]))} {place} lacks entry number {path[-1] + 1}.")
    if first["type"] in ("missing", "union_tag_not_found"):
        part = ".".join(p for p in path[:-1] if isinstance(p, str))
        heading = f"[[{part}]]" if any(isinstance(p, int) for p in path) else f"[{part}]"
        under = f" under {heading}" if part else ""
        return PlanError(f"The {what} lacks the field {quote(field)}.", hint=f"Add {name} = ...{under}.")
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, FairauditError):
        # A sentence of ours, which has its own remedy.
        within = f" in {quote(cause.text)}" if isinstance(cause, SpecError | ConditionError) else ""
        return PlanError(f"{quote(field)} {place} {_rule(cause.message.removesuffix('.'))}{within}.", hint=cause.hint)
    rule, remedy = RULES.get(first["type"], (_rule(first["msg"]), None))
    got = _got(first["input"])
    if first["type"] == "union_tag_invalid":
        rule, got = f"must be one of {first['ctx']['expected_tags']}", f", got {quote(first['ctx']['tag'])}"
    return PlanError(f"{quote(field)} {place} {rule}{got}.", hint=None if remedy is None else remedy.format(name=name))


def line_of(text: str, path: Iterable[str | int]) -> int | None:
    r"""Find the line of a TOML text that holds a field, or the nearest part above it.

    Parameters
    ----------
    text : str
        TOML as people and writers lay it out: one key or heading a line.
    path : iterable of str or int
        Keys and positions in lists, from the outside in.

    Returns
    -------
    int or None
        The line, counted from 1; None if no part of the path is found.

    Examples
    --------
    >>> line_of('[[checks]]\nprotected = "a"\n[[checks]]\ntolerance = "x"', ["checks", 1, "tolerance"])
    4
    """
    wanted = tuple(path)
    found: dict[tuple[str | int, ...], int] = {}
    lengths: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := HEADER.match(line):
            table = ()
            parts = re.split(r"\s*\.\s*", header[2])
            for depth, part in enumerate(parts, start=1):
                table = (*table, part)
                if depth == len(parts) and header[1] == "[[":
                    lengths[table] = lengths.get(table, 0) + 1
                if table in lengths:
                    found.setdefault(table, number)
                    table = (*table, lengths[table] - 1)
            found.setdefault(table, number)
        elif key := KEY.match(line):
            found.setdefault((*table, key[2]), number)
    for length in range(len(wanted), 0, -1):
        if wanted[:length] in found:
            return found[wanted[:length]]
    return None


def _written_path(first: Mapping[str, Any], tagged: Iterable[str]) -> tuple[str | int, ...]:
    """Return the path as it stands in the plan: the kind of an entry is no part of it, the field that tells it is."""
    path = tuple(first["loc"])
    if path and path[0] in tagged and len(path) > 2:
        path = path[:2] + path[3:]
    if first["type"].startswith("union_tag"):
        path = (*path, first["ctx"]["discriminator"].strip("'"))
    return path


def _field(path: Iterable[str | int]) -> str:
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in path)


def _rule(message: str) -> str:
    message = message.removeprefix("Value error, ")
    for start in ("Input should ", "Tuple should ", "String should "):
        message = message.replace(start, "must ")
    return message if message.startswith(("must ", "has ", "holds ")) else f"is not right: {message}"


def _got(value: Any) -> str:
    if isinstance(value, bool):
        return f", got {str(value).lower()}"
    if isinstance(value, (int, float)):
        return f", got {value}"
    return f", got {quote(value)}" if isinstance(value, str) else ""
