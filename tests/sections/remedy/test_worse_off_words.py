"""Words, chip and table on who is worse off, from figures made by hand; where small counts are hidden, none of them."""

from __future__ import annotations

from dataclasses import replace

import remedies_by_hand as by_hand

from fairaudit.measure.results import Interval
from fairaudit.present.blocks import Paragraph
from fairaudit.report.remedies import remedies_blocks
from fairaudit.sections.compare.models import summary_table
from fairaudit.sections.remedy import say_remedy
from fairaudit.sections.remedy.tables import remedy_tables
from fairaudit.study.judging.results import WORSE, WorseOff


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


def test_compare_the_table_and_the_chapter_show_it():
    found = by_hand.remedies(("plain", "relabel"))
    worse = replace(found.remedies[1], worse_off=finding(change("women", WORSE)).worse_off)
    found = replace(found, remedies=(found.remedies[0], worse))
    table = summary_table(found)
    place = [column.name for column in table.columns].index("worse_off")
    assert {row[0]: row[place] for row in table.rows}[worse.name] == "women"
    [own] = [table for table in remedy_tables(worse, found.facts, 2) if table.key == "remedy_2_worse_off"]
    [row] = own.rows
    named = dict(zip((column.name for column in own.columns), row, strict=True))
    assert (named["group"], named["before"], named["lost"], named["standing"]) == ("women", 0.321, 40, WORSE)
    assert say_remedy(worse, found.facts).caution[0].key.startswith("remedy-caution-")
    said = [block.text for block in remedies_blocks(found, ()) if isinstance(block, Paragraph)]
    assert any("than without the remedy" in text for text in said)
