"""The PDF: accessible, repeatable, and whole whatever the data hold."""

from __future__ import annotations

import datetime
import functools
import io
import re
from dataclasses import replace

import made_up
import outloud
import pikepdf
import pypdf
import pytest
from PIL import Image

from fairaudit.disclosure.fields import Field
from fairaudit.errors import ReportError
from fairaudit.present.blocks import (
    Attachment,
    Chart,
    Code,
    Document,
    Heading,
    Items,
    KeyValues,
    Note,
    Paragraph,
    TableBlock,
)
from fairaudit.present.charts.gaps import comparison_chart
from fairaudit.report import pdf, typesetting
from fairaudit.report.pdf import to_pdf

DAY = datetime.date(2025, 3, 1)


@pytest.fixture(scope="module")
def demo():
    return made_up.demo()


@pytest.fixture(scope="module")
def printed(demo):
    return to_pdf(replace(demo, dated=DAY))


def elements(data):
    """Every structure element of a tagged PDF, in order, as (type, element); keep the first part of the pair alive."""
    found = []

    def walk(node):
        if isinstance(node, pikepdf.Array):
            for child in node:
                walk(child)
        elif isinstance(node, pikepdf.Dictionary):
            if "/S" in node:
                found.append((str(node.S), node))
            if "/K" in node:
                walk(node.K)

    opened = pikepdf.open(io.BytesIO(data))
    walk(opened.Root.StructTreeRoot.K)
    return opened, found


def text_of(data):
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)


def only(*blocks):
    return Document("Adult census income", "Audit of decisions", "en", blocks)


@pytest.fixture
def trusting_coverage(monkeypatch):
    """A coverage that believes in every character, while Typst has only the fonts that it carries: no Chinese."""
    coverage = typesetting.Coverage()
    monkeypatch.setattr(coverage, "_sets", lambda text, drawn=False: True)
    monkeypatch.setattr(pdf, "COVERAGE", coverage)
    monkeypatch.setattr(pdf.typst, "compile", functools.partial(pdf.typst.compile, ignore_system_fonts=True))


def test_pdf_is_tagged_with_title_and_language(printed):
    with pikepdf.open(io.BytesIO(printed)) as opened:
        assert bool(opened.Root.MarkInfo.Marked)
        assert str(opened.Root.Lang) == "en"
        assert bool(opened.Root.ViewerPreferences.DisplayDocTitle)
        with opened.open_metadata() as metadata:
            assert metadata["dc:title"] == "Adult census income"
            assert metadata["pdfuaid:part"] == "1"
            assert metadata["dc:creator"] == ["A. Auditor"]


def test_an_independent_checker_of_accessible_documents_finds_nothing(tmp_path):
    columns = (Field("group", "group", "text", "Who."), Field("n", "people", "number", "How many."))
    table = TableBlock("people", "People of each group", columns, tuple((f"group {n}", n) for n in range(70)))
    blocks = (
        Heading(1, "What was asked"),
        Paragraph("Whether like cases are treated alike."),
        KeyValues("The data", (("name", "A table of decisions"), ("purpose", ""))),
        table,
        Heading(2, "The plan"),
        Code('[data]\nname = "decisions"\n\n[decision]\ncolumn = "granted"\n', "To repeat it"),
    )
    path = tmp_path / "report.pdf"
    path.write_bytes(to_pdf(only(*blocks)))
    checked = outloud.check(str(path))
    assert checked.verdict == "pass" and checked.stats["pages"] == 2
    assert not [(found.rule, found.page, found.message) for found in checked.findings]


def test_repeated_heads_of_a_table_are_the_one_false_alarm_of_the_checker(tmp_path):
    """The checker takes long heads that are repeated, but not on most pages, for prose that nobody reads out.

    They are read out where the table begins, and are repeated for the eye alone: one table stays one table. Nothing
    else would be right for a table that is taller than a page; one that fits on a page stays whole.
    """
    labels = ("group of people", "how many", "share so", "share as", "gap in points", "its interval", "what it means")
    columns = tuple(Field(f"c{n}", label, "text", "Words.") for n, label in enumerate(labels))

    def found_in(n_rows):
        table = TableBlock(
            "people", "People of each group", columns, tuple((f"g{n}", *"abcdef") for n in range(n_rows))
        )
        path = tmp_path / "report.pdf"
        after = Heading(1, "What is not said", starts_page=True)
        path.write_bytes(to_pdf(only(Heading(1, "What was found"), table, after)))
        checked = outloud.check(str(path))
        return checked.stats["pages"], [(found.rule, found.page, found.evidence) for found in checked.findings]

    assert found_in(25) == (2, [])
    assert found_in(80) == (3, [("TAG-002", 2, " ".join(labels))])


