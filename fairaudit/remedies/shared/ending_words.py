"""How a search for a rule set or a tree ended, in words."""

from __future__ import annotations

STATUS_WORDS = {
    "gap": "all steps taken, a distance to the proven bound is left",
    "work_limit": "all the work done that was allowed",
    "stopped": "stopped by a person",
}
"""The ends that any search can have, for a cell of a table."""

_ENDS = {
    "gap": "The search took all of its steps; with the same data, settings and software it gives the same {}.",
    "work_limit": "The search did all the work that was allowed; with the same data, settings and software it gives "
    "the same {}, and with more work perhaps a better one.",
    "stopped": "The search was stopped by a person; repeating it may give another {}.",
}


def end_sentence(status: str, noun: str) -> str:
    """Return how a search ended that proved nothing to be the best, and whether repeating it gives the same again.

    Examples
    --------
    >>> end_sentence("stopped", "tree")
    'The search was stopped by a person; repeating it may give another tree.'
    """
    return _ENDS[status].format(noun)
