"""What is said below tables of many groups and strata: whose the ranges are, and by which method verdicts are read."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from fairaudit.disclosure.hidden import without_figures
from fairaudit.findings import Count, Message, Word
from fairaudit.measure import check_groups, check_strata
from fairaudit.messages import say
from fairaudit.sections.check.reading import say_group_ranges, say_ranges


def decided(**counts: tuple[int, int]) -> pd.DataFrame:
    rows = [(name, i < good) for name, (good, n) in counts.items() for i in range(n)]
    return pd.DataFrame(rows, columns=["group", "approved"])


def said(n: int, method: str) -> str:
    return say(Message("check-many-ranges", {"n": Count(n), "method": Word(method)}))


def test_verdicts_of_many_groups_are_holms_and_beside_hidden_ones_bonferronis():
    question = {"decision": "approved", "favorable": True, "by": "group"}
    three = check_groups(decided(a=(20, 100), b=(50, 100), c=(40, 90)), **question)
    assert say_group_ranges(three) == said(3, "holm")
    hidden = replace(three.rows[0], comparison=without_figures(three.rows[0].comparison))
    assert say_group_ranges(replace(three, rows=(hidden, *three.rows[1:]))) == said(3, "bonferroni")
    two = decided(a=(20, 100), b=(50, 100))
    assert say_group_ranges(check_groups(two, **question)) == ""
    assert say_group_ranges(check_groups(decided(a=(2, 9), b=(5, 9), c=(4, 9)), **question, reference="a"))


def test_the_method_named_for_strata_is_the_one_by_which_their_verdicts_are_read():
    data = pd.concat(
        [decided(a=(10, 40), b=(22, 40)).assign(place=place) for place in "pqr"]
        + [decided(a=(13, 40), b=(23, 40)).assign(place="s")]
    )
    strata = check_strata(data, decision="approved", favorable=True, protected="group = 'a'", strata="place").strata
    assert say_ranges(strata) == said(4, "holm") and say_ranges(strata[:1]) == ""
    # That of the fourth is p = .025: .1 by Bonferroni's method, and .025 by Holm's, as the others are smaller.
    assert 4 * strata[3].comparison.p_value > 0.05 > strata[3].comparison.p_value
    assert {row.comparison.verdict for row in strata} == {"gap_size_unclear"}
