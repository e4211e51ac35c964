"""Open cases of a table of times are found where a state, a column of yes and no or an empty day says so."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.data.table import Table
from fairaudit.errors import InputError
from fairaudit.measure.open_cases import find_open_cases, is_time_name, refuse_open_times
from fairaudit.measure.waiting import check_waiting

UNTIL = pd.Timestamp("2024-12-31")


def made(n=400, seed=0):
    """Return cases of which some are pending and have no time, with the day on which they came in."""
    rng = np.random.default_rng(seed)
    received = UNTIL - pd.to_timedelta(rng.integers(1, 365, n), unit="D")
    is_late = rng.random(n) < 0.5
    days = pd.Series(np.ceil(rng.exponential(np.where(is_late, 100, 40)))).clip(lower=1)
    decided = received + pd.to_timedelta(days, unit="D")
    is_open = decided > UNTIL
    return pd.DataFrame(
        {
            "origin": np.where(is_late, "late", "soon"),
            "received": received,
            "decided": decided.where(~is_open),
            "days_to_decision": days.where(~is_open),
            "status": np.where(is_open, "pending", "granted"),
        }
    )


def filled(says=None, seed=0):
    """Return the same cases, of which open ones have their time so far; `says` is what says that they are open."""
    frame = made(seed=seed)
    is_open = frame["decided"].isna()
    frame["days_to_decision"] = frame["days_to_decision"].fillna((UNTIL - frame["received"]).dt.days)
    without = frame.drop(columns=["received", "decided", "status"])
    return without if says is None else without.assign(**says(is_open, frame))


SAID = {
    "state": lambda o, f: {"status": np.where(o, "open", "closed")},
    "states": lambda o, f: {"stage": np.where(o, np.resize(["Pending", "In progress"], len(o)), "granted")},
    "begins": lambda o, f: {"status": np.where(o, "Open - assigned", "Closed")},
    "waits": lambda o, f: {"status": np.where(o, np.resize(["Awaiting hearing", "pending review"], len(o)), "Closed")},
    "censored": lambda o, f: {"reason": np.where(o, "censored", "event")},
    "true": lambda o, f: {"closed": ~o},
    "number": lambda o, f: {"event": np.where(o, 0, 1)},
    "status": lambda o, f: {"status": np.where(o, 0, 1)},
    "yes": lambda o, f: {"still_open": np.where(o, "yes", "no")},
    "not": lambda o, f: {"not_closed": o},
    "german": lambda o, f: {"Erledigt": np.where(o, "Nein", "Ja")},
    "german opened": lambda o, f: {"Stand": np.where(o, "Eröffnet", "Geschlossen")},
    "german states": lambda o, f: {
        "Stand": np.where(
            o, np.resize(["offen", "laufend", "Anhängig"], len(o)), np.resize(["erledigt", "abgeschlossen"], len(o))
        )
    },
    "german begins": lambda o, f: {"Stand": np.where(o, "Anhängig - Gutachten", "Erledigt - Bescheid")},
    "german closed": lambda o, f: {"Geschlossen": np.where(o, "nein", "ja")},
    "german still running": lambda o, f: {"laufend": np.where(o, "ja", "nein")},
    "german days": lambda o, f: {"eingang": f["received"], "abgeschlossen am": f["decided"]},
    "ticked": lambda o, f: {"closed": np.where(o, None, "x")},
    "day": lambda o, f: {"opened": f["received"], "closed_on": f["decided"]},
    "days": lambda o, f: {"a": f["received"], "b": f["decided"]},
}


@pytest.mark.parametrize("says", SAID.values(), ids=SAID)
def test_open_cases_are_found_where_their_time_so_far_is_there(says):
    frame = filled(says)
    n = int(made()["decided"].isna().sum())
    table = Table.from_pandas(frame)
    found = find_open_cases(table, "days_to_decision")
    assert (found.n, found.n_timed, found.is_timed, found.since) == (n, n, True, None)
    assert table.count(found.open_when) == n and table.count(found.closed_when) == len(frame) - n
    # Once they are left out, nothing is asked any more.
    assert find_open_cases(table, "days_to_decision", where=found.closed_when) is None


@pytest.mark.parametrize("says", [SAID["state"], SAID["number"], SAID["days"]], ids=["state", "number", "days"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, 67))])
def test_whatever_says_that_cases_are_open_the_answer_is_the_same(says, seed):
    """As where their time is missing and the day on which they came in is named."""
    asked = {"decision": "days_to_decision", "protected": "origin = 'late'"}
    right = check_waiting(made(seed=seed), **asked, open_since="received", open_until=UNTIL.date())
    table = Table.from_pandas(filled(says, seed))
    found = check_waiting(table, **asked, open_when=find_open_cases(table, "days_to_decision").open_when)
    assert (found.values, found.log_rank, found.verdict) == (right.values, right.log_rank, right.verdict)
    assert [each.n_open for each in (found.protected, found.reference)] == [
        each.n_open for each in (right.protected, right.reference)
    ]


NOTHING = {
    "no state": lambda o, f: {"status": np.where(o, "refused", "granted")},
    "all closed": lambda o, f: {"closed": np.ones(len(o), dtype=bool)},
    "a name of something else": lambda o, f: {"member": np.where(o, 0, 1)},
    "no yes and no": lambda o, f: {"event": np.arange(len(o)) % 3},
    "a day of something else": lambda o, f: {
        "came": f["received"], "appealed": f["received"].where(~o) + pd.Timedelta(days=400),
    },
    "places": lambda o, f: {"ort": np.where(o, "Offenbach", "Laufenburg")},
    "not opened": lambda o, f: {"Stand": np.where(o, "nicht eröffnet", "erledigt")},
    "german accounts": lambda o, f: {"konto": np.where(o, "offenes Konto", "laufende Nummer")},
    "a name with a word of it": lambda o, f: {"offensichtlich": np.where(o, "ja", "nein")},
    "days of a week": lambda o, f: {"open_days": np.where(o, 1, 0)},
    "texts of many": lambda o, f: {"note": np.where(o, "open", [f"note {i}" for i in range(len(o))])},
}  # fmt: skip


@pytest.mark.parametrize("says", [None, *NOTHING.values()], ids=["nothing", *NOTHING])
def test_nothing_is_asked_where_nothing_says_that_a_case_is_open(says):
    assert find_open_cases(Table.from_pandas(filled(says)), "days_to_decision") is None


def test_open_cases_are_found_where_the_time_is_missing():
    frame = made()
    n = int(frame["decided"].isna().sum())
    found = find_open_cases(Table.from_pandas(frame), "days_to_decision")
    assert (found.n, found.n_timed, found.column, found.values) == (n, 0, "status", ("pending",))
    assert found.since == "received" and found.until == frame[["received", "decided"]].max().max().date()
    assert Table.from_pandas(frame).count(found.open_when) == n
    by_days = find_open_cases(Table.from_pandas(frame.drop(columns="status")), "days_to_decision")
    assert (by_days.n, by_days.column, by_days.since, by_days.open_when) == (n, None, "received", None)
    assert found.closed_when == by_days.closed_when == "days_to_decision IS NOT NULL"


def test_where_some_open_cases_have_a_time_the_day_they_came_in_is_asked_for_the_others():
    frame = made()
    half = frame.index[frame["status"] == "pending"][::2]
    frame.loc[half, "days_to_decision"] = (UNTIL - frame.loc[half, "received"]).dt.days
    found = find_open_cases(Table.from_pandas(frame), "days_to_decision")
    assert (found.n_timed, found.is_timed, found.stays_timed, found.since) == (len(half), False, True, "received")


def test_cases_without_a_state_are_left_in():
    frame = filled(SAID["state"])
    frame.loc[frame.index[frame["status"] == "closed"][:7], "status"] = None
    found = find_open_cases(table := Table.from_pandas(frame), "days_to_decision")
    assert table.count(found.open_when) + table.count(found.closed_when) == len(frame)
    assert found.others == ("closed", None)


def test_that_all_are_closed_is_said_once():
    frame = filled(SAID["state"])
    with pytest.raises(InputError, match="all-closed"):
        refuse_open_times(Table.from_pandas(frame), "days_to_decision", None)
    table = Table.from_pandas(frame, all_closed=True)
    refuse_open_times(table, "days_to_decision", None)
    assert table.source.options.all_closed


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.rename(columns={"days_to_decision": "benefit"}),
        lambda f: f[f["decided"].notna()],
        lambda f: f.drop(columns=["status", "decided"]),
        lambda f: f.drop(columns="decided").assign(status="granted"),
    ],
    ids=["no time", "none missing", "nothing says so", "a state of its own"],
)
def test_nothing_is_found_where_a_time_is_missing_for_another_reason(change):
    frame = change(made())
    [decision] = [name for name in ("benefit", "days_to_decision") if name in frame]
    assert find_open_cases(Table.from_pandas(frame), decision) is None


@pytest.mark.parametrize(
    ("name", "is_time"),
    [
        ("Bearbeitungszeit in Tagen", True), ("daysOpen", True), ("délai", True), ("waiting_time", True),
        ("Bearbeitungsdauer", True), ("dauer_tage", True), ("Dauer", True), ("Tage", True), ("Verfahrensdauer", True),
        ("Tage bis Bescheid", True), ("Ausdauer", False), ("Dauerauftrag", False), ("Tagessatz", False),
        ("Montage", False), ("Urlaubstage", False), ("Tage krank", False), ("Kreditlaufzeit", False),
        ("benefit", False), ("holidays", False), ("ore_kg", True), ("pay", False),
        ("turnaround", True), ("training_hours", False), ("weekly_hours", False), ("years of experience", False),
    ],
)  # fmt: skip
def test_the_name_of_an_amount_says_whether_it_is_a_time(name, is_time):
    assert is_time_name(name) == is_time
