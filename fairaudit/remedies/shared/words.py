"""Sentences about remedies, shared by pages and report: what was done, what changed, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import overload

from fairaudit.measure.results import GroupRatio
from fairaudit.present import brief
from fairaudit.present.numbers import (
    points_text,
    share_text,
)
from fairaudit.present.words import (
    group_name,
    listed,
)
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.compared_models import judged, learned
from fairaudit.remedies.shared.divisions import over_divisions
from fairaudit.remedies.shared.held_out_words import all_rows, gap_rows
from fairaudit.remedies.shared.worse_off_words import WISH
from fairaudit.study.amounts.findings import AmountChange, AmountRemediesFinding, AmountRemedyFinding
from fairaudit.study.findings import RemediesFinding, RemedyFinding
from fairaudit.study.judging.results import GOOD, MEASURES, Change

NOTHING = "could be nothing"
"""Said of a change whose interval includes zero."""
NO_CHANGE = "no change"
"""Said of the area under the ROC curve where both models rank all rows alike, as with one score that is cut anew."""
GOOD_FOR = " good outcomes for the protected group"
HIDDEN = (
    "How the groups do is not shown: a count that is too small to be shown is among theirs, or could be worked out "
    "from them."
)


def divisions_sentence(finding: RemedyFinding) -> str:
    """Return between what gap and accuracy lie over all divisions of the rows; empty where there is one."""
    return over_divisions(
        finding.divisions,
        {
            "gap": ("the gap with the remedy was", moved_gap_text),
            "accuracy": ("accuracy", lambda low, high: f"{share_text(low)} to {share_text(high)}"),
        },
    )


def predicts_the_same(finding: RemedyFinding | AmountRemedyFinding) -> bool:
    """Whether the remedy predicts the same as the model before on all held-out rows; False where that is hidden."""
    return bool(finding.changes) and not finding.predictions_differ


def change_word(change: Change | AmountChange) -> str:
    """Return how sure a change is: "could be nothing", "no change", "clearly higher", "clearly towards zero"."""
    low, high = change.interval
    if None in (low, high):
        return "not shown"
    if not (math.isfinite(low) and math.isfinite(high)):
        return "not defined"
    if low == high == change.difference == 0:
        return NO_CHANGE
    if low <= 0 <= high:
        return NOTHING
    if change.measure in GOOD:
        return "clearly higher" if low > 0 else "clearly lower"
    return gap_word(change)


def gap_word(change: Change | AmountChange) -> str:
    """Return where a gap or difference moved whose change is not nothing."""
    if (change.interval.low > 0) == (change.before >= 0):
        return "clearly away from zero"
    return "clearly past zero" if change.before * change.after < 0 else "clearly towards zero"


def moved_gap_text(before: float, after: float, *, digits: int = 1) -> str:
    """Return two gaps between a group and the rest in words, with their direction.

    Examples
    --------
    >>> moved_gap_text(-0.071, 0.008)
    '7.1 points fewer good outcomes for the protected group to 0.8 more'
    """
    texts = moved_texts((before, after), lambda size: points_text(size, signed=False, digits=digits), "fewer", GOOD_FOR)
    return f"{texts[0]} to {texts[1].replace(' points', '', 1)}"


def moved_texts(gaps: Sequence[float], text: Callable[[float], str], less: str, what: str) -> list[str]:
    """Return gaps in words, with their direction: `text` writes the size of one, `what` is said once."""
    texts = []
    for gap in gaps:
        size = text(abs(gap))
        if size != text(0.0):
            size, what = f"{size} {less if gap < 0 else 'more'}{what}", ""
        texts.append(size)
    return texts


@overload
def change_of(finding: RemedyFinding, measure: str) -> Change | None: ...


@overload
def change_of(finding: AmountRemedyFinding, measure: str) -> AmountChange | None: ...


def change_of(finding: RemedyFinding | AmountRemedyFinding, measure: str) -> Change | AmountChange | None:
    """Return the change of one measure; None where there is none, or it is hidden."""
    return next((change for change in finding.changes if change.measure == measure), None)


def done_sentence(finding: RemedyFinding) -> str:
    """Return what was done, in words and with its counts."""
    done = kind_of(finding.plan).done(finding)
    asked = finding.worse_off is not None and finding.worse_off.asked
    return f"{done} {WISH}" if asked else done


def befores_sentence(finding: RemediesFinding | AmountRemediesFinding) -> str:
    """Return why models without a remedy differ, where remedies are compared with several; empty where with one."""
    names = names_before(finding.remedies)
    if len(names) < 2:
        return ""
    return (
        f"Remedies are compared with {len(names)} models without one, whose figures differ: "
        f"{listed([f'“{brief.whole(name, 80)}”' for name in brief.some(names)])}. A list of rules or a tree that keeps "
        "to a limit is compared with one that need not, so that the change shows what the limit does and not what the "
        "kind of model does. All other remedies are compared with a plain model or a score as it is."
    )


def names_before(remedies: Iterable[RemedyFinding | AmountRemedyFinding]) -> list[str]:
    """Return the names of the models without a remedy that remedies are compared with, each once."""
    return list(dict.fromkeys(remedy.before.name for remedy in remedies if remedy.changes))


def study_sentence(finding: RemediesFinding) -> str:
    """Return how many models were judged on what, and the gap of the decisions that they learned from."""
    facts = finding.facts
    same = "held-out rows" if facts.n_held_out is None else f"the same {all_rows(facts.n_held_out)}"
    first = f"{_models(finding)} judged on {same}."
    gap = facts.decisions.difference
    if gap is None:
        return f"{first} {HIDDEN}"
    if not math.isfinite(gap):
        return first
    among = "" if facts.where_words is None else f", among rows where {facts.where_words}"
    those = gap_rows(facts.n_held_out, facts.decisions)
    rows = f"on {those}," if those else "on these rows"
    return (
        f"{first} In the decisions {rows} the gap is {points_text(gap)}: {_ratio(facts.decisions.protected)} of "
        f"the protected group ({group_name(facts)}) reach the good outcome, against "
        f"{_ratio(facts.decisions.reference)} of the rest{among}. {_learned(finding)}"
    )


def _learned(finding: RemediesFinding) -> str:
    if learned(finding):
        return "The models learn from decisions with this gap."
    return "No model learned from them: the remedies cut the score that the data hold."


def _models(finding: RemediesFinding) -> str:
    remedies = sum(kind_of(remedy.plan).is_remedy for remedy in finding.remedies)
    without = len(judged(finding)) - remedies
    if not remedies:
        return "1 model without a remedy was" if without == 1 else f"{without} models without a remedy were"
    text = "1 remedy was" if remedies == 1 else f"{remedies} remedies were"
    if not without:
        return text
    models = "1 model without any" if without == 1 else f"{without} models without any"
    return f"{text} tried, beside {models} to compare with, and"


def _ratio(group: GroupRatio) -> str:
    return share_text(group.ratio)


def measure_words(measure: str) -> str:
    """Return a measure in words, with a capital letter."""
    return brief.capital(MEASURES[measure])
