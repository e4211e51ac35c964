"""Who stands among the first of lists: figures worked out by hand, laws, and input that cannot be used."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from fairaudit import Table, check_rankings
from fairaudit.errors import GroupError, InputError
from fairaudit.measure.strata import common_difference


def made(n_lists: int, n: int, seed: int = 0, shift: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    sex = np.where(rng.random(n_lists * n) < 0.4, "f", "m")
    score = rng.normal(size=n_lists * n) + shift * (sex == "f")
    frame = pd.DataFrame({"day": np.repeat(np.arange(n_lists), n), "sex": sex, "score": score})
    return frame.assign(place=frame.groupby("day")["score"].rank(ascending=False))


def asked(frame: pd.DataFrame, **given):
    return check_rankings(frame, **{"protected": "sex = 'f'", "first": 3, "lists": "day", "rank": "place"} | given)


def test_one_list_is_the_two_by_two_table_of_the_first():
    frame = made(1, 30, seed=4)
    found = asked(frame, lists=(), first=8)
    first = frame["place"] <= 8
    table = np.array([[((frame["sex"] == sex) & (first == is_in)).sum() for is_in in (True, False)] for sex in "fm"])
    assert found.p_value == pytest.approx(stats.fisher_exact(table).pvalue) and found.is_exact
    shares = table[:, 0] / table.sum(axis=1)
    assert (found.protected.share, found.reference.share) == pytest.approx(tuple(shares))
    assert found.difference == pytest.approx(shares[0] - shares[1])
    assert found.share_of_first == pytest.approx(table[0, 0] / 8)
    assert found.share_by_lot == pytest.approx(table[0].sum() / 30)


def test_several_lists_have_the_common_gap_of_mantel_and_haenszel():
    frame = made(8, 10, shift=-0.5)
    found, cells = asked(frame), []
    for _, one in frame.groupby("day"):
        own, first = one["sex"] == "f", one["place"] <= 3
        cells.append([(own & first).sum(), own.sum(), (~own & first).sum(), (~own).sum()])
    difference, interval = common_difference(np.array(cells, dtype=float), 0.95)
    assert found.difference == pytest.approx(difference)
    assert tuple(found.difference_interval) == pytest.approx(tuple(interval))
    assert found.difference == pytest.approx(found.protected.share - found.reference.share)


def test_a_score_and_the_ranks_that_follow_from_it_answer_alike():
    frame = made(6, 12, seed=2)
    by_rank, by_score = asked(frame), asked(frame, rank=None, score="score")
    lowest = asked(frame.assign(score=-frame["score"]), rank=None, score="score", lowest_first=True)
    for other in (by_score, lowest):
        assert (other.difference, other.p_value) == (by_rank.difference, by_rank.p_value)
        assert other.prefixes.equals(by_rank.prefixes)


def test_the_order_of_rows_and_the_names_of_lists_do_not_matter():
    frame = made(7, 9, seed=3)
    mixed = frame.sample(frac=1, random_state=1).assign(day=lambda each: "day " + each["day"].astype(str))
    one, other = asked(frame), asked(mixed)
    assert one.difference == pytest.approx(other.difference) and one.p_value == pytest.approx(other.p_value)
    assert one.exposure.found == pytest.approx(other.exposure.found)


def test_protected_and_others_turned_about_turn_the_gap():
    frame = made(7, 9, seed=3)
    one, other = asked(frame), asked(frame, protected="sex = 'm'")
    assert one.difference == pytest.approx(-other.difference)
    assert one.higher.chance == pytest.approx(1 - other.higher.chance)
    assert one.exposure.found == pytest.approx(1 - other.exposure.found)


def test_lists_that_cannot_be_compared_are_counted_and_named():
    rows = [("a", sex, place) for place, sex in enumerate("fmfmfm", 1)]
    rows += [("b", "f", 1), ("b", "f", 2), ("b", "f", 3), ("b", "f", 4), ("alone", "m", 1), ("short", "f", 1)]
    rows += [("short", "m", 2)]
    found = asked(pd.DataFrame(rows, columns=["day", "sex", "place"]), first=2)
    assert (found.n_lists, found.n_compared, found.n_both) == (4, 1, 2)
    assert (found.n_one_group, found.n_not_longer) == (2, 1)
    named = dict(zip(found.left_out["list"], found.left_out["why"], strict=True))
    assert named == {"b": "one_group", "alone": "one_group", "short": "not_longer"}
    assert found.protected.n == 3 and found.reference.n == 3


def test_ties_across_the_last_place_count_by_their_chance():
    frame = pd.DataFrame({"sex": list("fmfmm"), "place": [1.0, 2, 2, 2, 5]})
    found = asked(frame, lists=(), first=2)
    # Of the three on the second place one is among the first.
    assert found.protected.n_first == pytest.approx(1 + 1 / 3) and found.reference.n_first == pytest.approx(2 / 3)
    assert (found.n_tied, found.n_split, found.is_exact) == (3, 1, True)


def test_cases_of_no_known_group_keep_their_places():
    frame = pd.DataFrame({"sex": [None, "f", "m", "m", "f"], "place": range(1, 6)})
    found = asked(frame, lists=(), first=2)
    assert found.n_unknown == 1 and found.protected.n_first == 1 and found.reference.n_first == 0


def test_cases_without_a_rank_or_a_list_are_counted():
    frame = made(5, 8)
    frame.loc[0, "place"] = np.nan
    frame["day"] = frame["day"].astype("Int64")
    frame.loc[9, "day"] = pd.NA
    found = asked(frame)
    assert (found.n_unranked, found.n_unlisted) == (1, 1)


def test_places_are_counted_among_those_of_the_filter():
    frame = made(1, 20).assign(kind=["x", "y"] * 10)
    inside = asked(frame, lists=(), where="kind = 'x'")
    alone = frame[frame["kind"] == "x"]
    assert inside.difference == pytest.approx(asked(alone, lists=()).difference)


def test_exposure_against_merit_by_hand():
    frame = pd.DataFrame({"sex": list("mfm"), "place": [1, 2, 3], "worth": [1.0, 2.0, 1.0]})
    found = asked(frame, lists=(), first=1, merit="worth").exposure
    gets = 1 / np.log2([2, 3, 4])
    assert found.found == pytest.approx(gets[1] / gets.sum()) and found.by_lot == pytest.approx(1 / 3)
    assert found.by_merit == pytest.approx(0.5) and found.found_by_merit == pytest.approx(found.found)
    assert math.isnan(asked(frame, lists=(), first=1).exposure.by_merit)


def test_a_list_without_a_merit_for_each_case_is_left_out_of_merit_alone():
    frame = made(4, 6).assign(worth=1.0)
    frame.loc[0, "worth"] = np.nan
    found = asked(frame, merit="worth")
    assert found.exposure.n_with_merit == found.n_both - 1
    whole = asked(frame[frame["day"] > 0], merit="worth").exposure
    assert found.exposure.by_merit == pytest.approx(whole.by_merit)


def test_beginnings_of_one_list_hold_what_is_counted():
    frame = made(1, 12, seed=5)
    found, own = asked(frame, lists=()), frame.sort_values("place")["sex"].eq("f").to_numpy()
    for row in found.prefixes.itertuples():
        assert row.share == pytest.approx(own[: row.first].mean())
        assert row.chance == pytest.approx(own.mean()) and row.low <= row.chance <= row.high


def test_a_list_with_all_protected_last_fails_the_prefix_test_and_says_where():
    frame = pd.DataFrame({"sex": ["m"] * 12 + ["f"] * 12, "place": range(1, 25)})
    found = asked(frame, lists=(), first=12)
    assert found.prefix.n_failing == 1 and 4 <= found.prefix.place <= 8
    assert found.verdict == "clear_gap" and found.prefix.p_value < 0.05
    assert asked(frame, lists=(), first=12, protected="sex = 'm'").prefix.n_failing == 0


def test_of_those_alike_protected_cases_stand_first_in_the_prefix_test():
    frame = pd.DataFrame({"sex": ["m"] * 12 + ["f"] * 12, "order": [1.0] * 24})
    assert asked(frame, lists=(), rank=None, score="order", first=12).prefix.n_failing == 0


def of_kinds(shifts: dict[str, float], n_lists: int = 40, n: int = 12) -> pd.DataFrame:
    made_up = [made(n_lists, n, seed, shift).assign(kind=kind) for seed, (kind, shift) in enumerate(shifts.items())]
    return pd.concat([one.assign(day=one["day"] + 1_000 * i) for i, one in enumerate(made_up)], ignore_index=True)


def test_a_kind_of_lists_is_what_its_lists_alone_say():
    frame = of_kinds({"a": -1.0, "b": 0.0, "c": -0.5})
    found = asked(frame, strata="kind")
    assert [kind.name for kind in found.kinds] == ["a", "b", "c"]
    alone = [asked(frame, where=f"kind = '{kind.name}'") for kind in found.kinds]
    for kind, one in zip(found.kinds, alone, strict=True):
        assert (kind.n_lists, kind.n_protected, kind.n_others) == (one.n_compared, one.protected.n, one.reference.n)
        assert (kind.difference, kind.share_protected) == pytest.approx((one.difference, one.protected.share))
        assert tuple(kind.difference_interval) == pytest.approx(tuple(one.difference_interval))
    adjusted = multipletests([one.p_value for one in alone], method="holm")[1]
    assert [kind.p_value for kind in found.kinds] == pytest.approx(list(adjusted))
    assert found.difference == asked(frame).difference and found.verdict == asked(frame).verdict


def test_kinds_without_a_list_to_compare_are_named_and_a_list_without_a_kind_is_one():
    frame = of_kinds({"a": -1.0, "b": 0.0}, n_lists=5)
    frame.loc[frame["kind"] == "b", "sex"] = "m"
    frame.loc[frame["day"] == 4, "kind"] = None
    frame.loc[frame.index[0], "kind"] = None
    found = asked(frame, strata="kind")
    assert [(kind.name, kind.n_lists) for kind in found.kinds] == [("a", 4), ("missing", 1)]
    assert found.kinds_left_out == ("b",)


def test_one_kind_is_the_whole_and_several_columns_are_crossed():
    frame = of_kinds({"a": -1.0, "b": 0.0}, n_lists=6).assign(one="x", half=lambda each: each["day"] % 2)
    [whole] = asked(frame, strata="one").kinds
    assert whole.difference == asked(frame).difference and whole.p_value == asked(frame).p_value
    assert [kind.name for kind in asked(frame, strata=["kind", "half"]).kinds] == ["a, 0", "a, 1", "b, 0", "b, 1"]


@pytest.mark.thorough
def test_no_kind_has_a_gap_by_chance_in_more_tables_than_the_level_allows():
    alarms, n_tables = 0, 300
    for seed in range(n_tables):
        frame = made(24, 8, seed=seed).assign(kind=lambda each: each["day"] % 6)
        found = asked(frame, first=2, strata="kind")
        alarms += any(kind.verdict in ("clear_gap", "gap_size_unclear") for kind in found.kinds)
    assert alarms <= stats.binom.ppf(0.999, n_tables, 0.05)


@pytest.mark.parametrize(
    ("change", "given", "what"),
    [
        ({"kind": ["x", "y"] * 10}, {"strata": "kind"}, "several values in column 'kind'"),
        ({"kind": ["x"] * 20}, {"strata": "kind", "lists": ()}, "all cases are one list"),
        ({"place": range(20)}, {}, "Ranks must begin at 1"),
        ({"place": [1, 2] * 10}, {"lists": ()}, "Ranks repeat"),
        ({"place": [np.nan] * 20}, {}, "has a value"),
        ({"place": ["1st"] * 20}, {}, "must hold numbers"),
        ({}, {"first": 10}, "longest list has 10"),
        ({}, {"first": 0}, "'first'"),
        ({}, {"first": True}, "'first'"),
        ({}, {"score": "score"}, "either 'rank' or 'score'"),
        ({}, {"rank": None}, "either 'rank' or 'score'"),
        ({}, {"lowest_first": True}, "'lowest_first' goes with 'score'"),
        ({}, {"lists": "nothing"}, "nothing"),
        ({}, {"merit": "score"}, "Merit must be 0 or more"),
        ({"score": [np.inf] + [1.0] * 19}, {"merit": "score"}, "Merit must be finite"),
        ({"score": [np.nan] * 20}, {"merit": "score"}, "no number"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(change, given, what):
    with pytest.raises(InputError, match=what):
        asked(made(2, 10).assign(**change), **given)


def test_lists_of_one_leave_nobody_to_compare():
    frame = made(20, 1)
    with pytest.raises(InputError, match="longest list has 1 case"):
        asked(frame, first=1)


def test_groups_that_never_meet_in_a_list_are_refused():
    frame = made(4, 6).assign(sex=np.repeat(list("fmfm"), 6))
    with pytest.raises(GroupError, match="None of 4 lists"):
        asked(frame)
    with pytest.raises(GroupError, match="Everyone else"):
        asked(frame.assign(sex="f"))


def test_a_table_of_counts_is_refused():
    frame = made(4, 6).assign(n=3)
    with pytest.raises(InputError, match="one case of a list"):
        asked(Table.from_pandas(frame, counts="n"))


def test_one_list_and_ten_thousand_take_seconds():
    frame = made(10_000, 20)
    found = asked(frame, first=5)
    assert found.n_lists == 10_000 and found.verdict == "no_gap_above_tolerance" and not found.is_exact


@pytest.mark.thorough
@pytest.mark.parametrize(("n_lists", "n", "first"), [(1, 60, 10), (20, 10, 3)])
def test_false_alarms_keep_the_level(n_lists, n, first):
    rng, alarms, n_tables = np.random.default_rng(11), 0, 300
    for _ in range(n_tables):
        frame = made(n_lists, n, seed=int(rng.integers(1 << 30)))
        alarms += asked(frame, first=first).verdict in ("clear_gap", "gap_size_unclear")
    assert alarms <= stats.binom.ppf(0.999, n_tables, 0.05)
