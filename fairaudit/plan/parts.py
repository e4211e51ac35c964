"""What all parts of a plan share: they are frozen, and an error in a file is said with its line."""

from __future__ import annotations

import re
import tomllib
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any, SupportsInt, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    model_validator,
)

from fairaudit.defaults import CONFIDENCE_RANGE
from fairaudit.errors import (
    ConditionError,
    FairauditError,
    InputError,
    PlanError,
    SpecError,
    in_brief,
    near_names,
    quote,
)
from fairaudit.measure.vocabulary import hint_on, read_word

# Say in one sentence, with the line, what is wrong in a plan file and what to do about it.

HEADER = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_\-]+(?:\s*\.\s*[A-Za-z0-9_\-]+)*)\s*\]\]?\s*(?:#.*)?$")
KEY = re.compile(r"""^\s*(["']?)([A-Za-z0-9_\-]+)\1\s*=""")

LONG_NUMBER = re.compile(r"\d[\d_]{999}")

# What pydantic calls the error: (rule, remedy); {name} is the field's own name, {o} and {c} are the brackets of
# the lists that hold the value.
RULES = {
    "string_type": ("must be a text", 'Put it in quotes: {name} = {o}"..."{c}'),
    "tuple_type": ("must be a list", 'Write it in brackets: {name} = {o}["..."]{c}'),
    "bool_type": ("must be true or false", "Write {name} = true or {name} = false, without quotes."),
    "bool_parsing": ("must be true or false", "Write {name} = true or {name} = false, without quotes."),
    "string_too_short": ("must not be blank", 'Write it in quotes: {name} = {o}"..."{c}'),
    "finite_number": ("must be a finite number", "Write the number with its digits."),
    "float_type": ("must be a number", "Write the number without quotes, with a decimal point."),
    "float_parsing": ("must be a number", "Write the number without quotes, with a decimal point."),
    "int_type": ("must be a whole number", "Write the number without quotes."),
    "int_parsing": ("must be a whole number", "Write the number without quotes."),
    "int_from_float": ("must be a whole number", "Write the number without a decimal point."),
    "model_type": ("must be a table of fields", "Give it a heading line, [{name}], and one field a line below."),
    "dataclass_type": ("must be a table of fields", "Give it a heading line, [{name}], and one field a line below."),
}


def read_toml(text: str, *, what: str, hint: str) -> dict[str, object]:
    """Read TOML, and say in one sentence what stands against it."""
    try:
        # Editors on Windows put a mark of the byte order before the first sign.
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"The {what} is not valid TOML: {error}.", hint=hint) from None
    except RecursionError:
        message = f"The {what} cannot be read: its brackets are nested too deeply."
        raise PlanError(message, hint="Write a list, or at most a list of lists.") from None
    except ValueError:
        # Python refuses to read whole numbers of thousands of digits.
        line = next((i for i, each in enumerate(text.splitlines(), start=1) if LONG_NUMBER.search(each)), None)
        place = "a number" if line is None else f"the number in line {line}"
        raise PlanError(f"The {what} cannot be read: {place} is too long.", hint="Write 0.8, or 80.") from None


