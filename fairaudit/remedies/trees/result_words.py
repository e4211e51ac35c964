"""Sentences about what a tree came to: how it was made, whether groups are alike, similar people, and what to doubt."""

from __future__ import annotations

from typing import Any, Final

from fairaudit.errors import quote
from fairaudit.measure.limits import FOUR_FIFTHS, SLACK, exceeds
from fairaudit.present import brief
from fairaudit.present.numbers import (
    NO_BREAK,
    are_known,
    count_text,
    number_text,
    points_text,
    share_text,
    tolerance_text,
)
from fairaudit.remedies.shared.limit_words import (
    MOST_LISTED,
    NO_PROMISE,
    gap_words,
    reading_words,
    right_sentence,
    rows_words,
)
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.words import alike_words, marked_splits, method_words
from fairaudit.study.findings import RemedyFinding

_INDEX = {
    "didi": "DIDI, the index of disparate impact",
    "dtdi": "DTDI, the index of disparate treatment",
    "both": "DIDI and DTDI, the indices of disparate impact and treatment",
}
KEEPS: Final = (
    "It was searched for among the trees that leave no group worse off than without it on the training rows; where the "
    "tuning rows asked for more, groups had to do better still."
)
_LEAST = f"{100 * FOUR_FIFTHS:g}{NO_BREAK}%"


def made_sentences(finding: RemedyFinding) -> str:
    """Return how a tree was made, and what it was allowed to be."""
    details = finding.details
    leaves = "one leaf" if details.n_leaves == 1 else f"{details.n_leaves} leaves"
    linear = " Splits may weigh several columns." if details.branching == "linear" else ""
    texts = [
        f"A decision tree was learned from the training rows. {method_words(details)}{linear}",
        f"It has {leaves} and a depth of {details.depth}; at most {details.max_depth} was allowed.",
        _asked(details),
        KEEPS if details.keeps_groups else "",
        _priced(details),
        right_sentence(details),
    ]
    return " ".join(text for text in texts if text)


def trees_kept_sentence(details: TreesDetails) -> str:
    """Return whether groups are alike enough on the held-out rows, and how clear that is."""
    by_ratio = details.by_ratio
    table = details.ratios if by_ratio else details.gaps
    if not len(table):
        return ""
    asked = f"the rule that no share is below {_LEAST} of another" if by_ratio else _allowed(details)
    if len(table) <= MOST_LISTED:
        rows = table.itertuples()
        listed = "; ".join(_ratio(row) if by_ratio else gap_words(row, details.max_difference) for row in rows)
        return f"On the held-out rows, against {asked}: {listed}."
    reading = table["reading"]
    within = int(reading.str.startswith("within").sum())
    clear, outside = int((reading == "within").sum()), int((reading == "outside").sum())
    what = "pairs of groups" if by_ratio else "differences between two groups"
    some = f"all {len(table)}" if within == len(table) else f"{within or 'none'} of the {len(table)}"
    text = f"On the held-out rows {some} {what} are within {asked}."
    if clear or outside:
        return (
            f"{text} Allowing for chance in each by itself, {clear} are clearly within and {outside} clearly outside."
        )
    return f"{text} With this many rows none of that is clear: each could be on the other side by chance."


def _held_out_worst(details: TreesDetails) -> float:
    """Return the largest difference on the held-out rows, or the smallest ratio; NaN where there is none."""
    table = details.ratios if details.by_ratio else details.gaps
    held = table["held_out"].astype(float)
    return float(held.min() if details.by_ratio else held.abs().max())


def trees_sides_sentence(details: TreesDetails) -> str:
    """Return the largest difference, or smallest ratio, on training, tuning and held-out rows side by side."""
    by_ratio = details.by_ratio
    table = details.ratios if by_ratio else details.gaps
    if not len(table):
        return ""
    worst = _held_out_worst(details)
    sides = ((details.trained_gap, "training rows"), (details.tuned_gap, "tuning rows"), (worst, "held-out rows"))
    sizes = [
        f"{_near_ratio(value) if by_ratio else _size(value, details)} on the {rows}"
        for value, rows in sides
        if are_known(value)
    ]
    lead = "The smallest share, as a share of the largest, is" if by_ratio else "The largest difference is"
    texts = [f"{lead} {', '.join(sizes)}."] if sizes else []
    return " ".join([*texts, NO_PROMISE, *([] if by_ratio else [_margin(details)])])


