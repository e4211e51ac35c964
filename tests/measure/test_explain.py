"""What explains a gap: against published figures, other software, brute force, and laws."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.datasets.ccard.data import load_pandas
from statsmodels.stats.oaxaca import OaxacaBlinder

from benchmarks.explain import WAYS, few_protected, of_division, rows_of
from fairaudit import check_strata, explain_gap, read_table
from fairaudit.errors import GroupError, InputError
from fairaudit.findings import Count, Group, Message
from fairaudit.measure.explain import parts
from fairaudit.measure.explain.rows import MOST_VALUES, read_rows
from fairaudit.measure.mean_strata import check_mean_strata
from fairaudit.messages import say

WOMEN = {"decision": "decision", "favorable": "Admitted", "protected": "gender = 'Women'", "controls": "department"}
OWNERS = {"decision": "AVGEXP", "protected": "OWNRENT = 1", "controls": ["AGE", "INCOME", "INCOMESQ"]}
LOANS = {"decision": "got", "favorable": "yes", "protected": "sex = 'F'"}


@pytest.fixture(scope="module")
def berkeley():
    return read_table("sample_data/berkeley_1973.csv")


def drawn(n=1_200, *, seed=0, amount=False) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    sex = rng.choice(["F", "M"], n)
    area = np.where(rng.random(n) < np.where(sex == "F", 0.6, 0.4), "a", rng.choice(["b", "c"], n))
    years = rng.normal(5 + (sex == "M"), 2, n).round(1)
    # A lone -1 could stand for "not known".
    years[years == -1] = -1.1
    owner = rng.choice([0, 1], n)
    score = -0.6 + 0.2 * years - 0.3 * (sex == "F") + 0.5 * (area == "a") + 0.2 * owner
    got = (
        20 + 3 * score + rng.normal(0, 2, n)
        if amount
        else np.where(rng.random(n) < 1 / (1 + np.exp(-score)), "yes", "no")
    )
    return pd.DataFrame(
        {"sex": sex, "area": area, "years": years, "owner": owner, "desk": rng.integers(0, 60, n), "got": got}
    )


def test_berkeley_is_as_published(berkeley):
    found = explain_gap(berkeley, **WOMEN)
    assert found.gap.value == pytest.approx(-0.1416, abs=5e-5)
    assert found.explained.value == pytest.approx(-0.1777, abs=5e-5)
    assert found.unexplained.value == pytest.approx(0.0360, abs=5e-5)


@pytest.mark.parametrize(
    ("reference", "explained"),
    [("pooled", 130.8095), ("rest", 158.7504 + 162.9978), ("protected", 158.7504 - 75.45371)],
)
def test_a_linear_model_divides_a_gap_in_amounts_as_stata_does(reference, explained):
    found = explain_gap(load_pandas().data, **OWNERS, method="regression", reference=reference)
    assert found.gap.value == pytest.approx(158.7504, abs=1e-3)
    assert found.explained.value == pytest.approx(explained, abs=1e-3)
    assert found.unexplained.value == pytest.approx(158.7504 - explained, abs=1e-3)


def test_a_linear_model_of_shares_divides_a_gap_as_statsmodels_does():
    data = drawn()
    found = explain_gap(data, **LOANS, controls=["years", "owner"], method="regression", model="linear")
    exog = pd.DataFrame({"years": data["years"], "owner": data["owner"], "sex": (data["sex"] == "F") * 1.0, "one": 1.0})
    unexplained, explained, gap = OaxacaBlinder((data["got"] == "yes") * 1.0, exog, "sex").two_fold().params
    sign = np.sign(gap) * np.sign(found.gap.value)
    assert found.gap.value == pytest.approx(sign * gap)
    assert found.explained.value == pytest.approx(sign * explained)
    assert found.unexplained.value == pytest.approx(sign * unexplained)


def test_the_adjusted_gap_is_the_mean_marginal_effect_of_statsmodels():
    data = drawn()
    found = explain_gap(data, **LOANS, controls=["years", "owner"]).adjusted_gap
    exog = np.column_stack([np.ones(len(data)), data["sex"] == "F", data["years"], data["owner"]]).astype(float)
    fit = sm.Logit((data["got"] == "yes") * 1.0, exog).fit(disp=0, cov_type="HC1")
    effect = fit.get_margeff(dummy=True)
    assert found.value == pytest.approx(effect.margeff[0], abs=1e-6)
    # statsmodels takes the rows as given; here they are drawn, too, which adds little.
    error = (found.interval.high - found.value) / 1.959964
    assert effect.margeff_se[0] * 0.999 < error < effect.margeff_se[0] * 1.05


@pytest.mark.parametrize("cluster", [None, "desk"])
def test_the_adjusted_difference_of_amounts_has_the_errors_of_statsmodels(cluster):
    data = drawn(amount=True)
    found = explain_gap(data, **LOANS | {"favorable": None}, controls=["years", "owner"], cluster=cluster).adjusted_gap
    exog = np.column_stack([np.ones(len(data)), data["sex"] == "F", data["years"], data["owner"]]).astype(float)
    options = (
        {"cov_type": "HC1"}
        if cluster is None
        else {"cov_type": "cluster", "cov_kwds": {"groups": data["desk"]}, "use_t": True}
    )
    fit = sm.OLS(data["got"], exog).fit(**options)
    assert found.value == pytest.approx(fit.params.iloc[1])
    assert tuple(found.interval) == pytest.approx(tuple(fit.conf_int().iloc[1]), rel=1e-6)
    assert found.p_value == pytest.approx(fit.pvalues.iloc[1], rel=1e-6)


def test_parts_of_strata_are_shapley_values_by_brute_force():
    rows, *_ = read_rows(drawn(), **LOANS, controls=["area", "owner", "years"], where=None, cluster=None)
    rows = rows.kept(parts.with_counterpart(rows, [parts.crossed(rows.controls, len(rows.n))]))
    frame = pd.DataFrame(
        {str(i): control.codes for i, control in enumerate(rows.controls)} | {"g": rows.protected, "y": rows.y}
    )
    frame = frame.loc[frame.index.repeat(rows.n.astype(int))]

    def explained(chosen: tuple[int, ...]) -> float:
        if not chosen:
            return 0.0
        by = [str(i) for i in chosen]
        one, other = (frame[frame["g"] == g].groupby(by)["y"].agg(["size", "mean"]) for g in (True, False))
        both = one.add_suffix("_p").join(other.add_suffix("_r"))
        weight = both["size_p"] / both["size_p"].sum() - both["size_r"] / both["size_r"].sum()
        return float((weight * (both["mean_p"] + both["mean_r"]) / 2).sum())

    orders = list(itertools.permutations(range(3)))
    expected = [
        sum(explained(tuple(sorted((*o[: o.index(i)], i)))) - explained(tuple(sorted(o[: o.index(i)]))) for o in orders)
        / 6
        for i in range(3)
    ]
    found = parts.of_strata(rows, "average")
    assert [part.value for part in found.by_control] == pytest.approx(expected)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "way",
    [
        {},
        {"reference": "rest"},
        {"reference": "pooled"},
        {"method": "regression"},
        {"method": "regression", "reference": "protected"},
        {"method": "regression", "model": "linear", "reference": "rest"},
    ],
    ids=lambda way: "-".join(way.values()) or "strata",
)
def test_each_row_moves_the_parts_as_leaving_it_out_does(way):
    data = drawn(300)
    controls = ["area", "owner"]
    whole = explain_gap(data, **LOANS, controls=controls, **way)
    left_out = [explain_gap(data.drop(index=i), **LOANS, controls=controls, **way) for i in range(0, 300, 10)]
    n = len(data)
    for name in ("gap", "explained", "unexplained"):
        values = np.array([getattr(found, name).value for found in left_out])
        # The jackknife on every tenth row, scaled to all of them.
        error = math.sqrt((n - 1) / n * 10 * ((values - getattr(whole, name).value) ** 2).sum())
        interval = getattr(whole, name).interval
        assert (interval.high - interval.low) / 2 / 1.959964 == pytest.approx(error, rel=0.3), name


@pytest.mark.thorough
@given(st.integers(0, 10_000), st.sampled_from([{}, {"method": "regression"}, {"reference": "rest"}]))
@settings(max_examples=15, deadline=None)
def test_parts_add_up_and_nothing_depends_on_the_order_of_rows_or_controls(seed, way):
    data = drawn(250, seed=seed)
    found = explain_gap(data, **LOANS, controls=["area", "owner"], **way)
    whole = found.explained.value + found.unexplained.value + found.no_counterpart.value
    assert whole == pytest.approx(found.gap.value, abs=1e-9)
    assert found.by_control["part"].sum() == pytest.approx(found.explained.value, abs=1e-9)
    turned = explain_gap(data.sample(frac=1, random_state=seed), **LOANS, controls=["owner", "area"], **way)
    assert turned.explained.value == pytest.approx(found.explained.value, abs=1e-7)
    assert list(turned.by_control["part"])[::-1] == pytest.approx(list(found.by_control["part"]), abs=1e-7)


def test_people_without_a_counterpart_are_counted_and_a_part_of_their_own():
    alone = pd.DataFrame({"sex": "F", "area": "z", "years": 5.0, "owner": 0, "desk": 1, "got": ["no"] * 40})
    data = pd.concat([drawn(), alone])
    found = explain_gap(data, **LOANS, controls="area")
    women = data[data["sex"] == "F"]
    share = len(alone) / len(women)
    gone = share * (0 - (women[women["area"] != "z"]["got"] == "yes").mean())
    assert (found.n_alone_protected, found.n_alone_reference) == (40, 0)
    assert found.no_counterpart.value == pytest.approx(gone)
    assert "40 rows of the protected group" in found.warnings[0]


def test_the_cross_fitted_check_disagrees_where_the_model_is_wrong():
    rng = np.random.default_rng(3)
    n = 6_000
    years = rng.normal(0, 1, n)
    sex = np.where(rng.random(n) < 1 / (1 + np.exp(-2 * (years**2 - 1))), "F", "M")
    got = np.where(rng.random(n) < 1 / (1 + np.exp(-1.5 * (years**2 - 1))), "yes", "no")
    found = explain_gap(
        pd.DataFrame({"sex": sex, "years": years, "got": got}), **LOANS, controls="years", method="regression"
    )
    assert found.adjusted_gap.check == "disagrees" and say(Message("doubt-methods")) in found.warnings
    assert abs(found.adjusted_gap.doubly_robust.value) < abs(found.adjusted_gap.value) / 2


def test_only_a_group_that_has_such_rows_is_named():
    # Nobody of the protected group has both "b" and "y", but some have either.
    sizes = {("a", "x"): (500, 500), ("b", "x"): (60, 2_000), ("a", "y"): (60, 2_000), ("b", "y"): (0, 500)}
    people = [(sex, *pair) for pair, n in sizes.items() for sex, k in zip("FM", n, strict=True) for _ in range(k)]
    frame = pd.DataFrame(people, columns=["sex", "area", "owner"])
    frame["got"] = np.where(np.arange(len(frame)) % 3 == 0, "yes", "no")
    found = explain_gap(frame, **LOANS, controls=["area", "owner"], method="regression")
    others = Message("doubt-rows-of", {"rows": Message("rows-n", {"n": Count(500)}), "group": Group()})
    assert say(Message("doubt-nobody-alike", {"who": others})) in found.warnings
    found = explain_gap(frame, **LOANS, controls=["area", "owner"])
    assert say(Message("doubt-alone", {"who": others, "n": Count(500)})) in found.warnings


def test_a_model_that_holds_agrees_with_its_check():
    found = explain_gap(drawn(4_000), **LOANS, controls=["years", "owner"])
    assert found.adjusted_gap.check == "agrees"
    assert found.adjusted_gap.doubly_robust.value == pytest.approx(found.adjusted_gap.value, abs=0.03)


def test_a_check_that_would_not_see_the_model_err_by_its_own_margin_does_not_agree():
    rng = np.random.default_rng(1)
    n = 300
    x = rng.normal(0, 1, n)
    sex = np.where(rng.random(n) < 1 / (1 + np.exp(1 + 2.5 * x)), "F", "M")
    got = np.where(rng.random(n) < 1 / (1 + np.exp(-0.8 * x)), "yes", "no")
    held = explain_gap(
        pd.DataFrame({"sex": sex, "x": x, "got": got}), **LOANS, controls="x", method="regression"
    ).adjusted_gap
    widths = [each.high - each.low for each in (held.interval, held.doubly_robust.interval)]
    assert held.check == "too_imprecise" and widths[1] > 1.5 * widths[0]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("skewed", "way"),
    [(False, "strata"), (False, "linear, rest"), (True, "linear"), (True, "linear, rest")],
)
def test_intervals_of_a_columns_part_hold_it_in_a_group_of_63(skewed, way):
    case = {"controls": 1, "skewed": skewed}
    whole = rows_of(few_protected(np.random.default_rng(7), 300_000, **case), case)
    [*_, (_, truth, _)] = of_division(whole, WAYS[way])
    held = 0
    for repeat in range(400):
        rows = rows_of(few_protected(np.random.default_rng([7, repeat]), 700, **case), case)
        [*_, (_, _, (low, high))] = of_division(rows, WAYS[way])
        held += low <= truth <= high
    # Of 400, with 92 % each, 350 or fewer have a chance of one in a thousand; by the delta method 87 to 90 % held.
    assert held > 350


def test_a_column_that_differs_strongly_by_group_is_marked(berkeley):
    assert list(explain_gap(berkeley, **WOMEN).by_control["marked"]) == [True]
    marks = explain_gap(drawn(), **LOANS, controls=["owner", "area"]).by_control
    assert list(marks["marked"]) == [False, False]


@pytest.mark.parametrize("usual", [0.0, 100.0])
def test_numbers_that_are_mostly_alike_make_two_classes(usual):
    data = drawn()
    data["years"] = np.where(data.index % 12 == 0, data["years"].abs() + 1, usual)
    rows, *_ = read_rows(data, **LOANS, controls="years", where=None, cluster=None)
    assert np.bincount(rows.controls[0].codes, rows.n).tolist() == sorted([1_100, 100], reverse=usual == 0)
    assert explain_gap(data, **LOANS, controls="years").model == "strata"


def test_a_missing_value_of_a_control_is_a_class_of_its_own():
    data = drawn()
    data["area"] = data["area"].where(data.index % 7 > 0)
    data["years"] = data["years"].where(data.index % 5 > 0)
    whole = explain_gap(data, **LOANS, controls=["area", "years"], method="regression")
    assert whole.n_protected + whole.n_reference == len(data)
    filled = explain_gap(
        data.assign(area=data["area"].fillna("none")), **LOANS, controls=["area", "years"], method="regression"
    )
    assert filled.explained.value == pytest.approx(whole.explained.value)


def test_a_separated_outcome_keeps_its_figures_finite():
    data = drawn(400)
    data["got"] = np.where((data["area"] == "a") | (data["owner"] == 1), "yes", "no")
    data.loc[data.index[::50], "got"] = "no"
    data.loc[data["area"] == "c", "got"] = "no"
    found = explain_gap(data, **LOANS, controls=["area", "owner"], method="regression")
    assert all(
        math.isfinite(v) for v in (found.adjusted_gap.value, *found.adjusted_gap.interval, found.explained.value)
    )


def test_a_group_with_hardly_any_good_outcome_is_named_because_intervals_are_too_narrow():
    data = drawn(400)
    few = data["sex"] == "F"
    data.loc[few, "got"] = np.where(np.arange(few.sum()) < 4, "yes", "no")
    said = say(Message("doubt-few-of-outcome", {"group": Message("explain-protected"), "few": Count(5)}))
    assert said in explain_gap(data, **LOANS, controls="area").warnings
    data.loc[few, "got"] = np.where(np.arange(few.sum()) < 5, "yes", "no")
    assert said not in explain_gap(data, **LOANS, controls="area").warnings


@pytest.mark.parametrize("amount", [np.inf, -1e300])
def test_amounts_that_cannot_be_added_up_are_refused(amount):
    data = drawn(100).assign(pay=np.arange(100.0), money=np.arange(100.0))
    data.loc[3, ["pay", "money"]] = amount
    asked = {"protected": "sex = 'F'", "method": "regression"}
    with pytest.raises(InputError, match="The decision 'pay' holds endless numbers"):
        explain_gap(data, decision="pay", controls="area", **asked)
    with pytest.raises(InputError, match="The column 'money' holds endless numbers"):
        explain_gap(data, decision="got", favorable="yes", controls="money", **asked)


@pytest.mark.parametrize("way", [{}, {"method": "regression"}], ids=["strata", "regression"])
@pytest.mark.parametrize(
    ("controls", "named"),
    [
        ("twin", "says who is protected"),
        ("sex", "says who is protected"),
        ("repeat", "says how each case was decided"),
        ("got", "is the decision itself"),
        ("constant", "one value only"),
        ("number", "10,000 different values"),
        ([], "at least one column"),
        (["area", "area"], "twice"),
        ("nothing", "no column 'nothing'"),
    ],
)
def test_a_control_that_cannot_serve_is_refused_in_a_sentence(controls, named, way):
    data = drawn(10_000)
    data["twin"] = np.where(data["sex"] == "F", "1", "2")
    data["repeat"] = np.where(data["got"] == "yes", "A", "B")
    data["constant"] = "x"
    data["number"] = [f"case {i}" for i in range(len(data))]
    with pytest.raises(InputError, match=named):
        explain_gap(data, **LOANS, controls=controls, **way)


def test_controls_that_say_together_who_is_protected_are_refused():
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 2, 400), rng.integers(0, 2, 400)
    data = pd.DataFrame(
        {"sex": np.where(one == other, "F", "M"), "one": one, "other": other, "got": rng.choice(["yes", "no"], 400)}
    )
    with pytest.raises(GroupError, match="counterpart"):
        explain_gap(data, **LOANS, controls=["one", "other"])
    data["sum"] = np.where(data["sex"] == "F", 20.0, 0.0) + rng.integers(0, 12, 400) + data["one"]
    data["less"] = data["sum"] - np.where(data["sex"] == "F", 20.0, 0.0)
    with pytest.raises(InputError, match=r"together say exactly|says who is protected"):
        explain_gap(data, **LOANS, controls=["sum", "less"], method="regression")


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"method": "guess"}, "'method' must be"),
        ({"reference": "mine"}, "'reference' must be one of average"),
        ({"method": "regression", "reference": "average"}, "'reference' must be one of pooled"),
        ({"model": "logistic"}, "'model' must be one of strata"),
        ({"confidence": 2}, "'confidence' must be"),
        ({"favorable": None}, "is to be an amount"),
        ({"protected": ""}, "'protected' must be"),
        ({"random_state": "one"}, "'random_state' must be"),
        ({"random_state": -1}, "'random_state' must be"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused_in_a_sentence(changed, named):
    with pytest.raises(InputError, match=named):
        explain_gap(drawn(), **{**LOANS, "controls": "area", **changed})


def test_a_cluster_column_with_one_value_in_a_group_is_refused():
    data = drawn()
    data["town"] = np.where(data["sex"] == "F", "one", data["area"])
    with pytest.raises(GroupError, match=r"^The protected group has .* 'town' only"):
        explain_gap(data, **LOANS, controls="area", cluster="town")


def test_a_group_of_nobody_and_too_many_controls_are_refused():
    data = drawn()
    with pytest.raises(GroupError, match="at least 2"):
        explain_gap(data, **LOANS | {"protected": "sex = 'X'"}, controls="area")
    for i in range(7):
        data[f"c{i}"] = (data.index // (i + 1)) % 2
    with pytest.raises(InputError, match="at most 6 columns"):
        explain_gap(data, **LOANS, controls=[f"c{i}" for i in range(7)])
    assert MOST_VALUES == 50


@pytest.mark.parametrize("amount", [False, True])
def test_what_is_left_by_similar_cases_is_the_average_gap_that_a_check_finds(amount):
    data = drawn(amount=amount)
    favorable = {} if amount else {"favorable": "yes"}
    asked = {"decision": "got", **favorable, "protected": "sex = 'F'"}
    check = check_mean_strata if amount else check_strata
    for controls in (["area"], ["area", "owner"]):
        found = explain_gap(data, **asked, controls=controls, reference="similar")
        inside = check(data, **asked, strata=controls)
        assert found.unexplained.value == pytest.approx(inside.common_difference, abs=1e-12)
        assert found.unexplained.interval == pytest.approx(tuple(inside.common_difference_interval), rel=0.03)
        assert found.explained.value + found.unexplained.value == pytest.approx(found.gap.value, abs=1e-12)
        assert found.by_control["part"].sum() == pytest.approx(found.explained.value, abs=1e-12)


@pytest.mark.thorough
def test_the_interval_of_what_is_left_among_similar_cases_is_that_of_repeated_samples():
    found, n = [], 400
    for seed in range(300):
        data = drawn(n, seed=seed)
        left = explain_gap(data, **LOANS, controls="area", reference="similar").unexplained
        found.append((left.value, left.interval.high - left.interval.low))
    values, widths = np.array(found).T
    assert values.std() == pytest.approx(widths.mean() / (2 * 1.96), rel=0.12)
