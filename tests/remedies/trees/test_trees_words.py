from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest
import remedies_by_hand as by_hand
from trees_by_hand import NODES, nodes, trees_details

from fairaudit.present.numbers import NO_BREAK
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.result_words import (
    NO_PROMISE,
    similar_sentence,
    trees_kept_sentence,
    trees_sides_sentence,
)
from fairaudit.remedies.trees.result_words import made_sentences as _made_sentences
from fairaudit.remedies.trees.result_words import trees_caveats as _trees_caveats
from fairaudit.remedies.trees.words import (
    HIDDEN_SPLIT,
    certificate_words,
    marked_splits,
    method_words,
    tree_lines,
    tree_texts,
    tree_words,
)


def trees_caveats(details):
    return _trees_caveats(SimpleNamespace(details=details))


def made_sentences(details):
    return _made_sentences(SimpleNamespace(details=details))


def details(**options) -> TreesDetails:
    return trees_details(by_hand.GROUPS, by_hand.AFTER, **options)


def plain(text: str) -> str:
    return text.replace(NO_BREAK, " ")


def test_a_tree_reads_as_indented_lines():
    assert tree_lines(nodes()) == (
        "if age is at most 25",
        "  then predict not: income is >50K",
        "  otherwise if prior offences is more than 3",
        "    then predict income is >50K",
        "    otherwise predict not: income is >50K",
    )
    assert tree_lines(nodes()[:1].assign(is_leaf=True, words="b")) == ("predict b",)


def test_what_is_hidden_of_a_tree_is_said_to_be_so():
    hidden = nodes().astype({"words": object})
    hidden.loc[hidden["node"].isin((3, 6, 7)), "words"] = None
    assert tree_lines(hidden) == (
        "if age is at most 25",
        "  then predict not: income is >50K",
        f"  otherwise ({HIDDEN_SPLIT})",
    )


def test_a_tree_says_what_it_predicts_and_by_how_many_questions():
    shown = tree_words(details(), positive_meaning="income is >50K")
    assert shown.startswith("The outcome “income is >50K” is predicted in 1 of its 3 leaves.")
    assert shown.endswith("A person comes to a leaf by at most 2 questions.")
    assert "by one question" in tree_words(details(depth=1), positive_meaning="x")
    assert "everybody is predicted alike" in tree_words(details(n_leaves=1), positive_meaning="x")


def test_a_proven_tree_is_said_to_be_the_best_of_its_depth():
    shown = certificate_words(details())
    assert shown.startswith("Proven: no tree of this depth") and "(15.9 %) while what must be alike" in plain(shown)
    free = certificate_words(details(constraint=None))
    assert plain(free).endswith("share of wrong training rows (15.9 %).")
    bounded = certificate_words(details(constraint=None, discrimination="didi", max_discrimination=0.1))
    assert bounded.endswith("while the index is within its bound.")


def test_the_distance_to_the_best_possible_is_rounded_up_and_the_bound_down():
    shown = plain(certificate_words(details(status="work_limit", objective=0.2, bound=0.15009, optimality_gap=0.24955)))
    # 0.24955 of 0.2 is 33.254 % of the bound.
    assert "at most 33.3 % above the lowest possible one" in shown
    assert "20.0 % was reached, and less than 15.0 % is proven to be impossible" in shown
    assert "did all the work" in shown


def test_a_bound_that_says_little_is_not_shown_as_a_percentage():
    shown = plain(certificate_words(details(status="work_limit", objective=0.2, bound=0.0019, optimality_gap=0.9905)))
    assert "could still be far above the lowest possible one: only less than 0.1 % is proven" in shown


def test_what_is_no_share_of_rows_is_shown_as_a_number():
    words = "share of wrong training rows + 0.5 times DIDI"
    priced = details(objective_words=words, status="work_limit", objective=0.2, bound=0.15009, optimality_gap=0.24955)
    assert "0.2000 was reached, and less than 0.1500 is proven to be impossible" in certificate_words(priced)


def test_a_tree_that_asks_nothing_says_for_whom_the_outcome_is_predicted():
    leaf = nodes()[:1].assign(is_leaf=True)
    everybody = replace(details(n_leaves=1), nodes=leaf.assign(prediction=1))
    assert tree_words(everybody, positive_meaning="x").startswith("The outcome “x” is predicted for everybody.")
    nobody = replace(everybody, nodes=leaf.assign(prediction=0))
    assert "predicted for nobody" in tree_words(nobody, positive_meaning="x")
    hidden = replace(everybody, nodes=leaf.assign(prediction=1, words=None))
    shown = tree_words(hidden, positive_meaning="x")
    assert "everybody is predicted alike" in shown and "“x”" not in shown


@pytest.mark.parametrize("gap", [1.0, math.nan, None])
def test_nothing_proven_is_said_to_be_nothing_proven(gap):
    assert "nothing was proven about that yet" in certificate_words(details(status="stopped", optimality_gap=gap))


