"""The report and the JSON show which rows models learn from that the filter leaves out, and who is unknown there."""

from __future__ import annotations

import json
import re

import pytest
import remedies_by_hand as by_hand
from json_schema import against_schema
from study_data import as_loans, biased_loans, loans_plan

from fairaudit.audit.running import run
from fairaudit.measure.not_known import NotKnown
from fairaudit.plan import OutcomePlan, SmallCellsPlan
from fairaudit.present.blocks import Heading, Items, Note
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.shared.learned_rows_words import (
    filter_sentence,
    learned_not_known_sentences,
    learned_rows_note,
    undecided_sentence,
    unknown_sentence,
)
from fairaudit.remedies.shared.tables import rows_table
from fairaudit.report import compose_annexes, to_json
from fairaudit.report.chapters.remedies import TITLE

RACE = NotKnown("race", ("Decline",), "group", 120, 20, 100, ("protected", "reference"), "race <> 'Decline'")
HIRED = NotKnown("hired", ("pending",), "good", 1, None, None, (), "hired <> 'pending'")


def test_filter_is_shown_only_where_it_leaves_rows_out():
    lead = "The filter of the question (education_num is more than 10) does not apply to what models learn from: "
    shown = filter_sentence(by_hand.facts(n_filtered_out=1_200))
    assert shown == f"{lead}1,200 rows that do not meet it are learned from, tuned on or judged on, too."
    one = filter_sentence(by_hand.facts(n_filtered_out=1))
    assert one == f"{lead}1 row that does not meet it is learned from, tuned on or judged on, too."
    hidden = filter_sentence(by_hand.facts(n_filtered_out=None))
    assert hidden.startswith(f"{lead}all rows with a decision are learned from") and hidden.endswith("it or not.")
    assert filter_sentence(by_hand.facts(n_filtered_out=0)) == ""
    assert filter_sentence(by_hand.facts(where_words=None, n_filtered_out=None)) == ""


def test_who_learns_from_people_of_an_unknown_group_is_said_of_each_remedy():
    facts = by_hand.facts(n_unknown=12, group_columns=())
    lead = "In 12 rows it is not known who is protected: "
    for methods, said in (
        (("relabel", "thresholds"), "models learn from them. No model is judged on them."),
        (("rules",), "this remedy does not learn from them. No model is judged on them."),
        (("equalize", "rules"), "these remedies do not learn from them. No model is judged on them."),
        (("relabel", "equalize", "rules"), "numbers 2 and 3 do not learn from them, other models do. No model is"),
    ):
        assert f"{lead}{said}" in learned_rows_note(facts, by_hand.remedies(methods).remedies)
    assert "models may learn from them" in unknown_sentence(facts, [])
    assert "models may learn from them" in unknown_sentence(by_hand.facts(n_unknown=12, group_columns=("a",)), [True])


def test_values_that_count_are_shown_with_what_can_be_done():
    race, hired = learned_not_known_sentences(by_hand.facts(not_known=(RACE, HIRED)))
    assert race.startswith("120 rows have 'Decline' in column 'race', which usually means that the group is not known.")
    assert (
        "counted: 20 in the protected group and 100 in the rest, in all figures by group and, where the filter" in race
    )
    assert race.endswith("a missing value: read this value as missing, or bring a table without these rows.")
    assert hired.startswith("1 row has 'pending' in column 'hired'")
    assert "It is counted as reaching the good outcome in what models learn from" in hired
    assert hired.endswith("To leave it out, add to the filter: hired <> 'pending'.")
    assert "page Data" not in race + hired


