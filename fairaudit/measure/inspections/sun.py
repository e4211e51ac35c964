"""How high the sun stands, in closed form."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SUNSET = -0.833
"""Elevation of the sun's centre at sunset and sunrise, in degrees: half its disc and what the air bends."""

CIVIL_TWILIGHT = -6.0
"""Elevation at the end of civil twilight in the evening, and at its start in the morning."""

EPOCH_2000 = 10_957.5
"""Noon of 1 January 2000 in days since the start of 1970."""


def universal_days(day: pd.Series, minutes: Floats, zone: str) -> Floats:
    """Return days since 1970 in universal time of moments by the clock of a zone."""
    moment = pd.to_datetime(day).dt.normalize() + pd.to_timedelta(minutes, unit="min")
    local = moment.dt.tz_localize(zone, ambiguous=np.zeros(len(moment), dtype=bool), nonexistent="shift_forward")
    return local.dt.tz_convert("UTC").dt.tz_localize(None).astype("datetime64[s]").astype("int64").to_numpy() / 86_400


def elevation(days: Floats, latitude: Floats, longitude: Floats) -> Floats:
    """Return the elevation of the sun's centre in degrees, without refraction.

    `days` are days since the start of 1970 in universal time, with fractions; longitudes are positive in the east.

    References
    ----------
    Meeus (1998), "Astronomical Algorithms", chapter 25 (low accuracy, 0.01 degrees); the calculator of the National
    Oceanic and Atmospheric Administration follows it.
    """
    century = (days - EPOCH_2000) / 36_525
    mean_longitude = np.radians(280.46646 + century * (36_000.76983 + century * 0.0003032))
    anomaly = np.radians(357.52911 + century * (35_999.05029 - century * 0.0001537))
    center = (
        (1.914602 - century * (0.004817 + century * 0.000014)) * np.sin(anomaly)
        + (0.019993 - century * 0.000101) * np.sin(2 * anomaly)
        + 0.000289 * np.sin(3 * anomaly)
    )
    node = np.radians(125.04 - 1934.136 * century)
    apparent = mean_longitude + np.radians(center - 0.00569 - 0.00478 * np.sin(node))
    tilt = np.radians(23.439291 - 0.0130042 * century + 0.00256 * np.cos(node))
    declination = np.arcsin(np.sin(tilt) * np.sin(apparent))
    right_ascension = np.arctan2(np.cos(tilt) * np.sin(apparent), np.cos(apparent))
    # Sidereal time at Greenwich, in degrees
    sidereal = 280.46061837 + 360.98564736629 * (days - EPOCH_2000)
    hour_angle = np.radians(sidereal + longitude) - right_ascension
    phi = np.radians(latitude)
    height = np.sin(phi) * np.sin(declination) + np.cos(phi) * np.cos(declination) * np.cos(hour_angle)
    return np.degrees(np.arcsin(np.clip(height, -1, 1)))
