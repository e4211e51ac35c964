from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.estimators.constraints import METRICS, ConstrainedRows, FairnessSpec, Metric, bounds, parse_specs
from fairaudit.estimators.constraints.conflicts import CLASHES, conflicts

OWN = Metric("own", "own share", lambda y, h: (np.zeros(len(y)), 0.0))


def frame_of(**positives):
    """Return 100 rows of each group, with so many of the positive outcome, and the labels."""
    frame = pd.DataFrame({"race": np.repeat(list(positives), 100)})
    y = np.concatenate([np.arange(100) < count for count in positives.values()]).astype(int)
    return frame, y


def shown(text, frame=None, y=None, **options):
    """Return the sentences with plain blanks."""
    specs = parse_specs(text)
    rows = None if frame is None else ConstrainedRows.of(specs, y, frame)
    return [sentence.replace("\N{NO-BREAK SPACE}", " ") for sentence in conflicts(specs, rows, **options)]


EQUAL_SHARES_AND_ERRORS = "sp by race <= 3%; equalized_odds by race <= 3%"


def test_equal_shares_and_equal_errors_are_shown_with_the_groups_their_shares_and_what_is_left():
    first, price = shown(EQUAL_SHARES_AND_ERRORS, *frame_of(A=52, B=39, C=45))
    left = bounds.separation(0.52, 0.39, 0.03, 0.03, 0.03) * 100
    assert first == (
        "For the groups of race, the limits on the share of positive predictions (3 points), the false positive rate "
        "(3 points) and the false negative rate (3 points) work against each other, because the positive outcome is "
        "not equally common: 52 % of 'A' have it and 39 % of 'B'. Any model that meets all three predicts the outcome "
        f"at most {left:.3g} points more often for those who have it than for those who do not, on average of the two "
        "groups (0 points is guessing, 100 is never being wrong). Where that is too little, drop one of them or "
        "allow larger differences."
    )
    assert price.startswith("Even a model that knew every outcome would be wrong for at least ")


@pytest.mark.parametrize("clash", CLASHES, ids=lambda clash: "-".join(clash.metrics))
def test_each_known_clash_is_shown_where_the_outcome_is_not_equally_common(clash):
    specs = [FairnessSpec(name, "race", 0.01) for name in clash.metrics]
    (general,) = conflicts(specs)
    assert "unless the positive outcome is about equally common" in general
    assert all(METRICS[name].words in general for name in clash.metrics)
    frame, y = frame_of(A=60, B=30)
    sentence = conflicts(specs, ConstrainedRows.of(specs, y, frame))[0].replace("\N{NO-BREAK SPACE}", " ")
    assert "60 % of 'A' have it and 30 % of 'B'" in sentence
    bound = clash.bound(0.6, 0.3, *[0.01] * len(specs)) * 100
    assert f"{bound:.3g} points" in sentence or f" {bound:.2g} %" in sentence or f" {bound:.0f} %" in sentence
    assert "{" not in sentence + general


@pytest.mark.parametrize("clash", CLASHES, ids=lambda clash: "-".join(clash.metrics))
def test_nothing_is_shown_where_the_outcome_is_equally_common_or_limits_are_wide(clash):
    for limit, counts in [(0.01, (40, 40)), (0.001, (50, 50)), (0.9, (60, 30))]:
        specs = [FairnessSpec(name, "race", limit) for name in clash.metrics]
        frame, y = frame_of(A=counts[0], B=counts[1])
        assert conflicts(specs, ConstrainedRows.of(specs, y, frame)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "sp by race <= 1%",
        "equalized_odds by race <= 1%",
        "predictive_parity by race <= 1%",
        "sp by race <= 1%; fpr by sex <= 1%; fnr by sex <= 1%",
        "fpr by race <= 1%; fdr by race <= 1%",
        "aec(1, 5) by race <= 0.1; mr by race <= 1%",
    ],
)
def test_constraints_that_do_not_clash_are_not_said_to(text):
    assert shown(text) == []


def test_a_part_of_a_clash_is_not_shown_again():
    general = shown(EQUAL_SHARES_AND_ERRORS + "; predictive_parity by race <= 3%")
    assert len(general) == 1
    assert "all three" in general[0]


def test_groups_with_few_rows_of_an_outcome_are_not_named():
    frame, y = frame_of(A=52, B=39, Tiny=4)
    assert "'Tiny'" not in shown(EQUAL_SHARES_AND_ERRORS, frame, y)[0]
    assert "4 % of 'Tiny'" in shown(EQUAL_SHARES_AND_ERRORS, frame, y, min_count=4)[0]
    assert not any("not equally common: " in text for text in shown(EQUAL_SHARES_AND_ERRORS, frame, y, min_count=50))


