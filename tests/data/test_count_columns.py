"""Columns that count cases are found by names, numbers and sums, and named otherwise where these say so."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

from fairaudit import check_controlled_fairness, read_table
from fairaudit.cli.main import BAD_INPUT, DONE, main
from fairaudit.columns import ByGroup, WideCounts
from fairaudit.data import ReadOptions, quality_report
from fairaudit.data.case_counts import proposed_counts, proposed_means
from fairaudit.data.count_columns import doubted_counts, find_sums, possible_counts
from fairaudit.data.counted_rows import count_cases
from fairaudit.data.table import Table
from fairaudit.errors import InputError

HIDDEN = b"sex,selected,applicants\nF,<5,60\nM,40,80\nF,11,71\nM,33,90\n"
TWO = WideCounts("selected", all="applicants")


@pytest.mark.parametrize("content", [HIDDEN, HIDDEN.replace(b"<5", b"5")])
def test_several_rows_of_a_group_are_found_as_counts_hidden_or_not(content):
    assert proposed_counts(read_table(content)) == TWO


def test_many_rows_are_found_as_counts_where_numbers_are_hidden():
    rows = pd.DataFrame({"sex": ["F", "M"] * 40, "selected": [*range(5, 84), "<5"], "applicants": range(90, 170)})
    assert proposed_counts(Table.from_pandas(rows)) == TWO
    assert proposed_counts(Table.from_pandas(rows.assign(selected=range(5, 85)))) is None


def test_hidden_counts_are_asked_about_on_the_command_line_and_not_called_missing(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_bytes(HIDDEN)
    issues = quality_report(read_table(HIDDEN)).issues
    assert [issue.code for issue in issues] == ["counts_cases"]
    assert main(["check", str(path), "--protected", "sex = 'F'"]) == BAD_INPUT
    assert "favorable=selected" in capsys.readouterr().err
    said = ["--counts", "favorable=selected", "--counts", "all=applicants", "--hidden", "<5=1-4"]
    assert main(["check", str(path), "--protected", "sex = 'F'", *said]) == DONE


SUMS = {"job": ["x", "y", "z"], "A": [3, 5, 10], "B": [4, 9, 20], "Every": [7, 14, 30]}


def test_two_columns_that_add_up_to_a_third_are_found_by_their_sum():
    table = Table.from_pandas(pd.DataFrame(SUMS))
    [found] = find_sums(table)
    assert (found.parts, found.whole) == (("A", "B"), "Every")
    assert proposed_counts(table) == WideCounts("A", all="Every")
    assert find_sums(Table.from_pandas(pd.DataFrame(SUMS | {"B": [4, 9, 21]}))) == ()
    people = pd.DataFrame({"sex": ["F", "M"] * 40, "A": range(2, 82), "B": range(3, 83)})
    assert proposed_counts(Table.from_pandas(people.assign(Every=people["A"] + people["B"]))) is None


@pytest.mark.parametrize("seed", range(5))
def test_sums_are_those_of_every_pair_compared_one_by_one(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.integers(0, 4, (6, 7)), columns=list("abcdefg"))
    frame["h"], frame["i"] = frame["a"] + frame["c"], frame["b"] + frame["g"]
    counts = [name for name in frame if frame[name].max() >= 2]
    expected = {
        (one, two, whole)
        for one, two in itertools.combinations(counts, 2)
        for whole in counts
        if whole not in (one, two) and (frame[one] + frame[two] == frame[whole]).all()
    }
    assert {(*each.parts, each.whole) for each in find_sums(Table.from_pandas(frame))} == expected


GROUPS = {
    ("Men", "Women"): ("men", "women"),
    ("n_male", "n_female"): ("male", "female"),
    ("White", "Black or African American"): ("white", "black or african american"),
    ("White Men", "White Women"): ("white men", "white women"),
}


@pytest.mark.parametrize(("names", "groups"), GROUPS.items(), ids=map(str, GROUPS))
def test_columns_called_after_groups_are_found_as_numbers_of_their_people(names, groups):
    frame = pd.DataFrame({"job": ["x", "y", "z"], names[0]: [30, 5, 12], names[1]: [8, 21, 4]})
    found = proposed_counts(Table.from_pandas(frame))
    assert found == ByGroup(tuple(zip(groups, names, strict=True)))
    with pytest.raises(InputError) as caught:
        check_controlled_fairness(frame, decision="job", favorable="x", protected="job = 'x'")
    assert f"{groups[0]}={names[0]}" in str(caught.value)


def test_women_who_are_white_are_no_means_of_women():
    frame = pd.DataFrame(
        {"job": ["x", "y"], "men": [30, 5], "women": [8, 21], "white men": [9, 1], "white women": [4, 6]}
    )
    table = Table.from_pandas(frame)
    assert proposed_counts(table) == ByGroup((("men", "men"), ("women", "women")))
    assert proposed_means(table, proposed_counts(table)) == ()


@pytest.mark.parametrize("seed", range(5))
def test_columns_of_groups_are_answered_as_the_rows_that_they_stand_for(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"job": list("abcd"), "men": rng.integers(0, 60, 4), "women": rng.integers(0, 60, 4)})
    rows = frame.melt(["job"], var_name="sex")
    rows = rows.loc[rows.index.repeat(rows["value"])].drop(columns="value").reset_index(drop=True)
    asked = {"decision": "job", "favorable": "a"}
    expected = check_controlled_fairness(
        Table.from_pandas(rows, rows_are_cases=True), **asked, protected="sex = 'women'"
    )
    table = count_cases(Table.from_pandas(frame), ByGroup((("men", "men"), ("women", "women"))))
    found = check_controlled_fairness(table, **asked, protected="\"men or women\" = 'women'")
    assert (found.protected.n, found.reference.n) == (expected.protected.n, expected.reference.n)
    assert found.difference == expected.difference and found.difference_interval == expected.difference_interval
    content = frame.to_csv(index=False).encode()
    kept = read_table(content, options=ReadOptions(counts=ByGroup((("men", "men"), ("women", "women")))))
    assert kept.n_rows == len(rows)


def test_hidden_numbers_of_groups_are_refused_until_it_is_said_what_they_hide_and_then_by_all_but_bounds():
    table, counts = read_table(b"job,men,women\nx,<5,60\ny,40,80\n"), ByGroup((("men", "men"), ("women", "women")))
    with pytest.raises(InputError, match="rounded or hidden"):
        count_cases(table, counts)
    counted = count_cases(table, counts, hidden=(("<5", (1, 4)),))
    assert counted.partial_counts is not None
    with pytest.raises(InputError, match="exact counts"):
        check_controlled_fairness(counted, decision="job", favorable="x", protected="\"men or women\" = 'women'")


NAMED = {"job": ["x", "y", "z"], "selected": [3, 5, 10], "left": [4, 9, 20], "applicants": [7, 14, 30]}
DOUBTS = {
    "all called the others": (WideCounts("selected", others="applicants"), TWO),
    "the others called all": (WideCounts("selected", all="left"), WideCounts("selected", others="left")),
    "all, named rightly": (TWO, None),
    "the others, named rightly": (WideCounts("selected", others="left"), None),
    "both parts, named as others of all": (
        WideCounts(others="selected", all="left"),
        WideCounts("left", others="selected"),
    ),
}


@pytest.mark.parametrize(("said", "likely"), DOUBTS.values(), ids=DOUBTS)
def test_counts_named_wrongly_are_doubted_by_sums(said, likely):
    table = Table.from_pandas(pd.DataFrame(NAMED))
    assert doubted_counts(table, said) == likely
    counted = count_cases(table, said)
    warned = check_controlled_fairness(
        counted, decision=counted.writer.counted.decision, favorable=_favorable(said), protected="job = 'x'"
    ).warnings
    assert any("was taken for" in each for each in warned) is (likely is not None)
    assert any(issue.code == "counts_named" for issue in quality_report(counted).issues) is (likely is not None)


def _favorable(said: WideCounts) -> str:
    return said.favorable or f"not {said.others}"


def test_counts_named_wrongly_are_doubted_by_names_where_there_is_no_sum():
    table = Table.from_pandas(pd.DataFrame(NAMED).drop(columns="left"))
    assert doubted_counts(table, WideCounts("selected", others="applicants")) == TWO
    more = Table.from_pandas(pd.DataFrame(NAMED | {"selected": [8, 5, 10]}).drop(columns="left"))
    assert doubted_counts(more, WideCounts("selected", others="applicants")) is None
    assert possible_counts(more, "selected", "applicants") == (WideCounts("selected", others="applicants"),)
    assert possible_counts(table, "selected", "applicants") == (TWO,)
    apart = Table.from_pandas(pd.DataFrame(SUMS).drop(columns="Every"))
    assert possible_counts(apart, "A", "B") == (WideCounts("A", all="B"), WideCounts("A", others="B"))


def test_results_of_groups_in_columns_are_said_and_never_answered_or_taken_for_means():
    names = ("women applicants", "men applicants", "women hired", "men hired")
    frame = pd.DataFrame({"job": list("xyz"), **{name: [9 + i, 21, 30 + i] for i, name in enumerate(names)}})
    assert proposed_counts(Table.from_pandas(frame)) is None
    asked = {"decision": "job", "favorable": "x", "protected": "job = 'x'"}
    with pytest.raises(InputError, match="a row for each group"):
        check_controlled_fairness(frame, **asked)
    said = Table.from_pandas(frame, rows_are_cases=True)
    assert check_controlled_fairness(said, **asked).protected.n == 1
