"""A column of numbers with a few words among them is asked about on Data, read by one press, and taken back."""

from __future__ import annotations

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say

N = 120
QUESTION = say(Message("data-texts", {"column": Phrase("'pay'")}))


def hold(app, csv, cells):
    app.hold("people.csv", csv(sex=["FM"[i % 2] for i in range(N)], pay=cells))
    return app.go("Data")


def test_one_press_reads_numbers_and_another_takes_it_back(app, csv):
    hold(app, csv, ["n/a" if i % 20 == 3 else f"£{1000 + i}.50" for i in range(N)])
    assert QUESTION in app.text and "£1000.50" in app.text and "1000.5," in app.text
    app.click("data_texts_numbers")
    assert not app.exception and QUESTION not in app.text
    assert app.state.present_table.columns["pay"].kind == "number"
    reading = app.state.reading
    assert reading.not_known == (("pay", ("n/a",)),) and reading.decimal_point == ("pay",)
    app.click("data_said_not_known_pay")
    assert app.state.present_table.columns["pay"].kind == "text" and QUESTION in app.text


def test_an_open_mark_has_a_press_for_each_reading(app, csv):
    hold(app, csv, ['"tbc"' if i % 20 == 3 else f'"1,{100 + i}"' for i in range(N)])
    assert QUESTION in app.text
    app.click("data_texts_,")
    assert not app.exception and app.state.reading.decimal_comma == ("pay",)
    assert max(v for v in app.state.present_table.common_values("pay") if v is not None) < 2


def test_a_column_that_is_kept_as_text_is_asked_about_again_when_that_is_taken_back(app, csv):
    hold(app, csv, ["tbc" if i % 20 == 3 else str(i) for i in range(N)])
    app.click("data_texts_keep")
    assert app.state.reading.as_text == ("pay",) and QUESTION not in app.text
    app.click("data_texts_undo_0")
    assert not app.state.reading.as_text and QUESTION in app.text
