"""Relabelling where models do not see who is protected: Adult, race left out; labels alike once, and a search.

"plain" makes labels alike once, as in Chen et al. (2020). "searched" changes them further until the gap of the final
model on tuning rows is at most half of 5 points. Both are judged on the same test rows, those of the other rows that
have the population's condition; accuracy and AUC are of all test rows, as in the paper's tables.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.common import markdown, say, setting
from benchmarks.luskin_data import LuskinData, adult
from benchmarks.luskin_relabeling import ALGORITHMS, MODELS, PAIRS, OnceFitted, gap
from fairaudit.estimators.base import split_rows
from fairaudit.estimators.models import make_model, scores_of
from fairaudit.estimators.relabel_search import reach
from fairaudit.estimators.relabeling import RelabeledClassifier

TARGET = 0.025
"""Half of 5 points."""

WAYS = ("plain", "searched")


def rows(data: LuskinData, seeds: Sequence[int], pairs: Sequence[tuple[str, str]] = PAIRS) -> list[dict]:
    """Return one record for each seed, algorithm, pair of models and way."""
    return [
        measure(data, seed, algorithm, *pair, way=way)
        for seed, algorithm, pair, way in itertools.product(seeds, ALGORITHMS, pairs, WAYS)
    ]


def withheld(data: LuskinData) -> LuskinData:
    """Return the data without race among the features."""
    return replace(data, X=data.X.drop(columns="race"))


def measure(data: LuskinData, seed: int, algorithm: str, risk: str, final: str, *, way: str) -> dict:
    """Fit on all rows but the test rows, and judge on these."""
    split = split_rows(data.y + 2 * data.protected + 4 * data.population, random_state=seed)
    learning, held_out = split.learning, split.held_out
    model = RelabeledClassifier(
        algorithm,
        risk_model=OnceFitted(make_model(risk)),
        final_model=make_model(final),
        random_state=seed,
        gap_step=0.0,
        target_gap=TARGET if way == "searched" else None,
    )
    start = time.perf_counter()
    model.fit(
        data.X.iloc[learning],
        data.y[learning],
        sensitive_features=data.protected[learning],
        population=data.population[learning],
        tuning=np.isin(learning, split.tune),
    )
    seconds = time.perf_counter() - start
    X, y = data.X.iloc[held_out], data.y[held_out]
    score = scores_of(model, X)
    return {
        "seed": seed,
        "way": way,
        "algorithm": ALGORITHMS[algorithm],
        "models": _pair_words((risk, final)),
        "gap": (left := gap(score >= 0.5, data, held_out)),
        "size": abs(left),
        "accuracy": float(((score >= 0.5) == y).mean()),
        "auc": float(roc_auc_score(y, score)),
        "extent": model.extent_,
        "n_fits": max(1, len(model.search_)),
        "seconds": seconds,
        "curve": [asdict(one) for one in model.search_],
    }


def reach_row(data: LuskinData, seed: int) -> dict:
    """Return what any model of these features reaches on the tuning rows, by two scores."""
    split = split_rows(data.y + 2 * data.protected + 4 * data.population, random_state=seed)
    parts = {"learning": split.train, "tuning": split.tune}
    found = reach(data.X, data.y, data.protected, data.population, **parts, target=0.05)
    return {"seed": seed, **asdict(found)}


def as_table(found: list[dict]) -> str:
    """Return medians over the seeds, with the least and the largest in brackets; sizes of gaps in points."""
    lines = []
    for algorithm, pair, way in itertools.product(ALGORITHMS.values(), map(_pair_words, PAIRS), WAYS):
        own = [r for r in found if (r["algorithm"], r["models"], r["way"]) == (algorithm, pair, way)]
        if own:
            cells = [_spread(own, "size", "{:.1f}", 100), f"{sum(abs(r['gap']) <= 0.05 for r in own)} of {len(own)}"]
            cells += [
                _spread(own, "accuracy", "{:.4f}"),
                _spread(own, "auc", "{:.4f}"),
                _spread(own, "extent", "{:.2f}"),
            ]
            cells += [f"{statistics.median(r['n_fits'] for r in own):g}"]
            lines.append((algorithm, pair, way, *cells))
    header = ("algorithm", "models", "way", "gap", "within 5 points", "accuracy", "AUC", "extent", "fits")
    return markdown(header, lines)


def _pair_words(pair: tuple[str, str]) -> str:
    return " to ".join(MODELS[name] for name in pair)


def _spread(records: list[dict], name: str, form: str, times: float = 1) -> str:
    values = [times * record[name] for record in records]
    middle, low, high = (form.format(value) for value in (statistics.median(values), min(values), max(values)))
    return f"{middle} ({low} to {high})"


def main() -> None:
    """Read the arguments and run: two minutes of one processor for each seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="0-4", help="divisions of the rows, such as 0-4")
    parser.add_argument("--keep", type=Path, help="a file of records that is added to, so that seeds may run apart")
    parser.add_argument("--pair", action="append", choices=[_pair_words(pair) for pair in PAIRS], help="one pair only")
    arguments = parser.parse_args()
    first, _, last = arguments.seeds.partition("-")
    seeds = list(range(int(first), int(last or first) + 1))
    read = adult()
    if read is None:
        say("Adult is not there: ../shared/data/adult.csv.gz")
        return
    data = withheld(read)
    say(setting("numpy", "scikit-learn", "fairaudit", seed=arguments.seeds) + "\n")
    say(markdown(("seed", "accuracy", "gap", "accuracy within 5 points", "gap there", "same answer for all"), [
        (r["seed"], f"{r['accuracy']:.4f}", f"{100 * r['gap']:+.1f}", f"{r['accuracy_within']:.4f}",
         f"{100 * r['gap_within']:+.1f}", f"{r['constant']:.4f}")
        for r in (reach_row(data, seed) for seed in seeds)
    ]) + "\n")  # fmt: skip
    found = rows(data, seeds, [pair for pair in PAIRS if _pair_words(pair) in (arguments.pair or [_pair_words(pair)])])
    if arguments.keep is not None:
        kept = json.loads(arguments.keep.read_text()) if arguments.keep.exists() else []
        found = kept + found
        arguments.keep.write_text(json.dumps(found))
    say(as_table(found) + "\n")


if __name__ == "__main__":
    main()
