"""What a report says besides its numbers: what it does not say, what its words mean, what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import quote
from fairaudit.measure.controlled import left_out_warnings
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.present.numbers import confidence_text, count_text, tolerance_text
from fairaudit.present.words import is_hidden

_LONGEST_NAME = 60

if TYPE_CHECKING:
    from fairaudit.audit.result import AmountFinding, CheckFinding
    from fairaudit.measure.results import GroupComparison, GroupMeans
    from fairaudit.remedies.kind import OnAmounts, RemedyKind

REPEAT = "fairaudit run PATH/plan.toml --out PATH/report"
IN_A_CLONE = "In a folder with the source of fairaudit, write .venv/bin/python -m fairaudit in place of fairaudit."
INTERVAL_NOTES = "How to read intervals and p-values"
"""What such notes stand under."""
NOT_SAID_EXACT = (
    "Intervals and p-values are about chance: how far apart the same way of deciding could leave the groups among "
    "other cases like these. If the rows are all the cases there were, and not a sample, the groups are exactly as far "
    "apart as was observed, and the interval is about that way of deciding, not about these people."
)
NOT_SAID_INDEPENDENT = (
    "Intervals and p-values take each row as a case of its own. Where one officer or one school decided many of them, "
    "they claim too much; a column that says who it was (cluster) allows for it."
)
ALLOWED_FOR = (
    "Intervals, p-values and readings allow for rows with one value of {cluster} depending on each other ({n} values): "
    "variances are cluster-robust, quantiles those of t. A common odds ratio and its test do not."
)


REMEDY_WORDS = (
    (
        "Training, tuning and held-out rows",
        "Three parts of the rows, drawn at random: 60 % to learn from, 20 % to choose thresholds and the like on, 20 % "
        "held out. Models are judged on held-out rows only, which nothing has learned from.",
    ),
    (
        "Accuracy, balanced accuracy",
        "Share of rows on which the model agrees with the decision; the mean of that share among rows that are "
        "positive and among those that are not.",
    ),
    (
        "DIDI, DTDI",
        "Indices of discrimination over all groups, 0 where there is none. DIDI, disparate impact: how far the share "
        "of each prediction in each group is from that among all, summed. DTDI, disparate treatment: the same among "
        "similar people, on average over people and groups.",
    ),
    (
        "Similar people",
        "The nearest rows in all features that do not tell the groups; numbers count in units of their spread.",
    ),
    (
        "Interval of a change",
        "The changes that data like these fit, from the same held-out rows judged before and after (paired). A change "
        "whose interval includes 0 could be nothing. In simulations with 150 to 1,200 held-out rows, intervals of 95 % "
        "held the true change of a gap or of accuracy in 98 % of the cases (median; in each kind of case between 94 % "
        "and 100 %).",
    ),
)
"""Words that go with all models of decisions; those of one kind are with it."""


def caveats(finding: CheckFinding) -> tuple[str, ...]:
    """Return what weakens an answer, one sentence or two each."""
    return tuple(doubts_of(finding, filtered="would compare", result="gap"))


def interval_notes(finding: CheckFinding) -> tuple[str, ...]:
    """Return what intervals and p-values of an answer allow for, and what not."""
    dependent = NOT_SAID_INDEPENDENT
    if (cluster := finding.result.cluster) is not None:
        dependent = ALLOWED_FOR.format(cluster=cluster, n=count_text(finding.result.n_clusters))
    return NOT_SAID_EXACT, dependent, *many_notes(finding, figures="shares")


def doubts_of(
    finding: CheckFinding | AmountFinding, *, filtered: str, result: str, similar: Sequence[str] = ()
) -> list[str]:
    """Return what weakens an answer, whether shares or means are compared; the keywords are words for them."""
    texts: list[str] = []
    if finding.where_words is None and finding.strata is None:
        texts.append(
            f"No filter was set, so all rows were compared, alike or not. A filter or strata {filtered} like with like."
        )
    counted = _undecided_warning(finding)
    texts.extend(text for text in finding.result.warnings if text != counted)
    texts.extend(map(not_known_sentence, finding.not_known))
    if finding.result.unknown:
        texts.append(
            f"Rows whose group is unknown are in neither group. If they are not like the others, the {result} is off."
        )
    if finding.result.undecided:
        own, other = finding.result.protected.undecided, finding.result.reference.undecided
        sides = f": {count_text(own)} in the protected group, {count_text(other)} in the rest" if counted else ""
        texts.append(
            f"Rows for which {quote(finding.decision.column, limit=_LONGEST_NAME)} is not known are left out{sides}. "
            f"If that is so more often in one group, the {result} is off."
        )
    texts.extend(similar)
    if is_hidden(finding.result):
        texts.append("Counts that are too small to be shown are hidden, and so is everything that follows from them.")
    return texts


def _undecided_warning(finding: CheckFinding | AmountFinding) -> str:
    """Return the warning on how many rows of either side lack what is compared; empty where none is, or hidden."""
    sides = finding.result.protected.undecided, finding.result.reference.undecided
    if None in sides or not sum(sides):
        return ""
    return left_out_warnings(0, 0, *sides, without=finding.decision.kind.a_noun)[0]


def many_notes(finding: CheckFinding | AmountFinding, *, figures: str) -> list[str]:
    """Return what to know where groups are small or many were compared; `figures` says what is compared."""
    texts = []
    if any(row.small for table in finding.groups for row in table.rows):
        texts.append(f"Groups with few rows are marked as small: their {figures} move a lot by chance.")
    if (comparisons := sum(len(table.rows) for table in finding.groups)) > 2:
        texts.append(
            f"{count_text(comparisons)} groups were compared at once, and among many comparisons some look striking by "
            f"chance alone. {_allowed_for_many(finding.groups)}"
        )
    return texts


def _allowed_for_many(tables: Sequence[GroupComparison | GroupMeans]) -> str:
    """Return what allows for many groups having been compared; beside hidden ones, readings are Bonferroni's."""
    hidden = [any(row.comparison.difference is None for row in table.rows) for table in tables]
    if not any(hidden):
        return "Their readings and adjusted p-values (Holm) allow for that; the intervals do not."
    if all(hidden):
        return (
            "Their readings allow for that, by Bonferroni's method, as groups are hidden: by Holm's, readings would "
            "also depend on those. P-values and intervals do not allow for it."
        )
    return (
        "Their readings and adjusted p-values (Holm) allow for that; the intervals do not. In tables with hidden "
        "groups, readings allow for it by Bonferroni's method, and p-values are not adjusted."
    )


