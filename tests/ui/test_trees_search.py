from __future__ import annotations

import math

from fairaudit.events import Incumbent
from ui.remedies.trees.results import search_steps, value_text


def tree(share: float, objective: float, bound: float) -> Incumbent:
    return Incumbent("tree", {"share": share, "objective": objective, "bound": bound})


def test_a_search_for_a_tree_has_no_steps_while_it_tries_weights():
    assert search_steps([Incumbent("weight", {"weight": 0.1})]).empty


def test_best_tree_so_far_never_becomes_worse_and_what_is_endless_is_not_drawn():
    path = search_steps([tree(0.1, math.inf, -math.inf), tree(0.2, 0.3, 0.1), tree(0.3, 0.4, 0.2)])
    assert path["objective"].tolist()[1:] == [0.3, 0.3] and path["bound"].tolist()[1:] == [0.1, 0.2]
    assert path.iloc[0][["objective", "bound"]].isna().all()


def test_what_has_a_price_is_no_share_of_rows():
    assert value_text(0.25, priced=False).startswith("25.0") and value_text(0.25, priced=True) == "0.2500"
