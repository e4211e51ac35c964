"""The outcome test: numbers by hand, the house's own comparisons, rows against counts, and tables that do not fit."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sweeps import part_of

from fairaudit import Condition, check_strata, outcome_test
from fairaudit.data import Table
from fairaudit.errors import GroupError, InputError, OpenValuesError
from fairaudit.measure.intervals import central_p_values, equality_p_value, holm

COUNTS = pd.DataFrame(
    {
        "place": list("aabbb"),
        "sex": ["F", "M", "F", "M", "X"],
        "searches": [40, 100, 60, 200, 20],
        "hits": [10, 20, 30, 80, 5],
    }
)
POLICE = Path("../shared/data/police_searches_by_county.csv.gz")


def rows_of(counts: pd.DataFrame, others: int = 7) -> pd.DataFrame:
    """Write counts out as rows, with some cases that nobody looked at."""
    parts = []
    for cell in counts.itertuples():
        found = ["yes"] * cell.hits + ["no"] * (cell.searches - cell.hits) + [None] * others
        looked = ["y"] * cell.searches + ["n"] * others
        parts.append(pd.DataFrame({"place": cell.place, "sex": cell.sex, "searched": looked, "found": found}))
    return pd.concat(parts, ignore_index=True)


def test_hit_rates_and_gaps_by_hand():
    test = outcome_test(COUNTS, acted="searches", found="hits", group="sex")
    assert [(h.name, h.n_acted, h.hits.ratio, h.is_reference) for h in test.hit_rates] == [
        ("F", 100, 0.4, False),
        ("M", 300, 100 / 300, True),
        ("X", 20, 0.25, False),
    ]
    assert test.hit_rates[0].hits.interval == pytest.approx((0.3094, 0.4980), abs=1e-4)
    assert [gap.difference for gap in test.gaps] == pytest.approx([0.4 - 1 / 3, 0.25 - 1 / 3])
    assert [gap.adjusted_p_value for gap in test.gaps] == pytest.approx(
        holm([gap.comparison.p_value for gap in test.gaps])
    )
    assert test.gaps[1].small and not test.gaps[0].small
    assert all(hit.n_cases is None and np.isnan(hit.acted_rate) for hit in test.hit_rates)


def test_p_values_of_several_groups_are_twice_the_smaller_tail_by_all_tables():
    # By whole numbers: of all ways to choose the looks with a find, those with as many for F, or more.
    test = outcome_test(COUNTS, acted="searches", found="hits", group="sex")
    tail = sum(math.comb(100, k) * math.comb(300, 140 - k) for k in range(40, 101))
    assert test.gaps[0].comparison.test == "fisher"
    assert test.gaps[0].comparison.p_value == pytest.approx(2 * tail / math.comb(400, 140), rel=1e-9)
    [one] = outcome_test(COUNTS[COUNTS["sex"] != "X"], acted="searches", found="hits", group="sex").gaps
    assert (one.comparison.test, one.comparison.p_value) == ("z", pytest.approx(equality_p_value(40, 100, 100, 300)))


@pytest.mark.parametrize("others", part_of([3, 7, 14], [14], rest="thorough"))
@pytest.mark.parametrize(("looks", "of", "rate"), [(300, 1_000, 0.2), (100, 2_000, 0.06), (300, 3_000, 0.05)])
def test_groups_that_are_all_alike_are_said_to_differ_in_at_most_five_percent_of_all_tables(others, looks, of, rate):
    # No draw: the chance over all tables. With the z test it is 6.0 % for 14 groups of 100 beside 2,000 at 6 %.
    finds, base = np.arange(looks + 1), np.arange(of + 1)
    base = base[stats.binom.pmf(base, of, rate) > 1e-7]
    p_values = central_p_values(finds[None, :], looks, base[:, None], of)
    claimed = (p_values < 0.05 / others) @ stats.binom.pmf(finds, looks, rate)
    alarms = stats.binom.pmf(base, of, rate) @ (1 - (1 - claimed) ** others)
    assert 0.02 < alarms <= 0.05


def test_rows_and_counts_give_the_same_and_rows_also_say_how_often_one_looked():
    asked = {"group": "sex", "strata": "place"}
    by_counts = outcome_test(COUNTS, acted="searches", found="hits", **asked)
    by_rows = outcome_test(rows_of(COUNTS), acted="searched = 'y'", found="found = 'yes'", **asked)
    assert by_rows.gaps == by_counts.gaps
    assert [hit.hits for hit in by_rows.hit_rates] == [hit.hits for hit in by_counts.hit_rates]
    assert [hit.acted_rate for hit in by_rows.hit_rates] == pytest.approx([100 / 114, 300 / 314, 20 / 27])
    assert (by_rows.form, by_counts.form) == ("rows", "counts")


def test_inside_strata_it_is_the_house_s_common_difference():
    rows = rows_of(COUNTS[COUNTS["sex"] != "X"], others=0)
    test = outcome_test(rows, acted="searched = 'y'", found="found = 'yes'", group="sex = 'F'", strata="place")
    house = check_strata(rows, decision="found", favorable="yes", protected="sex = 'F'", strata="place")
    [gap] = test.gaps
    assert gap.common_difference == house.common_difference
    assert gap.common_difference_interval == house.common_difference_interval
    assert gap.common_p_value == house.cmh_p_value_uncorrected
    assert [row.difference for row in gap.strata] == [row.difference for row in house.strata]
    assert test.reference == "the rest"


def test_a_stratum_where_one_group_was_not_looked_at_is_named():
    test = outcome_test(COUNTS, acted="searches", found="hits", group="sex", strata="place")
    assert test.gaps[1].left_out == ("a",)
    assert test.gaps[1].common_difference == pytest.approx(0.25 - 0.4)


def test_looks_without_an_outcome_are_left_out_and_counted():
    rows = rows_of(COUNTS, others=0)
    rows.loc[rows.index[:4], "found"] = None
    test = outcome_test(rows, acted="searched = 'y'", found="found = 'yes'", group="sex")
    assert (test.n_undecided, test.hit_rates[0].hits.undecided, test.hit_rates[0].hits.n) == (4, 4, 96)
    assert any("without a known outcome" in sentence for sentence in test.warnings)


def test_rows_without_a_count_are_left_out_and_counted():
    known = COUNTS.iloc[:4]
    counts = pd.concat([known, known.iloc[:1].assign(searches=np.nan)])
    test = outcome_test(counts, acted="searches", found="hits", group="sex")
    same = outcome_test(known, acted="searches", found="hits", group="sex")
    assert test.hit_rates[0].hits == same.hit_rates[0].hits
    assert test.warnings == ("Left out: 1 row without a number in 'searches'.",)


def test_searched_more_often_with_the_same_hit_rate_is_said_to_be_unsettled():
    cells = [("a", 400, 1_000, 100), ("b", 100, 1_000, 25)]
    rows = pd.concat(
        pd.DataFrame({"g": g, "s": ["y"] * s + ["n"] * (n - s), "f": ["y"] * h + ["n"] * (n - h)})
        for g, s, n, h in cells
    )
    asked = {"acted": "s = 'y'", "found": "f = 'y'", "group": "g"}
    assert outcome_test(rows, **asked, reference="b").rates_disagree
    lower = rows.assign(f=np.where((rows["g"] == "a") & (np.arange(len(rows)) % 4 > 0), "n", rows["f"]))
    assert not outcome_test(lower, **asked, reference="b").rates_disagree


def test_counts_of_stops_say_how_often_one_looked_and_when_hit_rates_do_not_settle_it():
    # Two areas; of 1,710 stops of one group 11.3 % lead to a search, of 1,970 of the reference 5.5 %.
    counts = pd.DataFrame(
        {
            "area": ["n"] * 3 + ["s"] * 3,
            "race": list("wbh") * 2,
            "stops": [1040, 450, 420, 930, 1260, 630],
            "searches": [52, 54, 42, 56, 139, 63],
            "hits": [13, 11, 8, 14, 27, 12],
        }
    )
    asked = {"acted": "searches", "found": "hits", "group": "race", "reference": "w", "strata": "area"}
    test = outcome_test(counts, stopped="stops", **asked)
    assert [hit.n_cases for hit in test.hit_rates] == [1710, 1050, 1970]
    assert [round(hit.acted_rate, 3) for hit in test.hit_rates] == [0.113, 0.1, 0.055]
    assert test.rates_disagree
    without = outcome_test(counts, **asked)
    assert without.gaps == test.gaps and not without.rates_disagree


def test_rows_that_were_not_stopped_are_no_cases():
    rows = rows_of(COUNTS).assign(stopped="y")
    more = pd.concat([rows, rows.head(50).assign(stopped="n", searched="n", found=None)])
    asked = {"acted": "searched = 'y'", "found": "found = 'yes'", "group": "sex"}
    test = outcome_test(more, stopped="stopped = 'y'", **asked)
    assert [hit.n_cases for hit in test.hit_rates] == [114, 314, 27]


def test_looked_at_clearly_more_often_allows_for_all_groups():
    # One group is looked at in 24.2 % of 400 cases, beside 18 % of 1,000: p .008, among seven groups .056.
    looks = {f"group {i}": 72 for i in range(6)} | {"more": 97}
    counts = pd.DataFrame(
        [{"g": "base", "n": 1000, "s": 180, "f": 45}]
        + [{"g": name, "n": 400, "s": n, "f": n // 4} for name, n in looks.items()]
    )
    asked = {"stopped": "n", "acted": "s", "found": "f", "group": "g", "reference": "base"}
    assert equality_p_value(97, 400, 180, 1000) == pytest.approx(0.008, abs=0.0005)
    assert outcome_test(counts[counts["g"].isin(["base", "more"])], **asked).rates_disagree
    assert not outcome_test(counts, **asked).rates_disagree


def test_the_hit_rates_of_five_published_states():
    if not POLICE.exists():
        pytest.skip(f"{POLICE} is not there")
    test = outcome_test(pd.read_csv(POLICE), acted="num_searches", found="num_hits", group="driver_race")
    assert [round(hit.hits.ratio, 4) for hit in test.hit_rates] == [0.2466, 0.1743, 0.2707]


ROWS = rows_of(COUNTS)
BAD = {
    "found without a look": (
        ROWS.assign(found="yes"),
        {"acted": "searched = 'y'", "found": "found = 'yes'", "group": "sex"},
        GroupError,
        "There are 35 rows where found is yes but searched is not y",
    ),
    "found without a look, in counts": (
        COUNTS.assign(searches=[0, 100, 60, 200, 20]),
        {"acted": "searches", "found": "hits", "group": "sex"},
        GroupError,
        "There is 1 row where 'hits' counts finds but 'searches' counts nobody",
    ),
    "more found than looked at": (
        COUNTS.assign(hits=[41, 20, 30, 80, 5]),
        {"acted": "searches", "found": "hits", "group": "sex"},
        GroupError,
        "In 1 row 'hits' is larger than 'searches'",
    ),
    "no outcome at all": (
        ROWS.assign(found=None),
        {"acted": "searched = 'y'", "found": "found = 'yes'", "group": "sex"},
        GroupError,
        "None of the 420 cases looked at has an outcome",
    ),
    "nobody looked at": (
        ROWS.assign(searched="n", found=None),
        {"acted": "searched = 'y'", "found": "found = 'yes'", "group": "sex"},
        GroupError,
        "nobody was looked at",
    ),
    "one group": (
        ROWS.assign(sex="F"),
        {"acted": "searched = 'y'", "found": "found = 'yes'", "group": "sex"},
        GroupError,
        "only the group 'F'",
    ),
    "a text column alone": (
        ROWS,
        {"acted": "searched", "found": "found = 'yes'", "group": "sex"},
        InputError,
        "holds text values",
    ),
    "both forms": (
        COUNTS.assign(found="yes"),
        {"acted": "searches", "found": "found = 'yes'", "group": "sex"},
        InputError,
        "both must be of one kind",
    ),
    "no counts": (
        COUNTS.assign(hits=[0.5, 1, 1, 1, 1]),
        {"acted": "searches", "found": "hits", "group": "sex"},
        InputError,
        "below 0 or with decimals",
    ),
    "no such reference": (
        COUNTS,
        {"acted": "searches", "found": "hits", "group": "sex", "reference": "Z"},
        GroupError,
        "no reference group 'Z'",
    ),
    "strata that are the groups": (
        COUNTS,
        {"acted": "searches", "found": "hits", "group": "sex", "strata": "sex"},
        InputError,
        "makes the groups",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_does_not_fit_is_one_clear_sentence_with_a_remedy(case):
    table, asked, kind, text = BAD[case]
    with pytest.raises(kind, match=text) as caught:
        outcome_test(table, **asked)
    assert caught.value.hint or case == "strata that are the groups"
    if kind is GroupError:
        assert not any(character.isdigit() for character in caught.value.uncounted)


@pytest.mark.parametrize("found", ["found = 'yes'", "found IN ('yes', 'some')", "lower(found) = 'yes'"])
def test_found_without_a_look_offers_the_filter_that_leaves_out_those_rows_alone(found):
    wrong = pd.DataFrame({"sex": ["F"] * 3, "searched": ["n"] * 3, "found": ["yes"] * 3})
    rows = pd.concat([ROWS.assign(found=ROWS["found"].where(ROWS["searched"] == "y")), wrong], ignore_index=True)
    asked = {"acted": "searched = 'y'", "found": found, "group": "sex"}
    with pytest.raises(GroupError) as caught:
        outcome_test(rows, **asked)
    keeps = caught.value.keeps
    assert keeps in caught.value.hint and "'acted'" not in str(caught.value)
    kept = Condition.parse(keeps, rows).mask(rows)
    assert kept[: len(ROWS)].all() and not kept[len(ROWS) :].any()
    assert outcome_test(rows, **asked, where=keeps).hit_rates[0].hits.n


@pytest.mark.parametrize("code", ["NA", "(null)", "Unknown", "*Not Available*"])
def test_a_find_that_is_not_known_is_no_search_without_a_find(code):
    rows = [("A", "yes", "yes")] * 30 + [("A", "yes", "no")] * 70 + [("A", "yes", code)] * 100
    rows += [("B", "yes", "yes")] * 30 + [("B", "yes", "no")] * 70 + [("B", "no", code)] * 50 + [("B", code, code)] * 9
    data = pd.DataFrame(rows, columns=["race", "searched", "found"])
    test = outcome_test(data, acted="searched = 'yes'", found="found = 'yes'", group="race")
    assert [rate.hits.ratio for rate in test.hit_rates] == [0.3, 0.3]
    assert (test.n_undecided, test.n_unknown) == (100, 9)
    assert dict(test.as_unknown) == {"searched": (code,), "found": (code,)}
    assert dict(map(tuple, test.to_dict()["as_unknown"])) == {"searched": [code], "found": [code]}


@pytest.mark.parametrize("code", ["NA", "N/A", "(null)", "NaN"])
def test_a_blank_is_nothing_found_where_no_other_value_says_so(code):
    rows = [("A", "yes", "drugs")] * 6 + [("A", "yes", code)] * 94 + [("A", "no", "no")] * 50
    rows += [("B", "yes", "drugs")] * 30 + [("B", "yes", code)] * 70 + [("B", "no", None)] * 50
    data = pd.DataFrame(rows, columns=["race", "searched", "found"])
    asked = {"acted": "searched = 'yes'", "found": "found = 'drugs'", "group": "race"}
    test = outcome_test(data, **asked)
    assert [rate.hits.ratio for rate in test.hit_rates] == [0.06, 0.3] and test.n_undecided == 0
    assert test.as_unknown == ()
    # One search that says "no" makes the code unknown, in a filter without it, too.
    data.loc[len(data)] = ("A", "yes", "no")
    for where in (None, "found IS NULL OR found <> 'no'"):
        again = outcome_test(data, **asked, where=where)
        assert again.n_undecided == 164 and dict(again.as_unknown) == {"found": (code,)}


def test_numbers_that_stand_for_no_are_no_codes():
    rows = [("A", 1)] * 10 + [("A", -1)] * 90 + [("B", 1)] * 30 + [("B", -1)] * 70
    data = pd.DataFrame(rows, columns=["race", "found"]).assign(looked=True)
    for found in ("found = 1", "found > 0"):
        test = outcome_test(data, acted="looked", found=found, group="race")
        assert [rate.hits.ratio for rate in test.hit_rates] == [0.1, 0.3]


def test_high_amounts_are_finds_and_codes_beside_yes_and_no_are_not():
    rows = [("A", x % 40) for x in range(100)] + [("A", 0)] * 300 + [("A", 999)] * 20
    rows += [("B", x % 40) for x in range(100)] + [("B", 0)] * 320
    data = pd.DataFrame(rows, columns=["race", "grams"]).assign(looked=True)
    for found in ("grams > 0", "grams BETWEEN 1 AND 2000"):
        test = outcome_test(data, acted="looked", found=found, group="race")
        assert [(rate.hits.positives, rate.hits.n) for rate in test.hit_rates] == [(117, 420), (97, 420)], found
    few = data.assign(grams=data["grams"].clip(upper=1).where(data["grams"] < 999, 999))
    for found in ("grams > 0", "grams = 1"):
        test = outcome_test(few, acted="looked", found=found, group="race")
        assert [(rate.hits.positives, rate.hits.n) for rate in test.hit_rates] == [(97, 400), (97, 420)], found


def test_cases_are_kept_where_a_blank_says_that_nobody_looked():
    rows = [("A", "yes", "y")] * 10 + [("A", "yes", "n")] * 90 + [("A", "NA", None)] * 100
    rows += [("B", "yes", "y")] * 30 + [("B", "yes", "n")] * 70 + [("B", "NA", None)] * 300
    data = pd.DataFrame(rows, columns=["race", "searched", "found"])
    test = outcome_test(data, acted="searched = 'yes'", found="found = 'y'", group="race")
    assert test.n_unknown == 0 and test.as_unknown == ()
    assert [rate.hits.ratio for rate in test.hit_rates] == [0.1, 0.3]


def test_finds_beside_unknown_alone_are_refused_until_somebody_says_what_it_means():
    rows = [("A", "drugs")] * 10 + [("A", "Unknown")] * 90 + [("B", "drugs")] * 30 + [("B", "Unknown")] * 70
    data = pd.DataFrame(rows, columns=["race", "found"]).assign(looked=True)
    with pytest.raises(GroupError) as caught:
        outcome_test(data, acted="looked", found="found = 'drugs'", group="race")
    named = caught.value.hint.partition("name it: ")[2]
    test = outcome_test(data, acted="looked", found=named, group="race")
    assert [rate.hits.ratio for rate in test.hit_rates] == [0.1, 0.3]


def test_a_value_that_the_condition_names_stays_what_it_says():
    rows = [("A", "yes"), ("A", "NA"), ("B", "yes"), ("B", "NA")] * 20
    data = pd.DataFrame(rows, columns=["race", "found"]).assign(searched=True)
    test = outcome_test(data, acted="searched", found="found IN ('yes', 'NA')", group="race")
    assert [rate.hits.ratio for rate in test.hit_rates] == [1, 1] and test.as_unknown == ()


def test_a_group_that_is_not_known_is_named():
    rows = [("A", True), ("A", False), ("B", True), ("B", False), ("Unknown", True)] * 20
    frame = pd.DataFrame(rows, columns=["race", "found"]).assign(looked=True)
    with pytest.raises(OpenValuesError) as refused:
        outcome_test(frame, acted="looked", found="found", group="race")
    [asked] = refused.value.questions
    assert (asked.column, asked.values, asked.meaning) == ("race", ("Unknown",), "group")
    answered = Table.from_pandas(frame, not_known={"race": ["Unknown"]})
    assert len(outcome_test(answered, acted="looked", found="found", group="race").hit_rates) == 2