@pytest.mark.parametrize(("n_paragraphs", "n_pages"), [(3, 1), (30, 2)])
def test_a_heading_that_starts_a_page_leaves_no_page_half_empty(n_paragraphs, n_pages):
    before = (Paragraph(f"This is what was found, in part {n}.") for n in range(n_paragraphs))
    content = to_pdf(only(*before, Heading(1, "Annex A. More", starts_page=True), Paragraph("The rest.")))
    with pikepdf.open(io.BytesIO(content)) as opened:
        assert len(opened.pages) == n_pages


def test_language_and_region_are_kept():
    with pikepdf.open(io.BytesIO(to_pdf(Document("t", "s", "de-AT", (Paragraph("x"),))))) as opened:
        assert str(opened.Root.Lang) == "de-AT"


def test_every_chart_has_its_text_alternative(printed, demo):
    _pdf, found = elements(printed)
    alts = [str(element.Alt) for _, element in found if "/Alt" in element]
    for block in demo.blocks:
        if isinstance(block, Chart):
            assert any(alt[:40] == block.alt[:40] for alt in alts), block.key


def test_tables_have_header_cells(printed):
    _pdf, found = elements(printed)
    kinds = [kind for kind, _ in found]
    assert kinds.count("/TH") >= 7
    assert kinds.count("/TD") > kinds.count("/TH")
    assert "/Caption" in kinds


def test_headings_are_tagged_in_order(printed, demo):
    _pdf, found = elements(printed)
    levels = [int(kind[2:]) for kind, _ in found if kind[:2] == "/H" and kind[2:].isdigit()]
    assert levels == [block.level for block in demo.blocks if isinstance(block, Heading)]


@pytest.mark.parametrize("levels", [(2,), (1, 3), (0,), (1, 2, 4)])
def test_headings_that_skip_a_level_are_refused(levels):
    with pytest.raises(ReportError, match="level"):
        to_pdf(only(*(Heading(level, f"h{level}") for level in levels)))


def test_the_same_document_and_date_give_the_same_bytes(printed):
    assert to_pdf(replace(made_up.demo(), dated=DAY)) == printed


def test_the_clock_is_not_read():
    document = Document("t", "s", "en", (Paragraph("x"),))
    small = to_pdf(document)
    assert to_pdf(document) == small != to_pdf(replace(document, dated=DAY))
    assert not re.search(rb"D:20[0-9]{6}", small)
    assert re.search(rb"D:20250301", to_pdf(replace(document, dated=DAY)))


def test_a_document_is_to_be_kept_and_accessible_in_one(printed):
    metadata = pikepdf.open(io.BytesIO(printed)).open_metadata()
    assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"], metadata["pdfuaid:part"]) == ("3", "A", "1")


def test_attached_files_come_out_as_they_went_in():
    files = {"result.json": '{"a": "é"}\n'.encode(), "t.csv": "\ufeffa,b\r\n1,2\r\n".encode(), "plan.toml": b"a = 1\n"}
    attached = tuple(Attachment(name, content, f"about {name}") for name, content in files.items())
    opened = pikepdf.open(io.BytesIO(to_pdf(Document("t", "s", "en", (Paragraph("x"),), attached=attached))))
    assert {name: opened.attachments[name].get_file().read_bytes() for name in opened.attachments} == files


@pytest.mark.usefixtures("trusting_coverage")
def test_a_character_that_only_the_report_refuses_is_escaped_then():
    text = text_of(to_pdf(only(Paragraph("a\u4e2db\u6771"))))
    assert "⟨U+4E2D⟩" in text and "⟨U+6771⟩" in text


@pytest.mark.usefixtures("trusting_coverage")
def test_when_too_much_is_refused_everything_but_ascii_is_escaped():
    text = text_of(to_pdf(only(Paragraph("".join(map(chr, range(0x4E00, 0x4E40)))))))
    assert all(f"U+{code:04X}" in text.replace("\n", "") for code in range(0x4E00, 0x4E40))


@pytest.mark.thorough
def test_each_page_has_its_number(printed):
    pages = pypdf.PdfReader(io.BytesIO(printed)).pages
    for number, page in enumerate(pages, start=1):
        text = page.extract_text()
        assert f"page {number} of {len(pages)}" in text


