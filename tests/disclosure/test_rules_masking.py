from __future__ import annotations

import io
import json
import math
import zipfile
from dataclasses import replace

import pandas as pd
import pytest
import remedies_by_hand as by_hand
from json_schema import against_schema
from rules_by_hand import RULES, chosen_details, path, rules_details
from whole_report import whole_report

from fairaudit.disclosure.fields import Remark
from fairaudit.disclosure.gate import exported
from fairaudit.disclosure.remedies import masked_remedies
from fairaudit.errors import PlanError
from fairaudit.plan import AuditPlan
from fairaudit.present.blocks import Chart, Items, Paragraph, TableBlock
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.rules.plan import HIDDEN_RULE, RulesPlan
from fairaudit.report import to_csv_bundle, to_json, to_pdf
from fairaudit.sections.remedy import say_remedy

MINIMUM = 10
LARGE = ((300, 200, 376, 180), (1890, 690, 5954, 710))
"""Counts of which also the parts that two rules make are large."""
SAID = RULES[:2]


def remedy(counts=LARGE, *, before=by_hand.BEFORE, details=None, **options):
    made = details or rules_details(by_hand.GROUPS, counts, said=SAID, **options)
    return by_hand.remedy("rules", before=before, after=counts, details=made)


def study(*remedies):
    return replace(by_hand.remedies(("plain",)), remedies=remedies)


def masked(*remedies, **options):
    shown = masked_remedies(study(*remedies), MINIMUM, checks=(), others_hidden=False, **options).remedies
    return shown[0] if len(remedies) == 1 else shown


def with_cell(details, rule, group, **cells):
    """Return details in which counts of one rule in one group are others."""
    table = details.coverage.copy()
    place = (table["rule"] == rule) & (table["group"] == group)
    for name, value in cells.items():
        table.loc[place, name] = value
    return replace(details, coverage=table)


def test_large_counts_and_the_rules_stay_and_nothing_of_training_and_tuning_rows():
    finding = remedy(notes=(Remark("Said.", "setting"), "Said of few."))
    shown = masked(finding).details
    assert list(shown.rules["condition"]) == [condition for _, condition, *_ in SAID]
    pd.testing.assert_frame_equal(shown.coverage, finding.details.coverage)
    assert list(shown.gaps["held_out"]) == list(finding.details.gaps["held_out"])
    assert shown.gaps[["trained", "tuned"]].isna().all(axis=None)
    assert shown.path.empty and shown.frontier.empty
    hidden = ("objective", "lp_bound", "bound", "trained_gap", "tuned_gap", "trained_accuracy", "tuned_accuracy")
    assert [getattr(shown, name) for name in hidden] == [None] * len(hidden)
    assert (shown.status, shown.notes) == ("gap", ("Said.",))


def test_the_distance_to_the_bound_is_rounded_up():
    assert masked(remedy(optimality_gap=0.04376)).details.optimality_gap == 0.044
    assert masked(remedy(optimality_gap=0.044)).details.optimality_gap == 0.044
    assert math.isnan(masked(remedy(details=chosen_details(by_hand.GROUPS, LARGE, said=SAID))).details.optimality_gap)


GROUP = by_hand.GROUPS[0]


@pytest.mark.parametrize(
    ("cells", "rule"),
    [
        ({"n_right": 9}, 1),
        ({"n_covered": 185}, 1),
        ({"n_right": 0}, 2),
        ({"n_only": 155, "n_only_wrong": 9}, 1),
        ({"n_only": 109, "n_only_wrong": 100}, 1),
        ({"n_only": 295, "n_only_wrong": 118}, 1),
        ({"n_covered": 491, "n_right": 300}, 1),
        ({"n_only": 200, "n_only_wrong": 100}, 2),
    ],
)
def test_a_small_part_hides_whom_each_rule_concerns_and_only_that(cells, rule):
    finding = remedy()
    shown = masked(replace(finding, details=with_cell(finding.details, rule, GROUP, **cells)))
    assert set(shown.details.coverage["rule"]) == {0}
    assert shown.after.fairness.difference == finding.after.fairness.difference
    assert len(shown.details.gaps) == len(finding.details.gaps)
    assert len(shown.details.rules) == 2


