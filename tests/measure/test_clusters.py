"""Intervals that allow for clusters: against the jackknife by deleting rows, plain rows, and by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from fairaudit import AuditPlan, Table, check_controlled_fairness, check_strata, run
from fairaudit.disclosure.fields import figure
from fairaudit.errors import DisclosureError, MissingColumnError
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure import check_groups, clusters
from fairaudit.measure.comparison import compare_counts
from fairaudit.measure.results import Comparison, Interval
from fairaudit.measure.strata import common_difference
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.sections.detectable import say_more_rows


@dataclass(frozen=True)
class WithOdds(Comparison):
    """A comparison with one more interval, which nothing but its own code works out."""

    odds_interval: Interval = figure("Of the odds ratio.", kind="number_interval", turns=True)


QUESTION = {"decision": "got", "favorable": 1}


def decided(n=3_000, officers=40, *, between=0.15, seed=0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    officer = rng.integers(0, officers, n)
    sex = rng.choice(["F", "M"], n)
    chance = np.clip(0.5 + rng.normal(0, between, officers)[officer] - 0.06 * (sex == "F"), 0, 1)
    return pd.DataFrame(
        {
            "sex": sex,
            "officer": officer,
            "area": rng.choice(list("abc"), n),
            "got": (rng.random(n) < chance).astype(int),
        }
    )


def without_each(data: pd.DataFrame) -> np.ndarray:
    """Return both shares without each officer, by deleting the rows; shape (n_officers, 2)."""
    found = []
    for officer in sorted(data["officer"].unique()):
        rest = data[data["officer"] != officer]
        found.append([rest.loc[rest["sex"] == sex, "got"].mean() for sex in "FM"])
    return np.array(found)


def test_an_interval_that_does_not_allow_for_clusters_is_refused():
    compared = WithOdds(**vars(compare_counts(10, 40, 30, 60, names=("F", "M"))), odds_interval=Interval(0.1, 0.9))
    with pytest.raises(TypeError, match=r"WithOdds\.odds_interval"):
        clusters.allowing_for_clusters(compared, np.array([[4.0, 20, 10, 30], [6, 20, 20, 30]]))


def test_variances_are_those_of_the_jackknife_over_clusters():
    data = decided()
    moved = without_each(data) - [data.loc[data["sex"] == sex, "got"].mean() for sex in "FM"]
    expected = 39 / 40 * moved.T @ moved
    tally = data.assign(positives=data["got"], n=1)
    cells, names = clusters.by_cluster(tally, "officer", tally["sex"] == "F", tally["sex"] == "M")
    assert len(names) == 40
    assert clusters.covariances(cells) == pytest.approx(expected, rel=1e-10)
    found = check_controlled_fairness(data, **QUESTION, protected="sex = 'F'", cluster="officer")
    variance = expected[0, 0] + expected[1, 1] - 2 * expected[0, 1]
    assert found.z == pytest.approx(found.difference / math.sqrt(variance))
    assert (found.test, found.cluster, found.n_clusters) == ("t", "officer", 40)


def test_the_interval_of_the_common_gap_is_that_of_gaps_without_each_cluster():
    data = decided()
    found = check_strata(data, **QUESTION, protected="sex = 'F'", strata="area", cluster="officer")
    whole = {area: len(part) for area, part in data.groupby("area")}
    weights, moved = {}, np.zeros(40)
    for area, part in data.groupby("area"):
        n = part["sex"].value_counts()
        weights[area] = n["F"] * n["M"] / whole[area]
        gap = part.loc[part["sex"] == "F", "got"].mean() - part.loc[part["sex"] == "M", "got"].mean()
        without = without_each(part)
        assert len(without) == 40
        moved += weights[area] * (without[:, 0] - without[:, 1] - gap)
    error = math.sqrt(39 / 40 * (moved**2).sum()) / sum(weights.values())
    low, high = found.common_difference_interval
    t = 2.0226909  # of 39 degrees of freedom
    assert (high - low) / 2 == pytest.approx(t * error, rel=1e-6)
    assert (high + low) / 2 == pytest.approx(found.common_difference)
    plain = check_strata(data, **QUESTION, protected="sex = 'F'", strata="area")
    assert found.common_difference == plain.common_difference
    assert found.cmh_p_value == plain.cmh_p_value


def test_where_each_row_is_its_own_cluster_intervals_are_nearly_those_of_independent_rows():
    data = decided(between=0.0).assign(row=range(3_000))
    question = {**QUESTION, "protected": "sex = 'F'"}
    alone, own = (check_controlled_fairness(data, **question, cluster=cluster) for cluster in (None, "row"))
    assert tuple(own.difference_interval) == pytest.approx(tuple(alone.difference_interval), abs=2e-4)
    assert tuple(own.protected.interval) == pytest.approx(tuple(alone.protected.interval), abs=2e-4)
    assert tuple(own.impact_ratio_interval) == pytest.approx(tuple(alone.impact_ratio_interval), abs=1e-3)
    assert own.p_value == pytest.approx(alone.p_value, abs=1e-3)


def test_the_same_rows_many_times_over_are_no_more_evidence():
    data = decided(n=200, officers=20, between=0.0).assign(case=range(200))
    many = pd.concat([data] * 25)
    question = {**QUESTION, "protected": "sex = 'F'"}
    once = check_controlled_fairness(data, **question, cluster="case")
    allowed, alone = (check_controlled_fairness(many, **question, cluster=c) for c in ("case", None))
    assert tuple(allowed.difference_interval) == pytest.approx(tuple(once.difference_interval))
    assert np.ptp(alone.difference_interval) < np.ptp(once.difference_interval) / 4


def test_groups_are_compared_as_each_would_be_alone_and_read_by_holm():
    data = decided()
    rows = check_groups(data, **QUESTION, by="area", cluster="officer").rows
    for row in rows:
        alone = check_controlled_fairness(data, **QUESTION, protected=f"area = '{row.name}'", cluster="officer")
        assert tuple(row.comparison.difference_interval) == pytest.approx(tuple(alone.difference_interval))
        assert row.comparison.p_value == pytest.approx(alone.p_value)
    [b, c] = check_groups(data, **QUESTION, by="area", reference="a", cluster="officer").rows
    two = data[data["area"] != "c"]
    alone = check_controlled_fairness(two, **QUESTION, protected="area = 'b'", cluster="officer")
    assert tuple(b.comparison.difference_interval) == pytest.approx(tuple(alone.difference_interval))
    assert c.comparison.reference.name == "a"


@pytest.mark.parametrize(("officers", "said"), [(1, "doubt-one-cluster"), (4, "doubt-few-clusters"), (25, None)])
def test_too_few_clusters_are_said_to_be(officers, said):
    found = check_controlled_fairness(decided(officers=officers), **QUESTION, protected="sex = 'F'", cluster="officer")
    args = {"column": Phrase("'officer'"), "n": Count(officers)}
    assert found.warnings == ((say(Message(said, args)),) if said else ())
    assert math.isnan(found.p_value) == math.isnan(found.difference_interval.low) == (officers == 1)
    assert (found.verdict == "too_few_to_tell") or officers > 1


def test_rows_without_a_cluster_are_one_together():
    data = decided()
    gaps = data.assign(officer=data["officer"].where(data["officer"] > 3))
    one = data.assign(officer=data["officer"].where(data["officer"] > 3, 3))
    found, expected = (
        check_controlled_fairness(each, **QUESTION, protected="sex = 'F'", cluster="officer") for each in (gaps, one)
    )
    assert tuple(found.difference_interval) == pytest.approx(tuple(expected.difference_interval))
    assert found.n_clusters == 37


def test_extremes_have_intervals_between_nothing_and_all():
    cells = np.array([[0.0, 5, 4, 5], [0, 7, 6, 6], [0, 3, 2, 2]])
    found = clusters.allowing_for_clusters(compare_counts(0, 15, 12, 13), cells)
    assert found.protected.interval.low == 0 < found.protected.interval.high < 1
    assert -1 <= found.difference_interval.low < found.difference < found.difference_interval.high < 1
    assert math.isnan(found.impact_ratio_interval.low)


def test_a_column_that_is_not_there_is_refused():
    with pytest.raises(MissingColumnError, match="offiser"):
        check_controlled_fairness(decided(), **QUESTION, protected="sex = 'F'", cluster="offiser")


PLAN = """
schema_version = 1
[data]
source = "decided.csv"
[decision]
column = "got"
favorable = [1]
[[checks]]
protected = "sex = 'F'"
strata = ["area"]
compare = [["area"]]
"""


def test_plans_without_clusters_keep_their_digest_and_those_with_one_have_another():
    plain, named = (AuditPlan.from_toml(PLAN + more) for more in ("", 'cluster = "officer"\n'))
    assert "cluster" not in plain.to_toml() and 'cluster = "officer"' in named.to_toml()
    assert plain.digest != named.digest
    assert AuditPlan.from_toml(named.to_toml()) == named
    result = run(named, table=Table.from_pandas(decided()))
    [finding] = result.checks
    assert (
        finding.result.test
        == finding.groups[0].rows[0].comparison.test
        == finding.strata.strata[0].comparison.test
        == "t"
    )


def test_hidden_counts_are_refused_beside_intervals_by_cluster():
    from fairaudit.disclosure.gate import exported

    hiding = AuditPlan.from_toml(PLAN + 'cluster = "officer"\n[small_cells]\nmask = true\n')
    result = run(hiding, table=Table.from_pandas(decided()))
    with pytest.raises(DisclosureError, match="cluster"):
        exported(result)


def test_the_common_difference_is_the_same_with_and_without():
    cells = np.array([[30.0, 60, 40, 70], [10, 50, 20, 60]])
    found, _ = common_difference(cells, 0.95)
    interval = clusters.common_gap_interval(
        [np.array([[10.0, 30, 20, 40], [20, 30, 20, 30]]), np.array([[4.0, 20, 8, 20], [6, 30, 12, 40]])],
        [np.array([0, 1]), np.array([0, 1])], found, 0.95,
    )  # fmt: skip
    assert sum(interval) / 2 == pytest.approx(found)


def in_pairs(alike: bool, seed: int = 5) -> pd.DataFrame:
    """Return 400 employers with an answer each to a woman and a man, or 40 employers with answers to 20 of either."""
    rng = np.random.default_rng(seed)
    level = rng.random(400 if alike else 40)
    frames = []
    for sex, chance in (("F", 0.4), ("M", 0.47)):
        employer = np.arange(400) if alike else np.repeat(np.arange(40), 10) + 40 * (sex == "F")
        got = (level[employer % 40 if not alike else employer] < chance).astype(int)
        frames.append(pd.DataFrame({"sex": sex, "employer": employer, "got": got}))
    return pd.concat(frames)


@pytest.mark.parametrize("alike", [True, False], ids=["pairs", "groups"])
def test_more_rows_are_asked_for_only_where_rows_that_depend_take_more(alike):
    frame = in_pairs(alike)
    check = CheckPlan(protected="sex = 'F'", cluster="employer")
    plan = AuditPlan(data=DataPlan(source="t"), decision=OutcomePlan(column="got", favorable=("1",)), checks=(check,))
    [finding] = run(plan, table=Table.from_pandas(frame)).checks
    # By hand: the jackknife by employers against independent rows.
    share = frame.groupby("sex")["got"].mean()
    plain = sum(p * (1 - p) / 400 for p in share)
    away = frame.assign(away=frame["got"] - frame["sex"].map(share))
    away["away"] *= np.where(away["sex"] == "F", 1, -1) / 400
    sums = away.groupby("employer")["away"].sum()
    factor = clusters.design_effect(finding.result)
    assert factor == pytest.approx((sums**2).sum() / plain, rel=0.08) and (factor < 1) == alike
    assert bool(say_more_rows(finding)) != alike