def similar_sentence(details: TreesDetails, before: str) -> str:
    """Return how many people are treated as those like them are, before and after."""
    treated, before_share = treated_words(details)
    if not treated:
        return ""
    held = details.indices[(details.indices["index"] == "dtdi") & (details.indices["part"] == "held_out")]
    index = ""
    if len(held) and are_known(*(values := held.iloc[0][["before", "after"]])):
        index = (
            f" DTDI there went from {number_text(values.iloc[0], digits=4)} to {number_text(values.iloc[1], digits=4)}."
        )
    return (
        f"{treated}: those like them in their own group are predicted positive as often as all who are like them. "
        f"With {brief.short(before)} it is {before_share}.{index}"
    )


def treated_words(details: TreesDetails | AmountTreeDetails) -> tuple[str, str]:
    """Return how many people are treated as those like them are, as the beginning of a sentence, and the share before.

    Both are empty where it is hidden, or nobody is like anybody in another group.
    """
    sums = details.alike.groupby("model")[["n", "n_alike"]].sum() if len(details.alike) else None
    if sums is None or not sums["n"].min():
        return "", ""
    after, before = (share_text(sums.loc[each, "n_alike"] / sums.loc[each, "n"]) for each in ("after", "before"))
    rows = f"{count_text(sums.loc['after', 'n'])} held-out rows with similar people in more than one group"
    return f"Of {rows}, {after} are treated alike", before


def trees_caveats(finding: RemedyFinding) -> tuple[str, ...]:
    """Return why a tree does not prove much."""
    details = finding.details
    texts = [*marked_splits(details)]
    if details.constraint is not None:
        texts.append(
            "The limit is on how far groups are apart, not on how well they do: they can also become alike because one "
            "does worse."
        )
    texts.append(
        "A tree that can be read aloud can be checked by anyone; that it can be read does not make it right, and it "
        "says what goes with the outcome, not what brings it about."
    )
    if details.n_leaves > 1:
        texts.append(
            "People just on either side of a split can be decided on differently although they hardly differ, and a "
            "missing value leads to “otherwise”."
        )
    return (*texts, *details.notes)


def _asked(details: TreesDetails) -> str:
    if details.constraint is None:
        return "" if details.discrimination is not None else "Nothing had to be alike between groups."
    words = alike_words(details.constraint)
    if details.by_ratio:
        return f"Asked was that {words} of no group is below {_LEAST} of that of another."
    verb = "differ" if " and " in words else "differs"
    limit = tolerance_text(details.max_difference)
    return f"Asked was that {words} {verb} by at most {limit} between any two groups."


def _priced(details: TreesDetails) -> str:
    if details.search == "look_ahead":
        weight = details.fairness_weight
        return (
            f"A difference between groups was priced at {number_text(weight)}." if are_known(weight) and weight else ""
        )
    if details.discrimination is None:
        return ""
    words = _INDEX[details.discrimination]
    ways = []
    if details.fairness_weight:
        ways.append(f"counts {number_text(details.fairness_weight, digits=4).rstrip('0').rstrip('.')} times")
    if details.max_discrimination is not None:
        ways.append(f"may be {number_text(details.max_discrimination, digits=4).rstrip('0').rstrip('.')} at most")
    return f"Beside the errors, {words}, {' and '.join(ways)} on the training rows."


def _margin(details: TreesDetails) -> str:
    margin = details.max_difference - details.trained_difference
    allowed, trained = map(tolerance_text, (details.max_difference, details.trained_difference))
    if are_known(details.trained_gap) and exceeds(details.trained_gap, details.trained_difference):
        return f"Already on the training rows no tree was found that keeps to {trained}."
    if margin > SLACK:
        return (
            f"A margin of {tolerance_text(margin)} was kept: on the training rows only {trained} of the {allowed} were "
            "allowed, so that other rows have room for chance."
        )
    return (
        f"No margin was kept: all {allowed} could be used up on the training rows, so that chance alone can carry "
        "other rows beyond it."
    )


def _allowed(details: TreesDetails) -> str:
    return f"what is allowed ({tolerance_text(details.max_difference)})"


def _ratio(row: Any) -> str:
    first, second = (quote(name, limit=60) for name in (row.first, row.second))
    lead = f"the smaller share of {first} and {second} over the larger"
    if row.reading == "not defined":
        return f"{lead}: not defined, as nobody is predicted positive or a group has no rows"
    interval = ""
    if are_known(row.low, row.high):
        interval = f"interval {_near_ratio(row.low)} to {_near_ratio(row.high)}; "
    reading = f"({interval}{rows_words(row)}), {reading_words(row.reading)}"
    return f"{brief.whole(lead, 240)}: {_near_ratio(row.held_out)} {reading}"


def _near_ratio(ratio: float) -> str:
    return share_text(ratio, beside=FOUR_FIFTHS)


def _size(gap: float, details: TreesDetails) -> str:
    return points_text(gap, signed=False, beside=details.max_difference)
