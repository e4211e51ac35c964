"""All kinds of remedies as the app shows them, in the order of the choice among them.

To add a remedy that :mod:`fairaudit.remedies.registry` knows:

1. Describe it in ``ui/remedies/<kind>/page.py`` by a :class:`~ui.remedies.remedy_page.RemedyPage`, and name that in
   :data:`REMEDIES` below.
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
stands beside ``page.py``, and takes it from ``fitted.candidate.finding.details``.
"""

from __future__ import annotations

from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.remedies.registry import BY_METHOD
from ui.remedies.constrain.page import CONSTRAIN
from ui.remedies.equalize.page import EQUALIZE
from ui.remedies.plain.page import PLAIN
from ui.remedies.relabel.page import RELABEL
from ui.remedies.remedy_page import RemedyPage
from ui.remedies.rules.page import RULES
from ui.remedies.thresholds.page import THRESHOLDS
from ui.remedies.trees.page import TREES

REMEDIES = (PLAIN, RELABEL, THRESHOLDS, EQUALIZE, CONSTRAIN, RULES, TREES)


def page_of(method: str) -> RemedyPage:
    """Return how a kind of remedy is shown, by its method in a plan."""
    return next(page for page in REMEDIES if page.method == method)


def remedy_pages(outcome: OutcomeKind = SHARES) -> tuple[RemedyPage, ...]:
    """Return the kinds of remedies that have a page of their own and can be tried on a kind of decision."""
    pages = (page for page in REMEDIES if page.file is not None)
    return tuple(page for page in pages if outcome.on(BY_METHOD[page.method]) is not None)
