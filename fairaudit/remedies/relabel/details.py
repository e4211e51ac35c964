"""What relabelling did to the rows that the final model learned from: figures, sentences and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, Field, Kind, column, columns, fitted, setting
from fairaudit.errors import require
from fairaudit.estimators.relabel_search import Reach
from fairaudit.findings import Argument, Count, Message, Points, Share, Word
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


PATH = columns(
    extent=column(float, "How far decisions were changed.", "how far", "share", "0: alike, 1: as far as can be."),
    protected_share=column(
        float, "Protected rows with the good label.", "protected, changed", "share", "Favourable after the change.",
        turns=True,
    ),
    reference_share=column(
        float, "Reference rows with the good label.", "everyone else, changed", "share", "Favourable after the change.",
        turns=True,
    ),
    n_changed=column(int, "Labels that were changed.", "changes", "count", "Decisions changed, of both groups."),
    gap=column(
        float, "The final model's gap on the tuning rows.", "gap, points", "points", "Protected minus everyone else.",
        turns=True,
    ),
    accuracy=column(float, "Its accuracy there.", "accuracy", "share", "Of all tuning cases."),
    selected=column(
        float, "The share it predicts the good outcome.", "favourable", "share", "Of the tuning cases in the filter.",
        turns=True,
    ),
    is_useful=column(
        bool, "Whether it is more accurate than one answer for all.", "better than one answer", "text", "In accuracy."
    ),
    chosen=column(bool, "Whether it is the final model.", "chosen", "text", "Whether it was taken."),
)  # fmt: skip
"""What was tried, on the tuning rows."""

PLACES = columns(
    place=column(str, "Inside or outside of the filter.", "cases", "text", "Inside or outside of the filter."),
    n_protected=column(int, "Protected rows.", "protected cases", "count", "Protected test cases."),
    n_reference=column(int, "Reference rows.", "cases of everyone else", "count", "Test cases of everyone else."),
    decided=column(
        float, "The gap in the labels.", "past decisions, points", "points", "Protected minus everyone else.",
        turns=True,
    ),
    before=column(
        float, "That of the model without the remedy.", "without the remedy, points", "points",
        "Protected minus everyone else.", turns=True,
    ),
    after=column(
        float, "That of the final model.", "with the remedy, points", "points", "Protected minus everyone else.",
        turns=True,
    ),
)  # fmt: skip


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
    path: pd.DataFrame = fitted(
        "One row for each way to change labels that was tried, judged on the tuning rows; empty without a search.", PATH
    )
    places: pd.DataFrame = fitted("The gaps on the held-out rows, inside and outside of the filter.", PLACES)
    extent: float = fitted(
        "How far labels were changed: 0 until the groups are alike, 1 until all of one have the good label and none of "
        "the other.",
        label="how far decisions were changed",
        kind="share",
        default=0.0,
    )
    target: float | None = fitted(
        "The gap that a search was to reach; None where there was none, as of groups with too few tuning rows.",
        label="gap that was aimed at",
        kind="size",
        default=None,
    )
    reachable: float | None = fitted(
        "Accuracy on the tuning rows of a simple model of the same features whose gap is within the tolerance, and of "
        "one without that limit; None where models see the group.",
        label="accuracy of a simple model within the tolerance",
        kind="share",
        default=None,
    )
    reachable_before: float | None = fitted(
        AS_ABOVE, label="accuracy of a simple model without a limit", kind="share", default=None
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
    if details.extent:
        if details.n_reference is None:
            return Message("retrain-changed-some")
        both = {"n": Count(details.n_flipped), "all": Count(details.n_protected + details.n_reference)}
        return Message("retrain-changed-both", both)
    counts = {"n": Count(details.n_flipped), "all": Count(details.n_protected)}
    return Message("retrain-changed", {**counts, "way": Word(details.direction)})


def chosen_gap(details: RelabelDetails) -> float | None:
    """Return the final model's gap on the tuning rows; None without a search, or where it is hidden."""
    if details.path is None or not len(details.path):
        return None
    return float(details.path.loc[details.path["chosen"], "gap"].iloc[0])


def is_all_there_is(details: RelabelDetails) -> bool:
    """Whether a search came to its end without closing the gap; one that was stopped says nothing of the data."""
    return _is_open(details) and not details.stopped


