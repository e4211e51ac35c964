"""Sentences about the errors of a prediction, shared by pages and report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from fairaudit.audit.result import AmountFinding, CheckFinding, ErrorsFinding
from fairaudit.conditions import Condition
from fairaudit.data.unknown_words import is_no_group
from fairaudit.defaults import ENOUGH
from fairaudit.errors import ConditionError, quote
from fairaudit.measure.errors_by_group import RatesReading, compare_rates
from fairaudit.measure.grouping import value_text
from fairaudit.measure.results import ErrorComparison
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present import brief
from fairaudit.present.chips import CANNOT_TELL, CLEAR_GAP, NOTHING_TO_COMPARE, Chip, reading_chip
from fairaudit.present.numbers import confidence_text, count_text, interval_text, p_text, share_text, tolerance_text
from fairaudit.present.rate_words import MEANINGS
from fairaudit.present.words import ALIKE, SIZE_UNCLEAR, listed

LEADS = ("fpr", "fnr")
HARMED, FAVOURED = "Wrong, against the person", "Wrong, in the person's favour"
FLAGGED, MISSED = "Wrongly flagged", "Wrongly not flagged"
NAMES = {"fpr": "false positives", "fnr": "false negatives"}
MOST_NAMED = 3
LONGEST_MEANING = 60
"""So much of the audit's own words for an outcome is repeated in each sentence."""
LONGEST_RULE = 200
"""And of what says when it is predicted."""
_CHIPS = {
    "clear_gap": CLEAR_GAP, "gap_size_unclear": reading_chip(SIZE_UNCLEAR),
    "too_few_to_tell": CANNOT_TELL, "no_gap_above_tolerance": reading_chip(ALIKE),
}  # fmt: skip
"""By what the data support about an error; of two errors, that which comes first."""
REPEATS = "There are no errors to compare."


def _leads(finding: ErrorsFinding, plan: AuditPlan) -> dict[str, str]:
    """Return how a sentence on either error begins: with people, in the words that the audit has for both outcomes.

    Without such words it says whom the error harms: who deserves the good outcome and is predicted not to have it.
    """
    missed, undue = ("fnr", "fpr") if finding.plan.positive == "favorable" else ("fpr", "fnr")
    meanings = [None if part is None else part.meaning for part in (plan.decision, plan.prediction)]
    if None in meanings:
        flags = plan.prediction is None and plan.score is not None and not plan.score.higher_is_favorable
        harmed, favoured = (FLAGGED, MISSED) if flags else (HARMED, FAVOURED)
        return {missed: f"{harmed} ({NAMES[missed]})", undue: f"{favoured} ({NAMES[undue]})"}
    good, predicted = (f"“{brief.whole(meaning, LONGEST_MEANING)}”" for meaning in meanings)
    other = plan.decision.other_meaning
    others = "without that outcome" if other is None else f"with “{brief.whole(other, LONGEST_MEANING)}”"
    return {
        missed: f"Of people with the outcome {good}, not {predicted}",
        undue: f"Of people {others}, {predicted} all the same",
    }


def errors_sentence(finding: ErrorsFinding, plan: AuditPlan, *, below_headline: bool = False) -> str:
    """Say which groups bear the most false positives and false negatives, and whether chance could explain it.

    Below the headline, which names groups and shares, only the rest is said.
    """
    if finding.errors is None:
        return "There is no prediction to judge."
    if finding.errors.repeats_decision:
        return REPEATS
    leads = _leads(finding, plan)
    if below_headline:
        leads = {metric: brief.capital(NAMES[metric]) for metric in leads}
    asked = () if below_headline else _asked_about(finding, plan)
    said = [
        _extremes(finding, finding.errors, metric, lead, asked, in_short=below_headline)
        for metric, lead in leads.items()
    ]
    has_hidden = bool(finding.errors.counts["tp"].isna().any())
    if not any(said):
        if has_hidden:
            return (
                "The errors of some groups are not shown, because a count is too small to be shown or could be worked "
                "out from them. Of the others too few are left to compare."
            )
        return (
            "There are too few rows, or too few groups, to compare the errors: a rate is compared only between groups "
            f"in which it is a share of at least {ENOUGH} rows."
        )
    said = [text or f"{lead}: too few groups to compare." for text, lead in zip(said, leads.values(), strict=True)]
    left_out = [_left_out(finding.errors, metric) for metric in leads]
    if left_out[0] == left_out[1]:
        left_out[0] = ""
    texts = [part for pair in zip(said, left_out, strict=True) for part in pair if part]
    if has_hidden:
        texts.insert(0, "Among the groups that are shown:")
    return " ".join(texts)


