from __future__ import annotations

from fairaudit.estimators.progress import TOTAL, Clock, iter_stage
from fairaudit.estimators.rules.search import rounded_up
from fairaudit.events import Progress


def test_progress_of_a_stage_never_falls_and_stays_within_its_part():
    def stage():
        for done in (0, 5, 3, 12):
            yield Progress("a", done, 10)
        return "end"

    endings = []

    def whole():
        endings.append((yield from iter_stage(stage(), start=20, end=60)))

    steps = list(whole())
    assert [step.done for step in steps] == [20, 40, 40, 60] and {step.total for step in steps} == {TOTAL}
    assert endings == [("end", False)]


def test_a_clock_that_has_run_out_is_late_and_bounds_are_whole_rows():
    assert Clock(0.0).is_late and Clock(0.0).left_s == 0
    assert not Clock(60.0).is_late and 59 < Clock(60.0).left_s <= 60
    assert [rounded_up(bound) for bound in (-1.0, 0.0, 3.0000001, 3.1, 4.0)] == [0, 0, 3, 4, 4]
