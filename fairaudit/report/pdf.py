"""A document as PDF: tagged, accessible (PDF/UA-1), to be kept (PDF/A-3a), the same bytes for the same document.

The text of the blocks goes to Typst as data, never as source. Compiling fails when the result would not be
accessible; a character that no font shows is therefore escaped beforehand (:mod:`fairaudit.report.typesetting`).
"""

from __future__ import annotations

import datetime
import json
import re
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import typst

from fairaudit.errors import ReportError, quote
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.messages.catalogue import translated
from fairaudit.present.blocks import (
    NUMBER_KINDS,
    Block,
    Chart,
    Code,
    Document,
    Heading,
    Items,
    KeyValues,
    Note,
    Pair,
    Paragraph,
    ShortSection,
    Strip,
    TableBlock,
    in_language,
    row_texts,
)
from fairaudit.present.charts import theme
from fairaudit.present.naming import shorten
from fairaudit.report import typesetting
from fairaudit.report.chart_process import svg_of
from fairaudit.report.typesetting import COVERAGE, ESCAPE, STANDARDS, Coverage, visible

if TYPE_CHECKING:
    from altair.typing import ChartType

WIDEST = 640.0
NARROWEST = 260
POINTS_PER_PIXEL = 0.75

_ESCAPED_LABEL = 44
_SIZE = re.compile(r'<svg[^>]*?\bwidth="([0-9.]+)"')


def drawn(chart: ChartType, coverage: Coverage = COVERAGE) -> tuple[str, float]:
    """Draw a chart as SVG."""
    specification = printable(theme.printed(chart), coverage)
    svg = svg_of(specification)
    excess = _width(svg) - WIDEST
    if excess > 0 and isinstance(specification.get("width"), (int, float)):
        svg = svg_of({**specification, "width": max(NARROWEST, int(specification["width"] - excess))})
    return svg, _width(svg) * POINTS_PER_PIXEL


def printable(specification: dict[str, object], coverage: Coverage = COVERAGE) -> dict[str, Any]:
    """Return a Vega-Lite specification in which every text can be printed.

    Equal texts stay equal and different ones different, so that scales still find their values.
    """
    known: dict[str, str] = {}
    taken: set[str] = set()

    def text(value: str) -> str:
        if value.isascii() and value.isprintable():
            return value
        if value not in known:
            shown = visible(value, coverage, drawn=True)
            if len(shown) > _ESCAPED_LABEL and ESCAPE.search(shown):
                shown = shorten(shown, _ESCAPED_LABEL)
            while shown in taken:
                shown += "*"
            taken.add(shown)
            known[value] = shown
        return known[value]

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return text(value)
        if isinstance(value, dict):
            return {key: walk(item) for key, item in value.items()}
        return [walk(item) for item in value] if isinstance(value, list) else value

    return walk({key: value for key, value in specification.items() if key != "description"})


def _width(svg: str) -> float:
    found = _SIZE.search(svg)
    return float(found.group(1)) if found else WIDEST


# Pictures to take away.

PIXELS_PER_INCH: Final = 144.0
_PAGE = b"""#set page(width: auto, height: auto, margin: 8pt, fill: white)
#image(bytes(sys.inputs.picture), format: "svg", width: float(sys.inputs.width) * 1pt)
"""


def to_svg(chart: ChartType) -> bytes:
    """Return a chart as SVG, whose texts can be searched and copied."""
    return svg_of(chart.to_dict(validate=False)).encode()


def to_png(chart: ChartType) -> bytes:
    """Return a chart as PNG on white."""
    picture, width = drawn(chart)
    inputs = {"picture": picture, "width": f"{width:.2f}"}
    return typst.compile(_PAGE, format="png", ppi=PIXELS_PER_INCH, sys_inputs=inputs)


MARGIN = 62.0
WIDTH = 595.28 - 2 * MARGIN

_MOST_TRIES = 6
_NOT_SHOWN = re.compile(r'the text `"(.*?)"` could not be displayed', re.S)
_NO_CODE_POINTS = "missing codepoints"
REMEMBERED = 10
"""Prints after which Typst drops what none of them has used."""

_LONGEST_TITLE = 160
_LONGEST_FOOT = 360
_BLANK = "(blank)"
_LONGEST_CODE_LINE = 2000


