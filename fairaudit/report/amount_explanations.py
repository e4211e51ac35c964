"""What a report on amounts says besides its numbers: its limits, what its words mean, what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairaudit.defaults import USUAL_CONFIDENCE
from fairaudit.measure.mean_comparison import TOLERATED_DEVIATIONS
from fairaudit.measure.similar import MOST_ROWS, N_NEIGHBORS, N_SHUFFLES
from fairaudit.present.numbers import confidence_text, count_text, share_text
from fairaudit.report.explanations import (
    NOT_SAID_EXACT,
    doubts_of,
    intervals_hold,
    many_notes,
    with_remedy_words,
)

if TYPE_CHECKING:
    from fairaudit.audit.result import AmountFinding
    from fairaudit.remedies.kind import OnAmounts

AMOUNT_REMEDY_WORDS = (
    (
        "Training, tuning and held-out rows",
        "Three parts of the rows, drawn at random: 60 % to learn from, 20 % to choose settings on, 20 % held out. "
        "Models are judged on held-out rows only, which nothing has learned from.",
    ),
    (
        "Mean absolute error (MAE)",
        "How far predictions are from the actual amounts on average, too high or too low: the mean of |predicted − "
        "actual|, in the unit of the amount. Lower is better.",
    ),
    (
        "R²",
        "1 − sum of (predicted − actual)² / sum of (mean of all − actual)². 1: every amount is predicted exactly; 0: "
        "no better than to predict the mean for everybody; below 0: worse than that. It has no unit.",
    ),
    (
        "Mean error",
        "The mean of predicted − actual in a group. Above 0 the group is overestimated, below 0 underestimated.",
    ),
    (
        "Interval of a change",
        "The changes that data like these fit, from the same held-out rows judged before and after (paired). A change "
        "whose interval includes 0 could be nothing. In simulations with 150 to 1,200 held-out rows, intervals of 95 % "
        "held the true change of a difference or of the mean absolute error in 96 % of the cases (median; in each kind "
        "of case between 93 % and 100 %).",
    ),
)
"""Words that go with all models of amounts; those of one kind are with it."""

NOT_SAID_INDEPENDENT = (
    "Intervals and p-values take each row as a case of its own. Where many rows belong together, as those of one "
    "person or one school, they claim too much."
)
NOT_SAID_SIMILAR = (
    "Who is similar depends on the columns that were named. What is not in them, such as how well the work is "
    "done, may explain what similar people get, or hide it."
)


def amount_caveats(finding: AmountFinding) -> tuple[str, ...]:
    """Return what weakens an answer about amounts."""
    similar = [NOT_SAID_SIMILAR] if finding.similar is not None and finding.similar.dtdi is not None else []
    return tuple(doubts_of(finding, filtered="compare", result="result", similar=similar))


def amount_interval_notes(finding: AmountFinding) -> tuple[str, ...]:
    """Return what intervals and p-values of an answer about amounts allow for, and what not."""
    return NOT_SAID_EXACT, NOT_SAID_INDEPENDENT, *many_notes(finding, figures="means")


def amount_definitions(
    *, confidence: float = USUAL_CONFIDENCE, kinds: Sequence[OnAmounts] = (), **_: Any
) -> tuple[tuple[str, str], ...]:
    """Return the words that a report on amounts uses and what they mean, with formulas in plain text."""
    level, inner = confidence_text(confidence), confidence_text(max(2 * confidence - 1, 0.0))
    meanings = (
        (
            "Protected group, the rest",
            "Rows that meet the filter and the protected condition; rows that meet the filter and for which the "
            "condition is false. Where it is unknown because a value is missing, the row is in neither.",
        ),
        ("Mean", "The amounts of a group added up and divided by its rows with an amount."),
        (
            "Median, quartiles",
            "Half of a group's amounts are at or below its median, a quarter and three quarters at or below its "
            "quartiles. A few very large amounts move the mean, not these.",
        ),
        ("Difference", "Mean of the protected group minus mean of the rest, in the unit of the amount."),
        (
            "Standardised difference",
            "The difference divided by the standard deviation within the two groups, s = sqrt(((n1 − 1) s1² + (n0 − 1) "
            "s0²) / (n1 + n0 − 2)). It has no unit: 0.2 is often called small, 0.8 large.",
        ),
        (
            "Tolerance",
            "The largest difference that still counts as alike, in the unit of the amount. Where the audit names none, "
            f"it is {share_text(TOLERATED_DEVIATIONS, digits=0)} of the standard deviation of all amounts looked at.",
        ),
        (
            "Interval",
            f"{intervals_hold(level)} Student's t for a mean; for a difference Welch's, difference ± t sqrt(s1² / n1 + "
            "s0² / n0), which allows for groups whose amounts spread unlike.",
        ),
        (
            "Verdicts",
            f"Clear gap: the whole {level} interval of the difference lies outside the tolerance. No gap above your "
            f"limit: its {inner} interval lies inside (two one-sided tests). Gap, size unclear: neither, but the "
            "interval leaves out zero; of many groups the adjusted p-value must agree. Otherwise there are too few.",
        ),
        (
            "p-value",
            "How often a difference at least this large would come up if there were none, by Welch's t test. Adjusted "
            "p-values are Holm's.",
        ),
        (
            "Strata",
            "Rows that are alike in the named columns. The common difference is sum(w d) / sum(w) over the strata, d "
            "being the difference of means in a stratum and w = n1 n0 / (n1 + n0): what a least-squares fit with a "
            "level of its own for each stratum gives. Its interval uses the variances of all cells, with "
            "Satterthwaite's degrees of freedom. It is reversed when it points the other way than the difference in "
            "all rows together.",
        ),
        (
            "Disparate impact index (DIDI)",
            "|m1 − m| + |m0 − m|: how far the mean of the protected group, m1, and that of the rest, m0, are from the "
            "mean m of all rows, in the unit of the amount.",
        ),
        (
            "Disparate treatment index (DTDI)",
            f"For each row, its {N_NEIGHBORS} most similar rows are found, itself among them, by the columns that the "
            "audit names: numbers are divided by their standard deviation, other values are the same or not. DTDI is "
            "the sum, over all rows, of |m1 − m| + |m0 − m| among these. Where there are more than "
            f"{count_text(MOST_ROWS)} rows, so many are drawn with the audit's seed. Divided by rows and groups it is "
            "how far a group's mean among similar people is, on average, from the mean of them all. What chance alone "
            f"would bring about is found by dealing the amounts out anew, {N_SHUFFLES} times, among people who are "
            "similar. As the amounts of one group may spread more than those of the other, each group keeps its spread "
            "there, and a difference counts in units of its standard error.",
        ),
    )
    return with_remedy_words(meanings, AMOUNT_REMEDY_WORDS, kinds)
