"""What a search for worst groups found in the shape of all results, and its tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Final

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.disclosure.fields import Columns, FieldOptions
from fairaudit.disclosure.said import said_as_shown
from fairaudit.findings import Argument, Count, Group, Message, Phrase, Said, Share, Word
from fairaudit.measure.quantity import Quantity, QuantityKind
from fairaudit.messages import say, say_whole
from fairaudit.present.blocks import TableBlock
from fairaudit.present.cases import say_weighted
from fairaudit.present.field_tables import adapted, declared_by, in_unit, record_table
from fairaudit.present.numbers import confidence_text
from fairaudit.sections.worst.reading import (
    Compared,
    chart_order,
    compared,
    figures_of,
    harms,
    is_hidden,
    quantity_of,
    read_worst,
)
from fairaudit.subgroups.bounds import GapBounds
from fairaudit.subgroups.kinds import Ranking
from fairaudit.subgroups.results import LeftOut, RankingFound, Subgroup, SubgroupFigures

Args = dict[str, Argument]
_FINDING = ("result",)
_MOST_NAMED = 2
_MOST_CLAUSES = 1
"""Conditions said by column and value that a headline has room for."""

HEADLINES: dict[Compared, str] = {
    "selection": "worst-headline-gap",
    "flagged": "worst-headline-flagged",
    "missed": "worst-headline-missed",
    "wrong_flags": "worst-headline-wrong-flags",
    "wrong_clearances": "worst-headline-wrong-clearances",
    "accuracy": "worst-headline-accuracy",
    "mean": "worst-headline-gap",
}
FIGURES: dict[Compared, str] = {
    "selection": "worst-lead-selection",
    "flagged": "worst-lead-flagged",
    "missed": "worst-lead-missed",
    "wrong_flags": "worst-lead-wrong-flags",
    "wrong_clearances": "worst-lead-wrong-clearances",
    "accuracy": "worst-lead-accuracy",
    "mean": "worst-lead-amount",
}
MEASURES: dict[Compared, str] = {
    "selection": "worst-measure-selection",
    "flagged": "worst-measure-flagged",
    "missed": "worst-measure-missed",
    "wrong_flags": "worst-measure-wrong-flags",
    "wrong_clearances": "worst-measure-wrong-clearances",
    "accuracy": "worst-measure-accuracy",
    "mean": "worst-measure-mean",
}
"""What is said, by what is compared."""


def say_worst(finding: SubgroupsFinding) -> Said:
    """Say which group fares worst; of a search whose small counts are hidden, that it is not shown."""
    return said_as_shown(_say(finding), finding)


def _say(finding: SubgroupsFinding) -> Said:
    reading = read_worst(finding)
    if reading.verdict == "not_shown":
        hidden = (Message("worst-not-shown-few"), Message("worst-not-shown-leave"))
        return Said(Message("verdict-not-shown"), Message("check-headline-not-shown"), hidden)
    result, n = finding.result, len(reading.standing_out)
    # Whom the answer is about: those worse off, where there are any.
    counted = reading.n_worse or n
    total: Args = {"n": Count(counted), "total": Count(result.n_considered), "most": Count(result.max_conditions)}
    bound = say_bound(finding)
    if not n:
        not_clear = Message("worst-lead-not-clear", reveals=_FINDING)
        open_lead = (Message("worst-lead-none", total, reveals=_FINDING), bound or not_clear)
        verdict = Message("verdict-none-stands-out", reveals=_FINDING)
        return Said(verdict, Message("worst-headline-none", reveals=_FINDING), open_lead, _caution())
    worst = reading.standing_out[0]
    args = _args(finding, worst)
    what = compared(finding)
    figures = Message(FIGURES[what], args, reveals=_FINDING)
    side: Args = {
        "side": Word("better" if not reading.n_worse else "worse" if reading.n_worse == n else "both"),
        "better": Count(n - reading.n_worse),
    }
    sure_of = Message("worst-lead-found", total | side, reveals=_FINDING)
    verdict = Message("verdict-groups-stand-out", total, reveals=_FINDING)
    if finding.groups[worst].n_clauses <= _MOST_CLAUSES:
        lead = (figures, sure_of, *([bound] if bound else []))
        return Said(verdict, Message(HEADLINES[what], args, reveals=_FINDING), lead, _caution())
    # Who they are has no room in a headline.
    some: Args = {"protected": Message("worst-some-people", {"n": Count(n)})}
    headline = Message(HEADLINES[what], args | some, reveals=_FINDING)
    who = Message("worst-lead-who", args, reveals=_FINDING)
    # That groups stand out is said by the verdict, too; how far any can be behind is not.
    return Said(verdict, headline, (who, figures, bound or sure_of), _caution())


def say_bound(finding: SubgroupsFinding) -> Message | None:
    """Say how far behind any large group searched can be; None where that is not known, or no group is so large."""
    bounds, quantity = finding.result.bounds, quantity_of(finding)
    if bounds is None or not bounds.n_groups:
        return None
    end = bounds.above if harms(finding) > 0 else bounds.below
    # Rounded up: a smaller one would claim too much.
    unit = quantity.unit.scale * 10.0**quantity.digits
    args: Args = {
        "confidence": Share(bounds.confidence, Quantity("share", 0).limit(bounds.confidence).digits),
        "bounded": Count(bounds.n_groups),
        "rows": Count(bounds.min_rows),
        "quantity": Word(quantity.kind),
        "size": quantity.size(math.ceil(round(end * unit, 6)) / unit),
    }
    return Message("worst-lead-bound", args, reveals=_FINDING)


def answer_text(finding: SubgroupsFinding) -> str:
    """Return verdict, headline and lead as a paragraph."""
    return say_whole(say_worst(finding))


def title(finding: SubgroupsFinding) -> str:
    """Return what was asked, with what is compared: a report may ask it of several."""
    return say(Message("worst-title", {"what": what_compared(finding)}))


def line(finding: SubgroupsFinding) -> str:
    """Return the answer as `run` prints it."""
    said = say_worst(finding)
    args: Args = {"what": what_compared(finding), "verdict": said.verdict, "headline": said.headline}
    return say(Message("worst-line", args))


def what_compared(finding: SubgroupsFinding) -> Message:
    """Return what is compared, as a noun."""
    return Message(MEASURES[compared(finding)], {"verb": finding.names.verb})


def say_group(finding: SubgroupsFinding, number: int) -> tuple[Message, ...]:
    """Say how one group fares, and whether that is more than chance."""
    each = finding.result.subgroups[number]
    sure_of = Message("worst-group-stands-out" if each.stands_out else "worst-group-chance", reveals=_FINDING)
    if not math.isfinite(each.gap):
        return (Message("worst-lead-who", _args(finding, number), reveals=_FINDING), sure_of)
    args = _args(finding, number)
    who = Message("worst-group-who", args, reveals=_FINDING)
    named: Args = {
        "groups": Phrase("; ".join(each.same_people[:_MOST_NAMED])),
        "n": Count(max(0, len(each.same_people) - _MOST_NAMED)),
    }
    same = Message("worst-same-people", named, reveals=_FINDING)
    return (
        who,
        Message(FIGURES[compared(finding)], args, reveals=_FINDING),
        sure_of,
        *([same] * bool(each.same_people)),
    )


def how_searched(finding: SubgroupsFinding) -> tuple[Message, ...]:
    """Say how many groups were looked at, how they were judged, and what chance would show."""
    result = finding.result
    counts: Args = {
        "total": Count(result.n_considered),
        "most": Count(result.max_conditions),
        "columns": Phrase(", ".join(result.columns)),
        "searched": Count(result.n_searched),
        "judged": Count(result.n_judged),
        "error": Share(1 - result.confidence),
    }
    keys = ["worst-how-considered"]
    if result.protected:
        counts["protected"] = Phrase(", ".join(result.protected))
        keys.append("worst-how-protected")
    keys += ["worst-how-halves", "worst-how-judged", "worst-how-alone"]
    gap, quantity = result.ranked("gap"), quantity_of(finding)
    if result.n_shuffles:
        counts |= {
            "shuffles": Count(result.n_shuffles),
            "usual": _size(finding, gap.chance),
            "high": _size(finding, gap.chance_high),
            "largest": _size(finding, gap.best),
        }
        keys += ["worst-how-chance", "worst-how-largest"]
    counts |= {"quantity": Word(quantity.kind), "size": quantity.size(gap.bound)}
    keys.append("worst-how-proven" if result.proven else "worst-how-ended")
    if (bounds := result.bounds) is not None:
        counts |= {"bounded": Count(bounds.n_groups), "rows": Count(bounds.min_rows)}
        keys.append("worst-how-bounded" if bounds.n_groups else "worst-how-none-bounded")
    elif result.design is not None:
        keys.append("worst-how-weighted-unbounded")
    return (*say_weighted(result.design), *(Message(key, counts, "note", _FINDING) for key in keys))


def left_out(finding: SubgroupsFinding) -> tuple[Message, ...]:
    """Say which columns no group names, and why."""
    return tuple(
        Message("worst-left-out", {"column": Phrase(each.column), "why": Phrase(each.reason)}, "note", _FINDING)
        for each in finding.result.left_out
    )


def affected(finding: SubgroupsFinding) -> Message:
    """Say what "affected" counts."""
    return Message("worst-affected-amount" if compared(finding) == "mean" else "worst-affected-share", severity="note")


def _size(finding: SubgroupsFinding, value: float) -> Message:
    quantity = quantity_of(finding)
    return Message("worst-size", {"quantity": Word(quantity.kind), "size": quantity.size(value)})


def _args(finding: SubgroupsFinding, number: int) -> Args:
    quantity, each = quantity_of(finding), finding.result.subgroups[number]
    names = finding.names
    args: Args = {
        "protected": finding.groups[number].said,
        "others": Group(),
        "verb": names.verb,
        "what": names.what,
        "favorable": names.favorable,
        "unfavorable": names.unfavorable,
        "flagged": names.flagged,
        "quantity": Word(quantity.kind),
    }
    if not math.isfinite(each.gap):
        return args
    share, rest = map(quantity.figure, figures_of(each))
    sized: Args = {
        "share": share,
        "rest": rest,
        "gap": quantity.size(each.gap),
        "states_gap": Word("yes" if quantity.subtracts(*figures_of(each), each.gap) else "no"),
        "direction": quantity.direction(each.gap),
    }
    return args | sized


def _caution() -> tuple[Message, ...]:
    return (Message("worst-not-why", severity="note"), Message("worst-halves", severity="note"))


# The tables of a search for worst groups.

PRINTED = ("subgroup", "n", "rate", "rest", "gap", "interval", "p_adjusted", "stands_out")
"""Columns that a page and a report have room for."""
RANKINGS: dict[Ranking, str] = {
    "people": "worst-ranking-people",
    "gap": "worst-ranking-gap",
    "evidence": "worst-ranking-evidence",
}
"""What each ranking looks for."""


def worst_tables(found: SubgroupsFinding, number: int) -> list[TableBlock]:
    """Return the groups, what chance would show, and the columns left out; empty where they are hidden."""
    if is_hidden(found):
        return []
    tables = [_subgroups(found, number), _chance(found, number)]
    if found.result.bounds is not None:
        tables.append(_bounds(found, number, found.result.bounds))
    if left := found.result.left_out:
        tables.append(record_table(f"subgroups_{number}_left_out", "Columns left out", left, declared_by(LeftOut)))
    return tables


def in_chart_order(found: SubgroupsFinding, table: TableBlock) -> TableBlock:
    """Return the table of groups with its rows as the picture has them: those that stand out first, the worst first."""
    return replace(table, rows=tuple(table.rows[place] for place in chart_order(found)))


IN_FULL = (
    "words", "condition", "rankings", "n", "rate", "rest", "gap", "interval", "p_adjusted", "stands_out", "impact",
    "trained.n", "trained.gap", "same_people",
)  # fmt: skip


LABELS: Final[Mapping[QuantityKind, Mapping[str, FieldOptions]]] = {
    "share": {},
    "amount": {
        "rate": {"label": "mean", "brief": "Its mean there."},
        "impact": {"label": "total, by all rows"},
        "trained.gap": {"label": "gap there"},
    },
}
"""What columns are called otherwise than of shares."""


def _subgroups(found: SubgroupsFinding, number: int) -> TableBlock:
    result = found.result
    # A subgroup has the figures that it is judged by.
    declared: Columns = {**declared_by(SubgroupFigures), **declared_by(Subgroup)}
    unit = quantity_of(found).unit
    declared = in_unit(unit, declared)
    for name, changes in LABELS[quantity_of(found).kind].items():
        declared = adapted(declared, (name,), **changes)
    head = say(Message("column-gap-group", {"unit": unit.gap_unit}))
    declared = adapted(declared, ("gap",), label=head)
    declared = adapted(declared, ("interval",), label=f"likely range ({confidence_text(result.confidence)})")
    declared = adapted(declared, ("impact",), brief=say(affected(found)))
    counted, judged = ("test cases", "test cases") if result.n_judged else ("cases", "cases searched")
    declared = adapted(declared, ("n",), label=counted, brief=f"Of the group, among {judged}.")
    return record_table(
        f"subgroups_{number}",
        "Worst groups",
        result.subgroups,
        declared,
        IN_FULL,
        cells={
            "rankings": lambda each: ", ".join(say(Message(RANKINGS[ranking])) for ranking in each.rankings),
            "interval": attrgetter("interval"),
            "stands_out": lambda each: "yes" if each.stands_out else "no",
            "same_people": lambda each: "; ".join(each.same_people),
        },
        is_turned=quantity_of(found).is_turned,
    )


def _chance(found: SubgroupsFinding, number: int) -> TableBlock:
    return record_table(
        f"subgroups_{number}_chance",
        "What chance would show",
        found.result.rankings,
        declared_by(RankingFound),
        cells={"ranking": lambda each: say(Message(RANKINGS[each.ranking]))},
        note="People affected are a share of all; the clearest gap counts standard errors.",
    )


def _bounds(found: SubgroupsFinding, number: int, bounds: GapBounds) -> TableBlock:
    declared = in_unit(quantity_of(found).unit, declared_by(GapBounds))
    title = "How far any of these groups can be from everyone else"
    return record_table(f"subgroups_{number}_bounds", title, [bounds], declared)
