"""Weighted samples: against published values, row by row, and over many samples of known populations."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import special

from fairaudit import Table, check_controlled_fairness, check_strata, explain_gap, find_subgroups
from fairaudit.columns import SurveyDesign
from fairaudit.errors import GroupError, InputError
from fairaudit.measure import check_group_means, check_groups, check_mean_strata, check_means
from fairaudit.measure.controlled import AskedQuestion
from fairaudit.measure.groups import gap_by_value
from fairaudit.measure.weighted import Drawn, sampled_shares
from fairaudit.measure.weighted_means import WeighedAmounts

DECISION = {"decision": "got", "favorable": 1}
QUESTION = {**DECISION, "protected": "sex = 'F'"}
AMOUNTS = {"decision": "pay", "protected": "sex = 'F'"}
DESIGNS = (
    {},
    {"design_strata": "region"},
    {"design_clusters": "school"},
    {"design_strata": "region", "design_clusters": "school"},
)


def sampled(n: int = 600, *, seed: int = 0, schools: int = 24) -> pd.DataFrame:
    """A sample of people in schools in regions, with weights that go with the school and the sex."""
    rng = np.random.default_rng(seed)
    school = rng.integers(0, schools, n)
    sex = rng.choice(["F", "M"], n)
    effect = rng.normal(0, 0.1, schools)[school]
    got = rng.random(n) < np.clip(0.5 + effect - 0.1 * (sex == "F"), 0, 1)
    return pd.DataFrame(
        {
            "sex": sex,
            "school": school,
            "region": np.array(list("abc"))[school % 3],
            "grade": rng.choice(["low", "high"], n),
            "w": rng.gamma(2, 1, n) * (1 + (sex == "F")) * (1 + school % 4),
            "got": got.astype(int),
            "pay": rng.lognormal(3, 0.4, n) + 10 * effect,
        }
    )


def by_rows(data: pd.DataFrame, amounts: list[np.ndarray], design: dict[str, str]) -> np.ndarray:
    """The covariances of figures from how far each row moves them, unit by unit, stratum by stratum."""
    strata = data[design["design_strata"]] if "design_strata" in design else pd.Series(0, index=data.index)
    units = data[design["design_clusters"]] if "design_clusters" in design else pd.Series(data.index, index=data.index)
    found = np.zeros((len(amounts), len(amounts)))
    for stratum in strata.unique():
        here = (strata == stratum).to_numpy()
        totals = pd.DataFrame([z[here] for z in amounts]).T.groupby(units[here].to_numpy()).sum().to_numpy()
        apart = totals - totals.mean(axis=0)
        found += len(totals) / (len(totals) - 1) * apart.T @ apart
    return found


def moves(data: pd.DataFrame, column: str, mask: np.ndarray) -> np.ndarray:
    w, y = data["w"].to_numpy(), data[column].to_numpy(dtype=float)
    mean = (w * y)[mask].sum() / w[mask].sum()
    return np.where(mask, w * (y - mean) / w[mask].sum(), 0.0)


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_the_gap_has_the_linearised_variance_of_its_rows(design):
    data = sampled()
    result = check_controlled_fairness(data, **QUESTION, weights="w", **design)
    women = (data["sex"] == "F").to_numpy()
    spread = by_rows(data, [moves(data, "got", women), moves(data, "got", ~women)], design)
    error = math.sqrt(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1])
    w = data["w"]
    assert result.protected.ratio == pytest.approx((w * data["got"])[women].sum() / w[women].sum(), abs=1e-12)
    assert result.z == pytest.approx(result.difference / error, rel=1e-10)
    assert (result.test, result.protected.n) == ("t", women.sum())
    assert result.difference_interval.low < result.difference < result.difference_interval.high


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_the_gap_of_means_has_the_linearised_variance_of_its_rows(design):
    data = sampled()
    result = check_means(data, **AMOUNTS, weights="w", **design)
    women = (data["sex"] == "F").to_numpy()
    spread = by_rows(data, [moves(data, "pay", women), moves(data, "pay", ~women)], design)
    variance = spread[0, 0] + spread[1, 1] - 2 * spread[0, 1]
    table = Table.from_pandas(data, weights="w", **design)
    amounts = WeighedAmounts.of(table, "pay", {"sex": "sex"}, None)
    found = amounts.sampled(*((amounts.counts["sex"] == sex).to_numpy() for sex in "FM"))
    assert found.spread[0, 0] + found.spread[1, 1] - 2 * found.spread[0, 1] == pytest.approx(variance, rel=1e-9)
    assert result.difference == pytest.approx(found.values[0] - found.values[1], abs=1e-9)
    half = (result.difference_interval.high - result.difference_interval.low) / 2
    assert math.sqrt(variance) * special.stdtrit(10_000, 0.975) <= half + 1e-9


@pytest.mark.parametrize("design", DESIGNS, ids=str)
@pytest.mark.parametrize("column", ["got", "pay"])
def test_similar_cases_are_standardised_by_the_weights_of_all(column, design):
    data = sampled()
    if column == "got":
        found = check_strata(data, **QUESTION, strata="grade", weights="w", **design)
    else:
        found = check_mean_strata(data, **AMOUNTS, strata="grade", weights="w", **design)
    women, w, y = (data["sex"] == "F").to_numpy(), data["w"].to_numpy(), data[column].to_numpy(dtype=float)
    grades = [(data["grade"] == grade).to_numpy() for grade in ("high", "low")]
    gaps = [np.average(y[g & women], weights=w[g & women]) - np.average(y[g & ~women], weights=w[g & ~women])
            for g in grades]  # fmt: skip
    sizes = [w[g].sum() / w.sum() for g in grades]
    common = sum(size * gap for size, gap in zip(sizes, gaps, strict=True))
    z = sum(
        size * (moves(data, column, g & women) - moves(data, column, g & ~women)) + g * w * (gap - common) / w.sum()
        for size, gap, g in zip(sizes, gaps, grades, strict=True)
    )
    error = math.sqrt(by_rows(data, [z], design)[0, 0])
    assert [row.difference for row in found.strata] == pytest.approx(gaps, rel=1e-9)
    assert found.common_difference == pytest.approx(common, rel=1e-9)
    half = (found.common_difference_interval.high - found.common_difference_interval.low) / 2
    assert special.stdtrit(10_000, 0.975) * error <= half <= special.stdtrit(14, 0.975) * error


def cells_of(*cells: tuple[str, str, int, int]) -> pd.DataFrame:
    """Rows of weight 1 from cells of grade, sex, result and how many."""
    rows = [cell[:3] for cell in cells for _ in range(cell[3])]
    return pd.DataFrame(rows, columns=["grade", "sex", "got"]).assign(w=1.0)


@pytest.mark.parametrize("scale", [1.0, 1234.5])
def test_cells_of_all_or_none_leave_the_common_gap_unsure(scale):
    data = cells_of(("a", "F", 1, 40), ("a", "M", 1, 2), ("b", "F", 0, 2), ("b", "M", 0, 40)).assign(w=scale)
    found = check_strata(data, **QUESTION, strata="grade", weights="w")
    plain = check_strata(data, **QUESTION, strata="grade").common_difference_interval
    low, high = found.common_difference_interval
    # No cell shows a spread. Shares of two rows have intervals that reach far, by Wilson's formula in both answers.
    assert low < 0 < high and high - low == pytest.approx(plain.high - plain.low, rel=0.25)
    assert found.common_equivalence_interval.high > found.pooled.tolerance


def test_a_cell_adds_what_its_rows_less_one_show():
    data = cells_of(*((grade, sex, got, 1) for grade in "abcdefgh" for sex in "FM" for got in (0, 1)))
    found = check_strata(data, **QUESTION, strata="grade", weights="w")
    # All gaps are 0. By rows less one, the share of a cell has the variance 1 / 4; that of a stratum, 1 / 8.
    own, drawn = 1 / 8, 32 / 31
    error = math.sqrt(16 / 64 * (own * drawn) * 2)
    half = (found.common_difference_interval.high - found.common_difference_interval.low) / 2
    assert half == pytest.approx(error * special.stdtrit(15, 0.975), rel=1e-9)
    means = check_mean_strata(data, decision="got", protected="sex = 'F'", strata="grade", tolerance=1.0, weights="w")
    assert means.common_difference_interval.high == pytest.approx(half, rel=1e-9)


def test_amounts_of_one_row_a_cell_say_nothing_of_the_common_gap():
    data = sampled(40).assign(grade=np.repeat(np.arange(20), 2), sex=["F", "M"] * 20)
    found = check_mean_strata(data, **AMOUNTS, strata="grade", tolerance=1.0, weights="w")
    assert math.isfinite(found.common_difference)
    assert not any(map(math.isfinite, (*found.common_difference_interval, found.p_value)))


def test_a_cell_of_one_row_takes_the_spread_of_the_others():
    rng = np.random.default_rng(3)
    data = cells_of(*((grade, sex, 0, 6) for grade in "abc" for sex in "FM")).assign(pay=rng.normal(20, 3, 36))
    alone = pd.concat([data, pd.DataFrame({"grade": "d", "sex": ["F", "M", "M"], "w": 1.0, "pay": [20.0, 19.0, 21.0]})])
    asked = {**AMOUNTS, "strata": "grade", "tolerance": 1.0}
    ones, plain = check_mean_strata(alone, **asked, weights="w"), check_mean_strata(alone, **asked)
    wide, usual = (each.common_difference_interval for each in (ones, plain))
    assert wide.high - wide.low == pytest.approx(usual.high - usual.low, rel=0.15)
    assert all(map(math.isfinite, wide))


@pytest.mark.thorough
@pytest.mark.parametrize("weights", ["alike", "unlike"])
@pytest.mark.parametrize("n", [1, 2])
def test_the_range_of_the_common_gap_holds_the_truth_as_often_as_it_says_where_cells_are_small(n, weights):
    rng, held, n_samples = np.random.default_rng(5), 0, 300
    for _ in range(n_samples):
        data = pd.DataFrame({"grade": np.repeat(np.arange(20), 2 * n), "sex": ["F", "M"] * (20 * n), "w": 1.0})
        data["got"] = (rng.random(len(data)) < 0.5).astype(int)
        if weights == "unlike":
            data["w"] = rng.gamma(4, 1, len(data))
        low, high = check_strata(data, **QUESTION, strata="grade", weights="w").common_difference_interval
        held += low <= 0 <= high
    # Of 300 intervals that hold with a chance of .95, between 271 and 296 do, in 99.9 % of such runs (binomial).
    assert 271 <= held <= 296, held


# Published values of the package survey of R.

SCHOOLS = pd.read_csv(Path(__file__).with_name("schools_of_california.csv"))
DISTRICTS = math.sqrt(1 - 15 / 757)
"""Published errors of the sample of districts are those of 15 out of 757, ours those of 15 out of many."""


def sample_of(name: str) -> pd.DataFrame:
    return SCHOOLS[SCHOOLS["sample"] == name].drop(columns="sample").reset_index(drop=True)


def error_of(data: pd.DataFrame, column: str, kind: str | None, design: SurveyDesign) -> tuple[float, float]:
    """The mean of schools of a kind, and its standard error."""
    table = Table.from_pandas(data).with_design(design)
    amounts = WeighedAmounts.of(table, column, {"stype": "stype"}, None)
    mask = np.full(len(amounts.counts), True) if kind is None else (amounts.counts["stype"] == kind).to_numpy()
    found = amounts.sampled(mask, mask)
    return amounts.center + found.values[0], math.sqrt(found.spread[0, 0])


@pytest.mark.parametrize(
    ("kind", "mean", "error"), [("E", 607.7917, 22.81660), ("H", 595.7143, 41.76400), ("M", 608.6000, 32.56064)]
)
def test_means_of_parts_of_a_cluster_sample_are_those_that_are_published(kind, mean, error):
    own_mean, own_error = error_of(sample_of("clusters"), "api99", kind, SurveyDesign("pw", clusters="dnum"))
    assert own_mean == pytest.approx(mean, abs=5e-5)
    assert own_error * DISTRICTS == pytest.approx(error, abs=5e-5)


def test_the_mean_of_a_cluster_sample_is_that_which_is_published():
    mean, error = error_of(sample_of("clusters"), "api00", None, SurveyDesign("pw", clusters="dnum"))
    assert (round(mean, 2), round(error * DISTRICTS, 3)) == (644.17, 23.542)


def test_the_mean_of_a_simple_sample_is_that_which_is_published():
    mean, error = error_of(sample_of("schools"), "enroll", None, SurveyDesign("pw"))
    assert (round(mean, 2), round(error, 3)) == (584.61, 27.821)


PUBLISHED = [("E", 0.786885, 0.0463), ("H", 0.076503, 0.0268), ("M", 0.136612, 0.0296)]


@pytest.mark.parametrize(("kind", "share", "error"), PUBLISHED)
def test_shares_of_a_cluster_sample_are_those_that_are_published(kind, share, error):
    data = sample_of("clusters").assign(half=lambda rows: rows.index % 2, is_kind=lambda rows: rows["stype"] == kind)
    mean, own_error = error_of(
        data.assign(y=data["is_kind"].astype(int)), "y", None, SurveyDesign("pw", clusters="dnum")
    )
    assert mean == pytest.approx(share, abs=5e-7)
    assert own_error * DISTRICTS == pytest.approx(error, abs=5e-5)
    answer = check_groups(data, decision="is_kind", favorable=True, by="half", weights="pw", design_clusters="dnum")
    assert all(row.comparison.test == "t" for row in answer.rows)


def test_strata_take_their_own_means_away():
    data = sample_of("strata")
    mean, error = error_of(data, "api00", None, SurveyDesign("pw", "stype"))
    parts = {kind: (own["pw"].sum(), own["api00"].var(ddof=1) / len(own)) for kind, own in data.groupby("stype")}
    whole = sum(size for size, _ in parts.values())
    assert error == pytest.approx(math.sqrt(sum((size / whole) ** 2 * v for size, v in parts.values())), rel=1e-9)
    assert round(mean, 2) == 662.29


# Laws.


@pytest.mark.parametrize("seed", range(20))
def test_the_scale_of_weights_does_not_matter(seed):
    data = sampled(200, seed=seed)
    larger = data.assign(w=data["w"] * 1234.5)
    for check, asked in ((check_controlled_fairness, QUESTION), (check_means, {**AMOUNTS, "tolerance": 1.0})):
        ours, theirs = (check(rows, **asked, weights="w", **DESIGNS[seed % 4]) for rows in (data, larger))
        assert ours.difference == pytest.approx(theirs.difference, rel=1e-9)
        assert tuple(ours.difference_interval) == pytest.approx(tuple(theirs.difference_interval), rel=1e-8)
        assert (ours.verdict, ours.within_tolerance) == (theirs.verdict, theirs.within_tolerance)


@pytest.mark.parametrize("seed", range(20))
def test_whole_weights_give_the_figures_of_rows_that_are_repeated(seed):
    data = sampled(150, seed=seed).assign(w=lambda rows: np.random.default_rng(seed).integers(1, 5, len(rows)))
    repeated = data.loc[data.index.repeat(data["w"])].drop(columns="w").reset_index(drop=True)
    shares, many = (
        check_controlled_fairness(data, **QUESTION, weights="w"),
        check_controlled_fairness(repeated, **QUESTION),
    )
    assert (shares.protected.ratio, shares.difference) == pytest.approx(
        (many.protected.ratio, many.difference), abs=1e-12
    )
    means, more = check_means(data, **AMOUNTS, weights="w"), check_means(repeated, **AMOUNTS)
    assert (means.protected.mean, means.difference) == pytest.approx((more.protected.mean, more.difference), rel=1e-9)
    own = np.sort(repeated.loc[repeated["sex"] == "F", "pay"].to_numpy())
    assert means.protected.median == own[math.ceil(len(own) / 2) - 1]
    strata = check_strata(data, **QUESTION, strata="grade", weights="w")
    held = check_strata(repeated, **QUESTION, strata="grade")
    assert [row.difference for row in strata.strata] == pytest.approx(
        [row.difference for row in held.strata], abs=1e-12
    )
    groups = check_groups(data, decision="got", favorable=1, by="region", weights="w")
    alike = check_groups(repeated, decision="got", favorable=1, by="region")
    assert [row.comparison.difference for row in groups.rows] == pytest.approx(
        [row.comparison.difference for row in alike.rows], abs=1e-12
    )
    amounts = check_group_means(data, decision="pay", by="region", weights="w", reference="b")
    again = check_group_means(repeated, decision="pay", by="region", reference="b")
    assert [row.comparison.difference for row in amounts.rows] == pytest.approx(
        [row.comparison.difference for row in again.rows], rel=1e-9
    )
    assert groups.worst_pair == alike.worst_pair


@pytest.mark.parametrize("seed", range(10))
def test_weights_of_one_change_shares_by_nothing_and_intervals_by_little(seed):
    data = sampled(400, seed=seed).assign(w=1.0)
    plain, ones = check_controlled_fairness(data, **QUESTION), check_controlled_fairness(data, **QUESTION, weights="w")
    assert (ones.protected.ratio, ones.difference) == pytest.approx(
        (plain.protected.ratio, plain.difference), abs=1e-12
    )
    assert tuple(ones.difference_interval) == pytest.approx(tuple(plain.difference_interval), abs=2e-3)
    assert (ones.protected.n, ones.protected.positives) == (plain.protected.n, plain.protected.positives)
    means, weighed = check_means(data, **AMOUNTS), check_means(data, **AMOUNTS, weights="w")
    assert (weighed.protected.mean, weighed.protected.deviation) == pytest.approx(
        (means.protected.mean, means.protected.deviation), rel=1e-9
    )
    assert tuple(weighed.difference_interval) == pytest.approx(tuple(means.difference_interval), rel=0.02)


def test_rows_outside_of_a_filter_count_as_drawn():
    data = sampled()
    here = check_controlled_fairness(data, **QUESTION, where="grade = 'low'", weights="w", design_clusters="school")
    alone = check_controlled_fairness(data[data["grade"] == "low"], **QUESTION, weights="w", design_clusters="school")
    assert here.difference == pytest.approx(alone.difference, abs=1e-12)
    women = ((data["sex"] == "F") & (data["grade"] == "low")).to_numpy()
    men = ((data["sex"] == "M") & (data["grade"] == "low")).to_numpy()
    spread = by_rows(data, [moves(data, "got", women) - moves(data, "got", men)], {"design_clusters": "school"})
    assert here.z == pytest.approx(here.difference / math.sqrt(spread[0, 0]), rel=1e-10)


def test_a_stratum_of_one_cluster_adds_its_distance_from_all():
    data = sampled(300)
    data.loc[data["school"] == 3, "region"] = "alone"
    result = check_controlled_fairness(data, **QUESTION, weights="w", design_strata="region", design_clusters="school")
    women = (data["sex"] == "F").to_numpy()
    z = moves(data, "got", women) - moves(data, "got", ~women)
    rest = (data["region"] != "alone").to_numpy()
    design = {"design_strata": "region", "design_clusters": "school"}
    variance = by_rows(data[rest].reset_index(drop=True), [z[rest]], design)[0, 0] + z[~rest].sum() ** 2
    assert result.z == pytest.approx(result.difference / math.sqrt(variance), rel=1e-10)


def test_groups_and_values_are_weighted_too():
    data = sampled()
    rows = gap_by_value(data, **QUESTION, column="region", weights="w", design_clusters="school")
    strata = check_strata(data, **QUESTION, strata="region", weights="w", design_clusters="school").strata
    assert [row.difference for row in rows] == pytest.approx([row.difference for row in strata], abs=1e-12)
    means = check_group_means(data, decision="pay", by="region", weights="w")
    assert [row.comparison.protected.mean for row in means.rows] == pytest.approx(
        [np.average(own["pay"], weights=own["w"]) for _, own in data.groupby("region")]
    )


def test_rows_without_a_stratum_or_cluster_are_drawn_together():
    data = sampled()
    region, school = data["region"].where(data["region"] != "b"), data["school"].where(data["school"] > 1)
    holes = data.assign(region=region, school=school)
    filled = holes.fillna({"region": "none", "school": -1})
    for design in DESIGNS[1:]:
        ours, theirs = (check_controlled_fairness(rows, **QUESTION, weights="w", **design) for rows in (holes, filled))
        assert ours.z == pytest.approx(theirs.z, rel=1e-12)


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_rows_of_weight_0_change_nothing(design):
    data = sampled(200)
    nobody = data.sample(80, random_state=1).assign(w=0.0, got=1, pay=1e6, school=lambda rows: rows["school"] + 100)
    with_them = pd.concat([data, nobody, nobody.assign(w=math.nan)], ignore_index=True)
    for check, asked in (
        (check_controlled_fairness, QUESTION),
        (check_means, {**AMOUNTS, "tolerance": 1.0}),
        (check_strata, {**QUESTION, "strata": "grade"}),
        (check_mean_strata, {**AMOUNTS, "strata": "grade", "tolerance": 1.0}),
        (check_groups, {"decision": "got", "favorable": 1, "by": "region"}),
        (explain_gap, {**QUESTION, "controls": "grade"}),
        (find_subgroups, {"decision": "got", "favorable": 1, "columns": ["sex", "grade"], "min_rows": 20}),
    ):
        alone, more = (check(rows, **asked, weights="w", **design) for rows in (data, with_them))
        # How many were left out is said.
        assert what_is_found(more) == what_is_found(alone)


def what_is_found(found: object) -> str:
    return re.sub(r"(seconds|n_without)=[^,)]*", "", repr(found))


@pytest.mark.parametrize("others", [0.5, 0.99])
def test_one_row_that_outweighs_all_others_is_worth_few_rows(others):
    worth = []
    for heavy in 10.0 ** np.arange(0, 9, 0.5):
        data = cells_of(
            ("a", "F", 1, 1 + round(100 * others)), ("a", "F", 0, round(100 * (1 - others))), ("a", "M", 1, 9)
        )
        data.loc[0, "w"] = heavy
        table = Table.from_pandas(data, weights="w")
        counts = AskedQuestion.read_weighted(table, **DECISION, where=None, cluster=None).tally(["sex"])
        is_f = counts[0] == "F"
        found = sampled_shares(counts, is_f, ~is_f, Drawn.of(table))
        worth.append(found.shares.n[0])
        # Twice Kish's number at the most, where by its variance the share is surer the heavier the one row is.
        assert heavy < 1_000 or worth[-1] <= 2 * found.kish[0]
    assert worth[0] == pytest.approx(101, rel=0.03)
    assert (np.diff(worth) <= 1e-9).all() and worth[-1] < 2.1


# Bad input.


def test_a_group_that_weighs_nothing_is_refused():
    data = sampled().assign(w=lambda rows: np.where(rows["sex"] == "F", 0.0, rows["w"]))
    for check, asked in ((check_controlled_fairness, QUESTION), (check_means, AMOUNTS)):
        with pytest.raises(GroupError, match="rows of the protected group have no weight above 0 in column 'w'"):
            check(data, **asked, weights="w")
        with pytest.raises(GroupError, match="rows of everyone else have no weight above 0"):
            check(data, **asked | {"protected": "sex = 'M'"}, weights="w")
    groups = {"by": "sex", "weights": "w"}
    for check, asked in ((check_groups, {"decision": "got", "favorable": 1}), (check_group_means, {"decision": "pay"})):
        with pytest.raises(GroupError, match="rows of F have no weight above 0 in column 'w'"):
            check(data, **asked, **groups)
        assert check(data, **asked, **groups | {"by": "region"}, where="sex = 'M'").rows


def test_clusters_that_differ_from_those_of_the_sample_are_refused():
    data = sampled()
    alike = check_controlled_fairness(data, **QUESTION, weights="w", cluster="school")
    assert alike.z == check_controlled_fairness(data, **QUESTION, weights="w", design_clusters="school").z
    assert (alike.cluster, alike.n_clusters) == ("school", 24)
    with pytest.raises(InputError, match="'cluster' must be the column that was sampled first"):
        check_controlled_fairness(data, **QUESTION, weights="w", design_clusters="school", cluster="grade")


def test_the_weights_are_no_decision():
    with pytest.raises(InputError, match="says how the sample was drawn"):
        check_means(sampled(), decision="w", protected="sex = 'F'", weights="w")


# Over many samples of a known population.


def population(seed: int = 1) -> pd.DataFrame:
    """People in 600 schools of three regions; the gap, the pay and the chance to be drawn go with the school."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(20, 80, 600)
    school = np.repeat(np.arange(600), sizes)
    sex = rng.choice(["F", "M"], len(school))
    effect = rng.normal(0, 0.12, 600)[school]
    chance = np.clip(0.45 + effect + 0.05 * (school % 3) - 0.08 * (sex == "F"), 0.02, 0.98)
    return pd.DataFrame(
        {
            "sex": sex,
            "school": school,
            "region": np.array(list("abc"))[school % 3],
            "got": (rng.random(len(school)) < chance).astype(int),
            "pay": rng.lognormal(3, 0.5, len(school)) + 15 * effect,
        }
    )


