"""Simple answers, beside which every remedy is judged: one answer for all, and a plain model cut anew.

They are chosen on the tuning rows, to keep to what the remedy is to keep to, or to no larger gaps than its own where
that is already ahead of it. They are judged on the held-out rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints import TOP, ConstrainedRows, FairnessSpec
from fairaudit.estimators.models import default_threshold, scores_of
from fairaudit.estimators.thresholds import ThresholdProblem
from fairaudit.findings import REST
from fairaudit.measure.limits import SLACK
from fairaudit.measure.rates import METRIC_PARTS
from fairaudit.plan.models import MODEL_WORDS
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.judging.results import Yardstick
from fairaudit.study.rows import Study

WEIGHTS = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Fairness weights at which thresholds by group are tried."""

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PlainScore:
    """A score without a remedy, of a plain model or of the data, and where it is cut.

    Shapes: `tuning` (n_tune,), `held_out` (n_held_out,).
    """

    name: str
    threshold: float
    tuning: Floats
    held_out: Floats
    learner: str | None = None
    """What was fitted, as in a plan; None for a score of the data."""

    @classmethod
    def of(cls, study: Study, name: str, model: Any, learner: str) -> Self:
        """Let a plain model score the tuning and the held-out rows."""
        tuning, held_out = (scores_of(model, study.X.iloc[rows]) for rows in (study.split.tune, study.split.held_out))
        return cls(name, default_threshold(model), tuning, held_out, learner)


@dataclass(frozen=True, eq=False)
class _Answer:
    """What one of them says.

    Shapes: `tuning` (n_tune,), `held_out` (n_held_out,).
    """

    kind: str
    name: str
    tuning: Labels
    held_out: Labels
    score: Floats | None = None
    threshold: float | None = None
    learner: str | None = None


@dataclass(frozen=True, eq=False)
class Wish:
    """What a remedy is to keep alike, on the tuning rows: answers are measured by the worst gap over its limit."""

    study: Study
    rows: ConstrainedRows
    held_out: ConstrainedRows
    states_limit: bool

    @classmethod
    def of(cls, study: Study, rows: ConstrainedRows | None) -> Self:
        """Take the tuning and the held-out rows of what is to be kept alike, see :func:`asked_rows`."""
        asked, states_limit = asked_rows(study, rows), rows is not None and bool(rows.constraints)
        tune, held_out = (_defined(asked.take(part)) for part in (study.split.tune, study.split.held_out))
        return cls(study, tune, held_out, states_limit)

    def words(self, *, own: bool) -> str:
        """Return what is to be kept alike; `own` says that the remedy does not, so that its own gaps are the limit."""
        by_limit: dict[str, dict[str, None]] = {}
        for spec in self.rows.specs:
            assert spec.max_difference is not None  # noqa: S101 - with a floor, it follows from that
            size = 100 * spec.max_difference
            in_points = "1 point" if size == 1 else f"{size:.6g} points"
            apart = f"at most {in_points if spec.measure.name in METRIC_PARTS else f'{spec.max_difference:g}'} apart"
            if spec.floor is not None:
                apart = f"with at least {spec.floor * 100:.6g}\N{NO-BREAK SPACE}% each"
            by_limit.setdefault("no further apart than this remedy" if own else apart, {})[spec.measure.words] = None
        return " and ".join(f"the groups {apart} in the {' and the '.join(names)}" for apart, names in by_limit.items())

    def excesses(self, h: Labels) -> Floats:
        """Return the largest gap in each metric over its limit: at most 1 where it is kept, infinite where undefined.

        Shapes: `h` (n_tune,), 1 where the good outcome is predicted; returns (n_specs,).
        """
        return self._ratios(self.rows, h)

    def holds_in_test(self, h: Labels, remedy: Labels) -> bool:
        """Say whether on the held-out rows gaps are no larger than those of a remedy, and within a stated limit.

        Shapes: `h`, `remedy` (n_held_out,), 1 where the good outcome is predicted.
        """
        own, other = (self._ratios(self.held_out, each) for each in (h, remedy))
        most = np.minimum(other, 1.0) if self.states_limit else other
        return bool((np.isfinite(own) & (own <= most + SLACK)).all())

    def _ratios(self, rows: ConstrainedRows, h: Labels) -> Floats:
        return rows.ratios(self.study.to_positive(h))


