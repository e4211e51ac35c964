"""The annexes on the data, on what words mean, and on how to repeat the audit."""

from __future__ import annotations

from typing import Any

from fairaudit.audit.result import AuditResult
from fairaudit.catalog import remedies_on
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, Code, Heading, Items, KeyValues, Note, Paragraph, pick
from fairaudit.present.numbers import count_text
from fairaudit.report.tables import quality_tables
from fairaudit.report.terms import definitions
from fairaudit.study.cautions import was_stopped

FORMATS = {
    "csv": "text with separators (CSV)",
    "tsv": "text with tabs (TSV)",
    "xlsx": "workbook (XLSX)",
    "parquet": "Parquet",
    "sav": "SPSS",
    "por": "SPSS portable",
    "dta": "Stata",
    "sas7bdat": "SAS",
    "xpt": "SAS transport",
    "memory": "a table in memory",
    "database": "rows that stay in their database",
}


FINGERPRINTS = {
    "content": "Fingerprint (SHA-256 of the content)",
    "aggregates": "Fingerprint (SHA-256 of the columns, the number of rows and sums)",
}
REPEAT = "fairaudit run PATH/plan.toml --out PATH/report"
IN_PYTHON = """\
from fairaudit import AuditPlan, connect_table, run

plan = AuditPlan.load("PATH/plan.toml")
result = run(plan, table={}, {}))"""


def _stopped(result: AuditResult) -> list[Message]:
    """Name what may come out otherwise when repeated: fits that a person stopped."""
    remedies = () if result.tried is None else result.tried.remedies
    names = [each.name for each in remedies if was_stopped(each)]
    return [Message("annex-repeat-stopped", {"names": Phrase("; ".join(names))})] if names else []


def _how(result: AuditResult) -> tuple[str, str]:
    """Return what to do with the plan to repeat the audit, and the command or code that does it."""
    place = result.data.connection
    if place is None:
        return "annex-repeat-file", REPEAT
    if place.connection is not None:
        return "annex-repeat-database", REPEAT
    opened = "connect_table(session" if place.engine == "Spark" else "connect_table(ADDRESS"
    what = "query=plan.data.query" if place.query else "table=plan.data.table"
    return "annex-repeat-python", IN_PYTHON.format(opened, what)


def data_blocks(result: AuditResult) -> list[Block]:
    """Return the annex on the data: its size, fingerprint, how it was read, and what is remarkable in it."""
    facts, source = result.data, result.data.source
    options = source.options
    size = "rows not shown" if facts.n_rows is None else f"{count_text(facts.n_rows)} rows"
    rows = [
        ("Name", facts.name),
        ("Size", f"{size}, {count_text(facts.n_columns)} columns"),
        (FINGERPRINTS[facts.fingerprint_kind], facts.fingerprint or say(Message("annex-fingerprint-hidden"))),
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
        ("Decimal commas in", ", ".join(options.decimal_comma)),
        ("Decimal points in", ", ".join(options.decimal_point)),
        ("Kept as text", ", ".join(options.as_text)),
        ("Codes with labels in", ", ".join(name for name, _ in options.labels)),
        ("Numbers and no codes", ", ".join(options.numbers)),
        ("Codes without labels", ", ".join(options.codes)),
        ("Days", options.dates),
        ("Sheet", options.sheet),
        ("Read as missing", ", ".join(options.missing)),
        ("Spellings read as one value", ", ".join(options.same_spelling)),
        ("Rows that repeat an earlier one", "left out" if options.distinct else _repeated(result)),
        ("One row for each", options.one_row_per),
        ("Cases counted by", options.counts and str(options.counts)),
        ("Means of several people", options.means and ", ".join(map(str, options.means))),
    )
    rows += [(label, value) for label, value in found if value]
    code = (*FINGERPRINTS.values(), "Separator", "Decimal mark", "Table")
    blocks: list[Block] = [KeyValues(None, tuple(rows), code=code)]
    if place is not None:
        blocks += [Code(place.query, title="What was read")] if place.query else []
        blocks.append(Note(say(Message("annex-fingerprint-weak"))))
    if facts.mismatch:
        blocks.append(Note(facts.mismatch, kind="warning"))
    if facts.notes:
        blocks.append(Items(facts.notes))
    if result.quality is not None:
        [table] = quality_tables(result)
        if table.rows:
            blocks.append(Heading(2, table.title))
            blocks.append(pick(table, ("column", "n", "message", "advice")))
    return blocks


def _repeated(result: AuditResult) -> str:
    """Return how many rows repeat an earlier one; empty where the report does not tell."""
    if result.quality is None:
        return ""
    n = result.quality.duplicate_rows
    return "not looked for" if n is None else count_text(n)


def defined_words(result: AuditResult) -> tuple[tuple[str, str], ...]:
    """Return words and what they mean, for the settings of the first check."""
    first = result.checks[0].result if result.checks else None
    if first is None and result.tried is not None:
        first = result.tried.facts.decisions
    settings: dict[str, Any] = {} if first is None else {"tolerance": first.tolerance, "confidence": first.confidence}
    settings["strata"] = any(answer.strata is not None for answer in result.checks)
    settings["similar"] = any(answer.similar is not None for answer in result.checks)
    outcome, methods = result.plan.decision.kind, {each.method for each in result.plan.remedies}
    kinds = [kind for kind in remedies_on(outcome) if result.tried is not None and kind.method in methods]
    return definitions(outcome, errors=bool(result.errors), kinds=kinds, **settings)


def say_publish(plan: AuditPlan) -> Message:
    """Say beside which published audits small counts are hidden, or that one report alone is to be published."""
    if not plan.small_cells.beside:
        return Message("report-publish-one")
    names = ", ".join(digest[:8] for digest in plan.small_cells.beside)
    return Message("report-hidden-beside", {"audits": Phrase(names)})


def repeat_blocks(result: AuditResult) -> list[Block]:
    """Return the annex on how to repeat the audit: the command, the versions, the seed and the full plan."""
    rows = (
        ("Saved audit (SHA-256 of the content)", result.plan_digest),
        ("Seed", str(result.plan.seed)),
        ("Software", ", ".join(f"{name} {version}" for name, version in result.versions)),
    )
    how, code = _how(result)
    blocks: list[Block] = [
        Paragraph(say((Message(how), Message("annex-repeat-same"), *_stopped(result)))),
        Code(code),
        KeyValues(None, rows, code=("Saved audit (SHA-256 of the content)",)),
    ]
    if result.plan.small_cells.mask:
        hidden = Message("report-hidden", {"minimum": Count(result.plan.small_cells.minimum)})
        has_quartiles = result.checks and not result.plan.decision.kind.has_good_outcome
        rounded = (Message("report-rounded", {"n": Count(result.plan.small_cells.minimum)}),) if has_quartiles else ()
        blocks.append(Note(say((hidden, *rounded, say_publish(result.plan)))))
    return [*blocks, Heading(2, say(Message("annex-saved"))), Code(result.plan.to_toml())]
