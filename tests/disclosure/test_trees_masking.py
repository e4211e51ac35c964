from __future__ import annotations

import json
from dataclasses import replace

import pandas as pd
import pytest
import remedies_by_hand as by_hand
from json_schema import against_schema
from rules_by_hand import RULES, rules_details
from trees_by_hand import trees_details
from whole_report import whole_report

from fairaudit.disclosure.fields import Remark
from fairaudit.disclosure.remedies import masked_remedies
from fairaudit.findings import Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.words import tree_lines
from fairaudit.report import to_csv_bundle, to_json, to_pdf

MINIMUM = 10
LARGE = ((300, 200, 376, 180), (1890, 690, 5954, 710))
LEARNED = ("objective", "bound", "trained_gap", "tuned_gap", "trained_accuracy", "tuned_accuracy")


def remedy(counts=LARGE, *, details=None, **options):
    made = details or trees_details(by_hand.GROUPS, counts, **options)
    return by_hand.remedy("rules", name="Decision tree", after=counts, details=made, plan=TreesPlan(max_depth=2))


def study(*remedies):
    return replace(by_hand.remedies(("plain",)), remedies=remedies)


def masked(*remedies, **options):
    return masked_remedies(study(*remedies), MINIMUM, checks=(), others_hidden=False, **options).remedies


def with_cell(details, node, group, **cells):
    """Return details in which counts of one node in one group are others."""
    table = details.counts.copy()
    place = (table["node"] == node) & (table["group"] == group)
    for name, value in cells.items():
        table.loc[place, name] = value
    return replace(details, counts=table)


def test_large_counts_and_the_tree_stay_and_nothing_of_training_and_tuning_rows():
    finding = remedy(notes=(Remark("Said.", "setting"), "Said of few."))
    shown = masked(finding)[0].details
    assert shown.nodes["words"].tolist() == finding.details.nodes["words"].tolist()
    held = ["node", "group", "n", "n_positive", "rate", "rate_low", "rate_high"]
    pd.testing.assert_frame_equal(shown.counts[held], finding.details.counts[held])
    assert shown.counts[["n_learned", "n_learned_positive", "learned_rate"]].isna().all(axis=None)
    assert shown.leaves["n_learned"].isna().all() and shown.leaves["n"].tolist() == finding.details.leaves["n"].tolist()
    assert list(shown.gaps["held_out"]) == list(finding.details.gaps["held_out"])
    assert shown.gaps[["trained", "tuned"]].isna().all(axis=None)
    assert all(frame.empty for frame in (shown.bounds, shown.settings, shown.similar, shown.alike))
    assert [getattr(shown, name) for name in LEARNED] == [None] * len(LEARNED)
    assert shown.indices[["index", "part"]].values.tolist() == [["didi", "held_out"]]
    assert (shown.status, shown.notes) == ("optimal", ("Said.",))


@pytest.mark.parametrize("cells", [{"n_positive": 9}, {"n_positive": 0}, {"n": 300, "n_positive": 291}])
@pytest.mark.parametrize("node", [2, 6, 7])
def test_one_small_part_of_a_leaf_hides_all_counts_of_the_tree_and_leaves_its_words(cells, node):
    changed = with_cell(remedy().details, node, by_hand.GROUPS[0], **cells)
    shown = masked(remedy(details=changed))[0].details
    assert shown.counts.empty and shown.leaves.empty
    assert shown.nodes["words"].notna().all() and len(shown.gaps) == 1


def test_a_leaf_that_nobody_of_a_group_comes_to_hides_nothing():
    changed = with_cell(remedy().details, 2, by_hand.GROUPS[0], n=0, n_positive=0)
    assert len(masked(remedy(details=changed))[0].details.counts) == 10


@pytest.mark.parametrize(("node", "hidden"), [(2, {1, 2, 3, 6, 7}), (3, {1, 2, 3, 6, 7}), (6, {3, 6, 7})])
def test_a_split_with_few_rows_on_a_side_is_not_shown_nor_what_lies_below(node, hidden):
    details = remedy().details
    for group in by_hand.GROUPS:
        details = with_cell(details, node, group, n=4, n_positive=2)
    shown = masked(remedy(details=details))[0].details
    untold = shown.nodes[shown.nodes["words"].isna()]
    assert set(untold["node"]) == hidden
    assert untold[["path", "condition", "prediction", "uses_protected", "proxies"]].isna().all(axis=None)
    lines = tree_lines(shown.nodes)
    hides = {"side": Word("root" if 1 in hidden else "no"), "kind": Word("hidden-ask"), "words": Phrase("")}
    assert lines[-1].strip() == say(Message("tree-line", hides))
    assert not any("prior offences" in line for line in lines)


def test_a_gap_that_does_not_follow_from_the_counts_of_groups_goes():
    details = remedy().details
    other = replace(details, gaps=details.gaps.assign(held_out=0.4321))
    assert masked(remedy(details=other))[0].details.gaps.empty
    fifths = trees_details(by_hand.GROUPS, LARGE, constraint="four_fifths")
    assert len(masked(remedy(details=fifths))[0].details.ratios) == 1
    gone = replace(fifths, gaps=fifths.gaps.assign(held_out=0.4321))
    assert masked(remedy(details=gone))[0].details.ratios.empty


def test_small_groups_hide_all_counts_and_leave_the_tree():
    small = ((300, 5, 376, 180), LARGE[1])
    shown = masked(remedy(small, details=remedy().details))[0].details
    assert shown.counts.empty and shown.gaps.empty and shown.indices.empty and shown.notes == ()
    assert shown.nodes["words"].notna().all()


def test_counts_of_one_tree_only_are_shown_in_an_audit():
    shown = [each.details for each in masked(remedy(), remedy())]
    assert len(shown[0].counts) and shown[1].counts.empty and shown[1].leaves.empty
    rules = by_hand.remedy("rules", after=LARGE, details=rules_details(by_hand.GROUPS, LARGE, said=RULES[:2]))
    stated = [each.details for each in masked(remedy(), rules)]
    assert stated[0].counts.empty and len(stated[1].coverage)


def test_trees_that_few_people_make_the_difference_of_are_not_shown_side_by_side():
    close = ((304, 200, 376, 176), LARGE[1])
    shown = masked(remedy(), remedy(close))
    assert len(shown[0].after.errors.counts) and shown[1].after.errors.counts.empty
    far = ((330, 230, 346, 150), LARGE[1])
    assert len(masked(remedy(), remedy(far))[1].after.errors.counts)


def test_the_distance_to_the_bound_is_rounded_up():
    assert masked(remedy(status="work_limit", optimality_gap=0.04376))[0].details.optimality_gap == 0.044


@pytest.mark.thorough
@pytest.mark.parametrize("minimum", [5, 200, 100_000])
def test_the_masked_export_keeps_its_schema_and_reveals_nothing_of_learning(minimum):
    audit = by_hand.audit(study(remedy(trained_accuracy=0.87654)), minimum=minimum)
    text = to_json(audit)
    values = json.loads(text)
    assert not against_schema(values)
    assert "0.87654" not in text
    assert to_pdf(whole_report(audit)).startswith(b"%PDF") and to_csv_bundle(audit)
