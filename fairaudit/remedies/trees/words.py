"""Sentences about decision trees, shared by pages and report: what a tree says, and how far from optimal it can be.

All texts are plain: names stand in them as they are, and whoever shows them escapes what is markup there.
"""

from __future__ import annotations

import math

import pandas as pd

from fairaudit.present import brief
from fairaudit.present.numbers import NO_BREAK, amount_digits, number_text, share_text
from fairaudit.remedies.shared.ending_words import end_sentence
from fairaudit.remedies.shared.proxy_words import marked_notes, marks_words
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.details import TreesDetails

LONGEST = 600
"""A split longer than this is cut in a sentence; files hold it whole."""
WRONG_ROWS = "share of wrong training rows"
HIDDEN_LEAF = "what it predicts is not shown, as it may be what one person has"
HIDDEN_SPLIT = "not shown: so few of the held-out rows come to a side that it could reveal single people"
GOES_RIGHT = "Where a value is missing, or was never seen in learning, a row goes to “otherwise”."
NOT_THE_GAP = (
    "A difference here is how far a share that had to be alike is apart between two groups. The gap is another figure: "
    "it is in good outcomes, between the protected group and the rest."
)
"""Said where both are stated."""

_FAR = 0.5
"""From this distance on, as a share of what was reached, a percentage above the lowest possible would only confuse."""

_ALIKE = {
    "demographic_parity": "the share of positive predictions",
    "four_fifths": "the share of positive predictions",
    "equal_opportunity": "the false negative rate",
    "equalized_odds": "the false negative rate and the false positive rate",
}
_GROWN = (
    "The tree was grown from the root, looking some splits ahead at each node. Nothing is proven about how close it is "
    "to the best possible."
)


def tree_lines(nodes: pd.DataFrame) -> tuple[str, ...]:
    """Return a tree as indented lines.

    Examples
    --------
    >>> nodes = {"node": [1, 2, 3], "is_leaf": [False, True, True], "words": ["age is at most 25", "b", "c"]}
    >>> tree_lines(pd.DataFrame(nodes))
    ('if age is at most 25', '  then predict b', '  otherwise predict c')
    """
    rows = {int(row.node): row for row in nodes.itertuples()}
    lines: list[str] = []
    waiting = [(1, 0, "")]
    while waiting:
        number, indent, before = waiting.pop()
        row = rows[number]
        start = "  " * indent + before
        if row.words is None or pd.isna(row.words):
            lines.append(f"{start}({HIDDEN_LEAF if row.is_leaf else HIDDEN_SPLIT})")
        elif row.is_leaf:
            lines.append(f"{start}predict {brief.whole(row.words, LONGEST)}")
        else:
            lines.append(f"{start}if {brief.whole(row.words, LONGEST)}")
            waiting.append((2 * number + 1, indent + 1, "otherwise "))
            waiting.append((2 * number, indent + 1, "then "))
    return tuple(lines)


def tree_text(details: TreesDetails | AmountTreeDetails) -> tuple[str, ...]:
    """Return a tree as indented lines, and what happens to a missing value where anything is asked."""
    return *tree_lines(details.nodes), *((GOES_RIGHT,) if details.n_leaves > 1 else ())


def tree_words(details: TreesDetails, *, positive_meaning: str) -> str:
    """Return what a tree predicts and by how much, in one or two sentences."""
    outcome = brief.short(positive_meaning)
    if details.n_leaves == 1:
        ends = details.nodes.loc[details.nodes["is_leaf"].astype(bool) & details.nodes["words"].notna(), "prediction"]
        if not len(ends):
            return "The tree asks nothing: everybody is predicted alike."
        whom = "everybody" if ends.iloc[0] == 1 else "nobody"
        return (
            f"The outcome “{outcome}” is predicted for {whom}. The tree asks nothing, so that everybody is predicted "
            "alike."
        )
    n_positive = int((details.nodes["prediction"] == 1).sum())
    all_shown = details.nodes.loc[details.nodes["is_leaf"].astype(bool), "words"].notna().all()
    where = f"in {n_positive} of its {details.n_leaves} leaves" if all_shown else "in some of its leaves"
    levels = "one question" if details.depth == 1 else f"at most {details.depth} questions"
    return f"The outcome “{outcome}” is predicted {where}. A person comes to a leaf by {levels}."


def tree_texts(details: TreesDetails, positive_meaning: str) -> tuple[str, ...]:
    """Return a tree for a terminal: its lines, how groups compare in it, and how far from optimal it can be."""
    table = details.ratios if details.by_ratio else details.gaps
    verdict = [f"depth {details.depth} of {details.max_depth}"]
    if len(table):
        n_within = int(table["reading"].str.startswith("within").sum())
        verdict.append(f"{n_within:,} of {len(table):,} pairs of groups within what is allowed on held-out rows")
    return (
        tree_words(details, positive_meaning=positive_meaning),
        *tree_lines(details.nodes),
        ", ".join(verdict),
        certificate_words(details),
    )


