from __future__ import annotations

import dataclasses
import math
import re
from decimal import Decimal

import pytest
import remedies_by_hand as by_hand

from fairaudit.cli.run import remedy_text
from fairaudit.disclosure.remedies import masked_remedies
from fairaudit.measure.results import Interval
from fairaudit.present.numbers import NO_BREAK, points_text
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.relabel.tables import relabel_tables
from fairaudit.remedies.shared.caveats import remedy_caveats, study_caveats
from fairaudit.remedies.shared.compared_models import judged
from fairaudit.remedies.shared.headlines import short_headline
from fairaudit.remedies.shared.number_texts import change_digits
from fairaudit.remedies.shared.tables import frontier_rows, gaps_table, remedies_summary_table, remedies_tables
from fairaudit.remedies.shared.words import (
    before_sentence,
    befores_sentence,
    change_word,
    constant_sentences,
    done_sentence,
    headline,
    study_sentence,
    tolerance_sentence,
)
from fairaudit.remedies.shared.yardstick_words import ahead_sentence, simple_plan, yardsticks_table
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.thresholds.tables import thresholds_table
from fairaudit.report.chapters.remedies import remedies_annex, remedies_blocks
from fairaudit.study.cautions import STOPPED
from fairaudit.study.judging.results import Change

WENT = (
    "the gap went from 16.13 points fewer good outcomes for the protected group to 2.96 fewer; "
    "accuracy from 85.1 % to 84.8 %"
)


def plain_blanks(text: str) -> str:
    return text.replace(NO_BREAK, " ").replace("\N{MINUS SIGN}", "-")


def test_the_headline_shows_before_and_after_with_direction_and_rows():
    first, rest = map(plain_blanks, headline(by_hand.remedy()))
    assert first == f"On 9,769 held-out rows {WENT}."
    assert "The gap is 13.17 points nearer to zero than without the remedy (95 % interval 11.9 to 14.5)." in rest


def test_the_rows_that_the_gap_is_measured_on_are_shown_beside_all():
    rows = "the 9,769 of 10,000 held-out rows that the filter keeps"
    found = by_hand.narrowed(by_hand.remedies(("plain", "relabel", "rules")), filtered_out=231)
    plain, relabelled, rules = found.remedies
    n = f"{plain.after.n:,}"
    first = plain_blanks(headline(relabelled)[0])
    assert first == f"On {rows}, {WENT} on all {n}."
    assert plain_blanks(headline(plain)[0]) == f"On {rows}, the gap is -16.1 points; accuracy is 85.1 % on all {n}."
    assert headline(rules)[0].startswith(f"On {rows}, the gap in good outcomes went from")
    said = before_sentence(relabelled, found.facts)
    assert f"rates by group on all, the gap on {rows}. In the decisions on these rows the gap is" in said
    judged = study_sentence(found)
    assert f"judged on the same {n} held-out rows. In the decisions on {rows}, the gap is" in judged
    tables = {table.key: table.note for table in remedies_tables(found)}
    said = rows.replace("keeps", f"keeps ({found.facts.where_words})")
    assert f"The gap is measured on {said}; all other figures on all {n}." in tables["remedies_summary"]
    assert f"and the rest is measured on {rows}; all other gaps on all {n}." in tables["remedy_2_gaps"]
    assert tables["remedies_pairs"] == f"Shares and gaps are measured on {rows}; AUC and accuracy on all {n}."


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


def test_no_rows_are_distinguished_where_the_gap_is_measured_on_all_or_hidden():
    found = by_hand.remedies(("relabel",))
    assert "measured on" not in repr([table.note for table in remedies_tables(found)])
    few = by_hand.narrowed(found, filtered_out=9)
    [hidden] = masked_remedies(few, 10, checks=(), others_hidden=False).remedies
    assert headline(hidden)[0].startswith("On the held-out rows accuracy went") and "9,7" not in headline(hidden)[0]


