"""Sentences about trees of amounts: what was done, whether limits hold, and who is treated alike."""

from __future__ import annotations

import math

from fairaudit.present import brief
from fairaudit.present.numbers import is_number, number_text
from fairaudit.remedies.shared.amount_words import digits_of
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails, is_beyond
from fairaudit.remedies.trees.result_words import treated_words
from fairaudit.remedies.trees.words import method_words
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts


def done_sentences(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
    """Return what was done, in a few sentences."""
    details = finding.details
    digits = digits_of(facts)
    leaves = "one leaf" if details.n_leaves == 1 else f"{details.n_leaves} leaves"
    kinds = " Splits may weigh several columns." if details.branching == "linear" else ""
    if details.leaf_kind == "linear":
        kinds += " A leaf may weigh columns of numbers."
    texts = [
        f"A tree of amounts was learned from the training rows. {method_words(details)}{kinds}",
        f"It has {leaves} and a depth of {details.depth}; at most {details.max_depth} was allowed.",
        _asked(details, digits),
    ]
    if details.trained_mae is not None:
        texts.append(
            f"It is {number_text(details.trained_mae, digits=digits)} off on average on the training rows, and "
            f"{number_text(details.tuned_mae, digits=digits)} on the tuning rows, which it did not learn from."
        )
    texts.append(f"It is compared with {finding.before.name}.")
    return " ".join(text for text in texts if text)


def kept_sentence(details: AmountTreeDetails, facts: AmountStudyFacts) -> str:
    """Return whether mean predictions are as close together as was asked, on all parts of the rows."""
    if details.constraint is None or details.held_out_gap is None or math.isnan(details.held_out_gap):
        return ""
    digits = digits_of(facts)
    sides = (
        (details.trained_gap, "training rows"),
        (details.tuned_gap, "tuning rows"),
        (details.held_out_gap, "held-out rows"),
    )
    sizes = [
        f"{number_text(value, digits=digits)} on the {rows}"
        for value, rows in sides
        if value is not None and math.isfinite(value)
    ]
    kept = "not kept" if is_beyond(details.held_out_gap, details, facts) else "kept"
    return (
        f"Mean predictions of any two groups may be {number_text(details.max_difference, digits=digits)} apart; the "
        f"largest difference is {', '.join(sizes)}. So the limit is {kept} on the held-out rows. A limit that is kept "
        "on the training rows is not a promise for others."
    )


def similar_sentence(details: AmountTreeDetails, before: str, digits: int) -> str:
    """Return how many people are treated as those like them are, before and after."""
    treated, before_share = treated_words(details)
    if not treated:
        return ""
    within = number_text(details.alike_within, digits=digits)
    return (
        f"{treated}: what is predicted for those like them in their own group is on average at most {within} from "
        f"what is predicted for all who are like them. With “{brief.short(before)}” it is {before_share}."
    )


def beyond_sentence(details: AmountTreeDetails, facts: AmountStudyFacts) -> str:
    """Return that groups are further apart on the tuning rows than is allowed, and what helps; empty where not."""
    if not is_beyond(details.tuned_gap, details, facts):
        return ""
    digits = digits_of(facts)
    gap, allowed = (number_text(value, digits=digits) for value in (details.tuned_gap, details.max_difference))
    return (
        f"On the tuning rows, which the tree was not learned from, mean predictions differ by {gap}, where {allowed} "
        "are allowed. A smaller limit leaves room for chance, and fewer questions leave less to it."
    )


def tree_sentence(details: AmountTreeDetails, meaning: str, digits: int) -> str:
    """Return what a tree predicts, in one or two sentences."""
    leaves = details.nodes[details.nodes["is_leaf"].astype(bool)]
    amounts = [float(value) for value in leaves["prediction"] if value is not None and math.isfinite(value)]
    low, high = (number_text(end, digits=digits) for end in (min(amounts, default=0.0), max(amounts, default=0.0)))
    all_shown = len(amounts) == details.n_leaves and leaves["words"].notna().all()
    if details.n_leaves == 1:
        what = "weighs columns of numbers" if details.leaf_kind == "linear" else "is the same for everybody"
        amount = f", {low}" if all_shown and details.leaf_kind == "constant" else ""
        return f"The tree is one leaf: the predicted {meaning} {what}{amount}."
    levels = "one question" if details.depth == 1 else f"at most {details.depth} questions"
    if not all_shown:
        return f"Each of its {details.n_leaves} leaves predicts {meaning}. A person comes to a leaf by {levels}."
    mean = " on average" if details.leaf_kind == "linear" and not leaves["words"].map(is_number).all() else ""
    return (
        f"The tree predicts {meaning} from {low} to {high}{mean}, in {details.n_leaves} leaves. A person comes to a "
        f"leaf by {levels}."
    )


def _asked(details: AmountTreeDetails, digits: int) -> str:
    sentences = []
    if details.constraint is not None:
        limit = number_text(details.max_difference, digits=digits)
        sentences.append(f"Asked was that mean predictions of any two groups differ by at most {limit}.")
    if details.discrimination is not None:
        index = "DIDI and DTDI" if details.discrimination == "both" else details.discrimination.upper()
        how = [f"counts {details.fairness_weight:g} times"] if details.fairness_weight else []
        if details.max_discrimination is not None:
            how.append(f"may be {details.max_discrimination:g} at most")
        sentences.append(f"Beside the errors, {index} {' and '.join(how)} on the training rows.")
    return " ".join(sentences) or "Nothing had to be alike between groups."
