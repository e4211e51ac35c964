"""What other code calls by name keeps its names: the public functions and their parameters, in their order."""

from __future__ import annotations

import inspect

import pytest

import fairaudit

SIGNATURES = {
    "read_table": "source, *, name, format",
    "connect_table": "url, *, table, query",
    "check_controlled_fairness": "table, *, decision, favorable, protected, where, tolerance, confidence",
    "check_strata": "table, *, decision, favorable, protected, strata, where",
    "group_metrics": "y_true, y_pred, *, sensitive_features, sample_weight",
    "didi": "y, *, sensitive_features, task",
    "dtdi": "X, y, *, sensitive_features, n_neighbors, task",
    "find_subgroups": (
        "table, *, decision, favorable, columns, protected, prediction, measure, max_conditions, min_rows, direction, "
        "search_fraction, confidence, time_limit, random_state"
    ),
    "explain_gap": "table, *, decision, favorable, protected, controls, where, method, confidence",
    "detectable_gap": "n_protected, n_reference, *, rate, tolerance, confidence, power",
    "compare_periods": "table_before, table_after, *, decision, favorable, protected, where, confidence",
    "outcome_test": "table, *, acted, found, group, strata, confidence",
    "threshold_test": "table, *, group, location, stopped, searched, found, random_state",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_public_functions_keep_the_names_of_their_parameters(name):
    parameters = inspect.signature(getattr(fairaudit, name)).parameters
    before, _, after = SIGNATURES[name].partition(", *, ")
    by_position, by_name = before.split(", "), after.split(", ")
    assert [p for p in parameters if parameters[p].kind is not inspect.Parameter.KEYWORD_ONLY] == by_position
    assert [p for p in parameters if p in by_name] == by_name
    assert all(
        parameters[p].default is not inspect.Parameter.empty for p in parameters if p not in by_position + by_name
    )
