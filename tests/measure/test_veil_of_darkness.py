"""The veil of darkness: sunsets that are published, a known odds ratio, and tables that do not fit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import special

from fairaudit import veil_of_darkness
from fairaudit.errors import GroupError, InputError
from fairaudit.measure.inspections.veil import SUNSET, elevation, spline

# Sunsets as almanacs print them, to the minute, in universal time.
SUNSETS = {
    "London, June": ("2024-06-20 20:21", 51.5074, -0.1278),
    "New York, December": ("2024-12-21 21:32", 40.7128, -74.0060),
    "Sydney, January": ("2024-01-01 09:09", -33.8688, 151.2093),
}


def drawn(n=4_000, *, ratio=1.0, seed=0) -> pd.DataFrame:
    """Draw stops of a year in New York; who is stopped depends on the hour, and on light by an odds ratio."""
    rng = np.random.default_rng(seed)
    day = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 365, n), unit="D")
    minute = rng.integers(16 * 60, 22 * 60, n)
    local = (day + pd.to_timedelta(minute, unit="min")).tz_localize("America/New_York").tz_convert("UTC")
    height = elevation(local.tz_localize(None).astype("int64") / 86_400e6, 40.7, -74.0)
    chance = special.expit(-0.5 + 0.002 * (minute - 1_100) + np.log(ratio) * (height > SUNSET))
    return pd.DataFrame(
        {
            "day": day,
            "time": [f"{m // 60:02d}:{m % 60:02d}" for m in minute],
            "hour": minute / 60,
            "race": np.where(rng.random(n) < chance, "b", "w"),
            "lat": 40.7,
            "lon": -74.0,
            "area": rng.choice(["north", "south"], n),
            "lit": height > SUNSET,
        }
    )


SUN = {"date": "day", "time": "time", "latitude": "lat", "longitude": "lon", "time_zone": "America/New_York"}


@pytest.mark.parametrize("where", SUNSETS)
def test_the_sun_stands_at_the_horizon_when_almanacs_say_it_sets(where):
    moment, latitude, longitude = SUNSETS[where]
    days = pd.Timestamp(moment).timestamp() / 86_400
    # The sun sinks by up to a fifth of a degree a minute.
    assert float(elevation(np.array(days), np.array(latitude), np.array(longitude))) == pytest.approx(SUNSET, abs=0.15)


def test_a_known_odds_ratio_is_found():
    found = veil_of_darkness(drawn(12_000, ratio=1.6, seed=1), group="race", reference="w", **SUN)
    [gap] = found.gaps
    assert gap.interval.low < 1.6 < gap.interval.high
    assert gap.verdict == "clear_gap" and gap.odds_ratio > 1
    assert (
        found.n_window
        == found.n_light + found.n_dark
        == sum((gap.n_light, gap.n_dark, gap.reference_light, gap.reference_dark))
    )
    assert found.n_twilight > 0


def test_without_time_and_place_it_is_the_odds_ratio_of_the_table():
    cells = [("a", True, 60), ("a", False, 40), ("b", True, 100), ("b", False, 130)]
    stops = pd.DataFrame([(g, lit, 19.0) for g, lit, n in cells for _ in range(n)], columns=["g", "lit", "hour"])
    [gap] = veil_of_darkness(stops, group="g = 'a'", light="lit", time="hour").gaps
    assert gap.odds_ratio == pytest.approx(60 * 130 / (40 * 100), rel=1e-5)
    error = np.sqrt(1 / 60 + 1 / 40 + 1 / 100 + 1 / 130)
    # Robust errors of a saturated model are the plain ones, up to n / (n - columns).
    assert np.log(gap.interval.high / gap.odds_ratio) == pytest.approx(1.96 * error, rel=0.01)
    assert (gap.share_light, gap.share_dark) == pytest.approx((60 / 160, 40 / 170))


def test_numbers_texts_and_moments_say_the_same_time():
    stops = drawn(1_500)
    moments = stops.assign(day=stops["day"] + pd.to_timedelta((stops["hour"] * 60).round().astype(int), unit="min"))
    by_text, by_number = (veil_of_darkness(stops, group="race", **(SUN | {"time": name})) for name in ("time", "hour"))
    by_moment = veil_of_darkness(moments, group="race", **(SUN | {"time": None}))
    assert by_text.gaps == by_number.gaps == by_moment.gaps


def test_places_are_held_equal_and_shown():
    found = veil_of_darkness(drawn(3_000), group="race", place="area", **SUN)
    assert sorted(found.by_place["place"]) == ["north", "south"]
    assert found.by_time[["n_light", "n_dark"]].to_numpy().sum() == found.n_window


def test_a_natural_spline_is_straight_beyond_its_outer_knots():
    values = np.concatenate([np.arange(0.0, 100.0), [200.0, 300.0, 400.0]])
    columns = spline(values, np.concatenate([np.ones(100), np.full(3, 1e-9)]))
    assert columns.shape[1] == 6
    assert np.abs(np.diff(columns[-3:], n=2, axis=0)).max() < 1e-6 * np.abs(columns).max()


BAD = {
    "hours without dates": ({"date": None}, InputError, "hours without dates"),
    "no light": ({"latitude": None}, InputError, "not known whether it was light"),
    "no zone": ({"time_zone": None}, InputError, "'time_zone' is needed"),
    "another zone": ({"time_zone": "America/New_Yrk"}, InputError, "no time zone"),
    "dates without times": ({"time": None}, InputError, "dates without times of day"),
    "no date": ({"date": "time"}, InputError, "must name a column of dates"),
    "both": ({"light": "lit"}, InputError, "not both"),
    "a far point": ({"latitude": 100.0}, InputError, "from -90 to 90"),
    "far points": ({"longitude": "far"}, InputError, "'longitude' must be from -180 to 180 degrees, and 'far' holds"),
    "a zone that is no text": ({"time_zone": 5}, InputError, "no time zone"),
    "a tolerance that is no number": ({"ratio_tolerance": "x"}, InputError, "'ratio_tolerance' must be a number"),
    "one group": ({"where": "race = 'b'"}, GroupError, "only the group 'b'"),
    "at noon alone": ({"where": "hour < 16.2"}, GroupError, "sometimes light and sometimes dark"),
    "a part of the day": ({"hours": "night"}, InputError, "'hours' must be one of"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_does_not_fit_is_one_clear_sentence_with_a_remedy(case):
    change, kind, text = BAD[case]
    with pytest.raises(kind, match=text):
        veil_of_darkness(drawn(800).assign(far=400.0), group="race", **(SUN | change))


def test_groups_that_light_keeps_wholly_apart_have_no_odds_ratio():
    # The later it is, the more light it takes to be of group b: a line parts both groups.
    cells = [(hour, lit) for hour in (18.0, 18.5, 19.0, 19.5, 20.0, 20.5) for lit in (True, False)]
    stops = pd.DataFrame(cells * 10, columns=["hour", "lit"])
    stops["race"] = np.where(stops["hour"] + 0.6 * stops["lit"] < 19.4, "a", "b")
    found = veil_of_darkness(stops, group="race", light="lit", time="hour")
    assert np.isnan(found.gaps[0].odds_ratio) and found.gaps[0].verdict == "too_few_to_tell"
    assert "has no odds ratio" in " ".join(found.warnings)


@pytest.mark.parametrize("lit", [True, False])
def test_light_or_darkness_alone_is_refused(lit):
    stops = drawn(800)
    with pytest.raises(GroupError, match="sometimes light"):
        veil_of_darkness(stops[stops["lit"] == lit], group="race", light="lit", time="hour")


def test_a_time_that_is_none_is_refused():
    stops = drawn(300)
    stops.loc[0, "time"] = "late"
    with pytest.raises(InputError, match="holds 1 other values"):
        veil_of_darkness(stops, group="race", **SUN)
