"""CSV and TSV: what is found, what is changed, and the first bad line by number."""

from __future__ import annotations

import gzip

import pandas as pd
import pytest
from shown import shows
from sweeps import part_of

from fairaudit.data import Limits, ReadOptions, read_table
from fairaudit.errors import DataError, InputError, LimitError
from fairaudit.findings import Count, Message
from fairaudit.messages import say


def kinds(table):
    return [column.kind for column in table.columns.values()]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter):
    rows = [["age", "sex"], ["41", "F"], ["39", "M"]]
    table = read_table("\n".join(delimiter.join(row) for row in rows).encode())
    assert table.source.options.delimiter == delimiter
    assert table.source.format == ("tsv" if delimiter == "\t" else "csv")
    assert table.to_pandas()["age"].tolist() == [41, 39]


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("latin-1", "latin-1"),
        ("cp1252", "latin-1"),
    ],
)
def test_the_encoding_is_found(encoding, found):
    table = read_table("name,city\nJosé,Zürich\nAnna,Genève\n".encode(encoding))
    assert table.source.options.encoding == found
    assert table.to_pandas()["city"].tolist() == ["Zürich", "Genève"]


def test_a_guessed_encoding_is_noted():
    table = read_table("name,n\n“Anna”,1\n".encode("cp1252"))
    assert table.source.options.encoding == "cp1252"
    assert any("choose another encoding" in note for note in table.notes)


def test_other_scripts_are_distinguished_from_their_letters():
    text = "имя,город\n" + "Мария,Новгород Великий\nИван,Казань и другие города\n" * 10
    assert read_table(text.encode("koi8-r")).to_pandas()["имя"].tolist()[:2] == ["Мария", "Иван"]


def test_a_given_encoding_overrides():
    data = "a,b\nЖ,1\n".encode("cp1251")
    assert read_table(data, options=ReadOptions(encoding="cp1251")).to_pandas()["a"].tolist() == ["Ж"]


def test_bytes_outside_the_given_encoding_name_the_line():
    with pytest.raises(DataError, match="line 3"):
        read_table(b"a,b\n1,2\n\xff,2\n", options=ReadOptions(encoding="utf-8"))


@pytest.mark.parametrize("encoding", ["base64", "nonsense", "idna", "rot13"])
def test_an_encoding_that_is_none_is_refused(encoding):
    with pytest.raises(InputError, match="encoding"):
        read_table(b"a,b\n1,2\n", options=ReadOptions(encoding=encoding))


def test_decimal_commas_are_found_where_the_comma_is_no_delimiter():
    table = read_table(b"a;b\n1,5;x\n2;y\n")
    assert table.source.decimal == ","
    assert table.to_pandas()["a"].tolist() == [1.5, 2.0]


def test_decimal_commas_without_header_are_not_taken_for_delimiters():
    table = read_table(b"1,5;2,3\n2,5;3,4\n")
    assert table.source.options.delimiter == ";"
    assert table.to_pandas().to_numpy().tolist() == [[1.5, 2.3], [2.5, 3.4]]


def test_points_between_thousands_are_found_beside_decimal_commas():
    data = b"name;pay\nx;2.215,60\ny;950,00\nz;-1.234.567,8\nw;3\nv;\n"
    for table in (read_table(data), read_table(data, options=ReadOptions(decimal=","))):
        assert table.to_pandas()["pay"].dropna().tolist() == [2215.6, 950.0, -1234567.8, 3.0]
        assert table.source.decimal == "," and table.count("pay > 2000") == 1
    assert read_table(b"name;pay\nx;1.000\ny;2,5\n").to_pandas()["pay"].tolist() == [1000, 2.5]


