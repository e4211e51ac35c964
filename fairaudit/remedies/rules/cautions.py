"""What makes a rule set doubtful, in plain sentences."""

from __future__ import annotations

import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Remark
from fairaudit.measure.limits import exceeds, within
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.study.cautions import BARELY, mostly_wrong_text, not_kept_text
from fairaudit.study.rates_alike import chance_sentence, limit_text, limit_verb, measured_points_text

AT_LIMIT = Remark("More work, or less complexity, lets the search end by itself.", "setting")

BEFORE_AT_LIMIT = Remark(
    "The search without a limit, which this is compared with, ended because the work that was allowed was done.",
    "setting",
)


# That there is no rule stands where the rules would.
EMPTY = Remark(
    "There is no rule: the outcome is predicted for nobody. Within this complexity and limit, nothing that makes fewer "
    "errors was found.",
    "setting",
)


def rules_warnings(
    remedy: RulesPlan,
    details: RulesDetails,
    chance: pd.DataFrame,
    n_covered: pd.Series,
    n_right: pd.Series,
    same_for_all: float,
) -> tuple[str, ...]:
    """Say what makes a rule set doubtful, beyond what its details say themselves."""
    found = (
        AT_LIMIT if details.status == "work_limit" else None,
        None if len(details.rules) else EMPTY,
        _kept(remedy, details),
        *_gaps(details, chance),
        _few(n_covered),
        _mostly_wrong(n_covered, n_right),
        _barely_better(details, same_for_all),
        _too_complex(remedy, details),
    )
    return tuple(text for text in found if text)


def _kept(remedy: RulesPlan, details: RulesDetails) -> str | None:
    """Name a gap that is larger than what is allowed on the very rows that rules were found on."""
    chosen = details.status == "chosen"
    asked = details.max_difference - (0 if chosen else remedy.margin)
    if not exceeds(details.trained_gap, asked):
        return None
    gap, allowed = (
        measured_points_text(details.trained_gap, beside=asked),
        f"{limit_text(asked)} {limit_verb(asked)} allowed",
    )
    if chosen:
        return f"On the training rows the largest difference is {gap}, and {allowed}."
    return (
        f"No list of rules was found that keeps to what is allowed on the training rows: {allowed}, and the "
        f"difference is {gap}."
    )


def _gaps(details: RulesDetails, chance: pd.DataFrame) -> list[str | None]:
    """Name gaps that are small enough on the training rows and not on others, with what chance does."""
    if not len(chance):
        return []
    allowed = details.max_difference
    kept = details.gaps.loc[within(details.gaps["trained"].abs(), allowed), "reading"]
    found = [not_kept_text(kept, "training", what="difference")]
    if within(details.trained_gap, allowed) and exceeds(details.tuned_gap, allowed):
        found.append(chance_sentence(chance, allowed))
    return found


def _few(n_covered: pd.Series) -> str | None:
    few = n_covered.index[n_covered < ENOUGH]
    if not len(few):
        return None
    one = len(few) == 1
    return (
        f"{_numbered(few)} {'holds' if one else 'hold'} for fewer than {ENOUGH} training rows. What "
        f"{'it says' if one else 'they say'} may be chance."
    )


def _mostly_wrong(n_covered: pd.Series, n_right: pd.Series) -> str | None:
    wrong = n_covered.index[(n_covered > 0) & (2 * n_right < n_covered)]
    if not len(wrong):
        return None
    return mostly_wrong_text(f"{_numbered(wrong)} {'is' if len(wrong) == 1 else 'are'}", "rule")


def _barely_better(details: RulesDetails, same_for_all: float) -> str | None:
    if not len(details.rules) or details.tuned_accuracy > same_for_all + BARELY:
        return None
    return "On the tuning rows the rules are hardly more often right than predicting the same for everybody would be."


def _too_complex(remedy: RulesPlan, details: RulesDetails) -> str | None:
    if details.complexity <= remedy.max_complexity:
        return None
    return f"The complexity is {details.complexity}, more than the {remedy.max_complexity} that the plan allows."


def _numbered(numbers) -> str:
    texts = [str(number) for number in numbers]
    if len(texts) == 1:
        return f"Rule {texts[0]}"
    return f"Rules {', '.join(texts[:-1])} and {texts[-1]}"
