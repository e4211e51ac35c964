"""The veil of darkness: whether a group is stopped more where it can be seen."""

from __future__ import annotations

import math
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
import pandas as pd
from scipy import special

from fairaudit.columns import DAY_KINDS
from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases
from fairaudit.data.given import SaidCounts, SaidLabels, documented
from fairaudit.data.table import Table
from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE
from fairaudit.errors import GroupError, InputError, near_names, quote
from fairaudit.findings import Message, Phrase
from fairaudit.measure.comparison import check_settings, is_number, said_rows
from fairaudit.measure.comparison import rows as rows_text
from fairaudit.measure.controlled import no_rows
from fairaudit.measure.explain.rows import logistic, variance_of
from fairaudit.measure.grouping import check_group_count, place_of
from fairaudit.measure.inspections.looks import levels, read_groups, refuse_open_groups
from fairaudit.measure.inspections.results import Hours, VeilGap, VeilOfDarkness
from fairaudit.measure.intervals import Floats, holm, two_sided_z
from fairaudit.measure.not_known import refuse_open_values
from fairaudit.measure.results import Interval
from fairaudit.measure.verdicts import Side, Verdict, verdict_by
from fairaudit.measure.verdicts_of_many import readings_by_holm
from fairaudit.messages import say

# How high the sun stands, in closed form.

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


KNOTS = 7
"""The spline of the time of day has so many knots, so six columns."""

SLOT = 5
"""Hours that are both light and dark are found to so many minutes."""

EVERY = 5
"""The sun of every fifth day of a year says which hours these are."""

MOST_PLACES = 300
LARGEST_LOG = 15.0
"""A larger logarithm of an odds ratio is none: light and darkness, at their hours, keep the groups wholly apart."""

MINUTES = 24 * 60
DEGREES = {"latitude": 90, "longitude": 180}
"""As far as they go, either way."""


