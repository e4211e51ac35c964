"""The public names are a contract: complete, documented, and nothing besides."""

from __future__ import annotations

import importlib
import inspect

import pytest
from numpydoc.validate import validate
from sources import PACKAGE_FILES, PACKAGES, code_of, module_name

import fairaudit

NOW = {
    "AuditPlan",
    "Condition",
    "ConstrainedClassifier",
    "EqualizedDistributionClassifier",
    "FairauditError",
    "FairnessSpec",
    "GroupThresholdClassifier",
    "LookaheadTreeClassifier",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "ReadOptions",
    "RelabeledClassifier",
    "RuleSetClassifier",
    "Table",
    "check_controlled_fairness",
    "check_errors",
    "check_group_means",
    "check_groups",
    "check_mean_strata",
    "check_level_errors",
    "check_levels",
    "check_means",
    "check_partial_counts",
    "check_rankings",
    "check_scores",
    "check_strata",
    "compare_periods",
    "connect_table",
    "detectable_gap",
    "didi",
    "dtdi",
    "explain_gap",
    "fill_form",
    "find_alternatives",
    "find_proxies",
    "find_subgroups",
    "group_gaps",
    "group_metrics",
    "list_forms",
    "outcome_test",
    "read_table",
    "run",
    "schema",
    "threshold_test",
    "veil_of_darkness",
    "verify",
    "watch_gap",
    "write_report",
}
# Promised, not there yet. Move a name up as soon as anything of that name is written.
LATER: set[str] = set()
# Name -> parameters without a default, and those with one (those after * are keyword-only).
SIGNATURES = {
    "read_table": "source, *, name, format",
    "connect_table": "url, *, table, query, name, timeout",
    "check_controlled_fairness": "table, *, decision, favorable, protected, where, tolerance, confidence",
    "check_strata": "table, *, decision, favorable, protected, strata, where, tolerance, confidence",
    "check_level_errors": "table, *, decision, prediction, by, levels, ordered, strata, where, tolerance, confidence",
    "check_levels": "table, *, decision, protected, levels, ordered, strata, by, where, tolerance, confidence",
    "check_means": "table, *, decision, protected, where, tolerance, confidence",
    "check_groups": "table, *, decision, favorable, by, where, reference, tolerance, confidence",
    "check_errors": "table, *, outcome, favorable, prediction, by, where, positive, confidence",
    "check_scores": "table, *, outcome, favorable, score, by, higher_is_favorable, where",
    "fill_form": "table, form, *, columns, decision, favorable, where",
    "run": "plan, *, data",
    "detectable_gap": "n_protected, n_reference, *, rate, tolerance, confidence, power",
    "explain_gap": "table, *, decision, favorable, protected, controls, where, method, confidence",
    "compare_periods": "table_before, table_after, *, decision, favorable, protected, where, confidence, date, cuts",
    "find_subgroups": "table, *, decision, favorable, columns, protected, prediction, measure, max_conditions, "
    "min_rows, direction, search_fraction, confidence, time_limit, random_state",
    "outcome_test": "table, *, acted, found, group, strata, confidence",
    "threshold_test": "table, *, group, location, stopped, searched, found, random_state",
    "veil_of_darkness": "table, *, group, date, time, latitude, longitude, time_zone, light, place, confidence",
    "group_metrics": "y_true, y_pred, *, sensitive_features, sample_weight",
    "verify": "folder, data, *, published",
    "didi": "y, *, sensitive_features, task",
    "dtdi": "X, y, *, sensitive_features, n_neighbors, task",
}
# numpydoc's codes. Each name without an underscore opens with one line: an instruction, with a full stop.
SUMMARY = {"GL08", "SS01", "SS03", "SS04", "SS05"}
# What fairaudit exports also says what goes in and what comes out, just as the code has it.
IN_AND_OUT = {"GL03", "PR01", "PR02", "PR03", "PR04", "PR07", "RT01", "RT03", "YD01"}


