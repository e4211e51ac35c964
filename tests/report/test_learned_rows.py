"""The report and the JSON show which rows models learn from that the filter leaves out, and who is unknown there."""

from __future__ import annotations

import json
import re

import pytest
import remedies_by_hand as by_hand
from json_schema import against_schema
from study_data import as_loans, biased_loans, loans_plan

from fairaudit.audit.running import run
from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.measure.not_known import NotKnown
from fairaudit.messages import say
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.present.blocks import Heading, Items, Note
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.report.composing import compose_annexes
from fairaudit.report.json_export import to_json
from fairaudit.report.remedies import TITLE
from fairaudit.sections.remedy.learned_rows import (
    filter_sentence,
    learned_not_known_sentences,
    learned_rows_note,
    rows_table,
    undecided_sentence,
    unknown_groups_sentence,
)

HIRED = NotKnown("hired", ("lapsed",), "good", 1, None, None, (), "hired <> 'lapsed'")


def test_filter_is_shown_only_where_it_leaves_rows_out():
    where = Phrase("education_num is more than 10")
    for n in (1_200, 1):
        shown = say(Message("learning-filter", {"where": where, "n": Count(n)}))
        assert filter_sentence(by_hand.facts(n_filtered_out=n)) == shown
    hidden = say(Message("learning-filter-hidden", {"where": where}))
    assert filter_sentence(by_hand.facts(n_filtered_out=None)) == hidden
    assert filter_sentence(by_hand.facts(n_filtered_out=0)) == ""
    alone = by_hand.facts().plan.model_copy(update={"learn_from": "population"})
    assert filter_sentence(by_hand.facts(plan=alone, n_filtered_out=3)) == say(
        Message("learning-filter-alone", {"where": where})
    )
    assert filter_sentence(by_hand.facts(where_words=None, n_filtered_out=None)) == ""


def test_who_learns_from_people_of_an_unknown_group_is_said():
    facts = by_hand.facts(n_unknown=12, group_columns=())
    for methods, who in (
        (("relabel", "thresholds"), "learn"), (("rules",), "none"), (("equalize", "rules"), "none"),
        (("relabel", "equalize", "rules"), "some"),
    ):  # fmt: skip
        said = say(Message("learning-unknown", {"who": Word(who), "n": Count(12)}))
        assert said in learned_rows_note(facts, by_hand.remedies(methods).remedies)
    any_remedy = say(Message("learning-unknown", {"who": Word("learn"), "n": Count(12)}))
    assert unknown_groups_sentence(facts, []) == any_remedy
    assert unknown_groups_sentence(by_hand.facts(n_unknown=12, group_columns=("a",)), [True]) == any_remedy


def test_values_that_count_are_shown_with_what_can_be_done():
    [hired] = learned_not_known_sentences(by_hand.facts(not_known=(HIRED,)))
    counted = {"good": Word("yes"), "leave_out": Phrase("hired <> 'lapsed'")}
    assert "'lapsed' in column 'hired'" in hired and say(Message("learning-counts-decision", counted)) in hired


def test_rows_without_a_decision_are_counted():
    facts = by_hand.facts(n_filtered_out=3, n_undecided=178, outcome_where_words="granted is not withdrawn")
    said = Message("learning-undecided", {"n": Count(178), "what": Phrase("a decision")})
    assert undecided_sentence(facts) == say(said)
    assert rows_table(facts).rows[-1][1] == 178


def result(*, mask: bool = False, amount: bool = False):
    frame = biased_loans(900)
    frame.loc[frame.index[30:49], "granted"] = "withdrawn"
    plan = loans_plan(where="area <> 'west'")
    kept = plan.data.model_copy(update={"real_values": {"granted": ("withdrawn",)}})
    decision = OutcomePlan(column="rating", amount=True) if amount else plan.decision
    changed = {
        "data": kept,
        "remedies": (PlainPlan(model="linear_regression") if amount else PlainPlan(),),
        "decision": decision,
        "small_cells": SmallCellsPlan(mask=mask, minimum=10),
    }
    return run(plan.model_copy(update=changed | ({"score": None} if amount else {})), table=as_loans(frame))


@pytest.mark.parametrize("n", [4, 60])
def test_decisions_that_the_filter_leaves_out_are_not_shown_where_small_counts_are_hidden(n):
    frame = biased_loans(900).fillna({"granted": "no", "sex": "man"})
    frame.loc[frame.index[100 : 100 + n], "granted"] = "withdrawn"
    changed = {"remedies": (PlainPlan(),), "small_cells": SmallCellsPlan(mask=True, minimum=10)}
    found = run(loans_plan(where="granted <> 'withdrawn'").model_copy(update=changed), table=as_loans(frame))
    facts = json.loads(to_json(found))["remedies"]["facts"]
    assert facts["n_undecided"] is None and facts["n_rows"] is None
    assert facts["outcome_where_words"] == "granted is not withdrawn"


def chapter_of(blocks) -> list:
    """The chapter of the remedies, without the annexes."""
    heads = [i for i, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 1]
    [first] = [i for i in heads if blocks[i].text == say(TITLE)]
    return blocks[first : min(i for i in heads if i > first)]


def sentences_of(result) -> list[str]:
    blocks = compose_annexes(result).blocks
    texts = [block.text for block in chapter_of(blocks) if isinstance(block, Note)]
    texts += [text for block in blocks if isinstance(block, Items) for text in block.items]
    return [text for text in texts if text.startswith("Models also learn from") or "usually means" in text]


@pytest.mark.parametrize("amount", [False, True])
def test_chapter_and_json_show_it(amount):
    found = result(amount=amount)
    facts = (found.amount_remedies or found.remedies).facts
    shown, values = sentences_of(found), json.loads(to_json(found))
    assert len(shown) == (1 if amount else 2) and f" {facts.n_filtered_out} cases outside the filter" in shown[0]
    assert any("19 rows have 'withdrawn' in column 'granted'" in text for text in shown) is not amount
    kept = values["amount_remedies" if amount else "remedies"]["facts"]
    assert kept["n_filtered_out"] == facts.n_filtered_out > 0
    assert [part["sentence"] for part in kept.get("not_known", ())] == shown[1:]
    assert not against_schema(values)


@pytest.mark.parametrize("amount", [False, True])
def test_where_small_counts_are_hidden_no_count_is_revealed(amount):
    found = result(mask=True, amount=amount)
    shown, values = sentences_of(found), json.loads(to_json(found))
    assert len(shown) == (1 if amount else 2) and not any(re.search(r"\d", text) for text in shown)
    kept = values["amount_remedies" if amount else "remedies"]["facts"]
    assert kept["n_filtered_out"] is None
    assert {part[name] for part in kept.get("not_known", ()) for name in ("n", "n_protected", "n_reference")} == (
        set() if amount else {None}
    )
    assert not against_schema(values)
