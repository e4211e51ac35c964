"""What an amount is called in sentences: its phrase, what its verb says or, without both, the column as such."""

from __future__ import annotations

import pytest

from fairaudit.findings import Amount, Message, Phrase, Word
from fairaudit.messages import any_of, say
from fairaudit.plan.names import amount_of, verb_of
from fairaudit.plan.outcomes import OutcomePlan


@pytest.mark.parametrize(
    ("meaning", "said"), [("monthly pay", "monthly pay"), (None, "in column minutes"), ("", "in column minutes")]
)
def test_a_column_of_amounts_is_no_english(meaning, said):
    what = amount_of(OutcomePlan(column="minutes", amount=True, meaning=meaning))
    args = {"verb": Phrase("had"), "mean": Amount(3.5, 1), "better": Word("more"), "what": what}
    headline = say(Message("data-headline-amount", args))
    assert headline == f"People had 3.5 {said} on average, and more is better"


def test_several_favourable_values_are_a_list_of_which_one_is_meant():
    values = {
        ("approved", "granted"): "approved or granted",
        (1, 2, 3): "1, 2, or 3",
        ("approved",): "approved",
    }
    for favorable, said in values.items():
        assert any_of(favorable) == said
    verb = verb_of(OutcomePlan(column="decision", favorable=("approved", "granted")))
    assert verb == Message("name-verb-value", {"value": Phrase("approved or granted")})
