"""A watch goes on from where it was, refuses what does not fit, and keeps sums and no row."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from fairaudit import watch_gap
from fairaudit.conditions import Condition
from fairaudit.errors import GroupError, InputError
from fairaudit.measure.watching import GapWatch

ASKED = {"decision": "loan", "favorable": "yes", "protected": "sex = 'F'"}


def nights(n: int = 20, *, gap: float = 0.2, size: int = 120, seed: int = 1) -> pd.DataFrame:
    """Make nights of people, of whom women get a loan less often."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"night": np.repeat(pd.date_range("2026-01-01", periods=n), size).astype(str)})
    frame["sex"] = rng.choice(["F", "M"], len(frame))
    frame["loan"] = np.where(rng.random(len(frame)) < np.where(frame["sex"] == "F", 0.6 - gap, 0.6), "yes", "no")
    return frame


def test_a_gap_beyond_the_tolerance_gives_an_alarm_and_says_after_which_batch_and_on_which_side():
    found = watch_gap(nights(), **ASKED, batches="night")
    assert (found.verdict, found.alarm.side, found.n_batches) == ("alarm", "lower", 20)
    first = next(each for each in found.batches if each.evidence >= 20)
    assert found.alarm.batch == first.batch
    assert found.interval.low < found.gap < found.interval.high


def test_the_protected_group_may_be_on_the_other_side():
    found = watch_gap(nights(), **ASKED | {"protected": "sex = 'M'"}, batches="night")
    assert (found.verdict, found.alarm.side) == ("alarm", "higher")


def test_without_a_gap_there_is_no_alarm():
    found = watch_gap(nights(60, gap=0.0), **ASKED, batches="night")
    assert (found.verdict, found.alarm) == ("no_alarm", None)
    assert found.evidence < 20


@pytest.mark.parametrize("by", ["column", "name"])
def test_batches_one_at_a_time_through_the_file_are_as_all_at_once(tmp_path, by):
    frame, state, path = nights(), None, tmp_path / "watch.json"
    for name, night in frame.groupby("night"):
        batch = {"batches": "night"} if by == "column" else {"batch": name}
        watch_gap(night, **ASKED, **batch, before=state).save(path)
        state = path
    assert GapWatch.load(path).to_dict() == watch_gap(frame, **ASKED, batches="night").to_dict()


@pytest.mark.parametrize("result", ["yes", "no"])
@pytest.mark.parametrize("given", ["value", "condition"])
def test_nights_on_which_all_have_the_same_result_are_watched_one_at_a_time_as_all_at_once(tmp_path, result, given):
    frame, state, path = nights(8), None, tmp_path / "watch.json"
    frame.loc[frame["night"].isin(["2026-01-01", "2026-01-04"]), "loan"] = result
    asked = ASKED if given == "value" else ASKED | {"favorable": Condition.equals("loan", "yes", ["loan"])}
    for name, night in frame.groupby("night"):
        state = watch_gap(night, **asked, batch=name, before=state)
        state.save(path)
        state = path
    assert GapWatch.load(path).to_dict() == watch_gap(frame, **ASKED, batches="night").to_dict()


def test_a_night_without_rows_counts_and_says_nothing():
    state = watch_gap(nights(3).assign(loan=lambda f: (f["loan"] == "yes") * 1), **ASKED | {"favorable": 1}, batch="1")
    none = nights(3).iloc[:0]
    after = watch_gap(none, **ASKED | {"favorable": "1"}, batch="2", before=state)
    assert (after.n_batches, after.n_protected, after.gap) == (2, state.n_protected, state.gap)
    assert watch_gap(none, **ASKED | {"favorable": 1}, batches="night", before=state).n_batches == 1
    with pytest.raises(InputError, match="has favorable"):
        watch_gap(none, **ASKED | {"favorable": "0"}, batch="2", before=state)
    with pytest.raises((GroupError, InputError)):
        watch_gap(none, **ASKED, batch="1")


