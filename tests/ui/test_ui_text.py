"""Text from data is drawn as it is, whatever it holds; no two options of a widget look alike."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ui.text import labels, literal, shortened

CUT, JOINT = ":small[]", "\ue000"
PARSER = MarkdownIt("gfm-like", {"linkify": False})
# What Streamlit's Markdown replaces after the escapes are gone (version 1.67): links, emoji, the logo, arrows.
REPLACED = re.compile(
    r"https?://|www\.|(?<=[-.\w+])@|:[\w+-]+:|(?:^|\s)(?:<->|->|<-|--|>=|<=|~=)(?:\s|$)", re.IGNORECASE
)
TEXTS = st.text(max_size=400) | st.text(alphabet=string.punctuation + "aw1 :-<>@.\n\t", max_size=60)
TRICKY = st.lists(
    st.sampled_from(
        [
            "www.",
            "http",
            "s",
            "://",
            "a@b.cd",
            ":smile:",
            ":streamlit:",
            " -> ",
            "<-",
            ">=",
            "--",
            ":",
            "|",
            "`",
            "x",
            " ",
        ]
    ),
    max_size=12,
).map("".join)


def _pieces(markdown: str) -> list[str]:
    """Return the texts between the cuts, without escapes."""
    pieces, place = [""], 0
    while place < len(markdown):
        sign = markdown[place]
        if sign == "\\":
            assert markdown[place + 1] in string.punctuation
            pieces[-1] += markdown[place + 1]
            place += 2
        elif markdown.startswith(CUT, place):
            pieces.append("")
            place += len(CUT)
        else:
            pieces[-1] += sign
            place += 1
    return pieces


def _read(markdown: str) -> str:
    """Return what Markdown makes of one line, which must be a paragraph of plain text."""
    opened, line, closed = PARSER.parse(markdown.replace(CUT, JOINT))
    assert (opened.type, line.type, closed.type) == ("paragraph_open", "inline", "paragraph_close"), markdown
    assert {part.type for part in line.children} <= {"text"}, markdown
    return "".join(part.content for part in line.children).replace(JOINT, "")


@given(TEXTS | TRICKY)
def test_literal_gives_back_the_text(text):
    assert "".join(_pieces(literal(text))) == shortened(text, 300)


@given(TEXTS | TRICKY)
def test_markdown_reads_a_literal_as_it_is_at_the_start_of_a_line_and_after_words(text):
    # Markdown replaces this one, and JOINT stands for the cuts.
    plain = shortened(re.sub("[\0\ue000]", "", text), 300)
    if plain:
        assert _read(literal(plain)) == plain
    assert _read(f"Bands of {literal(plain)}.") == f"Bands of {plain}."


@pytest.mark.parametrize(
    "name", ["Urgency (1-3)", "education_num", "Care & health", "Paid? 50 % or more; net/gross", "3.5"]
)
def test_literal_leaves_signs_that_are_no_markup_as_a_screen_reader_reads_them(name):
    assert literal(name) == name


@given(st.text(max_size=60))
def test_shortened_changes_blanks_only(text):
    assert "".join(shortened(text).split()) == "".join(text.split())


@given(TEXTS | TRICKY)
def test_literal_is_one_line_that_begins_no_block(text):
    markdown = literal(text)
    assert not set("\r\n\t\f\v\u2028\u2029") & set(markdown)
    assert not markdown.startswith(" ") and "  " not in markdown


@given(TRICKY | TEXTS)
def test_literal_leaves_nothing_that_streamlit_replaces(text):
    for piece in _pieces(literal(text)):
        assert not REPLACED.search(piece), piece


@given(TEXTS, st.integers(1, 50))
def test_literal_and_shortened_keep_to_their_limit(text, limit):
    assert len(shortened(text, limit)) <= limit
    assert len("".join(_pieces(literal(text, limit=limit)))) <= limit


@pytest.mark.parametrize(
    "text",
    [
        "</style><script>alert(1)</script>",
        "[a](http://evil.example)",
        "![x](data:text/html,x)",
        "$x^2$ costs $5",
        ":red[hi] :material/home: :streamlit:",
        "# head",
        "1. one",
        "- [ ] box",
        "| a | b |",
        "&lt;b&gt; &#58;",
        "a\\*b*",
        "```x",
        "~~~",
        "<b>",
        "😀" * 10,
    ],
)
def test_literal_shows_hostile_text_as_it_is(text):
    assert "".join(_pieces(literal(text))) == text


def test_literal_takes_any_value():
    assert literal(None) == "None"
    assert literal(-1.5) == r"\-1.5"


@given(st.lists(st.text(max_size=80) | st.text(alphabet="a ()2", max_size=70), unique=True, max_size=20))
def test_labels_distinguish_all_options(options):
    label = labels(options)
    assert len({label(option) for option in options}) == len(options)


@given(st.lists(st.integers() | st.floats(allow_nan=False), unique=True, max_size=20))
def test_labels_of_numbers_are_their_text(options):
    label = labels(options)
    assert all(label(option).startswith(shortened(option)) for option in options)


def test_labels_keep_the_name_of_the_first_and_number_the_rest():
    long = "x" * 70
    label = labels([long + "a", long + "b", "y"])
    assert label(long + "a") == "x" * 59 + "…"
    assert label(long + "b") == "x" * 59 + "… (2)"
    assert label("y") == "y"
    assert label("not among them") == "not among them"
