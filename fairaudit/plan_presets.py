"""The part of a plan that asks for a form of a rule: which preset, and which columns stand for what it needs."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, field_serializer, model_validator

from fairaudit.plan_parts import Part


def _names(value: Any) -> Any:
    """Let one column be written as a text and several as a list."""
    return (value,) if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], BeforeValidator(_names), Field(min_length=1)]


class PresetPlan(Part):
    """One form of a rule: a preset and the columns that it is filled from.

    `preset` is the key of a preset (``nyc144``) or the path of an office's own file, ending in ``.toml``, relative to
    the plan. `columns` gives for each role of the preset (``sex``, ``race``, ``score``) the column, or several where
    the role takes several. What counts as selected is the good outcome of the plan's decision. `where` says who is
    looked at; `references` names, by role, the group that others are compared with, where the preset leaves it open.

    `leave_out_small` leaves groups that the rule calls small out of the impact ratios; `reason` says why, in the
    report. `data_words` says where the data come from, and `dates` when the tool was audited or put to use.
    """

    preset: str
    title: str | None = None
    columns: dict[str, Names]
    where: str | None = None
    references: dict[str, str] = Field(default_factory=dict)
    leave_out_small: bool | None = None
    reason: str | None = None
    data_words: str | None = None
    dates: str | None = None

    @model_validator(mode="after")
    def _references_are_roles(self) -> PresetPlan:
        unknown = sorted(set(self.references) - set(self.columns))
        if unknown:
            raise ValueError(f"holds 'references' for {unknown[0]!r}, for which 'columns' names no column")
        return self

    @field_serializer("columns")
    def _plain_columns(self, columns: dict[str, tuple[str, ...]]) -> dict[str, Any]:
        return {role: names[0] if len(names) == 1 else list(names) for role, names in columns.items()}
