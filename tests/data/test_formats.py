"""Files are recognised by content; what is no table is refused before anything opens it."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import random
import zipfile

import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from shown import shows

from fairaudit.data import Limits, ReadOptions, read_table
from fairaudit.errors import DataError, InputError, LimitError, UnsupportedFormatError
from fairaudit.findings import Count, Message
from fairaudit.messages import say

NOISE = random.Random(7).randbytes(4_000)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


class Armed:
    """Would betray itself if it were ever unpickled."""

    fired = False

    def __reduce__(self):
        return (setattr, (Armed, "fired", True))


def workbook(frame: pd.DataFrame | None = None, **sheets: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer) as writer:
        for name, content in ({"Sheet1": frame} if frame is not None else sheets).items():
            content.to_excel(writer, sheet_name=name, index=False)
    return buffer.getvalue()


def archive(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as out:
        for name, content in members.items():
            out.writestr(name, content)
    return buffer.getvalue()


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        return {name: found.read(name) for name in found.namelist()}


PLAIN = workbook(pd.DataFrame({"a": [1, 2], "b": ["x", None]}))


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"MZ\x90\0\3\0\0\0" + NOISE, "a program"),
        (b"\x7fELF\2\1\1\0" + NOISE, "a program"),
        (NOISE, "binary data"),
        (b"a,b\n1,\0\n", "binary data"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"<!DOCTYPE html><html></html>", "a web page"),
        (b'[{"a": 1}]', "a JSON file"),
        (b"\x93NUMPY\1\0" + NOISE, "a NumPy array"),
        (pickle.dumps([1, 2]), "a Python pickle"),
        (pickle.dumps({"a": [1, 2]}, protocol=0), "a Python pickle"),
        (gzip.compress(pickle.dumps(list(range(100))), mtime=0), "a Python pickle"),
        (archive({"data.pkl": b"x"}), "Python objects"),
        (archive({"table.csv": b"a,b\n1,2\n"}), "no XLSX workbook"),
        (archive({"word/document.xml": b"<a/>"}), "a Word document"),
        (archive({"ppt/presentation.xml": b"<a/>"}), "a PowerPoint presentation"),
        (archive({"mimetype": b"application/vnd.oasis.opendocument.text"}), "ODT"),
        (archive({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}), "ODS"),
        (archive({"mimetype": b"x" * 200, "MIMETYPE": b""}), "no XLSX workbook"),
        (gzip.compress(gzip.compress(b"a,b\n1,2\n", mtime=0), mtime=0), "not text"),
        (archive(members(PLAIN) | {"xl/vbaProject.bin": b"x"}), "macros"),
        (archive({"xl/workbook.bin": b"x"}), "XLSB"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted workbook"),
        (OLE, "old Office document or an encrypted workbook"),
        (b"PARE" + NOISE, "encrypted Parquet"),
    ],
)
def test_other_content_is_refused_by_what_it_is(tmp_path, data, what):
    path = tmp_path / "table.csv"
    path.write_bytes(data)
    for source in (data, path):
        with pytest.raises(UnsupportedFormatError, match=what) as caught:
            read_table(source)
        assert caught.value.hint


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_refused_and_never_loaded(protocol):
    data = pickle.dumps([Armed(), "a,b\n1,2\n"], protocol=protocol)
    for source in (data, gzip.compress(data)):
        with pytest.raises(UnsupportedFormatError, match="pickle"):
            read_table(source)
    assert not Armed.fired


def test_the_name_of_a_file_does_not_matter(tmp_path):
    path = tmp_path / "table.parquet"
    path.write_bytes(b"a,b\n1,2\n")
    assert read_table(path).source.format == "csv"


def test_a_format_that_is_not_the_content_is_refused():
    with pytest.raises(UnsupportedFormatError, match="said to be parquet"):
        read_table(b"a,b\n1,2\n", format="parquet")
    with pytest.raises(InputError, match="'format'"):
        read_table(b"a,b\n1,2\n", format="sas")


@pytest.mark.parametrize("source", [io.StringIO("a,b"), 3, None])
def test_what_is_no_source_is_refused(source):
    with pytest.raises(InputError, match="'source'"):
        read_table(source)


def test_a_binary_file_is_read_and_named(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_bytes(b"a,b\n1,2\n")
    with path.open("rb") as stream:
        assert read_table(stream).name == "cases"


@pytest.mark.parametrize("name", ["missing.csv", "", "a\0b"])
def test_a_path_that_is_no_file_is_refused(tmp_path, name):
    with pytest.raises(DataError):
        read_table(tmp_path / name)


def test_a_file_over_the_limit_is_refused():
    with pytest.raises(LimitError, match="more than 10 bytes"):
        read_table(b"a,b\n1,2\n3,4\n", limits=Limits(max_bytes=10))


def test_a_gzip_bomb_is_refused_early():
    with pytest.raises(LimitError, match="grows more than 250 times"):
        read_table(gzip.compress(b"a,b\n" + b"0,0\n" * 20_000_000))


@pytest.mark.parametrize("cut", [3, 12, 30, -4])
def test_a_gzip_cut_short_is_refused(cut):
    data = gzip.compress(b"a,b\n" + NOISE.hex().encode())
    with pytest.raises(DataError, match="gzip file is"):
        read_table(data[:cut])


def test_what_follows_a_gzip_file_is_not_dropped():
    data = gzip.compress(b"a,b\n1,2\n")
    assert read_table(data + gzip.compress(b"3,4\n")).n_rows == 2
    assert read_table(data + bytes(512)).n_rows == 1
    with pytest.raises(DataError, match="4 bytes that are not part of it"):
        read_table(data + b"3,4\n")


def test_a_workbook_bomb_is_refused_early():
    bomb = members(PLAIN) | {"xl/worksheets/sheet1.xml": b" " * 200_000_000}
    with pytest.raises(LimitError, match="grows more than"):
        read_table(archive(bomb))


def test_a_workbook_that_lies_about_its_sizes_is_refused():
    data = archive(members(PLAIN) | {"xl/media/x.bin": b"0" * 100_000})
    with pytest.raises(DataError):
        read_table(data.replace((100_000).to_bytes(4, "little"), (10).to_bytes(4, "little")))


@pytest.mark.parametrize("cell", ["XFD1048576", "ALL1048576"])
def test_a_far_away_cell_does_not_fill_the_memory(cell):
    sheet = "xl/worksheets/sheet1.xml"
    row = f'<row r="1048576"><c r="{cell}"><v>1</v></c></row></sheetData>'.encode()
    content = members(PLAIN)
    for name in (sheet, "xl/other.xml"):
        renamed = {k: v.replace(b"worksheets/sheet1.xml", name[3:].encode()) for k, v in content.items() if k != sheet}
        far = renamed | {name: content[sheet].replace(b"</sheetData>", row)}
        with pytest.raises(LimitError, match="columns"):
            read_table(archive(far), limits=Limits(max_columns=1_000))


@pytest.mark.parametrize(
    "row",
    [
        b"<row>" + b"<c/>" * 20_000 + b"</row>",
        b'<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576">' + b"<c/>" * 16_383 + b"<c><v>1</v></c></row>",
        b"<x:row>" * 1_000_000 + b'<x:c r="XFD1"/>',
        b'<row r="7"><c ' + b" " * 900_000 + b'r="XFD1048576"/></row>',
    ],
)
def test_cells_that_do_not_say_where_they_are_do_not_fill_the_memory(row):
    content = members(PLAIN)
    sheet = "xl/worksheets/sheet1.xml"
    content[sheet] = content[sheet].replace(b"</sheetData>", row + b"</sheetData>")
    with pytest.raises(LimitError, match="columns"):
        read_table(archive(content))


@pytest.mark.parametrize("value", [b"<v>0</v>", b"<v >0</v>", b'<v xml:space="preserve">0</v>', b"<v\n>\t0</v>"])
def test_one_long_text_in_many_cells_does_not_fill_the_memory(value):
    content = members(PLAIN)
    strings = (
        b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>' + NOISE.hex().encode() * 200
    )
    cells = b"".join(b'<row r="%d"><c r="A%d" t="s">%s</c></row>' % (i, i, value) for i in range(1, 20_000))
    content["xl/sharedStrings.xml"] = strings + b"</t></si></sst>"
    content["xl/worksheets/sheet1.xml"] = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        + cells
        + b"</sheetData></worksheet>"
    )
    with pytest.raises(LimitError, match="texts are too large"):
        read_table(archive(content))


def test_a_sheet_can_be_chosen_and_is_named():
    data = workbook(one=pd.DataFrame({"a": [1]}), two=pd.DataFrame({"b": [2]}))
    first = read_table(data)
    assert first.source.sheets == ("one", "two")
    assert first.source.options.sheet == "one"
    assert any("2 sheets; sheet 'one'" in note for note in first.notes)
    assert list(read_table(data, options=ReadOptions(sheet="two")).columns) == ["b"]
    with pytest.raises(InputError, match="no sheet 'three'"):
        read_table(data, options=ReadOptions(sheet="three"))


def test_a_workbook_is_read_with_its_kinds():
    frame = pd.DataFrame(
        {
            "n": [1, 2, 3],
            "x": [0.5, 1.0, None],
            "b": [True, False, True],
            "d": pd.to_datetime(["2024-01-31", "2024-02-01", None]),
            "z": ["007", "010", "1"],
        }
    )
    table = read_table(workbook(frame))
    assert [c.kind for c in table.columns.values()] == ["number", "number", "boolean", "date", "text"]
    assert table.source.format == "xlsx"


@pytest.mark.parametrize(
    "rows",
    [
        [["id", "mark", "sex", "ok", *[None] * 6], *([n, n, "f", "yes", *[None] * 6] for n in range(6)), [*range(10)]],
        [["id", "mark", None, None, None, None], *([n, n, 1, 2, 3, 4] for n in range(6))],
        [["id", "mark"], *([n, None if n == 0 else n] for n in range(6))],
    ],
)
def test_rows_of_a_workbook_are_no_lines_above_its_names(rows):
    content = io.BytesIO()
    pd.DataFrame(rows).to_excel(content, index=False, header=False)
    table = read_table(content.getvalue(), name="x")
    assert "id" in table.columns and table.n_rows == len(rows) - 1
    assert not [note for note in table.notes if "above the column names" in note]


@pytest.mark.parametrize("above", [[], ["Admissions 2024"], ["Admissions 2024", None, "as of 1 May"]])
def test_lines_above_the_names_of_a_workbook_are_left_out(above):
    frame = pd.DataFrame({"mark": [12.5, 9.0], "sex": ["F", None], "area": ["a", None], "granted": ["yes", "no"]})
    stream = io.BytesIO()
    with pd.ExcelWriter(stream) as writer:
        frame.to_excel(writer, index=False, startrow=len(above))
        for place, text in enumerate(above, start=1):
            writer.sheets["Sheet1"].cell(place, 1, text)
    table = read_table(stream.getvalue())
    assert list(table.columns) == list(frame.columns) and table.n_rows == 2
    assert table.columns["mark"].kind == "number"
    n = sum(map(bool, above))
    noted = [note for note in table.notes if shows(note, "read-lines-above")]
    assert noted == ([say(Message("read-lines-above", {"n": Count(n)}))] if n else [])
    # Who says that there are no names means every line.
    assert read_table(stream.getvalue(), options=ReadOptions(header=False)).n_rows == 3 + n


@pytest.mark.parametrize("keep", [0.3, 0.9, 0.99])
def test_a_workbook_cut_short_is_refused(keep):
    with pytest.raises(DataError):
        read_table(PLAIN[: int(len(PLAIN) * keep)])


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_workbook_with_damaged_bytes_is_refused_however_it_was_packed(method):
    data = archive(members(PLAIN), method)
    damaged = data[:60] + bytes(byte ^ 0xFF for byte in data[60:120]) + data[120:]
    with pytest.raises(DataError, match="damaged or cut short"):
        read_table(damaged)


def test_a_workbook_packed_in_a_way_that_is_not_known_is_refused():
    data = bytearray(archive({"xl/workbook.xml": b"<workbook/>"}))
    for start, at in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        place = data.index(start) + at
        data[place : place + 2] = (93).to_bytes(2, "little")
    with pytest.raises(DataError, match="damaged or cut short"):
        read_table(bytes(data))


def test_an_empty_workbook_is_refused():
    with pytest.raises(DataError, match="empty"):
        read_table(workbook(pd.DataFrame()))


def test_empty_rows_of_a_workbook_are_left_out_and_said():
    frame = pd.DataFrame({"a": [1, None, 3, None, 5], "b": ["x", None, "y", None, None]})
    table = read_table(workbook(frame))
    assert table.n_rows == 3
    assert table.notes == ("2 empty rows were left out.",)


def sheet(rows: list[list], *merged: str) -> bytes:
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    for cells in merged:
        book.active.merge_cells(cells)
    book.save(buffer)
    return buffer.getvalue()


PEOPLE = [["id", "sex", "result", "days"], *[[i, "FM"[i % 2], "yes" if i % 3 else "no", 10 + i] for i in range(12)]]


def test_names_below_merged_cells_are_put_together_and_rows_stay_rows():
    table = read_table(sheet([["Person", None, "Decision"], *PEOPLE], "A1:B1", "C1:D1"))
    assert [(c.name, c.kind) for c in table.columns.values()] == [
        ("Person id", "number"), ("Person sex", "text"), ("Decision result", "text"), ("Decision days", "number")
    ]  # fmt: skip
    assert (table.n_rows, table.source.names_row, table.source.name_rows) == (12, 1, 2)
    assert any("from the rows 1 to 2" in note for note in table.notes)
    wide = sheet([["site", "Women", None, "Men"], [None, "n", "got", "n", "got"], *[["a", 4, 1, 5, 2]] * 3],
                 "A1:A2", "B1:C1", "D1:E1")  # fmt: skip
    assert list(read_table(wide).columns) == ["site", "Women n", "Women got", "Men n", "Men got"]


@pytest.mark.parametrize("option", [{}, {"name_rows": 2}])
def test_an_empty_row_inside_merged_names_is_no_name(option):
    rows = [["id", "Women", None], [None] * 3, [None, "n", "granted"], *[[f"s{i}", 4 + i, 1 + i] for i in range(5)]]
    table = read_table(sheet(rows, "A1:A3", "B1:C1"), options=ReadOptions(**option))
    assert list(table.columns) == ["id", "Women n", "Women granted"] and table.n_rows == 5
    assert (table.source.names_row, table.source.name_rows) == (1, 2)
    assert any("from the rows 1 to 3" in note for note in table.notes)
    assert read_table(sheet(rows, "A1:A3", "B1:C1"), options=table.source.options).fingerprint == table.fingerprint


@pytest.mark.parametrize("cells", [("B1:F1",), ("A1:A2", "B1:F1"), ("B1:C1", "E1:F1"), ("B1:C1", "E1:F2", "A2:A2")])
def test_merged_names_that_reach_beyond_the_data_name_the_columns_that_are_there(cells):
    rows = [["id", "Women", None], [None, "n", "granted"], *[[f"s{i}", 4 + i, 1 + i] for i in range(5)]]
    table = read_table(sheet(rows, *cells))
    assert list(table.columns) == ["id", "Women n", "Women granted"] and table.n_rows == 5


def test_merged_cells_left_of_the_data_change_no_name():
    rows = [[None, None, "Women", None], [None, None, "n", "granted"], *[[None, None, 4 + i, 1 + i] for i in range(5)]]
    table = read_table(sheet(rows, "A1:B1", "C1:D1"))
    assert list(table.columns) == ["Women n", "Women granted"] and table.n_rows == 5


def test_merged_cells_above_rows_of_texts_are_no_second_row_of_names():
    rows = [["name", None, "got"], ["Kim", "F", "yes"], ["Lee", "M", "no"], ["Sam", "F", "yes"]]
    table = read_table(sheet(rows, "A1:B1"))
    assert table.n_rows == 3 and table.source.name_rows == 1


def test_merged_cells_among_the_rows_are_said():
    rows = [["site", "n", "got"], *[["a" if i % 4 == 0 else None, i, i % 2] for i in range(12)]]
    table = read_table(sheet(rows, "A2:A5", "A6:A9", "A10:A13"))
    assert table.n_rows == 12 and table.count("site IS NULL") == 9
    assert any("9 of them are empty" in note for note in table.notes)


@pytest.mark.parametrize("option", [{"names_row": 3}, {"names_row": 3, "name_rows": 1}])
def test_the_row_of_the_names_of_a_workbook_can_be_said(option):
    table = read_table(sheet([["Decisions", "of", "the", "office"], [], *PEOPLE]), options=ReadOptions(**option))
    assert list(table.columns) == PEOPLE[0] and table.n_rows == 12
    again = read_table(sheet([["Decisions", "of", "the", "office"], [], *PEOPLE]), options=table.source.options)
    assert again.fingerprint == table.fingerprint and table.source.names_row == 3


def test_several_rows_of_names_that_are_not_merged_can_be_said():
    rows = [["site", "Women", None, "Men", None], [None, "n", "got", "n", "got"], *[["a", 4, 1, 5, 2]] * 3]
    table = read_table(sheet(rows), options=ReadOptions(name_rows=2))
    assert list(table.columns) == ["site", "Women n", "Women got", "Men n", "Men got"] and table.n_rows == 3


@pytest.mark.parametrize("row", [0, 2, 101, True, "1"])
def test_a_row_without_names_is_refused(row):
    with pytest.raises(InputError, match="names_row"):
        read_table(sheet([["Decisions"], [], *PEOPLE]), options=ReadOptions(names_row=row))
    with pytest.raises(InputError, match="names_row"):
        read_table(b"Decisions;;;\n\nid;sex\n1;F\n", options=ReadOptions(names_row=row))


def test_the_line_of_the_names_of_a_text_can_be_said():
    data = b"one;two;three\nfour;five;six\nid;sex;pay\n1;F;2\n2;M;3\n"
    table = read_table(data, options=ReadOptions(names_row=3))
    assert list(table.columns) == ["id", "sex", "pay"] and table.count("pay > 2") == 1
    assert any("2 lines above" in note for note in table.notes)
    joined = read_table(data, options=ReadOptions(names_row=2, name_rows=2))
    assert list(joined.columns) == ["four id", "five sex", "six pay"] and joined.n_rows == 2


@pytest.mark.parametrize("below", [[["Total", None, 200]], [["Total", None, 200], ["Source: registry"]]])
def test_a_total_and_a_source_below_an_empty_row_are_no_people(below):
    table = read_table(sheet([*PEOPLE, [], *below]))
    assert table.n_rows == 12 and table.columns["id"].kind == "number"
    assert any("'Total'" in note for note in table.notes)


@pytest.mark.parametrize("below", [[[12, "F", "no", 3]], [[12, "F", None, 3]], [["12", "F", "no", 3]] * 11])
def test_people_below_an_empty_row_stay(below):
    assert read_table(sheet([*PEOPLE, [], *below])).n_rows == 12 + len(below)


def test_the_rules_of_old_keep_rows_below_and_one_row_of_names():
    old = ReadOptions(rules=1)
    assert read_table(sheet([*PEOPLE, [], ["Total", None, 200]]), options=old).n_rows == 13
    assert read_table(sheet([["Person", None, "Decision"], *PEOPLE], "A1:B1", "C1:D1"), options=old).n_rows == 13


def test_copies_of_one_text_are_counted_before_they_are_made():
    content = members(PLAIN)
    head = b' xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    content["xl/sharedStrings.xml"] = b"<sst" + head + b"<si><t>" + b"x" * 4_900 + b"</t></si><si><t>y</t></si></sst>"

    def sheet_of(number: int, n: int) -> bytes:
        rows = b'<row><c t="s"><v>1</v></c></row>' + b'<row><c t="s"><v>%d</v></c></row>' % number * n
        content["xl/worksheets/sheet1.xml"] = b"<worksheet" + head + b"<sheetData>" + rows + b"</sheetData></worksheet>"
        return archive(content)

    few = Limits(max_bytes=1_000_000)
    with pytest.raises(LimitError, match="texts are too large"):
        read_table(sheet_of(0, 2_000), limits=few)
    # A long text that is not copied takes no room.
    assert read_table(sheet_of(1, 2_000), limits=few).n_rows == 2_000


def test_too_little_memory_is_said(monkeypatch):
    def short(*_: object, **__: object) -> None:
        raise pa.lib.ArrowMemoryError("malloc of size 1 failed")

    monkeypatch.setattr("fairaudit.data.workbook.load_cells", short)
    with pytest.raises(LimitError, match="memory"):
        read_table(PLAIN)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(DataError, match="is a folder, not a file"):
        read_table(tmp_path)


def test_a_pipe_or_a_device_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "rows.csv")
    for path in (tmp_path / "rows.csv", "/dev/null"):
        with pytest.raises(DataError, match="is a pipe or a device") as refused:
            read_table(path)
        assert str(path)[:60] in refused.value.message and refused.value.hint


def test_texts_in_a_workbook_are_no_decimal_commas_and_may_be_days():
    frame = pd.DataFrame({"n": ["1,2", "12,5"], "day": ["31.12.2023", "01.02.2024"], "us": ["12/31/2023"] * 2})
    table = read_table(workbook(frame))
    assert [column.kind for column in table.columns.values()] == ["text", "date", "text"]
    assert any("read as days" in note for note in table.notes)
    said = read_table(workbook(frame), options=ReadOptions(dates="month first"))
    assert [column.kind for column in said.columns.values()] == ["text", "text", "date"]


def test_a_fault_inside_the_reader_is_not_taken_for_a_wrong_path(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise ValueError("inside")

    path = tmp_path / "t.csv"
    path.write_bytes(b"sex,hired\nF,1\nM,0\n")
    monkeypatch.setattr("fairaudit.data.readers.read_text", fail)
    with pytest.raises(ValueError, match="inside") as caught:
        read_table(path)
    assert not isinstance(caught.value, DataError)
