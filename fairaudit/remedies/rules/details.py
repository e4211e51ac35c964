"""A rule set in words and figures, how it was found, and what of it is shown where small counts are hidden."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, column, columns, fitted, setting
from fairaudit.measure.plain import Hideable
from fairaudit.remedies.tables import GAPS, TRAINING, TUNING

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
    stopped: bool = setting("Whether a person stopped the search before its end.", default=False)
    keeps_groups: bool = setting(
        "Whether the rule set is not the search's own, but made of its rules so that no group is worse off than "
        "before.",
        default=False,
    )
