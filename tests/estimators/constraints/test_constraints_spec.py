from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from fairaudit import Condition
from fairaudit.errors import ConditionError, InputError
from fairaudit.estimators.constraints import FairnessSpec, Metric, aec, equalized_odds, predictive_parity, read_specs
from fairaudit.estimators.constraints.metrics import Columns, Conditions

FRAME = pd.DataFrame({"age": [20, 70], "sex": ["F", "M"], "race": ["x", "y"]})
YOUNG_OLD = {"young": "age < 25", "old": "age >= 60"}


@pytest.mark.parametrize(
    ("groups", "columns", "names"),
    [
        ("sex", ("sex",), None),
        ("marital status", ("marital status",), None),
        (["sex"], ("sex",), None),
        (("race", "sex"), ("race", "sex"), None),
        (pd.Index(["race", "sex"]), ("race", "sex"), None),
        (np.array(["race", "sex"]), ("race", "sex"), None),
        (Columns(("is it < 3",)), ("is it < 3",), None),
        (YOUNG_OLD, None, ("young", "old")),
        (["age < 25", "age >= 60"], None, ("age < 25", "age >= 60")),
        (["sex IN ('F')", "NOT (sex = 'F')"], None, ("sex IN ('F')", "NOT (sex = 'F')")),
        ({"F": Condition.parse("sex = 'F'", FRAME), "all": "age > 0"}, None, ("F", "all")),
        (Conditions((("a", "age < 25"), ("b", "age > 3"))), None, ("a", "b")),
        ({"veterans": "veteran", "others": "NOT veteran"}, None, ("veterans", "others")),
    ],
)
def test_groups_are_a_column_columns_or_conditions(groups, columns, names):
    spec = FairnessSpec("demographic_parity", groups, 0.1)
    assert (spec.columns, spec.group_names) == (columns, names)
    assert (spec.conditions is None) == (names is None)
    assert FairnessSpec.parse(str(spec)) == spec


def test_equal_constraints_are_equal_and_others_are_not():
    spec = FairnessSpec("FPR", "sex", 0.1)
    assert spec == FairnessSpec("fpr", ["sex"], np.float64(0.1))
    assert len({spec, FairnessSpec("fpr", ("sex",), 0.1)}) == 1
    others = [("fnr", "sex", 0.1), ("fpr", "race", 0.1), ("fpr", "sex", 0.2), ("fpr", ["sex", "race"], 0.1)]
    assert spec not in [FairnessSpec(*other) for other in others]
    assert FairnessSpec("aec(1,5)", "sex", 3) == FairnessSpec(aec(1, 5), "sex", 3)
    assert FairnessSpec("demographic_parity", YOUNG_OLD, 0.1) != FairnessSpec(
        "demographic_parity", list(YOUNG_OLD.values()), 0.1
    )


@pytest.mark.parametrize(
    "limit", [0.03, 1, 1.0, 5e-324, np.float64(0.5), np.float32(0.25), np.float16(0.5), np.int64(1), Fraction(1, 3)]
)
def test_the_largest_difference_may_be_any_number_above_zero(limit):
    spec = FairnessSpec("demographic_parity", "sex", limit)
    assert type(spec.max_difference) is float
    assert spec.max_difference == float(limit)
    assert FairnessSpec.parse(str(spec)) == spec


@pytest.mark.parametrize("limit", [0, -0.0, -0.1, np.float64(0), np.int8(-1), -(10**30)])
def test_a_largest_difference_of_zero_or_less_is_refused(limit):
    with pytest.raises(
        InputError, match=r"^'max_difference' must be above 0, got -?[\d.e+]+\.\nHint: Groups are hardly"
    ):
        FairnessSpec("demographic_parity", "sex", limit)


@pytest.mark.parametrize("limit", [math.nan, math.inf, -math.inf, "0.03", None, True, np.bool_(True), [0.1], 10**400])
def test_a_largest_difference_that_is_no_number_is_refused(limit):
    with pytest.raises(InputError, match=r"^'max_difference' must be a number above 0, got [\w'.-]+\.\nHint"):
        FairnessSpec("demographic_parity", "sex", limit)