def _is_open(details: RelabelDetails) -> bool:
    gap = chosen_gap(details)
    return gap is not None and details.target is not None and abs(gap) > details.target


def no_more(details: RelabelDetails) -> Message:
    """Say that the data allow no smaller gap."""
    gap = abs(require(chosen_gap(details)))
    digits = 0 if round(100 * gap) > 100 * require(details.target) else 1
    return Message("retrain-no-more", {"gap": Points(gap, digits)})


def searched(details: RelabelDetails) -> Message | None:
    """Say what a search came to; None where there was none, where it was stopped before, or where it is hidden."""
    gap = chosen_gap(details)
    if gap is None or (_is_open(details) and (details.stopped or not details.extent)):
        return None
    key = "retrain-searched" if details.extent else "retrain-searched-once"
    return Message(key, {"gap": Points(abs(gap), 1)})


def reach_message(found: Reach, tolerance: float) -> Message:
    """Say what any model of these features can be expected to reach, before one is retrained."""
    limit: dict[str, Argument] = {"limit": Points(tolerance, points_digits(tolerance))}
    if not found.is_useful:
        return Message("retrain-reach-none", limit)
    if abs(found.gap) <= tolerance:
        return Message("retrain-reach-there", limit)
    with_it, without = Share(found.accuracy_within), Share(found.accuracy)
    if round(100 * with_it.value) == round(100 * without.value):
        return Message("retrain-reach-free", limit)
    return Message("retrain-reach", {**limit, "with": with_it, "without": without})


def points_digits(value: float) -> int:
    """Return the digits that a limit needs to be said as it was set."""
    return next((digits for digits in range(3) if round(100 * value, digits) == round(100 * value, 6)), 3)


USUAL = 0.5
"""The score from which a model says yes where nothing else is needed."""


FIGURES = (
    "n_risk", "n_relabeled", "n_protected", "n_reference", "n_flipped", "risk_shift", "gap_before", "gap_after",
)  # fmt: skip
VALUES: Final[dict[Kind, Field]] = {
    "count": Field("n", "rows", "count", "Where it counts cases."),
    "number": Field("value", "value", "number", "Where it is another number.", digits=4),
    "share": Field("share", "share", "share", "Where it is a share."),
    "points": Field("gap", "gap, points", "points", "Where it is a gap: protected minus everyone else.", turns=True),
}


def relabelled_table(details: RelabelDetails, number: int) -> TableBlock:
    """Return what was changed; one row a figure."""
    needed = {"weight_ratio": 1, "threshold": USUAL, "extent": 0, "reachable": None, "reachable_before": None}
    used = (name for name, usual in needed.items() if getattr(details, name) not in (usual, None))
    key, title = f"remedy_{number}_relabelling", "What was changed in the decisions"
    return figures_table(key, title, details, (*FIGURES, *used), VALUES)


def flipped_table(details: RelabelDetails, number: int) -> TableBlock:
    """Return whose decisions were changed, by group and decision before."""
    words = ["favourable" if int(label) == 1 else "not favourable" for label in details.flipped["label"]]
    declared = inserted(FLIPPED, "label", label_words=Field("", "decision before", "text", "The same in words."))
    frame, note = details.flipped.assign(label_words=words), relabelled_note(details)
    return frame_table(f"remedy_{number}_flipped", "Decisions changed", frame, declared, note=note)


def searched_table(details: RelabelDetails, number: int) -> TableBlock:
    """Return what was tried: how far decisions were changed, and what that came to."""
    key, title = f"remedy_{number}_extents", "How far decisions were changed"
    return frame_table(key, title, details.path, PATH, note=say(Message("retrain-extents-note")))


def places_table(details: RelabelDetails, number: int) -> TableBlock:
    """Return the gaps on the test cases, inside and outside of the filter."""
    words = {"inside": "inside the filter", "outside": "outside the filter"}
    frame = details.places.assign(place=[words[place] for place in details.places["place"]])
    note = say(Message("retrain-places-note"))
    return frame_table(f"remedy_{number}_places", "Gaps inside and outside the filter", frame, PLACES, note=note)


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
