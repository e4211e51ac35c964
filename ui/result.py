"""A result in the one shape that all have: verdict, headline, lead, and what makes the reader careful."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from fairaudit.findings import Message, Said
from fairaudit.messages import say
from fairaudit.present.chips import Chip, Sort
from ui.look import show_chips
from ui.text import literal

_SORTS: dict[str, Sort] = {
    "verdict-clear-gap": "gap",
    "verdict-gap-only-within": "gap",
    "verdict-no-gap-above-tolerance": "alike",
    "verdict-gap-larger": "gap",
    "verdict-gap-turned-around": "gap",
    "verdict-gap-changed": "gap",
    "verdict-gap-smaller": "alike",
    "verdict-worse-than-simple-rule": "gap",
    "verdict-ready": "alike",
    "verdict-gap-unchanged": "alike",
    "verdict-explained": "alike",
    "verdict-not-explained": "gap",
    "verdict-groups-stand-out": "gap",
    "verdict-limit-met": "alike",
    "verdict-limit-not-met": "gap",
    "verdict-form-below": "gap",
    "verdict-form-lower": "gap",
    "verdict-form-reference-lower": "gap",
    "verdict-form-marked": "gap",
    "verdict-form-means-differ": "gap",
    "verdict-form-none-below": "alike",
    "verdict-form-none-marked": "alike",
    "verdict-form-to-publish": "quiet",
    "verdict-form-not-all-shown": "quiet",
    "verdict-nothing-to-compare": "quiet",
    "verdict-not-shown": "quiet",
}
"""The colour of a verdict, which says nothing that its words do not; any other is open."""


def verdict_chip(said: Said) -> Chip:
    """Return the chip of a verdict."""
    return _chip(said.verdict)


def _chip(verdict: Message) -> Chip:
    """Return a verdict as a chip; one of two has its colour from what may be read."""
    part = dict(verdict.args).get("verdict")
    key = part.key.replace("reading-", "verdict-") if isinstance(part, Message) else verdict.key
    return Chip(say(verdict), _SORTS.get(key, "open"))


def show_said(said: Said) -> None:
    """Draw verdict, headline and lead."""
    show_headline(said.headline, said.lead, (verdict_chip(said), *map(_chip, said.also)))


def show_headline(headline: Message, lead: Sequence[Message], chips: Sequence[Chip] = ()) -> None:
    """Draw what is said first on a page."""
    with st.container(key="result_said"):
        if chips:
            show_chips(chips)
        st.title(literal(say(headline), limit=400), anchor=False)
        if lead:
            st.markdown(literal(say(lead), limit=900))


def show_caution(said: Said) -> None:
    """Draw in one line what the result does not say, and who is left out of it."""
    if said.caution:
        st.caption(literal(say(said.caution), limit=600))
