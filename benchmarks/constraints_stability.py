"""Small tables: how many people the chosen model says yes to, over divisions of the same rows.

Of each table a sample of rows is drawn once. The search is run on it with ten seeds, which divide the rows, once with
one division for training and tuning and once with cross-fitting; models are judged by the rows that are not in the
sample. Law school (``law_school_clean.csv``) is that of Le Quy and others (2022), "A survey on datasets for
fairness-aware machine learning". Of it all rows are divided as well, beside fairlearn's reduction.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from fairlearn.reductions import DemographicParity, ExponentiatedGradient
from numpy.typing import NDArray

from benchmarks.common import markdown
from benchmarks.constraints_data import COMPAS_FEATURES
from benchmarks.constraints_runs import Kept
from benchmarks.luskin_data import find, with_floats
from benchmarks.luskin_targets import Target
from fairaudit.estimators.base import TablePreparation, divide
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.models import make_model

N_SMALL = 600
LIMITS = (0.03, 0.05)
ONCE, FOLDED, REDUCTION = "one division", "cross-fitted", "ExponentiatedGradient"
WITHIN = 10.0
"""Points within which the shares of yes over the seeds are to lie, or else the result is to say so."""


@dataclass(frozen=True, eq=False)
class Table:
    """Features, label and group of all rows of a table."""

    X: pd.DataFrame
    y: NDArray[np.int64]
    group: NDArray[Any]


@dataclass(frozen=True)
class Choice:
    """A model, judged by rows that it was neither learned from nor chosen by.

    `low` and `high` are between which shares of yes the choice lies on resampled rows; NaN where that is not asked.
    """

    share: float
    accuracy: float
    gap: float
    is_met: bool
    low: float
    high: float
    seconds: float


def tables() -> dict[str, Table]:
    """Return the tables whose files are there."""
    made = {
        "Adult, sex": ("adult.csv.gz", "income", ">50K", "sex", ["fnlwgt", "education", "split"]),
        "COMPAS, race": ("compas_two_years.csv.gz", "two_year_recid", 1, "race", None),
        "German credit, sex": ("german_credit.csv", "credit_risk", "good", "sex", []),
        "Law school, race": ("law_school_clean.csv", "pass_bar", 1, "race", []),
    }
    found = {}
    for name, (file, label, positive, group, dropped) in made.items():
        path = find(file)
        if path is None:
            continue
        table = pd.read_csv(path, na_values="?", skipinitialspace=True)
        if group == "race" and dropped is None:
            table = table[table["race"].isin(("African-American", "Caucasian"))].reset_index(drop=True)
        X = table[list(COMPAS_FEATURES[:-1])] if dropped is None else table.drop(columns=[label, *dropped])
        y = table[label].eq(positive).to_numpy(dtype=np.int64)
        found[name] = Table(with_floats(X), y, table[group].to_numpy())
    return found


def judge(table: Table, rows: NDArray[np.int64], chances: NDArray[Any]) -> tuple[float, float, float]:
    """Return share of yes, accuracy and the largest gap of the chances of a yes, among rows."""
    y, group = table.y[rows], table.group[rows]
    gap = np.ptp([chances[group == name].mean() for name in np.unique(group)])
    return float(chances.mean()), float(np.where(y == 1, chances, 1 - chances).mean()), float(gap)


def chosen(
    table: Table, rows: NDArray[np.int64], others: NDArray[np.int64], limit: float, seed: int, below: int
) -> Choice:
    """Search on rows, and judge by the others."""
    start = time.process_time()
    model = ConstrainedClassifier(
        make_model("logistic_regression", random_state=0),
        f"demographic_parity by group <= {limit}",
        random_state=seed,
        cross_fit_below=below,
    ).fit(table.X.iloc[rows], table.y[rows], sensitive_features=pd.DataFrame({"group": table.group[rows]}))
    seconds = time.process_time() - start
    judged = judge(table, others, np.asarray(model.predict(table.X.iloc[others])))
    return Choice(*judged, bool(model.feasible_), *(model.share_range_ or (np.nan, np.nan)), seconds)


def small(seeds: Sequence[int], kept: Kept) -> dict[tuple[str, float, str], list[Choice]]:
    """Search on small samples, with one division and with folds."""
    found: dict[tuple[str, float, str], list[Choice]] = {}
    for name, table in tables().items():
        order = np.random.default_rng(0).permutation(len(table.y))
        rows, others = order[:N_SMALL], order[N_SMALL : N_SMALL + 20_000]
        for limit in LIMITS:
            for way, below in ((ONCE, 0), (FOLDED, 2 * N_SMALL)):
                for seed in seeds:
                    value = kept.get(
                        ("stability", name, limit, way, seed),
                        lambda *a, t=table, r=rows, o=others, at=limit, s=seed, b=below: asdict(
                            chosen(t, r, o, at, s, b)
                        ),
                    )
                    if value:
                        found.setdefault((name, limit, way), []).append(Choice(**value))
    return found


def small_table(found: dict[tuple[str, float, str], list[Choice]]) -> str:
    """Return a line for each table, limit and way."""
    lines = []
    for (name, limit, way), choices in found.items():
        shares = [100 * each.share for each in choices]
        warned = [each for each in choices if each.high - each.low > WITHIN / 100]
        lines.append(
            [
                name,
                f"{limit:g}",
                way,
                f"{min(shares):.0f} to {max(shares):.0f}",
                f"{100 * np.mean([each.accuracy for each in choices]):.1f} "
                f"({100 * min(each.accuracy for each in choices):.1f})",
                f"{np.mean([each.gap for each in choices]):.3f} ({max(each.gap for each in choices):.3f})",
                f"{sum(each.is_met for each in choices)} of {len(choices)}",
                f"{len(warned)} of {len(choices)}" if way == FOLDED else "",
                f"{np.median([each.seconds for each in choices]):.1f}",
            ]
        )
    header = ["table", "limit", "way", "share of yes, %", "accuracy, % (least)", "gap (largest)", "met", "warned", "s"]
    return markdown(header, lines)


def law(seeds: Sequence[int], kept: Kept) -> list[dict[str, float]]:
    """Divide all rows of law school; ours at .03, and at the gap that the reduction has on the tuning rows."""
    table = tables().get("Law school, race")
    if table is None:
        return []
    found = []
    for seed in seeds:
        value = kept.get(("law", seed), lambda seed=seed: _law(table, seed))
        found += [value] if value else []
    return found


def _law(table: Table, seed: int) -> dict[str, float]:
    strata = np.unique(np.char.add(table.group.astype(str), table.y.astype(str)), return_inverse=True)[1]
    train, tune, held = divide(strata, (0.6, 0.2, 0.2), random_state=seed)
    learning = np.sort(np.concatenate([train, tune]))
    matrix = TablePreparation().fit(table.X.iloc[train]).transform(table.X)
    model = ExponentiatedGradient(make_model("logistic_regression")[-1], DemographicParity(difference_bound=0.015))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(matrix[train], table.y[train], sensitive_features=table.group[train])
        lots = [model._pmf_predict(matrix[rows])[:, 1] for rows in (tune, held)]
    _, theirs, gap = judge(table, held, lots[1])
    tuned_gap = judge(table, tune, lots[0])[2]
    found = {"theirs": theirs, "their_gap": gap, "constant": max(table.y[held].mean(), 1 - table.y[held].mean())}
    for key, limit in (("ours", 0.03), ("same", max(round(tuned_gap, 4), 0.002))):
        fitted = ConstrainedClassifier(
            make_model("logistic_regression", random_state=0),
            f"demographic_parity by group <= {limit}",
            random_state=seed,
        ).fit(
            table.X.iloc[learning],
            table.y[learning],
            sensitive_features=pd.DataFrame({"group": table.group[learning]}),
            validation=np.isin(learning, tune),
        )
        _, found[key], found[f"{key}_gap"] = judge(table, held, np.asarray(fitted.predict(table.X.iloc[held])))
    return {name: float(value) for name, value in found.items()}


def law_table(found: Sequence[dict[str, float]]) -> str:
    """Return a line for each division of law school."""
    header = ["division", "always yes", "ours, .03", "gap", REDUCTION, "gap", "ours, limit as its gap", "gap"]
    keys = ("constant", "ours", "ours_gap", "theirs", "their_gap", "same", "same_gap")
    return markdown(header, [[str(i), *(f"{each[key]:.4f}" for key in keys)] for i, each in enumerate(found)])


def targets(found: dict[tuple[str, float, str], list[Choice]], divided: Sequence[dict[str, float]]) -> list[Target]:
    """Return what was to be reached."""
    reached = []
    for (name, limit, way), choices in found.items():
        spread = 100 * (max(each.share for each in choices) - min(each.share for each in choices))
        if way == FOLDED:
            reached.append(
                Target(f"{name}, {N_SMALL} rows, {limit:g}: points between shares of yes", spread, most=WITHIN)
            )
    if divided:
        above = 100 * np.mean([each["same"] - each["theirs"] for each in divided])
        reached.append(Target("Law school: points of accuracy above the reduction at its gap, mean", above, least=0))
        low = 100 * min(each["ours"] - each["constant"] for each in divided)
        reached.append(Target("Law school, .03: points of accuracy above the constant, least", low, least=0))
    return reached
