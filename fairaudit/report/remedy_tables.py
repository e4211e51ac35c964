"""What all remedies show and what each kind adds: what was done, what to keep in mind, and the tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from fairaudit.catalog import remedies_on, remedy_of
from fairaudit.disclosure.fields import Field
from fairaudit.findings import REST, Message, Phrase
from fairaudit.measure.grouping import MISSING
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.naming import listed
from fairaudit.remedies.shared import amount_tables
from fairaudit.remedies.shared.compared_models import learned, yardsticks_table
from fairaudit.remedies.shared.learned_rows import sample_tables
from fairaudit.remedies.shared.tables import (
    divisions_table,
    features_table,
    gaps_table,
    groups_table,
    population_table,
    quality_table,
    remedies_summary_table,
    rows_table,
    within_tables,
    worse_off_table,
)
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.results import MEASURES

MOST_NAMED = 5


def done_sentence(finding: RemedyFinding | AmountRemedyFinding, facts: StudyFacts | AmountStudyFacts) -> str:
    """Return what was done, in words and with its counts."""
    done = remedy_of(finding.plan, facts.outcome).done(finding, facts)
    worse_off = finding.worse_off if isinstance(finding, RemedyFinding) else None
    return f"{done} {say(Message('remedies-wish'))}" if worse_off is not None and worse_off.asked else done


def remedy_caveats(finding: RemedyFinding, facts: StudyFacts) -> tuple[str, ...]:
    """Return what makes a remedy doubtful, beside what its answer says: that it was stopped, or decides by group."""
    texts = []
    if finding.uses_protected_features and not finding.plan.marks_proxies and facts.protected_features:
        names = facts.protected_features[:MOST_NAMED]
        texts.append(say(Message("remedies-shows-group", {"columns": Phrase(listed(list(map(naming.short, names))))})))
    texts += [text for text in finding.warnings if text]
    return (*texts, *remedy_of(finding.plan).cautions(finding, facts))


def remedies_tables(finding: RemediesFinding) -> list[TableBlock]:
    """Return all tables of the remedies of an audit."""
    rows = rows_table(finding.facts, learned=learned(finding))
    tables = [*sample_tables(finding.facts), rows, features_table(finding.facts), remedies_summary_table(finding)]
    tables += joint_tables(finding)
    for number, remedy in enumerate(finding.remedies, start=1):
        tables += remedy_tables(remedy, finding.facts, number)
    return tables


def joint_tables(finding: RemediesFinding, *, at_least: int = 1) -> list[TableBlock]:
    """Return the tables that remedies of one kind share, where there are so many of it."""
    tables: list[TableBlock] = []
    for kind in remedies_on(SHARES):
        found = [remedy for remedy in finding.remedies if isinstance(remedy.plan, kind.plan)]
        tables += kind.joint_tables(found) if len(found) >= at_least else ()
    return _read_as_said(tables, finding.facts)


def remedy_tables(finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
    """Return the tables of one remedy; a table that is hidden has no rows."""
    tables = [quality_table(finding, number), gaps_table(finding, number)] if finding.changes else []
    tables += worse_off_table(finding, number)
    tables += within_tables(finding, facts, number)
    tables += yardsticks_table(finding, number)
    tables += divisions_table(finding.divisions, number, MEASURES, digits=4)
    tables += [population_table(finding, number), groups_table(finding, number)]
    return _read_as_said([*tables, *remedy_of(finding.plan).tables(finding, facts, number)], facts)


def _read_as_said(tables: Sequence[TableBlock], facts: StudyFacts) -> list[TableBlock]:
    """Return tables as they are read: on the side of which sentences speak, with the names of groups in sentences."""
    protected, others = (
        say(Message("group-alone", {"group": group})) for group in (facts.names.protected, facts.names.others)
    )
    unknown = say(Message("stratum-unknown"))
    turned, roles = facts.names.of_unfavorable, (("protected", protected), ("everyone else", others))
    return [
        replace(
            table,
            columns=tuple(_as_named(column, facts) for column in table.columns),
            is_turned=turned,
            names=roles if table.columns[0].name == "role" else ((REST, others), (MISSING, unknown)),
        )
        for table in tables
    ]


def _as_named(column: Field, facts: StudyFacts) -> Field:
    """Return a column with the names of groups in its head: of a gap, in the order in which they are subtracted."""
    if column.name == "gap" and column.kind == "points":
        return replace(column, label=naming.gap_head(facts.names, "points"))
    group = {"protected_share": facts.names.protected, "reference_share": facts.names.others}.get(column.name)
    return column if group is None else replace(column, label=say(Message("group-alone", {"group": group})))


def amount_remedies_tables(finding: AmountRemediesFinding) -> list[TableBlock]:
    """Return every table about remedies, in the order of the report."""
    tables = [*sample_tables(finding.facts), amount_tables.amount_remedies_summary_table(finding)]
    for number, remedy in enumerate(finding.remedies, start=1):
        tables += amount_remedy_tables(remedy, finding.facts, number)
    return tables


def amount_remedy_tables(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[TableBlock]:
    """Return the tables of one remedy; what is hidden has no rows."""
    own = amount_tables.amount_tables_of(remedy, facts, number)
    return [*own, *remedy_of(remedy.plan, facts.outcome).tables(remedy, facts, number)]


TABLES: dict[OutcomeKind, Callable[[Any], list[TableBlock]]] = {
    SHARES: remedies_tables,
    AMOUNTS: amount_remedies_tables,
}
"""All tables of what trying remedies found, by the kind of the decision."""
