"""What errors cost a person on average, by group, with the costs that the audit sets."""

from __future__ import annotations

from fairaudit.audit.result import ErrorsFinding
from fairaudit.findings import Amount, Argument, Message
from fairaudit.present.error_tables import with_group
from fairaudit.sections.errors.reading import group_name, metric_of, read_errors

_COST = "average_error_cost"


def say_costs(finding: ErrorsFinding) -> tuple[Message, ...]:
    """Say which group errors cost most, of those that are compared; nothing where that is hidden."""
    errors, costs = finding.errors, finding.costs
    if errors is None or costs is None:
        return ()
    frame = with_group(costs).dropna(subset=[_COST])
    compared = {rate.group for error in read_errors(finding).errors for rate in error.compared}
    shown = frame[frame["group"].map(str).isin(compared)]
    if shown.empty:
        return ()
    asked = finding.plan
    by_rate = {"fpr": asked.cost_false_positive, "fnr": asked.cost_false_negative}
    values = shown[_COST].astype(float)
    top = shown.loc[values.idxmax()]
    args: dict[str, Argument] = {
        "one": Amount(by_rate[metric_of(errors, "flagged")], _digits(by_rate[metric_of(errors, "flagged")])),
        "another": Amount(by_rate[metric_of(errors, "missed")], _digits(by_rate[metric_of(errors, "missed")])),
        "group": group_name(finding, str(top["group"])),
        "first": Amount(float(top[_COST]), 2),
    }
    key = "errors-costs-alike" if values.max() == values.min() else "errors-costs"
    return (Message(key, args, reveals=("costs",)),)


def _digits(cost: float) -> int:
    """Return the decimals that a cost was set with, at most three."""
    return next((digits for digits in range(3) if abs(round(cost, digits) - cost) < 1e-9), 3)
