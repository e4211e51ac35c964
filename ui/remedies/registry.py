"""All kinds of remedies as the app shows them, in the order of the choice among them.

To add a remedy that :mod:`fairaudit.remedies.plans` knows:

1. Describe it below by a :class:`RemedyPage`, and name that in :data:`REMEDIES`.
2. Draw its page in ``pages/``. For a remedy without charts of its own, this is all of it::

       state = open_page("A title", "What does it answer, and when not to use it?")
       study = open_study(state)
       weight = st.slider("How much it counts", 0.0, 1.0, **drafts.tied(state, AddedPlan(), "weight"))
       plan = AddedPlan(weight=weight)
       fitted = trying.offer_fit(state, study, "added", plan, label="Find it", nothing="Nothing has been tried yet.")
       if fitted is not None:
           outcome.show_outcome(fitted)
           trying.show_ways_on(state, fitted)

The sidebar, the links between pages, Compare and Report follow from the description. What the page draws of its own
stands in ``ui/remedies/``, and takes it from ``fitted.candidate.finding.details``.

"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from fairaudit.findings import Message
from fairaudit.late import Late
from fairaudit.messages import keys, say
from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.remedies.plans import REMEDY_PLANS
from ui.runtime.jobs import Job

# What the app must know of a kind of remedy: its page, the words that lead there, and how its search is drawn.


@dataclass(frozen=True, kw_only=True)
class RemedyPage:
    """One kind of remedy as the app shows it.

    Parameters
    ----------
    method : str
        As in a plan.
    work : str
        What goes on while it is fitted, such as "Retraining".
    point : str
        What a point of the chart of all models is called, where there is no room for more.
    file : str, optional
        Its page in ``pages/``, such as "11_Retrain.py"; None for what has no page of its own.
    title, purpose : str
        What it is called on every page, and what the choice among remedies says of it. They are those of the catalogue,
        ``remedy-name-<method>`` and ``remedy-short-<method>``, where it has them.
    called : str
        By which name the field knows the method: the help beside the title of its page.
    uses_group : bool
        Whether the decision depends on the group of a person.
    changes_decisions : bool
        Whether it learns from decisions that were changed, which makes no sense of what truly happened.
    gives_score : bool
        Whether a score stays that people are ranked by.
    can_be_read : bool
        Whether people can read aloud how it decides.
    is_search : bool
        Whether it is mostly tried many times, so that only the last try goes into the report by itself.
    draft_of : callable
        Makes what the page works on of a plan that the audit keeps.
    wish : callable
        ``(plan, tolerance)`` -> the plan that the page begins with: it asks what the audit asks, that shares of good
        outcomes are alike within its tolerance.
    respelled : callable
        ``(plan or draft, spelling)`` -> the same with the values that it names as
        :class:`~ui.data.spellings.Spelling` says that their columns spell them.
    show_search : callable, optional
        Draws what a search that is under way has found so far.
    """

    method: str
    work: str
    point: str
    file: str | None = None
    title: str = ""
    purpose: str = ""
    called: str = ""
    uses_group: bool = False
    changes_decisions: bool = False
    gives_score: bool = False
    can_be_read: bool = False
    is_search: bool = False
    draft_of: Callable[[Any], Any] = lambda plan: plan
    wish: Callable[[Any, float], Any] = lambda plan, tolerance: plan
    respelled: Callable[[Any, Any], Any] = lambda asked, spelling: asked
    show_search: Callable[[Job], None] | None = None

    def __post_init__(self) -> None:
        for field, key in (("title", f"remedy-name-{self.method}"), ("purpose", f"remedy-short-{self.method}")):
            if key in keys():
                object.__setattr__(self, field, say(Message(key)))

    @property
    def path(self) -> str | None:
        """The page as Streamlit names it."""
        return None if self.file is None else f"pages/{self.file}"

    @property
    def page(self) -> str:
        """The page in the address of the app, such as "Retrain"."""
        return PurePath(self.file or self.method).stem.partition("_")[2]

    @property
    def key(self) -> str:
        """What the keys of the page's widgets begin with."""
        return self.page.lower()


# How the app shows a plain model: beside the remedies, without a page of its own.

PLAIN = RemedyPage(method="plain", work="Fitting", point="no remedy")


# Where the app shows retraining, and what leads there.

RELABEL = RemedyPage(
    method="relabel",
    work="Retraining",
    point="retrained",
    file="11_Retrain.py",
    called="Known as relabelling.",
    gives_score=True,
    changes_decisions=True,
)


# Where the app shows thresholds by group, and what leads there.

THRESHOLDS = RemedyPage(
    method="thresholds",
    work="Thresholds",
    point="thresholds",
    file="12_Thresholds.py",
    called="Known as group-specific thresholds.",
    uses_group=True,
    gives_score=True,
)


# Where the app shows equalized distributions, and what leads there.

EQUALIZE = RemedyPage(
    method="equalize",
    work="Making a score",
    point="spread alike",
    file="13_Equalize.py",
    called="Known as equalized distributions.",
    gives_score=True,
)


# Where the app shows training under constraints, and what leads there.

CONSTRAIN = RemedyPage(
    method="constrain",
    work="Training to limits",
    point="trained to limits",
    file="14_Constraints.py",
    called="Known as training under fairness constraints.",
    gives_score=True,
    draft_of=Late("ui.remedies.constrain.constraints:ConstraintDraft.of"),
    respelled=Late("ui.remedies.constrain.constraints:respelled"),
    show_search=Late("ui.remedies.constrain.form:show_fits_so_far"),
)


# Where the app shows rule sets, and what leads there.

RULES = RemedyPage(
    method="rules",
    work="Finding rules",
    point="rules",
    file="15_Rules.py",
    called="Known as a rule set, or Boolean rules in disjunctive normal form, found by integer programming.",
    can_be_read=True,
    is_search=True,
    wish=lambda plan, tolerance: plan.model_copy(
        update={"fairness": "statistical_parity", "max_difference": tolerance}
    ),
    show_search=Late("ui.remedies.rules.results:show_rounds"),
)


# Where the app shows decision trees, and what leads there.

TREES = RemedyPage(
    method="trees",
    work="Finding a tree",
    point="tree",
    file="16_Trees.py",
    called="Known as an optimal decision tree or a look-ahead tree.",
    can_be_read=True,
    is_search=True,
    wish=lambda plan, tolerance: plan.model_copy(
        update={"constraint": "demographic_parity", "max_difference": tolerance}
    ),
    show_search=Late("ui.remedies.trees.results:show_steps"),
)


REMEDIES = (PLAIN, RELABEL, THRESHOLDS, EQUALIZE, CONSTRAIN, RULES, TREES)


def page_of(method: str) -> RemedyPage:
    """Return how a kind of remedy is shown, by its method in a plan."""
    return next(page for page in REMEDIES if page.method == method)


def remedy_pages(outcome: OutcomeKind = SHARES) -> tuple[RemedyPage, ...]:
    """Return the kinds of remedies that have a page of their own and can be tried on a kind of decision."""
    pages = (page for page in REMEDIES if page.file is not None)
    return tuple(page for page in pages if outcome in REMEDY_PLANS[page.method].tried_on)
