"""What the command ``check`` asks and prints where the decision is an amount."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.cli.terminal import aligned, one_line
from fairaudit.errors import InputError
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.results import GroupComparison, GroupMeans, MeanComparison
from fairaudit.messages import say
from fairaudit.present import verdicts
from fairaudit.present.blocks import ColumnSpec, Table, cell_text, row_texts
from fairaudit.present.cases import not_known_sentence, population_sentence, say_left_out, strata_text
from fairaudit.present.numbers import count_text, digits_of, number_text, usual_digits
from fairaudit.sections.check import answer_text, say_similar
from fairaudit.sections.detectable import say_more_rows


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
        lines += _rows(
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
        lines += _rows(finding, ((row.name, row.means, verdicts.reading(row.means, word=word)) for row, word in read))
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


def _rows(finding: AmountFinding, rows: Iterable[tuple[str, MeanComparison, str]]) -> list[str]:
    digits = usual_digits(finding)
    cells = [("", "n", "mean", "median", "others", "difference", "interval", "")]
    rows = list(rows)
    columns = (
        ColumnSpec("mean", "mean", "number", digits=digits),
        ColumnSpec("rest", "others", "number", digits=digits),
        ColumnSpec("difference", "difference", "difference", digits=digits, of=("mean", "rest")),
    )
    means = tuple((c.protected.mean, c.reference.mean, c.difference) for _, c, _ in rows)
    figures = row_texts(Table("figures", "Means and differences", columns, means))
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
