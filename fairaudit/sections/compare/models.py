"""The models of an audit's remedies, each once, and what they stand beside: their table, and their frontier."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Self

import numpy as np
import pandas as pd

from fairaudit.catalog import remedies_on
from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Field, figure, setting
from fairaudit.findings import Count, Message
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.results import ControlledFairness, Interval
from fairaudit.messages import called, say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import Column, adapted, column_table, declared_by, heads, record_table
from fairaudit.present.numbers import confidence_text, finite
from fairaudit.present.verdicts import READINGS_MEANING, reading
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.sections.compare.reading import Remedies
from fairaudit.sections.remedy.favorable_shares import get_fewer, given_share, is_one_answer
from fairaudit.sections.remedy.learned_rows import feature_proxies_tables, features_table, rows_table, sample_tables
from fairaudit.sections.remedy.reading import Facts, Finding
from fairaudit.sections.remedy.tables import past_called, read_as_said, remedy_tables
from fairaudit.study.amounts.findings import AmountEvaluation, AmountRemediesFinding, AmountRemedyFinding
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.results import (
    CANNOT_TELL,
    MEASURES,
    NOT_WORSE,
    WORSE,
    Evaluation,
    Yardstick,
    non_dominated,
)

GAP_LABELS = {
    "gap": "Protected and everyone else",
    "selection_gap": "Predicted positive",
    "tpr_gap": "True positive rates",
    "fpr_gap": "False positive rates",
    "odds_gap": "Larger of these two rates",
    "fdr_gap": "Wrong, predicted positive",
    "for_gap": "Wrong, predicted not positive",
}
"""The gaps that models are compared on, short enough for an axis."""


def judged(finding: RemediesFinding) -> list[tuple[str, Evaluation | Yardstick, bool]]:
    """Return each model once: those without a remedy that remedies are compared with, then all remedies.

    A model without a remedy whose figures are those of another one is that one under another name, and left out.
    """
    seen = {_figures(remedy.after) for remedy in finding.remedies}
    times: Counter[str] = Counter()
    found: list[tuple[str, Evaluation | Yardstick, bool]] = []
    for remedy in finding.remedies:
        rivals: list[tuple[str, Evaluation | Yardstick, bool]] = [(remedy.before.name, remedy.before, False)]
        rivals += [(each.name, each, each.kind.startswith("by_group")) for each in remedy.yardsticks]
        for name, model, needs_group in rivals:
            if _figures(model) not in seen:
                seen.add(_figures(model))
                times[name] += 1
                # Cut anew for each remedy, as each keeps to a limit of its own.
                found.append((name if times[name] == 1 else f"{name}, no. {times[name]}", model, needs_group))
    return [*found, *((remedy.name, remedy.after, bool(remedy.needs_group)) for remedy in finding.remedies)]


def labels(finding: RemediesFinding) -> dict[str, str]:
    """Return what each model is numbered with, by its name: remedies as in the plan, the others with letters.

    Examples
    --------
    >>> letters(0), letters(25), letters(26)
    ('A', 'Z', 'AA')
    """
    numbers = {remedy.name: str(number) for number, remedy in enumerate(finding.remedies, start=1)}
    others = [name for name, _, _ in judged(finding) if name not in numbers]
    return numbers | {name: letters(place) for place, name in enumerate(others)}


def letters(place: int) -> str:
    """Return A, B, ... Z, AA, AB, ... for 0, 1, ..."""
    first, last = divmod(place, 26)
    return (letters(first - 1) if first else "") + chr(ord("A") + last)


def learned(finding: Remedies) -> bool:
    """Say whether any model was fitted; thresholds on the score that the data hold need none."""
    return any(getattr(remedy.plan, "model", None) != "score" for remedy in finding.remedies)


def _figures(evaluation: Evaluation | Yardstick) -> str:
    # As text, so that figures that are not defined are the same.
    return repr([float("nan") if m.value is None else float(m.value) for m in evaluation.measures])


def names_before(remedies: Iterable[Finding]) -> list[str]:
    """Return the names of the models without a remedy that remedies are compared with, each once."""
    return list(dict.fromkeys(remedy.before.name for remedy in remedies if remedy.changes))


def measure_words(measure: str) -> str:
    """Return a measure in words, with a capital letter."""
    return naming.capital(MEASURES[measure])


def past_line(facts: Facts) -> str:
    """Return what a chart calls the line of the gap that is no model's."""
    return say(Message("remedies-happened" if facts.decision_is_outcome else "remedies-decided"))


