"""Rows that are left out, cells that are filled downward, and the first rows as they stand in a file."""

from __future__ import annotations

import io

import openpyxl
import pytest

from fairaudit import read_table
from fairaudit.data import ReadOptions
from fairaudit.data.sheet_marks import SheetMarks, marks_of_sheet
from fairaudit.data.subprocess_reader import read_apart
from fairaudit.errors import InputError
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import as_planned, record_data
from fairaudit.plan.outcomes import OutcomePlan

LINES = ["Decisions 2024", "", "region,sex,pay", "North,F,1", ",M,2", "South,F,3", ",M,4", "Total,,10"]
TEXT = ("\n".join(LINES) + "\n").encode()
HOW = ReadOptions(rows_out=(8,), filled_down=("region",))
REGIONS = ["North", "North", "South", "South"]


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    for line in LINES:
        sheet.append([int(cell) if cell.isdigit() else cell or None for cell in line.split(",")])
    for row in (4, 6):
        sheet.merge_cells(start_row=row, end_row=row + 1, start_column=1, end_column=1)
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


@pytest.fixture(
    params=[TEXT, TEXT.replace(b"\n", b"\r\n"), TEXT.decode().encode("utf-16"), workbook()],
    ids=["text", "other ends of lines", "utf-16", "workbook"],
)
def content(request) -> bytes:
    return request.param


def test_a_total_is_left_out_and_merged_cells_are_filled(content):
    before = read_table(content)
    assert before.n_rows == 5 and before.count("region IS NULL") == 2
    for table in (read_table(content, options=HOW), read_apart(content, name="t", options=HOW)):
        frame = table.to_pandas()
        assert list(frame["region"]) == REGIONS and list(frame["pay"]) == [1, 2, 3, 4]
        assert (table.source.options.rows_out, table.source.options.filled_down) == ((8,), ("region",))


def test_the_first_rows_are_shown_as_they_stand_also_those_that_are_left_out(content):
    for table in (read_table(content, options=HOW), read_apart(content, name="t")):
        rows = dict(table.first_rows.rows)
        assert rows[1][0] == "Decisions 2024" and rows[3] == ("region", "sex", "pay")
        assert rows[5][1:] == ("M", "2") and rows[8][0] == "Total"


def test_merged_cells_of_a_sheet_are_known_and_those_of_names_are_not_among_them():
    assert read_table(workbook()).first_rows.merged == ("region",)
    assert read_table(TEXT).first_rows.merged == ()


def test_lines_in_the_middle_and_above_the_names_can_be_left_out(content):
    table = read_table(content, options=ReadOptions(rows_out=(1, 5, 8)))
    assert list(table.to_pandas()["pay"]) == [1, 3, 4]
    # Without the line of the names, the next one is looked at.
    assert read_table(content, options=ReadOptions(rows_out=(1, 3), header=False)).n_rows == 5


def test_a_plan_keeps_it(tmp_path, content):
    path = tmp_path / "table"
    path.write_bytes(content)
    plan = AuditPlan(data=DataPlan(source="table"), decision=OutcomePlan(column="pay", amount=True))
    plan = record_data(plan, read_table(path, options=HOW))
    again = AuditPlan.from_toml(plan.to_toml())
    assert again.data.reading.rows_out == (8,) and again.data.reading.filled_down == ("region",)
    table = as_planned(again.data, lambda options: read_table(path, options=options))
    assert table.fingerprint == plan.data.fingerprint


def test_cells_of_which_it_is_said_that_they_stay_empty_are_no_longer_spoken_of():
    said = say(Message("read-merged", {"n": Count(2)}))
    assert said in read_table(workbook()).notes
    table = read_table(workbook(), options=ReadOptions(left_empty=("region",)))
    assert said not in table.notes and table.count("region IS NULL") == 2
    with pytest.raises(InputError, match="left_empty"):
        read_table(workbook(), options=ReadOptions(left_empty=("area",)))
    with pytest.raises(InputError, match="'filled_down' and in 'left_empty'"):
        ReadOptions(filled_down=("region",), left_empty=("region",))


@pytest.mark.parametrize("how", [{"rows_out": (99,)}, {"rows_out": (0,)}, {"filled_down": ("Region",)}])
def test_what_is_not_there_is_refused(content, how):
    with pytest.raises(InputError, match=next(iter(how))):
        read_table(content, options=ReadOptions(**how))


def test_where_no_cells_are_merged_nothing_can_be_filled(tmp_path):
    path = tmp_path / "t.parquet"
    read_table(TEXT, options=HOW).to_pandas().to_parquet(path)
    with pytest.raises(InputError, match="filled_down"):
        read_table(path, options=ReadOptions(filled_down=("region",)))


def test_cells_that_say_not_known_are_not_filled():
    how = ReadOptions(filled_down=("region",), not_known=(("region", ("?",)),), rows_out=(8,))
    table = read_table(TEXT.replace(b"South", b"?"), options=how)
    assert [value if isinstance(value, str) else None for value in table.to_pandas()["region"]] == [
        "North",
        "North",
        None,
        None,
    ]


def test_spaces_are_empty_and_a_first_empty_cell_stays_so():
    table = read_table(b"a,b\n,1\nx,2\n  ,3\n\n,4\n", options=ReadOptions(filled_down=("a",)))
    assert [value if isinstance(value, str) else None for value in table.to_pandas()["a"]] == [None, "x", "x", "x"]


def marked(*, formula: bool = True) -> bytes:
    book = openpyxl.Workbook()
    other = book.active
    sheet = book.create_sheet("People & pay")
    for cells in (["sex", "pay", "bonus"], ["F", 1, 2], ["M", 3, "=B3*2" if formula else 6], ["F", 5, 4]):
        sheet.append(cells)
    other.append(["a", "b"])
    other.append([1, "=A2"])
    sheet.row_dimensions[2].hidden = True
    sheet.column_dimensions["B"].hidden = True
    # Beyond the table.
    sheet.column_dimensions["Z"].hidden = True
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


def test_what_is_hidden_and_what_is_not_computed_is_counted_in_the_sheet_that_is_read():
    marks = marks_of_sheet(marked(), "People & pay", width=3)
    assert (marks.hidden_rows, marks.hidden_columns, marks.uncomputed) == (1, 1, 1)
    assert marks_of_sheet(marked(formula=False), "People & pay", width=3).uncomputed == 0
    assert marks_of_sheet(marked(), "Sheet", width=2) == SheetMarks(0, 0, 1)
    assert marks_of_sheet(workbook(), "Sheet", width=3).notes == ()


def test_it_is_said_in_one_note_and_all_rows_are_read():
    table = read_table(marked(), options=ReadOptions(sheet="People & pay"))
    said = say(
        (Message("read-hidden", {"rows": Count(1), "columns": Count(1)}), Message("read-uncomputed", {"n": Count(1)}))
    )
    assert said in table.notes
    assert table.n_rows == 3 and table.count("bonus IS NULL") == 1
