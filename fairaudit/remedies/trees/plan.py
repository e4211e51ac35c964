"""A decision tree: the part of a plan that asks for it."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from fairaudit.measure.vocabulary import AlikeInTrees
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.fields import Choice, InForm
from fairaudit.plan.models import AmountLearner, Learner
from fairaudit.plan.parts import word_of
from fairaudit.remedies.part import (
    HELD_ON_NEW_PEOPLE,
    HOLDS_NO_GAP,
    HOLDS_ONE_OF_TWO,
    MUST_BE_ALIKE,
    NAMES_GROUP,
    NONE_WRITTEN,
    SOLVERS,
    HeldAmongSimilar,
    HoldOnNewPeople,
    LargestGap,
    Margin,
    MaxLoss,
    NoGroupWorseOff,
    Solver,
)

DEEPEST: Final = 8
"""The largest depth of a tree: 256 leaves, which nobody can draw any more."""

Alike = Annotated[
    Literal[AlikeInTrees, "none"] | None,
    word_of(get_args(Literal[AlikeInTrees, "none"])),
    NONE_WRITTEN,
    MUST_BE_ALIKE,
]
"""What a tree must have alike between groups."""

Index = Annotated[
    Literal["didi", "dtdi", "both", "none"] | None,
    NONE_WRITTEN,
    InForm(
        label="Index of discrimination",
        help="DIDI: how far groups are from everybody. DTDI: the same among similar people. Both are 0 without a gap.",
        choices=(
            Choice("none", "None"),
            Choice("didi", "Disparate impact (DIDI)"),
            Choice("dtdi", "Disparate treatment (DTDI)"),
            Choice("both", "Both"),
        ),
        none="none",
    ),
]
"""Which index of discrimination is priced or bounded."""
INDEX_WORDS: Final = {"didi": "DIDI", "dtdi": "DTDI", "both": "DIDI and DTDI"}


class TreesPlan(HeldAmongSimilar):
    """A decision tree, found by integer programming or an exact search, under a constraint and a price.

    The outcome is the one that ``models.positive`` names.
    """

    does = "A few questions, asked one after another, lead to the prediction. Anyone can read and check them."
    has_score = False
    marks_proxies = True
    learns_known_groups = True
    keeps_model = True
    tried_on = (SHARES, AMOUNTS)

    method: Literal["trees"] = Field(default="trees", description="The kind of remedy.")
    search: Annotated[
        Literal["optimal", "look_ahead"],
        InForm(
            label="Which tree",
            choices=(
                Choice("optimal", "The best tree", "Searched for among all trees. For up to about 4 questions."),
                Choice("look_ahead", "A grown tree", "Question by question. For more questions and large tables."),
            ),
        ),
    ] = Field(
        default="optimal",
        description=(
            '"optimal": the best tree of this depth, or the best one found with what is proven about it; '
            '"look_ahead": grown node by node, for large tables and deep trees.'
        ),
    )
    max_depth: Annotated[
        Annotated[int, Field(ge=1, le=DEEPEST)],
        InForm(
            label="Questions a person",
            help="Fewer are easier to explain. More may be right more often, and take longer to search.",
            widget="slider",
        ),
    ] = Field(default=3, description="The most splits on a way.")
    constraint: Alike = Field(
        default="demographic_parity",
        description=(
            'Shares that must be alike between groups: at most `max_difference` apart, or, for "four_fifths", none '
            'below 80 % of another; "none" in a file. Where the decision is an amount, "demographic_parity" is about '
            "mean predictions."
        ),
    )
    max_difference: LargestGap = Field(default=0.05, description="How far apart they may be.")
    margin: Margin = Field(
        default=0.0,
        description="So much less is allowed on the training rows, so that held-out rows have room for chance.",
    )
    max_loss: MaxLoss = Field(
        default=None,
        description=(
            "How much accuracy may be lost on the training rows against the most accurate tree of this depth; then the "
            "difference is made as small as possible, and takes no `max_difference`."
        ),
    )
    discrimination: Index = Field(
        default=None,
        description='An index over all groups: "didi" (disparate impact), "dtdi" (disparate treatment) or both.',
    )
    fairness_weight: Annotated[
        Annotated[float, Field(ge=0, allow_inf_nan=False)],
        InForm(
            label="Price of a gap",
            help="0: questions are chosen for few errors only.",
            most=1e6,
            step=0.1,
            format="%g",
        ),
    ] = Field(
        default=0.0,
        description=(
            "The price of the index in the loss; in a search that looks ahead, which has no index, that of a "
            "difference between groups."
        ),
    )
    choose_weight: Annotated[
        bool,
        InForm(
            label="Choose the price of a gap",
            help="By trying it on parts of the training cases. That takes several times as long.",
        ),
    ] = Field(
        default=False,
        description=(
            "Has that price chosen by cross-validation on the training rows, in a search that looks ahead; there it "
            "is true unless a price is given."
        ),
    )
    prices_tried: Annotated[
        Literal["few", "published"],
        InForm(
            label="Prices that are tried",
            choices=(
                Choice("few", "Three", "0.02, 0.2 and 1."),
                Choice("published", "Fifty, as first published", "0.02, 0.04 and so on up to 1. That takes longer."),
            ),
        ),
    ] = Field(
        default="few",
        description='The prices that `choose_weight` tries: 0.02, 0.2 and 1, or "published": 0.02, 0.04 ... 1.',
    )
    look_ahead: Annotated[
        Annotated[int, Field(ge=1, le=4)] | None,
        InForm(
            label="Questions it looks ahead",
            help="0: two, and more while the tree gets better. Known as K.",
            least=0,
            most=4,
            step=1,
            none=0,
        ),
    ] = Field(
        default=None,
        description=(
            "How many levels a search that looks ahead sees below each node; None begins with 2 and takes more while "
            "the tree gets better."
        ),
    )
    sample_size: Annotated[
        Annotated[int, Field(ge=2)],
        InForm(
            label="Training cases a question",
            help="At most this many are looked at to choose one. The next sees all of its own again.",
            most=1_000_000,
            step=1000,
        ),
    ] = Field(
        default=8000, description="The rows of a node that a search that looks ahead chooses the split by, at most."
    )
    max_discrimination: Annotated[
        Annotated[float, Field(ge=0, allow_inf_nan=False)] | None,
        InForm(label="Largest index", help="On the training cases.", most=1e6, format="%g"),
    ] = Field(default=None, description="What the index may be at most.")
    branching: Annotated[
        Literal["single", "linear"],
        InForm(
            label="A question asks for",
            choices=(Choice("single", "One column"), Choice("linear", "Several columns, weighed")),
        ),
    ] = Field(default="single", description="A split uses one column, or a weighted sum of columns.")
    max_uses_per_feature: Annotated[
        Annotated[int, Field(ge=1)] | None,
        InForm(label="Questions a column, at most", help="0: no limit.", least=0, most=255, step=1, none=0),
    ] = Field(default=None, description="In how many splits a feature may be at most.")
    max_features: Annotated[
        Annotated[int, Field(ge=1)] | None,
        InForm(label="Columns, at most", help="0: no limit.", least=0, most=999, step=1, none=0),
    ] = Field(default=None, description="How many features the tree may use at most.")
    max_splits: Annotated[
        Annotated[int, Field(ge=1)] | None,
        InForm(
            label="Questions to choose from, at most",
            help="0: as many as the depth leaves time for. More may be right more often, and take longer to search.",
            least=0,
            most=1000,
            step=20,
            none=0,
        ),
    ] = Field(
        default=None,
        description=(
            "How many cuts of numbers and subsets of values the best tree is chosen from, at most; None: 1,000 at "
            "depth 1, 240 at 2, 80 at 3, and 40 to 60 at 4 and deeper."
        ),
    )
    solver: Annotated[
        Solver,
        InForm(
            label="Searched by",
            help="SCIP is a solver of integer programs. As first published takes very long on large tables.",
            choices=SOLVERS,
        ),
    ] = Field(
        default="auto",
        description=(
            'How the best tree is searched for: "auto", by our own searches, and by SCIP where these do not suffice; '
            '"search", by our own alone; "scip", by SCIP; "published", by SCIP in the integer program that was first '
            "published."
        ),
    )
    min_leaf_size: Annotated[
        Annotated[int, Field(ge=1)],
        InForm(
            label="Training cases an answer",
            help="At least. An answer learned from few cases may be chance.",
            most=1_000_000,
            step=1,
        ),
    ] = Field(default=10, description="The training rows that each leaf has at least.")
    n_neighbors: Annotated[
        Annotated[int, Field(ge=1)],
        InForm(
            label="Similar people",
            help="How many of those most like a person count as similar.",
            most=1000,
            step=1,
        ),
    ] = Field(default=10, description='How many nearest rows are similar, for "dtdi".')
    use_sensitive: Annotated[bool, InForm(label="Questions may name the group", help=NAMES_GROUP)] = Field(
        default=False, description="Whether splits may use columns that reveal the groups."
    )
    no_group_worse_off: NoGroupWorseOff = Field(
        default=False,
        description=(
            "Whether no group may do worse than before, on the tuning rows: the best tree is searched for among those "
            "that keep the groups' rates on the training rows, at higher floors where they do not on the tuning rows."
        ),
    )
    confidence: HoldOnNewPeople = Field(default=None, description=HELD_ON_NEW_PEOPLE)
    leaves: Annotated[
        Literal["constant", "linear"],
        InForm(
            label="An answer predicts",
            help="Weighted columns are closer to each person, slower to search and harder to explain.",
            choices=(Choice("constant", "One amount"), Choice("linear", "Weighted columns")),
        ),
    ] = Field(
        default="constant",
        description="Where the decision is an amount: a leaf predicts one amount, or weighs columns of numbers.",
    )
    amount_difference: Annotated[
        Annotated[float, Field(ge=0, allow_inf_nan=False)] | None,
        InForm(
            label="Largest gap",
            help="Between two groups, on the training cases. Empty: that of Check, set or proposed.",
            empty="that of Check",
            format="%g",
        ),
    ] = Field(
        default=None,
        description=(
            "Where the decision is an amount, takes the place of `max_difference`, in its unit; without it, a tenth "
            "of the standard deviation of the training amounts is allowed."
        ),
    )
    time_limit: Annotated[
        Annotated[float, Field(gt=0, allow_inf_nan=False)],
        InForm(
            label="Seconds of search",
            help=(
                "Work is counted, so that each computer finds the same. The tree without a limit gets as much, other "
                "settings a tenth each."
            ),
            least=1,
            most=3600,
            step=10.0,
            format="%g",
        ),
    ] = Field(
        default=120.0,
        description=(
            "The work that a search does at most, and so does the one without constraint and price, which it is "
            "compared with: about so many seconds' work. It is counted and not timed, so that each machine finds the "
            "same."
        ),
    )

    @property
    def is_free(self) -> bool:
        """Whether nothing is asked to be alike and nothing is priced or bounded."""
        return self.constraint is None and self.discrimination is None

    @property
    def by_ratio(self) -> bool:
        """Whether shares are compared by their ratio: no group's below four fifths of another's."""
        return self.constraint == "four_fifths"

    @model_validator(mode="before")
    @classmethod
    def _choosing_by_default(cls, given: object) -> object:
        """Let a search that looks ahead choose its weight where the plan gives none."""
        if not isinstance(given, dict) or given.get("search") != "look_ahead" or "choose_weight" in given:
            return given
        is_free = given.get("constraint", "") in (None, "none")
        return given | {"choose_weight": not is_free and "fairness_weight" not in given}

    @model_validator(mode="after")
    def _fits_together(self) -> TreesPlan:
        for wrong, sentence in (*_limits(self), *_losses(self), *_indices(self), *_searches(self)):
            if wrong:
                raise ValueError(sentence)
        return self

    @model_serializer(mode="wrap", when_used="json")
    def _none_written(self, handler: SerializerFunctionWrapHandler) -> dict[str, object]:
        # What a search that looks ahead does by default is not the default of the field.
        stated = {"choose_weight": self.choose_weight} if self.search == "look_ahead" else {}
        return handler(self) | stated | ({"constraint": "none"} if self.constraint is None else {})

    def check(self, outcome: OutcomeKind) -> None:
        """Refuse settings that do not go with decisions of a kind."""
        rules = _for_shares(self) if outcome.has_good_outcome else _for_amounts(self)
        for wrong, sentence in rules:
            if wrong:
                raise ValueError(sentence)

    def baseline(self) -> TreesPlan:
        """Return the plan with the same settings in which nothing must be alike and nothing is priced."""
        limits = ("max_difference", "margin", "max_loss", "no_group_worse_off", "amount_difference", "confidence")
        prices = (
            "discrimination",
            "fairness_weight",
            "choose_weight",
            "max_discrimination",
            "n_neighbors",
            "prices_tried",
        )
        return self.without_strata().with_defaults("name", *limits, *prices).model_copy(update={"constraint": None})

    def search_plan(self) -> TreesPlan:
        """Return a plan that is the same for all with this search: without a limit, it does not matter which."""
        return self.baseline() if self.is_free else self

    def plain_model(self, outcome: OutcomeKind = SHARES) -> Learner | AmountLearner | None:
        """Return the model that a tree found without a constraint or price is compared with; None for other trees."""
        if not self.is_free:
            return None
        return "logistic_regression" if outcome.has_good_outcome else "linear_regression"

    def is_learned(self) -> bool:
        """Say whether the plan does not say who is predicted what."""
        return True


Rule = tuple[bool, str]


def _limits(plan: TreesPlan) -> tuple[Rule, ...]:
    """Return what is wrong with the limits between groups."""
    given = plan.max_difference != TreesPlan.model_fields["max_difference"].default
    return (
        (
            plan.by_ratio and given,
            "'max_difference' does nothing with the constraint 'four_fifths', whose limit is 80 % of another group's "
            "share; leave it out",
        ),
        (
            plan.by_ratio and plan.margin > 0,
            "'margin' does nothing with the constraint 'four_fifths'; leave it out",
        ),
        (
            plan.confidence is not None and plan.constraint is None,
            "'confidence' holds a limit on new people and needs a 'constraint'; leave it out",
        ),
        (plan.confidence is not None and plan.no_group_worse_off, HOLDS_ONE_OF_TWO),
        (plan.confidence is not None and 0.0 in (plan.max_difference, plan.amount_difference), HOLDS_NO_GAP),
        (
            bool(plan.strata) and plan.constraint in (None, "four_fifths"),
            "'strata' needs a difference that is averaged over similar cases: give 'constraint' as "
            "'demographic_parity', 'equal_opportunity' or 'equalized_odds', or leave it out",
        ),
        (
            plan.constraint not in (None, "four_fifths") and plan.margin > plan.max_difference,
            f"'margin' must be at most 'max_difference' ({plan.max_difference:g}), got {plan.margin:g}",
        ),
    )


def _losses(plan: TreesPlan) -> tuple[Rule, ...]:
    """Return what is wrong with the accuracy that may be lost for the smallest gap."""
    if plan.max_loss is None:
        return ()
    given = {
        "max_difference": plan.max_difference != TreesPlan.model_fields["max_difference"].default,
        "margin": plan.margin > 0,
        "discrimination": plan.discrimination is not None,
        "no_group_worse_off": plan.no_group_worse_off,
        "confidence": plan.confidence is not None,
        "max_uses_per_feature": plan.max_uses_per_feature is not None,
        "max_features": plan.max_features is not None,
        "branching": plan.branching == "linear",
    }
    given["solver"] = plan.solver in ("scip", "published")
    return (
        (plan.search != "optimal", "'max_loss' needs 'search' = 'optimal'; a tree that is grown proves nothing"),
        (
            plan.constraint in (None, "four_fifths"),
            "'max_loss' makes a difference small and needs 'constraint': 'demographic_parity', 'equal_opportunity' or "
            "'equalized_odds'",
        ),
        *((wrong, f"'{name}' cannot be used with 'max_loss'; leave it out") for name, wrong in given.items()),
    )


def _indices(plan: TreesPlan) -> tuple[Rule, ...]:
    """Return what is wrong with the index and its price."""
    optimal = plan.search == "optimal"
    return (
        (
            optimal and plan.choose_weight,
            "'choose_weight' needs 'search' = 'look_ahead'; give 'fairness_weight' as a number",
        ),
        (
            plan.choose_weight and plan.fairness_weight > 0,
            "give either 'fairness_weight' or 'choose_weight', and not both",
        ),
        (
            optimal and plan.discrimination is None and plan.fairness_weight > 0,
            "'fairness_weight' prices an index and needs 'discrimination': 'didi', 'dtdi' or 'both'",
        ),
        (
            plan.discrimination is None and plan.max_discrimination is not None,
            "'max_discrimination' bounds an index and needs 'discrimination': 'didi', 'dtdi' or 'both'",
        ),
        (
            plan.discrimination is not None and plan.max_discrimination is None and plan.fairness_weight == 0,
            "'discrimination' does nothing by itself; give 'fairness_weight' or 'max_discrimination'",
        ),
    )


def _searches(plan: TreesPlan) -> tuple[Rule, ...]:
    """Return what a search that looks ahead, or one in which nothing must be alike, cannot do."""
    ahead = plan.search == "look_ahead"
    usual = {name: field.default for name, field in TreesPlan.model_fields.items()}
    grows = any(getattr(plan, name) != usual[name] for name in ("look_ahead", "sample_size"))
    limited = plan.max_uses_per_feature is not None or plan.max_features is not None
    return (
        (
            not ahead and grows,
            "'look_ahead' and 'sample_size' need 'search' = 'look_ahead'",
        ),
        (
            not plan.choose_weight and plan.prices_tried != usual["prices_tried"],
            "'prices_tried' needs 'choose_weight' = true in a search that looks ahead",
        ),
        (
            ahead and plan.discrimination is not None,
            "'discrimination' needs 'search' = 'optimal'; a search that looks ahead has no index",
        ),
        (
            ahead and plan.branching == "linear",
            "'branching' = 'linear' needs 'search' = 'optimal'; a search that looks ahead splits by one column",
        ),
        (
            ahead and plan.use_sensitive,
            "'use_sensitive' needs 'search' = 'optimal'; a search that looks ahead leaves out columns "
            "that reveal the group",
        ),
        (
            ahead and limited,
            "'max_uses_per_feature' and 'max_features' need 'search' = 'optimal'; a search that looks ahead does not "
            "count the features of the whole tree",
        ),
        (
            ahead and plan.max_splits is not None,
            "'max_splits' needs 'search' = 'optimal'; a search that looks ahead takes cuts of its own",
        ),
        (
            ahead and plan.constraint is None and (plan.fairness_weight > 0 or plan.choose_weight),
            "'fairness_weight' and 'choose_weight' need a 'constraint' in a search that looks ahead",
        ),
        (
            ahead and plan.solver != "auto",
            "'solver' needs 'search' = 'optimal'; a search that looks ahead has none to choose",
        ),
        (
            plan.solver == "published" and (plan.branching == "linear" or plan.leaves == "linear"),
            "'solver' = 'published' has no splits or leaves that weigh columns; take 'auto' or 'scip'",
        ),
        (
            plan.solver == "search" and (plan.branching == "linear" or plan.leaves == "linear" or limited),
            "'solver' = 'search' has no splits or leaves that weigh columns, and does not count the features of the "
            "whole tree; take 'auto' or 'scip'",
        ),
        (
            ahead and plan.no_group_worse_off,
            "'no_group_worse_off' needs 'search' = 'optimal'; a tree that is grown node by node is not held to how "
            "groups did before; leave it out, and read whether a group is worse off in the result",
        ),
        (
            plan.is_free and plan.no_group_worse_off,
            "'no_group_worse_off' needs 'constraint' or 'discrimination'; where nothing must be alike, no group has to "
            "lose; leave it out, and read whether a group is worse off in the result",
        ),
    )


def _for_amounts(plan: TreesPlan) -> tuple[Rule, ...]:
    """Return which settings need a decision with a good outcome."""
    usual = TreesPlan.model_fields["max_difference"].default
    return (
        (
            plan.search != "optimal",
            'holds a tree with search = "look_ahead", which needs a decision with a favourable result',
        ),
        (
            plan.constraint not in (None, "demographic_parity"),
            f'holds a tree with constraint = "{plan.constraint}", which needs a decision with a favourable result; '
            'where the decision is an amount, give "demographic_parity" (mean amounts alike) or "none"',
        ),
        (
            plan.no_group_worse_off,
            "holds a tree with 'no_group_worse_off', which needs a decision with a favourable result",
        ),
        (
            plan.constraint is None and plan.amount_difference is not None,
            "holds a tree with 'amount_difference', which needs constraint = \"demographic_parity\"",
        ),
        (plan.max_loss is not None, "holds a tree with 'max_loss', which needs a decision with a favourable result"),
        (bool(plan.strata), "holds a tree with 'strata', which needs a decision with a favourable result"),
        (
            bool(plan.margin) or plan.max_difference != usual,
            "holds a tree with 'max_difference' or 'margin', which are in shares of people; where the decision is an "
            "amount, give 'amount_difference'",
        ),
    )


def _for_shares(plan: TreesPlan) -> tuple[Rule, ...]:
    """Return which settings need a decision that is an amount."""
    return (
        (
            plan.leaves != "constant" or plan.amount_difference is not None,
            "holds a tree with 'leaves' or 'amount_difference', which need amount = true under [decision]",
        ),
        (
            plan.solver == "search" and plan.discrimination in ("dtdi", "both"),
            "holds a tree with 'solver' = \"search\", which cannot price or bound 'dtdi' of yes and no; take \"auto\" "
            'or "scip"',
        ),
    )
