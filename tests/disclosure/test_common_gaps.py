"""One hidden stratum does not hide the common gap; rounded, it leaves open what is hidden."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from places import SHARED_DATA
from whole_report import whole_report

from fairaudit.audit.running import run
from fairaudit.disclosure.gate import exported
from fairaudit.measure.strata import common_difference
from fairaudit.measure.within import reading_within
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.numbers import points_text
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json

ADULT = SHARED_DATA / "adult.csv.gz"
STEPS = (0.001, 0.002, 0.005, 0.01, 0.02)


def audit(frame: pd.DataFrame, favorable: str, check: CheckPlan, decision: str = "y"):
    plan = AuditPlan(
        data=DataPlan(source="memory.csv"),
        decision=OutcomePlan(column=decision, favorable=(favorable,)),
        checks=(check,),
        small_cells=SmallCellsPlan(mask=True, minimum=10),
        report=ReportPlan(quality=False),
    )
    return run(plan, table=frame)


def areas(few: int = 2) -> pd.DataFrame:
    """Return women and men of areas with so many, and so many with the good outcome."""
    cells = {("u", "F"): (1_500, 600), ("u", "M"): (1_500, 800), ("v", "F"): (400, 90), ("v", "M"): (420, 130)}
    cells |= {("w", "F"): (60, few), ("w", "M"): (70, 25), ("x", "F"): (90, 30), ("x", "M"): (95, 41)}
    rows = [(area, sex, "good" if i < good else "bad") for (area, sex), (n, good) in cells.items() for i in range(n)]
    return pd.DataFrame(rows, columns=["area", "sex", "y"])


WOMEN = CheckPlan(protected="sex = 'F'", strata=("area",))


def cells_of(strata) -> np.ndarray:
    sides = [(row.comparison.protected, row.comparison.reference) for row in strata]
    return np.array([[p.positives, p.n, r.positives, r.n] for p, r in sides], dtype=object)


@pytest.mark.skipif(not ADULT.exists(), reason="the table is not here")
def test_the_common_gap_of_adult_by_education_stays():
    frame = pd.read_csv(ADULT, usecols=["sex", "education", "income"])
    result = audit(frame, ">50K", CheckPlan(protected="sex = 'Female'", strata=("education",)), "income")
    [whole], [shown] = result.checks, exported(result).checks
    assert any(row.difference is None for row in shown.strata.strata)
    assert shown.strata.common_difference == pytest.approx(whole.strata.common_difference, abs=0.0005)
    assert tuple(shown.strata.common_difference_interval) == (-0.189, -0.176)
    assert shown.strata.reversal is whole.strata.reversal


@pytest.mark.parametrize("few", [0, 2, 5, 9])
def test_a_rounded_common_gap_leaves_open_what_is_hidden(few):
    result = audit(areas(few), "good", WOMEN)
    [whole], [shown] = result.checks, exported(result).checks
    hidden = [i for i, row in enumerate(shown.strata.strata) if row.difference is None]
    said, interval = shown.strata.common_difference, shown.strata.common_difference_interval
    assert len(hidden) == 2 and said is not None
    assert repr(whole.strata.common_difference) not in to_json(result)
    # All numbers of good outcomes that agree with the totals and with the figures, however they were rounded.
    cells = cells_of(whole.strata.strata).astype(float)
    one, other = hidden
    found = []
    step = next(s for s in STEPS if abs(said - whole.strata.common_difference) <= s / 2)
    for women in range(int(cells[one, 1]) + 1):
        for men in range(int(cells[one, 3]) + 1):
            table = cells.copy()
            table[one, [0, 2]], rest = (women, men), cells[[one, other]][:, [0, 2]].sum(axis=0) - (women, men)
            table[other, [0, 2]] = rest
            if (rest < 0).any() or (rest > table[other, [1, 3]]).any():
                continue
            gap, (low, high) = common_difference(table, 0.95)
            if max(abs(gap - said), abs(low - interval.low), abs(high - interval.high)) <= step / 2 + 1e-9:
                found.append((women, men))
    assert np.ptp(np.array(found), axis=0).min() >= 5


def test_documents_say_the_rounded_gap_and_no_other():
    result = audit(areas(), "good", WOMEN)
    [shown] = exported(result).checks
    document = repr(whole_report(result))
    assert points_text(shown.strata.common_difference, digits=1) in document
    assert to_csv_bundle(result) and reading_within(shown.strata, shown.result) is None
    assert shown.strata.common_odds_ratio is None and shown.strata.cmh_p_value is None


def test_a_reading_of_the_rounded_gap_is_that_of_the_whole_one():
    # Men are ahead in all areas, and women in all together.
    cells = {("u", "F"): (1_500, 1_200), ("u", "M"): (300, 260), ("v", "F"): (300, 60), ("v", "M"): (1_500, 420)}
    cells |= {("w", "F"): (60, 3), ("w", "M"): (70, 25), ("x", "F"): (90, 30), ("x", "M"): (95, 41)}
    rows = [(area, sex, "good" if i < good else "bad") for (area, sex), (n, good) in cells.items() for i in range(n)]
    result = audit(pd.DataFrame(rows, columns=["area", "sex", "y"]), "good", WOMEN)
    [whole], [shown] = result.checks, exported(result).checks
    assert shown.strata.strata[2].difference is None
    assert shown.strata.reversal is whole.strata.reversal is True
    assert reading_within(shown.strata, shown.result) == reading_within(whole.strata, whole.result)
    assert whole_report(result)
