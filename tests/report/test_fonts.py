"""Characters on paper: seen, or written as their code point."""

from __future__ import annotations

import typst
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.report.pdf import forget_printed
from fairaudit.report.typesetting import COVERAGE, Coverage, visible


def test_usual_letters_and_signs_are_kept():
    text = "Äußerung naïve Ελλάδα Москва ±5 − – — “x” 32.0\u00a0% ≤ ≥ → ∞ ⟨x⟩ é"
    assert visible(text) == text


def test_line_ends_are_kept_only_where_lines_are_meant():
    assert visible("a\nb") == "a⟨U+000A⟩b"
    assert visible("a\r\nb\tc", lines=True) == "a\nb   c"


def test_joiners_are_kept_inside_words_and_shown_elsewhere():
    assert "⟨U+200C⟩" not in visible("می\u200cخواهم")
    assert visible("\u200d") == "⟨U+200D⟩"
    assert visible("a \u200d") == "a ⟨U+200D⟩"


def test_no_more_than_four_marks_pile_up():
    shown = visible("a" + "\u0301" * 9)
    assert shown.count("⟨U+0301⟩") >= 5


def test_words_of_documents_are_forgotten_with_them():
    name = "עבודה"
    for drawn in (False, True):
        assert visible(f"{name} 1", drawn=drawn) == f"{name} 1"
    assert any(name in word for word, _ in COVERAGE._words)
    forget_printed()
    assert not COVERAGE._words
    assert visible(name) == name


def test_a_coverage_can_be_narrowed_without_changing_it():
    coverage = Coverage()
    assert visible("é", coverage) == "é"
    assert visible("éè", coverage.without("é")) == "⟨U+00E9⟩è"
    assert visible("é ع", coverage.without(compound=True)) == "é ⟨U+0639⟩"
    assert visible("é ع", coverage) == "é ع"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_whatever_is_visible_can_be_set_under_pdf_ua(text):
    source = b'#set document(title: "t")\n#set text(lang: "en", font: "Libertinus Serif")\n#sys.inputs.text'
    typst.compile(source, format="pdf", pdf_standards=["ua-1"], sys_inputs={"text": visible(text)})
