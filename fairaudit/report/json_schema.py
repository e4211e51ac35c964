"""The JSON Schema of the export, made from the types that it is written from.

Each field and each column of a frame says what it holds where it is declared (:mod:`fairaudit.disclosure.fields`).
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import types
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import pandas as pd
import pydantic
from pydantic import BaseModel, ConfigDict, TypeAdapter, create_model
from pydantic.json_schema import GenerateJsonSchema

from fairaudit.disclosure.fields import AS_ABOVE, Field, field_of
from fairaudit.measure.plain import HIDEABLE
from fairaudit.report.json_export import JsonDocument

PlainValue = str | int | float | bool | None
"""What stands for a value of the data."""

ROLE = re.compile(r":\w+:`~?(?:\w+\.)*(\w+)`")


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of :func:`~fairaudit.report.json_export.to_json`.

    Returns
    -------
    dict
        Every field with its meaning.
    """
    document = TypeAdapter(model_of(JsonDocument)).json_schema(schema_generator=_Generator)
    return {"$schema": _Generator.schema_dialect, **document, "title": "fairaudit result"}


@cache
def schema_text() -> str:
    """Return the schema as it is written beside a result."""
    return json.dumps(schema(), sort_keys=True, indent=1, ensure_ascii=False) + "\n"


@cache
def described(kind: type) -> dict[str, str]:
    """Return what each field of a class holds, in the words of the class that adds it."""
    found: dict[str, str] = {}
    for one in inspect.getmro(kind):
        found |= _own_meanings(one)
    return found


def declared_fields(kind: type) -> dict[str, Field]:
    """Return what the fields of a dataclass or named tuple declare; nothing of other classes."""
    if dataclasses.is_dataclass(kind):
        return {each.name: field_of(each) for each in dataclasses.fields(kind)}
    hints = get_type_hints(kind, include_extras=True) if hasattr(kind, "_fields") else {}
    return {name: next(part for part in get_args(hint) if isinstance(part, Field)) for name, hint in hints.items()}


def _own_meanings(kind: type) -> dict[str, str]:
    declared = declared_fields(kind)
    found: dict[str, str] = {}
    above = ""
    for name in filter(declared.get, inspect.get_annotations(kind)):
        above = above if declared[name].meaning == AS_ABOVE else declared[name].meaning
        found |= {name: above} if above else {}
    return found


def summary(kind: type) -> str:
    """Return what a docstring says before its sections."""
    return _one_line(re.split(r"\n\w+\n---+\n", inspect.cleandoc(kind.__doc__ or ""))[0])


def _one_line(text: str) -> str:
    return ROLE.sub(r"\1", " ".join(text.split())).replace("``", "`")


@cache
def model_of(kind: type, undeclared: str = "setting") -> type[BaseModel]:
    """Return a model with the fields of a dataclass or named tuple that are exported.

    `undeclared` is how fields leave that do not say so themselves.
    """
    hints, texts = get_type_hints(kind, include_extras=True), described(kind)
    fields = {}
    for name, field in declared_fields(kind).items():
        export = field.export or undeclared
        if export == "never" or not field.in_json:
            continue
        if name not in texts:
            raise TypeError(f"The class {kind.__name__} does not say what its field {name!r} holds.")
        shown = _field_type(hints[name], field, f"{kind.__name__}_{name}")
        # A list of what is hidden is empty, anything else is null.
        nullable = export == "fitted" and get_origin(shown) is not list
        fields[name] = (shown | None if nullable else shown, pydantic.Field(description=texts[name]))
    return _record(kind.__name__, summary(kind), fields)


def _field_type(hint: object, field: Field, name: str) -> object:
    """Return the type of a field, with the columns of a frame or the classes of details that it may hold."""
    if field.columns:
        columns = {
            key: (_shown(column.type), pydantic.Field(description=column.meaning))
            for key, column in field.columns.items()
        }
        row = _record(name, "One row.", columns)
        return list[row] | None if type(None) in get_args(hint) else list[row]
    if field.classes is not None:
        return reduce(or_, (model_of(kind, undeclared="never") for kind in field.classes()), None)
    return _shown(hint)


def _record(name: str, text: str, fields: dict[str, tuple[object, object]]) -> type[BaseModel]:
    return create_model(name, __config__=ConfigDict(extra="forbid"), __doc__=text, **fields)


def _shown(kind: Any) -> Any:
    """Return the type of what :func:`~fairaudit.measure.plain.plain` makes of a value."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        base = _shown(parts[0])
        return base | None if HIDEABLE in parts else Annotated[base, *parts[1:]]
    if origin in (Union, types.UnionType):
        return reduce(or_, map(_shown, parts))
    if origin is tuple:
        return list[_shown(parts[0])] if parts[-1] is Ellipsis else tuple[tuple(map(_shown, parts))]
    if kind in (Any, object):
        return PlainValue
    if kind is float:
        return float | None
    if dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"):
        return model_of(kind)
    if kind is pd.DataFrame:
        raise TypeError("A field that holds a frame must declare its columns.")
    return kind


class _Generator(GenerateJsonSchema):
    """Schemas of the parts of a plan as they are written: without what is None, with all else, and described."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False

    def field_is_required(self, field: object, total: bool) -> bool:
        inner = field["schema"]
        return not (inner["type"] == "default" and inner.get("default", ...) is None)

    def model_schema(self, schema: object) -> dict[str, object]:
        return _with_texts(super().model_schema(schema), schema["cls"])

    def dataclass_schema(self, schema: object) -> dict[str, object]:
        return _with_texts(super().dataclass_schema(schema), schema["cls"]) | {"additionalProperties": False}


def _with_texts(values: dict[str, object], kind: type) -> dict[str, object]:
    """Add to the schema of a class what its docstring says."""
    if "properties" in values:
        values["description"] = summary(kind)
        for name, text in described(kind).items():
            if name in values["properties"]:
                values["properties"][name]["description"] = text
    return values
