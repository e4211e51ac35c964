from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
import remedies_by_hand as by_hand
from rules_by_hand import RULES, chosen_details, rules_details

from fairaudit.estimators.rules.parity import RATES
from fairaudit.present.numbers import NO_BREAK
from fairaudit.remedies.rules.result_words import made_sentences as _made_sentences
from fairaudit.remedies.rules.result_words import margin_words, rules_kept_sentence, sides_sentence
from fairaudit.remedies.rules.result_words import rules_caveats as _rules_caveats
from fairaudit.remedies.rules.words import (
    LONGEST_RULE,
    certificate_words,
    fairness_words,
    objective_words,
    rule_sentences,
    rule_set_words,
)
from fairaudit.remedies.shared.caveats import remedy_caveats
from fairaudit.remedies.shared.limit_words import MOST_LISTED
from fairaudit.remedies.shared.proxy_words import marked_notes, marks_words

RACES = ("Asian", "Black", "Other", "White")
COUNTS = ((60, 30, 180, 25), (90, 40, 700, 60), (40, 36, 150, 39), (1700, 650, 5600, 640))


def rules_caveats(details):
    return _rules_caveats(SimpleNamespace(details=details))


def made_sentences(details):
    return _made_sentences(SimpleNamespace(details=details))


def details(**options):
    return rules_details(by_hand.GROUPS, by_hand.AFTER, **options)


def plain_blanks(text: str) -> str:
    return text.replace(NO_BREAK, " ").replace("\N{MINUS SIGN}", "-")


def certificate(**options) -> str:
    return plain_blanks(certificate_words(details(**options)))


def test_a_proven_rule_set_is_said_to_have_the_lowest_loss():
    text = certificate(status="optimal", bound=1234.0, optimality_gap=0.0)
    assert text.startswith("Proven: no list of rules with at most 3 conditions each and a complexity of at most 15,")
    assert "fewer errors (1,234, as the search counts them)" in text and "within what was allowed" in text
    assert "allowed" not in certificate(status="optimal", fairness=None)
    assert "%" not in text


@pytest.mark.parametrize(
    ("gap", "shown"),
    [(0.0405, "at most 4.3 %"), (0.2, "at most 25.0 %"), (0.00001, "at most 0.1 %"), (0.5, "at most 100.0 %")],
)
def test_the_distance_to_the_best_possible_is_a_share_of_it_and_rounded_up(gap, shown):
    assert shown in certificate(optimality_gap=gap, bound=1234 * (1 - gap))


def test_the_bound_is_rounded_down_so_that_it_stays_proven():
    assert "fewer than 1,180.9 are proven to be impossible" in certificate(
        bound=1180.98, optimality_gap=1 - 1180.98 / 1234
    )


@pytest.mark.parametrize("options", [{"status": "optimal"}, {"optimality_gap": 0.2}, {"objective": None}])
def test_the_bound_is_said_to_be_on_the_loss_and_not_on_accuracy(options):
    assert certificate(**options).count("accuracy has no bound") == 1


def test_a_list_that_the_bound_is_not_about_has_no_distance_and_its_own_errors():
    text = certificate(objective=2442.0, bound=1245.0, optimality_gap=math.nan, errors=1280.0, errors_bound=31.0)
    assert "2,442" in text and "1,245 at least" in text and "as the search counts" in text
    assert "1,280 errors, and fewer than 31 are impossible" in text and "%" not in text
    once = certificate(counts_rows_once=True)
    assert "each wrong row counted once" not in once and "counted in the same way" not in once
    assert "each wrong row counted once" in certificate() and "None" not in certificate(errors=None, errors_bound=None)


def test_nothing_proven_is_said_to_be_nothing_proven():
    text = certificate(bound=0.0, optimality_gap=1.0, status="work_limit")
    assert "is not known: nothing was proven" in text
    assert "a list of rules with at most 3 conditions each" in text
    assert "proven to be impossible" not in text


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        ("gap", "with the same data, settings and software it gives the same list of rules"),
        ("work_limit", "did all the work that was allowed"),
        ("stopped", "stopped by a person"),
    ],
)
def test_whether_repeating_gives_the_same_is_said(status, shown):
    assert shown in certificate(status=status)
    others = {"gap", "work_limit", "stopped"} - {status}
    assert all(certificate(status=status) != certificate(status=other) for other in others)


def test_rules_that_a_person_chose_have_no_certificate():
    text = certificate_words(chosen_details(by_hand.GROUPS, by_hand.AFTER))
    assert text.startswith("A person chose these rules.")
    assert "nan" not in text and "%" not in text


def test_hidden_losses_leave_the_distance():
    text = certificate(objective=None, bound=None, lp_bound=None)
    assert "at most 4.6 % more errors" in text
    assert "1,234" not in text and "None" not in text
    assert "Proven: no list of rules" in certificate(objective=None, status="optimal")
    assert "None" not in certificate(objective=None, bound=None, optimality_gap=1.0)