def asked_rows(study: Study, rows: ConstrainedRows | None = None) -> ConstrainedRows:
    """Return all rows with what is to be kept alike; of none, the shares of the protected group and the rest are.

    Shapes: `rows` holds all rows of the study, labelled by the outcome that is called positive.
    """
    if rows is not None and rows.constraints:
        return rows
    sides = tuple(np.flatnonzero(study.population & (study.protected == side)) for side in (True, False))
    spec = FairnessSpec("demographic_parity", "group", max(study.models.tolerance, SLACK))
    return ConstrainedRows(study.to_positive(study.y), (spec,), ((study.held_out.words.protected, REST),), (sides,))


def _defined(rows: ConstrainedRows) -> ConstrainedRows:
    """Leave out groups that have none of the rows that a rate is a share of, whoever predicts."""
    needed = {"fpr": (0,), "fnr": (1,), "tpr": (1,), "tnr": (0,)}
    parts = []
    for spec, names, members in zip(rows.specs, rows.names, rows.members, strict=True):
        label = needed.get(spec.measure.name, (0, 1))
        kept = [i for i, group in enumerate(members) if names[i] == TOP or np.isin(rows.y[group], label).any()]
        if len(kept) > 1:
            parts.append((spec, tuple(names[i] for i in kept), tuple(members[i] for i in kept)))
    specs = tuple(spec for spec, _, _ in parts)
    return replace(rows, specs=specs, names=tuple(part[1] for part in parts), members=tuple(part[2] for part in parts))


def yardsticks_of(
    study: Study, wish: Wish, plain: PlainScore | None, tuning: Labels, after: Judged, *, by_group: bool
) -> tuple[Yardstick, ...]:
    """Judge simple rules beside a remedy.

    An answer keeps to the limit where its gaps are within what the remedy is to keep to or, where the remedy itself
    does not, within its own. The best of them is the one that is right most often on the tuning rows. Where none is
    ahead of the remedy at no larger gaps, thresholds are searched that are, and stand beside the others if there are.

    Parameters
    ----------
    study : Study
        The rows.
    wish : Wish
        What the remedy is to keep alike.
    plain : PlainScore, optional
        The score that is cut anew; None where there is none.
    tuning : ndarray of int, shape (n_tune,)
        What the remedy predicts for the tuning rows.
    after : Judged
        What it says of the held-out rows.
    by_group : bool
        Whether the group may be asked, so that each may have a threshold of its own.
    """
    y = study.y[study.split.tune]
    own = wish.excesses(tuning)
    most = np.maximum(own, 1.0)

    def is_ahead(answer: _Answer) -> bool:
        right = [int((each == y).sum()) for each in (answer.tuning, tuning)]
        return right[0] > right[1] and bool((wish.excesses(answer.tuning) <= own).all())

    answers = [*_constant(study)]
    if plain is not None:
        answers += [_cut(plain, plain.threshold, "plain", plain.name), *_shifted(plain, wish, most)]
        answers += _thresholds(study, plain, wish, most) if by_group else ()
        if not any(map(is_ahead, answers)):
            closer = [*_shifted(plain, wish, own), *(_thresholds(study, plain, wish, own) if by_group else ())]
            answers += [
                replace(each, kind=f"{each.kind}_closer", name=f"{each.name}, no further apart than this remedy")
                for each in closer
                if is_ahead(each)
            ]
    kept = [bool((wish.excesses(answer.tuning) <= most).all()) for answer in answers]
    right = [int((answer.tuning == y).sum()) for answer in answers]
    best = max((i for i, keeps in enumerate(kept) if keeps), key=right.__getitem__, default=None)
    found = []
    for i, answer in enumerate(answers):
        evaluation = study.held_out.evaluate(answer.name, answer.held_out, answer.score)
        found.append(
            Yardstick(
                kind=answer.kind,
                name=answer.name,
                limit=wish.words(own=bool(most.max(initial=1.0) > 1)),
                keeps_limit=kept[i],
                is_best=i == best,
                is_ahead=is_ahead(answer),
                measures=evaluation.measures,
                fairness=evaluation.fairness,
                change=study.held_out.accuracy_change(Judged(answer.held_out), after),
                threshold=answer.threshold,
                learner=answer.learner,
                evaluation=evaluation,
                holds_in_test=wish.holds_in_test(answer.held_out, np.asarray(after.prediction, dtype=np.int64)),
            )
        )
    return tuple(found)


