"""The parts of a plan that ask: about decisions, about errors of a prediction or score, and which groups fare worst."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator

from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE, USUAL_POSITIVE, USUAL_TOLERANCE, Positive
from fairaudit.measure.bands import checked_cuts
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import Number
from fairaudit.plan.parts import Confidence, Filter, Part, Tolerance, Words
from fairaudit.subgroups.kinds import Direction, Measure


class CheckPlan(Part):
    """One controlled-fairness question.

    Parameters
    ----------
    title : str, optional
        Its title.
    where : str, optional
        Who is looked at, as a condition.
    protected : str
        Who is protected, as a condition.
    protected_name : str, optional
        The same in a word or two, as a plural: "women".
    others_name : str, optional
        The others who are compared, as a plural: "men"; without it they are everyone else.
    tolerance : float
        The largest gap that still counts as alike.
    confidence : float
        Of the intervals.
    strata : tuple of str
        The columns within whose values (crossed) the question is asked again.
    strata_cuts : dict of tuple of float
        For columns of numbers among `strata`, the cuts between bands, ascending, at most 19: the question is asked
        within these, and not within each value. A band is from one cut on and below the next.
    compare : tuple of tuple of str
        Each entry is one or more columns (crossed), all of whose groups are compared with the rest.
    reference : str, optional
        The group that those of the first entry of `compare` are compared with instead.
    min_count : int
        Groups with fewer rows are small.
    amount_tolerance : float, optional
        Takes the place of `tolerance` where the decision is an amount, in its unit; without it, a tenth of the standard
        deviation of all amounts looked at, rounded to one digit, is tolerated.
    similar_by : tuple of str
        Where the decision is an amount, the columns that say which people are similar; these are then compared with
        each other.
    cluster : str, optional
        A column whose values hold rows that depend on each other, such as the officer or school that decided them;
        intervals then allow for that.
    """

    title: str | None = None
    where: Filter = None
    protected: str
    protected_name: str | None = None
    others_name: Words = None
    tolerance: Tolerance = USUAL_TOLERANCE
    confidence: Confidence = USUAL_CONFIDENCE
    strata: tuple[str, ...] = ()
    strata_cuts: dict[str, tuple[Number, ...]] = Field(default_factory=dict)
    compare: tuple[tuple[str, ...], ...] = ()
    reference: str | None = None
    min_count: Annotated[int, Field(ge=1)] = ENOUGH
    amount_tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    similar_by: tuple[str, ...] = ()
    cluster: str | None = None

    @field_validator("strata_cuts")
    @classmethod
    def _cut_strata(cls, cuts: dict[str, tuple[float, ...]], info: ValidationInfo) -> dict[str, tuple[float, ...]]:
        return checked_cuts(cuts, info.data.get("strata", cuts), name="")

    @property
    def whole_strata(self) -> tuple[str, ...]:
        """The columns of which each value is a stratum."""
        return tuple(name for name in self.strata if name not in self.strata_cuts)


class ErrorsPlan(Part):
    """One question about the errors of a prediction or score, by group.

    Parameters
    ----------
    where : str, optional
        Who is looked at, as a condition.
    by : tuple of str
        The columns that make the groups (crossed).
    positive : {"favorable", "unfavorable"}
        Which outcome is called positive; without it, that of the audit.
    tolerance : float
        The largest gap of an error rate that counts as alike.
    confidence : float
        Of the intervals.
    cost_false_positive, cost_false_negative : float
        What an error of either kind costs.
    """

    where: Filter = None
    by: Annotated[tuple[str, ...], Field(min_length=1)]
    positive: Positive = USUAL_POSITIVE
    tolerance: Tolerance = USUAL_TOLERANCE
    confidence: Confidence = USUAL_CONFIDENCE
    cost_false_positive: Annotated[float, Field(ge=0)] = 1.0
    cost_false_negative: Annotated[float, Field(ge=0)] = 1.0


class SubgroupsPlan(Part):
    """One search for the worst-hit subgroups.

    Parameters
    ----------
    where : str, optional
        Who is looked at, as a condition.
    columns : tuple of str
        The columns that subgroups may name; empty for all but the decision, the prediction and the score.
    protected : tuple of str
        Columns of which each subgroup names one; empty where it need not.
    measure : str, optional
        What is compared; without it the share of good outcomes or, where the decision is an amount, its mean. Rates
        of errors are those of what the audit calls positive.
    direction : {"both", "lower", "higher"}
        Whether subgroups with less than the rest, with more, or both are looked for.
    max_conditions : int
        The most conditions of a subgroup.
    min_rows : int
        The fewest rows of a subgroup.
    search_fraction : float
        The share of the rows that is searched; the others judge.
    confidence : float
        Of the intervals.
    """

    where: Filter = None
    columns: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    measure: Measure | None = None
    direction: Direction = "both"
    max_conditions: Annotated[int, Field(ge=1, le=4)] = 3
    min_rows: Annotated[int, Field(ge=1)] = 50
    search_fraction: Annotated[float, Field(ge=0.1, le=0.9)] = 0.5
    confidence: Confidence = USUAL_CONFIDENCE

    @property
    def needs_prediction(self) -> bool:
        """Whether errors of a prediction are compared."""
        return self.measure not in (None, "mean")

    def goes_with(self, *, has_good_outcome: bool) -> bool:
        """Whether what is compared is there: a mean of amounts, all else of a decision with a good outcome."""
        return self.measure is None or (self.measure == "mean") != has_good_outcome


def limit_set(checks: Sequence[CheckPlan], models: ModelsPlan) -> float | None:
    """Return the largest gap in amounts that the person accepts: as set of the same people, else of any; else None."""
    same = [check for check in checks if check.protected.strip() == models.protected.strip()]
    return next((each.amount_tolerance for each in (*same, *checks) if each.amount_tolerance is not None), None)
