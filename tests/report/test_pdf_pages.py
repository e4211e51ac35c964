"""How a report lies on its pages: tables that break well, and headings with what follows."""

from __future__ import annotations

import io
import re

import altair as alt
import pypdf
import pytest
from sweeps import part_of

from fairaudit.disclosure.fields import Field
from fairaudit.present.blocks import Chart, Code, Document, Heading, KeyValues, Note, Paragraph, TableBlock
from fairaudit.report.pdf import to_pdf

FILL = Paragraph("Words that fill a line of the page, once more and once more again, so that there is less room below.")
LAST_LINES = 10
"""Lines of code that stand at least on the page where they end."""


def pages_of(*blocks) -> list[str]:
    """Print blocks and return the text of each page."""
    return texts(to_pdf(Document("A title", "An audit", "en", blocks)))


def texts(data: bytes) -> list[str]:
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]


def long_table(n: int, title: str = "Many groups") -> TableBlock:
    columns = (Field("group", "group"), Field("n", "rows", "count"))
    return TableBlock("many", title, columns, tuple((f"group-{i:03}", 1000 + i) for i in range(n)))


def tall_chart(title: str = "A tall chart", height: int = 400) -> Chart:
    drawn = alt.Chart(alt.Data(values=[{"x": 1, "y": 1}])).mark_point().encode(x="x:Q", y="y:Q")
    return Chart("tall", title, "A point.", drawn.properties(width=300, height=height))


def rows_on(page: str) -> int:
    return len(re.findall(r"group-\d{3}", page))


@pytest.mark.parametrize("n_above", part_of(range(22, 44, 2), (26, 32, 38)))
def test_a_long_table_breaks_between_rows_with_its_head_repeated(n_above):
    pages = pages_of(*[FILL] * n_above, Heading(1, "Below a heading"), long_table(31))
    held = [page for page in pages if rows_on(page)]
    assert sum(map(rows_on, held)) == 31
    for page in held:
        assert len(re.findall(r"^group rows$|^group$", page, re.M)) == 1, page
    assert "Below a heading" in held[0] and "Table\u00a01" in held[0] and rows_on(held[0]) >= 3


@pytest.mark.parametrize(
    ("n_above", "n_rows"), part_of([*((n, 6) for n in range(26, 40, 2)), (4, 25), (20, 25)], [(30, 6), (20, 25)])
)
def test_a_table_that_fits_on_a_page_stays_whole_and_a_heading_stays_above_it(n_above, n_rows):
    pages = pages_of(*[FILL] * n_above, Heading(1, "Below a heading"), long_table(n_rows))
    assert [rows_on(page) for page in pages if rows_on(page)] == [n_rows]
    assert "Below a heading" in next(page for page in pages if rows_on(page))


def test_a_heading_whose_only_content_is_a_chart_goes_with_it():
    pages = pages_of(*[FILL] * 16, Heading(1, "Of the chart"), tall_chart(height=560), Heading(1, "The next"), FILL)
    assert "Of the chart" not in pages[0] and "Of the chart" in pages[1] and "A tall chart" in pages[1]


@pytest.mark.parametrize("n_above", part_of(range(16, 40, 4), (24, 28)))
@pytest.mark.parametrize("text", [FILL, Note("Few rows.", "warning")])
def test_a_short_text_below_a_heading_goes_with_it_and_its_chart(n_above, text):
    pages = pages_of(*[FILL] * n_above, Heading(1, "Below a heading"), Paragraph("So it is."), text, tall_chart())
    [page] = [page for page in pages if "Below a heading" in page]
    assert "So it is." in page and "A tall chart" in page


def test_a_long_text_below_a_heading_fills_the_page_before_its_chart():
    long = [Paragraph(f"{FILL.text} " * 3)] * 4
    pages = pages_of(*[FILL] * 20, Heading(1, "Below a heading"), *long, tall_chart())
    assert "Below a heading" in pages[0] and "A tall chart" in pages[1]


@pytest.mark.parametrize("n_above", part_of(range(24, 42, 3), (30, 36)))
def test_few_facts_and_little_code_stay_whole(n_above):
    facts = KeyValues(None, tuple((f"Fact {i}", "known") for i in range(6)))
    code = Code("\n".join(f"line {i} of code" for i in range(12)))
    for block, n, found in ((facts, 6, r"Fact \d"), (code, 12, r"line \d+ of code")):
        pages = pages_of(*[FILL] * n_above, Heading(1, "Below a heading"), block)
        assert [len(re.findall(found, page)) for page in pages if re.search(found, page)] == [n]


@pytest.mark.parametrize("n_lines", part_of(range(58, 74, 3), (61, 67)))
def test_the_page_where_long_code_ends_holds_several_lines_of_it(n_lines):
    pages = pages_of(Heading(1, "The plan"), Code("\n".join(f"line {i} of code" for i in range(n_lines))))
    held = [len(re.findall(r"line \d+ of code", page)) for page in pages]
    assert sum(held) == n_lines and min(held) >= LAST_LINES


def test_lines_of_code_that_fill_pages_break():
    long = " ".join(["word"] * 380)
    pages = pages_of(Code("\n".join([long] * 12)))
    assert sum(len(re.findall("word", page)) for page in pages) == 12 * 380


def test_a_tall_picture_is_drawn_smaller_so_that_two_fit_on_a_page():
    assert "Second" in pages_of(tall_chart("First", 370), tall_chart("Second", 370))[0]
