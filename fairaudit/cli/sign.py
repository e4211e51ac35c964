"""What the command ``sign`` does: an office signs a report with its own key."""

from __future__ import annotations

import getpass
import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from fairaudit.cli.options import filled, path
from fairaudit.cli.terminal import emit, one_line
from fairaudit.errors import InputError, ReportError, quote
from fairaudit.files import write_files
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say

PASSPHRASE: Final = "FAIRAUDIT_KEY_PASSPHRASE"  # noqa: S105 - a name
"""The variable of the environment that may hold the passphrase of the key."""


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("folder", type=path, metavar="FOLDER", help="what `run` wrote")
    parser.add_argument(
        "--key", type=path, required=True, metavar="FILE.p12", help="the key with its certificate (PKCS#12)"
    )
    parser.add_argument(
        "--passphrase-file", type=path, metavar="FILE", help="the first line of this file is the passphrase of the key"
    )
    parser.add_argument(
        "--timestamp-server", type=filled, metavar="URL", help="have this server say when it was signed (RFC 3161)"
    )
    parser.add_argument("--force", action="store_true", help="replace signatures that are there")


def execute(options: Namespace) -> None:
    """Sign a report, and name the files that hold the signatures."""
    # Here, because a report is looked at first, which knows all kinds of questions.
    from fairaudit.report.signing import sign_report

    files = sign_report(
        options.folder,
        options.key,
        lambda: _passphrase(options.key, options.passphrase_file),
        time_stamp_server=options.timestamp_server,
        is_forced=options.force,
    )
    try:
        write_files({options.folder / name: content for name, content in files.items()})
    except OSError as error:
        raise ReportError(
            f"Signatures cannot be written to {quote(options.folder)}: {error.strerror}.", hint="Look at its rights."
        ) from None
    for name in files:
        emit(one_line(say(Message("sign-saved", {"file": Phrase(str(options.folder / name))}))))


def _passphrase(key: Path, file: Path | None) -> str:
    """Return the passphrase of a key: from a file, from the environment, or as somebody types it."""
    if file is not None:
        try:
            return (file.read_text(encoding="utf-8").splitlines() or [""])[0]
        except (OSError, UnicodeDecodeError):
            raise InputError(f"{quote(file)} cannot be read as text.", hint="Name another file.") from None
    if (held := os.environ.get(PASSPHRASE)) is not None:
        return held
    if not sys.stdin.isatty():
        raise InputError(
            f"The key {quote(key.name)} has a passphrase.", hint=f"Name a --passphrase-file, or set {PASSPHRASE}."
        )
    return getpass.getpass(say(Message("sign-passphrase", {"key": Phrase(quote(key.name))})))
