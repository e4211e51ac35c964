"""What all parts of a plan share: they are frozen, and a field that is not known is an error."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    model_validator,
)

from fairaudit.defaults import CONFIDENCE_RANGE
from fairaudit.errors import PlanError
from fairaudit.plan.errors import plan_error

Filter = Annotated[str | None, AfterValidator(lambda text: text if text and text.strip() else None)]
"""Which rows are looked at, as a condition; one that is blank is none."""

Words = Annotated[str | None, AfterValidator(lambda text: text.strip() or None if text else None)]
"""Words for sentences; blank ones are none."""

Tolerance = Annotated[float, Field(ge=0, le=1)]
"""The largest gap between shares that counts as alike."""

Confidence = Annotated[float, Field(ge=CONFIDENCE_RANGE[0], le=CONFIDENCE_RANGE[1])]
"""The confidence of intervals."""


def _without_quotes(schema: Any, part: type) -> Any:
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


def _as_int(value: Any) -> Any:
    """Return a whole number of another kind, such as NumPy's or 3.0, as one of Python's; anything else as it is."""
    is_whole = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
    return int(value) if is_whole and not isinstance(value, bool) else value


class Part(BaseModel):
    """A part of a plan; one that breaks its rules is a `PlanError`, where it is made in Python, too."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    if not TYPE_CHECKING:

        def __init__(self, /, **values: Any):
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
        known = {name for part in Part.__subclasses__() for name in part.model_fields}
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
    def _no_wish(cls, given: Any) -> Any:
        if not isinstance(given, dict) or "no_group_worse_off" not in given:
            return given
        if given["no_group_worse_off"] is False:
            return {name: value for name, value in given.items() if name != "no_group_worse_off"}
        raise ValueError(
            f"holds 'no_group_worse_off', which method = \"{cls.model_fields['method'].default}\" cannot keep: it is "
            "not chosen by how groups did before; leave it out, as the result says whether a group is worse off, or "
            'take method = "constrain", "thresholds", "equalize", "relabel", "rules" or "trees"'
        )