UNDATED: Final = datetime.date(1980, 1, 1)
"""The date in a file whose document states none: no clock is asked, so that it is the same again."""
MEDIA_TYPES: Final = {"csv": "text/csv", "json": "application/json", "toml": "application/toml"}


def to_pdf(document: Document) -> bytes:
    """Print a document as PDF/A-3a and PDF/UA-1 in one."""
    return _compiled(document, format="pdf", pdf_standards=list(STANDARDS), timestamp=0)


def to_picture(document: Document, *, pixels_per_inch: float = 96.0) -> bytes:
    """Return the first page of a document as PNG."""
    pages: bytes | list[bytes] = _compiled(replace(document, attached=()), format="png", ppi=pixels_per_inch)
    return pages if isinstance(pages, bytes) else pages[0]


def forget_printed() -> None:
    """Let the printer forget what it remembers of earlier documents, to print the next one quicker."""
    COVERAGE.forget_words()
    # It drops what the last prints have not used, so many empty ones take the place of all others.
    for _ in range(REMEMBERED + 1):
        typst.compile(b"", format="pdf")


def check_headings(document: Document) -> None:
    """Raise unless headings start at level 1 and never skip a level on the way down."""
    before = 0
    for block in document.blocks:
        if isinstance(block, (ShortSection, Pair)):
            # Their headings are of the first level.
            before = 1
        if isinstance(block, Heading):
            if not 1 <= block.level <= before + 1:
                raise ReportError(
                    f"Heading {quote(block.text)} has level {block.level}, but the heading before it has {before}.",
                    hint="Use level 1 first and go down one level at a time.",
                )
            before = block.level


def _compiled(document: Document, **how: Any) -> Any:
    check_headings(document)
    source = files("fairaudit.report").joinpath("template.typ").read_bytes()
    coverage, tries = COVERAGE, 0
    while True:
        inputs = {"report": json.dumps(_Content(coverage).of(document))}
        try:
            return typst.compile(source, sys_inputs=inputs, **how)
        except typst.TypstError as error:
            tries += 1
            hidden = _NOT_SHOWN.search(error.message)
            if (hidden is None and _NO_CODE_POINTS not in error.message) or tries > _MOST_TRIES:
                raise ReportError(f"The report could not be made accessible: {error.message}") from error
            coverage = coverage.without(
                _unescaped(hidden.group(1)) if hidden else "", compound=hidden is None, plain=tries == _MOST_TRIES
            )


