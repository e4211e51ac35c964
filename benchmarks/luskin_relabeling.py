"""Relabelling beside luskin.txt, tables 1 to 4: both algorithms, four pairs of models, Adult and SQF.

The paper divides 40/40/20 at random, once; here each seed is a division, alike in group and label, and medians are
shown. The protected column is among the features, as in the paper; so are columns that spell out the two conditions.
SQF is of 2014 here, of 2012 there. Its held-out part has about 36 reference rows, so one person more or less moves its
gap by 3 points.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from benchmarks.common import markdown
from benchmarks.luskin_data import LuskinData, adult, sqf
from fairaudit.remedies.models import make_model, scores_of
from fairaudit.remedies.relabeling import RelabeledClassifier, add_group_columns
from fairaudit.remedies.splitting import split_rows

ALGORITHMS = {"risk_adjustment": 1, "risk_flipping": 2}
MODELS = {"logistic_regression": "LR", "mlp": "MLP"}
PAIRS = tuple((risk, final) for risk in MODELS for final in MODELS)

# Data set, algorithm, first and second model: gap on D4 (protected minus reference) and AUC, from the tables.
PAPER = {
    ("Adult", 1, "LR", "LR"): (0.515 - 0.630, 0.8917),
    ("Adult", 1, "LR", "MLP"): (0.578 - 0.620, 0.8998),
    ("Adult", 1, "MLP", "LR"): (0.500 - 0.549, 0.8927),
    ("Adult", 1, "MLP", "MLP"): (0.403 - 0.457, 0.9036),
    ("Adult", 2, "LR", "LR"): (0.526 - 0.610, 0.8995),
    ("Adult", 2, "LR", "MLP"): (0.414 - 0.457, 0.8984),
    ("Adult", 2, "MLP", "LR"): (0.526 - 0.605, 0.8991),
    ("Adult", 2, "MLP", "MLP"): (0.410 - 0.435, 0.8982),
    ("SQF 2014", 1, "LR", "LR"): (0.271 - 0.199, 0.8181),
    ("SQF 2014", 1, "LR", "MLP"): (0.271 - 0.246, 0.7972),
    ("SQF 2014", 1, "MLP", "LR"): (0.305 - 0.230, 0.8157),
    ("SQF 2014", 1, "MLP", "MLP"): (0.396 - 0.378, 0.8168),
    ("SQF 2014", 2, "LR", "LR"): (0.247 - 0.188, 0.8183),
    ("SQF 2014", 2, "LR", "MLP"): (0.458 - 0.423, 0.8160),
    ("SQF 2014", 2, "MLP", "LR"): (0.242 - 0.188, 0.8183),
    ("SQF 2014", 2, "MLP", "MLP"): (0.476 - 0.473, 0.8172),
}


def rows(seeds: Iterable[int]) -> list[dict]:
    """Return one record for each data set, seed, algorithm and pair of models; a data set without its file has none.

    Gaps are protected minus reference in the share predicted 1, in the population of the held-out rows.
    """
    found = []
    for data in (adult(), sqf()):
        for seed in seeds if data is not None else ():
            for algorithm in ALGORITHMS:
                found += [measure(data, seed, algorithm, risk, final) for risk, final in PAIRS]
    return found


def measure(data: LuskinData, seed: int, algorithm: str, risk: str, final: str) -> dict:
    """Fit on the rows that are not held out, of which the estimator takes half for each model; judge on the others."""
    table = add_group_columns(data.X, protected=data.protected, population=data.population)
    split = split_rows(data.y + 2 * data.protected + 4 * data.population, random_state=seed)
    learning, held_out = split.learning, split.held_out
    model = RelabeledClassifier(
        algorithm, risk_model=make_model(risk), final_model=make_model(final), random_state=seed
    )
    start = time.perf_counter()
    model.fit(
        table.iloc[learning],
        data.y[learning],
        sensitive_features=data.protected[learning],
        population=data.population[learning],
    )
    seconds = time.perf_counter() - start
    X, y = table.iloc[held_out], data.y[held_out]
    score, risk_score = scores_of(model, X), scores_of(model.risk_model_, X)
    return {
        "data": data.name,
        "seed": seed,
        "algorithm": ALGORITHMS[algorithm],
        "risk_model": MODELS[risk],
        "final_model": MODELS[final],
        "label_gap": gap(y, data, held_out),
        "risk_gap": gap(risk_score >= 0.5, data, held_out),
        "risk_auc": float(roc_auc_score(y, risk_score)),
        "gap": gap(score >= 0.5, data, held_out),
        "auc": float(roc_auc_score(y, score)),
        "accuracy": float(((score >= 0.5) == y).mean()),
        "n_flipped": model.n_flipped_,
        "seconds": seconds,
    }


def gap(decisions: NDArray, data: LuskinData, held_out: NDArray[np.int64]) -> float:
    """Return protected minus reference in the share of 1."""
    protected, inside = data.protected[held_out], data.population[held_out]
    return float(decisions[inside & protected].mean() - decisions[inside & ~protected].mean())


def table(seeds: Iterable[int]) -> str:
    """Return the medians over the seeds beside the paper, as Markdown."""
    return as_table(rows(seeds))


def as_table(found: list[dict]) -> str:
    """Return the medians of records of `rows` beside the paper; gaps without their sign, in points."""
    lines = []
    for key, (paper_gap, paper_auc) in PAPER.items():
        own = [r for r in found if (r["data"], r["algorithm"], r["risk_model"], r["final_model"]) == key]
        if own:
            before, after = _middle(own, "risk_gap"), _middle(own, "gap")
            gaps = [f"{100 * abs(value):.1f}" for value in (before, after, paper_gap)]
            quality = [f"{value:.4f}" for value in (_middle(own, "auc"), paper_auc, _middle(own, "accuracy"))]
            lines.append((*key, *gaps, *quality, f"{_middle(own, 'seconds'):.1f}"))
    header = (
        "data", "algorithm", "risk model", "final model", "gap of the risk model", "gap", "gap in the paper", "AUC",
        "AUC in the paper", "accuracy", "seconds",
    )  # fmt: skip
    return markdown(header, lines)


def _middle(records: list[dict], name: str) -> float:
    return statistics.median(abs(record[name]) for record in records)
