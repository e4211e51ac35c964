"""Columns that reveal the groups are named, and columns that say nothing about them are not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.errors import InputError, MissingColumnError
from fairaudit.estimators.rules.binarizer import close_proxies


def rows(n=2000, seed=0):
    random = np.random.default_rng(seed)
    group = random.choice(["f", "m"], n)
    table = pd.DataFrame(
        {
            "role": np.where(group == "f", "wife", "husband"),
            "height": random.normal(size=n) + np.where(group == "f", 0, 5),
            "luck": random.normal(size=n),
            "id": [f"p{i}" for i in range(n)],
            "gap": np.where(group == "f", np.nan, 1.0),
            "same": 1,
        }
    )
    return table, group


def test_columns_are_named_by_how_close_they_come():
    table, group = rows()
    found = close_proxies(table, group, list(table))
    assert set(found) == {"role", "height", "gap"}
    assert found["role"] == found["gap"] == 1
    assert 0.9 < found["height"] <= 1
    assert list(found.values()) == sorted(found.values(), reverse=True)
    weak = close_proxies(table, group, list(table), minimum=0)
    assert weak["id"] == weak["same"] == 0
    assert weak["luck"] < 0.1


def test_closeness_of_two_groups_is_the_total_variation_distance():
    table = pd.DataFrame({"x": ["a"] * 60 + ["b"] * 40 + ["a"] * 10 + ["b"] * 90})
    assert close_proxies(table, ["p"] * 100 + ["q"] * 100, ["x"])["x"] == pytest.approx(0.5)


def test_three_groups_and_one():
    group = np.repeat(["a", "b", "c"], 20)
    table = pd.DataFrame({"same": group, "half": np.where(group == "a", "x", "y")})
    assert close_proxies(table, group, ["same", "half"]) == {"same": 1.0, "half": 0.5}
    assert close_proxies(table, ["a"] * 60, ["same"]) == {}


def test_what_does_not_fit_is_refused():
    table, group = rows(20)
    with pytest.raises(InputError, match="must have 20 rows, got 3"):
        close_proxies(table, group[:3], ["role"])
    with pytest.raises(MissingColumnError, match="'rolle'"):
        close_proxies(table, group, ["rolle"])