def test_every_end_of_a_search_has_words():
    ends = {
        status: certificate_words(details(status=status, optimality_gap=0.1))
        for status in ("gap", "work_limit", "stopped")
    }
    assert len({text.rpartition(": ")[2] for text in ends.values()}) == 3
    assert "no tree of this depth" in certificate_words(details(status="infeasible"))
    ahead = {"search": "look_ahead", "method": "look_ahead"}
    grown = certificate_words(details(status="grown", objective=math.nan, **ahead))
    assert "Nothing is proven" in grown
    assert "did all the work" in certificate_words(details(status="work_limit", **ahead))
    assert len({method_words(details(**each)) for each in ({}, {"method": "scip"}, ahead)}) == 3


def test_splits_that_reveal_the_groups_or_come_close_are_marked_once():
    assert marked_splits(details())[0] == (
        "“prior offences is more than 3”: it uses what comes close to showing the groups: prior_offences."
    )
    assert len(marked_splits(details())) == 2
    uses = replace(details(), nodes=nodes().assign(uses_protected=[True, False, False, False, False], proxies=""))
    marks = marked_splits(uses)
    assert marks[0] == "“age is at most 25”: it uses a column that tells the groups." and "ask counsel" in marks[1]
    assert marked_splits(replace(details(), nodes=nodes().assign(proxies=""))) == ()


def test_how_it_was_made_shows_depth_limit_price_and_accuracy():
    shown = plain(made_sentences(details()))
    assert "It has 3 leaves and a depth of 2; at most 2 was allowed." in shown
    assert "the share of positive predictions differs by at most 5 points" in shown
    assert "right on 84.1 % of the training rows and on 83.3 % of the tuning rows" in shown
    fifths = plain(made_sentences(details(constraint="four_fifths")))
    assert "of no group is below 80 % of that of another" in fifths
    priced = made_sentences(
        details(constraint=None, discrimination="both", fairness_weight=0.5, max_discrimination=0.1)
    )
    assert "counts 0.5 times and may be 0.1 at most" in priced and "had to be alike" not in priced
    assert "Nothing had to be alike" in made_sentences(details(constraint=None))
    assert "priced at 0.25" in made_sentences(details(search="look_ahead", fairness_weight=0.25))
    assert "right on" not in made_sentences(details(trained_accuracy=None, tuned_accuracy=None))


def test_few_pairs_are_shown_one_by_one_and_many_are_counted():
    shown = plain(trees_kept_sentence(details()))
    assert "what is allowed (5 points)" in shown and "share of positive predictions" in shown
    assert "525 and 9,244 rows" in shown
    fifths = plain(trees_kept_sentence(details(constraint="four_fifths")))
    assert "no share is below 80 % of another" in fifths and "the smaller share of" in fifths
    groups = ("a", "b", "c", "d")
    many = trees_details(groups, [by_hand.AFTER[1]] * 4)
    assert "On the held-out rows all 6 differences between two groups are within" in trees_kept_sentence(many)
    assert trees_kept_sentence(details(constraint=None)) == ""


def test_an_undefined_pair_is_said_to_be_so():
    found = details()
    gone = replace(found, gaps=found.gaps.assign(reading="not defined", held_out=math.nan))
    assert "not defined, as a rate is a share of no rows" in trees_kept_sentence(gone)
    found = details(constraint="four_fifths")
    gone = replace(found, ratios=found.ratios.assign(reading="not defined", held_out=math.nan))
    assert "nobody is predicted positive" in trees_kept_sentence(gone)


def test_the_sides_stand_beside_each_other_and_promise_nothing():
    found = details()
    shown = trees_sides_sentence(found)
    assert shown.count(" on the training rows") >= 1 and NO_PROMISE in shown and "No margin was kept" in shown
    kept = trees_sides_sentence(details(trained_difference=0.02, trained_gap=0.01))
    assert "A margin of 3 points was kept" in kept
    unmet = trees_sides_sentence(details(trained_gap=0.2))
    assert "Already on the training rows no tree was found that keeps to 5 points" in unmet
    fifths = plain(trees_sides_sentence(details(constraint="four_fifths")))
    assert "as a share of the largest, is 90.0 % on the training rows" in fifths and "margin" not in fifths
    assert trees_sides_sentence(details(constraint=None)) == ""


def test_similar_people_are_shown_before_and_after():
    shown = plain(similar_sentence(details(), "a tree"))
    assert (
        "Of 800 held-out rows" in shown and "85.0 % are treated alike" in shown and "With a tree it is 75.0 %" in shown
    )
    assert "DTDI there went from 0.2200 to 0.1200" in shown
    empty = details()
    assert similar_sentence(replace(empty, alike=empty.alike.iloc[:0]), "x") == ""
    assert similar_sentence(replace(empty, alike=empty.alike.assign(n=0, n_alike=0)), "x") == ""


def test_caveats_hold_the_notes_and_the_edges_of_splits():
    shown = trees_caveats(details(notes=("A note.",)))
    assert shown[-1] == "A note." and any("just on either side" in text for text in shown)
    assert not any("just on either side" in text for text in trees_caveats(details(n_leaves=1)))


def test_a_terminal_gets_the_tree_and_its_verdict():
    texts = tree_texts(details(), "income is >50K")
    assert all("\n" not in text for text in texts)
    assert f"  then predict {NODES[1][1]}" in texts
    assert any("depth 2 of 2" in text and "of 1 pairs of groups" in text for text in texts)