def errors_headline(finding: ErrorsFinding, plan: AuditPlan) -> str:
    """Say for either error which group bears it most and which least, in few words; empty where none is compared.

    Protected groups that questions are about are named beside these.
    """
    said, errors = [], finding.errors
    if errors is not None and errors.repeats_decision:
        return ""
    for metric, lead in _leads(finding, plan).items():
        if errors is not None and (ends := _ends(errors, metric)) is not None:
            high, low = map(_share, ends)
            if _n_compared(errors, metric) > 2:
                high, low = f"most often {high}", f"least often {low}"
            between = _between(_rows_between(errors, metric, _asked_about(finding, plan)), _share)
            alike = f"{share_text(ends[0]['value'])} in every group"
            said.append(f"{lead}: {alike if ends[0]['value'] == ends[1]['value'] else f'{high}, {low}{between}'}.")
    return " ".join(said)


def errors_chip(finding: ErrorsFinding) -> Chip:
    """Return what the data support about both errors: the stronger claim of a gap; alike only where both are."""
    errors = finding.errors
    if errors is not None and errors.repeats_decision:
        return NOTHING_TO_COMPARE
    read = [] if errors is None else [_reading(finding, errors, metric) for metric in LEADS]
    found = {"too_few_to_tell" if each is None else each[1].verdict for each in read}
    return next((chip for verdict, chip in _CHIPS.items() if verdict in found), CANNOT_TELL)


def errors_chips(answer: CheckFinding | AmountFinding, judged: Sequence[ErrorsFinding]) -> tuple[Chip, ...]:
    """Return what stands beside the chips of an answer: clear gaps in the errors made among the same rows."""
    clear = [
        found
        for found in judged
        if found.errors is not None and found.errors.where == answer.result.where and errors_chip(found) == CLEAR_GAP
    ]
    names = dict.fromkeys(brief.shorten(", ".join(found.plan.by)) for found in clear)
    return (Chip(f"{CLEAR_GAP.text} in errors by {' and by '.join(names)}", CLEAR_GAP.sort),) if names else ()


def row_noun(plan: AuditPlan) -> str:
    """Return what is known or not of a row, for sentences: "decision", "outcome" or "amount"."""
    return "outcome" if plan.decision_is_outcome else plan.decision.kind.noun


def outcome_alone_sentence(plan: AuditPlan, *, where: str = "stands under Errors") -> str:
    """Say that the decision is compared itself, and where its prediction or score is; empty where there is none."""
    judged = plan.prediction or plan.score
    if judged is None or not plan.decision_is_outcome:
        return ""
    by = quote(judged.column, limit=LONGEST_MEANING)
    return f"The outcome itself is compared here; how {by} treats the groups {where}."


def held_against_decision_sentence(plan: AuditPlan) -> str:
    """Say that errors are held against a decision, where it is not what happened; empty where it is."""
    if plan.decision_is_outcome:
        return ""
    column = quote(plan.decision.column, limit=LONGEST_MEANING)
    return f"{column} is what somebody decided, not what happened: an error here is another answer than that decision."


def predicted_sentence(plan: AuditPlan) -> str:
    """Say where which outcome is predicted; empty where nothing is."""
    prediction, score = plan.prediction, plan.score
    if prediction is not None:
        values = " or ".join(map(quote, map(str, prediction.favorable)))
        when = prediction.favorable_when or f"{prediction.column} is {values}"
        return f"The good outcome is predicted where {brief.shorten(when, LONGEST_RULE)}."
    if score is None or score.cut is None:
        return ""
    outcome = "good" if score.higher_is_favorable else "bad"
    column = brief.shorten(score.column, LONGEST_MEANING)
    return f"The {outcome} outcome is predicted from {column} {score.cut:,.15g} on."


def metric_meaning(metric: str, errors: ErrorComparison) -> str:
    """Say in plain words what a rate is a share of."""
    return f"{MEANINGS[metric]} Positive means: {errors.positive_meaning}."


def _known(errors: ErrorComparison, metric: str) -> pd.DataFrame:
    return errors.intervals[errors.intervals["metric"] == metric].dropna(subset=["value", "n"])


def _compared(errors: ErrorComparison, metric: str) -> pd.DataFrame:
    """Return the rates that are shares of enough rows; where two others are left, without groups that are not known."""
    rows = _known(errors, metric)
    rows = rows[rows["n"] >= ENOUGH]
    known = rows[~rows["group"].map(lambda name: is_no_group(str(name)))]
    return known if len(known) > 1 else rows


def _ends(errors: ErrorComparison, metric: str) -> tuple[pd.Series, pd.Series] | None:
    """Return the groups with the highest and the lowest rate of those that are compared; None where there are few."""
    rows = _compared(errors, metric)
    if len(rows) < 2:
        return None
    values = rows["value"].astype(float)
    return rows.loc[values.idxmax()], rows.loc[values.idxmin()]


def _asked_about(finding: ErrorsFinding, plan: AuditPlan) -> tuple[str, ...]:
    """Return the groups of one column that the questions of an audit call protected, by their values."""
    found: dict[str, None] = {}
    if len(finding.plan.by) > 1:
        return ()
    for check in plan.checks:
        try:
            listed = Condition.parse(check.protected, finding.plan.by).listed
        except ConditionError:
            # Other columns say who is protected.
            continue
        found |= dict.fromkeys(value_text(value) for value in (listed[1] if listed else ()))
    return tuple(found)


