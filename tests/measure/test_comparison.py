from __future__ import annotations

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairaudit.errors import InputError
from fairaudit.measure import compare_counts, compare_many


@st.composite
def cells(draw, least=0):
    n_p, n_r = draw(st.integers(least, 300)), draw(st.integers(least, 300))
    return draw(st.integers(0, n_p)), n_p, draw(st.integers(0, n_r)), n_r


def test_compas_high_risk_african_american_against_all_others():
    result = compare_counts(2174, 3696, 1143, 3518)
    assert result.protected.ratio == pytest.approx(0.588203, abs=5e-7)
    assert result.reference.ratio == pytest.approx(0.324901, abs=5e-7)
    assert result.difference == pytest.approx(0.263303, abs=1e-6)
    assert 1 / result.impact_ratio == pytest.approx(0.552361, abs=5e-7)


def test_compas_pooled_z_against_caucasian():
    assert compare_counts(2174, 3696, 854, 2454).z == pytest.approx(18.450996, abs=5e-7)


def test_berkeley_pooled_numbers():
    result = compare_counts(557, 1835, 1198, 2691)
    assert (result.protected.ratio, result.reference.ratio) == pytest.approx((0.303542, 0.445188), abs=5e-7)
    assert result.impact_ratio == pytest.approx(0.681830, abs=5e-7)
    assert result.four_fifths is False


@pytest.mark.parametrize("p, r", [((11, 20), (10, 20)), ((10, 20), (11, 20)), ((3, 20), (1, 10)), ((1, 20), (0, 7))])
def test_a_gap_of_exactly_the_tolerance_is_fair(p, r):
    assert compare_counts(*p, *r, tolerance=0.05).within_tolerance
    assert not compare_counts(*p, *r, tolerance=0.0499999999).within_tolerance


# Between the tolerance and one interval or the other, where few drawn tables are.
@example((590, 1000, 500, 1000), 0.05, 0.95)
@example((512, 1000, 500, 1000), 0.05, 0.95)
@given(cells(), st.sampled_from([0.0, 0.05, 0.2, 1.0]), st.sampled_from([0.5, 0.9, 0.95]))
def test_the_verdict_follows_its_definition(cell, tolerance, confidence):
    result = compare_counts(*cell, tolerance=tolerance, confidence=confidence)
    inner = compare_counts(*cell, confidence=max(2 * confidence - 1, 0.5)) if confidence > 0.75 else None
    if inner is not None:
        assert result.equivalence_interval == pytest.approx(inner.difference_interval, nan_ok=True)
    low, high = result.difference_interval
    beyond, apart = low > tolerance or high < -tolerance, low > 0 or high < 0
    low, high = result.equivalence_interval
    within = -tolerance <= low and high <= tolerance
    likely = apart and not (result.test == "fisher" and result.p_value > 1 - confidence)
    if not math.isfinite(result.difference) or result.has_one_decision:
        expected = "nothing_to_compare"
    elif within:
        expected = "no_gap_above_tolerance"
    else:
        expected = ("clear_gap" if beyond else "gap_size_unclear") if likely else "too_few_to_tell"
    assert result.verdict == expected
    if result.verdict in ("clear_gap", "no_gap_above_tolerance"):
        assert result.within_tolerance == (result.verdict == "no_gap_above_tolerance")


@given(cells())
def test_swapping_groups_negates_the_gap_and_inverts_the_ratio(cell):
    a, b = compare_counts(*cell), compare_counts(*cell[2:], *cell[:2])
    assert b.difference == pytest.approx(-a.difference, nan_ok=True)
    assert b.z == pytest.approx(-a.z, nan_ok=True)
    assert b.p_value == pytest.approx(a.p_value, nan_ok=True)
    assert (b.within_tolerance, b.verdict, b.four_fifths) == (a.within_tolerance, a.verdict, a.four_fifths)
    if cell[0] and cell[2]:
        assert b.impact_ratio == pytest.approx(1 / a.impact_ratio)


@given(cells())
def test_undefined_is_nan_and_never_zero(cell):
    positives_p, n_p, positives_r, n_r = cell
    result = compare_counts(*cell)
    assert math.isnan(result.protected.ratio) == (n_p == 0)
    assert math.isnan(result.difference) == (n_p == 0 or n_r == 0)
    assert math.isnan(result.p_value) == (n_p == 0 or n_r == 0)
    assert math.isnan(result.impact_ratio) == (n_p == 0 or positives_r == 0)
    assert (result.four_fifths is None) == (n_p == 0 or n_r == 0 or positives_p + positives_r == 0)
    if n_p == 0 or n_r == 0:
        assert not result.within_tolerance
        assert result.verdict == "nothing_to_compare"


@pytest.mark.parametrize(
    "cell, passes", [((8, 10, 10, 10), True), ((10, 10, 8, 10), True), ((79, 100, 1, 1), False), ((0, 5, 1, 5), False)]
)
def test_four_fifths_looks_both_ways_and_is_exact(cell, passes):
    assert compare_counts(*cell).four_fifths is passes


def test_an_empty_group_is_shown():
    empty = compare_counts(0, 0, 1, 2)
    assert empty.protected.n == 0 and math.isnan(empty.difference)


def test_to_dict_is_json_without_nan():
    values = compare_counts(0, 0, 1, 2).to_dict()
    text = json.dumps(values, allow_nan=False)
    assert json.loads(text)["difference"] is None
    assert values["difference_interval"] == {"low": None, "high": None}


def test_thousand_pairs_equal_single_pairs():
    ks = list(range(1000))
    together = compare_many(ks, [1000] * 1000, [500] * 1000, [2000] * 1000, names=[("a", "b")] * 1000)
    assert together[7] == compare_counts(7, 1000, 500, 2000, names=("a", "b"))


@pytest.mark.parametrize("settings", [{"tolerance": -0.1}, {"tolerance": 5}, {"confidence": 1.0}, {"confidence": 95}])
def test_settings_out_of_range_are_refused_with_the_value(settings):
    name, value = next(iter(settings.items()))
    with pytest.raises(InputError, match=f"'{name}' must be .* got {value}"):
        compare_counts(1, 2, 1, 2, **settings)


@pytest.mark.parametrize("cell", [(3, 2, 1, 2), (-1, 2, 1, 2), (1, 2, 5, 2)])
def test_impossible_counts_are_refused(cell):
    with pytest.raises(InputError, match="from 0 to the rows"):
        compare_counts(*cell)
