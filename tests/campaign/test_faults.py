"""Faults in the middle of ``python -m fairaudit run``: one sentence, no half file, and the next run works.

``python -m tests.campaign.injected_faults`` and ``python -m tests.campaign.ended_runs`` try more.
"""

from __future__ import annotations

from tests.campaign.cases import count
from tests.campaign.ended_runs import ends


def test_fault_at_any_function_ends_in_one_sentence_and_leaves_whole_files():
    counts = count("tests.campaign.injected_faults", "run", 20, seed=0, most_s=180)
    assert not counts.failed, str(counts)
    assert counts.ends["refused"] and counts.ends["stopped"], str(counts)


def test_ctrl_c_and_kill_at_any_moment_leave_whole_files_and_no_traceback(tmp_path):
    found = ends(tmp_path, ctrl_c=12, kill=6)
    assert found["Ctrl-C"]["stopped"] and found["kill -9"]["killed"], found


def test_ctrl_c_in_the_middle_of_fits_leaves_the_results_that_were_there(tmp_path):
    found = ends(tmp_path, ctrl_c=8, kill=0, fits=True)
    assert found["Ctrl-C"]["stopped"], found
