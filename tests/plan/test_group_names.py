"""What the people who meet several conditions are called."""

from __future__ import annotations

import pytest

from fairaudit import Condition
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import NamesPlan
from fairaudit.plan.names import group_name, joined_range

KINDS = {"sex": "text", "age_group": "text", "pay": "number", "grade": "text"}
NAMED = NamesPlan(
    groups={"sex": {"male": "men", "female": "women"}},
    values={"age_group": {"under 25": "under 25", "25 to 45": "from 25 to 45"}},
)


def called(text: str, names: NamesPlan = NAMED):
    name = group_name(names, Condition.parse(text, KINDS))
    said, label = (say(Message("group-alone", {"group": text})) for text in (name.said, name.label))
    return said, label, name.n_clauses


@pytest.mark.parametrize(
    ("text", "said", "label", "clauses"),
    [
        ("sex = 'male'", "men", "male", 0),
        ("sex = 'male' AND age_group = 'under 25'", "men under 25", "male, under 25", 0),
        ("sex IN ('male', 'female')", "men or women", "male or female", 0),
        ("age_group IN ('25 to 45', 'under 25')", "people up to 45", "up to 45", 0),
        ("sex = 'male' AND grade = 'E5'", "men whose grade is E5", "male, grade E5", 1),
        ("sex = 'other' AND grade = 'E5'", "people whose sex is other and grade is E5", "other, grade E5", 2),
        ("pay < 3000", "people whose pay is less than 3000", "pay is less than 3000", 1),
    ],
)
def test_people_are_called_by_their_names_and_else_by_column_and_value(text, said, label, clauses):
    assert called(text) == (said, label, clauses)


@pytest.mark.parametrize(
    ("values", "key"),
    [
        (("under 25", "25 to 45"), "name-range-to"), (("25 to 45", "over 45"), "name-range-from"),
        (("18-24", "25-34"), "name-range"), (("under 25", "over 45"), None), (("North", "South"), None),
        (("25 to 45",), None), ((1, 2), None), (("1 to 2", "5 to 6"), None),
    ],
)  # fmt: skip
def test_ranges_are_joined_where_one_follows_the_other(values, key):
    joined = joined_range(values)
    assert (joined and joined.key) == key


def test_a_condition_that_is_no_list_of_values_is_said_in_words():
    said, label, n_clauses = called("sex = 'male' AND grade IS NULL")
    assert n_clauses == 1 and said.startswith("men whose grade") and label.startswith("male, grade")
