"""How often the intervals of what explains a gap hold, how often no change is called one, and how long it takes.

    python -m benchmarks.explain --repeats 1000 --seed 0
    python -m benchmarks.explain --part speed

Truth: shares by a logistic model of the controls and the group (in one case with officers who differ), amounts by a
linear one. What an interval should hold is worked out from a large draw of the same process. Periods: pairs and series
of tables in which nothing but chance differs, and pairs in which mix and rates change.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from scipy import special

from benchmarks.common import say, setting
from fairaudit.data.table import as_table
from fairaudit.measure.comparison import compare_counts
from fairaudit.measure.explain import explain_gap
from fairaudit.measure.intervals import holm
from fairaudit.measure.periods import change_interval, homogeneity, split_change

LARGE = 1_000_000
PROTECTED = "sex = 'F'"
COUNTS = ("positives_p", "n_p", "positives_r", "n_r")


def people(rng: np.random.Generator, n: int, controls: int, *, officers: int = 0, amount: bool = False) -> pd.DataFrame:
    """Draw people whose controls differ by sex, and what was decided about them."""
    female = rng.random(n) < 0.4
    frame = {"sex": np.where(female, "F", "M")}
    score = -0.3 - 0.35 * female
    for i in range(controls):
        if i == 1:
            value = rng.normal(0.5 * female, 1.0, n).round(2)
            score = score + 0.4 * value
            frame[f"c{i}"] = value
            continue
        chance = np.where(female[:, None], [0.5, 0.3, 0.2], [0.3, 0.35, 0.35]) if i == 0 else None
        if chance is None:
            level = (rng.random(n) < np.where(female, 0.55, 0.45)).astype(int)
            score = score + 0.3 * level
        else:
            level = (rng.random((n, 1)) > chance.cumsum(axis=1)).sum(axis=1).clip(max=2)
            score = score + np.array([-0.5, 0.1, 0.6])[level]
        frame[f"c{i}"] = np.array(list("xyz"))[level]
    if officers:
        officer = rng.integers(0, max(n // 25, officers), n)
        score = score + rng.normal(0, 0.5, officer.max() + 1)[officer]
        frame["officer"] = officer
    if amount:
        frame["decided"] = (100 + 10 * score + rng.gamma(2.0, 3.0, n)).round(3)
    else:
        frame["decided"] = np.where(rng.random(n) < 1 / (1 + np.exp(-score)), "yes", "no")
    return pd.DataFrame(frame)


CASES: dict[str, dict] = {
    "shares, 2 controls": {"controls": 2, "n": 1_000},
    "shares, 5 controls": {"controls": 5, "n": 2_000},
    "shares, 2 controls, clusters": {"controls": 2, "n": 1_500, "officers": 60},
    "amounts, 2 controls": {"controls": 2, "n": 800, "amount": True},
}
WAYS: dict[str, dict] = {
    "strata": {"method": "decomposition"},
    "strata, rest": {"method": "decomposition", "reference": "rest"},
    "logistic": {"method": "regression"},
    "logistic, rest": {"method": "regression", "reference": "rest"},
    "linear": {"method": "regression", "model": "linear"},
    "linear, rest": {"method": "regression", "model": "linear", "reference": "rest"},
}


def figures(found) -> Iterator[tuple[str, float, tuple[float, float]]]:
    """Yield each figure that has an interval."""
    for name in ("gap", "explained", "unexplained"):
        part = getattr(found, name)
        yield name, part.value, part.interval
    for row in found.by_control.itertuples():
        yield "a control's part", row.part, (row.part_low, row.part_high)
    held = found.adjusted_gap
    yield "adjusted gap", held.value, held.interval
    if held.ratio == held.ratio:
        yield "adjusted ratio", held.ratio, held.ratio_interval
    if held.doubly_robust is not None:
        yield "doubly robust", held.doubly_robust.value, held.doubly_robust.interval


def asked(case: dict, way: dict) -> dict:
    """Return the question of a case, asked in a way."""
    amount = case.get("amount", False)
    controls = [f"c{i}" for i in range(case["controls"])]
    return {
        "decision": "decided",
        "favorable": None if amount else "yes",
        "protected": PROTECTED,
        "controls": controls,
        "cluster": "officer" if case.get("officers") else None,
        **way,
    }


def coverage(repeats: int, seed: int) -> None:
    """Print how often each interval holds the truth."""
    say("| case | way | " + " | ".join(NAMES) + " | disagree |")
    say("|---|---|" + "---|" * (len(NAMES) + 1))
    for case_name, case in CASES.items():
        make = {k: v for k, v in case.items() if k != "n"}
        # Numbers are put into classes by the draw, so that of the truth must be large, too.
        whole = people(np.random.default_rng(seed + 10_000), LARGE, **make)
        for way_name, way in WAYS.items():
            if case.get("amount") and "logistic" in way_name:
                continue
            truth = [value for _, value, _ in figures(explain_gap(whole, **asked(case, way) | {"cluster": None}))]
            held, disagree = defaultdict(list), []
            for repeat in range(repeats):
                rng = np.random.default_rng([seed, repeat])
                found = explain_gap(people(rng, case["n"], **make), **asked(case, way), random_state=repeat)
                for (name, _, (low, high)), true in zip(figures(found), truth, strict=True):
                    held[name].append(low <= true <= high)
                disagree.append(found.adjusted_gap.disagree)
            cells = [f"{np.mean(held[name]):.3f}" if held[name] else "" for name in NAMES]
            say(f"| {case_name} | {way_name} | {' | '.join(cells)} | {np.mean(disagree):.3f} |")


NAMES = ("gap", "explained", "unexplained", "a control's part", "adjusted gap", "adjusted ratio", "doubly robust")


def periods(repeats: int, seed: int) -> None:
    """Print how often no change is called one, and how often the intervals of a true change hold."""

    def draw(rng: np.random.Generator, n: int, *, mix: float, better: float, level: float = 0.0) -> pd.DataFrame:
        female = rng.random(n) < 0.4
        area = np.where(rng.random(n) < np.where(female, mix, 0.5), "a", "b")
        chance = 0.4 + level + 0.25 * (area == "a") - (0.1 - better) * female
        got = np.where(rng.random(n) < chance, "yes", "no")
        return pd.DataFrame({"sex": np.where(female, "F", "M"), "area": area, "decided": got})

    say(
        "\n| pairs of tables | rows each | called changed | change held | mix held | rates held |"
        "\n|---|---|---|---|---|---|"
    )
    for name, n, after in (
        ("nothing changes", 150, {}),
        ("nothing changes", 1_000, {}),
        ("all do better alike", 400, {"level": 0.1}),
        ("mix and rates change", 400, {"mix": 0.7, "better": 0.08}),
    ):
        start = {"mix": 0.4, "better": 0.0}
        then = start | after
        whole = [truth_of(**s) for s in (start, then)]
        true = {
            "change": whole[1][0] - whole[0][0],
            "mix": (whole[1][1] - whole[0][1]),
            "rates": (whole[1][0] - whole[0][0]) - (whole[1][1] - whole[0][1]),
        }
        called, held = [], defaultdict(list)
        for repeat in range(repeats):
            rng = np.random.default_rng([seed, 1, repeat])
            cells = [counted(draw(rng, n, **s)) for s in (start, then)]
            answers = [compare_counts(*(int(c[name].sum()) for name in COUNTS)) for c in cells]
            change = change_interval(answers, 0.95)
            called.append(change.low > 0 or change.high < 0)
            (_, mix), (_, rates) = split_change(cells, 0.95)
            for part, interval in (("change", change), ("mix", mix), ("rates", rates)):
                held[part].append(interval.low <= true[part] <= interval.high)
        say(f"| {name} | {n:,} | {np.mean(called):.3f} | " + " | ".join(f"{np.mean(held[p]):.3f}" for p in held) + " |")
    say("\n| series | rows each | the test calls it changed | some period stands out |\n|---|---|---|---|")
    for n_periods, n in ((5, 200), (12, 100), (50, 60), (50, 400)):
        called, out = [], []
        for repeat in range(repeats):
            rng = np.random.default_rng([seed, 2, repeat])
            levels = rng.uniform(-0.15, 0.15, n_periods)
            cells = [counted(draw(rng, n, mix=0.4, better=0.0, level=level)).sum() for level in levels]
            good, size = (np.array([[c[f"{of}_p"], c[f"{of}_r"]] for c in cells]) for of in ("positives", "n"))
            statistic, alone = homogeneity(good.astype(float), size.astype(float))
            called.append(special.chdtrc(n_periods - 1, statistic) < 0.05)
            out.append((holm(alone) < 0.05).any())
        say(f"| {n_periods} periods | {n:,} | {np.mean(called):.3f} | {np.mean(out):.3f} |")


def counted(frame: pd.DataFrame) -> pd.DataFrame:
    """Count rows and good outcomes of both groups by area."""
    sides = {}
    for side, sex in (("p", "F"), ("r", "M")):
        got = (frame["decided"] == "yes")[frame["sex"] == sex].groupby(frame["area"])
        sides |= {f"n_{side}": got.size(), f"positives_{side}": got.sum()}
    return pd.DataFrame(sides).fillna(0).astype(int)


def truth_of(*, mix: float, better: float, level: float = 0.0) -> tuple[float, float]:
    """Return the gap of a period, and what of it comes from the mix."""
    gap = 0.25 * (mix - 0.5) - (0.1 - better)
    # Inside both areas, rates move by the same, so that what comes from the mix is 0.25 for each point of it.
    return gap, 0.25 * (mix - 0.5)


def speed(seed: int) -> None:
    """Print how long a million rows with five controls take."""
    say("\n| rows | controls | way | seconds |\n|---|---|---|---|")
    rng = np.random.default_rng(seed)
    frame = people(rng, LARGE, 5)
    numbers = frame.assign(**{f"c{i}": rng.normal(0.3 * (frame["sex"] == "F"), 1.0) for i in range(5)})
    for name, table in (("5, one of numbers", as_table(frame)), ("5, all of numbers", as_table(numbers))):
        for way_name, way in WAYS.items():
            started = time.perf_counter()
            explain_gap(table, **asked({"controls": 5}, way))
            say(f"| {LARGE:,} | {name} | {way_name} | {time.perf_counter() - started:.1f} |")


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "coverage": lambda o: coverage(o.repeats, o.seed),
    "periods": lambda o: periods(o.repeats, o.seed),
    "speed": lambda o: speed(o.seed),
}


def main() -> None:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", choices=PARTS, action="append", help="only this; may be repeated")
    options = parser.parse_args()
    say(f"{setting(seed=options.seed)}, repeats {options.repeats}")
    for part in options.part or PARTS:
        PARTS[part](options)


if __name__ == "__main__":
    main()
