"""How a file is read: nothing is answered before a person has said what 1.157 means, and where the names stand."""

from __future__ import annotations

import io

import openpyxl
import pytest

from fairaudit import AuditPlan, read_table
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from ui.data.questions import open_questions

GERMAN = b"fall;geschlecht;betrag;quote\n" + b"1;M;1.157;0,4\n2;F;983;0,15\n3;M;1.316;0,92\n" * 20


def _question(app, place: int = 0):
    return app.radio(key=f"data_two_readings_{place}_{app.state.asked_file.key}")


def _answer(app, place: int, mark: str):
    key = f"data_two_readings_{place}_{app.state.asked_file.key}"
    return app.set("radio", key, mark)


def _go_on(app):
    return app.click(f"data_two_readings_go_{app.state.asked_file.key}")


@pytest.mark.parametrize(("mark", "mean"), [(",", 1157.0), (".", 1.157), ("text", "1.157")])
def test_a_thousand_or_a_fraction_is_asked_with_cells_and_read_as_answered(app, mark, mean):
    app.upload("pay.csv", GERMAN)
    assert app.state.table is None and "1.157, 1.316" in app.text
    assert _question(app).value is None, "nothing is answered for the person"
    big, small, _ = _question(app).options
    # Neither holds a mark that a reader of decimal commas and one of decimal points take for different numbers.
    assert big.startswith("1157") and "157 thousandths" in small and not {",", "."} & set(big + small)
    app.go("Check")
    assert "no data" in app.text
    app.go("Data")
    _answer(app, 0, mark)
    _go_on(app)
    assert app.state.table.to_pandas()["betrag"][0] == mean and app.state.asked_file is None
    reading = app.state.reading
    assert (reading.decimal_comma, reading.decimal_point, reading.as_text) == tuple(
        ("betrag",) if said == mark else () for said in (",", ".", "text")
    )


def test_where_nothing_shows_the_mark_nothing_is_proposed(app):
    app.upload("pay.tsv", b"case\tbenefit\n0\t1,157\n1\t983\n" * 1)
    assert _question(app).value is None
    assert app.button(key=f"data_two_readings_go_{app.state.asked_file.key}").disabled
    _answer(app, 0, ".")
    _go_on(app)
    assert app.state.table.to_pandas()["benefit"].tolist() == [1157, 983]


def test_many_columns_are_answered_at_once_or_one_by_one(app):
    names = "abcde"
    app.upload("t.csv", (";".join(names) + "\n" + ";".join(["1.157"] * 5) + "\n").encode())
    key = app.state.asked_file.key
    assert say(Message("data-questions", {"n": Count(1)})) in app.text, "one answer is enough for all"
    app.set("radio", f"data_two_readings_all_{key}", ",")
    app.set("checkbox", f"data_two_readings_apart_{key}", True)
    assert say(Message("data-questions", {"n": Count(5)})) in app.text
    for place in range(5):
        _answer(app, place, "." if place == 2 else ",")
    _go_on(app)
    assert app.state.table.to_pandas().iloc[0].tolist() == [1157, 1157, 1.157, 1157, 1157]


def test_a_question_leaves_the_present_table_and_can_be_left(app, csv):
    app.upload("t.csv", csv(sex=["F", "M"] * 4, ok=["y", "n"] * 4)).upload("pay.csv", GERMAN)
    assert app.state.table.name == "t" and app.state.asked_file is not None
    app.click(f"data_two_readings_leave_{app.state.asked_file.key}")
    assert app.state.asked_file is None and app.state.table.name == "t"


def test_a_saved_audit_reads_its_file_as_was_answered(app):
    app.upload("pay.csv", GERMAN)
    _answer(app, 0, ",")
    _go_on(app)
    app.decide("geschlecht", "F")
    text = app.state.plan().to_toml()
    again = type(app)()
    again.open_audit(text)
    again.upload("pay.csv", GERMAN)
    assert again.state.asked_file is None and again.state.table.to_pandas()["betrag"][0] == 1157


