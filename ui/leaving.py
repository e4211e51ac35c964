"""What the browser does before a page is left: it asks where work would be lost, and sends what was just written."""

from __future__ import annotations

import streamlit as st

# Whole scripts that hold nothing of the data: a house test looks whether they stay so.
_ASK = "<script>window.onbeforeunload = event => event.preventDefault();</script>"
_LET_GO = "<script>window.onbeforeunload = null;</script>"
# Streamlit sends a written text a moment after its field is left, but a press on a link at once: the text then comes
# last, from the page that was left, and brings that page back. So a link takes the focus when its press is over (what
# is drawn anew moves nothing from under the hand before), and leads on when the server has begun with the text, or
# where it does not within half a second. In a narrow window the sidebar lies over the page, and then folds.
_SEND_FIRST = """<script>
if (!window.fairauditSendsFirst) {
    window.fairauditSendsFirst = true;
    const APP = '[data-testid=stApp]', LINK = '[data-testid=stPageLink-NavLink]';
    const SIDEBAR = '[data-testid=stSidebar]', FOLD = '[data-testid=stSidebarCollapseButton] button', NARROW = 768;
    const foldSidebar = link => innerWidth < NARROW && link.closest(SIDEBAR)?.querySelector(FOLD)?.click();
    const on = (name, act) => document.addEventListener(name, act, true);
    let begun = Promise.resolve();
    on('change', () => {
        const app = document.querySelector(APP);
        begun = new Promise(done => {
            const end = () => { watch.disconnect(); done(); };
            const watch = new MutationObserver(() => app.dataset.testScriptState === 'running' && end());
            watch.observe(app, {attributes: true});
            setTimeout(end, 500);
        });
    });
    on('mousedown', event => event.target.closest(LINK) && event.preventDefault());
    on('click', event => {
        const link = event.target.closest(LINK);
        if (!link || !event.isTrusted) return;
        event.preventDefault();
        event.stopPropagation();
        link.focus({preventScroll: true});
        begun.then(() => setTimeout(() => { link.click(); foldSidebar(link); }));
    });
}
</script>"""


def ask_before_leaving(is_unsaved: bool) -> None:
    """Let the browser ask, or no longer."""
    st.html(_ASK if is_unsaved else _LET_GO, unsafe_allow_javascript=True)


def send_before_leaving() -> None:
    """Let what was just written come to the server before a link leads on, and show the page that it leads to."""
    st.html(_SEND_FIRST, unsafe_allow_javascript=True)