@pytest.mark.parametrize("cells", ["1.234,50;0.25", "1,234.50;0,25", "2,5;0.25", "1.234,50;1,5"])
def test_a_file_reads_the_same_with_the_options_that_were_found(cells):
    data = f"pay;rate\n{cells}\n{cells}\n".encode()
    table = read_table(data)
    assert kinds(table) == ["number", "number"]
    again = read_table(data, options=table.source.options)
    assert again.fingerprint == table.fingerprint and again.to_pandas().equals(table.to_pandas())


def test_marks_that_mean_two_things_in_one_file_are_noted():
    [note] = read_table(b"pay;n\n1.234,50;1.234\n950,00;2.5\n").notes
    assert "comma in 'pay' and a point in 'n'" in note


def test_a_first_line_of_days_or_amounts_is_no_header():
    for data in (b"31.12.2024;a\n01.01.2025;b\n", b"a;1.234,50\nb;2.000,00\n"):
        assert read_table(data).n_rows == 2


def test_a_given_decimal_mark_overrides():
    assert kinds(read_table(b"a;b\n1,5;x\n", options=ReadOptions(decimal="."))) == ["text", "text"]
    assert kinds(read_table(b"a;b\n1.5;x\n", options=ReadOptions(decimal=","))) == ["text", "text"]
    assert kinds(read_table(b'a,b\n"1,5",x\n', options=ReadOptions(decimal=","))) == ["number", "text"]


def test_single_quotes_are_found():
    table = read_table(b"a,b\n'x,1',2\n'y',3\n'z,',4\n")
    assert table.source.options.quote == "'"
    assert table.to_pandas()["a"].tolist() == ["x,1", "y", "z,"]


def test_reading_without_quotes_keeps_them():
    table = read_table(b'a,b\n"x,1\n"y,2\n', options=ReadOptions(quote=""))
    assert table.to_pandas()["a"].tolist() == ['"x', '"y']


def test_quoted_cells_may_hold_delimiters_line_ends_and_quotes():
    table = read_table(b'a,b\n1,"x, ""y""\nz"\n2,w\n')
    assert table.to_pandas()["b"].tolist() == ['x, "y"\nz', "w"]


def test_a_quote_inside_a_cell_is_a_character():
    assert read_table(b'a,b\n1,5" pipe\n').to_pandas()["b"].tolist() == ['5" pipe']


def test_a_line_that_names_the_separator_is_obeyed():
    table = read_table(b"sep=;\r\na;b\r\n1;2,5\r\n")
    assert list(table.columns) == ["a", "b"]
    assert table.to_pandas()["b"].tolist() == [2.5]


def test_no_header_is_found_and_noted():
    table = read_table(b"1,a\n2,b\n3,c\n")
    assert list(table.columns) == ["column_1", "column_2"]
    assert table.source.options.header is False
    assert any(shows(note, "read-headless") for note in table.notes)


def test_years_as_names_are_a_header_when_said_so():
    table = read_table(b"2019,2020\n1,2\n", options=ReadOptions(header=True))
    assert list(table.columns) == ["2019", "2020"]


@pytest.mark.parametrize(
    "data", [b"a,b\n1,2\r\n3,4\r5,6", b"\n\na,b\n1,2\n\n3,4\n\n5,6\n\n", b"a,b\r1,2\r3,4\r5,6\r\x1a"]
)
def test_line_ends_may_be_mixed_empty_and_missing(data):
    assert read_table(data).to_pandas().to_numpy().tolist() == [[1, 2], [3, 4], [5, 6]]


def test_an_empty_line_in_a_single_column_is_a_missing_cell():
    table = read_table(b"a\n1\n\n3\n\n")
    assert table.n_rows == 3
    assert table.count("a IS NULL") == 1
    assert any("only one column" in note for note in table.notes)


