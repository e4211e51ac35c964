"""What the command ``verify`` does: whether a report is as it was written, and whether its data give it again."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from typing import get_args

from fairaudit.cli.answers import Answered, Format
from fairaudit.cli.options import MANY, add_fail_on, add_format, add_published, path
from fairaudit.cli.terminal import ProgressLine, emit, one_line
from fairaudit.events import Finished, Progress
from fairaudit.findings import Message, Phrase
from fairaudit.interrupts import check
from fairaudit.messages import say, say_whole
from fairaudit.sections.section import Fails

MOST_LINES = 20
FAILS = Fails(
    ("changed", "differs", "not_trusted"),
    "a file that is not as it was written, and if asked also on an audit that differs where it is made again, or on a "
    "report that nobody signed whose key is trusted",
)


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("folder", type=path, metavar="FOLDER", help="what `run` wrote, or a zip of it")
    parser.add_argument("--data", type=path, metavar="FILE", help="make the audit again from its data, and compare")
    parser.add_argument(
        "--trust",
        **MANY | {"type": path},
        metavar="CERT.pem",
        help="the certificate of who signed the report, or of who issued it; may be repeated",
    )
    add_published(parser)
    add_format(parser, *get_args(Format))
    add_fail_on(parser, FAILS)


def execute(options: Namespace) -> list[Answered]:
    """Check a report."""
    # Here, because it goes through all kinds of questions.
    from fairaudit.report.published import published_audits
    from fairaudit.report.signatures import certificate_in
    from fairaudit.report.verification import brought, iter_verify
    from fairaudit.report.verified import say_verification

    line, data = ProgressLine(), options.data
    opens, beside = (None, Path()) if data is None else (brought(data), data.parent)
    try:
        published = partial(published_audits, options.published)
        trusted = [certificate_in(each) for each in options.trust]
        for event in iter_verify(options.folder, opens, beside=beside, published=published, certificates=trusted):
            check()
            if isinstance(event, Progress):
                line.show(event.what)
            elif isinstance(event, Finished):
                found = event.result
    finally:
        line.clear()
    # Most reports are not signed: that is none of their faults, unless somebody asks who signed.
    asks = bool(options.trust) or "not_trusted" in (options.fail_on or ())
    verdicts = {found.verdict, *(("not_trusted",) if asks and not found.is_signed_by_trusted else ())}
    said = say_verification(found)
    answers = [Answered("verify", one_line(say_whole(said)), frozenset(verdicts.intersection(FAILS.verdicts)))]
    if options.format == "json":
        emit(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
        return answers
    for text in (say_whole(said), *map(say, said.caution)):
        emit(one_line(text))
    if found.mismatch is not None:
        emit(one_line(found.mismatch))
    for each in found.differences[:MOST_LINES]:
        values = {"reported": Phrase(repr(each.reported)), "again": Phrase(repr(each.again))}
        emit(one_line(say(Message("verify-difference", {"path": Phrase(each.path), **values}))))
    return answers
