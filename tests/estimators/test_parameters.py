"""Parameters are checked by what the estimators declare, and errors say the declaration."""

from __future__ import annotations

import inspect
import math
from numbers import Integral, Real

import pytest
from sklearn.utils._param_validation import HasMethods, Interval

import fairaudit
from fairaudit.errors import InputError
from fairaudit.estimators.parameters import COUNT, NOT_NEGATIVE, PART, POSITIVE, SHARE, check_values, documented, one_of

ESTIMATORS = sorted(name for name in fairaudit.__all__ if name.endswith(("Classifier", "Regressor")))
CHECKED_AS_THEY_ARE_READ = {"specs", "floors"}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_each_estimator_declares_all_its_parameters_and_its_defaults_keep_to_them(name):
    estimator = getattr(fairaudit, name)()
    declared = estimator._parameter_constraints
    assert estimator.get_params().keys() - declared.keys() <= CHECKED_AS_THEY_ARE_READ
    assert declared.keys() <= estimator.get_params().keys()
    check_values(declared, {parameter: getattr(estimator, parameter) for parameter in declared})


@pytest.mark.parametrize(
    "constraints, value, rule",
    [
        ([COUNT], 0, "an int of at least 1, got 0."),
        ([COUNT], True, "an int of at least 1, got True."),
        ([COUNT, None], 2.5, "an int of at least 1 or None, got 2.5."),
        ([Interval(Integral, 1, 8, closed="both")], 9, "an int from 1 to 8, got 9."),
        ([SHARE], 1.5, "a number from 0 to 1, got 1.5."),
        ([PART], 1, "a number above 0 and below 1, got 1."),
        ([POSITIVE], math.inf, "a number above 0, got inf."),
        ([POSITIVE], math.nan, "a number above 0, got nan."),
        ([Interval(Real, 0, 1, closed="left")], 1, "a number of at least 0 and below 1, got 1."),
        ([one_of(["pso", "exact"])], "grid", "one of pso, exact, got 'grid'."),
        ([one_of(["cv"]), NOT_NEGATIVE], -1, "'cv' or a number of at least 0, got -1."),
        ([HasMethods(["fit"]), None], "deciles", "an object with 'fit' or None, got str."),
        (["boolean"], 1, "True or False, got 1."),
    ],
)
def test_an_error_says_the_declaration_and_the_value(constraints, value, rule):
    with pytest.raises(InputError) as caught:
        check_values({"size": constraints}, {"size": value})
    assert str(caught.value) == f"'size' must be {rule}"


def test_a_hint_follows():
    with pytest.raises(InputError) as caught:
        check_values({"size": [COUNT]}, {"size": 0}, {"size": "Take 1."})
    assert caught.value.hint == "Take 1."


def test_a_docstring_is_completed_from_the_signature():
    class Model:
        @documented(returns=("float", "Share."), y="The true labels.", raises={InputError: "If it is empty."})
        def score(self, X, y):
            """Return the accuracy."""

    sections = inspect.getdoc(Model.score).split("\n\n")
    assert [section.split("\n")[0] for section in sections] == [
        "Return the accuracy.",
        "Parameters",
        "Returns",
        "Raises",
    ]
    assert "    The true labels." in sections[1] and "X : DataFrame or array_like, shape (n, n_features)" in sections[1]
