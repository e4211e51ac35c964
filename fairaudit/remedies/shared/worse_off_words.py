"""Whether a group is worse off with a remedy than without it, or than in the decisions: a chip, sentences, a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.chips import Chip
from fairaudit.present.numbers import (
    confidence_text,
    count_text,
    interval_text,
    number_text,
    points_text,
    share_text,
    shown,
    signed_text,
)
from fairaudit.present.words import listed
from fairaudit.remedies.shared.decided_words import FEWER, beside_decided, fewer_sentence
from fairaudit.remedies.shared.one_answer_words import alike
from fairaudit.study.findings import RemedyFinding, StudyFacts
from fairaudit.study.judging.results import CANNOT_TELL, NOT_WORSE, TOO_FEW, WORSE, GroupChange

TITLE: Final = "Is a group worse off than without the remedy?"
PRINTED: Final = ("rate_words", "group", "n", "before", "after", "change", "change_interval", "standing")
"""The columns that are printed."""
MOST_NAMED: Final = 4
"""Groups that one sentence names."""
LEVELLED_DOWN: Final = "A gap that closes because a group does worse is levelled down."
WISH: Final = (
    "It was asked that no group is worse off than without the remedy: of what was tried, only what keeps to that on "
    "the tuning rows was chosen, where there was any."
)
NOT_SHOWN: Final = "Whether a group is worse off than without the remedy is not shown where small counts are hidden."
NOTE: Final = (
    "Before: the model that the remedy is compared with. Worse off: the whole interval of the change is on the worse "
    "side of zero. Not worse off: none of it is, or no row of the group fares worse. A group as a whole is meant; "
    "single people in it may still fare worse."
)

NO_GROUP: Final = Chip("No group worse off than without it", "alike")
_CHIPS: Final = {
    WORSE: Chip("A group is worse off", "gap"),
    NOT_WORSE: NO_GROUP,
    CANNOT_TELL: Chip("Worse off: cannot tell", "open"),
    None: Chip("Worse off: not shown", "quiet"),
}


def worse_off_chip(finding: RemedyFinding, facts: StudyFacts) -> Chip | None:
    """Return whether a group is worse off, in a few words; None for a model that is no remedy.

    Where none clearly is, and clearly fewer people get the good outcome than in the decisions, it says that.
    """
    if finding.worse_off is None:
        return None
    chip = _CHIPS[finding.worse_off.standing]
    if finding.worse_off.standing != WORSE and fewer_sentence(finding, facts):
        return FEWER
    if chip == NO_GROUP and alike(finding.after.fairness):
        # Where nearly everybody gets the same answer it says nothing.
        return None
    # It is no good news beside a gap no smaller than in the decisions.
    return replace(chip, sort="quiet") if chip == NO_GROUP and beside_decided(finding, facts) else chip


def harms_no_group(finding: RemedyFinding, facts: StudyFacts) -> bool:
    """Say whether no group is worse off than without the remedy, nor has fewer good outcomes than in the decisions."""
    found = finding.worse_off
    return found is not None and found.standing == NOT_WORSE and not fewer_sentence(finding, facts)


def worse_off_cell(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Return who is worse off, for a cell; empty for a model that is no remedy."""
    if finding.worse_off is None:
        return ""
    standing = finding.worse_off.standing
    if standing != WORSE:
        if fewer_sentence(finding, facts):
            return "fewer good outcomes than decided"
        return {NOT_WORSE: "no group", CANNOT_TELL: "cannot tell", None: "not shown"}[standing]
    names = list(dict.fromkeys(each.group for each in finding.worse_off.groups if each.standing == WORSE))
    return ", ".join(map(brief.short, names)) if len(names) <= 2 else f"{len(names)} groups"


