"""What was done to get from before to after, as frames that pages and reports draw."""

from __future__ import annotations

import pandas as pd

from fairaudit.remedies.relabeling.classifier import RelabeledClassifier
from fairaudit.remedy_findings import RelabelDetails
from fairaudit.study import Study


def relabel_details(study: Study, model: RelabeledClassifier) -> RelabelDetails:
    """Return what relabelling did.

    Parameters
    ----------
    study : Study
        The rows.
    model : RelabeledClassifier
        Fitted to ``study.split.learning``.

    Returns
    -------
    RelabelDetails
        Sizes, gaps, and the changed labels by group.
    """
    found = model.relabeling_
    rows = study.split.learning[model.relabel_index_]
    labels = pd.DataFrame({"group": study.groups[rows], "label": found.labels_before, "flipped": found.flipped})
    labels["group"] = pd.Categorical(labels["group"], categories=study.group_names)
    flipped = labels.groupby(["group", "label"], observed=True)["flipped"].agg(n="size", n_flipped="sum").reset_index()
    return RelabelDetails(
        n_risk=len(study.split.learning) - len(rows),
        n_relabeled=len(rows),
        n_protected=found.n_protected,
        n_reference=found.n_reference,
        n_flipped=found.n_flipped,
        direction=found.direction,
        risk_shift=found.risk_shift,
        gap_before=found.gap_before,
        gap_after=found.gap_after,
        flipped=flipped.astype({"group": object}),
        n_epochs=getattr(model.final_model_[-1], "n_epochs_", None),
        stopped=model.status_ == "stopped",
    )