class _Content:
    """Turns a document into what the template reads: plain data, every text visible and cut where a line may break."""

    def __init__(self, coverage: Coverage) -> None:
        self._coverage = coverage

    def of(self, document: Document) -> dict[str, object]:
        language, _, region = document.language.partition("-")
        title = typesetting.clipped(self._visible(document.title), _LONGEST_TITLE)
        dated = document.dated or UNDATED
        return {
            "title": self._text(document.title or _BLANK, _LONGEST_TITLE),
            "title-plain": title or _BLANK,
            "running": self._text(document.subtitle, 90),
            "subtitle": self._text(document.subtitle, _LONGEST_TITLE),
            "subtitle-plain": self._visible(document.subtitle),
            "author": None if document.author is None else self._visible(document.author),
            "keywords": [f"{of} sha256 {digest}" for of, digest in document.known_by if digest],
            "dated": {"year": dated.year, "month": dated.month, "day": dated.day},
            "byline": [self._text(part, _LONGEST_TITLE) for part in document.byline],
            "footer": self._text(document.footer, _LONGEST_FOOT),
            "language": language.lower(),
            "region": region.upper() or None,
            "pages": say(Message("report-page-of", {"page": Phrase("{page}"), "pages": Phrase("{pages}")})),
            "table": translated("Table"),
            "figure": translated("Figure"),
            "margin": MARGIN,
            "width": WIDTH,
            "brief": document.is_brief,
            "blocks": [part for block in document.blocks for part in self._parts(block)],
            "attached": [
                {
                    "name": each.name,
                    "content": each.content.decode(),
                    "type": MEDIA_TYPES[each.name.rpartition(".")[2]],
                    "about": self._visible(each.about),
                }
                for each in document.attached
            ],
        }

    def _parts(self, block: Block) -> list[dict[str, object]]:
        match block := in_language(block):
            case Heading():
                text = self._text(block.text or _BLANK)
                return [{"type": "heading", "level": block.level, "text": text, "starts-page": block.starts_page}]
            case Paragraph():
                strong = self._text(block.strong) if block.strong else None
                return [{"type": "paragraph", "text": self._text(block.text), "lead": block.lead, "strong": strong}]
            case Note():
                return [{"type": "note", "text": self._text(block.text), "warning": block.kind == "warning"}]
            case Items():
                return [
                    {
                        "type": "items",
                        "title": self._title(block.title),
                        "items": [self._text(item) for item in block.items],
                    }
                ]
            case KeyValues():
                rows = [
                    {
                        "label": self._text(name),
                        "value": {"text": self._text(value or _BLANK, 2000), "code": name in block.code},
                    }
                    for name, value in block.rows
                ]
                return [{"type": "facts", "title": self._title(block.title), "rows": rows}]
            case Code():
                lines = [
                    typesetting.clipped(line, _LONGEST_CODE_LINE)
                    for line in self._visible(block.text, lines=True).split("\n")
                ]
                return [{"type": "code", "title": self._title(block.title), "text": "\n".join(lines)}]
            case Chart():
                svg, width = drawn(block.chart, self._coverage)
                alt = self._visible(block.alt or block.title or _BLANK)
                title = self._text(f"{block.title}{_numbers_in(block)}")
                return [{"type": "chart", "title": title, "alt": alt, "svg": svg, "width": width}]
            case TableBlock():
                return self._tables(block)
            case Strip():
                picture = None if block.picture is None else self._parts(block.picture)[0]
                said = {"title": self._text(block.title or _BLANK), "strong": self._text(block.strong)}
                return [{"type": "strip", **said, "text": self._text(block.text), "picture": picture}]
            case ShortSection():
                return [{"type": "part", **self._part(block)}]
            case Pair():
                return [{"type": "pair", "left": self._part(block.left), "right": self._part(block.right)}]
        raise ReportError(f"A report cannot hold a block of type {type(block).__name__!r}.")

    def _part(self, part: ShortSection) -> dict[str, object]:
        blocks = [each for block in part.blocks for each in self._parts(block)]
        return {"title": self._text(part.title), "blocks": blocks}

    def _tables(self, block: TableBlock) -> list[dict[str, object]]:
        heads = [typesetting.clipped(self._visible(column.label)) for column in block.columns]
        rows = [[typesetting.clipped(self._visible(text)) for text in row] for row in row_texts(block)]
        mono = [column.kind == "code" for column in block.columns]
        layouts = typesetting.lay_out(heads, rows, mono, available=WIDTH)
        title = self._visible(block.title)
        parts: list[dict[str, object]] = []
        for number, layout in enumerate(layouts, start=1):
            of = {"number": Count(number), "n": Count(len(layouts))}
            part = f" {say(Message('report-columns-part', of))}" if len(layouts) > 1 else ""
            chosen = layout.columns
            parts.append(
                {
                    "type": "table",
                    "title": typesetting.pieces(typesetting.clipped(title) + part),
                    "note": self._text(block.note) if block.note and number == len(layouts) else None,
                    "size": layout.size,
                    "inset": typesetting.INSET,
                    "widths": layout.widths,
                    "aligns": ["right" if block.columns[i].kind in NUMBER_KINDS else "left" for i in chosen],
                    "heads": [typesetting.pieces(heads[i]) for i in chosen],
                    "rows": [[{"text": typesetting.pieces(row[i]), "code": mono[i]} for i in chosen] for row in rows],
                }
            )
        return parts

    def _text(self, text: str, limit: int = 3000) -> list[str]:
        return typesetting.pieces(typesetting.clipped(self._visible(text), limit))

    def _title(self, text: str | None) -> list[str] | None:
        return None if text is None else self._text(text)

    def _visible(self, text: str, *, lines: bool = False) -> str:
        return visible(text, self._coverage, lines=lines)


def _numbers_in(chart: Chart) -> str:
    """Return where the numbers of a chart stand in full; nothing where they are in no file."""
    if chart.table_key is None:
        return ""
    args: dict[str, Argument] = {
        "file": Phrase(f"{chart.table_key}.csv"),
        "of": Word("favourable" if chart.is_turned else "same"),
    }
    return f" {say(Message('report-chart-numbers', args))}"


def _unescaped(quoted: str) -> str:
    plain = re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda found: chr(int(found.group(1), 16)), quoted)
    return "".join(character for character in plain if not character.isascii())
