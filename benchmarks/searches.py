"""The tests of searches: beside the published fit, and how often their intervals hold and a placebo shows something.

    python -m benchmarks.searches
    python -m benchmarks.searches --part coverage --repeats 100 --seed 0

published    thresholds of five states beside the fit behind figure 4b of Pierson and others (2017), in
             ../shared/data/police_searches_by_county.csv.gz; hit rates; processor seconds a state
coverage     data drawn from the model: base rates, spreads and thresholds are drawn, too
placebo      the same data with groups shuffled among the cases of each place
sensitivity  the five states by the other family of signals, and with half and twice the base rate
veil         stops whose odds ratio of light is known
alarms       hit rates of 4, 8 and 15 groups that are all alike: how often chip or sentence claim a difference
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special, stats

from benchmarks.common import markdown, say, setting
from fairaudit import outcome_test, threshold_test, veil_of_darkness
from fairaudit.data.given import as_table
from fairaudit.measure.inspections.model import (
    BASE_BY_GROUP,
    BASE_BY_PLACE,
    MEAN_CENTER,
    MEAN_SPREAD,
    SIGMA_SPREAD,
)
from fairaudit.measure.inspections.signals import SIGNALS
from fairaudit.measure.inspections.veil import SUNSET, elevation
from fairaudit.plan.questions import InspectionPlan
from fairaudit.sections.searches import read_searches, say_searches
from fairaudit.sections.searches.answering import finding_of
from fairaudit.sections.searches.reading import GAPS

POLICE = Path("../shared/data/police_searches_by_county.csv.gz")
COLUMNS = {"stopped": "num_stops", "searched": "num_searches", "found": "num_hits"}
ASKED = {"group": "driver_race", "location": "location_variable", "reference": "White drivers", **COLUMNS}
N_GROUPS, N_PLACES = 3, 10
RATIO = 1.4
HIT_RATE = 0.2
LOOKS = (1_000, 300)
"""Cases looked at in the reference and in each other group, where all are alike."""
"""Chips that claim no difference."""
PARTS = ("published", "coverage", "placebo", "sensitivity", "veil", "alarms")


def table(header: list[str], rows: list[list[object]]) -> None:
    """Write a table."""
    say(markdown(header, rows) + "\n")


def published(states: list[str], seed: int) -> None:
    """Print thresholds beside the published fit."""
    whole = pd.read_csv(POLICE)
    rows, all_pairs, together = [], [], []
    for state in states:
        data = whole[whole["state"] == state].reset_index(drop=True)
        start = time.process_time()
        test = threshold_test(data, random_state=seed, **ASKED)
        seconds = time.process_time() - start
        pairs = test.thresholds.rename(columns={"group": "driver_race", "location": "location_variable"}).merge(
            data[["driver_race", "location_variable", "inferred_threshold"]], on=["driver_race", "location_variable"]
        )
        weights = pairs.groupby("location_variable")["n_stops"].transform("sum")
        rank = stats.spearmanr(pairs["threshold"], pairs["inferred_threshold"]).statistic
        all_pairs.append(pairs)
        complete = pairs.groupby("location_variable")["n_stops"].transform("count") == len(test.aggregate)
        together.append(pairs.assign(weight=weights)[complete])
        for own in test.aggregate.itertuples():
            of = pairs["driver_race"] == own.group
            theirs = np.average(pairs.loc[of, "inferred_threshold"], weights=weights[of])
            rows.append(
                [
                    state,
                    own.group,
                    f"{100 * own.threshold:.1f} ({100 * own.low:.1f} to {100 * own.high:.1f})",
                    f"{100 * theirs:.1f}",
                    f"{100 * (own.threshold - theirs):+.1f}",
                    f"{rank:.3f}",
                    f"{seconds:.0f}",
                    f"{test.checks.worst_split:.2f}, {test.checks.effective_draws:.0f}",
                    f"{test.checks.hit_rates_within:.2f}",
                ]
            )
        table(
            [
                "state",
                "group",
                "ours, %",
                "published, %",
                "difference",
                "rank corr.",
                "CPU s",
                "R-hat, draws",
                "hits in",
            ],
            rows,
        )
    pairs, both = pd.concat(all_pairs), pd.concat(together)
    rank = stats.spearmanr(pairs["threshold"], pairs["inferred_threshold"]).statistic
    say(f"\nRank correlation over {len(pairs)} group-places of {len(states)} states: {rank:.4f}\n")
    rows = []
    for name, of in both.groupby("driver_race"):
        hits = outcome_test(whole, acted="num_searches", found="num_hits", group="driver_race").hit_rates
        [hit] = [each for each in hits if each.name == name]
        ours, theirs = (np.average(of[c], weights=of["weight"]) for c in ("threshold", "inferred_threshold"))
        rows.append([name, f"{100 * hit.hits.ratio:.1f}", f"{100 * ours:.1f}", f"{100 * theirs:.1f}"])
    table(["all states", "hit rate, %", "threshold, %", "published, %"], rows)


def made(rng: np.random.Generator, family: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw parameters as the model expects them, and counts by them; return the true thresholds, too."""
    signal = SIGNALS[family]
    group, place = (v.ravel() for v in np.meshgrid(range(N_GROUPS), range(N_PLACES), indexing="ij"))
    base = special.logit(0.03) + rng.normal(0, BASE_BY_GROUP, N_GROUPS)[group]
    spread = signal.center + rng.normal(0, signal.by_group, N_GROUPS)[group]
    base = base + np.append(0.0, rng.normal(0, BASE_BY_PLACE, N_PLACES - 1))[place]
    spread = spread + np.append(0.0, rng.normal(0, signal.by_place, N_PLACES - 1))[place]
    sigma = np.abs(rng.normal(0, SIGMA_SPREAD, N_GROUPS))
    threshold = rng.normal(MEAN_CENTER, MEAN_SPREAD, N_GROUPS)[group] + sigma[group] * rng.normal(size=len(group))
    shares = signal.shares(base, spread, threshold)
    n = np.exp(rng.normal(8, 1, len(group))).astype(int).clip(50, 9_000)
    # The place with most cases is the one without effects of its own.
    n[place == 0] = 10_000
    chances = np.column_stack([shares.found, shares.missed, 1 - shares.found - shares.missed]).clip(0)
    counts = rng.multinomial(n, chances / chances.sum(axis=1, keepdims=True))
    frame = pd.DataFrame(
        {"g": group, "p": place, "stops": n, "searches": counts[:, :2].sum(axis=1), "hits": counts[:, 0]}
    )
    return frame, special.expit(threshold)


