"""The files of a report, made from what was found; no page, no state."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from fairaudit.audit.result import AuditResult
from fairaudit.events import Command, Event, Finished, Progress, Started
from fairaudit.present.blocks import Document
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes, compose_report
from fairaudit.report.json_export import to_json
from fairaudit.report.pdf import to_pdf, to_picture


@dataclass(frozen=True)
class ReportFiles:
    """The files of one report, what its preview shows, and what it was made from."""

    digest: str
    document: Document
    pdf: bytes
    annexes: bytes
    first_page: bytes
    bundle: bytes
    json: str
    plan: str


def iter_files(result: AuditResult, digest: str) -> Generator[Event, Command | None, None]:
    """Make the files of a report from what was found and may be exported, and finish with them."""
    yield Started("Drawing the report", 3)
    document = compose_report(result)
    pdf = to_pdf(document)
    yield Progress("Writing the annexes", 1, 3)
    annexes = to_pdf(compose_annexes(result))
    yield Progress("Writing the tables", 2, 3)
    yield Finished(
        ReportFiles(
            digest=digest,
            document=document,
            pdf=pdf,
            annexes=annexes,
            first_page=to_picture(document),
            bundle=to_csv_bundle(result),
            json=to_json(result),
            plan=result.plan.to_toml(),
        )
    )
