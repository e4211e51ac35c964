"""The annexes on the data, on what words mean, and on how to repeat the audit."""

from __future__ import annotations

from fairaudit.audit.result import AuditResult
from fairaudit.errors import quote, sure
from fairaudit.present.blocks import Block, Code, Heading, Items, KeyValues, Note, Paragraph
from fairaudit.present.numbers import count_text
from fairaudit.present.printed_tables import pick
from fairaudit.present.words import ONE_REPORT
from fairaudit.remedies.registry import REMEDIES
from fairaudit.report.explanations import IN_A_CLONE, REPEAT
from fairaudit.report.tables import quality_tables
from fairaudit.study.cautions import was_stopped

FORMATS = {
    "csv": "text with separators (CSV)",
    "tsv": "text with tabs (TSV)",
    "xlsx": "workbook (XLSX)",
    "parquet": "Parquet",
    "memory": "a table in memory",
    "database": "rows that stay in their database",
}


FINGERPRINTS = {
    "content": "Fingerprint (SHA-256 of the content)",
    "aggregates": "Fingerprint (SHA-256 of the columns, the number of rows and sums)",
}
NO_FINGERPRINT = (
    "not shown: who knows nearly all rows could try out the others. Where FAIRAUDIT_SALT holds a salt that the office "
    "keeps to itself, a fingerprint with it is shown, and the office can check it"
)
WEAKER = (
    "The rows stayed in their database, which answered with counts; a sample, if one was drawn, is described with the "
    "remedies. So the fingerprint is not of every cell, but of the "
    "names and kinds of the columns, the number of rows and, for each column, how many values are known and differ, "
    "the smallest, the largest and sums (of texts, of their lengths and first and last letters). That is weaker: rows "
    "whose values change places leave it as it is, and so may changes that make up for each other, other letters "
    "inside a text, another time on the same day, and changes of a number beyond its ninth digit."
)


def _exception(result: AuditResult) -> str:
    """Name what may come out otherwise when repeated: fits that a person stopped."""
    remedies = () if result.tried is None else result.tried.remedies
    names = [each.name for each in remedies if was_stopped(each)]
    if not names:
        return ""
    return f" The exception: a person stopped {'; '.join(names)} before the end, which may come out otherwise."


def _how(result: AuditResult) -> tuple[str, str]:
    """Return what to do with the plan to repeat the audit, and the command or code that does it."""
    run = f"Then run this with the path of that file. {IN_A_CLONE}"
    place = result.data.connection
    if place is None:
        return f"Save the audit below as plan.toml beside the data file. {run}", REPEAT
    if place.connection is not None:
        named = "where FAIRAUDIT_CONNECTIONS names the administrator's file of connections"
        return f"Save the audit below as plan.toml, {named}. {run}", REPEAT
    opened = "connect_table(session" if place.engine == "Spark" else "connect_table(ADDRESS"
    what = "query=plan.data.query" if place.query else "table=plan.data.table"
    return (
        "Save the audit below as plan.toml. Its data were opened without the name of a connection, so open them in "
        "Python and give them to the audit, with the path of that file and "
        + ("your session of Spark." if place.engine == "Spark" else "the address of the database."),
        "from fairaudit import AuditPlan, connect_table, run\n\n"
        f'plan = AuditPlan.load("PATH/plan.toml")\nresult = run(plan, table={opened}, {what}))',
    )


