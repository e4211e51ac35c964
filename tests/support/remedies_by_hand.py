"""Findings of remedies made from counts: what a run would return for them, without fitting anything."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from constraints_by_hand import SPECS, constrain_details
from findings_by_hand import fairness
from rules_by_hand import RULES, rules_details

from fairaudit.audit.result import AuditResult
from fairaudit.columns import Source
from fairaudit.findings import Group, Message, Phrase
from fairaudit.findings.names import Names
from fairaudit.measure.intervals import wilson
from fairaudit.measure.rates import PARTS, gaps_from_counts, metrics_from_counts
from fairaudit.measure.results import ErrorComparison, Interval
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.data import DataFacts
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.details import EqualizeDetails
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.remedies.relabel.details import PATH, PLACES, RelabelDetails
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.details import ThresholdDetails
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.changes import RATES
from fairaudit.study.judging.results import MEASURES, Change, Evaluation, GroupChange, Measured, Standing, Yardstick

NAMES = Names(
    protected=Group("people who are not white"), others=Group("white people"), verb=Phrase("earned more than 50K")
)
GROUPS = ("race <> 'White'", "the rest")
BEFORE = ((45, 18, 427, 35), (1900, 700, 5944, 700))
AFTER = ((62, 69, 376, 18), (1890, 690, 5954, 710))
"""tp, fp, tn, fn of each group on the held-out rows: 525 and 9,244."""


def errors(counts=BEFORE, groups=GROUPS) -> ErrorComparison:
    made = _errors(tuple(tuple(int(n) for n in cells) for cells in counts), tuple(groups))
    frames = {name: getattr(made, name).copy() for name in ("counts", "metrics", "intervals", "gaps")}
    return replace(made, **frames)


@cache
def _errors(counts: tuple, groups: tuple) -> ErrorComparison:
    frame = pd.DataFrame(list(counts), columns=["tp", "fp", "tn", "fn"])
    frame.insert(0, "group", list(groups))
    frame["unknown"] = 0
    metrics = metrics_from_counts(frame)
    rows = []
    for metric, (top, bottom) in PARTS.items():
        k, n = frame[list(top)].sum(axis=1).to_numpy(), frame[list(bottom)].sum(axis=1).to_numpy()
        low, high = wilson(k, n)
        values = np.divide(k, n, out=np.full(len(k), np.nan), where=n > 0)
        rows += [
            {"group": group, "metric": metric, "value": values[i], "n": int(n[i]), "low": low[i], "high": high[i]}
            for i, group in enumerate(groups)
        ]
    gaps = gaps_from_counts(frame)
    intervals = pd.DataFrame(rows)
    return ErrorComparison(
        tuple(groups), "favorable", "income is >50K", frame, metrics, intervals, gaps, 0.95, None, ()
    )


def evaluation(name: str, counts=BEFORE, groups=GROUPS, *, where="education_num > 10") -> Evaluation:
    judged = errors(counts, groups)
    cells = np.array(counts)
    protected, rest = cells[0], cells[1:].sum(axis=0)
    total = cells.sum(axis=0)
    n = int(total.sum())
    fair = fairness(
        int(protected[0] + protected[1]), int(protected.sum()), int(rest[0] + rest[1]), int(rest.sum()), where=where
    )
    gap_of = {row.metric: row.difference for row in judged.gaps.itertuples()}
    values: dict[str, Any] = {
        "accuracy": (total[0] + total[2]) / n,
        "balanced_accuracy": (total[0] / (total[0] + total[3]) + total[2] / (total[1] + total[2])) / 2,
        "auc": 0.874,
        "gap": abs(fair.difference),
        "selection_gap": gap_of["selection_rate"],
        "tpr_gap": gap_of["tpr"],
        "fpr_gap": gap_of["fpr"],
        "odds_gap": max(gap_of["tpr"], gap_of["fpr"]),
        "fdr_gap": gap_of["fdr"],
        "for_gap": gap_of["for_"],
    }
    measures = tuple(
        Measured(name, float(values[name]), Interval(float(values[name]) - 0.011, float(values[name]) + 0.011))
        for name in MEASURES
    )
    return Evaluation(name, n, measures, judged, fair, predictions(name, counts))


def predictions(name: str, counts=BEFORE) -> np.ndarray:
    """Return what a model predicts for the rows of :func:`people`: for whom depends on its name."""
    rng = np.random.default_rng(list(name.encode()))
    parts = [(said, n - said) for tp, fp, tn, fn in counts for said, n in ((tp, tp + fn), (fp, fp + tn))]
    return np.concatenate([rng.permutation(np.repeat([1, 0], part)) for part in parts])


def people(counts=BEFORE, groups=GROUPS) -> pd.DataFrame:
    """Return who is held out: of each group those with the good outcome, then the others; the first is protected."""
    n = [size for tp, fp, tn, fn in counts for size in (tp + fn, fp + tn)]
    group = np.repeat(np.repeat(np.array(groups, dtype=object), 2), n)
    good = np.repeat([True, False] * len(groups), n)
    return pd.DataFrame({"group": group, "protected": group == groups[0], "inside": True, "good": good})


def changes(before: Evaluation, after: Evaluation, half: float = 0.013) -> tuple[Change, ...]:
    found = []
    for measure in MEASURES:
        was, now = (one.measure(measure).value for one in (before, after))
        pair: tuple[str, ...] = ()
        if measure == "gap":
            was, now = (one.fairness.difference for one in (before, after))
            pair = (GROUPS[0], "the rest")
        elif measure in RATES:
            rates = [one.errors.metrics[RATES[measure]].to_numpy() for one in (before, after)]
            was, now = (own[0] - own[1] for own in rates)
            pair = before.errors.groups[:2]
        if measure != "odds_gap":
            interval = Interval(now - was - half, now - was + half)
            found.append(Change(measure, was, now, now - was, interval, *pair))
    return tuple(found)


def yardstick(kind: str, counts=BEFORE, *, gained=(0.01, 0.002, 0.018), **options) -> Yardstick:
    """Return a simple answer; `gained` is the accuracy that the remedy has more, and its interval."""
    judged = evaluation(f"the {kind} answer", counts)
    difference, low, high = gained
    accuracy = judged.measure("accuracy").value
    change = Change("accuracy", accuracy, accuracy + difference, difference, Interval(low, high))
    values: dict[str, Any] = {
        "name": judged.name,
        "keeps_limit": True,
        "limit": "shares at most 5 points apart",
        "is_best": False,
        "is_ahead": False,
        "change": change,
    }
    values |= {"measures": judged.measures, "fairness": judged.fairness, "evaluation": judged, "holds_in_test": True}
    return Yardstick(kind=kind, **(values | options))


def group_change(group: str, standing: Standing, before: float, after: float, **options) -> GroupChange:
    """Return how a group's share of good outcomes changed."""
    values: dict[str, Any] = {
        "rate": "good_outcomes",
        "rate_words": "share of good outcomes",
        "more_is_better": True,
        "n": 525,
        "difference": after - before,
        "interval": Interval(after - before - 0.02, after - before + 0.02),
        "n_lost": 12,
    }
    return GroupChange(group=group, standing=standing, before=before, after=after, **(values | options))


