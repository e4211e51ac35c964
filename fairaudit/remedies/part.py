"""What all parts of a plan that ask for a remedy share: what is known of a remedy from its settings alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal, Self

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from fairaudit.measure.bands import checked_cuts
from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.plan.fields import Choice, InForm
from fairaudit.plan.models import AmountLearner, Learner
from fairaudit.plan.parts import Part

if TYPE_CHECKING:
    from fairaudit.data.table import Table

Solver = Literal["auto", "search", "scip", "published"]
"""Who searches for trees, or for new rules."""

SOLVERS: Final = (
    Choice("auto", "What is best for the case"),
    Choice("search", "Our own search"),
    Choice("scip", "SCIP"),
    Choice("published", "SCIP, as first published"),
)
"""What a form offers of these."""

HOLDING: Final = 0.9
"""The confidence that a form offers."""

NoGroupWorseOff = Annotated[
    bool,
    InForm(
        label="No group worse off",
        help="Than without the remedy. It may match fewer decisions, or leave a larger gap.",
    ),
]
"""Whether no group may do worse than before, on the tuning rows."""

HoldOnNewPeople = Annotated[
    Annotated[float, Field(ge=0.5, lt=1)] | None,
    InForm(
        label="Hold the limit on new people with this confidence",
        help="Some cases are set aside to test it. That can cost accuracy, and small tables may not show it.",
        ticked=HOLDING,
    ),
]
"""With which chance, at least, limits are to hold on people whom nothing was learned from."""

HELD_ON_NEW_PEOPLE: Final = (
    "With which confidence limits are to hold on new people, over the draw of the rows from the same population; some "
    "rows to learn from are set aside to test it. None: limits are held in learning alone."
)
"""What a plan says of that field."""

HOLDS_ONE_OF_TWO: Final = (
    "has both 'confidence' and 'no_group_worse_off', and a model is chosen by one of the two; leave the other one out"
)
"""What a plan says where a model would be chosen twice."""

HOLDS_NO_GAP: Final = (
    "has both 'confidence' and a limit of 0, which no number of people shows to hold; write a larger limit, or "
    "leave 'confidence' out"
)
"""What a plan says where gaps would have to be exactly 0 among people whom nobody has seen."""

LargestGap = Annotated[
    Annotated[float, Field(ge=0, le=1)],
    InForm(
        label="Your limit, in points",
        help="How far any two groups may be apart.",
        in_points=True,
        step=0.5,
        format="%g",
    ),
]
"""How far groups may be apart."""

Margin = Annotated[
    Annotated[float, Field(ge=0, le=1)],
    InForm(
        label="Margin, in points",
        help="So much less is allowed in the search, so that the limit also holds for other people.",
        in_points=True,
        step=0.5,
        format="%g",
    ),
]
"""How much less is allowed while a remedy is searched for."""

MaxLoss = Annotated[
    Annotated[float, Field(ge=0, le=1)] | None,
    InForm(
        label="Accuracy you would give up, in points",
        help="At most, against the most accurate model of the same kind, on the training cases.",
        in_points=True,
        least=0.0,
        most=1.0,
        step=0.25,
        format="%g",
    ),
]
"""How much accuracy may be lost for the smallest gap."""
USUAL_LOSS: Final = 0.01
"""What a form proposes for it."""

NAMES_GROUP: Final = "Deciding by group is unlawful in many places: ask counsel first."
"""What a form says of columns that name the groups."""

MUST_BE_ALIKE: Final = InForm(label="What must be alike", none="nothing")
"""How forms ask for rates that must be alike, which the audit names."""

NONE_WRITTEN: Final = AfterValidator(lambda value: None if value == "none" else value)
"""Reads ``"none"``, which stands for nothing in a file, as TOML has no null."""


class RemedyPart(Part):
    """A part of a plan that asks for a remedy. What it does stands in the `section.py` of its package."""

    method: str
    name: str | None = Field(default=None, description="What it is called in this audit.")

    does: ClassVar[str] = ""
    """What it does, in a sentence or two that need no word of statistics."""
    is_remedy: ClassVar[bool] = True
    """False for a model that is only there to compare with."""
    has_score: ClassVar[bool] = True
    """Whether the model gives a score, so that it has an AUC."""
    marks_proxies: ClassVar[bool] = False
    """Whether columns that reveal the groups are marked one by one where the model uses them."""
    learns_known_groups: ClassVar[bool] = False
    """Whether it learns from people whose group is known alone."""
    keeps_model: ClassVar[bool] = False
    """Whether its model can serve other remedies of the audit."""
    tried_on: ClassVar[tuple[OutcomeKind, ...]] = (SHARES,)
    """The kinds of decisions that it can be tried on."""

    def check(self, outcome: OutcomeKind) -> None:
        """Raise ValueError for settings that do not go with decisions of a kind that it can be tried on."""

    def is_learned(self) -> bool:
        """Say whether who is predicted what was learned from the rows alone, so that the plan does not say it.

        Only then are figures of the remedy shown where small counts are hidden: the test cases are not counted by what
        a plan says.
        """
        return False

    def baseline(self) -> RemedyPart:
        """Return the plan without a constraint that it is compared with, where its fit keeps that model for others."""
        return self

    def with_defaults(self, *names: str) -> Self:
        """Return the plan with the default of some of its settings."""
        return self.model_copy(update={name: type(self).model_fields[name].default for name in names})

    def search_plan(self) -> RemedyPart:
        """Return a plan that is the same for all whose models are picked from one search."""
        return self

    def plain_model(self, outcome: OutcomeKind = SHARES) -> Learner | AmountLearner | None:
        """Return the plain model that it is put on or compared with, fitted once for all; None where its fit does."""
        return None

    def with_conditions(self, respell: Callable[[str], str]) -> RemedyPart:
        """Return the plan with each condition that it names as `respell` writes it."""
        return self

    def group_columns(self, table: Table) -> tuple[str, ...]:
        """Return the columns that say who is in which group, beside those of the study."""
        return ()


class HeldAmongSimilar(RemedyPart):
    """A part of a plan whose limits may hold among similar cases."""

    strata: tuple[str, ...] = Field(
        default=(),
        description=(
            "Columns whose values make cases similar: gaps are averages over these, by how many people they are. "
            "Empty: gaps are those of all people together."
        ),
    )
    strata_cuts: tuple[tuple[str, tuple[float, ...]], ...] = Field(
        default=(),
        description=(
            "For columns of numbers among 'strata', as pairs of a column and the cuts between its bands: ascending, at "
            "most 19."
        ),
    )

    @field_validator("strata_cuts")
    @classmethod
    def _cut_strata(
        cls, cuts: tuple[tuple[str, tuple[float, ...]], ...], info: ValidationInfo
    ) -> tuple[tuple[str, tuple[float, ...]], ...]:
        named = dict(cuts)
        return tuple(checked_cuts(named, info.data.get("strata", named), name="").items())

    def without_strata(self) -> Self:
        """Return the plan whose gaps are those of all people together."""
        return self.with_defaults("strata", "strata_cuts")

    def group_columns(self, table: Table) -> tuple[str, ...]:
        """Return the columns that make cases similar, checked."""
        return tuple(table.column(name).name for name in self.strata)
