"""What a remedy did in the shape of all results: verdict, headline, lead, caution."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from fairaudit.catalog import remedy_of
from fairaudit.errors import require
from fairaudit.findings import REST, Amount, Argument, Count, Message, Phrase, Points, Said, Share, Word
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.verdicts_of_many import resized_widest
from fairaudit.messages import say
from fairaudit.messages.verbs import would_verb
from fairaudit.present import naming
from fairaudit.present.naming import listed
from fairaudit.present.numbers import are_known
from fairaudit.sections.remedy.favorable_shares import given_share, gives_more, lost_shares
from fairaudit.sections.remedy.reading import (
    GAPS,
    Facts,
    Finding,
    GroupsCompared,
    Harm,
    RemedyReading,
    beside_models,
    decides_by_group,
    digits_apart,
    group_called,
    read_remedy,
)
from fairaudit.study.amounts.findings import AmountChange, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.cautions import was_stopped
from fairaudit.study.findings import RemedyFinding, StudyFacts
from fairaudit.study.hit_groups import hit_first
from fairaudit.study.judging.results import Change, GroupChange, WithinStrata, Yardstick

Args = dict[str, Argument]
HEADLINES: Mapping[str, str] = {
    "one_answer": "remedy-headline-one-answer",
    "nearly_one_answer": "remedy-headline-nearly-one-answer",
    "worse_than_simple_rule": "remedy-headline-simple-rule",
    "gap_smaller": "remedy-headline-smaller",
    "gap_larger": "remedy-headline-larger",
    "gap_unchanged": "remedy-headline-unchanged",
    "gap_may_not_have_changed": "remedy-headline-open",
    "nothing_to_compare": "remedy-headline-no-remedy",
    "not_shown": "remedy-headline-not-shown",
}
"""By verdict; one on a limit has the headline of its gap."""
LIMITS: Mapping[tuple[str, bool], str] = {
    ("met", True): "remedy-lead-limit-met",
    ("met_in_test", True): "remedy-lead-limit-met-in-test",
    ("not_met", True): "remedy-lead-limit-not-met",
    ("met", False): "remedy-lead-limits-met",
    ("met_in_test", False): "remedy-lead-limits-met-in-test",
    ("not_met", False): "remedy-lead-limits-not-met",
}
"""By limit, and whether it is one on the gap that is spoken of."""
HARMS: Mapping[Harm, str] = {
    "turned": "remedy-harm-turned",
    "opens": "remedy-harm-opens",
    "wider": "remedy-harm-wider",
}
HARMS_IN_SHARES = ("remedy-caution-fewer", "remedy-caution-missed", "remedy-caution-refused")
"""Cautions with two figures, beside which one sentence less is said."""
MOST_LEAD = 3
MOST_NAMED = 5
"""Columns that a caution names."""
AIMED_AT_ERRORS = ("thresholds", "equalize")
"""Remedies that bring errors nearer to each other, and the gap in shares as far as that does."""
GAPS_IN_ERRORS = ("tpr_gap", "fpr_gap")
KINDS: Mapping[str, str] = {
    "thresholds": "thresholds",
    "equalize": "score",
    "rules": "rules",
    "trees": "tree",
}
"""What comes out of a remedy; of any other a model."""
_ONE = ("one_answer", "nearly_one_answer")
_FAVORABLE = ("good_outcomes", "demographic_parity", "selection_rate")


def say_remedy(finding: Finding, facts: Facts) -> Said:
    """Say what a remedy did; of one whose small counts are hidden, what is left of it."""
    reading = read_remedy(finding, facts)
    args = named(finding, facts)
    verdict = Message(f"verdict-{reading.verdict.replace('_', '-')}", reveals=("after",))
    headline = _headline(reading, args)
    if reading.verdict == "not_shown":
        return Said(verdict, headline, (), _caution(finding, facts, reading, args))
    # Who gets the result in all is said before anything else that a remedy does.
    given = _given(finding, facts, args)
    aim = _aim(finding, reading, args)
    lead = [
        *_about_gap(reading, args),
        *_new_people(reading, facts, args),
        *given,
        *aim,
        *_right(finding, reading.quantity, args),
    ]
    own = remedy_of(finding.plan, facts.outcome).proven(finding, facts)
    if own and reading.verdict in GAPS:
        # What is proven is the answer; what became of the gap on test cases follows.
        gap = Message("remedy-lead-gap", {"gap": headline}, reveals=("before", "after", "decisions"))
        headline, lead = own[0], [*own[1:], gap, *lead]
    for is_said in (True, False):
        # That past decisions have a smaller gap is a caution where it is not said before.
        caution = _caution(finding, facts, reading, args, is_said=is_said)
        shown = tuple(lead)[: MOST_LEAD - any(each.key in HARMS_IN_SHARES for each in caution)]
        if is_said == any(map(_gains_nothing, (headline, *shown))):
            break
    return Said(verdict, headline, shown, caution)


def _gains_nothing(message: Message) -> bool:
    """Say whether a headline, or the one within a sentence, is that the gap is no smaller than in past decisions."""
    said = dict(message.args).get("gap", message)
    return isinstance(said, Message) and said.key == "remedy-headline-gains-nothing"


def remedy_text(finding: Finding, facts: Facts, name: Argument | None = None) -> str:
    """Return the answer as one paragraph after the name of the remedy, or the one that is given."""
    said = say_remedy(finding, facts)
    args: Args = {"name": name or Phrase(finding.name), "verdict": said.verdict, "headline": said.headline}
    return say((Message("remedy-line", args), *said.lead, *said.caution))


def done_sentence(finding: Finding, facts: Facts) -> str:
    """Return what was done, in words and with its counts."""
    done = remedy_of(finding.plan, facts.outcome).done(finding, facts)
    said = [Message("remedies-wish")] if finding.worse_off is not None and finding.worse_off.asked else []
    if strata := getattr(finding.plan, "strata", ()):
        said.append(Message("similar-made", {"strata": Phrase(listed(list(strata)))}))
    if (found := finding.certified) is not None:
        n = found.n_rows
        said.append(Message("remedies-some-set-aside" if n is None else "remedies-set-aside", {"n": Count(n or 0)}))
    return f"{done} {say(said)}" if said else done


def remedy_caveats(finding: RemedyFinding, facts: StudyFacts) -> tuple[str, ...]:
    """Return what makes a remedy doubtful, beside what its answer says: that it was stopped, or decides by group."""
    texts = []
    if finding.uses_protected_features and not finding.plan.marks_proxies and facts.protected_features:
        names = Phrase(listed([naming.short(name) for name in facts.protected_features[:MOST_NAMED]]))
        texts.append(say(Message("remedies-shows-group", {"columns": names})))
    texts += [text for text in finding.warnings if text]
    return (*texts, *remedy_of(finding.plan).cautions(finding, facts))


def errors_sentence(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
    """Return whose amounts are predicted too high or too low beyond chance; empty where that is hidden."""
    groups, digits = finding.after.groups, amount_digits(facts.deviation)
    if not len(groups):
        return ""
    said = [
        Message(
            "amount-errors-off",
            {
                "group": facts.names.others if row.group == REST else Phrase(naming.short(row.group)),
                "size": Amount(abs(row.error), digits),
                "direction": Word("more" if row.error > 0 else "less"),
            },
        )
        for row in groups.itertuples()
        if math.isfinite(row.error_low) and (row.error_low > 0 or row.error_high < 0)
    ]
    return say(said or Message("amount-errors-none"))


def repeats_sentence(finding: Finding) -> str:
    """Return the gap and the accuracy over all repeats, with the remedy and without; empty without repeats."""
    divisions = finding.divisions
    if divisions is None or divisions["division"].nunique() < 2:
        return ""
    gaps = divisions[divisions["measure"] == "gap"]
    right = divisions.loc[divisions["measure"] == "accuracy", "after"].dropna()
    said = [*_over_repeats(gaps["after"].dropna(), "remedies-repeats", "remedies-repeats-both")]
    if said:
        said += _over_repeats(gaps["before"].dropna(), "remedies-repeats-without", "remedies-repeats-without-both")
    if len(right):
        ends = {"low": Share(float(right.min())), "high": Share(float(right.max()))}
        said.append(Message("remedies-repeats-accuracy", ends))
    return say(said)


def _over_repeats(gaps: pd.Series, key: str, both: str) -> list[Message]:
    """Return between which sizes gaps lie, or how far to either side."""
    if gaps.empty:
        return []
    low, high = float(gaps.min()), float(gaps.max())
    if low < 0 < high:
        return [Message(both, {"low": Points(-low, 1), "high": Points(high, 1)})]
    small, large = sorted((abs(low), abs(high)))
    return [
        Message(
            key, {"low": Points(small, 1), "high": Points(large, 1), "side": Word("lower" if low < 0 else "higher")}
        )
    ]


def named(finding: Finding, facts: Facts) -> Args:
    """Return what a remedy is about, for all of its messages."""
    reading = read_remedy(finding, facts)
    names, compared, quantity = facts.names, reading.compared, reading.quantity
    about = beside_models(facts)
    args: Args = {
        "protected": names.protected if compared is None else compared.own,
        "others": names.others if compared is None else compared.other,
        "verb": names.verb,
        "would": would_verb(names.verb),
        "what": names.what,
        "quantity": Word(quantity.kind),
        "kind": Word(KINDS.get(finding.plan.method, "model")),
        "about": Word(about),
        "measure": Word("share" if compared is None else compared.measure),
        "called": Word("refused" if about == "decision" and not names.of_unfavorable else "flagged"),
        "whom": Word("verb" if _says_whom(compared, facts) else "others"),
    }
    if names.similar is not None:
        args["similar"] = names.similar
    if compared is not None and compared.change is not None:
        args |= {"before": quantity.size(compared.change.before), "after": quantity.size(compared.change.after)}
    if reading.simple is not None:
        args["rule"] = simple_rule_called(reading.simple.rule)
    return args


def _says_whom(compared: GroupsCompared | None, facts: Facts) -> bool:
    """Say whether those who are judged wrongly are a part of the people whom the verb is about."""
    return compared is not None and (compared.measure == "flagged") != facts.names.of_unfavorable


def _headline(reading: RemedyReading, args: Args) -> Message:
    if reading.verdict in HEADLINES and reading.verdict not in GAPS:
        return Message(HEADLINES[reading.verdict], args, reveals=("before", "after"))
    return _of_gap(reading, args)


def _of_gap(reading: RemedyReading, args: Args) -> Message:
    """Say what became of the gap: that it gains nothing on past decisions or turned around, before its size."""
    key = HEADLINES[reading.gap]
    if reading.gains_nothing:
        key = "remedy-headline-gains-nothing"
    elif reading.is_turned:
        key = "remedy-headline-turned"
    wider: Args = {"wider": Word("yes" if reading.is_wider else "no")}
    return Message(key, args | wider, reveals=("before", "after", "decisions"))


def _about_gap(reading: RemedyReading, args: Args) -> list[Message]:
    """Return what the two groups have, whether that is within a limit, and what is said before the gap."""
    if reading.verdict == "worse_than_simple_rule":
        if reading.limit is not None:
            return [*_simple(reading, args), _limit(reading, args)]
        gap = Message("remedy-lead-gap", {"gap": _of_gap(reading, args)}, reveals=("after",))
        return [*_simple(reading, args), gap]
    # A limit on what is not spoken of is said by itself.
    if reading.limit is not None and reading.limit_size is None:
        return [_limit(reading, args)]
    if reading.compared is None or reading.verdict in _ONE:
        return []
    return [_figures(reading, reading.compared, args)]


def _new_people(reading: RemedyReading, facts: Facts, args: Args) -> list[Message]:
    """Return whether a limit holds on new people, where that was asked; else how many cases that would take."""
    found = reading.certified
    if found is None or reading.verdict == "worse_than_simple_rule":
        return []
    is_certified = found.is_certified
    if is_certified and reading.limit_size is None and reading.limit == "met":
        # Said of all limits in one sentence.
        return []
    confidence: Args = {"confidence": Share(found.confidence, digits_of(found.confidence))}
    if is_certified:
        key = "remedy-lead-certified" if reading.limit == "met" else "remedy-lead-certified-missed"
        return [Message(key, args | confidence, reveals=("certified",))]
    n, n_cases = found.n_needed, facts.n_rows
    if n is None or n_cases is None or n <= n_cases:
        return [Message("remedy-lead-not-certified", args | confidence, reveals=("certified",))]
    needed: Args = {"n": Count(n), "all": Count(n_cases)}
    return [Message("remedy-lead-needs-cases", args | confidence | needed, reveals=("certified",))]


def digits_of(share: float) -> int:
    """Return with how many decimals a percentage is written in full, up to two.

    Examples
    --------
    >>> digits_of(0.9), digits_of(0.975)
    (0, 1)
    """
    return next((digits for digits in range(2) if round(100 * share, digits) == round(100 * share, 9)), 2)


def _aim(finding: Finding, reading: RemedyReading, args: Args) -> list[Message]:
    """Return what became of the wider gap in errors, where that is what a remedy closes and another is spoken of."""
    if getattr(finding.plan, "strata", ()):
        # It aims at averages over similar cases, and these figures are of all people together.
        return []
    if finding.plan.method not in AIMED_AT_ERRORS or args["measure"] != Word("share"):
        return []
    changes = [change for change in finding.changes if change.measure in GAPS_IN_ERRORS]
    if _is_too_few(finding, changes):
        # The verdict on one answer says all.
        return [] if reading.verdict in _ONE else [Message("remedy-lead-aim-few", args)]
    if len(changes) < 2 or not all(are_known(each.before, each.after, *each.interval) for each in changes):
        return []
    sizes = max(abs(each.before) for each in changes), max(abs(each.after) for each in changes)
    digits = digits_apart(*sizes, most=1)
    resized = resized_widest([(each.before, each.interval) for each in changes])
    is_open = resized == "gap_changed" or digits is None
    moved = "open" if is_open else resized.removeprefix("gap_")
    ends = (Points(size, digits or 0) for size in sizes)
    figures: Args = {"before": next(ends), "after": next(ends), "moved": Word(moved)}
    return [Message("remedy-lead-aim", args | figures, reveals=("after",))]


def _is_too_few(finding: Finding, changes: Sequence[Change | AmountChange]) -> bool:
    """Say whether a gap in errors is not known as a group has too few cases, and not as it is hidden."""
    if not isinstance(finding, RemedyFinding):
        return False
    sizes = [each.value for each in finding.after.measures if each.measure in GAPS_IN_ERRORS]
    if None in (*sizes, *(change.difference for change in changes)):
        return False
    return len(changes) < 2 or not all(math.isfinite(change.difference) for change in changes)


def _limit(reading: RemedyReading, args: Args) -> Message:
    limit, found = require(reading.limit), reading.certified
    said = args | _limit_sized(reading)
    if limit == "met" and found is not None:
        said |= {"confidence": Share(found.confidence, digits_of(found.confidence))}
        key = "remedy-lead-limits-certified" if reading.limit_size is None else "remedy-lead-limit-certified"
        return Message(key, said, reveals=("details", "certified"))
    return Message(LIMITS[limit, reading.limit_size is not None], said, reveals=("details",))


def _limit_sized(reading: RemedyReading) -> Args:
    size = reading.limit_size
    if size is None or reading.limit is None:
        return {"limit": Word("none"), "size": reading.quantity.size(0.0)}
    # The verdict says that a limit is not met; it is not said twice.
    side = Word("none" if reading.limit == "not_met" else "within")
    return {"limit": side, "size": reading.quantity.limit(size)}


def _figures(reading: RemedyReading, compared: GroupsCompared, args: Args) -> Message:
    own, rest = (reading.quantity.figure(value) for value in compared.after)
    turned = Word("yes" if reading.is_other_way else "no")
    figures: Args = {"own": own, "rest": rest, "turned": turned, **_limit_sized(reading)}
    is_wrong = compared.measure in ("flagged", "missed")
    key = "remedy-lead-wrongly" if is_wrong else "remedy-lead-figures"
    return Message(key, args | figures, reveals=("after", "details"))


def _simple(reading: RemedyReading, args: Args) -> list[Message]:
    """Return how often a simple rule is right beside the remedy, and the gap that either leaves."""
    simple = require(reading.simple)
    change = simple.rule.change
    digits = digits_apart(change.before, change.after, most=2) or 0
    shares: Args = {"own": Share(change.after, digits), "rest": Share(change.before, digits)}
    gaps: Args = {"size": reading.quantity.size(simple.gap), "after": reading.quantity.size(simple.own_gap)}
    return [
        Message("remedy-lead-simple-rule", args | shares, reveals=("yardsticks",)),
        Message("remedy-lead-simple-gap", args | gaps, reveals=("yardsticks", "after")),
    ]


def simple_rule_called(rule: Yardstick) -> Message:
    """Return what a simple rule is, and of which model it is made."""
    kind, learner = rule.kind.removesuffix("_closer"), rule.learner or "score"
    words: Args = {"simple": Word(kind.replace("_", "-")), "learner": Word(learner.replace("_", "-"))}
    return Message("remedy-simple-rule", words)


def _given(finding: Finding, facts: Facts, args: Args) -> list[Message]:
    """Return how many of all people have the favourable result; of a limit on errors the price is who is misjudged."""
    if not isinstance(finding, RemedyFinding) or not isinstance(facts, StudyFacts):
        return []
    before, after = given_share(facts.decisions), given_share(finding.after.fairness)
    if args["measure"] != Word("share") or before is None or after is None:
        return []
    turned = Quantity("share", 0, facts.names.of_unfavorable)
    more = not turned.is_turned and gives_more(finding, facts)
    own, past = turned.figure(after), turned.figure(before)
    asks: Args = {"own": own, "rest": past, "asks": Word("yes" if more else "no"), "moved": moved(own, past)}
    return [Message("remedy-lead-in-all", args | asks, reveals=("after",))]


def moved(own: Share | Amount, past: Share | Amount) -> Word:
    """Return where a figure has gone from another, as both are written."""
    scale = 100 if isinstance(own, Share) else 1
    now, before = (round(scale * each.value, each.digits) for each in (own, past))
    return Word("same" if now == before else "up" if now > before else "down")


def _right(finding: Finding, quantity: Quantity, args: Args) -> list[Message]:
    """Return how often a model is right, or how far it is from amounts."""
    before, after = finding.before.performance, finding.after.performance
    if not are_known(before, after) or not finding.changes:
        return []
    figures: Args = {"own": Amount(after, quantity.digits), "rest": Amount(before, quantity.digits)}
    if quantity.kind == "share":
        digits = 0 if before == after else _one_apart(before, after)
        figures = {"own": Share(after, digits), "rest": Share(before, digits)}
    return [Message("remedy-lead-matches", args | figures, reveals=("after",))]


def _one_apart(before: float, after: float) -> int:
    """Return the decimals of two shares: one where they are written alike without any."""
    return 1 if digits_apart(before, after, most=0) is None else 0


def _caution(
    finding: Finding, facts: Facts, reading: RemedyReading, args: Args, *, is_said: bool = False
) -> tuple[Message, ...]:
    """Return what to look at before a remedy is used: that it was stopped, one harm, and what the law may say."""
    stopped = [Message("remedy-caution-stopped", severity="caution")] if was_stopped(finding) else []
    harms = _harms(finding, facts, reading, args)
    if is_said:
        harms = [each for each in harms if each.key != "remedy-caution-wider"]
    lawful = [Message("remedy-caution-by-group", args, "caution")] if decides_by_group(finding) else []
    return (*stopped, *harms[:1], *lawful)


def _harms(finding: Finding, facts: Facts, reading: RemedyReading, args: Args) -> list[Message]:
    """Return the harms that a remedy does: that nobody gains comes first, then those among similar cases."""
    said: list[Message] = []
    if reading.gives_less:
        side: Args = {"side": Word("more" if facts.names.of_unfavorable else "less")}
        said.append(Message("remedy-caution-gives-less", args | side, "caution", ("after", "decisions")))
    if reading.harm is not None and finding.within is not None and facts.names.similar is not None:
        said.append(_within(finding.within, facts, reading.harm, reading.quantity, args))
    if reading.worse_off is not None and isinstance(facts, StudyFacts):
        said.append(_worse_off(reading.worse_off, facts, args))
    if reading.is_wider and reading.compared is not None and reading.compared.is_gap:
        size: Args = {"size": reading.quantity.size(facts.decisions.difference)}
        said.append(Message("remedy-caution-wider", args | size, "caution", ("decisions",)))
    if isinstance(finding, RemedyFinding) and finding.changes:
        lost = lost_shares(finding.after, finding.before)
        if lost is not None:
            is_good = finding.after.errors.positive == "favorable"
            key = "remedy-caution-refused" if is_good and not facts.names.of_unfavorable else "remedy-caution-missed"
            shares: Args = {"own": Share(1 - lost[0]), "rest": Share(1 - lost[1])}
            said.append(Message(key, args | shares, "caution", ("after",)))
    return said


def _within(found: WithinStrata, facts: Facts, harm: Harm, quantity: Quantity, args: Args) -> Message:
    side, was = ("before", found.before) if facts.decision_is_outcome else ("decisions", found.decisions)
    turned = replace(quantity, is_turned=facts.names.of_unfavorable)
    moved: Args = {
        "protected": facts.names.protected,
        "size": turned.size(found.after),
        "direction": turned.direction(found.after),
        "was": turned.size(was),
        "side": Word(side),
    }
    return Message(HARMS[harm], args | moved, "caution", ("within",))


def _worse_off(group: GroupChange, facts: StudyFacts, args: Args) -> Message:
    whom: Args = {"group": group_called(group.group, facts)}
    says_shares = group.rate in _FAVORABLE and group.more_is_better and not facts.names.of_unfavorable
    if not says_shares or facts.decision_is_outcome:
        return Message("remedy-caution-worse-off", args | whom, "caution", ("worse_off",))
    digits = _one_apart(group.before, group.after)
    shares: Args = {"own": Share(group.after, digits), "rest": Share(group.before, digits)}
    return Message("remedy-caution-fewer", args | whom | shares, "caution", ("worse_off",))


# Whom it hits.


def hit_quantity(finding: Finding, facts: Facts) -> Quantity:
    """Return how figures of groups that it hits are written."""
    # Shares are in no unit of their own.
    digits = 0 if facts.deviation is None else amount_digits(facts.deviation)
    return Quantity(facts.outcome.quantity, digits, facts.outcome.has_good_outcome and facts.names.of_unfavorable)


def say_hit(finding: Finding, facts: Facts) -> tuple[Message, ...]:
    """Say which group what it predicts hits most, or that none is hit by more than chance."""
    found = require(finding.hit)
    worst = next((each for each in hit_first(found) if each.stands_out), None)
    if worst is None or worst.interval is None:
        return (Message("remedy-hit-none", {"total": Count(found.n_considered)}, reveals=("hit",)),)
    quantity = hit_quantity(finding, facts)
    low, high = sorted(map(abs, (worst.interval.low, worst.interval.high)))
    args: Args = {
        "group": Phrase(worst.words),
        "share": quantity.figure(worst.rate),
        "rest": quantity.figure(worst.rest),
        "would": would_verb(facts.names.verb),
        "quantity": Word(quantity.kind),
        "low": quantity.size(low),
        "high": quantity.size(high),
    }
    return tuple(Message(f"remedy-hit-{what}", args, reveals=("hit",)) for what in ("most", "share", "range"))
