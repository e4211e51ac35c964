"""Retraining on changed decisions, as a remedy of an audit."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier

from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Remark
from fairaudit.errors import FairauditError, GroupError, require
from fairaudit.estimators.models import default_threshold, scores_of
from fairaudit.estimators.relabel_search import Reach, reach
from fairaudit.estimators.relabeling import RelabeledClassifier, add_group_columns
from fairaudit.events import Progress
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.processes import ONE_THREAD
from fairaudit.remedies.plain.fit import iter_before
from fairaudit.remedies.relabel.details import PATH, PLACES, RelabelDetails, is_all_there_is, no_more
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.study.cautions import group_warnings, model_warnings
from fairaudit.study.fitting import (
    FITTED,
    JUDGING,
    SILENCE,
    TOTAL,
    Baseline,
    Fit,
    FittedRemedy,
    Known,
    StagedRun,
    judged,
    new_model,
    plain_answers,
    threshold_within,
    wish_before,
)
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.rows import Study
from fairaudit.study.yardsticks import asked_rows

FEWEST_TUNING = 10
"""Tuning rows of either group in the filter, below which nothing is searched for."""

PLAIN_FITTED = 20
"""Steps of `TOTAL` that are done when the retraining itself begins."""


def iter_relabel(study: Study, remedy: RelabelPlan, name: str, known: Known) -> Fit:
    """Retrain on relabelled rows; before is a plain model of the kind that says which labels to change."""
    rows = study.split.learning
    _check_both_sides(study)
    sees = study.group_in_features
    target = search_target(study, remedy)
    course = StagedRun()
    before = yield from iter_before(study, remedy.risk_model, known, course, end=PLAIN_FITTED)
    classifier = RelabeledClassifier(
        remedy.algorithm,
        risk_model=new_model(study, remedy.risk_model),
        final_model=new_model(study, remedy.final_model),
        threshold=remedy.threshold,
        random_state=study.seed,
        target_gap=target,
        **({} if remedy.weighs(group_in_features=sees) else {"gap_step": 0.0}),
    )
    who = {"sensitive_features": study.protected[rows], "population": study.population[rows]}
    if target is not None:
        who["tuning"] = np.isin(rows, study.split.tune)
    events = classifier.iter_fit(_features(study, remedy, rows), study.y[rows], **who)
    model = yield from course.part(events, start=PLAIN_FITTED, end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    held, tune = (_features(study, remedy, part) for part in (study.split.held_out, study.split.tune))
    keeps, threshold, decides = None, None, model
    if remedy.no_group_worse_off:
        keeps = wish_before(study, asked_rows(study), before.learning)
        threshold = threshold_within(study, keeps, scores_of(model, tune), default_threshold(model))
        decides = FixedThresholdClassifier(FrozenEstimator(model), threshold=threshold, pos_label=1)
    risk = scores_of(model.risk_model_, held)
    after = Judged(np.asarray(decides.predict(held), dtype=np.int64), scores_of(model.final_model_, held))
    # Other divisions only repeat the figures of the remedy itself.
    reached = None if sees or study.number else reach_of(study)
    details = replace(
        relabel_details(study, model, threshold),
        places=_places(study, remedy, before, after, decides),
        reachable=None if reached is None else reached.accuracy_within,
        reachable_before=None if reached is None else reached.accuracy,
    )
    warnings = (
        *group_warnings(study),
        *_warnings(study, remedy, details),
        *model_warnings(before.model, before.held_out.prediction, what="model before"),
        *model_warnings(model.risk_model_, (risk >= remedy.threshold).astype(np.int64), what="first model"),
        *model_warnings(model.final_model_, after.prediction),
    )
    return judged(
        study,
        remedy,
        name,
        before,
        FittedRemedy(decides, after, np.asarray(decides.predict(tune), dtype=np.int64)),
        keeps=keeps,
        details=details,
        warnings=warnings,
    )


def search_target(study: Study, remedy: RelabelPlan) -> float | None:
    """Return the gap on the tuning rows that a search is to reach; None where there is none."""
    tune = study.split.tune
    inside, protected = study.population[tune], study.protected[tune]
    if (
        not remedy.searches(group_in_features=study.group_in_features)
        or min((inside & protected).sum(), (inside & ~protected).sum()) < FEWEST_TUNING
    ):
        return None
    return study.models.tolerance / 2 if remedy.target_gap is None else remedy.target_gap


def reach_of(study: Study) -> Reach | None:
    """Return what a simple model of the features reaches on the tuning rows, before anything is relabelled."""
    with SILENCE, ONE_THREAD, suppress(FairauditError):
        return _reach(study)
    return None


def _reach(study: Study) -> Reach | None:
    return reach(
        study.X,
        study.y,
        study.protected,
        study.population,
        learning=study.split.train,
        tuning=study.split.tune,
        target=study.models.tolerance,
        make=partial(new_model, study),
    )


def _places(study: Study, remedy: RelabelPlan, before: Baseline, after: Judged, decides: Any) -> pd.DataFrame:
    """Return the gaps on the held-out rows inside the filter, and outside of it where there are both groups."""
    found = []
    for place, rows in (("inside", study.split.held_out), ("outside", study.split.others)):
        protected = study.protected[rows]
        sizes = [int(protected.sum()), int((~protected).sum())]
        if not min(sizes):
            continue
        if place == "inside":
            decided = (before.held_out.prediction, after.prediction)
        else:
            decided = (
                plain_answers(before.model, study.X.iloc[rows])[0],
                decides.predict(_features(study, remedy, rows)),
            )
        gaps = (values[protected].mean() - values[~protected].mean() for values in (study.y[rows], *decided))
        found.append((place, *sizes, *map(float, gaps)))
    return pd.DataFrame(found, columns=list(PLACES))


def _warnings(study: Study, remedy: RelabelPlan, details: RelabelDetails) -> tuple[str, ...]:
    """Say what makes retraining on changed decisions doubtful."""
    found: list[str] = []
    sees = study.group_in_features
    unseen = [] if sees else [say(Message("retrain-unseen"))]
    if not remedy.searches(group_in_features=sees):
        found += [Remark(text, "setting") for text in unseen]
    elif details.target is None:
        # That there are so few is made of counts.
        found += [*unseen, say(Message("retrain-search-few"))]
    if is_all_there_is(details):
        found.append(say(no_more(details)))
    if min(details.n_protected, details.n_reference) < ENOUGH:
        found.append(say(Message("retrain-few", {"n": Count(ENOUGH)})))
    if details.extent == 0 and abs(details.gap_after) > 1 / details.n_protected:
        found.append(say(Message("retrain-tied")))
    if details.direction == "lowered":
        found.append(say(Message("retrain-lowered")))
    if remedy.changes_model:
        found.append(Remark(say(Message("retrain-other-model")), "setting"))
    if remedy.final_model == "logistic_regression":
        found.append(Remark(say(Message("retrain-linear")), "setting"))
    return tuple(found)


def _features(study: Study, remedy: RelabelPlan, rows: NDArray[np.int64]) -> pd.DataFrame:
    """Return the features of some rows, with the group as a column where they reveal it anyway."""
    X = study.X.iloc[rows]
    if not remedy.adds_columns(group_in_features=study.group_in_features):
        return X
    return add_group_columns(X, protected=study.protected[rows], population=study.population[rows])


def relabel_details(study: Study, model: RelabeledClassifier, threshold: float | None = None) -> RelabelDetails:
    """Return what relabelling did, and the threshold that was chosen for the final model, if any."""
    found = require(model.relabeling_)
    rows = study.split.learning[model.relabel_index_]
    labels = pd.DataFrame({"group": study.groups[rows], "label": found.labels_before, "flipped": found.flipped})
    labels = labels[study.population[rows]]
    labels["group"] = pd.Categorical(labels["group"], categories=study.group_names)
    flipped = labels.groupby(["group", "label"], observed=True)["flipped"].agg(n="size", n_flipped="sum").reset_index()
    return RelabelDetails(
        n_risk=len(study.split.train if model.search_ else study.split.learning) - len(rows),
        n_relabeled=len(rows),
        n_protected=found.n_protected,
        n_reference=found.n_reference,
        n_flipped=found.n_flipped,
        direction=found.direction,
        risk_shift=found.risk_shift,
        gap_before=found.gap_before,
        gap_after=found.gap_after,
        flipped=flipped.astype({"group": object}),
        path=_path(model),
        places=pd.DataFrame(columns=list(PLACES)),
        extent=model.extent_,
        target=model.target_gap,
        n_epochs=getattr(model.final_model_[-1], "n_epochs_", None),
        stopped=model.status_ == "stopped",
        weight_ratio=model.weight_ratio_,
        threshold=threshold,
    )


def _path(model: RelabeledClassifier) -> pd.DataFrame:
    """Return what was tried, the least change first."""
    names = [name for name in PATH if name != "chosen"]
    frame = pd.DataFrame([[getattr(one, name) for name in names] for one in model.search_], columns=names)
    return frame.assign(chosen=frame["extent"] == model.extent_).sort_values("extent", ignore_index=True)


def _check_both_sides(study: Study) -> None:
    """Refuse rows to learn from that cannot be halved so that both halves hold the protected group and the rest."""
    rows = study.split.learning
    protected, population, y = study.protected[rows], study.population[rows], study.y[rows]
    sides = {
        "protected rows": protected & population,
        "rows of everyone else": ~protected & population,
        "rows with the favourable result": y == 1,
        "rows without the favourable result": y == 0,
    }
    for what, mask in sides.items():
        if mask.sum() < 2:
            raise GroupError(
                f"Retraining needs at least 2 {what} to learn from, and there are {int(mask.sum())}.",
                uncounted=f"Retraining needs at least 2 {what} to learn from, and there are fewer.",
                hint="Bring more rows, or choose a wider filter.",
            )