def public_objects(module):
    """Yield the full name of each public function, class and method that a module defines.

    What a class of ours that stands above says of a method holds for those that take its place.
    """
    for name, value in vars(module).items():
        if name.startswith("_") or not (inspect.isfunction(value) or inspect.isclass(value)):
            continue
        if value.__module__ == module.__name__:
            yield f"{module.__name__}.{name}"
            for member, method in vars(value).items() if inspect.isclass(value) else ():
                method = getattr(method, "__func__", method)
                said_above = inspect.isfunction(method) and not method.__doc__ and inspect.getdoc(method)
                is_own = inspect.isfunction(method) and method.__module__ == module.__name__
                if is_own and not said_above and not member.startswith("_"):
                    yield f"{module.__name__}.{name}.{member}"


def test_all_is_what_was_promised():
    assert sorted(fairaudit.__all__) == sorted(NOW)
    assert all(hasattr(fairaudit, name) for name in NOW)


def test_nothing_promised_for_later_is_there_already():
    defined = {name for path in PACKAGE_FILES for name in (*code_of(path).classes, *code_of(path).functions)}
    assert not LATER & (defined | set(vars(fairaudit))), "move these names from LATER to NOW and export them"


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature_keeps_the_contract(name):
    parameters = inspect.signature(getattr(fairaudit, name)).parameters.values()
    given = [p.name for p in parameters]
    promised = [part for part in SIGNATURES[name].split(", ") if part != "*"]
    n_positional = SIGNATURES[name].split(", ").index("*")
    assert given[: len(promised)] == promised
    assert [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY] == promised[:n_positional]


def test_all_names_only_what_is_there():
    modules = [importlib.import_module(module_name(path)) for path in PACKAGE_FILES]
    listed = [(module, name) for module in modules for name in getattr(module, "__all__", ())]
    missing = [f"{module.__name__}: {name}" for module, name in listed if not hasattr(module, name)]
    assert listed and not missing, missing


@pytest.mark.parametrize(
    "name",
    [
        "EqualizedDistributionClassifier",
        "GroupThresholdClassifier",
        "LookaheadTreeClassifier",
        "OptimalTreeClassifier",
        "OptimalTreeRegressor",
        "RelabeledClassifier",
        "RuleSetClassifier",
    ],
)
def test_estimators_are_fitted_with_groups_and_only_thresholds_need_them_to_predict(name):
    estimator = getattr(fairaudit, name)
    for method in (estimator.fit, estimator.iter_fit):
        parameters = inspect.signature(method).parameters
        assert list(parameters)[:4] == ["self", "X", "y", "sensitive_features"]
        assert parameters["sensitive_features"].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters["sensitive_features"].default is None
    needs = "sensitive_features" in inspect.signature(estimator.predict).parameters
    assert needs == (name == "GroupThresholdClassifier")


def complaints(name: str, codes: set[str]) -> list[str]:
    """Return what numpydoc has to say about the docstring of a name."""
    return [f"{name}: {message}" for code, message in validate(name)["errors"] if code in codes]


@pytest.mark.thorough
@pytest.mark.parametrize("package", PACKAGES)
def test_each_name_opens_with_one_clear_line(package):
    modules = [importlib.import_module(module_name(path)) for path in PACKAGES[package]]
    names = [name for module in modules for name in public_objects(module)]
    found = [text for name in names for text in complaints(name, SUMMARY)]
    assert names and not found, "\n".join(found)


def test_exported_names_are_documented():
    found = []
    for name in fairaudit.__all__:
        value = getattr(fairaudit, name)
        home = inspect.getmodule(value)
        full_name = f"{home.__name__}.{name}"
        for each in public_objects(home):
            if each == full_name or each.startswith(f"{full_name}."):
                inherits = each == full_name and inspect.isclass(value) and "__init__" not in vars(value)
                found += complaints(each, IN_AND_OUT - {"PR01"} if inherits else IN_AND_OUT)
    assert not found, "\n".join(found)
