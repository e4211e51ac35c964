"""The arguments and exit codes of the command line; the module of a command is imported when the command runs."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, get_args

from fairaudit import interrupts
from fairaudit.cli import help_texts
from fairaudit.cli.terminal import one_line, prepare_streams, readable, whole
from fairaudit.columns import DayOrder, DecimalMark
from fairaudit.defaults import (
    CONFIDENCE_RANGE,
    USUAL_CONFIDENCE,
    USUAL_POSITIVE,
    USUAL_POWER,
    USUAL_TOLERANCE,
    Positive,
)
from fairaudit.errors import FairauditError, too_little_memory
from fairaudit.subgroups.kinds import Direction, Measure
from fairaudit.version import __version__


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


DONE, INTERNAL, BAD_INPUT, FAILED_ON, INTERRUPTED = 0, 1, 2, 3, 130

VERDICTS = ("clear_gap", "gap_size_unclear")
"""What a command can exit with 3 on: the first, or both."""

MEASURES, DIRECTIONS, POSITIVES = get_args(Measure), get_args(Direction), get_args(Positive)

PROGRAM = "python -m fairaudit"
"""As everybody can start it; where it was installed as a command, the help says `fairaudit`."""


_MANY: Final[dict[str, Any]] = {"action": "append", "default": [], "type": readable}
"""An option that may be repeated."""


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


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = _Parser(
        prog=PROGRAM,
        description=help_texts.DESCRIPTION,
        epilog=f"{help_texts.EXAMPLES}\n{help_texts.EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"fairaudit {__version__}")
    commands = parser.add_subparsers(
        title="commands", dest="command", required=True, metavar="COMMAND", parser_class=_Parser
    )
    for add in (
        _add_check, _add_errors, _add_worst, _add_run, _add_form, _add_explain, _add_change, _add_searches,
        _add_detectable, _add_describe, _add_serve,
    ):  # fmt: skip
        add(commands)
    return parser


def _add_command(
    commands: Any, name: str, *, help: str, description: str, example: str, usage: str | None = None
) -> argparse.ArgumentParser:
    """Add a command; its examples and the exit codes stand at the end of its help."""
    command = commands.add_parser(
        name,
        usage=usage,
        help=help,
        description=description,
        epilog=f"{example}\n{help_texts.EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("--debug", action="store_true", help="show where in the code an error comes from")
    return command


def _add_is_outcome(parser: Any) -> None:
    parser.add_argument(
        "--is-outcome",
        action="store_true",
        default=None,
        help="the decision column holds what happened later, not what somebody decided",
    )


def _add_check(commands: Any) -> None:
    check = _add_command(
        commands,
        "check",
        usage="%(prog)s DATA --decision COL (--favorable VALUE | --amount) --protected COND [more options]",
        help="compare a protected group with everyone else",
        description=help_texts.CHECK,
        example=help_texts.CHECK_EXAMPLE,
    )
    question = check.add_argument_group("the question")
    question.add_argument("data", metavar="DATA", help=help_texts.DATA_HELP)
    question.add_argument(
        "--decision", type=readable, required=True, metavar="COL", help="the column that holds the decision"
    )
    good = question.add_mutually_exclusive_group(required=True)
    good.add_argument("--favorable", **_MANY, metavar="VALUE", help="a favourable decision; may be repeated")
    good.add_argument(
        "--favorable-when", metavar="COND", help="instead: a condition on the decision, such as score >= 5"
    )
    good.add_argument(
        "--amount", action="store_true", help="instead: the decision is a number, such as pay; means are compared"
    )
    _add_is_outcome(question)
    question.add_argument(
        "--protected", type=_filled, required=True, metavar="COND", help="who is in the protected group"
    )
    question.add_argument("--where", type=readable, metavar="COND", help="only these rows: the like cases")
    question.add_argument("--strata", **_MANY, metavar="COL", help="also compare within each value; may be repeated")
    question.add_argument("--strata-cuts", **_MANY, metavar="COL=CUTS", help=help_texts.STRATA_CUTS_HELP)
    question.add_argument("--by", **_MANY, metavar="COL", help="also compare all groups of a column; may be repeated")
    _add_tolerance(question)
    _add_confidence(question)
    question.add_argument("--cluster", type=readable, metavar="COL", help=help_texts.CLUSTER_HELP)
    amounts = check.add_argument_group("with --amount")
    amounts.add_argument("--amount-tolerance", type=_from_zero, metavar="T", help=help_texts.AMOUNT_TOLERANCE_HELP)
    amounts.add_argument("--lower-is-better", action="store_true", help="less is better for the person, such as a fine")
    amounts.add_argument(
        "--similar-by", **_MANY, metavar="COL", help="also compare people who are similar in it; may be repeated"
    )
    answer = check.add_argument_group("the answer")
    answer.add_argument("--json", action="store_true", help="print the result as JSON")
    _add_fail_on(answer)
    answer.add_argument("--save-plan", type=Path, metavar="FILE", help="save the audit, which `run` repeats")
    add_reading(check)


def _add_run(commands: Any) -> None:
    run = _add_command(
        commands,
        "run",
        help="repeat a saved audit and write its report",
        description=help_texts.RUN,
        example=help_texts.RUN_EXAMPLE,
    )
    run.add_argument("plan", type=Path, metavar="PLAN.toml", help="a saved audit")
    run.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the folder to write into; made if it is not there"
    )
    run.add_argument("--data", type=Path, metavar="PATH", help="read this file instead of the one that the audit names")
    run.add_argument(
        "--ignore-fingerprint", action="store_true", help="go on if the data are not those the audit was saved with"
    )
    _add_fail_on(run)


def _add_detectable(commands: Any) -> None:
    detectable = _add_command(
        commands,
        "detectable",
        help="show which gap can be seen with these group sizes, and how many people it takes",
        description="Show how large a gap between two groups must be to be seen, before looking at any decision.",
        example=help_texts.DETECTABLE_EXAMPLE,
    )
    detectable.add_argument("protected", type=int, metavar="N", help="people in the protected group")
    detectable.add_argument("reference", type=int, metavar="N", help="people among everyone else")
    detectable.add_argument("--rate", type=_share(0, 1), default=0.5, metavar="R", help="their favourable share")
    _add_tolerance(detectable, USUAL_TOLERANCE)
    _add_confidence(detectable)
    detectable.add_argument(
        "--power", type=_share(0.01, 0.999), default=USUAL_POWER, metavar="P", help=help_texts.POWER_HELP
    )
    detectable.add_argument("--json", action="store_true", help="print the result as JSON")


def _add_describe(commands: Any) -> None:
    describe = _add_command(
        commands,
        "describe",
        help="show what is in a file and what to look out for",
        description="Show how a file was read, its columns, what is missing, what to look out for, its fingerprint.",
        example=help_texts.DESCRIBE_EXAMPLE,
    )
    describe.add_argument("data", metavar="DATA", help=help_texts.DATA_HELP)
    describe.add_argument("--json", action="store_true", help="print the facts as JSON")
    add_reading(describe)


def _add_serve(commands: Any) -> None:
    serve = _add_command(
        commands,
        "serve",
        help="serve the app and open it in the browser",
        description=help_texts.SERVE,
        example=help_texts.SERVE_EXAMPLE,
    )
    serve.add_argument("--port", type=_port, metavar="N", help="listen on it (default 8501, or the next that is free)")
    serve.add_argument("--address", help="listen at it (default localhost: this machine alone)")
    serve.add_argument(
        "--data-dir", type=_path, metavar="DIR", help="offer the tables in this folder; they are read in place"
    )
    serve.add_argument(
        "--connections", type=_path, metavar="FILE", help="offer the databases that this file of connections names"
    )
    serve.add_argument("--headless", action="store_true", help="open no browser")


def _add_worst(commands: Any) -> None:
    worst = _add_command(
        commands,
        "worst",
        usage="%(prog)s DATA --decision COL (--favorable VALUE | --amount) [more options]",
        help="look for the groups that fare worst",
        description=help_texts.WORST,
        example=help_texts.WORST_EXAMPLE,
    )
    worst.add_argument("data", metavar="DATA", help=help_texts.DATA_HELP)
    worst.add_argument("--decision", type=readable, required=True, metavar="COL", help="the column of the decision")
    good = worst.add_mutually_exclusive_group(required=True)
    good.add_argument("--favorable", **_MANY, metavar="VALUE", help="a favourable result; may be repeated")
    good.add_argument("--favorable-when", metavar="COND", help="instead: a condition on the decision")
    good.add_argument("--amount", action="store_true", help="instead: the decision is a number; means are compared")
    _add_is_outcome(worst)
    worst.add_argument(
        "--column", dest="columns", **_MANY, metavar="COL", help="a column that groups may name; without it, all"
    )
    worst.add_argument("--protected", **_MANY, metavar="COL", help="each group names one of these; may be repeated")
    worst.add_argument("--where", type=readable, metavar="COND", help="only these rows")
    worst.add_argument(
        "--predicted", type=readable, metavar="COND", help="when a favourable result is predicted: score >= 5"
    )
    worst.add_argument("--measure", choices=MEASURES, help="what is compared (default: who has the favourable result)")
    worst.add_argument(
        "--positive",
        choices=POSITIVES,
        default=USUAL_POSITIVE,
        help="the outcome that error rates call positive: unfavorable where people are flagged (favorable)",
    )
    worst.add_argument("--direction", choices=DIRECTIONS, default="both", help="gaps that are looked for")
    worst.add_argument("--max-conditions", type=int, choices=range(1, 5), default=3, metavar="N", help="1 to 4 (3)")
    worst.add_argument("--min-rows", type=whole, default=50, metavar="N", help="the fewest rows of a group (50)")
    _add_confidence(worst)
    worst.add_argument("--seed", type=_seed, default=0, metavar="N", help="divides the rows and shuffles outcomes (0)")
    worst.add_argument("--json", action="store_true", help="print the result as JSON")
    worst.add_argument("--save-plan", type=Path, metavar="FILE", help="save the search as an audit that `run` repeats")
    add_reading(worst)


def _add_errors(commands: Any) -> None:
    errors = _add_command(
        commands,
        "errors",
        usage="%(prog)s DATA --decision COL --favorable VALUE (--predicted COND | --score COL) --by COL [more options]",
        help="compare whom a prediction or a score gets wrong",
        description=help_texts.ERRORS,
        example=help_texts.ERRORS_EXAMPLE,
    )
    errors.add_argument("data", metavar="DATA", help=help_texts.DATA_HELP)
    _add_question(errors, of_group=False)
    errors.add_argument("--predicted", type=readable, metavar="COND", help="when a favourable result is predicted")
    errors.add_argument("--score", type=readable, metavar="COL", help="the column of a score")
    errors.add_argument("--cut", type=float, metavar="V", help="with --score: the prediction changes at this value")
    errors.add_argument("--lower-is-better", action="store_true", help="with --score: a higher score warns of people")
    errors.add_argument("--by", **_MANY | {"required": True}, metavar="COL", help="makes the groups; repeated, crossed")
    said = "the outcome that exported error rates call positive (favorable)"
    errors.add_argument("--positive", choices=POSITIVES, default=USUAL_POSITIVE, help=said)
    _add_tolerance(errors, USUAL_TOLERANCE)
    _add_fail_on(errors)
    add_reading(errors)


def _add_question(parser: argparse.ArgumentParser, *, of_group: bool = True) -> Any:
    """Add the options that say what is asked; return the group of those that say what a good outcome is."""
    parser.add_argument("--decision", type=readable, required=True, metavar="COL", help="the column of the decision")
    good = parser.add_mutually_exclusive_group(required=True)
    good.add_argument("--favorable", **_MANY, metavar="VALUE", help="a favourable decision; repeatable")
    good.add_argument("--favorable-when", metavar="COND", help="instead: a condition on the decision")
    _add_is_outcome(parser)
    if of_group:
        parser.add_argument("--protected", type=_filled, required=True, metavar="COND", help="who is protected")
    parser.add_argument("--where", type=readable, metavar="COND", help="only these rows")
    _add_confidence(parser)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--save-plan", type=Path, metavar="FILE", help="save an audit that `run` repeats")
    return good


def _add_explain(commands: Any) -> None:
    explain = _add_command(
        commands,
        "explain",
        usage="%(prog)s DATA --decision COL (--favorable VALUE | --amount) --protected COND --control COL=REASON ...",
        help="divide a gap into what columns explain and what is left",
        description=help_texts.EXPLAIN,
        example=help_texts.EXPLAIN_EXAMPLE,
    )
    explain.add_argument("data", metavar="DATA", help=help_texts.DATA_HELP)
    good = _add_question(explain)
    good.add_argument("--amount", action="store_true", help="instead: the decision is a number, such as pay")
    explain.add_argument("--lower-is-better", action="store_true", help="with --amount: less is better")
    explain.add_argument(
        "--control",
        **_MANY | {"required": True},
        metavar="COL=REASON",
        help="a column, and why it may rightly count",
    )
    explain.add_argument("--method", choices=["decomposition", "regression"], default="decomposition", help="how")
    explain.add_argument("--reference", choices=["average", "rest", "protected", "pooled", "similar"], help="weights")
    explain.add_argument("--model", choices=["logistic", "linear"], help="with --method regression")
    explain.add_argument("--cluster", type=readable, metavar="COL", help=help_texts.CLUSTER_HELP)
    add_reading(explain)


def _add_change(commands: Any) -> None:
    change = _add_command(
        commands,
        "change",
        usage="%(prog)s BEFORE [AFTER] [--cut-by COL --cut V] --decision COL --favorable VALUE --protected COND ...",
        help="ask whether a gap changed between two tables, or between periods of one",
        description=help_texts.CHANGE,
        example=help_texts.CHANGE_EXAMPLE,
    )
    change.add_argument("data", metavar="BEFORE", help=help_texts.DATA_HELP)
    change.add_argument("later", metavar="AFTER", nargs="?", help="the table of the later period")
    change.add_argument("--cut-by", type=readable, metavar="COL", help="instead: a column of dates, months or numbers")
    change.add_argument("--cut", **_MANY, metavar="VALUE", help="where a later period begins; may be repeated")
    good = _add_question(change)
    good.add_argument("--amount", action="store_true", help="instead: the decision is a number, such as pay")
    change.add_argument("--lower-is-better", action="store_true", help="with --amount: less is better")
    change.add_argument("--strata", **_MANY, metavar="COL", help="split the change by its values; may be repeated")
    _add_tolerance(change)
    change.add_argument("--amount-tolerance", type=_from_zero, metavar="T", help="with --amount: the same in its unit")
    change.add_argument("--cluster", type=readable, metavar="COL", help=help_texts.CLUSTER_HELP)
    add_reading(change)


def _add_searches(commands: Any) -> None:
    searches = _add_command(
        commands,
        "searches",
        usage="%(prog)s DATA --acted COND --found COND --group COL [--thresholds --location COL] [more options]",
        help="compare what searches or inspections found, and how likely a find must be before groups are looked at",
        description=help_texts.SEARCHES,
        example=help_texts.SEARCHES_EXAMPLE,
    )
    searches.add_argument("data", metavar="DATA", help=help_texts.DATA_HELP)
    searches.add_argument("--acted", type=_filled, required=True, metavar="COND", help="who was looked at")
    searches.add_argument("--found", type=_filled, required=True, metavar="COND", help="where something was found")
    searches.add_argument("--stopped", type=readable, metavar="COND", help="who could have been (default: every row)")
    searches.add_argument(
        "--group", **_MANY | {"required": True}, metavar="COL", help="makes the groups; repeated, crossed; or COND"
    )
    searches.add_argument("--reference", **_MANY, metavar="VALUE", help="the group that others are compared with")
    searches.add_argument("--strata", **_MANY, metavar="COL", help="compare hit rates within it, too; may be repeated")
    searches.add_argument("--where", type=readable, metavar="COND", help="only these rows")
    _add_tolerance(searches, USUAL_TOLERANCE)
    _add_confidence(searches)
    model = searches.add_argument_group("thresholds")
    model.add_argument("--thresholds", action="store_true", help="infer them; needs --location")
    model.add_argument("--location", **_MANY, metavar="COL", help="the places; may be repeated")
    model.add_argument(
        "--signal", choices=["beta", "discriminant"], default="beta", help="how finds seem likely (beta)"
    )
    model.add_argument("--base-rate", type=_share(0.0001, 0.9999), metavar="R", help="share of all worth a find")
    model.add_argument("--placebo", type=_seed, default=0, metavar="N", help="also on groups shuffled N times (0)")
    model.add_argument("--seed", type=_seed, default=0, metavar="N", help="of the draws (0)")
    light = searches.add_argument_group("light and darkness")
    light.add_argument("--light", type=readable, metavar="COND", help="when it was light; with --time")
    light.add_argument("--date", type=readable, metavar="COL", help="instead: the day, or the day and time")
    light.add_argument("--time", type=readable, metavar="COL", help="the hour by the clock, such as 23:15 or 23.25")
    light.add_argument("--latitude", type=_degrees, metavar="V", help=help_texts.PLACE_HELP)
    light.add_argument("--longitude", type=_degrees, metavar="V", help=help_texts.PLACE_HELP)
    light.add_argument("--time-zone", type=readable, metavar="ZONE", help="of the clock, such as Europe/Berlin")
    light.add_argument("--place", type=readable, metavar="COL", help="compare within its values")
    light.add_argument("--hours", choices=["evening", "morning", "both"], default="evening", help="(evening)")
    light.add_argument("--acted-only", action="store_true", help="stops are the rows looked at, not every row")
    answer = searches.add_argument_group("the answer")
    answer.add_argument("--json", action="store_true", help="print the result as JSON")
    _add_fail_on(answer)
    answer.add_argument("--save-plan", type=Path, metavar="FILE", help="save an audit that `run` repeats")
    add_reading(searches)


def _add_form(commands: Any) -> None:
    form = _add_command(
        commands,
        "form",
        usage="%(prog)s [--list] [KEY DATA] [--column ROLE=COL]... [--decision COL --favorable VALUE] [more options]",
        help="fill the form that a rule asks for: NYC Local Law 144, EEOC Uniform Guidelines, lending, or your own",
        description=help_texts.FORM,
        example=help_texts.FORM_EXAMPLE,
    )
    form.add_argument("--list", action="store_true", help="list the forms, their rules and their roles")
    form.add_argument("form", metavar="KEY", nargs="?", help="which form: a key, or a file that ends in .toml")
    form.add_argument("data", metavar="DATA", nargs="?", help=help_texts.DATA_HELP)
    form.add_argument(
        "--column",
        **_MANY,
        metavar="ROLE=COL",
        help="the column for a role; may be repeated. Without it, a column of groups is found by its name",
    )
    form.add_argument("--decision", type=readable, metavar="COL", help="the column that says who was selected")
    good = form.add_mutually_exclusive_group()
    good.add_argument("--favorable", **_MANY, metavar="VALUE", help="a decision that is selected; may be repeated")
    good.add_argument("--favorable-when", metavar="COND", help="instead: a condition on the decision")
    form.add_argument("--where", type=readable, metavar="COND", help="only these rows")
    _add_form_settings(form)
    form.add_argument(
        "--out", type=Path, metavar="DIR", help="write PDF, HTML, CSV tables, JSON and the saved audit there"
    )
    form.add_argument("--json", action="store_true", help="print the result as JSON")
    form.add_argument("--save-plan", type=Path, metavar="FILE", help="save an audit that `run` repeats")
    add_reading(form)


def _add_form_settings(form: argparse.ArgumentParser) -> None:
    """Add the options that say what a form compares and what it says of itself."""
    form.add_argument(
        "--reference",
        **_MANY,
        metavar="ROLE=VALUE",
        help="the group that others are compared with, where it is open",
    )
    form.add_argument(
        "--unknown", **_MANY, metavar="ROLE=VALUE", help="a value that means unknown, as race=3; may be repeated"
    )
    form.add_argument(
        "--known", **_MANY, metavar="ROLE=VALUE", help="a value that is a group, though the form lists it as unknown"
    )
    form.add_argument(
        "--counted",
        **_MANY,
        metavar="ROLE=COND",
        help="on pay: who alone counts in the figures of a role, as pay=\"full_pay = 'yes'\" for Great Britain",
    )
    form.add_argument(
        "--compared",
        **_MANY,
        metavar="ROLE=VALUE",
        help="on pay: a value that means those who are compared, as women",
    )
    form.add_argument(
        "--compared-with", **_MANY, metavar="ROLE=VALUE", help="a value that means those they are compared with"
    )
    form.add_argument(
        "--justified", **_MANY, metavar="CATEGORY=REASON", help="the reason for the gap of a category that is marked"
    )
    form.add_argument("--remedied", **_MANY, metavar="CATEGORY=DAY", help="when the gap of a category was remedied")
    form.add_argument("--reported", type=readable, metavar="DAY", help="when the gaps in pay were reported")
    small = form.add_mutually_exclusive_group()
    small.add_argument(
        "--leave-out-small", action="store_true", help="leave groups that the rule calls small out of the ratios"
    )
    small.add_argument("--keep-small", action="store_true", help="keep them in, where the form leaves them out")
    for option, what, text in (
        ("--reason", "TEXT", "why small groups are left out, for the form"),
        ("--data-words", "TEXT", "where the data come from, for the form"),
        ("--audit-date", "DAY", "when the audit was made, for the form, such as 2026-03-01"),
        ("--distribution-date", "DAY", "when the tool was first used, for the form, such as 2026-04-15"),
    ):
        form.add_argument(option, type=readable, metavar=what, help=text)


def _add_tolerance(parser: Any, default: float | None = None) -> None:
    parser.add_argument("--tolerance", type=_share(0, 1), default=default, metavar="T", help=help_texts.TOLERANCE_HELP)


def _add_fail_on(parser: Any) -> None:
    parser.add_argument("--fail-on", type=_verdicts, metavar=",".join(VERDICTS), help=help_texts.FAIL_HELP)


def _add_confidence(parser: Any) -> None:
    parser.add_argument(
        "--confidence", type=_share(*CONFIDENCE_RANGE), default=USUAL_CONFIDENCE, metavar="C",
        help=help_texts.CONFIDENCE_HELP,
    )  # fmt: skip


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
    options = build_parser().parse_args(arguments)
    try:
        command = importlib.import_module(f"fairaudit.cli.{options.command}")
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


def _filled(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("must not be empty")
    return readable(text)


def _verdicts(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if VERDICTS[0] not in names or not set(names) <= set(VERDICTS):
        raise argparse.ArgumentTypeError(f"must be {VERDICTS[0]} or {','.join(VERDICTS)}, got {text!r}")
    return names


def _port(text: str) -> int:
    port = whole(text)
    if port > 65535:
        raise argparse.ArgumentTypeError(f"must be at most 65535, got {text!r}")
    return port


def _path(text: str) -> Path:
    return Path(_filled(text)).expanduser()


def _seed(text: str) -> int:
    return whole(text, 0)


def _share(low: float, high: float):
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"must be a number between {low:g} and {high:g}, got {text!r}")
        return value

    return parse


def _degrees(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return _filled(text)


def _from_zero(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of at least 0, got {text!r}")
    return value


def _fail(message: str, code: int, debug: bool) -> int:
    with contextlib.suppress(OSError):
        if debug:
            traceback.print_exc()
        sys.stderr.write(message + "\n")
    return code
