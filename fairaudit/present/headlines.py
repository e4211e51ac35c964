"""Short sentences: the answer in large type, what stands below it, strata in one sentence, and who is worst off.

:mod:`fairaudit.present.words` says the same in one paragraph that stands alone. All functions are pure and take
findings or results, masked or not; what is hidden makes them empty.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from fairaudit.findings import Argument, Group, Message, Phrase, Word
from fairaudit.measure.results import GroupComparison
from fairaudit.messages import say
from fairaudit.present import brief, words


def worst_off_sentence(
    comparison: Any, figure: Any, gap: Any, *, than: str = "against", more_is_better: bool = True
) -> str:
    """Return which group is worst off, one with a clear gap first, then one with enough rows; empty where none is.

    `figure` writes what a group has, `gap` how far that is from what it is compared with, both as the chart and the
    table beside the sentence do; `than` leads on from one to the other. Empty also where a group is hidden: it could be
    worse off, and a named one would say what its figure is at least.
    """
    rows = comparison.rows
    if len(rows) < 2 or any(row.comparison.difference is None for row in rows):
        return ""
    sign = 1 if more_is_better else -1
    behind = [row for row in rows if sign * row.comparison.difference < 0]
    if not behind:
        return ""
    behind.sort(key=lambda row: sign * row.comparison.difference)
    clear = [row for row in behind if words.verdict_word(row.comparison) == words.CLEAR_GAP]
    worst = (clear or [row for row in behind if not row.small] or behind)[0]
    found = worst.comparison
    args: dict[str, Argument] = {
        "group": Phrase(brief.group(worst.name, brief.WHOLE)),
        "own": Phrase(figure(found)),
        "gap": Phrase(gap(found)),
        "than": Word(than),
        "others": Group(comparison.reference),
        "verdict": Phrase(words.verdict_word(found)),
    }
    return say(Message("worst-off", args))


def worst_share_sentence(comparison: GroupComparison, *, digits: int = 1, more_is_better: bool = True) -> str:
    """Return :func:`worst_off_sentence` of shares, with so many decimals."""
    figure, gap = (partial(write, digits=digits) for write in (words.own_share_text, words.gap_text))
    return worst_off_sentence(comparison, figure, gap, more_is_better=more_is_better)
