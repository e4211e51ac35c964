"""Sentences about the errors of a prediction, shared by pages and report."""

from __future__ import annotations

import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.measure.gaps import ENOUGH
from fairaudit.measure.intervals import newcombe
from fairaudit.measure.results import ErrorComparison
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present import brief
from fairaudit.present.chips import Chip
from fairaudit.present.numbers import count_text, share_text

MEANINGS = {
    "fpr": "Of those who are truly not positive, the share that was predicted positive.",
    "fnr": "Of those who are truly positive, the share that was predicted not positive.",
    "fdr": "Of those predicted positive, the share that is truly not.",
    "for_": "Of those predicted not positive, the share that truly is.",
    "tpr": "Of those who are truly positive, the share that was predicted positive.",
    "tnr": "Of those who are truly not positive, the share that was predicted so.",
    "ppv": "Of those predicted positive, the share that truly is.",
    "npv": "Of those predicted not positive, the share that truly is not.",
    "selection_rate": "The share that was predicted positive.",
    "base_rate": "The share that is truly positive.",
    "accuracy": "The share that was predicted right.",
}
LEADS = ("fpr", "fnr")
HARMED, FAVOURED = "Wrong, against the person", "Wrong, in the person's favour"
NAMES = {"fpr": "false positives", "fnr": "false negatives"}
MOST_NAMED = 3
LONGEST_MEANING = 60
"""So much of the audit's own words for an outcome is repeated in each sentence."""


def _leads(finding: ErrorsFinding, plan: AuditPlan) -> dict[str, str]:
    """Return how a sentence on either error begins: with people, in the words that the audit has for both outcomes.

    Without such words it says whom the error harms: who deserves the good outcome and is predicted not to have it.
    """
    missed, undue = ("fnr", "fpr") if finding.plan.positive == "favorable" else ("fpr", "fnr")
    meanings = [None if part is None else part.meaning for part in (plan.decision, plan.prediction)]
    if None in meanings:
        return {missed: f"{HARMED} ({NAMES[missed]})", undue: f"{FAVOURED} ({NAMES[undue]})"}
    good, predicted = (f"“{brief.whole(meaning, LONGEST_MEANING)}”" for meaning in meanings)
    return {
        missed: f"Of people with the outcome {good}, not {predicted}",
        undue: f"Of people without that outcome, {predicted} all the same",
    }


def errors_sentence(finding: ErrorsFinding, plan: AuditPlan, *, below_headline: bool = False) -> str:
    """Say which groups bear the most false positives and false negatives, and whether chance could explain it.

    Below the headline, which names groups and shares, only the rest is said.
    """
    if finding.errors is None:
        return "There is no prediction to judge."
    leads = _leads(finding, plan)
    if below_headline:
        leads = {metric: brief.capital(NAMES[metric]) for metric in leads}
    said = [_extremes(finding.errors, metric, lead, in_short=below_headline) for metric, lead in leads.items()]
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
    """Say for either error which group bears it most and which least, in few words; empty where none is compared."""
    said, errors = [], finding.errors
    for metric, lead in _leads(finding, plan).items():
        if errors is not None and (ends := _ends(errors, metric)) is not None:
            high, low = (f"{brief.short(row['group'])} {share_text(row['value'])}" for row in ends)
            alike = f"{share_text(ends[0]['value'])} in every group"
            said.append(f"{lead}: {alike if ends[0]['value'] == ends[1]['value'] else f'{high}, {low}'}.")
    return " ".join(said)


def errors_chip(finding: ErrorsFinding) -> Chip:
    """Return "Clear gap" where chance does not explain who bears an error most, else "Cannot tell"."""
    clear = finding.errors is not None and any(_is_clear(finding.errors, metric) for metric in LEADS)
    return Chip("Clear gap", "gap") if clear else Chip("Cannot tell", "open")


def metric_meaning(metric: str, errors: ErrorComparison) -> str:
    """Say in plain words what a rate is a share of."""
    return f"{MEANINGS[metric]} Positive means: {errors.positive_meaning}."


def _known(errors: ErrorComparison, metric: str) -> pd.DataFrame:
    return errors.intervals[errors.intervals["metric"] == metric].dropna(subset=["value", "n"])


def _ends(errors: ErrorComparison, metric: str) -> tuple[pd.Series, pd.Series] | None:
    """Return the groups with the highest and the lowest rate, of those with enough rows; None where there are few."""
    rows = _known(errors, metric)
    rows = rows[rows["n"] >= ENOUGH]
    if len(rows) < 2:
        return None
    values = rows["value"].astype(float)
    return rows.loc[values.idxmax()], rows.loc[values.idxmin()]


def _n_compared(errors: ErrorComparison, metric: str) -> int:
    return int((_known(errors, metric)["n"] >= ENOUGH).sum())


def _is_clear(errors: ErrorComparison, metric: str) -> bool:
    """Say whether the groups furthest apart differ beyond chance, which picks them from all pairs (by Bonferroni)."""
    ends = _ends(errors, metric)
    if ends is None:
        return False
    n_groups = _n_compared(errors, metric)
    confidence = 1 - (1 - errors.confidence) / (n_groups * (n_groups - 1) / 2)
    (wrong, n), (others_wrong, others_n) = ((round(end["value"] * end["n"]), end["n"]) for end in ends)
    return float(newcombe(wrong, n, others_wrong, others_n, confidence)[0]) > 0


def _extremes(errors: ErrorComparison, metric: str, lead: str, *, in_short: bool = False) -> str | None:
    ends = _ends(errors, metric)
    if ends is None:
        return None
    high, low = ends
    if high["value"] == low["value"]:
        return f"{lead}: {share_text(high['value'])} in every group."
    chance = "The difference could be chance."
    if _is_clear(errors, metric):
        chance = "The difference is larger than chance would explain."
    n_groups = _n_compared(errors, metric)
    picked = f" (the furthest apart of {n_groups} groups)" if n_groups > 2 else ""
    if in_short:
        return f"{lead}: shares of {count_text(high['n'])} and {count_text(low['n'])} rows{picked}. {chance}"
    return f"{lead}: most often {_group(high)}, least often {_group(low)}{picked}. {chance}"


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
    return f"{brief.short(row['group'])} ({share_text(row['value'])} of {count_text(row['n'])})"