def _constant(study: Study) -> Iterator[_Answer]:
    """Yield the same answer for everybody that is right more often on the tuning rows."""
    tune, held = study.split.tune, study.split.held_out
    good = int(2 * study.y[tune].sum() >= len(tune))
    name = "the favourable result for everybody" if good else "the favourable result for nobody"
    yield _Answer("constant", name, np.full(len(tune), good), np.full(len(held), good))


def _cut(plain: PlainScore, threshold: float, kind: str, name: str) -> _Answer:
    tuning, held_out = ((score >= threshold).astype(np.int64) for score in (plain.tuning, plain.held_out))
    score = np.where(np.isfinite(plain.held_out), plain.held_out, np.nan)
    return _Answer(kind, name, tuning, held_out, score, float(threshold), plain.learner)


def _model(plain: PlainScore) -> str:
    return MODEL_WORDS[plain.learner or "score"]


def _shifted(plain: PlainScore, wish: Wish, most: Floats) -> Iterator[_Answer]:
    """Yield the plain model with the threshold for all that is right most often within limits, if it is another.

    Shapes: `most` (n_specs,), gaps over what is to be kept.
    """
    known = np.isfinite(plain.tuning)
    # A row without a score comes below all others.
    score = np.where(known, plain.tuning, plain.tuning[known].min(initial=0.0) - 1)
    favorable = wish.study.positive_is_good
    cuts = CommonCuts.of(score if favorable else -score, wish.rows.y)
    ratios = wish.rows.ratios_of_cuts(cuts)
    thresholds = cuts.thresholds if favorable else np.nextafter(-cuts.thresholds, np.inf)
    right = cuts.everybody.accuracy
    # The first and the last cut are the same answer for everybody.
    kept = () if ratios is None else np.flatnonzero(np.all(ratios <= most[:, None], axis=0)[1:-1]) + 1
    if len(kept):
        nearest = -np.abs(thresholds[kept] - plain.threshold)
        best = kept[np.lexsort((nearest, right[kept]))[-1]]
        same = plain.tuning >= plain.threshold
        if not np.array_equal(plain.tuning >= thresholds[best], same):
            yield _cut(plain, float(thresholds[best]), "shifted", f"{_model(plain)} with another threshold for all")


def _thresholds(study: Study, plain: PlainScore, wish: Wish, most: Floats) -> Iterator[_Answer]:
    """Yield the plain model with a threshold for each group that is right most often within limits.

    Shapes: `most` (n_specs,), gaps over what is to be kept.
    """
    tune, held = study.split.tune, study.split.held_out
    y = study.y[tune]
    known = np.isfinite(plain.tuning) & study.compared[tune]
    sizes = pd.crosstab(study.groups[tune][known], y[known])
    if sizes.shape[0] < 2 or sizes.shape[1] < 2 or not sizes.to_numpy().all():
        return
    problem = ThresholdProblem.from_rows(y[known], plain.tuning[known], study.groups[tune][known])
    best, chosen = -1.0, None
    for weight in WEIGHTS:
        by_group = dict.fromkeys(study.group_names, plain.threshold) | problem.best(weight).by_group
        tuning, held_out = (
            (score >= np.array([by_group[group] for group in study.groups[rows]])).astype(np.int64)
            for rows, score in ((tune, plain.tuning), (held, plain.held_out))
        )
        if (right := float((tuning == y).mean())) > best and (wish.excesses(tuning) <= most).all():
            best, chosen = right, (tuning, held_out)
    if chosen is not None:
        tuning, held_out = chosen
        yield _Answer("by_group", f"{_model(plain)} with a threshold for each group", tuning, held_out)
