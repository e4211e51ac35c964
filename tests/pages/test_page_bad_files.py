"""A file that cannot be used is refused with one sentence, and the table from before stays; what can be read is."""

from __future__ import annotations

import gzip
import io
import pickle

import pandas as pd
import pytest
from shown import shows

pytestmark = pytest.mark.campaign

ROWS = [("F", "y"), ("M", "n"), ("F", "n"), ("M", "y")] * 20


def _csv(head: str = "sex,ok", *, encoding: str = "utf-8", end: str = "\n") -> bytes:
    return end.join([head, *(",".join(row) for row in ROWS)]).encode(encoding)


def _parquet() -> bytes:
    file = io.BytesIO()
    pd.DataFrame(ROWS, columns=["sex", "ok"]).to_parquet(file)
    return file.getvalue()


REFUSED = {
    "empty": (b"", "empty"),
    "header_only": (b"sex,ok\n", "row"),
    "wide": (",".join(f"c{i}" for i in range(5000)).encode() + b"\n" + b",".join([b"1"] * 5000), "5,000 columns"),
    "huge_cell": (b"sex,ok\nF,y\nM," + b"x" * 10_000_000 + b"\n", "cell"),
    "renamed_exe": (b"MZ\x90\x00\x03\x00\x00\x00\x04\x00" + bytes(range(256)) * 20, "CSV"),
    "zip_bomb": (gzip.compress(b"0" * 300_000_000, 1), ""),
    "truncated_parquet": (_parquet()[:-40], "Parquet"),
    "pickle": (pickle.dumps(pd.DataFrame(ROWS)), "CSV"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_unusable_file_is_refused_and_the_earlier_table_stays(app, case):
    content, word = REFUSED[case]
    app.upload("good.csv", _csv()).decide("ok", "y")
    before = app.state.table
    app.upload("bad.csv", content)
    assert len(app.error) == 1, app.text
    assert word in app.errors
    assert "Traceback" not in app.errors and len(app.errors) < 700
    assert app.state.table is before and app.state.decision is not None
    assert "Still in use: good" in app.text
    assert "80 rows, 2 columns" in app.text
    app.go("Groups")
    app.assert_refuses_nothing()


def test_unusable_first_file_leaves_no_table(app):
    app.upload("bad.csv", b"")
    assert "empty" in app.errors and app.state.table is None
    app.upload("good.csv", _csv())
    app.assert_refuses_nothing()
    assert app.state.table.n_rows == 80


def test_a_text_that_is_refused_can_be_read_in_another_way(app):
    app.upload("t.csv", b"sex,ok\nF,y\n" + b'"M,n\nF,n\n' * 20)
    assert "quote" in app.errors and app.state.table is None
    app.selectbox(key="data_refused_encoding").set_value("latin-1")
    next(b for b in app.button if b.label.startswith("Read it with")).click()
    assert "quote" in app.run().errors, "what is still wrong is said again"
    app.selectbox(key="data_refused_quote").set_value("")
    next(b for b in app.button if b.label.startswith("Read it with")).click()
    app.run().assert_refuses_nothing()
    assert app.state.table.n_rows == 41 and not [box for box in app.selectbox if box.key == "data_refused_quote"]


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02" * 99, b"PK\x03\x04" + b"x" * 99])
def test_what_is_no_text_has_no_other_way(app, content):
    app.upload("t.csv", content)
    assert len(app.error) == 1 and not [box for box in app.selectbox if box.key == "data_refused_quote"]


def test_refused_file_is_read_once_only(app, monkeypatch):
    app.upload("bad.csv", b"")
    monkeypatch.setattr("ui.data.loading.read_table", lambda *_, **__: pytest.fail("read again"))
    assert "empty" in app.run().errors


def test_table_of_one_column_leads_on(app):
    app.upload("one.csv", b"ok\n" + b"y\nn\n" * 20)
    assert app.state.table is None or "1 column" in app.text
    assert len(app.error) <= 1


def test_duplicate_and_empty_names_get_a_note(app):
    app.upload("names.csv", b"a,a,\n" + b"F,y,1\nM,n,2\n" * 20)
    names = list(app.state.table.columns)
    assert len(set(names)) == len(names) and all(names)
    assert "name" in app.text


@pytest.mark.parametrize(
    "content",
    [
        _csv("größe,ok", encoding="latin-1"),
        _csv("größe,ok", encoding="utf-16"),
        b"\xef\xbb\xbf" + _csv("größe,ok"),
        _csv("größe,ok", end="\r\n"),
        _parquet(),
    ],
    ids=["latin-1", "utf-16", "bom", "crlf", "parquet"],
)
def test_other_encodings_and_containers_are_read(app, content):
    app.upload("t.csv", content)
    app.assert_refuses_nothing()
    assert app.state.table.n_rows == 80
    assert next(iter(app.state.table.columns)) in {"größe", "sex"}


def test_ragged_file_is_read_or_its_line_is_named(app):
    app.upload("ragged.csv", _csv() + b"\nF,y,extra\n" + _csv()[7:])
    assert app.state.table is not None or "line" in app.errors


def test_reading_again_with_other_choices_changes_the_table(app):
    app.upload("t.csv", b"sex;ok\n" + b"F;y\n?;n\n" * 20)
    app.multiselect(key=app.data_key("missing")).set_value(["?"])
    next(b for b in app.button if b.label.startswith("Read it again")).click()
    app.run()
    assert app.state.table.count("sex IS NULL") == 20


def test_impossible_reading_is_refused_and_the_table_stays(app):
    app.upload("t.csv", "größe,ok\n".encode("latin-1") + b"F,y\nM,n\n" * 20)
    before = app.state.table
    app.selectbox(key=app.data_key("encoding")).set_value("utf-8")
    next(b for b in app.button if b.label.startswith("Read it again")).click()
    app.run()
    assert len(app.error) == 1
    assert app.state.table is before
    assert "Is the table sound?" in app.text


def test_name_that_says_another_kind_than_the_content_is_mentioned(app, csv):
    app.upload("decisions.xlsx", csv(sex=["F", "M"] * 5, ok=["y", "n"] * 5))
    assert shows(app.text, "data-named-otherwise", named="xlsx", kind="text")
    app.upload("decisions.csv", csv(sex=["F", "M"] * 5, ok=["y", "n"] * 5))
    assert not shows(app.text, "data-named-otherwise")
