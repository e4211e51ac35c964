"""Errors of a predicted level by group, against scikit-learn, SciPy and statsmodels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency
from sklearn.metrics import balanced_accuracy_score, confusion_matrix
from statsmodels.stats.contingency_tables import StratifiedTable
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from fairaudit import check_level_errors
from fairaudit.errors import GroupError, InputError
from fairaudit.measure.verdicts import GAPS

LEVELS = ("A", "B", "C", "D")


def drawn(seed: int, n: int = 900, groups: str = "FMX", lower: float = 0.0) -> pd.DataFrame:
    """Return true and predicted levels of people of several groups, the first of which is placed lower."""
    rng = np.random.default_rng(seed)
    group, truth = rng.choice(list(groups), n), rng.choice(len(LEVELS), n, p=(0.3, 0.3, 0.25, 0.15))
    moved = rng.choice((-1, 0, 1, 2), n, p=(0.12, 0.7, 0.13, 0.05))
    moved = np.where((group == groups[0]) & (rng.random(n) < lower), 1, moved)
    guess = np.clip(truth + moved, 0, len(LEVELS) - 1)
    names = np.array(LEVELS, dtype=object)
    return pd.DataFrame(
        {"group": group, "truth": names[truth], "guess": names[guess], "place": rng.choice(list("xyz"), n)}
    )


def found(data: pd.DataFrame, **asked):
    settings = {"decision": "truth", "prediction": "guess", "by": "group", "levels": LEVELS, "ordered": True} | asked
    return check_level_errors(data, **settings)


@pytest.mark.parametrize("seed", range(4))
def test_counts_and_shares_are_those_of_scikit_learn(seed):
    data = drawn(seed)
    result = found(data)
    for row in result.metrics.itertuples():
        own = data[data["group"] == row.group]
        expected = confusion_matrix(own["truth"], own["guess"], labels=LEVELS)
        counts = result.counts[result.counts["group"] == row.group].pivot(
            index="truth", columns="predicted", values="n"
        )
        assert (counts.loc[list(LEVELS), list(LEVELS)].to_numpy() == expected).all()
        assert row.right == pytest.approx(np.trace(expected) / expected.sum())
        assert row.too_low == pytest.approx(np.triu(expected, 1).sum() / expected.sum())
        assert row.too_high == pytest.approx(np.tril(expected, -1).sum() / expected.sum())
        assert row.macro_recall == pytest.approx(balanced_accuracy_score(own["truth"], own["guess"]))
        recall = result.recall[result.recall["group"] == row.group].set_index("level").loc[list(LEVELS), "value"]
        assert recall.to_numpy() == pytest.approx(np.diag(expected) / expected.sum(axis=1))


def test_ranges_are_those_of_wilson():
    for row in found(drawn(1)).intervals.itertuples():
        expected = proportion_confint(round(row.value * row.n), row.n, method="wilson")
        assert (row.low, row.high) == pytest.approx(expected)


def test_true_levels_are_read_by_holm_over_pearson_tests_of_all_groups():
    data = drawn(3, n=3_000)
    p_values = []
    for level in LEVELS:
        own = data[data["truth"] == level]
        table = pd.crosstab(own["group"], own["guess"] == level)
        p_values.append(chi2_contingency(table, correction=False).pvalue)
    expected = multipletests(p_values, method="holm")[1]
    assert [each.p_adjusted for each in found(data).by_level] == pytest.approx(expected)


def test_over_strata_it_is_the_test_and_the_difference_of_mantel_and_haenszel():
    data = drawn(4, groups="FM", lower=0.2)
    within = found(data, strata="place").within
    p_values = []
    for kind, wrong in (("wrong", data["truth"] != data["guess"]), ("too_low", data["truth"] < data["guess"]),
                        ("too_high", data["truth"] > data["guess"])):  # fmt: skip
        tables, top, weights = [], 0.0, 0.0
        for _, part in data.assign(wrong=wrong).groupby("place"):
            cells = pd.crosstab(part["group"], part["wrong"]).reindex(columns=[True, False]).to_numpy()
            tables.append(cells)
            n, m = cells.sum(axis=1)
            top += n * m / (n + m) * (cells[0, 0] / n - cells[1, 0] / m)
            weights += n * m / (n + m)
        p_values.append(StratifiedTable([each.T for each in tables]).test_null_odds().pvalue)
        [row] = within.gaps[within.gaps["metric"] == kind].itertuples()
        assert row.group == "F" and row.difference == pytest.approx(top / weights)
    assert within.gaps["p_adjusted"].to_numpy() == pytest.approx(multipletests(p_values, method="holm")[1])


def test_everybody_of_each_stratum_is_counted_once():
    data = drawn(5)
    strata = found(data, strata="place").within.strata
    assert strata["n"].sum() == len(data)
    for row in strata.itertuples():
        own = data[(data["place"] == row.stratum) & (data["group"] == row.group)]
        assert row.right == pytest.approx((own["truth"] == own["guess"]).mean())


def test_a_group_that_is_placed_lower_has_a_clear_gap_and_order_turned_round_turns_the_error():
    data = drawn(6, n=4_000, lower=0.3)
    result, turned = found(data), found(data, levels=LEVELS[::-1])
    assert result.verdict == turned.verdict == "clear_gap"
    for one, other in (("too_low", "too_high"), ("too_high", "too_low"), ("right", "right")):
        assert result.metrics[one].tolist() == turned.metrics[other].tolist()
    plain = found(data, ordered=False)
    assert plain.metrics["too_low"].isna().all() and plain.kinds == ("wrong",)


def test_rows_without_a_level_are_counted_apart_and_a_small_group_is_not_compared():
    data = drawn(7)
    data.loc[:19, "guess"] = None
    data.loc[20:24, "truth"] = None
    few = pd.DataFrame({"group": "few", "truth": "A", "guess": "D", "place": "x"}, index=range(29))
    result = found(pd.concat([data, few]))
    assert result.metrics["unknown"].sum() == 25 and result.metrics["n"].sum() == len(data) - 25 + 29
    without = found(data)
    assert result.verdict == without.verdict
    assert [each.verdict for each in result.by_level] == [each.verdict for each in without.by_level]


def test_a_prediction_that_is_always_right_is_nothing_to_compare():
    data = drawn(8)
    assert found(data.assign(guess=data["truth"])).verdict == "nothing_to_compare"


@pytest.mark.parametrize(
    ("changed", "asked", "said"),
    [
        ({"guess": "E"}, {}, "holds 'E', which is not among the levels"),
        ({"truth": "E"}, {}, "holds 'E', which is not among the levels"),
        ({}, {"levels": ("A", "B", "C", "A")}, "named twice"),
        ({}, {"levels": None}, "Ordered levels must be named"),
        ({}, {"levels": ("A", "B", "C", "D", "Z")}, "does not occur"),
        ({}, {"prediction": "other"}, "other"),
        ({}, {"by": "truth"}, "makes no groups, got 'truth'"),
        ({}, {"strata": "guess"}, "makes no groups, got 'guess'"),
        ({}, {"by": "group", "strata": "group"}, "must not repeat 'by'"),
    ],
)
def test_what_does_not_fit_is_said_in_a_sentence(changed, asked, said):
    data = drawn(9)
    for name, value in changed.items():
        data.loc[0, name] = value
    with pytest.raises(InputError, match=said):
        found(data, **asked)


def test_a_level_that_is_only_predicted_is_one_that_nobody_has():
    data = drawn(11)
    data = data[data["truth"] != "A"]
    answer = found(data)
    first = answer.recall[answer.recall["level"] == "A"]
    assert (first["n"] == 0).all() and first["value"].isna().all()
    assert answer.metrics["right"].tolist() == [
        pytest.approx((part["truth"] == part["guess"]).mean()) for _, part in data.groupby("group")
    ]


def test_no_row_with_both_levels_is_refused():
    with pytest.raises(GroupError, match="has both a true and a predicted level"):
        found(drawn(10).assign(guess=None).astype({"guess": object}))


@pytest.mark.thorough
@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("groups", ["FM", "FMXY"])
def test_alike_groups_are_called_unequal_in_at_most_5_percent(ordered, groups):
    answers = [found(drawn(1_000 + seed, n=400, groups=groups), ordered=ordered, tolerance=0.0) for seed in range(400)]
    alarms = [answer.verdict in GAPS for answer in answers]
    levels = [any(level.verdict in GAPS for level in answer.by_level) for answer in answers]
    # 5 % and two standard errors
    assert np.mean(alarms) <= 0.072 and np.mean(levels) <= 0.072
