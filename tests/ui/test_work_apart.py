"""Long work in processes of its own: the same results, whatever becomes of a process a sentence, and none is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from functools import partial

import pytest
from long_work import ERRORS, SPEC, counting, drawing, ended, failing, slow, taking, winding_up
from places import ROOT
from processes import has_ended

from fairaudit.audit.running import run
from fairaudit.disclosure.gate import exported
from fairaudit.errors import FairauditError, InputError, ReportError
from fairaudit.events import STOP, Finished
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import open_data
from fairaudit.report.chart_process import drawers, drawing_apart, svg_of
from fairaudit.report.crate import CRATE
from fairaudit.report.manifest import MANIFEST, Manifest
from fairaudit.settings import MEMORY
from fairaudit.study.reading import study_of
from ui.remedies import fitting
from ui.remedies.fitting import iter_fit
from ui.report.files import iter_files
from ui.runtime import memory
from ui.runtime.jobs import Jobs
from ui.runtime.processes import STILL, Broken, apart, warm_up, workers, working_apart
from ui.runtime.turns import Turns

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere work is done by the server itself")

PATIENCE_S = 120
SAMPLES = ROOT / "sample_data"


@pytest.fixture(autouse=True)
def work_is_found(monkeypatch):
    """Let the processes find the works of these tests."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "tests" / "support"))


@pytest.fixture(scope="module")
def source():
    with pytest.MonkeyPatch.context() as patch, working_apart():
        patch.setenv("PYTHONPATH", str(ROOT / "tests" / "support"))
        warm_up()
        yield


def result_of(events):
    return next(event.result for event in events if isinstance(event, Finished))


def wait_until(is_so):
    until = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_without_such_processes_work_is_done_here():
    assert not workers()
    assert result_of(apart(partial(counting, 1)))[0] == os.getpid()


def test_work_is_done_in_a_process_of_its_own_that_ends_with_it_and_knows_no_pages(source):
    number, knows_pages = result_of(apart(partial(counting, 3)))
    other, _ = result_of(apart(partial(counting, 3)))
    assert len({os.getpid(), number, other}) == 3 and not knows_pages
    wait_until(lambda: has_ended(number))
    assert len(workers()) == 1


def test_the_first_process_that_waits_may_end_before_it_is_asked(source):
    os.kill(workers()[0], signal.SIGKILL)
    assert result_of(apart(partial(counting, 1)))[0] != os.getpid()


def test_work_ends_with_the_process_that_it_began_from_and_the_next_finds_another(source):
    events = apart(partial(slow, 10 * PATIENCE_S))
    next(events)
    waits, number = workers()
    os.kill(waits, signal.SIGKILL)
    with pytest.raises(MemoryError):
        list(events)
    wait_until(lambda: has_ended(number))
    assert result_of(apart(partial(counting, 1)))[0] not in (waits, number)


def test_work_is_stopped_with_its_best_so_far(source):
    events = apart(partial(counting, 9))
    next(events)
    next(events)
    assert events.send(STOP).result == "best after 1"


def test_a_stop_that_comes_during_a_step_is_heard_after_it_and_a_cancelled_job_ends_at_once(source):
    jobs = Jobs(Turns(2))
    job = jobs.start("slow", "Sleeping", partial(apart, partial(slow, 10 * PATIENCE_S)))
    wait_until(lambda: len(workers()) == 2)
    [number] = set(workers()[1:])
    began = time.monotonic()
    job.cancel()
    assert job.wait(PATIENCE_S) and job.status == "cancelled" and job.error is None
    wait_until(lambda: has_ended(number))
    assert time.monotonic() - began < PATIENCE_S

    job = jobs.start("short", "Sleeping", partial(apart, partial(slow, 1.5)))
    wait_until(lambda: job.status == "running")
    job.stop()
    assert job.wait(PATIENCE_S) and job.result == "done"


