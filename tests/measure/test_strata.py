from __future__ import annotations

import math

import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import SAMPLES
from statsmodels.stats.contingency_tables import StratifiedTable

from fairaudit.data.table import Table
from fairaudit.errors import InputError
from fairaudit.measure import check_controlled_fairness, check_strata
from fairaudit.measure.strata import common_difference
from fairaudit.measure.within import gap_is_clear, reading_within

SAMPLE = SAMPLES / "berkeley_1973.csv"
BERKELEY = {  # men admitted, rejected, women admitted, rejected
    "A": (512, 313, 89, 19),
    "B": (353, 207, 17, 8),
    "C": (120, 205, 202, 391),
    "D": (138, 279, 131, 244),
    "E": (53, 138, 94, 299),
    "F": (22, 351, 24, 317),
}
QUESTION = {"decision": "got", "favorable": "yes", "protected": "kind = 'a'", "strata": "area"}
CELLS = st.lists(st.tuples(*[st.integers(0, 12)] * 4), min_size=1, max_size=4)


def rows(cells):
    """Write out (positives_p, negatives_p, positives_r, negatives_r) of each stratum."""
    names = [("a", "yes"), ("a", "no"), ("b", "yes"), ("b", "no")]
    data = [
        (*name, str(i)) for i, cell in enumerate(cells) for name, n in zip(names, cell, strict=True) for _ in range(n)
    ]
    return pd.DataFrame(data, columns=["kind", "got", "area"])


@pytest.fixture(scope="module")
def berkeley():
    data = rows(BERKELEY.values())
    return Table.from_pandas(data.assign(area=data["area"].map(dict(zip("012345", BERKELEY, strict=True)))))


def test_berkeley_men_against_women(berkeley):
    result = check_strata(berkeley, **QUESTION)
    assert [row.name for row in result.strata] == list(BERKELEY)
    gaps = [round(row.difference, 4) for row in result.strata]
    assert gaps == [-0.2035, -0.0496, 0.0286, -0.0184, 0.0383, -0.0114]
    assert result.common_odds_ratio == pytest.approx(0.904697, abs=5e-7)
    assert result.cmh_statistic == pytest.approx(1.426946, abs=5e-7)
    assert result.cmh_p_value == pytest.approx(0.232263, abs=5e-7)
    assert result.cmh_statistic_uncorrected == pytest.approx(1.524607, abs=5e-7)
    assert (result.pooled.protected.ratio, result.pooled.reference.ratio) == pytest.approx(
        (0.445188, 0.303542), abs=5e-7
    )
    assert 1 / result.pooled.impact_ratio == pytest.approx(0.681830, abs=5e-7)
    assert result.reversal
    assert result.left_out == ()


def test_berkeley_gap_is_gone_within_the_strata(berkeley):
    found = check_strata(berkeley, **QUESTION)
    assert reading_within(found, found.pooled) == "gone"
    turned = check_strata(berkeley, **(QUESTION | {"protected": "kind = 'b'"}))
    assert turned.reversal
    assert turned.common_odds_ratio == pytest.approx(1 / 0.904697, abs=1e-6)


def test_a_gap_that_is_within_the_tolerance_inside_the_strata_is_not_said_to_turn_around():
    cells = [(9100, 900, 26700, 3300), (6600, 23400, 2000, 8000)]
    found = check_strata(rows(cells), **QUESTION)
    assert found.reversal and found.common_difference_interval.low > 0
    assert reading_within(found, found.pooled) == "gone"


def test_a_gap_is_gone_only_where_all_that_fits_its_average_is_within_the_tolerance():
    # 36 points less often in all rows; on average 3.5 points (-8.1 to +1.1), or none.
    one, other = (160, 640, 47, 153), (153, 47, 640, 160)
    found = check_strata(rows([one, other]), **QUESTION)
    assert reading_within(found, found.pooled) == "open"
    assert found.common_difference_interval.high > 0 and found.common_equivalence_interval.low < -0.05
    wider = check_strata(rows([one, other]), **QUESTION, tolerance=0.074)
    low, high = wider.common_equivalence_interval
    assert reading_within(wider, wider.pooled) == "gone"
    # The 95 % interval reaches beyond: the equivalence interval decides.
    assert wider.common_difference_interval.low < -0.074 <= low < high < 0.074