@pytest.mark.parametrize(
    ("n", "shown"),
    [
        (0, "There is no rule: the outcome “loan granted” is predicted for nobody."),
        (1, "The outcome “loan granted” is predicted where this rule holds, and for nobody else."),
        (3, "The outcome “loan granted” is predicted where at least one of these 3 rules holds, and for nobody else."),
    ],
)
def test_a_rule_set_says_what_is_predicted_where(n, shown):
    assert rule_set_words(details(said=RULES[:n]), positive_meaning="loan granted") == shown


def test_rules_are_numbered_and_marked_where_they_reveal_the_groups():
    texts = rule_sentences(details())
    assert texts[0] == "Rule 1: age is at most 25 and prior offences is more than 3."
    assert texts[1].endswith("8. [It uses what comes close to showing the groups: prior_offences.]")
    assert texts[2].endswith("'felony'. [It uses a column that tells the groups.]")


def test_a_rule_can_be_marked_twice_and_need_not_be():
    table = details().rules
    assert marks_words(table.iloc[0]) == ""
    both = table.iloc[0].copy()
    both["uses_protected"], both["proxies"] = True, "zip code"
    assert marks_words(both).count("it uses") == 2


def test_what_a_mark_means_is_said_only_where_there_is_one():
    assert marked_notes(details(said=RULES[:1]).rules, each="rule", whole="rules") == ()
    assert len(marked_notes(details(said=RULES[1:2]).rules, each="rule", whole="rules")) == 1
    [mark] = marked_notes(details(said=RULES[2:]).rules, each="rule", whole="rules")
    assert "ask counsel" in mark


def test_a_hidden_and_a_very_long_rule_are_still_a_line():
    table = details(said=((f"name is '{'x' * 5000}'", "a = 1", False, ""), *RULES[:1])).rules
    table = table.astype({"text": object, "uses_protected": object, "proxies": object})
    table.loc[1, ["text", "uses_protected", "proxies"]] = None
    long, hidden = rule_sentences(replace(details(), rules=table))
    assert len(long) < LONGEST_RULE + 40 and "…" in long
    assert hidden.startswith("Rule 2: not shown, as it holds for so few")


@pytest.mark.parametrize("fairness", RATES)
def test_each_kind_of_fairness_is_said_in_its_rates(fairness):
    words = fairness_words(fairness)
    assert len(words.split(" and ")) == len(RATES[fairness])
    assert f"Asked was that {words} differ" in made_sentences(details(fairness=fairness))
    assert fairness_words(None) == ""


def test_both_losses_are_explained():
    assert "once for each rule" in objective_words("hamming")
    assert "once for each rule" not in objective_words("zero_one")


def test_how_it_was_made_shows_size_limit_and_accuracy():
    text = plain_blanks(made_sentences(details(max_complexity=30)))
    for shown in (
        "searched for in 12 rounds; 620 were considered",
        "3 rules and a complexity of 8",
        "at most 30 was allowed",
        "differ by at most 5 points",
        "right on 67.1 % of the training rows",
    ):
        assert shown in text
    assert "in one round; " in made_sentences(details(n_rounds=1))
    assert "It has 1 rule and" in made_sentences(details(said=RULES[:1]))
    assert "It has no rule and" in made_sentences(details(said=()))
    hidden = made_sentences(details(trained_accuracy=None, tuned_accuracy=None))
    assert "right on" not in hidden and "None" not in hidden


def test_chosen_rules_and_those_without_a_limit_are_said_to_be_so():
    chosen = made_sentences(chosen_details(by_hand.GROUPS, by_hand.AFTER))
    assert chosen.startswith("A person chose these rules") and "It is held against this limit" in chosen
    free = made_sentences(details(fairness=None))
    assert "Nothing had to be alike between groups." in free and "truly keep" not in free
    assert chosen_details(by_hand.GROUPS, by_hand.AFTER, fairness=None).gaps.empty
    assert made_sentences(chosen_details(by_hand.GROUPS, by_hand.AFTER, fairness=None)).endswith("between groups.")


@pytest.mark.parametrize(
    ("reading", "shown"),
    [
        ("within", "within it, also allowing for chance"),
        ("within, not clear", "within it, but not clearly so"),
        ("outside", "outside it, also allowing for chance"),
        ("outside, not clear", "outside it, but not clearly so"),
    ],
)
def test_few_gaps_are_shown_one_by_one_with_interval_rows_and_reading(reading, shown):
    found = details(fairness="equal_opportunity")
    gaps = found.gaps.assign(held_out=-0.061, low=-0.101, high=-0.021, n_first=1234, n_second=567, reading=reading)
    text = plain_blanks(rules_kept_sentence(replace(found, gaps=gaps)))
    assert text.startswith("On the held-out rows, against what is allowed (5 points): false negative rate, ")
    assert "-6.1 points (interval -10.1 to -2.1; 1,234 and 567 rows)" in text
    assert shown in text


