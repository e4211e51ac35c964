"""Values that containers write in different ways mean the same."""

from __future__ import annotations

import io

import pandas as pd

from fairaudit.data import read_table


def test_offsets_of_timestamps_are_kept_as_the_same_moment():
    table = read_table(b"id,at\n1,2020-01-01 10:00:00+02:00\n2,2020-01-01 08:30:00Z\n3,2020-01-01 09:00:00-08\n")
    moments = table.to_pandas(["at"])["at"].dt.strftime("%Y-%m-%d %H:%M").tolist()
    assert moments == ["2020-01-01 08:00", "2020-01-01 08:30", "2020-01-01 17:00"]


def test_timestamps_without_an_offset_stay_as_they_are_written():
    table = read_table(b"id,at\n1,2020-07-01 10:00:00\n2,2020-01-01 08:30:00\n")
    assert table.to_pandas(["at"])["at"].dt.hour.tolist() == [10, 8]


def test_single_precision_agrees_between_parquet_and_csv():
    frame = pd.DataFrame({"x": pd.Series([0.1, 2.5, 1e-7, 3.0], dtype="float32"), "y": [1, 2, 3, 4]})
    parquet, csv = io.BytesIO(), frame.to_csv(index=False).encode()
    frame.to_parquet(parquet)
    packed = read_table(parquet.getvalue())
    assert packed.to_pandas(["x"])["x"].tolist() == [0.1, 2.5, 1e-7, 3.0]
    assert packed.fingerprint == read_table(csv).fingerprint
    assert packed.count("x = 0.1") == 1
