"""A model that is trained to meet constraints: the part of a plan that asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from fairaudit.data.table import Table
from fairaudit.errors import InputError, near_names, quote
from fairaudit.plan.fields import InForm
from fairaudit.plan.models import ProbabilisticLearner, model_choices
from fairaudit.remedies.part import (
    HELD_ON_NEW_PEOPLE,
    HOLDS_ONE_OF_TWO,
    HeldAmongSimilar,
    HoldOnNewPeople,
    NoGroupWorseOff,
)
from fairaudit.remedies.plain.plan import PlainPlan

if TYPE_CHECKING:
    import pandas as pd

    from fairaudit.estimators.constraints import FairnessSpec


def _readable(text: str) -> str:
    """Refuse a text that holds no constraint, so that the plan's error names the entry."""
    from fairaudit.estimators.constraints import parse_specs

    parse_specs(text)
    return text


class ConstrainPlan(HeldAmongSimilar):
    """A model that is trained to meet constraints, such as ``"fpr by race <= 0.03"``, at the least loss of accuracy.

    Metrics are those of the outcome that ``models.positive`` names. The model learns from the training part; whether
    constraints are met is judged on the tuning part while multipliers are searched for.
    """

    does = "A model is trained again and again, until the groups are as near to each other as you asked."
    keeps_model = True

    method: Literal["constrain"] = Field(default="constrain", description="The kind of remedy.")
    model: Annotated[
        ProbabilisticLearner,
        InForm(
            label="Model that is trained",
            choices=model_choices("logistic_regression", "random_forest", "gradient_boosting", "mlp"),
        ),
    ] = Field(default="logistic_regression", description="What learns.")
    constraints: Annotated[
        Annotated[tuple[Annotated[str, AfterValidator(_readable)], ...], Field(min_length=1)],
        InForm(
            label="Limits, one a line",
            help="Ctrl+Enter takes what is written.",
            empty="such as: fpr by race <= 0.03",
        ),
    ] = Field(description="What must be alike, between which groups, and how nearly.")
    scale: Annotated[
        Annotated[float, Field(gt=0, allow_inf_nan=False)],
        InForm(label="Other limits", help="Each step picks another model of the search.", widget="steps"),
    ] = Field(
        default=1.0,
        description=(
            "Picks the most accurate model of the search whose gaps are at most that many times what the constraints "
            "allow."
        ),
    )
    no_group_worse_off: NoGroupWorseOff = Field(
        default=False,
        description=(
            "Whether no group may do worse than before, on the tuning rows; only such models are chosen, whatever "
            "their gaps."
        ),
    )
    confidence: HoldOnNewPeople = Field(default=None, description=HELD_ON_NEW_PEOPLE)

    @field_validator("constraints")
    @classmethod
    def _as_printed(cls, constraints: tuple[str, ...]) -> tuple[str, ...]:
        """Write each constraint as it is printed; a text that stands for two becomes two."""
        from fairaudit.estimators.constraints import parse_specs

        return tuple(dict.fromkeys(str(spec) for text in constraints for spec in parse_specs(text)))

    @model_validator(mode="after")
    def _can_hold(self) -> ConstrainPlan:
        if self.confidence is not None and self.no_group_worse_off:
            raise ValueError(HOLDS_ONE_OF_TWO)
        if self.confidence is not None and self.scale != 1:
            raise ValueError(
                "has both 'confidence' and 'scale', and the model of another limit was not tested on new people; write "
                "the limit into 'constraints'"
            )
        return self

    def baseline(self) -> PlainPlan:
        """Return the plan of the plain model that it is compared with."""
        return PlainPlan(model=self.model)

    def search_plan(self) -> ConstrainPlan:
        """Return a plan that is the same for all with this search, whatever limit is picked from it."""
        return self.model_copy(update={"scale": 1.0})

    def with_conditions(self, respell: Callable[[str], str]) -> ConstrainPlan:
        """Return the plan with each condition that it names as `respell` writes it."""
        from fairaudit.estimators.constraints import read_specs

        specs = respelled_specs(read_specs(self.constraints), respell)
        return self.model_copy(update={"constraints": tuple(map(str, specs))})

    def group_columns(self, table: Table) -> tuple[str, ...]:
        """Return the columns that define the groups of the constraints, checked."""
        from fairaudit.estimators.constraints import read_specs

        named = tuple(column for spec in read_specs(self.constraints) for column in spec_columns(spec, table))
        return (*named, *super().group_columns(table))

    def is_learned(self) -> bool:
        """Say whether the plan does not say who is predicted what."""
        return True


def spec_columns(spec: FairnessSpec, columns: Table | pd.DataFrame) -> tuple[str, ...]:
    """Return the columns that define the groups of a constraint, checked."""
    try:
        needed = spec.needed_columns(columns)
    except InputError as error:
        raise InputError(f"In the constraint '{spec}': {error.message.rstrip('.')}.", hint=error.hint) from None
    missing = next((name for name in needed if name not in columns.columns), None)
    if missing is not None:
        raise InputError(
            f"In the constraint '{spec}': there is no column {quote(missing)}.",
            hint=near_names(missing, columns.columns),
        )
    return needed


def respelled_specs(specs: Iterable[FairnessSpec], respell: Callable[[str], str]) -> tuple[FairnessSpec, ...]:
    """Return constraints, each once, whose groups are conditions as `respell` writes them."""
    return tuple(dict.fromkeys(_respelled(spec, respell) for spec in specs))


def _respelled(spec: FairnessSpec, respell: Callable[[str], str]) -> FairnessSpec:
    named = spec.conditions or ()
    groups = dict(respelled_groups(named, respell))
    # Two groups that became one cannot be compared: that stays as it is, to be corrected.
    return replace(spec, groups=groups) if groups and len(groups) == len(named) else spec


def respelled_groups(groups: Iterable[tuple[str, str]], respell: Callable[[str], str]) -> tuple[tuple[str, str], ...]:
    """Return groups that are named conditions; one that is called as it is written is called so still."""
    found = []
    for name, text in groups:
        follows = respell(text)
        found.append((follows if name == text else name, follows))
    return tuple(found)