def draw_people(people: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Draw people with chances of their own, which go with their result."""
    chance = np.where(people["sex"] == "F", 0.02, 0.01) * np.where(people["got"] == 1, 0.8, 1.6)
    kept = rng.random(len(people)) < chance
    return people[kept].assign(w=1 / chance[kept])


def draw_schools(people: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Draw schools in each region, at different rates, and half of the people in each."""
    rates = {"a": 0.25, "b": 0.15, "c": 0.1}
    schools = np.concatenate(
        [
            rng.choice(np.arange(start, 600, 3), int(200 * rate), replace=False)
            for start, rate in enumerate(rates.values())
        ]
    )
    kept = people[people["school"].isin(schools)]
    part = np.where(kept["sex"] == "F", 0.6, 0.4)
    chosen = rng.random(len(kept)) < part
    kept, part = kept[chosen], part[chosen]
    return kept.assign(w=1 / (part * kept["region"].map(rates).to_numpy()))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("draw", "design"),
    [(draw_people, {}), (draw_schools, {"design_strata": "region", "design_clusters": "school"})],
    ids=["people", "schools"],
)
def test_ranges_hold_the_truth_as_often_as_they_say(draw, design):
    people, rng, n_samples = population(), np.random.default_rng(7), 400
    women = people["sex"] == "F"
    truth = {
        name: people.loc[women, column].mean() - people.loc[~women, column].mean()
        for name, column in (("shares", "got"), ("means", "pay"))
    }
    share = people.loc[women, "got"].mean()
    held = dict.fromkeys(("gap", "share", "means"), 0)
    for _ in range(n_samples):
        table = Table.from_pandas(draw(people, rng), weights="w", rows_are_cases=True, **design)
        shares, means = check_controlled_fairness(table, **QUESTION), check_means(table, **AMOUNTS, tolerance=1.0)
        held["gap"] += shares.difference_interval.low <= truth["shares"] <= shares.difference_interval.high
        held["share"] += shares.protected.interval.low <= share <= shares.protected.interval.high
        held["means"] += means.difference_interval.low <= truth["means"] <= means.difference_interval.high
    # Of 400 intervals that hold with a chance of .95, between 364 and 393 do, in 99.9 % of such runs (binomial).
    assert all(364 <= each <= 393 for each in held.values()), held


@pytest.mark.thorough
def test_ranges_that_leave_the_clusters_out_hold_it_too_seldom():
    people, rng = population(), np.random.default_rng(7)
    share, held = people.loc[people["sex"] == "F", "got"].mean(), 0
    for _ in range(200):
        table = Table.from_pandas(draw_schools(people, rng), weights="w", rows_are_cases=True)
        found = check_controlled_fairness(table, **QUESTION).protected.interval
        held += found.low <= share <= found.high
    assert held / 200 < 0.9