def past_size(facts: Facts) -> float | None:
    """Return how large that gap is; None where it is hidden or not defined."""
    gap = finite(facts.decisions.difference)
    return None if gap is None else abs(gap)


def simple_plan(finding: RemedyFinding) -> PlainPlan | None:
    """Return a plan of the simple rule that is ahead of a remedy: a model and its threshold; None without one."""
    simple = next((each for each in reversed(finding.yardsticks) if each.is_ahead), None)
    if simple is None or simple.learner is None:
        return None
    low = simple.change.interval.low
    if low is not None and low > 0:
        return None
    threshold = None if simple.kind == "plain" else simple.threshold
    return PlainPlan.model_validate({"model": simple.learner, "threshold": threshold})


# All tables of what trying remedies found.


def remedies_tables(finding: Remedies) -> list[TableBlock]:
    """Return all tables of the remedies of an audit."""
    facts = finding.facts
    tables = [*sample_tables(facts), *SUMMARY_TABLES[facts.outcome](finding), *feature_proxies_tables(facts)]
    remedies: Sequence[Finding] = finding.remedies
    for number, remedy in enumerate(remedies, start=1):
        tables += remedy_tables(remedy, facts, number)
    return tables


def _tables_of_shares(finding: RemediesFinding) -> list[TableBlock]:
    rows = rows_table(finding.facts, learned=learned(finding))
    return [rows, features_table(finding.facts), summary_table(finding), *joint_tables(finding)]


def joint_tables(finding: RemediesFinding, *, at_least: int = 1) -> list[TableBlock]:
    """Return the tables that remedies of one kind share, where there are so many of it."""
    tables: list[TableBlock] = []
    for kind in remedies_on(SHARES):
        found = [remedy for remedy in finding.remedies if isinstance(remedy.plan, kind.plan)]
        tables += kind.joint_tables(found) if len(found) >= at_least else ()
    return read_as_said(tables, finding.facts)


# All models in one table, on the test cases.


Ends = Interval | tuple[str, str]
NO_ENDS: Final = ("", "")
UNSIGNED: Final = "Largest rate minus smallest rate."


@dataclass(frozen=True)
class ModelFigures:
    """What decides, with its figures on the test cases; texts are empty where one does not apply to it."""

    model: str = setting("What decides.", label="model")
    accuracy: float | str = figure(
        "Share of test cases where it agrees with the decision.", label="accuracy", kind="share"
    )
    accuracy_interval: Ends = figure("Of the accuracy.", label="accuracy, range", kind="share_interval")
    balanced_accuracy: float | str = figure(
        "Mean of the accuracy for either outcome.", label="balanced accuracy", kind="share"
    )
    auc: float | str = figure("Area under the ROC curve.", label="AUC", kind="number", digits=3)
    good_share: float | None = figure(
        "Share of those compared with the favourable result.", label="favourable", kind="share", turns=True
    )
    gap: float = figure("Protected minus others.", label="gap, points", kind="points", turns=True)
    gap_interval: Ends = figure("Of the gap.", label="gap, range", kind="points_interval", turns=True)
    reading: str = figure(READINGS_MEANING, label="reading")
    tpr_gap: float | str = figure(f"True positive rates. {UNSIGNED}", label="gap in TPR, points", kind="size")
    tpr_gap_interval: Ends = figure("Of the gap.", label="gap in TPR, range", kind="size_interval")
    fpr_gap: float | str = figure(f"False positive rates. {UNSIGNED}", label="gap in FPR, points", kind="size")
    fpr_gap_interval: Ends = figure("Of the gap.", label="gap in FPR, range", kind="size_interval")
    worse_off: str = figure("Which group is worse off than without it.", label="worse off", default="")
    needs_group: bool | str = setting("yes: the group must be known to decide.", label="needs the group", default="")
    number: str = setting("A remedy has its number, another model a letter.", label="no.", default="")

    @classmethod
    def of(cls, name: str, fairness: ControlledFairness, model: Evaluation | Yardstick | None = None) -> Self:
        """Return the figures of a model; past decisions are none, and have a gap alone."""
        measured = {} if model is None else {each.measure: each for each in model.measures}
        values = {name: each.value for name, each in measured.items()}
        ends = {name: each.interval for name, each in measured.items()}
        # The same answer for everybody leaves no gap, also for other people.
        is_same = model is not None and fairness.has_one_decision
        return cls(
            model=name,
            accuracy=values.get("accuracy", ""),
            accuracy_interval=ends.get("accuracy", NO_ENDS),
            balanced_accuracy=values.get("balanced_accuracy", ""),
            auc=values.get("auc", ""),
            good_share=given_share(fairness),
            gap=fairness.difference,
            gap_interval=NO_ENDS if is_same else fairness.difference_interval,
            reading=reading(fairness),
            tpr_gap=values.get("tpr_gap", ""),
            tpr_gap_interval=ends.get("tpr_gap", NO_ENDS),
            fpr_gap=values.get("fpr_gap", ""),
            fpr_gap_interval=ends.get("fpr_gap", NO_ENDS),
        )


