"""Sentences about remedies, shared by pages and report: what was done, what changed, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import overload

from fairaudit.measure.results import ControlledFairness, GroupRatio
from fairaudit.present import brief
from fairaudit.present.numbers import (
    confidence_text,
    count_text,
    interval_text,
    points_text,
    share_text,
    tolerance_text,
)
from fairaudit.present.words import (
    ALIKE,
    CANNOT_TELL,
    CLEAR_GAP,
    SIZE_UNCLEAR,
    deciding_ends,
    deciding_level,
    group_name,
    is_hidden,
    listed,
    verdict_word,
)
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.compared_models import judged, learned
from fairaudit.remedies.shared.divisions import over_divisions
from fairaudit.remedies.shared.held_out_words import all_rows, gap_rows, on_all
from fairaudit.remedies.shared.number_texts import change_digits, changed_text
from fairaudit.remedies.shared.one_answer_words import alike, found_words
from fairaudit.remedies.shared.worse_off_words import WISH
from fairaudit.remedies.shared.yardstick_words import ahead_sentence, beside_simple, gained_sentence, is_beaten
from fairaudit.study.amounts.findings import AmountChange, AmountRemediesFinding, AmountRemedyFinding
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.results import GOOD, MEASURES, Change

NOTHING = "could be nothing"
"""Said of a change whose interval includes zero."""
NO_CHANGE = "no change"
"""Said of the area under the ROC curve where both models rank all rows alike, as with one score that is cut anew."""
AGREES = "A model that agrees with the table's outcomes need not be right: past decisions may be wrong."
GOOD_FOR = " good outcomes for the protected group"
HIDDEN = (
    "How the groups do is not shown: a count that is too small to be shown is among theirs, or could be worked out "
    "from them."
)


def certainty_sentences(finding: RemedyFinding) -> str:
    """Return how sure what a remedy changed is: by the intervals, and over the divisions of the rows."""
    texts = (_what_changed(finding)[1], divisions_sentence(finding))
    return " ".join(text for text in texts if text)


def simple_sentences(finding: RemedyFinding) -> str:
    """Return what a remedy gains over simple answers, where :func:`headline` does not begin with it."""
    gained = "" if begins_with_simple(finding) else gained_sentence(finding)
    return " ".join(text for text in (gained, ahead_sentence(finding)) if text)


def headline(finding: RemedyFinding) -> tuple[str, str]:
    """Return what a remedy changed, how sure that is, and what it gains over simple answers."""
    first, rest = _what_changed(finding)
    gained = gained_sentence(finding)
    strong = [*constant_sentences(finding), first]
    if begins_with_simple(finding):
        strong, gained = [gained, *strong], ""
    others = (gained, ahead_sentence(finding), rest, divisions_sentence(finding))
    return " ".join(strong), " ".join(text for text in others if text)


def begins_with_simple(finding: RemedyFinding | AmountRemedyFinding) -> bool:
    """Say whether a simple answer comes first: a better one, or one as good where the gap did not clearly shrink."""
    if not isinstance(finding, RemedyFinding) or not beside_simple(finding):
        return False
    return is_beaten(finding) or not has_shrunk(finding)


def has_shrunk(finding: RemedyFinding | AmountRemedyFinding) -> bool:
    """Say whether the gap with the remedy is clearly smaller than without it."""
    change = change_of(finding, "gap")
    return change is not None and change_word(change).startswith("clearly") and abs(change.after) < abs(change.before)


def divisions_sentence(finding: RemedyFinding) -> str:
    """Return between what gap and accuracy lie over all divisions of the rows; empty where there is one."""
    return over_divisions(
        finding.divisions,
        {
            "gap": ("the gap with the remedy was", moved_gap_text),
            "accuracy": ("accuracy", lambda low, high: f"{share_text(low)} to {share_text(high)}"),
        },
    )


def constant_sentences(finding: RemedyFinding) -> list[str]:
    """Return which of both models predicts the same for everybody, or nearly so; nothing of models that do not.

    Of the remedy it is said, too, how many of those with the rarer answer it finds.
    """
    said = [_constant_sentence("This model", finding.after.fairness)]
    if alike(finding.after.fairness) == "nearly all":
        before = finding.before if finding.changes else None
        found = found_words(finding.after, before)
        said.append(f"It {found}." if found else "")
    if finding.changes:
        said.append(_constant_sentence("The model before", finding.before.fairness))
    return [sentence for sentence in said if sentence]


def _constant_sentence(who: str, fairness: ControlledFairness) -> str:
    same = alike(fairness)
    if same is None:
        return ""
    if same == "all":
        whom = "everybody" if fairness.protected.ratio else "nobody"
        return f"{who} gives one answer for all: the good outcome goes to {whom}, so that no gap can be."
    sides = (fairness.protected, fairness.reference)
    n, positives = (sum(getattr(side, name) for side in sides) for name in ("n", "positives"))
    few = count_text(min(positives, n - positives))
    whom = f"all but {few}" if 2 * positives > n else f"only {few}"
    return f"{who} gives nearly all one answer: the good outcome goes to {whom} of {count_text(n)} people."


def _what_changed(finding: RemedyFinding) -> tuple[str, str]:
    after, accuracy = finding.after, finding.after.measure("accuracy").value
    rows, those = f"On {all_rows(after.n)}", gap_rows(after.n, after.fairness)
    lead, overall = (f"On {those},", f" {on_all(after.n)}") if those else (rows, "")
    if not finding.changes or predicts_the_same(finding):
        same = f"{same_sentence(finding)} " if finding.changes else ""
        tolerance = tolerance_sentence(after.fairness)
        if not _has_gap(finding):
            return f"{same}{rows} accuracy is {share_text(accuracy)}.", tolerance
        gap = f"{lead} {_gap_words(finding)} is {points_text(after.fairness.difference)}; "
        on_others = _gap_elsewhere_sentence(finding)
        return f"{same}{gap}accuracy is {share_text(accuracy)}{overall}.", f"{on_others} {tolerance}".strip()
    shares = [evaluation.measure("accuracy").value for evaluation in (finding.before, after)]
    digits = change_digits(finding, *shares)
    moved = f"from {share_text(shares[0], digits=digits)} to {share_text(accuracy, digits=digits)}"
    if not _has_gap(finding):
        texts = (tolerance_sentence(after.fairness), _accuracy_sentence(finding))
        return f"{rows} accuracy went {moved}.", " ".join(text for text in texts if text)
    gaps = [evaluation.fairness.difference for evaluation in (finding.before, after)]
    gaps_text = moved_gap_text(*gaps, digits=change_digits(finding, *gaps))
    went = f"{lead} {_gap_words(finding)} went from {gaps_text}; accuracy {moved}{overall}."
    return went, " ".join(
        part
        for part in (_gap_sentence(finding), tolerance_sentence(finding.after.fairness), _accuracy_sentence(finding))
        if part
    )


def predicts_the_same(finding: RemedyFinding | AmountRemedyFinding) -> bool:
    """Whether the remedy predicts the same as the model before on all held-out rows; False where that is hidden."""
    return bool(finding.changes) and not finding.predictions_differ


def tolerance_sentence(fairness: ControlledFairness) -> str:
    """Return whether the gap in predictions is within tolerance, and how clear that is."""
    word, limit = verdict_word(fairness), tolerance_text(fairness.tolerance)
    interval = f"its whole {deciding_level(fairness)} interval ({deciding_ends(fairness)})"
    if word == ALIKE:
        return f"The gap is within the tolerance of {limit}, and so is {interval}."
    if word == CLEAR_GAP:
        return f"The gap is outside the tolerance of {limit}, and so is {interval}."
    if word in (SIZE_UNCLEAR, CANNOT_TELL):
        side = "within" if fairness.within_tolerance else "outside"
        return (
            f"The gap is {side} the tolerance of {limit}, but that is not clear: with this many held-out rows it "
            "could be on either side."
        )
    if fairness.has_one_decision:
        return "There is no gap to judge: all predictions are the same."
    return HIDDEN if is_hidden(fairness) else "There is no gap to judge: at least one group has no held-out row."


def before_sentence(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Return what a remedy is compared with, and how far apart the decisions themselves leave the groups."""
    sentence = f"Before: {finding.before.name}, not the decisions themselves. Both are judged on the same held-out rows"
    if those := gap_rows(finding.after.n, finding.after.fairness):
        sentence += f": rates by group on all, the gap on {those}"
    gap = facts.decisions.difference
    if gap is None or not math.isfinite(gap):
        return f"{sentence}. {AGREES}"
    said, _ = moved_texts((gap, gap), lambda size: points_text(size, signed=False), "fewer", GOOD_FOR)
    return f"{sentence}. In the decisions on these rows the gap is {said}. {AGREES}"


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


