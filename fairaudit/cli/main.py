"""The commands and exit codes of the command line; the module of a command is imported when the command runs."""

from __future__ import annotations

import argparse
import contextlib
import sys
import traceback
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from fairaudit import interrupts
from fairaudit.cli import commands
from fairaudit.cli.terminal import one_line, prepare_streams
from fairaudit.errors import FairauditError, too_little_memory
from fairaudit.version import __version__

DONE, INTERNAL, BAD_INPUT, FAILED_ON, INTERRUPTED = 0, 1, 2, 3, 130

PROGRAM = "python -m fairaudit"
"""As everybody can start it; where it was installed as a command, the help says `fairaudit`."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence and a pointer to the help."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and exit with 2."""
        hint = _as_called(f"{self.prog} --help")
        self.exit(BAD_INPUT, f"{one_line(message[:1].upper() + message[1:])}.\nHint: {hint}\n")

    def format_help(self) -> str:
        """Return the help, with the program called as the person called it."""
        return _as_called(super().format_help())


def _as_called(text: str) -> str:
    """Return a text with the name of the program under which it was started."""
    return text.replace(PROGRAM, "fairaudit") if Path(sys.argv[0]).stem == "fairaudit" else text


def build_parser(*asked: str) -> ArgumentParser:
    """Return the parser of the command line; it knows the options of the commands that are asked for."""
    parser = _Parser(
        prog=PROGRAM,
        description=commands.DESCRIPTION,
        epilog=f"{commands.EXAMPLES}\n{commands.EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"fairaudit {__version__}")
    subparsers = parser.add_subparsers(
        title="commands", dest="command", required=True, metavar="COMMAND", parser_class=_Parser
    )
    for each in commands.COMMANDS:
        command = subparsers.add_parser(
            each.name,
            usage=each.usage,
            help=each.summary,
            description=each.description,
            epilog=f"{each.example}\n{commands.EXIT_CODES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_argument("--debug", action="store_true", help="show where in the code an error comes from")
        if each.name in asked:
            each.module().add_options(command)
    return parser


def main(
    arguments: Sequence[str] | None = None,
    *,
    begun: Callable[[], object] = lambda: None,
    interrupted: Callable[[], bool] = interrupts.seen,
) -> int:
    """Run one command and return its exit code.

    `begun` is called when it can be interrupted. `interrupted` says whether it was: libraries make other errors of it.
    """
    prepare_streams()
    given = sys.argv[1:] if arguments is None else arguments
    options = build_parser(*given[:1]).parse_args(given)
    try:
        command = next(each for each in commands.COMMANDS if each.name == options.command).module()
        begun()
        verdicts = command.execute(options)
        if interrupted():
            raise KeyboardInterrupt
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - a program ends in a sentence, not in a traceback
        return _fail(*_fault(KeyboardInterrupt() if interrupted() else error), options.debug)
    fails = getattr(options, "fail_on", None) or ()
    return FAILED_ON if not set(fails).isdisjoint(verdicts or ()) else DONE


def _fault(error: BaseException) -> tuple[str, int]:
    """Return what to say of an error, and the exit code."""
    match error:
        case KeyboardInterrupt():
            return "Stopped.", INTERRUPTED
        case FairauditError():
            return str(error), BAD_INPUT
        case OSError():
            name = one_line(error.filename or "A file")
            return f"{name} cannot be used: {error.strerror or error}.", BAD_INPUT
        case MemoryError():
            return str(too_little_memory()), BAD_INPUT
    fault = f"fairaudit itself failed ({type(error).__name__})."
    return f"{fault}\nHint: add --debug to see where, and report it.", INTERNAL


def _fail(message: str, code: int, debug: bool) -> int:
    with contextlib.suppress(OSError):
        if debug:
            traceback.print_exc()
        sys.stderr.write(message + "\n")
    return code
