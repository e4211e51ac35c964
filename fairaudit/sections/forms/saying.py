"""The answer of a legal form in the shape of all results: verdict, headline, lead, caution."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from fairaudit.errors import require
from fairaudit.findings import Amount, Argument, Count, Group, Message, Phrase, Said, Share, Word
from fairaudit.measure.grouping import value_text
from fairaudit.measure.impact import ImpactRow
from fairaudit.measure.limits import digits_beside
from fairaudit.measure.pay import PayRow
from fairaudit.messages import say, say_whole
from fairaudit.presets.findings import PayFinding, PresetFinding, RatesFinding
from fairaudit.presets.preset import Preset
from fairaudit.presets.status import RuleSource, RuleStatus
from fairaudit.sections.forms.reading import (
    FEW_PAID,
    FormReading,
    category_name,
    compared_columns,
    few_highest,
    has_several_limits,
    hides_gaps,
    hides_rates,
    holds_back,
    lacks_base,
    marking_limit,
    n_without_pay,
    read_form,
    reference_of,
    share_not_disclosed,
    shows_few,
    unknown_people,
    why_closed,
)
from fairaudit.sections.forms.records import say_record

Args = dict[str, Argument]
_RATES, _PAY, _MEANS = ("rates",), ("pay",), ("means",)
LARGE_AMOUNT = 1000
"""From which amount on an amount is said without decimals."""
_PLAIN: Mapping[str, tuple[str, str]] = {
    "nothing_to_compare": ("verdict-nothing-to-compare", "form-headline-nothing"),
    "none_selected": ("verdict-nothing-to-compare", "form-headline-none-selected"),
    "not_shown": ("verdict-not-shown", "form-headline-not-shown"),
}


def say_status(preset: Preset, *, is_overdue: bool) -> tuple[Message, ...]:
    """Say how it stands with the rule of a form, what follows for the reader, and that nobody checked it lately."""
    status = preset.status
    if status is None:
        return (Message("form-status-unknown", severity="note"),)
    is_plain = status.state == "in_force" and not is_overdue
    args = _status_args(status)
    said = (Message("form-status", args, "note" if is_plain else "caution"),)
    return (Message("form-status-overdue", args, "caution"), *said) if is_overdue else said


def status_facts(preset: Preset, *, is_overdue: bool) -> tuple[tuple[str, str], ...]:
    """Return what is known of the state of the rule of a form: label and text."""
    status = preset.status
    if status is None:
        return (("State of the rule", say(Message("form-state-unknown"))),)
    args = _status_args(status) | {"is_overdue": Word("yes" if is_overdue else "no")}
    known = (
        ("State of the rule", say(Message("form-state", args))),
        ("What follows", status.follows),
        ("Successor", status.successor),
        ("Last checked", say(Message("form-checked", args))),
        ("What was read", "; ".join(say(_read(source)) for source in status.read)),
        ("Could not be read", status.not_read),
    )
    return tuple((label, text) for label, text in known if text)


def _status_args(status: RuleStatus) -> Args:
    args: Args = {
        "state": Word(status.state),
        "checked": day_words(status.checked),
        "is_dated": Word("no" if status.since is None else "yes"),
        "follows": Phrase(status.follows),
    }
    return args if status.since is None else args | {"since": day_words(status.since)}


def _read(source: RuleSource) -> Message:
    args: Args = {"by": Word("itself" if source.official else "others"), "title": Phrase(source.title)}
    return (
        Message("form-read", args)
        if source.url is None
        else Message("form-read-at", args | {"url": Phrase(source.url)})
    )


def day_words(day: str) -> Phrase:
    """Return a day as people write it: 30 November 2026."""
    when = datetime.date.fromisoformat(day)
    return Phrase(f"{when.day} {when:%B %Y}")


def say_form(finding: PresetFinding) -> Said:
    """Say what a form comes to; of one whose small counts are hidden, what is left of it."""
    if finding.record is not None:
        status = say_status(finding.preset, is_overdue=finding.is_overdue)
        return replace(say_record(finding), caution=(*status, Message("form-caution-advice", severity="note")))
    reading = read_form(finding)
    if reading.verdict in _PLAIN:
        verdict, headline = _PLAIN[reading.verdict]
        return Said(Message(verdict), Message(headline, named(finding)), (), _caution(finding, reading))
    args = named(finding)
    if finding.pay:
        return _say_pay(finding, reading, args)
    return _say_rates(finding, reading, args) if reading.rates is not None else _say_means(finding, reading, args)


def answer_text(finding: PresetFinding) -> str:
    """Return the answer as one paragraph."""
    return say_whole(say_form(finding), caution=True)


def selected_word(finding: PresetFinding) -> str:
    """Return what happened to the people whom the rate counts."""
    return "above the median" if finding.rate == "scoring" else finding.preset.words.selected


def group_called(finding: PresetFinding, name: str) -> Message:
    """Return the people of a group: its name before what the rule calls them."""
    return Message("form-group", {"name": Phrase(name), "people": Phrase(finding.preset.words.people)})


def row_called(finding: PresetFinding, row: ImpactRow) -> Message:
    """Return the people of a row; of several columns, with the value of each."""
    if len(row.values) < 2:
        return group_called(finding, row.name)
    one, *others = [
        Message("name-is", {"column": Phrase(column.replace("_", " ")), "value": Phrase(value_text(value))})
        for column, value in row.values
    ]
    for other in others:
        one = Message("name-both", {"first": one, "second": other})
    return Message("form-group-crossed", {"conditions": one, "people": Phrase(finding.preset.words.people)})


def gap_share(finding: PresetFinding, gap: float) -> Share:
    """Return the size of a gap in pay, with the decimals that show on which side of the limit it is."""
    limit = marking_limit(finding)
    # What is not nothing is not written as 0%.
    least = 1 if round(100 * abs(gap)) == 0 else 0
    if limit is None:
        return Share(abs(gap), least)
    digits = digits_beside(100 * abs(gap), [100 * limit], digits=least)
    return Share(abs(gap), 1 if digits is None else digits)


def is_same_pay(gap: float) -> bool:
    """Say whether a gap in pay is nothing as it is written."""
    return round(100 * abs(gap), 1) == 0


def named(finding: PresetFinding) -> Args:
    """Return what people, groups and figures are called in the words of the rule."""
    words = finding.preset.words
    return {
        "protected": Group(words.compared),
        "others": Group(words.compared_with),
        "people": Phrase(words.people),
        "ratio": Phrase(words.ratio),
        "category": Phrase(words.category),
        "selected": Phrase(selected_word(finding)),
    }


def _verdict(reading: FormReading, args: Args, reveals: tuple[str, ...]) -> Message:
    return Message(f"verdict-form-{reading.verdict.replace('_', '-')}", args, reveals=reveals)


def _say_rates(finding: PresetFinding, reading: FormReading, args: Args) -> Said:
    rates, row = require(reading.rates)
    base = reference_of(rates)
    is_turned = reading.verdict in ("reference_lower", "reference_none")
    low, high = (base, row) if is_turned else (row, base)
    args |= {
        "limit": Amount(rates.table.threshold, 2),
        "limits": Word("several" if has_several_limits(finding) else "one"),
        "columns": Phrase(", ".join(compared_columns(finding))),
    }
    if reading.verdict != "reference_none":
        args["size"] = _ratio(rates, 1 / row.impact_ratio if is_turned else row.impact_ratio)
    if low is not None:
        args["group"] = row_called(finding, low)
    if high is not None:
        args["reference"] = row_called(finding, high)
    verdict = _verdict(reading, args, _RATES)
    lead: tuple[Message, ...] = ()
    if reading.verdict == "none_below":
        headline = Message("form-headline-none-below", args, reveals=_RATES)
        lead = (Message("form-lead-lowest", args, reveals=_RATES),)
    elif reading.verdict == "not_all_shown":
        headline = Message("form-headline-none-shown-below", args, reveals=_RATES)
    elif reading.verdict == "reference_none":
        headline = Message("form-headline-reference-none", args, reveals=_RATES)
    else:
        is_long = len(rates.roles) > 1 and not is_turned
        args["compared"] = Word(rates.check.reference)
        key = "form-headline-below-crossed" if high is None or is_long else "form-headline-below"
        headline = Message(key, args, reveals=_RATES)
    lead += _shares(low, high, args)
    if reading.verdict in ("below", "below_may_be_chance"):
        also: Args = {"k": Count(reading.n_below - 1)}
        if reading.n_below > 1:
            lead += (Message("form-lead-also", args | also, reveals=_RATES),)
        elif not hides_rates(finding) and not reading.n_below_elsewhere:
            lead += (Message("form-lead-alone", args, reveals=_RATES),)
    if is_turned and high is not None:
        turned: Args = {"group": args["reference"], "reference": args["group"]}
        lead += (Message("form-lead-choose", args | turned, reveals=_RATES),)
    elif reading.is_clear is not None and reading.verdict not in ("none_below", "not_all_shown"):
        lead += (Message("form-lead-clear" if reading.is_clear else "form-lead-chance", reveals=_RATES),)
    return Said(verdict, headline, lead, _caution(finding, reading))


def say_strip(finding: PresetFinding) -> Message | None:
    """Say in one line which group is selected least, and how often; nothing without rates that are shown."""
    if finding.record is not None:
        return None
    reading = read_form(finding)
    if reading.verdict in _PLAIN or reading.rates is None:
        return None
    rates, row = reading.rates
    base = reference_of(rates)
    if base is None or reading.verdict not in ("below", "below_may_be_chance", "none_below"):
        return None
    if None in (row.group.ratio, base.group.ratio):
        return None
    args: Args = {
        "name": Phrase(row.name),
        "share": Share(row.group.ratio),
        "rest": Share(base.group.ratio),
        "size": _ratio(rates, row.impact_ratio),
    }
    return Message("form-strip", args, reveals=_RATES)


def _ratio(rates: RatesFinding, ratio: float) -> Amount:
    digits = digits_beside(ratio, [rates.table.threshold], digits=2)
    return Amount(ratio, 3 if digits is None else digits)


def _shares(low: ImpactRow | None, high: ImpactRow | None, args: Args) -> tuple[Message, ...]:
    if low is None or high is None or None in (low.group.ratio, high.group.ratio):
        return ()
    shares: Args = {"share": Share(low.group.ratio), "rest": Share(high.group.ratio)}
    key = "form-lead-rates-crossed" if len(low.values) > 1 else "form-lead-rates"
    return (Message(key, args | shares, reveals=_RATES),)


def _say_pay(finding: PresetFinding, reading: FormReading, args: Args) -> Said:
    limit = marking_limit(finding)
    args |= {"k": Count(reading.n_below), "n": Count(reading.n_compared), "open": Count(reading.n_open)}
    if limit is not None:
        args["limit"] = Share(limit)
        args["why"] = Word(why_closed(finding, reading.marked))
    if (marking := _first(finding, lambda pay: pay.check.mark_from is not None)) is not None:
        args |= {"statistic": Word(marking.table.statistic), "column": Phrase(marking.table.columns[-1])}
    if finding.preset.answers_worker:
        lead = _told(finding, reading, args)
    else:
        lead = _marked(finding, reading, args) or _other_gaps(finding, args)
    return Said(
        _verdict(reading, args, _PAY), _pay_headline(finding, reading, args), lead[:3], _caution(finding, reading)
    )


def _pay_headline(finding: PresetFinding, reading: FormReading, args: Args) -> Message:
    row = None if reading.overall is None else reading.overall[1]
    if row is None and finding.preset.is_joint and reading.n_compared:
        return Message("form-headline-apart", args, reveals=_PAY)
    if reading.verdict == "held_back" and row is not None and row.gap is None:
        held = [side.value is None for side in (row.protected, row.reference)]
        which = Word("both" if all(held) else "protected" if held[0] else "others")
        return Message("form-headline-held", args | {"which": which}, reveals=_PAY)
    if row is None or row.gap is None or math.isnan(row.gap):
        hides = hides_gaps(finding) or holds_back(finding) if row is None else row.gap is None
        return Message("form-headline-pay-hidden" if hides else "form-headline-pay-none", reveals=_PAY)
    differs = "form-headline-stated" if finding.preset.answers_worker else "form-headline-pay"
    key = "form-headline-pay-same" if is_same_pay(row.gap) else differs
    return Message(key, args | _gap_args(finding, row), reveals=_PAY)


def _gap_args(finding: PresetFinding, row: PayRow) -> Args:
    return {"gap": gap_share(finding, row.gap), "direction": Word("less" if row.gap > 0 else "more")}


def _told(finding: PresetFinding, reading: FormReading, args: Args) -> tuple[Message, ...]:
    """Return what the worker who asked is given: own pay, and the averages of the category."""
    if finding.worker is None or reading.overall is None:
        return ()
    pay, row = reading.overall
    own = dict(finding.worker.pay).get(pay.table.column, math.nan)
    means = [side.value for side in (row.protected, row.reference)]
    largest = max((each for each in (own, *means) if _is_stated(each)), default=0.0)
    digits = 0 if largest >= LARGE_AMOUNT else 2
    said: tuple[Message, ...] = ()
    if _is_stated(own):
        said += (Message("form-lead-own", args | {"amount": Amount(own, digits)}, reveals=_PAY),)
    known = [(name, mean) for name, mean in zip(("protected", "others"), means, strict=True) if _is_stated(mean)]
    if len(known) > 1:
        both: Args = {"amount": Amount(means[0], digits), "other": Amount(means[1], digits)}
        said += (Message("form-lead-averages", args | both, reveals=_PAY),)
    for group, mean in known if len(known) == 1 else ():
        average: Args = args | {"group": args[group], "amount": Amount(mean, digits)}
        said += (Message("form-lead-average", average, reveals=_PAY),)
    return said


def _is_stated(figure: float) -> bool:
    """Say whether there is a figure, which is not hidden."""
    is_hidden: bool = figure is None
    return not is_hidden and math.isfinite(figure)


def _marked(finding: PresetFinding, reading: FormReading, args: Args) -> tuple[Message, ...]:
    found = _marked_gaps(finding, reading, args)
    if not finding.preset.is_joint:
        return found
    # The headline of a joint assessment says in how many categories it is.
    found = tuple(each for each in found if each.key not in ("form-lead-marked", "form-lead-none-marked"))
    if not reading.marked:
        return found
    lacking = sum(row.name not in finding.plan.measures for _, row in reading.marked)
    return (*found[:2], Message("form-lead-measures", args | {"n": Count(lacking)}))


def _marked_gaps(finding: PresetFinding, reading: FormReading, args: Args) -> tuple[Message, ...]:
    if "limit" not in args or not reading.n_compared:
        return ()
    if not reading.marked:
        return (Message("form-lead-none-marked", args, reveals=_PAY),)
    if len(reading.marked) == 1:
        [(pay, row)] = reading.marked
        one: Args = {"place": Phrase(category_name(pay, row)), "size": gap_share(finding, row.gap)}
        day = finding.plan.remedied.get(row.name)
        closed: Args = args | {"day": Phrase("") if day is None else day_words(day)}
        reason = () if reading.n_open else (Message("form-lead-reason-one", closed),)
        found = Message("form-lead-marked-one", args | one, reveals=_PAY)
        # Of gaps that are hidden, nobody knows.
        others = (
            () if hides_gaps(finding) or reading.n_compared < 2 else (Message("form-lead-others", args, reveals=_PAY),)
        )
        return (found, *reason, *others)
    reason = () if reading.n_open else (Message("form-lead-reasons", args),)
    return (Message("form-lead-marked", args, reveals=_PAY), *reason)


def _other_gaps(finding: PresetFinding, args: Args) -> tuple[Message, ...]:
    """Return the gap by the median, and who is in the lowest and highest quarter of pay."""
    found: tuple[Message, ...] = ()
    median = _first(finding, lambda pay: pay.table.statistic == "median" and not pay.has_rows)
    if median is not None and _is_stated((row := median.table.rows[0]).gap) and not is_same_pay(row.gap):
        found += (Message("form-lead-median", args | _gap_args(finding, row), reveals=_PAY),)
    quarters = _first(finding, lambda pay: pay.table.statistic == "quarter")
    if quarters is not None:
        ends = quarters.table.rows[0].protected.value, quarters.table.rows[-1].protected.value
        if None not in ends and all(map(math.isfinite, ends)):
            shares: Args = {"low": Share(ends[0]), "high": Share(ends[1])}
            found += (Message("form-lead-quarters", args | shares, reveals=_PAY),)
    share = share_not_disclosed(finding)
    return found if share is None else (*found, Message("form-lead-undisclosed", args | {"share": Share(share)}))


def _first(finding: PresetFinding, is_wanted: Callable[[PayFinding], bool]) -> PayFinding | None:
    return next((pay for pay in finding.pay if is_wanted(pay) and pay.table.rows), None)


def _say_means(finding: PresetFinding, reading: FormReading, args: Args) -> Said:
    means, row = require(reading.means)
    args |= {
        "column": Phrase(means.table.column),
        "group": group_called(finding, row.name),
        "reference": group_called(finding, str(means.table.reference)),
        "direction": Word("more" if row.standardized > 0 else "less"),
        "size": Amount(abs(row.standardized), 2),
    }
    is_clear = reading.verdict == "means_differ"
    key = "form-headline-means" if is_clear else "form-headline-means-alike"
    lead: tuple[Message, ...] = (Message("form-lead-size", args, reveals=_MEANS),)
    lead += (Message("form-lead-clear" if is_clear else "form-lead-chance", reveals=_MEANS),)
    return Said(_verdict(reading, args, _MEANS), Message(key, args, reveals=_MEANS), lead, _caution(finding, reading))


def _caution(finding: PresetFinding, reading: FormReading) -> tuple[Message, ...]:
    args = named(finding)
    why: tuple[Message, ...] = (
        *say_status(finding.preset, is_overdue=finding.is_overdue),
        Message("form-caution-advice", severity="note"),
    )
    if finding.pay and (missing := n_without_pay(finding)):
        why += (Message("form-caution-missing", {"n": Count(missing)}, "note", _PAY),)
    if finding.rates and (unknown := unknown_people(finding)):
        why += (Message("form-caution-unknown", args | {"n": Count(unknown)}, "note", _RATES),)
    if reading.rates is not None and (few := few_highest(finding, reading.rates[0])) is not None:
        highest: Args = {"n": Count(few.group.n), "name": Phrase(few.name)}
        why += (Message("form-caution-few", args | highest, "caution", _RATES),)
    if finding.pay and holds_back(finding):
        why += (Message("form-caution-few-held", args | {"n": Count(finding.preset.fewest)}, "caution", _PAY),)
    if shows_few(finding):
        why += (Message("form-caution-few-paid", args | {"n": Count(FEW_PAID)}, "caution", _PAY),)
    if lacks_base(finding):
        why += (Message("form-caution-no-base", args, "caution", _PAY),)
    if hides_rates(finding) or hides_gaps(finding):
        why += (Message("form-caution-hidden", severity="caution"),)
    if finding.left_out:
        why += (Message("form-caution-small", args | {"n": Count(len(finding.left_out))}, "note", _RATES),)
    if finding.not_known:
        why += (Message("form-caution-not-known", severity="caution"),)
    return why
