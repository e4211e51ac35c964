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

from fairaudit.errors import require
from fairaudit.findings import Message
from fairaudit.messages import keys, say
from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.remedies.plans import REMEDY_PLANS


@dataclass(frozen=True, kw_only=True)
class RemedyPage:
    """One kind of remedy as the app shows it.

    ``work`` is what goes on while it is fitted, ``point`` what a point of the chart of all models is called, ``file``
    its page (None where it has none), ``title`` and ``purpose`` what it is called and said to do: those of the
    catalogue, where it has them. ``called`` is its name in the field. The choice among remedies asks whether it
    ``uses_group`` (or ``uses_group_features``: where the columns that say who is protected are learned from, the group
    must be known to decide), ``changes_decisions`` that are learned from, ``gives_score``, and ``can_be_read``. Of a
    kind that ``is_search`` only the last try goes into the report by itself. ``wish`` gives, of a plan and the audit's
    tolerance, the plan that the page begins with: shares of good outcomes alike within that.
    """

    method: str
    work: str
    point: str
    file: str | None = None
    title: str = ""
    purpose: str = ""
    called: str = ""
    uses_group: bool = False
    uses_group_features: bool = False
    changes_decisions: bool = False
    gives_score: bool = False
    can_be_read: bool = False
    is_search: bool = False
    wish: Callable[[Any, float], Any] = lambda plan, tolerance: plan

    def __post_init__(self) -> None:
        for field, key in (("title", f"remedy-name-{self.method}"), ("purpose", f"remedy-short-{self.method}")):
            if key in keys():
                object.__setattr__(self, field, say(Message(key)))

    @property
    def path(self) -> str:
        """The page as Streamlit names it, of a remedy that has one."""
        return f"pages/{require(self.file)}"

    @property
    def page(self) -> str:
        """The page in the address of the app, such as "Retrain"."""
        return PurePath(self.file or self.method).stem.partition("_")[2]

    @property
    def key(self) -> str:
        """What the keys of the page's widgets begin with."""
        return self.page.lower()


PLAIN = RemedyPage(method="plain", work="Fitting", point="no remedy")

RELABEL = RemedyPage(
    method="relabel",
    work="Retraining",
    point="retrained",
    file="21_Retrain.py",
    called="Known as relabelling.",
    uses_group_features=True,
    gives_score=True,
    changes_decisions=True,
)

THRESHOLDS = RemedyPage(
    method="thresholds",
    work="Thresholds",
    point="thresholds",
    file="22_Thresholds.py",
    called="Known as group-specific thresholds.",
    uses_group=True,
    gives_score=True,
)

EQUALIZE = RemedyPage(
    method="equalize",
    work="Making a score",
    point="spread alike",
    file="23_Equalize.py",
    called="Known as equalized distributions.",
    gives_score=True,
)

CONSTRAIN = RemedyPage(
    method="constrain",
    work="Training to limits",
    point="trained to limits",
    file="24_Constraints.py",
    called="Known as training under fairness constraints.",
    gives_score=True,
)

RULES = RemedyPage(
    method="rules",
    work="Finding rules",
    point="rules",
    file="25_Rules.py",
    called="Known as a rule set, or Boolean rules in disjunctive normal form, found by integer programming.",
    can_be_read=True,
    is_search=True,
    wish=lambda plan, tolerance: plan.model_copy(
        update={"fairness": "demographic_parity", "max_difference": tolerance}
    ),
)

TREES = RemedyPage(
    method="trees",
    work="Finding a tree",
    point="tree",
    file="26_Trees.py",
    called="Known as an optimal decision tree or a look-ahead tree.",
    can_be_read=True,
    is_search=True,
    wish=lambda plan, tolerance: plan.model_copy(
        update={"constraint": "demographic_parity", "max_difference": tolerance}
    ),
)


REMEDIES = (PLAIN, RELABEL, THRESHOLDS, EQUALIZE, CONSTRAIN, RULES, TREES)


def page_of(method: str) -> RemedyPage:
    """Return how a kind of remedy is shown, by its method in a plan."""
    return next(page for page in REMEDIES if page.method == method)


def remedy_pages(outcome: OutcomeKind = SHARES) -> tuple[RemedyPage, ...]:
    """Return the kinds of remedies that have a page of their own and can be tried on a kind of decision."""
    pages = (page for page in REMEDIES if page.file is not None)
    return tuple(page for page in pages if outcome in REMEDY_PLANS[page.method].tried_on)
