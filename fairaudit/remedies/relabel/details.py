"""What relabelling did to the rows that the final model learned from: figures, sentences and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, Field, column, columns, held_out, learned, setting
from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.plain import Hideable
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present.blocks import Block, TableBlock, pick
from fairaudit.present.errors import GROUP
from fairaudit.present.numbers import shown
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.shared.changes import model_words
from fairaudit.remedies.shared.group_gaps import table_rows
from fairaudit.study.findings import RemedyFinding, StudyFacts

FLIPPED = columns(
    group=column(str, "The group: protected or reference."),
    label=column(int, "The decision before any was changed; 1: good."),
    n=column(Hideable[int], "Rows."),
    n_flipped=column(Hideable[int], "Decisions changed."),
)


@dataclass(frozen=True, eq=False)
class RelabelDetails:
    """What was changed in the decisions that the second model learned from (not held out)."""

    n_risk: int = learned("Rows the first model learned from; rows whose decisions could be changed.")
    n_relabeled: int = learned(AS_ABOVE)
    n_protected: int = learned("Of the latter, protected and reference rows in the population.")
    n_reference: int = learned(AS_ABOVE)
    n_flipped: int = learned("Labels that the algorithm changed; all of protected rows.")
    direction: str = held_out("What happened to the protected group's share of good outcomes.")
    risk_shift: float = learned(
        "Subtracted from the protected rows' risk scores (`risk_adjustment`); 0 where there was no shift."
    )
    gap_before: float = learned("Protected minus reference in the share of good labels, before and after.")
    gap_after: float = learned(AS_ABOVE)
    flipped: pd.DataFrame = learned(
        "One row for each group and label: the protected and reference rows in the population.", FLIPPED
    )
    n_epochs: int | None = setting("Rounds through the rows that the final model took.", default=None)
    stopped: bool = setting("Whether a person stopped the fit before its end.", default=False)
    weight_ratio: float = learned(
        "The weight of a protected row with the good label over one with the bad label in the final fit; 1 where "
        "they were not weighed.",
        default=1.0,
    )
    threshold: float | None = learned(
        "The final model predicts the good outcome from this score on, chosen so that no group is worse off; None "
        "where that was not asked.",
        default=None,
    )


ALGORITHM_WORDS = {"risk_adjustment": "decisions made anew", "risk_flipping": "changed decisions"}
"""The two ways to change decisions, as the end of "learned from"."""


def relabel_name(plan: RelabelPlan) -> str:
    """Return the name of such a remedy."""
    models = f"{MODEL_WORDS[plan.risk_model]}, then {MODEL_WORDS[plan.final_model]}"
    return f"Retrain on {ALGORITHM_WORDS[plan.algorithm]} ({models})"


def done_sentences(finding: RemedyFinding) -> str:
    """Return which decisions were changed, and what learned from them."""
    plan = as_part(finding.plan, RelabelPlan)
    models: dict[str, Argument] = {
        "risk": Phrase(model_words(plan, "risk_model")),
        "final": Phrase(model_words(plan, "final_model")),
    }
    anew = [Message("retrain-made-anew")] if plan.algorithm == "risk_adjustment" else []
    return say([Message("retrain-made", models), *anew, _changed(finding.details), Message("retrain-final", models)])


def cautions(finding: RemedyFinding) -> tuple[str, ...]:
    """Return why changed decisions do not prove much."""
    return (say(Message("retrain-caution")),)


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return ((say(Message("retrain-term")), say(Message("retrain-term-means"))),)


def search_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]) -> list[Block]:
    """Return whose decisions were changed."""
    if not len(finding.details.flipped):
        return []
    return [pick(tables["flipped"], ("group", "label_words", "n", "n_flipped"))]


def _changed(details: RelabelDetails) -> Message:
    if details.direction == "none" or details.n_flipped == 0:
        # Where many have the same score, none may be changed although shares are far apart.
        known = details.gap_after is not None and details.n_protected is not None
        is_alike = known and abs(details.gap_after) <= 1 / details.n_protected
        return Message("retrain-unchanged" if is_alike else "retrain-none-changed")
    if details.direction is None or details.n_flipped is None or details.n_protected is None:
        return Message("retrain-changed-some")
    counts = {"n": Count(details.n_flipped), "all": Count(details.n_protected)}
    return Message("retrain-changed", {**counts, "way": Word(details.direction)})


USUAL = 0.5
"""The score from which a model says yes where nothing else is needed."""


def relabelled_table(details: RelabelDetails, number: int) -> TableBlock:
    """Return what was changed; one row a figure."""
    columns = (
        Field("figure", "figure", "text", "Which figure."),
        Field("n", "rows", "count", "Where it counts cases."),
        Field("value", "value", "number", "Where it is another number.", digits=4),
        Field("gap", "gap, points", "points", "Where it is a gap: protected minus everyone else.", turns=True),
    )
    counts = (
        ("cases that the first model learned from", details.n_risk),
        ("cases whose decisions could be changed", details.n_relabeled),
        ("protected group among them", details.n_protected),
        ("everyone else among them", details.n_reference),
        ("decisions changed", details.n_flipped),
    )
    rows = (
        *((name, shown(n), "", "") for name, n in counts),
        ("shift of the protected group's scores", "", shown(details.risk_shift), ""),
        ("gap in the decisions before", "", "", shown(details.gap_before)),
        ("gap in the decisions after", "", "", shown(details.gap_after)),
    )
    weight = "weight of a favourable decision about the protected group, beside an unfavourable one"
    needed = ((weight, details.weight_ratio, 1), ("score from which the model says yes", details.threshold, USUAL))
    used = tuple((name, "", shown(value), "") for name, value, usual in needed if value not in (usual, None))
    return TableBlock(f"remedy_{number}_relabelling", "What was changed in the decisions", columns, (*rows, *used))


def flipped_table(details: RelabelDetails, number: int) -> TableBlock:
    """Return whose decisions were changed, by group and decision before."""
    columns = (
        GROUP,
        Field("label", "field", "number", "1: favourable, 0: not, before any was changed.", digits=0),
        Field("label_words", "decision before", "text", "The same in words."),
        Field("n", "rows", "count", "Cases with this decision."),
        Field("n_flipped", "decisions changed", "count", "Of them, changed."),
    )
    words = ["favourable" if int(label) == 1 else "not favourable" for label in details.flipped["label"]]
    rows = table_rows(details.flipped.assign(label_words=words), columns)
    return TableBlock(f"remedy_{number}_flipped", "Decisions changed", columns, rows, note=relabelled_note(details))


def pairs_tables(findings: Sequence[RemedyFinding]) -> list[TableBlock]:
    """Return retrained models, one row a pair of models, with ranking, accuracy and both groups' shares."""
    columns = (
        Field("algorithm", "learned from", "text", "What the second model learned from."),
        Field("risk_model", "first model", "text", "Scores the cases."),
        Field("final_model", "second model", "text", "Learns from the changed decisions."),
        Field("auc", "AUC", "number", "Area under the ROC curve.", digits=3),
        Field("accuracy", "accuracy", "share", "On the test cases."),
        Field("protected_share", "protected", "share", "Favourable results in the protected group.", turns=True),
        Field("reference_share", "everyone else", "share", "Favourable results among everyone else.", turns=True),
        Field("gap", "gap, points", "points", "Protected minus everyone else.", turns=True),
        Field("gap_interval", "gap, interval", "points_interval", "Of the gap.", turns=True),
    )
    rows = []
    for finding in findings:
        plan, after, fairness = as_part(finding.plan, RelabelPlan), finding.after, finding.after.fairness
        rows.append(
            (
                ALGORITHM_WORDS[plan.algorithm],
                MODEL_WORDS[plan.risk_model],
                MODEL_WORDS[plan.final_model],
                shown(after.measure("auc").value),
                shown(after.measure("accuracy").value),
                shown(fairness.protected.ratio),
                shown(fairness.reference.ratio),
                shown(fairness.difference),
                tuple(fairness.difference_interval),
            )
        )
    return [TableBlock("remedies_pairs", "Retraining, by pair of models", columns, tuple(rows))]


def relabelled_note(details: RelabelDetails) -> str | None:
    """Return among which rows decisions are counted, and changed; None where that is all, or hidden."""
    n, sides = details.n_relabeled, (details.n_protected, details.n_reference)
    if n is None or None in sides or sum(sides) == n:
        return None
    return say(Message("retrain-counted", {"n": Count(sum(sides)), "all": Count(n)}))


def relabel_tables(finding: RemedyFinding, number: int) -> list[TableBlock]:
    """Return all tables of one remedy; hidden ones have no rows."""
    return [relabelled_table(finding.details, number), flipped_table(finding.details, number)]
