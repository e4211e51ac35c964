"""What was done to make a decision tree.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import held_out, learned, setting


@dataclass(frozen=True, eq=False)
class TreesDetails:
    """A decision tree in words, who comes to which node, and how far from optimal it can be.

    The outcome that the tree predicts is the one that ``models.positive`` names; rates are of that outcome. "Learned"
    rows are the training rows of known groups. Rows of no known group count in none of this. "Before" is the model
    that the tree is compared with: mostly the same tree without constraint and price.

    Parameters
    ----------
    nodes : DataFrame
        One row for each node, by its number: ``node, parent, side, depth, x, y, is_leaf, words, prediction, path,
        condition, uses_protected, proxies``. The root is node 1; `side` is "yes" where the parent's split holds, "no"
        where it does not or a value is missing, and empty for the root (whose parent is 0). `x` and `y` are places to
        draw it at: leaves lie 1 apart, `y` is the depth. `words` is the split in words, or what a leaf predicts;
        `prediction` is 1 or 0 for the outcome in a leaf, NaN elsewhere. `path` is the way to the node in words,
        `condition` what :meth:`~fairaudit.conditions.Condition.parse` reads. `uses_protected` says whether the split
        uses a column that tells the groups; `proxies` names columns in it that come close to doing so, or is empty.
    counts : DataFrame
        One row for each node and group: ``node, group, n_learned, n_learned_positive, learned_rate, n, n_positive,
        rate, rate_low, rate_high``. The last four are about held-out rows: those that come to the node, those of them
        that have the outcome, and their share with its interval. NaN where a share is of no rows.
    leaves : DataFrame
        One row for each leaf, from left to right, over all groups: ``leaf, path, prediction, n_learned, n,
        n_right, accuracy, accuracy_low, accuracy_high``. `prediction` is in words; the last five are about held-out
        rows, `n_right` those that have what the leaf predicts.
    gaps : DataFrame
        One row for each rate and pair of groups, as in :class:`~fairaudit.remedies.rules.details.RulesDetails`. Empty
        where nothing must be alike. For "four_fifths" gaps are differences of shares, and `reading` is about their
        ratio.
    ratios : DataFrame
        For "four_fifths", one row for each pair of groups: ``first, second, trained, tuned, held_out, low, high,
        n_first, n_second, reading``: the smaller share over the larger, with an interval on held-out rows. Empty for
        other constraints.
    indices : DataFrame
        One row for each index and part: ``index, part, before, after, n, n_compared, sampled``. `index` is "didi" or
        "dtdi" (divided by rows and groups), `part` is "trained", "tuned" or "held_out"; `n` are the rows it is about.
        `n_compared` are those with a similar person in each group, for "dtdi"; `sampled` says that `n` were drawn.
    similar : DataFrame
        ``model, low, high, n, share``: among held-out rows, how far the share of positive predictions among similar
        people of the own group is from that among all similar people. `model` is "before" or "after"; a bin holds
        differences from `low` to `high`, and both are 0 in the bin of those for whom there is none.
    alike : DataFrame
        ``model, group, n, n_alike, share``: those for whom there is none, by group; `n` are the held-out rows with
        similar people in more than one group.
    max_depth, depth, n_leaves : int
        What was allowed, and what the tree has.
    search : {"optimal", "look_ahead"}
        How it was searched for.
    constraint : str or None
        What must be alike.
    max_difference, trained_difference : float
        What is allowed, and what is allowed on the training rows: less by the margin. NaN where there is no constraint
        on a difference.
    trained_gap, tuned_gap : float
        The largest gap on the training and on the tuning rows; NaN where nothing must be alike. For "four_fifths" the
        smallest ratio.
    discrimination : str or None
        Which index is priced or bounded: "didi", "dtdi" or "both".
    fairness_weight : float
        Its price in the loss, or that of a difference in a search that looks ahead, where it may have been chosen by
        cross-validation.
    max_discrimination : float or None
        What the index may be at most on the training rows.
    branching : {"single", "linear"}
        How nodes split.
    trained_accuracy, tuned_accuracy : float
        On the training and on the tuning rows.
    status : str
        How the search ended: "optimal", "gap" (a gap to the bound is left), "time_limit", "stopped", or "grown" for a
        search that looks ahead, which proves nothing.
    objective, bound, optimality_gap : float
        What was made small, the proven bound, and how far apart they are as a share of `objective`. NaN where nothing
        is proven.
    objective_words : str
        What was made small, in plain words.
    method : str
        Which search ran: "frontier", "scip" or "look_ahead".
    n_splits : int
        Splits that were considered at each node.
    bounds : DataFrame
        ``seconds, objective, bound``: how the search closed in; NaN where there is none yet.
    settings : DataFrame
        Trees of other settings: ``setting, words, max_depth, limit, weight, depth, n_leaves, status, objective, bound,
        trained_accuracy, trained_gap, trained_index, accuracy, gap, index, chosen``. `setting` is what is otherwise
        than asked: "depth", "limit" (of a difference or, where there is none, of the index), "weight", "free" (nothing
        is asked to be alike), or "asked" for none. `limit` is in the numbers of the plan, NaN where there is none.
        `gap` is as `tuned_gap`; `index` is the index that is priced or bounded (DTDI where both are), NaN where none
        is. "trained" figures are on the training rows, the others on the tuning rows.
    notes : tuple of str
        What happened on the way.
    stopped : bool
        Whether a person stopped the search before its end.
    """

    nodes: pd.DataFrame = setting()
    counts: pd.DataFrame = held_out()
    leaves: pd.DataFrame = held_out()
    gaps: pd.DataFrame = held_out()
    ratios: pd.DataFrame = held_out()
    indices: pd.DataFrame = held_out()
    similar: pd.DataFrame = held_out()
    alike: pd.DataFrame = held_out()
    max_depth: int = setting()
    depth: int = setting()
    n_leaves: int = setting()
    search: str = setting()
    constraint: str | None = setting()
    max_difference: float = setting()
    trained_difference: float = setting()
    trained_gap: float = learned()
    tuned_gap: float = learned()
    discrimination: str | None = setting()
    fairness_weight: float = setting()
    max_discrimination: float | None = setting()
    branching: str = setting()
    trained_accuracy: float = learned()
    tuned_accuracy: float = learned()
    status: str = setting()
    objective: float = learned()
    bound: float = learned()
    optimality_gap: float = learned()
    objective_words: str = setting()
    method: str = setting()
    n_splits: int = setting()
    bounds: pd.DataFrame = learned()
    settings: pd.DataFrame = learned()
    notes: tuple[str, ...] = held_out(default=())
    stopped: bool = setting(default=False)
