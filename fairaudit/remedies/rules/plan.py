"""A set of rules to be read aloud: the part of a plan that asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, get_args

from pydantic import (
    AfterValidator,
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from fairaudit.conditions.names import AnyNames
from fairaudit.measure.vocabulary import AlikeInRules
from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.plan.fields import Choice, InForm
from fairaudit.plan.models import Learner
from fairaudit.plan.parts import word_of
from fairaudit.remedies.part import (
    HELD_ON_NEW_PEOPLE,
    HOLDS_NO_GAP,
    HOLDS_ONE_OF_TWO,
    MUST_BE_ALIKE,
    NAMES_GROUP,
    NONE_WRITTEN,
    SOLVERS,
    HeldAmongSimilar,
    HoldOnNewPeople,
    LargestGap,
    Margin,
    MaxLoss,
    NoGroupWorseOff,
    Solver,
)

MAX_COMPLEXITY = 100
"""The largest complexity of a rule set: nobody reads a longer one aloud."""


def _as_rule(text: str) -> str:
    """Return a rule as it is printed; whether its columns are there is only known with the data."""
    from fairaudit.estimators.rules.literals import RuleSet, checked_conjunction, literals_of

    literals = checked_conjunction(literals_of(text, AnyNames()), "The rule")
    return RuleSet.of([literals]).conditions()[0]


Fairness = Annotated[
    Literal[AlikeInRules, "none"] | None,
    word_of(get_args(Literal[AlikeInRules, "none"])),
    NONE_WRITTEN,
    MUST_BE_ALIKE,
]
"""What a rule set must have alike between groups."""


if TYPE_CHECKING:
    RuleLength = int | None
else:
    RuleLength = Annotated[
        Annotated[int, Field(ge=1)] | Literal["none"] | None,
        NONE_WRITTEN,
    ]
"""The most conditions of a rule."""


class RulesPlan(HeldAmongSimilar):
    """A rule set: "predict the outcome if ... or if ...", found by integer programming under a constraint.

    The outcome is the one that ``models.positive`` names.
    """

    does = "A few rules say for whom the outcome is expected. Anyone can read and check them."
    has_score = False
    marks_proxies = True
    learns_known_groups = True
    keeps_model = True

    method: Literal["rules"] = Field(default="rules", description="The kind of remedy.")
    max_complexity: Annotated[
        Annotated[int, Field(ge=2, le=MAX_COMPLEXITY)],
        InForm(
            label="Complexity, at most",
            help=(
                "Each rule counts 1, and each of its conditions 1. More can be more accurate, and is harder to explain."
            ),
            widget="slider",
        ),
    ] = Field(default=15, description="The most that the sum over rules of 1 + conditions may be.")
    fairness: Fairness = Field(
        default="equalized_odds", description='The rates that must be alike between groups; "none" in a file.'
    )
    max_difference: LargestGap = Field(default=0.05, description="How far apart they may be.")
    max_fpr_difference: Annotated[
        Annotated[float, Field(gt=0, le=1)] | None,
        InForm(
            label="Another limit for wrongly flagged, in points",
            help="With both error rates alike. Empty: the limit is the same for both.",
            empty="the same for both",
            in_points=True,
            step=0.5,
            format="%g",
        ),
    ] = Field(
        default=None,
        description=(
            "How far false positive rates may be apart, where both error rates must be alike and that is another limit "
            "than `max_difference`, which is then about false negative rates alone."
        ),
    )
    margin: Margin = Field(
        default=0.0,
        description="So much less is allowed on the training rows, so that held-out rows have room for chance.",
    )
    max_loss: MaxLoss = Field(
        default=None,
        description=(
            "How much accuracy, as `objective` counts errors, may be lost on the training rows against the best rule "
            "set; then the difference is made as small as possible, and takes no `max_difference`."
        ),
    )
    objective: Annotated[
        Literal["hamming", "zero_one"],
        InForm(
            label="An error counts",
            choices=(
                Choice("hamming", "Once for each rule that is wrong", "Quicker. Called Hamming loss."),
                Choice("zero_one", "Once", "Exact, and slower. Called 0-1 loss."),
            ),
        ),
    ] = Field(
        default="hamming",
        description=(
            'The loss: "zero_one" counts a wrongly covered row once, "hamming" once for each rule that covers it.'
        ),
    )
    max_rule_length: Annotated[
        RuleLength,
        InForm(
            label="Conditions a rule, at most",
            help="Longer rules take longer to find, and little can be proven of them.",
            least=1,
            most=99,
            step=1,
            empty="as many as fit",
        ),
    ] = Field(
        default=3,
        description=(
            'The most conditions of one rule; the bound on the loss is that over all such rules. None, "none" in a '
            "file, leaves it to `max_complexity`: then much less can be proven."
        ),
    )
    solver: Annotated[
        Solver,
        InForm(
            label="New rules are found by",
            help="SCIP, a solver of integer programs, chooses among them in any case. As first published takes long.",
            choices=SOLVERS,
        ),
    ] = Field(
        default="auto",
        description=(
            'Who looks for rules that are left: "auto", our own searches and, where these do not end on a small table, '
            'SCIP; "search", our own alone; "scip", after quick searches SCIP alone; "published", SCIP alone, and one '
            "integer program chooses among the rules that were generated for the Hamming loss."
        ),
    )
    use_sensitive: Annotated[bool, InForm(label="Rules may name the group", help=NAMES_GROUP)] = Field(
        default=False, description="Whether rules may use columns that reveal the groups."
    )
    time_limit: Annotated[
        Annotated[float, Field(gt=0, allow_inf_nan=False)],
        InForm(
            label="Seconds of search",
            help="Work is counted, so that each computer finds the same.",
            least=1,
            most=3600,
            step=10.0,
            format="%g",
        ),
    ] = Field(
        default=120.0,
        description=(
            "The work that a search does at most, and so does the one without a constraint, which it is compared "
            "with: about so many seconds' work. It is counted and not timed, so that each machine finds the same."
        ),
    )
    no_group_worse_off: NoGroupWorseOff = Field(
        default=False,
        description=(
            "Whether no group may do worse than before, on the tuning rows; of the rules that the search found, a "
            "rule set is then made that keeps to it."
        ),
    )
    confidence: HoldOnNewPeople = Field(default=None, description=HELD_ON_NEW_PEOPLE)
    rules: tuple[Annotated[str, AfterValidator(_as_rule)], ...] = Field(
        default=(),
        description=(
            "Conditions that a person chose: then nothing is learned, and the other settings only say what they are "
            "held against."
        ),
    )

    @field_validator("rules")
    @classmethod
    def _each_once(cls, rules: tuple[str, ...]) -> tuple[str, ...]:
        """Keep one of equal rules: it covers the same rows, and would count twice in the complexity."""
        return tuple(dict.fromkeys(rules))

    @model_validator(mode="after")
    def _margin_within(self) -> RulesPlan:
        if self.margin > self.max_difference:
            raise ValueError(
                f"'margin' must be at most 'max_difference' ({self.max_difference:g}), got {self.margin:g}"
            )
        return self

    @model_validator(mode="after")
    def _loses_for_a_gap(self) -> RulesPlan:
        if self.max_loss is None:
            return self
        given = {
            "max_difference": self.max_difference != RulesPlan.model_fields["max_difference"].default,
            "margin": self.margin > 0,
            "rules": bool(self.rules),
            "no_group_worse_off": self.no_group_worse_off,
            "confidence": self.confidence is not None,
        }
        for name, is_given in given.items():
            if is_given:
                raise ValueError(f"'{name}' cannot be used with 'max_loss'; leave it out")
        if self.fairness is None:
            raise ValueError("'max_loss' makes a difference small and needs 'fairness'")
        return self

    @model_validator(mode="after")
    def _can_keep_groups(self) -> RulesPlan:
        if self.no_group_worse_off and self.rules:
            raise ValueError(
                "holds rules that a person chose, which are taken as they are: leave 'no_group_worse_off' out, and "
                "read whether a group is worse off in the result"
            )
        if self.no_group_worse_off and self.fairness is None:
            raise ValueError(
                "asks for nothing to be alike, so no group has to lose: 'no_group_worse_off' needs 'fairness'; leave "
                "it out, and read whether a group is worse off in the result"
            )
        return self

    @model_validator(mode="after")
    def _can_hold(self) -> RulesPlan:
        if self.confidence is not None and (self.rules or self.fairness is None):
            raise ValueError(
                "has 'confidence', which needs a limit that rules are searched within: give 'fairness' and no 'rules', "
                "or leave it out"
            )
        if self.confidence is not None and self.no_group_worse_off:
            raise ValueError(HOLDS_ONE_OF_TWO)
        if self.confidence is not None and not self.max_difference:
            raise ValueError(HOLDS_NO_GAP)
        return self

    @model_validator(mode="after")
    def _averages_something(self) -> RulesPlan:
        if self.strata and self.fairness is None:
            raise ValueError("has 'strata', which limits hold among, and no limit: give 'fairness', or leave it out")
        return self

    @model_validator(mode="after")
    def _limits_apart(self) -> RulesPlan:
        if self.max_fpr_difference is None:
            return self
        if self.fairness != "equalized_odds":
            raise ValueError("'max_fpr_difference' needs 'fairness' = 'equalized_odds'; leave it out")
        if self.max_loss is not None or self.confidence is not None:
            raise ValueError("'max_fpr_difference' cannot be used with 'max_loss' or 'confidence'; leave one out")
        if min(self.max_difference, self.max_fpr_difference) <= self.margin:
            raise ValueError(
                "'max_difference' and 'max_fpr_difference' must both be above 'margin' where both are given"
            )
        return self

    @model_serializer(mode="wrap", when_used="json")
    def _none_written(self, handler: SerializerFunctionWrapHandler) -> dict[str, object]:
        nothing = [name for name in ("fairness", "max_rule_length") if getattr(self, name) is None]
        return handler(self) | dict.fromkeys(nothing, "none")

    def baseline(self) -> RulesPlan:
        """Return the plan with the same settings that asks for nothing to be alike."""
        limits = ("max_difference", "max_fpr_difference", "margin", "max_loss", "no_group_worse_off", "confidence")
        usual = self.without_strata().with_defaults("name", *limits, "rules")
        return usual.model_copy(update={"fairness": None})

    def search_plan(self) -> RulesPlan:
        """Return a plan that is the same for all with this search: without a limit, it does not matter which.

        That no group may be worse off is asked when the search has ended.
        """
        if self.fairness is None and not self.rules:
            return self.baseline()
        return self.model_copy(update={"no_group_worse_off": False})

    def plain_model(self, outcome: OutcomeKind = SHARES) -> Learner | None:
        """Return the model that chosen rules, and those found without a constraint, are compared with; else None."""
        return "logistic_regression" if self.rules or self.fairness is None else None

    def is_learned(self) -> bool:
        """Say whether the plan does not say who is predicted what."""
        return not self.rules