MADE = {"group": "g", "location": "p", "stopped": "stops", "searched": "searches", "found": "hits"}


def coverage(repeats: int, seed: int, family: str, shuffles: int) -> None:
    """Print how often intervals hold the thresholds that the data were drawn with, and what placebos show."""
    inside, of_groups, shown, asked, seconds = [], [], 0, 0, []
    for i in range(repeats):
        frame, true = made(np.random.default_rng([seed, i]), family)
        start = time.process_time()
        test = threshold_test(frame, signal=family, base_rate=0.03, random_state=i, n_placebo=shuffles, **MADE)
        seconds.append(time.process_time() - start)
        rows = test.thresholds.astype({"group": int, "location": int}).sort_values(["group", "location"])
        inside += list((rows["low"].to_numpy() <= true) & (true <= rows["high"].to_numpy()))
        weights = frame.groupby("p")["stops"].transform("sum").to_numpy()
        for own in test.aggregate.astype({"group": int}).itertuples():
            of = (frame["g"] == own.group).to_numpy()
            of_groups.append(own.low <= np.average(true[of], weights=weights[of]) <= own.high)
        if test.checks.placebo is not None:
            shown, asked = shown + test.checks.placebo.n_different, asked + test.checks.placebo.n_comparisons
    row = [family, repeats, f"{np.mean(inside):.3f} of {len(inside)}", f"{np.mean(of_groups):.3f} of {len(of_groups)}"]
    table(
        ["signal", "tables", "thresholds covered", "aggregates covered", "placebo shows a difference", "CPU s a table"],
        [[*row, f"{shown} of {asked}", f"{np.mean(seconds):.1f}"]],
    )


