"""Whether a score means the same in two groups, and how well it ranks people in each."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairaudit.audit.result import ErrorsFinding
from fairaudit.findings import Argument, Count, Message, Points, Word
from fairaudit.measure.results import ScoreComparison
from fairaudit.measure.strata import common_difference
from fairaudit.measure.verdicts import Verdict, verdict_by_intervals
from fairaudit.sections.errors.reading import group_name, read_errors

_SCORES = ("scores",)


@dataclass(frozen=True)
class ScoreReading:
    """What a score means in two groups.

    Parameters
    ----------
    group, other : str
        The two groups.
    verdict : Verdict
        On how many people have the outcome that is warned of, among people with the same score.
    gap : float
        The common difference of these shares over the bins of the score, the first group minus the other.
    ranked : tuple of float or None
        The area under the ROC curve in both groups; None where it is not defined.
    """

    group: str
    other: str
    verdict: Verdict
    gap: float
    ranked: tuple[float | None, float | None]


def read_score(finding: ErrorsFinding) -> ScoreReading | None:
    """Read what a score means in the two groups that the errors name, else in the two largest; None where hidden."""
    scores = finding.scores
    if scores is None or scores.calibration["group"].nunique() < 2:
        return None
    group, other = _pair(finding, scores)
    verdict, gap = _same_score(finding, scores, group, other)
    area = dict(zip(scores.auc["group"].map(str), scores.auc["auc"], strict=True))
    ranked = tuple(None if area.get(name) is None or math.isnan(area[name]) else float(area[name])
                   for name in (group, other))  # fmt: skip
    return ScoreReading(group, other, verdict, gap, (ranked[0], ranked[1]))


def say_calibration(finding: ErrorsFinding) -> tuple[Message, ...]:
    """Say whether the score means the same in two groups."""
    reading = read_score(finding)
    if reading is None:
        return ()
    args: dict[str, Argument] = {
        "group": group_name(finding, reading.group),
        "other": group_name(finding, reading.other),
        "happened": finding.names.happened,
        "size": Points(abs(reading.gap)),
        "direction": Word("more" if reading.gap > 0 else "less"),
    }
    keys = {"no_gap_above_tolerance": "errors-score-same", "too_few_to_tell": "errors-score-open"}
    key = keys.get(reading.verdict, "errors-score-differs")
    return (Message(key, args, reveals=_SCORES), Message("errors-score-name", severity="note"))


def say_ranking(finding: ErrorsFinding) -> tuple[Message, ...]:
    """Say how well the score tells the outcomes apart in two groups."""
    reading = read_score(finding)
    if reading is None:
        return ()
    pairs = zip((reading.group, reading.other), reading.ranked, strict=True)
    known = [(group_name(finding, name), Count(round(100 * area))) for name, area in pairs if area is not None]
    said: list[Message] = []
    if len(known) == 2:
        (group, first), (other, second) = known
        named: dict[str, Argument] = {"group": group, "first": first, "other": other, "second": second}
        said.append(Message("errors-ranking", named, reveals=_SCORES))
    elif known:
        [(group, first)] = known
        said.append(Message("errors-ranking-alone", {"group": group, "first": first}, reveals=_SCORES))
    return (*said, Message("errors-ranking-name", severity="note"))


def _pair(finding: ErrorsFinding, scores: ScoreComparison) -> tuple[str, str]:
    named = [(error.worst, error.other) for error in read_errors(finding).errors if error.worst is not None]
    if named and {*named[0]} <= {*scores.groups}:
        return str(named[0][0]), str(named[0][1])
    sizes = scores.calibration.groupby("group", sort=False)["n"].sum()
    largest = [str(group) for group in sizes.sort_values(ascending=False, kind="stable").index]
    asked = [group for group in finding.names.protected if group in largest]
    first = next(iter([*asked, *largest]))
    return first, next(group for group in largest if group != first)


def _same_score(finding: ErrorsFinding, scores: ScoreComparison, group: str, other: str) -> tuple[Verdict, float]:
    frame = scores.calibration
    wide = frame.assign(group=frame["group"].map(str)).pivot_table(
        index="bin", columns="group", values=["n", "positives"], aggfunc="sum", sort=False
    )
    if any((part, name) not in wide.columns for part in ("n", "positives") for name in (group, other)):
        return "too_few_to_tell", 0.0
    both = wide[[(part, name) for name in (group, other) for part in ("positives", "n")]].dropna()
    if both.empty:
        return "too_few_to_tell", 0.0
    own, own_n, rest, rest_n = both.to_numpy(dtype=float).T
    if scores.positive == "favorable":
        own, rest = own_n - own, rest_n - rest
    cells = np.stack([own, own_n, rest, rest_n], axis=1)
    confidence, limit = finding.plan.confidence, finding.plan.tolerance
    gap, ends = common_difference(cells, confidence)
    _, narrow = common_difference(cells, max(2 * confidence - 1, 0.0))
    if not all(map(math.isfinite, (gap, *ends, *narrow))):
        return "too_few_to_tell", 0.0
    return verdict_by_intervals(gap, ends, narrow, limit), gap