def test_a_rule_that_concerns_nobody_in_a_group_hides_nothing():
    finding = remedy()
    nobody = with_cell(finding.details, 1, GROUP, n_covered=0, n_right=0, n_only=0, n_only_wrong=0)
    nobody = with_cell(nobody, 2, GROUP, n_covered=500, n_right=300, n_only=500, n_only_wrong=200)
    assert set(masked(replace(finding, details=nobody)).details.coverage["rule"]) == {0, 1, 2}


def test_one_rule_shows_no_more_than_the_whole_set():
    finding = remedy(details=rules_details(by_hand.GROUPS, LARGE, said=RULES[:1]))
    assert set(masked(finding).details.coverage["rule"]) == {0, 1}


@pytest.mark.parametrize("name", ["n", "n_covered", "n_right"])
def test_coverage_that_does_not_follow_from_the_counts_of_groups_goes(name):
    finding = remedy()
    odd = with_cell(finding.details, 0, GROUP, **{name: int(finding.details.coverage[name].iloc[0]) - 3})
    assert masked(replace(finding, details=odd)).details.coverage.empty


def test_a_gap_that_does_not_follow_from_the_counts_of_groups_goes():
    finding = remedy()
    gaps = finding.details.gaps.assign(held_out=[0.011, *finding.details.gaps["held_out"][1:]])
    shown = masked(replace(finding, details=replace(finding.details, gaps=gaps))).details
    assert list(shown.gaps["rate"]) == ["fpr"]


@pytest.mark.parametrize("fairness", ["equalized_odds", "statistical_parity", "accuracy"])
def test_gaps_of_every_rate_follow_from_the_counts_of_groups(fairness):
    finding = remedy(fairness=fairness)
    assert len(masked(finding).details.gaps) == len(finding.details.gaps) > 0


def few_details(**options):
    """Return details in which the second rule holds for 9 rows."""
    few = rules_details(by_hand.GROUPS, LARGE, said=SAID, **options)
    for group, n in zip(by_hand.GROUPS, (3, 6), strict=True):
        few = with_cell(few, 2, group, n_covered=n, n_right=n, n_only=n, n_only_wrong=0)
    return few


def test_a_rule_for_hardly_anybody_is_not_shown():
    few = few_details()
    shown = masked(remedy(details=few)).details
    assert list(shown.rules["text"]) == [SAID[0][0], None]
    assert shown.rules.loc[1, ["condition", "cost", "n_literals", "proxies", "uses_protected"]].isna().all()
    # What is rarer where is a count of tuning rows; so are the bounds of training rows.
    assert shown.rules["contrary"].isna().all()
    assert len(shown.bounds) == 0
    result = by_hand.audit(study(remedy(details=few)), minimum=MINIMUM)
    for stated in (to_json(result), repr(whole_report(result).blocks)):
        assert "prior offences is more than 8" not in stated and "prior_offences > 8" not in stated
    assert to_pdf(whole_report(result)).startswith(b"%PDF")


def test_a_rule_for_hardly_anybody_is_shown_nowhere_also_where_another_rule_was_changed_by_hand():
    plan = RulesPlan(rules=tuple(condition for _, condition, *_ in SAID))
    finding = replace(remedy(details=few_details(status="chosen")), plan=plan)
    result = by_hand.audit(study(finding), minimum=MINIMUM)
    result = replace(result, plan=result.plan.model_copy(update={"remedies": (plan, PlainPlan())}))
    exports = [to_json(result), repr(whole_report(result).blocks), *unpacked(to_csv_bundle(result)).values()]
    for stated in exports:
        assert "prior offences is more than 8" not in stated and "prior_offences > 8" not in stated
    assert sum("prior_offences > 3" in stated for stated in exports) >= 3
    stated = exported(result).plan
    assert stated.remedies[0].rules == (plan.rules[0], HIDDEN_RULE) and stated.remedies[1] == PlainPlan()
    with pytest.raises(PlanError, match="hidden when this plan was exported"):
        AuditPlan.from_toml(stated.to_toml())
    large = replace(result, remedies=replace(result.remedies, remedies=(replace(finding, details=remedy().details),)))
    assert exported(large).plan.remedies == result.plan.remedies


