"""Weighted samples for tests: drawn from a population that is known, with clusters and strata."""

from __future__ import annotations

import numpy as np
import pandas as pd

DESIGN = {"weights": "weight", "design_strata": "region", "design_clusters": "school"}
"""How :func:`drawn_sample` draws."""


def weighted_people(n: int = 900, *, seed: int = 0) -> pd.DataFrame:
    """Return people with whole weights, of whom groups and areas differ in how much they weigh."""
    rng = np.random.default_rng(seed)
    sex, area = rng.choice(["F", "M"], n), rng.choice(["a", "b", "c"], n)
    weight = rng.integers(1, 4, n) + 2 * (area == "a") * (sex == "F")
    chance = 0.35 + 0.2 * (area == "a") + 0.1 * (sex == "M")
    paid = rng.random(n) < chance
    score = np.clip(0.3 + 0.3 * paid + rng.normal(0, 0.2, n), 0, 1).round(1)
    return pd.DataFrame(
        {
            "sex": sex,
            "area": area,
            "year": rng.integers(2020, 2024, n),
            "paid": np.where(paid, "yes", "no"),
            "score": score,
            "pay": (20 + 5 * paid + rng.gamma(2, 3, n)).round(2),
            "region": rng.choice(["n", "s"], n),
            "school": rng.integers(0, 60, n),
            "weight": weight,
            "one": 1,
            "heavy": weight * 37.1,
        }
    )


def repeated(people: pd.DataFrame) -> pd.DataFrame:
    """Return each row as often as its weight says."""
    return people.loc[people.index.repeat(people["weight"])].reset_index(drop=True)


class Population:
    """People in schools of two regions, whose outcomes depend on their school; schools are drawn unlike often.

    Parameters
    ----------
    seed : int
        Of the population.
    """

    def __init__(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        schools, size = 2_000, 40
        self.school = np.repeat(np.arange(schools), size)
        region = np.repeat(rng.random(schools) < 0.5, size)
        leaning = np.repeat(rng.normal(0, 0.35, schools), size)
        n = len(self.school)
        women = rng.random(n) < 0.45
        poor = rng.random(n) < 0.3 + 0.2 * women
        logit = -0.2 - 0.5 * women - 0.6 * poor + leaning + 0.3 * region
        paid = rng.random(n) < 1 / (1 + np.exp(-logit))
        flagged = rng.random(n) < np.where(paid, 0.25, 0.55) + 0.12 * women
        self.people = pd.DataFrame(
            {
                "sex": np.where(women, "F", "M"),
                "area": np.where(poor, "poor", "rich"),
                "paid": np.where(paid, "yes", "no"),
                "flagged": flagged.astype(int),
                "later": rng.random(n) < 0.5,
                "region": np.where(region, "n", "s"),
                "school": self.school,
            }
        )
        # Schools that lean towards "yes" are drawn more often, and so are regions unlike often.
        self.chance = np.exp(0.8 * leaning[::size]) * np.where(region[::size], 2.0, 1.0)

    def sample(self, seed: int, schools: int = 40, of_each: int = 15) -> pd.DataFrame:
        """Draw schools in both regions by their chances, and some people of each."""
        rng = np.random.default_rng(seed)
        region = self.people["region"].to_numpy()[:: len(self.school) // len(self.chance)]
        parts = []
        for name in ("n", "s"):
            own = np.flatnonzero(region == name)
            share = self.chance[own] / self.chance[own].sum()
            for place, school in enumerate(rng.choice(own, schools // 2, p=share)):
                size = len(self.school) // len(self.chance)
                rows = school * size + rng.choice(size, of_each, replace=False)
                weight = 1 / (schools / 2 * share[own == school][0] * of_each / size)
                parts.append(self.people.iloc[rows].assign(weight=weight, school=f"{name}{place}"))
        return pd.concat(parts, ignore_index=True)
