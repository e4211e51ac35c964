"""A thousand mutated files: each becomes a table or a clear refusal, never anything else."""

from __future__ import annotations

import gzip
import io
import random
import time

import numpy as np
import pandas as pd
import pytest

from fairaudit.data import Limits, Table, read_table
from fairaudit.errors import FairauditError

SECONDS = 24.0
LIMITS = Limits(max_bytes=20_000_000, max_decompressed=20_000_000, max_cells=2_000_000)


def seeds() -> dict[str, bytes]:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "id": np.arange(60),
            "word": rng.choice(["a b", "ü", 'x,"y"', None], 60),
            "x": rng.normal(size=60).round(2),
            "flag": rng.random(60) > 0.5,
            "day": pd.to_datetime("2020-01-01") + pd.to_timedelta(np.arange(60), unit="D"),
        }
    )
    csv = frame.to_csv(index=False).encode()
    workbook, parquet = io.BytesIO(), io.BytesIO()
    frame.head(12).to_excel(workbook, index=False)
    frame.to_parquet(parquet)
    return {
        "csv": csv,
        "utf-16": csv.decode().encode("utf-16"),
        "tsv": frame.to_csv(index=False, sep="\t").encode("latin-1"),
        "gzip": gzip.compress(csv, mtime=0),
        "xlsx": workbook.getvalue(),
        "parquet": parquet.getvalue(),
    }


SEEDS = seeds()


def flip(data: bytearray, rng: random.Random) -> bytes:
    for _ in range(rng.randint(1, 20)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def cut(data: bytearray, rng: random.Random) -> bytes:
    start = rng.choice([0, 0, rng.randrange(len(data))])
    return bytes(data[start : rng.randrange(start, len(data)) + 1])


def splice(data: bytearray, rng: random.Random) -> bytes:
    other = SEEDS[rng.choice(sorted(SEEDS))]
    start, length = rng.randrange(len(other)), rng.randint(1, 300)
    at = rng.randrange(len(data))
    data[at : at + rng.choice([0, length])] = other[start : start + length]
    return bytes(data)


def repeat(data: bytearray, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    part = data[start : start + rng.randint(1, 50)]
    return bytes(data[:start] + part * rng.randint(2, 200) + data[start:])


def overwrite(data: bytearray, rng: random.Random) -> bytes:
    start, length = rng.randrange(len(data)), rng.randint(1, 16)
    data[start : start + length] = rng.choice([b"\0", b"\xff", b'"', b",", b"\n", b"\r", b"9"]) * length
    return bytes(data)


MUTATIONS = (flip, cut, splice, repeat, overwrite)


@pytest.mark.parametrize("kind", sorted(SEEDS))
def test_a_mutated_file_is_read_or_refused(kind, tmp_path):
    path = tmp_path / "table"
    deadline = time.monotonic() + SECONDS / len(SEEDS)
    n_read = n_refused = 0
    for number in range(170):
        rng = random.Random(f"{kind} {number}")
        data = rng.choice(MUTATIONS)(bytearray(SEEDS[kind]), rng)
        source = data
        if number % 3 == 0:
            path.write_bytes(data)
            source = path
        try:
            table = read_table(source, limits=LIMITS)
            assert isinstance(table, Table)
            assert len(table.to_pandas()) == table.n_rows
            assert len(table.fingerprint) == 64
            n_read += 1
        except FairauditError:
            n_refused += 1
        if time.monotonic() > deadline and number >= 20:
            break
    assert n_read, f"not one mutation of {kind} was read, so its reader was not tried"
    assert n_refused, f"not one mutation of {kind} was refused, so none did harm"
