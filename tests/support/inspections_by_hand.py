"""Answers about searches and inspections, written by hand: two groups, three places, light and darkness."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from fairaudit.audit.result import InspectionFinding
from fairaudit.data.given import as_table
from fairaudit.measure.inspections.results import Placebo, ThresholdChecks, ThresholdTest, VeilGap, VeilOfDarkness
from fairaudit.measure.results import Interval
from fairaudit.measure.verdicts import Verdict
from fairaudit.plan.questions import InspectionPlan, VeilPlan
from fairaudit.sections.searches.answering import finding_of, run_outcome

PLAN = InspectionPlan(
    acted="searched = 'Y'",
    found="found = 'Y'",
    group=("race",),
    reference=("White",),
    strata=("place",),
    location=("place",),
    n_placebo=20,
    veil=VeilPlan(light="light = 'Y'", time="hour"),
)
# (race, place): stops, searched, found
CELLS = {
    ("Black", "a"): (600, 120, 30),
    ("Black", "b"): (400, 90, 20),
    ("Black", "c"): (300, 60, 18),
    ("White", "a"): (700, 70, 28),
    ("White", "b"): (500, 60, 22),
    ("White", "c"): (400, 30, 12),
}


def stops() -> pd.DataFrame:
    """Return the stops, one row each; the first hours are light."""
    rows = []
    for (race, place), (n, searched, found) in CELLS.items():
        rows += [
            {
                "race": race,
                "place": place,
                "searched": "Y" if i < searched else "N",
                "found": "Y" if i < found else "N",
                "hour": 17 + (i % 6) / 2,
                "light": "Y" if i % 2 else "N",
            }
            for i in range(n)
        ]
    return pd.DataFrame(rows)


def thresholds(*, passed: bool = True, split: float = 1.01, verdict: str = "clear_gap") -> ThresholdTest:
    """Return thresholds of 10 % and 25 %, with the counts of :data:`CELLS`."""
    levels = {"Black": 0.10, "White": 0.25}
    frame = pd.DataFrame(
        {
            "group": race,
            "location": place,
            "threshold": levels[race] + shift,
            "low": levels[race] + shift - 0.04,
            "high": levels[race] + shift + 0.05,
            "n_stops": n,
            "n_searches": searched,
            "n_hits": found,
            "search_rate": searched / n,
            "hit_rate": found / searched,
            "fitted_search_rate": searched / n + 0.01,
            "fitted_hit_rate": found / searched - 0.02,
        }
        for shift, ((race, place), (n, searched, found)) in zip((-0.01, 0, 0.01) * 2, CELLS.items(), strict=True)
    )
    sums = frame.groupby("group")[["n_stops", "n_searches", "n_hits"]].sum().reset_index()
    aggregate = sums.assign(
        threshold=[0.10, 0.25],
        low=[0.08, 0.21],
        high=[0.12, 0.29],
        n_locations=3,
        search_rate=sums["n_searches"] / sums["n_stops"],
        hit_rate=sums["n_hits"] / sums["n_searches"],
    )
    gaps = pd.DataFrame(
        {
            "group": ["Black"],
            "difference": [-0.15],
            "low": [-0.19],
            "high": [-0.10],
            "equivalence_low": [-0.19],
            "equivalence_high": [-0.11],
            "chance_lower": [0.999],
            "verdict": [verdict],
            "n_locations": [3],
            "n_lower": [3],
            "n_clearly_lower": [2],
            "n_clearly_higher": [0],
        }
    )
    return ThresholdTest(
        group=("race",),
        location=("place",),
        stopped=None,
        searched="searched = 'Y'",
        found="found = 'Y'",
        form="rows",
        where=None,
        tolerance=0.05,
        confidence=0.95,
        random_state=0,
        n_draws=4000,
        signal="beta",
        base_rate=0.03,
        reference="White",
        thresholds=frame,
        aggregate=aggregate,
        gaps=gaps,
        checks=ThresholdChecks(0.004, 0.02, 1.0, 0.94, True, True, split, 900.0, passed, Placebo(20, 20, 1, 0.06)),
        n_locations=3,
        left_out=(),
        n_left_out=0,
        n_unknown=0,
        n_undecided=0,
        warnings=(),
    )


def veil(*, verdict: Verdict = "too_few_to_tell") -> VeilOfDarkness:
    """Return stops of which a little more in light are of one group."""
    hours = [17.0, 17.5, 18.0]
    by_time = pd.DataFrame(
        {"hour": hour, "group": "Black", "n_light": 90, "n_dark": 80, "share_light": 0.46, "share_dark": 0.44}
        for hour in hours
    )
    wide, narrow = Interval(0.87, 1.34), Interval(0.90, 1.29)
    gap = VeilGap("Black", 300, 270, 350, 340, 0.4615, 0.4426, 1.08, wide, narrow, 0.49, 0.49, verdict)
    return VeilOfDarkness(
        group=("race",),
        date=None,
        time="hour",
        light="light = 'Y'",
        time_zone=None,
        place=None,
        where=None,
        hours="evening",
        ratio_tolerance=1.1,
        confidence=0.95,
        reference="White",
        gaps=(gap,),
        by_place=pd.DataFrame(columns=["place", "group", "n_light", "n_dark", "odds_ratio", "low", "high"]),
        by_time=by_time,
        n_rows=2900,
        n_unknown=0,
        n_window=1260,
        n_twilight=0,
        n_light=650,
        n_dark=610,
        warnings=(),
    )


def finding(**thresholds_options) -> InspectionFinding:
    """Return the answer to :data:`PLAN`: hit rates as they are computed, the rest by hand."""
    table = as_table(stops())
    found = finding_of(table, None, PLAN, run_outcome(table, PLAN))
    return replace(found, thresholds=thresholds(**thresholds_options), veil=veil())