@pytest.mark.parametrize(("half", "nothing"), [(0.2, True), (0.01, False)])
def test_a_change_whose_interval_holds_zero_could_be_nothing(half, nothing):
    _, rest = headline(by_hand.remedy(half=half))
    assert ("Compared with the model without it, the change of the gap could be nothing" in rest) is nothing
    assert ("nearer to zero than without the remedy" in rest) is not nothing


def test_what_a_remedy_is_compared_with_is_named_beside_the_gap_of_the_decisions():
    finding = by_hand.remedies()
    said = plain_blanks(before_sentence(by_hand.remedy(), finding.facts))
    assert said.startswith(f"Before: {by_hand.remedy().before.name}, not the decisions themselves. Both are judged")
    gap = finding.facts.decisions.difference
    way = "fewer" if gap < 0 else "more"
    assert f"{plain_blanks(points_text(gap, signed=False))} {way} good outcomes for the protected group" in said


@pytest.mark.parametrize(("turned", "side"), [(False, "from"), (True, "up to")])
def test_thresholds_say_on_which_side_the_good_outcome_is_predicted(turned, side):
    finding = dataclasses.replace(by_hand.remedy("thresholds"), details=by_hand.threshold_details(turned=turned))
    group = finding.details.thresholds.iloc[0]
    assert f"{group['group']}: {side} {group['after']:.3f}" in plain_blanks(done_sentence(finding))
    assert ("a lower score is better" in thresholds_table(finding.details, 1).note) is turned


def test_a_gap_that_grew_moved_away_from_zero():
    finding = by_hand.remedy(before=by_hand.AFTER, after=by_hand.BEFORE)
    said = plain_blanks(headline(finding)[1])
    assert "The gap is 13.17 points further from zero than without the remedy (95 % interval 11.9 to 14.5)." in said


def test_a_gap_that_is_on_the_other_side_of_zero_is_said_to_be_there():
    finding = by_hand.remedy()
    changes = tuple(
        dataclasses.replace(each, before=-0.10, after=0.02, difference=0.12, interval=Interval(0.09, 0.15))
        if each.measure == "gap"
        else each
        for each in finding.changes
    )
    assert "on the other side of zero, 12.0 points from the gap without the remedy (95 % interval 9.0 to 15.0)." in (
        plain_blanks(headline(dataclasses.replace(finding, changes=changes))[1])
    )


def test_a_plain_model_has_no_before_and_after():
    first, _ = headline(by_hand.remedy("plain"))
    assert plain_blanks(first) == "On 9,769 held-out rows the gap is -16.1 points; accuracy is 85.1 %."
    assert "went" not in first


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


def test_whether_the_gap_is_within_tolerance_follows_the_evidence():
    within = by_hand.fairness(2800, 10000, 2810, 10000)
    unclear = by_hand.fairness(28, 100, 28, 100)
    outside = by_hand.fairness(1000, 10000, 2810, 10000)

    def said(fairness):
        return plain_blanks(tolerance_sentence(fairness))

    assert "is within the tolerance of 5 points, and so is its whole 90 % interval (-1.1 to +0.9)." in said(within)
    assert "is within the tolerance of 5 points, but that is not clear" in said(unclear)
    assert "is outside the tolerance of 5 points, and so is its whole 95 % interval (-19.2 to -17.0)." in said(outside)


def test_an_undefined_gap_is_not_shown_as_a_number():
    empty = ((0, 0, 0, 0), by_hand.BEFORE[1])
    finding = by_hand.remedy(before=empty, after=empty)
    text = " ".join(headline(finding))
    assert "There is no gap to judge" in text
    assert "nan" not in text
    assert "not defined" not in text


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


def same_predictions(**options):
    """A remedy that predicts what the model before predicts for all held-out rows."""
    found = by_hand.remedy(**options)
    after = dataclasses.replace(found.before, name=found.after.name)
    changes = by_hand.changes(found.before, after)
    return dataclasses.replace(found, after=after, changes=changes, predictions_differ=False)


