"""From the findings of an audit to two documents, and to all files of a report in one folder."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from string import ascii_uppercase

from fairaudit.audit.result import AuditResult
from fairaudit.catalog import SECTIONS
from fairaudit.disclosure.gate import exported
from fairaudit.errors import ReportError
from fairaudit.files import folder_for, write_files
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.data import SALTED
from fairaudit.present.blocks import Attachment, Block, Chart, Document, Heading, KeyValues
from fairaudit.presets.document import preset_html
from fairaudit.presets.preset import forms_beside
from fairaudit.presets.tables import preset_csv
from fairaudit.report.annexes import data_blocks, defined_words, repeat_blocks
from fairaudit.report.bundle import tables_of, to_csv_bundle
from fairaudit.report.crate import CRATE, crate_of
from fairaudit.report.first_pages import Opening, answers_table, asked_of, audited, first_pages, headline_of, openings
from fairaudit.report.json_export import to_json
from fairaudit.report.json_schema import schema_text
from fairaudit.report.manifest import MANIFEST, SIGNED, digest_of, manifest_of
from fairaudit.report.pdf import to_pdf
from fairaudit.report.remedies import remedies_annex, remedies_blocks
from fairaudit.report.tables import all_tables
from fairaudit.sections.forms.records import record_yaml


def compose_report(result: AuditResult) -> Document:
    """Return the few pages of an audit that a committee reads: its finding, who was compared, how sure that is.

    The small-cell rule of the plan is applied first, so nothing in the document says more than the plan allows.
    """
    result = exported(result)
    found = openings(result)
    return replace(
        _document(result, found, headline_of(found)), blocks=tuple(first_pages(result, found)), is_brief=True
    )


def compose_annexes(result: AuditResult) -> Document:
    """Return all that was found: the chapters of all findings, then how each was computed, and how to repeat it.

    The small-cell rule of the plan is applied first, so nothing in the document says more than the plan allows.
    """
    result = exported(result)
    found = openings(result)
    title = say(Message("report-annexes-to", {"title": Phrase(headline_of(found))}))
    blocks = [*answers_table(result, found), *_findings(result), *_annexes(result)]
    return replace(_document(result, found, title), blocks=tuple(_with_sides(result, blocks)))


def _with_sides(result: AuditResult, blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks; charts say where the table with their numbers holds those of the other result."""
    turned = {table.key for table in all_tables(result) if table.is_turned and any(c.turns for c in table.columns)}
    answers = enumerate(result.checks, start=1)
    checks = tuple(f"check_{number}_" for number, answer in answers if answer.names.of_unfavorable)
    for block in blocks:
        if isinstance(block, Chart) and (key := block.table_key) and (key in turned or key.startswith(checks)):
            block = replace(block, is_turned=True)
        yield block


def _document(result: AuditResult, found: Sequence[Opening], title: str) -> Document:
    plan = result.plan.report
    byline = tuple(
        _line(text) for text in (audited(result), plan.organisation, plan.author, plan.date) if text and text.strip()
    )
    return Document(
        title=title,
        subtitle=asked_of(result, found),
        language="en",
        blocks=(),
        author=", ".join(part for part in (plan.author, plan.organisation) if part) or None,
        byline=byline,
        footer=_footer(result),
        dated=stated_day(plan.date or ""),
        known_by=(("audit", result.plan_digest), ("data", result.data.fingerprint or "")),
    )


DAYS = ("%Y-%m-%d", "%d %B %Y", "%d %b %Y", "%B %d, %Y", "%d.%m.%Y")


def stated_day(text: str) -> datetime.date | None:
    """Return the day that a person wrote; None where it is not certain which that is.

    Examples
    --------
    >>> stated_day("30 November 2026"), stated_day("autumn 2026")
    (datetime.date(2026, 11, 30), None)
    """
    for form in DAYS:
        with contextlib.suppress(ValueError):
            return datetime.datetime.strptime(" ".join(text.split()), form).date()
    return None


def _findings(result: AuditResult) -> list[Block]:
    """Return what was found, chapter by chapter."""
    blocks: list[Block] = []
    for section in SECTIONS:
        for number, found in enumerate(section.found(result), start=1):
            blocks += section.blocks(found, number, result)
    if result.tried is not None:
        blocks += remedies_blocks(result.tried, result.checks)
    return blocks


def _annexes(result: AuditResult) -> list[Block]:
    """Return the annexes, each under a letter; the first begins on a new page."""
    blocks: list[Block] = []
    for letter, (title, content) in zip(ascii_uppercase, _annex_chapters(result), strict=False):
        heading = say(Message("annex-title", {"letter": Phrase(letter), "title": Phrase(title)}))
        blocks += [Heading(1, heading, starts_page=letter == "A"), *content]
    return blocks


