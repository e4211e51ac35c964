"""The part of a plan that tries remedies: what all models share, and one entry for each remedy."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    Field,
    FiniteFloat,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from fairaudit.conditions.names import AnyNames
from fairaudit.plan_parts import Part
from fairaudit.plan_trees import TreesPlan
from fairaudit.remedies.constraints import parse_specs
from fairaudit.rules.conjunctions import checked_conjunction
from fairaudit.rules.rule_set import RuleSet
from fairaudit.rules.rule_texts import literals_of

Learner = Literal["logistic_regression", "mlp", "svm", "random_forest", "gradient_boosting"]
"""Models by name, see :func:`fairaudit.remedies.make_model`."""

ProbabilisticLearner = Literal["logistic_regression", "mlp", "random_forest", "gradient_boosting"]
"""Those that give a probability."""

AmountLearner = Literal["linear_regression", "median"]
"""Models of an amount by name, see :mod:`fairaudit.study.amount_models`."""

MAX_COMPLEXITY = 100
"""The largest complexity of a rule set: nobody reads a longer one aloud."""


def _readable(text: str) -> str:
    """Refuse a text that holds no constraint, so that the plan's error names the entry."""
    parse_specs(text)
    return text


UNTOLD_RULE = "(not shown, as it holds for so few rows that it could tell of single people)"
"""Stands in an exported plan in place of a rule that is hidden. It is no rule: the plan is not repeated without it."""


def _as_rule(text: str) -> str:
    """Return a rule as it is printed; whether its columns are there is only known with the data."""
    if text == UNTOLD_RULE:
        raise ValueError(
            "a rule was hidden when this plan was exported, as it holds for few rows. Take the plan that the audit was "
            "saved as"
        )
    literals = checked_conjunction(literals_of(text, AnyNames()), "The rule")
    return RuleSet.of([literals]).conditions()[0]


class ModelsPlan(Part):
    """What all models of an audit share: the columns they learn from and how they are judged.

    `features` are the columns that a model may use. Every model is judged on the same held-out rows: the gap between
    the rows that meet `protected` and the other known ones, among those that meet `where`; and error rates between the
    groups of the columns `by` (crossed; empty: protected against the rest). `n_components` keeps that many principal
    components of the prepared features. Values of a text column in fewer than `min_level_count` training rows are
    folded into one. Where the data stay in a database or cluster, `sample_rows` are drawn there, in proportion by
    protection and decision; elsewhere it means nothing.
    """

    features: Annotated[tuple[str, ...], Field(min_length=1)]
    protected: str
    where: str | None = None
    protected_name: str | None = None
    by: tuple[str, ...] = ()
    positive: Literal["favorable", "unfavorable"] = "favorable"
    tolerance: Annotated[float, Field(ge=0, le=1)] = 0.05
    confidence: Annotated[float, Field(ge=0.5, le=0.9999)] = 0.95
    n_components: Annotated[int, Field(ge=1)] | None = None
    min_level_count: Annotated[int, Field(ge=1)] = 10
    sample_rows: Annotated[int, Field(ge=20, le=1_000_000)] | None = None


class PlainPlan(Part):
    """A model without any remedy, to compare with. It learns from the 60 % training part.

    Where the decision is an amount, `model` is "linear_regression" or "median", which predicts the same for everybody.
    """

    method: Literal["plain"] = "plain"
    name: str | None = None
    model: Learner | AmountLearner = "logistic_regression"


class RelabelPlan(Part):
    """Retraining on relabelled rows: `risk_model` learns from 40 %, `final_model` from the relabelled other 40 %.

    With `reweigh`, protected rows are weighed while a perceptron is the final model that may see who is protected, so
    that its decisions become alike and not only the labels; without it the fit is plain.
    """

    method: Literal["relabel"] = "relabel"
    name: str | None = None
    algorithm: Literal["risk_adjustment", "risk_flipping"] = "risk_flipping"
    risk_model: ProbabilisticLearner = "logistic_regression"
    final_model: ProbabilisticLearner = "mlp"
    threshold: Annotated[float, Field(gt=0, lt=1)] = 0.5
    reweigh: bool = True


