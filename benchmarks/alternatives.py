"""Alternatives that discriminate less: what is found on real tables, and how often one is called better by chance.

Where no model is better (as unfair as the one in use, no gap at all, or fairer and too much worse), one of them is
called so in at most 5 % of the tables, whatever a model is as good by; and the range of the gap of the one spoken of,
which was picked among several, holds in 95 %, if what is said is true.
"""

from __future__ import annotations

import argparse
import time
from functools import cache
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_numeric_dtype
from scipy import optimize, stats
from statsmodels.stats.proportion import proportion_confint

from benchmarks.common import ROOT, markdown, say, setting
from benchmarks.luskin_data import find
from fairaudit import Table, find_alternatives
from fairaudit.measure.results import Interval
from fairaudit.sections.alternatives.comparing import Sides
from fairaudit.sections.alternatives.finding import AlternativesFinding, Origin
from fairaudit.sections.alternatives.plan import AsGoodBy
from fairaudit.sections.alternatives.pool import Pool
from fairaudit.sections.alternatives.reading import read_alternatives
from fairaudit.study.judging.held_out import HeldOut
from fairaudit.study.judging.results import Judged

LOSS = 0.02
MEASURES: tuple[AsGoodBy, ...] = get_args(AsGoodBy)
Labels = NDArray[np.int64]
Floats = NDArray[np.float64]


def tables() -> dict[str, dict[str, Any]]:
    """Return the questions about real tables and samples; those whose file is not there are left out."""
    found: dict[str, dict[str, Any]] = {}
    asked: dict[str, Any]
    if path := find("compas_two_years.csv.gz"):
        rows = pd.read_csv(path)
        rows = rows[rows["race"].isin(["African-American", "Caucasian"])]
        compas: dict[str, Any] = {
            "table": rows,
            "decision": "two_year_recid",
            "favorable": 0,
            "protected": "race = 'African-American'",
            "features": ["sex", "age", "juv_fel_count", "juv_misd_count", "priors_count", "c_charge_degree"],
        }
        score = {"score": "decile_score", "cut": 5, "higher_is_favorable": False}
        found["COMPAS, score in use"] = compas | score | {"measures": MEASURES}
        found["COMPAS, model in use"] = compas | {"measures": MEASURES}
    if path := find("adult.csv.gz"):
        rows = pd.read_csv(path).drop(columns="fnlwgt").replace({"?": None, 99999: None})
        features = ["age", "workclass", "education_num", "occupation", "capital_gain", "hours_per_week"]
        asked = {"decision": "income", "favorable": ">50K", "protected": "sex = 'Female'", "features": features}
        found["Adult"] = {"table": rows, "measures": ("accuracy", "approvals"), **asked}
    if path := find("credit_default.csv.gz"):
        rows = pd.read_csv(path).drop(columns="ID")
        outcome = "default payment next month"
        features = [name for name in rows.columns if name not in ("SEX", "MARRIAGE", "AGE", outcome)]
        asked = {"decision": outcome, "favorable": 0, "protected": "SEX = 1", "features": features}
        found["Default"] = {"table": rows, "measures": ("accuracy", "approvals"), **asked}
    rows = pd.read_csv(ROOT / "sample_data" / "loans.csv").replace("?", np.nan)
    features = ["region", "employment", "income", "loan_amount", "purpose", "credit_history_years"]
    asked = {"decision": "approved", "favorable": "yes", "protected": "sex = 'woman'", "features": features}
    found["loans (sample)"] = {"table": rows, "measures": ("accuracy", "approvals"), **asked}
    return found


def found_in(question: dict[str, Any], seed: int, measure: AsGoodBy) -> tuple[AlternativesFinding, float]:
    """Return what is found, and the processor seconds that it took."""
    began = time.process_time()
    rows = question["table"]
    table = Table.from_pandas(rows, numbers=[each for each in question["features"] if is_numeric_dtype(rows[each])])
    asked = {name: value for name, value in question.items() if name not in ("table", "measures")}
    found = find_alternatives(table, **asked, measure=measure, loss=LOSS, random_state=seed)
    return found, time.process_time() - began


