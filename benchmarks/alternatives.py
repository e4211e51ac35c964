"""Alternatives that discriminate less: what is found on real tables, and how often one is called better by chance.

Where no model is better (as unfair as the one in use, no gap at all, or fairer and right too rarely), one of them is
called so in at most 5 % of the tables, if what is said is true.
"""

from __future__ import annotations

import argparse
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype
from statsmodels.stats.proportion import proportion_confint

from benchmarks.common import ROOT, markdown, say, setting
from benchmarks.luskin_data import find
from fairaudit import Table, find_alternatives
from fairaudit.sections.alternatives.finding import AlternativesFinding, Origin
from fairaudit.sections.alternatives.pool import Pool
from fairaudit.sections.alternatives.reading import read_alternatives
from fairaudit.study.judging.held_out import HeldOut

LOSS = 0.02


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
        found["COMPAS, score in use"] = compas | {"prediction": "decile_score <= 4"}
        found["COMPAS, model in use"] = compas
    if path := find("adult.csv.gz"):
        rows = pd.read_csv(path).drop(columns="fnlwgt").replace({"?": None, 99999: None})
        features = ["age", "workclass", "education_num", "occupation", "capital_gain", "hours_per_week"]
        asked = {"decision": "income", "favorable": ">50K", "protected": "sex = 'Female'", "features": features}
        found["Adult"] = {"table": rows, **asked}
    if path := find("credit_default.csv.gz"):
        rows = pd.read_csv(path).drop(columns="ID")
        outcome = "default payment next month"
        features = [name for name in rows.columns if name not in ("SEX", "MARRIAGE", "AGE", outcome)]
        asked = {"decision": outcome, "favorable": 0, "protected": "SEX = 1", "features": features}
        found["Default"] = {"table": rows, **asked}
    rows = pd.read_csv(ROOT / "sample_data" / "loans.csv").replace("?", np.nan)
    features = ["region", "employment", "income", "loan_amount", "purpose", "credit_history_years"]
    asked = {"decision": "approved", "favorable": "yes", "protected": "sex = 'woman'", "features": features}
    found["loans (sample)"] = {"table": rows, **asked}
    return found


def found_in(question: dict[str, Any], seed: int) -> tuple[AlternativesFinding, float]:
    """Return what is found, and the processor seconds that it took."""
    began = time.process_time()
    rows = question["table"]
    table = Table.from_pandas(rows, numbers=[each for each in question["features"] if is_numeric_dtype(rows[each])])
    asked = {name: value for name, value in question.items() if name != "table"}
    found = find_alternatives(table, **asked, loss=LOSS, random_state=seed)
    return found, time.process_time() - began


def run_tables(seeds: range) -> None:
    """Print what is found on each table and division."""
    rows = []
    for name, question in tables().items():
        for seed in seeds:
            found, seconds = found_in(question, seed)
            reading = read_alternatives(found)
            best = reading.best
            rows.append(
                (
                    name,
                    seed,
                    f"{found.n_tried} / {found.n_as_good} / {len(found.alternatives)}",
                    f"{100 * abs(found.in_use.fairness.difference):.1f}",
                    "-" if best is None else f"{100 * abs(best.fairness.difference):.1f}",
                    f"{found.in_use.accuracy:.3f}",
                    "-" if best is None else f"{best.accuracy:.3f}",
                    len(reading.clear),
                    reading.verdict,
                    f"{100 * found.otherwise.share:.0f}",
                    f"{seconds:.0f}",
                )
            )
    say(
        markdown(
            (
                "table", "seed", "tried / as good / judged", "gap in use", "gap of the clearest", "right, in use",
                "right", "smaller for certain", "verdict", "decided otherwise, %", "seconds",
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


def called_better(seed: int, made: tuple[float, float, float, float], *, n: int, n_models: int) -> bool:
    """Say whether any model is called better in one table; `made` is as in `NULLS`."""
    loss, gap, worse, change = made
    rng = np.random.default_rng(seed)
    protected = np.arange(n) % 2 == 0
    y = (rng.random(n) < 0.5).astype(np.int64)

    def model(own: float, extra: float) -> Any:
        said = np.where(rng.random(n) < 0.8 - own, y, 1 - y)
        return np.where(rng.random(n) < np.where(protected, (gap + extra) / 2, 0.0), 0, said)

    tune, held = np.arange(n // 2), np.arange(n // 2, n)
    study: Any = SimpleNamespace(
        split=SimpleNamespace(tune=tune, held_out=held),
        y=y,
        protected=protected,
        population=np.ones(n, dtype=bool),
        models=SimpleNamespace(confidence=0.95),
        held_out=HeldOut(y[held], protected=protected[held]),
    )
    used = model(0.0, 0.0)
    pool = Pool(study, used[tune], used[held], loss)
    for number in range(n_models):
        other = model(worse, change)
        pool.offer(Origin("model", str(number), ""), other[tune], other[held])
    return any(each.p_adjusted <= 0.05 and each.size_change < 0 for each in pool.judged())


def run_null(repeats: int) -> None:
    """Print how often one is called better where none is."""
    rows = []
    for null, made in NULLS.items():
        for n, n_models in ((600, 20), (600, 100), (4_000, 100)):
            false = sum(called_better(seed, made, n=n, n_models=n_models) for seed in range(repeats))
            low, high = proportion_confint(false, repeats, method="wilson")
            rows.append((null, n, n_models, f"{100 * false / repeats:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"))
    say(markdown(("models", "rows", "tried", "called better", "95 % interval"), rows))


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("tables", "null"))
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    say(setting("scikit-learn", seed=0))
    if options.part != "null":
        run_tables(range(options.seeds))
    if options.part != "tables":
        run_null(options.repeats)


if __name__ == "__main__":
    main()
