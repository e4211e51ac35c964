"""Sentences about what a rule set came to: how it was made, whether its gaps are within limits, and what to doubt."""

from __future__ import annotations

from fairaudit.measure.limits import SLACK, exceeds
from fairaudit.present.numbers import are_known, count_text, points_text, tolerance_text
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.rules.words import fairness_words
from fairaudit.remedies.shared.limit_words import MOST_LISTED, NO_PROMISE, gap_words, right_sentence
from fairaudit.remedies.shared.proxy_words import marked_notes
from fairaudit.study.findings import RemedyFinding

_PROMISES = (
    "The limit is on how far groups are apart, not on how well they do: they can also become alike because one does "
    "worse.",
    "Rules that can be read aloud can be checked by anyone; that they can be read does not make them right, and they "
    "say what goes with the outcome, not what brings it about.",
)


def made_sentences(finding: RemedyFinding) -> str:
    """Return how a rule set was made, and what it was allowed to be."""
    details = finding.details
    n = len(details.rules)
    size = (
        f"It has {n or 'no'} {'rule' if n < 2 else 'rules'} and a complexity of {details.complexity}, where each rule "
        "counts 1 and each of its conditions 1"
    )
    if details.status == "chosen":
        return f"A person chose these rules; nothing was learned for them. {size}. {_asked(details)}".rstrip()
    rounds = "one round" if details.n_rounds == 1 else f"{count_text(details.n_rounds)} rounds"
    texts = [
        "A list of rules was learned from the training rows by integer programming: rules are joined so that the loss "
        f"is as low as can be. Rules to choose from were searched for in {rounds}; {count_text(details.n_columns)} "
        "were considered.",
        f"{size}; at most {details.max_complexity} was allowed.",
        _asked(details),
        _taken(details),
    ]
    texts.append(right_sentence(details))
    return " ".join(text for text in texts if text)


def rules_kept_sentence(details: RulesDetails) -> str:
    """Return whether the gaps are within what is allowed on the held-out rows, and how clear that is."""
    gaps = details.gaps
    if not len(gaps):
        return ""
    allowed = f"what is allowed ({tolerance_text(details.max_difference)})"
    if len(gaps) <= MOST_LISTED:
        listed = "; ".join(gap_words(row, details.max_difference) for row in gaps.itertuples())
        return f"On the held-out rows, against {allowed}: {listed}."
    reading = gaps["reading"]
    within = int(reading.str.startswith("within").sum())
    clear, outside = int((reading == "within").sum()), int((reading == "outside").sum())
    undefined = int((reading == "not defined").sum())
    some = f"all {len(gaps)}" if within == len(gaps) else f"{within or 'none'} of the {len(gaps)}"
    text = f"On the held-out rows {some} differences between two groups are within {allowed}."
    if clear or outside:
        text += f" Allowing for chance in each by itself, {clear} are clearly within and {outside} clearly outside"
        text += "." if clear + outside == len(gaps) else "; for the others it is not clear."
    else:
        text += " With this many rows none of that is clear: each could be on the other side by chance."
    if undefined:
        text += f" {undefined} of them {'is' if undefined == 1 else 'are'} not defined: a rate is a share of no rows."
    sizes = gaps["held_out"].astype(float).abs()
    if sizes.notna().any():
        largest = gaps.loc[[sizes.idxmax()]].itertuples().__next__()
        text += f" The largest: {gap_words(largest, details.max_difference)}."
    return text


def sides_sentence(details: RulesDetails) -> str:
    """Return the largest gap on training, tuning and held-out rows side by side, and what a margin did."""
    if not len(details.gaps):
        return ""
    held_out = details.gaps["held_out"].astype(float).abs().max()
    sides = (
        (details.trained_gap, "training rows"),
        (details.tuned_gap, "tuning rows"),
        (held_out, "held-out rows"),
    )
    sizes = [
        f"{points_text(gap, signed=False, beside=details.max_difference)} on the {rows}"
        for gap, rows in sides
        if are_known(gap)
    ]
    texts = [f"The largest difference is {', '.join(sizes)}."] if sizes else []
    if not len(details.rules):
        texts += ["Without a rule the outcome is predicted for nobody, in any group and on any rows."]
        return " ".join([*texts, margin_words(details)] if _unmet(details) else texts)
    if details.status == "chosen":
        return " ".join([*texts, "These rules were not made to keep to a limit on any rows."])
    return " ".join([*texts, NO_PROMISE, margin_words(details)])


def margin_words(details: RulesDetails) -> str:
    """Return by how much the limit was tightened on the training rows, and why."""
    margin = details.max_difference - details.trained_difference
    allowed, trained = map(tolerance_text, (details.max_difference, details.trained_difference))
    if _unmet(details):
        return f"Already on the training rows no list of rules was found that keeps to {trained}."
    if details.max_difference <= SLACK:
        return "No difference at all was allowed, so there was no room for a margin."
    if margin > SLACK:
        return (
            f"A margin of {tolerance_text(margin)} was kept: on the training rows only {trained} of the {allowed} were "
            "allowed, so that other rows have room for chance. It makes it likelier that the limit holds on other "
            "rows, often at some cost in accuracy, and does not make it certain."
        )
    return (
        f"No margin was kept: all {allowed} could be used up on the training rows, so that chance alone can carry "
        "other rows beyond it. A margin would leave room for that."
    )


def rules_caveats(finding: RemedyFinding) -> tuple[str, ...]:
    """Return why a rule set does not prove much."""
    details = finding.details
    limit, reading = _PROMISES
    return (
        *marked_notes(details.rules, each="rule", whole="rules"),
        *(() if details.fairness is None else (limit,)),
        reading,
        *details.notes,
    )


def _asked(details: RulesDetails) -> str:
    if details.fairness is None:
        return "Nothing had to be alike between groups."
    words = fairness_words(details.fairness)
    limit = f"by at most {tolerance_text(details.max_difference)}"
    if details.status == "chosen":
        return f"It is held against this limit: {words} differ{_s(words)} {limit} between any two groups."
    return f"Asked was that {words} differ{_s(words)} {limit} between any two groups."


def _taken(details: RulesDetails) -> str:
    if details.keeps_groups:
        return (
            "Of the rules that were found, a list was made step by step that keeps to the limit on the training "
            "rows and, on the tuning rows, leaves no group worse off than without the remedy."
        )
    taken = "Of the lists of rules that were found, the one with the fewest wrong predictions there was taken"
    if details.fairness is None:
        return f"{taken}."
    if _unmet(details):
        return (
            "No list of rules that was found keeps to the limit there; the one that was taken is among those that come "
            "closest."
        )
    closest = "" if details.trained_gap is not None else ", or come closest to it"
    return f"{taken}, among those that truly keep to the limit{closest}."


def _unmet(details: RulesDetails) -> bool:
    """Say whether it is known that the limit could not be kept even on the training rows."""
    return are_known(details.trained_gap) and exceeds(details.trained_gap, details.trained_difference)


def _s(words: str) -> str:
    return "" if " and " in words else "s"
