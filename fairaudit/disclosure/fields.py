"""What an audit found is declared here field by field: what it holds, how a table shows it, and who may see it.

::

    @dataclass(frozen=True)
    class Comparison:
        tolerance: float = setting("The largest gap that still counts as alike.")
        difference: float = figure("Protected minus reference.")
        scratch: Any = None

A setting is what was asked, and words for it: always exported. A figure is made of counts: exported as far as the code
that hides small counts shows it. What is not declared is never exported. What a fit found::

    @dataclass(frozen=True, eq=False)
    class RulesDetails:
        coverage: DataFrame = fitted("On the held-out rows, one row for each rule and group.", COVERAGE)
        objective: float = fitted("The loss, counted in training rows.")

It is exported where no small counts are hidden. A field that holds a frame also declares its :func:`columns`; no
other column is exported.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, Protocol, TypedDict, TypeVar, Unpack

T = TypeVar("T")
Export = Literal["setting", "figure", "fitted", "never"]
Kind = Literal[
    "text", "code", "group", "groups", "count", "share", "points", "size", "number", "amount", "difference", "p",
    "share_interval", "points_interval", "size_interval", "number_interval", "amount_interval", "difference_interval",
]  # fmt: skip
"""How a value is shown. Shares and points are kept as fractions, an interval as ``(low, high)``, groups as a pair."""

Columns = Mapping[str, "Field"]
NO_COLUMNS: Final[Columns] = MappingProxyType({})
AS_ABOVE: Final = "as above"
"""The meaning of a field of a class that is described together with the one before it."""


class Dataclass(Protocol):
    """An object of a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[object]]]


@dataclasses.dataclass(frozen=True)
class Field:
    """A column or figure: what it holds, how a table shows it, and who may see it."""

    name: str = ""  # in exports: letters, digits, _; an interval becomes two fields there, name_low and name_high
    label: str = ""  # the column head for people; may come from data
    kind: Kind = "text"
    meaning: str = ""  # one sentence, for the JSON schema and the data dictionary
    digits: int | None = None  # decimals shown; by default 1 for shares and points, 2 for numbers
    beside: float | None = None  # a limit on its size that it is read against: near it more decimals are shown
    of: tuple[str, str] | None = None  # the columns that it is the difference of: all three show enough to subtract
    turns: bool | None = None  # whether it is of the favourable result: it turns where one reads on the other side
    type: Any = None  # what the column of a frame holds; that of an attribute is annotated
    export: Export | None = None  # who may see it: nobody where it does not say
    brief: str = ""  # the meaning for the data dictionary alone, where its table says the rest
    in_json: bool = True  # false where it repeats what stands there already
    columns: Columns = dataclasses.field(default_factory=dict)  # those of a frame
    parts: Columns = dataclasses.field(default_factory=dict)  # what a table shows of the object that it holds
    classes: Callable[[], tuple[type, ...]] | None = None  # those of what it may hold, where its type does not say


UNDECLARED: Final = Field()


class FieldDisplay(TypedDict, total=False):
    """What else a column may declare of how it is shown."""

    name: str
    digits: int | None
    beside: float | None
    of: tuple[str, str] | None
    turns: bool


class FieldOptions(FieldDisplay, total=False):
    """What else a field may declare: how it is shown, and what a dataclass asks."""

    label: str
    kind: Kind
    brief: str
    in_json: bool
    parts: Columns
    classes: Callable[[], tuple[type, ...]]
    default: object
    default_factory: Callable[[], object]
    compare: bool


OF_A_DATACLASS: Final = ("default", "default_factory", "compare")


def setting(meaning: str = "", columns: Columns = NO_COLUMNS, **options: Unpack[FieldOptions]) -> Any:
    """Declare a field that is always exported."""
    return _declared("setting", meaning, columns, options)


def figure(meaning: str = "", columns: Columns = NO_COLUMNS, **options: Unpack[FieldOptions]) -> Any:
    """Declare a field made of counts, or of parts that are: where small counts are hidden, their code shows it."""
    return _declared("figure", meaning, columns, options)


def fitted(meaning: str = "", columns: Columns = NO_COLUMNS, **options: Unpack[FieldOptions]) -> Any:
    """Declare a figure that a fit found: where small counts are hidden, it is hidden."""
    return _declared("fitted", meaning, columns, options)


def never(meaning: str = "", columns: Columns = NO_COLUMNS, **options: Unpack[FieldOptions]) -> Any:
    """Declare a field that never leaves, as one that declares nothing; this one says what it holds."""
    return _declared(None, meaning, columns, options)


