"""Mutated files of each kind: a table or a plan, or one sentence; nothing else, in 60 seconds and 2 GB.

``python -m tests.campaign.mutated_files --kind xlsx --cases 10000 --seed 0`` tries so many and prints what came of
them; ``--case 17`` tries one of them alone and lets its error out.
"""

from __future__ import annotations

import gzip
import io
import json
import pickle
import sqlite3
import struct
import tempfile
import warnings
import zipfile
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.orc
import pyarrow.parquet as pq

from fairaudit.data import Limits, Table, read_table
from fairaudit.data.engines.connect import connect_table, open_door
from fairaudit.data.engines.named import read_connections
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.presets.preset import load_preset
from tests.campaign import mutations as m
from tests.campaign.cases import ROOT, Try, main

LIMITS = Limits(max_bytes=20_000_000, max_decompressed=20_000_000, max_cells=2_000_000)
IN_PLACE = Limits(max_bytes=20_000_000, max_decompressed=20_000_000, in_place_bytes=0)
BLOCK = 16_384
"""Bytes of a block of the DuckDB files: the smallest there can be."""

UNFIT = (
    ArithmeticError,
    ValueError,
    IndexError,
    EOFError,
    OSError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
)
"""Errors of a mutation of well-formed content, where an earlier one has left none."""

CONNECTIONS = b"""
[connections.hr]
url = "postgresql://db.example.org:5432/personnel?sslmode=require&connect_timeout=3"
user = "HR_USER"
password = "HR_PASSWORD"
timeout = 60.5
tables = ["audit.decisions", "audit.pay"]

[connections.local]
url = "sqlite:///hr.sqlite"
"""


def table() -> pd.DataFrame:
    """Return a small table of all kinds of columns."""
    rng = np.random.default_rng(1)
    n = 40
    return pd.DataFrame(
        {
            "id": np.arange(n) + 10**12,
            "word": rng.choice(["a b", "ü", 'x,"y"', "two\nlines", None], n),
            "x": rng.normal(size=n).round(3),
            "flag": rng.random(n) > 0.5,
            "day": pd.to_datetime("2020-01-01") + pd.to_timedelta(np.arange(n), unit="D"),
            "seen": pd.to_datetime("2020-01-01 10:20:30.5") + pd.to_timedelta(np.arange(n), unit="h"),
            "sex": rng.choice(["woman", "man"], n),
            "pay": pd.array(rng.choice([1000, 2500, None], n), dtype="Int64"),
        }
    )


def texts() -> list[bytes]:
    """Return a table as CSV in several ways of writing."""
    frame = table()
    plain = frame.to_csv(index=False).encode()
    numbers = frame[["id", "x", "pay", "sex"]]
    return [
        plain,
        b"\xef\xbb\xbf" + frame.to_csv(index=False, sep=";", decimal=",", lineterminator="\r\n").encode(),
        frame.drop(columns="word").to_csv(index=False, quoting=1).encode(),
        numbers.to_csv(index=False, header=False).encode(),
        frame[["sex"]].to_csv(index=False).encode(),
    ]


def tabbed() -> list[bytes]:
    """Return a table as TSV, in an old encoding as well."""
    frame = table()
    return [frame.to_csv(index=False, sep="\t").encode(), frame.to_csv(index=False, sep="\t").encode("latin-1")]


def utf16() -> list[bytes]:
    """Return a table as CSV in UTF-16, with and without a mark."""
    text = table().to_csv(index=False)
    return [text.encode("utf-16"), text.encode("utf-16-be"), text.encode("utf-16-le")]