def test_clear_gaps_in_both_directions_are_said_whatever_their_average_is():
    found = check_strata(rows([(480, 120, 1_000, 1_000), (400, 1_600, 300, 300)]), **QUESTION)
    assert gap_is_clear(found.pooled) and reading_within(found, found.pooled) == "both ways"


def test_a_clear_gap_inside_the_strata_is_not_called_unclear():
    found = check_strata(rows([(900, 100, 8000, 2000), (2000, 8000, 100, 900)]), **QUESTION)
    assert reading_within(found, found.pooled) == "turned"


def test_berkeley_sample_gives_the_same_numbers():
    data = pd.read_csv(SAMPLE)
    decision, gender = data.columns[2], data.columns[1]
    result = check_strata(
        data, decision=decision, favorable="Admitted", protected=f"{gender} = 'Men'", strata=data.columns[0]
    )
    assert result.common_odds_ratio == pytest.approx(0.904697, abs=5e-7)
    assert result.reversal


@settings(max_examples=20)
@given(CELLS)
def test_common_figures_equal_their_definitions(cells):
    data = pd.concat([rows(cells), rows([(1, 1, 1, 2)]).assign(area="last")])
    result = check_strata(data, **QUESTION)
    tables = [(a, a + b, c, c + d) for a, b, c, d in [*cells, (1, 1, 1, 2)] if a + b and c + d]
    expected = oracles.mantel_haenszel(tables)
    assert len(result.strata) == len(tables)
    assert result.common_odds_ratio == pytest.approx(expected["odds_ratio"], nan_ok=True)
    assert result.cmh_statistic_uncorrected == pytest.approx(expected["cmh"], nan_ok=True, abs=1e-12)
    assert result.cmh_statistic == pytest.approx(expected["cmh_corrected"], nan_ok=True, abs=1e-12)
    assert result.common_difference == pytest.approx(expected["difference"], nan_ok=True)
    assert result.reversal == (result.pooled.difference * expected["difference"] < 0)
    low, high = result.common_difference_interval
    assert -1 <= low <= result.common_difference <= high <= 1
    low, high = result.common_odds_ratio_interval
    if not math.isnan(low):
        assert low <= result.common_odds_ratio <= high
        cube = np.array([[[a, n - a], [c, m - c]] for a, n, c, m in tables], dtype=float).transpose(1, 2, 0)
        assert (low, high) == pytest.approx(StratifiedTable(cube).oddsratio_pooled_confint())


@pytest.mark.thorough
@settings(max_examples=20)
@given(CELLS)
def test_strata_add_up_to_the_pooled_answer(cells):
    data = pd.concat([rows(cells), rows([(1, 1, 1, 2)])])
    result = check_strata(data, **QUESTION)
    alone = check_controlled_fairness(data, decision="got", favorable="yes", protected="kind = 'a'")
    assert result.pooled.to_dict() == alone.to_dict()
    left = [str(i) for i, (a, b, c, d) in enumerate(cells) if (a + b + c + d) and not (a + b and c + d) and i]
    assert list(result.left_out) == left


def test_sato_interval_spreads_as_simulated():
    rng = np.random.default_rng(7)
    n1, n0, p1, p0 = (
        np.array([40, 15, 60]),
        np.array([30, 50, 10]),
        np.array([0.5, 0.3, 0.7]),
        np.array([0.4, 0.2, 0.6]),
    )
    draws = []
    for _ in range(4000):
        cells = np.column_stack([rng.binomial(n1, p1), n1, rng.binomial(n0, p0), n0]).astype(float)
        draws.append(common_difference(cells, 0.95))
    points = np.array([point for point, _ in draws])
    assert points.mean() == pytest.approx(0.1, abs=0.005)
    assert np.mean([interval.low <= 0.1 <= interval.high for _, interval in draws]) == pytest.approx(0.95, abs=0.015)


