"""Layout of printed tables: nothing is lost, nothing is wider than its column or the page."""

from __future__ import annotations

import json

import pytest
import typst
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.report import typesetting

MEASURE = b"""#set text(font: "Libertinus Serif", size: 10pt)
#let words = json(bytes(sys.inputs.words))
#let mono(it) = text(font: "DejaVu Sans Mono", size: 0.85em, it)
#let one(w) = measure(if w.mono { mono(w.text) } else if w.bold { strong(w.text) } else { w.text }).width.pt()
#context [#metadata(words.map(one)) <sizes>]
"""


@given(st.text(max_size=200))
def test_pieces_are_the_text_again(text):
    assert "".join(typesetting.pieces(text)) == text


@given(st.text(alphabet="abcXYZ_-/.019", min_size=1, max_size=120))
def test_no_piece_is_longer_than_a_word_that_stays_whole(text):
    assert all(len(piece) <= typesetting.LONGEST_WORD for piece in typesetting.pieces(text))


def test_names_of_files_break_at_their_signs_alone():
    assert typesetting.pieces("remedy_2_population.csv.") == ["remedy_", "2_", "population.csv."]
    assert typesetting.pieces("remedy_12_predictions_by_group.csv") == [
        *("remedy_", "12_", "predictions_", "by_", "group.csv")
    ]


def test_escapes_and_marks_stay_in_one_piece():
    assert typesetting.pieces("⟨U+1F468⟩" * 4) == ["⟨U+1F468⟩⟨U+1F468⟩"] * 2
    assert not any(piece.startswith("\u0301") for piece in typesetting.pieces("e\u0301" * 40))


@pytest.mark.parametrize(("mono", "bold"), [(False, False), (False, True), (True, False)])
def test_widths_are_estimated_on_the_safe_side(mono, bold):
    samples = [
        "people", "good outcome", "−14.5 to −10.1", "13,827", "32.0\u00a0%", "Amer-Indian-Eskimo", "WWWWWWMMMM",
        "iiiiiiilll", "department_of_transport", "race <> 'White'", "not defined", "MMMMMMMMMM", "GGGGDDDDNN",
        "95 % interval", "Äußerung", "Москва", "Ελλάδα", "⟨U+1F468⟩", "mmmmmmmmmm", "@@@@@@", "=====", "________",
        '""""', "0123456789", "HHHHHHHH", "rrrrrrrr",
    ]  # fmt: skip
    inputs = {"words": json.dumps([{"text": s, "mono": mono, "bold": bold} for s in samples])}
    real = json.loads(typst.query(MEASURE, "<sizes>", field="value", one=True, sys_inputs=inputs))
    for text, size in zip(samples, real, strict=True):
        assert typesetting.width(text, 10, mono=mono, bold=bold) >= size, text


cells = st.text(alphabet="ab W_0\u4e2d", max_size=70)


@given(st.integers(1, 14).flatmap(lambda n: st.tuples(st.lists(cells, min_size=n, max_size=n), st.lists(
    st.lists(cells, min_size=n, max_size=n), max_size=4))))  # fmt: skip
def test_every_column_is_printed_and_fits_the_page(table):
    heads, rows = table
    layouts = typesetting.lay_out(heads, rows, [False] * len(heads), available=471.0)
    shown = [i for layout in layouts for i in layout.columns]
    assert sorted(set(shown)) == list(range(len(heads)))
    assert all(layout.columns[0] == 0 for layout in layouts)
    for layout in layouts:
        assert sum(layout.widths) <= 471.0 + 1e-6
        assert len(layout.widths) == len(layout.columns)


def test_a_table_too_wide_for_the_page_is_split_by_columns():
    heads = [f"Column name that has sixty characters, no more and no fewer {i}" for i in range(12)]
    layouts = typesetting.lay_out(heads, [["−14.5 to +10.1"] * 12], [False] * 12, available=471.0)
    assert len(layouts) > 1
    assert [i for layout in layouts for i in layout.columns if i] == list(range(1, 12))


def test_long_texts_are_cut_and_say_so():
    assert typesetting.clipped("y" * 10000, 5) == "yyyyy… (10,000 characters)"
    assert typesetting.clipped("short") == "short"


def test_where_room_is_short_long_sentences_get_what_the_longest_words_leave():
    heads = ["Race", "applicants", "selected", "selection rate", "impact ratio", "Z", "p-value", "test", "reading"]
    cells = ["Black or African American", "1,614", "704", "43.6 %", "0.817", "−12.34", "< 0.001", "fisher"]
    sentence = "not below 0.80, yet lower by more than chance; one person more or fewer crosses 0.80"
    [layout] = typesetting.lay_out(heads, [(*cells, sentence)], [False] * len(heads), available=471.0)
    *_, reading = layout.widths
    assert reading == max(layout.widths) and reading > typesetting.COMFORT
    lines = typesetting.width(sentence, layout.size) / (reading - 2 * typesetting.INSET)
    assert lines < 4
