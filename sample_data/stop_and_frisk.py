"""Make the synthetic police stops: who was frisked, with the rates of a published table built in exactly."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import numpy as np

from fairaudit.columns import ReadOptions
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, NamesPlan, ReportPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, InspectionPlan, VeilPlan
from sample_data.draws import Draws, blank, effect, sigmoid

TITLE = "Police stops (synthetic)"
HALVES_TITLE = "Police stops, two halves of a year (synthetic)"
SEARCHES_TITLE = "Police stops, searches and what they found (synthetic)"
SEED = 2012
READING = ReadOptions()
VERB = {"unfavorable_verb": "were frisked"}
PEOPLE = {
    "race": {
        "Asian": "Asian people",
        "Black": "Black people",
        "Black Hispanic": "Black Hispanic people",
        "Other": "people of other races",
        "White": "white people",
        "White Hispanic": "white Hispanic people",
    },
}
OTHERS: dict[str, str] = {"people who are not white": "white people"}
SIMILAR = {"suspected_offence": "under the same suspicion"}
"""What the decision, the other group and strata are called in sentences."""

# (white, suspected of assault): rows and frisked; 0.456, 0.445, 0.588 and 0.520 exactly
CELLS = {
    (True, False): (1_000, 456),
    (True, True): (200, 89),
    (False, False): (9_000, 5_292),
    (False, True): (1_800, 936),
}
UNKNOWN_RACE = 120

RACES = {"Black": 0.60, "White Hispanic": 0.24, "Black Hispanic": 0.08, "Asian": 0.05, "Other": 0.03}
OFFENCES = {
    "robbery": 0.24,
    "weapon": 0.22,
    "trespass": 0.14,
    "burglary": 0.11,
    "larceny": 0.11,
    "drugs": 0.10,
    "vehicle theft": 0.05,
    "other": 0.03,
}
URGES = {"robbery": 1.3, "weapon": 2.0, "assault": 0.9, "trespass": -1.1, "larceny": -0.7, "drugs": -0.3}
BOROUGHS = {"Brooklyn": 0.33, "Bronx": 0.20, "Manhattan": 0.21, "Queens": 0.21, "Staten Island": 0.05}
PRECINCTS = {"Brooklyn": 60, "Bronx": 40, "Manhattan": 1, "Queens": 100, "Staten Island": 120}
MIDDLES = {
    "Brooklyn": (40.65, -73.95),
    "Bronx": (40.85, -73.87),
    "Manhattan": (40.78, -73.97),
    "Queens": (40.73, -73.80),
    "Staten Island": (40.58, -74.15),
}
PLACES = {"street": 0.76, "housing": 0.15, "transit": 0.09}


@dataclass(frozen=True)
class Risk:
    """How likely it is that somebody carries contraband, and how likely that must be before a bag is searched.

    A sign of it has the standard normal distribution among those who carry nothing, and is larger by `distance` among
    the `share` who do. Whoever has so strong a sign that the chance of a find reaches `threshold` is searched.
    """

    threshold: float
    share: float
    distance: float


RISKS = {
    "White": Risk(0.30, 0.16, 0.72),
    "Asian": Risk(0.30, 0.16, 0.72),
    "Other": Risk(0.30, 0.16, 0.72),
    "Black": Risk(0.10, 0.10, 2.28),
    "White Hispanic": Risk(0.15, 0.12, 1.84),
    "Black Hispanic": Risk(0.15, 0.12, 1.84),
}
HITS = 0.45
"""The share of searches in which something is found, in each group."""


def columns() -> dict[str, list[object]]:
    """Return the columns of the table, shuffled rows."""
    draws = Draws(SEED)
    white = np.repeat([cell[0] for cell in CELLS], [n for n, _ in CELLS.values()])
    assault = np.repeat([cell[1] for cell in CELLS], [n for n, _ in CELLS.values()])
    known = len(white)
    n = known + UNKNOWN_RACE
    white = np.concatenate([white, draws.flag(0.1, UNKNOWN_RACE)])
    assault = np.concatenate([assault, draws.flag(1 / 6, UNKNOWN_RACE)])

    race = np.where(white, "White", draws.pick(RACES, n))
    offence = np.where(assault, "assault", draws.pick(OFFENCES, n))
    sex = draws.pick({"male": 0.92, "female": 0.08}, n)
    age = np.minimum(14 + np.floor(np.exp(draws.normal(n, 2.35, 0.75))), 84).astype(int)
    borough = draws.pick(BOROUGHS, n)
    place = draws.pick(PLACES, n)
    minute = np.floor(np.mod(draws.normal(n, 20.5, 4.5), 24) * 60).astype(int)
    night = (minute >= 20 * 60) | (minute < 4 * 60)
    furtive = draws.flag(np.where(night, 0.55, 0.40), n)
    bulge = draws.flag(np.where(offence == "weapon", 0.35, 0.06), n)
    described = draws.flag(np.where(assault, 0.40, 0.17), n)
    observed = np.maximum(1, np.floor(np.exp(draws.normal(n, 0.6, 0.9)))).astype(int)
    day = np.floor(draws.uniform(n, 0, 366)).astype(int)

    urge = (
        effect(offence, URGES)
        + effect(borough, {"Bronx": 0.5, "Staten Island": -0.4})
        + effect(race, {"Black": 0.25, "Black Hispanic": 0.2, "Asian": -0.5})
        + effect(place, {"transit": -0.6})
        + 1.0 * furtive
        + 2.5 * bulge
        + 0.5 * described
        + 0.35 * night
        + 0.8 * (sex == "male")
        - 0.03 * (age - 28)
        + draws.logistic(n)
    )
    frisked = _frisk(urge, white, assault, known)
    searched = draws.flag(np.where(frisked, 0.14, 0.02), n)
    force = draws.flag(np.where(frisked, 0.24, 0.06), n)
    weapon = draws.flag(np.where(bulge & frisked, 0.06, np.where(frisked, 0.01, 0.002)), n)
    arrested = draws.flag(np.where(weapon, 0.8, np.where(searched, 0.30, 0.05)), n)

    start = datetime.date(2012, 1, 1)
    table: dict[str, list[object]] = {
        "stop_number": [],
        "date": [(start + datetime.timedelta(days=int(d))).isoformat() for d in day],
        "time": [f"{m // 60:02d}:{m % 60:02d}" for m in minute],
        "borough": list(borough),
        "precinct": [PRECINCTS[b] + int(k) for b, k in zip(borough, draws.uniform(n, 0, 18), strict=True)],
        "place": list(place),
        "suspected_offence": list(offence),
        "assault": _yes_no(assault),
        "race": blank(race, np.arange(n) >= known),
        "sex": blank(sex, draws.flag(0.004, n)),
        "age": blank(age.tolist(), draws.flag(0.003, n), "999"),
        "minutes_observed": observed.tolist(),
        "furtive_movement": _yes_no(furtive),
        "bulge_seen": _yes_no(bulge),
        "fits_description": _yes_no(described),
        "frisked": _yes_no(frisked),
        "searched": _yes_no(searched),
        "force_used": _yes_no(force),
        "weapon_found": _yes_no(weapon),
        "arrested": _yes_no(arrested),
    }
    order = draws.order(n)
    # After all other draws, so that these are what they were before searches of bags were added.
    latitude, longitude = np.array([MIDDLES[name] for name in borough]).T
    table |= {
        "latitude": np.round(latitude + draws.normal(n, 0, 0.02), 3).tolist(),
        "longitude": np.round(longitude + draws.normal(n, 0, 0.02), 3).tolist(),
    }
    district = np.array(
        [f"{b} {1 + int(p - PRECINCTS[b]) // 6}" for b, p in zip(borough, table["precinct"], strict=True)]
    )
    bag_searched, contraband = _search(draws, race, district)
    table |= {
        "district": list(district),
        "bag_searched": _yes_no(bag_searched),
        "contraband_found": _yes_no(contraband),
    }
    order = order[np.argsort([table["date"][i] for i in order], kind="stable")]
    shuffled = {name: [values[i] for i in order] for name, values in table.items() if values}
    return {"stop_number": list(range(1, n + 1))} | shuffled


def plan(data: DataPlan) -> AuditPlan:
    """Return the ready audit of these stops."""
    shared = {"protected": "race <> 'White'", "protected_name": "people who are not white"}
    return AuditPlan(
        data=data,
        decision=OutcomePlan(column="frisked", favorable=("N",), meaning="not frisked", is_outcome=False),
        protected_columns=("race", "sex", "age"),
        checks=(
            CheckPlan(
                title="Stops for anything but assault",
                where="assault = 'N'",
                strata=("suspected_offence",),
                compare=(("race",), ("race", "sex")),
                **shared,
            ),
            CheckPlan(title="Stops for suspected assault", where="assault = 'Y'", compare=(("race",),), **shared),
        ),
        report=ReportPlan(
            title="Who is frisked when stopped?",
            purpose="Example on synthetic data: are people stopped for the same kind of offence frisked alike?",
        ),
    )


def _frisk(urge: np.ndarray, white: np.ndarray, assault: np.ndarray, known: int) -> np.ndarray:
    """Frisk the rows with the strongest urge, in each cell exactly as many as `CELLS` says."""
    frisked = urge > 1.0
    index = np.arange(len(urge))
    for (is_white, is_assault), (_, positives) in CELLS.items():
        cell = index[(index < known) & (white == is_white) & (assault == is_assault)]
        ranked = cell[np.argsort(-urge[cell], kind="stable")]
        frisked[ranked] = np.arange(len(ranked)) < positives
    return frisked


def _search(draws: Draws, race: np.ndarray, district: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Search each bag whose sign makes a find likely enough; find something in the same share of each group's searches.

    Districts differ in how many carry something, and in how far signs tell that; both add to what the group has.
    """
    names, place = np.unique(district, return_inverse=True)
    more, further = draws.normal(len(names), 0, 0.6)[place], draws.normal(len(names), 0, 0.15)[place]
    carries, sign, chance = draws.uniform(len(race)), draws.normal(len(race)), draws.uniform(len(race))
    searched, found = np.zeros(len(race), dtype=bool), np.zeros(len(race), dtype=bool)
    for group, risk in RISKS.items():
        here = race == group
        log_odds = np.log(risk.share / (1 - risk.share)) + more
        distance = risk.distance * np.exp(further)
        seen = sign + distance * (carries < sigmoid(log_odds))
        likely = sigmoid(log_odds + distance * seen - distance**2 / 2)
        inside = np.flatnonzero(here & (likely >= risk.threshold))
        searched[inside] = True
        # The more likely a find, the sooner; as many in all as there shall be.
        first = inside[np.argsort(chance[inside] / likely[inside], kind="stable")]
        found[first[: round(HITS * len(inside))]] = True
    return searched, found


