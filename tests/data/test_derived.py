"""Columns made of several, against the same made row by row."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from fairaudit import read_table
from fairaudit.columns import ReadOptions
from fairaudit.data.derived import ONLY, SEVERAL, box_names
from fairaudit.data.prepare import as_planned
from fairaudit.data.table import Table
from fairaudit.errors import InputError

NAMES = ("race-1", "race-2", "race-3")


def by_hand(boxes):
    ticked = {box for box in boxes if box is not None and not pd.isna(box)}
    return None if not ticked else SEVERAL if len(ticked) > 1 else f"{ticked.pop()}{ONLY}"


def values_of(table, name="race"):
    return [None if pd.isna(value) else value for value in table.to_pandas()[name]]


def ticked(seed, n=300, values=("Asian", "Black", "White")):
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        k = rng.choice([0, 1, 1, 1, 2, 3])
        # The same box may stand twice, and the first may be empty.
        boxes = [*rng.choice(values, k), *[None] * (3 - k)]
        rows.append(rng.permutation(np.array(boxes, dtype=object)))
    return pd.DataFrame(rows, columns=NAMES)


@pytest.mark.parametrize("values", [("Asian", "Black", "White"), (1.0, 5.0, 21.0)], ids=["texts", "codes"])
@pytest.mark.parametrize("seed", range(20))
def test_the_one_box_that_is_ticked_or_that_several_are(seed, values):
    frame = ticked(seed, values=values)
    if values[0] == 1.0:
        frame = frame.astype(float)
    table = Table.from_pandas(frame, derived={"race": NAMES})
    texts = frame.map(lambda value: None if pd.isna(value) else f"{value:g}" if isinstance(value, float) else value)
    assert values_of(table) == [by_hand(row) for row in texts.itertuples(index=False)]
    assert [*table.columns] == [*NAMES, "race"] and table.columns["race"].kind == "text"
    assert table.source.options.derived == (("race", NAMES),)


@pytest.mark.parametrize(
    ("yes", "no"), [(True, False), (1, 0), ("yes", "no"), ("x", None), ("Ja", "Nein"), (1.0, np.nan)]
)
def test_boxes_of_yes_and_no_are_called_after_their_columns(yes, no):
    rng = np.random.default_rng(0)
    boxes = rng.random((200, 3)) < [0.5, 0.3, 0.2]
    names = ("race_white", "race_black", "race_native_american")
    frame = pd.DataFrame({name: [yes if box else no for box in boxes[:, i]] for i, name in enumerate(names)})
    table = Table.from_pandas(frame, derived={"race": names})
    labels = np.array(["white", "black", "native american"], dtype=object)
    assert values_of(table) == [by_hand(labels[row]) for row in boxes]


NOBODY_TICKED = {"race_white": [1, 1, 0, 0, 1], "race_black": [0, 1, 1, 0, 0], "race_native": [0] * 5}
TICKED = ["white only", SEVERAL, "black only", None, "white only"]


@pytest.mark.parametrize(
    "said",
    [{1: 1, 0: 0}, {1: "yes", 0: "no"}, {1: "x", 0: None}, {1: True, 0: False}, {1: 1.0, 0: None}],
    ids=["numbers", "words", "marks", "booleans", "numbers or nothing"],
)
def test_a_box_that_nobody_ticked_is_a_box(said):
    frame = pd.DataFrame({name: [said[value] for value in values] for name, values in NOBODY_TICKED.items()})
    table = Table.from_pandas(frame, derived={"race": [*frame]})
    assert values_of(table) == TICKED
    assert table.count(table.any_of_these("race", ["white only", "native only"])) == 3


def test_boxes_of_which_none_is_ticked_say_nothing():
    frame = pd.DataFrame({"race_white": [0, 0], "race_black": [0, 0]})
    assert values_of(Table.from_pandas(frame, derived={"race": [*frame]})) == [None, None]


@pytest.mark.parametrize(
    ("yes", "no"), [(1, 2), ("1", "2"), (1.0, -1.0), ("O", "N")], ids=["numbers", "texts", "minus", "letters"]
)
def test_two_codes_that_may_say_yes_and_no_are_refused_until_they_are_named(yes, no):
    coded = {name: [yes if value else no for value in values] for name, values in NOBODY_TICKED.items()}
    frame = pd.DataFrame(coded)
    text_of = {value: f"{value:g}" if isinstance(value, float) else str(value) for value in (yes, no)}
    with pytest.raises(InputError) as caught:
        Table.from_pandas(frame, derived={"race": [*frame]})
    assert "'race_native'" in str(caught.value)
    assert f"--labels 'race_white:{text_of[yes]}=yes,{text_of[no]}=no'" in str(caught.value)
    codes = ((text_of[yes], "yes"), (text_of[no], "no"))
    options = ReadOptions(labels=tuple((name, codes) for name in frame), derived={"race": tuple(frame)})
    content = io.BytesIO(frame.to_csv(index=False).encode())
    assert values_of(read_table(content, format="csv", options=options)) == TICKED


def test_a_second_answer_that_most_leave_out_has_values_of_two_codes():
    frame = pd.DataFrame({"race-1": [2.0, 3.0, 2.0, 3.0, 2.0], "race-2": [3.0, None, None, None, None]})
    made = Table.from_pandas(frame, derived={"race": [*frame]})
    assert values_of(made) == [SEVERAL, "3 only", "2 only", "3 only", "2 only"]


def test_any_of_these_asked_of_codes_and_several():
    table = Table.from_pandas(ticked(3, values=(1.0, 5.0, 21.0)).astype(float), derived={"race": NAMES})
    several, one = table.count("race = 'several'"), table.count("race = '1 only'")
    assert table.count(table.any_of_these("race", ["1 only", SEVERAL])) == several + one > several
    assert table.count(table.any_of_these("race", [SEVERAL])) == several > 0


def test_any_of_these_is_more_than_only_one_of_them():
    table = Table.from_pandas(ticked(3), derived={"race": NAMES})
    anyone = " OR ".join(f"\"{name}\" = 'Black'" for name in NAMES)
    n_any, n_only = table.count(anyone), table.count("race = 'Black only'")
    assert n_any > n_only > 0 and table.count(f"({anyone}) AND race = 'several'") == n_any - n_only


def test_a_file_a_frame_and_a_plan_make_the_same_column():
    frame = ticked(5)
    text = frame.to_csv(index=False).encode()
    options = ReadOptions(derived={"race": NAMES})
    read = read_table(io.BytesIO(text), format="csv", options=options)
    made = Table.from_pandas(frame, derived={"race": NAMES})
    assert values_of(read) == values_of(made) == values_of(as_planned(Table.from_pandas(frame), options))
    assert as_planned(read, options) is read


def test_labels_come_before_and_counts_after():
    frame = pd.DataFrame({"a-1": [1, 2, 1], "a-2": [2.0, None, None], "n": [2, 3, 4]})
    options = ReadOptions(labels=(("a-1", (("1", "x"), ("2", "y"))), ("a-2", (("2", "y"),))), counts="n",
                          derived={"a": ("a-1", "a-2")})  # fmt: skip
    table = read_table(io.BytesIO(frame.to_csv(index=False).encode()), format="csv", options=options)
    counted = table.counts(["a"])
    assert dict(zip(counted["a"], counted["n"], strict=True)) == {"several": 2, "x only": 4, "y only": 3}


@pytest.mark.parametrize(
    "derived",
    [{"race": ["race-1"]}, {"race-1": NAMES}, {"race": ["race-1", "race-9"]}, {"race": ["race-1", "is_black"]},
     {"race": ["race-1", "day"]}],
    ids=["one", "there already", "not there", "of two sorts", "days"],
)  # fmt: skip
def test_what_cannot_be_made_is_refused(derived):
    frame = ticked(0).assign(is_black=True, day=pd.Timestamp("2024-01-01"))
    with pytest.raises(InputError):
        Table.from_pandas(frame, derived=derived)


def test_names_of_boxes_leave_out_what_they_share():
    assert box_names(["race_white", "race_black"]) == ("white", "black")
    assert box_names(["Ethnic Group White", "Ethnic Group Black"]) == ("White", "Black")
    assert box_names(["white", "black"]) == ("white", "black")
    assert box_names(["race", "race_black"]) == ("race", "race black")