def test_kinds_are_found_from_all_rows():
    late = b"n,m\n" + b"1,1\n" * 5_000 + b"1.5,x\n"
    table = read_table(late)
    assert kinds(table) == ["number", "text"]
    assert table.column_range("n") == (1.0, 1.5)


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2", "+3"], "number"),
        (["1.5", ".5", "2.", "1e-3"], "number"),
        (["0", "1"], "number"),
        (["True", "false"], "boolean"),
        (["Y", "N"], "text"),
        (["yes", "no"], "text"),
        (["01234", "1"], "text"),
        (["12345678901234567890", "1"], "text"),
        (["1e999", "1"], "text"),
        (["nan", "1"], "text"),
        (["inf", "1"], "text"),
        (["1_000", "1"], "text"),
        (["1,234.50", "12,345,678.9", "-950.00", "7"], "number"),
        (["1,234.50", "1,23.50"], "text"),
        (["1,234.50", "1,000"], "number"),
        (["0x1F", "1"], "text"),
        (["2024-01-31", "2020-02-29"], "date"),
        (["2024-01-31", "2020-02-30"], "text"),
        (["31.01.2024", "1.2.2024"], "date"),
        (["31.01.2024", "30.02.2024"], "text"),
        (["31.01.24"], "text"),
        (["31/01/2024"], "text"),
        (["31.01.2024 9:30", "01.02.2024", "1.2.2024 23:59:59"], "timestamp"),
        (["31.01.2024", "2024-01-31"], "text"),
        (["2024-01-31 10:00", "2024-01-31T10:00:01.5Z"], "timestamp"),
        (["2024-01-31", "2024-01-31 10:00"], "timestamp"),
        (["", ""], "text"),
    ],
)
def test_the_kind_of_a_column(cells, kind):
    data = "name,v\n" + "\n".join(f'x,"{cell}"' for cell in cells)
    assert kinds(read_table(data.encode()))[1] == kind


@pytest.mark.parametrize(
    ("order", "cells", "days"),
    [
        (None, ["03.04.2024", "31.12.2023"], ["2024-04-03", "2023-12-31"]),
        ("day first", ["03/04/2024", "31-12-2023"], ["2024-04-03", "2023-12-31"]),
        ("month first", ["03/04/2024", "12-31-2023"], ["2024-03-04", "2023-12-31"]),
        ("day first", ["2024-04-03", "2023-12-31"], ["2024-04-03", "2023-12-31"]),
        ("month first", ["03/04/2024 8:05", "12/31/2023"], ["2024-03-04 08:05:00", "2023-12-31 00:00:00"]),
    ],
)
@pytest.mark.parametrize("in_place", [False, True])
def test_days_are_read_as_they_are_said_to_be_written(order, cells, days, in_place, tmp_path, monkeypatch):
    data = ("name,day\n" + "\n".join(f"x,{cell}" for cell in [*cells, ""])).encode()
    path = tmp_path / "days.csv"
    path.write_bytes(data)
    limits = Limits(in_place_bytes=1) if in_place else None
    table = read_table(path if in_place else data, options=ReadOptions(dates=order), limits=limits)
    assert table.source.in_place == in_place and table.source.options.dates == order
    assert [str(day) for day in table.to_pandas()["day"].dropna()] == [str(pd.Timestamp(day)) for day in days]
    assert any(shows(note, "read-days", columns="'day'") for note in table.notes) == (order is None)
    assert table.count(f"day < '{days[0][:10]}'") == 1


def test_days_in_another_order_than_said_stay_texts():
    assert kinds(read_table(b"name,day\nx,31/12/2023\n", options=ReadOptions(dates="month first")))[1] == "text"
    assert kinds(read_table(b"name,day\nx,31.12.2023\n", options=ReadOptions(dates="year first")))[1] == "text"


@pytest.mark.parametrize("cell", ["1", "1.5", "true", "2024-01-31", "2024-01-31 10:00", "31.01.2024"])
def test_missing_cells_do_not_change_the_kind(cell):
    full, gaps = read_table(f"a,b\nx,{cell}\n".encode()), read_table(f"a,b\nx,{cell}\ny,\n".encode())
    assert kinds(full) == kinds(gaps)
    assert gaps.count("b IS NULL") == 1