def _yes_no(flags: np.ndarray) -> list[object]:
    return ["Y" if flag else "N" for flag in flags]


def halves_plan(data: DataPlan) -> AuditPlan:
    """Return an audit of the same stops that asks whether the gap changed from one half of the year to the other."""
    shared = {
        "where": "assault = 'N'",
        "protected": "race <> 'White'",
        "protected_name": "people who are not white",
        "others_name": "white people",
    }
    decision = OutcomePlan(
        column="frisked",
        favorable=("N",),
        meaning="not frisked",
        unfavorable_verb="were frisked",
        is_outcome=False,
    )
    return AuditPlan(
        data=data,
        decision=decision,
        protected_columns=("race",),
        checks=(CheckPlan(title="Stops for anything but assault", **shared),),
        changes=(
            ChangePlan(column="date", cuts=("2012-07-01",), strata=("suspected_offence",), **shared),
            ChangePlan(column="date", cuts=("2012-04-01", "2012-07-01", "2012-10-01"), **shared),
        ),
        report=ReportPlan(
            title="Did the gap in frisks change?",
            purpose="Example on synthetic data: two halves of a year, and its four quarters.",
        ),
    )


def searches_plan(data: DataPlan) -> AuditPlan:
    """Return an audit of the searches of bags in these stops: what they found, and how likely a find had to be."""
    return AuditPlan(
        data=data,
        decision=OutcomePlan(
            column="bag_searched",
            favorable=("N",),
            meaning="bag not searched",
            unfavorable_verb="had their bags searched",
            is_outcome=False,
        ),
        names=NamesPlan(groups=PEOPLE),
        protected_columns=("race",),
        checks=(
            CheckPlan(
                title="Whose bag is searched?",
                protected="race <> 'White'",
                protected_name="people who are not white",
                compare=(("race",),),
            ),
        ),
        inspections=(
            InspectionPlan(
                acted="bag_searched = 'Y'",
                found="contraband_found = 'Y'",
                group=("race",),
                reference=("White",),
                strata=("district",),
                location=("district",),
                veil=VeilPlan(
                    date="date",
                    time="time",
                    latitude="latitude",
                    longitude="longitude",
                    time_zone="America/New_York",
                    place="borough",
                ),
            ),
        ),
        report=ReportPlan(
            title="Whose bag is searched, and what is found?",
            purpose="Example on synthetic data: searches find something equally often in each group, but do not "
            "begin where a find is equally likely.",
        ),
    )
