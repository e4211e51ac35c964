"""Made-up decisions in which the right answer is known: who is treated worse, and by how much."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fairaudit.data import Table
from fairaudit.events import Finished
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan

NUMBERS = ("merit", "weight")
"""Columns of which more is more, also where a test rounds them."""


def biased_loans(n: int = 1200, *, seed: int = 3, refused: float = 0.5) -> pd.DataFrame:
    """Loans that follow merit, but a share of the women who merit one is refused.

    `merit` is known but for noise, `weight` speaks for the sex, `rating` is a score of merit that puts women lower.
    A few rows have no sex, a few no decision, and some no `merit`.
    """
    random = np.random.default_rng(seed)
    woman = random.random(n) < 0.4
    merit = random.normal(size=n)
    granted = merit + random.normal(scale=0.3, size=n) > 0
    granted &= ~(woman & (random.random(n) < refused))
    frame = pd.DataFrame(
        {
            "number": np.arange(n),
            "sex": np.where(woman, "woman", "man"),
            "merit": np.round(merit, 3),
            "weight": np.round(np.where(woman, 60, 80) + random.normal(scale=8, size=n), 1),
            "area": random.choice(["north", "south", "west"], size=n),
            "rating": np.round(merit - 0.8 * woman + random.normal(scale=0.2, size=n), 2),
            "granted": np.where(granted, "yes", "no"),
        }
    ).astype({"sex": object, "granted": object})
    frame.loc[frame.index[5::97], "sex"] = None
    frame.loc[frame.index[7::101], "granted"] = None
    frame.loc[frame.index[9::50], "merit"] = np.nan
    return frame


def loans_plan(**models) -> AuditPlan:
    """A plan whose models learn from the features of `biased_loans`; keywords change its part ``models``."""
    settings = {"features": ("merit", "weight", "area"), "protected": "sex = 'woman'", "protected_name": "women"}
    return AuditPlan(
        data=DataPlan(source="loans.csv"),
        decision=OutcomePlan(column="granted", favorable=("yes",), meaning="loan granted"),
        score=ScorePlan(column="rating", cut=0.0),
        protected_columns=("sex",),
        models=ModelsPlan(**settings | models),
        seed=4,
    )


def as_loans(frame: pd.DataFrame, *, kept: bool = False) -> Table:
    """The frame as a table; `kept` says that applications that were withdrawn count as decided."""
    said = {"granted": ["withdrawn"]} if kept else {}
    return Table.from_pandas(frame, name="loans", numbers=[name for name in NUMBERS if name in frame], real_values=said)


def drained(events):
    """The result of a generator of events."""
    *_, last = events
    assert isinstance(last, Finished)
    return last.result
