"""The commands and exit codes of the command line; the module of a command is imported when the command runs."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import sys
import traceback
import warnings
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from fairaudit import interrupts
from fairaudit.cli import commands
from fairaudit.cli.answers import MACHINES, as_junit, as_sarif
from fairaudit.cli.terminal import emit, one_line, prepare_streams
from fairaudit.errors import FairauditError, near_names, nearest, quote, too_little_memory
from fairaudit.version import __version__

DONE, INTERNAL, BAD_INPUT, FAILED_ON, INTERRUPTED = 0, 1, 2, 3, 130

PROGRAM = "python -m fairaudit"
"""As everybody can start it; where it was installed as a command, the help says `fairaudit`."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence and what to do, such as the name that is nearest to one it lacks."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse names that there are not, before what else is missing, as such a name may stand for it."""
        given = sys.argv[1:] if args is None else list(args)
        options = [each for each in self._option_string_actions if each.startswith("--")]
        for text in itertools.takewhile("--".__ne__, given):
            if self._subparsers is not None and not text.startswith("-"):
                self._check_name(text, "command", [each.name for each in commands.COMMANDS])
                break
            if text.startswith("--"):
                self._check_name(text.partition("=")[0], "option", options, begun=True)
        return super().parse_known_args(args, namespace)

    def _check_name(self, name: str, what: str, known: Sequence[str], *, begun: bool = False) -> None:
        if name in known or (begun and any(each.startswith(name) for each in known)):
            return
        hint = near_names(name, known) if nearest(name, known) else _as_called(f"{self.prog} --help")
        self.exit(BAD_INPUT, f"There is no {what} {quote(name)}.\nHint: {hint}\n")

    def described(self) -> Iterator[tuple[str, str]]:
        """Yield each option: how it is written, and what it means."""
        for each in self._actions:
            if each.help != argparse.SUPPRESS and not isinstance(each, argparse._SubParsersAction):
                yield " ".join(filter(None, (", ".join(each.option_strings), _value(each)))), each.help or ""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and exit with 2."""
        hint = _as_called(f"{self.prog} --help")
        self.exit(BAD_INPUT, f"{one_line(message[:1].upper() + message[1:])}.\nHint: {hint}\n")

    def format_help(self) -> str:
        """Return the help, with the program called as the person called it."""
        return _as_called(super().format_help())


def _value(option: argparse.Action) -> str:
    """Return what stands for the value of an option; nothing where it takes none."""
    if option.nargs == 0:
        return ""
    return "|".join(map(str, option.choices)) if option.choices else str(option.metavar or option.dest)


def _as_called(text: str) -> str:
    """Return a text with the name of the program under which it was started."""
    return text.replace(PROGRAM, "fairaudit") if Path(sys.argv[0]).stem == "fairaudit" else text


def build_parser(*asked: str) -> ArgumentParser:
    """Return the parser of the command line; it knows the options of the commands that are asked for."""
    return build_parsers(*asked)[0]


def build_parsers(*asked: str) -> tuple[Parser, dict[str, Parser]]:
    """Return the same with the parsers of all commands, by name."""
    parser = Parser(
        prog=PROGRAM,
        description=commands.DESCRIPTION,
        epilog=f"{commands.EXAMPLES}\n{commands.EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit; with --json, of all parts")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    subparsers = parser.add_subparsers(
        title="commands", dest="command", required=False, metavar="COMMAND", parser_class=Parser
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
        command.add_argument("--quiet", action="store_true", help="print no answer as lines; the exit code says it")
        if each.name in asked:
            each.module().add_options(command)
    return parser, dict(subparsers.choices)


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
    if "_ARGCOMPLETE" in os.environ:
        _complete()
    with warnings.catch_warnings():
        warnings.showwarning = _note
        return _main(arguments, begun, interrupted)


def _note(message: Warning | str, *place: object, **more: object) -> None:
    """Write a warning as a line."""
    sys.stderr.write(f"Note: {one_line(message)}\n")


def _main(arguments: Sequence[str] | None, begun: Callable[[], object], interrupted: Callable[[], bool]) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    parser = build_parser(*given[:1])
    options = parser.parse_args(given)
    if options.command is None:
        if not options.version:
            parser.error("the command is missing")
        emit(_versions() if options.json else f"fairaudit {__version__}")
        return DONE
    try:
        command = next(each for each in commands.COMMANDS if each.name == options.command).module()
        begun()
        return _run(command, options, interrupted)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - a program ends in a sentence, not in a traceback
        return _fail(*_fault(KeyboardInterrupt() if interrupted() else error), options.debug)


def _run(command: commands.CommandModule, options: argparse.Namespace, interrupted: Callable[[], bool]) -> int:
    """Run a command, print what machines read of its answers, and return its exit code."""
    form, words = getattr(options, "format", "text"), getattr(options, "fail_on", None) or ()
    with contextlib.ExitStack() as silent:
        if form in MACHINES or (options.quiet and form == "text"):
            nowhere = silent.enter_context(open(os.devnull, "w", encoding="utf-8"))
            silent.enter_context(contextlib.redirect_stdout(nowhere))
        answers = command.execute(options) or ()
    if interrupted():
        raise KeyboardInterrupt
    if form == "junit":
        emit(as_junit(answers, words))
    elif form == "sarif":
        about = (getattr(options, name, None) for name in ("folder", "plan", "data"))
        emit(as_sarif(answers, words, one_line(next(filter(None, about)))))
    return FAILED_ON if any(answer.fails(words) for answer in answers) else DONE


def _complete() -> None:
    """Answer a shell that asks what may come next, and end."""
    import argcomplete

    words = os.environ.get("COMP_LINE", "").split()
    argcomplete.autocomplete(build_parser(*words[1:2]))


def _versions() -> str:
    """Return the versions of all that figures depend on, as JSON."""
    from fairaudit.audit.running import versions

    return json.dumps(dict(versions()), indent=2)


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
