"""Several things to be careful about: what stands in sight, and what is folded."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

UNLAWFUL = "That may be unlawful"


def page(texts):
    from ui.text import show_cautions

    show_cautions(texts)


@pytest.mark.parametrize(
    ("texts", "standing", "label"),
    [
        ((), [], None),
        (("a",), ["a"], None),
        (("a", "b"), ["a"], "One more thing to know"),
        (("a", "b", UNLAWFUL, "c"), ["a", UNLAWFUL], "2 more things to know"),
    ],
)
def test_the_gravest_and_what_may_be_unlawful_stand_in_sight_and_the_others_are_counted(texts, standing, label):
    app = AppTest.from_function(page, kwargs={"texts": texts}).run()
    folded = [text.value for part in app.expander for text in part.warning]
    assert [text.value for text in app.warning if text.value not in folded] == standing
    assert sorted(text.value for text in app.warning) == sorted(texts)
    assert [part.label for part in app.expander] == ([label] if label else [])
