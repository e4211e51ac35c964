from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.estimators.constraints import METRICS, ConstrainedRows, FairnessSpec, parse_specs
from fairaudit.estimators.constraints.feasibility import CLASHES, conflicts
from fairaudit.findings import Message, Phrase, Share
from fairaudit.messages import say


def frame_of(**positives):
    """Return 100 rows of each group, with so many of the positive outcome, and the labels."""
    frame = pd.DataFrame({"race": np.repeat(list(positives), 100)})
    y = np.concatenate([np.arange(100) < count for count in positives.values()]).astype(int)
    return frame, y


def found(text, frame=None, y=None, **options):
    """Return what stands against constraints, as messages."""
    specs = parse_specs(text)
    rows = None if frame is None else ConstrainedRows.of(specs, y, frame)
    return list(conflicts(specs, rows, **options))


def keys(*given, **options):
    return [message.key for message in found(*given, **options)]


EQUAL_SHARES_AND_ERRORS = "demographic_parity by race <= 3%; equalized_odds by race <= 3%"


def test_equal_shares_and_equal_errors_clash_between_the_groups_that_differ_most():
    first, price = found(EQUAL_SHARES_AND_ERRORS, *frame_of(A=52, B=39, C=45))
    names = " and ".join(["share of positive predictions, false positive rate", "false negative rate"])
    assert first == Message(
        "conflict-clash",
        {"names": Phrase(names), "high": Share(0.52), "low": Share(0.39), "first": Phrase("A"), "second": Phrase("B")},
    )
    assert price.key == "conflict-price" and "52% of A and 39% of B have the outcome" in say(first)


@pytest.mark.parametrize("clash", CLASHES, ids=lambda clash: "-".join(clash.metrics))
def test_each_known_clash_is_said_where_the_outcome_is_not_equally_common(clash):
    specs = [FairnessSpec(name, "race", 0.01) for name in clash.metrics]
    (general,) = conflicts(specs)
    assert general.key == "conflict-clash-anywhere"
    assert all(METRICS[name].words in say(general) for name in clash.metrics)
    frame, y = frame_of(A=60, B=30)
    first, *_ = conflicts(specs, ConstrainedRows.of(specs, y, frame))
    assert (dict(first.args)["high"], dict(first.args)["low"]) == (Share(0.6), Share(0.3))


@pytest.mark.parametrize("clash", CLASHES, ids=lambda clash: "-".join(clash.metrics))
def test_nothing_is_shown_where_the_outcome_is_equally_common_or_limits_are_wide(clash):
    for limit, counts in [(0.01, (40, 40)), (0.001, (50, 50)), (0.9, (60, 30))]:
        specs = [FairnessSpec(name, "race", limit) for name in clash.metrics]
        frame, y = frame_of(A=counts[0], B=counts[1])
        assert conflicts(specs, ConstrainedRows.of(specs, y, frame)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "demographic_parity by race <= 1%",
        "equalized_odds by race <= 1%",
        "predictive_parity by race <= 1%",
        "demographic_parity by race <= 1%; fpr by sex <= 1%; fnr by sex <= 1%",
        "fpr by race <= 1%; fdr by race <= 1%",
        "aec(1, 5) by race <= 0.1; error_rate by race <= 1%",
    ],
)
def test_constraints_that_do_not_clash_are_not_said_to(text):
    assert found(text) == []


def test_a_part_of_a_clash_is_not_said_again():
    assert keys(EQUAL_SHARES_AND_ERRORS + "; predictive_parity by race <= 3%") == ["conflict-clash-anywhere"]


def test_groups_with_few_rows_of_an_outcome_are_not_named():
    frame, y = frame_of(A=52, B=39, Tiny=4)
    named = [dict(found(EQUAL_SHARES_AND_ERRORS, frame, y, min_count=n)[0].args)["second"] for n in (10, 4)]
    assert named == [Phrase("B"), Phrase("Tiny")]
    assert "conflict-clash" not in keys(EQUAL_SHARES_AND_ERRORS, frame, y, min_count=50)


def test_the_same_metric_and_groups_twice_are_said_and_the_tighter_counts():
    assert keys("fpr by race <= 3%; fpr by race <= 5%") == ["conflict-two-limits"]
    assert keys("fpr by a, b <= 5%; fpr by b, a <= 1%") == ["conflict-two-limits"]
    assert "conflict-two-limits" in keys(
        'demographic_parity by ["a < 1" as "x", "a > 2"] <= 3%; demographic_parity by ["a > 2", "a < 1"] <= 2%'
    )
    assert keys("aec(1, 5) by race <= 1; aec(1, 5) by race <= 2.5") == ["conflict-two-limits"]
    assert keys("aec(1, 5) by race <= 1; aec(1, 6) by race <= 2.5") == []
    # The wide limit beside the close one takes no clash away.
    assert "conflict-clash" in keys(
        f"{EQUAL_SHARES_AND_ERRORS}; demographic_parity by race <= 90%", *frame_of(A=60, B=30)
    )


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


def test_groups_that_are_nearly_the_same_people_are_said():
    frame = pd.DataFrame({"age": np.arange(100)})
    y = np.arange(100) % 2
    (same,) = found('error_rate by ["age < 90" as "most", "age >= 5" as "many", "age < 20"] <= 0.1', frame, y)
    assert same == Message("conflict-same-people", {"first": Phrase("most"), "second": Phrase("many")})
    assert found('error_rate by ["age < 60", "age >= 40"] <= 0.1', frame, y) == []


def test_two_small_shares_that_differ_do_not_read_alike():
    names, ones = np.repeat(["A", "B"], 10_000), (240, 210)
    y = np.concatenate([np.arange(10_000) < count for count in ones]).astype(int)
    first, *_ = found(
        "demographic_parity by race <= 0.01%; equalized_odds by race <= 0.01%", pd.DataFrame({"race": names}), y
    )
    rates = dict(first.args)
    assert (rates["high"], rates["low"]) == (Share(0.024, 1), Share(0.021, 1))


def test_the_least_price_and_what_cannot_be_at_all_are_said():
    frame, y = frame_of(A=60, B=40)
    (price,) = found("demographic_parity by race <= 2%", frame, y)
    assert price.key == "conflict-price" and 0.08 < dict(price.args)["share"].value < 0.1
    assert found("demographic_parity by race <= 20%", frame, y) == []
    limits = ("demographic_parity", "equalized_odds", "error_rate", "aec(1, 5)")
    nothing = "; ".join(f"{limit} by race <= {0.1 if limit == 'aec(1, 5)' else 0.01}" for limit in limits)
    assert keys(nothing, frame, y)[-1] == "conflict-impossible"
