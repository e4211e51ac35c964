"""What the command ``run`` does: a saved audit, repeated, with its report."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from fairaudit.audit.result import AuditResult
from fairaudit.catalog import SECTIONS, remedy_of
from fairaudit.cli.answers import MACHINES, Answered
from fairaudit.cli.options import add_fail_on, add_format, add_published, filled
from fairaudit.cli.reading import STANDARD_INPUT, check_outputs, standard_input
from fairaudit.cli.running import answered, watched_run
from fairaudit.cli.terminal import emit, one_line
from fairaudit.disclosure.gate import exported, hidden_beside
from fairaudit.files import folder_for
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import open_data
from fairaudit.sections.compare import answer_text, read_comparison
from fairaudit.sections.compare.reading import names_of
from fairaudit.sections.remedy import remedy_text
from fairaudit.sections.remedy.learned_rows import sample_sentence
from fairaudit.sections.section import Fails


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("plan", type=Path, metavar="PLAN.toml", help="a saved audit")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the folder to write into; made if it is not there"
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="PATH",
        help="read this file instead of the one that the audit names; - is standard input",
    )
    parser.add_argument(
        "--ignore-fingerprint", action="store_true", help="go on if the data are not those the audit was saved with"
    )
    parser.add_argument(
        "--date", type=filled, metavar="DAY", help="the day on the first page and in the PDF files, such as 2026-11-30"
    )
    add_published(parser)
    parser.add_argument("--force", action="store_true", help="write over the results of another audit")
    add_format(parser, "text", *MACHINES)
    verdicts = tuple(dict.fromkeys(verdict for section in SECTIONS for verdict in section.fails.verdicts))
    meaning = "an answer with one of these verdicts, which those of the other commands are"
    add_fail_on(parser, Fails(verdicts, meaning))


def execute(options: Namespace) -> list[Answered]:
    """Repeat a saved audit, and write its report."""
    plan = AuditPlan.load(options.plan)
    if options.date is not None:
        plan = plan.model_copy(update={"report": plan.report.model_copy(update={"date": options.date})})
    check_outputs(options.plan, options.data or options.plan.parent / plan.data.source, out=options.out)
    with folder_for(options.out):
        return _repeat(plan, options)


def _repeat(plan: AuditPlan, options: Namespace) -> list[Answered]:
    data = standard_input(options) if str(options.data) == STANDARD_INPUT else options.data
    table = open_data(plan, base=options.plan.parent, data=data)
    if not options.force:
        # Here, because it knows what is exported, and before the work that would be lost.
        from fairaudit.audit.running import as_run
        from fairaudit.report.manifest import refuse_other_audit

        refuse_other_audit(options.out, as_run(plan, table, base=options.plan.parent), table.fingerprint)
    published: tuple[AuditResult, ...] = ()
    if options.published or plan.small_cells.beside:
        from fairaudit.report.published import published_audits

        published = published_audits(options.published, table)
        if plan.small_cells.beside:
            published = hidden_beside(plan, published)
    result = watched_run(
        plan,
        table,
        ignore_fingerprint=options.ignore_fingerprint,
        base=options.plan.parent,
        published=published,
    )
    shown = exported(result)
    if shown.data.mismatch is not None:
        emit(f"Note: {one_line(shown.data.mismatch)}")
    if plan.data.fingerprint is None:
        emit(
            "Note: the audit holds no fingerprint, so whether these are the data that it was made for was not checked."
        )
    kind = shown.plan.decision.kind
    for section in SECTIONS:
        for found in section.found(shown):
            for line in section.lines(found):
                emit(one_line(line))
    if shown.tried is not None:
        facts, remedies = shown.tried.facts, list[Any](shown.tried.remedies)
        if facts.sample is not None:
            emit(one_line(sample_sentence(facts.sample)))
        if read_comparison(shown.tried).n_tried > 1:
            emit(one_line(answer_text(shown.tried)))
        names = names_of(shown.tried)
        for remedy in remedies:
            emit(one_line(remedy_text(remedy, facts, names[remedy.name][0])))
            for line in remedy_of(remedy.plan, kind).command_lines(remedy, facts):
                emit(one_line(line))
    # Here, because what draws takes long to load, and a plan that cannot be run draws nothing.
    from fairaudit.report.composing import write_report

    for path in write_report(shown, options.out, base=options.plan.parent):
        emit(f"wrote {one_line(path)}")
    # Of what is shown: an exit code would tell what is hidden.
    return [answered(section, found) for section in SECTIONS for found in section.found(shown)]
