from __future__ import annotations

from fairaudit.estimators.base import TOTAL, iter_stage
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


def test_bounds_are_whole_rows():
    assert [rounded_up(bound) for bound in (-1.0, 0.0, 3.0000001, 3.1, 4.0)] == [0, 0, 3, 4, 4]
