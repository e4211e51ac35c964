"""A model that is trained to meet constraints, as a remedy of an audit."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.defaults import ENOUGH
from fairaudit.errors import in_brief
from fairaudit.estimators.constraints import TOP, ConstrainedRows, FairnessSpec, read_specs
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.constraints.constrained_rows import RATIO_DECIMALS
from fairaudit.estimators.constraints.polishing import NoGroupWorseOff
from fairaudit.events import Command, Event, Progress
from fairaudit.findings import Argument, Count, Message, Phrase, Share
from fairaudit.messages import say
from fairaudit.present.naming import listed
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.remedies.constrain.plan import ConstrainPlan, spec_columns
from fairaudit.remedies.constrain.words import MAX_NAMED
from fairaudit.remedies.part import HOLDING
from fairaudit.remedies.plain.fit import iter_before
from fairaudit.remedies.tables import HELD
from fairaudit.study.cautions import chance_warning, group_warnings, model_warnings, similar_warnings
from fairaudit.study.constraint_check import conflict_sentences, limited_rows, strata_of
from fairaudit.study.fitting import (
    FITTED,
    JUDGING,
    TOTAL,
    Fit,
    FittedRemedy,
    Known,
    StagedRun,
    answers_of,
    as_favorable,
    judged,
    new_model,
    unwrap,
)
from fairaudit.study.pair_gaps import gap_table, share_rows
from fairaudit.study.rows import Study

TOLERANCES = {"logistic_regression": 1e-4}
"""How exactly a multiplier is found, by model. Fits of a logistic regression are quick and change smoothly."""

COARSE = 1e-2
"""The same for other models: a fit takes long, and how the gaps of two of them differ below this is chance."""

WIDE = 0.1
"""How far apart shares of people with the outcome may be, were the cases drawn anew, before it is said."""

PLAIN_FITTED = 5
"""Steps of `TOTAL` that are done when the search begins."""


def iter_constrain(study: Study, remedy: ConstrainPlan, name: str, known: Known) -> Fit:
    """Train a model to meet constraints; before is a plain model of the same kind."""
    specs = read_specs(remedy.constraints)
    columns = {column for spec in specs for column in spec_columns(spec, study.sensitive)}
    # Groups are found among all rows, so that they are called the same in each part.
    rows = limited_rows(study, specs, strata_of(study, remedy))
    rows.take(study.split.tune).check_defined("the model is chosen by")
    course = StagedRun()
    # The first model of the search is not quite this one: it learns with weights, all one, which round otherwise.
    before = yield from iter_before(study, remedy.model, known, course, end=PLAIN_FITTED)
    kept = None if course.stopped else before.model
    search = unwrap(known(remedy))
    if search is None:
        events = _events(study, remedy, specs, rows)
        search = yield from course.part(events, start=PLAIN_FITTED, end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    # The model of the search that was tested on new people, or the one for another limit.
    picked = search if remedy.confidence is not None else search.pick(remedy.scale)
    model = as_favorable(study, picked)
    after = answers_of(model, study.X.iloc[study.split.held_out])
    tuned = np.asarray(picked.predict(study.X.iloc[study.split.tune]), dtype=np.int64)
    turned = [study.to_positive(each.prediction) for each in (before.held_out, after)]
    details = constrain_details(study, remedy, rows, picked, *turned)
    warnings = (
        *group_warnings(study),
        *_warnings(rows.take(study.split.tune), tuned, details, study.models.confidence),
        *_spread_warnings(study, picked),
        *similar_warnings(rows),
        *model_warnings(picked.estimator_, after.prediction),
    )
    candidate = judged(
        study,
        remedy,
        name,
        before,
        FittedRemedy(model, after, study.to_favorable(tuned)),
        wish=_at_scale(rows, remedy.scale),
        keeps=_keeps(study, rows, picked) if remedy.no_group_worse_off else None,
        details=details,
        warnings=warnings,
        group_columns=columns,
        certificate=picked.certified_,
    )
    return replace(candidate, plain=kept)


def _warnings(
    rows: ConstrainedRows, h: NDArray[np.int64], details: ConstrainDetails, confidence: float
) -> tuple[str, ...]:
    """Say where a constraint rests on few rows, and where chance decides. Shapes: `h` (n_tune,)."""
    small: list[str] = []
    for spec, groups, members in zip(rows.specs, rows.names, rows.members, strict=True):
        counted = share_rows(spec.measure.name, rows.y, h)
        small += [name for name, group in zip(groups, members, strict=True) if counted[group].sum() < ENOUGH]
    for side in ("first", "second"):
        counts = zip(details.pairs[side], details.pairs[f"n_{side}"], strict=True)
        small += [name for name, n in counts if n < ENOUGH]
    names = [in_brief(name, limit=60) for name in dict.fromkeys(small) if name != TOP]
    found = [chance_warning(rows, h, confidence)]
    if names:
        more = Count(max(len(names) - MAX_NAMED, 0))
        args: dict[str, Argument] = {"groups": Phrase(listed(names[:MAX_NAMED])), "least": Count(ENOUGH), "n": more}
        found.append(say(Message("constrain-few", args)))
    return tuple(text for text in found if text)


def _spread_warnings(study: Study, picked: ConstrainedClassifier) -> tuple[str, ...]:
    """Say where chance decides for how many people the model predicts the outcome."""
    if picked.share_range_ is None:
        return ()
    low, high = picked.share_range_
    if round(high - low, RATIO_DECIMALS) <= WIDE:
        return ()
    args: dict[str, Argument] = {
        "outcome": Phrase(study.facts.positive_meaning),
        "low": Share(low, 0),
        "high": Share(high, 0),
    }
    return (say(Message("constrain-spread", args)),)


def _keeps(study: Study, rows: ConstrainedRows, picked: ConstrainedClassifier) -> NoGroupWorseOff:
    """Return what the search kept to: no group does worse than with its first model."""
    tune = study.split.tune
    first = np.asarray(picked.unconstrained_.predict(study.X.iloc[tune]), dtype=np.int64)
    return NoGroupWorseOff.of(rows.take(tune), first, positive_is_good=study.positive_is_good)


def _at_scale(rows: ConstrainedRows, scale: float) -> ConstrainedRows:
    """Return the rows with the limits that the model was picked for."""
    return replace(rows, specs=tuple(spec.scaled(scale) for spec in rows.specs))


def constrain_details(
    study: Study,
    remedy: ConstrainPlan,
    rows: ConstrainedRows,
    picked: ConstrainedClassifier,
    before: NDArray[np.int64],
    after: NDArray[np.int64],
) -> ConstrainDetails:
    """Return what a search came to on the tuning rows, and its model on the held-out rows.

    Shapes: `before` (n_held_out,), `after` (n_held_out,).
    """
    first, chosen = picked.history_[0], picked.history_[picked.chosen_]
    held = rows.take(study.split.held_out)
    plain, table = (gap_table(held, h, study.models.confidence) for h in (before, after))
    limits = rows.limits
    met = np.round(np.abs(chosen.gaps) / limits, RATIO_DECIMALS) <= 1
    constraints = rows.constraints
    pairs = pd.DataFrame(
        {
            "spec": [str(each.spec) for each in constraints],
            "metric": [each.spec.measure.name for each in constraints],
            "metric_words": [each.spec.measure.words for each in constraints],
            "first": [each.first for each in constraints],
            "second": [each.second for each in constraints],
            "max_difference": limits,
            "multiplier": chosen.multipliers,
            "tuned_before": first.gaps,
            "tuned": chosen.gaps,
            "met": met,
            "n_first": table["n_first"],
            "n_second": table["n_second"],
            "held_out_before": plain["gap"],
            "held_out": table["gap"],
            "low": table["low"],
            "high": table["high"],
            "reading": table["reading"],
        }
    )
    specs = pairs["spec"]
    asked = [each.is_asked for each in constraints]
    pairs, table, met = pairs[asked].reset_index(drop=True), table[asked], met[asked]
    return ConstrainDetails(
        pairs=pairs,
        n_pairs=len(pairs),
        n_pairs_met=int(met.sum()),
        n_pairs_within=int(table["reading"].isin(HELD).sum()),
        feasible=bool(met.all()),
        scale=remedy.scale,
        accuracy_before=first.accuracy,
        accuracy=chosen.accuracy,
        path=_path(picked),
        path_gaps=_path_gaps(picked, specs),
        n_fits=picked.n_fits_,
        threshold=_finite(picked.threshold_),
        constant=_constant(picked),
        notes=picked.notes_,
        # They are known of all people together.
        conflicts=() if remedy.strata else conflict_sentences(study, rows.specs),
        stopped=picked.status_ == "stopped",
    )


def _events(
    study: Study, remedy: ConstrainPlan, specs: tuple[FairnessSpec, ...], limited: ConstrainedRows
) -> Generator[Event, Command | None, None]:
    """Return the search: the training part is learned from, and multipliers are chosen on the tuning part."""
    rows = study.split.learning
    classifier = ConstrainedClassifier(
        new_model(study, remedy.model),
        specs,
        multiplier_tolerance=TOLERANCES.get(remedy.model, COARSE),
        random_state=study.seed,
        no_group_worse_off=remedy.no_group_worse_off,
        second_is_good=study.positive_is_good,
        certify_fraction=0.0 if remedy.confidence is None else "auto",
        confidence=HOLDING if remedy.confidence is None else remedy.confidence,
    )
    return classifier.iter_fit(
        study.X.iloc[rows],
        limited.y[rows],
        sensitive_features=study.sensitive.iloc[rows],
        validation=np.isin(rows, study.split.tune),
        population=study.in_filter[rows],
        strata=None if limited.strata is None else limited.strata[rows],
    )


def _path(picked: ConstrainedClassifier) -> pd.DataFrame:
    fits, places = picked.history_, np.arange(len(picked.history_))
    return pd.DataFrame(
        {
            "fit": [fit.place + 1 for fit in fits],
            "multiplier": [fit.largest_multiplier for fit in fits],
            "threshold": [_finite(fit.threshold) for fit in fits],
            "accuracy": [fit.accuracy for fit in fits],
            "ratio": [fit.ratio for fit in fits],
            "met": [fit.is_met for fit in fits],
            "frontier": np.isin(places, picked.frontier_),
            "picked": places == picked.chosen_,
        }
    )


def _path_gaps(picked: ConstrainedClassifier, specs: pd.Series) -> pd.DataFrame:
    """Return the largest gap of each constraint in each fit; NaN where one of its gaps is undefined."""
    starts = np.flatnonzero(~specs.duplicated())
    largest = np.maximum.reduceat(np.abs([fit.gaps for fit in picked.history_]), starts, axis=1)
    return pd.DataFrame(
        {
            "fit": np.repeat([fit.place + 1 for fit in picked.history_], len(starts)),
            "threshold": np.repeat([_finite(fit.threshold) for fit in picked.history_], len(starts)),
            "spec": np.tile(specs.iloc[starts].to_numpy(), len(picked.history_)),
            "gap": largest.ravel(),
        }
    )


def _finite(threshold: float | None) -> float:
    """Return a threshold as a number of an export: NaN where there is none, or where it is beyond all scores."""
    return math.nan if threshold is None or math.isinf(threshold) else threshold


def _constant(picked: ConstrainedClassifier) -> Literal["", "nobody", "everybody"]:
    """Return whom the outcome is predicted for where the model does not look at the person."""
    if picked.threshold_ is None or math.isfinite(picked.threshold_):
        return ""
    return "nobody" if picked.threshold_ > 0 else "everybody"