def test_where_all_predictions_are_the_same_it_is_shown_that_nothing_changed():
    found = same_predictions()
    first, rest = map(plain_blanks, headline(found))
    assert first == (
        f"No prediction for a held-out row changed: all are the same as those of “{found.before.name}”. "
        "On 9,769 held-out rows the gap is -16.1 points; accuracy is 85.1 %."
    )
    assert rest == plain_blanks(
        "For other people the gap may change by -1.3 to +1.3 points (95 % interval). "
        + tolerance_sentence(found.after.fairness)
    )
    assert {row[-1] for row in gaps_table(found, 1).rows} == {"could be nothing"}


def test_where_predictions_differ_only_beside_the_gap_the_words_are_of_the_gap_alone():
    found = same_predictions()
    first, rest = map(plain_blanks, headline(dataclasses.replace(found, predictions_differ=True)))
    assert (
        "No prediction" not in first
        and "went from 16.1 points fewer good outcomes for the protected group to 16.1 fewer" in first
    )
    assert (
        "Compared with the model without it, the change of the gap could be nothing: its 95 % interval, -1.3 to +1.3 "
        "points, includes zero." in rest
    )
    assert "The change in accuracy could be nothing" in rest


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


def test_words_hold_for_hidden_figures():
    shown = masked_remedies(by_hand.remedies(), 100, checks=(), others_hidden=False)
    for remedy in shown.remedies:
        text = " ".join([*headline(remedy), done_sentence(remedy), *remedy_caveats(remedy, shown.facts)])
        assert "not shown: a count that is too small" in text
        assert "None" not in text
        assert "96" not in text
    hidden = dataclasses.replace(shown.facts, n_held_out=None)
    assert "None" not in study_sentence(dataclasses.replace(shown, facts=hidden))


EVERYBODY = ((63, 462, 0, 0), (2600, 6644, 0, 0))
NEARLY = ((63, 460, 2, 0), (2598, 6640, 4, 2))


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (EVERYBODY, "This model gives one answer for all: the good outcome goes to everybody, so that no gap can be."),
        (
            [(0, 0, fp + tn, tp + fn) for tp, fp, tn, fn in EVERYBODY],
            "the good outcome goes to nobody",
        ),
        (NEARLY, "This model gives nearly all one answer: the good outcome goes to all but 8 of 9,769 people."),
        ([(fn, tn, fp, tp) for tp, fp, tn, fn in NEARLY], "the good outcome goes to only 8 of 9,769 people."),
    ],
)
def test_a_constant_model_is_called_that_in_the_headline(after, said):
    first, _ = headline(by_hand.remedy(after=after))
    assert said in first and "The model before" not in first
    assert ("It finds " in first) is ("nearly all" in first)
    first, _ = headline(by_hand.remedy(before=after, after=by_hand.AFTER))
    assert said.replace("This model", "The model before") in first and "This model" not in first
    assert constant_sentences(by_hand.remedy()) == []


def test_the_gap_of_a_constant_model_is_not_within_the_tolerance_but_no_gap_to_judge():
    assert tolerance_sentence(by_hand.remedy(after=EVERYBODY).after.fairness) == (
        "There is no gap to judge: all predictions are the same."
    )


def test_figures_of_a_change_subtract():
    went, moved = map(plain_blanks, headline(by_hand.remedy()))
    before, after = map(Decimal, re.search(r"from ([\d.]+) points fewer .* to ([\d.]+) fewer", went).groups())
    assert before - after == Decimal(re.search(r"is ([\d.]+) points nearer", moved)[1])


def test_the_command_prints_the_figures_of_the_headline():
    finding = by_hand.remedy()
    gaps = [each.fairness.difference for each in (finding.before, finding.after)]
    digits = change_digits(finding, *gaps)
    assert digits == 2, "with one decimal these gaps and their change do not subtract"
    assert "gap " + " -> ".join(points_text(gap, digits=digits) for gap in gaps) in remedy_text(
        finding, by_hand.facts()
    )