def _declared(export: Export | None, meaning: str, columns: Columns, options: FieldOptions) -> Any:
    own: dict[str, Any] = {name: value for name, value in options.items() if name not in OF_A_DATACLASS}
    asked: dict[str, Any] = {name: value for name, value in options.items() if name in OF_A_DATACLASS}
    field = Field(meaning=meaning, export=export, columns=columns, **own)
    return dataclasses.field(metadata={"field": field}, **asked)


def column(
    type: Any, meaning: str, label: str = "", kind: Kind = "text", brief: str = "", **shown: Unpack[FieldDisplay]
) -> Field:
    """Declare a column of a frame; :func:`columns` gives it its name. An interval is declared at its low end."""
    return Field(label=label, kind=kind, meaning=meaning, brief=brief, type=type, **shown)


def columns(**declared: Field) -> Columns:
    """Return the columns of a frame by their names there; tables call an interval `x_interval`."""
    return {
        name: dataclasses.replace(each, name=each.name or _in_tables(name, each)) for name, each in declared.items()
    }


def _in_tables(name: str, field: Field) -> str:
    is_low = field.kind.endswith("_interval") and name.endswith("low")
    return f"{name.removesuffix('low')}interval" if is_low else name


def field_named(kind: type, name: str) -> Field:
    """Return what the field of that name of a dataclass declares."""
    return next(field_of(each) for each in dataclasses.fields(kind) if each.name == name)


def field_of(attribute: dataclasses.Field[object]) -> Field:
    """Return what a field of a dataclass declares."""
    return attribute.metadata.get("field", UNDECLARED)


def described(kind: type[T]) -> type[T]:
    """Complete the docstring of a class by what its fields hold, as parameters.

    Examples
    --------
    >>> @described
    ... @dataclasses.dataclass
    ... class Size:
    ...     \"\"\"How large something is.\"\"\"
    ...     width: float = setting("In metres.")
    >>> Size.__doc__.splitlines()[-2:]
    ['width : float', '    In metres.']
    """
    lines, meaning = [inspect.getdoc(kind) or "", "", "Parameters", "----------"], ""
    for each in dataclasses.fields(kind):  # type: ignore[arg-type]
        own = field_of(each).meaning
        meaning = meaning if own == AS_ABOVE else own
        lines += [f"{each.name} : {each.type}", f"    {meaning}"]
    kind.__doc__ = "\n".join(lines)
    return kind


class Remark(str):
    """A sentence that says what it reveals, as a field does; a plain text does not, and stays where counts are hidden.

    What is made of one, such as an f-string, is a plain text again.

    Parameters
    ----------
    text : str
        The sentence.
    reveals : {"setting", "figure", "fitted", "never"}
        ``"setting"`` for what was asked, how a file was read and how a search went, ``"figure"`` for what follows from
        the figures that it stands beside.
    """

    reveals: Export

    def __new__(cls, text: str, reveals: Export = "never") -> Remark:
        """Make a sentence."""
        made = super().__new__(cls, text)
        made.reveals = reveals
        return made

    def __getnewargs__(self) -> tuple[str, Export]:  # type: ignore[override]
        """Return what makes the same again, also in another process."""
        return (str(self), self.reveals)


def remarks(texts: Iterable[str], *, reveals: Export) -> tuple[Remark, ...]:
    """Return sentences that all reveal the same."""
    return tuple(Remark(text, reveals) for text in texts)


def shown_remarks(texts: Iterable[str], *shown: Export) -> tuple[str, ...]:
    """Return the sentences that reveal no more than is shown; none that does not say what it reveals."""
    return tuple(text for text in texts if isinstance(text, Remark) and text.reveals in shown)


def export_of(attribute: dataclasses.Field[object]) -> Export:
    """Return who may see a field of a dataclass."""
    return field_of(attribute).export or "never"


def exported_values(details: Dataclass | None) -> dict[str, object] | None:
    """Return the fields that may leave by their names; None where there are no details."""
    if details is None:
        return None
    return {
        field.name: getattr(details, field.name) for field in dataclasses.fields(details) if export_of(field) != "never"
    }


def extended(kind: type[T], held: Dataclass, **added: object) -> T:
    """Return an object as the class that adds fields to its own."""
    return kind(**{field.name: getattr(held, field.name) for field in dataclasses.fields(held)} | added)
