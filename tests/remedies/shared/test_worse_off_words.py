"""Words, chip and table on who is worse off, from figures made by hand; where small counts are hidden, none of them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import remedies_by_hand as by_hand

from fairaudit.measure.results import Interval
from fairaudit.present.blocks import Paragraph
from fairaudit.remedies.shared.tables import remedies_summary_table, remedy_tables
from fairaudit.remedies.shared.worse_off_words import (
    LEVELLED_DOWN,
    NOT_SHOWN,
    asked_sentence,
    worse_off_cell,
    worse_off_chip,
    worse_off_sentences,
    worse_off_table,
)
from fairaudit.report import to_json
from fairaudit.report.chapters.remedies import remedies_blocks
from fairaudit.study.judging.results import CANNOT_TELL, NOT_WORSE, TOO_FEW, WORSE, WorseOff
from fairaudit.study.worse_off import NOT_KEPT

NAN = float("nan")
FACTS = by_hand.facts()


def change(group: str, standing: str, before=0.321, after=0.28, **options):
    difference = options.pop("difference", after - before)
    values = {
        "difference": difference,
        "interval": Interval(difference - 0.011, difference + 0.011),
        "n_lost": 40,
    }
    return by_hand.group_change(group, standing, before, after, **(values | options))


def finding(*groups, asked=False, kept=None):
    return replace(by_hand.remedy(), worse_off=WorseOff(asked=asked, kept=kept, groups=groups))


def plain_spaces(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{MINUS SIGN}", "-")


def test_a_group_that_is_worse_off_is_named_with_by_how_much():
    found = finding(change("women", WORSE), change("men", NOT_WORSE, 0.41, 0.41, n_lost=0))
    assert plain_spaces(worse_off_sentences(found, FACTS)) == (
        "Worse off than without the remedy: women (share of good outcomes 32.1 % to 28.0 %, n = 525; change -4.1 "
        "points, 95 % interval -5.2 to -3.0)."
    )
    assert (worse_off_chip(found, FACTS).text, worse_off_chip(found, FACTS).sort) == ("A group is worse off", "gap")
    assert worse_off_cell(found, FACTS) == "women"


def test_a_gap_that_closes_downwards_is_called_so_and_one_that_widens_is_not():
    high, low = change("women", WORSE, 0.5, 0.4), change("men", CANNOT_TELL, 0.4, 0.395)
    assert LEVELLED_DOWN in worse_off_sentences(finding(high, low), FACTS)
    assert LEVELLED_DOWN not in worse_off_sentences(finding(change("women", WORSE, 0.4, 0.3), low), FACTS)
    other_rate = replace(low, rate="fnr")
    assert LEVELLED_DOWN not in worse_off_sentences(finding(high, other_rate), FACTS)


def test_what_is_not_clear_and_what_cannot_be_said_are_kept_apart_from_no_group():
    unclear = finding(change("women", CANNOT_TELL, 0.4, 0.396), change("men", NOT_WORSE, 0.41, 0.41, n_lost=0))
    assert worse_off_sentences(unclear, FACTS).startswith(
        "Whether a group is worse off than without the remedy is not clear: women ("
    )
    assert (worse_off_chip(unclear, FACTS).sort, worse_off_cell(unclear, FACTS)) == ("open", "cannot tell")
    few = finding(change("few", TOO_FEW, NAN, NAN, n=9), change("men", NOT_WORSE, 0.4, 0.45))
    assert "Too few held-out rows to say: few." in worse_off_sentences(few, FACTS)
    assert worse_off_chip(few, FACTS).text == "Worse off: cannot tell"
    none = finding(change("women", NOT_WORSE, 0.4, 0.45), change("men", NOT_WORSE, 0.41, 0.41, n_lost=0))
    said = worse_off_sentences(none, FACTS)
    assert (
        said.startswith("No group is worse off than without the remedy: women (")
        and "men (share of good outcomes unchanged, n = 525)" in said
    )
    assert (worse_off_chip(none, FACTS).text, worse_off_cell(none, FACTS)) == (
        "No group worse off than without it",
        "no group",
    )


def test_where_less_is_better_that_is_said_and_costs_are_no_shares():
    error = change("women", WORSE, 0.2, 0.25, rate="fnr", rate_words="false negative rate", more_is_better=False)
    assert "false negative rate, less is better, " in worse_off_sentences(finding(error), FACTS)
    cost = change("women", WORSE, 1.2, 1.5, rate="aec(1, 5)", rate_words="average cost", more_is_better=False)
    assert "1.2 to 1.5, n = 525; change +0.3" in plain_spaces(worse_off_sentences(finding(cost), FACTS)).replace(
        "1.20", "1.2"
    ).replace("1.50", "1.5")
    [table] = worse_off_table(finding(cost), 1)
    assert {column.name: column.kind for column in table.columns}["before"] == "number"


def test_of_many_groups_the_first_few_are_named():
    found = finding(*(change(f"group {i}", WORSE) for i in range(9)))
    assert "5 more" in worse_off_sentences(found, FACTS) and "group 8" not in worse_off_sentences(found, FACTS)
    assert worse_off_cell(found, FACTS) == "9 groups"


@pytest.mark.parametrize(("kept", "word"), [(True, "holds"), (False, "does not hold"), (None, "asked that none is.")])
def test_a_wish_is_said_and_whether_it_holds_where_the_model_was_chosen(kept, word):
    found = finding(change("women", CANNOT_TELL), asked=True, kept=kept)
    assert word in asked_sentence(found) and asked_sentence(found) in worse_off_sentences(found, FACTS)
    assert asked_sentence(finding(change("women", CANNOT_TELL))) == ""


def test_a_plain_model_is_not_judged():
    plain = by_hand.remedy("plain")
    assert (
        worse_off_chip(plain, FACTS) is None and worse_off_sentences(plain, FACTS) == worse_off_cell(plain, FACTS) == ""
    )
    assert worse_off_table(plain, 1) == []


def test_compare_the_table_and_the_chapter_show_it():
    found = by_hand.remedies(("plain", "relabel"))
    worse = replace(found.remedies[1], worse_off=finding(change("women", WORSE)).worse_off)
    found = replace(found, remedies=(found.remedies[0], worse))
    table = remedies_summary_table(found)
    place = [column.name for column in table.columns].index("worse_off")
    assert {row[0]: row[place] for row in table.rows}[worse.name] == "women"
    [own] = [table for table in remedy_tables(worse, 2) if table.key == "remedy_2_worse_off"]
    [row] = own.rows
    named = dict(zip((column.name for column in own.columns), row, strict=True))
    assert (named["group"], named["before"], named["lost"], named["standing"]) == ("women", 0.321, 40, WORSE)
    [said] = [
        block.text
        for block in remedies_blocks(found, ())
        if isinstance(block, Paragraph) and block.strong == "Is a group worse off?"
    ]
    assert said.startswith("Worse off than without the remedy: women")


def test_where_small_counts_are_hidden_no_figure_of_it_leaves_and_what_was_asked_does():
    secret = change("women", WORSE, 0.123456, 0.234567, n=4321, n_lost=8765, difference=0.345678)
    worse = replace(finding(secret, asked=True, kept=False), warnings=(NOT_KEPT,))
    result = by_hand.audit(replace(by_hand.remedies(("relabel",)), remedies=(worse,)), minimum=10)
    text = to_json(result)
    [shown] = json.loads(text)["remedies"]["remedies"]
    assert shown["worse_off"] == {"asked": True, "kept": None, "groups": []}
    assert not any(digits in text for digits in ("123456", "234567", "345678", "4321", "8765", "standing"))
    assert NOT_SHOWN in shown["headline"] and NOT_KEPT not in text
    open_result = by_hand.audit(replace(by_hand.remedies(("relabel",)), remedies=(worse,)))
    assert "8765" in to_json(open_result) and NOT_KEPT in to_json(open_result)
