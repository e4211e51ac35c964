"""What is said of constraints before any model is trained to them: groups, sizes, and what a model breaks."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.trying import iter_remedy
from fairaudit.errors import MissingColumnError
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.estimators.constraints.constrained_rows import STEPS
from fairaudit.events import Incumbent
from fairaudit.remedies.constrain.details import COARSE, picked_fit, scales, search_path
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.study.constraint_check import (
    broken,
    column_groups,
    group_sizes,
    protected_groups,
    tuning_rows,
    widest,
)
from fairaudit.study.rows import Study

COLUMNS = ("sex", "area", "merit")


def study_of(**models) -> Study:
    table = as_loans(biased_loans())
    return Study.of(table, loans_plan(**models)).reading(table, COLUMNS)


@pytest.fixture(scope="module")
def study() -> Study:
    return study_of()


@pytest.fixture(scope="module")
def plain(study):
    return drained(iter_remedy(study, PlainPlan())).model


def by_hand(study, plain, metric, rows) -> tuple[float, int]:
    """A metric and the rows that it is a share of, as anyone would compute it."""
    y, h = study.y[rows], plain.predict(study.X.iloc[rows])
    if study.models.positive == "unfavorable":
        y, h = 1 - y, 1 - h
    among = {"demographic_parity": y >= 0, "fpr": y == 0, "fnr": y == 1, "fdr": h == 1, "for_": h == 0}[metric]
    hit = {"demographic_parity": h == 1, "fpr": h == 1, "fnr": h == 0, "fdr": y == 0, "for_": y == 1}[metric]
    return float(hit[among].mean()), int(among.sum())


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
def test_gaps_of_the_plain_model_are_those_counted_by_hand(plain, positive):
    study = study_of(positive=positive)
    specs = [FairnessSpec(metric, "sex", 0.1) for metric in ("demographic_parity", "fpr", "fnr", "fdr", "for_")]
    found = broken(study, specs, plain)
    tune = study.split.tune
    sex = study.sensitive["sex"].to_numpy()[tune]
    assert found[["first", "second"]].drop_duplicates().to_numpy().tolist() == [["man", "woman"]]
    for row, spec in zip(found.itertuples(), specs, strict=True):
        man, woman = (by_hand(study, plain, spec.metric, tune[sex == who]) for who in ("man", "woman"))
        assert (row.first_value, row.second_value) == pytest.approx((man[0], woman[0]))
        assert (row.n_first, row.n_second) == (man[1], woman[1])
        assert row.size == pytest.approx(abs(man[0] - woman[0])) and row.met == (row.size <= 0.1)


def test_widest_pair_of_each_constraint_stands_for_it(study, plain):
    specs = [FairnessSpec("demographic_parity", "area", 0.001), FairnessSpec("demographic_parity", "sex", 0.9)]
    pairs = broken(study, specs, plain)
    first, second = widest(pairs).itertuples()
    assert (first.n_pairs, second.n_pairs, second.n_broken) == (3, 1, 0)
    assert first.size == pairs.loc[pairs["spec"] == first.spec, "size"].max()
    assert first.n_broken == int((~pairs.loc[pairs["spec"] == first.spec, "met"]).sum())


def test_pair_without_a_rate_is_broken_and_comes_first(study, plain):
    pairs = broken(
        study, [FairnessSpec("fnr", {"low": "merit < -1.5", "all": "merit < 9", "some": "merit > 0"}, 1)], plain
    )
    undefined = pairs["size"].isna()
    assert undefined.any() and not pairs.loc[undefined, "met"].any() and pairs.loc[~undefined, "met"].all()
    (row,) = widest(pairs).itertuples()
    assert math.isnan(row.size) and row.n_broken == undefined.sum()


def test_groups_of_columns_are_crossed_counted_and_written_as_conditions(study):
    found = column_groups(study, "fpr", ("sex", "area"))
    assert [group.name for group in found] == [
        f"{sex}, {area}" for sex in ("man", "woman") for area in ("north", "south", "west")
    ]
    tune = study.split.tune
    for group in found:
        sex, area = group.name.split(", ")
        here = study.sensitive.iloc[tune].eq({"sex": sex, "area": area, "merit": np.nan})[["sex", "area"]].all(axis=1)
        assert group.n == int((here.to_numpy() & (study.y[tune] == 0)).sum())
        assert group.enough == (group.n >= 30)
    asked = FairnessSpec("fpr", {group.name: group.condition for group in found}, 0.1)
    assert [(group.name, group.n) for group in group_sizes(study, asked)] == [(group.name, group.n) for group in found]


def test_constraint_on_a_column_that_is_not_there_is_refused(study):
    with pytest.raises(MissingColumnError, match="'hair'"):
        group_sizes(study, FairnessSpec("demographic_parity", ["sex", "hair"], 0.1))


def test_protected_group_and_the_rest_are_those_of_the_question():
    study = study_of(where="merit > -1")
    (name, protected), (rest_name, rest) = protected_groups(study, as_loans(biased_loans()))
    assert (name, rest_name) == ("women", "the rest")
    rows = tuning_rows(study, [FairnessSpec("demographic_parity", {name: protected, rest_name: rest}, 0.1)])
    tune = study.split.tune
    inside, protects = study.population[tune], study.protected[tune]
    women, others = rows.members[0]
    assert np.array_equal(women, np.flatnonzero(inside & protects))
    assert np.array_equal(others, np.flatnonzero(inside & ~protects))


def test_limits_that_are_offered_are_steps_that_no_gap_reveals_and_pick_models_that_no_other_beats(study):
    found = drained(iter_remedy(study, ConstrainPlan(constraints=("demographic_parity by sex <= 0.08",))))
    path, classifier = found.finding.details.path, found.model
    offered = scales(path)
    assert 1.0 in offered and offered == tuple(sorted(offered))
    picked = [picked_fit(path, scale) for scale in offered]
    assert len(set(picked)) == len(picked) > 1
    assert path["frontier"].to_numpy()[picked].all()
    assert set(offered) <= {1.0, *STEPS}
    assert set(scales(path, coarse=True)) <= {1.0, *COARSE}
    wide = max(offered)
    assert wide + 1 in scales(path, current=wide + 1) and wide not in scales(path, current=wide + 1)
    assert all(classifier.pick(scale).chosen_ == picked_fit(path, scale) for scale in offered)


def test_search_so_far_is_shown_as_at_its_end():
    tried = [(0.0, 0.90, 3.0, True), (0.5, 0.80, math.inf, False), (0.2, 0.88, 1.4, True), (0.3, 0.87, 1.6, False)]
    found = tuple(
        Incumbent(
            "fit",
            {
                "fit": i,
                "multiplier": m,
                "accuracy": accuracy,
                "ratio": ratio,
                "gap": math.nan,
                "threshold": math.nan,
                "met": float(ratio <= 1),
            },
            best=best,
        )
        for i, (m, accuracy, ratio, best) in enumerate(tried, start=1)
    )
    path = search_path(found)
    assert path["frontier"].tolist() == [True, False, True, False]
    assert path["picked"].tolist() == [False, False, True, False]
    assert path.dtypes[["met", "frontier", "picked"]].eq(bool).all()
    assert isinstance(path, pd.DataFrame) and path["fit"].tolist() == [1, 2, 3, 4]