def _rows_between(errors: ErrorComparison, metric: str, asked: Sequence[str]) -> list[pd.Series]:
    """Return the rates of groups that were asked about and are not furthest apart, where they rest on enough rows."""
    rows, ends = _known(errors, metric), _ends(errors, metric)
    named = {row["group"] for row in ends or ()}
    fitting = rows[rows["group"].isin(asked) & ~rows["group"].isin(named) & (rows["n"] >= ENOUGH)]
    return [row for _, row in fitting.iterrows()][:MOST_NAMED]


def _between(rows: Sequence[pd.Series], write: Callable[[pd.Series], str]) -> str:
    return f", between them {listed([write(row) for row in rows])}" if rows else ""


def _n_compared(errors: ErrorComparison, metric: str) -> int:
    return len(_compared(errors, metric))


def _reading(
    finding: ErrorsFinding, errors: ErrorComparison, metric: str
) -> tuple[list[pd.Series], RatesReading] | None:
    """Return the groups that are compared and how a rate differs between them; None where there are too few.

    Both errors are asked about, so a gap in either is claimed at half of the error that is allowed.
    """
    compared = [row for _, row in _compared(errors, metric).iterrows()]
    if len(compared) < 2:
        return None
    wrong = [round(row["value"] * row["n"]) for row in compared]
    n = [int(row["n"]) for row in compared]
    limit = finding.plan.tolerance
    return compared, compare_rates(wrong, n, tolerance=limit, confidence=errors.confidence, questions=len(LEADS))


def _extremes(
    finding: ErrorsFinding,
    errors: ErrorComparison,
    metric: str,
    lead: str,
    asked: Sequence[str],
    *,
    in_short: bool = False,
) -> str | None:
    ends, read = _ends(errors, metric), _reading(finding, errors, metric)
    if ends is None or read is None:
        return None
    high, low = ends
    if high["value"] == low["value"]:
        return f"{lead}: {share_text(high['value'])} in every group."
    verdict = _verdict(finding, errors, *read)
    n_groups = len(read[0])
    picked = f" (the furthest apart of {n_groups} groups)" if n_groups > 2 else ""
    if in_short:
        return f"{lead}: shares of {count_text(high['n'])} and {count_text(low['n'])} rows{picked}. {verdict}"
    between = _between(_rows_between(errors, metric, asked), _group)
    return f"{lead}: most often {_group(high)}, least often {_group(low)}{picked}{between}. {verdict}"


def _verdict(finding: ErrorsFinding, errors: ErrorComparison, compared: Sequence[pd.Series], read: RatesReading) -> str:
    """Say what all groups together support, and between which two it is clearest."""
    many, limit = len(compared) > 2, tolerance_text(finding.plan.tolerance)
    what = f"The differences between {len(compared)} groups" if many else "The difference"
    could, are = ("could", "are") if many else ("could", "is")
    tested = f" ({p_text(read.p_value)} for one rate in all)" if many else ""
    if read.verdict == "too_few_to_tell":
        return f"{what} {could} be chance{tested}."
    if read.verdict == "no_gap_above_tolerance":
        level = confidence_text(max(2 * errors.confidence - 1, 0.0))
        span = interval_text(read.widest.equivalence_interval)
        widest = "the widest is" if many else "it is"
        return f"All differences that fit the data are within {limit} ({level} interval; {widest} {span})."
    said = f"{what} {are} larger than chance would explain{tested}."
    if read.apart and many:
        first, more = read.apart[0], len(read.apart) - 1
        others = f", and in {more:,} other pair{'s' * (more > 1)}" if more else ""
        what = f"beyond the tolerance of {limit}" if read.verdict == "clear_gap" else "clear"
        return (
            f"{said} That is {what} between {_group(compared[first.high])} and {_group(compared[first.low])}{others}."
        )
    if read.verdict == "clear_gap":
        return f"{said} All that fits the data is beyond the tolerance of {limit}."
    return f"{said} Whether {'any is' if many else 'it is'} beyond the tolerance of {limit} is open."


def _left_out(errors: ErrorComparison, metric: str) -> str:
    rows = _known(errors, metric)
    names = [brief.short(name) for name in rows.loc[rows["n"] < ENOUGH, "group"]]
    if not names:
        return ""
    if len(names) > MOST_NAMED:
        which = f"{len(names)} groups"
    else:
        which = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return f"Left out, as the rate is a share of fewer than {ENOUGH} rows there: {which}."


def _group(row: pd.Series) -> str:
    return f"{brief.group(row['group'])} ({share_text(row['value'])} of {count_text(row['n'])})"


def _share(row: pd.Series) -> str:
    return f"{brief.group(row['group'])} {share_text(row['value'])}"
