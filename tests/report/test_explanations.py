from __future__ import annotations

import dataclasses

from findings_by_hand import ADULT, fairness, finding

from fairaudit.measure.results import GroupComparison, GroupRow
from fairaudit.remedies.registry import REMEDIES
from fairaudit.remedies.rules.kind import RULES
from fairaudit.remedies.trees.kind import TREES
from fairaudit.report.explanations import caveats, definitions, interval_notes


def test_caveats_name_unknown_groups_missing_decisions_and_missing_filter():
    texts = " ".join(caveats(finding(*ADULT, where=None, unknown=3, undecided=(1, 0))))
    assert "group is unknown" in texts
    assert (
        "is not known are left out: 1 in the protected group, 0 in the rest. If that is so more often in one group"
        in texts
    )
    assert "No filter was set" in texts


def test_caveats_warn_of_many_comparisons_and_small_groups():
    row = GroupRow((("race", "Other"),), fairness(2, 9, 40, 90), 0.5, small=True)
    large = dataclasses.replace(row, small=False)
    two, three = (
        GroupComparison(("race",), None, rows, 0, 0, 30, None, None) for rows in ((row, large), (row, large, large))
    )
    texts = " ".join(interval_notes(finding(*ADULT, groups=(three,))))
    assert "3 groups were compared at once" in texts
    assert "at once" not in " ".join(interval_notes(finding(*ADULT, groups=(two,)))), "it is one comparison"
    assert "marked as small" in texts


def test_caveats_name_the_method_that_allows_for_many_comparisons():
    row = GroupRow((("race", "Other"),), fairness(20, 90, 40, 90), 0.5, small=False)
    hidden = dataclasses.replace(row, comparison=dataclasses.replace(row.comparison, difference=None))
    whole, part = (
        GroupComparison(("race",), None, rows, 0, 0, 30, None, None) for rows in ((row, row, row), (row, row, hidden))
    )
    for tables, holm, bonferroni in (((whole,), True, False), ((part,), False, True), ((whole, part), True, True)):
        texts = " ".join(interval_notes(finding(*ADULT, groups=tables)))
        assert ("(Holm) allow for that" in texts, "Bonferroni" in texts) == (holm, bonferroni)


def test_definitions_name_the_settings_and_the_error_words_only_when_needed():
    short = dict(definitions(tolerance=0.02, confidence=0.9))
    assert "2 points" in short["Tolerance"]
    assert "for example, 32.0 % against" in short["Gap"]
    assert "AUC" not in short
    assert "AUC" in dict(definitions(errors=True))


def test_definitions_are_of_the_remedies_that_were_tried_each_once():
    words = [word for word, _ in definitions(kinds=[RULES, TREES])]
    assert len(words) == len(set(words))
    assert {"Similar people", "List of rules, complexity", "Decision tree, depth, leaf", "Margin"} <= set(words)
    assert not {"Retraining, changed decisions", "Threshold"} & set(words)
    every = dict(definitions(kinds=REMEDIES))
    assert all(dict(kind.definitions()).items() <= every.items() for kind in REMEDIES)
