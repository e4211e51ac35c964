"""The tables of remedies where the decision is an amount: all models, then each by itself."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.errors import sure
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import confidence_text, number_text, shown
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.amount_words import MEASURES, R2_DIGITS, change_word, digits_of
from fairaudit.remedies.shared.divisions import divisions_table
from fairaudit.remedies.shared.held_out_words import gap_note
from fairaudit.remedies.shared.sample_words import sample_tables
from fairaudit.remedies.shared.within_words import within_tables
from fairaudit.remedies.shared.words import change_of
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts

ERRORS = "the mean absolute error and R²"
"""What is measured on all held-out rows, where means may be compared among fewer."""

MINUS = "Differences are those of the protected group minus the rest, and better when nearer to zero."


def amount_remedies_tables(finding: AmountRemediesFinding) -> list[Table]:
    """Return every table about remedies, in the order of the report."""
    tables = [*sample_tables(finding.facts), amount_remedies_summary_table(finding)]
    for number, remedy in enumerate(finding.remedies, start=1):
        tables += amount_remedy_tables(remedy, finding.facts, number)
    return tables


def amount_remedies_summary_table(finding: AmountRemediesFinding) -> Table:
    """Return one row a model, on the held-out rows."""
    facts, digits = finding.facts, digits_of(finding.facts)
    level = confidence_text(facts.plan.confidence)
    columns = (
        ColumnSpec("remedy", "no.", "number", "Number of the remedy in the plan.", digits=0),
        ColumnSpec("model", "model", "text", "The model in words."),
        ColumnSpec("mae", "mean absolute error", "amount", "Of the predictions.", digits=digits),
        ColumnSpec("mae_interval", f"{level} interval", "amount_interval", "By drawing rows again.", digits=digits),
        ColumnSpec("r2", "R²", "number", "Share of the variance that is explained.", digits=R2_DIGITS),
        ColumnSpec("r2_interval", "R², interval", "number_interval", "By drawing rows again.", digits=R2_DIGITS),
        ColumnSpec("protected_mean", "protected", "amount", "Mean prediction, protected group.", digits=digits),
        ColumnSpec("reference_mean", "the rest", "amount", "Mean prediction, the rest.", digits=digits),
        ColumnSpec("difference", "difference", "difference", "Of the mean predictions.", digits=digits),
        ColumnSpec("difference_interval", "interval", "difference_interval", "Welch's.", digits=digits),
        ColumnSpec("didi", "DIDI", "amount", "Index of disparate impact of the predictions.", digits=digits + 1),
        ColumnSpec("dtdi", "DTDI", "amount", "Index of disparate treatment of the predictions.", digits=digits + 1),
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
    note = "R²: share of the variance that is explained. DIDI and DTDI are 0 where all groups are treated alike."
    rows_note = gap_note(
        facts.n_held_out,
        facts.decisions,
        subject="Means and their difference are",
        others=ERRORS,
        where_words=facts.where_words,
    )
    note = f"{note} {rows_note}".rstrip()
    return Table("remedies_summary", "All models on the held-out rows", columns, tuple(rows), note=note)


def held_out_index(remedy: AmountRemedyFinding, index: str) -> float | None:
    """Return an index of the predictions on held-out rows, "didi" or "dtdi"; None where it is hidden."""
    rows = remedy.indices[(remedy.indices["index"] == index) & (remedy.indices["part"] == "held_out")]
    return float(rows["after"].iloc[0]) if len(rows) else None


def amount_remedy_tables(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[Table]:
    """Return the tables of one remedy; what is hidden has no rows."""
    digits = digits_of(facts)
    tables = [changes_table(remedy, digits, number), groups_table(remedy, facts, number)]
    tables.append(indices_table(remedy, digits, number))
    tables += within_tables(remedy, number, digits)
    tables += divisions_table(remedy.divisions, number, MEASURES, digits=max(digits, R2_DIGITS))
    return [*tables, *sure(kind_of(remedy.plan).on_amounts).tables(remedy, facts, number)]


def changes_table(remedy: AmountRemedyFinding, digits: int, number: int) -> Table:
    """Return one row a measure: before, after and the change."""
    columns = (
        ColumnSpec("measure", "field", "code", "The measure."),
        ColumnSpec("words", "measure", "text", "The measure in words."),
        ColumnSpec("before", "before", "number", "Without the remedy.", digits=digits),
        ColumnSpec("after", "after", "number", "With the remedy.", digits=digits),
        ColumnSpec("change", "change", "difference", "After minus before.", digits=digits),
        ColumnSpec(
            "change_interval",
            "interval",
            "difference_interval",
            "Of the change; both judged on the same rows.",
            digits=digits,
        ),
        ColumnSpec("reading", "reading", "text", "Whether it changed beyond chance."),
    )
    rows = tuple(
        (c.measure, MEASURES[c.measure], c.before, c.after, c.difference, tuple(c.interval), change_word(c))
        for c in remedy.changes
    )
    note = f"Before: {remedy.before.name}. Errors and differences are in the unit of the decision; R² has none."
    note = f"{note} {_measured_on(remedy)}".rstrip()
    return Table(f"remedy_{number}_changes", "Before and after on the held-out rows", columns, rows, note=note)


def printed_changes(remedy: AmountRemedyFinding, table: Table) -> Table:
    """Return what changed in the unit of the decision; R2, which has none, stands below."""
    r2 = sure(change_of(remedy, "r2"))
    rows = tuple(row for row in table.rows if row[0] != "r2")
    before, after = (number_text(value, digits=R2_DIGITS) for value in (r2.before, r2.after))
    note = f"Before: {remedy.before.name}. In the unit of the decision. R² went from {before} to {after}."
    return replace(table, rows=rows, note=f"{note} {_measured_on(remedy)}".rstrip())


def _measured_on(remedy: AmountRemedyFinding) -> str:
    """Return what differences are, and on which rows; empty where they are hidden."""
    if change_of(remedy, "gap") is None:
        return ""
    rows = gap_note(remedy.after.n, remedy.after.predicted, subject="They are", others=ERRORS)
    return f"{MINUS} {rows}".rstrip()


def groups_table(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> Table:
    """Return one row a group: actual and predicted means, and mean errors, before and after."""
    digits, level = digits_of(facts), confidence_text(facts.plan.confidence)
    columns = (
        ColumnSpec("group", "group", "text", "The group."),
        ColumnSpec("n", "rows", "count", "Held-out rows of the group."),
        ColumnSpec("actual", "actual mean", "amount", "Mean amount.", digits=digits),
        ColumnSpec("predicted_before", "predicted, before", "amount", "Mean prediction, before.", digits=digits),
        ColumnSpec("predicted_after", "predicted, after", "amount", "Mean prediction, after.", digits=digits),
        ColumnSpec(
            "error_before", "mean error, before", "difference", "Predicted minus actual, before.", digits=digits
        ),
        ColumnSpec("error_after", "mean error, after", "difference", "Predicted minus actual, after.", digits=digits),
        ColumnSpec(
            "error_after_interval",
            f"{level} interval",
            "difference_interval",
            "Of the mean error, after.",
            digits=digits,
        ),
        ColumnSpec("mae_before", "absolute error, before", "amount", "Mean absolute error, before.", digits=digits),
        ColumnSpec("mae_after", "absolute error, after", "amount", "Mean absolute error, after.", digits=digits),
    )
    both = zip(remedy.before.groups.itertuples(), remedy.after.groups.itertuples(), strict=True)
    rows = tuple(
        (
            after.group, after.n, after.actual, before.predicted, after.predicted, before.error, after.error,
            (after.error_low, after.error_high), before.mae, after.mae,
        )
        for before, after in both
    )  # fmt: skip
    note = "Mean error: predicted minus actual; above 0 the group is overestimated."
    return Table(f"remedy_{number}_groups", "The groups on the held-out rows", columns, rows, note=note)


def indices_table(remedy: AmountRemedyFinding, digits: int, number: int) -> Table:
    """Return both indices of discrimination on all parts of the rows, before and after."""
    columns = (
        ColumnSpec("index", "index", "text", "DIDI: disparate impact; DTDI: disparate treatment."),
        ColumnSpec("part", "rows", "text", "Which part of the rows."),
        ColumnSpec("before", "before", "amount", "The index without the remedy.", digits=digits),
        ColumnSpec("after", "after", "amount", "The index with it.", digits=digits),
        ColumnSpec("n", "rows compared", "count", "Rows that it is about."),
        ColumnSpec("sampled", "drawn", "text", "yes: these rows were drawn at random from more."),
    )
    rows = tuple(
        (row.index.upper(), PART_WORDS[row.part], row.before, row.after, row.n, bool(row.sampled))
        for row in remedy.indices.itertuples(index=False)
    )
    note = "Of predictions. 0: all groups are alike. DTDI is divided by rows and groups."
    return Table(f"remedy_{number}_indices", "Indices of discrimination", columns, rows, note=note)


PART_WORDS = {"trained": "training", "tuned": "tuning", "held_out": "held out"}
