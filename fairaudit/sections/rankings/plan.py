"""Rankings: the part of a plan that asks who stands among the first of lists."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.plan.fields import InForm
from fairaudit.plan.parts import Confidence, QuestionPart, Tolerance


class RankingsPlan(QuestionPart):
    """One question about lists: whether the protected group stands among the first as often as the others."""

    protected: str = Field(min_length=1, description="Who is protected, as a condition.")
    protected_name: str | None = Field(default=None, description='The same in a word or two, as a plural: "women".')
    others_name: str | None = Field(
        default=None, description='The others who are compared, as a plural: "men"; without it they are everyone else.'
    )
    rank: Annotated[
        str | None, InForm(label="Rank", help="1 stands first. Equal ranks are ties.", empty="Choose a column")
    ] = Field(default=None, description="The column of ranks: in each list, 1 stands first.")
    score: Annotated[str | None, InForm(label="Score", help="Instead of a rank.", empty="Choose a column")] = Field(
        default=None, description="Instead of `rank`, the column of scores that lists are ordered by."
    )
    lowest_first: Annotated[bool, InForm(label="The lowest score stands first")] = Field(
        default=False, description="Whether the lowest score stands first, and not the highest."
    )
    first: Annotated[
        Annotated[int, Field(ge=1)],
        InForm(label="Among the first", help="How many of a list are taken, invited or seen.", step=1, most=1_000_000),
    ] = Field(default=10, description="How many stand among the first of a list.")
    lists: Annotated[
        tuple[str, ...],
        InForm(label="A list for each", help="Without one, all cases are one list.", empty="posting, court, day"),
    ] = Field(default=(), description="The columns that make the lists; without one, all cases are one list.")
    merit: Annotated[
        str | None,
        InForm(label="Merit", help="What attention should follow, as a number.", empty="not in the table"),
    ] = Field(default=None, description="A column of numbers from 0 on that attention is held against.")
    strata: Annotated[
        tuple[str, ...],
        InForm(label="Kinds of lists", help="Each kind is also looked at by itself.", empty="Such as kind of posting"),
    ] = Field(default=(), description="The columns that say of which kind a list is; each kind is asked about, too.")
    tolerance: Tolerance = Field(
        default=USUAL_TOLERANCE, description="The largest gap between the shares among the first that counts as alike."
    )
    confidence: Confidence = USUAL_CONFIDENCE

    @property
    def order(self) -> str:
        """The column that says who stands first."""
        return str(self.score if self.rank is None else self.rank)

    @property
    def named_columns(self) -> set[str]:
        """The columns that are named, besides those of conditions."""
        return {name for name in (self.rank, self.score, self.merit, *self.lists, *self.strata) if name is not None}

    @model_validator(mode="after")
    def _one_order(self) -> RankingsPlan:
        if (self.rank is None) == (self.score is None):
            raise ValueError("give either 'rank' or 'score', the column that says who stands first")
        if self.rank is not None and self.lowest_first:
            raise ValueError("holds 'lowest_first', which goes with 'score'; of ranks the lowest always stands first")
        if self.strata and not self.lists:
            raise ValueError("holds 'strata', which say of which kind a list is, without 'lists'")
        return self