def intervals_hold(level: str) -> str:
    """Return what the confidence of an interval means."""
    return f"The values that data like these fit: in the long run, {level} of such intervals hold what lies behind."


def definitions(
    *,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    errors: bool = False,
    kinds: Sequence[RemedyKind] = (),
) -> tuple[tuple[str, str], ...]:
    """Return the words that a report uses and what they mean, with formulas in plain text.

    `kinds` are the remedies that were tried.
    """
    limit, level = tolerance_text(tolerance), confidence_text(confidence)
    inner = confidence_text(max(2 * confidence - 1, 0.0))
    words = [
        ("Good outcome", "The decision value that is good for the person concerned, as the audit names it."),
        (
            "Protected group, the rest",
            "Rows that meet the filter and the protected condition; rows that meet the filter and "
            "for which the condition is false. Where it is unknown because a value is missing, the row is in neither.",
        ),
        ("Share", "Rows of a group with the good outcome divided by rows of the group with a known decision."),
        (
            "Gap",
            "Share of the protected group minus share of the rest, in points; "
            "for example, 32.0 % against 44.3 % is −12.3 points.",
        ),
        (
            "Impact ratio",
            "Share of the protected group divided by share of the rest. Below 0.80 (four fifths) or above 1.25, "
            "one group reaches the good outcome less than four fifths as often as the other.",
        ),
        (
            "Tolerance",
            f"The largest gap that still counts as alike, here {limit}.",
        ),
        (
            "Interval",
            f"{intervals_hold(level)} Wilson's score interval for a share, Newcombe's hybrid score interval for a gap.",
        ),
        (
            "Verdicts",
            f"Clear gap: the whole {level} interval of the gap lies outside the tolerance. No gap above your limit: "
            f"its {inner} interval lies inside (two one-sided tests). Gap, size unclear: neither, but the interval "
            "leaves out zero; of many groups the adjusted p-value must agree. Otherwise there are too few to tell.",
        ),
        (
            "p-value",
            "How often a gap at least this large would come up if there were none: pooled z test, "
            "z = gap / sqrt(s (1 − s) (1/n1 + 1/n2)) with s the share of both groups together; Fisher's exact test "
            "where an expected count is below 5. Adjusted p-values are Holm's.",
        ),
        (
            "Strata",
            "Rows that are alike in the named columns. The common odds ratio is that of Mantel and Haenszel, the test "
            "that of Cochran, Mantel and Haenszel; a reversal means that the gap inside strata points the other way "
            "than the gap in all rows together.",
        ),
    ]
    if errors or kinds:
        words += [
            (
                "TP, FP, TN, FN",
                "Rows that are predicted positive and are (true positive), predicted positive and are not (false "
                "positive), predicted negative and are not, predicted negative and are positive (false negative).",
            ),
            (
                "False positive rate, false negative rate",
                "FP / (FP + TN): how often those who are not positive are predicted "
                "positive. FN / (FN + TP): how often those who are positive are predicted negative.",
            ),
            (
                "Wrong among predicted positive, wrong among predicted not positive",
                "FP / (FP + TP): how often a positive prediction is wrong, known as the false discovery rate. "
                "FN / (FN + TN): how often a negative prediction is wrong, known as the false omission rate.",
            ),
            ("AUC", "How often the score ranks a positive case before a negative one; 0.5 is chance, 1 is perfect."),
            (
                "Calibration",
                "Whether, among cases with about the same score, the share of positives is the same in each group.",
            ),
        ]
    return with_remedy_words(words, REMEDY_WORDS, kinds)


def with_remedy_words(
    words: Sequence[tuple[str, str]], shared: Sequence[tuple[str, str]], kinds: Sequence[RemedyKind | OnAmounts]
) -> tuple[tuple[str, str], ...]:
    """Add the words that all models use, and those of each kind of remedy that was tried, each once."""
    if not kinds:
        return tuple(words)
    return tuple(dict.fromkeys([*words, *shared, *(word for kind in kinds for word in kind.definitions())]))
