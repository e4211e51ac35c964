"""How well columns stand in for a group: the law of the measure, its agreement with what explains a gap, its errors."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from benchmarks.proxies import found_in, made
from fairaudit import Condition
from fairaudit.columns import Column
from fairaudit.data.code_columns import place_kind
from fairaudit.errors import InputError
from fairaudit.faces import face_of
from fairaudit.measure.explain import explain_gap, find_proxies
from fairaudit.measure.explain.proxies import independence_p_value
from fairaudit.measure.intervals import holm

ASKED = {"decision": "decision", "favorable": 1, "protected": "\"group\" = 'a'"}


def by_name(found):
    return found.by_column.set_index("column")


def best_rule(frame, column):
    """Return what the best rule by a column tells on all rows, by brute force: the total variation distance."""
    inside, outside = (frame.loc[frame["group"] == name, column].value_counts(normalize=True) for name in "ab")
    return inside.sub(outside, fill_value=0).abs().sum() / 2


def test_a_column_that_names_the_group_tells_all_and_one_by_chance_hardly_anything():
    frame = made(2_000, 0.4, 1)
    frame["copy"] = np.where(frame["group"] == "a", "x", "y")
    found = by_name(find_proxies(frame, **ASKED))
    assert found.loc["copy", "revealed"] == 1 and found.loc["copy", "is_proxy"]
    assert math.isnan(found.loc["copy", "gap"]) and found.loc["copy", "compared"] == 0
    assert found.filter(like="false", axis=0)["revealed"].abs().max() < 0.1


@pytest.mark.parametrize("column", ["planted_text", "planted_number", "planted_zip"])
def test_what_is_told_is_near_the_best_rule_and_inside_its_range(column):
    # By how it was made, the best rule tells 0.4.
    found = by_name(find_proxies(made(8_000, 0.4, 2), **ASKED)).loc[column]
    assert found["revealed_low"] <= found["revealed"] <= found["revealed_high"]
    assert abs(found["revealed"] - 0.4) < 0.06


def test_many_values_tell_nothing_where_the_rule_fitted_to_all_rows_seems_to():
    frame = made(400, 0.0, 3)
    frame["street"] = np.random.default_rng(0).integers(0, 150, len(frame)).astype(str)
    assert best_rule(frame, "street") > 0.35
    assert abs(by_name(find_proxies(frame, **ASKED)).loc["street", "revealed"]) < 0.2


def test_codes_that_are_numbers_are_read_by_value_and_as_the_same_codes_in_text():
    draw = np.random.default_rng(5)
    codes = draw.integers(10_000, 10_200, 6_000)
    is_own = draw.random(6_000) < np.random.default_rng(6).random(200)[codes - 10_000]
    people = pd.DataFrame({"group": np.where(is_own, "a", "b"), "decision": draw.integers(0, 2, 6_000)})
    numbers, texts = (
        by_name(find_proxies(people.assign(zip=held), **ASKED)).loc["zip"] for held in (codes, codes.astype(str))
    )
    assert (numbers["holds"], numbers["revealed"]) == ("zip_codes", texts["revealed"]) and numbers["revealed"] > 0.3
    assert numbers["gap"] == pytest.approx(texts["gap"]) and numbers["compared"] == texts["compared"]


def test_the_gap_among_people_alike_is_what_explaining_it_by_that_column_leaves():
    frame = made(3_000, 0.5, 4)
    frame["decision"] = (np.random.default_rng(1).random(len(frame)) < 0.3 + 0.3 * (frame["planted_number"] > 1)) * 1
    found = find_proxies(frame, **ASKED, confidence=0.9)
    for column in ("planted_text", "planted_number"):
        one = explain_gap(frame, **ASKED, controls=column, reference="similar", confidence=0.9)
        row = by_name(found).loc[column]
        assert (row["gap"], row["gap_low"]) == pytest.approx((one.unexplained.value, one.unexplained.interval.low))
        assert found.gap.value == pytest.approx(one.gap.value)


@pytest.mark.parametrize("sizes", [(30, 30, 30), (3,) * 40, (1,) * 30 + (40, 2), (200, 3)])
def test_the_test_of_independence_agrees_with_dealing_the_groups_at_random(sizes):
    random, sizes = np.random.default_rng(0), np.array(sizes)
    n_inside = int(0.4 * sizes.sum())
    dealt = random.multivariate_hypergeometric(sizes, n_inside, size=20_000, method="marginals")
    pearson = ((dealt - sizes * n_inside / sizes.sum()) ** 2 / sizes).sum(axis=1)
    for share in (0.5, 0.9, 0.99):
        at = int(np.argsort(pearson, kind="stable")[int(share * len(pearson))])
        exact = (pearson >= pearson[at] - 1e-9).mean()
        # What values can be is coarse where there are few: the p-value is then between the two that are next.
        beyond = (pearson > pearson[at] + 1e-9).mean()
        found = independence_p_value(dealt[at].astype(float), (sizes - dealt[at]).astype(float))
        assert 0.7 * beyond - 0.003 <= found <= 1.3 * exact + 0.003, (share, exact, beyond, found)


def test_columns_asked_alone_have_the_same_figures_and_holm_counts_those_asked():
    frame = made(1_000, 0.15, 5)
    names = ("planted_text", "planted_number", "false_0", "false_6")
    together = by_name(find_proxies(frame, **ASKED, columns=names))
    alone = [by_name(find_proxies(frame, **ASKED, columns=name)).loc[name] for name in names]
    assert [together.loc[each.name, "revealed"] for each in alone] == [each["revealed"] for each in alone]
    expected = holm([each["p_value"] for each in alone])
    assert [together.loc[name, "p_value"] for name in names] == pytest.approx(list(expected))


def test_order_of_rows_and_amounts_and_counted_rows_change_nothing():
    frame = made(1_000, 0.4, 6)[["group", "planted_text", "false_0", "decision"]]
    found = find_proxies(frame, **ASKED)
    pd.testing.assert_frame_equal(
        found.by_column, find_proxies(frame.sample(frac=1, random_state=0), **ASKED).by_column
    )
    counted = frame.value_counts().reset_index(name="n")
    pd.testing.assert_frame_equal(found.by_column, find_proxies(counted, **ASKED, counts="n").by_column)
    of_amounts = find_proxies(frame, decision="decision", protected=ASKED["protected"])
    assert of_amounts.favorable is None
    assert of_amounts.gap.value == pytest.approx(found.gap.value)


def test_rows_that_depend_on_each_other_stay_in_one_half_and_make_ranges_wider():
    frame = made(4_000, 0.5, 7, n_clusters=100)
    names = ["planted_text"]
    alone, together = (find_proxies(frame, **ASKED, columns=names, cluster=cluster) for cluster in (None, "office"))
    width = [
        float(each.by_column["revealed_high"].iloc[0] - each.by_column["revealed_low"].iloc[0])
        for each in (alone, together)
    ]
    assert width[1] > 2 * width[0]


def test_weights_change_what_is_told():
    frame = made(3_000, 0.5, 8)
    frame["weight"] = np.where(frame["planted_text"] > "v0001", 4.0, 1.0)
    found = by_name(find_proxies(frame, **ASKED, columns="planted_text", weights="weight")).loc["planted_text"]
    plain = by_name(find_proxies(frame, **ASKED, columns="planted_text")).loc["planted_text"]
    inside, outside = 0.75, 0.25
    expected = 4 * inside / (4 * inside + outside) - 4 * outside / (4 * outside + inside)
    assert abs(plain["revealed"] - 0.5) < 0.06 and abs(found["revealed"] - expected) < 0.06
    assert found["revealed_low"] <= found["revealed"] <= found["revealed_high"]


def test_columns_that_name_rows_or_hold_one_value_are_left_out():
    frame = made(300, 0.5, 9).assign(person_id=range(300), name=[f"p{n}" for n in range(300)], one="x")
    found = find_proxies(frame, **ASKED)
    assert not {"person_id", "name", "one", "group", "decision"} & set(found.by_column["column"])


def test_few_people_are_too_few_to_tell_and_no_sign_that_nothing_tells():
    few = pd.DataFrame({"group": ["a", "b"] * 10, "twin": ["x", "y"] * 10, "decision": [0, 1, 1, 0] * 5})
    assert face_of(find_proxies(few, **ASKED, columns=["twin"])).what.verdict.key == "verdict-too-few-to-tell"


def test_too_few_people_tell_nothing():
    frame = pd.DataFrame({"group": list("ab") * 6, "copy": list("xy") * 6, "decision": [0, 1, 1] * 4})
    found = find_proxies(frame, **ASKED)
    assert not found.found and found.by_column["revealed"].isna().all()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"columns": "nothing"}, "nothing"),
        ({"random_state": -1}, "random_state"),
        ({"columns": "decision"}, "decision"),
    ],
)
def test_what_does_not_fit_is_refused(wrong, said):
    with pytest.raises(InputError, match=said):
        find_proxies(made(100, 0.5, 1), **ASKED, **wrong)


@pytest.mark.parametrize(
    ("name", "kind", "values", "holds"),
    [
        ("ZIP", "number", (), "zip_codes"),
        ("home_postcode", "text", (), "zip_codes"),
        ("x", "text", [f"{n:05d}" for n in range(1000, 1030)], "zip_codes"),
        ("x", "text", [f"SW{n}A 1AA" for n in range(1, 10)] + [f"N{n} 2BB" for n in range(1, 9)], "zip_codes"),
        ("x", "text", [f"{n:05d}" for n in range(5)], None),
        ("Landkreis", "text", (), "places"),
        ("HomeCity", "text", (), "places"),
        ("occupation_code", "text", (), "codes"),
        ("velocity", "text", (), None),
        ("income", "number", range(10_000, 10_050), None),
        ("handicap", "text", (), None),
        ("is_zip", "boolean", (), None),
    ],
)
def test_zip_codes_and_names_of_places_are_known_by_name_and_shape(name, kind, values, holds):
    assert place_kind(Column(name, kind), values) == holds


def test_a_condition_may_say_who_is_protected():
    frame = made(500, 0.5, 10)
    named = find_proxies(frame, **ASKED | {"protected": Condition.equals("group", "a", list(frame))})
    pd.testing.assert_frame_equal(named.by_column, find_proxies(frame, **ASKED).by_column)


@pytest.mark.thorough
@pytest.mark.parametrize(("n", "revealed", "n_clusters"), [(1_000, 0.3, 0), (4_000, 0.7, 400)])
def test_planted_columns_are_found_and_false_ones_are_not(n, revealed, n_clusters):
    planted, false = found_in(n, revealed, 40, 7, n_clusters)
    assert min(planted.values()) >= 0.9, planted
    # Of 40 tables with an error of 5 %, more than six have a false one once in 300 times.
    assert false <= 6 / 40
