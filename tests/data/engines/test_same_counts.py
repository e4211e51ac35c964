"""Every engine answers random conditions as the mask of a DataFrame does, row by row, or refuses with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from asked import (
    POINTED,
    as_frame,
    asked,
    conditions,
    expected,
    fill_duckdb,
    fill_postgres,
    fill_sqlite,
    leaves_the_range,
    rows,
)
from postgres_server import PASSWORD

from fairaudit import Table
from fairaudit.data.engines.connect import connect_table
from fairaudit.errors import InputError

N_CONDITIONS, N_ROWS, BATCH = 500, 250, 50


@pytest.fixture(scope="module")
def frame():
    return as_frame(rows(N_ROWS))


@pytest.fixture(scope="module")
def by_mask(frame):
    return [expected(condition, frame) for condition in conditions(N_CONDITIONS)]


@pytest.fixture(params=["embedded", "duckdb", "sqlite", "postgres"])
def table(request, frame, tmp_path: Path):
    cells = rows(N_ROWS)
    match request.param:
        case "embedded":
            return Table.from_pandas(frame)
        case "duckdb":
            fill_duckdb(tmp_path / "a.duckdb", cells)
            return connect_table(f"duckdb:///{tmp_path / 'a.duckdb'}", table="rows")
        case "sqlite":
            fill_sqlite(tmp_path / "a.sqlite", cells)
            return connect_table(f"sqlite:///{tmp_path / 'a.sqlite'}", table="rows")
    url = request.getfixturevalue("postgres_url")
    fill_postgres(url, cells, "same_counts")
    return connect_table(url, table="same_counts")


@pytest.fixture
def sorted_by_language(postgres, frame):
    """The same rows in a database that sorts texts by the rules of a language."""
    if float(postgres.programs.parent.name) < 15:
        pytest.skip("databases that sort by ICU need PostgreSQL 15")
    postgres.execute(
        "CREATE DATABASE by_language TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"
        " LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'"
    )
    url = postgres.url_of("owner", PASSWORD, "by_language")
    fill_postgres(url, rows(N_ROWS))
    return connect_table(url, table="rows")


def test_counts_are_those_of_the_mask(table, frame, by_mask):
    wanted = list(conditions(N_CONDITIONS))
    _compare(table, frame, wanted, by_mask)


def test_a_database_that_sorts_by_a_language_counts_the_same(sorted_by_language, frame, by_mask):
    assert sorted_by_language._engine.door.ask("SELECT 'b' < 'Z'") == [(True,)]
    few = slice(len(POINTED) + BATCH)
    _compare(sorted_by_language, frame, list(conditions(N_CONDITIONS))[few], by_mask[few])


def _compare(table, frame, wanted, by_mask):
    got = [answer for at in range(0, len(wanted), BATCH) for answer in asked(table, wanted[at : at + BATCH])]
    wrong = []
    refused = 0
    for condition, answer, right in zip(wanted, got, by_mask, strict=True):
        if isinstance(answer, InputError):
            refused += 1
            if not leaves_the_range(condition, frame):
                wrong.append(f"{condition}\n  {answer}\n  {table.writer.condition(condition)}")
        elif answer != right:
            wrong.append(f"{condition}\n  got {answer}, expected {right}\n  {table.writer.condition(condition)}")
    assert not wrong, f"{len(wrong)} of {len(wanted)}:\n" + "\n".join(wrong[:5])
    assert refused <= 0.1 * len(wanted), f"{refused} refused"