def plan_error(
    error: ValidationError,
    text: str,
    known_fields: Iterable[str],
    *,
    top: Collection[str],
    tagged: Iterable[str] = (),
    what: str = "plan",
) -> PlanError:
    """Turn the first finding of a validation into a sentence with a line number and a remedy."""
    first = error.errors(include_url=False)[0]
    path = _written_path(first, tagged)
    field = _field(path)
    name = next((part for part in reversed(path) if isinstance(part, str)), what)
    line = line_of(text, path)
    place = f"in the {what}" if line is None else f"in line {line} of the {what}"
    if first["type"] == "extra_forbidden":
        known = tuple(known_fields)
        if name in known:
            hint = f"It is known in another part of the {what}: move it below the heading of that part."
            return PlanError(f"The field {quote(field)} {place} does not belong there.", hint=hint)
        hint = near_names(name, top, most=len(top)) if len(path) == 1 else near_names(name, known)
        return PlanError(f"The field {quote(field)} {place} is not known.", hint=hint)
    cause = first.get("ctx", {}).get("error")
    if not path:
        if isinstance(cause, FairauditError):
            return PlanError(f"The {what} {_rule(cause.message.removesuffix('.'))}.", hint=cause.hint)
        return PlanError(f"The {what} {_rule(first['msg'])}.")
    if first["type"] == "missing" and isinstance(path[-1], int):
        return PlanError(f"{quote(_field(path[:-1]))} {place} lacks entry number {path[-1] + 1}.")
    if first["type"] in ("missing", "union_tag_not_found"):
        part = ".".join(p for p in path[:-1] if isinstance(p, str))
        heading = f"[[{part}]]" if any(isinstance(p, int) for p in path) else f"[{part}]"
        under = f" under {heading}" if part else ""
        return PlanError(f"The {what} lacks the field {quote(field)}.", hint=f"Add {name} = ...{under}.")
    if isinstance(cause, FairauditError):
        # A sentence of ours, which has its own remedy.
        within = f" in {quote(cause.text)}" if isinstance(cause, SpecError | ConditionError) else ""
        return PlanError(f"{quote(field)} {place} {_rule(cause.message.removesuffix('.'))}{within}.", hint=cause.hint)
    rule, remedy = RULES.get(first["type"]) or _limit(first)
    got = _got(first["input"])
    if first["type"] == "union_tag_invalid":
        rule, got = f"must be one of {first['ctx']['expected_tags']}", f", got {quote(first['ctx']['tag'])}"
    if remedy is not None:
        depth = len(path) - 1 - max(i for i, part in enumerate(path) if isinstance(part, str))
        remedy = remedy.format(name=name, o="[" * depth, c="]" * depth)
    return PlanError(f"{quote(field)} {place} {rule}{got}.", hint=remedy)


def line_of(text: str, path: Iterable[str | int]) -> int | None:
    r"""Find the line of a TOML text that holds a field, or the nearest part above it.

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
    """Return the path as it stands in the plan: without the kind of an entry, with the field that names it."""
    path = tuple(first["loc"])
    if path and path[0] in tagged and len(path) > 2:
        path = path[:2] + path[3:]
    if first["type"].startswith("union_tag"):
        path = (*path, first["ctx"]["discriminator"].strip("'"))
    return path


def _field(path: Iterable[str | int]) -> str:
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in path)


def _limit(first: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the rule of a limit that was broken, and what to write instead."""
    kind, value, context = first["type"], first["input"], first.get("ctx", {})
    if kind == "too_short":
        return f"must have at least {context['min_length']} item", "Write at least one between the brackets."
    if kind == "string_too_long":
        return f"must have at most {context['max_length']:,} signs", "Shorten it."
    rule = _rule(first["msg"])
    if kind in ("less_than", "less_than_equal"):
        if context.get("lt", context.get("le")) == 1 and isinstance(value, int | float) and 1 < value <= 100:
            return rule, f"A share is written between 0 and 1: {{name}} = {value / 100:g}."
        return rule, "Write a smaller number."
    if kind in ("greater_than", "greater_than_equal"):
        return rule, "Write a larger number."
    return rule, "Write one of these." if kind == "literal_error" else None


def _rule(message: str) -> str:
    message = message.removeprefix("Value error, ")
    for start in ("Input should ", "Tuple should ", "String should "):
        message = message.replace(start, "must ")
    return message if message.startswith(("must ", "has ", "holds ", "is of ")) else f"is not right: {message}"


def _got(value: object) -> str:
    if isinstance(value, bool):
        return f", got {str(value).lower()}"
    if isinstance(value, (int, float)):
        return f", got {in_brief(value)}"
    return f", got {quote(value)}" if isinstance(value, str) else ""


def word_of(words: Sequence[str]) -> BeforeValidator:
    """Return what reads a word for what is compared, one of before included; another package's has a hint."""

    def read(value: object) -> object:
        found = read_word(value, words) if isinstance(value, str) else value
        if isinstance(found, str) and found not in words and (hint := hint_on(found, words)) is not None:
            *first, last = map(repr, words)
            raise InputError(f"must be {', '.join(first)} or {last}, got {quote(found)}.", hint=hint)
        return found

    return BeforeValidator(read)


