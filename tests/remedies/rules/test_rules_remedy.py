"""A rule set is shown as it is, chosen without the held-out rows, and what is doubtful about it is said."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from declared_columns import assert_frames_have_their_declared_columns
from event_runs import stopped_at
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.running import run
from fairaudit.audit.trying import iter_remedies, iter_remedy, remedy_name, search_key
from fairaudit.conditions import Condition
from fairaudit.errors import GroupError, InputError
from fairaudit.events import Incumbent, Progress
from fairaudit.findings import Message, Phrase, Points
from fairaudit.measure.intervals import wilson
from fairaudit.messages import say
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.rules.details import RulesDetails, proof, rules_warnings
from fairaudit.remedies.rules.figures import rule_figures
from fairaudit.remedies.rules.fit import settings_around
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.sections.remedy import say_remedy
from fairaudit.study.cautions import answer_warnings
from fairaudit.study.constraint_check import positive_labels, rate_gaps, rated_rows
from fairaudit.study.findings import plan_key
from fairaudit.study.proposing import close_columns
from fairaudit.study.rows import Study, tuning_rows

# Few different values make few conditions, so that each search ends by proof.
LOANS = biased_loans(1000).assign(
    merit=lambda loans: (2 * loans["merit"]).round() / 2, weight=lambda loans: 20 * (loans["weight"] / 20).round()
)
TABLE = as_loans(LOANS)
ROOTS = np.where(np.arange(len(LOANS)) % 3 == 0, "abroad", "here")
ALIKE = RulesPlan(max_complexity=4, max_difference=0.2)
FREE = RulesPlan(max_complexity=4, fairness=None)
CHOSEN = RulesPlan(rules=("merit > 0.5", "merit > -0.2 AND area = 'north'"), max_difference=0.1)
RATES = {
    "fnr": lambda y, h: (1 - h)[y == 1].mean(),
    "fpr": lambda y, h: h[y == 0].mean(),
    "selection_rate": lambda y, h: h.mean(),
    "error_rate": lambda y, h: (h != y).mean(),
}
RATES_OF = {
    "equalized_odds": ("fnr", "fpr"),
    "equal_opportunity": ("fnr",),
    "fpr": ("fpr",),
    "demographic_parity": ("selection_rate",),
    "error_rate": ("error_rate",),
}


def study_of(*remedies, table=TABLE, **models) -> Study:
    return Study.of(table, loans_plan(**models).model_copy(update={"remedies": remedies}))


@cache
def tried(remedy, **models):
    return drained(iter_remedy(study_of(remedy, **models), remedy))


def known_part(study: Study, part: str):
    """The rows of a part whose group is known."""
    rows = getattr(study.split, part)
    return rows[study.group_known[rows]]


def predicted(study: Study, details: RulesDetails):
    """What the conditions of the rules say about all rows, read with the ordinary conditions of this package."""
    held = [Condition.parse(text, study.X).mask(study.X) for text in details.rules["condition"]]
    return np.logical_or.reduce([np.zeros(len(study.X), dtype=bool), *held]).astype(np.int64)


# What is said.


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
@pytest.mark.parametrize("remedy", [ALIKE, FREE, CHOSEN], ids=["alike", "free", "chosen"])
def test_the_conditions_that_are_shown_are_what_the_model_does(remedy, positive):
    study, candidate = study_of(remedy, positive=positive), tried(remedy, positive=positive)
    details = candidate.finding.details
    h = predicted(study, details)
    good = h if positive == "favorable" else 1 - h
    assert (candidate.model.predict(study.X) == good).all()
    assert (candidate.prediction == good[study.split.held_out]).all()
    assert candidate.model.classes_.tolist() == [0, 1]
    assert candidate.score is None
    y = positive_labels(study)
    for part, shown in (("train", details.trained_accuracy), ("tune", details.tuned_accuracy)):
        rows = known_part(study, part)
        assert shown == pytest.approx((h[rows] == y[rows]).mean())
    assert details.complexity == details.rules["cost"].sum() == (1 + details.rules["n_literals"]).sum()
    assert details.rules["rule"].tolist() == list(range(1, len(details.rules) + 1))


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
@pytest.mark.parametrize("fairness", RATES_OF)
def test_gaps_are_those_of_the_outcome_that_is_called_positive(fairness, positive):
    remedy = CHOSEN.model_copy(update={"fairness": fairness})
    study, details = study_of(positive=positive), tried(remedy, positive=positive).finding.details
    y, h = positive_labels(study), predicted(study, details)
    assert details.gaps["rate"].tolist() == list(RATES_OF[fairness])
    for row in details.gaps.itertuples():
        assert (row.first, row.second) == ("women", "the rest")
        for part, shown in (("train", row.trained), ("tune", row.tuned), ("held_out", row.held_out)):
            rows = known_part(study, part)
            women, rest = (rows[study.groups[rows] == name] for name in ("women", "the rest"))
            assert shown == pytest.approx(RATES[row.rate](y[women], h[women]) - RATES[row.rate](y[rest], h[rest]))
        assert row.low <= row.held_out <= row.high
    for part, shown in (("trained", details.trained_gap), ("tuned", details.tuned_gap)):
        assert shown == details.gaps[part].abs().max()


def test_the_gap_of_errors_has_the_interval_of_that_of_right_predictions_turned():
    study, remedy = study_of(), CHOSEN.model_copy(update={"fairness": "error_rate"})
    rows = rated_rows(study, remedy.fairness, remedy.max_difference)
    h = predicted(study, tried(CHOSEN).finding.details)
    [errors] = rate_gaps(rows, h, 0.9).itertuples()
    [right] = rate_gaps(replace(rows, y=1 - rows.y), h, 0.9).itertuples()
    assert (errors.gap, errors.low, errors.high) == pytest.approx((-right.gap, -right.high, -right.low))


def test_coverage_and_precision_are_counted_for_each_rule_and_group():
    study, details = study_of(), tried(CHOSEN).finding.details
    held = known_part(study, "held_out")
    frame, y, groups = study.X.iloc[held], study.y[held], study.groups[held]
    each = np.column_stack([Condition.parse(text, frame).mask(frame) for text in CHOSEN.rules])
    assert details.coverage[["rule", "group"]].to_numpy().tolist() == [
        [rule, group] for rule in (0, 1, 2) for group in ("women", "the rest")
    ]
    for row in details.coverage.itertuples():
        inside = groups == row.group
        holds = each.any(axis=1) if row.rule == 0 else each[:, row.rule - 1]
        others = np.zeros(len(held), dtype=bool) if row.rule == 0 else each[:, 2 - row.rule]
        covered, only = inside & holds, inside & holds & ~others
        assert (row.n, row.n_covered, row.n_right) == (inside.sum(), covered.sum(), (covered & (y == 1)).sum())
        assert (row.n_only, row.n_only_wrong) == (only.sum(), (only & (y == 0)).sum())
        assert row.coverage == pytest.approx(covered.sum() / inside.sum())
        assert (row.precision_low, row.precision_high) == pytest.approx(
            tuple(map(float, wilson(row.n_right, row.n_covered)))
        )


@pytest.mark.parametrize("remedy", [ALIKE, CHOSEN])
def test_the_columns_of_the_frames_are_those_that_their_fields_declare(remedy):
    assert_frames_have_their_declared_columns(tried(remedy).finding.details)


def test_a_search_keeps_to_its_limit_on_the_training_rows_and_shows_its_bounds():
    details = tried(ALIKE).finding.details
    assert details.status in ("optimal", "gap")
    assert details.complexity <= 4
    assert details.trained_gap <= 0.2 == details.trained_difference
    assert 0 <= details.bound <= details.objective + 1e-9
    assert details.lp_bound <= details.bound + 1e-6 * details.bound
    assert details.optimality_gap == pytest.approx((details.objective - details.bound) / details.objective, abs=1e-6)
    assert details.n_rounds == len(details.path) and details.path["round"].is_monotonic_increasing
    assert details.n_columns > 0


def test_a_margin_is_taken_off_while_rules_are_learned():
    details = tried(ALIKE.model_copy(update={"max_complexity": 3, "margin": 0.1})).finding.details
    assert details.trained_gap <= 0.1 == details.trained_difference
    assert details.max_difference == 0.2


def test_a_limit_that_no_rule_set_keeps_on_the_training_rows_stays_what_was_asked():
    remedy = RulesPlan(max_complexity=2, fairness="error_rate", max_difference=0.01, margin=0.01)
    finding = tried(remedy).finding
    details = finding.details
    assert details.trained_difference == 0 < details.trained_gap
    assert say(Message("rules-note-limit", {"size": Points(0.0, 1), "closest": Points(details.trained_gap, 1)})) in (
        details.notes
    )


def test_rules_learn_from_the_training_part_where_the_group_is_known(monkeypatch):
    study, seen = study_of(), []
    from fairaudit.remedies.rules import fit as module

    class Spied(module.RuleSetClassifier):
        def iter_fit(self, X, y, *, sensitive_features=None, **asked):
            seen.append((X.index, y, sensitive_features, self.max_difference))
            return super().iter_fit(X, y, sensitive_features=sensitive_features, **asked)

    monkeypatch.setattr(module, "RuleSetClassifier", Spied)
    warnings = drained(iter_remedy(study, FREE)).finding.warnings
    rows = known_part(study, "train")
    assert len(rows) < len(study.split.train)
    [(index, y, groups, _)] = seen
    assert index.tolist() == rows.tolist()
    assert (y == study.y[rows]).all() and (groups == study.groups[rows]).all()
    assert say(Message("doubt-unknown-groups")) in warnings


# Before.


def test_before_is_the_rule_set_of_the_same_settings_without_a_constraint():
    study, candidate = study_of(ALIKE), tried(ALIKE)
    free = tried(FREE)
    assert candidate.finding.before.name.startswith("model without the remedy, rules of complexity up to ")
    assert repr(candidate.finding.before.measures) == repr(free.finding.after.measures)
    assert (candidate.plain.predict(study.X) == free.model.predict(study.X)).all()
    assert search_key(ALIKE.baseline()) == search_key(FREE)


@pytest.mark.parametrize("remedy", [FREE, CHOSEN], ids=["free", "chosen"])
def test_before_is_a_logistic_regression_where_nothing_is_constrained_or_learned(remedy):
    candidate = tried(remedy)
    assert candidate.finding.before.name == "model without the remedy, logistic regression"
    assert repr(candidate.finding.before.measures) == repr(tried(PlainPlan()).finding.after.measures)
    assert candidate.plain is None


def test_what_is_known_is_not_searched_for_again():
    # Of the bad outcome, so that models are read the other way round.
    positive = "unfavorable"
    study = study_of(ALIKE, positive=positive)
    fresh = tried(ALIKE, positive=positive)
    wider = ALIKE.model_copy(update={"max_difference": 0.4})
    for known in ((tried(FREE, positive=positive),), (fresh,)):
        events = list(iter_remedy(study, wider, known={plan_key(c.finding.plan): c for c in known}))
        assert not any("Without a limit" in event.what for event in events[:-1])
        assert repr(events[-1].result.finding.before.measures) == repr(fresh.finding.before.measures)
    # The model that was made to compare with is a remedy of its own, too.
    events = list(iter_remedy(study, FREE, known={plan_key(ALIKE): fresh}))
    assert not any(isinstance(event, Incumbent) for event in events)
    free = tried(FREE, positive=positive).finding
    assert repr(events[-1].result.finding.after.measures) == repr(free.after.measures)


def test_limits_that_nothing_is_held_to_make_no_other_search():
    loose = FREE.model_copy(update={"max_difference": 0.3, "margin": 0.1})
    assert search_key(loose) == search_key(FREE) != search_key(ALIKE)
    assert search_key(FREE) != search_key(FREE.model_copy(update={"max_complexity": 5}))
    assert search_key(CHOSEN) == plan_key(CHOSEN)


def test_two_limits_in_one_run_share_what_they_are_compared_with():
    plan = loans_plan().model_copy(update={"remedies": (ALIKE, ALIKE.model_copy(update={"max_difference": 0.4}))})
    events = list(iter_remedies(TABLE, plan))
    first, second = events[-1].result.remedies
    begun = [event.what for event in events[:-1] if event.what.endswith("Turning columns into conditions")]
    assert len(begun) == 3
    assert repr(first.after.measures) == repr(tried(ALIKE).finding.after.measures)
    assert repr(first.before.measures) == repr(second.before.measures)


# Rules that a person chose.


def test_chosen_rules_are_judged_as_they_are_and_nothing_is_learned():
    events = list(iter_remedy(study_of(), CHOSEN))
    assert not any(isinstance(event, Incumbent) or "condition" in event.what for event in events[:-1])
    details = events[-1].result.finding.details
    assert (details.status, details.n_columns, details.n_rounds) == ("chosen", 0, 0)
    assert details.rules["condition"].tolist() == list(CHOSEN.rules)
    assert np.isnan([details.objective, details.lp_bound, details.bound, details.optimality_gap]).all()
    assert not len(details.path) and not len(details.frontier)
    assert details.complexity == 5


def test_learned_rules_that_are_put_into_a_plan_predict_the_same():
    found = tried(ALIKE)
    kept = ALIKE.model_copy(update={"rules": tuple(found.finding.details.rules["condition"])})
    again = drained(iter_remedy(study_of(), RulesPlan.model_validate(kept.model_dump())))
    assert (again.prediction == found.prediction).all()
    for name in ("rules", "coverage", "gaps"):
        pd.testing.assert_frame_equal(getattr(again.finding.details, name), getattr(found.finding.details, name))


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("sex = 'woman'", "uses 'sex', which is not among the features of the models.\nHint: There are: 'merit'"),
        ("wieght > 70", "uses 'wieght', which is not among the features of the models.\nHint: Did you mean 'weight'?"),
        ("weight > 70 AND area > 3", "Rule 2: "),
        ("merit = 'high'", "Rule 2: "),
    ],
)
def test_a_chosen_rule_that_does_not_fit_the_features_is_named(rule, message):
    remedy = RulesPlan(rules=("merit > 0.5", rule))
    with pytest.raises(InputError) as caught:
        run(loans_plan().model_copy(update={"remedies": (remedy,)}), table=TABLE)
    assert message in str(caught.value)
    with pytest.raises(InputError, match=r"uses|Rule 2"):
        rule_figures(study_of(), remedy.rules, remedy)


def test_live_figures_are_those_of_the_tuning_rows():
    study, details = study_of(), tried(CHOSEN).finding.details
    live = rule_figures(study, CHOSEN.rules, CHOSEN)
    rows = known_part(study, "tune")
    y, h = study.y[rows], predicted(study, details)[rows]
    assert live.accuracy == details.tuned_accuracy == pytest.approx((h == y).mean())
    assert live.gaps["gap"].tolist() == details.gaps["tuned"].tolist()
    assert (live.gap, live.complexity, live.is_too_complex) == (details.tuned_gap, 5, False)
    assert live.rates["group"].tolist() == ["women", "the rest"]
    for row in live.rates.itertuples():
        inside = study.groups[rows] == row.group
        assert row.n == inside.sum()
        assert [getattr(row, name) for name in RATES] == pytest.approx(
            [f(y[inside], h[inside]) for f in RATES.values()]
        )
    assert live.coverage.loc[live.coverage["rule"] == 0, "n"].tolist() == live.rates["n"].tolist()
    pd.testing.assert_frame_equal(live.rules, details.rules)


def test_held_out_rows_have_no_part_in_live_figures():
    study = study_of()
    held = study.split.held_out
    X, y = study.X.copy(), study.y.copy()
    X.loc[held, "merit"], y[held] = 9.0, 1 - y[held]
    one, other = (rule_figures(each, CHOSEN.rules, CHOSEN) for each in (study, replace(study, X=X, y=y)))
    for field in fields(one):
        first, second = getattr(one, field.name), getattr(other, field.name)
        assert first.equals(second) if isinstance(first, pd.DataFrame) else first == second


def test_no_rules_and_too_many_are_figured_too():
    nothing = rule_figures(study_of(), (), ALIKE)
    assert (nothing.complexity, len(nothing.rules)) == (0, 0)
    assert nothing.gaps["gap"].tolist() == [0, 0]
    assert nothing.coverage["n_covered"].tolist() == [0, 0]
    assert rule_figures(study_of(), CHOSEN.rules, CHOSEN.model_copy(update={"max_complexity": 4})).is_too_complex
    free = rule_figures(study_of(), CHOSEN.rules, FREE)
    assert math.isnan(free.gap) and not len(free.gaps)


# Columns that reveal the groups.


def test_columns_that_reveal_the_groups_are_left_out_unless_they_are_asked_for():
    features = ("sex", "merit", "area")
    shown = tried(FREE, features=features).finding
    assert not shown.details.rules["uses_protected"].any() and not shown.uses_protected_features
    asked = RulesPlan(rules=("sex = 'man' AND merit > 0",))
    using = tried(asked, features=features).finding
    assert using.details.rules["uses_protected"].tolist() == [True] and using.uses_protected_features
    by_age = study_of(table=as_loans(LOANS.assign(age=np.arange(len(LOANS)) % 50)), features=("age", "merit"),
                      protected="age < 25", protected_name=None)  # fmt: skip
    rules = drained(iter_remedy(by_age, FREE)).finding.details.rules
    assert not rules["condition"].str.contains("age").any()


def test_a_search_that_may_use_the_protected_column_does():
    frame = LOANS.assign(granted=np.where(LOANS["sex"] == "man", "yes", "no"))
    study = study_of(table=as_loans(frame), features=("sex", "merit"))
    may = drained(iter_remedy(study, FREE.model_copy(update={"use_sensitive": True}))).finding
    assert may.details.rules["uses_protected"].all() and may.after.measure("accuracy").value == 1


def test_features_that_all_reveal_the_groups_leave_nothing_to_make_rules_of():
    with pytest.raises(InputError, match="Every feature reveals the group"):
        tried(FREE, features=("sex",))


def test_a_column_that_comes_close_to_revealing_the_groups_is_named():
    study = study_of()
    assert close_columns(study, ("merit", "weight", "area")) == ("weight",)
    finding = tried(RulesPlan(rules=("weight > 75", "merit > 0"))).finding
    assert finding.details.rules["proxies"].tolist() == ["weight", ""]


def test_conditions_that_go_against_their_column_on_the_tuning_rows_are_named():
    study = study_of()
    finding = tried(RulesPlan(rules=("merit > 0", "merit <= 0 AND weight > 75", "area = 'north'"))).finding
    contrary = finding.details.rules["contrary"].tolist()
    tuned = tuning_rows(study)
    merit, labels = study.X["merit"].to_numpy()[tuned], positive_labels(study)[tuned]
    assert labels[merit <= 0].mean() < labels[merit > 0].mean()
    assert contrary[0] == ""
    assert contrary[1].startswith("merit is at most 0")
    assert contrary[2] == ""


# The frontier.


def test_the_frontier_holds_the_asked_setting_and_measures_on_the_tuning_rows():
    study, details = study_of(), tried(ALIKE).finding.details
    frontier = details.frontier
    assert frontier["chosen"].sum() == 1
    own = frontier[frontier["chosen"]].iloc[0]
    assert (own["max_complexity"], own["max_difference"]) == (4, 0.2)
    assert (own["accuracy"], own["gap"]) == pytest.approx((details.tuned_accuracy, details.tuned_gap))
    assert (own["trained_accuracy"], own["trained_gap"]) == pytest.approx(
        (details.trained_accuracy, details.trained_gap)
    )
    settings = list(zip(frontier["max_complexity"], frontier["max_difference"], strict=True))
    assert settings == list(settings_around(ALIKE)) and len(set(settings)) == len(settings) > 6
    assert (frontier["trained_gap"] <= frontier["max_difference"] + 1e-9).all()
    assert (frontier["complexity"] <= frontier["max_complexity"]).all()
    rows = known_part(study, "tune")
    nobody = frontier[frontier["complexity"] == 0]
    assert (nobody["accuracy"] == (study.y[rows] == 0).mean()).all() and (nobody["gap"] == 0).all()


@pytest.mark.parametrize("limit", [0.0, 0.05, 0.6])
@pytest.mark.parametrize("complexity", [2, 3, 15, 100])
def test_settings_are_few_within_bounds_and_hold_the_asked_one(complexity, limit):
    remedy = RulesPlan(max_complexity=complexity, max_difference=limit, margin=limit / 2)
    found = settings_around(remedy)
    assert (complexity, pytest.approx(limit / 2)) in found
    assert len(found) == len(set(found)) <= 16
    assert all(2 <= c <= 100 and 0 <= d <= 1 for c, d in found)


# Events and stops.


def test_progress_never_goes_back_and_both_searches_can_be_drawn():
    events = list(iter_remedy(study_of(), ALIKE))
    steps = [event for event in events if isinstance(event, Progress)]
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert steps[-1].done < steps[-1].total
    settings = [step.what for step in steps if "Other settings" in step.what]
    assert settings[0] == "Other settings: complexity up to 2, 10 points allowed"
    rounds = [event.figures["round"] for event in events if isinstance(event, Incumbent) and event.what == "round"]
    own = tried(ALIKE).finding.details.path["round"].tolist()
    # The search without a constraint comes first, and starts from 1, too.
    assert rounds[-len(own) :] == own and rounds.count(1) == 2 and rounds[0] == 1


STOPS = {
    "before anything": lambda event: isinstance(event, Progress),
    "while before is searched for": lambda event: (
        event.what.startswith("Without a limit: ") and "Turning" not in event.what
    ),
    "in the first round": lambda event: event.what.startswith("Round 1"),
    "while rules are selected": lambda event: event.what.startswith("Weighing rules"),
    "in the frontier": lambda event: event.what.startswith("Other settings: complexity up to 4"),
}


@cache
def stopped(name):
    return stopped_at(iter_remedy(study_of(ALIKE), ALIKE), STOPS[name])


@pytest.mark.parametrize("name", STOPS)
def test_a_stopped_rule_set_keeps_what_it_has_and_says_so(name):
    candidate = stopped(name)
    details = candidate.finding.details
    assert details.stopped
    assert details.trained_gap <= 0.2 and details.complexity <= 4
    assert len(candidate.prediction) == len(study_of().split.held_out)
    # What it is compared with serves others only where it was complete.
    assert (candidate.plain is None) == (name in ("before anything", "while before is searched for"))


@pytest.mark.parametrize("name", ["while before is searched for", "in the frontier"])
def test_a_stopped_rule_set_serves_no_other_plan(name):
    known = {plan_key(ALIKE): stopped(name)}
    [again] = drained(iter_remedies(TABLE, study_of(ALIKE).plan, known=known)).remedies
    assert not again.details.stopped
    assert repr(again.after.measures) == repr(tried(ALIKE).finding.after.measures)
    assert repr(again.before.measures) == repr(tried(ALIKE).finding.before.measures)


def test_a_stop_in_the_frontier_keeps_the_whole_rule_set():
    candidate = stopped("in the frontier")
    details, whole = candidate.finding.details, tried(ALIKE).finding
    assert repr(candidate.finding.after.measures) == repr(whole.after.measures)
    assert details.status == whole.details.status
    assert 1 < len(details.frontier) < len(whole.details.frontier)
    events = list(iter_remedy(study_of(), FREE, known={plan_key(ALIKE): candidate}))
    assert not any(isinstance(event, Incumbent) for event in events)


# What is doubtful.


def shown(*, n_covered=(), n_right=None, **changes) -> str:
    """The warnings of the rule set of `ALIKE`, of which something is changed."""
    details = replace(tried(ALIKE).finding.details, **changes)
    numbers = range(1, len(n_covered) + 1)
    covered, right = (pd.Series(n, index=numbers, dtype=int) for n in (n_covered, n_right or n_covered))
    return "\n".join(rules_warnings(details, covered, right))


def test_a_search_that_did_all_the_work_says_so():
    remedy = ALIKE.model_copy(update={"max_complexity": 12, "time_limit": 0.05})
    finding = drained(iter_remedy(study_of(), remedy)).finding
    assert finding.details.status == "work_limit"
    assert "rules-ended-work-limit" in {message.key for message in proof(finding.details)}
    assert finding.details.trained_gap <= 0.2


def test_rules_for_few_rows_are_named_without_counts():
    assert say(Message("rules-doubt-few", {"numbers": Phrase("2, 3")})) in shown(n_covered=(40, 29, 3))
    assert shown(n_covered=(40, 30)) == ""


def test_rules_that_are_mostly_wrong_are_named():
    text = shown(n_covered=(40, 50, 60), n_right=(20, 24, 9))
    assert text == say(Message("rules-doubt-wrong", {"numbers": Phrase("2, 3")}))
    assert shown(n_covered=(40,), n_right=(20,)) == ""


def test_no_rule_at_all_is_shown():
    remedy = RulesPlan(max_complexity=2, max_difference=0.0)
    finding = drained(iter_remedy(study_of(features=("weight", "area")), remedy)).finding
    assert not len(finding.details.rules)
    assert set(answer_warnings(np.zeros(3, dtype=int), what="list of rules")) <= set(finding.warnings)
    assert finding.details.coverage["rule"].tolist() == [0, 0]


def test_a_limit_that_only_the_training_cases_keep_is_doubtful():
    doubt = say(Message("rules-doubt-margin"))
    assert shown(trained_gap=0.1, tuned_gap=0.31) == doubt
    assert shown(trained_gap=0.1, tuned_gap=0.15) == shown(trained_gap=0.3, tuned_gap=0.31) == ""
    assert shown(trained_gap=0.1, tuned_gap=0.31, status="chosen") == ""


# What cannot be done.


def lucky(**changes):
    """A study in which one group has the good outcome only."""
    frame = LOANS.assign(team=np.where(LOANS["granted"].eq("yes") & (np.arange(len(LOANS)) % 3 == 0), "lucky", "other"))
    return Study.of(as_loans(frame), loans_plan(by=("team",)).model_copy(update=changes))


@pytest.mark.parametrize("mask", [False, True])
@pytest.mark.parametrize("fairness", ["equalized_odds", "fpr"])
def test_a_group_without_the_rows_of_a_rate_is_named_before_anything_is_learned(fairness, mask):
    study = lucky(small_cells=SmallCellsPlan(mask=mask))
    with pytest.raises(GroupError, match="'lucky'") as caught:
        drained(iter_remedy(study, ALIKE.model_copy(update={"fairness": fairness})))
    assert any(c.isdigit() for c in caught.value.message) != mask


def test_a_group_needs_no_rows_that_no_rate_is_a_share_of():
    remedy = CHOSEN.model_copy(update={"fairness": "equal_opportunity"})
    assert drained(iter_remedy(lucky(), remedy)).finding.details.gaps["rate"].tolist() == ["fnr"]
    assert len(drained(iter_remedy(lucky(), CHOSEN.model_copy(update={"fairness": None}))).finding.details.rules) == 2


def test_one_group_only_is_refused_where_something_must_be_alike():
    study = study_of(table=as_loans(LOANS.assign(team="all")), by=("team",))
    with pytest.raises(GroupError, match="There is one group only"):
        drained(iter_remedy(study, ALIKE))
    details = drained(iter_remedy(study, CHOSEN.model_copy(update={"fairness": None}))).finding.details
    assert not len(details.gaps) and math.isnan(details.trained_gap) and details.coverage["group"].unique() == ["all"]


def test_a_group_without_held_out_rows_of_a_rate_is_not_defined_there():
    study = study_of(CHOSEN)
    held = study.split.held_out
    y = study.y.copy()
    y[held[study.groups[held] == "women"]] = 0
    gaps = drained(iter_remedy(replace(study, y=y), CHOSEN)).finding.details.gaps.set_index("rate")
    assert gaps.loc["fnr", "reading"] == "not defined" and np.isnan(gaps.loc["fnr", "held_out"])
    assert gaps.loc["fpr", "reading"] != "not defined"


# Names.


def test_names_show_what_was_asked():
    kind = say(Message("remedy-name-rules"))
    assert remedy_name(ALIKE) == f"{kind} (complexity up to 4, both error rates alike within 20 points)"
    margin = RulesPlan(fairness="demographic_parity", margin=0.01)
    assert remedy_name(margin) == (
        f"{kind} (complexity up to 15, positive predictions alike within 5 points with a margin of 1 point)"
    )
    assert remedy_name(FREE) == f"{kind} (complexity up to 4)"
    searched = RulesPlan(fairness=None, objective="zero_one", time_limit=30.5, max_rule_length=1, use_sensitive=True)
    assert remedy_name(searched) == (
        f"{kind} (complexity up to 15, rules of 1 condition, {say(Message('tree-name-sensitive'))}, each "
        "wrong row counted once, a search of about 30.5 seconds' work)"
    )
    exact = remedy_name(RulesPlan(max_difference=0.125, max_rule_length=2))
    assert "within 12.5 points, rules of up to 2 conditions" in exact
    assert remedy_name(CHOSEN) == f"{kind}, chosen by hand (2 rules)"


def test_a_rule_by_a_column_of_another_group_decides_by_group():
    plan = loans_plan()
    models = plan.models.model_copy(update={"features": (*plan.models.features, "ethnicity")})
    study = Study.of(as_loans(LOANS.assign(ethnicity=ROOTS)), plan.model_copy(update={"models": models}))
    for rule, uses in (("merit > 0.5 AND ethnicity = 'here'", True), ("merit > 0.5", False)):
        finding = drained(iter_remedy(study, RulesPlan(rules=(rule,)))).finding
        assert finding.details.rules["uses_protected"].tolist() == [uses]
        caution = {message.key for message in say_remedy(finding, study.facts).caution}
        assert ("remedy-caution-by-group" in caution) is uses
