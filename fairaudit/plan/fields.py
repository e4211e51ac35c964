"""What a field of a plan may hold, and how a form asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from fairaudit.plan.parts import Part


@dataclass(frozen=True)
class FieldShape:
    """What a field may hold, as far as an option of a command or a form needs to know.

    `least` and `most` are in the range, `above` and `below` are not.
    """

    kind: object
    is_list: bool = False
    is_required: bool = False
    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None

    @classmethod
    def of(cls, field: FieldInfo) -> FieldShape:
        """Read it from the annotation: optional, limited, a list, one of several texts."""
        kind, limits, is_list = field.annotation, [*field.metadata], False
        while (origin := get_origin(kind)) not in (None, Literal):
            inner = [each for each in get_args(kind) if each not in (NoneType, Ellipsis)]
            if origin is Annotated:
                limits += inner[1:]
            elif origin in (Union, UnionType):
                inner = [each for each in inner if get_origin(each) is not Literal]
                if len(inner) != 1:
                    kind = str
                    break
            elif origin is tuple:
                is_list = True
            else:
                break
            kind = inner[0]
        flat = [one for each in limits for one in (each.metadata if isinstance(each, FieldInfo) else [each])]
        least, above, most, below = (
            next((limit for each in flat if (limit := getattr(each, name, None)) is not None), None)
            for name in ("ge", "gt", "le", "lt")
        )
        return cls(kind, is_list, field.is_required(), least, above, most, below)


@dataclass(frozen=True)
class Choice:
    """One of the texts that a field may hold, as a form offers it."""

    value: str
    label: str
    caption: str = ""


@dataclass(frozen=True, kw_only=True)
class InForm:
    """How a form asks for a field; it stands beside the field's type.

    `least` and `most` are what a form offers, where that is less than what a plan may hold. `none` is shown where
    the field is None; with `empty`, which says what that means, it is left empty there. A share `in_points` is asked
    for times 100. A field with `ticked` is this value where its box is ticked, and None where it is not. Without a
    `widget` named, few choices stand side by side and numbers are typed; "steps" is a slider along numbers that the
    page knows.
    """

    label: str
    help: str | None = None
    choices: tuple[Choice, ...] = ()
    widget: Literal["slider", "list", "steps"] | None = None
    in_points: bool = False
    least: float | None = None
    most: float | None = None
    step: float | None = None
    format: str | None = None
    none: float | str | None = None
    empty: str | None = None
    ticked: float | None = None

    def shown(self, value: Any) -> Any:
        """Return what a form shows for what a plan holds."""
        if self.ticked is not None:
            return value is not None
        if not isinstance(value, int | float) or isinstance(value, bool):
            return value
        least, most = (value if limit is None else limit for limit in (self.least, self.most))
        return self.scaled(type(value)(min(max(value, least), most)))

    def scaled(self, value: float) -> float:
        """Return a number in the unit that a form shows."""
        return round(100 * value, 7) if self.in_points else value

    def taken(self, shown: Any) -> Any:
        """Return what a plan holds for what a form shows."""
        if self.ticked is not None:
            return self.ticked if shown else None
        return round(shown / 100, 9) if self.in_points else shown


def form_of(part: type[Part], name: str) -> InForm:
    """Return how a form asks for a field."""
    found = (each for each in part.model_fields[name].metadata if isinstance(each, InForm))
    form = next(found, None)
    if form is None:
        raise TypeError(f"{part.__name__}.{name} does not say how a form asks for it.")
    return form
