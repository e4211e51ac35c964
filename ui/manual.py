"""How each page works, as the manual says it: the same documents as the site, shown in the app, offline."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

FOLDER = Path(__file__).parent.parent / "docs"
DOCUMENTS = {
    "app": "tour.md",
    "Data": "data.md",
    "Groups": "conditions.md",
    "Check": "methods/check.md",
    "Report": "report.md",
    "Errors": "methods/errors.md",
    "Subgroups": "methods/subgroups.md",
    "Explain": "methods/explain.md",
    "Change": "methods/periods.md",
    "Remedies": "remedies/choosing.md",
    "Retrain": "remedies/relabelling.md",
    "Thresholds": "remedies/thresholds.md",
    "Equalize": "remedies/equalized.md",
    "Constraints": "remedies/constraints.md",
    "Rules": "remedies/rules.md",
    "Trees": "remedies/trees.md",
    "Compare": "remedies/comparing.md",
    "Presets": "forms/using.md",
}
"""From each page, by the name of its file without the number, to its document."""

_SHOWN = "manual_shown"
_BOOK, _ONWARD = ":material/menu_book:", ":material/arrow_forward:"
_PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n*", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\((?![a-z]+:)([^)\s#]*)(#[^)\s]*)?\)")
_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_BLOCK = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def offer_manual() -> None:
    """Draw the button that shows the document of the page being drawn."""
    document = DOCUMENTS.get(_present_page())
    if document is not None and st.button("How this works", key="manual_open", type="tertiary", icon=_BOOK):
        st.session_state[_SHOWN] = document
        _show()


def _present_page() -> str | None:
    context = get_script_run_ctx()
    pages = {} if context is None else context.pages_manager.get_pages()
    page = pages.get(context.page_script_hash) if pages else None
    return None if page is None else page_name(Path(page["script_path"]))


def page_name(path: Path) -> str:
    """Return the name of a page's file without its number."""
    return path.stem.lstrip("0123456789_")


@st.dialog("How this works", width="large", icon=_BOOK)
def _show() -> None:
    document = st.session_state[_SHOWN]
    text = (FOLDER / document).read_text(encoding="utf-8")
    st.markdown(readable(text))
    for path, title in read_on(document, text).items():
        st.button(title, key=f"manual_{path}", icon=_ONWARD, type="tertiary", on_click=_go, args=(path,))


def _go(document: str) -> None:
    st.session_state[_SHOWN] = document


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


def read_on(document: str, text: str) -> dict[str, str]:
    """Return the documents of the manual that a document links to, with their titles."""
    found: dict[str, str] = {}
    for _, target, _ in _LINK.findall(text):
        path = (FOLDER / document).parent.joinpath(target).resolve()
        # What the site puts together from other files does not begin with a title.
        if path.is_relative_to(FOLDER) and path.suffix == ".md" and (title := title_of(path)):
            found[path.relative_to(FOLDER).as_posix()] = title
    found.pop(document, None)
    return found


def title_of(path: Path) -> str:
    """Return the title of a document; empty where it does not begin with one, or is not there."""
    first = path.read_text(encoding="utf-8").partition("\n")[0] if path.exists() else ""
    return first.removeprefix("# ") if first.startswith("# ") else ""
