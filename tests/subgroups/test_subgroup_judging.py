"""What is shown is judged on rows that the search never saw; measures, levels and bad input."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from subgroups_by_hand import made_table

from fairaudit import Condition, find_subgroups
from fairaudit.errors import GroupError, InputError, MissingColumnError
from fairaudit.files import SAMPLE_FOLDER
from fairaudit.measure import check_controlled_fairness
from fairaudit.measure.intervals import weighted_holm


def planted(seed: int = 0, rows: int = 4000) -> pd.DataFrame:
    """Make a table in which women in grade 4 fare worse by 30 points."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "sex": rng.choice(["woman", "man"], rows),
            "grade": rng.integers(1, 7, rows),
            "age": rng.integers(18, 80, rows),
            "paid": rng.random(rows) < 0.5,
        }
    )
    hit = (frame["sex"] == "woman") & (frame["grade"] == 4)
    frame["got"] = np.where(rng.random(rows) < np.where(hit, 0.2, 0.5), "yes", "no")
    return frame


def test_a_planted_gap_is_found_and_stands_out():
    found = find_subgroups(planted(), decision="got", favorable="yes")
    first = found.subgroups[0]
    assert first.condition == "sex = 'woman' AND grade = 4" and "gap" in first.rankings
    assert first.stands_out and first.interval.low < -0.3 < first.interval.high
    assert found.n_standing_out >= 1 and found.ranked("evidence").beaten_by_chance == 0


def test_both_halves_together_are_all_rows_and_figures_are_those_of_a_check():
    frame = planted(3)
    found = find_subgroups(frame, decision="got", favorable="yes")
    assert found.n_searched + found.n_judged == found.n_rows == len(frame)
    for each in found.subgroups:
        whole = check_controlled_fairness(frame, decision="got", favorable="yes", protected=each.condition)
        parts = (each.trained, each.held_out)
        assert sum(part.n for part in parts) == whole.protected.n
        assert sum(part.positives for part in parts) == whole.protected.positives
        assert sum(part.rest_positives for part in parts) == whole.reference.positives
        assert each.gap == pytest.approx(each.rate - each.rest)


def test_p_values_are_adjusted_for_all_that_is_shown():
    found = find_subgroups(planted(4), decision="got", favorable="yes")
    p_values = [each.p_value for each in found.subgroups]
    weights = [0.5**place for place in range(1, len(p_values) + 1)]
    assert [each.p_adjusted for each in found.subgroups] == list(weighted_holm(p_values, weights))


def test_the_clearest_on_the_searched_rows_is_asked_first_and_in_its_direction():
    found = find_subgroups(planted(4), decision="got", favorable="yes")
    z = [each.trained.gap / math.sqrt(1 / each.trained.n + 1 / each.trained.rest_n) for each in found.subgroups]
    assert np.abs(z).tolist() == sorted(np.abs(z).tolist(), reverse=True)
    for each in found.subgroups:
        good, n, others, rest = (getattr(each.held_out, f) for f in ("positives", "n", "rest_positives", "rest_n"))
        side = "greater" if each.trained.gap > 0 else "less"
        exact = stats.fisher_exact([[good, n - good], [others, rest - others]], alternative=side)
        assert each.p_value == pytest.approx(exact.pvalue)


@pytest.mark.thorough
@pytest.mark.parametrize("amounts", [False, True])
def test_what_stands_out_has_an_interval_on_the_side_that_the_search_found(amounts):
    for seed in range(8):
        frame = made_table(4 * seed + 3 * amounts, rows=900, amounts=amounts)
        asked = {"measure": "mean"} if amounts else {"favorable": 1}
        for each in find_subgroups(frame, decision="y", min_rows=20, random_state=seed, **asked).subgroups:
            if each.stands_out:
                assert min(each.interval) > 0 if each.trained.gap > 0 else max(each.interval) < 0
                assert each.p_adjusted < 0.05


def test_the_best_of_each_ranking_is_shown_or_mostly_the_same_people_as_one_that_is():
    frame = planted()
    found = find_subgroups(frame, decision="got", favorable="yes", search_fraction=1)
    for ranking, score in (("people", "impact"), ("gap", "gap")):
        shown = found.leading(ranking)[0]
        best = abs(getattr(shown.trained, score)) == pytest.approx(found.ranked(ranking).best)
        assert best or shown.same_people, ranking