def test_blanks_around_cells_go_with_a_note_or_stay():
    data = "a,b\n 1,\u00a0x \n2,\ty\n".encode()
    table = read_table(data)
    assert kinds(table) == ["number", "text"]
    assert table.to_pandas()["b"].tolist() == ["x", "y"]
    assert any(shows(note, "read-trimmed", n=2) for note in table.notes)
    kept = read_table(data, options=ReadOptions(trim=False))
    assert kept.to_pandas()["b"].tolist() == ["\u00a0x ", "\ty"]


def test_missing_texts_are_missing_before_kinds_are_found():
    table = read_table(b"a,b\n?,1\n3,-9\n", options=ReadOptions(missing=("?", "-9")))
    assert kinds(table) == ["number", "number"]
    assert table.counts(["b"]).to_numpy(dtype=object, na_value=None).tolist() == [[1, 1], [None, 1]]


def test_empty_and_repeated_names_get_a_suffix_and_a_note():
    table = read_table(b"a,a,,A,\n1,2,3,4,5\n")
    assert list(table.columns) == ["a", "a_2", "column_3", "A_3", "column_5"]
    assert len(table.notes) == 2


@pytest.mark.parametrize(
    "name",
    [
        "</style><script>alert(1)</script>",
        "=cmd()",
        "drop table",
        "\N{GRINNING FACE}" * 300,
        'a"b',
        "a'b",
        "rowid",
        "data",
        "c0",
        "n",
    ],
)
def test_any_text_can_be_a_column_name(name):
    quoted = '"' + name.replace('"', '""') + '"'
    table = read_table(f"{quoted},b\n1,2\n1,4\n".encode())
    assert list(table.columns) == [name, "b"]
    assert table.counts([name]).to_numpy().tolist() == [[1, 2]]
    assert table.to_pandas([name])[name].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"name\nx y\nz, w\n", "Line 3 has 2 cells, but 1 was expected"),
        (b"a,b\n1,2\n1,2,3\n", "Line 3 has 3 cells, but 2 were expected"),
        (b"a,b,c\n1,2,3\n1,2\n", "Line 3 has 2 cells, but 3 were expected"),
        (b'a,b\n"x\ny",2\n1\n', "Line 4 has 1 cell, but 2 were expected"),
        (b'a,b\n1,2\n2,"x\n3,4\n', "opens in the row on line 3 is never closed"),
        (b'a,b\n1,"x\n2,"y\n', "row on line 2 text follows a closing quote"),
        (b"a,b,c\n", "3 column names but no rows"),
        (b"", "empty"),
        (b"\n \n", "empty"),
    ],
)
def test_a_bad_text_is_refused_with_its_line(data, message):
    with pytest.raises(DataError, match=message):
        read_table(data)


@pytest.mark.thorough
def test_a_bad_line_of_a_long_text_is_named():
    with pytest.raises(DataError, match="Line 4,000,002 has 1 cell"):
        read_table(b"a,b\n" + b"1,22222222222222\n" * 4_000_000 + b"1\n")


def test_the_refusal_of_a_row_does_not_show_it():
    with pytest.raises(DataError) as caught:
        read_table(b"name,n\nanna,1\nsecret person,2,3\n")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("quote", part_of([b"", b'"'], [b'"'], rest="thorough"))
def test_a_cell_of_ten_megabytes_is_refused_with_its_row(quote):
    with pytest.raises(LimitError, match=r"'b' has a cell of 10,000,000 bytes in row 2"):
        read_table(b"a,b\n1,2\n2," + quote + b"x" * 10_000_000 + quote + b"\n3,4\n")


def test_a_name_of_ten_megabytes_is_refused():
    with pytest.raises(LimitError, match="first line"):
        read_table(b"a," + b"x" * 10_000_000 + b"\n1,2\n")