def _fields(app, **values):
    for field, value in values.items():
        app.number_input(key=f"data_{field}_{app.state.data_key}").set_value(value)
    next(b for b in app.button if b.label.startswith("Read it again")).click()
    return app.run()


def test_the_row_of_the_names_is_chosen(app):
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    rows = [
        ["Person", None, "Decision", None],
        ["id", "sex", "result", "days"],
        *[[i, "F", "yes", i] for i in range(9)],
    ]
    for row in rows:
        book.active.append(row)
    for cells in ("A1:B1", "C1:D1"):
        book.active.merge_cells(cells)
    book.save(buffer)
    app.upload("t.xlsx", buffer.getvalue())
    assert "Person id" in app.state.table.columns and app.state.table.n_rows == 9
    _fields(app, names_row=2)
    assert list(app.state.table.columns) == ["id", "sex", "result", "days"] and app.state.table.n_rows == 9
    assert app.state.reading.names_row == 2
    app.upload("t.csv", b"one;two\nid;sex\n1;F\n2;M\n")
    _fields(app, names_row=2)
    assert list(app.state.table.columns) == ["id", "sex"]


def test_another_missing_text_asks_what_its_column_means(app):
    app.upload("t.csv", b"id;pay\n1;1.157\n2;983\n3;?\n")
    assert app.state.table.columns["pay"].kind == "text"
    app.multiselect(key=f"data_missing_{app.state.data_key}").set_value(["?"])
    next(b for b in app.button if b.label.startswith("Read it again")).click()
    app.run()
    assert [each.column for each in app.state.asked_file.columns] == ["pay"]
    _answer(app, 0, ",")
    _go_on(app)
    assert app.state.table.count("pay = 1157") == 1 and app.state.reading.missing == ("?",)


def test_the_one_column_that_is_called_a_decision_is_proposed_and_can_be_changed(app, csv):
    app.hold("t.csv", csv(decision=["granted", "refused"] * 30, sex=["F", "M", "F"] * 20)).go("Data")
    place = app.data_key("decision_column")
    assert app.selectbox(key=place).value == "decision" and app.state.decision is None
    assert open_questions(app.state)[0].asked.key == "data-headline-good"
    assert app.set("selectbox", place, "sex").selectbox(key=place).value == "sex"


def test_merged_cells_are_filled_by_a_press_left_empty_by_another_and_each_is_said_once(app):
    book = openpyxl.Workbook()
    for row in [
        ["region", "sex", "ok"],
        *(["NS"[i // 8] if i % 8 == 0 else None, "FM"[i % 2], "yn"[i % 3 > 0]] for i in range(16)),
    ]:
        book.active.append(row)
    for first in (2, 10):
        book.active.merge_cells(start_row=first, end_row=first + 7, start_column=1, end_column=1)
    held = io.BytesIO()
    book.save(held)
    app.hold("regions.xlsx", held.getvalue()).go("Data")
    assert app.text.count(say(Message("read-merged", {"n": Count(14)}))) == 1
    app.click("data_merged_fill")
    assert app.state.reading.filled_down == ("region",)
    assert app.state.table.count("region IS NULL") == 0
    assert say(Message("read-merged", {"n": Count(14)})) not in app.text
    app.click("data_merged_undo")
    assert app.state.table.count("region IS NULL") == 14
    app.click("data_merged_leave")
    assert "data_merged_fill" not in [each.key for each in app.button]
    assert app.state.reading.left_empty == ("region",) and app.state.table.count("region IS NULL") == 14
    assert say(Message("read-merged", {"n": Count(14)})) not in app.text
    app.click("data_merged_ask").click("data_merged_leave")
    app.decide("ok", "y")
    plan = AuditPlan.from_toml(app.state.plan().to_toml())
    assert plan.data.reading.left_empty == ("region",)
    app.state.put_table(read_table(held.getvalue(), options=plan.data.options), source="regions.xlsx", planned=True)
    assert "data_merged_fill" not in [each.key for each in app.go("Data").button]
