"""The part of a plan that says what all models learn from and how they are judged."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fairaudit.plan.parts import Part


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
