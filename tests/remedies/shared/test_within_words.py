"""What a remedy does inside strata, in words: what becomes of the gap, beside that of the decisions, and how sure."""

from __future__ import annotations

from dataclasses import replace

import amounts_by_hand
import pandas as pd
import pytest
import remedies_by_hand as by_hand

from fairaudit import run
from fairaudit.disclosure.hidden import without_figures
from fairaudit.measure.results import Interval
from fairaudit.plan import CheckPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.remedies.shared.within_words import NOT_SHOWN, within_chip, within_sentence, within_tables
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.report.chapters.remedies import WITHIN, remedies_annex, remedies_blocks
from fairaudit.study.judging.results import STRATA, WithinStrata

FACTS = by_hand.remedies().facts
NAN = float("nan")


def within(decided, after, *, half=0.02, decided_half=0.02, before=0.1, moved=0.05, **options) -> WithinStrata:
    """Return gaps with intervals of these halves; that of the change from the decisions is `moved` to either side."""
    rows = [("A", 40, 60, decided, before, after, after - half, after + half)]
    found = WithinStrata(
        columns=("office",),
        cut=(),
        decisions=decided,
        before=before,
        after=after,
        decisions_interval=Interval(decided - decided_half, decided + decided_half),
        before_interval=Interval(before - 0.02, before + 0.02),
        after_interval=Interval(after - half, after + half),
        change=after - decided,
        change_interval=Interval(after - decided - moved, after - decided + moved),
        tolerance=0.05,
        strata=pd.DataFrame.from_records(rows, columns=list(STRATA["columns"])),
    )
    return replace(found, **options)


def finding(*given, **options):
    return replace(by_hand.remedy(), within=within(*given, **options))


def plain_spaces(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{MINUS SIGN}", "-")


CHANCE = "that it differs from that in the decisions may be chance"
WITH, TURNED = "With the remedy", "The gap turns around within strata"


@pytest.mark.parametrize(
    ("found", "lead", "chip"),
    [
        (finding(-0.1, 0.01), f"{WITH} the groups are alike within office, on average.", None),
        (finding(-0.1, 0.04, half=0.06), f"{WITH} no clear gap is left within office, on average.", None),
        (finding(0.01, 0.04, half=0.06), "Whether the remedy leaves a gap within office, the data cannot tell.", None),
        (finding(0.01, 0.12), f"{WITH} a gap opens within office.", "A gap opens within strata"),
        *(
            (finding(-0.1, 0.12, before=before), f"{WITH} the gap turns around within office.", TURNED)
            for before in (-0.1, -0.01, 0.01)
        ),
        (
            finding(-0.1, 0.12, before=0.1),
            "Within office the gap points the other way than in the decisions, with",
            None,
        ),
        (
            finding(-0.1, -0.2),
            f"{WITH} the gap within office is wider than in the decisions.",
            "Wider gap within strata",
        ),
        (finding(-0.2, -0.08), f"{WITH} the gap within office is smaller than in the decisions.", None),
        (finding(-0.1, -0.08), f"{WITH} there is a gap within office; {CHANCE}.", None),
        # One interval holds zero, the other does not: that is no change.
        (finding(-0.10, -0.11, decided_half=0.101), f"{WITH} there is a gap within office; {CHANCE}.", None),
        (finding(-0.10, -0.054, decided_half=0.106, moved=0.04), f"{WITH} the gap within office is smaller", None),
        (finding(NAN, NAN), "Within office there are too few held-out rows to say what the remedy does.", None),
    ],
)
def test_what_becomes_of_the_gap_comes_first_and_what_is_worse_has_a_chip(found, lead, chip):
    assert within_sentence(found, FACTS).startswith(lead)
    own = within_chip(found, FACTS)
    assert (own and own.text) == chip
    assert own is None or own.sort == "gap"


def test_what_truly_happened_is_no_decision():
    facts = replace(FACTS, decision_is_outcome=True)
    said = within_sentence(finding(-0.1, -0.2, before=-0.1), facts)
    assert "wider than without it" in said and said.endswith("fewer in what truly happened.")
    # Held against the model without it, there is no change here.
    same = finding(0.0, -0.2, before=-0.2, change=0.0, change_interval=Interval(-0.01, 0.01))
    assert within_chip(same, facts) is None and "may be chance" in within_sentence(same, facts)


def test_the_figures_say_direction_and_interval():
    assert plain_spaces(within_sentence(finding(-0.1, 0.12, half=0.15, before=-0.05), FACTS)).endswith(
        ", on average over the strata: 12.0 points more good outcomes with the remedy (95 % interval: 3.0 points fewer "
        "to 27.0 points more), 5.0 points fewer without it, 10.0 points fewer in the decisions."
    )


def test_bands_are_named_as_such():
    assert "within bands of age" in within_sentence(finding(0.0, 0.2, columns=("age",), cut=("age",)), FACTS)


def test_without_strata_there_is_no_sentence_and_hidden_figures_are_said_to_be():
    none, hidden = (replace(by_hand.remedy(), within=each) for each in (None, without_figures(within(0.0, 0.2))))
    assert (within_sentence(none, FACTS), within_chip(none, FACTS), within_tables(none, 1)) == ("", None, [])
    assert (within_sentence(hidden, FACTS), within_chip(hidden, FACTS)) == (NOT_SHOWN, None)
    [table] = within_tables(hidden, 1)
    assert table.rows == ()


def test_report_says_it_after_who_is_worse_off_and_has_the_strata_in_the_annex():
    found = by_hand.remedies()
    plain, second, *others = found.remedies
    second = replace(second, within=within(-0.1, 0.12))
    found = replace(found, remedies=(plain, second, *others))
    said = [block for block in remedies_blocks(found, ()) if getattr(block, "strong", None) == WITHIN]
    assert [block.text for block in said] == [within_sentence(second, found.facts)]
    keys = [getattr(block, "key", "") for block in remedies_annex(found)]
    assert [key for key in keys if key.endswith("_strata")] == ["remedy_2_strata"]


def test_amounts_are_said_in_their_unit():
    plan = amounts_by_hand.plan().model_copy(
        update={
            "checks": (CheckPlan(protected="sex = 'F'", strata=("grade",)),),
            "models": ModelsPlan(features=("area",), protected="sex = 'F'", protected_name="women"),
            "remedies": (TreesPlan(max_depth=1, amount_difference=300.0),),
        }
    )
    tried = run(plan, table=amounts_by_hand.pay()).tried
    [remedy] = tried.remedies
    said = within_sentence(remedy, tried.facts)
    assert "within grade" in said and " in the amounts." in said and "points" not in said
    [table] = within_tables(remedy, 1, 0)
    assert [row[0] for row in table.rows] == ["1", "2"]