def test_where_remedies_are_compared_with_several_models_that_is_explained():
    found = by_hand.remedies(("relabel", "thresholds"))
    assert befores_sentence(found) == ""
    first, second = found.remedies
    other = by_hand.evaluation("tree, no limit (depth up to 2)", by_hand.AFTER)
    differ = dataclasses.replace(found, remedies=(first, dataclasses.replace(second, before=other)))
    text = befores_sentence(differ)
    assert text.startswith("Remedies are compared with 2 models without one, whose figures differ: ")
    assert f"“{first.before.name}” and “tree, no limit (depth up to 2)”" in text


@pytest.mark.parametrize(
    ("gained", "lead", "where"),
    [
        (
            (0.012, -0.003, 0.027),
            "Little gained over a simple answer. It agrees with the table's outcomes for 84.8 % of 9,769 people it had "
            "not seen; a simple answer, the shifted answer, for",
            1,
        ),
        ((-0.02, -0.03, -0.01), "Worse than a simple answer. It agrees", 0),
        (
            (0.031, 0.01, 0.052),
            "It agrees with the table's outcomes more often than the best simple answer, the shifted answer: by 3.1 "
            "points (95 % interval",
            1,
        ),
    ],
)
def test_the_headline_holds_a_remedy_against_the_best_simple_answer(gained, lead, where):
    best = by_hand.yardstick("shifted", gained=gained, is_best=True)
    other = by_hand.yardstick("constant", gained=(0.9, 0.8, 1.0))
    finding = dataclasses.replace(by_hand.remedy(), yardsticks=(other, best))
    if gained[1] < 0 < gained[0]:
        accuracy = finding.after.measure("accuracy").value
        change = dataclasses.replace(best.change, before=accuracy - gained[0], after=accuracy)
        finding = dataclasses.replace(finding, yardsticks=(other, dataclasses.replace(best, change=change)))
    texts = [*map(plain_blanks, headline(finding))]
    assert texts[where].startswith(lead) and "simple answer" not in texts[1 - where]


def test_one_answer_for_nearly_all_is_called_so_and_what_accuracy_says_where_an_outcome_is_rare():
    best = by_hand.yardstick("shifted", NEARLY, gained=(-0.02, -0.03, -0.01), is_best=True)
    rare = [(5, 18, 477, 25), (150, 700, 7694, 700)]
    found = dataclasses.replace(by_hand.remedy(after=rare), yardsticks=(best,))
    said = plain_blanks(headline(found)[0])
    assert said.startswith("Less accurate than one answer for nearly all. It agrees with the table's outcomes for ")
    assert "; one answer for nearly all, the shifted answer, for " in said
    own, other = (f"{100 * each.measure('balanced_accuracy').value:.1f} %" for each in (found.after, best))
    beside = plain_blanks(short_headline(found, by_hand.facts())[1])
    lead = "Where one outcome is rare, accuracy alone says little: balanced accuracy is "
    assert beside.endswith(f"{lead}{own}, and {other} with that simple answer.")
    usual = dataclasses.replace(by_hand.remedy(), yardsticks=(best,))
    assert "accuracy alone says little" not in " ".join(short_headline(usual, by_hand.facts()))


def test_what_a_simple_answer_keeps_to_stands_in_the_annex_alone():
    best = by_hand.yardstick("shifted", is_best=True)
    found = dataclasses.replace(by_hand.remedies(("relabel",)))
    remedy = dataclasses.replace(found.remedies[0], yardsticks=(best,))
    found = dataclasses.replace(found, remedies=(remedy,))
    limit = "On the tuning rows that answer keeps shares at most 5 points apart."
    assert limit not in " ".join(headline(remedy)) and limit not in str(remedies_blocks(found, ()))
    assert limit in str(remedies_annex(found))