def test_the_same_metric_and_groups_twice_are_shown_and_the_tighter_counts():
    found = shown("fpr by race <= 3%; fpr by race <= 5%")
    assert found == [
        "Of the groups of race the false positive rate has two limits, 3 and 5 points. Drop the looser one."
    ]
    assert shown("fpr by a, b <= 5%; fpr by b, a <= 1%")[0].endswith("two limits, 1 and 5 points. Drop the looser one.")
    assert shown('sp by ["a < 1" as "x", "a > 2"] <= 3%; sp by ["a > 2", "a < 1"] <= 2%')[0].startswith(
        "Of the groups "
    )
    assert "two limits, 1 and 2.5." in shown("aec(1, 5) by race <= 1; aec(1, 5) by race <= 2.5")[0]
    assert shown("aec(1, 5) by race <= 1; aec(1, 6) by race <= 2.5") == []
    tight, loose = (
        shown(f"{EQUAL_SHARES_AND_ERRORS}; sp by race <= {limit}", *frame_of(A=60, B=30)) for limit in (0.01, 0.9)
    )
    assert "positive predictions (1 point)" in tight[1]
    assert "positive predictions (3 points)" in loose[1]


def test_a_limit_on_crossed_groups_holds_for_the_coarser_ones():
    found = shown("fpr by race, sex <= 3%; fpr by race <= 3%")
    assert found == [
        "The limit on the false positive rate of the groups of race follows from the one on the groups of race and "
        "sex, apart from rows without a value. It can be dropped."
    ]
    assert shown("fpr by race, sex <= 3%; fpr by race <= 2%") == []
    assert shown("fpr by race, sex <= 3%; fnr by race <= 3%") == []


@pytest.mark.parametrize("metric", [*METRICS, "aec(1, 5)"])
@pytest.mark.parametrize("seed", range(5))
def test_the_gaps_of_coarser_groups_are_indeed_within_those_of_crossed_ones(metric, seed):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"race": random.choice(list("ab"), 200), "sex": random.choice(list("FM"), 200)})
    rows = ConstrainedRows.of(
        [FairnessSpec(metric, ["race", "sex"], 0.1), FairnessSpec(metric, "race", 0.1)],
        random.integers(0, 2, 200),
        frame,
    )
    for _ in range(20):
        fine, coarse = rows.values(random.integers(0, 2, 200))
        assert np.ptp(coarse) <= np.ptp(fine) + 1e-12


def test_groups_that_are_nearly_the_same_rows_are_shown():
    frame = pd.DataFrame({"age": np.arange(100)})
    y = np.arange(100) % 2
    (found,) = shown('mr by ["age < 90" as "most", "age >= 5" as "many", "age < 20"] <= 0.1', frame, y)
    assert found.startswith("'most' and 'many' are nearly the same rows, so they can hardly differ")
    assert shown('mr by ["age < 60", "age >= 40"] <= 0.1', frame, y) == []


def test_the_least_price_and_what_cannot_be_at_all_are_shown():
    frame, y = frame_of(A=60, B=40)
    (price,) = shown("sp by race <= 2%", frame, y)
    assert price.startswith("Even a model that knew every outcome would be wrong for at least 9 % of the 200 ")
    nothing = "sp by race <= 1%; equalized_odds by race <= 1%; mr by race <= 1%; aec(1, 5) by race <= 0.1"
    assert shown(nothing, frame, y)[-1].startswith("No model at all can meet all of these constraints on these rows")
    assert shown("sp by race <= 20%", frame, y) == []


def test_sentences_stand_alone_whatever_names_are():
    name = 'ra\nce <b>"x"</b> *y*'
    specs = [FairnessSpec(metric, name, 0.01) for metric in ("sp", "fpr", "fnr", "mr", "aec(1, 5)", OWN)]
    frame, y = frame_of(A=60, B=30)
    found = conflicts(specs, ConstrainedRows.of(specs, y, frame.rename(columns={"race": name})))
    assert len(found) >= 3
    for sentence in (*found, *conflicts(specs)):
        assert sentence.isprintable() or "\N{NO-BREAK SPACE}" in sentence
        assert "\n" not in sentence
        assert sentence.endswith(".")


def test_many_groups_and_rows_take_moments():
    random = np.random.default_rng(0)
    n = 100_000
    frame = pd.DataFrame({"g": random.integers(0, 50, n), "h": random.integers(0, 4, n)})
    y = (random.random(n) < 0.2 + frame["g"] / 100).astype(int).to_numpy()
    found = shown("sp by g <= 1%; equalized_odds by g <= 1%; sp by h <= 1%", frame, y)
    assert "of '49'" in found[0] or "of '48'" in found[0]
    assert found[-1].startswith("Even a model that knew")
