"""The start and the result of column generation: rules, and what is proven about all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.duals import Duals
from fairaudit.estimators.rules.interior import Prices
from fairaudit.estimators.rules.problem import RuleColumns

Rules = tuple[tuple[int, ...], ...]
Status = Literal["closed", "gap", "work_limit", "stopped"]


@dataclass(frozen=True)
class Round:
    """Where a round ended.

    Parameters
    ----------
    round : int
        From 1.
    n_columns : int
        Rules of the pool.
    lp_value : float
        The relaxation over them.
    bound : float
        The best lower bound on the relaxation over all rules so far.
    incumbent : float
        The loss of the best rule set so far, NaN without one.
    """

    round: int
    n_columns: int
    lp_value: float
    bound: float
    incumbent: float


@dataclass(frozen=True, eq=False)
class Generated:
    """The rules that were found, and what is proven about all others.

    Parameters
    ----------
    columns : RuleColumns
        The rules; the rules that it started from are among them.
    lp_value : float
        The relaxation over them; where time ran out, over those that were let in.
    bound : float
        No lower than 0 and no higher than the relaxation over all rules within the complexity.
    closed : bool
        Whether it is proven that no rule can improve the relaxation.
    reduced_costs : ndarray of float, shape (n_columns,)
        At duals that are feasible for the columns, so none is negative: a rule set of the columns with column k loses
        `dual_bound` + ``reduced_costs[k]`` or more. Where `closed`, this holds for all rules.
    dual_bound : float
        What these duals bound the relaxation over the columns by; where `closed`, that over all rules.
    duals : Duals
        These duals.
    n_rounds : int
        Rounds.
    path : tuple of Round
        Each round.
    status : {"closed", "gap", "work_limit", "stopped"}
        Why it ended: "gap" where rounds brought nothing any more, yet the exact search did not come to its end.
    rounded : tuple of int
        Places in `columns` of the best rounded rule set that meets the constraints.
    incumbent : float
        Its loss; NaN where there is none, not even the empty one.
    excess : float
        How far the largest difference stays above `max_difference` in the relaxation over the columns; 0 where it can
        be met. Where it is positive, `lp_value` holds a penalty for it.
    prices : Prices, optional
        Central prices that prove the bound, or nearly so; None where it has not been looked for there.
    """

    columns: RuleColumns
    lp_value: float
    bound: float
    closed: bool
    reduced_costs: NDArray[np.float64]
    dual_bound: float
    duals: Duals
    n_rounds: int
    path: tuple[Round, ...]
    status: Status
    rounded: tuple[int, ...]
    incumbent: float
    excess: float
    prices: Prices | None = None


@dataclass(frozen=True, eq=False)
class Start:
    """What the rounds start from.

    Parameters
    ----------
    kept : RuleColumns, optional
        Rules that are among the result whatever they are worth.
    found : tuple of tuple of int
        Rules that may go, the most useful first.
    n_active : int
        So many of them are in the first linear program.
    rounded : tuple of tuple of int
        A rule set that may be good.
    prices : Prices, optional
        Central prices at which rounds may begin.
    """

    kept: RuleColumns | None = None
    found: Rules = ()
    n_active: int = 0
    rounded: Rules = ()
    prices: Prices | None = None
