"""A constrained model is judged where it was not chosen, its figures are right, and what is doubtful is said."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from declared_columns import assert_frames_have_their_declared_columns
from study_data import as_loans, biased_loans, drained, loans_plan
from sweeps import part_of

from fairaudit.audit.running import iter_run, run
from fairaudit.audit.trying import iter_remedies, iter_remedy
from fairaudit.errors import GroupError, InputError, MissingColumnError, StoppedError
from fairaudit.events import STOP, Finished, Incumbent, Progress
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.constrain.section import ConstrainSection
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.study.findings import plan_key
from fairaudit.study.rows import Study

# Of fewer rows models are chosen by out-of-fold predictions, and not by the tuning rows.
LOANS = biased_loans(2600)
TABLE = as_loans(LOANS)
ALIKE = ConstrainPlan(constraints=("demographic_parity by sex <= 0.05",))
RATES = {
    "demographic_parity": lambda y, h: h.mean(),
    "error_rate": lambda y, h: (h != y).mean(),
    "fpr": lambda y, h: h[y == 0].mean(),
    "fnr": lambda y, h: (1 - h)[y == 1].mean(),
    "for_": lambda y, h: y[h == 0].mean(),
    "fdr": lambda y, h: (1 - y)[h == 1].mean(),
    "aec(1, 5)": lambda y, h: ((y == 0) & (h == 1)).mean() + 5 * ((y == 1) & (h == 0)).mean(),
    "errors(1, 0.5)": lambda y, h: h[y == 0].mean() + 0.5 * (1 - h[y == 1]).mean(),
}


def study_of(*remedies, table=TABLE, **models) -> Study:
    return Study.of(table, loans_plan(**models).model_copy(update={"remedies": remedies}))


@cache
def tried(remedy, **models):
    return drained(iter_remedy(study_of(remedy, **models), remedy))


@pytest.fixture(scope="module")
def alike():
    """The most accurate model whose shares of good outcomes differ by at most 5 points on the tuning rows."""
    return tried(ALIKE)


# The columns of a study.


def test_a_study_holds_the_columns_that_its_constraints_name_and_reads_others_later():
    study = study_of(
        ConstrainPlan(constraints=('fpr by ["NUMBER < 70", "number >= 70"] <= 0.1', "demographic_parity by sex <= 0.2"))
    )
    assert tuple(study.sensitive.columns) == ("number", "sex")
    more = study.reading(TABLE, ("sex", "area", "area"))
    assert tuple(more.sensitive.columns) == ("number", "sex", "area")
    decided = LOANS[LOANS["granted"].notna()].reset_index(drop=True)
    pd.testing.assert_frame_equal(more.sensitive, decided[["number", "sex", "area"]].astype(more.sensitive.dtypes))
    assert more.reading(TABLE, ("area",)) is more
    assert more.split is study.split and more.held_out is study.held_out
    assert study_of().sensitive.shape == (len(study.y), 0)


def test_other_rows_and_missing_columns_are_not_read():
    study = study_of()
    with pytest.raises(InputError, match="other rows"):
        study.reading(as_loans(LOANS[:500]), ("sex",))
    with pytest.raises(MissingColumnError, match="Did you mean 'area'"):
        study.reading(TABLE, ("arae",))


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        (
            "demographic_parity by sxe <= 0.1",
            "In the constraint 'demographic_parity by sxe <= 0.1': there is no column 'sxe'.\nHint: Did you mean 'sex'?",  # noqa: E501
        ),
        (
            'demographic_parity by ["wieght < 70", "weight >= 70"] <= 0.1',
            "There is no column 'wieght' (at character 1).",
        ),
        (
            'demographic_parity by ["sex < 70", "weight >= 70"] <= 0.1',
            'In the constraint \'demographic_parity by ["sex < 70", "weight >= 70"] <= 0.1\':',
        ),
        ('demographic_parity by ["sex = ", "weight >= 70"] <= 0.1', "In the constraint"),
    ],
)
def test_a_constraint_that_does_not_fit_the_data_is_named(constraint, message):
    remedy = ConstrainPlan(constraints=(constraint,))
    with pytest.raises(InputError) as caught:
        run(loans_plan().model_copy(update={"remedies": (remedy,)}), table=TABLE)
    assert message in str(caught.value)
    assert caught.value.message.count("\n") == 0
    with pytest.raises(InputError, match=re.escape(f"In the constraint '{remedy.constraints[0]}'")):
        drained(iter_remedy(study_of(), remedy))


# What is found.


def test_all_that_is_said_of_a_pair_is_what_the_model_does(alike):
    study, details = study_of(ALIKE), alike.finding.details
    [row] = details.pairs.itertuples()
    sex = study.sensitive["sex"]
    for rows, shown in ((study.split.tune, row.tuned), (study.split.held_out, row.held_out)):
        h = alike.model.predict(study.X.iloc[rows])
        man, woman = ((sex.iloc[rows] == name).to_numpy() for name in ("man", "woman"))
        assert shown == pytest.approx(h[man].mean() - h[woman].mean())
    assert (row.spec, row.metric, row.first, row.second) == (
        "demographic_parity by sex <= 0.05",
        "demographic_parity",
        "man",
        "woman",
    )
    assert (row.n_first, row.n_second) == (man.sum(), woman.sum())
    assert row.tuned_before > 0.1 and row.held_out_before > 0.1
    assert row.met and abs(row.tuned) <= 0.05 == row.max_difference
    assert row.multiplier == alike.model.multipliers_[0] < 0
    assert details.feasible and not details.stopped
    assert (details.n_pairs, details.n_pairs_met) == (1, 1)
    tuned = alike.model.predict(study.X.iloc[study.split.tune])
    assert details.accuracy == pytest.approx((tuned == study.y[study.split.tune]).mean())
    assert (alike.prediction == alike.model.predict(study.X.iloc[study.split.held_out])).all()
    assert not alike.finding.needs_group
    assert alike.finding.before.measure("gap").value > 2 * alike.finding.after.measure("gap").value


def test_before_is_the_plain_model_to_the_last_digit():
    remedies = (ALIKE, PlainPlan())
    for positive in ("favorable", "unfavorable"):
        alike, plain = (tried(remedy, positive=positive) for remedy in remedies)
        assert repr(alike.finding.before.measures) == repr(plain.finding.after.measures)
        held = study_of().X.iloc[study_of().split.held_out]
        assert (alike.plain.predict_proba(held) == plain.model.predict_proba(held)).all()


def test_before_is_the_first_fit_without_multipliers(alike):
    study, details = study_of(ALIKE), alike.finding.details
    plain = alike.model.unconstrained_
    tune, held = study.split.tune, study.split.held_out
    assert details.accuracy_before == pytest.approx((plain.predict(study.X.iloc[tune]) == study.y[tune]).mean())
    h = plain.predict(study.X.iloc[held])
    assert alike.finding.before.measure("accuracy").value == pytest.approx((h == study.y[held]).mean())
    assert not alike.model.history_[0].multipliers.any()


def test_the_columns_of_the_frames_are_those_that_their_fields_declare(alike):
    assert_frames_have_their_declared_columns(alike.finding.details)


def test_the_path_holds_each_fit_and_marks_the_one_that_was_picked():
    remedy = ConstrainPlan(constraints=("fnr by sex <= 0.1", "demographic_parity by area <= 0.2"))
    details = tried(remedy).finding.details
    path, gaps = details.path, details.path_gaps
    own = path.index < details.n_fits
    assert (
        path.loc[own, "fit"].tolist() == list(range(1, details.n_fits + 1)) and path.loc[own, "threshold"].isna().all()
    )
    assert len(path) > details.n_fits and set(path["fit"]) == set(path.loc[own, "fit"])
    assert path.loc[~own, "frontier"].any(), "other thresholds are kept where they are the best for some limit"
    assert path["picked"].sum() == 1
    picked = path[path["picked"]].iloc[0]
    assert picked["accuracy"] == details.accuracy and picked["frontier"]
    assert path["met"].tolist() == (path["ratio"] <= 1).tolist()
    limits = {"fnr by sex <= 0.1": 0.1, "demographic_parity by area <= 0.2": 0.2}
    assert gaps["spec"].tolist() == list(limits) * len(path)
    entry = np.arange(len(gaps)) // len(limits)
    largest = (gaps["gap"] / gaps["spec"].map(limits)).groupby(entry).max()
    assert largest.tolist() == pytest.approx(path["ratio"].tolist())
    ends = details.pairs.assign(size=details.pairs["tuned"].abs()).groupby("spec", sort=False)["size"].max()
    assert gaps.loc[entry == picked.name, "gap"].tolist() == ends.tolist()


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
def test_metrics_are_those_of_the_outcome_that_is_called_positive(positive):
    remedy = ConstrainPlan(constraints=tuple(f"{metric} by sex <= {9 if metric[0] == 'a' else 1}" for metric in RATES))
    study = study_of(remedy, positive=positive)
    candidate = drained(iter_remedy(study, remedy))
    held = study.split.held_out
    y, h = study.y[held], candidate.model.predict(study.X.iloc[held])
    assert (h == candidate.prediction).all()
    assert candidate.model.classes_.tolist() == [0, 1]
    assert ((candidate.score > 0.5) == (h == 1)).all()
    if positive == "unfavorable":
        y, h = 1 - y, 1 - h
    sex = study.sensitive["sex"].iloc[held].to_numpy()
    man, woman = ([rate(y[sex == name], h[sex == name]) for rate in RATES.values()] for name in ("man", "woman"))
    pairs = candidate.finding.details.pairs
    assert [spec.split(" by ")[0] for spec in pairs["spec"]] == list(RATES)
    assert pairs["held_out"].tolist() == pytest.approx(np.subtract(man, woman).tolist())


def test_conditions_are_read_from_the_data_as_it_is_and_unknown_rows_are_in_no_group():
    frame = LOANS.assign(
        born=pd.to_datetime("1960-01-01") + pd.to_timedelta(np.arange(len(LOANS)) % 9000, unit="D"),
        points=pd.array(np.arange(len(LOANS)) % 10, dtype="Int64"),
    )
    frame.loc[::7, "points"] = pd.NA
    groups = '["born < DATE \'1962-01-01\'" as "older", "points > 6", "sex <> \'man\'"]'
    remedy = ConstrainPlan(constraints=(f"demographic_parity by {groups} <= 0.9",))
    study = study_of(remedy, table=as_loans(frame))
    pairs = drained(iter_remedy(study, remedy)).finding.details.pairs
    held = frame[frame["granted"].notna()].iloc[study.split.held_out]
    sizes = {
        "older": (held["born"] < "1962-01-01").sum(),
        "points > 6": (held["points"] > 6).sum(),
        "sex <> 'man'": (held["sex"] == "woman").sum(),
    }
    assert list(zip(pairs["first"], pairs["second"], strict=True)) == [
        ("older", "points > 6"),
        ("older", "sex <> 'man'"),
        ("points > 6", "sex <> 'man'"),
    ]
    assert pairs["n_first"].tolist() == pairs["first"].map(sizes).tolist()
    assert pairs["n_second"].tolist() == pairs["second"].map(sizes).tolist()


@pytest.mark.parametrize(("features", "shown"), [(("merit", "weight"), False), (("merit", "area"), True)])
def test_a_column_of_a_constraint_among_the_features_is_shown(features, shown):
    remedy = ConstrainPlan(constraints=("demographic_parity by area <= 0.9",))
    assert tried(remedy, features=features).finding.uses_protected_features is shown


@pytest.mark.parametrize("model", ["logistic_regression", "random_forest", "mlp", "gradient_boosting"])
@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
def test_before_is_the_plain_model(model, positive):
    found = tried(ALIKE.model_copy(update={"model": model}), positive=positive).finding.before
    plain = tried(PlainPlan(model=model), positive=positive).finding.after
    assert repr(found.measures) == repr(plain.measures)
    assert found.errors.counts.equals(plain.errors.counts)


# The same numbers.


def numbers(candidate) -> str:
    finding = candidate.finding
    parts = [finding.before.measures, finding.after.measures, finding.changes, finding.warnings, finding.name]
    parts += [e.errors.counts.to_dict("list") for e in (finding.before, finding.after)]
    details = vars(finding.details).values()
    parts += [part.to_dict("list") if isinstance(part, pd.DataFrame) else part for part in details]
    return repr([*parts, candidate.prediction.tolist(), candidate.score.tolist()])


@pytest.mark.parametrize(("scale", "positive"), [(0.3, "favorable"), (3.0, "unfavorable")])
def test_another_scale_is_picked_from_a_known_search_without_a_fit_and_with_the_same_numbers(scale, positive):
    other = ALIKE.model_copy(update={"scale": scale})
    for first, second in ((ALIKE, other), (other, ALIKE)):
        # A session keeps a search under its plan with the scale 1, whichever was asked for first.
        known = {plan_key(ALIKE): tried(first, positive=positive)}
        study = study_of(second, positive=positive)
        events = list(iter_remedy(study, second, known=known))
        assert not any(isinstance(event, Incumbent) or "Fit" in event.what for event in events[1:-1])
        picked, fresh = events[-1].result, tried(second, positive=positive)
        assert numbers(picked) == numbers(fresh)
        assert picked.finding.plan.scale == picked.finding.details.scale == second.scale
        held = study.X.iloc[study.split.held_out]
        assert (picked.model.predict(held) == fresh.model.predict(held)).all()


def test_a_larger_scale_is_no_less_accurate_and_has_no_smaller_gap_on_the_tuning_rows(alike):
    study, known = study_of(ALIKE), {plan_key(ALIKE): alike}
    plans = [ALIKE.model_copy(update={"scale": scale}) for scale in (0.5, 1.0, 2.0, 9.0)]
    found = [drained(iter_remedy(study, plan, known=known)).finding.details for plan in plans]
    accuracies = [details.accuracy for details in found]
    assert accuracies == sorted(accuracies)
    assert not found[-1].feasible and found[-1].pairs["tuned"].abs().max() > 0.05
    assert all(details.n_fits == found[0].n_fits for details in found)


def test_a_run_with_scales_makes_one_search_and_gives_each_its_numbers(alike):
    close = ALIKE.model_copy(update={"scale": 0.2})
    plan = loans_plan().model_copy(update={"remedies": (ALIKE, close)})
    events = list(iter_remedies(TABLE, plan))
    fits = {event.figures["fit"] for event in events if isinstance(event, Incumbent)}
    first, second = events[-1].result.remedies
    assert len(fits) == first.details.n_fits == second.details.n_fits
    assert repr(first.after.measures) == repr(alike.finding.after.measures)
    assert repr(second.after.measures) == repr(tried(close).finding.after.measures) != repr(first.after.measures)
    # What was tried before is taken as it is, and not for a plan of another scale that it is kept under.
    known = {plan_key(ALIKE): tried(close)}
    again = drained(iter_remedies(TABLE, plan, known=known)).remedies
    assert [repr(one.after.measures) for one in again] == [repr(one.after.measures) for one in (first, second)]


# Events.


def test_a_run_passes_each_fit_on_and_its_progress_never_goes_back():
    plan = loans_plan().model_copy(update={"remedies": (ALIKE,)})
    events = list(iter_run(plan, table=TABLE))
    details = events[-1].result.remedies.remedies[0].details
    found = [event for event in events if isinstance(event, Incumbent)]
    assert [event.figures["accuracy"] for event in found] == details.path["accuracy"].tolist()
    steps = [event.done for event in events if isinstance(event, Progress)]
    assert steps == sorted(steps) and steps[-1] < events[0].total


def stopped_after(events, n_fits: int):
    """Send STOP when so many fits are shown, and return the result."""
    command = None
    while not isinstance(event := events.send(command), Finished):
        n_fits -= isinstance(event, Incumbent)
        command = STOP if not n_fits and isinstance(event, Incumbent) else None
    return event.result


def test_a_stopped_search_keeps_its_best_says_so_and_serves_no_other_plan():
    study = study_of(ALIKE)
    stopped = stopped_after(iter_remedy(study, ALIKE), 3)
    assert stopped.finding.details.stopped
    assert stopped.finding.details.n_fits == 3
    whole = drained(iter_remedy(study, ALIKE, known={plan_key(ALIKE): stopped}))
    assert whole.finding.details.n_fits > 3 and not whole.finding.details.stopped
    plan = study.plan
    [finding] = drained(iter_remedies(TABLE, plan, known={plan_key(ALIKE): stopped})).remedies
    assert not finding.details.stopped


def test_a_search_that_is_stopped_before_its_first_fit_has_nothing():
    events = iter_remedy(study_of(ALIKE), ALIKE)
    next(events)
    next(events)
    with pytest.raises(StoppedError):
        events.send(STOP)


# What is doubtful.


def test_a_constant_is_the_model_where_no_fit_within_the_limits_does_better_and_is_called_so():
    remedy = ConstrainPlan(
        constraints=("demographic_parity by sex <= 0.0001", "fnr by sex <= 0.0001", "fpr by sex <= 0.0001")
    )
    study = study_of(remedy, table=as_loans(biased_loans(2800)))
    candidate = drained(iter_remedy(study, remedy))
    finding, model = candidate.finding, candidate.model
    assert finding.details.feasible and np.isinf(model.threshold_) and model.share_ in (0, 1)
    assert len(set(candidate.prediction.tolist())) == 1
    assert finding.details.constant == ("nobody", "everybody")[int(model.share_)]
    rows = study.y[study.split.tune]
    assert finding.details.accuracy == max(rows.mean(), 1 - rows.mean())


def test_another_common_threshold_is_said_and_decides():
    remedy = ConstrainPlan(constraints=("fnr by sex <= 0.1", "demographic_parity by area <= 0.2"))
    candidate = tried(remedy)
    threshold = candidate.finding.details.threshold
    assert np.isfinite(threshold) and threshold == candidate.model.threshold_ != 0.5
    assert (candidate.prediction == (candidate.score >= threshold)).all()


def test_constraints_that_cannot_be_met_end_with_the_closest_model():
    remedy = ConstrainPlan(constraints=("error_rate by sex <= 0.0001", "fnr by sex <= 0.0001", "fpr by sex <= 0.0001"))
    details = tried(remedy).finding.details
    assert not details.feasible
    assert details.n_pairs_met < details.n_pairs == 3
    assert details.path.loc[details.path["picked"], "ratio"].item() == details.path["ratio"].min()
    assert details.conflicts


def test_groups_with_few_rows_are_named_and_not_counted():
    frame = LOANS.assign(team=np.where(np.arange(len(LOANS)) % 20 == 0, "small", "large"))
    remedy = ConstrainPlan(constraints=("fpr by team <= 0.9",))
    warnings = drained(iter_remedy(study_of(remedy, table=as_loans(frame)), remedy)).finding.warnings
    few = {"least": Count(30), "groups": Phrase("small"), "n": Count(0)}
    assert say(Message("constrain-few", few)) in warnings


def test_gaps_that_are_larger_on_held_out_rows_are_read_so():
    study = study_of(ALIKE)
    held = study.split.held_out
    # Merit that is lower for women on held-out rows only: what held on the tuning rows holds no more.
    X = study.X.copy()
    woman = (study.sensitive["sex"] == "woman").to_numpy()
    X.loc[held[woman[held]], "merit"] -= 2
    finding = drained(iter_remedy(replace(study, X=X), ALIKE)).finding
    assert finding.details.pairs["reading"].tolist() == ["outside"]


def test_a_rate_without_rows_on_held_out_rows_is_not_defined():
    study = study_of(ConstrainPlan(constraints=("fnr by sex <= 0.9",)))
    sensitive = study.sensitive.copy()
    held = study.split.held_out
    sensitive.loc[held[sensitive["sex"].iloc[held] == "woman"], "sex"] = None
    remedy = ConstrainPlan(constraints=("fnr by sex <= 0.9",))
    details = drained(iter_remedy(replace(study, sensitive=sensitive), remedy)).finding.details
    [row] = details.pairs.itertuples()
    assert row.reading == "not defined" and np.isnan([row.held_out, row.low, row.high]).all()
    assert (row.n_second, details.n_pairs_within, details.n_pairs_met) == (0, 0, 1)


@pytest.mark.parametrize("mask", [False, True])
def test_a_group_without_tuning_rows_is_refused_before_anything_is_fitted(mask):
    remedy = ConstrainPlan(constraints=("demographic_parity by team <= 0.1",))
    study = study_of(remedy, table=as_loans(LOANS.assign(team="all")))
    team = np.full(len(study.y), "all", dtype=object)
    team[study.split.held_out[:5]] = "few"
    plan = study.plan.model_copy(update={"small_cells": SmallCellsPlan(mask=mask)})
    events = iter_remedy(replace(study, sensitive=study.sensitive.assign(team=team), plan=plan), remedy)
    with pytest.raises(
        GroupError, match=r"'few' of 'demographic_parity by team <= 0\.1' has no rows among the"
    ) as caught:
        list(events)
    assert bool(re.search(r"\d{2,}", caught.value.message)) != mask


def test_one_group_only_is_refused():
    remedy = ConstrainPlan(constraints=("demographic_parity by team <= 0.1",))
    with pytest.raises(GroupError, match="at least two are needed"):
        drained(iter_remedy(study_of(remedy, table=as_loans(LOANS.assign(team="all"))), remedy))


@pytest.mark.parametrize("model", part_of(["gradient_boosting", "mlp"], ["gradient_boosting"]))
def test_other_models_are_tuned_in_few_fits(model):
    frame = biased_loans(500)
    remedy = ConstrainPlan(model=model, constraints=("demographic_parity by sex <= 0.15",))
    details = drained(iter_remedy(study_of(remedy, table=as_loans(frame)), remedy)).finding.details
    assert details.n_fits <= 16
    assert details.feasible


# Floors.


def test_a_floor_is_judged_on_held_out_rows_as_how_far_each_group_is_below_all():
    study, remedy = study_of(), ConstrainPlan(constraints=("tpr by sex >= 85%",))
    assert remedy.constraints == ("tpr by sex >= 0.85",)
    found = drained(iter_remedy(study_of(remedy), remedy)).finding
    details, held = found.details, study.split.held_out
    assert details.feasible and details.pairs["max_difference"].tolist() == [0.15, 0.15]
    assert details.pairs["first"].tolist() == ["man", "woman"] and details.n_pairs == 2
    errors = found.after.errors.counts
    assert len(held) >= details.pairs["n_first"].sum() and len(errors)
    for row in details.pairs.itertuples():
        assert row.low <= row.held_out <= row.high <= 0 and row.n_first == row.n_second
        assert row.reading.startswith("within") == (row.held_out >= -0.15 - 1e-9)
    assert say(Message("constrain-caution-floor")) in ConstrainSection().cautions(found, study.facts)
    assert all("at least 85" in each.limit for each in found.yardsticks)


def test_where_counts_are_hidden_what_is_below_all_is_not_shown():
    remedy = ConstrainPlan(constraints=("tpr by sex >= 0.85",))
    small = SmallCellsPlan(mask=True, minimum=10)
    result = run(loans_plan().model_copy(update={"remedies": (remedy,), "small_cells": small}), table=TABLE)
    from fairaudit.disclosure.gate import exported

    [found] = exported(result).tried.remedies
    assert len(found.details.pairs) == 0 and found.details.n_pairs is None