def _ends(gap: Interval) -> str:
    low, high = sorted(map(abs, gap))
    return f"{0.0 if gap.low < 0 < gap.high else 100 * low:.1f} to {100 * high:.1f}"


def run_tables(seeds: range, only: str | None = None) -> None:
    """Print what is found on each table and division."""
    rows = []
    asked = [(name, question) for name, question in tables().items() if name.startswith(only or "")]
    for name, question in asked:
        for seed, measure in ((seed, measure) for measure in question["measures"] for seed in seeds):
            found, seconds = found_in(question, seed, measure)
            reading = read_alternatives(found)
            best = reading.best
            rows.append(
                (
                    name,
                    measure,
                    seed,
                    f"{found.n_tried} / {found.n_as_good} / {len(found.alternatives)}",
                    f"{100 * abs(found.in_use.gap):.1f}",
                    "-" if best is None else f"{100 * abs(best.gap):.1f} ({_ends(best.gap_interval)})",
                    f"{found.in_use.quality:.3f}",
                    "-" if best is None else f"{best.quality:.3f}",
                    len(reading.clear),
                    reading.verdict,
                    f"{100 * found.otherwise.share:.0f}",
                    f"{seconds:.0f}",
                )
            )
    say(
        markdown(
            (
                "table", "as good by", "seed", "tried / as good / judged", "gap in use", "gap of the one spoken of",
                "quality, in use", "quality", "smaller for certain", "verdict", "decided otherwise, %", "seconds",
            ),
            rows,
        )
    )  # fmt: skip


NULLS: dict[str, tuple[float, float, float, float]] = {
    "as unfair as the one in use": (0.2, 0.5, 0.0, 0.0),
    "no gap at all": (0.2, 0.0, 0.0, 0.0),
    "fairer, and right too rarely": (0.02, 0.3, 0.06, -0.3),
}
"""The loss that is allowed, how strong the gap is, how much less often others are right, and what that adds to it."""