@pytest.mark.parametrize("by", ["column", "name"])
@pytest.mark.parametrize("favorable", ["yes", 1])
def test_a_night_without_a_decision_is_named_changes_nothing_and_may_come_again(tmp_path, by, favorable):
    frame, path, state = nights(6), tmp_path / "watch.json", None
    if favorable == 1:
        frame["loan"] = frame["loan"].map({"yes": 1, "no": 0})
    asked = ASKED | {"favorable": favorable}
    for name, night in frame.groupby("night"):
        batch = {"batches": "night"} if by == "column" else {"batch": name}
        before = None if state is None else path.read_bytes()
        waiting = watch_gap(night.assign(loan=None), **asked, **batch, before=state)
        assert waiting.undecided == (name,)
        waiting.save(path)
        assert before is None or path.read_bytes() == before
        watch_gap(night, **asked, **batch, before=path).save(path)
        state = path
    assert GapWatch.load(path).to_dict() == watch_gap(frame, **asked, batches="night").to_dict()


def test_of_several_nights_those_without_a_decision_are_left_for_later():
    frame = nights(6)
    is_open = frame["night"].isin(["2026-01-02", "2026-01-06"])
    found = watch_gap(frame.assign(loan=frame["loan"].mask(is_open)), **ASKED, batches="night")
    assert found.undecided == ("2026-01-02", "2026-01-06") and found.n_batches == 4
    alone = watch_gap(frame[~is_open], **ASKED, batches="night")
    assert (found.gap, found.evidence, found.batches) == (alone.gap, alone.evidence, alone.batches)
    later = watch_gap(frame[frame["night"] == "2026-01-06"], **ASKED, batches="night", before=found)
    assert later.n_batches == 5 and later.undecided == ()


def test_the_order_of_rows_makes_no_difference():
    frame = nights()
    shuffled = watch_gap(frame.sample(frac=1, random_state=3), **ASKED, batches="night")
    assert shuffled.to_dict() == watch_gap(frame, **ASKED, batches="night").to_dict()


def test_counts_of_cases_are_watched_as_the_rows_written_out():
    frame = nights()
    counted = frame.groupby(["night", "sex", "loan"]).size().rename("n").reset_index()
    found = watch_gap(counted, **ASKED, batches="night", counts="n")
    assert found.to_dict() == watch_gap(frame, **ASKED, batches="night").to_dict()


def test_an_alarm_stays():
    state = watch_gap(nights(), **ASKED, batches="night")
    later = nights(gap=0.0, seed=2).assign(night=lambda f: f["night"].str.replace("2026", "2027"))
    assert watch_gap(later, **ASKED, batches="night", before=state).alarm == state.alarm


def test_a_batch_that_came_already_or_before_is_refused_by_name():
    frame = nights(10)
    state = watch_gap(frame, **ASKED, batches="night")
    with pytest.raises(InputError, match="'2026-01-04' came already"):
        watch_gap(frame[frame["night"] == "2026-01-04"], **ASKED, batches="night", before=state)
    with pytest.raises(InputError, match="'2025-12-31' came after '2026-01-10'"):
        watch_gap(frame.head(50), **ASKED, batch="2025-12-31", before=state)
    assert state.n_batches == 10


def test_numbers_of_batches_are_in_order_by_size():
    frame = nights(12)
    frame["week"] = frame["night"].str[-2:].astype(int)
    found = watch_gap(frame, **ASKED, batches="week")
    assert [each.batch for each in found.batches] == [str(n) for n in range(1, 13)]
    with pytest.raises(InputError, match="'9' came already"):
        watch_gap(frame[frame["week"] == 9], **ASKED, batches="week", before=found)


def test_digits_in_texts_count_by_value_and_only_plain_decimals_are_numbers():
    names = ["-2", "9", "10.5", "1_0", "Week 1", "Week 2", "Week 10", "Week 10b", "inf", "nan"]
    frame = pd.DataFrame({"week": np.repeat(names[::-1], 40), "sex": ["F", "M"] * 200, "loan": ["yes", "no"] * 200})
    found = watch_gap(frame, **ASKED, batches="week")
    assert [each.batch for each in found.batches] == names


def test_of_times_each_day_is_a_batch():
    frame = nights(5)
    frame["at"] = pd.to_datetime(frame["night"]) + pd.to_timedelta(np.arange(len(frame)) % 24, unit="h")
    found = watch_gap(frame, **ASKED, batches="at")
    assert [each.batch for each in found.batches] == sorted(frame["night"].unique())


