"""The tables of one remedy: without it and with it, on the test cases, in all figures and for all groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from fairaudit.catalog import remedy_of
from fairaudit.disclosure.fields import Columns, Field, Kind
from fairaudit.findings import REST, Amount, Argument, Message, Phrase, Word
from fairaudit.measure.bands import named_strata
from fairaudit.measure.grouping import MISSING
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.quantity import UNITS
from fairaudit.measure.results import ErrorComparison, GroupRatio
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.errors import RATE_NAMES, Positive, rate_name, with_group
from fairaudit.present.field_tables import (
    Column,
    adapted,
    column_table,
    columns_of,
    declared_by,
    declared_columns,
    frame_table,
    in_unit,
    inserted,
    record_table,
)
from fairaudit.present.naming import listed
from fairaudit.present.numbers import confidence_text
from fairaudit.remedies.tables import worded_indices
from fairaudit.sections.remedy.reading import Facts, Finding, beside_models
from fairaudit.sections.remedy.saying import hit_quantity, say_hit
from fairaudit.study.amounts.findings import R2_DIGITS, AmountChange, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.certified import CertifiedLimit
from fairaudit.study.findings import RemedyFinding, StudyFacts
from fairaudit.study.hit_groups import hit_first
from fairaudit.study.judging.results import DIVISIONS, GOOD, MEASURES, STRATA, Change, GroupChange, Yardstick
from fairaudit.subgroups.results import Subgroup, SubgroupFigures

SIGNED: Final = MEASURES | {
    "selection_gap": "gap in favourable predictions",
    "tpr_gap": "gap in true positive rates",
    "fpr_gap": "gap in false positive rates",
    "fdr_gap": "gap in false discovery rates",
    "for_gap": "gap in false omission rates",
}
"""Measures in words where the two groups of a gap are named beside it."""
AMOUNT_MEASURES: Final = {
    "mae": "mean absolute error",
    "r2": "R²",
    "gap": "gap",
    "error_gap": "gap in mean errors",
}
"""Measures of amounts in words; gaps are those of the protected group minus everyone else."""
FIGURES: Final = ("before", "after", "difference", "interval")
"""What a change declares for a table."""

# The columns that are printed.
CHANGES: Final = ("figure", "before", "after", "change", "change_interval", "reading")
GAP_CHANGES: Final = ("figure", "groups", *CHANGES[1:])
AMOUNT_CHANGES: Final = ("words", *CHANGES[1:])
WORSE_OFF: Final = ("rate_words", "group", "n", "before", "after", "change", "change_interval", "standing")
SIMPLE_RULES: Final = (
    "answer", "keeps_limit", "accuracy", "balanced_accuracy", "gap", "gained", "gained_interval",
)  # fmt: skip


def remedy_tables(finding: Finding, facts: Facts, number: int) -> list[TableBlock]:
    """Return the tables of one remedy, those of its kind last; one that is hidden has no rows."""
    own = remedy_of(finding.plan, facts.outcome).tables(finding, facts, number)
    return read_as_said([*REMEDY_TABLES[facts.outcome](finding, facts, number), *own], facts)


def named_tables(finding: Finding, facts: Facts, number: int) -> dict[str, TableBlock]:
    """Return the tables of one remedy by what they hold: "groups", "gaps", and those of its kind, such as "flipped"."""
    return {table.key.removeprefix(f"remedy_{number}_"): table for table in remedy_tables(finding, facts, number)}


def _tables_of_shares(finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
    return [
        *([quality_table(finding, number), gaps_table(finding, number)] if finding.changes else []),
        *worse_off_tables(finding, number),
        *certified_tables(finding, number),
        *within_tables(finding, facts, number),
        *hit_tables(finding, facts, number),
        *simple_rules_tables(finding, number),
        *divisions_tables(finding, number, MEASURES, digits=4),
        population_table(finding, number),
        groups_table(finding, number),
    ]


def _tables_of_amounts(finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[TableBlock]:
    digits = amount_digits(facts.deviation)
    return [
        amount_changes_table(finding, digits, number),
        amount_groups_table(finding, facts, number),
        indices_table(finding, digits, number),
        *certified_tables(finding, number),
        *within_tables(finding, facts, number),
        *hit_tables(finding, facts, number),
        *divisions_tables(finding, number, AMOUNT_MEASURES, digits=max(digits, R2_DIGITS)),
    ]


REMEDY_TABLES: Final[dict[OutcomeKind, Callable[[Any, Any, int], list[TableBlock]]]] = {
    SHARES: _tables_of_shares,
    AMOUNTS: _tables_of_amounts,
}
"""The tables that all remedies have, by the kind of the decision."""


def read_as_said(tables: Sequence[TableBlock], facts: Facts) -> list[TableBlock]:
    """Return tables of shares as they are read: on the side of sentences, with the names of groups in these."""
    if not facts.outcome.has_good_outcome:
        return list(tables)
    protected, others = (
        say(Message("group-alone", {"group": group})) for group in (facts.names.protected, facts.names.others)
    )
    unknown = say(Message("stratum-unknown"))
    roles = (("protected", protected), ("everyone else", others))
    return [
        replace(
            table,
            columns=tuple(_as_named(column, facts) for column in table.columns),
            is_turned=facts.names.of_unfavorable,
            names=roles if table.columns[0].name == "role" else ((REST, others), (MISSING, unknown)),
        )
        for table in tables
    ]


def _as_named(column: Field, facts: Facts) -> Field:
    """Return a column with the names of groups in its head: of a gap, in the order in which they are subtracted."""
    if column.name == "gap" and column.kind == "points":
        return replace(column, label=naming.gap_head(facts.names, "points"))
    group = {"protected_share": facts.names.protected, "reference_share": facts.names.others}.get(column.name)
    return column if group is None else replace(column, label=say(Message("group-alone", {"group": group})))


WORSE_OFF_ORDER: Final = (
    "rate", "rate_words", "more_is_better", "group", "n", "before", "after", "difference", "interval", "n_lost",
    "standing",
)  # fmt: skip


# What changed, and whether that may be chance.

NOTHING: Final = "may be chance"
"""Said of a change whose interval includes zero."""
NO_CHANGE: Final = "no change"
"""Said of the area under the ROC curve where both models rank all rows alike, as with one score that is cut anew."""


def change_word(change: Change) -> str:
    """Return how sure a change is: "may be chance", "no change", "clearly higher", "clearly towards zero"."""
    low, high = change.interval
    if None in (low, high):
        return "not shown"
    if not (math.isfinite(low) and math.isfinite(high)):
        return "not defined"
    if low == high == change.difference == 0:
        return NO_CHANGE
    if low <= 0 <= high:
        return NOTHING
    if change.measure in GOOD:
        return "clearly higher" if low > 0 else "clearly lower"
    return _gap_word(change)


def amount_change_word(change: AmountChange) -> str:
    """Return how sure a change of a measure of amounts is: "may be chance", "larger", "clearly towards zero"."""
    if not math.isfinite(change.difference):
        return "not defined"
    low, high = change.interval
    if not (math.isfinite(low) and math.isfinite(high)) or low <= 0 <= high:
        return NOTHING
    if change.measure in ("gap", "error_gap"):
        return _gap_word(change)
    return "smaller" if change.difference < 0 else "larger"


def _gap_word(change: Change | AmountChange) -> str:
    """Return where a gap or difference moved whose change is not nothing."""
    if (change.interval.low > 0) == (change.before >= 0):
        return "clearly away from zero"
    return "clearly past zero" if change.before * change.after < 0 else "clearly towards zero"


def quality_table(finding: RemedyFinding, number: int) -> TableBlock:
    """Return how well a model does before and after, and how sure the change is; one row a figure."""
    measures = [measure for measure in GOOD if finding.plan.has_score or measure != "auc"]
    changes = [change for change in finding.changes if change.measure in measures]
    return _change_table(f"remedy_{number}_quality", "How well it does", changes, "share")


def gaps_table(finding: RemedyFinding, number: int) -> TableBlock:
    """Return each gap before and after, with its sign, and how sure the change is; one row a gap."""
    changes = [change for change in finding.changes if change.measure not in GOOD]
    return _change_table(f"remedy_{number}_gaps", "Gaps between groups", changes, "points")


def _change_table(key: str, title: str, changes: Sequence[Change], kind: Kind) -> TableBlock:
    """Return changes of shares, or of gaps between the two groups that stand beside them."""
    words, groups = (SIGNED, ("groups",)) if kind == "points" else (MEASURES, ())
    declared = inserted(
        adapted(declared_by(Change), ("before", "after"), kind=kind),
        "measure",
        figure=Field("", "figure", "text", "Which figure, in words."),
        groups=Field("", "groups", "groups", "The first minus the second."),
        reading=Field("", "reading", "text", "may be chance: the range includes 0."),
    )
    cells = {
        "figure": lambda change: naming.capital(words[change.measure]),
        "groups": lambda change: (change.first, change.second),
        "reading": change_word,
    }
    names = ("measure", "figure", *groups, *FIGURES, "reading")
    return record_table(key, title, changes, declared, names, cells=cells)


def amount_changes_table(finding: AmountRemedyFinding, digits: int, number: int) -> TableBlock:
    """Return one row a measure: before, after and the change."""
    declared = inserted(
        adapted(declared_by(AmountChange), FIGURES, digits=digits),
        "measure",
        words=Field("", "measure", "text", "In words."),
        reading=Field("", "reading", "text", "Whether beyond chance."),
    )
    key, title = f"remedy_{number}_changes", "Without and with the remedy, on the test cases"
    return record_table(
        key,
        title,
        finding.changes,
        declared,
        ("measure", "words", *FIGURES, "reading"),
        cells={"words": lambda change: AMOUNT_MEASURES[change.measure], "reading": amount_change_word},
        note=say(Message("amount-note", {"name": Phrase(finding.before.name)})),
    )


def printed_changes(finding: AmountRemedyFinding, table: TableBlock) -> TableBlock:
    """Return what changed in the unit of the decision; R2, which has none, stands below."""
    [r2] = (change for change in finding.changes if change.measure == "r2")
    rows = tuple(row for row in table.rows if row[0] != "r2")
    args: dict[str, Argument] = {"own": Amount(r2.after, R2_DIGITS), "rest": Amount(r2.before, R2_DIGITS)}
    name = Phrase(finding.before.name)
    return replace(table, rows=rows, note=say(Message("amount-note-r2", args | {"name": name})))


def divisions_tables(finding: Finding, number: int, words: dict[str, str], *, digits: int) -> list[TableBlock]:
    """Return one row for each repeat and measure; no table without repeats."""
    if finding.divisions is None:
        return []
    declared = adapted(DIVISIONS, ("before", "after", "difference"), digits=digits)
    declared = inserted(declared, "measure", figure=Field("", "figure", "text", "Which figure, in words."))
    worded = finding.divisions.assign(figure=[words[measure] for measure in finding.divisions["measure"]])
    return [frame_table(f"remedy_{number}_divisions", "The remedy on other random splits", worded, declared)]


# Both groups and all groups.


def population_table(finding: RemedyFinding, number: int) -> TableBlock:
    """Return the share with the favourable result in the protected group and among others, before and after."""
    before, after = finding.before.fairness, finding.after.fairness
    sides = (("protected", before.protected, after.protected), ("everyone else", before.reference, after.reference))
    shown: tuple[Column[tuple[str, GroupRatio, GroupRatio]], ...] = (
        (Field("role", "group", "group", "The protected group or everyone else."), lambda side: side[0]),
        (Field("n", "cases", "count", "Test cases that the gap is measured on."), lambda side: side[2].n),
        (_given("before", "without the remedy"), lambda side: side[1].ratio),
        (_given("before_interval", "range without"), lambda side: side[1].interval),
        (_given("after", "with the remedy"), lambda side: side[2].ratio),
        (_given("after_interval", "range with"), lambda side: side[2].interval),
    )
    return column_table(f"remedy_{number}_population", "Who gets the favourable result", sides, shown)


def _given(name: str, label: str) -> Field:
    if name.endswith("_interval"):
        return Field(name, label, "share_interval", "Wilson interval.", turns=True)
    return Field(name, label, "share", "Share with the favourable result.", turns=True)


GROUP_RATES: Final = {"selection_rate": "", "tpr": "TPR", "fpr": "FPR"}


def groups_table(finding: RemedyFinding, number: int) -> TableBlock:
    """Return rates by group before and after; one row a group."""
    errors = finding.after.errors
    before, after = (_metrics(side.errors) for side in (finding.before, finding.after))
    shown: list[Column[str]] = [
        (Field("group", "group", "group", "The group."), lambda group: group),
        (Field("n", "cases", "count", "Test cases of the group."), lambda group: after[group]["n"]),
    ]
    for rate, head in GROUP_RATES.items():
        label = head or rate_name(rate, errors.positive)
        for name, words, rates in (("before", "without the remedy", before), ("after", "with the remedy", after)):
            field = Field(f"{rate}_{name}", f"{label}, {words}", "share", f"{RATE_NAMES[rate]} {words}.")
            shown.append((field, partial(_rate_of, rates, rate)))
    positive = Message("remedies-positive", {"positive": Phrase(errors.positive_meaning)})
    title = "Groups without and with the remedy"
    return column_table(f"remedy_{number}_groups", title, after, shown, note=say(positive))


def _rate_of(rates: dict[str, dict[str, object]], rate: str, group: str) -> object:
    return rates.get(group, {}).get(rate, math.nan)


def _metrics(errors: ErrorComparison) -> dict[str, dict[str, object]]:
    return {str(record["group"]): record for record in with_group(errors.metrics).to_dict("records")}


def amount_groups_table(finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> TableBlock:
    """Return one row a group: actual and predicted means, and mean errors, before and after."""
    digits = amount_digits(facts.deviation)
    level = confidence_text(facts.plan.confidence)
    mean = partial(Field, kind="amount", meaning="Mean.", digits=digits)
    error = partial(Field, kind="difference", meaning="Predicted minus actual.", digits=digits)
    off = partial(Field, kind="amount", meaning="Mean absolute error.", digits=digits)
    ends = Field(
        "error_after_interval", f"likely range, {level}", "difference_interval", "Of that error.", digits=digits
    )
    shown: tuple[Column[tuple[Any, Any]], ...] = (
        (Field("group", "group", "group", "Its name."), lambda both: both[1].group),
        (Field("n", "rows", "count", "Test cases."), lambda both: both[1].n),
        (mean("actual", "actual mean"), lambda both: both[1].actual),
        (mean("predicted_before", "predicted, without"), lambda both: both[0].predicted),
        (mean("predicted_after", "predicted, with"), lambda both: both[1].predicted),
        (error("error_before", "mean error, without"), lambda both: both[0].error),
        (error("error_after", "mean error, with"), lambda both: both[1].error),
        (ends, lambda both: (both[1].error_low, both[1].error_high)),
        (off("mae_before", "off on average, without"), lambda both: both[0].mae),
        (off("mae_after", "off on average, with"), lambda both: both[1].mae),
    )
    both = zip(finding.before.groups.itertuples(), finding.after.groups.itertuples(), strict=True)
    return column_table(f"remedy_{number}_groups", "The groups on the test cases", both, shown)


def indices_table(finding: AmountRemedyFinding, digits: int, number: int) -> TableBlock:
    """Return both indices of discrimination on all parts of the rows, before and after."""
    declared = adapted(columns_of(AmountRemedyFinding, "indices"), ("before", "after"), digits=digits)
    indices, note = worded_indices(finding.indices), "0: all groups are alike."
    return frame_table(f"remedy_{number}_indices", "Indices of discrimination", indices, declared, note=note)


def worse_off_tables(finding: RemedyFinding, number: int) -> list[TableBlock]:
    """Return one row for each rate and group; no table of a plain model, no rows where small counts are hidden."""
    if finding.worse_off is None:
        return []
    groups, positive = finding.worse_off.groups, finding.after.errors.positive
    declared = declared_by(GroupChange)
    if not all(map(_is_share, groups)):
        declared = adapted(adapted(declared, ("before", "after"), kind="number"), ("interval",), kind="number_interval")
        declared = adapted(declared, ("difference",), kind="number", label="change")
    cells: dict[str, Callable[[GroupChange], str]] = {
        "rate_words": partial(_rate_said, positive=positive),
        "more_is_better": lambda change: "more" if change.more_is_better else "less",
    }
    key, title = f"remedy_{number}_worse_off", "Who is worse off than without the remedy"
    return [record_table(key, title, groups, declared, WORSE_OFF_ORDER, cells=cells)]


def _rate_said(change: GroupChange, positive: Positive) -> str:
    """Return a rate in plain words; of a rule that the person wrote, what it says."""
    return rate_name(change.rate, positive) if change.rate in RATE_NAMES else naming.capital(change.rate_words)


def _is_share(change: GroupChange) -> bool:
    """Say whether a rate is a share, and not a cost."""
    return not change.rate.startswith("aec(")


def certified_tables(finding: Finding, number: int) -> list[TableBlock]:
    """Return the test of limits on new people; no table where that was not asked, no row where it is hidden."""
    found = finding.certified
    if found is None:
        return []
    shown = () if found.is_certified is None else (found,)
    title = say(Message("remedy-certified-title"))
    # Without a number of cases none is hidden: there is none.
    cells = {"n_needed": lambda each: "" if each.n_needed is None else each.n_needed}
    return [record_table(f"remedy_{number}_certified", title, shown, declared_by(CertifiedLimit), cells=cells)]


# Whom it hits.

HIT_ORDER: Final = ("words", "n", "rate", "rest", "gap", "interval", "p_adjusted", "stands_out")
MOST_HIT: Final = 5
"""Groups in the table: the others are about the same people, or hit less."""


def hit_tables(finding: Finding, facts: Facts, number: int) -> list[TableBlock]:
    """Return the groups that predictions hit most, said in a note; no table where that was not asked or is hidden."""
    found = finding.hit
    n_considered: int | None = None if found is None else found.n_considered
    if found is None or n_considered is None:
        return []
    quantity = hit_quantity(finding, facts)
    declared: Columns = in_unit(quantity.unit, {**declared_by(SubgroupFigures), **declared_by(Subgroup)})
    declared = adapted(declared, ("n",), label="test cases")
    declared = adapted(declared, ("rate",), label={"share": "share", "amount": "mean"}[quantity.kind])
    declared = adapted(declared, ("gap",), label=say(Message("column-gap-group", {"unit": quantity.unit.gap_unit})))
    declared = adapted(declared, ("interval",), label=f"likely range ({confidence_text(found.confidence)})")
    cells: dict[str, Callable[[Subgroup], object]] = {
        "interval": lambda each: each.interval,
        "stands_out": lambda each: "yes" if each.stands_out else "no",
    }
    title, note = say(Message("remedy-hit-title")), say(say_hit(finding, facts))
    groups = hit_first(found)[:MOST_HIT]
    return [record_table(f"remedy_{number}_hit", title, groups, declared, HIT_ORDER, cells=cells, note=note)]


# Among similar cases, and beside simple rules.


def past_called(facts: Facts) -> str:
    """Return what is beside models and is none: past decisions, what happened, or actual amounts."""
    return say(Message("remedy-row-decided", {"about": Word(beside_models(facts))}))


def within_tables(finding: Finding, facts: Facts, number: int) -> list[TableBlock]:
    """Return the gap of each stratum; no table where no question has strata, no rows where it is hidden."""
    found = finding.within
    if found is None:
        return []
    declared, unit = STRATA, ", points"
    if not facts.outcome.has_good_outcome:
        gaps = ("decisions", "before", "after", "after_low")
        declared, unit = adapted(in_unit(UNITS["amount"], STRATA), gaps, digits=amount_digits(facts.deviation)), ""
    sides = (facts.names.protected, facts.names.others)
    own, others = (say(Message("change-column-cases", {"group": group})) for group in sides)
    labels = {
        "stratum": listed(named_strata(found.columns, found.cut)),
        "n_protected": own,
        "n_rest": others,
        "decisions": f"{past_called(facts)}{unit}",
        "before": f"{STRATA['before'].label}{unit}",
        "after": f"{STRATA['after'].label}{unit}",
    }
    for name, label in labels.items():
        declared = adapted(declared, (name,), label=label)
    order = say(Message("remedy-within-order", {"protected": sides[0], "others": sides[1]}))
    return [frame_table(f"remedy_{number}_strata", "Among similar cases", found.strata, declared, note=order)]


def simple_rules_tables(finding: RemedyFinding, number: int) -> list[TableBlock]:
    """Return one row for each simple rule, on the test cases; no table of a plain model."""
    if not finding.yardsticks:
        return []
    declared = declared_by(Yardstick)
    shown: tuple[Column[Yardstick], ...] = (
        *declared_columns(declared, ("kind",)),
        (declared["name"], lambda rule: naming.capital(rule.name)),
        *declared_columns(declared, ("keeps_limit", "is_best", "is_ahead")),
        (
            replace(declared["threshold"], meaning=declared["threshold"].brief),
            lambda rule: "" if rule.threshold is None and rule.keeps_limit is not None else rule.threshold,
        ),
        _measured("accuracy", "accuracy", "share", "How often it is right on the test cases."),
        _measured("balanced_accuracy", "balanced accuracy", "share", "Mean of the accuracy for either outcome."),
        (
            Field(
                "gap", "gap, points", "points", "Protected group minus everyone else, on the test cases.", turns=True
            ),
            lambda rule: rule.fairness.difference,
        ),
        _measured("tpr_gap", "gap in TPR, points", "size", "True positive rates: largest minus smallest."),
        _measured("fpr_gap", "gap in FPR, points", "size", "False positive rates: largest minus smallest."),
        (
            Field("gained", "gained, points", "points", "Accuracy of the remedy minus that of this rule."),
            lambda rule: rule.change.difference,
        ),
        (
            Field("gained_interval", "its range", "points_interval", "Both on the same test cases."),
            lambda rule: rule.change.interval,
        ),
    )
    return [column_table(f"remedy_{number}_yardsticks", "Simple rules", finding.yardsticks, shown)]


def _measured(name: str, label: str, kind: Kind, meaning: str) -> Column[Yardstick]:
    return Field(name, label, kind, meaning), lambda rule: rule.measure(name).value
