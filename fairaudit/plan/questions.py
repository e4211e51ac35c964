"""The parts of a plan that ask: checks, errors, worst groups, what explains a gap, whether it changed, and searches."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal, get_args

from pydantic import Field, ValidationInfo, field_validator, model_validator

from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE, USUAL_POSITIVE, USUAL_TOLERANCE, Positive
from fairaudit.measure.bands import checked_cuts
from fairaudit.outcomes import OutcomeKind
from fairaudit.plan.fields import Choice, InForm
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import Number, Value
from fairaudit.plan.parts import Confidence, Filter, Part, QuestionPart, Tolerance, Words, word_of
from fairaudit.subgroups.kinds import Direction, Measure

USUAL_PLACEBO: Final = 20
"""How often a form has groups shuffled where that is asked for."""

ExplanationMethod = Literal["decomposition", "regression"]
ExplanationReference = Literal["average", "rest", "protected", "pooled", "similar"]


ABOUT_OPEN: Final[Mapping[str, object]] = {
    "open_when": None, "open_since": None, "open_until": None, "open_left_out": False,
}  # fmt: skip
"""What a check says of cases that are still open, where it says nothing."""


class _Titled(Part):
    """What a plan writes before all else of a question."""

    title: Annotated[
        str | None, InForm(label="Title of this question (optional)", empty="such as: Are women admitted alike?")
    ] = Field(default=None, description="Its title.")


class CheckPlan(QuestionPart, _Titled):
    """One controlled-fairness question."""

    protected: str = Field(description="Who is protected, as a condition.")
    protected_name: Annotated[
        str | None,
        InForm(label="They are called", help="As several people, for the sentences.", empty="such as: women"),
    ] = Field(default=None, description='The same in a word or two, as a plural: "women".')
    others_name: Annotated[Words, InForm(label="Everyone else is called", empty="such as: men")] = Field(
        default=None, description='The others who are compared, as a plural: "men"; without it they are everyone else.'
    )
    tolerance: Annotated[
        Tolerance,
        InForm(
            label="Tolerance",
            help="The largest gap that you accept as equal treatment. Best set before you see the numbers.",
            widget="slider",
            in_points=True,
            step=0.5,
            format="%g points",
        ),
    ] = Field(default=USUAL_TOLERANCE, description="The largest gap that still counts as alike.")
    confidence: Annotated[
        Confidence, InForm(label="Confidence", help="Higher confidence gives wider ranges.", widget="steps")
    ] = USUAL_CONFIDENCE
    strata: Annotated[
        tuple[str, ...],
        InForm(
            label="Cases are similar in",
            help="Choose what was known before the decision and may rightly count.",
            empty="Such as department",
        ),
    ] = Field(default=(), description="The columns within whose values (crossed) the question is asked again.")
    strata_cuts: dict[str, tuple[Number, ...]] = Field(
        default_factory=dict,
        description=(
            "For columns of numbers among `strata`, the cuts between bands, ascending, at most 19: the question is "
            "asked within these, and not within each value. A band is from one cut on and below the next."
        ),
    )
    compare: Annotated[tuple[tuple[str, ...], ...], InForm(label="Columns", empty="Such as race, sex")] = Field(
        default=(),
        description="Each entry is one or more columns (crossed), all of whose groups are compared with the rest.",
    )
    reference: Annotated[str | None, InForm(label="Compare each with")] = Field(
        default=None, description="The group that those of the first entry of `compare` are compared with instead."
    )
    min_count: int = Field(default=ENOUGH, ge=1, description="Groups with fewer rows are small.")
    amount_tolerance: Annotated[
        Annotated[float, Field(ge=0, allow_inf_nan=False)] | None,
        InForm(
            label="Tolerance",
            help=(
                "The largest gap that you accept as equal treatment. Empty: about a tenth of the standard deviation."
            ),
            empty="in the unit of the amount",
        ),
    ] = Field(
        default=None,
        description=(
            "Takes the place of `tolerance` where the decision is an amount, in its unit; without it, a tenth of the "
            "standard deviation of all amounts looked at, rounded to one digit, is tolerated."
        ),
    )
    similar_by: Annotated[
        tuple[str, ...],
        InForm(
            label="People are similar in",
            help="Choose what was known before the decision and may rightly count.",
            empty="Such as grade",
        ),
    ] = Field(
        default=(),
        description=(
            "Where the decision is an amount, the columns that say which people are similar; these are then compared "
            "with each other."
        ),
    )
    cluster: Annotated[
        str | None,
        InForm(
            label="Rows that depend on each other",
            help="Such as the officer who decided many of them. Ranges then allow for that.",
        ),
    ] = Field(
        default=None,
        description=(
            "A column whose values hold rows that depend on each other, such as the officer or school that decided "
            "them; intervals then allow for that."
        ),
    )

    open_when: Annotated[
        str | None,
        InForm(
            label="Cases are open when", help="A condition. Empty: cases without a time.", empty="status = 'pending'"
        ),
    ] = Field(
        default=None,
        description=(
            "Where the decision is a time, which cases are still open, as a condition: medians are then compared, and "
            "open cases count with the time so far. Without it, those without a time, where `open_since` is given."
        ),
    )
    open_since: Annotated[
        str | None, InForm(label="Their waiting began on", help="A day, or a number: the time so far.", empty="Choose")
    ] = Field(
        default=None,
        description=(
            "The column that holds how long open cases have waited so far, or the day on which waiting began: times "
            "are then in days. Without it, the time of an open case is the time so far."
        ),
    )
    open_until: str | None = Field(
        default=None,
        description="The day up to which cases were observed, such as 2024-12-31; without it the last in the data.",
    )
    open_left_out: bool = Field(
        default=False,
        description="Whether cases without a time are left out, although something says that they are open.",
    )

    @field_validator("open_until")
    @classmethod
    def _is_day(cls, text: str | None) -> str | None:
        try:
            return None if text is None else datetime.date.fromisoformat(text).isoformat()
        except ValueError:
            raise ValueError(f"must be a day such as 2024-12-31, got {text!r}") from None

    @model_validator(mode="after")
    def _says_one_thing(self) -> CheckPlan:
        if self.open_left_out and self.counts_open:
            raise ValueError("leaves open cases out and says how they count; one is possible")
        if self.open_until is not None and self.open_since is None:
            raise ValueError("has 'open_until' without 'open_since', the day on which waiting began")
        return self

    @property
    def counts_open(self) -> bool:
        """Whether open cases count with the time so far."""
        return self.open_when is not None or self.open_since is not None

    @field_validator("strata_cuts")
    @classmethod
    def _cut_strata(cls, cuts: dict[str, tuple[float, ...]], info: ValidationInfo) -> dict[str, tuple[float, ...]]:
        return checked_cuts(cuts, info.data.get("strata", cuts), name="")

    def limit(self, outcome: OutcomeKind) -> float | None:
        """Return the tolerance for a kind of decision; None where one is to be proposed."""
        return self.tolerance if outcome.has_good_outcome else self.amount_tolerance

    @property
    def named_columns(self) -> set[str]:
        """The columns that are named, besides those of conditions."""
        named = {*self.strata, *self.similar_by, *(name for names in self.compare for name in names)}
        return named | {name for name in (self.cluster, self.open_since) if name is not None}

    @property
    def whole_strata(self) -> tuple[str, ...]:
        """The columns of which each value is a stratum."""
        return tuple(name for name in self.strata if name not in self.strata_cuts)


class ErrorsPlan(QuestionPart):
    """One question about the errors of a prediction or score, by group."""

    by: Annotated[tuple[str, ...], InForm(label="Compare the groups of", help="Several columns are crossed.")] = Field(
        min_length=1, description="The columns that make the groups (crossed)."
    )
    positive: Positive = Field(
        default=USUAL_POSITIVE, description="Which outcome is called positive; without it, that of the audit."
    )
    tolerance: Tolerance = Field(
        default=USUAL_TOLERANCE, description="The largest gap of an error rate that counts as alike."
    )
    confidence: Confidence = USUAL_CONFIDENCE
    cost_false_positive: float = Field(default=1.0, ge=0, description="What an error of either kind costs.")
    cost_false_negative: float = Field(default=1.0, ge=0, description="What an error of either kind costs.")
    strata: Annotated[tuple[str, ...], InForm(label="Also among cases similar in", empty="Such as department")] = Field(
        default=(),
        description=(
            "Where the prediction has `levels`, the columns within whose values (crossed) the question is asked again."
        ),
    )

    @property
    def named_columns(self) -> set[str]:
        """The columns that are named, besides those of the condition."""
        return {*self.by, *self.strata}


class SubgroupsPlan(QuestionPart):
    """One search for the worst-hit subgroups."""

    columns: Annotated[
        tuple[str, ...],
        InForm(
            label="Columns to search",
            help="Without a choice, all but those that follow from the decision, the prediction or the score.",
            empty="all columns",
        ),
    ] = Field(
        default=(),
        description=(
            "The columns that subgroups may name; empty for all but the decision, the prediction and the score."
        ),
    )
    protected: Annotated[
        tuple[str, ...],
        InForm(
            label="Always one of",
            help="Each group then names one of these, as young women name sex.",
            empty="any column",
        ),
    ] = Field(default=(), description="Columns of which each subgroup names one; empty where it need not.")
    measure: Annotated[Measure | None, word_of(get_args(Measure)), InForm(label="Compare")] = Field(
        default=None,
        description=(
            "What is compared; without it the share of good outcomes or, where the decision is an amount, its mean. "
            "Rates of errors are those of what the audit calls positive."
        ),
    )
    direction: Annotated[
        Direction,
        InForm(
            label="Look for groups",
            choices=(
                Choice("lower", "below everyone else"),
                Choice("higher", "above everyone else"),
                Choice("both", "below or above everyone else"),
            ),
            widget="list",
        ),
    ] = Field(
        default="both", description="Whether subgroups with less than the rest, with more, or both are looked for."
    )
    max_conditions: Annotated[Annotated[int, Field(ge=1, le=4)], InForm(label="Most conditions", widget="slider")] = (
        Field(default=3, description="The most conditions of a subgroup.")
    )
    min_rows: Annotated[
        Annotated[int, Field(ge=1)],
        InForm(
            label="Smallest group, rows",
            help="In both halves of the table together. One half is searched, the other judges what was found.",
        ),
    ] = Field(default=50, description="The fewest rows of a subgroup.")
    search_fraction: float = Field(
        default=0.5, ge=0.1, le=0.9, description="The share of the rows that is searched; the others judge."
    )
    bound_rows: Annotated[
        Annotated[int, Field(ge=2)],
        InForm(
            label="Bound all groups of, rows",
            help="How far behind any group that is so large can be. Counted in all rows.",
        ),
    ] = Field(default=200, description="The fewest rows of the groups whose gaps are bounded all together.")
    confidence: Confidence = USUAL_CONFIDENCE

    @property
    def named_columns(self) -> set[str]:
        """The columns that are named, besides those of the condition."""
        return {*self.columns, *self.protected}

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


# The parts of a plan that ask what explains a gap, and whether it changed.


class ControlPlan(Part):
    """A column that may explain a gap, and why it may."""

    column: str = Field(description="The column.")
    reason: str = Field(description="Why it may rightly count, for the report.")

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


class ExplanationPlan(QuestionPart):
    """One question about what explains a gap."""

    protected: str = Field(description="Who is protected, as a condition.")
    protected_name: str | None = Field(default=None, description='The same in a word or two, as a plural: "women".')
    others_name: str | None = Field(
        default=None,
        description=(
            'The others who are compared, as a plural: "men"; without it as the check of the same people calls them.'
        ),
    )
    controls: tuple[ControlPlan, ...] = Field(
        min_length=1, description="The columns that may explain the gap, each with a reason."
    )
    method: Annotated[
        ExplanationMethod,
        InForm(
            label="Method",
            help="Strata need no model, but leave out people without a counterpart; a model takes more columns.",
            choices=(Choice("decomposition", "Compare inside strata"), Choice("regression", "Compare by a model")),
        ),
    ] = Field(default="decomposition", description="Strata of the controls, or a model with them.")
    reference: Annotated[ExplanationReference | None, InForm(label="Weighed as in")] = Field(
        default=None, description="Whose shares or coefficients value the groups' differing in the controls."
    )
    model: Literal["strata", "logistic", "linear"] | None = Field(
        default=None, description="What the parts are worked out with."
    )
    cluster: Annotated[
        str | None, InForm(label="Rows that depend on each other", empty="none: each row is a case of its own")
    ] = Field(
        default=None,
        description="A column whose values hold rows that depend on each other; intervals then allow for that.",
    )
    proxies: Annotated[
        bool,
        InForm(
            label="Also in the report",
            help="How well each column of the table stands in for the group.",
        ),
    ] = Field(
        default=False,
        description="Whether it is said how well each column of the data stands in for the group.",
    )
    confidence: Confidence = USUAL_CONFIDENCE

    @property
    def lacks_reason(self) -> tuple[str, ...]:
        """The columns of which it is still to be said why they may rightly count."""
        return tuple(control.column for control in self.controls if not control.reason.strip())

    @property
    def named_columns(self) -> set[str]:
        """The columns that are named, besides those of conditions."""
        named = (*(control.column for control in self.controls), self.cluster)
        return {name for name in named if name is not None}


class ChangePlan(QuestionPart):
    """One question about whether a gap changed: with a second table, or a column and the cuts between periods."""

    protected: str = Field(description="Who is protected, as a condition.")
    protected_name: str | None = Field(default=None, description='The same in a word or two, as a plural: "women".')
    others_name: str | None = Field(
        default=None, description='The others who are compared, as a plural: "men"; without it they are everyone else.'
    )
    second: Annotated[str | None, InForm(label="The second table")] = Field(
        default=None, description="The table of the other period, as a path relative to the plan."
    )
    second_is: Annotated[
        Literal["later", "earlier"],
        InForm(label="The second table is", choices=(Choice("later", "later"), Choice("earlier", "earlier"))),
    ] = Field(default="later", description="Whether that period is later than that of the plan's data, or earlier.")
    second_fingerprint: str | None = Field(default=None, description="Its fingerprint when the plan was saved.")
    column: Annotated[str | None, InForm(label="Column", empty="Choose a column")] = Field(
        default=None, description="The column of dates, months or numbers that the periods are cut by."
    )
    cuts: Annotated[
        tuple[Value, ...],
        InForm(
            label="Cut at",
            help="Where a later period begins. Several, with commas between them, make more periods.",
            empty="such as: 2024-01-01 or 2024-01",
        ),
    ] = Field(
        default=(),
        description=(
            "The values at which each later period begins; with more than one, there is one test over all periods."
        ),
    )
    strata: Annotated[
        tuple[str, ...], InForm(label="Split the change by the mix of", empty="Such as grade, office (optional)")
    ] = Field(default=(), description="The columns whose values make the mix that a change is split by.")
    tolerance: Tolerance = Field(default=USUAL_TOLERANCE, description="The largest change that still counts as none.")
    amount_tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = Field(
        default=None,
        description=(
            "Takes the place of `tolerance` where the decision is an amount, in its unit; without it, a tenth of the "
            "standard deviation of the amounts of the earlier period, rounded to one digit."
        ),
    )
    cluster: str | None = Field(
        default=None,
        description="A column whose values hold rows that depend on each other; intervals then allow for that.",
    )
    confidence: Confidence = USUAL_CONFIDENCE

    def limit(self, outcome: OutcomeKind) -> float | None:
        """Return the tolerance for a kind of decision; None where one is to be proposed."""
        return self.tolerance if outcome.has_good_outcome else self.amount_tolerance

    @property
    def named_columns(self) -> set[str]:
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


# The part of a plan that asks about searches and inspections: who was looked at, and what was found.


class VeilPlan(Part):
    """Whether a group is looked at more where it can be seen: stops in light and in darkness at the same hours."""

    light: str | None = Field(
        default=None, description="When it was light, as a condition; without it, date, time and position say so."
    )
    date: Annotated[str | None, InForm(label="Date", empty="Choose a column")] = Field(
        default=None, description="The column of dates, or of times of a day."
    )
    time: Annotated[str | None, InForm(label="Time of day", empty="Choose a column")] = Field(
        default=None, description="The column of hours by the clock, where that of dates does not hold them."
    )
    latitude: Annotated[str | float | None, InForm(label="Latitude", least=-90, most=90)] = Field(
        default=None, description="The position in degrees: a column, or one number for all."
    )
    longitude: Annotated[str | float | None, InForm(label="Longitude", least=-180, most=180)] = Field(
        default=None, description="The position in degrees: a column, or one number for all."
    )
    time_zone: Annotated[str | None, InForm(label="Clock of", empty="such as Europe/Berlin")] = Field(
        default=None, description='The zone of the clock, such as "Europe/Berlin".'
    )
    place: Annotated[str | None, InForm(label="Compared within each", empty="all places together")] = Field(
        default=None, description="The column of places inside which stops are compared."
    )
    hours: Annotated[
        Literal["evening", "morning", "both"],
        InForm(
            label="Hours",
            choices=(
                Choice("evening", "around dusk"),
                Choice("morning", "around dawn"),
                Choice("both", "around dusk and dawn"),
            ),
            widget="list",
        ),
    ] = Field(default="evening", description="The hours around dusk, around dawn, or both.")
    ratio_tolerance: float = Field(default=1.1, gt=1, description="The largest odds ratio that still counts as alike.")
    acted_only: Annotated[
        bool,
        InForm(
            label="Which rows are stops?",
            help="Every row, where each is a stop. Only those looked at, where others are places nobody went to.",
        ),
    ] = Field(
        default=False,
        description=(
            "Whether only rows that were looked at count as stops; without it, every row does, as where police record "
            "stops."
        ),
    )

    @model_validator(mode="after")
    def _says_when_it_was_light(self) -> VeilPlan:
        if self.light is not None:
            if self.time is None and self.date is None:
                raise ValueError("holds 'light' and needs 'time' (the hours of the day), too")
            return self
        if self.date is None:
            raise ValueError(
                "needs either 'light' (a condition) or 'date'; hours without dates do not say if it was light"
            )
        if self.latitude is None or self.longitude is None or self.time_zone is None:
            raise ValueError("holds 'date' and needs 'latitude', 'longitude' and 'time_zone', too")
        return self

    @property
    def named_columns(self) -> set[str]:
        """The columns that are named, besides those of a condition."""
        named = (self.date, self.time, self.latitude, self.longitude, self.place)
        return {name for name in named if isinstance(name, str)}


class InspectionPlan(QuestionPart):
    """One question about searches and inspections: a decision to look, and what was found."""

    where: Filter = Field(default=None, description="Which cases are looked at, as a condition.")
    acted: Annotated[
        str,
        InForm(
            label="Was looked at",
            help="Says who was searched or inspected, or counts such cases.",
            empty="Choose a column",
        ),
    ] = Field(min_length=1, description="Who was looked at: a condition, or a column that counts them.")
    found: Annotated[
        str, InForm(label="Was found", help="Says where something was found, or counts finds.", empty="Choose a column")
    ] = Field(min_length=1, description="Where something was found: a condition, or a column that counts them.")
    verb: Words = Field(
        default=None,
        description=(
            'What is said of several people who were looked at: "were searched"; without it, one is made from `acted`.'
        ),
    )
    stopped: Annotated[
        str | None,
        InForm(
            label="All cases",
            help="Counts of all cases, looked at or not. Grounds cannot be inferred without them.",
            empty="not in the table",
        ),
    ] = Field(default=None, description="Who could have been looked at, in the same form; without it, every row.")
    group: Annotated[
        tuple[str, ...],
        InForm(
            label="Groups by",
            help="Several are crossed. Without one, your protected group is compared with everyone else.",
            empty="Choose a column",
        ),
    ] = Field(min_length=1, description="The columns that make the groups (crossed), or one condition that makes two.")
    reference: Annotated[tuple[Value, ...], InForm(label="Compared with", empty="the largest group")] = Field(
        default=(),
        description=(
            "The value, one for each column, of the group that the others are compared with; empty for the largest."
        ),
    )
    strata: Annotated[tuple[str, ...], InForm(label="Also within each", empty="place, officer or kind")] = Field(
        default=(), description="The columns inside whose values hit rates are compared, too."
    )
    location: Annotated[
        tuple[str, ...],
        InForm(
            label="Places",
            help="Several columns are crossed. Places with one group only are left out.",
            empty="precinct, office, branch",
        ),
    ] = Field(
        default=(), description="The columns of the places in which thresholds are inferred; empty where they are not."
    )
    signal: Annotated[
        Literal["beta", "discriminant"],
        InForm(
            label="Model",
            help="How what is known beforehand is described. Nobody can see which is right, so try both.",
            choices=(Choice("beta", "beta (2017)"), Choice("discriminant", "discriminant (2018)")),
            widget="list",
        ),
    ] = Field(default="beta", description="The family of distributions of how likely a find seems, see threshold_test.")
    base_rate: Annotated[
        Annotated[float, Field(gt=0, lt=1)] | None,
        InForm(
            label="Share worth a find (%)",
            help="Of all cases, looked at or not, if known. Without it 3%, or twice what was found where that is more.",
            in_points=True,
            least=0.0001,
            most=0.9999,
            empty="such as 12,5 or 12.5",
        ),
    ] = Field(
        default=None,
        description=(
            "The share of all cases that is expected to be worth a find, before the data; without it, from what was "
            "found."
        ),
    )
    threshold_tolerance: float = Field(
        default=0.02, ge=0, le=1, description="The largest difference of thresholds that still counts as alike."
    )
    n_placebo: Annotated[
        Annotated[int, Field(ge=0, le=1000)],
        InForm(
            label="Also on shuffled groups",
            help=f"A test of the test, as nothing is to be found there. Takes {USUAL_PLACEBO} times as long.",
        ),
    ] = Field(
        default=0,
        description="How often thresholds are inferred anew with groups shuffled, as a test of the test.",
    )
    veil: VeilPlan | None = Field(
        default=None, description="Whether stops in light and in darkness are compared, and by which columns."
    )
    tolerance: Tolerance = Field(
        default=USUAL_TOLERANCE, description="The largest difference of hit rates that still counts as alike."
    )
    confidence: Confidence = USUAL_CONFIDENCE

    @property
    def named_columns(self) -> set[str]:
        """The columns that are named, besides those of conditions and of groups."""
        return {*self.strata, *self.location} | (set() if self.veil is None else self.veil.named_columns)

    @model_validator(mode="after")
    def _placebo_needs_places(self) -> InspectionPlan:
        if self.n_placebo and not self.location:
            raise ValueError("holds 'n_placebo', which needs 'location': the columns of the places")
        return self