def test_many_gaps_are_counted_and_the_largest_is_shown():
    found = rules_details(RACES, COUNTS)
    assert len(found.gaps) == 12 > MOST_LISTED
    text = plain_blanks(rules_kept_sentence(found))
    within = int((found.gaps["held_out"].abs() <= 0.05).sum())
    assert f"{within} of the 12 differences between two groups are within what is allowed" in text
    largest = 100 * found.gaps["held_out"].abs().max()
    assert f"{largest:.1f} points" in text.partition("The largest")[2]
    alike = replace(found, gaps=found.gaps.assign(reading="within, not clear"))
    assert "all 12 differences" in rules_kept_sentence(alike) and "none of that is clear" in rules_kept_sentence(alike)


def test_gaps_that_are_not_defined_are_said_to_be_so():
    nobody = ((0, 0, 30, 0), (20, 5, 30, 20))
    text = rules_kept_sentence(rules_details(by_hand.GROUPS, nobody, fairness="equal_opportunity"))
    assert "not defined, as a rate is a share of no rows" in text and "nan" not in text
    few = rules_details(RACES, ((0, 0, 30, 0), *COUNTS[1:]))
    assert "3 of them are not defined" in rules_kept_sentence(few)
    assert "nan" not in rules_kept_sentence(few)


def test_without_a_limit_there_is_nothing_to_keep():
    found = details(fairness=None)
    assert rules_kept_sentence(found) == sides_sentence(found) == ""


def test_the_largest_gap_of_each_part_stands_side_by_side_and_promises_nothing():
    found = details(trained_gap=0.024, tuned_gap=0.041)
    text = plain_blanks(sides_sentence(found))
    held_out = 100 * found.gaps["held_out"].abs().max()
    lead = "The largest difference is 2.4 points on the training rows, 4.1 points on the tuning rows, "
    assert text.startswith(f"{lead}{held_out:.1f} points on the held-out rows.")
    assert "is not a promise for others" in text
    hidden = sides_sentence(replace(found, trained_gap=None, tuned_gap=None))
    assert "tuning rows" not in hidden and "None" not in hidden
    chosen = sides_sentence(chosen_details(by_hand.GROUPS, by_hand.AFTER))
    assert "not made to keep to a limit" in chosen and "margin" not in chosen


@pytest.mark.parametrize(
    ("trained", "shown"),
    [
        (0.02, "A margin of 3 points was kept: on the training rows only 2 points of the 5 points"),
        (0.05, "No margin was kept: all 5 points"),
    ],
)
def test_what_a_margin_does_is_said_where_there_is_one(trained, shown):
    assert margin_words(details(trained_difference=trained, trained_gap=0.019)).startswith(shown)


def test_a_limit_that_cannot_be_kept_in_training_is_said_to_be_so():
    unmet = details(trained_gap=0.09)
    assert "no list of rules was found that keeps to 5 points" in margin_words(unmet)
    assert "come closest" in made_sentences(unmet) and "truly keep" not in made_sentences(unmet)
    met, hidden = details(trained_gap=0.05), details(trained_gap=None)
    assert made_sentences(met).count("truly keep to the limit.") == 1
    assert "truly keep to the limit, or come closest to it" in made_sentences(hidden)


def test_caveats_hold_the_notes_and_do_not_repeat_that_a_person_stopped():
    found = details(notes=("Said.",), stopped=True, status="stopped")
    finding = by_hand.remedy("rules", details=found, warnings=("Few rows.",))
    texts = remedy_caveats(finding, by_hand.facts())
    assert {"Said.", "Few rows."} <= set(texts)
    assert not any("stopped" in text for text in texts)
    # The features hold the race; whether a rule uses it is said of each rule.
    assert not any("the model can decide by it" in text for text in texts)
    assert not any("limit is on how far" in text for text in rules_caveats(details(fairness=None)))


def test_marks_are_read_from_a_frame_of_any_kind():
    table = details().rules
    rows = list(table.itertuples())
    series = [row for _, row in table.iterrows()]
    assert isinstance(series[0], pd.Series)
    assert [marks_words(row) for row in rows] == [marks_words(row) for row in series]


def test_without_a_rule_neither_chance_nor_a_margin_is_spoken_of():
    nobody = details(max_difference=0.0, trained_difference=0.0, trained_gap=0.0, tuned_gap=0.0)
    assert "No difference at all was allowed" in margin_words(nobody)
    text = sides_sentence(replace(nobody, rules=nobody.rules.iloc[:0]))
    assert "predicted for nobody" in text and "promise" not in text and "margin" not in text


def test_the_certificate_names_the_lists_that_the_bound_is_over():
    assert "the best list of rules with at most 3 conditions each and a complexity of at most 15" in certificate()
    assert "with at most 1 condition each" in certificate(max_rule_length=1, status="optimal")