@pytest.mark.thorough
def test_shuffled_outcomes_stand_out_in_few_tables():
    alarms = 0
    for seed in range(30):
        frame = planted(seed, rows=600)
        frame["got"] = np.random.default_rng(seed).permutation(frame["got"])
        alarms += find_subgroups(frame, decision="got", favorable="yes", random_state=seed).n_standing_out > 0
    # With 5 % in truth, more than 5 of 30 have a chance of one in a hundred.
    assert alarms <= 5


@pytest.mark.parametrize("measure", ["fpr", "fnr", "fdr", "for_", "accuracy"])
def test_shares_of_errors_are_those_of_a_count_by_hand(measure):
    frame = planted(6)
    frame["guess"] = np.where(
        np.random.default_rng(1).random(len(frame)) < 0.3, 1 - (frame["got"] == "yes"), frame["got"] == "yes"
    )
    found = find_subgroups(
        frame,
        decision="got",
        favorable="yes",
        prediction="guess = 1",
        columns=["sex", "grade", "paid"],
        measure=measure,
        search_fraction=1,
    )
    good, predicted = frame["got"] == "yes", frame["guess"] == 1
    among, counts = {
        "fpr": (~good, predicted),
        "fnr": (good, ~predicted),
        "fdr": (predicted, ~good),
        "for_": (~predicted, good),
        "accuracy": (good | ~good, good == predicted),
    }[measure]
    assert found.n_rows == among.sum() and found.rate == pytest.approx(counts[among].mean())
    for each in found.subgroups:
        inside = Condition.parse(each.condition, frame).mask(frame)
        assert (each.n, each.rate) == ((inside & among).sum(), pytest.approx(counts[inside & among].mean()))
        assert each.rest == pytest.approx(counts[~inside & among].mean())


def test_amounts_are_compared_by_their_means():
    frame = planted(8)
    frame["pay"] = np.where((frame["sex"] == "woman") & (frame["age"] > 50), 2000.0, 2600.0) + 10 * frame["grade"]
    found = find_subgroups(frame.drop(columns="got"), decision="pay", measure="mean", columns=["sex", "age", "paid"])
    first = found.leading("people")[0]
    inside = Condition.parse(first.condition, frame).mask(frame)
    assert "sex = 'woman'" in first.condition and first.stands_out and first.gap < -400
    both = (first.trained.n * first.trained.rate + first.held_out.n * first.held_out.rate) / inside.sum()
    assert both == pytest.approx(frame.loc[inside, "pay"].mean())
    assert first.trained.positives is None


def test_near_copies_identifiers_and_long_columns_are_named_and_left_out():
    frame = planted(9)
    frame["granted_on"] = np.where(frame["got"] == "yes", "2024", None)
    frame["person_id"] = np.arange(len(frame))
    frame["street"] = [f"street {i // 2}" for i in range(len(frame))]
    frame["country"] = "here"
    found = find_subgroups(frame, decision="got", favorable="yes")
    reasons = {each.column: each.reason for each in found.left_out}
    assert set(reasons) == {"granted_on", "person_id", "street", "country"}
    assert "gives the decision away" in reasons["granted_on"] and "names the rows" in reasons["person_id"]
    assert "2,000 values" in reasons["street"] and "one value only" in reasons["country"]
    assert set(found.columns) == {"sex", "grade", "age", "paid"}


def test_each_subgroup_names_a_protected_column():
    found = find_subgroups(planted(2), decision="got", favorable="yes", columns=["age", "paid"], protected=["sex"])
    assert found.protected == ("sex",) and found.subgroups
    assert all("sex" in each.condition for each in found.subgroups)


def test_a_filter_makes_the_population():
    frame = planted(2)
    found = find_subgroups(frame, decision="got", favorable="yes", where="age > 40")
    assert found.n_rows == (frame["age"] > 40).sum() and found.where == "age > 40"


