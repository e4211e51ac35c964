from __future__ import annotations

import dataclasses
import math

import pytest
import remedies_by_hand as by_hand

from fairaudit.measure.results import Interval
from fairaudit.present.numbers import NO_BREAK
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.relabel.tables import relabel_tables
from fairaudit.remedies.shared.caveats import remedy_caveats, study_caveats
from fairaudit.remedies.shared.compared_models import judged
from fairaudit.remedies.shared.tables import frontier_rows, gaps_table, remedies_summary_table
from fairaudit.remedies.shared.words import (
    befores_sentence,
    change_word,
    done_sentence,
    study_sentence,
)
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.thresholds.tables import thresholds_table
from fairaudit.study.cautions import STOPPED
from fairaudit.study.judging.results import Change


def plain_blanks(text: str) -> str:
    return text.replace(NO_BREAK, " ").replace("\N{MINUS SIGN}", "-")


def test_groups_too_small_for_a_gap_are_not_said_to_be_in_it():
    found = by_hand.narrowed(by_hand.remedies(("relabel",)), filtered_out=31)
    [remedy] = found.remedies
    gaps = remedy.after.errors.gaps.assign(n_few=1)
    errors = dataclasses.replace(remedy.after.errors, gaps=gaps)
    few = dataclasses.replace(remedy, after=dataclasses.replace(remedy.after, errors=errors))
    said = [gaps_table(one, 1).note for one in (remedy, few)]
    assert said[0].endswith("that the filter keeps; all other gaps on all 9,800.")
    assert said[1].endswith(
        "filter keeps; all other gaps, between groups with at least 30 rows behind the rate, on all 9,800."
    )


@pytest.mark.parametrize(("turned", "side"), [(False, "from"), (True, "up to")])
def test_thresholds_say_on_which_side_the_good_outcome_is_predicted(turned, side):
    finding = dataclasses.replace(by_hand.remedy("thresholds"), details=by_hand.threshold_details(turned=turned))
    group = finding.details.thresholds.iloc[0]
    assert f"{group['group']}: {side} {group['after']:.3f}" in plain_blanks(done_sentence(finding))
    assert ("a lower score is better" in thresholds_table(finding.details, 1).note) is turned


@pytest.mark.parametrize(
    ("measure", "ends", "word"),
    [
        ("gap", (-0.2, -0.1), "clearly towards zero"),
        ("gap", (0.1, 0.2), "clearly away from zero"),
        ("accuracy", (-0.2, -0.1), "clearly lower"),
        ("auc", (0.1, 0.2), "clearly higher"),
        ("gap", (-0.1, 0.0), "could be nothing"),
        ("gap", (math.nan, math.nan), "not defined"),
        ("gap", (None, None), "not shown"),
    ],
)
def test_a_change_is_read_by_its_interval(measure, ends, word):
    assert change_word(Change(measure, 0.2, 0.1, -0.1, Interval(*ends))) == word


@pytest.mark.parametrize(
    ("direction", "said"),
    [
        ("raised", "from not good to good, those with the highest chance of the good outcome"),
        ("lowered", "from good to not good, those with the lowest chance of the good outcome"),
    ],
)
def test_relabelling_shows_which_labels_were_changed(direction, said):
    finding = by_hand.remedy(details=by_hand.relabel_details(direction=direction))
    assert f"Decisions about 96 of 778 protected rows that the filter keeps were changed {said}" in done_sentence(
        finding
    )


def test_labels_are_counted_among_the_rows_that_the_filter_keeps_in_sentence_and_tables():
    by_filter = by_hand.remedy()
    said = plain_blanks(done_sentence(by_filter))
    assert "the gap in the decisions of rows that the filter keeps went from -12.3 to" in said
    figures, labels = relabel_tables(by_filter, 1)
    assert [row[0] for row in figures.rows][2:4] == [
        "protected rows among them that the filter keeps",
        "rows of the rest among them that the filter keeps",
    ]
    assert labels.note == (
        "Counted are the 6,308 of 19,536 rows of that half that the filter keeps and where it is known who is "
        "protected; no other decision is changed."
    )
    without = dataclasses.replace(by_filter, after=by_hand.evaluation("after", where=None))
    assert "filter" not in done_sentence(without) and "filter" not in relabel_tables(without, 1)[1].note
    every = dataclasses.replace(by_filter, details=by_hand.relabel_details(n_relabeled=778 + 5530))
    assert "filter" not in done_sentence(every) and relabel_tables(every, 1)[1].note is None


def test_relabelling_that_changed_nothing_says_so():
    details = by_hand.relabel_details(direction="none", n_flipped=0)
    assert "no decision was changed" in done_sentence(by_hand.remedy(details=details))


def test_shifted_scores_say_that_predictions_became_labels():
    adjusted = RelabelPlan(algorithm="risk_adjustment")
    assert "predictions took the place of the decisions" in done_sentence(by_hand.remedy(plan=adjusted))
    assert "took the place" not in done_sentence(by_hand.remedy())


