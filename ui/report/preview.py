"""A report's blocks drawn on a page."""

from __future__ import annotations

import streamlit as st

from fairaudit.present import blocks
from ui.charts import show_chart
from ui.tables import show_table
from ui.text import literal

_PREVIEW_ROWS = 12


def show_document(document: blocks.Document) -> None:
    """Draw a whole report below a page's own headings."""
    st.markdown(f"**{literal(document.title)}**")
    if document.byline:
        st.caption(literal(" · ".join(document.byline)))
    for block in document.blocks:
        show_block(block)


def show_block(block: blocks.Block) -> None:
    """Draw one block; all its text is shown as text."""
    match block:
        case blocks.Heading(level=level, text=text):
            st.markdown(f"{'#' * min(level + 2, 6)} {literal(text)}")
        case blocks.Paragraph(text=text, strong=strong):
            start = f"**{literal(strong, limit=2000)}** " if strong else ""
            st.markdown(start + literal(text, limit=4000))
        case blocks.Note(text=text, kind=kind):
            (st.warning if kind == "warning" else st.info)(literal(text, limit=2000))
        case blocks.Items(items=items, title=title):
            head = f"**{literal(title)}**\n\n" if title else ""
            st.markdown(head + "\n".join(f"- {literal(item, limit=2000)}" for item in items))
        case blocks.KeyValues(title=title, rows=rows):
            head = f"**{literal(title)}**\n\n" if title else ""
            st.markdown(head + "\n".join(f"- {literal(label)}: {literal(value, limit=600)}" for label, value in rows))
        case blocks.Table():
            show_table(block, download=False, most=_PREVIEW_ROWS)
        case blocks.Strip(title=title, strong=strong, text=text, picture=picture):
            st.markdown(f"**{literal(title)}**  \n**{literal(strong)}** {literal(text, limit=2000)}")
            if picture is not None:
                show_block(picture)
        case blocks.Part(title=title, blocks=inside):
            st.markdown(f"### {literal(title)}")
            for each in inside:
                show_block(each)
        case blocks.Pair(left=left, right=right):
            for part in (left, right):
                show_block(part)
        case blocks.Chart(title=title, alt=alt, chart=chart):
            show_chart(chart, description=alt, note=title)
        case blocks.Code(text=text, title=title):
            if title:
                st.caption(literal(title))
            st.code(text, language=None, wrap_lines=True)
