"""What the app must know of a kind of remedy: its page, the words that lead there, and how its search is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from fairaudit.findings import Message
from fairaudit.messages import keys, say
from ui.runtime.jobs import Job


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
