"""Medians of times of which some are open, against an independent library and by hand."""

from __future__ import annotations

import datetime
import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from fairaudit.errors import GroupError, InputError
from fairaudit.measure.waiting import Waited, check_waiting, gap_interval, log_rank


def drawn(seed, n=300, *, slower=1.0, whole=True):
    """Return times and whether they are open: exponential times, of which those beyond another random time are open."""
    rng = np.random.default_rng(seed)
    times, until = rng.exponential(40 * slower, n), rng.uniform(1, 150, n)
    seen = np.minimum(times, until)
    return (np.ceil(seen) if whole else seen), times > until


def waited(times, is_open):
    return Waited.of(times, is_open, np.ones(len(times)))


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", range(30))
def test_median_its_interval_and_the_log_rank_test_are_those_of_statsmodels(seed, whole):
    (a, a_open), (b, b_open) = drawn(seed, whole=whole), drawn(seed + 1_000, 200, slower=1.5, whole=whole)
    for times, is_open in ((a, a_open), (b, b_open)):
        own = waited(times, is_open)
        theirs = sm.SurvfuncRight(times, (~is_open).astype(int))
        share, variance = own.still_waiting()
        closed = own.closed > 0
        np.testing.assert_allclose(share[closed], theirs.surv_prob, atol=1e-12)
        some = share[closed] > 0
        np.testing.assert_allclose(
            np.sqrt(variance[closed][some]) * share[closed][some], theirs.surv_prob_se[some], atol=1e-9
        )
        assert own.quantile(0.5) == theirs.quantile(0.5)
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = theirs.quantile_ci(0.5, method="cloglog")
        own_low, own_high = own.median_interval(0.95)
        assert (own_low, own_high) == (low, high)
    both = np.concatenate([a, b]), np.concatenate([~a_open, ~b_open]), np.repeat([0, 1], [len(a), len(b)])
    chi_squared, _ = sm.duration.survdiff(*both)
    assert log_rank(waited(a, a_open), waited(b, b_open)) ** 2 == pytest.approx(chi_squared)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(2, 60))])
def test_the_test_within_strata_is_that_of_statsmodels(seed):
    rng = np.random.default_rng(seed)
    n, office = 400, rng.integers(0, 4, 400)
    group = rng.random(n) < 0.2 + 0.2 * office
    times, until = np.ceil(rng.exponential(20 * (1 + office))), np.ceil(rng.uniform(1, 150, n))
    is_open, seen = times > until, np.minimum(times, until)
    frame = pd.DataFrame(
        {"group": np.where(group, "a", "b"), "office": office.astype(str), "days": seen, "open": is_open}
    )
    asked = {"decision": "days", "protected": "group = 'a'", "open_when": "open = TRUE"}
    found = check_waiting(frame, **asked, strata=("office",))
    chi_squared, p_value = sm.duration.survdiff(seen, ~is_open, frame["group"].to_numpy(), strata=office)
    assert found.log_rank_within**2 == pytest.approx(chi_squared) and found.p_value_within == pytest.approx(p_value)
    # Bands of a number are strata like others, one stratum is none, and groups turn.
    cut = check_waiting(frame.assign(office=office), **asked, strata=("office",), strata_cuts={"office": (1, 2, 3)})
    assert cut.log_rank_within == pytest.approx(found.log_rank_within)
    one = check_waiting(frame.assign(office="all"), **asked, strata=("office",))
    assert one.log_rank_within == pytest.approx(found.log_rank) and one.values == found.values
    other = check_waiting(frame, **asked | {"protected": "group = 'b'"}, strata=("office",))
    assert other.log_rank_within == pytest.approx(-found.log_rank_within)
    assert math.isnan(check_waiting(frame, **asked).log_rank_within)


def test_a_median_by_hand():
    # Closed after 2, 4, 6; open at 3, 5: shares 4/5, 4/5 x 2/3, then 0.
    own = waited(np.array([2.0, 3.0, 4.0, 5.0, 6.0]), np.array([False, True, False, True, False]))
    np.testing.assert_allclose(own.still_waiting()[0], [0.8, 0.8, 8 / 15, 8 / 15, 0.0])
    assert own.quantile(0.5) == 6 and own.quantile(0.6) == 4 and (own.n, own.n_open) == (5, 2)