def summary_table(finding: RemediesFinding, in_use: Evaluation | None = None) -> TableBlock:
    """Return one row a model: the decisions themselves, models without a remedy, then all remedies in their order.

    The prediction that is `in_use` comes second, where it is given.
    """
    facts, numbers = finding.facts, labels(finding)
    rows = [ModelFigures.of(past_called(facts), facts.decisions)]
    if in_use is not None:
        rows.append(ModelFigures.of(in_use.name, in_use.fairness, in_use))
    worse_off = {remedy.name: worse_off_cell(remedy, facts) for remedy in finding.remedies}
    for name, model, needs_group in judged(finding):
        row = ModelFigures.of(name, model.fairness, model)
        rows.append(replace(row, worse_off=worse_off.get(name, ""), needs_group=needs_group, number=numbers[name]))
    return record_table(
        "remedies_summary",
        "All models, on the test cases",
        rows,
        adapted(declared_by(ModelFigures), ("gap",), label=naming.gap_head(facts.names, "points")),
        note=say(_rates_note(finding)) if finding.remedies else None,
        is_turned=facts.names.of_unfavorable,
    )


def _rates_note(finding: RemediesFinding) -> tuple[Message, ...]:
    """Return what rates are, and why the gap in one is not defined where that is so of any model."""
    gaps = [model.measure(name).value for _, model, _ in judged(finding) for name in ("tpr_gap", "fpr_gap")]
    few = Message("remedies-rates-few", {"n": Count(ENOUGH)})
    is_few = any(gap is not None and math.isnan(gap) for gap in gaps)
    return (Message("remedies-rates"), few) if is_few else (Message("remedies-rates"),)