def _annex_chapters(result: AuditResult) -> Iterator[tuple[str, list[Block]]]:
    for section in SECTIONS:
        yield from section.annexes(section.found(result))
    if result.tried is not None:
        yield say(Message("annex-remedies")), remedies_annex(result.tried)
    yield say(Message("annex-data")), data_blocks(result)
    if result.plan.report.definitions:
        yield say(Message("annex-words")), [KeyValues(None, defined_words(result))]
    yield say(Message("annex-repeat")), repeat_blocks(result)


def _footer(result: AuditResult) -> str:
    fingerprint = result.data.fingerprint
    audit = {"audit": Phrase(result.plan_digest[:8])}
    if fingerprint is None:
        return say(Message("report-footer", audit))
    return say(Message("report-footer-data", {**audit, "data": Phrase(fingerprint.removeprefix(SALTED)[:8])}))


def _line(text: str) -> str:
    # A person wrote it, perhaps in several lines; a line end is no character to be shown.
    return " ".join(text.split())


# The files.


def report_files(result: AuditResult, report: Document | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each file of a report, but for those that list them.

    The small-cell rule of the plan is applied first. The `report` is made anew unless it is at hand.
    """
    result = exported(result)
    found = to_json(result).encode()
    attached = (Attachment("result.json", found, say(Message("files-result"))), *tables_of(result))
    yield "report.pdf", to_pdf(replace(report or compose_report(result), attached=attached))
    yield "annexes.pdf", to_pdf(replace(compose_annexes(result), attached=attached))
    yield "tables.zip", to_csv_bundle(result)
    yield "result.json", found
    yield "result.schema.json", schema_text().encode()
    yield "plan.toml", result.plan.to_toml().encode()
    author = result.plan.report.author
    for number, finding in enumerate(result.presets, start=1):
        page, table, *data = form_files(number, finding.preset.key, as_yaml=finding.preset.as_yaml)
        yield page, preset_html(finding, number=number, author=author).encode()
        yield table, preset_csv(finding)
        for name in data:
            yield name, record_yaml(finding)


def form_files(number: int, key: str, *, as_yaml: bool = False) -> tuple[str, ...]:
    """Return the names of the files of a filled form: its page, its table, and of some records the same as YAML."""
    name = f"form_{number}_{key}"
    return (f"{name}.html", f"{name}.csv", *([f"{name}.yaml"] if as_yaml else ()))


def lists_of(
    contents: Mapping[str, bytes], result: AuditResult, report: Document, *, made: datetime.datetime | None = None
) -> dict[str, bytes]:
    """Return the manifest of the files of a report, and the same for archives, by their names.

    Both say when that was: now, unless said otherwise. So the manifest keeps the digest of the other one apart from
    what two runs have alike.
    """
    result = exported(result)
    manifest = manifest_of(contents, result, made=made)
    crate = crate_of(contents, manifest, title=report.title, by=report.author)
    dated = manifest.model_copy(update={"dated": {CRATE: digest_of(crate)}})
    return {CRATE: crate, MANIFEST: dated.to_json()}


def write_report(result: AuditResult, folder: str | Path, *, base: str | Path | None = None) -> tuple[Path, ...]:
    """Write the report of an audit: two PDFs, CSV bundle, JSON, plan, two files for each form, manifest, RO-Crate.

    An office's own file of a form is put beside the plan, which names it so.

    Parameters
    ----------
    result : AuditResult
        What was found.
    folder : str or Path
        Where to; made if it is not there.
    base : str or Path, optional
        The folder from which the plan that was run names an own file of a form.

    Returns
    -------
    tuple of Path
        The files.

    Raises
    ------
    ReportError
        If they cannot be written.
    """
    folder = Path(folder)
    parts, forms = forms_beside(
        result.plan.presets, folder, base=base, reserved=("plan.toml", MANIFEST, CRATE, *SIGNED)
    )
    presets = tuple(replace(finding, plan=part) for finding, part in zip(result.presets, parts, strict=True))
    plan = result.plan.model_copy(update={"presets": parts})
    result = exported(replace(result, plan=plan, presets=presets))
    report = compose_report(result)
    contents = dict(report_files(result, report)) | {path.name: content for path, content in forms.items()}
    contents |= lists_of(contents, result, report)
    try:
        with folder_for(folder):
            write_files({folder / name: content for name, content in contents.items()})
            for name in SIGNED:
                # What was signed is not there any more.
                (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise ReportError(
            f"The report cannot be written to {str(folder)!r}: {error.strerror}.", hint="Choose another folder."
        ) from None
    return tuple(folder / name for name in contents)
