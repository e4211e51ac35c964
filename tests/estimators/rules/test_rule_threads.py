"""A search for rules finds and proves the same with one thread and with two."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from places import ROOT

SEARCH = """
import numpy as np, pandas as pd
from fairaudit import RuleSetClassifier

random, n = np.random.default_rng(SEED), 20_000
X = pd.DataFrame({f"number {place}": random.normal(size=n).round(2) for place in range(5)})
group = random.choice(["a", "b"], n)
score = X["number 0"] + 0.5 * X["number 1"] * X["number 2"] + 0.4 * (group == "a")
y = score + random.normal(size=n) > 0
model = RuleSetClassifier(10, fairness=FAIRNESS, max_difference=0.02, time_limit=8, random_state=0)
model.fit(X, y, sensitive_features=group)
for each in model.path_:
    print(each)
print(model.bounds_, model.objective_, model.rule_set_)
"""


def printed(seed: int, fairness: str | None, n_threads: int) -> str:
    search = SEARCH.replace("SEED", str(seed)).replace("FAIRNESS", repr(fairness))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(n_threads))
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | threads
    done = subprocess.run([sys.executable, "-c", search], env=environment, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize(("seed", "fairness"), [(1, None), (2, "equalized_odds")])
def test_rounds_bounds_and_rules_do_not_hang_on_the_number_of_threads(seed, fairness):
    one = printed(seed, fairness, 1)
    assert one.count("Round(") >= 2
    assert printed(seed, fairness, 2) == one
