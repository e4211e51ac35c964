"""The manual page of the command line, made of what the help says: ``python -m fairaudit.cli.man_page``."""

from __future__ import annotations

from collections.abc import Iterator

from fairaudit.cli import commands
from fairaudit.cli.main import PROGRAM, Parser, build_parsers
from fairaudit.cli.terminal import emit
from fairaudit.version import __version__


def man_page() -> str:
    """Return the page as ``man`` reads it."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    parser, parsers = build_parsers(*(each.name for each in commands.COMMANDS))
    yield " ".join((".TH FAIRAUDIT 1", '""', f'"fairaudit {__version__}"', '"User commands"'))
    yield from (".SH NAME", r"fairaudit \- assess whether like cases are treated alike")
    yield from (".SH SYNOPSIS", ".B fairaudit", ".I COMMAND", r"[\fIoptions\fR]")
    yield from (".SH DESCRIPTION", _escaped(commands.DESCRIPTION))
    yield from (".SH OPTIONS", *_options(parser))
    yield ".SH COMMANDS"
    for each in commands.COMMANDS:
        yield f".SS {each.name}"
        yield from (*_block(each.description), *_options(parsers[each.name]), *_block(each.example))
    yield from (".SH EXIT STATUS", *_block(commands.EXIT_CODES.partition("\n")[2]))
    yield from (".SH EXAMPLES", *_block(commands.EXAMPLES.partition("\n")[2]))


def _options(parser: Parser) -> Iterator[str]:
    for written, meaning in parser.described():
        yield from (".TP", rf"\fB{_escaped(written)}\fR", _escaped(meaning.replace("%%", "%")))


def _block(text: str) -> Iterator[str]:
    """Yield lines that stay as they are."""
    yield from (".PP", ".nf", *map(_escaped, text.strip("\n").splitlines()), ".fi")


def _escaped(text: str) -> str:
    text = text.replace(PROGRAM, "fairaudit").replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{text}" if text.startswith((".", "'")) else text


if __name__ == "__main__":
    emit(man_page().rstrip("\n"))