@pytest.mark.parametrize(
    ("change", "named"),
    [({"tolerance": 0.1}, "tolerance"), ({"protected": "sex = 'M'"}, "protected"), ({"confidence": 0.9}, "confidence")],
)
def test_a_watch_of_something_else_is_refused(change, named):
    state = watch_gap(nights(3), **ASKED, batches="night")
    with pytest.raises(InputError, match=f"has {named}"):
        watch_gap(nights(3), **ASKED | change, batch="2027-01-01", before=state)


def test_rows_without_a_batch_are_refused_with_how_many():
    frame = nights(3)
    frame.loc[:6, "night"] = None
    with pytest.raises(InputError, match="empty in 7 rows"):
        watch_gap(frame, **ASKED, batches="night")


@pytest.mark.parametrize("both", [{}, {"batches": "night", "batch": "1"}])
def test_what_a_batch_is_must_be_said_in_one_way(both):
    with pytest.raises(InputError, match="Give either 'batches'"):
        watch_gap(nights(2), **ASKED, **both)


def test_batches_of_one_group_alone_are_counted_and_say_nothing(tmp_path):
    frame = nights(3)
    first = frame[(frame["night"] > "2026-01-01") | (frame["sex"] == "F")]
    found = watch_gap(first, **ASKED, batches="night")
    assert math.isnan(found.batches[0].gap)
    found.save(tmp_path / "w.json")
    assert GapWatch.load(tmp_path / "w.json").to_dict() == found.to_dict()


def test_no_known_group_is_an_error():
    frame = nights(2).assign(sex=pd.Series([None] * 240, dtype=object))
    frame["sex"] = frame["sex"].astype("string")
    with pytest.raises((GroupError, InputError)):
        watch_gap(frame, **ASKED, batches="night")


def test_the_file_holds_sums_and_no_row(tmp_path):
    frame = nights(6).assign(name=[f"person {n}" for n in range(720)])
    path = tmp_path / "watch.json"
    watch_gap(frame, **ASKED, batches="night").save(path)
    held = json.loads(path.read_text())
    assert "person" not in path.read_text()
    # Of each batch, the gap so far and its range in four digits: neither cases nor results.
    assert {len(each) for each in held["batches"]} == {5}
    women = frame["sex"] == "F"
    assert held["sums"]["n"] == [women.sum(), (~women).sum()]


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "no saved watch"), ("[1]", "no saved watch"), ('{"format": "x"}', "no saved watch"),
     ('{"format": "fairaudit watch", "version": 99}', "version 99"),
     ('{"format": "fairaudit watch", "version": 1, "sums": {}}', "damaged")],
)  # fmt: skip
def test_a_file_that_is_no_watch_is_refused(tmp_path, text, says):
    path = tmp_path / "watch.json"
    path.write_text(text)
    with pytest.raises(InputError, match=says):
        GapWatch.load(path)


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [("sums", "n", [1]), ("sums", "n", None), ("sums", "n", [-1.0, 5.0]), ("sums", "n", 1.0), ("sums", "k", [1e9, 1.0]),
     ("sums", "recent_k", [1e9, 1.0]), ("sums", "n_batches", 2), ("sums", "n_batches", 3.0),
     ("sums", "weight", math.nan), ("sums", "log_started", [[0.0] * 5]), ("sums", "first", math.inf),
     ("alarm", "side", "up"), ("alarm", "batch", "none"), ("question", "confidence", "x"),
     ("question", "tolerance", 2), ("question", "favorable", 1)],
)  # fmt: skip
def test_a_damaged_file_is_refused(tmp_path, part, name, value):
    path = tmp_path / "watch.json"
    found = watch_gap(nights(3, gap=0.5), **ASKED, batches="night")
    found.save(path)
    held = json.loads(path.read_text())
    assert found.alarm and GapWatch.load(path).to_dict() == found.to_dict()
    held[part][name] = value
    path.write_text(json.dumps(held))
    with pytest.raises(InputError, match="is damaged"):
        GapWatch.load(path)


def test_only_a_watch_can_be_gone_on_from():
    with pytest.raises(InputError, match="'before' must be a watch"):
        watch_gap(nights(3), **ASKED, batches="night", before=3)


def test_a_result_says_and_draws_itself():
    found = watch_gap(nights(), **ASKED, batches="night")
    assert "Alarm" in str(found)
    assert found.chart().to_dict()
    assert len(found.to_frame()) == 20