def workbooks() -> list[bytes]:
    """Return a table as workbooks: shared texts, texts in their cells, several sheets."""
    frame = table().head(12)
    several, single = io.BytesIO(), io.BytesIO()
    with pd.ExcelWriter(several, engine="openpyxl") as writer:
        frame.head(0).to_excel(writer, sheet_name="empty", header=False, index=False)
        frame.to_excel(writer, sheet_name="people & pay", index=False)
        frame.head(3).to_excel(writer, sheet_name="Übersicht", startrow=3, startcol=2)
    frame[["sex", "pay", "day"]].to_excel(single, index=False)
    with zipfile.ZipFile(single) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["xl/worksheets/sheet1.xml"] = (
        b'<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        + b'<row r="1"><c r="A1" t="inlineStr"><is><t>sex</t></is></c><c t="str"><v>pay</v></c></row>'
        + b'<row><c t="inlineStr"><is><t xml:space="preserve"> man </t></is></c><c><f>1+1</f><v>2</v></c></row>' * 9
        + b'<row r="20"><c r="B20" t="b"><v>1</v></c><c r="C20" t="e"><v>#N/A</v></c></row>'
        + b"</sheetData></worksheet>"
    )
    inline = io.BytesIO()
    with zipfile.ZipFile(inline, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return [several.getvalue(), single.getvalue(), inline.getvalue()]


def parquets() -> list[bytes]:
    """Return a table as Parquet in several ways of packing."""
    frame = table()
    rows = pa.Table.from_pandas(frame)
    more = (
        rows.append_column("list", pa.array([[1, 2]] * len(frame)))
        .append_column("price", pa.array([None, 3] * (len(frame) // 2), pa.decimal128(20, 2)))
        .append_column("date", rows["day"].cast(pa.date32()))
        .append_column("zoned", rows["seen"].cast(pa.timestamp("us", "Europe/Vienna")))
        .append_column("kind", rows["sex"].dictionary_encode())
        .append_column("clock", pa.array([1] * len(frame), pa.time64("us")))
    )
    made = []
    for content, options in (
        (rows, {"compression": "snappy"}),
        (rows, {"compression": "none", "use_dictionary": False, "row_group_size": 7}),
        (more, {"compression": "zstd", "data_page_version": "2.0"}),
        (more.select(["price", "date", "zoned", "kind"]), {"compression": "gzip", "store_schema": False}),
        (rows.select(["id", "x"]), {"use_dictionary": False, "column_encoding": "BYTE_STREAM_SPLIT"}),
    ):
        stream = io.BytesIO()
        pq.write_table(content, stream, **options)
        made.append(stream.getvalue())
    return made


def others() -> list[bytes]:
    """Return files of kinds that are not read."""
    frame = table()
    rows = pa.Table.from_pandas(frame)
    feather, stream, stata, orc, archive = (io.BytesIO() for _ in range(5))
    pyarrow.feather.write_feather(rows, feather)
    with pa.ipc.new_stream(stream, rows.schema) as writer:
        writer.write_table(rows)
    frame[["id", "x", "sex"]].to_stata(stata, write_index=False)
    pyarrow.orc.write_table(rows.select(["id", "x", "sex"]), orc)
    with zipfile.ZipFile(archive, "w") as inside:
        inside.writestr("data.csv", frame.to_csv())
    records = json.loads(frame.to_json(orient="records"))
    return [
        feather.getvalue(), stream.getvalue(), stata.getvalue(), orc.getvalue(), archive.getvalue(),
        "\n".join(map(json.dumps, records)).encode(), json.dumps(records).encode(), frame.to_html().encode(),
        pickle.dumps(frame.to_dict()), pickle.dumps(["a", "b"], protocol=0), frame.to_xml(parser="etree").encode(),
    ]  # fmt: skip


def plans() -> list[bytes]:
    """Return the saved audits that come with the project."""
    folders = (ROOT / "sample_data", ROOT / "tests" / "golden" / "plans")
    return [path.read_bytes() for folder in folders for path in sorted(folder.glob("*.toml"))]


def forms() -> list[bytes]:
    """Return the forms that come with the project."""
    folders = (ROOT / "fairaudit" / "presets", ROOT / "sample_data" / "local_rules")
    return [path.read_bytes() for folder in folders for path in sorted(folder.glob("*.toml"))]


def sqlite_files() -> list[bytes]:
    """Return a table as an SQLite file, with small pages and with an index, a view and a long text."""
    frame = table()
    made = []
    for size in (512, 4096):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file"
            connection = sqlite3.connect(path)
            connection.execute(f"PRAGMA page_size = {size}")
            frame.to_sql("people", connection, index=False)
            connection.execute("CREATE INDEX by_sex ON people (sex)")
            connection.execute("CREATE VIEW women AS SELECT * FROM people WHERE sex = 'woman'")
            connection.execute("UPDATE people SET word = ? WHERE rowid = 5", ("long " * 500,))
            connection.commit()
            connection.close()
            made.append(path.read_bytes())
    return made


def duckdb_files() -> list[bytes]:
    """Return a table as a DuckDB file, with small blocks."""
    frame = table()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        connection = duckdb.connect()
        connection.execute(f"ATTACH '{path}' AS made (BLOCK_SIZE {BLOCK})")
        connection.register("frame", frame)
        connection.execute("CREATE TABLE made.people AS SELECT * FROM frame, range(40)")
        connection.execute("CREATE VIEW made.women AS SELECT * FROM made.people WHERE sex = 'woman'")
        connection.execute("DETACH made")
        connection.close()
        return [path.read_bytes()]


def use(read: Table) -> str:
    """Look at all of a table, as the checks do."""
    assert len(read.fingerprint) == 64
    rows = len(read.to_pandas())
    # A database counts with an index, and is believed where that does not fit its table.
    assert rows == read.n_rows or read.is_connected
    return "read"


def from_bytes(data: bytes, folder: Path) -> str:
    """Read a table that is held in memory."""
    return use(read_table(data, limits=LIMITS))


def in_place(data: bytes, folder: Path) -> str:
    """Read a table where it lies."""
    path = folder / "file"
    path.write_bytes(data)
    return use(read_table(path, limits=IN_PLACE))


def saved_audit(data: bytes, folder: Path) -> str:
    """Open a saved audit."""
    path = folder / "plan.toml"
    path.write_bytes(data)
    plan = AuditPlan.load(path)
    assert AuditPlan.from_toml(plan.to_toml()).digest == plan.digest
    return "read"


def connections(data: bytes, folder: Path) -> str:
    """Read a file of connections."""
    read_connections(data.decode("utf-8", "replace"))
    return "read"


def form(data: bytes, folder: Path) -> str:
    """Read an office's own form."""
    # It has a key and a title of its own, or it would be refused for those of the form it was made of.
    data = data.replace(b'key = "', b'key = "own_', 1).replace(b'title = "', b'title = "Own ', 1)
    (folder / "form.toml").write_bytes(data)
    load_preset("form.toml", base=folder)
    return "read"


def database(dialect: str) -> Callable[[bytes, Path], str]:
    """Return how a table in a file of a database is read."""

    def read(data: bytes, folder: Path) -> str:
        path = folder / "file"
        path.write_bytes(data)
        for name in open_door(f"{dialect}:///{path}", timeout=20).tables()[:3]:
            use(connect_table(f"{dialect}:///{path}", table=name, timeout=20))
        return "read"

    return read


def kind(
    seeds: Callable[[], Sequence[bytes]], read: Callable[[bytes, Path], str], *own: m.Mutation, share: float = 0.6
) -> Try:
    """Return what is tried of a kind of file: valid files, how they are read, and mutations of this kind alone."""
    made = cache(seeds)

    def attempt(rng: Random, folder: Path) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data = rng.choice(made())
            chosen = own if own and rng.random() < share else m.BYTES
            # What is well-formed is changed once or twice at most, or it would be refused for being none.
            for _ in range(rng.choice([1, 1, 2, 3]) if chosen is m.BYTES else rng.choice([1, 1, 1, 2])):
                try:
                    data = rng.choice(chosen)(data, rng) or b" "
                except UNFIT:
                    data = rng.choice(m.BYTES)(data, rng) or b" "
        return read(data, folder)

    return attempt


TEXT = (m.cells, m.cells, m.cells, m.overwrite, m.insert)
KINDS: dict[str, Try] = {
    "csv": kind(texts, from_bytes, m.cells),
    "tsv": kind(tabbed, from_bytes, m.cells),
    "utf-16": kind(utf16, from_bytes),
    "gzip": kind(lambda: [gzip.compress(text, mtime=0) for text in texts()], from_bytes, m.gzipped(TEXT)),
    "text in place": kind(texts, in_place, m.cells),
    "xlsx": kind(workbooks, from_bytes, m.zipped((*[m.xml] * 9, m.flip, m.cut)), share=0.9),
    "parquet": kind(parquets, from_bytes, m.footer, m.footer, m.pages, share=0.8),
    "parquet in place": kind(parquets, in_place, m.footer, m.footer, m.pages, share=0.8),
    "other kinds": kind(others, from_bytes),
    "saved audit": kind(plans, saved_audit, m.toml),
    "form": kind(forms, form, m.toml),
    "connections": kind(lambda: [CONNECTIONS], connections, m.toml),
    "sqlite": kind(sqlite_files, database("sqlite"), m.sqlite_page),
    "duckdb": kind(duckdb_files, database("duckdb"), m.duckdb_block(BLOCK)),
}

if __name__ == "__main__":
    main("tests.campaign.mutated_files", KINDS, cases=10_000)