@documented()
def veil_of_darkness(
    table: object,
    *,
    group: Condition | str | Sequence[str],
    date: str | None = None,
    time: str | None = None,
    latitude: str | float | None = None,
    longitude: str | float | None = None,
    time_zone: str | None = None,
    light: Condition | str | None = None,
    place: str | None = None,
    confidence: float = USUAL_CONFIDENCE,
    where: Condition | str | None = None,
    reference: object = None,
    hours: Hours = "evening",
    ratio_tolerance: float = 1.1,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> VeilOfDarkness:
    """Compare who is stopped in light and in darkness at hours that are both over the year.

    ``logit P(group) = ratio of light + spline(time of day) + place``, for each group against the reference. In the dark
    it is harder to see who drives. A ratio above 1 fits stops that depend on what is seen; it also fits groups that
    drive at other hours in summer than in winter, and streets that are lit at night hide a dependence. It says nothing
    of why, or of what follows a stop: for searches use :func:`fairaudit.threshold_test`.

    Parameters
    ----------
    table : Table, path, or frame of pandas, polars, Arrow or DuckDB
        One row a stop.
    group : Condition, str or sequence of str
        The columns whose values make the groups, or a condition that makes two.
    date : str, optional
        The column of dates, or of dates with times. Without `light` it is needed.
    time : str, optional
        The column of times of day: text such as ``"19:45"``, or hours as numbers (19.75). Without it, the time is that
        of `date`.
    latitude, longitude : str or float, optional
        Columns of coordinates in degrees (north and east are positive), or one number for all rows.
    time_zone : str, optional
        The zone of the clock, such as ``"America/Chicago"``; needed with coordinates.
    light : Condition or str, optional
        A condition, or a column of booleans, that says whether it was light, instead of coordinates.
    place : str, optional
        A column of places, which are held equal.
    reference : value or list of values, optional
        The group that the others are compared with; without it, the rest of a condition, or the group with most stops.
    hours : {"evening", "morning", "both"}
        Whether the hours around dusk, around dawn, or both are used.
    ratio_tolerance : float
        The largest odds ratio that still counts as alike, as is 1 divided by it.

    Returns
    -------
    VeilOfDarkness
        ``gaps`` with the odds ratio of each group, by place and by time of day, and how many stops were used.

    Raises
    ------
    InputError
        If a column, condition or setting does not fit, there are hours without dates, or no light and no coordinates.
    GroupError
        If no stop is at hours that are both, there is no stop in light or in darkness, or only one group.

    Notes
    -----
    It is light until sunset, and dark from the end of civil twilight on (the sun 6 degrees below the horizon); stops
    between are left out. The sun's position is exact to about 0.01 degrees. With `light`, the hours are those from the
    first stop in darkness to the last in light (for the morning the other way round). Errors are robust; evidence and
    p-values hold for all groups together, by Holm's method. One query; time grows with the different combinations of
    date, time, place and group.

    References
    ----------
    Grogger and Ridgeway (2006), "Testing for racial profiling in traffic stops from behind a veil of darkness"; Meeus
    (1998), "Astronomical Algorithms", chapter 25.

    Examples
    --------
    >>> cells = [("a", 1, 60), ("a", 0, 40), ("b", 1, 100), ("b", 0, 100)]
    >>> stops = pd.DataFrame([(g, bool(lit), 19.0) for g, lit, n in cells for _ in range(n)],
    ...                      columns=["group", "lit", "hour"])
    >>> found = veil_of_darkness(stops, group="group", light="lit", time="hour")
    >>> [(gap.name, round(gap.odds_ratio, 2), gap.verdict) for gap in found.gaps]
    [('a', 1.5, 'too_few_to_tell')]
    """
    check_settings(0.0, confidence)
    if hours not in get_args(Hours):
        raise InputError(f"'hours' must be one of {', '.join(map(repr, get_args(Hours)))}, got {hours!r}.")
    if not (is_number(ratio_tolerance) and ratio_tolerance >= 1):
        raise InputError(f"'ratio_tolerance' must be a number of at least 1, got {ratio_tolerance!r}.")
    table = as_cases(table, counts=counts, labels=labels)
    columns = _Columns.read(table, date, time, latitude, longitude, time_zone, light, place)
    stops, groups, n_rows, condition = _read(table, group, columns, where)
    asked = read_groups(table, group)
    sizes = stops.groupby("group")["n"].sum()
    refuse_open_groups(table, asked, (int(sizes.get(0, 0)), int(sizes.get(1, 0))), table.condition(where))
    refuse_open_values(table, columns.names, where=table.condition(where))
    base = _reference(stops, groups, reference, is_condition=asked.is_condition)
    window = _window(stops, columns, hours)
    n_twilight = int(stops.loc[window & stops["light"].isna(), "n"].sum())
    used = stops[window & stops["light"].notna()].reset_index(drop=True)
    used = used.assign(light=used["light"].astype(bool))
    _check_window(used, groups, hours)
    others = [i for i in range(len(groups)) if i != base and (used["group"] == i).any()]
    fits = [_fit(used[used["group"].isin([i, base])], i) for i in others]
    adjusted = holm([each.p_value for each in fits])
    sides = readings_by_holm(
        lambda level: [_side_at(fit, level, ratio_tolerance) for fit in fits], len(fits), confidence
    )
    gaps = tuple(
        _gap(used, groups, i, base, fit, float(p_value), verdict_by(side, likely=p_value < 1 - confidence), confidence)
        for i, fit, p_value, side in zip(others, fits, adjusted, sides, strict=True)
    )
    totals = used.groupby("light")["n"].sum()
    return VeilOfDarkness(
        group=asked.columns,
        date=date,
        time=time,
        light=columns.light_text,
        time_zone=time_zone,
        place=place,
        where=condition,
        hours=hours,
        ratio_tolerance=float(ratio_tolerance),
        confidence=confidence,
        reference=groups[base],
        gaps=gaps,
        by_place=_by_place(used, groups, others, base, confidence, place),
        by_time=_by_time(used, groups),
        n_rows=n_rows,
        n_unknown=n_rows - int(stops["n"].sum()),
        n_window=int(used["n"].sum()),
        n_twilight=n_twilight,
        n_light=int(totals.get(True, 0)),
        n_dark=int(totals.get(False, 0)),
        warnings=_warnings(used, groups, gaps, n_rows - int(stops["n"].sum())),
    )


@dataclass(frozen=True)
class _Columns:
    """Where date, time, light and place of a stop stand, checked against the table."""

    date: str | None
    time: str | None
    latitude: str | float | None
    longitude: str | float | None
    time_zone: str | None
    light: Condition | None
    place: str | None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of places and coordinates."""
        return tuple(name for name in (self.place, self.latitude, self.longitude) if isinstance(name, str))

    @property
    def light_text(self) -> str | None:
        """The condition of light as text."""
        return None if self.light is None else str(self.light)

    @classmethod
    def read(
        cls,
        table: Table,
        date: str | None,
        time: str | None,
        latitude: str | float | None,
        longitude: str | float | None,
        time_zone: str | None,
        light: Condition | str | None,
        place: str | None,
    ) -> _Columns:
        """Check what was given."""
        for name in (date, time, place, *(c for c in (latitude, longitude) if isinstance(c, str))):
            if name is not None:
                table.column(name)
        condition = None
        if light is not None:
            if isinstance(light, str) and light in table.columns and table.column(light).kind == "boolean":
                condition = Condition.equals(light, True, table.columns)
            else:
                condition = table.condition(light)
            if latitude is not None or longitude is not None:
                raise InputError("Give either 'light' or coordinates, not both.", hint="Leave one of them out.")
        elif latitude is None or longitude is None:
            raise InputError(
                "It is not known whether it was light: neither 'light' nor both 'latitude' and 'longitude' are given.",
                hint="Name the columns of coordinates, give one point for all rows, or name a column that says light.",
            )
        if date is None and light is None:
            raise InputError(
                "There are hours without dates: the hour alone does not say whether it was light.",
                hint="Name the column of dates with 'date'.",
            )
        if date is not None and table.column(date).kind not in DAY_KINDS:
            raise InputError(
                f"'date' must name a column of dates, but {quote(date)} holds {table.column(date).kind} values.",
                hint="Write dates as 2024-05-31 in the file.",
            )
        if time is None and (date is None or table.column(date).kind != "timestamp"):
            raise InputError(
                "The time of day is not known.",
                hint="Name its column with 'time', or a column of dates with times with 'date'.",
            )
        if light is None:
            _zone(time_zone)
        for name, value in (("latitude", latitude), ("longitude", longitude)):
            limit = DEGREES[name]
            if isinstance(value, str):
                if table.column(value).kind != "number":
                    raise InputError(f"{name!r} must name a column of numbers, but {quote(value)} holds none.")
            elif value is not None and not (is_number(value) and -limit <= value <= limit):
                raise InputError(f"{name!r} must be from -{limit} to {limit} degrees, got {value!r}.")
        return cls(date, time, latitude, longitude, time_zone, condition, place)


def _zone(name: str | None) -> zoneinfo.ZoneInfo:
    if name is None:
        raise InputError(
            "'time_zone' is needed with coordinates: the clock alone does not say where the sun stands.",
            hint="Write one such as 'America/Chicago' or 'Europe/Berlin'.",
        )
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError, TypeError) as error:
        raise InputError(
            f"There is no time zone {quote(name)}.", hint=near_names(str(name), sorted(zoneinfo.available_timezones()))
        ) from error


def _read(
    table: Table, group: Condition | str | Sequence[str], columns: _Columns, where: Condition | str | None
) -> tuple[pd.DataFrame, tuple[str, ...], int, str | None]:
    """Return known stops (group, minute, day, light, place, n), the groups, all rows and the filter."""
    groups = read_groups(table, group)
    condition = table.condition(where)
    by: dict[str, str | Condition] = {f"group {i}": term for i, term in enumerate(groups.terms)}
    wanted = {"date": columns.date, "time": columns.time, "light": columns.light, "place": columns.place}
    by |= {name: term for name, term in wanted.items() if term is not None}
    for name, term in (("latitude", columns.latitude), ("longitude", columns.longitude)):
        if isinstance(term, str):
            by[name] = term
    counted = table.counts(by, where=condition)
    n_rows = int(counted["n"].sum())
    if not n_rows:
        raise no_rows(table, condition)
    counted = counted.assign(minute=_minutes(counted, columns))
    for name, term in (("latitude", columns.latitude), ("longitude", columns.longitude)):
        if term is not None and not isinstance(term, str):
            counted[name] = float(term)
        elif term is not None and (counted[name].abs() > DEGREES[name]).any():
            raise InputError(
                f"{name!r} must be from -{DEGREES[name]} to {DEGREES[name]} degrees, and {quote(term)} holds others.",
                hint="Write unknown ones as empty cells, and coordinates in degrees.",
            )
    needed = [name for name in counted if name not in ("n", "light", "time")]
    known = counted[needed].notna().all(axis=1)
    if columns.light is not None:
        known &= counted["light"].notna()
    stops = counted[known].reset_index(drop=True)
    keys = [f"group {i}" for i in range(len(groups.terms))]
    level, codes = levels(stops[keys], descending=groups.is_condition)
    check_group_count(len(level), groups.columns)
    names = tuple(groups.names(level)) if len(level) else ()
    if len(names) < 2:
        there = f"only the group {quote(names[0])}" if names else "no group"
        text = f"{', '.join(map(quote, groups.columns))} has {there} among the stops with a known time and place."
        raise GroupError(text, uncounted=text, hint="Choose another column or a wider filter.")
    stops = stops.assign(group=codes, minute=stops["minute"].astype(int))
    if columns.light is None:
        stops = stops.assign(light=_light(stops, columns))
    if columns.place is None:
        stops = stops.assign(place="")
    if stops["place"].nunique() > MOST_PLACES:
        raise InputError(
            f"{quote(columns.place)} has {stops['place'].nunique():,} places; at most {MOST_PLACES} can be held equal.",
            hint="Take larger areas.",
        )
    return stops, names, n_rows, None if condition is None else str(condition)


def _minutes(counted: pd.DataFrame, columns: _Columns) -> pd.Series:
    """Return minutes since midnight by the clock; NaN where missing."""
    if columns.time is None:
        moment = pd.to_datetime(counted["date"])
        minutes = (moment.dt.hour * 60 + moment.dt.minute).astype(float)
        if minutes.nunique() < 2:
            raise InputError(
                f"The column {quote(columns.date)} holds dates without times of day.",
                hint="Name the column of times with 'time'.",
            )
        return minutes
    values = counted["time"]
    if pd.api.types.is_numeric_dtype(values):
        minutes = np.floor(values.astype(float) * 60)
    elif pd.api.types.is_datetime64_any_dtype(values):
        minutes = (values.dt.hour * 60 + values.dt.minute).astype(float)
    else:
        parts = values.astype("string").str.extract(r"^\s*(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*$")
        minutes = (parts[0].astype(float) * 60 + parts[1].astype(float)).where(parts[1].astype(float) < 60)
    bad = values.notna() & ~((minutes >= 0) & (minutes < MINUTES))
    if bad.any():
        raise InputError(
            f"'time' must hold times of day, but {quote(columns.time)} holds {int(bad.sum()):,} other values.",
            hint="Write 19:45, or hours as numbers from 0 to below 24 (19.75).",
        )
    return minutes.astype(float)


def _light(stops: pd.DataFrame, columns: _Columns) -> pd.Series:
    """Return whether it was light; unknown in twilight."""
    places = (stops[name].astype(float).to_numpy() for name in ("latitude", "longitude"))
    height = elevation(universal_days(stops["date"], stops["minute"].to_numpy(float), columns.time_zone or ""), *places)
    light = pd.Series(pd.NA, index=stops.index, dtype="boolean")
    light[height > SUNSET] = True
    light[height < CIVIL_TWILIGHT] = False
    return light


def _window(stops: pd.DataFrame, columns: _Columns, hours: Hours) -> pd.Series:
    """Say which stops are at hours that are sometimes light and sometimes dark."""
    late = stops["minute"] >= MINUTES / 2
    wanted = {"evening": late, "morning": ~late, "both": late | ~late}[hours]
    if columns.light is not None:
        return wanted & _between(stops, late)
    inside = pd.Series(False, index=stops.index)
    # A tenth of a degree is less than half a minute of the sun's way.
    spots = stops[["latitude", "longitude"]].astype(float).round(1)
    year = int(pd.to_datetime(stops["date"]).dt.year.min())
    days = pd.Series(pd.date_range(f"{year}-01-01", periods=365 // EVERY, freq=f"{EVERY}D"))
    slots = np.arange(0, MINUTES, SLOT)
    grid = pd.DataFrame({"day": np.repeat(days, len(slots)), "minute": np.tile(slots, len(days))})
    moments = universal_days(
        grid["day"].reset_index(drop=True), grid["minute"].to_numpy(float), columns.time_zone or ""
    )
    for (latitude, longitude), rows in spots.groupby(["latitude", "longitude"]).groups.items():
        height = elevation(moments, latitude, longitude).reshape(len(days), len(slots))
        both = np.any(height > SUNSET, axis=0) & np.any(height < CIVIL_TWILIGHT, axis=0)
        inside.loc[rows] = both[stops.loc[rows, "minute"].to_numpy() // SLOT]
    return wanted & inside


def _between(stops: pd.DataFrame, late: pd.Series) -> pd.Series:
    """Say which stops are from the first in darkness to the last in light (in the morning the other way round)."""
    inside = pd.Series(False, index=stops.index)
    lit = stops["light"].fillna(False).astype(bool)
    for half, first, last in ((late, ~lit, lit), (~late, lit, ~lit)):
        starts, ends = stops.loc[half & first, "minute"], stops.loc[half & last, "minute"]
        if len(starts) and len(ends):
            inside |= half & stops["minute"].between(starts.min(), ends.max())
    return inside


def _reference(stops: pd.DataFrame, groups: tuple[str, ...], reference: object, *, is_condition: bool) -> int:
    if reference is None:
        return 1 if is_condition else int(stops.groupby("group")["n"].sum().to_numpy().argmax())
    return place_of(reference, groups, "stops")


def _check_window(used: pd.DataFrame, groups: tuple[str, ...], hours: Hours) -> None:
    if not len(used):
        text = "No stop is at an hour that is sometimes light and sometimes dark"
        hint = "Look at the mornings, too (hours = both), and check date, time, zone and coordinates."
        raise GroupError(f"{text} ({hours}).", uncounted=f"{text}.", hint=hint)
    for wanted, word in ((True, "light"), (False, "darkness")):
        if not (used["light"] == wanted).any():
            n = int(used["n"].sum())
            raise GroupError(
                f"None of the {rows_text(n)} at hours that are both light and dark is in {word}.",
                uncounted=f"No stop at hours that are both light and dark is in {word}.",
                hint="Take stops of a whole year, or check what says light.",
            )
    if used["group"].nunique() < 2:
        only = groups[int(used["group"].iloc[0])]
        text = f"Only the group {quote(only)} has stops at hours that are both light and dark."
        raise GroupError(text, uncounted=text, hint="Take a longer time, or more places.")


@dataclass(frozen=True)
class _LogOdds:
    """The logarithm of an odds ratio, with its error."""

    value: float
    error: float

    @property
    def p_value(self) -> float:
        return float(2 * special.ndtr(-abs(self.value / self.error))) if self.error > 0 else math.nan

    def interval(self, confidence: float) -> Interval:
        half = two_sided_z(confidence) * self.error
        return Interval(math.exp(self.value - half), math.exp(self.value + half))


UNDEFINED = _LogOdds(math.nan, math.nan)


def _fit(stops: pd.DataFrame, group: int) -> _LogOdds:
    """Fit the logistic model of one group against the other."""
    # A place with one group, or with light or darkness alone, says nothing.
    by_place = stops.groupby("place")[["group", "light"]].transform("nunique")
    stops = stops[(by_place > 1).all(axis=1)]
    if not len(stops):
        return UNDEFINED
    cells = stops.groupby(["place", "minute", "light", "group"])["n"].sum().reset_index()
    n, y = cells["n"].to_numpy(float), (cells["group"] == group).to_numpy(float)
    lit = cells["light"].to_numpy(float)
    codes = pd.factorize(cells["place"])[0]
    dummies = (codes[:, None] == np.arange(1, codes.max() + 1)).astype(float)
    x = np.column_stack([np.ones(len(n)), lit, spline(cells["minute"].to_numpy(float), n), dummies])
    # Sides that a two-by-two table without one cell separates have no finite ratio.
    if any(not n[(lit == a) & (y == b)].sum() for a in (0, 1) for b in (0, 1)):
        return UNDEFINED
    fit = logistic(x, y, n)
    if abs(fit.coefficients[1]) > LARGEST_LOG:
        return UNDEFINED
    moves = (x @ fit.bread[1]) * fit.residuals
    return _LogOdds(float(fit.coefficients[1]), math.sqrt(variance_of(moves, n, None, x.shape[1])))


def spline(values: Floats, n: Floats) -> Floats:
    """Return the columns of a natural cubic spline without the constant; linear beyond the outer knots.

    Shapes: `values`, `n` (rows,); returns (rows, knots - 1), or fewer columns where there are few different values.

    References
    ----------
    Durrleman and Simon (1989), "Flexible regression models with cubic splines".
    """
    order = np.argsort(values, kind="stable")
    below = np.cumsum(n[order]) / n.sum()
    knots = np.unique(values[order][np.searchsorted(below, np.linspace(0.025, 0.975, KNOTS)).clip(max=len(n) - 1)])
    if len(knots) < 2:
        return np.empty((len(values), 0))
    scale = knots[-1] - knots[0]
    u, t = (values - knots[0]) / scale, (knots - knots[0]) / scale
    columns = [u]
    for k in t[:-2]:
        cubes = [np.maximum(u - each, 0) ** 3 for each in (k, t[-2], t[-1])]
        # A cubic from knot k on, made linear beyond the last two
        columns.append(cubes[0] - (cubes[1] * (t[-1] - k) - cubes[2] * (t[-2] - k)) / (t[-1] - t[-2]))
    return np.column_stack(columns)


def _gap(
    used: pd.DataFrame,
    groups: tuple[str, ...],
    group: int,
    base: int,
    fit: _LogOdds,
    adjusted: float,
    verdict: Verdict,
    confidence: float,
) -> VeilGap:
    counts = {
        (g, lit): int(used.loc[(used["group"] == g) & (used["light"] == lit), "n"].sum())
        for g in (group, base)
        for lit in (True, False)
    }
    shares = [
        counts[group, lit] / whole if (whole := counts[group, lit] + counts[base, lit]) else math.nan
        for lit in (True, False)
    ]
    return VeilGap(
        name=groups[group],
        n_light=counts[group, True],
        n_dark=counts[group, False],
        reference_light=counts[base, True],
        reference_dark=counts[base, False],
        share_light=shares[0],
        share_dark=shares[1],
        odds_ratio=math.exp(fit.value),
        interval=fit.interval(confidence),
        equivalence_interval=fit.interval(max(2 * confidence - 1, 0.0)),
        p_value=fit.p_value,
        adjusted_p_value=adjusted,
        verdict=verdict,
    )


def _side_at(fit: _LogOdds, confidence: float, tolerance: float) -> Side:
    low, high = fit.interval(max(2 * confidence - 1, 0.0))
    if 1 / tolerance <= low and high <= tolerance:
        return "within"
    low, high = fit.interval(confidence)
    return "beyond" if low > tolerance or high < 1 / tolerance else "open"


def _by_place(
    used: pd.DataFrame, groups: tuple[str, ...], others: Sequence[int], base: int, confidence: float, place: str | None
) -> pd.DataFrame:
    names = ["place", "group", "n_light", "n_dark", "odds_ratio", "low", "high"]
    records = []
    for key, stops in used.groupby("place") if place is not None else ():
        for i in others:
            both = stops[stops["group"].isin([i, base])]
            counts = [int(both.loc[both["light"] == lit, "n"].sum()) for lit in (True, False)]
            if min(counts) < ENOUGH or both["group"].nunique() < 2:
                continue
            fit = _fit(both, i)
            records.append((str(key), groups[i], *counts, math.exp(fit.value), *fit.interval(confidence)))
    return pd.DataFrame.from_records(records, columns=names)


def _by_time(used: pd.DataFrame, groups: tuple[str, ...]) -> pd.DataFrame:
    cells = used.assign(
        hour=used["minute"] // 30 / 2,
        n_light=used["n"].where(used["light"], 0),
        n_dark=used["n"].where(~used["light"], 0),
    )
    cells = cells.groupby(["hour", "group"])[["n_light", "n_dark"]].sum().reset_index()
    whole = cells.groupby("hour")[["n_light", "n_dark"]].transform("sum")
    shares = cells[["n_light", "n_dark"]] / whole.where(whole > 0)
    return pd.DataFrame(
        {
            "hour": cells["hour"],
            "group": [groups[i] for i in cells["group"]],
            "n_light": cells["n_light"].astype(int),
            "n_dark": cells["n_dark"].astype(int),
            "share_light": shares["n_light"].astype(float),
            "share_dark": shares["n_dark"].astype(float),
        }
    )


def _warnings(used: pd.DataFrame, groups: Sequence[str], gaps: Sequence[VeilGap], n_unknown: int) -> tuple[str, ...]:
    said = []
    totals = used.groupby("group")["n"].sum()
    for i, name in enumerate(groups):
        n = int(totals.get(i, 0))
        if n < ENOUGH:
            key = "doubt-veil-few" if n else "doubt-veil-none"
            said.append(Message(key, {"group": Phrase(quote(name)), "rows": said_rows(n)}))
    unknown = [gap.name for gap in gaps if gap.odds_ratio != gap.odds_ratio]
    said += [Message("doubt-veil-odds", {"group": Phrase(quote(name))}) for name in unknown]
    if n_unknown:
        said.append(Message("doubt-veil-unknown", {"rows": said_rows(n_unknown)}))
    return tuple(map(say, said))
