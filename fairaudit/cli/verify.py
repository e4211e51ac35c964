"""What the command ``verify`` does: whether a report is as it was written, and whether its data give it again."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path

from fairaudit.cli.options import add_fail_on, add_published, path
from fairaudit.cli.terminal import ProgressLine, emit, one_line
from fairaudit.events import Finished, Progress
from fairaudit.findings import Message, Phrase
from fairaudit.interrupts import check
from fairaudit.messages import say

MOST_LINES = 20


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("folder", type=path, metavar="FOLDER", help="what `run` wrote, or a zip of it")
    parser.add_argument("--data", type=path, metavar="FILE", help="make the audit again from its data, and compare")
    add_published(parser)
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    add_fail_on(
        parser,
        ("changed", "differs"),
        help="exit with 3 where a file is not as it was written and, if asked, where the audit made again differs",
    )


def execute(options: Namespace) -> set[str]:
    """Check a report and return its verdict."""
    # Here, because it goes through all kinds of questions.
    from fairaudit.report.published import published_audits
    from fairaudit.report.verification import brought, iter_verify

    line, data = ProgressLine(), options.data
    opens, beside = (None, Path()) if data is None else (brought(data), data.parent)
    try:
        published = partial(published_audits, options.published)
        for event in iter_verify(options.folder, opens, beside=beside, published=published):
            check()
            if isinstance(event, Progress):
                line.show(event.what)
            elif isinstance(event, Finished):
                found = event.result
    finally:
        line.clear()
    if options.json:
        emit(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
        return {found.verdict}
    for text in (str(found), *map(say, found.say().caution)):
        emit(one_line(text))
    if found.mismatch is not None:
        emit(one_line(found.mismatch))
    for each in found.differences[:MOST_LINES]:
        values = {"reported": Phrase(repr(each.reported)), "again": Phrase(repr(each.again))}
        emit(one_line(say(Message("verify-difference", {"path": Phrase(each.path), **values}))))
    return {found.verdict}