def shown_change(finding: RemedyFinding, measure: str) -> Change | None:
    """Return the change of one measure; None where there is none, or it is not defined or hidden."""
    change = change_of(finding, measure)
    return None if change is None or change_word(change) in ("not defined", "not shown") else change


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


def _gap_words(finding: RemedyFinding) -> str:
    return "the gap in good outcomes" if kind_of(finding.plan).other_rates else "the gap"


def _has_gap(finding: RemedyFinding) -> bool:
    gaps = [evaluation.fairness.difference for evaluation in (finding.before, finding.after)]
    return all(gap is not None and math.isfinite(gap) for gap in gaps)


def same_sentence(finding: RemedyFinding | AmountRemedyFinding) -> str:
    """Return that no prediction for a held-out row differs from that of the model before."""
    before = brief.whole(finding.before.name, 160)
    return f"No prediction for a held-out row changed: all are the same as those of “{before}”."


def _gap_elsewhere_sentence(finding: RemedyFinding) -> str:
    """Return by how much the gap may change where no prediction for a held-out row did."""
    change = shown_change(finding, "gap")
    if change is None or finding.after.fairness.has_one_decision:
        return ""
    level = confidence_text(finding.after.fairness.confidence)
    interval = f"{interval_text(change.interval)} points"
    return f"For other people the gap may change by {interval} ({level} interval)."