def test_strata_with_an_empty_group_are_named_and_do_not_count():
    data = rows([(5, 5, 5, 5), (3, 2, 0, 0)])
    result = check_strata(data, **QUESTION)
    assert result.left_out == ("1",)
    assert [row.name for row in result.strata] == ["0"]
    assert result.pooled.protected.n == 15


def test_all_strata_left_out_give_undefined_figures():
    result = check_strata(rows([(3, 2, 0, 0), (0, 0, 1, 4)]), **QUESTION)
    assert result.strata == ()
    figures = [result.common_odds_ratio, result.cmh_statistic, result.cmh_p_value, result.common_difference]
    assert np.isnan(figures).all()
    assert not result.reversal
    assert result.to_dict()["common_odds_ratio"] is None


def test_missing_strata_values_are_a_stratum_of_their_own():
    data = rows([(5, 5, 5, 5), (3, 2, 1, 4)])
    data.loc[data["area"] == "1", "area"] = None
    result = check_strata(data, **QUESTION)
    assert [row.name for row in result.strata] == ["0", "missing"]
    assert result.strata[1].values == (("area", None),)


def test_several_columns_are_crossed_and_unknown_rows_counted_by_stratum():
    data = rows([(5, 5, 5, 5), (3, 2, 1, 4)])
    more = pd.DataFrame({"kind": [None, None], "got": ["yes", None], "area": ["0", "0"]})
    data = pd.concat([data, more]).assign(year=2020)
    result = check_strata(data, **(QUESTION | {"strata": ["area", "year"]}))
    assert [row.name for row in result.strata] == ["0, 2020", "1, 2020"]
    assert [row.unknown for row in result.strata] == [2, 0]
    assert result.columns == ("area", "year")
    assert result.to_frame()["unknown"].tolist() == [2, 0]


def test_one_query_for_all_strata(monkeypatch, berkeley):
    asked = []
    real = Table.counts
    favorable = berkeley.condition("got = 'yes'")
    monkeypatch.setattr(Table, "counts", lambda self, by, **kw: asked.append(by) or real(self, by, **kw))
    check_strata(berkeley, **(QUESTION | {"favorable": favorable}))
    assert len(asked) == 1


def test_too_many_strata_are_refused():
    data = pd.DataFrame({"kind": ["a", "b"] * 600, "got": ["yes", "no"] * 600, "area": range(1200)})
    with pytest.raises(InputError, match="1,200 groups; at most 1,000"):
        check_strata(data, **QUESTION)


def test_a_gap_is_gone_only_where_strata_hold_at_least_half_of_the_rows():
    mixed = (500, 500, 500, 500)
    few = check_strata(rows([(400, 1_600, 0, 0), (0, 0, 1_600, 400), mixed]), **QUESTION)
    assert reading_within(few, few.pooled) == "open"
    most = check_strata(rows([(400, 600, 0, 0), (0, 0, 600, 400), mixed]), **QUESTION)
    assert reading_within(most, most.pooled) == "gone"


def test_a_few_people_in_each_stratum_say_neither_that_there_is_a_gap_nor_that_there_is_none():
    for good in (200, 2):
        cells = [(area, sex, y) for area in "ab" for sex, y, n in (
            ("F", "n", 4), ("M", "y", good), ("M", "n", 1_800)) for _ in range(n)]  # fmt: skip
        data = pd.DataFrame(cells, columns=["area", "sex", "ok"])
        found = check_strata(data, decision="ok", favorable="y", protected="sex = 'F'", strata="area")
        assert found.cmh_p_value > 0.5 and found.verdict == "too_few_to_tell"
        assert found.common_difference_interval.high > 0


@pytest.mark.parametrize(("n", "rate"), [((4, 2_000), 0.1), ((20, 500), 0.05), ((3, 3), 0.1)])
def test_the_interval_of_the_average_holds_what_it_says_where_cells_are_sparse(n, rate):
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(400):
        cells = np.array([[rng.binomial(n[0], rate), n[0], rng.binomial(n[1], rate), n[1]] for _ in "ab"], dtype=float)
        low, high = common_difference(cells, 0.95)[1]
        held += low <= 0 <= high
    # Of 400 intervals that hold with a chance of .95, 364 or more do, in 99.95 % of such runs (binomial).
    assert held >= 364, held
