"""A check on rows that stay in Spark, in local mode over a Parquet file, beside the bare GROUP BY; and a sample."""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.common import in_fresh_process, markdown, median, peak_mb, say

MODULE = "benchmarks.engines_spark"
SAMPLE = 20_000
ROWS = """
COPY (SELECT i AS id,
  ['Amber', 'Blue', 'Coral', 'Dune', 'Ebony'][1 + i * 2654435761 % 97 % 5] AS origin,
  CASE WHEN i * 40503 % 100 < 48 THEN 'woman' ELSE 'man' END AS sex,
  (18 + i * 7919 % 60)::SMALLINT AS age,
  (100 * (120 + i * 104729 % 900))::INTEGER AS income,
  CASE WHEN i % 20 = 0 THEN 'NaN'::DOUBLE ELSE (i * 31337 % 1000) / 1000 END AS score,
  DATE '2015-01-01' + (i * 13 % 3650)::INTEGER AS decided,
  CASE WHEN i % 50 = 0 THEN NULL WHEN i * 48271 % 1000 < 430 THEN 'granted' ELSE 'refused' END AS decision
FROM range(1, {n} + 1) AS numbers(i)) TO '{path}' (FORMAT parquet)
"""
# protected, filter, and both as a person types them after SELECT and WHERE
CHECKS = (
    ("text, whole number", "origin <> 'Amber'", "age >= 25", "origin <> 'Amber'", "age >= 25"),
    ("without a filter", "sex = 'woman'", None, "sex = 'woman'", "true"),
    ("numbers with NaN", "score >= 0.5", "score IS NOT NULL", "score >= 0.5", "NOT isnan(score)"),
    ("pattern", "origin LIKE '%b%'", "sex = 'man'", "origin LIKE '%b%'", "sex = 'man'"),
    ("arithmetic", "income / age > 1500", "decided >= DATE '2016-01-01'", "income / age > 1500",
     "decided >= DATE'2016-01-01'"),
)  # fmt: skip


def measure(n_rows: int, repeats: int) -> None:
    """Write the rows, measure in a process of its own, and print the table."""
    if shutil.which("java") is None or importlib.util.find_spec("pyspark") is None:
        say("Spark or Java is not installed: left out.")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "decisions.parquet"
        with duckdb.connect() as connection:
            connection.execute(ROWS.format(n=n_rows, path=path))
        found = in_fresh_process(MODULE, str(path), str(repeats))
    say(f"## Spark in local mode, {n_rows:,} rows of Parquet, median of {repeats}, both in turn\n")
    rows = [
        [each["what"], f"{each['bare']:.3f}", f"{each['ours']:.3f}", f"{each['ours'] / each['bare']:.2f}",
         each["brought"]]
        for each in found["checks"]
    ]  # fmt: skip
    say(markdown(["check", "bare GROUP BY, s", "fairaudit, s", "ratio", "rows brought back"], rows))
    say(f"\nPeak memory of our process {found['peak_mb']:.0f} MB, without Spark's own. Opening the table "
        f"{found['open']:.2f} s, its fingerprint {found['fingerprint']:.1f} s, a sample of {found['sampled']:,} rows "
        f"in {found['strata']} strata {found['sample']:.1f} s.")  # fmt: skip


def worker(path: str, repeats: int) -> dict[str, Any]:
    """Ask each check and its bare form in turn; count the rows that come back."""
    from pyspark.sql import SparkSession

    from fairaudit import Condition, check_controlled_fairness
    from fairaudit.data.engines.connect import connect_table

    settings = {
        "spark.ui.enabled": "false", "spark.driver.memory": "2g", "spark.sql.shuffle.partitions": "2",
        "spark.log.level": "OFF", "spark.ui.showConsoleProgress": "false", "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1", "spark.sql.warehouse.dir": str(Path(path).parent),
    }  # fmt: skip
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.read.parquet(path).createOrReplaceTempView("decisions")
    start = time.perf_counter()
    table = connect_table(spark, table="decisions", timeout=600)
    opened = time.perf_counter() - start
    brought = _watched(spark)
    checks = []
    for what, protected, where, select, kept in CHECKS:
        bare = (
            f"SELECT {select} AS a, decision = 'granted' AS b, count(*) AS n FROM decisions WHERE {kept} GROUP BY ALL"
        )
        seconds: dict[str, list[float]] = {"bare": [], "ours": []}
        for _ in range(repeats):
            start = time.perf_counter()
            by_hand = {(row["a"], row["b"]): row["n"] for row in spark.sql(bare).collect()}
            seconds["bare"].append(time.perf_counter() - start)
            brought.clear()
            start = time.perf_counter()
            found = check_controlled_fairness(
                table, decision="decision", favorable="granted", protected=protected, where=where
            )
            seconds["ours"].append(time.perf_counter() - start)
        if found.protected.positives != by_hand[True, True] or found.reference.positives != by_hand[False, True]:
            raise SystemExit(f"{what}: the counts differ")
        times = {name: median(values) for name, values in seconds.items()}
        checks.append({"what": what, "brought": sum(brought)} | times)
    start = time.perf_counter()
    print(len(table.fingerprint))
    fingerprint = time.perf_counter() - start
    by = [Condition.parse(text, table.columns) for text in ("sex = 'woman'", "decision = 'granted'")]
    start = time.perf_counter()
    sample = table.sample(SAMPLE, by=by, seed=1, where="decision IS NOT NULL")
    return {"checks": checks, "peak_mb": peak_mb(), "open": opened, "fingerprint": fingerprint,
            "sample": time.perf_counter() - start, "sampled": sample.n_rows,
            "strata": len(sample.strata)}  # fmt: skip


def _watched(spark: Any) -> list[int]:
    """Return a list to which every answer of Spark adds the number of its rows."""
    kind = type(spark.sql("SELECT 1"))
    collect, counts = kind.collect, []

    def watched(frame: Any) -> list[Any]:
        rows = collect(frame)
        counts.append(len(rows))
        return rows

    kind.collect = watched
    return counts


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--worker", nargs=2, required=True)
    given = parser.parse_args().worker
    print(json.dumps(worker(given[0], int(given[1]))))
