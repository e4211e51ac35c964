"""The options of all commands on how the file is read."""

from __future__ import annotations

import argparse
from typing import get_args

from fairaudit.cli.terminal import readable, whole
from fairaudit.columns import DayOrder, DecimalMark


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Let a command take them."""
    how = parser.add_argument_group("how to read the file (without these, found out and shown by `describe`)")
    how.add_argument("--delimiter", metavar="CHAR", help="the character between cells")
    how.add_argument("--encoding", metavar="NAME", help="such as utf-8, latin-1, utf-16")
    how.add_argument("--decimal", choices=get_args(DecimalMark), metavar="MARK", help="the decimal mark, . or ,")
    for mark, between in (("point", "commas"), ("comma", "points")):
        how.add_argument(
            f"--decimal-{mark}", metavar="COL", action="append", type=readable, default=[],
            help=f"a column whose decimal mark is the {mark}: its {between} stand between thousands",
        )  # fmt: skip
    how.add_argument(
        "--as-text", metavar="COL", action="append", type=readable, default=[],
        help="a column that is kept as text, though it looks like numbers or days",
    )  # fmt: skip
    how.add_argument(
        "--dates", choices=get_args(DayOrder), metavar="ORDER",
        help="how days are written: year first (2024-12-31), day first (31/12/2024), month first (12/31/2024)",
    )  # fmt: skip
    how.add_argument("--sheet", metavar="NAME", help="the sheet of a workbook")
    how.add_argument(
        "--names-row", type=whole, metavar="N", help="the line or row in which the names of the columns stand"
    )
    how.add_argument(
        "--name-rows", type=whole, metavar="N", help="how many rows the names stand in, those of a column joined"
    )
    how.add_argument(
        "--missing", metavar="TEXT", action="append", default=[], help="a cell text that means missing, such as ?"
    )
    how.add_argument(
        "--same-spelling", metavar="COL", action="append", type=readable, default=[],
        help="a column whose values are one where they differ by letter case or by how many blanks they have alone",
    )  # fmt: skip
    how.add_argument(
        "--rows-are-cases", action="store_true",
        help="each row is one case, although a column looks as if it counted cases",
    )  # fmt: skip
    how.add_argument(
        "--counts", metavar="COL", type=readable,
        help="the column that says how many cases each row stands for; they are written out as rows",
    )  # fmt: skip
