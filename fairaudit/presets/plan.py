"""The part of a plan that asks for a form of a rule: which preset, and which columns stand for what it needs."""

from __future__ import annotations

import datetime
from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer, StringConstraints, model_validator

from fairaudit.conditions.tree import read_date
from fairaudit.errors import InputError, quote
from fairaudit.plan.fields import InForm
from fairaudit.plan.parts import Filter, Part


def _names(value: object) -> object:
    """Let one column be written as a text and several as a list."""
    return (value,) if isinstance(value, str) else value


def as_text(value: object) -> object:
    """Let a number be written for its text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def as_day(value: object) -> str | None:
    """Return a day as text: year, month and day.

    Examples
    --------
    >>> as_day(datetime.date(2026, 3, 1))
    '2026-03-01'
    """
    # A point in time is a date to Python, and no day.
    day = read_date(value) if isinstance(value, str) else value if type(value) is datetime.date else None
    if day is None and value is not None:
        raise InputError(
            f"must be a day of the calendar, got {quote(value)}",
            hint="Write its year, month and day, such as 2026-03-01, or leave it out.",
        )
    return None if day is None else day.isoformat()


def _values(value: object) -> object:
    """Let one value be written alone, and numbers for their texts."""
    if isinstance(value, list | tuple):
        return tuple(map(as_text, value))
    return _names(as_text(value))


def _one_or_several(names: tuple[str, ...]) -> str | list[str]:
    """Write one as a text and several as a list."""
    return names[0] if len(names) == 1 else list(names)


OneOrSeveral = str | Annotated[tuple[str, ...], Field(min_length=1)]
Names = Annotated[
    tuple[str, ...],
    BeforeValidator(_names, json_schema_input_type=OneOrSeveral),
    PlainSerializer(_one_or_several),
    Field(min_length=1),
]
Values = Annotated[
    tuple[str, ...],
    BeforeValidator(_values, json_schema_input_type=OneOrSeveral),
    PlainSerializer(_one_or_several),
    Field(min_length=1),
]
Written = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000)]
Day = Annotated[str | None, BeforeValidator(as_day)]
RealDay = Annotated[str, BeforeValidator(as_day)]


class PresetPlan(Part):
    """One form of a rule: a preset and the columns that it is filled from.

    What counts as selected is the good outcome of the plan's decision.
    """

    preset: str = Field(
        description=(
            "The key of a preset (`nyc144`) or the path of an office's own file, ending in `.toml`, relative to the "
            "plan."
        ),
    )
    title: str | None = Field(default=None, description="The title of the form.")
    columns: dict[str, Names] = Field(
        default_factory=dict,
        description=(
            "For each role of the preset (`sex`, `race`, `score`) the column, or several where the role takes several."
        ),
    )
    where: Annotated[Filter, InForm(label="Who is looked at")] = None
    references: dict[str, str] = Field(
        default_factory=dict,
        description="By role, the group that others are compared with, where the preset leaves it open.",
    )
    unknown: dict[str, Values] = Field(
        default_factory=dict,
        description=(
            "By role, values that mean unknown besides those that the preset lists; numbers are written as text."
        ),
    )
    known: dict[str, Values] = Field(
        default_factory=dict, description="By role, values of the preset's list that mean a group here, as NA may."
    )
    counted: dict[str, Filter] = Field(
        default_factory=dict,
        description=(
            "By role of pay, who counts in its figures, as a condition, where these are not all who are looked at."
        ),
    )
    compared: dict[str, Values] = Field(
        default_factory=dict,
        description=(
            "By role, the values that mean each of the two sides of a gap in pay, in place of the preset's, written "
            "as text."
        ),
    )
    compared_with: dict[str, Values] = Field(
        default_factory=dict,
        description=(
            "By role, the values that mean each of the two sides of a gap in pay, in place of the preset's, written "
            "as text."
        ),
    )
    justified: dict[str, Written] = Field(
        default_factory=dict,
        description="By category of workers, the objective and gender-neutral reasons for its gap, in a sentence.",
    )
    remedied: dict[str, RealDay] = Field(
        default_factory=dict, description="By category of workers, on which day its gap was remedied."
    )
    reported: Annotated[Day, InForm(label="Day of the report of the gaps")] = Field(
        default=None,
        description=("On which day the gaps were reported: what is not justified is to be remedied within six months."),
    )
    measures: dict[str, Written] = Field(
        default_factory=dict,
        description="By category of workers, the measures that address its gap, in a sentence.",
    )
    evaluation: Annotated[Written | None, InForm(label="How measures of earlier assessments worked")] = Field(
        default=None, description="How well the measures of earlier joint assessments worked, in a sentence."
    )
    worker: Annotated[Filter, InForm(label="The worker who asked")] = Field(
        default=None, description="The worker who is answered, as a condition that one row meets."
    )
    answers: dict[str, Written] = Field(
        default_factory=dict, description="Of a record, by item: what a person writes in it."
    )
    reasons: dict[str, Written] = Field(
        default_factory=dict,
        description="Of a record, by item: what a person writes in it before the result, sealed with the plan.",
    )
    leave_out_small: bool | None = Field(
        default=None, description="Leaves groups that the rule calls small out of the impact ratios, or keeps them in."
    )
    reason: Annotated[str | None, InForm(label="Reason")] = Field(
        default=None, description="Why they are left out, in the report."
    )
    data_words: Annotated[str | None, InForm(label="Source of the data", empty="where they come from")] = Field(
        default=None, description="Where the data come from."
    )
    audit_date: Annotated[Day, InForm(label="Date of the bias audit")] = Field(
        default=None, description="On which day the audit was made, such as 2026-03-01."
    )
    distribution_date: Annotated[Day, InForm(label="Distribution date")] = Field(
        default=None, description="Since which day the tool is used."
    )
    file_digest: str | None = Field(
        default=None,
        description=(
            "The SHA-256 of an office's own file when the plan was saved, so that a change of the file is noticed; "
            "the package's own presets have none."
        ),
    )

    @model_validator(mode="after")
    def _settings_are_for_roles(self) -> PresetPlan:
        for name in ("references", "unknown", "known", "counted", "compared", "compared_with"):
            setting = getattr(self, name)
            lost = sorted(set(setting) - set(self.columns))
            if lost:
                raise ValueError(f"holds {name!r} for {lost[0]!r}, for which 'columns' names no column")
        return self
