from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairaudit.errors import GroupError, InputError
from fairaudit.estimators.relabeling import risk_adjustment, risk_flipping

# Sixteenths: all sums and differences of scores are exact. Few of them, so that many are tied.
TIED = st.integers(0, 16).map(lambda k: k / 16)


@st.composite
def rows(draw, *, ties: bool = True):
    """Scores, labels, a group of up to four values and the population; both groups of the population hold rows."""
    n = draw(st.integers(2, 24))
    if ties:
        scores = draw(st.lists(TIED, min_size=n, max_size=n))
    else:
        scores = [k / 64 for k in draw(st.permutations(range(64)))[:n]]
    labels = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    groups = np.array(draw(st.lists(st.sampled_from("abcd"), min_size=n, max_size=n)))
    population = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    protected = groups == draw(st.sampled_from("abcd"))
    assume((protected & population).any() and (~protected & population).any())
    return np.array(scores), np.array(labels), protected, population


THRESHOLD = st.integers(1, 15).map(lambda k: k / 16)


def both(instance, threshold):
    scores, labels, protected, population = instance
    given_rows = {"protected": protected, "population": population}
    return (
        risk_adjustment(scores, threshold=threshold, **given_rows),
        risk_flipping(scores, labels, **given_rows),
    )


def alpha(labels, protected, population) -> Fraction:
    """Count by hand what the protected group's count of label 1 should be."""
    reference = [int(y) for y, p, n in zip(labels, protected, population, strict=True) if n and not p]
    return Fraction(int((protected & population).sum()) * sum(reference), len(reference))


@given(rows(ties=False), THRESHOLD)
def test_without_ties_the_gap_is_at_most_one_row(instance, threshold):
    _, _, protected, population = instance
    inside = protected & population
    for found in both(instance, threshold):
        gap = found.labels[inside].mean() - found.labels[~protected & population].mean()
        assert abs(gap) <= 1 / inside.sum() + 1e-12
        assert found.gap_after == pytest.approx(gap)


@given(rows(), THRESHOLD, st.randoms(use_true_random=False))
def test_each_law_of_both_algorithms_holds(instance, threshold, random):
    adjusted, flipped = both(instance, threshold)
    only_protected_rows_of_the_population_change(instance, threshold, adjusted, flipped)
    no_other_cut_of_the_scores_is_nearer(instance, threshold, adjusted)
    flipping_reaches_the_nearest_count_with_the_fewest_flips(instance, flipped)
    flips_touch_the_lowest_ones_or_the_highest_zeros(instance, flipped)
    relabelling_twice_changes_nothing_more(instance, threshold, adjusted, flipped)
    the_order_of_the_rows_does_not_matter(instance, threshold, random, adjusted, flipped)


def only_protected_rows_of_the_population_change(instance, threshold, adjusted, flipped):
    scores, labels, protected, population = instance
    assert (adjusted.labels_before == (scores >= threshold)).all()
    assert (flipped.labels_before == labels).all()
    outside = ~(protected & population)
    for found in (adjusted, flipped):
        assert (found.labels[outside] == found.labels_before[outside]).all()
        assert (found.flipped == (found.labels != found.labels_before)).all()
        assert found.n_flipped == found.flipped.sum()


def no_other_cut_of_the_scores_is_nearer(instance, threshold, found):
    scores, _, protected, population = instance
    inside = protected & population
    target = alpha(found.labels_before, protected, population)
    got = abs(int(found.labels[inside].sum()) - target)
    for cut in [*scores[inside], 2.0]:
        assert got <= abs(int((scores[inside] >= cut).sum()) - target), (instance, threshold, cut)
    assert float(target) == pytest.approx(found.alpha)
    assert (found.labels[inside] == (scores[inside] - found.risk_shift >= threshold)).all()
    assert (found.risk_shift == 0) == (found.direction == "none")
    assert found.risk_shift >= 0 or found.direction == "raised"


def flipping_reaches_the_nearest_count_with_the_fewest_flips(instance, found):
    _, labels, protected, population = instance
    inside = protected & population
    target, present = alpha(labels, protected, population), int(labels[inside].sum())
    nearest = min(abs(k - target) for k in range(int(inside.sum()) + 1))
    fewest = min(abs(k - present) for k in range(int(inside.sum()) + 1) if abs(k - target) == nearest)
    assert abs(int(found.labels[inside].sum()) - target) == nearest
    assert found.n_flipped == fewest
    assert abs(found.gap_after) <= 0.5 / inside.sum() + 1e-12


def flips_touch_the_lowest_ones_or_the_highest_zeros(instance, found):
    scores, labels, protected, population = instance
    lowered = found.flipped & (labels == 1)
    raised = found.flipped & (labels == 0)
    assert not (lowered.any() and raised.any())
    kept = protected & population & ~found.flipped
    if lowered.any():
        assert found.direction == "lowered"
        assert (scores[kept & (labels == 1)] >= scores[lowered].max()).all()
    elif raised.any():
        assert found.direction == "raised"
        assert (scores[kept & (labels == 0)] <= scores[raised].min()).all()
    else:
        assert found.direction == "none"


def relabelling_twice_changes_nothing_more(instance, threshold, adjusted, flipped):
    scores, _, protected, population = instance
    shifted = np.where(protected & population, scores - adjusted.risk_shift, scores)
    again = risk_adjustment(shifted, protected=protected, population=population, threshold=threshold)
    assert again.direction == "none" and (again.labels == adjusted.labels).all()
    again = risk_flipping(scores, flipped.labels, protected=protected, population=population)
    assert again.direction == "none" and (again.labels == flipped.labels).all()


