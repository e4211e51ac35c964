"""How often the intervals of what explains a gap hold, how often no change is called one, and how long it takes.

    python -m benchmarks.explain --repeats 1000 --seed 0
    python -m benchmarks.explain --part coverage --case "63 of 700"
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
from dataclasses import replace

import numpy as np
import pandas as pd

from benchmarks.common import say, setting
from fairaudit.data.given import as_table
from fairaudit.measure.comparison import compare_counts
from fairaudit.measure.explain import explain_gap
from fairaudit.measure.explain.explaining import divide, hold_equal
from fairaudit.measure.explain.rows import Rows, read_control
from fairaudit.measure.intervals import holm
from fairaudit.measure.period_questions import of_shares
from fairaudit.measure.periods import change_interval, homogeneity, split_change
from fairaudit.measure.results import Interval

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


def few_protected(
    rng: np.random.Generator, n: int, controls: int, *, skewed: bool, amount: bool = False
) -> pd.DataFrame:
    """Draw people of whom 9 % are protected, with controls of a rare value or of skewed numbers."""
    female = rng.random(n) < 0.09
    frame = {"sex": np.where(female, "F", "M")}
    score = -0.3 - 0.35 * female
    for i in range(controls):
        if skewed:
            value = np.exp(rng.normal(0.3 * female if controls == 1 else 0.2 * female, 1.0)).round(3)
            score = score + (0.4 if controls == 1 else 0.15) * (np.minimum(value, 10) - 1.25)
        else:
            value = (rng.random(n) < np.where(female, 0.10, 0.04)).astype(int)
            score = score + 1.0 * value
        frame[f"c{i}"] = value
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
    "63 of 700 protected, a rare value": {"controls": 1, "n": 700, "people": few_protected, "skewed": False},
    "63 of 700 protected, skewed numbers": {"controls": 1, "n": 700, "people": few_protected, "skewed": True},
    "63 of 700 protected, 5 skewed": {"controls": 5, "n": 700, "people": few_protected, "skewed": True},
    "63 of 700 protected, skewed, amounts": {
        "controls": 1,
        "n": 700,
        "people": few_protected,
        "skewed": True,
        "amount": True,
    },
}
WAYS: dict[str, dict] = {
    "strata": {"method": "decomposition", "asked": ("strata", "average")},
    "strata, rest": {"method": "decomposition", "reference": "rest", "asked": ("strata", "rest")},
    "logistic": {"method": "regression", "asked": ("logistic", "pooled")},
    "logistic, rest": {"method": "regression", "reference": "rest", "asked": ("logistic", "rest")},
    "linear": {"method": "regression", "model": "linear", "asked": ("linear", "pooled")},
    "linear, rest": {"method": "regression", "model": "linear", "reference": "rest", "asked": ("linear", "rest")},
}


def asked(case: dict, way: dict) -> dict:
    """Return the question of a case, asked in a way."""
    amount = case.get("amount", False)
    return {
        "decision": "decided",
        "favorable": None if amount else "yes",
        "protected": PROTECTED,
        "controls": [f"c{i}" for i in range(case["controls"])],
        **{name: value for name, value in way.items() if name != "asked"},
    }


def rows_of(frame: pd.DataFrame, case: dict) -> Rows:
    """Return drawn people as rows, each a combination of its own."""
    n, names = np.ones(len(frame)), [f"c{i}" for i in range(case["controls"])]
    is_share = not case.get("amount", False)
    return Rows(
        people=n,
        n=n,
        y=((frame["decided"] == "yes") if is_share else frame["decided"]).to_numpy(dtype=float),
        protected=(frame["sex"] == "F").to_numpy(),
        controls=tuple(read_control(name, frame[name], n, frame[name].dtype.kind == "f") for name in names),
        clusters=frame["officer"].to_numpy() if "officer" in frame else None,
        n_left_out=0,
        is_share=is_share,
    )


def of_division(rows: Rows, way: dict) -> Iterator[tuple[str, float, Interval]]:
    """Yield each part of the gap with its interval."""
    model, reference = way["asked"]
    found = divide(rows, model, reference, 0.95)
    for name in ("gap", "explained", "unexplained"):
        yield name, getattr(found, name).value, getattr(found, name).interval
    for part in found.by_control:
        yield "a control's part", part.value, part.interval


def of_model(rows: Rows, seed: int) -> Iterator[tuple[str, float, Interval]]:
    """Yield the adjusted gap, its ratio and its check."""
    held, *_ = hold_equal(rows, 0.95, None, seed)
    yield "adjusted gap", held.value, held.interval
    if rows.is_share:
        yield "adjusted ratio", held.ratio, held.ratio_interval
    if held.doubly_robust is not None:
        yield "doubly robust", held.doubly_robust.value, held.doubly_robust.interval
    yield "disagree", float(held.check == "disagrees"), Interval(0, 0)


def coverage(repeats: int, seed: int, only: str) -> None:
    """Print how often each interval holds the truth."""
    say("| case | way | gap | explained | unexplained | a control's part |\n|---|---|---|---|---|---|")
    models = []
    for case_name, case in CASES.items():
        if only not in case_name:
            continue
        make = {k: v for k, v in case.items() if k not in ("n", "people")}
        draw = case.get("people", people)
        ways = {name: way for name, way in WAYS.items() if not (case.get("amount") and "logistic" in name)}
        if case.get("skewed") and case["controls"] > 1:
            # Strata of many classes of numbers leave hardly anybody a counterpart.
            ways = {name: way for name, way in ways.items() if "strata" not in name}
        # Numbers are put into classes by the draw, so that of the truth is large, too.
        whole = rows_of(draw(np.random.default_rng(seed + 10_000), LARGE, **make), case)
        whole = replace(whole, clusters=None)
        truth = {name: [value for _, value, _ in of_division(whole, way)] for name, way in ways.items()}
        if "people" not in case:
            # So few rows have no second computation in some draws.
            truth["model"] = [value for _, value, _ in of_model(whole, seed)]
        held: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
        for repeat in range(repeats):
            rows = rows_of(draw(np.random.default_rng([seed, repeat]), case["n"], **make), case)
            for name in truth:
                found = of_model(rows, repeat) if name == "model" else of_division(rows, ways[name])
                for (figure, value, (low, high)), true in zip(found, truth[name], strict=True):
                    held[name][figure].append(bool(value) if figure == "disagree" else low <= true <= high)
        for name in ways:
            say(f"| {case_name} | {name} | " + " | ".join(f"{np.mean(v):.3f}" for v in held[name].values()) + " |")
        if "model" in truth:
            models.append((case_name, held["model"]))
    names = ("adjusted gap", "adjusted ratio", "doubly robust", "disagree")
    say(f"\n| case | {' | '.join(names)} |\n|---|---|---|---|---|")
    for case_name, found in models:
        say(f"| {case_name} | " + " | ".join(f"{np.mean(found[n]):.3f}" if n in found else "" for n in names) + " |")


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
            (_, mix), (_, rates) = split_change([of_shares(c) for c in cells], 0.95)
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
            _, p_value, alone = homogeneity(good.astype(float), size.astype(float))
            called.append(p_value < 0.05)
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
    "coverage": lambda o: coverage(o.repeats, o.seed, o.case),
    "periods": lambda o: periods(o.repeats, o.seed),
    "speed": lambda o: speed(o.seed),
}


def main() -> None:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", choices=PARTS, action="append", help="only this; may be repeated")
    parser.add_argument("--case", default="", help="of the coverage, only cases whose name holds this")
    options = parser.parse_args()
    say(f"{setting(seed=options.seed)}, repeats {options.repeats}")
    for part in options.part or PARTS:
        PARTS[part](options)


if __name__ == "__main__":
    main()