def test_rows_are_said_to_weigh_more_only_where_they_did():
    assert "counted more, or less" in done_sentence(by_hand.remedy())
    plain = by_hand.remedy(details=by_hand.relabel_details(weight_ratio=1.0))
    assert "counted more" not in done_sentence(plain)


def test_thresholds_are_shown_for_few_groups_only():
    assert "the rest: from 0.400" in done_sentence(by_hand.remedy("thresholds"))
    many = tuple(f"group {i}" for i in range(5))
    finding = by_hand.remedy("thresholds", details=by_hand.threshold_details(many))
    assert "group 1" not in done_sentence(finding)


@pytest.mark.parametrize(
    ("search", "objective", "said"),
    [
        ("pso", 0.7901, "The search reaches 0.7901 on the tuning rows, where the exact optimum reaches 0.8001: 0.0100"),
        ("pso", 0.8001, "The search reaches the exact optimum on the tuning rows."),
        ("chosen", 0.7901, "The choice reaches 0.7901"),
        ("exact", 0.8001, None),
    ],
)
def test_a_search_that_is_not_exact_shows_its_distance_to_the_optimum(search, objective, said):
    chosen = (("the rest", 0.4),) if search == "chosen" else ()
    finding = by_hand.remedy(
        "thresholds",
        plan=ThresholdsPlan(search=search, thresholds=chosen),
        details=by_hand.threshold_details(objective=objective),
    )
    text = " ".join(remedy_caveats(finding, by_hand.facts()))
    assert said is None or said in text
    assert ("optimum" in text or "reaches" in text) is (said is not None)


@pytest.mark.parametrize("method", by_hand.METHODS)
def test_each_remedy_says_what_it_needs_to_decide(method):
    needs = remedy_caveats(by_hand.remedy(method), by_hand.facts())[-1]
    assert ("not the group" in needs) is (method != "thresholds")


def test_only_thresholds_by_group_are_to_be_shown_to_counsel_for_the_group():
    texts = {method: " ".join(remedy_caveats(by_hand.remedy(method), by_hand.facts())) for method in by_hand.METHODS}
    assert [method for method, text in texts.items() if "ask counsel" in text] == ["thresholds"]
    assert "not the past" in texts["relabel"]
    assert "one threshold for all" in texts["equalize"]


def test_a_protected_column_among_the_features_and_a_stop_are_shown():
    details = by_hand.equalize_details(stopped=True)
    finding = by_hand.remedy("equalize", details=details, warnings=("The model did not settle.",))
    text = " ".join(remedy_caveats(finding, by_hand.facts()))
    assert "stopped by a person" in text
    assert "(race)" in text
    assert "The model did not settle." in text
    said = by_hand.remedy("equalize", details=details, warnings=(STOPPED,))
    assert " ".join(remedy_caveats(said, by_hand.facts())).count("stopped") == 1
    finding = by_hand.remedy("equalize", uses_protected_features=False)
    assert "race" not in " ".join(remedy_caveats(finding, by_hand.facts()))


def test_a_choice_among_several_on_the_same_rows_is_said_to_flatter():
    facts = by_hand.facts()
    assert any("better than it is" in text for text in study_caveats(facts, several=True))
    assert not any("better than it is" in text for text in study_caveats(facts, several=False))


def test_the_study_shows_the_gap_that_models_learn_from():
    text = plain_blanks(study_sentence(by_hand.remedies()))
    lead = (
        "5 remedies were tried, beside 1 model without any to compare with, and judged on the same 9,769 held-out rows."
    )
    assert text.startswith(lead)
    assert "the gap is -12.9 points: 15.2 %" in text


def test_where_remedies_are_compared_with_several_models_that_is_explained():
    found = by_hand.remedies(("relabel", "thresholds"))
    assert befores_sentence(found) == ""
    first, second = found.remedies
    other = by_hand.evaluation("tree, no limit (depth up to 2)", by_hand.AFTER)
    differ = dataclasses.replace(found, remedies=(first, dataclasses.replace(second, before=other)))
    text = befores_sentence(differ)
    assert text.startswith("Remedies are compared with 2 models without one, whose figures differ: ")
    assert f"“{first.before.name}” and “tree, no limit (depth up to 2)”" in text


def test_simple_answers_are_rivals_and_cut_anew_for_each_remedy():
    found = by_hand.remedies()
    counts = ((50, 20, 425, 30), (1800, 600, 6044, 800))
    rivals = [(by_hand.yardstick("shifted", counts),), (by_hand.yardstick("shifted", ((55, 25, 420, 25), counts[1])),)]
    pair = [dataclasses.replace(each, yardsticks=own) for each, own in zip(found.remedies[:2], rivals, strict=True)]
    found = dataclasses.replace(found, remedies=tuple(pair))
    names = [name for name, _, _ in judged(found)]
    assert "the shifted answer" in names and "the shifted answer, no. 2" in names
    assert {*names} <= {row[0] for row in remedies_summary_table(found).rows}
    assert set(frontier_rows(found)["name"]) == set(names)