def made_pool(
    seed: int, gap: float, loss: float, n: int, measure: AsGoodBy = "accuracy", signal: float | None = None
) -> tuple[Pool, Any, Labels, Floats]:
    """Return a pool without models, the random numbers, all labels, and who is protected, of a made table.

    The model in use says the label in eight of ten cases and takes the good outcome from protected people with the
    chance ``gap / 2``; with a `signal` it is a score, see `score_of`, that approves those above half of it.
    """
    rng = np.random.default_rng(seed)
    protected = np.arange(n) % 2 == 0
    y = (rng.random(n) < 0.5).astype(np.int64)
    tune, held = np.arange(n // 2), np.arange(n // 2, n)
    study: Any = SimpleNamespace(
        split=SimpleNamespace(tune=tune, held_out=held),
        y=y,
        protected=protected,
        population=np.ones(n, dtype=bool),
        models=SimpleNamespace(confidence=0.95),
        held_out=HeldOut(y[held], protected=protected[held]),
    )
    if signal is None:
        used, score = labels_of(rng, y, protected, 0.2, gap), None
    else:
        score = score_of(rng, y, protected, signal, gap)
        used = (score >= cut_at_half(signal, gap)).astype(np.int64)
    said = [Judged(used[rows], None if score is None else score[rows]) for rows in (tune, held)]
    tuning, held_out = said
    return Pool(study, tuning, held_out, loss, measure), rng, y, protected


def labels_of(rng: np.random.Generator, y: Labels, protected: Any, wrong: float, gap: float) -> Labels:
    """Draw what a model says: not the label with one chance, and not the good outcome to protected with another."""
    said = np.where(rng.random(len(y)) < 1 - wrong, y, 1 - y)
    return np.where(rng.random(len(y)) < np.where(protected, gap / 2, 0.0), 0, said)


def offer(pool: Pool, name: str, said: Labels) -> None:
    """Offer what a model says of all rows."""
    split = pool.study.split
    pool.offer(Origin("model", name, ""), Judged(said[split.tune]), Judged(said[split.held_out]))


def called_better(seed: int, made: tuple[float, float, float, float], *, n: int, n_models: int) -> bool:
    """Say whether any model is called better in one table; `made` is as in `NULLS`."""
    loss, gap, worse, change = made
    pool, rng, y, protected = made_pool(seed, gap, loss, n)
    for number in range(n_models):
        offer(pool, str(number), labels_of(rng, y, protected, 0.2 + worse, gap + change))
    return any(each.p_adjusted <= 0.05 and each.size_change < 0 for each in pool.judged())


# Scores: ``signal`` times the label, less ``gap`` where protected, with normal noise. Half of all rows have either
# label, half are protected.

SIGNAL = 1.7
SCORED_NULLS: dict[str, tuple[float, float]] = {
    "as unfair as the one in use": (0.4, 0.4),
    "no gap at all": (0.0, 0.0),
    "fairer, and too much worse": (0.4, 0.0),
}
"""The gap of the score in use, and that of others; where it is less, they are worse by just what is allowed."""
SCORED_LOSS = 0.02
NO_SMALLER = 0.005
"""A gap that is truly smaller by less than half a point is no find."""


def score_of(rng: np.random.Generator, y: Labels, protected: Any, signal: float, gap: float) -> Floats:
    """Draw a score."""
    return np.asarray(signal * y - gap * protected + rng.normal(size=len(y)))


def approved_at(signal: float, gap: float, cut: float) -> Floats:
    """Return which share a cut approves, by label and by group: not protected, protected. Shapes: returns (2, 2)."""
    means = signal * np.array([0.0, 1.0])[:, None] - gap * np.array([0.0, 1.0])
    return np.asarray(stats.norm.sf(cut - means))


@cache
def cut_at_half(signal: float, gap: float) -> float:
    """Return the cut that approves half."""
    return float(optimize.brentq(lambda cut: approved_at(signal, gap, cut).mean() - 0.5, -10, 10))


def true_quality(measure: AsGoodBy, signal: float, gap: float, cut: float) -> float:
    """Return the area under the ROC curve of a score, or the share of good cases among those a cut approves."""
    if measure == "auc":
        return float(stats.norm.cdf((signal + gap * np.array([0, 0, -1, 1])) / np.sqrt(2)).mean())
    approved = approved_at(signal, gap, cut)
    return float(approved[1].sum() / approved.sum())


def true_gap(signal: float, gap: float, cut: float) -> float:
    """Return the gap of a score with a cut, protected minus others."""
    share = approved_at(signal, gap, cut).mean(axis=0)
    return float(share[1] - share[0])


@cache
def worse_signal(measure: AsGoodBy, gap: float, least: float) -> float:
    """Return the signal of a score that is just as good as `least`, cut at half."""
    return float(
        optimize.brentq(lambda d: true_quality(measure, d, gap, cut_at_half(d, gap)) - least, 0.05, 2 * SIGNAL)
    )


def score_called_better(
    seed: int, measure: AsGoodBy, made: tuple[float, float], *, n: int, n_models: int
) -> tuple[bool, bool]:
    """Say whether any score is called better in one table, and whether one is that truly is not.

    Cuts are set on tuning cases, so that what each score truly does with its cut differs a little from table to table.
    """
    gap, other = made
    cut = cut_at_half(SIGNAL, gap)
    least = true_quality(measure, SIGNAL, gap, cut) - SCORED_LOSS
    signal = SIGNAL if other == gap else worse_signal(measure, other, least)
    pool, rng, y, protected = made_pool(seed, gap, SCORED_LOSS, n, measure, SIGNAL)
    tune, held = pool.study.split.tune, pool.study.split.held_out
    for number in range(n_models):
        score = score_of(rng, y, protected, signal, other)
        pool.offer_score(Origin("model", str(number), ""), score[tune], score[held])
    called = {each.origin.learner for each in pool.judged() if each.p_adjusted <= 0.05 and each.size_change < 0}
    used = abs(true_gap(SIGNAL, gap, cut))
    false = False
    for name in called:
        tried = pool.best["model", name]
        own = float(np.asarray(tried.tuning.score)[tried.tuning.prediction == 1].min())
        is_worse = true_quality(measure, signal, other, own) < least - 1e-9
        false |= is_worse or abs(true_gap(signal, other, own)) >= used - NO_SMALLER
    return bool(called), false


def run_null(repeats: int) -> None:
    """Print how often one is called better where none is."""
    rows = []
    for null, made in NULLS.items():
        for n, n_models in ((600, 20), (600, 100), (4_000, 20)):
            called = sum(called_better(seed, made, n=n, n_models=n_models) for seed in range(repeats))
            rows.append(("accuracy", null, n, n_models, *_share(called, repeats), *_share(called, repeats)))
    for measure in ("auc", "approvals"):
        for null, scores in SCORED_NULLS.items():
            for n, n_models in ((600, 10), (2_000, 10)):
                found = [score_called_better(seed, measure, scores, n=n, n_models=n_models) for seed in range(repeats)]
                both = (_share(sum(each), repeats) for each in zip(*found, strict=True))
                rows.append((measure, null, n, n_models, *(text for pair in both for text in pair)))
    heads = ("as good by", "models", "rows", "tried", "called better", "95 % interval", "falsely", "95 % interval")
    say(markdown(heads, rows))


def _share(n: int, repeats: int) -> tuple[str, str]:
    low, high = proportion_confint(n, repeats, method="wilson")
    return f"{100 * n / repeats:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"


# What is said of the one that is spoken of, which was picked among several.

CHANGES = (-0.4, 0.0)
"""What is added to the gaps of models, from and to; none is right less often."""


def covered(seed: int, *, n: int, n_models: int) -> tuple[bool, bool, bool] | None:
    """Say of one table whether the ranges of the gap and of its change hold for the one spoken of; None without one.

    The last is whether the range of the gap would that does not allow for the choice.
    """
    gap, loss = 0.5, 0.2
    pool, rng, y, protected = made_pool(seed, gap, loss, n)
    changes = rng.uniform(*CHANGES, n_models)
    for number, change in enumerate(changes):
        offer(pool, str(number), labels_of(rng, y, protected, 0.2, gap + change))
    finding: Any = SimpleNamespace(
        alternatives=pool.judged(),
        plan=SimpleNamespace(loss=loss),
        facts=SimpleNamespace(plan=SimpleNamespace(confidence=0.95)),
        n_tried=pool.n_tried,
        n_as_good=pool.n_as_good,
        n_unclear=pool.n_unclear,
        in_use=pool.in_use(),
    )
    best = read_alternatives(finding).best
    if best is None:
        return None
    # Half have the good outcome, of whom protected people lose it with the chance of half the strength.
    truth = -0.25 * (gap + changes[int(best.origin.learner)])
    change = abs(truth) - 0.25 * gap
    h = pool.best["model", best.origin.learner].held_out.prediction
    held = protected[pool.study.split.held_out]
    alone = Sides(held, ~held).interval(h, 0.95)
    return tuple(low <= true <= high for (low, high), true in (  # type: ignore[return-value]
        (best.gap_interval, truth), (best.size_interval, change), (alone, truth)
    ))  # fmt: skip


def run_coverage(repeats: int) -> None:
    """Print how often the ranges of the one that is spoken of hold."""
    rows = []
    for n, n_models in ((600, 10), (600, 40), (2_000, 40)):
        found = [each for seed in range(repeats) if (each := covered(seed, n=n, n_models=n_models)) is not None]
        shares = [_share(sum(each), len(found)) for each in zip(*found, strict=True)]
        rows.append((n, n_models, len(found), *(f"{share} ({interval})" for share, interval in shares)))
    heads = ("rows", "tried", "tables with one", "gap", "change of the gap", "gap, the choice not allowed for")
    say(markdown(heads, rows))


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("tables", "null", "coverage"))
    parser.add_argument("--only", help="tables whose name begins so")
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    say(setting("scikit-learn", seed=0))
    if options.part in (None, "tables"):
        run_tables(range(options.seeds), options.only)
    if options.part in (None, "null"):
        run_null(options.repeats)
    if options.part in (None, "coverage"):
        run_coverage(options.repeats)


if __name__ == "__main__":
    main()
