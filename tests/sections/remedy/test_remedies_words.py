from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
import remedies_by_hand as by_hand

from fairaudit.findings import Count, Message, Phrase, Points, Word
from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.present.numbers import NO_BREAK
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.relabel.section import RelabelSection
from fairaudit.remedies.thresholds.details import thresholds_table
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.sections.compare.models import frontier_rows, judged, names_before, summary_table
from fairaudit.sections.remedy.learned_rows import study_caveats
from fairaudit.sections.remedy.saying import done_sentence, remedy_caveats, repeats_sentence
from fairaudit.sections.remedy.tables import change_word
from fairaudit.study.judging.results import Change


def plain_blanks(text: str) -> str:
    return text.replace(NO_BREAK, " ").replace("\N{MINUS SIGN}", "-")


def test_a_score_where_lower_is_better_is_said_so_beside_its_thresholds():
    notes = [thresholds_table(by_hand.threshold_details(turned=turned), 1).note for turned in (False, True)]
    assert [say(Message("thresholds-turned")) in note for note in notes] == [False, True]


@pytest.mark.parametrize(
    ("measure", "ends", "word"),
    [
        ("gap", (-0.2, -0.1), "clearly towards zero"),
        ("gap", (0.1, 0.2), "clearly away from zero"),
        ("accuracy", (-0.2, -0.1), "clearly lower"),
        ("auc", (0.1, 0.2), "clearly higher"),
        ("gap", (-0.1, 0.0), "may be chance"),
        ("gap", (math.nan, math.nan), "not defined"),
        ("gap", (None, None), "not shown"),
    ],
)
def test_a_change_is_read_by_its_interval(measure, ends, word):
    assert change_word(Change(measure, 0.2, 0.1, -0.1, Interval(*ends))) == word


@pytest.mark.parametrize("direction", ["raised", "lowered"])
def test_relabelling_says_how_many_decisions_were_changed_and_which_way(direction):
    finding = by_hand.remedy(details=by_hand.relabel_details(direction=direction))
    args = {"n": Count(96), "all": Count(778), "way": Word(direction)}
    assert say(Message("retrain-changed", args)) in done_sentence(finding, by_hand.facts())


def test_labels_are_counted_among_the_people_of_both_groups_and_said_so():
    [_, labels] = RelabelSection().tables(by_hand.remedy(), by_hand.facts(), 1)
    assert labels.note == say(Message("retrain-counted", {"n": Count(6_308), "all": Count(19_536)}))
    every = by_hand.remedy(details=by_hand.relabel_details(n_relabeled=778 + 5530))
    assert RelabelSection().tables(every, by_hand.facts(), 1)[1].note is None


def test_relabelling_that_changed_nothing_says_so():
    details = by_hand.relabel_details(direction="none", n_flipped=0)
    assert say(Message("retrain-unchanged")) in done_sentence(by_hand.remedy(details=details), by_hand.facts())


def test_shifted_scores_say_that_predictions_became_labels():
    adjusted, anew = RelabelPlan(algorithm="risk_adjustment"), say(Message("retrain-made-anew"))
    assert anew in done_sentence(by_hand.remedy(plan=adjusted), by_hand.facts())
    assert anew not in done_sentence(by_hand.remedy(), by_hand.facts())


@pytest.mark.parametrize(("search", "missing"), [("pso", 0.01), ("pso", 0), ("chosen", 0.01), ("exact", 0)])
def test_a_search_that_is_not_exact_shows_its_distance_to_the_optimum(search, missing):
    chosen = (("the rest", 0.4),) if search == "chosen" else ()
    finding = by_hand.remedy(
        "thresholds",
        plan=ThresholdsPlan(search=search, thresholds=chosen),
        details=by_hand.threshold_details(objective=0.8001 - missing),
    )
    said = say(Message("thresholds-missing", {"missing": Points(0.01, 2)}))
    assert (said in remedy_caveats(finding, by_hand.facts())) is (missing > 0)


def test_a_protected_column_among_the_features_and_a_stop_are_shown():
    details = by_hand.equalize_details(stopped=True)
    finding = by_hand.remedy("equalize", details=details, warnings=("The model did not settle.",))
    text = " ".join(remedy_caveats(finding, by_hand.facts()))
    assert say(Message("remedies-shows-group", {"columns": Phrase("race")})) in text
    assert "The model did not settle." in text
    finding = by_hand.remedy("equalize", uses_protected_features=False)
    assert "race" not in " ".join(remedy_caveats(finding, by_hand.facts()))


def test_a_choice_among_several_on_the_same_rows_is_said_to_flatter():
    said = say(Message("remedies-read-several"))
    assert [said in study_caveats(by_hand.facts(), several=several) for several in (True, False)] == [True, False]


def test_where_remedies_are_compared_with_several_models_that_is_said():
    found = by_hand.remedies(("relabel", "thresholds"))
    first, second = found.remedies
    other = by_hand.evaluation("model without the remedy, tree of depth up to 2", by_hand.AFTER)
    differ = dataclasses.replace(found, remedies=(first, dataclasses.replace(second, before=other)))
    assert [len(names_before(each.remedies)) for each in (found, differ)] == [1, 2]
    said = say(Message("remedies-read-befores"))
    assert said in study_caveats(differ.facts, several=True, befores=2)
    assert said not in study_caveats(found.facts, several=True)


def test_repeats_are_said_with_the_smallest_and_the_largest_gap():
    before, after = [-0.09, -0.05, np.nan], [-0.07, 0.012, np.nan]
    sizes = pd.DataFrame({"division": [1, 2, 3], "measure": ["gap"] * 3, "before": before, "after": after})
    said = repeats_sentence(dataclasses.replace(by_hand.remedy(), divisions=sizes))
    both = Message("remedies-repeats-both", {"low": Points(0.07, 1), "high": Points(0.012, 1)})
    sides = {"low": Points(0.05, 1), "high": Points(0.09, 1), "side": Word("lower")}
    assert said == say((both, Message("remedies-repeats-without", sides)))
    assert repeats_sentence(by_hand.remedy()) == ""


def test_simple_answers_are_rivals_and_cut_anew_for_each_remedy():
    found = by_hand.remedies()
    counts = ((50, 20, 425, 30), (1800, 600, 6044, 800))
    rivals = [(by_hand.yardstick("shifted", counts),), (by_hand.yardstick("shifted", ((55, 25, 420, 25), counts[1])),)]
    pair = [dataclasses.replace(each, yardsticks=own) for each, own in zip(found.remedies[:2], rivals, strict=True)]
    found = dataclasses.replace(found, remedies=tuple(pair))
    names = [name for name, _, _ in judged(found)]
    assert "the shifted answer" in names and "the shifted answer, no. 2" in names
    assert {*names} <= {row[0] for row in summary_table(found).rows}
    assert set(frontier_rows(found)["name"]) == set(names)


def test_a_retrained_model_tells_how_it_was_weighed_and_from_which_score_it_says_yes():
    def values(**options):
        finding = by_hand.remedy("relabel", details=by_hand.relabel_details(**options))
        tables = RelabelSection().tables(finding, by_hand.facts(), 1)
        table = next(table for table in tables if table.key.endswith("relabelling"))
        return [row[2] for row in table.rows if row[2] != ""]

    assert values(weight_ratio=1.7, threshold=0.42) == [0.0, 1.7, 0.42]
    # What is usual is left out.
    assert values(weight_ratio=1.0, threshold=None) == values(weight_ratio=1.0, threshold=0.5) == [0.0]