def worse_off_sentences(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Return which groups are worse off and by how much, what is not clear, and whether it was asked that none is.

    Who gets fewer good outcomes than in the decisions comes first.
    """
    found = finding.worse_off
    if found is None:
        return ""
    if found.standing is None:
        return NOT_SHOWN
    level = confidence_text(finding.after.fairness.confidence)
    by = {standing: [each for each in found.groups if each.standing == standing]
          for standing in (WORSE, CANNOT_TELL, NOT_WORSE, TOO_FEW)}  # fmt: skip
    texts = [said] if (said := fewer_sentence(finding, facts)) else []
    if by[WORSE]:
        texts.append(f"Worse off than without the remedy: {_groups(by[WORSE], level)}.")
        texts += [LEVELLED_DOWN] if _is_levelled_down(found.groups) else []
    if by[CANNOT_TELL]:
        lead = "Not clear" if by[WORSE] else "Whether a group is worse off than without the remedy is not clear"
        texts.append(f"{lead}: {_groups(by[CANNOT_TELL], level)}.")
    if by[TOO_FEW]:
        names = listed(_some([brief.short(name) for name in dict.fromkeys(each.group for each in by[TOO_FEW])]))
        texts.append(f"Too few held-out rows to say: {names}.")
    if found.standing == NOT_WORSE:
        texts.append(f"No group is worse off than without the remedy: {_groups(by[NOT_WORSE], level)}.")
    return " ".join([*texts, asked_sentence(finding)]).strip()


def asked_sentence(finding: RemedyFinding) -> str:
    """Return whether it was asked that no group is worse off, and whether that holds where the model was chosen."""
    found = finding.worse_off
    if found is None or not found.asked:
        return ""
    if found.kept is None:
        return "It was asked that none is."
    return (
        f"It was asked that none is: on the tuning rows, where the model was chosen, that "
        f"{'holds' if found.kept else 'does not hold'}."
    )


def worse_off_table(finding: RemedyFinding, number: int) -> list[Table]:
    """Return one row for each rate and group; no table of a plain model, no rows where small counts are hidden."""
    if finding.worse_off is None:
        return []
    groups = finding.worse_off.groups
    shares = all(_is_share(each) for each in groups)
    rate: Kind = "share" if shares else "number"
    change: Kind = "points" if shares else "number"
    interval: Kind = "points_interval" if shares else "number_interval"
    columns = (
        ColumnSpec("rate", "field", "code", "Which rate."),
        ColumnSpec("rate_words", "rate", "text", "The same in words."),
        ColumnSpec("better", "better", "text", "Whether more or less of it is better for the group."),
        ColumnSpec("group", "group", "text", "The group."),
        ColumnSpec("n", "rows", "count", "Held-out rows of the group that the rate is a share of."),
        ColumnSpec("before", "before", rate, "Without the remedy."),
        ColumnSpec("after", "after", rate, "With the remedy, on the same rows."),
        ColumnSpec("change", "change, points" if shares else "change", change, "After minus before."),
        ColumnSpec("change_interval", "its interval", interval, "Of the change; both judged on the same rows."),
        ColumnSpec("lost", "fare worse", "count", "Rows of the group for which the remedy is worse."),
        ColumnSpec("standing", "reading", "text", "Whether the group is worse off, or whether that is not clear."),
    )
    rows = tuple(
        (
            each.rate, brief.capital(each.rate_words), "more" if each.more_is_better else "less", each.group,
            shown(each.n), shown(each.before), shown(each.after), shown(each.difference), tuple(each.interval),
            shown(each.n_lost), shown(each.standing),
        )
        for each in groups
    )  # fmt: skip
    return [Table(f"remedy_{number}_worse_off", TITLE, columns, rows, note=NOTE)]


def _is_levelled_down(groups: Sequence[GroupChange]) -> bool:
    """Say whether groups are nearer to each other in a rate in which one of them is worse off."""
    for rate in {each.rate for each in groups if each.standing == WORSE}:
        rates = [(each.before, each.after) for each in groups if each.rate == rate and each.standing != TOO_FEW]
        before, after = (max(side) - min(side) for side in zip(*rates, strict=True))
        if after < before:
            return True
    return False


def _groups(groups: Sequence[GroupChange], level: str) -> str:
    """Return groups with what changed for each, the first few of many."""
    return "; ".join(_some([_group(each, level) for each in groups]))


def _some(texts: list[str]) -> list[str]:
    more = len(texts) - MOST_NAMED
    return texts if more <= 0 else [*texts[:MOST_NAMED], f"{more} more"]


def _group(each: GroupChange, level: str) -> str:
    """Return how the rate of a group changed, and of how many rows it is a share."""
    name, n = brief.whole(each.group, 80), f"n = {count_text(each.n)}"
    if each.n_lost == 0 and each.difference == 0:
        return f"{name} ({each.rate_words} unchanged, {n})"
    if not _is_share(each):
        ends = " to ".join(signed_text(end) for end in each.interval)
        moved = f"{number_text(each.before)} to {number_text(each.after)}"
        return f"{name} ({_rate(each)} {moved}, {n}; change {signed_text(each.difference)}, {level} interval {ends})"
    moved = f"{share_text(each.before)} to {share_text(each.after)}"
    change = f"change {points_text(each.difference)}, {level} interval {interval_text(each.interval)}"
    return f"{name} ({_rate(each)} {moved}, {n}; {change})"


def _rate(each: GroupChange) -> str:
    """Return a rate in words, and which way is better where that is not plain."""
    return each.rate_words if each.more_is_better else f"{each.rate_words}, less is better,"


def _is_share(each: GroupChange) -> bool:
    """Say whether a rate is a share, and not a cost."""
    return not each.rate.startswith("aec(")
