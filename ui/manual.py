"""How each page works, as the manual says it: the same documents as the site, shown in the app, offline."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from fairaudit.files import APP_FOLDER

FOLDER = APP_FOLDER / "docs"
DOCUMENTS = {
    "app": "tour.md",
    "Data": "data.md",
    "Groups": "conditions.md",
    "Check": "methods/check.md",
    "Report": "report.md",
    "Errors": "methods/errors.md",
    "Worst_groups": "methods/worst-groups.md",
    "Alternatives": "remedies/alternatives.md",
    "Explain": "methods/explain.md",
    "Change": "methods/periods.md",
    "Searches": "methods/searches.md",
    "Watch": "methods/watch.md",
    "Rankings": "methods/rankings.md",
    "Remedies": "remedies/choosing.md",
    "Retrain": "remedies/relabelling.md",
    "Thresholds": "remedies/thresholds.md",
    "Equalize": "remedies/equalized.md",
    "Constraints": "remedies/constraints.md",
    "Rules": "remedies/rules.md",
    "Trees": "remedies/trees.md",
    "Compare": "remedies/comparing.md",
    "Legal_forms": "forms/using.md",
    "Check_a_report": "evidence.md",
}
"""From each page, by the name of its file without the number, to its document."""

_CHOSEN = "manual_page"
_BOOK = ":material/menu_book:"
_PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n*", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\((?![a-z]+:)[^)]*\)")
_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_BLOCK = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def offer_manual() -> None:
    """Draw the button that shows the document of the page being drawn."""
    document = DOCUMENTS.get(present_name() or "")
    if document is not None and st.button("How this works", key="manual_open", type="tertiary", icon=_BOOK):
        st.session_state[_CHOSEN] = document
        _show()


def present_name() -> str | None:
    """Return the name of the page being drawn; None where no browser is there."""
    context = get_script_run_ctx()
    if context is None:
        return None
    page = context.pages_manager.get_pages().get(context.page_script_hash)
    return None if page is None else page_name(Path(page["script_path"]))


def page_name(path: Path) -> str:
    """Return the name of a page's file without its number."""
    return path.stem.lstrip("0123456789_")


@st.dialog("How this works", width="large", icon=_BOOK)
def _show() -> None:
    titles = all_titles()
    chosen = st.selectbox(
        "Page of the manual", list(titles), format_func=titles.__getitem__, key=_CHOSEN, required=True
    )
    with st.container(key="manual"):
        st.markdown(readable((FOLDER / chosen).read_text(encoding="utf-8")))


def readable(text: str) -> str:
    r"""Return a document as a dialog shows it: smaller headings, no pictures, other documents by name alone.

    Examples
    --------
    >>> readable("# Gaps\n\nSee [Strata](strata.md#limits).\n")
    '### Gaps\n\nSee Strata.\n'
    """
    parts = _BLOCK.split(text)
    for i in range(0, len(parts), 2):
        plain = _LINK.sub(r"\1", _PICTURE.sub("", parts[i]))
        parts[i] = _HEADING.sub(lambda found: "##" + found[0], plain)
    return "".join(parts)


def all_titles() -> dict[str, str]:
    """Return the title of each document that the app can show: first those of its pages, in their order."""
    paths = [FOLDER / name for name in DOCUMENTS.values()]
    paths += sorted(set(FOLDER.rglob("*.md")) - set(paths), key=_title)
    return {path.relative_to(FOLDER).as_posix(): title for path in paths if (title := _title(path))}


def _title(path: Path) -> str:
    """Return the first heading; empty for what the site alone can put together from other files."""
    text = path.read_text(encoding="utf-8")
    return "" if "```{" in text else text.partition("\n")[0].removeprefix("# ")
