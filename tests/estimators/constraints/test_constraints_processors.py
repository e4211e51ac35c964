"""A search for limits tries the same models, whatever order a processor adds up in."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from places import ROOT
from same_figures import other_processor, same

SEARCHES = """
import numpy as np, pandas as pd
from sklearn.linear_model import LogisticRegression
from fairaudit import ConstrainedClassifier

for seed in range(SEED, SEED + 4):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(500, 1500))
    sex, race = rng.choice(["woman", "man"], n), rng.choice(list("abcd"), n, p=[0.4, 0.3, 0.2, 0.1])
    X = np.column_stack([rng.normal(size=n) + 0.4 * (sex == "man"), rng.exponential(size=n), rng.integers(0, 6, n)])
    bent = 0.5 * (sex == "man") - 0.3 * (race == "c") + rng.logistic(size=n)
    y = (X @ [1, 0.5, -0.3] + bent > 0).astype(int)
    for specs in (["accuracy by race >= 0.68"], ["fpr by race <= 0.05", "fnr by race <= 0.05"]):
        model = ConstrainedClassifier(LogisticRegression(), specs=specs, random_state=0)
        model.fit(X.round(3), y, sensitive_features=pd.DataFrame({"race": race}))
        for fit in model.history_:
            print(seed, *fit.multipliers, fit.accuracy, *fit.gaps)
"""


def tried(seed: int, **more: str) -> list[str]:
    command = [sys.executable, "-c", SEARCHES.replace("SEED", str(seed))]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | more
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.thorough
def test_models_that_are_tried_do_not_depend_on_the_processor():
    here, there = tried(100), tried(100, **other_processor())
    assert len(here) > 400 and len(here) == len(there)
    assert all(map(same, here, there))
