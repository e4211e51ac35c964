"""A check on rows that stay in PostgreSQL, beside the bare GROUP BY that a person would type."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.common import in_fresh_process, markdown, median, peak_mb, say

MODULE = "benchmarks.engines_postgres"
TARGET_RATIO, TARGET_MB = 1.3, 300
ROWS = """
CREATE TABLE decisions AS
SELECT i AS id,
  (ARRAY['Amber', 'Blue', 'Coral', 'Dune', 'Ebony'])[1 + (i::bigint * 2654435761 % 97 % 5)::int] AS origin,
  CASE WHEN i::bigint * 40503 % 100 < 48 THEN 'woman' ELSE 'man' END AS sex,
  (18 + i::bigint * 7919 % 60)::smallint AS age,
  (100 * (120 + i::bigint * 104729 % 900))::int AS income,
  CASE WHEN i % 20 = 0 THEN 'NaN'::float8 ELSE (i::bigint * 31337 % 1000) / 1000.0::float8 END AS score,
  ((i::bigint * 65537 % 1000000) / 100.0)::numeric(10, 2) AS loan,
  date '2015-01-01' + (i::bigint * 13 % 3650)::int AS decided,
  CASE WHEN i % 50 = 0 THEN NULL WHEN i::bigint * 48271 % 1000 < 430 THEN 'granted' ELSE 'refused' END AS decision
FROM generate_series(1, {n}) AS i
"""
# protected, filter, and both as a person types them after SELECT and WHERE
CHECKS = (
    ("text, whole number", "origin <> 'Amber'", "age >= 25", "origin <> 'Amber'", "age >= 25"),
    ("without a filter", "sex = 'woman'", None, "sex = 'woman'", "true"),
    ("list, dates", "origin IN ('Coral', 'Dune')", "decided BETWEEN DATE '2016-01-01' AND DATE '2019-12-31'",
     "origin IN ('Coral', 'Dune')", "decided BETWEEN DATE '2016-01-01' AND DATE '2019-12-31'"),
    ("numbers with NaN", "score >= 0.5", "score IS NOT NULL", "score >= 0.5", "score <> 'NaN'"),
    ("pattern", "origin LIKE '%b%'", "sex = 'man'", "origin LIKE '%b%'", "sex = 'man'"),
    ("arithmetic", "income / age > 1500", "age >= 25", "income::float8 / age > 1500", "age >= 25"),
    ("decimal numbers", "loan > 5000", "age >= 25", "loan > 5000", "age >= 25"),
    ("decimal numbers, known", "loan > 5000", "loan IS NOT NULL", "loan > 5000", "loan IS NOT NULL"),
)  # fmt: skip


def measure(n_rows: int, repeats: int) -> None:
    """Start a server, fill it, measure in a process of its own, and print the table."""
    from tests.support.postgres_server import PROGRAMS, Postgres

    if not PROGRAMS:
        say("PostgreSQL is not installed: left out.")
        return
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        server = Postgres(Path(folder) / "server", shared_buffers="2GB", work_mem="64MB", max_wal_size="8GB")
        try:
            server.start()
            start = time.perf_counter()
            server.execute(ROWS.format(n=n_rows), "VACUUM ANALYZE decisions")
            made = time.perf_counter() - start
            found = in_fresh_process(MODULE, server.url, str(repeats))
        finally:
            server.stop()
    say(f"## PostgreSQL, {n_rows:,} rows (made in {made:.0f} s), median of {repeats}, both in turn\n")
    rows = [
        [each["what"], f"{each['bare']:.3f}", f"{each['ours']:.3f}", f"{each['ours'] / each['bare']:.2f}"]
        for each in found["checks"]
    ]
    say(markdown(["check", "bare GROUP BY, s", "fairaudit, s", "ratio"], rows))
    worst = max(each["ours"] / each["bare"] for each in found["checks"])
    say(f"\nLargest ratio {worst:.2f} (wanted: at most {TARGET_RATIO}); peak memory of our process "
        f"{found['peak_mb']:.0f} MB (wanted: under {TARGET_MB}), {found['imports_mb']:.0f} MB of it imports. "
        f"Opening the table {found['open']:.2f} s, its fingerprint {found['fingerprint']:.1f} s.")  # fmt: skip


def worker(url: str, repeats: int) -> dict[str, Any]:
    """Ask each check and its bare form in turn."""
    import psycopg

    from fairaudit import check_controlled_fairness, connect_table

    imports = peak_mb()
    start = time.perf_counter()
    table = connect_table(url, table="decisions")
    opened = time.perf_counter() - start
    checks = []
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        for what, protected, where, select, kept in CHECKS:
            bare = f"SELECT {select}, decision = 'granted', count(*) FROM decisions WHERE {kept} GROUP BY 1, 2"
            seconds: dict[str, list[float]] = {"bare": [], "ours": []}
            for _ in range(repeats):
                start = time.perf_counter()
                by_hand = {row[:2]: row[2] for row in connection.execute(bare).fetchall()}
                seconds["bare"].append(time.perf_counter() - start)
                start = time.perf_counter()
                found = check_controlled_fairness(
                    table, decision="decision", favorable="granted", protected=protected, where=where
                )
                seconds["ours"].append(time.perf_counter() - start)
            if found.protected.positives != by_hand[True, True] or found.reference.positives != by_hand[False, True]:
                raise SystemExit(f"{what}: the counts differ")
            checks.append({"what": what} | {name: median(values) for name, values in seconds.items()})
    peak = peak_mb()
    start = time.perf_counter()
    print(len(table.fingerprint))
    spent = time.perf_counter() - start
    return {"checks": checks, "peak_mb": max(peak, peak_mb()), "imports_mb": imports, "open": opened,
            "fingerprint": spent}  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--worker", nargs=2, required=True)
    given = parser.parse_args().worker
    print(json.dumps(worker(given[0], int(given[1]))))
