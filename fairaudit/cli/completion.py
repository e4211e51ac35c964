"""What the command ``completion`` does: what a shell runs so that it completes commands and options."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Final

from fairaudit.cli.terminal import emit

SHELLS: Final = ("bash", "zsh", "fish")


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("shell", choices=SHELLS, help="the shell that completes")


def execute(options: Namespace) -> None:
    """Print what the shell runs."""
    import argcomplete

    emit(argcomplete.shellcode(["fairaudit"], shell=options.shell).strip())