def test_five_thousand_columns_are_refused():
    def table_of(n):
        return ",".join(f"c{i}" for i in range(n)) + "\n" + ",".join(["1"] * n) + "\n"

    with pytest.raises(LimitError, match="5,000 columns; at most 2,000"):
        read_table(table_of(5_000).encode())
    assert len(read_table(table_of(300).encode(), limits=Limits(max_columns=300)).columns) == 300


@pytest.mark.parametrize(
    "options",
    [
        ReadOptions(delimiter=",,"),
        ReadOptions(delimiter="\n"),
        ReadOptions(quote="''"),
        ReadOptions(delimiter="'", quote="'"),
        ReadOptions(dates="yesterday"),
    ],
)
def test_an_option_that_breaks_its_rule_is_refused(options):
    with pytest.raises(InputError):
        read_table(b"a,b\n1,2\n", options=options)


def test_gzip_of_text_is_read_in_one_or_more_members():
    data = gzip.compress(b"a,b\n") + gzip.compress(b"1,2\n")
    table = read_table(data)
    assert table.n_rows == 1
    assert table.source.compressed


def test_a_large_text_on_disk_is_read_in_place(tmp_path):
    path = tmp_path / "large.csv"
    path.write_bytes(b"id,name,x\n" + b"".join(b"%d,n %d,%d.5\n" % (i, i % 7, i) for i in range(3_000)))
    placed, held = read_table(path, limits=Limits(in_place_bytes=100)), read_table(path)
    assert placed.source.in_place
    assert not held.source.in_place
    assert placed.fingerprint == held.fingerprint
    assert placed.columns == held.columns
    assert placed.counts(["name"]).equals(held.counts(["name"]))
    assert placed.source.options == held.source.options


@pytest.mark.parametrize(
    ("tail", "message"),
    [
        (b"1,2\n", "Line 3,002 has 2 cells, but 3 were"),
        (b'1,"2,3\n', "Line 3,002 cannot be read"),
        (b'1,"2"x,3\n', "Line 3,002"),
    ],
)
def test_a_bad_line_in_place_is_named(tmp_path, tail, message):
    path = tmp_path / "large.csv"
    path.write_bytes(b"a,b,c\n" + b"1,x,2\n" * 3_000 + tail)
    with pytest.raises(DataError, match=message):
        read_table(path, limits=Limits(in_place_bytes=100))


@pytest.mark.parametrize("end", [b"", b"\n", b"\n3,4\n"])
def test_a_line_longer_than_any_buffer_is_not_dropped_in_place(tmp_path, end):
    path = tmp_path / "large.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 3 + b"1," + b"x" * 40_000_000 + end)
    for limits in (Limits(), Limits(in_place_bytes=100)):
        with pytest.raises(LimitError):
            read_table(path, limits=limits)


@pytest.mark.parametrize(
    "data", ["a,b\nü,1\nx,2\n".encode("utf-16"), "a,b\n“x”,1\n".encode("cp1252"), b"a,b\r\nu,1\nx,2\r"]
)
def test_what_cannot_stay_in_place_is_held(tmp_path, data):
    path = tmp_path / "large[1].csv"
    path.write_bytes(data)
    assert read_table(path, limits=Limits(in_place_bytes=4)).fingerprint == read_table(data).fingerprint


TITLED = "name,sex,granted\n" + "Kim,F,yes\nJo,M,no\n" * 30


def _three_ways(data, folder, **options):
    """Read a text from memory, from its path and in place; what cannot be read is its refusal up to the first comma."""
    path, read = folder / "large.csv", []
    path.write_bytes(data)
    for source, limits in ((data, Limits()), (path, Limits()), (path, Limits(in_place_bytes=10))):
        try:
            table = read_table(source, name="large", options=ReadOptions(**options), limits=limits)
        except DataError as error:
            read.append(str(error).split(",")[0])
        else:
            read.append((table.fingerprint, table.n_rows, tuple(table.columns), table.notes, table.source.options))
    return read


