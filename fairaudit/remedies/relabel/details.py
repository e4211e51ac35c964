"""What relabelling did to the rows that the final model learned from: figures, sentences and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, Field, Kind, column, columns, fitted, setting
from fairaudit.findings import Count, Message, Word
from fairaudit.measure.plain import Hideable
from fairaudit.messages import say
from fairaudit.plan.models import MODEL_WORDS
from fairaudit.plan.parts import as_part
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import figures_table, frame_table, inserted
from fairaudit.present.numbers import shown
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.study.findings import RemedyFinding

FLIPPED = columns(
    group=column(str, "The group: protected or reference.", "group", "group", "The group."),
    label=column(
        int,
        "The decision before any was changed; 1: good.",
        "field",
        "number",
        "1: favourable, 0: not, before any was changed.",
        digits=0,
    ),
    n=column(Hideable[int], "Rows.", "rows", "count", "Cases with this decision."),
    n_flipped=column(Hideable[int], "Decisions changed.", "decisions changed", "count", "Of them, changed."),
)


@dataclass(frozen=True, eq=False)
class RelabelDetails:
    """What was changed in the decisions that the second model learned from (not held out)."""

    n_risk: int = fitted(
        "Rows the first model learned from; rows whose decisions could be changed.",
        label="cases that the first model learned from",
        kind="count",
    )
    n_relabeled: int = fitted(AS_ABOVE, label="cases whose decisions could be changed", kind="count")
    n_protected: int = fitted(
        "Of the latter, protected and reference rows in the population.",
        label="protected group among them",
        kind="count",
    )
    n_reference: int = fitted(AS_ABOVE, label="everyone else among them", kind="count")
    n_flipped: int = fitted(
        "Labels that the algorithm changed; all of protected rows.", label="decisions changed", kind="count"
    )
    direction: str = fitted("What happened to the protected group's share of good outcomes.")
    risk_shift: float = fitted(
        "Subtracted from the protected rows' risk scores (`risk_adjustment`); 0 where there was no shift.",
        label="shift of the protected group's scores",
        kind="number",
    )
    gap_before: float = fitted(
        "Protected minus reference in the share of good labels, before and after.",
        label="gap in the decisions before",
        kind="points",
    )
    gap_after: float = fitted(AS_ABOVE, label="gap in the decisions after", kind="points")
    flipped: pd.DataFrame = fitted(
        "One row for each group and label: the protected and reference rows in the population.", FLIPPED
    )
    n_epochs: int | None = setting("Rounds through the rows that the final model took.", default=None)
    stopped: bool = setting("Whether a person stopped the fit before its end.", default=False)
    weight_ratio: float = fitted(
        "The weight of a protected row with the good label over one with the bad label in the final fit; 1 where "
        "they were not weighed.",
        label="weight of a favourable decision about the protected group, beside an unfavourable one",
        kind="number",
        default=1.0,
    )
    threshold: float | None = fitted(
        "The final model predicts the good outcome from this score on, chosen so that no group is worse off; None "
        "where that was not asked.",
        label="score from which the model says yes",
        kind="number",
        default=None,
    )


ALGORITHM_WORDS = {"risk_adjustment": "decisions made anew", "risk_flipping": "changed decisions"}
"""The two ways to change decisions, as the end of "learned from"."""


def changed(details: RelabelDetails) -> Message:
    """Say whose decisions were changed, and how many."""
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


FIGURES = (
    "n_risk", "n_relabeled", "n_protected", "n_reference", "n_flipped", "risk_shift", "gap_before", "gap_after",
)  # fmt: skip
VALUES: Final[dict[Kind, Field]] = {
    "count": Field("n", "rows", "count", "Where it counts cases."),
    "number": Field("value", "value", "number", "Where it is another number.", digits=4),
    "points": Field("gap", "gap, points", "points", "Where it is a gap: protected minus everyone else.", turns=True),
}


def relabelled_table(details: RelabelDetails, number: int) -> TableBlock:
    """Return what was changed; one row a figure."""
    needed = {"weight_ratio": 1, "threshold": USUAL}
    used = (name for name, usual in needed.items() if getattr(details, name) not in (usual, None))
    key, title = f"remedy_{number}_relabelling", "What was changed in the decisions"
    return figures_table(key, title, details, (*FIGURES, *used), VALUES)


def flipped_table(details: RelabelDetails, number: int) -> TableBlock:
    """Return whose decisions were changed, by group and decision before."""
    words = ["favourable" if int(label) == 1 else "not favourable" for label in details.flipped["label"]]
    declared = inserted(FLIPPED, "label", label_words=Field("", "decision before", "text", "The same in words."))
    frame, note = details.flipped.assign(label_words=words), relabelled_note(details)
    return frame_table(f"remedy_{number}_flipped", "Decisions changed", frame, declared, note=note)


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
