"""How pages look beyond the theme: their width, what stands side by side, chips, and the button that leads on.

Colours are those of :mod:`fairaudit.present.charts.theme`. A chip says in words what its colour says.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.present.verdicts import Chip

# Streamlit's own toolbar would export cells that a spreadsheet runs as formulas, and counts that are to be hidden.
_NO_ELEMENT_TOOLBARS = "[data-testid='stElementToolbar'] {display: none;}"
# What Streamlit writes beside controls that always have a value, and a figure whose end is cut off.
_PLAIN_CONTROLS = """
[data-testid='InputInstructions'] {top: 100%; bottom: auto; line-height: 1;}
[data-testid='stWidgetLabelRequired'] {display: none;}
[data-testid='stMetricValue'] > div {white-space: normal; overflow: visible; overflow-wrap: anywhere;}
"""
# A table that is wider than a narrow window scrolls, and a shadow says so; squeezed besides, sentences at its end would
# make rows tall. What stands out in a table is sentences alone, one below the other.
_ROOM_IN_TABLES = """
@media (max-width: 640px) {
    [data-testid='stTable'] :is(td, th) {padding: 0.3rem 0.4rem; font-size: 0.85rem;}
    [data-testid='stTable']:has(table), [data-testid='stTable'] > div:has(> table) {
        background: linear-gradient(to right, #ffffff 30%, #ffffff00) left / 2rem 100% no-repeat local,
            linear-gradient(to left, #ffffff 30%, #ffffff00) right / 2rem 100% no-repeat local,
            linear-gradient(to right, #333c4759, #333c4700) left / 0.5rem 100% no-repeat scroll,
            linear-gradient(to left, #333c4759, #333c4700) right / 0.5rem 100% no-repeat scroll;}
    [class*='st-key-form_stated_'] [data-testid='stTable'] td > [data-testid='stMarkdownContainer'] {max-width: 8rem;}
    .st-key-data_sound [data-testid='stTableStyledTable'] {width: 100%;}
    .st-key-data_sound thead {display: none;}
    .st-key-data_sound [data-testid='stTable'] td {display: block; border-bottom: 0; max-width: none;}
    .st-key-data_sound [data-testid='stTable'] td > [data-testid='stMarkdownContainer'] {max-width: none;}
    .st-key-data_sound [data-testid='stTable'] td:first-child {font-weight: 600; border-top: 1px solid #dde2e8;}
    [data-testid='stTableStyledTable'] {width: max-content; min-width: 100%;}
    [data-testid='stTable'] td > [data-testid='stMarkdownContainer'] {max-width: 14rem;}
    [data-testid='stTable'] td:first-child > [data-testid='stMarkdownContainer'] {max-width: 9rem;}
    [data-testid='stTable'] th > [data-testid='stMarkdownContainer'] {max-width: 7rem;}
}
"""
# Of such a table, what the figures come to stays in sight while they scroll below it.
_READINGS_STAY = """
@media (max-width: 640px) {
    [class*='st-key-reading_'] [data-testid='stTable'] :is(th, td):last-child {position: sticky; right: 0;
        background: #ffffff; box-shadow: -5px 0 5px -3px rgb(51 60 71 / 35%);}
    [class*='st-key-reading_'] [data-testid='stTable'] td:last-child > [data-testid='stMarkdownContainer']
    {max-width: 7.5rem;}
}
"""
_WIDE = """
[data-testid='stMainBlockContainer'] {max-width: 1240px; padding: 2rem 2.5rem 3rem;}
[data-testid='stHeader'] {background: transparent; pointer-events: none;}
[data-testid='stHeader'] button {pointer-events: auto;}
[data-testid='stMain'] h1 {font-size: 2rem; padding: 0.25rem 0 0;}
[data-testid='stMain'] h2 {font-size: 1.45rem;}
[class*='_verdict'] h2 {font-size: 1.6rem; line-height: 1.25; padding: 0.1rem 0 0.7rem;}
.st-key-remedies_verdict h2, .st-key-presets_verdict h2 {font-size: 1.35rem;}
:is(.st-key-settings, .st-key-result) {gap: 0.6rem;}
:is(.st-key-settings, .st-key-result) [data-testid='stVerticalBlock'] {gap: 0.6rem;}
.st-key-remedies_ways {gap: 0 0.25rem;}
[data-testid='stCheckbox'] label p {white-space: normal;}
[data-testid='stSidebarHeader'] {height: 2.25rem; margin-bottom: 0; padding-top: 0.5rem;}
@media (max-width: 768px) {
    [data-testid='stMainBlockContainer'] {padding: 3.25rem 1rem 3rem;}
    [data-testid='stMain'] h1 {font-size: 1.6rem;}
    [class*='_verdict'] h2 {font-size: 1.3rem;}
}
"""
# Side by side only where both sides have room, small settings by twos where they have less; forms beside a result have
# one column.
_BESIDE = """
@media (max-width: 1150px) {
    [class*='st-key-beside_'] > [data-testid='stLayoutWrapper'] > [data-testid='stHorizontalBlock'] {flex-wrap: wrap;}
    [class*='st-key-beside_'] > [data-testid='stLayoutWrapper'] > [data-testid='stHorizontalBlock'] >
    [data-testid='stColumn'] {min-width: 100%;}
}
@media (min-width: 769px) and (max-width: 1150px) {
    [class*='st-key-beside_small_'] > [data-testid='stLayoutWrapper'] > [data-testid='stHorizontalBlock'] >
    [data-testid='stColumn'] {flex: 1 1 calc(50% - 1rem); min-width: calc(50% - 1rem);}
    .st-key-beside_small_errors_settings > [data-testid='stLayoutWrapper'] > [data-testid='stHorizontalBlock'] >
    [data-testid='stColumn'] {flex: 1 1 calc(25% - 1rem); min-width: calc(25% - 1rem);}
    .st-key-beside_small_errors_flagged > [data-testid='stLayoutWrapper'] > [data-testid='stHorizontalBlock'] >
    [data-testid='stColumn'] {flex: 1 1 calc(33% - 1rem); min-width: calc(33% - 1rem);}
}
@media (min-width: 769px) {
    .st-key-settings [data-testid='stHorizontalBlock'] {flex-wrap: wrap;}
    .st-key-settings [data-testid='stColumn'] {min-width: 100%;}
}
@media (min-width: 1151px) {
    .st-key-beside_data_questions [class*='st-key-beside_small_'] [data-testid='stHorizontalBlock'] {flex-wrap: wrap;}
    .st-key-beside_data_questions [class*='st-key-beside_small_'] [data-testid='stColumn'] {min-width: 100%;}
}
"""
# Settings above their result fill two columns, from top to bottom, what is said of a field on the side of the field.
_SETTINGS_IN_TWO = """
@media (min-width: 769px) and (max-width: 1150px) {
    [data-testid='stMain'] .st-key-settings[data-testid] {display: block; columns: 2; column-gap: 1.5rem;}
    .st-key-settings > * {break-inside: avoid; margin-bottom: 0.4rem;}
    .st-key-settings > :first-child,
    .st-key-settings > [data-testid='stLayoutWrapper']:has(> .st-key-remedies_begin, > .st-key-remedies_start)
    {column-span: all;}
    .st-key-settings > [data-testid='stLayoutWrapper'] > [data-testid='stHorizontalBlock']
    {align-items: flex-end; gap: 1rem;}
    .st-key-settings > [data-testid='stLayoutWrapper'] > [data-testid='stHorizontalBlock'] > [data-testid='stColumn']
    {min-width: calc(50% - 0.5rem);}
    .st-key-remedies_start {flex-wrap: nowrap;}
    .st-key-remedies_start > :last-child:not(:first-child) {flex: 1;}
    .st-key-settings > [data-testid='stElementContainer']:has([data-testid='stCaptionContainer'])
    {break-before: avoid;}
}
"""
# What stands below each other stands closer, so that two screens still hold an answer with its groups.
_CLOSE = """
@media (min-width: 769px) and (max-width: 1150px) {
    [data-testid='stMainBlockContainer'] {padding: 0.75rem 2.5rem 0.5rem;}
    [data-testid='stMain'] [data-testid='stVerticalBlock'] {gap: 0.35rem;}
    [data-testid='stMain'] h2 {padding-top: 0.5rem;}
    [data-testid='stTabs'] h3 {font-size: 1.15rem; padding-top: 0;}
    [class*='st-key-beside_'] > [data-testid='stLayoutWrapper'] > [data-testid='stHorizontalBlock'] {gap: 0.6rem 1rem;}
    [class*='_verdict'] h2 {font-size: 1.3rem; padding-bottom: 0.8rem;}
    [class*='_verdict'] h3 {font-size: 1.15rem; padding-top: 0;}
    [data-testid='stMain'] [data-testid='stAlertContainer'] {padding: 0.5rem 1rem;}
    [data-testid='stMain'] [data-testid='stTable'] :is(td, th) {padding-top: 0.1rem; padding-bottom: 0.1rem;}
}
"""
_METRICS = """
[data-testid='stMetricValue'] {font-size: 1.35rem;}
[data-testid='stMetricLabel'] {font-size: 0.85rem;}
"""
# The link that leads on looks like the button of its page.
_FIRST = """
.st-key-first_step a, .st-key-first_step a:visited {background: #1f4e79; padding: 0.4rem 1rem;}
.st-key-first_step a:hover, .st-key-first_step a:focus-visible {background: #163a5b;}
.st-key-first_step a span, .st-key-first_step a p {color: #ffffff; font-weight: 600;}
"""
# Streamlit shows no focus on some links, and a faint one on what opens and folds.
_FOCUS = """
:is(a, button, summary, [tabindex]):focus-visible {outline: 2px solid #1f4e79; outline-offset: 2px;}
:is([data-testid='stMultiSelect'], [data-testid='stSelectbox']) input:focus-visible {outline: none;}
[data-testid='stSidebar'] a:focus-visible {outline-offset: -2px;}
"""
# The way through an audit, and at the end of the sidebar what it is about.
_SIDEBAR = """
[data-testid='stSidebar'] .st-key-way a, [data-testid='stSidebar'] .st-key-way p {font-size: 1rem;}
.st-key-way [data-testid='stCaptionContainer'] p, .st-key-deeper [data-testid='stCaptionContainer'] p
{padding: 0.05rem 0.5rem; color: #5a6472;}
@media (min-width: 769px) {
    [data-testid='stSidebarUserContent'] > div > [data-testid='stVerticalBlock'] {min-height: calc(100vh - 7rem);}
    [data-testid='stLayoutWrapper']:has(> .st-key-facts) {margin-top: auto;}
}
"""
# Streamlit draws headings in a dialog smaller than its text.
_MANUAL = """
.st-key-manual h3 {font-size: 1.45rem;}
.st-key-manual h4 {font-size: 1.15rem;}
"""
_UPLOAD = """
.st-key-home_own [data-testid='stFileUploaderDropzone'] {flex-direction: column; align-items: flex-start;
    padding: 1.5rem 1rem; border-style: dashed;}
.st-key-home_own [data-testid='stFileUploaderDropzoneInstructions'] {align-self: flex-start;}
.st-key-home_own [data-testid='stFileUploaderDropzone'] button {background: #1f4e79; border-color: #1f4e79;}
.st-key-home_own [data-testid='stFileUploaderDropzone'] button * {color: #ffffff;}
"""
_CHIPS = """
.fairaudit-chip {display: inline-block; border-radius: 1rem; padding: 0.15rem 0.8rem; font-weight: 600;
    font-size: 0.95rem; margin-right: 0.4rem;}
.fairaudit-chip-gap {background: #f8dcc9; color: #7a3208;}
.fairaudit-chip-alike {background: #d6e6f3; color: #163a5b;}
.fairaudit-chip-open {background: #ece7d7; color: #4a4326;}
.fairaudit-chip-quiet {background: #e6ebef; color: #333c47;}
"""

# The one answer of a page is read first.
_RESULT = """
.st-key-result_said {gap: 0.5rem;}
.st-key-result_said h1 {padding: 0 0 0.6rem; font-size: 2.35rem; line-height: 1.2; max-width: 52rem;
    text-wrap: balance;}
.st-key-result_said .stMarkdown p {font-size: 1.25rem; line-height: 1.5; max-width: 56rem;}
.st-key-result_about p {color: #5a6472;}
.st-key-chart_narrow, .st-key-trees_narrow {display: none;}
[data-testid='stBottomBlockContainer'] {max-width: 1240px; padding: 0.75rem 2.5rem;}
@media (max-width: 768px) {
    .st-key-result_said h1 {font-size: 1.6rem;}
    .st-key-chart_wide, .st-key-trees_wide {display: none;}
    .st-key-chart_narrow, .st-key-trees_narrow {display: flex;}
    .st-key-result_said .stMarkdown p {font-size: 1.05rem;}
    [data-testid='stBottomBlockContainer'] {padding: 0.5rem 1rem;}
    [data-testid='stButtonGroup'] [role='radiogroup'] {flex-wrap: nowrap;}
    [data-testid='stButtonGroup'] [role='radiogroup'] button {flex: 1 1 auto; height: auto; white-space: normal;
        padding: 0.25rem 0.4rem;}
    [data-testid='stBottom'] [class*='_ways'] {flex-wrap: wrap; gap: 0.3rem 0.4rem;}
    [data-testid='stBottom'] [class*='_ways'] > div {flex: 0 0 auto; min-width: 0;}
    [data-testid='stBottom'] [class*='_ways'] :is(a, button) {padding: 0.25rem 0.4rem; white-space: nowrap;}
    [data-testid='stBottom'] [class*='_ways'] a [data-testid='stIconMaterial'] {display: none;}
}
"""

# Who forces colours loses all backgrounds: an edge says what a background did.
_FORCED_COLOURS = """
@media (forced-colors: active) {
    .fairaudit-chip, .st-key-first_step a, [data-testid='stAlertContainer'] {border: 1px solid CanvasText;}
    :focus-visible {outline: 2px solid Highlight; outline-offset: 2px;}
}
"""
_NO_MOTION = """
@media (prefers-reduced-motion: reduce) {
    *, *::before, *::after {animation-duration: 0.01ms !important; animation-iteration-count: 1 !important;
        transition-duration: 0.01ms !important; scroll-behavior: auto !important;}
}
"""


def put_look() -> None:
    """Give the page its look, once, at its top."""
    parts = (
        _NO_ELEMENT_TOOLBARS,
        _PLAIN_CONTROLS,
        _ROOM_IN_TABLES,
        _READINGS_STAY,
        _WIDE,
        _BESIDE,
        _SETTINGS_IN_TWO,
        _CLOSE,
        _METRICS,
        _FIRST,
        _FOCUS,
        _SIDEBAR,
        _MANUAL,
        _UPLOAD,
        _CHIPS,
        _RESULT,
        _FORCED_COLOURS,
        _NO_MOTION,
    )
    st.html(f"<style>{''.join(parts)}</style>")


def show_chip(chip: Chip) -> None:
    """Draw what the data support in a word or two."""
    show_chips((chip,))


def show_chips(chips: Sequence[Chip]) -> None:
    """Draw chips side by side."""
    drawn = (f'<span class="fairaudit-chip fairaudit-chip-{chip.sort}">{escape(chip.text)}</span>' for chip in chips)
    st.html(" ".join(drawn), width="content")


def beside(key: str, widths: Sequence[float] = (1, 1), *, small: bool = False) -> list[DeltaGenerator]:
    """Return columns that stand side by side where there is room, and below each other where there is not.

    What is `small`, such as a few settings, stands by twos where there is room for that.
    """
    with st.container(key=f"beside_{'small_' * small}{key}"):
        return st.columns(widths, gap="medium")


def settings_and_result(widths: Sequence[float] = (1, 2.6)) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return where the settings of a remedy are drawn and where its result is: side by side where there is room."""
    left, right = beside("remedy", widths)
    return left.container(border=True, key="settings"), right.container(key="result")
