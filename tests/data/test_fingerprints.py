"""The fingerprint is of the content in row order, whatever the file."""

from __future__ import annotations

import gzip

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.data import ReadOptions, Table, read_table


def frame_of(n: int) -> pd.DataFrame:
    rng = np.random.default_rng(n)
    return pd.DataFrame(
        {
            "id": np.arange(n),
            "word": rng.choice(["a b", "ü", 'x,"y"', None], n),
            "x": rng.normal(size=n).round(3),
            "whole": pd.array(rng.choice([1, 2, None], n), dtype="Int64"),
            "flag": rng.random(n) > 0.5,
            "day": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 999, n), unit="D"),
            "when": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 99_999_999, n), unit="s"),
            "code": [f"{i:05d}" for i in range(n)],
        }
    )


def test_every_container_of_one_table_has_one_fingerprint(tmp_path):
    frame = frame_of(500)
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_csv(tmp_path / "b.tsv", index=False, sep="\t")
    frame.to_csv(tmp_path / "c.csv", index=False, sep=";", decimal=",", encoding="utf-16", lineterminator="\r\n")
    frame.to_parquet(tmp_path / "d.parquet")
    frame.to_excel(tmp_path / "e.xlsx", index=False)
    (tmp_path / "f.gz").write_bytes(gzip.compress((tmp_path / "a.csv").read_bytes()))
    prints = {read_table(path).fingerprint for path in tmp_path.iterdir()}
    prints |= {read_table(path.read_bytes(), name="other").fingerprint for path in tmp_path.iterdir()}
    prints |= {
        Table.from_pandas(frame).fingerprint,
        Table.from_pandas(read_table(tmp_path / "a.csv").to_pandas()).fingerprint,
    }
    assert len(prints) == 1
    assert len(prints.pop()) == 64


def test_blocks_do_not_matter_to_long_tables(tmp_path):
    frame = pd.DataFrame({"a": np.arange(150_000), "b": ["x", None, "yy"] * 50_000})
    path = tmp_path / "a.parquet"
    frame.to_parquet(path, row_group_size=10_007)
    assert read_table(path).fingerprint == read_table(frame.to_csv(index=False).encode()).fingerprint


@pytest.mark.parametrize(
    "other",
    [
        b"a,b\n1,x\n2,z\n",
        b"a,b\n2,y\n1,x\n",
        b"a,c\n1,x\n2,y\n",
        b"b,a\nx,1\ny,2\n",
        b"a,b\n1,x\n",
        b"a,b\n1,x\n2,\n",
        b"a,b\n1x,\n2,y\n",
    ],
)
def test_other_content_has_another_fingerprint(other):
    assert read_table(b"a,b\n1,x\n2,y\n").fingerprint != read_table(other).fingerprint


def test_missing_texts_are_missing_in_the_fingerprint_too():
    marked = read_table(b"a,b\n?,x\n2,y\n", options=ReadOptions(missing=("?",)))
    assert marked.fingerprint == read_table(b"a,b\n,x\n2,y\n").fingerprint


cells = st.none() | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=6)


@pytest.mark.thorough
@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=8))
def test_any_texts_agree_between_frame_and_csv(rows):
    frame = pd.DataFrame(
        {"first": pd.array([r[0] for r in rows], "str"), "second": pd.array([r[1] for r in rows], "str")}
    )
    data = frame.to_csv(index=False, quoting=1).encode()
    read = read_table(data, options=ReadOptions(delimiter=",", quote='"', header=True))
    assert read.fingerprint == Table.from_pandas(frame).fingerprint
