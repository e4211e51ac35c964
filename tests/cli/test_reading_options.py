"""What is said of a table on the command line is carried out where the rows are, or refused."""

from __future__ import annotations

import duckdb
import pytest

from fairaudit.cli.main import main
from fairaudit.cli.reading import OF_FILES
from fairaudit.settings import CONNECTIONS

ASKED = ["--decision", "ok", "--favorable", "yes", "--protected", "sex = 'woman'", "--labels", "sex:1=man,2=woman"]
VALUES = {"--decimal": ",", "--dates": "day first", "--names-row": "2", "--name-rows": "2", "--leave-out-row": "2"}


@pytest.fixture
def connection(tmp_path, monkeypatch) -> str:
    with duckdb.connect(str(tmp_path / "rows.duckdb")) as held:
        held.execute(
            "CREATE TABLE cases AS SELECT [1, 2, 9][1 + i % 3] AS sex, ['yes', 'no'][1 + i % 7 % 2] AS ok"
            " FROM range(600) AS r(i)"
        )
    connections = tmp_path / "connections.toml"
    connections.write_text(f'[connections.hr]\nurl = "duckdb:///{tmp_path / "rows.duckdb"}"\n')
    monkeypatch.setenv(CONNECTIONS.variable, str(connections))
    return "connection:hr/cases"


@pytest.mark.parametrize("option", OF_FILES.values())
def test_what_is_said_of_a_file_is_refused_of_a_connection(option, connection, capsys):
    assert main(["check", connection, *ASKED, option, VALUES.get(option, "nope")]) == 2
    assert f"'{option}'" in capsys.readouterr().err


def test_rows_are_left_out_by_a_label_where_they_are(connection, capsys):
    named = ["--labels", "sex:9=someone"]
    assert main(["check", connection, *ASKED, *named, "--leave-out", "sex=someone", "--by", "sex"]) == 0
    by_label = capsys.readouterr().out
    assert main(["check", connection, *ASKED, *named, "--leave-out", "sex=9", "--by", "sex"]) == 0
    assert "someone" not in by_label and capsys.readouterr().out == by_label
