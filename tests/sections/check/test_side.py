"""The figures of an answer, its groups and its strata speak of the same people as its headline."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from fairaudit.audit.running import run
from fairaudit.disclosure.gate import exported
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import KeyValues
from fairaudit.present.verdicts import IMPACT_RATIO
from fairaudit.report.composing import compose_annexes
from fairaudit.sections.check.saying import on_said_side, rows_on_said_side
from fairaudit.sections.check.tables import ShareFigures, groups_table

CELLS = (("a", "F", 90, 310), ("a", "M", 64, 416), ("b", "F", 260, 140), ("b", "M", 210, 190), ("c", "M", 4, 3))


def asked(favorable: str, *, mask: bool = False):
    frame = pd.DataFrame(
        [
            (dept, sex, word)
            for dept, sex, *n in CELLS
            for word, times in zip(("yes", "no"), n, strict=True)
            for _ in range(times)
        ],
        columns=["dept", "sex", "searched"],
    )
    check = CheckPlan(protected="sex = 'F'", strata=("dept",), compare=(("dept",), ("sex", "dept")))
    decision = OutcomePlan(column="searched", favorable=(favorable,))
    small = SmallCellsPlan(mask=mask, minimum=10)
    plan = AuditPlan(data=DataPlan(source="s.csv"), decision=decision, checks=(check,), small_cells=small)
    return run(plan, table=frame)


def spoken(favorable: str, *, of_unfavorable: bool):
    [one] = asked(favorable).checks
    return replace(one, names=replace(one.names, of_unfavorable=of_unfavorable))


def numbers(comparison) -> list[float]:
    sides = [
        (side.n, side.positives, side.ratio, *side.interval) for side in (comparison.protected, comparison.reference)
    ]
    ends = (*comparison.difference_interval, *comparison.equivalence_interval)
    return [*sides[0], *sides[1], comparison.difference, *ends]


def test_figures_of_people_without_the_favourable_result_are_those_of_the_other_result():
    turned, other = on_said_side(spoken("no", of_unfavorable=True)), spoken("yes", of_unfavorable=False)
    assert numbers(turned.result) == pytest.approx(numbers(other.result))
    pairs = zip((turned, other), (turned.strata.strata, other.strata.strata), strict=True)
    assert [len(rows) for _, rows in pairs] == [2, 2]
    for one, same in zip(turned.strata.strata, other.strata.strata, strict=True):
        assert one.values == same.values and numbers(one.comparison) == pytest.approx(numbers(same.comparison))
    for table, same in zip(turned.groups, other.groups, strict=True):
        for row, of_other in zip(table.rows, same.rows, strict=True):
            assert row.values == of_other.values and numbers(row.comparison) == pytest.approx(
                numbers(of_other.comparison)
            )
    together = [
        (s.common_difference, *s.common_difference_interval, s.common_odds_ratio, *s.common_odds_ratio_interval)
        for s in (turned.strata, other.strata)
    ]
    assert together[0] == pytest.approx(together[1])


def test_where_sentences_speak_of_the_favourable_result_nothing_is_turned():
    one = spoken("yes", of_unfavorable=False)
    assert on_said_side(one) is one and rows_on_said_side(one, one.strata.strata) is one.strata.strata


def test_what_is_hidden_stays_hidden():
    [found] = exported(asked("no", mask=True)).checks
    turned = on_said_side(found)
    assert found.names.of_unfavorable and not turned.names.of_unfavorable
    hidden = [row.comparison.difference is None for row in found.strata.strata]
    assert any(hidden) and hidden == [row.comparison.difference is None for row in turned.strata.strata]
    sides = [side for row in found.groups[0].rows for side in (row.comparison.protected, row.comparison.reference)]
    own = [side for row in turned.groups[0].rows for side in (row.comparison.protected, row.comparison.reference)]
    assert [None in (side.n, side.positives) for side in sides] == [side.positives is None for side in own]


def test_annexes_print_the_side_of_which_sentences_speak():
    result = asked("no")
    [found] = result.checks
    [table] = [
        each
        for each in compose_annexes(result).blocks
        if getattr(each, "key", "") == groups_table(found, 1, ShareFigures()).key
    ]
    protected, reference = found.result.protected, found.result.reference
    counts = [str(side.n - side.positives) for side in (protected, reference)]
    assert counts in [list(row[1:]) for row in table.rows]
    labels = [row[0] for block in compose_annexes(result).blocks if isinstance(block, KeyValues) for row in block.rows]
    assert IMPACT_RATIO[True] in labels