def _gap_sentence(finding: RemedyFinding) -> str:
    change = shown_change(finding, "gap")
    # One answer for all has no gap to be praised for.
    if change is None or finding.after.fairness.has_one_decision:
        return ""
    level = confidence_text(finding.after.fairness.confidence)
    if change_word(change) == NOTHING:
        return (
            f"Compared with the model without it, the change of the gap {NOTHING}: its {level} interval, "
            f"{interval_text(change.interval)} points, includes zero."
        )
    moved, interval = nearer_words(finding, change)
    return f"The gap is {moved} ({level} interval {interval})."


def nearer_words(finding: RemedyFinding, change: Change) -> tuple[str, str]:
    """Return where a gap moved whose change is not nothing, said of the gap without the remedy, and the interval.

    Both are sizes: the words say the way.
    """
    by = changed_text(finding, change, signed=False)
    ends = sorted(abs(end) for end in change.interval)
    interval = " to ".join(points_text(end, signed=False).removesuffix(" points") for end in ends)
    said = {
        "towards": f"{by} nearer to zero than without the remedy",
        "past": f"on the other side of zero, {by} from the gap without the remedy",
        "away": f"{by} further from zero than without the remedy",
    }
    return said[change_word(change).split()[1]], interval


def _accuracy_sentence(finding: RemedyFinding) -> str:
    change = shown_change(finding, "accuracy")
    if change is None:
        return ""
    interval = f"{confidence_text(finding.after.fairness.confidence)} interval {interval_text(change.interval)}"
    if change_word(change) == NOTHING:
        return f"The change in accuracy {NOTHING} ({interval} points)."
    word = "rose" if change.difference > 0 else "fell"
    return f"Accuracy {word} by {changed_text(finding, change, signed=False)} ({interval} points)."


def measure_words(measure: str) -> str:
    """Return a measure in words, with a capital letter."""
    return brief.capital(MEASURES[measure])