def test_what_the_filter_says_of_the_decision_holds_for_learning_and_is_said():
    facts = by_hand.facts(n_filtered_out=3, n_undecided=178, outcome_where_words="granted is not withdrawn")
    assert "does not apply to what models learn from, but for its part on the decision itself: 3 rows" in (
        filter_sentence(facts)
    )
    assert undecided_sentence(facts) == (
        "178 without a decision, or with one that the filter leaves out (granted is not withdrawn), are left out."
    )
    assert undecided_sentence(by_hand.facts(n_undecided=1)) == "1 without a decision is left out."
    assert rows_table(facts).rows[-1][0] == "rows without a decision, or with one that the filter leaves out"


def result(*, mask: bool = False, amount: bool = False):
    frame = biased_loans(900)
    frame.loc[frame.index[10:24], "sex"] = "Decline to state"
    frame.loc[frame.index[30:49], "granted"] = "pending"
    plan = loans_plan(where="area <> 'west'")
    decision = OutcomePlan(column="rating", amount=True) if amount else plan.decision
    changed = {
        "remedies": (PlainPlan(model="linear_regression") if amount else PlainPlan(),),
        "decision": decision,
        "small_cells": SmallCellsPlan(mask=mask, minimum=10),
    }
    return run(plan.model_copy(update=changed | ({"score": None} if amount else {})), table=as_loans(frame))


@pytest.mark.parametrize(("n", "shown"), [(4, False), (60, True)])
def test_few_decisions_that_the_filter_leaves_out_are_not_shown_where_small_counts_are_hidden(n, shown):
    frame = biased_loans(900).fillna({"granted": "no", "sex": "man"})
    frame.loc[frame.index[100 : 100 + n], "granted"] = "withdrawn"
    changed = {"remedies": (PlainPlan(),), "small_cells": SmallCellsPlan(mask=True, minimum=10)}
    found = run(loans_plan(where="granted <> 'withdrawn'").model_copy(update=changed), table=as_loans(frame))
    facts = json.loads(to_json(found))["remedies"]["facts"]
    assert facts["n_undecided"] == (n if shown else None) and facts["n_rows"] == (900 - n if shown else None)
    assert facts["outcome_where_words"] == "granted is not withdrawn"


def chapter_of(blocks) -> list:
    """The chapter of the remedies, without the annexes."""
    heads = [i for i, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 1]
    [first] = [i for i in heads if blocks[i].text == TITLE]
    return blocks[first : min(i for i in heads if i > first)]


def sentences_of(result) -> list[str]:
    blocks = compose_annexes(result).blocks
    texts = [block.text for block in chapter_of(blocks) if isinstance(block, Note)]
    texts += [text for block in blocks if isinstance(block, Items) for text in block.items]
    return [text for text in texts if "does not apply to what" in text or "usually means" in text]


@pytest.mark.parametrize("amount", [False, True])
def test_chapter_and_json_show_it(amount):
    found = result(amount=amount)
    facts = (found.amount_remedies or found.remedies).facts
    shown, values = sentences_of(found), json.loads(to_json(found))
    assert len(shown) == (2 if amount else 3) and f": {facts.n_filtered_out} rows that do not meet it" in shown[0]
    assert "rows have 'Decline to state' in column 'sex'" in shown[1]
    assert any("19 rows have 'pending' in column 'granted'" in text for text in shown) is not amount
    kept = values["amount_remedies" if amount else "remedies"]["facts"]
    assert kept["n_filtered_out"] == facts.n_filtered_out > 0
    assert [part["sentence"] for part in kept["not_known"]] == shown[1:]
    assert not against_schema(values)


@pytest.mark.parametrize("amount", [False, True])
def test_where_small_counts_are_hidden_no_count_is_revealed(amount):
    found = result(mask=True, amount=amount)
    shown, values = sentences_of(found), json.loads(to_json(found))
    assert len(shown) == (2 if amount else 3) and not any(re.search(r"\d", text) for text in shown)
    kept = values["amount_remedies" if amount else "remedies"]["facts"]
    assert kept["n_filtered_out"] is None
    assert {part[name] for part in kept["not_known"] for name in ("n", "n_protected", "n_reference")} == {None}
    assert not against_schema(values)
