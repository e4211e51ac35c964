"""The browser's own question, before a page is left whose audit was not saved."""

from __future__ import annotations

import streamlit as st

# Whole scripts that hold nothing of the data: a house test looks whether they stay so.
_ASK = "<script>window.onbeforeunload = event => event.preventDefault();</script>"
_LET_GO = "<script>window.onbeforeunload = null;</script>"


def ask_before_leaving(is_unsaved: bool) -> None:
    """Let the browser ask, or no longer."""
    st.html(_ASK if is_unsaved else _LET_GO, unsafe_allow_javascript=True)
