"""The page on coming from other tools says which name is which: the numbers are the same on random tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from fairlearn import metrics as fairlearn

from fairaudit import check_controlled_fairness, check_errors, group_gaps, group_metrics

SEEDS = range(20)
FAIRLEARN = {
    "demographic_parity_difference": ("selection_rate", "difference"),
    "demographic_parity_ratio": ("selection_rate", "ratio"),
    "equal_opportunity_difference": ("tpr", "difference"),
    "equal_opportunity_ratio": ("tpr", "ratio"),
    "equalized_odds_difference": ("equalized_odds", "difference"),
    "true_negative_rate_difference": ("tnr", "difference"),
    "false_positive_rate_difference": ("fpr", "difference"),
    "false_negative_rate_ratio": ("fnr", "ratio"),
    "accuracy_score_difference": ("accuracy", "difference"),
}


def people(seed: int, *, n_groups: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = pd.DataFrame({"group": rng.choice(list("abcd")[:n_groups], 400), "y": rng.random(400) < 0.4})
    return rows.assign(h=np.where(rng.random(400) < 0.3, ~rows["y"], rows["y"]))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", FAIRLEARN)
def test_fairlearn(name, seed):
    rows = people(seed, n_groups=2 + seed % 3)
    metric, figure = FAIRLEARN[name]
    wanted = getattr(fairlearn, name)(rows["y"], rows["h"], sensitive_features=rows["group"])
    ours = group_gaps(group_metrics(rows["y"], rows["h"], sensitive_features=rows["group"]))
    assert ours.loc[metric, figure] == pytest.approx(wanted, abs=1e-12), seed


@pytest.mark.parametrize("seed", SEEDS)
def test_the_definitions_of_aif360(seed):
    rows = people(seed, n_groups=2)
    found = check_controlled_fairness(rows, decision="h", favorable=True, protected="\"group\" = 'a'")
    own, other = (rows.loc[rows["group"] == group, "h"].mean() for group in "ab")
    assert found.difference == pytest.approx(own - other) and found.impact_ratio == pytest.approx(own / other)
    rates = group_metrics(rows["y"], rows["h"], sensitive_features=rows["group"])
    tpr, fpr = ({g: rows.loc[(rows["group"] == g) & (rows["y"] == y), "h"].mean() for g in "ab"} for y in (True, False))
    average = ((tpr["a"] - tpr["b"]) + (fpr["a"] - fpr["b"])) / 2
    assert (rates.loc["a", ["tpr", "fpr"]] - rates.loc["b", ["tpr", "fpr"]]).sum() / 2 == pytest.approx(average)


def test_aif360():
    datasets = pytest.importorskip("aif360.datasets")
    metric = pytest.importorskip("aif360.metrics")
    for seed in SEEDS:
        rows = people(seed, n_groups=2).assign(group=lambda r: (r["group"] == "b").astype(float))
        data = datasets.BinaryLabelDataset(
            df=rows[["group", "h"]].astype(float), label_names=["h"], protected_attribute_names=["group"]
        )
        theirs = metric.BinaryLabelDatasetMetric(data, [{"group": 0.0}], [{"group": 1.0}])
        found = check_controlled_fairness(rows, decision="h", favorable=True, protected='"group" = 0')
        assert found.difference == pytest.approx(theirs.mean_difference()), seed
        assert found.impact_ratio == pytest.approx(theirs.disparate_impact()), seed


@pytest.mark.parametrize("seed", SEEDS)
def test_the_definitions_of_aequitas(seed):
    rows = people(seed, n_groups=3).astype({"y": int, "h": int}).rename(columns={"h": "score", "y": "label_value"})
    errors = check_errors(rows, outcome="label_value", favorable=1, prediction="score = 1", by="group").metrics
    for group, part in rows.groupby("group"):
        flagged, label = part["score"] == 1, part["label_value"] == 1
        wanted = {
            "selection_rate": flagged.mean(), "tpr": flagged[label].mean(), "fpr": flagged[~label].mean(),
            "ppv": label[flagged].mean(), "fdr": 1 - label[flagged].mean(), "for_": label[~flagged].mean(),
        }  # fmt: skip
        for name, value in wanted.items():
            assert errors.loc[group, name] == pytest.approx(value), (seed, group, name)


def test_aequitas():
    group = pytest.importorskip("aequitas.group")
    for seed in SEEDS:
        rows = people(seed, n_groups=3).astype({"y": int, "h": int}).rename(columns={"h": "score", "y": "label_value"})
        table, _ = group.Group().get_crosstabs(rows, attr_cols=["group"])
        errors = check_errors(rows, outcome="label_value", favorable=1, prediction="score = 1", by="group").metrics
        for _, row in table.iterrows():
            for name, own in (("tpr", "tpr"), ("fpr", "fpr"), ("fdr", "fdr"), ("for", "for_"), ("precision", "ppv")):
                assert errors.loc[row["attribute_value"], own] == pytest.approx(row[name]), (seed, name)
