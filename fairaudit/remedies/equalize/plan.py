"""Scores that are spread alike in all groups: the part of a plan that asks for them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fairaudit.remedies.part import RemedyPart


class EqualizePlan(RemedyPart):
    """A logistic model whose score is spread alike in all groups; its one threshold is chosen on the tuning part.

    Parameters
    ----------
    method : {"equalize"}
        The kind of remedy.
    name : str, optional
        What it is called in this audit.
    accuracy_weight : float
        The weight of accuracy in the loss; the rest is that of how unlike the spreads are.
    distance : {"ranks", "histogram"}
        How unlike spreads are measured: by the gaps at all thresholds, or by histograms of the scores, as in the paper.
    smoothing : float, optional
        The spread of the soft histogram; None chooses it from the data.
    optimizer : {"lbfgs", "momentum"}
        How the loss is made small.
    max_iter : int
        The most steps.
    no_group_worse_off : bool
        Whether no group may do worse than before, on the tuning rows; the threshold is chosen among those of which that
        is true.
    """

    does = "One score is spread alike in all groups, and one threshold cuts it for everybody."
    by_conditions = False
    learns_known_groups = True

    method: Literal["equalize"] = "equalize"
    name: str | None = None
    accuracy_weight: Annotated[float, Field(ge=0, le=1)] = 0.5
    distance: Literal["ranks", "histogram"] = "ranks"
    smoothing: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    optimizer: Literal["lbfgs", "momentum"] = "lbfgs"
    max_iter: Annotated[int, Field(ge=1)] = 2000
    no_group_worse_off: bool = False
