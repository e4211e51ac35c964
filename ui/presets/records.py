"""A record of a rule on a page: what a person writes in it, and what it states."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.items import PresetItem
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import PresetFile
from fairaudit.sections.forms.records import NOBODY, answers, known_text, record_picture
from ui.presets import entries as preset_entries
from ui.presets.entries import MOST_SHOWN
from ui.result import show_chart
from ui.state import AuditState
from ui.text import literal, stated
from ui.widgets import drafted, start_choice

LONG = 200
"""From how many signs on a text has more than one line."""


def show_questions(state: AuditState, file: PresetFile) -> PresetPlan:
    """Draw what a person writes in a record; return it."""
    preset = file.preset
    kept = preset_entries.last_version(state, preset.key)
    texts: dict[str, dict[str, str]] = {"answers": {}, "reasons": {}}
    for item in (each for each in preset.items if each.is_asked):
        name = "reasons" if item.before else "answers"
        known = "" if kept is None else getattr(kept, name).get(item.item, "")
        key = f"presets_{preset.key}_{item.item}_{state.data_key}"
        if text := _question(item, known, key).strip():
            texts[name][item.item] = text
    reported = preset_entries.in_report(state, (preset.key, False))
    digest = reported.file_digest if reported is not None else file.digest
    title = None if kept is None else kept.title
    part = PresetPlan(preset=preset.key, title=title, file_digest=digest, **texts)  # type: ignore[arg-type]
    preset_entries.keep_draft(state, part)
    return part


def _question(item: PresetItem, known: str, key: str) -> str:
    asks = literal(item.asks or "", limit=MOST_SHOWN)
    label = stated("record-label", label=Phrase(item.label), needed=preset_entries.needed_word(item))
    if item.choices and item.kind != "list":
        options = list(item.choices)
        chosen = st.selectbox(
            label, options, index=None, placeholder="none", key=start_choice(key, known or None, [None, *options]),
            help=asks,
        )  # fmt: skip
        return chosen or ""
    if item.choices:
        options = list(item.choices)
        before = [part.strip() for part in known.split(";") if part.strip()]
        several = st.multiselect(
            label, options, max_selections=item.most, key=start_choice(key, before, options), help=asks
        )
        return "; ".join(several)
    draw = st.text_area if item.longest > LONG and item.kind in ("text", "links") else st.text_input
    return draw(label, max_chars=item.longest, help=asks, **drafted(key, known)) or ""


def show_record_picture(finding: PresetFinding) -> None:
    """Draw the picture of what a record opens with, where there is one."""
    chart = record_picture(finding, 1)
    if chart is not None:
        show_chart(chart.chart, title=chart.title, description=chart.alt)


def show_items(finding: PresetFinding) -> None:
    """Draw what a record states, part by part."""
    st.subheader(stated("record-more-items"), anchor=False)
    for item, entry, text in answers(finding):
        said = text or say(NOBODY[item.needed])
        st.markdown(f"**{literal(item.label)}**  \n{literal(said, limit=MOST_SHOWN)}")
        if item.own_words and entry.known:
            st.caption(stated("record-known", known=Phrase(known_text(entry)), limit=MOST_SHOWN))


def context(finding: PresetFinding) -> Message:
    """Return which record it is."""
    return Message("record-context", {"title": Phrase(finding.title)})
