"""The administrator's folder: listed, opened in place, never left."""

from __future__ import annotations

import os

import pandas as pd
import pytest

from fairaudit.data import ReadOptions, list_folder, open_from_folder
from fairaudit.errors import DataError, InputError, TwoReadingsError


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "data"
    root.mkdir()
    (root / "b.csv").write_bytes(b"a,b\n1,2\n")
    pd.DataFrame({"a": [1, 2]}).to_parquet(root / "A.parquet")
    (root / "notes.md").write_text("no table")
    (root / ".hidden.csv").write_bytes(b"a,b\n1,2\n")
    (tmp_path / "secret.csv").write_bytes(b"a,b\n1,2\n")
    (root / "link.csv").symlink_to(tmp_path / "secret.csv")
    (root / "below").mkdir()
    return root


def test_only_tables_that_lie_in_the_folder_are_listed(folder):
    assert [(file.name, file.format) for file in list_folder(folder)] == [("A.parquet", "parquet"), ("b.csv", "csv")]


def test_a_file_whose_name_is_not_utf8_is_left_out_alone(folder):
    (folder / os.fsdecode(b"d\xe9cisions.csv")).write_bytes(b"a,b\n1,2\n")
    assert [file.name for file in list_folder(folder)] == ["A.parquet", "b.csv"]


def test_a_file_of_the_folder_is_read_as_said(folder):
    (folder / "pay.csv").write_bytes(b"id;pay\n1;1.157\n2;983\n")
    with pytest.raises(TwoReadingsError):
        open_from_folder(folder, "pay.csv")
    table = open_from_folder(folder, "pay.csv", ReadOptions(decimal_comma=("pay",)))
    assert table.count("pay = 1157") == 1


def test_a_listed_file_is_opened(folder):
    table = open_from_folder(folder, "A.parquet")
    assert table.source.in_place
    assert table.n_rows == 2


@pytest.mark.parametrize("name", ["../secret.csv", "link.csv", ".hidden.csv", "below", "", "/etc/passwd", "notes.md"])
def test_nothing_else_is_opened(folder, name):
    with pytest.raises(InputError, match="no table"):
        open_from_folder(folder, name)


def test_a_missing_folder_is_an_error_with_a_remedy(tmp_path):
    with pytest.raises(DataError, match="not there"):
        list_folder(tmp_path / "none")