@pytest.mark.parametrize("end", part_of(["\n", "\r\n"], ["\r\n"], rest="thorough"))
@pytest.mark.parametrize(
    "encoding", part_of(["utf-8", "utf-8-sig", "latin-1", "utf-16"], ["utf-8", "utf-16"], rest="thorough")
)
@pytest.mark.parametrize(
    ("above", "n"),
    [
        ("Décisions 2024\n", 1),
        ("\nDecisions 2024\n\nas of 1 May\n\n", 2),
        ("Decisions 2024,,\n,,\n", 1),
        ('"Decisions, ""all""\nof 2024"\n\n', 1),
        ("sep=,\nIt's of 2024\n", 1),
    ],
)
def test_lines_above_the_names_are_left_out_wherever_a_text_is_read(above, n, encoding, end, tmp_path):
    expected = read_table(TITLED.encode())
    first, *others = _three_ways((above + TITLED).replace("\n", end).encode(encoding), tmp_path)
    assert all(other == first for other in others)
    fingerprint, n_rows, columns, notes, options = first
    assert (fingerprint, n_rows, columns) == (expected.fingerprint, 60, ("name", "sex", "granted"))
    assert say(Message("read-lines-above", {"n": Count(n)})) in notes
    # The options that were found read it again, as a saved audit does.
    assert _three_ways((above + TITLED).encode(encoding), tmp_path, **vars(options))[2][0] == fingerprint
    # A bad line is called by its number in the file.
    ragged = _three_ways((above + TITLED + "x,y\n").replace("\n", end).encode(encoding), tmp_path)
    assert set(ragged) == {f"Line {above.count(chr(10)) + 62} has 2 cells"}


@pytest.mark.parametrize("title", ["Admissions, autumn 2024", "Admissions; autumn 2024", "Admissions"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_title_with_marks_of_its_own_does_not_say_what_stands_between_cells(title, delimiter, tmp_path):
    decimal = "." if delimiter == "," else ","
    rows = [["no", "sex", "programme", "score"], *([str(n), "FM"[n % 2], "Arts", f"12{decimal}{n}"] for n in range(30))]
    data = "\n".join([title, *(delimiter.join(row) for row in rows)]).encode()
    for _, n_rows, columns, notes, options in _three_ways(data, tmp_path):
        assert (n_rows, columns, options.delimiter) == (30, ("no", "sex", "programme", "score"), delimiter)
        assert say(Message("read-lines-above", {"n": Count(1)})) in notes


@pytest.mark.parametrize(
    "data",
    [
        b"x,,\n1,2,3\n4,5,6\n",
        b"5,,\n1,2,3\n4,5,6\n",
        b"id,mark,\n7,8,\n7,8,9\n",
        b"name\nKim\nJo\n",
        b"name,sex\n,\nKim,F\n",
        b"comment\nfine\nlate, slow, rude\nfine\n",
        b"Decisions, 2024\nname,sex,granted\nKim,F,yes\n",
        b"name,sex,area\nKim,F,north,yes\nJo,M,south,no\n",
        b"Decisions 2024\nname,sex\nKim,F\nJo,M\n",
        b"Decisions 2024\nname,sex,granted\nKim,F,yes\nJo,M\n",
        b"Decisions 2024\nname,sex,granted\n",
    ],
)
def test_lines_that_may_be_rows_of_the_table_are_never_left_out(data, tmp_path):
    for read in _three_ways(data, tmp_path):
        n_rows = data.count(b"\n")
        assert isinstance(read, str) or (read[1] in (n_rows, n_rows - 1) and "above" not in " ".join(read[3]))


def test_a_text_that_is_said_to_have_no_names_keeps_all_its_lines():
    data = b"Decisions 2024,,\nname,sex,granted\nKim,F,yes\nJo,M,no\n"
    assert read_table(data).n_rows == 2
    assert read_table(data, options=ReadOptions(header=False)).n_rows == 4
