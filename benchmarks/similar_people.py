"""How often similar people's amounts are called beyond chance where both groups get alike, in simulated amounts."""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from benchmarks.common import markdown
from fairaudit.measure import check_similar

SPREADS = {
    "alike": (1.0, 1.0),
    "protected three times as wide": (3.0, 1.0),
    "the rest three times as wide": (1.0, 3.0),
}
"""The standard deviation of amounts in the protected group and in the rest, whose means are alike."""


def people(rng: np.random.Generator, columns: str, spread: tuple[float, float], n: int) -> pd.DataFrame:
    """Draw people whose amounts depend on what makes them similar, and not on their group."""
    if columns == "grade":
        grade = rng.integers(0, 6, n)
        data = pd.DataFrame({"grade": grade})
        level, chance = grade * 1.0, np.array([0.10, 0.15, 0.2, 0.25, 0.3, 0.4])[grade]
    else:
        data = pd.DataFrame({"years": rng.normal(size=n), "hours": rng.normal(size=n)})
        level, chance = 0.5 * data["years"].to_numpy(), 1 / (1 + np.exp(1.5 - data["years"].to_numpy()))
    protected = rng.random(n) < chance
    noise = rng.normal(size=n) * np.where(protected, *spread)
    return data.assign(sex=np.where(protected, "F", "M"), pay=level + noise)


def main() -> None:
    """Print the table of how often chance is taken for more; one in twenty is meant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=1_000)
    parser.add_argument("--rows", type=int, default=400)
    options = parser.parse_args()
    rows = []
    for columns in ("grade", "years and hours"):
        for name, spread in SPREADS.items():
            rng, found = np.random.default_rng(7), []
            for seed in range(options.simulations):
                data = people(rng, columns, spread, options.rows)
                by = [column for column in data if column not in ("sex", "pay")]
                similar = check_similar(data, decision="pay", protected="sex = 'F'", columns=by, random_state=seed)
                found.append((similar.is_beyond_chance, similar.average > similar.by_chance_high))
            beyond, high = np.mean(found, axis=0)
            rows.append((columns, name, f"{beyond:.3f}", f"{high:.3f}"))
    print(markdown(["similar in", "spread of amounts", "difference beyond chance", "average beyond its band"], rows))


if __name__ == "__main__":
    main()