def facts(groups=GROUPS, **options) -> StudyFacts:
    values: dict[str, Any] = {
        "plan": ModelsPlan(
            features=("age", "education_num", "hours_per_week", "race"),
            protected="race <> 'White'",
            where="education_num > 10",
        ),
        "features": ("age", "education_num", "hours_per_week", "race"),
        "protected_features": ("race",),
        "groups": tuple(groups),
        "group_columns": (),
        "positive_meaning": "income is >50K",
        "protected_words": "race is not White",
        "where_words": "education_num is more than 10",
        "names": NAMES,
        "n_rows": 48842,
        "n_undecided": 0,
        "n_train": 29304,
        "n_tune": 9769,
        "n_held_out": 9769,
        "decisions": fairness(80, 525, 2600, 9244, where="education_num > 10"),
        "warnings": (),
        "judged": people() if tuple(groups) == GROUPS else None,
    }
    return StudyFacts(**(values | options))


def relabel_details(**options) -> RelabelDetails:
    flipped = pd.DataFrame(
        [
            ("protected", 1, 249, 0), ("protected", 0, 529, 96), ("the rest", 1, 2452, 0), ("the rest", 0, 3078, 0),
        ],
        columns=["group", "label", "n", "n_flipped"],
    )  # fmt: skip
    values: dict[str, Any] = {
        "n_risk": 19537, "n_relabeled": 19536, "n_protected": 778, "n_reference": 5530, "n_flipped": 96,
        "direction": "raised", "risk_shift": 0.0, "gap_before": -0.1234, "gap_after": 0.0004, "flipped": flipped,
        "path": pd.DataFrame(columns=list(PATH)), "places": pd.DataFrame(columns=list(PLACES)),
        "n_epochs": 40, "weight_ratio": 1.7,
    }  # fmt: skip
    return RelabelDetails(**(values | options))


