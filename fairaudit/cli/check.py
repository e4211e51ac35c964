"""What the command ``check`` does: one question, answered in lines or as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.cli import help_texts
from fairaudit.cli.options import COLUMNS, MANY, add_fail_on, add_field, add_output, part_of
from fairaudit.cli.reading import (
    add_data,
    add_decision,
    add_reading,
    check_outputs,
    decision_of,
    read_data,
    source_name,
)
from fairaudit.cli.running import verdicts_of, watched_run
from fairaudit.cli.terminal import aligned, emit, one_line
from fairaudit.disclosure.fields import Field
from fairaudit.errors import InputError, quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.bands import checked_cuts, read_cuts
from fairaudit.measure.results import Comparison, GroupComparison, GroupMeans, GroupRow, MeanComparison
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.questions import CheckPlan
from fairaudit.present import verdicts
from fairaudit.present.blocks import TableBlock, cell_text, row_texts
from fairaudit.present.cases import not_known_sentence, population_sentence, say_left_out, strata_text
from fairaudit.present.numbers import count_text, digits_of, interval_text, number_text, usual_digits
from fairaudit.sections.check import answer_text, say_similar
from fairaudit.sections.check.answering import answer_check
from fairaudit.sections.detectable import say_more_rows


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    question = parser.add_argument_group("the question")
    add_data(question)
    add_decision(question, question.add_mutually_exclusive_group(required=True))
    add_field(question, CheckPlan, "protected", "COND")
    add_field(question, CheckPlan, "where", "COND")
    add_field(question, CheckPlan, "strata", "COL")
    question.add_argument("--strata-cuts", **MANY, metavar="COL=CUTS", help=help_texts.STRATA_CUTS_HELP)
    question.add_argument("--by", **COLUMNS, help="also compare all groups of a column; may be repeated")
    add_field(question, CheckPlan, "tolerance", "T")
    add_field(question, CheckPlan, "confidence", "C")
    add_field(question, CheckPlan, "cluster", "COL")
    amounts = parser.add_argument_group("with --amount")
    add_field(amounts, CheckPlan, "amount_tolerance", "T")
    amounts.add_argument("--lower-is-better", action="store_true", help="less is better for the person, such as a fine")
    add_field(amounts, CheckPlan, "similar_by", "COL")
    answer = parser.add_argument_group("the answer")
    add_output(answer)
    add_fail_on(answer)
    add_reading(parser)


# What the command ``check`` asks and prints where the decision is an amount.


def check_options(options: Namespace) -> None:
    """Refuse settings of ``check`` that do not go with the kind of its decision."""
    if options.amount and options.cluster is not None:
        raise InputError("'--cluster' does not go with --amount.", hint="Leave it out, or compare a favourable result.")
    only = {"--tolerance": options.tolerance is not None}
    if not options.amount:
        only = {
            "--amount-tolerance": options.amount_tolerance is not None,
            "--similar-by": bool(options.similar_by),
            "--lower-is-better": options.lower_is_better,
        }
    for name, given in only.items():
        if given and options.amount:
            raise InputError(f"'{name}' is in shares of people.", hint="With --amount, give --amount-tolerance.")
        if given:
            raise InputError(f"'{name}' needs a decision that is an amount.", hint="Give --amount, not --favorable.")


def amount_text(finding: AmountFinding) -> str:
    """Return an answer about amounts as lines: the verdict, groups, strata and similar people."""
    result = finding.result
    lines = [answer_text(finding), "", population_sentence(finding)]
    lines += [more_rows] if (more_rows := say(say_more_rows(finding))) else []
    lines += result.warnings
    lines += [*map(not_known_sentence, finding.not_known), verdicts.didi_sentence(finding)]
    for table in finding.groups:
        against = "" if table.reference is None else f", each against {table.reference}"
        lines += ["", f"By {', '.join(table.columns)}{against}:"]
        lines += _amount_rows(
            finding,
            (
                (row.name, row.means, verdicts.reading(row.means, small=row.small, word=word))
                for row, word in zip(table.rows, verdicts.verdict_words(table.rows), strict=True)
            ),
        )
        if table.unknown or table.undecided:
            lines += [left_out_line(table, "cli-left-out-amounts")]
    lines += ["", *(f"Not compared. {sentence}" for sentence in finding.not_compared)] if finding.not_compared else []
    if (strata := finding.strata) is not None:
        lines += ["", within_line(finding)]
        read = zip(strata.strata, verdicts.verdict_words(strata.strata), strict=True)
        lines += _amount_rows(
            finding, ((row.name, row.means, verdicts.reading(row.means, word=word)) for row, word in read)
        )
        lines += [*map(say, say_similar(finding))]
        lines += map(say, say_left_out(strata))
    if finding.similar is not None:
        lines += ["", verdicts.similar_sentence(finding), verdicts.similar_details(finding)]
    return "\n".join(one_line(line) for line in lines)


def left_out_line(comparison: GroupComparison | GroupMeans, key: str) -> str:
    """Return how many rows a comparison of groups leaves out."""
    out = {"unknown": Count(comparison.unknown or 0), "undecided": Count(comparison.undecided or 0)}
    return say(Message(key, out))


def within_line(finding: CheckFinding | AmountFinding) -> str:
    """Return the head of the table of strata."""
    return say(Message("cli-within", {"strata": Phrase(", ".join(strata_text(finding, "band of")))}))


def _amount_rows(finding: AmountFinding, rows: Iterable[tuple[str, MeanComparison, str]]) -> list[str]:
    digits = usual_digits(finding)
    cells = [("", "n", "mean", "median", "others", "difference", "interval", "")]
    rows = list(rows)
    columns = (
        Field("mean", "mean", "number", digits=digits),
        Field("rest", "others", "number", digits=digits),
        Field("difference", "difference", "difference", digits=digits, of=("mean", "rest")),
    )
    means = tuple((c.protected.mean, c.reference.mean, c.difference) for _, c, _ in rows)
    figures = row_texts(TableBlock("figures", "Means and differences", columns, means))
    for (name, c, reading), (mean, rest, difference) in zip(rows, figures, strict=True):
        cells.append(
            (
                name,
                count_text(c.protected.n),
                mean,
                number_text(c.protected.median, digits=digits_of(finding)),
                rest,
                difference,
                cell_text(tuple(c.difference_interval), "difference_interval", digits=digits),
                reading,
            )
        )
    return aligned(cells)


def execute(options: Namespace) -> set[str]:
    """Answer one controlled-fairness question, print it, and return its verdict if it is one to fail on."""
    check_options(options)
    check_outputs(options.data, plan=options.save_plan)
    table = read_data(options)
    compare = tuple((column,) for column in options.by)
    question = part_of(options, CheckPlan, strata_cuts=_strata_cuts(options), compare=compare)
    decision = decision_of(options)
    plan = AuditPlan(data=DataPlan(source=source_name(options)), decision=decision, checks=(question,))
    if options.save_plan or options.json:
        plan = record_data(plan, table)
    if options.json:
        # Here, because the export knows every remedy and form, which an answer in lines does without.
        from fairaudit.report import to_json

        result = watched_run(plan, table)
        emit(to_json(result).rstrip("\n"))
        [finding] = result.answers
    else:
        finding = answer_check(table, plan, question)
        emit(TEXTS[decision.kind](finding))
    if options.save_plan:
        plan.save(options.save_plan)
    return verdicts_of([finding])


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


def finding_text(finding: CheckFinding) -> str:
    """Return an answer about shares as lines: the verdict, groups and strata."""
    result = finding.result
    lines = [answer_text(finding), "", population_sentence(finding)]
    lines += [more_rows] if (more_rows := say(say_more_rows(finding))) else []
    lines += [*result.warnings, *map(not_known_sentence, finding.not_known)]
    for comparison in finding.groups:
        against = "" if comparison.reference is None else f", each against {comparison.reference}"
        lines += ["", f"By {', '.join(comparison.columns)}{against}:"]
        lines += _rows(comparison.rows)
        if comparison.unknown or comparison.undecided:
            lines += [left_out_line(comparison, "cli-left-out")]
    lines += ["", *(f"Not compared. {sentence}" for sentence in finding.not_compared)] if finding.not_compared else []
    if finding.strata is not None:
        lines += ["", within_line(finding)]
        lines += _strata_rows(finding.strata.strata)
        lines += map(say, say_left_out(finding.strata))
    return "\n".join(one_line(line) for line in lines)


def _rows(rows: Sequence[GroupRow]) -> list[str]:
    cells = [("", "n", "share", "others", "gap, points", "interval", "")]
    figures = _figures([row.shares for row in rows])
    for row, word, (own, rest, gap) in zip(rows, verdicts.verdict_words(rows), figures, strict=True):
        comparison = row.shares
        cells.append(
            (
                row.name,
                f"{comparison.protected.n:,}",
                own,
                rest,
                gap,
                interval_text(comparison.difference_interval, beside=comparison.tolerance),
                verdicts.reading(comparison, small=row.small, word=word),
            )
        )
    return aligned(cells)


def _strata_rows(rows) -> list[str]:
    cells = [("", "protected", "share", "others", "share", "gap, points", "interval", "unknown", "")]
    figures = _figures([row.comparison for row in rows])
    for row, word, (own, rest, gap) in zip(rows, verdicts.verdict_words(rows), figures, strict=True):
        c = row.comparison
        cells.append(
            (
                row.name,
                count_text(c.protected.n),
                own,
                count_text(c.reference.n),
                rest,
                gap,
                interval_text(c.difference_interval, beside=c.tolerance),
                count_text(row.unknown),
                verdicts.reading(c, word=word),
            )
        )
    return aligned(cells)


def _figures(comparisons: Sequence[Comparison]) -> list[list[str]]:
    """Return both shares and the gap of each comparison, which subtract as they are shown."""
    tolerance = comparisons[0].tolerance if comparisons else None
    columns = (
        Field("own", "share", "share"),
        Field("rest", "others", "share"),
        Field("gap", "gap, points", "points", beside=tolerance, of=("own", "rest")),
    )
    rows = tuple((c.protected.ratio, c.reference.ratio, c.difference) for c in comparisons)
    return row_texts(TableBlock("figures", "Shares and gaps", columns, rows))


TEXTS: dict[OutcomeKind, Callable[[Any], str]] = {SHARES: finding_text, AMOUNTS: amount_text}
"""An answer as lines, by the kind of the decision."""
