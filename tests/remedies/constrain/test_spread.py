"""Where chance decides for how many people the outcome is predicted, both ends are said."""

from types import SimpleNamespace

import pytest

from fairaudit.remedies.constrain.fit import WIDE, _spread_warnings

STUDY = SimpleNamespace(facts=SimpleNamespace(positive_meaning="approved"))


@pytest.mark.parametrize("found", [None, (0.3, 0.3 + WIDE)])
def test_a_narrow_range_or_none_is_not_said(found):
    assert _spread_warnings(STUDY, SimpleNamespace(share_range_=found)) == ()


def test_a_wide_range_is_said_with_both_ends():
    (text,) = _spread_warnings(STUDY, SimpleNamespace(share_range_=(0.117, 0.312)))
    assert "12%" in text and "31%" in text and "approved" in text
