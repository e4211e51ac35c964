"""The files of a report, made from what was found; no page, no state."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass

from fairaudit.audit.result import AuditResult
from fairaudit.events import Command, Event, Finished, Progress, Started
from fairaudit.present.blocks import Document
from fairaudit.report.bundle import zipped
from fairaudit.report.composing import compose_report, lists_of, report_files
from fairaudit.report.pdf import to_picture


@dataclass(frozen=True)
class ReportFiles:
    """The files of one report, what its preview shows, and what it was made from."""

    digest: str
    document: Document
    first_page: bytes
    contents: Mapping[str, bytes]
    """By name, those that a command writes into a folder."""

    @property
    def zip(self) -> bytes:
        """All files in one, which can be checked."""
        return zipped(self.contents)


def iter_files(result: AuditResult, digest: str) -> Generator[Event, Command | None, None]:
    """Make the files of a report from what was found and may be exported, and finish with them."""
    yield Started("Drawing the report", len(_NEXT))
    document = compose_report(result)
    contents: dict[str, bytes] = {}
    for name, content in report_files(result, document):
        contents[name] = content
        if name in _NEXT:
            yield Progress(_NEXT[name], len(contents), len(_NEXT))
    contents |= lists_of(contents, result, document)
    yield Finished(ReportFiles(digest=digest, document=document, first_page=to_picture(document), contents=contents))


_NEXT = {"report.pdf": "Writing the annexes", "annexes.pdf": "Writing the tables", "tables.zip": "Writing the rest"}
"""What is written after each file."""