def test_a_median_that_is_not_reached_is_not_defined_and_the_test_alone_decides():
    few, open_still = np.arange(1.0, 41.0), np.arange(1.0, 41.0) > 10
    quick = np.linspace(1, 12, 40)
    frame = pd.DataFrame(
        {
            "sex": ["F"] * 40 + ["M"] * 40,
            "days": np.concatenate([np.where(open_still, np.nan, few), quick]),
            "so_far": np.concatenate([few, quick]),
        }
    )
    found = check_waiting(frame, decision="days", protected="sex = 'F'", open_since="so_far")
    assert math.isnan(found.protected.median) and math.isnan(found.difference) and found.p_value < 0.001
    assert found.verdict == "gap_size_unclear"
    alike = frame.assign(days=np.tile(frame["days"][:40], 2), so_far=np.tile(frame["so_far"][:40], 2))
    same = check_waiting(alike, decision="days", protected="sex = 'F'", open_since="so_far")
    assert math.isnan(same.difference) and same.verdict == "too_few_to_tell"


@pytest.mark.parametrize("seed", range(5))
def test_the_interval_holds_the_true_difference_and_turns_with_the_groups(seed):
    held = 0
    for each in range(200):
        a, b = (
            waited(*drawn(1_000 * seed + place, 150, slower=s)) for place, s in ((2 * each, 1.5), (2 * each + 1, 1))
        )
        low, high = gap_interval(a, b, 0.95)
        held += low <= (60 - 40) * math.log(2) <= high
        assert gap_interval(b, a, 0.95) == pytest.approx((-high, -low))
    # Times are rounded up, so coverage is a little off 190 of 200.
    assert held >= 180


def made(n=400, seed=0):
    """Return cases of which some are pending, with the day on which they came in, and the last day observed."""
    rng = np.random.default_rng(seed)
    until = pd.Timestamp("2024-12-31")
    received = until - pd.to_timedelta(rng.integers(1, 365, n), unit="D")
    is_late = rng.random(n) < 0.5
    days = pd.Series(np.ceil(rng.exponential(np.where(is_late, 100, 40)))).clip(lower=1)
    decided = received + pd.to_timedelta(days, unit="D")
    is_open = decided > until
    return pd.DataFrame(
        {
            "origin": np.where(is_late, "late", "soon"),
            "received": received,
            "decided": decided.where(~is_open),
            "days_to_decision": days.where(~is_open),
            "status": np.where(is_open, "pending", "granted"),
        }
    ), until


def test_open_cases_count_with_the_days_since_they_came_in():
    frame, until = made()
    asked = {"decision": "days_to_decision", "protected": "origin = 'late'", "open_since": "received"}
    found = check_waiting(frame, **asked, open_until=until.date())
    is_open = frame["decided"].isna()
    times = frame["days_to_decision"].fillna((until - frame["received"]).dt.days.astype(float))
    for group, name in ((found.protected, "late"), (found.reference, "soon")):
        own = frame["origin"] == name
        assert group.median == sm.SurvfuncRight(times[own], ~is_open[own]).quantile(0.5)
        assert (group.n, group.n_open) == (own.sum(), (own & is_open).sum())
    closed = frame.groupby("origin")["days_to_decision"].median()
    assert found.difference > closed["late"] - closed["soon"] > 0 and found.verdict == "clear_gap"
    same = check_waiting(frame, **asked, open_when="status = 'pending'", open_until=until.date())
    assert same.values == found.values and same.p_value == found.p_value
    # The time so far in a column, or in that of the times, is the same as the days since.
    held = frame.assign(so_far=times)
    assert check_waiting(held, **asked | {"open_since": "so_far"}).values == found.values
    held["days_to_decision"] = times
    when = check_waiting(held, **asked | {"open_since": None}, open_when="status = 'pending'")
    assert when.values == found.values and when.protected.n_open == found.protected.n_open


@pytest.mark.parametrize(
    "asked",
    [
        {"open_since": "status"},
        {"open_since": "received", "open_until": datetime.date(2023, 1, 1)},
        {"open_until": datetime.date(2025, 1, 1)},
        {"decision": "status"},
    ],
    ids=["text", "before they began", "no day", "no number"],
)
def test_what_does_not_fit_is_refused(asked):
    with pytest.raises(InputError):
        check_waiting(made()[0], **{"decision": "days_to_decision", "protected": "origin = 'late'"} | asked)


def test_a_group_without_a_closed_case_is_refused():
    frame, _ = made()
    frame.loc[frame["origin"] == "late", ["decided", "days_to_decision"]] = [pd.NaT, np.nan]
    with pytest.raises(GroupError):
        check_waiting(frame, decision="days_to_decision", protected="origin = 'late'", open_since="received")
