"""Four answers that say which measure fits, and what follows from them."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from fairaudit.defaults import Positive
from fairaudit.plan.fields import Choice, InForm
from fairaudit.plan.parts import Part

Measured = Literal["demographic_parity", "four_fifths", "equal_opportunity", "fdr", "fpr", "fnr", "equalized_odds"]
"""What the answers can speak for, by the words of constraints."""

OF_ERRORS: Final[dict[tuple[str, str], Measured]] = {
    ("benefit", "person"): "equal_opportunity",
    ("benefit", "others"): "fdr",
    ("limited", "person"): "equal_opportunity",
    ("limited", "others"): "fdr",
    ("burden", "person"): "fpr",
    ("burden", "others"): "fnr",
}
"""What is compared where what truly happened is known: by what is decided, and who bears an error."""


class MeasurePlan(Part):
    """Four answers from which it follows what is compared, and why; all may be left out."""

    decided: Annotated[
        Literal["benefit", "limited", "burden"] | None,
        InForm(
            label="What is decided?",
            choices=(
                Choice("benefit", "something people want"),
                Choice("limited", "one of few places"),
                Choice("burden", "something people fear"),
            ),
            help="A loan or leave to stay is wanted, jobs and flats are few, checks and fines are feared.",
        ),
    ] = Field(
        default=None,
        description=(
            'What is decided: something people want ("benefit"), one of few places ("limited"), or something they fear '
            '("burden").'
        ),
    )
    borne_by: Annotated[
        Literal["person", "others", "both"] | None,
        InForm(
            label="Who bears an error?",
            choices=(
                Choice("person", "the person decided about"),
                Choice("others", "others, such as the public"),
                Choice("both", "both"),
            ),
        ),
    ] = Field(default=None, description="Who bears an error most: the person decided about, others, or both.")
    truth: Annotated[
        Literal["known", "unknown"] | None,
        InForm(
            label="Is what truly happened known?",
            choices=(Choice("known", "yes"), Choice("unknown", "no")),
            help="Such as whether a loan was repaid, also of those who got none.",
        ),
    ] = Field(default=None, description="Whether it is known what truly happened to all who were decided about.")
    group_use: Annotated[
        Literal["yes", "no"] | None,
        InForm(
            label="May a model use the group?",
            choices=(Choice("yes", "yes"), Choice("no", "no")),
            help="In many places the law forbids it.",
        ),
    ] = Field(default=None, description="Whether a remedy may use the group of a person to decide.")

    @property
    def is_answered(self) -> bool:
        """Whether a measure follows: errors need somebody who bears them."""
        if self.decided is None or self.truth is None:
            return False
        return self.truth == "unknown" or self.borne_by is not None

    @property
    def measure(self) -> Measured | None:
        """What the answers speak for; None where they do not yet."""
        if self.decided is None or not self.is_answered:
            return None
        if self.truth == "unknown" or self.borne_by is None:
            return "four_fifths" if self.decided == "limited" else "demographic_parity"
        return OF_ERRORS.get((self.decided, self.borne_by), "equalized_odds")

    @property
    def positive(self) -> Positive:
        """Which outcome errors call positive: what is feared, or what is wanted."""
        return "unfavorable" if self.decided == "burden" else "favorable"

    @property
    def limit(self) -> Literal["points", "ratio"] | None:
        """How far groups may be apart: in points, or as a ratio of their shares; None where no measure follows."""
        measure = self.measure
        return None if measure is None else "ratio" if measure == "four_fifths" else "points"