def test_first_page_opens_with_the_verdict_and_a_chart(printed):
    first = pypdf.PdfReader(io.BytesIO(printed)).pages[0].extract_text()
    assert "Among people with more than 10 years of education" in first
    assert "Figure\u00a01" in first


def test_nothing_reaches_into_the_margins(demo):
    for number, picture in enumerate(pdf._compiled(demo, format="png", ppi=72), start=1):
        page = Image.open(io.BytesIO(picture)).convert("L")
        wide, high = page.size
        for name, box in {
            "left": (0, 0, 58, high),
            "right": (wide - 58, 0, wide, high),
            "top": (0, 0, wide, 24),
            "bottom": (0, high - 24, wide, high),
        }.items():
            assert page.crop(box).getextrema()[0] >= 250, f"page {number}, {name}"


def test_long_column_names_can_be_copied_unbroken():
    name = "department_of_transport_housing_and_other_things_in_the_register"
    table = TableBlock("k", "t", tuple(Field(f"c{i}", name) for i in range(4)), (("a", "b", "c", "d"),))
    text = text_of(to_pdf(only(Paragraph(f"The column {name}."), table)))
    assert text.replace("\n", "").count(name) >= 4
    assert "\u200b" not in text and "\u00ad" not in text


def test_wide_tables_keep_every_cell():
    columns = tuple(Field(f"c{i}", f"{made_up.SIXTY}{i}", "number") for i in range(12))
    rows = tuple(tuple(1000 * i + j + 0.25 for j in range(12)) for i in range(30))
    text = text_of(to_pdf(only(TableBlock("k", "Wide", columns, rows))))
    assert all(f"{value:,.2f}" in text for row in rows for value in row)
    assert "part 1 of" in text


def blocks_named(name):
    """One block of each kind, with a name wherever text can stand."""
    table = TableBlock("k", name, (Field("a", name), Field("b", name, "code")), ((name, name), (name, name)), name)
    chart = comparison_chart(made_up.many_groups([name, "x"], column=name))
    return (
        Heading(1, name), Paragraph(name, lead=True, strong=name), Note(name), Items((name,), name),
        KeyValues(name, ((name, name),), (name,)), table, Chart("c", name, name, chart), Code(name, name),
    )  # fmt: skip


@pytest.mark.thorough
def test_a_report_never_fails_because_of_names():
    blocks = [block for name in made_up.NASTY for block in blocks_named(name)]
    assert to_pdf(only(*blocks)).startswith(b"%PDF")


@pytest.mark.campaign
@pytest.mark.parametrize("name", made_up.NASTY, ids=range(len(made_up.NASTY)))
def test_a_report_never_fails_because_of_one_name(name):
    printed = to_pdf(Document(name or "t", name, "en", blocks_named(name), author=name, footer=name))
    assert printed.startswith(b"%PDF")


@pytest.mark.thorough
@pytest.mark.parametrize("line", ["x" * 2000, "a_b.c/" * 300, "дата" * 450, "word " * 400])
def test_many_long_lines_of_code_are_printed_and_broken(line):
    printed = to_pdf(Document("t", "s", "en", (Code("\n".join([line, "", *[line] * 40]), "Long"),)))
    with pypdf.PdfReader(io.BytesIO(printed)) as reader:
        text = "".join("".join(page.extract_text().split()) for page in reader.pages[:3])
    assert text.count(line.replace(" ", "")[:20]) > 20


def test_what_no_font_shows_is_printed_as_its_code_point():
    text = text_of(to_pdf(only(Paragraph("a\u202eb \ud800 \ue000 \x07 \uffff."), Code("x\u200by"))))
    for code in ("U+202E", "U+D800", "U+E000", "U+0007", "U+FFFF", "U+200B"):
        assert f"⟨{code}⟩" in text


def test_text_is_never_read_as_markup():
    text = text_of(to_pdf(only(Paragraph("#let x = 1; *bold* _it_ $m$ @ref <label> `raw` // \\ [x] = h"))))
    assert "#let x = 1; *bold* _it_ $m$ @ref <label> `raw` // \\ [x] = h" in text


def test_an_empty_document_and_empty_parts_are_printed():
    to_pdf(Document("t", "", "en", ()))
    table = TableBlock("k", "t", (Field("a", "A"),), ())
    to_pdf(only(table, Items(()), KeyValues(None, ()), Paragraph(""), Code(""), TableBlock("e", "none", (), ())))
