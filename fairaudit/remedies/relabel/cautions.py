"""What makes retraining on relabelled rows doubtful, in plain sentences."""

from __future__ import annotations

from fairaudit.measure.gaps import ENOUGH
from fairaudit.remedies.relabel.details import RelabelDetails
from fairaudit.remedies.relabel.plan import RelabelPlan


def relabel_warnings(remedy: RelabelPlan, details: RelabelDetails, *, in_features: bool = True) -> tuple[str, ...]:
    """Say what makes retraining on relabelled rows doubtful."""
    found = []
    if not in_features:
        found.append(
            "The models do not see all columns that say who is protected and who is looked at. So the new model can "
            "follow the changed labels only as far as other columns tell the groups apart, and may move everybody."
        )
    if details.weight_ratio != 1:
        found.append(
            "So that its decisions, and not only its labels, are alike, the final model was fitted with a protected "
            f"row of the good label weighing {details.weight_ratio:.2f} times as much as one of the bad label."
        )
    if details.n_protected < ENOUGH or details.n_reference < ENOUGH:
        found.append(
            f"The protected group or the rest has fewer than {ENOUGH} rows among those that were relabelled, so the "
            "share that it is moved to is uncertain."
        )
    if abs(details.gap_after) > 1 / details.n_protected:
        found.append("Many rows have the same risk score, so relabelling could not bring the shares closer together.")
    elif details.direction == "none":
        found.append("The rows were alike already: no label was changed.")
    if details.direction == "lowered":
        found.append("The protected group had the larger share of good outcomes. Relabelling lowered it.")
    if remedy.final_model == "logistic_regression":
        found.append("A linear final model can hardly follow relabelled rows; a neural network can.")
    return tuple(found)
