"""The chapters of one check: the answer, who was compared, groups, strata, the numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from fairaudit.audit.result import AuditResult, CheckFinding
from fairaudit.disclosure.fields import Field
from fairaudit.errors import require
from fairaudit.findings import Argument, Count, Group, Message, Phrase, Word
from fairaudit.measure.bands import each_of
from fairaudit.measure.limits import answer_digits
from fairaudit.measure.quantity import UNITS
from fairaudit.measure.results import (
    ControlledBounds,
    ControlledFairness,
    GroupComparison,
    GroupMean,
    Stratified,
    StratifiedFairness,
    as_kind,
)
from fairaudit.measure.verdicts import verdict_of
from fairaudit.messages import say, say_verdicts
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.present import naming, verdicts
from fairaudit.present.blocks import (
    Block,
    Chart,
    Code,
    Heading,
    Items,
    KeyValues,
    Paragraph,
    TableBlock,
    cell_text,
    pick,
)
from fairaudit.present.cases import not_known_sentence, say_left_out, say_weighted, strata_text
from fairaudit.present.charts import gaps
from fairaudit.present.naming import listed
from fairaudit.present.numbers import (
    by_tolerance,
    count_text,
    figures_that_subtract,
    interval_text,
    number_text,
    p_text,
    points_text,
    ratio_text,
    tolerance_text,
)
from fairaudit.present.verdicts import IMPACT_RATIO, Chip
from fairaudit.sections.asked import protected_text
from fairaudit.sections.check.charts import check_chart, check_chart_text, check_chart_title, check_row, check_row_text
from fairaudit.sections.check.levels import levels_tables
from fairaudit.sections.check.reading import levels_of, read_check, say_group_ranges, say_ranges
from fairaudit.sections.check.saying import (
    answer_words,
    likely_range,
    next_step,
    on_said_side,
    rows_on_said_side,
    say_check,
    say_similar,
    sizes,
)
from fairaudit.sections.check.tables import (
    comparison_table,
    figures_of,
    groups_table,
    range_label,
    similar_table,
    strata_table,
)
from fairaudit.sections.detectable import say_more_rows
from fairaudit.sections.errors.saying import say_alone
from fairaudit.sections.opening import UNSAID, Opening, opening_of

STRATA_PRINTED = (
    "protected_n", "protected_share", "protected_mean", "reference_n", "reference_share", "reference_mean",
    "gap", "gap_interval", "difference", "difference_interval", "reading",
)  # fmt: skip
"""The columns of the table of strata that are printed."""
BOUNDS_PRINTED = ("protected_share_interval", "reference_share_interval", "gap_bounds", "gap_interval", "reading")
"""The same where counts are rounded or hidden."""

MOST_STRATA_PRINTED = 12
"""With more strata, their figures are in the CSV file alone."""

VERDICT = Message("annex-verdict")
"""What the verdict on the overall gap is called beside one on similar cases."""
TESTS = {"z": "p-value (pooled z)", "fisher": "p-value (Fisher)", "t": "p-value (t, with clusters)"}


def heading(finding: CheckFinding, number: int, *, several: bool) -> str:
    """Return what an answer is called in a document that has `several`."""
    called = finding.plan.title or naming.capital(protected_text(finding))
    return say(Message("annex-numbered", {"n": Count(number), "title": Phrase(called)})) if several else called


def opening_with_prediction(finding: CheckFinding, number: int, result: AuditResult) -> list[Block]:
    """Return an answer with, below its first words, what a prediction has to do with it."""
    said = say(say_alone(result.plan, has_errors=bool(result.errors)))
    first, *rest = opening(finding, number)
    return [first, *([Paragraph(said)] if said else []), *rest]


def numbers_chapter(findings: Sequence[CheckFinding]) -> list[Block]:
    """Return the annex with the statistics of all answers: first what their ranges allow for."""
    notes = tuple(dict.fromkeys(text for finding in findings for text in range_notes(finding)))
    blocks: list[Block] = [Items(notes, title=say(Message("annex-range")))] if notes else []
    several = len(findings) > 1
    for number, finding in enumerate(findings, start=1):
        blocks += [Heading(2, heading(finding, number, several=True))] if several else []
        blocks += number_blocks(finding, number, level=2 + several)
    return blocks


def opening(finding: CheckFinding, number: int, also: Sequence[Chip] = ()) -> list[Block]:
    """Return the verdict with the answer in one sentence, what it rests on, and its picture."""
    said = say_check(finding)
    blocks: list[Block] = [
        Paragraph("", lead=True, strong=f"{answer_words(finding, also)}. {say(said.headline)}."),
        Paragraph(say((*said.lead, *said.caution))),
    ]
    if read_check(finding).verdict not in UNSAID:
        table = f"check_{number}_groups" if levels_of(finding) is None else f"check_{number}_levels"
        blocks.append(check_picture(finding, number, table))
    return blocks


def level_blocks(finding: CheckFinding, number: int) -> list[Block]:
    """Return who got which level, in all tables, how many cases were compared, and that remedies ask for yes or no."""
    levels = require(levels_of(finding))
    said = [*say_compared(finding), Message("levels-yes-no", {"verb": finding.names.verb})]
    tables = levels_tables(levels, finding.names, number)
    return [Heading(2, say(Message("levels-table"))), *tables, Paragraph(say(said))]


def check_picture(finding: CheckFinding, number: int, table_key: str | None = None) -> Chart:
    """Return the picture of an answer: both groups, and both among similar cases."""
    title, text = check_chart_title(finding), check_chart_text(finding)
    return Chart(f"check_{number}_chart", title, text, check_chart(finding), table_key)


def compared_blocks(finding: CheckFinding, number: int, *, level: int, noun: str) -> list[Block]:
    """Return who was compared: both groups side by side, and how many rows lack a `noun`."""
    return [
        Heading(level, say(Message("report-compared"))),
        _compared(finding, number, noun),
        Paragraph(say(say_compared(finding))),
    ]


def say_compared(finding: CheckFinding, *, left_out: bool = True) -> list[Message]:
    """Say how many cases were compared, and which; and, unless not asked, how many are in neither group."""
    result, where = finding.result, finding.where_words
    counts = (result.protected.n, result.reference.n)
    if isinstance(result, ControlledBounds):
        return _say_bounds_compared(finding, result, left_out=left_out)
    among: dict[str, Argument] = {} if where is None else {"where": Phrase(where)}
    if None in counts:
        said = [Message("report-compared-hidden")]
        said += [Message("report-compared-only", among)] if among else []
    else:
        key = "report-compared-where" if among else "report-compared-all"
        said = [Message(key, among | {"n": Count(sum(counts))})]
    said += say_weighted(result.design)
    lacking = (result.n_filtered_out, "filter"), (result.unknown, "group")
    return said + [
        Message("report-left-out", {"n": Count(n), "why": Word(why)}) for n, why in lacking if n and left_out
    ]


def _say_bounds_compared(finding: CheckFinding, result: ControlledBounds, *, left_out: bool) -> list[Message]:
    """Say how many cases were compared at least and at most, and that some are in neither group."""
    sides = (result.protected, result.reference)
    low, high = sum(side.n for side in sides), sum(side.most_n for side in sides)
    said = [Message("report-compared-between", {"low": Count(low), "high": Count(high)})]
    if low == high:
        said = [Message("report-compared-all", {"n": Count(low)})]
    if finding.where_words is not None:
        said.append(Message("report-compared-only", {"where": Phrase(finding.where_words)}))
    return said + ([Message("check-left-out-some")] if result.unknown and left_out else [])


def group_labels(finding: CheckFinding) -> tuple[str, str]:
    """Return what both groups are called in the head of a table."""
    both = (finding.names.protected, finding.names.others)
    return tuple(say(Message("group-alone", {"group": group})) for group in both)  # type: ignore[return-value]


def doubt_blocks(finding: CheckFinding) -> list[Block]:
    """Return what weakens the answer, and how much data a clear one takes."""
    doubts = [*finding.result.warnings, *map(not_known_sentence, finding.not_known)]
    if finding.where_words is None and finding.strata is None:
        doubts.append(say(Message("report-similar-not-asked")))
    if levels_of(finding) is None and (more_rows := say(say_more_rows(finding))):
        doubts.append(more_rows)
    return [Items(tuple(doubts))] if doubts else []


def range_notes(finding: CheckFinding) -> tuple[str, ...]:
    """Return what ranges and p-values are about, and what they allow for."""
    result, n_groups = finding.result, sum(len(table.rows) for table in finding.groups)
    cluster = getattr(result, "cluster", None)
    notes = [Message("annex-range-chance"), Message("annex-range-rows")]
    if result.design is not None:
        notes[1] = Message("annex-range-weighted")
    elif cluster is not None:
        notes[1] = Message("annex-range-cluster", {"column": Phrase(cluster)})
    if isinstance(result, ControlledBounds):
        notes.append(Message("annex-range-bounds"))
    if n_groups > 2:
        notes.append(Message("annex-range-many"))
    return tuple(map(say, notes))


def group_blocks(finding: CheckFinding, number: int, *, level: int, noun: str) -> list[Block]:
    """Return what is found of each group, among similar cases and among similar people: sentences and charts."""
    blocks: list[Block] = []
    for position, comparison in enumerate(finding.groups, start=1):
        if not repeats_the_answer(finding, comparison):
            blocks += _all_groups(finding, comparison, number, position, level, noun)
    blocks += [Paragraph(sentence) for sentence in finding.not_compared]
    if (strata := on_said_side(finding).strata) is not None:
        blocks += _strata(finding, strata, number, level)
    if finding.similar is not None:
        blocks += [Heading(level, say(Message("annex-similar"))), Paragraph(verdicts.similar_sentence(finding))]
    return blocks


def repeats_the_answer(finding: CheckFinding, comparison: GroupComparison) -> bool:
    """Say whether a comparison of all groups is of the protected group and the rest alone, once more."""
    own = finding.result
    both = {(own.protected.n, _plain(own.difference)), (own.reference.n, _plain(own.difference, turned=True))}
    found = {(row.comparison.protected.n, _plain(row.comparison.difference)) for row in comparison.rows}
    return comparison.reference is None and len(comparison.rows) == 2 and found == both


def _plain(difference: float | None, *, turned: bool = False) -> float | None:
    """Return a gap without what adding weights up in another order leaves in its last digits."""
    return None if difference is None else round(-difference if turned else difference, 12)


def number_blocks(finding: CheckFinding, number: int, *, level: int) -> list[Block]:
    """Return the statistics of the answer, how to read them, and the query that gives the same figures."""
    numbers = BoundNumbers if isinstance(finding.result, ControlledBounds) else NUMBERS[finding.decision.kind]
    blocks: list[Block] = [KeyValues(say(Message("annex-figures")), numbers.of_answer(finding, number))]
    if (strata := on_said_side(finding).strata) is not None:
        blocks.append(numbers.of_strata(finding, strata, number))
    if finding.similar is not None and finding.similar.dtdi is not None:
        blocks.append(_folded(similar_table(finding.similar, number, figures_of(finding))))
    return [*blocks, *query_blocks(finding, level)]


def query_blocks(finding: CheckFinding, level: int) -> list[Block]:
    """Return what was asked as conditions, and the query that counts the same rows."""
    return [
        Heading(level, say(Message("annex-sql"))),
        KeyValues(None, conditions(finding), code=("Filter", "Protected condition")),
        Code(finding.sql),
    ]


def _compared(finding: CheckFinding, number: int, noun: str) -> TableBlock:
    """Return both groups side by side, one line a figure."""
    finding, figures = on_said_side(finding), figures_of(finding)
    full = groups_table(finding, number, figures)
    place = {column.name: i for i, column in enumerate(full.columns)}
    protected, rest = full.rows
    own, others = group_labels(finding)
    columns = (
        Field("what", "figure"), Field("protected", own, "number"), Field("reference", others, "number"),
    )  # fmt: skip
    rows = []
    for name, label in figures.compared(finding, noun):
        spec = full.columns[place[name]]
        rows.append((label, *(cell_text(row[place[name]], spec.kind, digits=spec.digits) for row in (protected, rest))))
    sides = (finding.result.protected, finding.result.reference)
    is_rounded = any(isinstance(side, GroupMean) and side.is_rounded for side in sides)
    note = say(Message("annex-median-rounded")) if is_rounded else None
    return TableBlock(full.key, say(Message("annex-both")), columns, tuple(rows), note)


# What the statistics of an answer are, by what is compared.


class ShareNumbers:
    """The statistics of shares; those of the favourable result stay so where sentences speak of the other."""

    @staticmethod
    def of_answer(finding: CheckFinding, number: int) -> tuple[tuple[str, str], ...]:
        """Return the gap, its range, what it is judged by, and the test."""
        result, names = as_kind(ControlledFairness, on_said_side(finding).result), finding.names
        its_range = range_label(finding)
        return (
            (
                say(Message("figure-gap", {"protected": names.protected, "others": names.others})),
                figures_that_subtract(result)[2],
            ),
            (its_range, interval_text(result.difference_interval, **by_tolerance(result))),
            (IMPACT_RATIO[finding.names.of_unfavorable], ratio_text(result)),
            (its_range, interval_text(result.impact_ratio_interval, "number", digits=2)),
            ("Tolerance", f"±{tolerance_text(result.tolerance)}"),
            (naming.capital(say(VERDICT)), verdicts.reading(result)),
            (_test_name(result), p_text(result.p_value)),
        )

    @staticmethod
    def of_strata(finding: CheckFinding, strata: Stratified, number: int) -> Block:
        """Return both gaps, the common odds ratio and its test."""
        strata, names = as_kind(StratifiedFairness, strata), finding.names
        rows: tuple[tuple[str, str], ...] = (
            (
                say(Message("figure-gap-all", {"protected": names.protected, "others": names.others})),
                figures_that_subtract(strata.pooled)[2],
            ),
            (
                "The same among similar cases",
                points_text(strata.common_difference, digits=answer_digits(strata.pooled)),
            ),
            ("its range, points", interval_text(strata.common_difference_interval)),
        )
        if strata.pooled.design is None:
            rows += (
                ("Common odds ratio", number_text(strata.common_odds_ratio)),
                ("its range", interval_text(strata.common_odds_ratio_interval, "number", digits=2)),
                ("p-value (CMH)", p_text(strata.cmh_p_value)),
            )
        return KeyValues(say(Message("annex-strata")), rows)


class BoundNumbers(ShareNumbers):
    """The statistics of shares of which bounds are known."""

    @staticmethod
    def of_answer(finding: CheckFinding, number: int) -> tuple[tuple[str, str], ...]:
        """Return the gap and its range, what it is judged by, and how many cells are not exact."""
        result, names = as_kind(ControlledBounds, on_said_side(finding).result), finding.names
        return (
            (
                say(Message("figure-gap", {"protected": names.protected, "others": names.others})),
                interval_text(result.difference_bounds, **by_tolerance(result)),
            ),
            (range_label(finding), interval_text(result.difference_interval, **by_tolerance(result))),
            ("Tolerance", f"±{tolerance_text(result.tolerance)}"),
            (naming.capital(say(VERDICT)), verdicts.reading(result)),
            (say(Message("figure-uncertain-cells")), count_text(result.n_uncertain)),
        )

    @staticmethod
    def of_strata(finding: CheckFinding, strata: Stratified, number: int) -> Block:
        """Return the bounds of both gaps with their ranges."""
        return figures_of(finding).strata_together(strata, number)


class MeanNumbers:
    """The statistics of means, as the tables have them."""

    @staticmethod
    def of_answer(finding: CheckFinding, number: int) -> tuple[tuple[str, str], ...]:
        """Return the difference, its range and test, and the disparate impact index."""
        [table] = figures_of(finding).gap_tables(finding, number)
        [row] = table.rows
        return tuple(
            (naming.capital(spec.label), cell_text(value, spec.kind, digits=spec.digits))
            for spec, value in zip(table.columns, row, strict=True)
        )

    @staticmethod
    def of_strata(finding: CheckFinding, strata: Stratified, number: int) -> Block:
        """Return both differences with their ranges and tests."""
        return figures_of(finding).strata_together(strata, number)


NUMBERS: Final[Mapping[OutcomeKind, type[ShareNumbers | MeanNumbers]]] = {SHARES: ShareNumbers, AMOUNTS: MeanNumbers}


def _test_name(result: ControlledFairness) -> str:
    return "p-value (t, weighted)" if result.design is not None else TESTS.get(result.test or "", "p-value")


def conditions(finding: CheckFinding) -> tuple[tuple[str, str], ...]:
    """Return what was asked, as conditions and in words."""
    result = finding.result
    return (
        ("Filter", result.where or "none"),
        ("Filter in words", finding.where_words or "all rows"),
        ("Protected condition", result.protected_condition),
        ("Protected group in words", finding.protected_words),
        (finding.decision.kind.label, finding.meaning),
        ("Decision column", result.decision),
    )


def by_columns(columns: Sequence[str]) -> str:
    """Return the heading above the groups that some columns make."""
    return say(Message("annex-by", {"columns": Phrase(listed(list(columns)))}))


def _all_groups(
    finding: CheckFinding, comparison: GroupComparison, number: int, position: int, level: int, noun: str
) -> list[Block]:
    """Return the chapter of all groups: who is not in it, and its picture."""
    comparison = replace(comparison, rows=rows_on_said_side(finding, comparison.rows))
    key = comparison_table(comparison, number, position, figures_of(finding)).key
    known = [row for row in comparison.rows if row.comparison.difference is not None]
    notes = left_out_sentences(comparison, noun)
    if len(known) < len(comparison.rows):
        notes.append(say(Message("annex-hidden")))
    blocks: list[Block] = [Heading(level, by_columns(comparison.columns))]
    blocks += [Paragraph(" ".join(notes))] if notes else []
    if known:
        args: dict[str, Argument] = {
            "columns": Phrase(", ".join(comparison.columns)), "others": Group(comparison.reference),
        }  # fmt: skip
        caption = say(Message("annex-chart-groups", args))
        caption += naming.drawn_note(len(known), naming.MOST_GROUPS, held_by="file")
        caption = f"{caption} {say_group_ranges(comparison)}".rstrip()
        alt = gaps.comparison_alt(comparison, finding.result)
        chart = gaps.comparison_chart(comparison, finding.result, more_is_better=finding.more_is_better)
        blocks.append(Chart(f"{key}_chart", caption, alt, chart, key))
    return blocks


def _strata(finding: CheckFinding, strata: Stratified, number: int, level: int) -> list[Block]:
    """Return the chapter of similar cases: what becomes of the gap there, and its picture with its numbers."""
    cuts = finding.plan.strata_cuts
    full = strata_table(strata, number, figures_of(finding), finding.names, cuts=cuts)
    known = [row for row in strata.strata if row.comparison.difference is not None]
    notes = list(say_similar(finding))
    notes += say_left_out(strata)
    if len(known) < len(strata.strata):
        notes.append(Message("annex-hidden"))
    blocks: list[Block] = [Heading(level, by_columns(strata_text(finding)))]
    blocks += [Paragraph(say(notes))] if notes else []
    if not known or strata.pooled.difference is None:
        return blocks
    caption = say(Message("annex-chart-strata", {"columns": Phrase(each_of(strata.columns, cuts, between=", "))}))
    caption += naming.drawn_note(len(known), naming.MOST_GROUPS, "strata", held_by="file")
    caption = f"{caption} {say_ranges(strata.strata)}".rstrip()
    alt, chart = gaps.strata_alt(strata, finding.names), gaps.strata_chart(strata, finding.names)
    return [*blocks, Chart(f"{full.key}_chart", caption, alt, chart, full.key), *strata_numbers(full)]


def strata_numbers(full: TableBlock) -> list[TableBlock]:
    """Return the figures of each stratum for paper, beside their chart; nothing where strata are too many for that."""
    names = [column.name for column in full.columns]
    strata = [name for name in names if name.startswith("stratum_")]
    printed = BOUNDS_PRINTED if "gap_bounds" in names else STRATA_PRINTED
    return [pick(full, (*strata, *printed))] if len(full.rows) <= MOST_STRATA_PRINTED else []


def left_out_sentences(comparison: GroupComparison, noun: str) -> list[str]:
    """Return how many rows are in none of the groups, or lack the `noun` that is compared; nothing where none is."""
    counts = (comparison.unknown, "annex-no-group"), (comparison.undecided, "annex-no-noun")
    return [
        say(Message(key if n else f"{key}-hidden", {"n": Count(n or 0), "noun": Phrase(noun)}))
        for n, key in counts
        if n is None or n
    ]


def _folded(table: TableBlock) -> TableBlock:
    """Return a table of figures with all values in one column."""
    rows = []
    for label, *values in table.rows:
        filled = [(v, c) for v, c in zip(values, table.columns[1:], strict=True) if v not in ("", ("", ""))]
        shown = [cell_text(value, column.kind, digits=column.digits) for value, column in filled]
        rows.append((label, next(iter(shown), "")))
    columns = (table.columns[0], Field("value", "value", "amount", "The figure."))
    return replace(table, columns=columns, rows=tuple(rows))


# What it comes to on the first page.


def check_opening(finding: CheckFinding, number: int, result: AuditResult) -> Opening:
    """Return what an answer comes to on the first page."""
    names = finding.names
    title = finding.plan.title or say(Message("report-who", {"protected": names.protected, "others": names.others}))
    said, step = say_check(finding), next_step(finding, tried=bool(result.tried or result.explanations))
    more: dict[str, Any] = {"next_step": "" if step is None else say(step)}
    if similar := [message for message in say_similar(finding)[:1] if message in said.lead]:
        # How sure the answer is stands in its strip.
        more["brief"] = tuple(map(say, (said.lead[0], *similar)))
    if levels_of(finding) is not None and read_check(finding).verdict not in UNSAID:
        counts = "" if not sizes(finding) else f"{', '.join(map(say, sizes(finding)))}."
        more |= {"counts": counts, "chart": check_picture(finding, number)}
    elif verdict_of(finding.result) not in UNSAID:
        shown = likely_range(finding)
        among = [other for other in result.checks if verdict_of(other.result) not in UNSAID]
        row = check_row(finding, among)
        key = f"check_{number}"
        more |= {
            "counts": "" if not sizes(finding) else f"{', '.join(map(say, sizes(finding)))}.",
            "likely": "" if shown is None else say(shown),
            "rows": ((title, *_exactly(finding), say_verdicts(said)),),
            "row": Chart(f"{key}_row", check_chart_title(replace(finding, strata=None)), check_row_text(finding), row),
            "chart": check_picture(finding, number),
        }
    return opening_of("checks", title, said, **more)


def _exactly(finding: CheckFinding) -> tuple[str, str]:
    """Return the gap and its range exactly, in the share that sentences speak of."""
    result, unit = on_said_side(finding).result, UNITS[finding.result.quantity]
    digits = figures_of(finding).gap_digits
    if isinstance(result, ControlledBounds):
        ends = (result.difference_bounds, result.difference_interval)
        gap, interval = (cell_text(tuple(each), unit.gap_interval, digits=digits) for each in ends)
        return gap, interval
    interval = cell_text(tuple(result.difference_interval), unit.gap_interval, digits=digits)
    return cell_text(result.difference, unit.gap, digits=digits), interval
