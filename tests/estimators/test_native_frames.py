"""Estimators keep the names of the columns of frames of every library that narwhals reads."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sweeps import part_of

from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.models import make_model
from fairaudit.estimators.rules.binarizer import Binarizer
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.thresholds import GroupThresholdClassifier
from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor


def of_polars(frame):
    return pytest.importorskip("polars").from_pandas(frame)


def of_polars_lazily(frame):
    return of_polars(frame).lazy()


LIBRARIES = [pa.Table.from_pandas, of_polars, of_polars_lazily]


def people(n=160):
    random = np.random.default_rng(0)
    X = pd.DataFrame({"priors": random.integers(0, 9, n), "area": random.choice(["east", "north"], n)})
    y = np.where(X["priors"] + random.normal(size=n) > 4, 1, 0)
    return X, y, pd.DataFrame({"sex": random.choice(["f", "m"], n)})


@pytest.mark.parametrize("library", part_of(LIBRARIES, LIBRARIES[:1], rest="thorough"))
@pytest.mark.parametrize(
    "make",
    [
        lambda: OptimalTreeClassifier(2, max_splits=20, constraint="demographic_parity", random_state=0),
        lambda: OptimalTreeRegressor(1, max_splits=20, random_state=0),
        lambda: LookaheadTreeClassifier(2, fairness_weight=0, random_state=0),
        lambda: RuleSetClassifier(4, binarizer=Binarizer(n_bins=4), max_difference=0.2, random_state=0),
        lambda: ConstrainedClassifier(
            make_model("logistic_regression"), "demographic_parity by sex <= 0.2", random_state=0
        ),
        lambda: GroupThresholdClassifier(make_model("logistic_regression"), method="exact", random_state=0),
    ],
    ids=lambda make: type(make()).__name__,
)
def test_the_same_is_learned_from_a_frame_of_any_library_and_by_its_names(make, library):
    X, y, sex = people()
    groups = {"sensitive_features": sex} if "Threshold" in type(make()).__name__ else {}
    plain, other = make().fit(X, y, sensitive_features=sex), make().fit(library(X), y, sensitive_features=library(sex))
    assert other.feature_names_in_.tolist() == plain.feature_names_in_.tolist() == ["priors", "area"]
    for part in ("tree_", "rule_set_"):
        assert str(getattr(other, part, "")) == str(getattr(plain, part, ""))
    named = {name: library(values) for name, values in groups.items()}
    assert other.predict(library(X), **named).tolist() == plain.predict(X, **groups).tolist()


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_group_that_has_the_name_of_a_column_is_found_in_a_frame_of_any_library(library):
    X, y, sex = people()
    model = RuleSetClassifier(4, fairness=None, random_state=0)
    model.fit(library(X.assign(sex=sex["sex"])), y, sensitive_features=library(sex))
    assert "sex" not in {literal.column for literal in model.literals_}
    assert {literal.column for literal in model.literals_} == {"priors", "area"}
