"""The parts of a plan that ask what explains a gap, and whether it changed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.plan.outcomes import Value
from fairaudit.plan.parts import Confidence, Filter, Part, Tolerance


class ControlPlan(Part):
    """A column that may explain a gap, and why it may.

    Parameters
    ----------
    column : str
        The column.
    reason : str
        Why it may rightly count, for the report.
    """

    column: str
    reason: str

    @field_validator("reason")
    @classmethod
    def _said(cls, reason: str) -> str:
        if not reason.strip():
            raise ValueError("must say why the column may rightly count, got an empty text")
        return reason

    @classmethod
    def without_reason(cls, column: str) -> ControlPlan:
        """Return a column whose reason is still to be given: it has an answer, and no place in a saved audit."""
        return cls.model_construct(column=column, reason="")


class ExplanationPlan(Part):
    """One question about what explains a gap.

    Parameters
    ----------
    where : str, optional
        Who is looked at, as a condition.
    protected : str
        Who is protected, as a condition.
    protected_name : str, optional
        The same in a word or two, as a plural: "women".
    others_name : str, optional
        The others who are compared, as a plural: "men"; without it as the check of the same people calls them.
    controls : tuple of ControlPlan
        The columns that may explain the gap, each with a reason.
    method : {"decomposition", "regression"}
        Strata of the controls, or a model with them.
    reference : {"average", "rest", "protected", "pooled", "similar"}, optional
        Whose shares or coefficients value the groups' differing in the controls.
    model : {"strata", "logistic", "linear"}, optional
        What the parts are worked out with.
    cluster : str, optional
        A column whose values hold rows that depend on each other; intervals then allow for that.
    confidence : float
        Of the intervals.
    """

    where: Filter = None
    protected: str
    protected_name: str | None = None
    others_name: str | None = None
    controls: Annotated[tuple[ControlPlan, ...], Field(min_length=1)]
    method: Literal["decomposition", "regression"] = "decomposition"
    reference: Literal["average", "rest", "protected", "pooled", "similar"] | None = None
    model: Literal["strata", "logistic", "linear"] | None = None
    cluster: str | None = None
    confidence: Confidence = USUAL_CONFIDENCE

    @property
    def lacks_reason(self) -> tuple[str, ...]:
        """The columns of which it is still to be said why they may rightly count."""
        return tuple(control.column for control in self.controls if not control.reason.strip())

    @property
    def columns(self) -> set[str]:
        """The columns that are named, besides those of conditions."""
        named = (*(control.column for control in self.controls), self.cluster)
        return {name for name in named if name is not None}


class ChangePlan(Part):
    """One question about whether a gap changed: with a second table, or a column and the cuts between periods.

    Parameters
    ----------
    where : str, optional
        Who is looked at, as a condition.
    protected : str
        Who is protected, as a condition.
    protected_name : str, optional
        The same in a word or two, as a plural: "women".
    others_name : str, optional
        The others who are compared, as a plural: "men"; without it they are everyone else.
    second : str, optional
        The table of the other period, as a path relative to the plan.
    second_is : {"later", "earlier"}
        Whether that period is later than that of the plan's data, or earlier.
    second_fingerprint : str, optional
        Its fingerprint when the plan was saved.
    column : str, optional
        The column of dates, months or numbers that the periods are cut by.
    cuts : tuple
        The values at which each later period begins; with more than one, there is one test over all periods.
    strata : tuple of str
        The columns whose values make the mix that a change is split by.
    tolerance : float
        The largest change that still counts as none.
    amount_tolerance : float, optional
        Takes the place of `tolerance` where the decision is an amount, in its unit; without it, a tenth of the standard
        deviation of the amounts of the earlier period, rounded to one digit.
    cluster : str, optional
        A column whose values hold rows that depend on each other; intervals then allow for that.
    confidence : float
        Of the intervals.
    """

    where: Filter = None
    protected: str
    protected_name: str | None = None
    others_name: str | None = None
    second: str | None = None
    second_is: Literal["later", "earlier"] = "later"
    second_fingerprint: str | None = None
    column: str | None = None
    cuts: tuple[Value, ...] = ()
    strata: tuple[str, ...] = ()
    tolerance: Tolerance = USUAL_TOLERANCE
    amount_tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    cluster: str | None = None
    confidence: Confidence = USUAL_CONFIDENCE

    @property
    def columns(self) -> set[str]:
        """The columns that are named, besides those of conditions."""
        return {name for name in (*self.strata, self.column, self.cluster) if name is not None}

    @model_validator(mode="after")
    def _one_way(self) -> ChangePlan:
        cut = self.column is not None and bool(self.cuts)
        if (self.second is None) == (not cut) or (self.column is None) != (not self.cuts):
            raise ValueError("give either 'second' (another table), or both 'column' and 'cuts'")
        if self.strata and len(self.cuts) > 1:
            raise ValueError("holds 'strata', which need two periods, and more than one of 'cuts'")
        if self.cluster is not None and len(self.cuts) > 1:
            raise ValueError("holds 'cluster', which needs two periods, and more than one of 'cuts'")
        return self
