"""Measure a check and its group metrics on millions of rows, fairlearn's MetricFrame beside them.

Run from the folder of the project::

    python -m benchmarks.check_scale                       # 1 M and 10 M rows; fairlearn takes minutes at 10 M
    python -m benchmarks.check_scale --rows 1000000        # quick
    python -m benchmarks.check_scale --hundred-million     # also 100 M rows, ours only
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.common import in_fresh_process, make_table, markdown, median, peak_mb, say, setting, timed

MODULE = "benchmarks.check_scale"
GROUPS = ["origin", "sex"]
METRICS = ["accuracy", "selection_rate", "tpr", "fpr"]
HUNDRED_MILLION = 100_000_000
PAGE_ROWS = 50_000
TARGET_RATIO = 200


def ours(path: str, repeats: int) -> dict[str, Any]:
    """Open the file, check controlled fairness and compute all metrics in the ten cells, as one piece of work."""
    from fairaudit import Condition, check_controlled_fairness, read_table
    from fairaudit.measure import check_errors

    before = peak_mb()
    parts: dict[str, list[float]] = {"open": [], "check": [], "metrics": []}

    def work() -> pd.DataFrame:
        seconds, table = timed(lambda: read_table(path), 1)
        parts["open"] += seconds
        roles = {"decision": "decision", "favorable": 1}
        seconds, _ = timed(
            lambda: check_controlled_fairness(table, protected="origin <> 'Amber'", where="age >= 25", **roles), 1
        )
        parts["check"] += seconds
        predicted = Condition.parse("prediction = 1", table.columns)
        seconds, errors = timed(
            lambda: check_errors(table, outcome="decision", favorable=1, prediction=predicted, by=GROUPS), 1
        )
        parts["metrics"] += seconds
        return errors.metrics

    seconds, metrics = timed(work, repeats)
    return {
        "seconds": seconds,
        "parts": {name: median(values) for name, values in parts.items()},
        "peak_mb": peak_mb(),
        "imports_mb": before,
        "metrics": _cells(metrics, METRICS),
    }


def peer(path: str, repeats: int) -> dict[str, Any]:
    """Compute four metrics in the same ten cells with fairlearn; reading the file is timed apart and not counted."""
    from fairlearn.metrics import MetricFrame, false_positive_rate, selection_rate, true_positive_rate
    from sklearn.metrics import accuracy_score

    before = peak_mb()
    read_seconds, frame = timed(lambda: pd.read_parquet(path, columns=[*GROUPS, "decision", "prediction"]), 1)
    functions = {
        "accuracy": accuracy_score,
        "selection_rate": selection_rate,
        "tpr": true_positive_rate,
        "fpr": false_positive_rate,
    }

    def work() -> pd.DataFrame:
        return MetricFrame(
            metrics=functions,
            y_true=frame["decision"],
            y_pred=frame["prediction"],
            sensitive_features=frame[GROUPS],
        ).by_group

    seconds, metrics = timed(work, repeats)
    return {
        "seconds": seconds,
        "parts": {"read": read_seconds[0]},
        "peak_mb": peak_mb(),
        "imports_mb": before,
        "metrics": _cells(metrics, METRICS),
    }


def page(path: str, repeats: int) -> dict[str, Any]:
    """Do what the Data page and a first check do with an uploaded CSV: read the bytes, quality report, check."""
    from fairaudit import check_controlled_fairness, read_table
    from fairaudit.data import quality_report

    content = Path(path).read_bytes()
    parts: dict[str, list[float]] = {"read": [], "quality": [], "check": []}

    def work() -> None:
        seconds, table = timed(lambda: read_table(content, name="upload"), 1)
        parts["read"] += seconds
        parts["quality"] += timed(lambda: quality_report(table), 1)[0]
        roles = {"decision": "decision", "favorable": 1, "protected": "origin <> 'Amber'"}
        parts["check"] += timed(lambda: check_controlled_fairness(table, **roles), 1)[0]

    seconds, _ = timed(work, repeats)
    return {"seconds": seconds, "parts": {k: median(v) for k, v in parts.items()}, "peak_mb": peak_mb()}


def _cells(metrics: pd.DataFrame, names: list[str]) -> dict[str, list[float]]:
    cells = [", ".join(key) if isinstance(key, tuple) else str(key) for key in metrics.index]
    return {cell: [float(v) for v in row] for cell, row in zip(cells, metrics[names].to_numpy(), strict=True)}


def _agreement(a: dict[str, list[float]], b: dict[str, list[float]]) -> float:
    if a.keys() != b.keys():
        raise SystemExit(f"the cells differ: {sorted(a)} and {sorted(b)}")
    return max(abs(p - q) for cell in a for p, q in zip(a[cell], b[cell], strict=True))


def _row(what: str, n_rows: int, result: dict[str, Any], ratio: str) -> list[object]:
    seconds = result["seconds"]
    parts = ", ".join(f"{name} {value:.3f}" for name, value in result["parts"].items())
    return [
        what,
        f"{n_rows:,}",
        f"{median(seconds):.3f}",
        f"{seconds[0]:.3f}",
        len(seconds),
        parts,
        ratio,
        f"{result['peak_mb']:,.0f}",
    ]


def compare(sizes: list[int], repeats: int, hundred_million: bool, with_peer: bool) -> None:
    """Make the data, measure everything in fresh processes, and write the tables."""
    header = ["what", "rows", "median s", "first s", "repeats", "parts s (median)", "times faster", "peak MB"]
    rows: list[list[object]] = []
    notes: list[str] = []
    say(setting("fairlearn", "duckdb", "pandas", "numpy"))
    with tempfile.TemporaryDirectory() as folder:
        for n in sizes:
            parquet, text = Path(folder) / f"{n}.parquet", Path(folder) / f"{n}.csv"
            make_table(parquet, n)
            make_table(text, n)
            sizes_mb = f"{parquet.stat().st_size / 1e6:,.0f} MB Parquet, {text.stat().st_size / 1e6:,.0f} MB CSV"
            notes.append(f"{n:,} rows: {sizes_mb}.")
            mine = in_fresh_process(MODULE, "ours", str(parquet), str(repeats))
            ratio = ""
            if with_peer:
                theirs = in_fresh_process(MODULE, "peer", str(parquet), "3" if n <= 1_000_000 else "1")
                factor = median(theirs["seconds"]) / median(mine["seconds"])
                ratio = f"{factor:,.0f}"
                rows.append(_row("fairlearn MetricFrame, data already in memory", n, theirs, "1"))
                apart = _agreement(mine["metrics"], theirs["metrics"])
                notes.append(f"{n:,} rows: largest difference between the two, four metrics in ten cells: {apart:.1e}.")
                if n >= 10_000_000:
                    met = "met" if factor >= TARGET_RATIO else "NOT met"
                    notes.append(f"{n:,} rows, target at least {TARGET_RATIO} times faster: {met}.")
            rows.append(_row("fairaudit, from Parquet", n, mine, ratio))
            mine = in_fresh_process(MODULE, "ours", str(text), "3" if n <= 1_000_000 else "1")
            rows.append(_row("fairaudit, from CSV", n, mine, ""))
            parquet.unlink()
            text.unlink()
        if hundred_million:
            parquet = Path(folder) / "hundred_million.parquet"
            make_table(parquet, HUNDRED_MILLION)
            notes.append(f"{HUNDRED_MILLION:,} rows: {parquet.stat().st_size / 1e6:,.0f} MB Parquet.")
            mine = in_fresh_process(MODULE, "ours", str(parquet), "3")
            met = max(mine["seconds"]) < 20 and mine["peak_mb"] < 2_000
            notes.append(f"100 M rows, target under 20 s and 2,000 MB: {'met' if met else 'NOT met'}.")
            rows.append(_row("fairaudit, from Parquet", HUNDRED_MILLION, mine, ""))
        upload = Path(folder) / "page.csv"
        make_table(upload, PAGE_ROWS)
        result = in_fresh_process(MODULE, "page", str(upload), "5")
        met = result["seconds"][0] < 2
        notes.append(f"Uploaded CSV to first verdict, the first time, target under 2 s: {'met' if met else 'NOT met'}.")
        rows.append(_row("fairaudit, uploaded CSV: read, quality report, first check", PAGE_ROWS, result, ""))
    say()
    say(markdown(header, rows))
    say()
    for note in notes:
        say(f"- {note}")


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--repeats", type=int, default=5, help="repeats of ours from Parquet")
    parser.add_argument("--hundred-million", action="store_true", help="also 100 M rows of Parquet, ours only")
    parser.add_argument("--no-peer", action="store_true", help="leave fairlearn out")
    parser.add_argument("--worker", nargs=3, metavar=("WHAT", "PATH", "REPEATS"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        what, path, repeats = arguments.worker
        say(json.dumps({"ours": ours, "peer": peer, "page": page}[what](path, int(repeats))))
    else:
        compare(arguments.rows, arguments.repeats, arguments.hundred_million, not arguments.no_peer)


if __name__ == "__main__":
    main()