def marked_splits(details: TreesDetails) -> tuple[str, ...]:
    """Return the splits that are marked, and what the marks mean."""
    texts = []
    for row in details.nodes.drop_duplicates("words").itertuples():
        if mark := marks_words(row):
            texts.append(f"“{brief.whole(row.words, LONGEST)}”: {mark}.")
    return (*texts, *marked_notes(details.nodes, each="split", whole="tree"))


def alike_words(constraint: str | None) -> str:
    """Return which shares must be alike, as a part of a sentence; empty where none must.

    Examples
    --------
    >>> alike_words("equal_opportunity")
    'the false negative rate'
    """
    return "" if constraint is None else _ALIKE[constraint]


def certificate_words(details: TreesDetails | AmountTreeDetails) -> str:
    """Return how far from optimal a tree can be, and whether repeating the search gives it again."""
    if details.search == "look_ahead":
        is_cut = details.status in ("work_limit", "stopped")
        return f"{_GROWN} {end_sentence(details.status, 'tree')}" if is_cut else _GROWN
    if details.status == "optimal":
        within = _within(details)
        reached = "" if details.objective is None else f" ({value_text(details, details.objective)})"
        return (
            "Proven: no tree of this depth, made of the questions that were considered, has a lower "
            f"{details.objective_words}{reached}{within}."
        )
    if details.status == "infeasible":
        return (
            "It is proven that no tree of this depth, made of these splits, keeps to what was asked. What is shown is "
            "the best that was found without that."
        )
    return f"{_distance(details)} {end_sentence(details.status, 'tree')}"


def method_words(details: TreesDetails) -> str:
    """Return how a tree was searched for, in one sentence."""
    if details.search == "look_ahead":
        return "It was grown node by node, each split chosen by the best small tree below it."
    considered = "" if not details.n_splits else f" among {details.n_splits:,} splits"
    if details.method == "frontier":
        if details.status != "optimal":
            return f"It was searched for{considered}, and not to the end."
        return f"All trees{considered} were searched, none left out."
    return f"It was searched for{considered} by integer programming."


def _within(details: TreesDetails | AmountTreeDetails) -> str:
    asked = []
    if details.constraint is not None:
        asked.append("what must be alike is so, as asked")
    if details.max_discrimination is not None:
        asked.append("the index is within its bound")
    worse = ", with no group worse off than without the remedy on the training rows" if details.keeps_groups else ""
    return (f" while {' and '.join(asked)}" if asked else "") + worse


def _distance(details: TreesDetails | AmountTreeDetails) -> str:
    reached = "" if details.objective is None else f" ({value_text(details, details.objective)})"
    gap = details.optimality_gap
    if gap is None or not math.isfinite(gap) or gap >= 1:
        return (
            f"How far the {details.objective_words} that was reached{reached} is above the lowest possible one is not "
            "known: nothing was proven about that yet."
        )
    if gap >= _FAR:
        only = "" if details.bound is None else f": only less than {_floored(details)} is proven to be impossible"
        words = details.objective_words
        return f"The {words} that was reached{reached} could still be far above the lowest possible one{only}."
    # `gap` is a share of what was reached; people ask for the share of the lowest possible. Rounded up: "at most".
    above = math.ceil(round(1000 * gap / (1 - gap), 6)) / 10
    known = f"{number_text(above, digits=1)}{NO_BREAK}%"
    sentence = f"The {details.objective_words} that was reached is at most {known} above the lowest possible one"
    if details.objective is None or details.bound is None:
        return f"{sentence}."
    reached = value_text(details, details.objective)
    return f"{sentence}: {reached} was reached, and less than {_floored(details)} is proven to be impossible."


def _floored(details: TreesDetails | AmountTreeDetails) -> str:
    """Return the bound, rounded down, so that the printed figure is proven, too."""
    places = 1_000 if is_share(details) else 10 ** value_digits(details)
    return value_text(details, math.floor(round(places * details.bound, 6)) / places)


def is_share(details: TreesDetails | AmountTreeDetails) -> bool:
    """Say whether what was made small is a share of rows, and not a sum with prices or an error in another unit."""
    return details.objective_words == WRONG_ROWS


def value_text(details: TreesDetails | AmountTreeDetails, value: float) -> str:
    """Return the objective or its bound as text: a share in percent, anything else as a number."""
    return share_text(value) if is_share(details) else number_text(value, digits=value_digits(details))


def value_digits(details: TreesDetails | AmountTreeDetails) -> int:
    """Return the decimals of what was made small, where that is no share: for amounts one more than they have."""
    # Where the decision is an amount, what counts as alike is a tenth of the spread, which says how fine amounts are.
    within = getattr(details, "alike_within", None)
    return 4 if within is None else amount_digits(10 * within) + 1
