"""What makes retraining on changed decisions doubtful, in plain sentences."""

from __future__ import annotations

from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Remark
from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.remedies.relabel.details import RelabelDetails
from fairaudit.remedies.relabel.plan import RelabelPlan, changes_model


def relabel_warnings(remedy: RelabelPlan, details: RelabelDetails, *, in_features: bool = True) -> tuple[str, ...]:
    """Say what makes retraining on changed decisions doubtful."""
    found: list[str] = []
    if not in_features:
        said = (
            "The models do not see all columns that say who is protected and who is looked at. So the new model can "
            "follow the changed decisions only as far as other columns tell the groups apart, and may move everybody."
        )
        found.append(Remark(said, "setting"))
    if details.weight_ratio != 1:
        found.append(
            "So that its own decisions are alike, and not only those that it learns from, the second model was fitted "
            f"with a protected row of the good outcome weighing {details.weight_ratio:.2f} times as much as one of the "
            "bad outcome."
        )
    if details.n_protected < ENOUGH or details.n_reference < ENOUGH:
        found.append(
            f"The protected group or the rest has fewer than {ENOUGH} rows among those whose decisions could be "
            "changed, so the share that it is moved to is uncertain."
        )
    if abs(details.gap_after) > 1 / details.n_protected:
        found.append("Many rows have the same score, so no change of decisions could bring the shares closer together.")
    elif details.direction == "none":
        found.append("The rows were alike already: no decision was changed.")
    if details.direction == "lowered":
        found.append("The protected group had the larger share of good outcomes. It was lowered.")
    if changes_model(remedy):
        said = (
            f"The model without the remedy is a {MODEL_WORDS[remedy.risk_model]}, the new one a "
            f"{MODEL_WORDS[remedy.final_model]}: a part of the change may come from that."
        )
        found.append(Remark(said, "setting"))
    if remedy.final_model == "logistic_regression":
        said = "A linear second model can hardly follow changed decisions; a neural network can."
        found.append(Remark(said, "setting"))
    return tuple(found)
