"""What explains a gap, what is left, and what could overturn that, in sentences for page, report and command line.

What is left is said to be not explained by the columns; no more follows from it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairaudit.measure.near_limits import digits_beside
from fairaudit.present.numbers import (
    amount_digits,
    are_known,
    confidence_text,
    count_text,
    number_text,
    share_text,
    signed_text,
    tolerance_text,
)
from fairaudit.present.words import direction_text, listed

if TYPE_CHECKING:
    from fairaudit.audit.follow_up_results import ExplanationFinding
    from fairaudit.measure.explain.results import GapExplanation

NOT_SHOWN_WHY = (
    "Small counts are to be hidden, and counts of few people could be worked out from the parts of a gap. They can "
    "be looked at on their page, and not be published beside this report. Leave the question out of this audit."
)
NOT_SAID = (
    "What is left is not explained by these columns. Other columns, or these recorded better, might explain more of it "
    "or less; why it is there is not said.",
    "What is explained is not thereby right. A column that the decision, or the group itself, brought about takes away "
    "what one looks for: holding the grade equal may hide a gap in grading.",
    "Intervals allow for chance among cases like these. They do not allow for a wrong model or for columns that are "
    "not in the data; what those would have to be like is said above.",
)
OTHER_METHOD = (
    "What is left here need not equal the gap within strata on the page Check, which is another average: there, strata "
    "with many people of both groups count most."
)
NOTHING_TO_OVERTURN = (
    "With these columns held equal there may be no gap at all, so no column need be missing to take one away."
)
METHODS_DIFFER = (
    "The parts of the gap, the model with these columns held equal and its check do not agree on what is left."
)
CAPPED = ", and more than is possible: it is taken to explain all that is left of the outcome"
CHECK = "A second computation to check that model, learned from other rows"
REFERENCES = {
    "average": "the average of both groups",
    "rest": "the rest",
    "protected": "the protected group",
    "pooled": "both groups together",
}
MODELS = {"strata": "strata", "linear": "a linear model", "logistic": "a logistic model"}


class Figures:
    """Writes the figures of an explanation: points where shares are compared, else amounts."""

    def __init__(self, finding: ExplanationFinding):
        self.is_share = finding.decision.kind.has_good_outcome
        self.higher_is_favorable = self.is_share or finding.decision.higher_is_favorable
        interval = finding.result.gap.interval
        spread = 0.0 if None in interval else interval.high - interval.low
        self.digits = 1 if self.is_share else amount_digits(spread if math.isfinite(spread) else 0.0)

    def plain(self, value: float | None, *, signed: bool = False) -> str:
        """Return a figure without its unit."""
        if value is None or not math.isfinite(value):
            return number_text(value)
        shown = 100 * value if self.is_share else value
        return (signed_text if signed else number_text)(shown, digits=self.digits)

    def text(self, value: float | None, *, signed: bool = True) -> str:
        """Return a figure with its unit."""
        known = value is not None and math.isfinite(value)
        return self.plain(value, signed=signed) + (" points" if self.is_share and known else "")

    def interval(self, interval: tuple[float, float], sign: int = 1) -> str:
        """Return an interval, turned round for a sign of -1."""
        if None in interval or not all(map(math.isfinite, interval)):
            return number_text(None if None in interval else math.nan)
        ends = sorted(sign * end for end in interval)
        return " to ".join(self._end(end) for end in ends)

    def _end(self, end: float) -> str:
        """Return an end of an interval, with the digits that show on which side of no gap it is."""
        shown = 100 * end if self.is_share else end
        places = digits_beside(shown, [0.0], digits=self.digits, most=self.digits + 2)
        return signed_text(shown, digits=self.digits if places is None else places)

    def side(self, value: float) -> str:
        """Return to whose advantage a figure is, seen from the protected group."""
        if round((100 if self.is_share else 1) * value, self.digits) == 0:
            return ""
        return direction_text(value if self.higher_is_favorable else -value)


def alike_sentence(finding: ExplanationFinding, tolerance: float) -> str:
    """Say that all of what may be left is within what counts as alike; empty where it is not, or is no share."""
    interval = finding.result.unexplained.interval
    if not Figures(finding).is_share or not are_known(*interval) or max(map(abs, interval)) > tolerance:
        return ""
    return f"All of that interval is within the tolerance of {tolerance_text(tolerance)}."


def adjusted_sentence(finding: ExplanationFinding) -> str:
    """Return the gap with the controls held equal, and what the check of it gives."""
    found, write = finding.result, Figures(finding)
    held, level = found.adjusted_gap, confidence_text(found.confidence)
    if held.value is None:
        return NOT_SHOWN_WHY
    errors = "" if held.cluster is None else f", allowing for rows that depend on each other by {held.cluster}"
    side = write.side(held.value)
    text = (
        f"With {listed(found.controls)} held equal by a {held.model} model, the gap is {write.text(held.value)}"
        f"{f', {side}' if side else ''} ({level} interval {write.interval(held.interval)}{errors})."
    )
    if held.doubly_robust is None:
        return text
    check = f"{write.text(held.doubly_robust.value)} ({write.interval(held.doubly_robust.interval)})"
    if held.check == "disagrees":
        return f"{text} {CHECK}, gives {check}: they differ by more than chance, so rely on neither yet."
    if held.check == "too_imprecise":
        return f"{text} {CHECK}, is too imprecise to check it: {check}."
    return f"{text} {CHECK}, agrees: {check}."


def methods_differ(found: GapExplanation) -> bool:
    """Say whether the parts of a gap and the model read what is left otherwise, or the check contradicts the model."""
    held = found.adjusted_gap
    return held.check == "disagrees" or _side_of(found.unexplained.interval) != _side_of(held.interval)


def _side_of(interval: tuple[float, float]) -> int:
    """Return on which side of no gap all of an interval is; 0 where it holds none, or is not known."""
    low, high = interval
    return 0 if not are_known(low, high) or low <= 0 <= high else 1 if low > 0 else -1


def sensitivity_sentences(finding: ExplanationFinding) -> tuple[str, ...]:
    """Return what a column that is not in the data would have to be like to overturn the gap that is left."""
    found, write = finding.result, Figures(finding)
    sensitivity, held = found.sensitivity, found.adjusted_gap
    if held.value is None:
        return (NOT_SHOWN_WHY,)
    if _side_of(held.interval) == 0:
        return (METHODS_DIFFER if methods_differ(found) else NOTHING_TO_OVERTURN,)
    texts = [METHODS_DIFFER] if methods_differ(found) else []
    texts += ["A column that is not in the data could take away what is left of the gap, if it were strong enough."]
    if math.isfinite(sensitivity.e_value):
        nearer = f" ({number_text(sensitivity.e_value_interval)} times for the interval to reach no gap)"
        texts.append(
            f"It would have to be {number_text(sensitivity.e_value)} times as common in one group as in the other, and "
            f"make the outcome {number_text(sensitivity.e_value)} times as likely, too{nearer}."
        )
    if math.isfinite(sensitivity.robustness_value):
        counted = "Or, counted" if math.isfinite(sensitivity.e_value) else "Counted"
        share = share_text(sensitivity.robustness_value_interval)
        nearer = f" ({share} for the interval to reach no gap)"
        texts.append(
            f"{counted} by a linear model: of what the columns leave open, it "
            f"would have to explain {share_text(sensitivity.robustness_value)} of who is in which group, and as much "
            f"of the outcome{nearer}."
        )
    if sensitivity.strongest is not None and math.isfinite(sensitivity.times):
        nearer = f" ({number_text(sensitivity.times_interval, digits=1)} times for the interval)"
        texts.append(
            f"That is {number_text(sensitivity.times, digits=1)} times as strong as {sensitivity.strongest}, the "
            f"column that comes nearest to it{nearer}{CAPPED if sensitivity.capped else ''}."
        )
    unit = "odds ratios" if write.is_share else "shares explained"
    if math.isinf(sensitivity.touches_zero):
        most = sensitivity.curve["strength"].iloc[-1]
        texts.append(f"A column of two values does not take the interval to no gap with {unit} up to {most:g}.")
    else:
        texts.append(
            f"A column of two values takes the interval to no gap from {unit} of "
            f"{number_text(sensitivity.touches_zero)} with group and outcome on."
            if write.is_share
            else f"It takes the interval to no gap from {number_text(sensitivity.touches_zero)} of both on."
        )
    return tuple(texts)


def control_sentences(finding: ExplanationFinding) -> tuple[str, ...]:
    """Return each control with the reason for it and, where it goes strongly with the group, a warning."""
    marked = set(finding.result.by_control.loc[finding.result.by_control["marked"] == True, "control"])  # noqa: E712
    return tuple(
        f"{control.column}: {' '.join(control.reason.split())}{WARNING if control.column in marked else ''}"
        for control in finding.plan.controls
    )


WARNING = (
    " (differs strongly by group: ask whether the decision, or the group itself, brought it about. Holding it equal "
    "then hides what one looks for.)"
)


def method_sentence(finding: ExplanationFinding) -> str:
    """Return how the gap was divided."""
    found = finding.result
    if found.model == "strata":
        how = "Both groups are compared inside strata of the crossed columns (Kitagawa)"
        if len(found.controls) > 1:
            how += "; the part of a column is the mean over all orders in which columns can be taken"
    else:
        how = f"Both groups are compared by {MODELS[found.model]} (Oaxaca and Blinder)"
    return f"{how}. Differences between the groups are valued as in {REFERENCES[found.reference]}."


def people_sentence(finding: ExplanationFinding) -> str:
    """Return who was compared."""
    found = finding.result
    if found.n_protected is None:
        return ""
    return (
        f"{count_text(found.n_protected)} rows of the protected group and {count_text(found.n_reference)} of the rest "
        "have a known decision."
    )
