"""Several sessions at one server at once: no error, nothing of one in another, and their memory is given back."""

from __future__ import annotations

import sys

import pytest

from benchmarks.server_load import measure

pytestmark = [
    pytest.mark.campaign,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what another process holds"),
]


def test_sessions_do_not_see_each_other_and_leave_no_memory_behind():
    load = measure(3, 0.25, dropped_s=25, back_within_s=60)
    seen = load.seen
    assert not seen.foreign and not seen.errors
    assert "Traceback" not in load.log
    # What is looked for is there: its own marker comes to each session, also in each file.
    assert seen.n_own > 100 and seen.n_downloads >= 3 * 4
    assert seen.answers and max(seen.answers) < 60
    assert load.back_s is not None, f"{load.after_mb:.0f} MB are held, {load.warm_mb:.0f} MB before"