def the_order_of_the_rows_does_not_matter(instance, threshold, random, adjusted, flipped):
    scores, labels, protected, population = instance
    order = np.array(random.sample(range(len(scores)), len(scores)))
    mixed = both((scores[order], labels[order], protected[order], population[order]), threshold)
    assert (mixed[0].labels == adjusted.labels[order]).all()
    assert sorted(scores[order][mixed[1].flipped]) == sorted(scores[flipped.flipped])


@pytest.mark.parametrize("relabel", ["adjust", "flip"])
def test_both_directions(relabel):
    scores = np.array([0.9, 0.8, 0.7, 0.1, 0.9, 0.3, 0.2, 0.1])
    protected = np.array([False] * 4 + [True] * 4)
    for who, direction in ((protected, "raised"), (~protected, "lowered")):
        found = (
            risk_adjustment(scores, protected=who)
            if relabel == "adjust"
            else risk_flipping(scores, scores >= 0.5, protected=who)
        )
        assert found.direction == direction
        assert found.gap_after == 0
        assert found.n_flipped == 2


def test_no_reference_row_with_label_one_leaves_none_to_the_protected():
    scores = [0.1, 0.2, 0.9, 0.8]
    found = risk_adjustment(scores, protected=[0, 0, 1, 1])
    assert found.alpha == 0
    assert found.labels.tolist() == [0, 0, 0, 0]
    assert 0.9 - found.risk_shift < 0.5
    assert risk_flipping(scores, [0, 0, 1, 1], protected=[0, 0, 1, 1]).labels.sum() == 0


def test_all_reference_rows_with_label_one_give_it_to_all_protected():
    scores = [0.8, 0.9, 0.1, 0.2]
    assert risk_adjustment(scores, protected=[0, 0, 1, 1]).labels.tolist() == [1, 1, 1, 1]
    assert risk_flipping(scores, [1, 1, 0, 0], protected=[0, 0, 1, 1]).labels.tolist() == [1, 1, 1, 1]


def test_tied_scores_move_together_and_the_rest_of_the_gap_is_shown():
    # The reference has 1/2; three of four protected rows are tied, so their share is 0, 1/4 or 1.
    scores = [0.9, 0.1, 0.8, 0.3, 0.3, 0.3]
    found = risk_adjustment(scores, protected=[0, 0, 1, 1, 1, 1])
    assert found.labels.tolist() == [1, 0, 1, 0, 0, 0]
    assert found.direction == "none"
    assert found.gap_after == -0.25
    # Flipping takes the first of the tied rows.
    flipped = risk_flipping(scores, [1, 0, 1, 0, 0, 0], protected=[0, 0, 1, 1, 1, 1])
    assert flipped.labels.tolist() == [1, 0, 1, 1, 0, 0]


def test_constant_scores_are_all_or_none():
    protected = np.array([True] * 5 + [False] * 10)
    for score, label in ((0.7, 1), (0.2, 0)):
        found = risk_adjustment(np.full(15, score), protected=protected)
        assert found.direction == "none"
        assert (found.labels == label).all()
    flipped = risk_flipping(np.full(15, 0.5), np.r_[np.zeros(5), np.ones(10)], protected=protected)
    assert flipped.n_flipped == 5 and flipped.gap_after == 0


def test_decision_function_scores_are_cut_at_any_threshold():
    found = risk_adjustment([2.0, -1.0, -3.0, -4.0], protected=[0, 0, 1, 1], threshold=0.0)
    assert found.labels.tolist() == [1, 0, 1, 0]
    assert found.risk_shift == -3.0


def test_frames_and_boolean_columns_are_taken():
    frame = pd.DataFrame({"s": [0.9, 0.1, 0.4, 0.2], "y": [True, False, False, False], "p": [0, 0, 1, 1]})
    found = risk_flipping(frame["s"], frame["y"], protected=frame["p"])
    assert found.labels.tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("protected", "population", "counts"),
    [([0, 0, 0], None, "0 protected and 3 other"), ([1, 1, 1], None, "3 protected and 0 other"),
     ([1, 1, 0], [1, 1, 0], "2 protected and 0 other"), ([1, 0, 0], [0, 1, 1], "0 protected and 2 other"),
     ([1, 0, 0], [0, 0, 0], "0 protected and 0 other")],
)  # fmt: skip
def test_an_empty_group_is_named_with_counts(protected, population, counts):
    with pytest.raises(GroupError, match=counts):
        risk_adjustment([0.1, 0.2, 0.3], protected=protected, population=population)
    with pytest.raises(GroupError, match=counts) as caught:
        risk_flipping([0.1, 0.2, 0.3], [0, 1, 0], protected=protected, population=population)
    assert not any(character.isdigit() for character in caught.value.uncounted)


def test_bad_input_is_named():
    ok = {"protected": [1, 0]}
    with pytest.raises(InputError, match="1 that are missing"):
        risk_adjustment([0.1, np.nan], **ok)
    with pytest.raises(InputError, match="one dimension"):
        risk_adjustment([[0.1], [0.2]], **ok)
    with pytest.raises(InputError, match="'threshold'"):
        risk_adjustment([0.1, 0.2], **ok, threshold=np.nan)
    with pytest.raises(InputError, match="'labels' must be true or false"):
        risk_flipping([0.1, 0.2], [1, 2], **ok)
    with pytest.raises(InputError, match="'protected' must have one value"):
        risk_flipping([0.1, 0.2], [1, 0], protected=[1])
    with pytest.raises(InputError, match="'population' must be true or false in every row"):
        risk_flipping([0.1, 0.2], [1, 0], **ok, population=[1, None])
