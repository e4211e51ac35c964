"""Audits that outlast their connection: a page that is loaded anew or was offline finds its own again for a while.

They stay in the memory of the server and nowhere else, under a secret that one browser has (:mod:`ui.runtime.doors`).
When the time is over, or others need the memory, they are forgotten.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Generic, Protocol, TypeVar

from fairaudit.settings import HOLD_MINUTES

USUAL_MINUTES = 15

MOST = 3
"""How many audits that no page shows are held for one browser: many closed tabs must not fill the server."""


class WaitingSession(Protocol):
    """Long work that may wait for that of others."""

    def note_away(self, is_away: bool) -> None:
        """Note whether no page shows what it is for."""


class Forgettable(Protocol):
    """What is held."""

    awaits_audit: bool

    @property
    def is_empty(self) -> bool:
        """Whether nothing was brought yet."""

    @property
    def jobs(self) -> WaitingSession:
        """Its long work."""

    def forget(self) -> None:
        """Give up all of it."""


def hold_minutes() -> float:
    """Return for how many minutes an audit is held that no page shows, as the administrator says or usual."""
    said = HOLD_MINUTES.value
    return USUAL_MINUTES if said is None else said


Held = TypeVar("Held", bound=Forgettable)


@dataclass(eq=False)
class Work(Generic[Held]):
    """An audit, whose browser and session it is, and since when no page shows it; None while one does."""

    state: Held
    browser: bytes
    session: str
    left_at: float | None = None


class Works(Generic[Held]):
    """The audits of a server that know their browser; `is_shown` says whether a page of a session is connected."""

    def __init__(self, is_shown: Callable[[str], bool]):
        self._is_shown = is_shown
        self._works: list[Work[Held]] = []
        self._n_forgotten = 0
        self._lock = threading.Lock()

    def begin(self, state: Held, *, browser: str, session: str) -> None:
        """Note whose an audit is, once; one without a browser's secret is never held."""
        with self._lock:
            if browser and all(work.state is not state for work in self._works):
                self._works.append(Work(state, known_as(browser), session))

    def of_page(self, own: Held | None, *, browser: str, session: str) -> Held | None:
        """Return the audit of a session, or that which it takes up; None where there is none.

        Where the browser showed an audit as this one began, that may be found later, while this one is empty.
        """
        if own is not None and not self.is_of(own, session):
            own = None
        if own is None or (own.awaits_audit and own.is_empty):
            return self.take_up(browser=browser, session=session) or own
        return own

    def take_up(self, *, browser: str, session: str) -> Held | None:
        """Give a session the audit that its browser showed last and shows no more; None where there is none."""
        with self._lock:
            work = next((work for work in self._of(browser) if not self._is_shown(work.session)), None)
            if work is None:
                return None
            self._works.remove(work)
            self._works.append(Work(work.state, work.browser, session))
            return work.state

    def finds(self, browser: str) -> bool:
        """Whether there is an audit that a browser showed and shows no more."""
        with self._lock:
            return any(not self._is_shown(work.session) for work in self._of(browser))

    def shows(self, browser: str) -> bool:
        """Whether a page of a browser shows an audit, as far as is known: that it has gone may be heard later."""
        with self._lock:
            return any(self._is_shown(work.session) for work in self._of(browser))

    def _of(self, browser: str) -> Iterator[Work[Held]]:
        """Yield what a browser has, the newest first: the list is in the order in which pages began to show them."""
        owner = known_as(browser)
        return (work for work in self._works[::-1] if browser and work.browser == owner and not work.state.is_empty)

    def is_of(self, state: Held, session: str) -> bool:
        """Whether an audit is still that of a session, and not of another one that has taken it up."""
        with self._lock:
            return all(work.session == session for work in self._works if work.state is state)

    def holds(self, state: Held) -> bool:
        """Whether an audit is shown by a page, or held for its browser."""
        with self._lock:
            return any(work.state is state for work in self._works)

    def forget(self, state: Held) -> None:
        """Forget an audit whose person asks for that, while its page goes on."""
        state.forget()
        with self._lock:
            self._n_forgotten += 1

    def forget_left(self) -> int:
        """Forget what no page has shown for too long, or is too much for one browser.

        Returns how many audits were forgotten since the last call, also by their persons.
        """
        now, most_s = time.monotonic(), 60 * hold_minutes()
        with self._lock:
            due: list[Work[Held]] = []
            n_left: dict[bytes, int] = {}
            for work in reversed(self._works):
                is_shown = self._is_shown(work.session)
                work.state.jobs.note_away(not is_shown)
                if is_shown:
                    work.left_at = None
                    continue
                work.left_at = now if work.left_at is None else work.left_at
                n_left[work.browser] = n_left.get(work.browser, 0) + 1
                if work.state.is_empty or now - work.left_at >= most_s or n_left[work.browser] > MOST:
                    due.append(work)
            n_forgotten, self._n_forgotten = self._n_forgotten, 0
        return self._forget(due) + n_forgotten

    def give_way(self) -> bool:
        """Forget the audit that no page has shown for longest, as others need its memory; False where there is none."""
        with self._lock:
            works = [work for work in self._works if not self._is_shown(work.session)]
            left = [(work.left_at, work) for work in works if work.left_at is not None]
        return bool(self._forget([work for _, work in sorted(left, key=itemgetter(0))[:1]]))

    def _forget(self, due: list[Work[Held]]) -> int:
        with self._lock:
            due = [work for work in due if work in self._works]
            self._works = [work for work in self._works if work not in due]
        for work in due:
            work.state.forget()
        return len(due)


def known_as(browser: str) -> bytes:
    """Return what a secret is looked up by: how long that takes reveals nothing of the secret itself."""
    return hashlib.sha256(browser.encode()).digest()


def _is_connected(session: str) -> bool:
    from streamlit.runtime import Runtime

    return Runtime.exists() and Runtime.instance().is_active_session(session)


WORKS: Works[Any] = Works(_is_connected)
"""Those of this server; the state of a session is above this module."""
