"""The models of an audit's remedies, each once, and what they stand beside: decisions, and simple rules."""

from __future__ import annotations

from collections import Counter

from fairaudit.disclosure.fields import Field
from fairaudit.findings import Message, Word
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.numbers import shown
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.results import Evaluation, Yardstick

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


def learned(finding: RemediesFinding) -> bool:
    """Say whether any model was fitted; thresholds on the score that the data hold need none."""
    return any(getattr(remedy.plan, "model", None) != "score" for remedy in finding.remedies)


def _figures(evaluation: Evaluation | Yardstick) -> str:
    # As text, so that figures that are not defined are the same.
    return repr([float("nan") if m.value is None else float(m.value) for m in evaluation.measures])


DECIDED = {"shares": "decision", "amounts": "amount"}
"""What the column that models learn from holds, by the kind of decision."""


def decided_name(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return what is beside models and is none: past decisions, what happened, or actual amounts."""
    about = "outcome" if facts.decision_is_outcome else DECIDED[facts.outcome.name]
    return say(Message("remedy-row-decided", {"about": Word(about)}))


def decided_line(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return what a chart calls the line of the gap that is no model's."""
    return say(Message("remedies-happened" if facts.decision_is_outcome else "remedies-decided"))


SIMPLE_RULES = "Simple rules"
PRINTED_RULES = ("answer", "keeps_limit", "accuracy", "balanced_accuracy", "gap", "gained", "gained_interval")
"""The columns that are printed."""


def best_yardstick(finding: RemedyFinding) -> Yardstick | None:
    """Return the simple rule that agrees most often within the limit on the tuning rows; None if none keeps to it."""
    return next((each for each in finding.yardsticks if each.is_best), None)


def better_simple_rule(finding: RemedyFinding) -> Yardstick | None:
    """Return the simple rule that does better on the test cases; None where none does, or that is hidden.

    It surely agrees with the decisions more often, and its gaps are within the limit and no larger than the remedy's.
    """
    best = best_yardstick(finding)
    if best is None or not best.holds_in_test or best.change.interval.high is None:
        return None
    return best if best.change.interval.high < 0 else None


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


def yardsticks_table(finding: RemedyFinding, number: int) -> list[TableBlock]:
    """Return one row for each simple rule, on the test cases; no table of a plain model."""
    if not finding.yardsticks:
        return []
    columns = (
        Field("kind", "field", "code", "Which rule."),
        Field("answer", "simple rule", "text", "The same in words."),
        Field("keeps_limit", "keeps the limit when tuned", "text", "On the tuning cases, by which it is chosen."),
        Field("best", "best when tuned", "text", "yes: of those within the limit right most often."),
        Field("ahead", "ahead when tuned", "text", "yes: right more often than the remedy, with no larger gap."),
        Field("threshold", "threshold", "number", "The favourable result is predicted from it on.", digits=3),
        Field("accuracy", "accuracy", "share", "How often it is right on the test cases."),
        Field("balanced_accuracy", "balanced accuracy", "share", "Mean of the accuracy for either outcome."),
        Field("gap", "gap, points", "points", "Protected group minus everyone else, on the test cases.", turns=True),
        Field("tpr_gap", "gap in TPR, points", "size", "True positive rates: largest minus smallest."),
        Field("fpr_gap", "gap in FPR, points", "size", "False positive rates: largest minus smallest."),
        Field("gained", "gained, points", "points", "Accuracy of the remedy minus that of this rule."),
        Field("gained_interval", "its range", "points_interval", "Both on the same test cases."),
    )
    rows = tuple(_simple_rule_row(each) for each in finding.yardsticks)
    return [TableBlock(f"remedy_{number}_yardsticks", SIMPLE_RULES, columns, rows)]


def _simple_rule_row(yardstick: Yardstick) -> tuple[object, ...]:
    value = {measured.measure: shown(measured.value) for measured in yardstick.measures}
    return (
        yardstick.kind,
        naming.capital(yardstick.name),
        shown(yardstick.keeps_limit),
        yardstick.is_best,
        shown(yardstick.is_ahead),
        shown(yardstick.threshold) if yardstick.threshold is not None or yardstick.keeps_limit is None else "",
        value["accuracy"],
        value["balanced_accuracy"],
        shown(yardstick.fairness.difference),
        value["tpr_gap"],
        value["fpr_gap"],
        shown(yardstick.change.difference),
        tuple(yardstick.change.interval),
    )