class ThresholdsPlan(Part):
    """A threshold for each group on the score of `model`, or on the data's own score (``"score"``).

    `search` is how they are found on the 20 % tuning part: the exact optimum, particle swarm, or ``"chosen"`` by a
    person, who then gives `thresholds` as pairs of a group's name and its threshold.
    """

    method: Literal["thresholds"] = "thresholds"
    name: str | None = None
    model: Learner | Literal["score"] = "logistic_regression"
    fairness_weight: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.0
    search: Literal["exact", "pso", "chosen"] = "exact"
    thresholds: tuple[tuple[str, FiniteFloat], ...] = ()

    @model_validator(mode="after")
    def _chosen(self) -> ThresholdsPlan:
        if (self.search == "chosen") != bool(self.thresholds):
            raise ValueError("give 'thresholds' where 'search' is 'chosen', and only there")
        names = [group for group, _ in self.thresholds]
        if len(set(names)) < len(names):
            raise ValueError("has two entries for one group in 'thresholds'")
        return self


class EqualizePlan(Part):
    """A logistic model whose score is spread alike in all groups; its one threshold is chosen on the tuning part."""

    method: Literal["equalize"] = "equalize"
    name: str | None = None
    accuracy_weight: Annotated[float, Field(ge=0, le=1)] = 0.15
    smoothing: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    optimizer: Literal["lbfgs", "momentum"] = "lbfgs"
    max_iter: Annotated[int, Field(ge=1)] = 2000


class ConstrainPlan(Part):
    """A model that is trained to meet constraints, such as ``"fpr by race <= 0.03"``, at the least loss of accuracy.

    Metrics are those of the outcome that ``models.positive`` names. The model learns from the training part; whether
    constraints are met is judged on the tuning part while multipliers are searched for. `scale` picks the most accurate
    model of the search whose gaps are at most that many times what the constraints allow.
    """

    method: Literal["constrain"] = "constrain"
    name: str | None = None
    model: ProbabilisticLearner = "logistic_regression"
    constraints: Annotated[tuple[Annotated[str, AfterValidator(_readable)], ...], Field(min_length=1)]
    scale: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0

    @field_validator("constraints")
    @classmethod
    def _as_printed(cls, constraints: tuple[str, ...]) -> tuple[str, ...]:
        """Write each constraint as it is printed; a text that stands for two becomes two."""
        return tuple(dict.fromkeys(str(spec) for text in constraints for spec in parse_specs(text)))


Fairness = Annotated[
    Literal["equalized_odds", "equal_opportunity", "false_positive_rate", "statistical_parity", "accuracy", "none"]
    | None,
    AfterValidator(lambda fairness: None if fairness == "none" else fairness),
]
"""What a rule set must have alike between groups. In a file nothing is written ``"none"``, as TOML has no null."""


class RulesPlan(Part):
    """A rule set: "predict the outcome if ... or if ...", found by integer programming under a constraint.

    The outcome is the one that ``models.positive`` names. The sum over rules of 1 + conditions is at most
    `max_complexity`. The rates that `fairness` names may be `max_difference` apart between groups; on the training rows
    `margin` less is allowed, so that held-out rows have room for chance. A search takes `time_limit` seconds at most,
    and so does the one without a constraint, which it is compared with. `rules` are conditions that a person chose:
    then nothing is learned, and the other settings only say what they are held against.
    """

    method: Literal["rules"] = "rules"
    name: str | None = None
    max_complexity: Annotated[int, Field(ge=2, le=MAX_COMPLEXITY)] = 15
    fairness: Fairness = "equalized_odds"
    max_difference: Annotated[float, Field(ge=0, le=1)] = 0.05
    margin: Annotated[float, Field(ge=0, le=1)] = 0.0
    objective: Literal["hamming", "zero_one"] = "hamming"
    max_rule_length: Annotated[int, Field(ge=1)] | None = None
    use_sensitive: bool = False
    time_limit: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 120.0
    rules: tuple[Annotated[str, AfterValidator(_as_rule)], ...] = ()

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

    @model_serializer(mode="wrap", when_used="json")
    def _none_written(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return handler(self) | ({"fairness": "none"} if self.fairness is None else {})


RemedyPlan = Annotated[
    PlainPlan | RelabelPlan | ThresholdsPlan | EqualizePlan | ConstrainPlan | RulesPlan | TreesPlan,
    Field(discriminator="method"),
]
