"""Real engines: a PostgreSQL server of the tests' own, an SQLite and a DuckDB file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import Postgres, started


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what runs on Spark, which takes half a minute to start, to the campaign."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker("campaign")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory) -> Iterator[Postgres]:
    """A running server, or a visible skip where there is none to run."""
    with started(tmp_path_factory.mktemp("postgres") / "server") as server:
        yield server


@pytest.fixture(scope="session")
def postgres_url(postgres: Postgres) -> str:
    """The address of the server, as the owner."""
    return postgres.url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The address of an SQLite file that a test fills."""
    return f"sqlite:///{tmp_path / 'decisions.sqlite'}"


@pytest.fixture
def duckdb_url(tmp_path: Path) -> str:
    """The address of a DuckDB file that a test fills."""
    return f"duckdb:///{tmp_path / 'decisions.duckdb'}"


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """A small Spark session in a zone far from UTC, or a visible skip where Spark or Java is missing."""
    if shutil.which("java") is None:
        pytest.skip("no Java is installed, which Spark runs on (Debian: openjdk-17-jre-headless)")
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    settings = {
        "spark.ui.enabled": "false", "spark.driver.memory": "1g", "spark.sql.shuffle.partitions": "2",
        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.log.level": "OFF",
        "spark.sql.session.timeZone": "America/New_York", "spark.ui.showConsoleProgress": "false",
        # Compiling well takes longer than the tests.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("spark")),
    }  # fmt: skip
    builder = sql.SparkSession.builder.master("local[2]").appName("tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()