Filter = Annotated[
    str | None,
    AfterValidator(lambda text: text if text and text.strip() else None),
    Field(description="Who is looked at, as a condition."),
]
"""Which rows are looked at, as a condition; one that is blank is none."""

Words = Annotated[str | None, AfterValidator(lambda text: text.strip() or None if text else None)]
"""Words for sentences; blank ones are none."""

Tolerance = Annotated[float, Field(ge=0, le=1)]
"""The largest gap between shares that counts as alike."""

Confidence = Annotated[float, Field(ge=CONFIDENCE_RANGE[0], le=CONFIDENCE_RANGE[1], description="Of the intervals.")]
"""The confidence of intervals."""


def _without_quotes(schema: object, part: type) -> object:
    """Return the schema of a part that takes no number and no truth in quotes, which pydantic would read."""
    if isinstance(schema, list):
        return [_without_quotes(each, part) for each in schema]
    if not isinstance(schema, dict) or schema.get("cls", part) is not part:
        return schema
    kind = schema.get("type")
    strict = {"strict": True} if kind in ("bool", "float", "int") else {}
    made = {name: _without_quotes(each, part) for name, each in schema.items()} | strict
    if kind != "int":
        return made
    return {"type": "function-before", "function": {"type": "no-info", "function": _as_int}, "schema": made}


def _as_int(value: object) -> object:
    """Return a whole number of another kind, such as NumPy's or 3.0, as one of Python's; anything else as it is."""
    is_whole = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
    return int(value) if is_whole and isinstance(value, SupportsInt) and not isinstance(value, bool) else value


def _with_subclasses(part: type[Part]) -> Iterator[type[Part]]:
    yield part
    for each in part.__subclasses__():
        yield from _with_subclasses(each)


class Part(BaseModel):
    """A part of a plan; one that breaks its rules is a `PlanError`, where it is made in Python, too."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    if not TYPE_CHECKING:

        def __init__(self, /, **values: object):
            try:
                super().__init__(**values)
            except ValidationError as error:
                raise self.sentence(error, what=type(self).__name__) from None

        # A part inside another one is not made by this, so that the outermost knows where its error stands.
        __init__.__pydantic_base_init__ = True

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return _without_quotes(handler(source), cls)

    @classmethod
    def sentence(cls, error: ValidationError, text: str = "", *, what: str = "plan") -> PlanError:
        """Return what pydantic found as an error of ours, with the line where the part was read from a text."""
        known = {name for part in _with_subclasses(Part) for name in part.model_fields}
        return plan_error(error, text, sorted(known), top=cls.model_fields, tagged=("remedies",), what=what)


SomePart = TypeVar("SomePart", bound=Part)


def as_part(plan: Part, kind: type[SomePart]) -> SomePart:
    """Return a part of a plan that is of a kind where what holds it might hold another."""
    if not isinstance(plan, kind):
        raise TypeError(f"A {type(plan).__name__} stands where there must be a {kind.__name__}.")
    return plan


class CannotKeepGroups(Part):
    """A part that asks for a model which cannot be asked to leave no group worse off than before."""

    @model_validator(mode="before")
    @classmethod
    def _no_wish(cls, given: object) -> object:
        if not isinstance(given, dict) or "no_group_worse_off" not in given:
            return given
        if given["no_group_worse_off"] is False:
            return {name: value for name, value in given.items() if name != "no_group_worse_off"}
        raise ValueError(
            f"holds 'no_group_worse_off', which method = \"{cls.model_fields['method'].default}\" cannot keep: it is "
            "not chosen by how groups did before; leave it out, as the result says whether a group is worse off, or "
            'take method = "constrain", "thresholds", "equalize", "relabel", "rules" or "trees"'
        )


class QuestionPart(Part):
    """A part of a plan that asks something: among which rows, and of which columns."""

    where: Filter = None

    @property
    @abstractmethod
    def named_columns(self) -> set[str]:
        """The columns that are named, besides those of conditions: a table without them cannot be asked."""