def roc(groups=GROUPS) -> pd.DataFrame:
    rows = []
    for i, group in enumerate(groups):
        for step in range(41):
            fpr = step / 40
            threshold = math.nan if step == 0 else 1 - fpr
            rows.append({"group": group, "threshold": threshold, "fpr": fpr, "tpr": fpr ** (0.3 + 0.04 * (i % 5))})
    return pd.DataFrame(rows)


def thresholds(groups=GROUPS) -> pd.DataFrame:
    rows = []
    for i, group in enumerate(groups):
        power = 0.3 + 0.04 * (i % 5)
        before, after = 0.08 + 0.03 * (i % 4), 0.12
        rows.append(
            {
                "group": group, "before": 0.5, "after": 0.38 + 0.02 * (i % 6), "tpr_before": before**power,
                "fpr_before": before, "tpr_after": after**power, "fpr_after": after,
                "n_positive": 170 + i, "n_negative": 355 + i,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def threshold_details(groups=GROUPS, **options) -> ThresholdDetails:
    weights = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0)
    sweep = pd.DataFrame(
        {
            "fairness_weight": weights,
            "accuracy": [0.849 - 0.004 * w**0.5 for w in weights],
            "gap": [0.21 / (1 + 3 * w) for w in weights],
        }
    )
    values: dict[str, Any] = {
        "thresholds": thresholds(groups), "roc": roc(groups), "sweep": sweep, "objective": 0.8001,
        "optimal_objective": 0.8001, "accuracy": 0.8451, "gap": 0.045,
    }  # fmt: skip
    return ThresholdDetails(**(values | options))


def distribution(groups=GROUPS) -> pd.DataFrame:
    rows = []
    for model in ("before", "after"):
        for i, group in enumerate(groups):
            for label in (0, 1):
                middle = 0.3 + 0.35 * label + (0.06 * i if model == "before" else 0.004 * i)
                weights = [math.exp(-(((b + 0.5) / 20 - middle) ** 2) / 0.03) for b in range(20)]
                shares = [w / sum(weights) for w in weights]
                rows += [
                    (model, group, label, b / 20, (b + 1) / 20, int(400 * share), share)
                    for b, share in enumerate(shares)
                ]
    return pd.DataFrame(rows, columns=["model", "group", "label", "bin_low", "bin_high", "n", "share"])


def equalize_details(groups=GROUPS, **options) -> EqualizeDetails:
    weights = (0.0, 0.05, 0.1, 0.15, 0.2, 0.5, 1.0)
    sweep = pd.DataFrame(
        {
            "accuracy_weight": weights,
            "accuracy": [0.76 + 0.09 * w**0.25 for w in weights],
            "tpr_gap": [0.01 + 0.12 * w for w in weights],
            "fpr_gap": [0.005 + 0.05 * w for w in weights],
            "threshold": [0.4] * len(weights),
        }
    )
    values: dict[str, Any] = {
        "loss_first": 0.693147, "loss_last": 0.1182, "n_iterations": 212, "smoothing": 0.02, "threshold": 0.4213,
        "distribution": distribution(groups), "sweep": sweep,
    }  # fmt: skip
    return EqualizeDetails(**(values | options))


def remedy(method: str = "relabel", *, before=BEFORE, after=AFTER, groups=GROUPS, half=0.013, **options):
    plain = evaluation("logistic regression, threshold 0.5", before, groups)
    kinds: dict[str, tuple[str, RemedyPlan, Callable[[], object]]] = {
        "plain": ("Logistic regression", PlainPlan(), lambda: None),
        "relabel": (
            "Retrain on changed decisions (logistic regression and perceptron)",
            RelabelPlan(),
            relabel_details,
        ),
        "thresholds": (
            f"{say(Message('remedy-name-thresholds'))}, logistic regression",
            ThresholdsPlan(),
            lambda: threshold_details(groups),
        ),
        "equalize": (say(Message("remedy-name-equalize")), EqualizePlan(), lambda: equalize_details(groups)),
        "constrain": (
            f"Constrained logistic regression ({'; '.join(SPECS)})",
            ConstrainPlan(constraints=SPECS),
            lambda: constrain_details(groups, before, after),
        ),
        "rules": (
            "Rules (equalized odds within 5 points, complexity 15)",
            RulesPlan(),
            lambda: rules_details(groups, after, said=RULES[:2]),
        ),
    }
    name, plan, details = kinds[method]
    if "details" not in options:
        options |= {"details": details()}
    judged = plain if method == "plain" else evaluation(name, after, groups)
    values: dict[str, Any] = {
        "name": name,
        "plan": plan,
        "before": plain,
        "after": judged,
        "changes": () if method == "plain" else changes(plain, judged, half),
        "needs_group": method == "thresholds",
        "uses_protected_features": True,
        "warnings": (),
    }
    return RemedyFinding(**(values | options))


METHODS = ("plain", "relabel", "thresholds", "equalize", "constrain", "rules")


def remedies(methods=METHODS, *, groups=GROUPS, before=BEFORE, after=AFTER, **options) -> RemediesFinding:
    found = tuple(remedy(method, groups=groups, before=before, after=after) for method in methods)
    return RemediesFinding(facts(groups, **({"judged": people(before, groups)} | options)), found)


def plan(remedies_plans=None, *, minimum=None, **options) -> AuditPlan:
    values: dict[str, Any] = {
        "data": DataPlan(source="adult.csv", name="Adult"),
        "decision": OutcomePlan(column="income", favorable=(">50K",)),
        "checks": (CheckPlan(protected="race <> 'White'"),),
        "models": facts().plan,
        "remedies": remedies_plans
        or (
            PlainPlan(),
            RelabelPlan(),
            ThresholdsPlan(),
            EqualizePlan(),
            ConstrainPlan(constraints=SPECS),
            RulesPlan(),
        ),
        "small_cells": SmallCellsPlan() if minimum is None else SmallCellsPlan(mask=True, minimum=minimum),
    }
    return AuditPlan(**(values | options))


@dataclass(frozen=True)
class Counted:
    """The people of an audit without questions, of whom one in five is a test case."""

    counts: pd.DataFrame
    attributes: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()

    def truth_key(self, text: str) -> str:
        return text

    @classmethod
    def of(cls, study: StudyFacts, n_rows: int) -> Counted:
        """Count `n_rows` people; who is more than five times the test cases is one of the largest part."""
        if study.judged is None:
            return cls(pd.DataFrame({"n": [n_rows]}))
        names = {"protected": study.plan.protected, "inside": str(study.plan.where), "good": "decision"}
        sizes = 5 * study.judged.groupby(list(names)).size()
        sizes[sizes.idxmax()] += n_rows - sizes.sum()
        counts = sizes.rename("n").reset_index().rename(columns=names)
        return cls(counts, tuple(names.values())[:2], ("decision",))


def audit(found: RemediesFinding | None = None, *, checks=(), n_rows=48842, **options) -> AuditResult:
    """Return the result of an audit with remedies; `options` are those of :func:`plan`."""
    data = DataFacts("Adult", n_rows, 15, "a" * 64, Source("csv"))
    asked = plan(**({"checks": ()} | options))
    found = found or remedies()
    people = Counted.of(found.facts, n_rows)
    versions = (("fairaudit", "1"),)
    # People who were counted without a table.
    return AuditResult(asked, data, tuple(checks), (), None, versions, found, people=people)  # type: ignore[arg-type]
