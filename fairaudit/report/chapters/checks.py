"""The chapter of one check: the answer, who was compared, all groups, strata, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.measure.results import GroupComparison, StratifiedFairness
from fairaudit.present import brief, words
from fairaudit.present.blocks import Block, Chart, Code, ColumnSpec, Heading, Items, KeyValues, Note, Paragraph, Table
from fairaudit.present.charts import gap_texts, gaps
from fairaudit.present.comparison_numbers import by_tolerance
from fairaudit.present.detectable_words import more_rows_sentence
from fairaudit.present.headlines import strata_sentence
from fairaudit.present.printed_tables import pick
from fairaudit.report.explanations import caveats, next_step
from fairaudit.report.tables import comparison_table, groups_table, strata_table

HIDDEN_NOTE = "not shown: a count under the plan's minimum, or one from which such a count could be worked out."


def opening(finding: CheckFinding, number: int) -> list[Block]:
    """Return the verdict as a lead paragraph and its chart."""
    result = finding.result
    answer, spread = words.verdict_parts(finding)
    blocks: list[Block] = [Paragraph(spread, lead=True, strong=answer)]
    if words.verdict_word(result) not in ("Not shown", "Cannot say"):
        name = words.group_name(finding)
        level = words.confidence_text(result.confidence)
        caption = (
            f"Share with the good outcome ({finding.meaning}), {level} {words.interval_name(result)} intervals; "
            f"shaded: within {words.tolerance_text(result.tolerance)} of the rest."
        )
        alt = gap_texts.groups_alt(result, meaning=finding.meaning, title=name)
        chart = gaps.groups_chart(result, meaning=finding.meaning, title=name)
        blocks.append(Chart(f"check_{number}_chart", caption, alt, chart, f"check_{number}_groups"))
    return blocks


def check_blocks(finding: CheckFinding, number: int, *, level: int) -> list[Block]:
    """Return everything on one check below its opening."""
    result = finding.result
    rest = "the rest"
    blocks: list[Block] = [Heading(level, "What was compared"), _compared(finding, number)]
    blocks.append(Paragraph(f"{words.population_sentence(finding)} {words.impact_ratio_sentence(result, rest=rest)}"))
    blocks.append(_figures(finding))
    for position, comparison in enumerate(finding.groups, start=1):
        blocks += _all_groups(comparison, number, position, level)
    blocks += [Note(f"Not compared. {sentence}") for sentence in finding.not_compared]
    if finding.strata is not None:
        blocks += _strata(finding, finding.strata, number, level)
    blocks.append(Heading(level, "How sure, and what this does not say"))
    blocks.append(Paragraph(words.evidence_sentence(result)))
    if more_rows := more_rows_sentence(finding):
        blocks.append(Paragraph(more_rows, strong="How much data it takes."))
    blocks.append(Items(caveats(finding)))
    if step := next_step(finding):
        blocks.append(Paragraph(step, strong="What next."))
    blocks.append(Heading(level, "The same rows in SQL"))
    blocks.append(KeyValues(None, conditions(finding), code=("Filter", "Protected condition")))
    blocks.append(Code(finding.sql, title="This query counts the same rows"))
    return blocks


def _compared(finding: CheckFinding, number: int) -> Table:
    full = groups_table(finding, number)
    names = [column.name for column in full.columns]
    protected, rest = (dict(zip(names, row, strict=True)) for row in full.rows)
    level = words.confidence_text(finding.result.confidence)
    lines = (
        ("condition", lambda row: row["condition"]),
        ("rows with a known decision", lambda row: _count(row["n"])),
        (f"with the good outcome ({finding.meaning})", lambda row: _count(row["positives"])),
        ("share", lambda row: _share(row["share"])),
        (f"{level} interval", lambda row: words.interval_text(row["share_interval"], "share")),
        ("without a decision", lambda row: _count(row["undecided"])),
    )
    columns = (
        ColumnSpec("what", "what is counted", "text", "What is counted."),
        ColumnSpec("protected", "protected", "number", "Protected group."),
        ColumnSpec("reference", "the rest", "number", "The rest."),
    )
    rows = tuple((label, show(protected), show(rest)) for label, show in lines)
    return Table(full.key, full.title, columns, rows)


def _figures(finding: CheckFinding) -> KeyValues:
    result = finding.result
    level = words.confidence_text(result.confidence)
    rows = (
        ("Gap, protected minus the rest", words.gap_text(result)),
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


def _all_groups(comparison: GroupComparison, number: int, position: int, level: int) -> list[Block]:
    table = comparison_table(comparison, number, position)
    names = [column.name for column in table.columns if column.name.startswith("group_")]
    compact = pick(table, [*names, "n", "share", "gap", "gap_interval", "adjusted_p_value", "reading"])
    against = comparison.reference or "the rest"
    known = [row for row in comparison.rows if row.comparison.difference is not None]
    notes = [f"Gap: share of the group minus share of {against}, in points."]
    notes += _left_out(comparison.unknown, comparison.undecided)
    if len(known) < len(comparison.rows):
        notes.append(HIDDEN_NOTE[0].upper() + HIDDEN_NOTE[1:])
    if comparison.worst_pair is not None:
        notes.append(words.worst_pair_sentence(comparison, "gap"))
    blocks: list[Block] = [Heading(level, table.title)]
    if known:
        drawn = replace(comparison, rows=tuple(known))
        alt = gap_texts.comparison_alt(drawn)
        caption = f"Gap of each group of {', '.join(comparison.columns)} to {against}, with intervals."
        caption += brief.drawn_note(len(known), brief.MOST_GROUPS)
        blocks.append(Chart(f"{table.key}_chart", caption, alt, gaps.comparison_chart(drawn), table.key))
    blocks.append(replace(compact, note=" ".join(notes)))
    return blocks


def _strata(finding: CheckFinding, strata: StratifiedFairness, number: int, level: int) -> list[Block]:
    table = strata_table(strata, number)
    names = [column.name for column in table.columns if column.name.startswith("stratum_")]
    shares = ["protected_n", "protected_share", "reference_n", "reference_share"]
    compact = pick(table, [*names, *shares, "gap", "gap_interval", "reading"])
    blocks: list[Block] = [Heading(level, f"Holding {', '.join(strata.columns)} equal")]
    if warning := words.reversal_warning(finding):
        blocks.append(Note(warning, kind="warning"))
    if sentence := strata_sentence(finding):
        blocks.append(Paragraph(sentence))
    known = [row for row in strata.strata if row.comparison.difference is not None]
    if known and strata.pooled.difference is not None:
        drawn = replace(strata, strata=tuple(known))
        alt = gap_texts.strata_alt(drawn)
        caption = f"Gap inside each stratum of {', '.join(strata.columns)}; dashed: the gap in all rows together."
        caption += brief.drawn_note(len(known), brief.MOST_GROUPS, "strata")
        blocks.append(Chart(f"{table.key}_chart", caption, alt, gaps.strata_chart(drawn), table.key))
    notes = ["Gap: protected minus the rest inside the stratum, in points."]
    if strata.left_out:
        notes.append(f"Not compared, because one of the groups is empty there: {'; '.join(strata.left_out)}.")
    if len(known) < len(strata.strata):
        notes.append(HIDDEN_NOTE[0].upper() + HIDDEN_NOTE[1:])
    blocks += [replace(compact, note=" ".join(notes)), _together(strata)]
    return blocks


def _together(strata: StratifiedFairness) -> KeyValues:
    odds = words.interval_text(strata.common_odds_ratio_interval, "number", digits=2)
    gap = words.interval_text(strata.common_difference_interval)
    rows = (
        ("Gap in all rows together", words.points_text(strata.pooled.difference)),
        ("Gap among people of the same stratum", words.points_text(strata.common_difference)),
        ("its interval, points", gap),
        ("Common odds ratio (Mantel-Haenszel)", words.number_text(strata.common_odds_ratio)),
        ("its interval", odds),
        ("Test of no gap in any stratum (CMH)", words.p_text(strata.cmh_p_value)),
    )
    return KeyValues("The strata together", rows)


def _left_out(unknown: int | None, undecided: int | None) -> Sequence[str]:
    if unknown == 0 and undecided == 0:
        return ()
    counts = (
        (unknown, "with an unknown group", "because the group is unknown"),
        (undecided, "without a decision", "because there is no decision"),
    )
    known = [
        f"{words.count_text(count)} {'row' if count == 1 else 'rows'} {what}"
        for count, what, _ in counts
        if count is not None
    ]
    hidden = [why for count, _, why in counts if count is None]
    sentences = [f"Left out: {words.listed(known)}."] if known else []
    if hidden:
        sentences.append(f"How many rows are left out {words.listed(hidden, 'or')} is not shown.")
    return sentences


def _count(value: int | str) -> str:
    return value if isinstance(value, str) else words.count_text(value)


def _share(value: float | str) -> str:
    return value if isinstance(value, str) else words.share_text(value)