def test_an_answer_that_is_ahead_on_the_tuning_rows_is_offered_beside_the_remedy():
    ahead = by_hand.yardstick("plain", is_ahead=True, gained=(0.01, -0.01, 0.03))
    finding = dataclasses.replace(by_hand.remedy(), yardsticks=(ahead,))
    said = "the plain answer agrees with the outcomes more often than this remedy, with no larger gap there."
    assert said in headline(finding)[1]
    [table] = yardsticks_table(finding, 1)
    heads = {column.name: column.label for column in table.columns}
    assert all(heads[name].endswith("on the tuning rows") for name in ("keeps_limit", "best", "ahead"))
    assert "agrees with the outcomes more often" not in " ".join(headline(by_hand.remedy()))
    shifted = by_hand.yardstick("shifted", is_ahead=True, learner="svm", threshold=0.25, gained=(-0.01, -0.02, 0.0))
    offered = simple_plan(dataclasses.replace(finding, yardsticks=(ahead, shifted)))
    assert (offered.model, offered.threshold) == ("svm", 0.25)
    assert simple_plan(finding) is None


@pytest.mark.parametrize(
    ("gained", "chance", "is_offered"),
    [
        ((0.01, -0.01, 0.03), "which may be chance", True),
        ((-0.02, -0.03, -0.01), "which is more than chance", True),
        ((0.02, 0.01, 0.03), "which is more than chance", False),
    ],
)
def test_what_is_ahead_on_the_tuning_rows_is_left_to_people_with_what_the_held_out_rows_say(gained, chance, is_offered):
    ahead = by_hand.yardstick("shifted", is_ahead=True, learner="svm", threshold=0.25, gained=gained)
    finding = dataclasses.replace(by_hand.remedy(), yardsticks=(ahead,))
    said = ahead_sentence(finding)
    assert said.startswith("On the tuning rows, ") and "On the held-out rows, " in said and chance in said
    assert ("is for people to decide" in said, simple_plan(finding) is not None) == (is_offered, is_offered)
    assert (" of both groups together, this remedy to " in said) is is_offered and "Use " not in said
    assert ("The two disagree" in said) != is_offered
    change = dataclasses.replace(ahead.change, before=None, after=None, difference=None, interval=Interval(None, None))
    hidden = ahead_sentence(dataclasses.replace(finding, yardsticks=(dataclasses.replace(ahead, change=change),)))
    assert "On the held-out rows" not in hidden and "is for people to decide" in hidden


@pytest.mark.parametrize(
    ("gained", "auc", "said"),
    [
        ((-0.01, -0.02, 0.01), 0.55, "which agrees with the outcomes of 92.0 %: the columns hardly predict them."),
        ((-0.01, -0.02, 0.01), 0.75, "which agrees with the outcomes of 92.0 %."),
        ((0.03, 0.02, 0.04), 0.55, ""),
    ],
)
def test_where_no_model_does_better_than_one_answer_for_everybody_that_is_said_in_place_of_others(gained, auc, said):
    def with_area(model):
        changed = [dataclasses.replace(each, value=auc) if each.measure == "auc" else each for each in model.measures]
        return dataclasses.replace(model, measures=tuple(changed))

    same = by_hand.yardstick("constant", gained=gained)
    high = [
        dataclasses.replace(each, value=0.92, interval=Interval(0.91, 0.93)) if each.measure == "accuracy" else each
        for each in same.measures
    ]
    same = dataclasses.replace(same, measures=tuple(high))
    shifted = by_hand.yardstick("shifted", is_ahead=True, learner="svm", threshold=0.25, gained=(-0.01, -0.02, 0.0))
    found = by_hand.remedy()
    found = dataclasses.replace(found, before=with_area(found.before), after=with_area(found.after))
    finding = dataclasses.replace(found, yardsticks=(same, with_area(shifted)))
    text = plain_blanks(ahead_sentence(finding))
    lead = f"No model here does clearly better than {same.name}, "
    assert text == lead + said if said else text.startswith("On the tuning rows")


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
