"""Every kind of column and every way to bring data goes through all pages."""

from __future__ import annotations

import datetime
import decimal
import io

import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from sweeps import part_of

from fairaudit.findings import Message
from fairaudit.messages import say

pytestmark = pytest.mark.campaign

N = 60

COLUMNS = {
    "flag": pa.array([True, False, None] * (N // 3)),
    "big": pa.array([2**62 + i % 3 for i in range(N)], pa.int64()),
    "money": pa.array([decimal.Decimal(i % 4) / 4 for i in range(N)], pa.decimal128(12, 2)),
    "share": pa.array([i % 3 / 10 for i in range(N)], pa.float32()),
    "day": pa.array([datetime.date(1800 + 100 * (i % 3), 1, 1) for i in range(N)]),
    "moment": pa.array([datetime.datetime(2020, 1, 1 + i % 3, 12, 30) for i in range(N)], pa.timestamp("us")),
    "zoned": pa.array(
        [datetime.datetime(2020, 1, 1 + i % 3) for i in range(N)], pa.timestamp("us", tz="Europe/Berlin")
    ),
    "time": pa.array([datetime.time(i % 3) for i in range(N)]),
    "blanks": pa.array(["a b", "a  b", " a b"] * (N // 3)).dictionary_encode(),
    "long": pa.array(["x" * 200 + str(i % 3) for i in range(N)]),
    "raw": pa.array([b"\x00\xff", b"a", b"b"] * (N // 3)),
    "none": pa.nulls(N),
}


def _parquet(columns) -> bytes:
    file = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(columns), file)
    return file.getvalue()


@pytest.mark.parametrize("name", part_of(COLUMNS, ("flag", "money", "moment", "blanks")))
def test_column_of_any_kind_can_be_decision_group_filter_and_stratum(app, name):
    content = {"x": COLUMNS[name], "sex": pa.array(["F", "M"] * (N // 2)), "ok": pa.array(["y", "n", "n"] * (N // 3))}
    app.upload("t.parquet", _parquet(content))
    if app.state.table is None:
        assert len(app.error) == 1
        return
    if "x" not in app.state.table.columns:
        assert "x" in app.text
        return
    app.set("selectbox", app.data_key("decision_column"), "x")
    values = [m for m in app.multiselect if m.key == app.data_key("decision_values_x")]
    if values and values[0].options:
        value = _first(app)
        text = str(value).removesuffix(" 00:00:00") if hasattr(value, "isoformat") else value
        app.set("multiselect", values[0].key, [text])
        app.assert_refuses_nothing()
        assert app.state.decision is not None
        app.protect("sex = 'F'").go("Check")
        app.assert_refuses_nothing()
        app.go("Data")
    app.decide("ok", "y").go("Groups").set("segmented_control", "groups_how", "Pick values")
    app.set("selectbox", "groups_protected_column", "x")
    values = [m for m in app.multiselect if m.key == "groups_protected_values_x"]
    if values and values[0].options:
        app.set("multiselect", "groups_protected_values_x", [_first(app)])
        app.assert_refuses_nothing()
        assert app.state.check.protected
        app.go("Check").assert_refuses_nothing()
        app.go("Groups")
    app.set("selectbox", "groups_build_column", "x")
    operator = next((b for b in app.selectbox if str(b.key).startswith("groups_build_operator")), None)
    for choice in {"is between", "is at least", "is missing"}.intersection(operator.options):
        app.set("selectbox", operator.key, choice)
    app.protect("sex = 'F'").go("Check").set("selectbox", "check_explore_0", "x")
    app.state.change_check(compare=(("x",),), strata=("x",))
    app.go("Groups").go("Check").go("Report")


def _first(app):
    """The most frequent value of column x, as the widgets hold it."""
    from ui.values import known_values

    return known_values(app.state, "x")[0][0]


def test_workbook_asks_for_its_sheet(app, tmp_path):
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"a": [1, 2]}).to_excel(book, sheet_name="first", index=False)
        pd.DataFrame({"sex": ["F", "M"] * 20, "ok": ["y", "n"] * 20}).to_excel(book, sheet_name="second", index=False)
    app.upload("book.xlsx", path.read_bytes())
    app.selectbox(key=app.data_key("sheet")).set_value("second")
    next(b for b in app.button if b.label.startswith("Read it again")).click()
    app.run()
    assert list(app.state.table.columns) == ["sex", "ok"]
    app.decide("ok", "y").protect("sex = 'F'").go("Check").assert_refuses_nothing()


def test_folder_of_the_administrator_is_offered(app, monkeypatch, tmp_path, decisions):
    (tmp_path / "held.csv").write_bytes(decisions)
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    monkeypatch.setenv("FAIRAUDIT_DATA_DIR", str(tmp_path))
    app.go("Data").set("segmented_control", "data_way", "From this server")
    app.set("selectbox", "data_file", "held.csv").click("data_open_file")
    assert app.state.table.n_rows == 200
    app.decide("ok", "y").protect("sex = 'F'").go("Check").assert_refuses_nothing()
    app.go("Data").set("segmented_control", "data_way", "From this server")
    app.set("selectbox", "data_file", "broken.parquet").click("data_open_file")
    assert len(app.error) == 1 and app.state.table.n_rows == 200
    assert str(tmp_path) not in app.text


def test_the_front_page_leads_to_other_ways_to_bring_a_table_where_there_are_some(
    app, another_app, tmp_path, monkeypatch
):
    monkeypatch.delenv("FAIRAUDIT_DATA_DIR", raising=False)
    monkeypatch.delenv("FAIRAUDIT_CONNECTIONS", raising=False)
    assert not [link for link in app.go("").main.get("page_link") if "Bring a table" in link.label]
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,x\n")
    monkeypatch.setenv("FAIRAUDIT_DATA_DIR", str(tmp_path))
    links = [link.label for link in another_app.go("").main.get("page_link")]
    assert say(Message("front-from-server")) in links
