"""What the command ``check`` does: one question, answered in lines or as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from fairaudit.audit.result import CheckFinding
from fairaudit.cli import help_texts
from fairaudit.cli.answers import Answered
from fairaudit.cli.options import COLUMNS, MANY, add_fail_on, add_field, add_output, part_of
from fairaudit.cli.reading import (
    add_data,
    add_decision,
    add_levels,
    add_reading,
    check_outputs,
    decision_of,
    read_data,
    source_name,
)
from fairaudit.cli.running import answered, watched_run
from fairaudit.cli.terminal import aligned, emit, one_line, table_lines
from fairaudit.disclosure.fields import Field
from fairaudit.errors import InputError, quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.bands import checked_cuts, read_cuts
from fairaudit.measure.levels import ControlledLevels
from fairaudit.measure.limits import answer_digits, usual_digits
from fairaudit.measure.quantity import UNITS
from fairaudit.measure.results import (
    BoundsComparison,
    Comparison,
    ControlledBounds,
    GroupRow,
    MeanComparison,
    StratifiedBounds,
    StratumRow,
    as_kind,
)
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.measuring import MeasurePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present import verdicts
from fairaudit.present.blocks import TableBlock, cell_text, row_texts
from fairaudit.present.cases import not_known_sentence, population_sentence, say_left_out, strata_text
from fairaudit.present.gap_texts import texts_of
from fairaudit.present.measuring import say_measure_of
from fairaudit.present.numbers import count_text, number_text, people_text
from fairaudit.sections.check import answer_text, say_similar
from fairaudit.sections.check.answering import answer_check
from fairaudit.sections.check.levels import levels_tables
from fairaudit.sections.check.reading import levels_of
from fairaudit.sections.check.section import CheckSection
from fairaudit.sections.detectable import say_more_rows


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    question = parser.add_argument_group("the question")
    add_data(question)
    add_decision(question, question.add_mutually_exclusive_group())
    add_levels(question)
    add_field(question, CheckPlan, "protected", "COND")
    add_field(question, CheckPlan, "where", "COND")
    add_field(question, CheckPlan, "strata", "COL")
    question.add_argument("--strata-cuts", **MANY, metavar="COL=CUTS", help=help_texts.STRATA_CUTS_HELP)
    question.add_argument("--by", **COLUMNS, help="also compare all groups of a column; may be repeated")
    add_field(question, CheckPlan, "tolerance", "T")
    add_field(question, CheckPlan, "confidence", "C")
    add_field(question, CheckPlan, "cluster", "COL")
    measure = parser.add_argument_group("which measure fits, and why")
    for name, metavar in (("decided", "WHAT"), ("borne_by", "WHOM"), ("truth", "IS"), ("group_use", "MAY")):
        add_field(measure, MeasurePlan, name, metavar)
    amounts = parser.add_argument_group("with --amount")
    add_field(amounts, CheckPlan, "amount_tolerance", "T")
    amounts.add_argument("--lower-is-better", action="store_true", help="less is better for the person, such as a fine")
    add_field(amounts, CheckPlan, "similar_by", "COL")
    add_field(amounts, CheckPlan, "open_when", "COND")
    add_field(amounts, CheckPlan, "open_since", "COL")
    add_field(amounts, CheckPlan, "open_until", "DAY")
    add_field(amounts, CheckPlan, "open_left_out", "", flag="--closed-only")
    answer = parser.add_argument_group("the answer")
    add_output(answer)
    add_fail_on(answer, CheckSection.fails)
    add_reading(parser)


def check_options(options: Namespace) -> None:
    """Refuse settings of ``check`` that do not go with the kind of its decision."""
    if options.levels is not None and (options.amount or options.cluster is not None):
        other = "amount" if options.amount else "cluster"
        raise InputError(f"'--levels' does not go with --{other}.", hint="Leave one of them out.")
    if options.amount and options.cluster is not None:
        raise InputError("'--cluster' does not go with --amount.", hint="Leave it out, or compare a favourable result.")
    only = {"--tolerance": options.tolerance is not None}
    if not options.amount:
        only = {
            "--amount-tolerance": options.amount_tolerance is not None,
            "--similar-by": bool(options.similar_by),
            "--lower-is-better": options.lower_is_better,
            "--open-when": options.open_when is not None,
            "--open-since": options.open_since is not None,
            "--closed-only": bool(options.open_left_out),
        }
    for name, given in only.items():
        if given and options.amount:
            raise InputError(f"'{name}' is in shares of people.", hint="With --amount, give --amount-tolerance.")
        if given:
            raise InputError(f"'{name}' needs a decision that is an amount.", hint="Give --amount, not --favorable.")


def execute(options: Namespace) -> list[Answered]:
    """Answer one controlled-fairness question, and print it."""
    check_options(options)
    check_outputs(options.data, plan=options.save_plan)
    table = read_data(options)
    compare = tuple((column,) for column in options.by)
    question = part_of(options, CheckPlan, strata_cuts=_strata_cuts(options), compare=compare)
    decision = decision_of(options, table)
    answers = part_of(options, MeasurePlan)
    plan = AuditPlan(
        data=DataPlan(source=source_name(options)),
        decision=decision,
        checks=(question,),
        measure=None if answers == MeasurePlan() else answers,
    )
    if options.save_plan or options.format == "json":
        plan = record_data(plan, table)
    if options.format == "json":
        # Here, because the export knows every remedy and form, which an answer in lines does without.
        from fairaudit.report.json_export import to_json

        result = watched_run(plan, table)
        emit(to_json(result).rstrip("\n"))
        [finding] = result.checks
    else:
        finding = answer_check(table, plan, question)
        emit(finding_text(finding))
        for said in say_measure_of(plan):
            emit(say(said))
    if options.save_plan:
        plan.save(options.save_plan)
    return [answered(CheckSection(), finding)]


def _strata_cuts(options: Namespace) -> dict[str, tuple[float, ...]]:
    """Read where columns of numbers are cut into bands."""
    cuts: dict[str, tuple[float, ...]] = {}
    for text in options.strata_cuts:
        column, sign, numbers = text.rpartition("=")
        if not sign or column in cuts:
            rule = "name a column once" if sign else "hold a column, =, and numbers"
            raise InputError(f"'--strata-cuts' must {rule}, got {quote(text)}.", hint="Such as: age=30,45,60")
        cuts[column] = read_cuts(numbers)
    return checked_cuts(cuts, options.strata, name="'--strata-cuts'")


# An answer in lines.


def finding_text(finding: CheckFinding) -> str:
    """Return an answer as lines: the verdict, groups, strata and similar people."""
    if (levels := levels_of(finding)) is not None:
        return _levels_text(finding, levels)
    printed = PRINTED[finding.decision.kind]
    lines = [answer_text(finding), "", population_sentence(finding)]
    lines += [more_rows] if (more_rows := say(say_more_rows(finding))) else []
    lines += [*finding.result.warnings, *map(not_known_sentence, finding.not_known)]
    lines += [note] if (note := texts_of(finding.result).note) else []
    for table in finding.groups:
        against = "" if table.reference is None else f", each against {table.reference}"
        bounds = isinstance(finding.result, ControlledBounds)
        rows = _bound_rows(table.rows) if bounds else _rows(finding, table.rows, printed.groups)
        lines += ["", f"By {', '.join(table.columns)}{against}:", *rows]
        if table.unknown or table.undecided:
            out = {"unknown": Count(table.unknown or 0), "undecided": Count(table.undecided or 0)}
            lines.append(say(Message(printed.left_out, out)))
    lines += ["", *(f"Not compared. {sentence}" for sentence in finding.not_compared)] if finding.not_compared else []
    if (strata := finding.strata) is not None:
        lines += ["", say(Message("cli-within", {"strata": Phrase(", ".join(strata_text(finding, "band of")))}))]
        is_bounded = isinstance(strata, StratifiedBounds)
        lines += _bound_rows(strata.strata) if is_bounded else _rows(finding, strata.strata, printed.strata)
        lines += map(say, say_similar(finding)) if printed.says_similar else ()
        lines += map(say, say_left_out(strata))
    if finding.similar is not None:
        lines += ["", verdicts.similar_sentence(finding), verdicts.similar_details(finding)]
    return "\n".join(one_line(line) for line in lines)


def _levels_text(finding: CheckFinding, levels: ControlledLevels) -> str:
    """Return an answer about levels as lines, with all its tables."""
    lines = [answer_text(finding), "", population_sentence(finding)]
    lines += [*finding.result.warnings, *map(not_known_sentence, finding.not_known)]
    for table in levels_tables(levels, finding.names, 1):
        lines += ["", *table_lines(table)]
    lines += ["", *(f"Not compared. {sentence}" for sentence in finding.not_compared)] if finding.not_compared else []
    return "\n".join(one_line(line) for line in lines)


@dataclass(frozen=True)
class PrintedRow:
    """A group or stratum as its line has it, with both figures and the gap as texts that subtract."""

    row: GroupRow | StratumRow
    answer: Comparison | MeanComparison
    verdict: str
    own: str
    rest: str
    gap: str

    @property
    def name(self) -> str:
        """What it is called."""
        return self.row.name

    @property
    def n(self) -> str:
        """How many rows the protected group has."""
        return count_text(self.row.comparison.protected.n)

    @property
    def n_rest(self) -> str:
        """How many rows the others have."""
        return count_text(self.row.comparison.reference.n)

    @property
    def median(self) -> str:
        """The median of a group that has one."""
        return number_text(self.row.means.protected.median, digits=answer_digits(self.answer))

    @property
    def interval(self) -> str:
        """The range of the gap."""
        [*_, gap] = PRINTED_FIGURES[self.answer.quantity](self.answer)
        kind = UNITS[self.answer.quantity].gap_interval
        return cell_text(tuple(self.row.comparison.difference_interval), kind, digits=gap.digits, beside=gap.beside)

    @property
    def unknown(self) -> str:
        """How many rows of a stratum are in neither group."""
        return count_text(self.row.unknown) if isinstance(self.row, StratumRow) else ""

    @property
    def reading(self) -> str:
        """What the data support."""
        small = self.row.small if isinstance(self.row, GroupRow) else None
        return verdicts.reading(self.row.comparison, small=small, word=self.verdict)


def _share_fields(answer: Comparison | MeanComparison) -> tuple[Field, Field, Field]:
    gap = Field("gap", "gap, points", "points", beside=answer.tolerance, of=("own", "rest"))
    return Field("own", "share", "share"), Field("rest", "others", "share"), gap


def _mean_fields(answer: Comparison | MeanComparison) -> tuple[Field, Field, Field]:
    digits = usual_digits(as_kind(MeanComparison, answer))
    return (
        Field("own", "mean", "number", digits=digits),
        Field("rest", "others", "number", digits=digits),
        Field("gap", "difference", "difference", digits=digits, of=("own", "rest")),
    )


PRINTED_FIGURES: Final = {"share": _share_fields, "amount": _mean_fields}
"""Both figures and the gap, by what is compared."""

Columns = tuple[tuple[str, Callable[[PrintedRow], str]], ...]
"""The head of each column, and what it holds of a row."""


@dataclass(frozen=True, kw_only=True)
class Printed:
    """What the lines of an answer hold, by the kind of its decision.

    Parameters
    ----------
    groups, strata : tuple
        The columns of all groups, and of strata.
    left_out : str
        The message on rows that no group has.
    says_similar : bool
        Whether what becomes of the gap among similar cases is said once more below the strata.
    """

    groups: Columns
    strata: Columns
    left_out: str
    says_similar: bool


MEANS: Final[Columns] = (
    ("", attrgetter("name")), ("n", attrgetter("n")), ("mean", attrgetter("own")), ("median", attrgetter("median")),
    ("others", attrgetter("rest")), ("difference", attrgetter("gap")), ("interval", attrgetter("interval")),
    ("", attrgetter("reading")),
)  # fmt: skip

PRINTED: Final[Mapping[OutcomeKind, Printed]] = {
    SHARES: Printed(
        groups=(
            ("", attrgetter("name")), ("n", attrgetter("n")), ("share", attrgetter("own")),
            ("others", attrgetter("rest")), ("gap, points", attrgetter("gap")), ("interval", attrgetter("interval")),
            ("", attrgetter("reading")),
        ),
        strata=(
            ("", attrgetter("name")), ("protected", attrgetter("n")), ("share", attrgetter("own")),
            ("others", attrgetter("n_rest")), ("share", attrgetter("rest")), ("gap, points", attrgetter("gap")),
            ("interval", attrgetter("interval")), ("unknown", attrgetter("unknown")), ("", attrgetter("reading")),
        ),
        left_out="cli-left-out",
        says_similar=False,
    ),
    AMOUNTS: Printed(groups=MEANS, strata=MEANS, left_out="cli-left-out-amounts", says_similar=True),
}  # fmt: skip


def _bound_rows(rows: Sequence[GroupRow | StratumRow]) -> list[str]:
    """Return groups or strata with the ends of their shares and gaps, where counts are rounded or hidden."""
    heads = ("", "n", "share", "others", "gap, points", "interval", "")
    lines = []
    for row, word in zip(rows, verdicts.verdict_words(rows), strict=True):
        c = as_kind(BoundsComparison, row.comparison)
        shares = (cell_text(tuple(side.interval), "share_interval") for side in (c.protected, c.reference))
        gaps = (cell_text(tuple(ends), "points_interval") for ends in (c.difference_bounds, c.difference_interval))
        reading = verdicts.reading(c, small=row.small if isinstance(row, GroupRow) else None, word=word)
        lines.append((row.name, people_text(c.protected), *shares, *gaps, reading))
    return aligned([heads, *lines])


def _rows(finding: CheckFinding, rows: Sequence[GroupRow | StratumRow], columns: Columns) -> list[str]:
    answer = finding.result
    figures = tuple((*row.comparison.values, row.comparison.difference) for row in rows)
    texts = row_texts(TableBlock("figures", "Figures and gaps", PRINTED_FIGURES[answer.quantity](answer), figures))
    words = verdicts.verdict_words(rows)
    printed = [PrintedRow(row, answer, word, *text) for row, word, text in zip(rows, words, texts, strict=True)]
    return aligned([tuple(head for head, _ in columns), *(tuple(cell(row) for _, cell in columns) for row in printed)])
