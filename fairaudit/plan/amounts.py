"""Which remedies go with a decision that is an amount, and which with one that has a good outcome."""

from __future__ import annotations

from typing import Final, get_args

from fairaudit.plan.learners import AmountLearner
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.remedies.trees.plan import TreesPlan

AMOUNT_MODELS: Final = get_args(AmountLearner)


def refuse_for_amounts(remedy: RemedyPlan) -> None:
    """Refuse what cannot be done where the decision is an amount."""
    if not isinstance(remedy, PlainPlan | TreesPlan):
        raise ValueError(
            f'holds a remedy with method = "{remedy.method}", which needs a decision with a good outcome; where the '
            'decision is an amount, "plain" and "trees" can be tried'
        )
    if isinstance(remedy, PlainPlan):
        if remedy.model not in AMOUNT_MODELS:
            raise ValueError(
                f'holds a plain model "{remedy.model}", which needs a decision with a good outcome; where the '
                'decision is an amount, give model = "linear_regression" or "median"'
            )
        return
    if remedy.search != "optimal":
        raise ValueError('holds a tree with search = "look_ahead", which needs a decision with a good outcome')
    if remedy.constraint not in (None, "demographic_parity"):
        raise ValueError(
            f'holds a tree with constraint = "{remedy.constraint}", which needs a decision with a good outcome; '
            'where the decision is an amount, give "demographic_parity" (mean amounts alike) or "none"'
        )
    if remedy.constraint is None and remedy.amount_difference is not None:
        raise ValueError("holds a tree with 'amount_difference', which needs constraint = \"demographic_parity\"")
    shares = TreesPlan.model_fields["max_difference"].default
    if remedy.margin or remedy.max_difference != shares:
        raise ValueError(
            "holds a tree with 'max_difference' or 'margin', which are in shares of people; where the decision is an "
            "amount, give 'amount_difference'"
        )


def refuse_for_outcomes(remedy: RemedyPlan) -> None:
    """Refuse what cannot be done where the decision has a good outcome."""
    if isinstance(remedy, PlainPlan) and remedy.model in AMOUNT_MODELS:
        raise ValueError(f'holds a plain model "{remedy.model}", which needs amount = true under [decision]')
    if isinstance(remedy, TreesPlan) and (remedy.leaves != "constant" or remedy.amount_difference is not None):
        raise ValueError("holds a tree with 'leaves' or 'amount_difference', which need amount = true under [decision]")


def goes_with(remedy: RemedyPlan, *, amount: bool) -> bool:
    """Say whether a remedy can be tried on a decision of a kind.

    Examples
    --------
    >>> goes_with(TreesPlan(), amount=True), goes_with(PlainPlan(), amount=True)
    (True, False)
    """
    try:
        (refuse_for_amounts if amount else refuse_for_outcomes)(remedy)
    except ValueError:
        return False
    return True
