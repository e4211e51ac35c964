"""A rule set in words and figures, and how it was found.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import held_out, learned, setting


@dataclass(frozen=True, eq=False)
class RulesDetails:
    """A rule set in words, what each rule does for whom, and how far from optimal it can be.

    "Covered" rows are those that a rule holds for. The outcome that rules predict is the one that ``models.positive``
    names; rates and precision are of that outcome. Rows of no known group count in none of this.

    Parameters
    ----------
    rules : DataFrame
        One row for each rule: ``rule, text, condition, n_literals, cost, uses_protected, proxies``. `rule` counts from
        1; `text` is in words, `condition` what :meth:`~fairaudit.conditions.Condition.parse` reads; `cost` is 1 +
        `n_literals`; `uses_protected` says whether it uses a column that tells the groups; `proxies` names columns in
        it that come close to doing so, or is empty.
    coverage : DataFrame
        On the held-out rows, one row for each rule and group, and ``rule`` 0 for the whole set: ``rule, group, n,
        n_covered, coverage, coverage_low, coverage_high, n_right, precision, precision_low, precision_high, n_only,
        n_only_wrong``. `n` is the known rows of the group, `n_right` covered rows that have the outcome, `n_only`
        covered rows that no other rule covers, `n_only_wrong` those of them that do not have the outcome.
    gaps : DataFrame
        One row for each rate and pair of groups: ``rate, rate_words, first, second, trained, tuned, held_out, low,
        high, n_first, n_second, reading``. Gaps are the rate of the first group minus that of the second on the
        training, tuning and held-out rows; the rest is as in :class:`ConstrainDetails`, with `reading` against
        `max_difference`. Empty where nothing must be alike.
    max_complexity, complexity : int
        What was allowed, and what the rule set has.
    fairness : str or None
        What must be alike.
    max_difference, trained_difference : float
        What is allowed, and what is allowed on the training rows: less by the margin. Where no rule set keeps to that,
        `trained_gap` is larger.
    trained_gap, tuned_gap : float
        The largest gap on the training and on the tuning rows; NaN where nothing must be alike.
    trained_accuracy, tuned_accuracy : float
        On the training and on the tuning rows.
    status : str
        How the search ended: "optimal", "gap" (a gap to the bound is left), "time_limit", "stopped", or "chosen" for
        rules that a person chose.
    objective : float
        The loss of the best solution, counted in training rows; NaN for chosen rules.
    lp_bound, bound, optimality_gap : float
        The linear bound, the proven bound, and how far apart `objective` and `bound` are as a share of `objective`.
    objective_words : str
        The loss in plain words.
    n_columns, n_rounds : int
        Rules that were considered, and rounds of the search for new ones.
    path : DataFrame
        One row for each round: ``round, n_columns, lp_value, bound, incumbent``; NaN where there is none yet.
    frontier : DataFrame
        Rule sets of other settings, made of the same rules, on the tuning rows: ``max_complexity, max_difference,
        complexity, trained_accuracy, trained_gap, accuracy, gap, chosen``. Empty for chosen rules.
    notes : tuple of str
        What happened on the way.
    stopped : bool
        Whether a person stopped the search before its end.
    """

    rules: pd.DataFrame = setting()
    coverage: pd.DataFrame = held_out()
    gaps: pd.DataFrame = held_out()
    max_complexity: int = setting()
    complexity: int = setting()
    fairness: str | None = setting()
    max_difference: float = setting()
    trained_difference: float = setting()
    trained_gap: float = learned()
    tuned_gap: float = learned()
    trained_accuracy: float = learned()
    tuned_accuracy: float = learned()
    status: str = setting()
    objective: float = learned()
    lp_bound: float = learned()
    bound: float = learned()
    optimality_gap: float = learned()
    objective_words: str = setting()
    n_columns: int = setting()
    n_rounds: int = setting()
    path: pd.DataFrame = learned()
    frontier: pd.DataFrame = learned()
    notes: tuple[str, ...] = held_out(default=())
    stopped: bool = setting(default=False)