@pytest.mark.parametrize("name", ["column", "condition"])
def test_errors_arrive_as_they_were_raised(source, name):
    with pytest.raises(FairauditError) as raised:
        result_of(apart(partial(failing, name)))
    error = ERRORS[name]
    assert (type(raised.value), str(raised.value), vars(raised.value)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ours", "KeyError"),
        ("end of a file", "EOFError"),
        ("holds what cannot be sent", "ConditionError"),
        ("not sent", "AttributeError|PicklingError"),
    ],
)
def test_of_errors_of_ours_only_the_kind_and_the_place_arrive(source, name, kind, caplog):
    with pytest.raises(Broken) as raised:
        result_of(apart(partial(failing, name)))
    assert raised.value.kind in kind.split("|") and ".py:" in raised.value.where
    assert "cell" not in str(raised.value)
    jobs = Jobs(Turns(1))
    job = jobs.start("failing", "Trying", partial(apart, partial(failing, "ours")))
    assert job.wait(PATIENCE_S) and "Trying failed inside fairaudit (KeyError)" in str(job.error)
    assert "long_work.py:" in caplog.text and "cell" not in caplog.text


@pytest.mark.parametrize("work", [partial(failing, "memory"), ended])
def test_work_that_finds_no_memory_or_is_ended_by_the_system_is_a_sentence(source, work):
    with pytest.raises(MemoryError):
        result_of(apart(work))
    jobs = Jobs(Turns(1))
    job = jobs.start("large", "Retraining", partial(apart, work))
    assert job.wait(PATIENCE_S)
    assert job.error.message.startswith("Retraining ended, as it takes too much: the server holds")


def test_work_that_breaks_its_process_is_not_said_to_take_too_much(source):
    jobs = Jobs(Turns(1))
    job = jobs.start("broken", "Retraining", partial(apart, partial(ended, signal.SIGABRT)))
    assert job.wait(PATIENCE_S) and job.error.message.startswith("Retraining failed inside fairaudit (exit code -6)")


def test_a_stop_that_takes_a_while_is_a_stop(source):
    jobs = Jobs(Turns(1))
    job = jobs.start("winding up", "Winding up", partial(apart, partial(winding_up, 1.5)))
    wait_until(lambda: job.stage.what == "winding up")
    job.stop()
    assert job.wait(PATIENCE_S) and (job.status, job.result) == ("stopped", "best so far")


def test_where_no_process_can_be_made_the_server_works_itself_and_others_go_on(monkeypatch):
    popen = subprocess.Popen

    def failing_after_one(command, **options):
        once = "import os\nleft, fork = [fork for fork in (os.fork,)], None\n"
        once += "def copy():\n    if not left:\n        raise OSError\n    return left.pop()()\nos.fork = copy\n"
        return popen([*command[:-1], once + command[-1]], **options)

    monkeypatch.setattr("fairaudit.processes.subprocess.Popen", failing_after_one)
    with working_apart():
        first = apart(partial(counting, 2))
        next(first)
        assert result_of(apart(partial(counting, 1)))[0] == os.getpid()
        assert result_of(first)[0] not in (os.getpid(), None)


def test_what_processes_take_counts_as_taken_and_too_much_ends_the_work(source, monkeypatch):
    monkeypatch.setattr(memory, "LOOK_S", 0.0)
    # Until then, the process that waits is being loaded.
    result_of(apart(partial(counting, 1)))
    before = memory.used()
    events = apart(partial(taking, 300_000_000))
    while getattr(next(events), "what", "") != "holding":
        pass
    assert memory.used() > before + 250_000_000
    events.close()
    wait_until(lambda: memory.used() < before + 100_000_000)

    monkeypatch.setenv(MEMORY.variable, f"{memory.used() + 200_000_000}")
    jobs = Jobs(Turns(1))
    job = jobs.start("large", "Retraining", partial(apart, partial(taking, 400_000_000)))
    assert job.wait(PATIENCE_S) and "takes too much" in str(job.error)


