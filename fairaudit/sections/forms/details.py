"""The rows and tables of a form in words: how each is read, who is in it, and how it is computed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fairaudit.defaults import USUAL_CONFIDENCE
from fairaudit.errors import quote, require
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Share, Word
from fairaudit.measure.impact import ImpactRow
from fairaudit.measure.limits import amount_digits, digits_beside
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.pay import PayRow, PayTable
from fairaudit.measure.standardized import MeanRow
from fairaudit.messages import say
from fairaudit.present.cases import joinable, value_words
from fairaudit.present.naming import percent
from fairaudit.present.numbers import are_known, count_text, number_text
from fairaudit.presets.findings import MeansFinding, PayFinding, PaySides, PresetFinding, RatesFinding
from fairaudit.sections.forms.reading import (
    NO_DIFFERENCE,
    due_day,
    is_clear,
    is_higher,
    is_marked,
    mean_is_clear,
)
from fairaudit.sections.forms.saying import Args, gap_share, is_same_pay, named

_ROUNDED = 0.02
"""So much less may come from people who lack one of the amounts."""
NOT_SHOWN = Message("form-item-hidden")
NOT_IN_COUNTS = Message("form-not-in-counts")
"""Stands in the place of a number of people whom a table of counts does not hold."""
NOT_FROM_MEANS = Message("form-item-of-means")
"""Stands in the place of what cannot be known where a column holds means of several people."""


def rate_word(finding: PresetFinding) -> str:
    """Return what the rule calls the rate of this form."""
    words = finding.preset.words
    return words.scoring_rate if finding.rate == "scoring" else words.rate


def say_by(finding: PresetFinding, part: RatesFinding | MeansFinding) -> Message:
    """Say what makes the groups of a table: the labels of its roles."""
    first, *more = (Phrase(finding.preset.role(role).label) for role in part.roles)
    said = Message("form-role", {"role": first})
    for role in more:
        said = Message("form-role-and", {"roles": said, "role": role})
    return said


def say_rate_row(rates: RatesFinding, row: ImpactRow) -> Message:
    """Say how a row of rates is read."""
    is_hidden: bool = None in (row.group.ratio, row.impact_ratio)
    if is_hidden:
        return NOT_SHOWN
    if row.is_reference:
        standing = "highest" if rates.check.reference == "highest" else "compared-with"
    elif row.left_out:
        standing = "left-out"
    elif row.below is None:
        standing = "no-ratio"
    elif is_higher(rates, row):
        standing = "higher"
    else:
        standing = "below" if row.below else "not-below"
    tested = row.significance is not None and row.significance.significant is not None
    if standing == "not-below" and row.impact_ratio < 1 and is_clear(row):
        standing = "lower"
    is_read = standing in ("higher", "below", "lower")
    person = row.one_person
    hangs = person is not None and (require(person.flips) or require(person.reverses))
    chance = "clear" if is_clear(row) else "open"
    # What one person decides may be chance: that is not said twice.
    is_said = tested and is_read and not (hangs and chance == "open")
    args: Args = {
        "standing": Word(standing),
        "limit": Amount(rates.table.threshold, 2),
        "chance": Word(chance if is_said else "none"),
        "small": Word("yes" if row.small and standing != "left-out" else "no"),
        "share": Share(rates.check.smallest_share, digits_of_share(rates.check.smallest_share)),
        "person": Word("yes" if hangs else "no"),
    }
    return Message("form-row-rate", args)


def say_mean_row(row: MeanRow) -> Message:
    """Say how a row of means is read."""
    is_hidden: bool = None in (row.mean, row.standardized)
    if is_hidden:
        return NOT_SHOWN
    if row.is_reference or row.size is None:
        return Message("form-row-compared-with" if row.is_reference else "form-item-none")
    if abs(row.standardized) < NO_DIFFERENCE:
        return Message("form-row-alike")
    args: Args = {
        "direction": Word("more" if row.standardized > 0 else "less"),
        "size": Word(row.size),
        "chance": Word("none" if math.isnan(row.p_value) else "clear" if mean_is_clear(row) else "open"),
    }
    return Message("form-row-mean", args)


def say_pay_row(finding: PresetFinding, pay: PayFinding, row: PayRow) -> Message:
    """Say how a row of a gap in pay is read, and how its category is marked."""
    is_hidden: bool = row.gap is None
    if is_hidden:
        return NOT_SHOWN
    args = named(finding)
    if not row.protected.n or not row.reference.n:
        only = args["others" if row.reference.n else "protected"]
        return Message("form-row-only", {"group": only})
    if math.isnan(row.gap):
        return Message("form-item-none")
    if pay.check.mark_from is None:
        return _direction(finding, pay, row.gap)
    args["limit"] = Share(pay.check.mark_from)
    if not is_marked(pay, row):
        return Message("form-row-under", args)
    reason, day = finding.plan.justified.get(row.name), finding.plan.remedied.get(row.name)
    due = due_day(pay, finding.plan.reported)
    args |= {"marked": Phrase(finding.preset.words.marked), "due": Phrase(due or "")}
    if reason is not None:
        return Message("form-row-reason", args | {"reason": Phrase(reason)})
    if day is not None:
        is_late = due is not None and day > due
        return Message("form-row-late" if is_late else "form-row-remedied", args | {"day": Phrase(day)})
    return Message("form-row-open" if due is None else "form-row-open-until", args)


def _direction(finding: PresetFinding, pay: PayFinding, gap: float) -> Message:
    if is_same_pay(gap):
        return Message("form-row-alike")
    size: Args = {"gap": gap_share(finding, gap), "direction": Word("less" if gap > 0 else "more")}
    return Message("form-row-gap-group" if pay.check.groups else "form-row-gap", named(finding) | size)


def say_pay_table(finding: PresetFinding, pay: PayFinding) -> Message:
    """Say what a table of pay comes to."""
    made, args = pay.table, named(finding)
    if pay.is_unknowable:
        return Message("form-pay-said", {"row": NOT_FROM_MEANS})
    if made.statistic == "quarter" and not made.rows:
        return NOT_SHOWN
    if made.statistic == "workforce":
        last = made.rows[-1].protected.value
        return NOT_SHOWN if last is None else Message("form-lead-undisclosed", args | {"share": Share(last)})
    if made.statistic == "share":
        return Message("form-lead-shares", args | {"n": Count(len(made.rows))})
    if made.statistic == "quarter":
        ends = made.rows[0].protected.value, made.rows[-1].protected.value
        if None in ends:
            return NOT_SHOWN
        return Message("form-lead-quarters", args | {"low": Share(ends[0]), "high": Share(ends[1])})
    if not made.rows:
        return Message("form-item-none")
    if made.statistic == "receiving" and pay.has_rows:
        n = sum(bool(row.protected.n and row.reference.n) for row in made.rows)
        return Message("form-lead-stated-groups" if pay.check.groups else "form-lead-stated", args | {"n": Count(n)})
    if pay.has_rows and pay.check.measure != "answer":
        stated = [row for row in made.rows if row.gap is not None and not math.isnan(row.gap)]
        if not stated and any(row.gap is None for row in made.rows):
            return NOT_SHOWN
        marked = [row for row in stated if is_marked(pay, row)]
        args |= {"k": Count(len(marked)), "n": Count(len(stated))}
        if pay.check.mark_from is None:
            return Message("form-lead-stated-groups" if pay.check.groups else "form-lead-stated", args)
        args["limit"] = Share(pay.check.mark_from)
        args["statistic"] = Word(pay.table.statistic)
        return Message("form-lead-marked" if marked else "form-lead-none-marked", args)
    row = made.rows[0]
    if None in (row.protected.value, row.reference.value):
        return NOT_SHOWN
    if made.statistic == "receiving" and row.protected.n and row.reference.n:
        shares: Args = {"share": Share(row.protected.value), "rest": Share(row.reference.value)}
        return Message("form-lead-receiving", args | shares | {"what": Phrase(made.column)})
    return Message("form-pay-said", {"row": say_pay_row(finding, pay, row)})


def pay_title(finding: PresetFinding, pay: PayFinding) -> str:
    """Return what a table of pay is called: where the rule asks for it, and the figure."""
    args: Args = {
        "article": Phrase(pay.check.article or ""),
        "item": pay_item(pay, Phrase(pay.table.column)),
        "column": Phrase(pay.table.columns[-1] if pay.has_rows else ""),
        "is_by": Word("yes" if pay.has_rows else "no"),
    }
    return say(Message("form-pay-title" if pay.check.article else "form-pay-title-alone", args))


def pay_item(pay: PayFinding, what: Argument) -> Message:
    """Return what a table of pay states, of a column or of what it is in the rule."""
    among = "-receiving" if pay.check.measure == "pay_gap" and pay.check.among == "receiving" else ""
    if pay.table.statistic == "quarter":
        return Message("form-item-quarters", {"what": what})
    return Message(f"form-item-{pay.table.statistic}{among}", {"what": what})


def pay_digits(made: PayTable) -> int:
    """Return how many decimals the means or medians of a table have; none where all medians are whole."""
    sides = [side for row in made.rows for side in (row.protected, row.reference)]
    if made.statistic == "mean":
        return amount_digits(max((side.deviation for side in sides if are_known(side.deviation)), default=None))
    return 0 if all(float(side.value).is_integer() for side in sides if are_known(side.value)) else 2


def table_note(finding: PresetFinding, part: RatesFinding | MeansFinding | PayFinding) -> str:
    """Return the note below a table: who is in it and who is not."""
    said = [Message("form-note-counted", named(finding) | {"n": _count(part.table.n)})]
    lacking: int | None = 0
    if isinstance(part, MeansFinding):
        lacking = finding.without_number(part)
    elif isinstance(part, PayFinding):
        lacking = part.table.missing
    said += [Message("form-note-missing", {"n": _count(lacking)})] if lacking or lacking is None else []
    said += [Message("form-note-unknown", {"n": _count(part.unknown)})] if part.unknown or part.unknown is None else []
    if isinstance(part, PayFinding) and part.rounded:
        said.append(Message("form-note-rounded"))
    if isinstance(part, RatesFinding) and any(row.left_out for row in part.table.rows):
        share = part.check.smallest_share
        said.append(Message("form-note-small", named(finding) | {"share": Share(share, digits_of_share(share))}))
        said += _reason(finding)
    return say(said)


def digits_of_share(share: float) -> int:
    """Return the decimals of a share in percent that a rule or its reader has set."""
    return digits_beside(100 * share, [100 * share], digits=0) or 0


def _reason(finding: PresetFinding) -> list[Message]:
    """Return why small groups are left out: only what the auditor says."""
    if finding.plan.reason:
        return [Message("form-note-reason", {"reason": Phrase(finding.plan.reason.rstrip("."))})]
    return [Message("form-note-no-reason")] if finding.preset.publishes else []


def _count(n: int | None) -> Phrase:
    return Phrase(count_text(n))


def who_is_compared(finding: PresetFinding) -> tuple[str, ...]:
    """Return who is compared in the tables of pay, who is not, and how many these are."""
    return tuple(say(_who(finding, sides)) for sides in finding.sides)


def _who(finding: PresetFinding, sides: PaySides) -> list[Message]:
    words = finding.preset.words
    args: Args = {
        "protected": Phrase(_side(sides.n_protected, words.compared, sides.protected)),
        "others": Phrase(_side(sides.n_reference, words.compared_with, sides.reference)),
    }
    said = [Message("form-who", args)]
    if sides.others:
        others: Args = {"n": _count(sides.n_others), "values": Phrase(", ".join(map(quote, sides.others)))}
        said.append(Message("form-who-not", named(finding) | others))
    if sides.n_unknown is None or sides.n_unknown:
        said.append(Message("form-note-unknown", {"n": _count(sides.n_unknown)}))
    return said


def _side(n: int | None, called: str, values: Sequence[str]) -> str:
    return f"{count_text(n)} {called} ({', '.join(map(quote, values))})"


def undecided_notes(finding: PresetFinding, *, where: str = "page") -> tuple[str, ...]:
    """Return who counts as decided although the case ended before anyone decided it.

    `where` says whether this is read on a page, or beside a command.
    """
    return tuple(say(_doubt(finding, part, where)) for part in finding.not_known)


def _doubt(finding: PresetFinding, part: NotKnown, where: str) -> tuple[Message, Message]:
    args = named(finding) | {
        "n": _count(part.n) if part.n is not None else Message("form-some"),
        "number": Word("one" if part.n == 1 else "many"),
        "values": Phrase(value_words(part)),
        "column": Phrase(quote(part.column)),
        "where": Word(where),
        "condition": Phrase(joinable(part.leave_out)),
        "counted": Word("good" if part.counted == "good" else "other"),
    }
    return Message("form-doubt", args), Message("form-doubt-leave", args)


def own_notes(finding: PresetFinding) -> tuple[str, ...]:
    """Return what could not be computed, and for which column of pay its mean is below that of its components together.

    Where a role has several columns, nothing says which of them belong together.
    """
    columns = finding.plan.columns
    means = [each for each in finding.pay if each.table.statistic == "mean" and each.check.among != "receiving"]
    said = []
    for role in (role for role in finding.preset.roles if role.holds):
        if any(len(columns.get(name, ())) > 1 for name in (role.role, *role.holds)):
            continue
        for whole in (each for each in means if each.check.of == role.role):
            parts = [each.table for each in means if each.check.of in role.holds and each.roles == whole.roles]
            if parts and _mean(whole.table) < (1 - _ROUNDED) * sum(map(_mean, parts)):
                args: Args = {
                    "whole": Phrase(quote(whole.table.column)),
                    "parts": Phrase(" and ".join(quote(part.column) for part in parts)),
                }
                said.append(say(Message("form-note-parts", args)))
    if finding.unknown_in_counts and finding.preset.unknown == "any":
        said.append(say(Message("form-counts-unknown", named(finding))))
    return (*dict.fromkeys(said), *finding.notes)


def _mean(made: PayTable) -> float:
    """Return the mean of all people of a table; NaN where a figure of it is hidden."""
    sides = [side for row in made.rows for side in (row.protected, row.reference) if side.n != 0]
    if any(side.n is None or side.value is None for side in sides) or not sides:
        return math.nan
    return sum(side.n * side.value for side in sides) / sum(side.n for side in sides)


def form_notes(finding: PresetFinding) -> tuple[str, ...]:
    """Return all sentences that stand beside the tables of a form: :func:`undecided_notes` and :func:`own_notes`."""
    return (*undecided_notes(finding), *own_notes(finding))


def how_computed(finding: PresetFinding, *, marks: bool = True) -> tuple[str, ...]:
    """Return how the figures of a form are made, one sentence each; with `marks`, also which are marked."""
    said: list[Message] = []
    if finding.rates:
        said += _how_rates(finding, marks=marks)
    if finding.means:
        said.append(Message("form-how-means"))
    measures = {pay.table.statistic for pay in finding.pay if not pay.is_unknowable}
    if measures & {"mean", "median"}:
        said.append(Message("form-how-pay", named(finding)))
        said.append(Message("form-how-missing", named(finding)))
    if any(pay.table.statistic == "mean" and not pay.of_means and pay.check.measure != "answer" for pay in finding.pay):
        said.append(Message("form-how-range", {"level": Phrase(percent(USUAL_CONFIDENCE))}))
    if "receiving" in measures or any(pay.check.among == "receiving" and not pay.is_unknowable for pay in finding.pay):
        said.append(Message("form-how-receiving"))
    if "quarter" in measures:
        said.append(Message("form-how-quarters"))
    if "share" in measures:
        said.append(Message("form-how-shares", named(finding)))
    if "workforce" in measures:
        said.append(Message("form-how-workforce", named(finding)))
    if finding.preset.fewest:
        said.append(Message("form-how-few", named(finding) | {"n": Count(finding.preset.fewest)}))
    if any(pay.check.groups for pay in finding.pay):
        said.append(Message("form-how-groups", named(finding) | {"n": Count(finding.preset.fewest)}))
    return tuple(map(say, said))


def _how_rates(finding: PresetFinding, *, marks: bool) -> list[Message]:
    args = named(finding) | {"rate": Phrase(rate_word(finding))}
    if finding.rate == "scoring":
        said = [Message("form-how-scoring", args | {"median": Phrase(number_text(finding.median))})]
    else:
        said = [Message("form-how-rate", args)]
    references = {rates.check.reference for rates in finding.rates}
    said += [Message("form-how-ratio", args | {"against": Word(reference)}) for reference in sorted(references)]
    if marks:
        said.append(Message("form-how-limit", args | {"limits": Phrase("; ".join(limits(finding)))}))
    tests = [rates for rates in finding.rates if rates.check.significance]
    ways = dict.fromkeys((rates.check.deviations, rates.check.level) for rates in tests)
    for deviations, level in ways:
        judged = [rates for rates in tests if (rates.check.deviations, rates.check.level) == (deviations, level)]
        tested: Args = {
            "deviations": Phrase(f"{deviations:g}"),
            "level": Phrase(f"{level:g}"),
            "tables": Word("some" if len(ways) > 1 else "all"),
            "columns": Phrase("; ".join(say(say_by(finding, rates)) for rates in judged)),
        }
        said.append(Message("form-how-test", tested))
    if any(rates.check.one_person for rates in finding.rates):
        said.append(Message("form-how-person"))
    if finding.preset.unknown == "any":
        said.append(Message("form-how-unknown", args))
    return said


def limits(finding: PresetFinding) -> tuple[str, ...]:
    """Return below which ratio a group is marked: once, or for each table where they differ."""
    known = {rates.table.threshold: Amount(rates.table.threshold, 2) for rates in finding.rates}
    if len(known) == 1:
        return tuple(say(Message("form-limit", named(finding) | {"limit": limit})) for limit in known.values())
    return tuple(
        say(
            Message(
                "form-limit-by",
                named(finding) | {"limit": known[rates.table.threshold], "columns": say_by(finding, rates)},
            )
        )
        for rates in finding.rates
    )