def unpacked(content):
    with zipfile.ZipFile(io.BytesIO(content)) as bundle:
        return {name: bundle.read(name).decode("utf-8-sig") for name in bundle.namelist()}


def test_small_groups_hide_all_counts_and_leave_the_rules():
    finding = remedy(((9, 200, 376, 180), LARGE[1]), notes=("Said of few.",))
    shown = masked(finding)
    assert shown.details.coverage.empty and shown.details.gaps.empty and shown.details.notes == ()
    assert shown.after.fairness.difference is None
    document = whole_report(by_hand.audit(study(finding), minimum=MINIMUM))
    keys = {b.key.removeprefix("remedy_1_") for b in document.blocks if isinstance(b, (Chart, TableBlock))}
    assert not {"rates_chart", "coverage_chart", "path_chart"} & keys
    assert any(isinstance(b, Items) and b.items[0].startswith("1. age is") for b in document.blocks)
    text = " ".join(b.text for b in document.blocks if isinstance(b, Paragraph))
    assert "nan" not in text and "None" not in text
    facts = study(finding).facts
    assert say_remedy(finding, facts).verdict.key == "verdict-limit-not-met"
    assert say_remedy(shown, facts).verdict.key == "verdict-not-shown"


def moved(n_tp, n_fp=0):
    (tp, fp, tn, fn), rest = LARGE
    return ((tp + n_tp, fp + n_fp, tn - n_fp, fn - n_tp), rest)


@pytest.mark.parametrize(
    ("other", "hidden"),
    [(moved(0), False), (moved(4, 20), True), (moved(20), True), (moved(20, -3), True), (moved(20, 12), False)],
)
def test_rule_sets_that_few_people_make_the_difference_of_are_not_shown_side_by_side(other, hidden):
    one, two = remedy(), remedy(other, before=LARGE)
    three = by_hand.remedy("relabel", before=other, after=by_hand.AFTER)
    shown = masked(one, two, three)
    stated = [finding.after.fairness.difference is not None for finding in shown]
    # The figures of the second stand in the third too, as what it is compared with.
    assert stated == [True, not hidden, not hidden]
    overall = [finding.after.measure("accuracy").value is not None for finding in shown]
    assert overall == [True, not hidden, not hidden]
    assert len(shown[1].details.rules) == 2


def test_the_masked_export_reveals_nothing_of_training_and_tuning_rows():
    one = remedy()
    other = replace(
        one,
        details=replace(
            one.details, objective=99.0, bound=95.0, lp_bound=94.0, trained_gap=0.01, tuned_gap=0.3, path=path(3),
            trained_accuracy=0.5, tuned_accuracy=0.4, gaps=one.details.gaps.assign(trained=0.1, tuned=0.2),
        ),
    )  # fmt: skip
    results = [by_hand.audit(study(finding), minimum=MINIMUM) for finding in (one, other)]
    assert to_json(results[0]) == to_json(results[1])
    assert to_csv_bundle(results[0]) == to_csv_bundle(results[1])
    assert to_json(by_hand.audit(study(one))) != to_json(by_hand.audit(study(other)))


@pytest.mark.thorough
@pytest.mark.parametrize("minimum", [MINIMUM, 10_000])
def test_the_masked_export_keeps_its_schema(minimum):
    few = with_cell(rules_details(by_hand.GROUPS, LARGE, said=SAID), 1, GROUP, n_right=3)
    chosen = chosen_details(by_hand.GROUPS, LARGE, said=SAID, fairness=None)
    for details in (None, few, chosen, rules_details(by_hand.GROUPS, LARGE, said=())):
        finding = remedy(details=details)
        if details is chosen:
            finding = replace(finding, plan=RulesPlan(rules=("age <= 25",), fairness=None))
        result = by_hand.audit(study(finding), minimum=minimum)
        assert not against_schema(json.loads(to_json(result)))
        assert to_pdf(whole_report(result)).startswith(b"%PDF")