def test_several_work_at_once(source):
    found = []
    threads = [threading.Thread(target=lambda: found.append(result_of(apart(partial(slow, 0.3))))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert found == ["done"] * 4 and len(workers()) == 1


def test_what_takes_long_lets_whoever_waits_look_at_something_else(source):
    assert STILL in list(apart(partial(slow, 1.2)))


def test_charts_are_drawn_by_the_process_that_draws(source):
    here = svg_of(SPEC)
    with drawing_apart():
        assert result_of(apart(partial(drawing, SPEC))) == here
        assert drawers()
        with pytest.raises(ReportError, match="could not be drawn"):
            result_of(apart(partial(drawing, {"mark": "nothing"})))


def test_the_process_that_waits_ends_when_it_is_idle():
    with working_apart(idle=0.2):
        warm_up()
        [number] = workers()
        wait_until(lambda: has_ended(number) and not workers())
        assert result_of(apart(partial(counting, 1)))[0] != os.getpid()


def test_all_processes_end_with_the_server():
    code = (
        "import os\n"
        "from functools import partial\n"
        "from long_work import slow\n"
        "from ui.runtime.processes import apart, workers, working_apart\n"
        "with working_apart():\n"
        "    events = apart(partial(slow, 600))\n"
        "    next(events)\n"
        "    print(*workers(), flush=True)\n"
        "    os._exit(0)\n"
    )
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "support")])
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True, check=True, text=True
    )
    numbers = done.stdout.split()
    assert len(numbers) == 2
    for number in numbers:
        wait_until(lambda number=number: has_ended(number))


@pytest.fixture(scope="module")
def loans():
    plan = AuditPlan.from_toml((SAMPLES / "loans.toml").read_text(encoding="utf-8"))
    return plan, open_data(plan, base=SAMPLES)


@pytest.mark.parametrize("method", ["relabel", "constrain", "thresholds"])
def test_a_fit_is_the_same_here_and_apart_and_what_later_fits_build_on_is_kept(source, loans, method):
    plan, table = loans
    study = study_of(table, plan)
    [remedy] = [remedy for remedy in plan.remedies if remedy.method == method]
    here, known = {}, {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ui.runtime.processes._source", None)
        expected = result_of(iter_fit(study, remedy, here))
    found = result_of(iter_fit(study, remedy, known))
    assert [str(one.finding) for one in found] == [str(one.finding) for one in expected]
    assert [list(one.prediction) for one in found] == [list(one.prediction) for one in expected]
    assert list(known) == list(here)


def test_a_plain_model_is_kept_where_the_remedy_after_it_fails(loans, monkeypatch):
    plan, table = loans
    study = study_of(table, plan)
    [remedy] = [remedy for remedy in plan.remedies if remedy.method == "thresholds"]
    iter_remedy, known = fitting.iter_remedy, {}

    def fails(study, plan, **options):
        if plan.method != "plain":
            raise InputError("It cannot be made.")
        return iter_remedy(study, plan, **options)

    monkeypatch.setattr("ui.runtime.processes._source", None)
    monkeypatch.setattr(fitting, "iter_remedy", fails)
    with pytest.raises(InputError):
        result_of(iter_fit(study, remedy, known))
    [plain] = known.values()
    assert plain.finding.plan.method == "plain"


def test_the_files_of_a_report_are_the_same_here_and_apart(source):
    plan = AuditPlan.from_toml((SAMPLES / "berkeley_1973.toml").read_text(encoding="utf-8"))
    result = exported(run(plan, base=SAMPLES))
    with drawing_apart():
        found = result_of(apart(partial(iter_files, result, "digest")))
    here = result_of(iter_files(result, "digest"))
    manifests = [Manifest.read(made.contents[MANIFEST]) for made in (found, here)]
    assert manifests[0].compared == manifests[1].compared, "only when they were made is not the same"
    dated = {MANIFEST: b"", CRATE: b""}
    assert replace(found, contents=dict(found.contents) | dated) == replace(here, contents=dict(here.contents) | dated)