def test_missing_values_dates_and_large_numbers_can_be_named():
    frame = planted(5)
    frame["born"] = pd.Timestamp("1950-01-01") + pd.to_timedelta(frame["age"] * 200, unit="D")
    frame.loc[frame["sex"] == "woman", "sex"] = None
    frame["income"] = np.where(frame["sex"].isna(), np.nan, np.arange(len(frame)) * 1e3 + 0.5)
    found = find_subgroups(frame, decision="got", favorable="yes", columns=["sex", "born", "income", "grade"])
    assert found.subgroups[0].condition in {
        "sex IS NULL AND grade = 4",
        "grade = 4 AND income IS NULL",
        "income IS NULL AND grade = 4",
    }


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"columns": ["nothing"]}, MissingColumnError, "nothing"),
        ({"columns": []}, InputError, "'columns'"),
        ({"columns": ["got"]}, InputError, "is the decision"),
        ({"measure": "fpr"}, InputError, "needs 'prediction'"),
        ({"measure": "f1"}, InputError, "'measure'"),
        ({"measure": "mean"}, InputError, "'favorable'"),
        ({"favorable": None}, InputError, "'favorable'"),
        ({"max_conditions": 5}, InputError, "from 1 to 4"),
        ({"min_rows": 0}, InputError, "'min_rows'"),
        ({"search_fraction": 0.95}, InputError, "'search_fraction'"),
        ({"direction": "up"}, InputError, "'direction'"),
        ({"time_limit": 0}, InputError, "'time_limit'"),
        ({"random_state": -1}, InputError, "'random_state'"),
        ({"confidence": 1}, InputError, "'confidence'"),
        ({"min_rows": 3999}, GroupError, "No subgroup"),
        ({"where": "got = 'yes'"}, GroupError, "the same outcome"),
    ],
)
def test_bad_input_is_named_in_one_sentence(asked, error, words):
    question = {"decision": "got", "favorable": "yes"} | asked
    with pytest.raises(error, match=words):
        find_subgroups(planted(), **question)


@pytest.mark.parametrize(
    ("amounts", "error", "words"),
    [
        (np.nan, GroupError, "None of 4,000 rows can be used for the measure 'mean'"),
        (np.inf, InputError, "'pay' must hold finite amounts"),
        (1e300, InputError, "'pay' must hold finite amounts"),
    ],
)
def test_amounts_that_are_none_are_named_in_one_sentence(amounts, error, words):
    frame = planted().assign(pay=np.where(np.arange(4000) > 0, amounts, np.nan))
    with pytest.raises(error, match=words):
        find_subgroups(frame, decision="pay", measure="mean", columns=["sex", "grade"])


def test_where_no_column_is_left_each_reason_is_given():
    frame = planted()[["got"]].assign(number=range(4000), same=1)
    with pytest.raises(InputError, match=r"'number': .*; 'same': it has one value only"):
        find_subgroups(frame, decision="got", favorable="yes")


def test_results_are_plain_values():
    found = find_subgroups(made_table(1, rows=400), decision="y", favorable=1).to_dict()
    assert found["proven"] is True and found["subgroups"][0]["held_out"]["n"] > 0


def nested(gap: float, part: float) -> pd.DataFrame:
    """Return people of whom those in area a have fewer good outcomes, and those of them at school p fewer still."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"area": rng.choice(list("abcd"), 20_000), "school": rng.choice(list("pqrstuvw"), 20_000)})
    frame["sex"] = rng.choice(["f", "m"], 20_000)
    in_area, in_part = frame["area"] == "a", (frame["area"] == "a") & (frame["school"] == "p")
    chance = 0.6 - gap * in_area - (part - gap) * in_part
    return frame.assign(good=(rng.random(20_000) < chance).astype(int))


def test_subgroups_that_are_mostly_the_same_people_are_one_row_and_counted_once():
    # Eight rows of people of low and of high incomes, most of whom were in one another.
    loans = pd.read_csv(SAMPLE_FOLDER / "loans.csv", na_values="?")
    found = find_subgroups(loans, decision="approved", favorable="yes")
    assert found.n_standing_out == 2
    assert sorted(each.gap > 0 for each in found.subgroups) == [False, True]
    assert all(each.same_people for each in found.subgroups)


def test_a_subgroup_of_the_same_people_with_a_far_larger_gap_is_a_row_of_its_own():
    found = find_subgroups(nested(0.1, 0.25), decision="good", favorable=1, direction="lower")
    first, *others = [each for each in found.subgroups if each.stands_out]
    assert first.condition == "area = 'a'" and first.gap > -0.16
    assert any("school = 'p'" in each.condition and each.gap < -0.2 for each in others)
