"""What each command of the command line does; the arguments and exit codes are in ``__main__``."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from pathlib import Path

from fairaudit.audit.running import AmountFinding, AuditResult, CheckFinding, iter_run, run_amount, run_check
from fairaudit.cli.amounts import amount_remedies_texts, amount_text, check_options
from fairaudit.cli.presets import listing, preset_plan, preset_text
from fairaudit.cli.terminal import ProgressLine, aligned, emit, one_line, readable
from fairaudit.columns import ReadOptions
from fairaudit.data.engines.named import PREFIX, find_connection, list_tables, open_connection
from fairaudit.data.quality import quality_report
from fairaudit.data.readers import read_table
from fairaudit.data.table import Table
from fairaudit.disclosure.gate import exported
from fairaudit.errors import InputError
from fairaudit.estimators.rules.problem import SLACK
from fairaudit.events import Finished, Progress
from fairaudit.measure.results import plain
from fairaudit.plan.audit_plan import AuditPlan, CheckPlan, DataPlan, OutcomePlan
from fairaudit.plan.data import open_data, record_data
from fairaudit.present import amount_words, words
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.presets.notes import preset_notes
from fairaudit.presets.words import preset_verdict
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.rules import words as rules_words
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.shared.held_out_words import gap_rows
from fairaudit.remedies.shared.sample_words import sample_sentence
from fairaudit.remedies.trees import words as trees_words
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.report import to_json
from fairaudit.report.files import write_report
from fairaudit.study.findings import RemedyFinding

MOST_TABLES = 20
"""Tables that are listed where none is named."""


def check(options: Namespace) -> bool:
    """Answer one controlled-fairness question, print it, and return whether the gap is within tolerance."""
    check_options(options)
    table = _read(options)
    question = CheckPlan(
        where=options.where,
        protected=options.protected,
        **({} if options.tolerance is None else {"tolerance": options.tolerance}),
        amount_tolerance=options.amount_tolerance,
        similar_by=tuple(options.similar_by),
        confidence=options.confidence,
        strata=tuple(options.strata),
        compare=tuple((column,) for column in options.by),
    )
    decision = OutcomePlan(
        column=options.decision,
        favorable=tuple(options.favorable),
        favorable_when=options.favorable_when,
        amount=options.amount,
        higher_is_favorable=not options.lower_is_better,
    )
    plan = AuditPlan(data=DataPlan(source=_source(options)), decision=decision, checks=(question,))
    if options.save_plan or options.json:
        plan = record_data(plan, table)
    if options.json:
        result = _watched_run(plan, table)
        emit(to_json(result).rstrip("\n"))
        [finding] = (*result.checks, *result.amounts)
    elif options.amount:
        finding = run_amount(table, plan, question)
        emit(amount_text(finding))
    else:
        finding = run_check(table, plan, question)
        emit(_finding_text(finding))
    if options.save_plan:
        plan.save(options.save_plan)
    return finding.result.fair


def run(options: Namespace) -> bool:
    """Repeat a saved audit, write its report, and return whether every gap is within tolerance."""
    plan = AuditPlan.load(options.plan)
    options.out.mkdir(parents=True, exist_ok=True)
    table = open_data(plan, base=options.plan.parent, data=options.data)
    result = _watched_run(plan, table, ignore_fingerprint=options.ignore_fingerprint, base=options.plan.parent)
    if result.data.mismatch is not None:
        emit(f"Note: {one_line(result.data.mismatch)}")
    shown = exported(result)
    told_by = amount_words if shown.amounts else words
    for finding in shown.amounts or shown.checks:
        emit(one_line(_title(finding) + told_by.verdict_sentence(finding)))
        if warning := told_by.reversal_warning(finding):
            emit(one_line(warning))
    study = shown.remedies or shown.amount_remedies
    if study is not None and study.facts.sample is not None:
        emit(one_line(sample_sentence(study.facts.sample)))
    for remedy in shown.remedies.remedies if shown.remedies else ():
        emit(one_line(_remedy_text(remedy)))
        if isinstance(remedy.details, ConstrainDetails) and (told := _constraints_text(remedy.details)):
            emit(one_line(f"{remedy.name}: {told}"))
        if isinstance(remedy.details, RulesDetails):
            for told in _rules_texts(remedy.details, shown.remedies.facts.positive_meaning):
                emit(one_line(f"  {told}"))
        if isinstance(remedy.details, TreesDetails):
            for told in trees_words.tree_texts(remedy.details, shown.remedies.facts.positive_meaning):
                emit(one_line(f"  {told}"))
    for told in amount_remedies_texts(shown.amount_remedies):
        emit(one_line(told))
    for form in shown.presets:
        emit(one_line(f"{form.title}: {' '.join(part for part in preset_verdict(form) if part)}"))
        for note in preset_notes(form):
            emit(f"Note: {one_line(note)}")
    for path in write_report(result, options.out):
        emit(f"wrote {one_line(path)}")
    return result.fair


def preset(options: Namespace) -> bool:
    """Fill the form of a rule from a file, or list the forms; there is no verdict, so the answer is always True."""
    if options.list or options.preset is None:
        emit(listing(as_json=options.json))
        return True
    if options.data is None:
        raise InputError("'preset' needs the data, after the key of the form.", hint="See: preset --help")
    table = _read(options)
    plan = preset_plan(options, table, _source(options))
    result = _watched_run(plan, table)
    [finding] = result.presets
    emit(to_json(result).rstrip("\n") if options.json else preset_text(finding))
    if options.out:
        for path in write_report(result, options.out):
            emit(f"wrote {one_line(path)}")
    if options.save_plan:
        plan.save(options.save_plan)
    return True


def describe(options: Namespace) -> bool:
    """Print what is in a file; there is no verdict, so the answer is always True."""
    table = _read(options)
    quality = quality_report(table)
    if options.json:
        facts = {
            "name": table.name,
            "n_rows": table.n_rows,
            "fingerprint": table.fingerprint,
            "connection": plain(table.connection),
            "source": plain(table.source),
            "notes": list(table.notes),
            "columns": plain(quality.columns),
            "issues": plain(quality.issues),
        }
        emit(json.dumps(facts, ensure_ascii=False, indent=2))
        return True
    emit("\n".join(one_line(line) for line in _description(table, quality)))
    return True


def _read(options: Namespace) -> Table:
    if options.data.startswith(PREFIX):
        return open_connection(find_connection(_named(options)), table=_table(options))
    how = ReadOptions(
        delimiter=options.delimiter,
        encoding=options.encoding,
        decimal=options.decimal,
        sheet=options.sheet,
        missing=tuple(options.missing),
    )
    name = readable(Path(options.data).stem)
    return read_table(options.data, name=None if options.data.isprintable() else name, options=how)


def _named(options: Namespace) -> str:
    return readable(options.data).removeprefix(PREFIX).partition("/")[0]


def _table(options: Namespace) -> str:
    table = readable(options.data).partition("/")[2]
    if not table:
        tables = ", ".join(list_tables(find_connection(_named(options)))[:MOST_TABLES])
        raise InputError(
            f"The data need the name of a table: {PREFIX}{_named(options)}/TABLE.",
            hint=f"There are: {tables}." if tables else "This user may read no table.",
        )
    return table


def _source(options: Namespace) -> str:
    """Return the path of the data as the plan shall name it: relative to the plan, where that can be."""
    if options.data.startswith(PREFIX):
        return PREFIX + _named(options)
    if options.save_plan is None:
        return readable(options.data)
    try:
        path = Path(os.path.relpath(options.data, options.save_plan.parent))
    except ValueError:
        # On Windows there is no way from one drive to another.
        path = Path(options.data).resolve()
    return readable(path.as_posix())


def _watched_run(
    plan: AuditPlan, table: Table, *, ignore_fingerprint: bool = False, base: Path | None = None
) -> AuditResult:
    line = ProgressLine()
    try:
        for event in iter_run(plan, table=table, base=base, ignore_fingerprint=ignore_fingerprint):
            if isinstance(event, Progress):
                line.show(event.what)
            elif isinstance(event, Finished):
                result = event.result
    finally:
        line.clear()
    return result


def _title(finding: CheckFinding | AmountFinding) -> str:
    title = finding.plan.title
    if not title:
        return ""
    return f"{title} " if title.endswith(("?", ".", "!", ":")) else f"{title}: "


def _remedy_text(remedy: RemedyFinding) -> str:
    """Return accuracy and gap on the held-out rows in one line; for a plain model, which has no before, once."""
    judged = [remedy.after] if isinstance(remedy.plan, PlainPlan) else [remedy.before, remedy.after]
    accuracy = " -> ".join(words.share_text(model.measure("accuracy").value) for model in judged)
    gap = " -> ".join(words.points_text(model.measure("gap").value, signed=False) for model in judged)
    those = gap_rows(remedy.after.n, remedy.after.fairness)
    return f"{remedy.name}: on held-out rows accuracy {accuracy}, gap {gap}{those and f' (measured on {those})'}"


def _constraints_text(details: ConstrainDetails) -> str:
    """Return in one line whether constraints are met; nothing of what is hidden."""
    parts = []
    if details.feasible is not None:
        counts = "" if details.n_pairs_met is None else f" ({details.n_pairs_met:,} of {details.n_pairs:,} gaps)"
        parts.append(f"{'met' if details.feasible else 'not met'} on the tuning rows{counts}")
    if details.n_pairs_within is not None:
        within = f"{details.n_pairs_within:,} of {details.n_pairs:,}"
        parts.append(f"{within} gaps within what is allowed on held-out rows")
    return f"constraints {', '.join(parts)}" if parts else ""


def _rules_texts(details: RulesDetails, positive_meaning: str) -> list[str]:
    """Return the rules, whether they keep to what is allowed, and how far from optimal they can be, a text each."""
    verdict = [f"complexity {details.complexity} of {details.max_complexity}"]
    if len(details.gaps):
        if details.trained_gap is not None:
            allowed = details.max_difference if details.status == "chosen" else details.trained_difference
            kept = details.trained_gap <= allowed + SLACK
            verdict.append(f"{'within' if kept else 'beyond'} what is allowed on the training rows")
        n_within = int(details.gaps["reading"].str.startswith("within").sum())
        verdict.append(f"{n_within:,} of {len(details.gaps):,} gaps within it on held-out rows")
    return [
        rules_words.rule_set_words(details, positive_meaning=positive_meaning),
        *rules_words.rule_sentences(details),
        ", ".join(verdict),
        rules_words.certificate_words(details),
    ]


def _finding_text(finding: CheckFinding) -> str:
    result = finding.result
    lines = [words.verdict_sentence(finding), "", words.population_sentence(finding), words.evidence_sentence(result)]
    lines += [*result.warnings, *map(not_known_sentence, finding.not_known)]
    for comparison in finding.groups:
        against = "" if comparison.reference is None else f", each against {comparison.reference}"
        lines += ["", f"By {', '.join(comparison.columns)}{against}:"]
        lines += _rows((row.name, row.comparison, row.small) for row in comparison.rows)
        if comparison.unknown or comparison.undecided:
            lines += [
                f"Left out: {comparison.unknown:,} rows with an unknown group, {comparison.undecided:,} without a "
                "decision."
            ]
    lines += ["", *(f"Not compared. {sentence}" for sentence in finding.not_compared)] if finding.not_compared else []
    if finding.strata is not None:
        lines += ["", f"Protected group within each {', '.join(finding.strata.columns)}:"]
        lines += _strata_rows(finding.strata.strata)
        lines += (
            [f"Not compared, one group is empty: {', '.join(finding.strata.left_out)}"]
            if finding.strata.left_out
            else []
        )
        warning = words.reversal_warning(finding)
        lines += [warning] if warning else []
    return "\n".join(one_line(line) for line in lines)


def _rows(rows) -> list[str]:
    cells = [("", "n", "share", "rest", "gap, points", "interval", "")]
    for name, comparison, small in rows:
        cells.append(
            (
                name,
                f"{comparison.protected.n:,}",
                words.share_text(comparison.protected.ratio),
                words.share_text(comparison.reference.ratio),
                words.gap_text(comparison).removesuffix(" points"),
                words.interval_text(comparison.difference_interval, beside=comparison.tolerance),
                words.reading(comparison, small=small),
            )
        )
    return aligned(cells)


def _strata_rows(rows) -> list[str]:
    cells = [("", "protected", "share", "rest", "share", "gap, points", "interval", "unknown", "")]
    for row in rows:
        c = row.comparison
        cells.append(
            (
                row.name,
                words.count_text(c.protected.n),
                words.share_text(c.protected.ratio),
                words.count_text(c.reference.n),
                words.share_text(c.reference.ratio),
                words.gap_text(c).removesuffix(" points"),
                words.interval_text(c.difference_interval, beside=c.tolerance),
                words.count_text(row.unknown),
                words.reading(c),
            )
        )
    return aligned(cells)


def _description(table: Table, quality) -> list[str]:
    options = table.source.options
    found = {
        "separator": options.delimiter and repr(options.delimiter),
        "encoding": options.encoding,
        "decimal mark": options.decimal and repr(options.decimal),
        "sheet": options.sheet,
    }
    how = ", ".join(f"{name} {value}" for name, value in found.items() if value)
    lines = [f"{table.name}: {table.n_rows:,} rows, {len(table.columns):,} columns"]
    place = table.connection
    read = f"read as {table.source.format}{', gzipped' if table.source.compressed else ''}{f' ({how})' if how else ''}"
    lines += [read if place is None else f"the rows stay in {place.engine}, connection {place.connection}"]
    lines += [f"fingerprint {table.fingerprint}{'' if place is None else ' (of columns, number of rows and sums)'}"]
    lines += [f"note: {note}" for note in table.notes]
    cells = [("column", "missing", "different", "kind")]
    cells += [(c.name, f"{c.n_missing:,}", f"{c.n_distinct:,}", c.kind) for c in quality.columns]
    lines += ["", *aligned(cells)]
    if quality.issues:
        lines += ["", "look out for:"]
        lines += [f"  {'' if i.column is None else i.column + ': '}{i.message} {i.advice}" for i in quality.issues]
    return lines