def worse_off_cell(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Return who is worse off, for a cell; empty for a model that is no remedy."""
    if finding.worse_off is None:
        return ""
    standing = finding.worse_off.standing
    if standing != WORSE:
        if any(get_fewer(finding, facts)):
            return "fewer than decided"
        return {NOT_WORSE: "no group", CANNOT_TELL: "cannot tell", None: "not shown"}[standing]
    names = list(dict.fromkeys(each.group for each in finding.worse_off.groups if each.standing == WORSE))
    return ", ".join(map(naming.short, map(called, names))) if len(names) <= 2 else f"{len(names)} groups"


def amount_summary_table(finding: AmountRemediesFinding) -> TableBlock:
    """Return one row a model, on the held-out rows."""
    facts, digits = finding.facts, amount_digits(finding.facts.deviation)
    own, others = (
        say(Message("group-alone", {"group": group})) for group in (facts.names.protected, facts.names.others)
    )
    declared = declared_by(AmountEvaluation)
    declared = adapted(declared, ("mae", "mae_interval"), digits=digits)
    level = confidence_text(facts.plan.confidence)
    declared = adapted(declared, ("mae_interval",), label=f"likely range, {level}")
    names = ("mae", "mae_interval", "r2", "r2_interval")
    mean = partial(Field, kind="amount", meaning="Mean prediction.", digits=digits)
    gap = Field(
        "difference", naming.gap_head(facts.names, "difference"), "difference", "Of mean predictions.", digits=digits
    )
    ends = Field("difference_interval", "likely range", "difference_interval", "Welch's.", digits=digits)
    shown: tuple[Column[tuple[int, AmountRemedyFinding]], ...] = (
        (Field("remedy", "no.", "number", "In the plan.", digits=0), lambda each: each[0]),
        (Field("model", "model", "text", "In words."), lambda each: each[1].name),
        *(
            (head, lambda each, name=name: getattr(each[1].after, name))
            for head, name in zip(heads(declared, names), names, strict=True)
        ),
        (mean("protected_mean", own), lambda each: each[1].after.predicted.protected.mean),
        (mean("reference_mean", others), lambda each: each[1].after.predicted.reference.mean),
        (gap, lambda each: each[1].after.predicted.difference),
        (ends, lambda each: each[1].after.predicted.difference_interval),
        *(
            (
                Field(name, name.upper(), "amount", meaning, digits=digits + 1),
                lambda each, name=name: held_out_index(each[1], name),
            )
            for name, meaning in (("didi", "Disparate impact."), ("dtdi", "Disparate treatment."))
        ),
    )
    remedies = enumerate(finding.remedies, start=1)
    return column_table("remedies_summary", "All models on the test cases", remedies, shown)


def held_out_index(remedy: AmountRemedyFinding, index: str) -> float | None:
    """Return an index of the predictions on held-out rows, "didi" or "dtdi"; None where it is hidden."""
    rows = remedy.indices[(remedy.indices["index"] == index) & (remedy.indices["part"] == "held_out")]
    return float(rows["after"].iloc[0]) if len(rows) else None


SUMMARY_TABLES: Final[dict[OutcomeKind, Callable[[Any], list[TableBlock]]]] = {
    SHARES: _tables_of_shares,
    AMOUNTS: lambda finding: [amount_summary_table(finding)],
}
"""The tables of all models together, by the kind of the decision."""


# How well each does against how far apart it leaves the groups.

INDEX_DIGITS: Final = 3
POINT_COLUMNS: Final = (
    "number", "name", "x", "x_low", "x_high", "y", "y_low", "y_high", "needs_group", "same",
)  # fmt: skip


def frontier_rows(finding: RemediesFinding, x: str = "accuracy", y: str = "gap") -> pd.DataFrame:
    """Return the models as :func:`~fairaudit.sections.compare.charts.frontier_chart` draws them.

    Columns: number (empty: the name stands beside the point), name, x,
    x_low, x_high, y, y_low, y_high, needs_group, and those of :func:`mark_unbeaten`.
    """
    records = []
    for name, model, needs_group in judged(finding):
        across, down = model.measure(x), model.measure(y)
        if finite(across.value) is not None and finite(down.value) is not None:
            figures = (across.value, *across.interval, down.value, *down.interval)
            records.append(("", name, *figures, needs_group, is_one_answer(model, finding.facts.decisions)))
    rows = pd.DataFrame(records, columns=POINT_COLUMNS).astype({"same": bool})
    points = [(round(100 * well, 1), round(100 * apart, 1)) for well, apart in zip(rows["x"], rows["y"], strict=True)]
    return mark_unbeaten(rows, points)


def amount_frontier_rows(finding: AmountRemediesFinding, y: str) -> pd.DataFrame:
    """Return the models of amounts as :func:`frontier_rows` does; both figures are better when lower."""
    digits = amount_digits(finding.facts.deviation)
    apart_digits = digits if y == "difference" else INDEX_DIGITS
    records = []
    for number, remedy in enumerate(finding.remedies, start=1):
        error = remedy.after.mae
        apart, ends = _apart(remedy, y)
        if math.isfinite(error) and math.isfinite(apart):
            records.append((str(number), remedy.name, error, *remedy.after.mae_interval, apart, *ends, False, False))
    rows = pd.DataFrame(records, columns=POINT_COLUMNS).astype({"same": bool})
    pairs = zip(rows["x"], rows["y"], strict=True)
    return mark_unbeaten(rows, [(-round(error, digits), round(apart, apart_digits)) for error, apart in pairs])


def _apart(remedy: AmountRemedyFinding, y: str) -> tuple[float, Interval]:
    """Return how far apart the groups are, without a sign, and its interval."""
    if y != "difference":
        value = held_out_index(remedy, y)
        return math.nan if value is None else value, Interval(math.nan, math.nan)
    means = remedy.after.predicted
    low, high = means.difference_interval
    if low <= 0 <= high:
        return abs(means.difference), Interval(0.0, max(-low, high))
    return abs(means.difference), Interval(*sorted((abs(low), abs(high))))


def mark_unbeaten(rows: pd.DataFrame, points: Sequence[tuple[float, float]]) -> pd.DataFrame:
    """Return models with two columns of bool: "unbeaten" by the others, and "on_frontier", not by one answer either.

    `points` are both figures as they are shown, the first better when higher: models with the same figures are equal.
    A model that gives all, or nearly all, the "same" answer is neither, as nobody should take it.
    """
    same = rows["same"].to_numpy(dtype=bool)
    unbeaten = np.zeros(len(rows), dtype=bool)
    unbeaten[~same] = non_dominated([point for point, is_same in zip(points, same, strict=True) if not is_same])
    return rows.assign(unbeaten=unbeaten, on_frontier=non_dominated(points) & ~same)
