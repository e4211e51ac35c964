"""Watching a gap: the part of a plan that asks for it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.plan.fields import InForm
from fairaudit.plan.parts import Confidence, QuestionPart, Tolerance


class WatchPlan(QuestionPart):
    """One gap that is watched over the batches of the table."""

    batches: Annotated[
        str,
        InForm(
            label="Column of batches",
            help="Such as the night or week in which a row came. Of times, each day is a batch.",
            empty="Choose a column",
        ),
    ] = Field(description="The column that says which batch a row belongs to: dates, numbers, or texts in order.")
    protected: str = Field(description="Who is protected, as a condition.")
    protected_name: str | None = Field(default=None, description='The same in a word or two, as a plural: "women".')
    others_name: str | None = Field(
        default=None, description='The others who are compared, as a plural: "men"; without it they are everyone else.'
    )
    tolerance: Tolerance = Field(default=USUAL_TOLERANCE, description="The largest gap that still counts as none.")
    confidence: Confidence = USUAL_CONFIDENCE

    @property
    def named_columns(self) -> set[str]:
        """The columns that are named, besides those of conditions."""
        return {self.batches}
