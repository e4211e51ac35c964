"""The answer of a comparison of remedies in the shape of all results: verdict, headline, lead, caution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairaudit.findings import Argument, Count, Message, Said, Word
from fairaudit.measure.quantity import Quantity
from fairaudit.messages import say_whole
from fairaudit.messages.verbs import would_verb
from fairaudit.sections.compare.reading import (
    BESIDE,
    CompareReading,
    ModelRow,
    Remedies,
    read_comparison,
    right_figure,
)
from fairaudit.sections.remedy.reading import Beside, beside_models, unit_of

Args = dict[str, Argument]
HEADLINES: Mapping[str, str] = {
    "limit_met": "compare-headline-met",
    "limit_met_in_test": "compare-headline-in-test",
    "limit_not_met": "compare-headline-not-met",
    "one_answer": "compare-headline-one-answer",
    "nearly_one_answer": "compare-headline-nearly-one-answer",
    "worse_than_simple_rule": "compare-headline-simple-rule",
    "nothing_to_compare": "compare-headline-no-remedy",
    "not_shown": "compare-headline-not-shown",
}
RIGHT: Mapping[Beside, str] = {
    "decision": "compare-lead-matches",
    "outcome": "compare-lead-accuracy",
    "amount": "compare-lead-error",
}
_ANSWER = ("facts", "remedies")


def say_comparison(finding: Remedies, numbers: Sequence[int] = ()) -> Said:
    """Say which remedies meet the limit; of those whose small counts are hidden, what is left.

    `numbers` of several remedies of one kind are their places, unless they are given.
    """
    reading = read_comparison(finding, numbers)
    verdict = Message(f"verdict-{reading.verdict.replace('_', '-')}", reveals=_ANSWER)
    quantity = unit_of(finding.facts)
    args = shared_args(finding, quantity) | _counts(reading)
    headline = Message(_headline_key(reading), args, reveals=_ANSWER)
    if not reading.n_tried:
        return Said(verdict, headline)
    lead = () if reading.best is None else _lead(finding, reading, reading.best, quantity, args)
    return Said(verdict, headline, lead, _caution(reading, args))


def answer_text(finding: Remedies) -> str:
    """Return the answer as one paragraph."""
    return say_whole(say_comparison(finding))


def shared_args(finding: Remedies, quantity: Quantity) -> Args:
    """Return what messages about all remedies speak of."""
    names, limit = finding.facts.names, finding.facts.decisions.tolerance
    return {
        "protected": names.protected,
        "others": names.others,
        "verb": names.verb,
        "would": would_verb(names.verb),
        "what": names.what,
        "quantity": Word(quantity.kind),
        "limit": quantity.limit(limit),
        **({} if names.similar is None else {"similar": names.similar}),
        "allowed": Word("set" if finding.facts.is_limit_set else "proposed"),
    }


def _counts(reading: CompareReading) -> Args:
    """Return how many remedies are spoken of, which these are of all, how many meet their limit, and by which limit."""
    spoken = reading.usable or reading.remedies
    part = "usable" if len(spoken) < reading.n_tried else "shown" if reading.n_hidden else "all"
    return {
        "n": Count(len(spoken)),
        "k": Count(len(reading.met)),
        "sure": Count(sum(row.limit == "limit_met" for row in reading.met)),
        "part": Word(part),
        "limits": Word("own" if any(row.has_own_limit for row in spoken) else "gap"),
    }


def _headline_key(reading: CompareReading) -> str:
    if reading.n_tried and not reading.usable and reading.verdict == "limit_not_met":
        return "compare-headline-none-usable"
    is_mixed = reading.verdict == "limit_met" and {row.limit for row in reading.met} != {"limit_met"}
    return "compare-headline-met-some" if is_mixed else HEADLINES[reading.verdict]


def _lead(
    finding: Remedies, reading: CompareReading, best: ModelRow, quantity: Quantity, args: Args
) -> tuple[Message, ...]:
    is_outcome = finding.facts.decision_is_outcome
    # No remedy gains anything: not the smallest gap of any that somebody could take, either.
    best = reading.usable[0] if reading.gains_nothing else best
    of = Word("all" if best is reading.remedies[0] else "usable" if best is reading.usable[0] else "met")
    args = args | {"remedy": best.phrase, "size": quantity.size_beside(best.gap, reading.limit), "of": of}
    past = reading.past
    if past is None:
        lead = [Message("compare-lead-smallest-alone", args, reveals=_ANSWER)]
    else:
        key = "compare-lead-gains-nothing" if reading.gains_nothing else "compare-lead-smallest"
        beside: Args = {
            "past": quantity.size_beside(past.gap, reading.limit),
            "about": Word("outcome" if is_outcome else "decision"),
            "turned": Word("yes" if reading.is_other_way(best) else "no"),
        }
        lead = [Message(key, args | beside, reveals=_ANSWER)]
        # What a model predicts is not given to anybody.
        if best.given is not None and past.given is not None and not is_outcome:
            given: Args = {"given": quantity.figure(best.given), "before": quantity.figure(past.given)}
            lead.append(Message("compare-lead-given", args | given, reveals=_ANSWER))
    if best.changes_nothing:
        lead.append(Message("compare-lead-unchanged", args, reveals=_ANSWER))
    elif best.right is not None and best.right_without is not None:
        right: Args = {
            "right": right_figure(quantity, best.right),
            "without": right_figure(quantity, best.right_without),
            "made": Word(best.without),
        }
        lead.append(Message(RIGHT[beside_models(finding.facts)], args | right, reveals=_ANSWER))
    return tuple(lead)


def _caution(reading: CompareReading, args: Args) -> tuple[Message, ...]:
    why: tuple[Message, ...] = ()
    named = [row for row in (*reading.met, reading.best) if row is not None and row.needs_group]
    if named:
        why += (Message("compare-caution-group", args | {"remedy": named[0].phrase}, "caution"),)
    if reading.n_turning and "similar" in args:
        turning = args | {"n": Count(reading.n_turning), "tried": Count(reading.n_tried)}
        why += (Message("compare-caution-turns", turning, "caution", _ANSWER),)
    if reading.n_hidden:
        why += (Message("compare-caution-hidden", {"n": Count(reading.n_hidden)}, "caution"),)
    if reading.usable and (beside := [row for row in reading.remedies if row.limit in BESIDE]):
        why += (_not_counted(beside),)
    return why


def _not_counted(rows: list[ModelRow]) -> Message:
    """Return which remedies nobody should take, whatever their gap: by name and reason, or of several how many."""
    if len(rows) > 1:
        return Message("compare-caution-beside-more", {"n": Count(len(rows))}, "caution", _ANSWER)
    [row] = rows
    why: Args = {"remedy": row.phrase, "why": Word("answer" if row.simple is None else "simple")}
    if row.simple is not None:
        why["rule"] = row.simple
    return Message("compare-caution-beside", why, "caution", _ANSWER)
