"""A rule set, whom each of its rules concerns, and how it was found: figures, sentences and tables."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol

import pandas as pd

from fairaudit.conditions.spreadsheet import SpreadsheetLine
from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import AS_ABOVE, Field, Kind, column, columns, fitted, setting
from fairaudit.findings import Argument, Count, Message, Phrase, Share, Word
from fairaudit.measure.limits import SLACK, exceeds, within
from fairaudit.measure.plain import Hideable
from fairaudit.measure.quantity import Quantity
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import figures_table, frame_rows, frame_table, heads
from fairaudit.present.numbers import are_known, shown
from fairaudit.remedies.gap_curve import CURVE, CURVE_MEANING, new_curve, proven
from fairaudit.remedies.tables import GAPS, TRAINING, TUNING, differences_table, limits_by_rate, spreadsheet_table
from fairaudit.study.constraint_check import largest_gap
from fairaudit.study.findings import StudyFacts

RULES = columns(
    rule=column(int, "Number of the rule, from 1.", "rule", "number", "Its number.", digits=0),
    text=column(Hideable[str], "When it holds, in words.", "in words", "text", "When it holds."),
    condition=column(Hideable[str], "The same as a condition.", "condition", "code", "The same as a plan writes it."),
    n_literals=column(
        Hideable[int],
        "Its conditions, which must all hold.",
        "conditions",
        "number",
        "All of them must hold.",
        name="n_conditions",
        digits=0,
    ),
    cost=column(Hideable[int], "1 + `n_literals`.", "complexity", "number", "1, and 1 for each condition.", digits=0),
    uses_protected=column(
        Hideable[bool],
        "Whether it uses a column that says the group.",
        "decides by group",
        "text",
        "yes: it uses a column that says the group.",
    ),
    proxies=column(
        Hideable[str],
        "Columns in it that nearly reveal the groups, or empty.",
        "nearly says the group",
        "text",
        "Columns in it that nearly reveal the groups.",
    ),
    contrary=column(
        Hideable[str],
        "Conditions where, alone, the outcome is rarer on tuning cases, or empty.",
        "speaks against it",
        "text",
        "Conditions where, alone, the outcome is rarer.",
    ),
)

COVERAGE = columns(
    rule=column(
        int,
        "Number of the rule; 0: all rules together.",
        "rule",
        "number",
        "Its number; 0: all rules together.",
        digits=0,
    ),
    group=column(str, "The group.", "group", "group"),
    n=column(int, "Test cases of the group.", "test cases", "count", "Of the group."),
    n_covered=column(int, "Those that the rule holds for.", "holds for", "count"),
    coverage=column(float, "`n_covered` / `n`.", "share", "share", "The same as a share of the group."),
    coverage_low=column(
        float, "Lower end of its interval.", "likely range", "share_interval", "Wilson interval of that share."
    ),
    coverage_high=column(float, "Upper end."),
    n_right=column(int, "Those of them that have the outcome.", "right for", "count"),
    precision=column(float, "`n_right` / `n_covered`.", "right, share", "share", "The same as a share."),
    precision_low=column(
        float, "Lower end of its interval.", "its likely range", "share_interval", "Wilson interval of that share."
    ),
    precision_high=column(float, "Upper end."),
    n_only=column(
        int, "Those that no other rule holds for.", "only this rule", "count", "Cases that no other rule holds for."
    ),
    n_only_wrong=column(
        int,
        "Those of them that do not have the outcome.",
        "only this rule, wrong",
        "count",
        "Those of them without the outcome.",
    ),
)

PATH = columns(
    round=column(int, "Number of the round.", "round", "number", "Its number.", digits=0),
    n_columns=column(int, "Rules considered until then.", "rules", "number", "Considered until then.", digits=0),
    lp_value=column(float, "Fewest errors if rules counted in part.", "rules in part", "number", digits=1),
    bound=column(
        float,
        "Proven to be the fewest errors; NaN where nothing is.",
        "fewest possible",
        "number",
        "No allowed list has fewer errors.",
        digits=1,
    ),
    incumbent=column(
        float,
        "Errors of the best list so far; NaN where there is none.",
        "best so far",
        "number",
        "Errors of the best list found.",
        digits=1,
    ),
)

BOUNDS = columns(
    max_rule_length=column(
        int, "Conditions of each rule, at most.", "conditions, at most", "number", "Of a rule.", digits=0
    ),
    bound=column(
        float,
        "No list of such rules has fewer errors; 0: not proven.",
        "fewest errors",
        "number",
        "No allowed list of such rules has fewer.",
        digits=0,
    ),
)

FRONTIER = columns(
    max_complexity=column(int, "Complexity that was allowed.", "complexity allowed", "number", "A setting.", digits=0),
    max_difference=column(float, "Limit, before a margin is taken off.", "limit, points", "size", "A setting."),
    complexity=column(int, "Of the list of rules.", "complexity", "number", digits=0),
    trained_accuracy=column(float, "Accuracy on the training cases.", "accuracy, training", "share", TRAINING),
    trained_gap=column(float, "Largest gap on the training cases.", "largest difference, training", "size", TRAINING),
    accuracy=column(float, "Accuracy on the tuning cases.", "accuracy, tuning", "share", TUNING),
    gap=column(float, "Largest gap on the tuning cases.", "largest difference, tuning", "size", TUNING),
    chosen=column(bool, "Whether it is this list.", "chosen", "text", "yes: these rules."),
)


@dataclass(frozen=True, eq=False)
class RulesDetails:
    """A rule set in words, what each rule does for whom, and how far from optimal it can be.

    "Covered" rows are those that a rule holds for. The outcome that rules predict is the one that ``models.positive``
    names; rates and precision are of that outcome. Rows of no known group count in none of this.
    """

    rules: pd.DataFrame = fitted("One row for each rule; the outcome is predicted where at least one holds.", RULES)
    coverage: pd.DataFrame = fitted("On the held-out rows, one row for each rule and group.", COVERAGE)
    gaps: pd.DataFrame = fitted(
        "One row for each rate and pair of groups. A gap is the rate of the first group minus that of the second. "
        "Empty where nothing must be alike.",
        GAPS,
    )
    max_complexity: int = setting(
        "What was allowed, and what the rule set has.", label="complexity allowed", kind="number"
    )
    complexity: int = setting(AS_ABOVE, label="complexity", kind="number")
    max_rule_length: int | None = setting(
        "Conditions of each rule, at most, among which rules were searched for; None for chosen rules.",
        label="conditions of a rule, at most",
        kind="number",
    )
    fairness: str | None = setting("What must be alike.")
    max_difference: float = setting(
        "What is allowed, and what is allowed on the training rows: less by the margin. Where no rule set keeps "
        "to that, `trained_gap` is larger.",
        label="limit",
        kind="size",
    )
    trained_difference: float = setting(AS_ABOVE, label="limit, training cases", kind="size")
    trained_gap: float = fitted(
        "The largest gap on the training and on the tuning rows; NaN where nothing must be alike.",
        label="largest difference, training cases",
        kind="size",
    )
    tuned_gap: float = fitted(AS_ABOVE, label="largest difference, tuning cases", kind="size")
    trained_accuracy: float = fitted(
        "On the training and on the tuning rows.", label="accuracy, training cases", kind="share"
    )
    tuned_accuracy: float = fitted(AS_ABOVE, label="accuracy, tuning cases", kind="share")
    status: str = setting(
        'How the search ended: "optimal", "gap" (an optimality gap is left), "work_limit" (the allowed work was '
        'done), "stopped", or "chosen" for rules that a person chose.',
        label="end of the search",
    )
    objective: float = fitted(
        "The loss of the rule set, counted in training rows; NaN for chosen rules.",
        label="errors, as the search counts",
        kind="number",
    )
    lp_bound: float = fitted(
        "The linear bound and the proven bound on that loss over rules of at most `max_rule_length` conditions "
        "within the limit as the loss counts, and how far apart `objective` and `bound` are as a share of "
        "`objective`, rounded up where counts are hidden; NaN where the rule set is within the limit only in true "
        "rates.",
        label="bound, rules in part",
        kind="number",
    )
    bound: float = fitted(AS_ABOVE, label="fewest possible, proven", kind="number")
    optimality_gap: float = fitted(AS_ABOVE, label="above that, at most", kind="share")
    errors: float = fitted(
        "Training rows that are predicted wrongly, and how many are proven to be the fewest; NaN for chosen rules.",
        label="errors, each case once",
        kind="number",
    )
    errors_bound: float = fitted(AS_ABOVE, label="fewest possible, each case once", kind="number")
    counts_rows_once: bool = setting("Whether the loss is the number of wrong rows.")
    objective_words: str = setting("The loss in plain words.")
    n_columns: int = setting(
        "Rules that were considered, and rounds of the search for new ones.", label="rules considered", kind="number"
    )
    n_rounds: int = setting(AS_ABOVE, label="rounds", kind="number")
    path: pd.DataFrame = fitted("One row for each round of the search.", PATH)
    bounds: pd.DataFrame = fitted(
        "What is proven of shorter rules, and in the last row `bound`: one row for each length. Empty for chosen "
        "rules.",
        BOUNDS,
    )
    frontier: pd.DataFrame = fitted(
        "Rule sets of other settings, made of the same rules. Empty for chosen rules.", FRONTIER
    )
    notes: tuple[str, ...] = fitted("What happened on the way.", default=())
    solver: str = setting("Who looked for new rules, as the plan says.", default="auto")
    confirmed: Confirmed = setting(
        "Whether SCIP finds the rules within all rows of the integer program of the paper over the rules that were "
        'considered, with the same loss; "too_large" where that is not made for this alone, "no_such_model" where the '
        "rules keep to the limit in true rates alone, or come from no search for a loss.",
        default="no_such_model",
    )
    stopped: bool = setting("Whether a person stopped the search before its end.", default=False)
    keeps_groups: bool = setting(
        "Whether the rule set is not the search's own, but made of its rules so that no group is worse off than "
        "before.",
        default=False,
    )

    max_fpr_difference: float | None = setting(
        "How far false positive rates may be apart, where that is another limit than `max_difference`; None elsewhere.",
        label="limit, false positive rates",
        kind="size",
        default=None,
    )
    max_loss: float | None = setting(
        "How much accuracy may be lost for the smallest gap; None where the gap has a limit.", default=None
    )
    best_accuracy: float = fitted(
        "Of the best rule set on the training rows, as the search counts errors; NaN without `max_loss`.",
        default=math.nan,
    )
    gap_curve: pd.DataFrame = fitted(CURVE_MEANING, CURVE, default_factory=new_curve)

    @property
    def allowed(self) -> float | None:
        """How far rates may be apart; None where nothing must be alike, or the gap has no limit."""
        return None if self.fairness is None or self.max_loss is not None else self.max_difference


LONGEST_RULE = 1200
"""A rule longer than this is cut in a sentence; files hold it whole."""
_SHARE_DIGITS = 1
_SHARE = Quantity("share", 0)
Args = dict[str, Argument]


def rules_head(details: RulesDetails, facts: StudyFacts) -> str:
    """Return what is expected where a rule holds, or that there is none, or that they are hidden."""
    if not len(details.rules):
        return say(Message("rules-not-shown" if details.complexity else "rules-none"))
    args: dict[str, Argument] = {"outcome": Phrase(facts.positive_meaning), "n": Count(len(details.rules))}
    return say(Message("rules-head", args))


def rule_items(details: RulesDetails) -> tuple[str, ...]:
    """Return the rules, numbered, with what should be known beside each."""
    return tuple(map(rule_text, details.rules.itertuples()))


class RuleRow(Protocol):
    """A row of ``RulesDetails.rules``."""

    rule: int
    text: str
    uses_protected: bool
    proxies: str


def rule_text(row: RuleRow) -> str:
    """Return a rule with its number and what should be known beside it."""
    return " ".join((f"{row.rule}. {naming.whole(row.text, LONGEST_RULE)}.", *map(say, rule_marks(row))))


def rule_marks(row: RuleRow) -> tuple[Message, ...]:
    """Return what should be known beside a rule."""
    return (
        *((Message("rules-mark-group"),) if row.uses_protected else ()),
        *((Message("rules-mark-proxy", {"columns": Phrase(row.proxies)}),) if row.proxies else ()),
    )


def made(details: RulesDetails) -> tuple[Message, ...]:
    """Return how a rule set was made, and what it was allowed to be."""
    is_chosen = details.status == "chosen"
    size = {"n": Count(details.n_columns), "most": Count(details.max_complexity)}
    said = [Message("rules-made-by-hand") if is_chosen else Message("rules-made", size)]
    if details.fairness is not None and details.max_loss is None:
        alike: Args = {"alike": Word(details.fairness.replace("_", "-")), "size": _SHARE.limit(details.max_difference)}
        if details.max_fpr_difference is None:
            said.append(Message("rules-made-alike", alike))
        else:
            own: Args = {"fnr": alike["size"], "fpr": _SHARE.limit(details.max_fpr_difference)}
            said.append(Message("rules-made-apart", own))
        if not is_chosen and details.max_difference - details.trained_difference > SLACK:
            said.append(Message("rules-made-margin", {"size": _SHARE.limit(details.trained_difference)}))
    if details.keeps_groups:
        said.append(Message("rules-made-kept"))
    return tuple(said)


def proof(details: RulesDetails) -> tuple[Message, ...]:
    """Return how far from the best a rule set can be, and how the search ended."""
    if details.status == "chosen":
        return (Message("rules-no-search"),)
    if details.max_loss is not None:
        of_errors = details.fairness != "demographic_parity"
        own = proven(details, "rules", of_errors=of_errors, counts_once=details.counts_rows_once)
        said = (Message("remedy-lead-gap", {"gap": own[0]}), *own[1:]) if own else (Message("curve-open"),)
        return (*said, *_ended(details.status))
    if details.status == "optimal":
        return (Message("rules-proof"),)
    return (_distance(details), *_ended(details.status))


def solved(details: RulesDetails) -> tuple[Message, ...]:
    """Return who found the rules, and what SCIP says of them in the published program."""
    if details.status == "chosen":
        return ()
    found = Message("rules-solved", {"solver": Word(details.solver)})
    if details.confirmed == "no_such_model":
        return (found,)
    return found, Message("rules-confirmed", {"confirmed": Word(details.confirmed.replace("_", "-"))})


def _ended(status: str) -> tuple[Message, ...]:
    """Return that a search ended before it was through."""
    keys = {"work_limit": "rules-ended-work-limit", "stopped": "rules-ended-stopped"}
    return (Message(keys[status]),) if status in keys else ()


def _distance(details: RulesDetails) -> Message:
    gap = details.optimality_gap
    if gap is None or not math.isfinite(gap) or gap >= 1:
        return Message("rules-proof-open")
    # `gap` is a share of what was reached; people ask for the share of the lowest possible. Rounded up: "at most".
    above = math.ceil(round(1000 * gap / (1 - gap), 6)) / 1000
    return Message("rules-proof-near", {"above": Share(above, _SHARE_DIGITS)})


def rules_warnings(details: RulesDetails, n_covered: pd.Series, n_right: pd.Series) -> tuple[str, ...]:
    """Say what makes a rule set doubtful; the series count training rows by the number of the rule."""
    few = n_covered.index[n_covered < ENOUGH]
    wrong = n_covered.index[(n_covered > 0) & (2 * n_right < n_covered)]
    found = (
        *_limits(details),
        *(() if few.empty else (Message("rules-doubt-few", {"numbers": _named(few)}),)),
        *(() if wrong.empty else (Message("rules-doubt-wrong", {"numbers": _named(wrong)}),)),
    )
    return tuple(map(say, found))


def _limits(details: RulesDetails) -> tuple[Message, ...]:
    """Return that a limit is kept by those alone who are learned from."""
    if details.status == "chosen" or details.max_loss is not None:
        return ()
    if not are_known(details.trained_gap, details.tuned_gap):
        return ()
    gaps = [(details.trained_gap, details.tuned_gap, details.max_difference)]
    if details.max_fpr_difference is not None:
        limits = limits_by_rate(details)
        by_rate = details.gaps.groupby("rate")[["trained", "tuned"]].agg(largest_gap)
        gaps = [(row.trained, row.tuned, limits[str(row.Index)]) for row in by_rate.itertuples()]
    if all(within(own, limit) for own, _, limit in gaps) and any(exceeds(own, limit) for _, own, limit in gaps):
        return (Message("rules-doubt-margin"),)
    return ()


def _named(numbers: pd.Index) -> Phrase:
    return Phrase(", ".join(map(str, numbers)))


Confirmed = Literal["yes", "no", "too_large", "no_such_model"]

COUNTS = ("n", "n_covered", "n_right", "n_only", "n_only_wrong")
ENDS = {
    "gap": "all steps taken",
    "work_limit": "all work done that was allowed",
    "stopped": "stopped by a person",
    "optimal": "proven to be the best",
    "chosen": "chosen by a person",
}


TOTALS = ("n_covered", "n_right", "precision", "n_only", "n_only_wrong")


def rules_table(details: RulesDetails, number: int) -> TableBlock:
    """Return one row a rule: what it says, what it costs and what it does on the test cases of all groups."""
    other = {"n_covered": "Test cases of a known group.", "n_only": "Test cases that no other rule holds for."}
    summed = (replace(each, meaning=other.get(each.name, each.meaning)) for each in heads(COVERAGE, TOTALS))
    totals = _totals(details)
    rows = []
    for number_of, cells in zip(details.rules["rule"], frame_rows(details.rules, RULES), strict=True):
        counts = totals.get(number_of)
        rows.append((*cells, *(shown(counts and counts[name]) for name in TOTALS)))
    return TableBlock(f"remedy_{number}_rules", "The rules", (*heads(RULES), *summed), tuple(rows))


def lookup_table(details: RulesDetails, facts: StudyFacts, number: int) -> TableBlock:
    """Return one row a rule, for a spreadsheet; without rows where the rules are hidden."""
    lines = [
        SpreadsheetLine(int(row.rule), row.text, row.condition, facts.positive_meaning)
        for row in details.rules.itertuples()
        if row.condition is not None
    ]
    return spreadsheet_table(f"remedy_{number}_lookup", "The rules for a spreadsheet", "rule", lines)


def coverage_table(details: RulesDetails, number: int) -> TableBlock:
    """Return one row for each rule and group, and for the whole set and group, on the test cases."""
    key, title = f"remedy_{number}_coverage", "Whom each rule concerns"
    return frame_table(key, title, details.coverage, COVERAGE, note="Rule 0: all rules.")


def rates_table(details: RulesDetails, number: int) -> TableBlock:
    """Return the difference of each rate and pair of groups on training, tuning and test cases side by side."""
    if details.max_loss is not None:
        without = {name: field for name, field in GAPS.items() if name != "reading"}
        return frame_table(f"remedy_{number}_rates", "Differences between groups", details.gaps, without)
    return differences_table(details, f"remedy_{number}_rates")


SEARCH: Final[dict[Kind, Field]] = {
    "number": Field("value", "value", "number", "Where it is a number.", digits=1),
    "share": Field("share", "share", "share", "Where it is a share."),
    "size": Field("gap", "difference, points", "size", "Where it is a difference or a limit."),
    "text": Field("words", "in words", "text", "What is counted."),
}
FOUND = ("status", "max_complexity", "complexity")
SEARCHED = (
    "objective", "max_rule_length", "lp_bound", "bound", "optimality_gap", "errors", "errors_bound", "n_columns",
    "n_rounds",
)  # fmt: skip
LIMITED = ("max_difference", "max_fpr_difference", "trained_difference", "trained_gap", "tuned_gap")


def search_table(details: RulesDetails, number: int) -> TableBlock:
    """Return how the search for rules ended, one row a figure."""
    limited = tuple(each for each in LIMITED if each != "max_fpr_difference" or details.max_fpr_difference is not None)
    names = (
        *FOUND,
        *(SEARCHED if details.status != "chosen" else ()),
        *(LIMITED[3:] if details.max_loss is not None else limited if details.fairness is not None else ()),
        *("trained_accuracy", "tuned_accuracy"),
    )
    words = {
        "status": ENDS[details.status], "objective": details.objective_words, "optimality_gap": "of the errors"
    }  # fmt: skip
    title, kinds = "How the rules were found", dict[str, Kind]()
    if details.max_loss is not None:
        kinds = {"objective": "size", "lp_bound": "size", "bound": "size"}
        words["optimality_gap"] = "of the gap"
    return figures_table(f"remedy_{number}_search", title, details, names, SEARCH, words=words, kinds=kinds)


def path_table(details: RulesDetails, number: int) -> TableBlock:
    """Return one row a round of the search for rules."""
    return frame_table(f"remedy_{number}_path", "Rounds of the search", details.path, PATH)


def bounds_table(details: RulesDetails, number: int) -> TableBlock:
    """Return what is proven of short rules, one row for each length."""
    key, title = f"remedy_{number}_bounds", "Proven, by length of rules"
    return frame_table(key, title, details.bounds, BOUNDS, note="0: nothing is proven.")


def frontier_table(details: RulesDetails, number: int) -> TableBlock:
    """Return rule sets of other settings, made of the same rules, on training and tuning cases."""
    return frame_table(f"remedy_{number}_frontier", "Rules of other settings", details.frontier, FRONTIER)


def _totals(details: RulesDetails) -> dict[int, dict[str, float]]:
    """Return the counts of each rule over all groups, and its precision; empty where they are hidden."""
    sums = details.coverage.groupby("rule")[list(COUNTS)].sum()
    sums = sums.assign(precision=sums["n_right"] / sums["n_covered"].where(sums["n_covered"] > 0))
    return {int(rule): record for rule, record in sums.to_dict("index").items()}
