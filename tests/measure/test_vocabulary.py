"""One word for each measure: those of before and of other classes are read, those of other packages are refused."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd
import pytest

from fairaudit import ConstrainedClassifier, OptimalTreeClassifier, RuleSetClassifier, find_subgroups
from fairaudit.errors import InputError, PlanError, SpecError
from fairaudit.estimators.constraints import FLOORS, METRICS, PAIRS, FairnessSpec, parse_specs
from fairaudit.estimators.rules.problem import RATES as RATES_OF_RULES
from fairaudit.estimators.similar_cases import LABELS_OF_RATES
from fairaudit.estimators.trees.inputs import CONSTRAINTS
from fairaudit.measure import vocabulary as words
from fairaudit.measure.rates import METRIC_PARTS
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.subgroups.cells import RATES as RATES_OF_SEARCHES

ANY = (*words.RATES, *get_args(words.Floors))


def test_all_classes_take_their_words_from_the_table():
    assert tuple(METRICS) == get_args(words.Differences) and tuple(FLOORS) == get_args(words.Floors)
    assert set(PAIRS) <= set(words.RATES) and tuple(RATES_OF_RULES) == get_args(words.AlikeInRules)
    assert get_args(words.AlikeInTrees) == CONSTRAINTS and set(CONSTRAINTS) <= set(words.RATES)
    assert set(RATES_OF_SEARCHES) | {"selection", "mean"} == set(get_args(words.Searched))
    assert set(METRICS) | set(FLOORS) <= set(METRIC_PARTS) and set(LABELS_OF_RATES) <= set(words.RATES)
    for name, rates in RATES_OF_RULES.items():
        compared = {"demographic_parity" if rate.name == "selection_rate" else rate.name for rate in rates}
        assert compared == set(words.RATES[name])


def test_no_word_of_before_is_one_of_today_and_each_leads_to_one():
    assert not set(words.FORMER) & {*ANY, *get_args(words.Searched)}
    assert set(words.FORMER.values()) | set(words.ELSEWHERE.values()) <= set(ANY)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sp by sex <= 0.1", "demographic_parity by sex <= 0.1"),
        ("mr by sex <= 0.1", "error_rate by sex <= 0.1"),
        ("for by sex <= 0.1", "for_ by sex <= 0.1"),
        ("SP by sex >= 0.3", "selection_rate by sex >= 0.3"),
        ("demographic_parity by sex >= 0.3", "selection_rate by sex >= 0.3"),
        ("statistical_parity by sex <= 0.1", "demographic_parity by sex <= 0.1"),
    ],
)
def test_a_constraint_in_words_of_before_is_read_with_a_hint_and_printed_in_those_of_today(old, new):
    with pytest.warns(FutureWarning, match=new.split()[0]):
        [spec] = parse_specs(old)
    assert str(spec) == new
    assert parse_specs(new) == (spec,)
    with pytest.warns(FutureWarning):
        assert ConstrainPlan(constraints=(old,)).constraints == (new,)


def test_the_hint_names_both_words():
    with pytest.warns(FutureWarning, match=r"^'sp' is now 'demographic_parity'\.$"):
        FairnessSpec("sp", "sex", 0.1)
    with pytest.warns(FutureWarning, match=r"^'fnr' is called 'equal_opportunity' here\.$"):
        RulesPlan(fairness="fnr")


def test_equal_opportunity_is_the_constraint_on_false_negative_rates():
    assert parse_specs("equal_opportunity by sex <= 0.1") == (FairnessSpec("fnr", "sex", 0.1),)
    assert FairnessSpec("equal_opportunity", "sex", 0.1) == FairnessSpec("fnr", "sex", 0.1)


@pytest.mark.parametrize(
    ("word", "ours"),
    [
        ("demographic_parity_difference", "demographic_parity"),
        ("DemographicParity", "demographic_parity"),
        ("equalized_odds_ratio", "equalized_odds"),
        ("true_positive_rate_parity", "fnr"),
        ("false_positive_rate_parity", "fpr"),
        ("ErrorRateParity", "error_rate"),
        ("accuracy_score_difference", "error_rate"),
        ("zero_one_loss", "error_rate"),
        ("statistical_parity_difference", "demographic_parity"),
        ("disparate_impact", "demographic_parity"),
        ("mean_difference", "demographic_parity"),
        ("equal_opportunity_difference", "fnr"),
        ("average_abs_odds_difference", "equalized_odds"),
        ("false_omission_rate_ratio", "for_"),
        ("error_rate_difference", "error_rate"),
        ("ppr_disparity", "demographic_parity"),
        ("pprev", "demographic_parity"),
        ("fdr_disparity", "fdr"),
        ("for_disparity", "for_"),
        ("TypeI Parity", "fpr"),
        ("precision_disparity", "fdr"),
    ],
)
def test_a_word_of_another_package_is_refused_with_ours(word, ours):
    said = f"'{word}' is called '{ours}' here."
    assert words.hint_on(word, (*METRICS, *PAIRS)) == said
    with pytest.raises(InputError) as caught:
        FairnessSpec(word, "sex", 0.1)
    assert said in caught.value.hint
    if " " not in word:
        with pytest.raises(SpecError) as caught:
            parse_specs(f"{word} by sex <= 0.1")
        assert said in caught.value.hint


@pytest.mark.parametrize(
    ("word", "ours"), [("tpr", "fnr"), ("recall", "fnr"), ("error_rate", "accuracy"), ("ppv", "fdr"), ("npv", "for_")]
)
def test_a_search_has_a_direction_so_that_no_complement_is_read_for_a_rate(word, ours):
    people = pd.DataFrame({"g": list("ab") * 40, "y": [1, 0] * 40, "p": [1, 1, 0, 0] * 20})
    with pytest.raises(InputError) as caught:
        find_subgroups(people, decision="y", favorable=1, columns=["g"], prediction="p = 1", measure=word)
    assert caught.value.hint == f"'{word}' is 1 minus '{ours}'."


def test_a_word_that_nobody_has_is_refused_with_the_nearest_or_with_all():
    with pytest.raises(SpecError) as caught:
        parse_specs("equalised_odds by sex <= 0.1")
    assert "Did you mean 'equalized_odds'?" in caught.value.hint
    with pytest.raises(SpecError) as caught:
        parse_specs("goodness by sex <= 0.1")
    assert caught.value.hint.startswith("There are: ")


@pytest.mark.parametrize(
    ("part", "field", "old", "new"),
    [
        (RulesPlan, "fairness", "statistical_parity", "demographic_parity"),
        (RulesPlan, "fairness", "false_positive_rate", "fpr"),
        (RulesPlan, "fairness", "accuracy", "error_rate"),
        (TreesPlan, "constraint", "statistical_parity", "demographic_parity"),
        (TreesPlan, "constraint", "fnr", "equal_opportunity"),
    ],
)
def test_a_saved_plan_in_words_of_before_is_read_and_written_in_those_of_today(part, field, old, new):
    head = 'schema_version = 1\n[data]\nsource = "a.csv"\n[decision]\ncolumn = "y"\nfavorable = ["yes"]\n'
    models = '[models]\nfeatures = ["a"]\nprotected = "b = 1"\n'
    method = part.model_fields["method"].default
    with pytest.warns(FutureWarning, match=new):
        plan = AuditPlan.from_toml(f'{head}{models}[[remedies]]\nmethod = "{method}"\n{field} = "{old}"\n')
    assert getattr(plan.remedies[0], field) == new and old not in plan.to_toml()
    with pytest.raises(PlanError, match="must be") as caught:
        part(**{field: "equalized_odds_difference"})
    assert caught.value.hint == "'equalized_odds_difference' is called 'equalized_odds' here."


def test_estimators_read_words_of_before_and_leave_their_parameters_as_they_are():
    rng = np.random.default_rng(0)
    X, group = pd.DataFrame({"a": rng.integers(0, 3, 120), "b": rng.integers(0, 2, 120)}), rng.choice(["m", "w"], 120)
    y = (rng.random(120) < 0.2 + 0.3 * (X["a"] > 0)).astype(int)
    cases = [
        (
            RuleSetClassifier(3, time_limit=5, max_difference=0.1),
            "fairness",
            "statistical_parity",
            "demographic_parity",
        ),
        (OptimalTreeClassifier(1, max_difference=0.1), "constraint", "fnr", "equal_opportunity"),
        (ConstrainedClassifier(), "specs", "sp by g <= 0.1", "demographic_parity by g <= 0.1"),
    ]
    frame = pd.DataFrame({"g": group})
    for model, name, old, new in cases:
        with pytest.warns(FutureWarning, match=new.split()[0]):
            model.set_params(**{name: old}).fit(X, y, sensitive_features=frame)
        assert model.get_params()[name] == old
        before = model.predict(X)
        after = model.set_params(**{name: new}).fit(X, y, sensitive_features=frame).predict(X)
        assert (before == after).all()
    with pytest.raises(InputError, match="'fairness' must be one of") as caught:
        RuleSetClassifier(3, fairness="DemographicParity").fit(X, y, sensitive_features=frame)
    assert caught.value.hint == "'DemographicParity' is called 'demographic_parity' here."