def test_a_share_differs_by_at_most_one_and_a_cost_by_more():
    with pytest.raises(InputError, match="must be at most 1 for 'fpr', which is a share, got 3"):
        FairnessSpec("fpr", "sex", 3)
    own = Metric("own", "own", lambda y, h: (np.zeros(len(y)), 0.0))
    assert [FairnessSpec(metric, "sex", 3).max_difference for metric in (aec(1, 5), own)] == [3, 3]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("", "must name at least one column"),
        ([], "must name at least one column"),
        (["sex", "sex"], "names a column twice: 'sex', 'sex'"),
        (["age < 25"], "must hold at least two conditions, got 1"),
        ({}, "must hold at least two conditions, got 0"),
        ({"a": "age < 25", "b": " "}, "has an empty condition or name"),
        ({" ": "age < 25", "b": "age > 3"}, "has an empty condition or name"),
        (["age < 25", "age < 25"], "has two groups named 'age < 25'"),
        (["sex", "age < 25"], "mixes columns and conditions: 'sex', 'age < 25'"),
        ({"sex", "race"}, "must be a column, columns or conditions, got set"),
        (b"sex", "must be a column, columns or conditions, got bytes"),
        (3, "must be a column, columns or conditions, got int"),
        (None, "must be a column, columns or conditions, got NoneType"),
        ([1, 2], "must hold names of columns or conditions, as texts, got int"),
        ({"a": 1, "b": 2}, "must hold names of columns or conditions, as texts, got int"),
        ({1: "age < 25", 2: "age > 3"}, "must hold names of columns or conditions, as texts, got int"),
    ],
)
def test_groups_that_make_no_sense_are_refused_in_one_sentence(groups, message):
    with pytest.raises(InputError) as caught:
        FairnessSpec("demographic_parity", groups, 0.1)
    assert caught.value.message.startswith(f"'groups' {message}"), caught.value.message
    assert caught.value.message.endswith(".")
    assert "\n" not in caught.value.message


def test_the_columns_needed_are_those_that_make_the_groups():
    assert FairnessSpec("demographic_parity", ["race", "sex"], 0.1).needed_columns(FRAME) == ("race", "sex")
    spec = FairnessSpec("demographic_parity", ["sex = 'F' AND age < 30", "RACE = 'x'", "age > 60"], 0.1)
    assert spec.needed_columns(FRAME) == ("sex", "age", "race")
    with pytest.raises(ConditionError, match="colour"):
        FairnessSpec("demographic_parity", ["colour = 'r'", "age < 3"], 0.1).needed_columns(FRAME)


def test_pairs_of_constraints_hold_one_of_each_metric():
    assert [str(spec) for spec in equalized_odds(["race", "sex"], 0.05)] == [
        "fpr by race, sex <= 0.05",
        "fnr by race, sex <= 0.05",
    ]
    assert [spec.metric for spec in predictive_parity(YOUNG_OLD, 0.05)] == ["for_", "fdr"]


def test_constraints_are_read_from_objects_texts_and_mixtures_without_repetition():
    found = read_specs(
        [
            equalized_odds("sex", 0.05),
            "demographic_parity by race <= 3%; fnr by sex <= 0.05",
            FairnessSpec("demographic_parity", "race", 0.03),
        ]
    )
    assert [str(spec) for spec in found] == [
        "fpr by sex <= 0.05",
        "fnr by sex <= 0.05",
        "demographic_parity by race <= 0.03",
    ]
    assert read_specs(found[0]) == found[:1]
    assert read_specs("demographic_parity by race <= 0.03") == found[2:]


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        (None, "must hold constraints or their texts, got NoneType"),
        ([], "must hold at least one constraint, got none"),
        ([[], ()], "must hold at least one constraint, got none"),
        ([3], "must hold constraints or their texts, got int"),
        ({"demographic_parity": 3}, "must hold constraints or their texts, got dict"),
    ],
)
def test_what_holds_no_constraints_is_refused(specs, message):
    with pytest.raises(InputError, match=message):
        read_specs(specs)
