"""Decisions in levels: numbers of other libraries, two levels are the check of shares, and bad input is said."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import StratifiedTable
from statsmodels.stats.nonparametric import rank_compare_2indep

from fairaudit import check_controlled_fairness, check_levels, check_strata
from fairaudit.errors import GroupError, InputError
from fairaudit.measure.level_tests import association, relative_effect, score_test
from fairaudit.measure.levels import MOST_LEVELS

GRADES = ["A", "B", "C", "D"]


def made(own, other, levels=GRADES, **columns) -> pd.DataFrame:
    """Return a row a person: women with the counts of `own` by level, men with those of `other`."""
    people = [
        (sex, level)
        for sex, n in (("F", own), ("M", other))
        for level, k in zip(levels, n, strict=True)
        for _ in range(k)
    ]
    return pd.DataFrame(people, columns=["sex", "grade"]).assign(**columns)


def checked(table, **asked):
    """Ask about women."""
    asked = {"levels": GRADES, "ordered": True} | asked
    return check_levels(table, decision="grade", protected="sex = 'F'", **asked)


def drawn(seed: int, n_levels: int = 4, least: int = 5):
    """Return counts of both groups by level."""
    return np.random.default_rng(seed).integers(least, 40, size=(2, n_levels))


def ranked(counts):
    """Return a value a person, higher for better levels."""
    return np.repeat(np.arange(len(counts))[::-1], counts)


@pytest.mark.parametrize("seed", range(20))
def test_the_relative_effect_is_brunner_and_munzels(seed):
    x, y = drawn(seed)
    found = relative_effect([(x, y)])
    theirs = rank_compare_2indep(ranked(x), ranked(y))
    assert found.value == pytest.approx(theirs.prob1)
    assert found.interval(0.95) == pytest.approx(theirs.conf_int(alpha=0.05))
    assert found.p_value == pytest.approx(stats.brunnermunzel(ranked(x), ranked(y)).pvalue)


@pytest.mark.parametrize("seed", range(10))
def test_the_effect_is_the_share_of_pairs(seed):
    x, y = drawn(seed, least=0)
    pairs = [(a > b) + (a == b) / 2 for a, b in itertools.product(ranked(x), ranked(y))]
    assert relative_effect([(x, y)]).value == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("seed", range(10))
def test_the_test_of_ordered_levels_is_that_of_wilcoxon_mann_and_whitney(seed):
    x, y = drawn(seed, least=8)
    theirs = stats.mannwhitneyu(ranked(x), ranked(y), use_continuity=False, method="asymptotic")
    assert score_test([(x, y)]) == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("seed", range(10))
def test_the_test_of_shares_is_pearsons_and_over_strata_that_of_cochran_mantel_and_haenszel(seed):
    x, y = drawn(seed, least=8)
    n = x.sum() + y.sum()
    theirs = stats.chi2_contingency([x, y], correction=False)
    assert association([(x, y)])[:2] == pytest.approx((theirs.statistic * (n - 1) / n, 3))
    strata = [drawn(100 * seed + k, 2, least=8) for k in range(4)]
    two = StratifiedTable([each.T for each in strata]).test_null_odds(correction=False)
    assert association(strata) == pytest.approx((two.statistic, 1, two.pvalue))
    # with two levels, placed better and got the first are one
    assert score_test(strata) == pytest.approx(two.pvalue)


@pytest.mark.parametrize("seed", range(5))
def test_where_levels_are_rare_p_values_are_those_of_all_deals(seed):
    random = np.random.default_rng(seed)
    x, y = random.integers(0, 4, size=(2, 3)) + np.array([0, 0, 1])
    x, y = x[(x + y) > 0], y[(x + y) > 0]
    every = stats.random_table([x.sum(), y.sum()], x + y)
    whole, n = x + y, x.sum()
    tables = [np.array(own) for own in itertools.product(*(range(k + 1) for k in whole)) if sum(own) == n]
    chance = np.array([every.pmf(np.array([own, whole - own])) for own in tables])
    assert chance.sum() == pytest.approx(1)

    def exact(statistic):
        found = np.array([statistic(own) for own in tables])
        return chance[found >= statistic(x) - 1e-9].sum()

    expected = n * whole / whole.sum()
    middle = np.cumsum(whole) - (whole - 1) / 2
    shares = exact(lambda own: ((own - expected) ** 2 / whole).sum())
    placed = exact(lambda own: abs(own @ middle - expected @ middle))
    assert association([(x, y)])[2] == pytest.approx(shares, abs=0.02)
    assert score_test([(x, y)]) == pytest.approx(placed, abs=0.02)


@pytest.mark.parametrize("seed", range(5))
def test_two_ordered_levels_are_the_gap_between_shares(seed):
    own, other = drawn(seed, 2)
    table = made(own, other, ["A", "B"]).assign(area=lambda people: np.arange(len(people)) % 3)
    found = checked(table, levels=["A", "B"], strata="area")
    asked = {"decision": "grade", "favorable": "A", "protected": "sex = 'F'"}
    shares = check_controlled_fairness(table, **asked)
    assert found.answer.difference == pytest.approx(shares.difference)
    assert found.answer.levels[0].difference_interval == pytest.approx(shares.difference_interval)
    strata = check_strata(table, strata="area", **asked)
    assert found.within.together.difference == pytest.approx(strata.common_difference)
    assert found.within.together.levels[0].difference_interval == pytest.approx(strata.common_difference_interval)


def test_levels_are_read_by_holm_and_ordered_ones_from_the_best_on():
    own, other = (10, 30, 40, 20), (40, 30, 20, 10)
    ordered, plain = checked(made(own, other)), checked(made(own, other), ordered=False)
    assert [gap.difference for gap in ordered.answer.levels] == pytest.approx([-0.3, -0.3, -0.1])
    assert [gap.difference for gap in plain.answer.levels] == pytest.approx([-0.3, 0, 0.2, 0.1])
    assert math.isnan(plain.answer.effect) and plain.verdict == ordered.verdict == "clear_gap"
    p_values = [gap.p_adjusted for gap in plain.answer.levels]
    alone = [stats.norm.sf(abs(z)) * 2 for z in _z(own, other)]
    assert p_values == pytest.approx(_holm(alone))


def _z(own, other):
    for a, b in zip(own, other, strict=True):
        both = (a + b) / (sum(own) + sum(other))
        error = math.sqrt(both * (1 - both) * (1 / sum(own) + 1 / sum(other)))
        yield (a / sum(own) - b / sum(other)) / error


def _holm(p_values):
    from statsmodels.stats.multitest import multipletests

    return multipletests(p_values, method="holm")[1]


def test_a_gap_that_similar_cases_do_not_have_is_gone_among_them():
    # one office gives good grades and sees men, both the same to either
    parts = [((10, 5, 3, 2), (200, 100, 60, 40), "Harbour"), ((40, 60, 100, 200), (2, 3, 5, 10), "Hill")]
    table = pd.concat([made(own, other, office=office) for own, other, office in parts])
    found = checked(table, strata="office", by="office")
    assert found.verdict == "clear_gap"
    assert found.within.together.difference == pytest.approx(0, abs=0.02)
    assert found.within.together.verdict != "clear_gap" and len(found.within.strata) == 2
    [groups] = found.by_group
    assert [group.name for group in groups.groups] == ["Harbour", "Hill"]
    assert groups.groups[0].effect == pytest.approx(1 - groups.groups[1].effect)


def test_the_order_of_rows_and_the_names_of_levels_do_not_matter():
    table = made((10, 30, 40, 20), (40, 30, 20, 10))
    mixed = table.sample(frac=1, random_state=0)
    renamed = table.assign(grade=table["grade"].map(dict(zip(GRADES, [1, 2, 3, 4], strict=True))))
    first = checked(table)
    assert checked(mixed).answer == first.answer
    found = check_levels(renamed, decision="grade", protected="sex = 'F'", levels=[1, 2, 3, 4], ordered=True)
    assert found.answer.effect == first.answer.effect


def test_turning_the_order_about_turns_the_effect_about():
    table = made((10, 30, 40, 20), (40, 30, 20, 10))
    first, turned = checked(table).answer, checked(table, levels=GRADES[::-1]).answer
    assert turned.effect == pytest.approx(1 - first.effect) and turned.p_value == pytest.approx(first.p_value)
    assert turned.difference_interval == pytest.approx(
        (-first.difference_interval.high, -first.difference_interval.low)
    )


@pytest.mark.parametrize("ordered", [True, False])
def test_strata_that_never_hold_both_groups_are_left_out_and_say_nothing(ordered):
    people = pd.DataFrame({"sex": ["F", "M"] * 60, "grade": list("ABC") * 40})
    found = check_levels(
        people, decision="grade", protected="sex = 'F'", levels=list("ABC"), ordered=ordered, strata="sex"
    )
    assert found.within.together.verdict == "nothing_to_compare"
    assert found.within.left_out == ("F", "M") and not found.within.strata


def strata_at_the_tolerance(seed: int, levels: str, shares: Sequence[float], *, ordered: bool) -> list[str]:
    """Return the verdicts on 20 strata whose gap is the tolerance exactly: by 5 points fewer at the first level."""
    draw, moved = np.random.default_rng(seed), np.array(shares)
    moved[:2] += (-0.05, 0.05)
    rows = [
        (sex, area, level, n)
        for area in range(20)
        for sex, of in (("F", moved), ("M", shares))
        for level, n in zip(levels, draw.multinomial(2_000, of), strict=True)
    ]
    table = pd.DataFrame(rows, columns=["sex", "area", "grade", "n"])
    found = checked(table, levels=list(levels), ordered=ordered, strata="area", counts="n")
    return [row.verdict for row in found.within.strata]


@pytest.mark.thorough
@pytest.mark.parametrize(("levels", "shares", "ordered"), [("AB", (0.5, 0.5), True), ("ABC", (0.4, 0.3, 0.3), False)])
def test_among_strata_whose_gap_is_the_tolerance_few_families_say_otherwise(levels, shares, ordered):
    families = [strata_at_the_tolerance(seed, levels, shares, ordered=ordered) for seed in range(60)]
    assert np.mean(["clear_gap" in each for each in families]) <= 0.12
    assert np.mean(["no_gap_above_tolerance" in each for each in families]) <= 0.12
    assert "gap_size_unclear" in {verdict for each in families for verdict in each}


def test_one_level_of_all_is_nothing_to_compare():
    table = made((10, 0, 0, 0), (12, 0, 0, 0)).assign(kept="yes")
    table = pd.concat([table, made((1, 1, 1, 1), (1, 1, 1, 1)).assign(kept="no")])
    assert checked(table, where="kept = 'yes'").verdict == "nothing_to_compare"
    assert checked(table, where="kept = 'yes'", ordered=False).verdict == "nothing_to_compare"


def test_all_placed_better_has_an_interval_that_is_no_point():
    answer = checked(made((8, 0), (0, 8), ["A", "D"]), levels=["A", "D"]).answer
    assert answer.effect == 1 and answer.difference_interval.low < 0.95


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        (["A", "B", "A"], "The level 'A' is named twice"),
        (["A", "B", "C", "D", "E"], "The level 'E' does not occur"),
        (["A"], "needs at least two levels, got 1"),
        (["A", "B", "C"], "holds 'D', which is not among the levels"),
        ("ABCD", "'levels' must be a list"),
        (None, "must be named, the best first"),
    ],
)
def test_levels_that_do_not_fit_are_said_in_a_sentence(levels, said):
    with pytest.raises(InputError, match=said):
        checked(made((3, 3, 3, 3), (3, 3, 3, 3)), levels=levels)


def test_too_many_levels_and_a_group_without_any_are_said():
    levels = [f"L{number:02}" for number in range(MOST_LEVELS + 1)]
    many = made([2] * len(levels), [2] * len(levels), levels)
    with pytest.raises(InputError, match=f"at most {MOST_LEVELS} are compared"):
        check_levels(many, decision="grade", protected="sex = 'F'")
    table = made((3, 3, 3, 3), (3, 3, 3, 3))
    table.loc[table["sex"] == "F", "grade"] = None
    with pytest.raises(GroupError, match="0 rows with a level"):
        checked(table)


def test_missing_levels_and_groups_are_counted_and_left_out():
    table = made((3, 3, 3, 3), (3, 3, 3, 3))
    table.loc[[0, 12], "grade"] = None
    table.loc[[1], "sex"] = None
    found = checked(table)
    assert (found.sizes, found.undecided, found.unknown) == ((10, 11), 2, 1)
