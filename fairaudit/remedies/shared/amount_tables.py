"""Remedies where the decision is an amount: the tables of all models and of each, and what is said beside them."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd

from fairaudit.disclosure.fields import Field
from fairaudit.errors import sure
from fairaudit.findings import REST, Amount, Argument, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import adapted, columns_of, frame_table
from fairaudit.present.numbers import amount_digits, confidence_text, shown
from fairaudit.remedies.shared.changes import NOTHING, change_of, gap_word
from fairaudit.remedies.shared.tables import divisions_table, within_tables
from fairaudit.study.amounts.findings import AmountChange, AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts

AMOUNT_MEASURES = {
    "mae": "mean absolute error",
    "r2": "R²",
    "gap": "gap",
    "error_gap": "gap in mean errors",
}
"""What is compared before and after, in words; gaps are those of the protected group minus everyone else."""

GAPS = ("gap", "error_gap")

R2_DIGITS = 3


def digits_of(facts: AmountStudyFacts) -> int:
    """Return the decimals that amounts of a study are shown with."""
    return amount_digits(facts.deviation)


def amount_change_word(change: AmountChange) -> str:
    """Return in words how a measure changed, and whether that may be chance."""
    if not math.isfinite(change.difference):
        return "not defined"
    low, high = change.interval
    if not (math.isfinite(low) and math.isfinite(high)) or low <= 0 <= high:
        return NOTHING
    if change.measure in GAPS:
        return gap_word(change)
    return "smaller" if change.difference < 0 else "larger"


def errors_sentence(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
    """Return whose amounts are predicted too high or too low beyond chance; empty where that is hidden."""
    groups, digits = finding.after.groups, digits_of(facts)
    if not len(groups):
        return ""
    said = [
        Message(
            "amount-errors-off",
            {
                "group": facts.names.others if row.group == REST else Phrase(naming.short(row.group)),
                "size": Amount(abs(row.error), digits),
                "direction": Word("more" if row.error > 0 else "less"),
            },
        )
        for row in groups.itertuples()
        if math.isfinite(row.error_low) and (row.error_low > 0 or row.error_high < 0)
    ]
    return say(said or Message("amount-errors-none"))


def amount_remedies_summary_table(finding: AmountRemediesFinding) -> TableBlock:
    """Return one row a model, on the held-out rows."""
    facts, digits = finding.facts, digits_of(finding.facts)
    level = confidence_text(facts.plan.confidence)
    own, others = (
        say(Message("group-alone", {"group": group})) for group in (facts.names.protected, facts.names.others)
    )
    columns = (
        Field("remedy", "no.", "number", "In the plan.", digits=0),
        Field("model", "model", "text", "In words."),
        Field("mae", "mean absolute error", "amount", "Of the predictions.", digits=digits),
        Field("mae_interval", f"likely range, {level}", "amount_interval", "By bootstrap.", digits=digits),
        Field("r2", "R²", "number", "Share of variance explained.", digits=R2_DIGITS),
        Field("r2_interval", "R², likely range", "number_interval", "By bootstrap.", digits=R2_DIGITS),
        Field("protected_mean", own, "amount", "Mean prediction.", digits=digits),
        Field("reference_mean", others, "amount", "Mean prediction.", digits=digits),
        Field(
            "difference",
            naming.gap_head(facts.names, "difference"),
            "difference",
            "Of mean predictions.",
            digits=digits,
        ),
        Field("difference_interval", "likely range", "difference_interval", "Welch's.", digits=digits),
        Field("didi", "DIDI", "amount", "Disparate impact.", digits=digits + 1),
        Field("dtdi", "DTDI", "amount", "Disparate treatment.", digits=digits + 1),
    )
    rows = []
    for number, remedy in enumerate(finding.remedies, start=1):
        model = remedy.after
        means = model.predicted
        rows.append(
            (
                number, remedy.name, model.mae, tuple(model.mae_interval), model.r2, tuple(model.r2_interval),
                shown(means.protected.mean), shown(means.reference.mean), shown(means.difference),
                tuple(means.difference_interval), *(held_out_index(remedy, index) for index in ("didi", "dtdi")),
            )
        )  # fmt: skip
    return TableBlock("remedies_summary", "All models on the test cases", columns, tuple(rows))


def held_out_index(remedy: AmountRemedyFinding, index: str) -> float | None:
    """Return an index of the predictions on held-out rows, "didi" or "dtdi"; None where it is hidden."""
    rows = remedy.indices[(remedy.indices["index"] == index) & (remedy.indices["part"] == "held_out")]
    return float(rows["after"].iloc[0]) if len(rows) else None


def amount_tables_of(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[TableBlock]:
    """Return the tables that all remedies of amounts have; what is hidden has no rows."""
    digits = digits_of(facts)
    tables = [changes_table(remedy, digits, number), groups_table(remedy, facts, number)]
    tables.append(indices_table(remedy, digits, number))
    tables += within_tables(remedy, facts, number, digits)
    return tables + divisions_table(remedy.divisions, number, AMOUNT_MEASURES, digits=max(digits, R2_DIGITS))


def changes_table(remedy: AmountRemedyFinding, digits: int, number: int) -> TableBlock:
    """Return one row a measure: before, after and the change."""
    columns = (
        Field("measure", "field", "code", "Its name."),
        Field("words", "measure", "text", "In words."),
        Field("before", "without", "number", "Without the remedy.", digits=digits),
        Field("after", "with", "number", "With the remedy.", digits=digits),
        Field("change", "change", "difference", "With minus without.", digits=digits),
        Field(
            "change_interval",
            "likely range",
            "difference_interval",
            "Paired.",
            digits=digits,
        ),
        Field("reading", "reading", "text", "Whether beyond chance."),
    )
    rows = tuple(
        (
            c.measure,
            AMOUNT_MEASURES[c.measure],
            c.before,
            c.after,
            c.difference,
            tuple(c.interval),
            amount_change_word(c),
        )
        for c in remedy.changes
    )
    note = say(Message("amount-note", {"name": Phrase(remedy.before.name)}))
    return TableBlock(
        f"remedy_{number}_changes", "Without and with the remedy, on the test cases", columns, rows, note=note
    )


def printed_changes(remedy: AmountRemedyFinding, table: TableBlock) -> TableBlock:
    """Return what changed in the unit of the decision; R2, which has none, stands below."""
    r2 = sure(change_of(remedy, "r2"))
    rows = tuple(row for row in table.rows if row[0] != "r2")
    args: dict[str, Argument] = {"own": Amount(r2.after, R2_DIGITS), "rest": Amount(r2.before, R2_DIGITS)}
    return replace(table, rows=rows, note=say(Message("amount-note-r2", {**args, "name": Phrase(remedy.before.name)})))


def groups_table(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> TableBlock:
    """Return one row a group: actual and predicted means, and mean errors, before and after."""
    digits, level = digits_of(facts), confidence_text(facts.plan.confidence)
    columns = (
        Field("group", "group", "group", "Its name."),
        Field("n", "rows", "count", "Test cases."),
        Field("actual", "actual mean", "amount", "Mean.", digits=digits),
        Field("predicted_before", "predicted, without", "amount", "Mean.", digits=digits),
        Field("predicted_after", "predicted, with", "amount", "Mean.", digits=digits),
        Field("error_before", "mean error, without", "difference", "Predicted minus actual.", digits=digits),
        Field("error_after", "mean error, with", "difference", "Predicted minus actual.", digits=digits),
        Field(
            "error_after_interval",
            f"likely range, {level}",
            "difference_interval",
            "Of that error.",
            digits=digits,
        ),
        Field("mae_before", "off on average, without", "amount", "Mean absolute error.", digits=digits),
        Field("mae_after", "off on average, with", "amount", "Mean absolute error.", digits=digits),
    )
    both = zip(remedy.before.groups.itertuples(), remedy.after.groups.itertuples(), strict=True)
    rows = tuple(
        (
            after.group, after.n, after.actual, before.predicted, after.predicted, before.error, after.error,
            (after.error_low, after.error_high), before.mae, after.mae,
        )
        for before, after in both
    )  # fmt: skip
    return TableBlock(f"remedy_{number}_groups", "The groups on the test cases", columns, rows)


def indices_table(remedy: AmountRemedyFinding, digits: int, number: int) -> TableBlock:
    """Return both indices of discrimination on all parts of the rows, before and after."""
    declared = adapted(columns_of(AmountRemedyFinding, "indices"), ("before", "after"), digits=digits)
    indices = worded_indices(remedy.indices)
    note = "0: all groups are alike."
    return frame_table(f"remedy_{number}_indices", "Indices of discrimination", indices, declared, note=note)


def worded_indices(indices: pd.DataFrame) -> pd.DataFrame:
    """Return indices of discrimination by the words of a table."""
    return indices.assign(
        index=[index.upper() for index in indices["index"]],
        part=[PART_WORDS[part] for part in indices["part"]],
        sampled=[bool(sampled) for sampled in indices["sampled"]],
    )


PART_WORDS = {"trained": "training", "tuned": "tuning", "held_out": "test"}
