"""What is said of values on the command line is said of values that are there, and once."""

from __future__ import annotations

import pandas as pd
import pytest

from fairaudit.cli.main import BAD_INPUT, DONE, main
from fairaudit.columns import ReadOptions
from fairaudit.data import Table
from fairaudit.errors import InputError


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "cases.csv"
    rows = {"sex": [1, 2, 9] * 20, "race": ["A", "B", "Nobody", "NA"] * 15, "hired": ["yes", "no"] * 30}
    pd.DataFrame(rows).assign(age=["25", "8888", "NA"] * 20, w=1.5).to_csv(path, index=False)
    return str(path)


@pytest.mark.parametrize(
    "said, column, value, near",
    [
        (["--not-known", "sex=nine"], "sex", "nine", "1"),
        (["--leave-out", "race=Nobdy"], "race", "Nobdy", "Nobody"),
        (["--real-value", "sex=7", "--labels", "sex:1=man,2=woman"], "sex", "7", "'9'"),
    ],
)
def test_a_value_that_is_not_there_is_refused(data, capsys, said, column, value, near):
    assert main(["describe", data, *said]) == BAD_INPUT
    err = capsys.readouterr().err
    assert f"'{column}'" in err and f"'{value}'" in err and near in err


@pytest.mark.parametrize(
    "said",
    [
        ["--not-known", "sex=9.0"],
        ["--not-known", "age=NA", "--leave-out", "age=8888"],
        ["--leave-out", "race="],
        ["--labels", "sex:1=man,2=woman,9=unknown", "--real-value", "sex=9"],
        ["--labels", "sex:1=man,2=woman,9=unknown", "--not-known", "sex=unknown"],
    ],
)
def test_values_that_are_there_are_taken_however_they_are_written(data, said):
    assert main(["describe", data, *said]) == DONE


@pytest.mark.parametrize("second", ["left_out", "real_values"])
def test_one_thing_is_said_of_a_value(second):
    with pytest.raises(InputError, match=second):
        ReadOptions(not_known={"sex": ("9",)}, **{second: {"sex": ("9", "8")}})


def test_rows_are_weighted_or_count_once(data, capsys):
    with pytest.raises(InputError, match="unweighted"):
        Table.from_pandas(pd.read_csv(data), weights="w", unweighted=True)
    assert main(["describe", data, "--weights", "w", "--unweighted"]) == BAD_INPUT
    assert "unweighted" in capsys.readouterr().err
