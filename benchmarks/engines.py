"""Measure checks on tables that stay where they are.

Run from the folder of the project::

    python -m benchmarks.engines                     # all parts
    python -m benchmarks.engines --part postgres     # 10 M rows in a PostgreSQL server made for the purpose
    python -m benchmarks.engines --part postgres --rows 1000000
    python -m benchmarks.engines --part spark        # the same questions to Spark in local mode
"""

from __future__ import annotations

import argparse
import importlib

from benchmarks.common import say, setting

PARTS = {"postgres": "benchmarks.engines_postgres", "spark": "benchmarks.engines_spark"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    say(setting("duckdb", "sqlalchemy", "sqlglot"))
    for part in options.part or PARTS:
        importlib.import_module(PARTS[part]).measure(options.rows, options.repeats)


if __name__ == "__main__":
    main()
