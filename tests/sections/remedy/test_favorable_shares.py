"""What a remedy does beside the decisions: who gets fewer or more good outcomes than there, and a gap that is wider."""

from __future__ import annotations

from dataclasses import replace

import remedies_by_hand as by_hand

from fairaudit.measure.results import Interval
from fairaudit.sections.remedy.favorable_shares import get_fewer
from fairaudit.sections.remedy.reading import is_wider
from fairaudit.study.judging.results import NOT_WORSE, BesideDecisions, WorseOff

DECIDED = (470, 1_000, 580, 1_000)
"""Of how many of both groups how many have the good outcome in the decisions."""


def facts(counts=DECIDED):
    return replace(by_hand.facts(), decisions=by_hand.fairness(*counts))


def remedy(counts, standing=NOT_WORSE):
    found = by_hand.remedy()
    group = by_hand.group_change("women", standing, 0.3, 0.35 if standing == NOT_WORSE else 0.2)
    judged = WorseOff(asked=False, kept=None, groups=(group,))
    return replace(found, after=replace(found.after, fairness=by_hand.fairness(*counts)), worse_off=judged)


def beside(**known: tuple[float, float]) -> BesideDecisions:
    around = dict.fromkeys(("compared", "protected", "rest", "gap"), Interval(-0.01, 0.01))
    return BesideDecisions(**around | {name: Interval(*ends) for name, ends in known.items()})


def test_fewer_than_decided_and_a_wider_gap_follow_the_paired_interval_and_not_decisions_taken_as_fixed():
    # 45.0 against 47.0 %, and a gap of 13 for 11 points: clear where few are decided otherwise, and else not.
    counts = (450, 1_000, 580, 1_000)
    few, many = (
        replace(remedy(counts), beside_decisions=beside(protected=ends[0], gap=ends[1]))
        for ends in (((-0.03, -0.01), (0.005, 0.035)), ((-0.06, 0.02), (-0.04, 0.08)))
    )
    assert get_fewer(few, facts()) == (True, False) and is_wider(few, facts())
    assert not any(get_fewer(many, facts())) and not is_wider(many, facts())
    # 430 of 1,000 lie below 47 % with their own interval, and are not clearly fewer than 470 of other 1,000.
    far = remedy((430, 1_000, 640, 1_000))
    assert far.after.fairness.protected.interval.high < 0.47
    assert not any(get_fewer(far, facts()))
    assert any(get_fewer(replace(far, beside_decisions=few.beside_decisions), facts()))
