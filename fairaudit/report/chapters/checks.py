"""The chapters of one check: the answer, who was compared, what that does not say, groups, strata, and the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.measure.near_limits import answer_digits
from fairaudit.measure.results import GroupComparison, GroupMeans, StratifiedFairness
from fairaudit.measure.verdicts import verdict_of
from fairaudit.messages import say
from fairaudit.present import brief, headlines, words
from fairaudit.present.blocks import (
    Block,
    Chart,
    Code,
    ColumnSpec,
    Heading,
    Items,
    KeyValues,
    Note,
    Paragraph,
    Table,
    cell_text,
)
from fairaudit.present.charts import gap_texts, gaps
from fairaudit.present.chips import Chip
from fairaudit.present.comparison_numbers import by_tolerance
from fairaudit.present.printed_tables import pick
from fairaudit.report.explanations import INTERVAL_NOTES, caveats, interval_notes
from fairaudit.report.tables import comparison_table, groups_table, share_figures, strata_table
from fairaudit.sections.check import answer_words, next_step, say_check, say_similar
from fairaudit.sections.check.charts import check_chart, check_chart_text, check_chart_title
from fairaudit.sections.check.many import say_group_ranges, say_ranges
from fairaudit.sections.detectable import say_more_rows

STRATA_PRINTED = (
    "protected_n", "protected_share", "protected_mean", "reference_n", "reference_share", "reference_mean",
    "gap", "gap_interval", "difference", "difference_interval", "reading",
)  # fmt: skip
"""The columns of the table of strata that are printed, for shares and for amounts."""

MOST_STRATA_PRINTED = 12
"""With more strata, their figures are in the CSV file alone."""

HIDDEN_NOTE = (
    "Some are not shown: a count of theirs is under the audit's minimum, or such a count could be worked out from them."
)


def opening(finding: CheckFinding | AmountFinding, number: int, also: Sequence[Chip] = ()) -> list[Block]:
    """Return the verdict with the answer in one sentence, what it rests on, and its picture."""
    said = say_check(finding)
    blocks: list[Block] = [
        Paragraph("", lead=True, strong=f"{answer_words(finding, also)}. {say(said.headline)}."),
        Paragraph(say((*said.lead, *said.caution))),
    ]
    if verdict_of(finding.result) not in ("not_shown", "nothing_to_compare"):
        title, text = check_chart_title(finding), check_chart_text(finding)
        blocks.append(Chart(f"check_{number}_chart", title, text, check_chart(finding), f"check_{number}_groups"))
    return blocks


def compared_blocks(finding: CheckFinding, number: int, *, level: int, noun: str = "decision") -> list[Block]:
    """Return who was compared: both groups side by side, and how many rows were not, such as those without `noun`."""
    sentences = f"{words.population_sentence(finding, noun)} {words.impact_ratio_sentence(finding.result)}"
    return [Heading(level, "What was compared"), _compared(finding, number, noun), Paragraph(sentences)]


def doubt_blocks(finding: CheckFinding) -> list[Block]:
    """Return what weakens the answer, how much data a clear one takes, and what to do next."""
    doubts = caveats(finding)
    blocks: list[Block] = [Items(doubts)] if doubts else []
    if more_rows := say(say_more_rows(finding)):
        blocks.append(Paragraph(more_rows, strong="How much data it takes."))
    if (step := next_step(finding)) is not None:
        blocks.append(Paragraph(say(step), strong="What next."))
    return blocks


def group_blocks(finding: CheckFinding, number: int, *, level: int, noun: str = "decision") -> list[Block]:
    """Return what is found of each group and inside the strata: sentences and charts."""
    blocks: list[Block] = []
    for position, comparison in enumerate(finding.groups, start=1):
        if not repeats_the_answer(finding, comparison):
            blocks += _all_groups(finding, comparison, number, position, level, noun)
    blocks += [Note(f"Not compared. {sentence}") for sentence in finding.not_compared]
    if finding.strata is not None:
        blocks += _strata(finding, finding.strata, number, level)
    return blocks


def repeats_the_answer(finding: CheckFinding | AmountFinding, comparison: GroupComparison | GroupMeans) -> bool:
    """Say whether a comparison of all groups is of the protected group and the rest alone, once more."""
    own = finding.result
    both = {(own.protected.n, own.difference), (own.reference.n, None if own.difference is None else -own.difference)}
    found = {(row.comparison.protected.n, row.comparison.difference) for row in comparison.rows}
    return comparison.reference is None and len(comparison.rows) == 2 and found == both


def number_blocks(finding: CheckFinding, number: int, *, level: int) -> list[Block]:
    """Return the statistics of the answer, how to read them, and the query that counts the same rows."""
    blocks: list[Block] = [_figures(finding)]
    if finding.strata is not None:
        blocks.append(_together(finding.strata))
    blocks.append(Items(interval_notes(finding), title=INTERVAL_NOTES))
    blocks.append(Heading(level, "The same rows in SQL"))
    blocks.append(KeyValues(None, conditions(finding), code=("Filter", "Protected condition")))
    blocks.append(Code(finding.sql, title="This query counts the same rows"))
    return blocks


def _compared(finding: CheckFinding, number: int, noun: str) -> Table:
    full = groups_table(finding, number, share_figures(finding))
    names = [column.name for column in full.columns]
    protected, rest = (
        dict(zip(names, row, strict=True), who=who)
        for row, who in zip(full.rows, (finding.protected_words, "all others"), strict=True)
    )
    level = words.confidence_text(finding.result.confidence)
    [spec] = [column for column in full.columns if column.name == "share"]
    lines = (
        ("who", lambda row: row["who"]),
        (f"rows with a known {noun}", lambda row: _count(row["n"])),
        (f"with the good outcome ({finding.meaning})", lambda row: _count(row["positives"])),
        ("share", lambda row: cell_text(row["share"], "share", digits=spec.digits)),
        (f"{level} interval", lambda row: words.interval_text(row["share_interval"], "share")),
        (f"without {brief.a(noun)}", lambda row: _count(row["undecided"])),
    )
    columns = (
        ColumnSpec("what", "what is counted", "text", "What is counted."),
        ColumnSpec("protected", finding.plan.protected_name or "protected", "number", "Protected group."),
        ColumnSpec("reference", "the rest", "number", "The rest."),
    )
    rows = tuple((label, show(protected), show(rest)) for label, show in lines)
    return Table(full.key, "Both groups side by side", columns, rows)


def _figures(finding: CheckFinding) -> KeyValues:
    result = finding.result
    level = words.confidence_text(result.confidence)
    rows = (
        ("Gap, protected minus the rest", words.figures_that_subtract(result)[2]),
        (
            f"{level} interval of the gap, points",
            words.interval_text(result.difference_interval, **by_tolerance(result)),
        ),
        ("Impact ratio, protected divided by the rest", words.ratio_text(result)),
        (f"{level} interval of the ratio", words.interval_text(result.impact_ratio_interval, "number", digits=2)),
        ("Tolerance", f"±{words.tolerance_text(result.tolerance)}"),
        ("Reading", words.reading(result)),
        (_test_name(result.test), words.p_text(result.p_value)),
    )
    return KeyValues("The gap in numbers", rows)


def _test_name(test: str | None) -> str:
    kinds = {"z": "pooled z", "fisher": "Fisher's exact", "t": "t, allowing for clusters"}
    return f"Test of no gap ({kinds[test]})" if test in kinds else "Test of no gap"


def conditions(finding: CheckFinding | AmountFinding) -> tuple[tuple[str, str], ...]:
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
    return f"By {words.listed(list(columns))}"


def _all_groups(
    finding: CheckFinding, comparison: GroupComparison, number: int, position: int, level: int, noun: str
) -> list[Block]:
    figures = share_figures(finding)
    table = comparison_table(comparison, number, position, figures)
    against = comparison.reference or "the rest"
    known = [row for row in comparison.rows if row.comparison.difference is not None]
    notes = left_out_sentences(comparison, noun)
    if len(known) < len(comparison.rows):
        notes.append(HIDDEN_NOTE)
    if comparison.worst_pair is not None and len(comparison.rows) > 2:
        notes.append(words.worst_pair_sentence(comparison, "gap"))
    blocks: list[Block] = [Heading(level, by_columns(comparison.columns))]
    said = headlines.worst_share_sentence(comparison, digits=figures.digits)
    if text := " ".join(part for part in (said, *notes) if part):
        blocks.append(Paragraph(text))
    if known:
        caption = f"Gap of each group of {', '.join(comparison.columns)} to {against}, with intervals."
        caption += brief.drawn_note(len(known), brief.MOST_GROUPS, held_by="the CSV file holds")
        caption = f"{caption} {say_group_ranges(comparison)}".rstrip()
        alt = gap_texts.comparison_alt(comparison, digits=figures.digits)
        chart = gaps.comparison_chart(comparison, digits=figures.digits)
        blocks.append(Chart(f"{table.key}_chart", caption, alt, chart, table.key))
    return blocks


def _strata(finding: CheckFinding, strata: StratifiedFairness, number: int, level: int) -> list[Block]:
    figures = share_figures(finding)
    full = strata_table(strata, number, figures, cuts=finding.plan.strata_cuts)
    key = full.key
    blocks: list[Block] = [Heading(level, f"Within {words.listed(words.strata_text(finding))}")]
    if said := say(say_similar(finding)):
        blocks.append(Paragraph(said))
    known = [row for row in strata.strata if row.comparison.difference is not None]
    notes = [bands] if (bands := words.bands_sentence(finding)) else []
    if left_out := words.strata_left_out(strata):
        notes.append(left_out)
    if len(known) < len(strata.strata):
        notes.append(HIDDEN_NOTE)
    if notes:
        blocks.append(Paragraph(" ".join(notes)))
    if known and strata.pooled.difference is not None:
        caption = f"Gap inside each {words.each_stratum_text(finding, ', ')}; dashed: the gap in all rows together."
        caption += brief.drawn_note(len(known), brief.MOST_GROUPS, "strata", held_by="the CSV file holds")
        caption = f"{caption} {say_ranges(strata.strata)}".rstrip()
        blocks.append(Chart(f"{key}_chart", caption, gap_texts.strata_alt(strata), gaps.strata_chart(strata), key))
        blocks += strata_numbers(full)
    elif len(blocks) == 1:
        blocks.append(Paragraph(words.STRATA_NOT_SHOWN))
    return blocks


def strata_numbers(full: Table) -> list[Table]:
    """Return the figures of each stratum for paper, beside their chart; nothing where strata are too many for that."""
    names = [column.name for column in full.columns if column.name.startswith("stratum_")]
    return [pick(full, (*names, *STRATA_PRINTED))] if len(full.rows) <= MOST_STRATA_PRINTED else []


def _together(strata: StratifiedFairness) -> KeyValues:
    odds = words.interval_text(strata.common_odds_ratio_interval, "number", digits=2)
    gap = words.interval_text(strata.common_difference_interval)
    rows = (
        ("Gap in all rows together", words.figures_that_subtract(strata.pooled)[2]),
        (
            "Gap among people of the same stratum",
            words.points_text(strata.common_difference, digits=answer_digits(strata.pooled)),
        ),
        ("its interval, points", gap),
        ("Common odds ratio (Mantel-Haenszel)", words.number_text(strata.common_odds_ratio)),
        ("its interval", odds),
        ("Test of no gap in any stratum (CMH)", words.p_text(strata.cmh_p_value)),
    )
    return KeyValues("The strata together", rows)


def left_out_sentences(comparison: GroupComparison | GroupMeans, noun: str) -> list[str]:
    """Return how many rows are in none of the groups, or lack the `noun` that is compared; nothing where none is."""
    counts = (
        (comparison.unknown, "with an unknown group", "because the group is unknown"),
        (comparison.undecided, f"without {brief.a(noun)}", f"because there is no {noun}"),
    )
    known = [f"{words.count_text(n)} {'row' if n == 1 else 'rows'} {what}" for n, what, _ in counts if n]
    hidden = [why for n, _, why in counts if n is None]
    sentences = [f"Left out: {words.listed(known)}."] if known else []
    if hidden:
        sentences.append(f"How many rows are left out {words.listed(hidden, 'or')} is not shown.")
    return sentences


def _count(value: int | str) -> str:
    return value if isinstance(value, str) else words.count_text(value)