def sensitivity(states: list[str], seed: int) -> None:
    """Print how far gaps depend on the family of signals and on the base rate."""
    whole, rows = pd.read_csv(POLICE), []
    for state in states:
        data = whole[whole["state"] == state]
        for change in ({}, {"signal": "discriminant"}, {"base_rate": 0.015}, {"base_rate": 0.06}):
            test = threshold_test(data, random_state=seed, **ASKED, **change)
            gaps = [f"{100 * g.difference:+.1f} ({g.verdict})" for g in test.gaps.itertuples()]
            points = [f"{100 * t:.1f}" for t in test.aggregate["threshold"]]
            rows.append([state, str(change or "as it is"), *points, *gaps])
        table(["state", "change", *test.aggregate["group"], *(f"gap {name}" for name in test.gaps["group"])], rows)


def veil(repeats: int, seed: int) -> None:
    """Print how often the interval of the odds ratio of light holds it."""
    rows = []
    for ratio in (1.0, RATIO):
        covered, shown = [], []
        for i in range(repeats):
            rng = np.random.default_rng([seed, i])
            n = 4_000
            day = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 365, n), unit="D")
            minute = rng.integers(16 * 60, 22 * 60, n)
            local = (day + pd.to_timedelta(minute, unit="min")).tz_localize("America/Chicago").tz_convert("UTC")
            height = elevation(local.tz_localize(None).astype("int64") / 86_400e6, 41.9, -87.6)
            area = rng.integers(0, 4, n)
            score = -0.5 + 0.8 * np.sin(minute / 60) + 0.4 * area + np.log(ratio) * (height > SUNSET)
            stops = pd.DataFrame({"day": day, "hour": minute / 60, "area": area.astype(str)})
            stops["group"] = np.where(rng.random(n) < special.expit(score), "b", "w")
            where = {"latitude": 41.9, "longitude": -87.6, "time_zone": "America/Chicago"}
            found = veil_of_darkness(
                stops, group="group", reference="w", date="day", time="hour", place="area", **where
            )
            [gap] = found.gaps
            covered.append(gap.interval.low <= ratio <= gap.interval.high)
            shown.append(gap.verdict in ("clear_gap", "gap_size_unclear"))
        rows.append([ratio, repeats, f"{np.mean(covered):.3f}", f"{np.mean(shown):.3f}"])
    table(["odds ratio", "tables", "covered", "a difference shown"], rows)


def alarms(repeats: int, seed: int) -> None:
    """Print how often hit rates of groups that are all alike are said to differ."""
    plan, rows = InspectionPlan(acted="looks", found="finds", group=("group",), reference=("reference",)), []
    for n_groups in (4, 8, 15):
        groups, looks = (
            ["reference", *(f"group {i}" for i in range(1, n_groups))],
            [LOOKS[0], *LOOKS[1:] * (n_groups - 1)],
        )
        claimed = np.zeros(2)
        for i in range(repeats):
            finds = np.random.default_rng([seed, n_groups, i]).binomial(looks, HIT_RATE)
            data = as_table(pd.DataFrame({"group": groups, "looks": looks, "finds": finds}))
            test = outcome_test(data, acted="looks", found="finds", group="group", reference="reference")
            found = finding_of(data, None, plan, test)
            suggested = "searches-lead-suggests" in {message.key for message in say_searches(found).lead}
            claimed += read_searches(found).verdict in GAPS, suggested
        rows.append([n_groups, repeats, *(f"{share:.1%}" for share in claimed / repeats)])
    table(["groups", "tables", "the verdict is a gap", "weaker grounds are suggested"], rows)


def main() -> None:
    """Run the parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--states", default="CO,CT,IL,NC,SC")
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--signal", choices=list(SIGNALS))
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    say(setting("numpy", "scipy", seed=asked.seed))
    for part in [asked.part] if asked.part else PARTS:
        say(f"\n## {part}\n")
        if part in ("published", "sensitivity"):
            if not POLICE.exists():
                say(f"{POLICE} is not there.")
                continue
            (published if part == "published" else sensitivity)(asked.states.split(","), asked.seed)
        elif part in ("veil", "alarms"):
            (veil if part == "veil" else alarms)(asked.repeats, asked.seed)
        else:
            for family in [asked.signal] if asked.signal else SIGNALS:
                coverage(asked.repeats, asked.seed, family, shuffles=int(part == "placebo"))


if __name__ == "__main__":
    main()