def data_blocks(result: AuditResult) -> list[Block]:
    """Return the annex on the data: its size, fingerprint, how it was read, and what is remarkable in it."""
    facts, source = result.data, result.data.source
    options = source.options
    size = "rows not shown" if facts.n_rows is None else f"{count_text(facts.n_rows)} rows"
    rows = [
        ("Name", facts.name),
        ("Size", f"{size}, {count_text(facts.n_columns)} columns"),
        (FINGERPRINTS[facts.fingerprint_kind], facts.fingerprint or NO_FINGERPRINT),
        *([("The fingerprint is of", "the rows that were kept")] if options.distinct and facts.fingerprint else []),
        ("Read as", FORMATS[source.format] + (", compressed" if source.compressed else "")),
    ]
    place = facts.connection
    if place is not None:
        rows += [("Engine", place.engine), ("Connection", place.connection or "without a name")]
        rows += [("Table", place.table)] if place.table else []
    found = (
        ("Separator", options.delimiter and {"\t": "tab"}.get(options.delimiter, options.delimiter)),
        ("Encoding", options.encoding),
        ("Decimal mark", source.decimal),
        ("Kept as text", ", ".join(options.as_text)),
        ("Days", options.dates),
        ("Sheet", options.sheet),
        ("Read as missing", ", ".join(options.missing)),
        ("Spellings read as one value", ", ".join(options.same_spelling)),
        ("Rows that repeat an earlier one", options.distinct and "left out"),
        ("Cases written out by", options.counts),
    )
    rows += [(label, value) for label, value in found if value]
    code = (*FINGERPRINTS.values(), "Separator", "Decimal mark", "Table")
    blocks: list[Block] = [KeyValues(None, tuple(rows), code=code)]
    for mark, columns, other in (("comma", options.decimal_comma, "point"), ("point", options.decimal_point, "comma")):
        if columns:
            said = f"In {', '.join(quote(name, limit=40) for name in columns)} the decimal mark is the {mark}"
            blocks.append(Paragraph(f"{said}, as was said; a {other} stands between thousands."))
    if place is not None:
        blocks += [Code(place.query, title="What was read")] if place.query else []
        blocks.append(Note(WEAKER))
    if facts.mismatch:
        blocks.append(Note(facts.mismatch, kind="warning"))
    if facts.notes:
        blocks.append(Items(facts.notes, title="Found while reading"))
    if result.quality is not None:
        [table] = quality_tables(result)
        repeated = result.quality.duplicate_rows
        repeats = "not looked for, as there are many rows" if repeated is None else count_text(repeated)
        blocks += [Heading(2, table.title)]
        # Where something is to be done, how many there are is a line of the table.
        is_issue = any(issue.code == "duplicate_rows" for issue in result.quality.issues)
        blocks += [] if is_issue else [Paragraph(f"Rows that repeat an earlier row: {repeats}.")]
        if table.rows:
            blocks.append(pick(table, ("column", "n", "message", "advice")))
    elif result.plan.small_cells.mask and result.plan.report.quality:
        blocks.append(Note("The quality report is left out, because small counts are hidden in this report."))
    return blocks


def definitions(result: AuditResult) -> tuple[tuple[str, str], ...]:
    """Return words and what they mean, for the settings of the first check."""
    first = result.answers[0].result if result.answers else None
    if first is None and result.tried is not None:
        first = result.tried.facts.decisions
    settings = {} if first is None else {"tolerance": first.tolerance, "confidence": first.confidence}
    outcome, methods = result.plan.decision.kind, {each.method for each in result.plan.remedies}
    kinds = [outcome.on(kind) for kind in REMEDIES if result.tried is not None and kind.method in methods]
    return outcome.definitions(errors=bool(result.errors), kinds=kinds, **settings)


def repeat_blocks(result: AuditResult) -> list[Block]:
    """Return the annex on how to repeat the audit: the command, the versions, the seed and the full plan."""
    rows = (
        ("Saved audit (SHA-256 of the content)", result.plan_digest),
        ("Seed", str(result.plan.seed)),
        ("Software", ", ".join(f"{name} {version}" for name, version in result.versions)),
    )
    how, code = _how(result)
    blocks: list[Block] = [
        Paragraph(f"{how} The same audit and data give these numbers.{_exception(result)}"),
        Paragraph("The CSV files that figures name are in the zip of tables that comes with this report."),
        Code(code),
        KeyValues(None, rows, code=("Saved audit (SHA-256 of the content)",)),
    ]
    if result.plan.small_cells.mask:
        minimum = result.plan.small_cells.minimum
        texts = [
            f"Counts under {minimum} are not shown in this report, and neither are the counts and figures from which "
            "they could be worked out.",
            ONE_REPORT,
        ]
        if result.amounts:
            texts.append(f"Medians and quartiles are rounded until at least {minimum} people have them.")
        if result.tried is not None and sure(result.plan.models).divisions > 1:
            texts.append("What came out on other divisions of the rows is not shown.")
        blocks.append(Note(" ".join(texts)))
    return [*blocks, Heading(2, "The saved audit"), Code(result.plan.to_toml())]
