"""The part of a plan that says what all models learn from and how they are judged, and the models that it may name."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_POSITIVE, USUAL_TOLERANCE, Positive
from fairaudit.plan.fields import Choice, InForm
from fairaudit.plan.parts import Confidence, Filter, Part, Tolerance

Learner = Literal["logistic_regression", "mlp", "svm", "random_forest", "gradient_boosting"]
"""Models by name, see :func:`fairaudit.estimators.make_model`."""

ProbabilisticLearner = Literal["logistic_regression", "mlp", "random_forest", "gradient_boosting"]
"""Those that give a probability."""

MODEL_WORDS = {
    "logistic_regression": "logistic regression",
    "mlp": "neural network",
    "svm": "support vector machine",
    "random_forest": "random forest",
    "gradient_boosting": "boosted trees",
    "score": "the score in the data",
}
"""Models in words, for sentences and names."""


def model_choices(*names: str) -> tuple[Choice, ...]:
    """Return models as a form offers them."""
    return tuple(Choice(name, MODEL_WORDS[name].capitalize()) for name in names)


AmountLearner = Literal["linear_regression", "median"]
"""Models of an amount by name, see :mod:`fairaudit.remedies.plain.fit`."""


LearnFrom = Literal["everyone", "population"]
"""Whether models learn from all rows, or from those alone that meet the filter."""


class ModelsPlan(Part):
    """What all models of an audit share: the columns they learn from and how they are judged.

    Every model is judged on the same held-out rows.
    """

    features: Annotated[
        tuple[str, ...], InForm(label="Columns to learn from", help="What is known when the decision is made.")
    ] = Field(min_length=1, description="The columns that a model may use.")
    protected: str = Field(
        description=(
            "Who is protected, as a condition; the gap is between the rows that meet it and the other known ones."
        ),
    )
    where: Filter = Field(
        default=None,
        description=(
            "Models are chosen by the rows that meet this condition, limits hold among them, and they are judged. No "
            "model learns from a row whose decision alone keeps it from being met."
        ),
    )
    learn_from: Annotated[
        LearnFrom,
        InForm(
            label="Learn from",
            help="Limits and results are about the people of the filter either way.",
            choices=(Choice("everyone", "Everyone in the data"), Choice("population", "The people of the filter only")),
        ),
    ] = Field(
        default="everyone",
        description=(
            "Whether models learn from all rows or from those alone that meet 'where'. Without one it means nothing."
        ),
    )
    protected_name: str | None = Field(default=None, description="Who is protected, in a word or two.")
    by: Annotated[
        tuple[str, ...],
        InForm(
            label="Compare errors by",
            help="Several columns are crossed.",
            empty="the protected group and everyone else",
        ),
    ] = Field(
        default=(),
        description=(
            "Error rates are compared between the groups of these columns (crossed); empty: protected against the rest."
        ),
    )
    positive: Positive = Field(
        default=USUAL_POSITIVE, description="Which outcome is called positive; without it, that of the audit."
    )
    tolerance: Tolerance = Field(default=USUAL_TOLERANCE, description="The largest gap that still counts as alike.")
    confidence: Confidence = USUAL_CONFIDENCE
    n_components: Annotated[
        Annotated[int, Field(ge=1)] | None,
        InForm(label="Principal components", help="In the place of the columns. 0: none.", least=0, step=1, none=0),
    ] = Field(default=None, description="Keeps that many principal components of the prepared features.")
    min_level_count: Annotated[
        Annotated[int, Field(ge=1)],
        InForm(label="Fewest cases of a value", help="Rarer values of a text column are taken together.", step=1),
    ] = Field(default=10, description="Values of a text column in fewer training rows are folded into one.")
    divisions: Annotated[
        Annotated[int, Field(ge=1, le=100)],
        InForm(label="Repeats", help="On how many random splits a report tries each remedy.", step=1),
    ] = Field(
        default=1,
        description=(
            "On how many divisions of the rows into learning and held-out ones each remedy is made and judged. The "
            "first is reported in full; the others show how much depends on the division."
        ),
    )
    search_predictions: Annotated[
        bool,
        InForm(
            label="Search predictions for worst groups",
            help="Half of the test cases searches what a remedy predicts, the other half judges.",
        ),
    ] = Field(
        default=False,
        description=(
            "Whether what each remedy predicts for the test cases is searched for the groups that it hits most, among "
            "those that name a column of the protected condition or of 'by'."
        ),
    )
    proxies: Annotated[
        bool,
        InForm(
            label="Say which columns stand in for the group",
            help="In the report: how well each column that models may use tells who is protected.",
        ),
    ] = Field(
        default=False,
        description="Whether it is said how well each feature stands in for the group, on the rows to learn from.",
    )
    sample_rows: Annotated[
        Annotated[int, Field(ge=20, le=1_000_000)] | None,
        InForm(
            label="Rows to draw",
            help="Drawn at random within both groups. The same seed draws the same rows.",
            step=1000,
        ),
    ] = Field(
        default=None,
        description=(
            "Where the data stay in a database or cluster, this many rows are drawn there, in proportion by protection "
            "and decision; elsewhere it means nothing."
        ),
    )
