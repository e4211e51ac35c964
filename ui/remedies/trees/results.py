"""A tree that was found: drawn, node by node, for a made-up person, beside other settings, and its search."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from functools import partial
from typing import Any, Final
from zlib import crc32

import altair as alt
import pandas as pd
import streamlit as st

from fairaudit.disclosure.fields import Field
from fairaudit.events import Incumbent
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock, csv_bytes, flat_header, flat_rows
from fairaudit.present.numbers import number_text, share_text
from fairaudit.remedies.charts import differences_alt, differences_chart, differences_note
from fairaudit.remedies.gap_curve import curve_alt, curve_chart
from fairaudit.remedies.trees import charts
from fairaudit.remedies.trees.charts import (
    NODE,
    allowed_of,
    bounds_alt,
    clickable_tree_chart,
    tree_bounds_chart,
    tree_title,
)
from fairaudit.remedies.trees.details import AmountTreeDetails
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.words import (
    AskedColumn,
    Way,
    asked_columns,
    clickable_tree_alt,
    drawn_levels,
    drawn_nodes,
    similar,
    solved,
    tree_steps,
    tree_text,
    way_of,
)
from fairaudit.report.pdf import to_png, to_svg
from fairaudit.study.divided import DividedRows
from fairaudit.study.findings import plan_key
from fairaudit.study.fitting import unwrap
from ui.remedies import drafts
from ui.remedies.outcome import tables_of
from ui.remedies.trees.form import USUAL
from ui.remedies.trees.nodes import marks, node_words, views_of, wording_of
from ui.result import OfferedFile, distance_text, offer_files, show_chart, show_figures, show_table
from ui.runtime.jobs import Job
from ui.state import AuditState, Fitted
from ui.text import labels, literal, stated

# A tree to look at: drawn, with what is known of the node that is clicked or chosen.

LEVELS = 5
"""Questions one after the other that fit into the page."""

# A wide tree scrolls in its own frame; where there is room, what is said of a node stays in sight beside a long tree.
STYLE = """<style>
.st-key-trees_drawing {overflow-x: auto;}
@media (min-width: 900px) and (min-height: 720px) {
  div:has(> .st-key-trees_node_shown) {position: sticky; top: 3.75rem; z-index: 5;}
  .st-key-trees_node_shown {background: white; max-height: 55vh; overflow-y: auto;}
}
</style>"""
_LONGEST = 110


def show_picture(fitted: Fitted) -> None:
    """Draw the tree as far as a page of paper has room for it, on a narrow screen in words; or the smallest gaps."""
    details, wording = fitted.candidate.finding.details, wording_of(fitted)
    if details.max_loss is not None and len(details.gap_curve):
        show_chart(curve_chart(details), title=say(Message("curve-title")), description=curve_alt(details))
        return
    levels = drawn_levels(details.nodes)
    chart = clickable_tree_chart(details.nodes, details.counts, levels=levels, wording=wording)
    text = clickable_tree_alt(details.nodes, details.counts, levels=levels, wording=wording)
    with st.container(key="trees_picture"):
        with st.container(key="trees_wide"):
            show_chart(chart, title=say(tree_title(details, fitted.facts)), description=text)
        # Boxes that a narrow screen has room for have none for words.
        with st.container(key="trees_narrow"):
            steps = (
                f"{'  ' * int(indent)}- {literal(line, limit=300)}"
                for indent, line in tree_steps(details.nodes, wording)
            )
            st.markdown("\n".join(steps))
            if details.n_leaves > 1:
                st.caption(stated("tree-missing"))


@st.fragment
def show_tree(state: AuditState, fitted: Fitted) -> None:
    """Draw the tree, and what is known of one node."""
    details = fitted.candidate.finding.details
    key = _key(fitted)
    nodes = details.nodes
    numbers = nodes["node"].tolist()
    node, root = state.drafts.get(key, (1, 1))
    if node not in numbers or root not in numbers:
        node, root = 1, 1
    st.html(STYLE)
    # What stays in sight does so as long as this part is.
    with st.container(key="trees_look"):
        with st.container(key="trees_node_shown"):
            _choose_node(state, key, node_words(nodes, wording_of(fitted)), node, root)
            _show_node(fitted, node)
        # With a button in it, the keyboard comes into the frame that scrolls.
        with st.container(key="trees_drawing"):
            _show_moves(state, key, fitted, node, root)
            _draw(state, key, fitted, node, root)


def _draw(state: AuditState, key: str, fitted: Fitted, node: int, root: int) -> None:
    details, wording = fitted.candidate.finding.details, wording_of(fitted)
    nodes, counts = details.nodes, details.counts
    chart = clickable_tree_chart(nodes, counts, root=root, levels=LEVELS, chosen=node, clickable=True, wording=wording)
    # The page carries the description; given twice, screen readers would read it twice.
    chart.description = alt.Undefined
    # Another node is another chart: what was clicked in the last one must not stay clicked.
    name = f"{key}_{node}_{root}"
    st.altair_chart(
        chart,
        theme=None,
        alt=clickable_tree_alt(nodes, counts, root=root, levels=LEVELS, wording=wording),
        width="content",
        key=name,
        on_select=partial(_take_click, state, key, root, name),
        selection_mode=[NODE],
    )


def look_at(state: AuditState, fitted: Fitted, node: int) -> None:
    """Have a node stand out in the drawing, with the way to it."""
    key = _key(fitted)
    _take(state, key, node, state.drafts.get(key, (1, 1))[1])


def _key(fitted: Fitted) -> str:
    finding = fitted.candidate.finding
    return f"trees_node_{crc32(plan_key(finding.plan).encode())}_{finding.details.n_leaves}"


def _choose_node(state: AuditState, key: str, words: dict[int, str], node: int, root: int) -> None:
    label = labels(words.values(), limit=_LONGEST)
    if st.session_state.get(key) != node:
        st.session_state[key] = node
    st.selectbox(
        "Look at a node",
        list(words),
        format_func=lambda number: label(words[number]),
        key=key,
        on_change=lambda: _take(state, key, st.session_state[key], root),
    )


def _take(state: AuditState, key: str, node: int, root: int) -> None:
    """Keep the node that is looked at, and where the drawing begins; it moves to a node that is not drawn."""
    state.drafts[key] = (node, root_for(node, root))


def root_for(node: int, root: int) -> int:
    """Return where a drawing begins that shows a node: where it begins now, if that is far enough up and not too far.

    Examples
    --------
    >>> root_for(5, 2), root_for(5, 3), root_for(130, 1)
    (2, 1, 4)
    """
    down = node.bit_length() - root.bit_length()
    if down < 0 or node >> down != root:
        return root_for(node, 1)
    return root if down <= LEVELS else node >> LEVELS


def _take_click(state: AuditState, key: str, root: int, chart: str) -> None:
    clicked = st.session_state[chart].selection.get(NODE) or []
    if clicked:
        _take(state, key, int(clicked[0][NODE]), root)


def _show_moves(state: AuditState, key: str, fitted: Fitted, node: int, root: int) -> None:
    """Draw what helps to read a tree and to move through it, and what is not drawn of one that is too deep for that."""
    details = fitted.candidate.finding.details
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "First question",
            key="trees_first",
            type="tertiary",
            on_click=lambda: state.drafts.update({key: (1, 1)}),
        )
        st.caption(say(Message("tree-drawing-note")))
        if details.depth <= LEVELS:
            return
        is_leaf = bool(details.nodes.loc[details.nodes["node"] == node, "is_leaf"].iloc[0])
        st.button(
            "Draw from here",
            key="trees_draw_from",
            type="tertiary",
            disabled=is_leaf or node == root,
            on_click=lambda: state.drafts.update({key: (node, node)}),
        )
        n_more = len(details.nodes) - len(drawn_nodes(details.nodes, root=root, levels=LEVELS))
        st.caption(say(Message("tree-drawn", {"n": Count(n_more)})))


def _show_node(fitted: Fitted, node: int) -> None:
    """Draw who comes to a node, and what is known of them."""
    details = fitted.candidate.finding.details
    row = next(each for each in details.nodes.itertuples() if each.node == node)
    if node == 1 and not row.is_leaf:
        # Everybody comes here: the drawing says what is asked, and whoever looks at another node finds more.
        return
    views = views_of(fitted.outcome)
    who = Message("tree-node-who", {"path": Phrase(row.path)})
    st.markdown(literal(say((who, *views.describe(details, row, wording_of(fitted)))), limit=1500))
    if found := marks(row):
        st.warning(literal(say(found), limit=900))
    show_table(views.node_table(details.counts, node, fitted.facts), download=False)


# A tree that was found: what had to be alike, similar people, how it was found, and its files.

LEAVES: Final = ("leaf", "path", "prediction", "n_learned", "n", "accuracy", "accuracy_interval", "actual", "mae")
RATIOS: Final = ("first", "second", "trained", "tuned", "held_out", "held_out_interval", "reading")
GAPS: Final = ("rate_words", *RATIOS)


def note_change(asked: TreesPlan, fitted: Fitted) -> None:
    """Say so where something else is asked now than what this tree was found for."""
    if plan_key(fitted.candidate.finding.plan) != plan_key(asked):
        st.info(stated("tree-old"))


def show_alike(fitted: Fitted) -> None:
    """Draw how far apart groups are on training, tuning and test cases, and whether similar people are alike."""
    details, tables = fitted.candidate.finding.details, tables_of(fitted)
    digits = views_of(fitted.outcome).digits(fitted.facts)
    if details.constraint is not None and digits is not None:
        show_table(alike_table(details, digits))
    elif details.constraint is not None:
        # The 80 % rule allows no number of points, so there is nothing to shade: its ratios stand in the table.
        if len(details.gaps) and not details.by_ratio and details.max_loss is None:
            options = {"allowed": details.max_difference}
            show_chart(
                differences_chart(details.gaps, **options),
                title=say(Message("limits-chart")),
                description=differences_alt(details.gaps, **options),
                note=differences_note(details.gaps),
            )
        if details.max_loss is not None:
            show_table(tables["curve"])
        columns = RATIOS if details.by_ratio else GAPS
        show_table(
            tables["alike"],
            columns=tuple(name for name in columns if name in {c.name for c in tables["alike"].columns}),
        )
    said = similar(details)
    st.markdown(literal(say(said or Message("tree-similar-none"))))
    if said is not None:
        show_chart(
            charts.similar_people_chart(details, digits=digits),
            title=say(Message("tree-similar-title")),
            description=charts.similar_alt(details, digits=digits),
        )
    for table in (tables["indices"], tables["treated"], tables["similar"]):
        if table.rows:
            st.markdown(f"**{literal(table.title)}**")
            show_table(table)


def alike_table(details: AmountTreeDetails, digits: int) -> TableBlock:
    """Return how far mean predictions are apart on each part of the rows, beside the limit."""
    columns = (
        Field("rows", "cases", "text", "Which part of them."),
        Field("gap", "gap", "amount", "The largest between two groups.", digits=digits),
        Field("allowed", "limit", "amount", "On the training cases.", digits=digits),
    )
    sides = (("training", details.trained_gap), ("tuning", details.tuned_gap), ("test", details.held_out_gap))
    rows = tuple((name, gap, details.max_difference) for name, gap in sides)
    return TableBlock("remedy_1_alike", "Mean predictions of groups", columns, rows)


def show_how_found(fitted: Fitted) -> None:
    """Draw how the bound and the best tree came together, with the figures of the search and its formulas."""
    details, tables = fitted.candidate.finding.details, tables_of(fitted)
    if len(details.bounds) > 1:
        digits = details.objective_digits
        show_chart(
            charts.tree_bounds_chart(details.bounds, digits=digits),
            title=say(Message("tree-bounds-title")),
            description=charts.bounds_alt(details.bounds, digits=digits),
            note=say(Message("tree-bounds-note")),
        )
    st.caption(literal(say(solved(details)), limit=600))
    show_table(tables["found"])
    if len(details.bounds):
        show_table(tables["bounds"], most=50)
    st.code(views_of(fitted.outcome).formulas, language=None, wrap_lines=True)


def show_files(fitted: Fitted) -> None:
    """Draw the buttons that take the tree away, the tree as text and its leaves as a table."""
    details, tables = fitted.candidate.finding.details, tables_of(fitted)
    leaves, lookup = tables["leaves"], tables["lookup"]
    known = {column.name for column in leaves.columns}

    def picture():
        return clickable_tree_chart(details.nodes, details.counts, levels=details.depth, wording=wording_of(fitted))

    def png() -> bytes:
        return to_png(picture())

    def svg() -> bytes:
        return to_svg(picture())

    def text() -> bytes:
        return "\n".join((*tree_text(details, wording_of(fitted)), "")).encode()

    def spreadsheet() -> bytes:
        return csv_bytes(flat_header(lookup), flat_rows(lookup))

    offer_files(
        (
            OfferedFile("Picture (PNG)", "tree.png", "image/png", png, key="trees_file_png"),
            OfferedFile("Picture (SVG)", "tree.svg", "image/svg+xml", svg, key="trees_file_svg"),
            OfferedFile("Tree as text", "tree.txt", "text/plain", text, key="trees_file_txt"),
            OfferedFile("Tree for a spreadsheet", "tree.csv", "text/csv", spreadsheet, key="trees_file_csv"),
        ),
    )
    st.code("\n".join(tree_text(details, wording_of(fitted))), language=None, wrap_lines=True)
    show_table(leaves, columns=tuple(name for name in LEAVES if name in known))


# What a tree predicts for a made-up person, and the way there.

UNKNOWN = "not known"
_ACROSS = 3


@st.fragment
def ask_person(state: AuditState, study: DividedRows, fitted: Fitted) -> None:
    """Draw a field for each column that the tree asks for, what it predicts then, and the way to that."""
    if not state.is_current(fitted):
        st.caption(say(Message("tree-person-old")))
        return
    model = fitted.candidate.model
    tree = unwrap(model).tree
    plan = plan_key(fitted.candidate.finding.plan)
    if not tree.columns:
        st.caption(say(Message("tree-person-nothing")))
        return
    asked = state.remember("asked", (state.study_key, plan, tree.columns), lambda: asked_columns(study, tree))
    st.caption(say(Message("tree-person")))
    fields = st.columns(min(_ACROSS, len(asked)))
    person = {}
    for place, column in enumerate(asked):
        key = f"trees_person_{crc32(f'{plan} {column.name}'.encode())}"
        person[column.name] = _field(fields[place % len(fields)], column, key)
    way = way_of(study.X, tree, person)
    with st.container(border=True, key="trees_person"):
        st.markdown(f"**{literal(say(views_of(fitted.outcome).predicted(way, fitted.facts)), limit=600)}**")
        st.markdown(way_words(way))
        if st.button("Show the way", key="trees_show_way"):
            look_at(state, fitted, way.nodes[-1])
            # The drawing is a part of its own.
            st.rerun()


def way_words(way: Way) -> str:
    """Return the way through a tree as a numbered list, in Markdown."""
    lines = [
        f"{place}. {literal(say(_step(step, node)), limit=500)}"
        for place, (step, node) in enumerate(zip(way.steps, way.nodes[1:], strict=True), start=1)
    ]
    return "\n".join(lines)


def _step(step: str, node: int) -> Message:
    return Message("tree-person-step", {"step": Phrase(step), "node": Count(node)})


def _field(place: Any, column: AskedColumn, key: str) -> Any:
    """Draw a field and return what is in it; None where nothing is known."""
    if key not in st.session_state:
        st.session_state[key] = column.usual
    with place:
        st.markdown(f"**{literal(column.name, limit=60)}**")
        hidden: dict[str, Any] = {"label": literal(column.name, limit=60), "label_visibility": "collapsed", "key": key}
        if column.kind == "number":
            step = 1.0 if column.is_whole else max(float(f"{(column.high - column.low) / 50:.0e}"), 1e-9)
            found: Any = st.number_input(value=None, step=step, format="%g", placeholder=UNKNOWN, **hidden)
            st.caption(range_words(f"{column.low:g}", f"{column.high:g}"))
        elif column.kind == "date":
            ends: dict[str, Any] = {"min_value": datetime.date.min, "max_value": datetime.date.max}
            found = st.date_input(value=None, **ends, **hidden)
            st.caption(range_words(str(column.low), str(column.high)))
        else:
            label = labels(column.choices)
            found = st.selectbox(
                options=list(column.choices), index=None, format_func=label, placeholder=UNKNOWN, **hidden
            )
    return found


def range_words(low: str, high: str) -> str:
    """Return between what values a column was on the training rows, in words."""
    return say(Message("tree-person-range", {"low": Phrase(low), "high": Phrase(high)}))


# Trees of other settings: what depth, limits and prices cost.

COLUMNS = (
    *("words", "n_leaves", "objective", "trained_accuracy", "trained_mae", "accuracy", "mae", "gap", "index", "chosen"),
)


def show_settings(state: AuditState, fitted: Fitted) -> None:
    """Draw accuracy and differences of trees of other settings, and the choice of one of them."""
    finding = fitted.candidate.finding
    details, plan = finding.details, finding.plan
    settings = details.settings
    if len(settings) < 2:
        st.caption(stated("learn-no-settings"))
        return
    unit = unit_of(fitted)
    for by in ("gap", "index"):
        if len(charts.drawn_settings(settings, by)) > 1:
            shown: dict[str, Any] = {"by": by, "allowed": allowed_of(details, by), "unit": unit}
            show_chart(
                charts.tree_settings_chart(settings, **shown),
                title=say(Message("tree-settings-title")),
                description=charts.settings_alt(settings, **shown),
            )
    if len(charts.drawn_depths(settings)) > 1:
        show_chart(
            charts.tree_depths_chart(settings, digits=unit.digits),
            title=say(charts.depth_lines(settings, digits=unit.digits).title),
            description=charts.depths_alt(settings, digits=unit.digits),
        )
    by = "gap" if details.constraint is not None else "index"
    words = [setting_words(row, unit, by) for row in settings.itertuples()]
    drafts.choose_setting(state, plan, settings, words, take_setting=take_setting, note=say(Message("tree-take")))
    show_table(tables_of(fitted)["settings"], columns=_columns(settings))


def unit_of(fitted: Fitted) -> charts.Unit:
    """Return what figures of trees of other settings are in."""
    digits = views_of(fitted.outcome).digits(fitted.facts)
    return charts.Unit(digits, by_ratio=fitted.candidate.finding.details.by_ratio)


def _columns(settings: pd.DataFrame) -> tuple[str, ...]:
    return tuple(name for name in COLUMNS if name in settings and settings[name].notna().any())


def take_setting(state: AuditState, plan: TreesPlan, row: pd.Series) -> None:
    """Put a setting in the form; all else stays as it was when the tree was found."""
    changes: dict[str, Any] = {name: getattr(plan, name) for name in TreesPlan.model_fields if name != "name"}
    changes["max_depth"] = int(row["max_depth"])
    if row["setting"] == "free":
        changes |= {"constraint": None, "discrimination": None, "fairness_weight": 0.0, "max_discrimination": None}
        changes["amount_difference"] = None
        changes["choose_weight"] = False
    elif row["setting"] == "weight":
        changes["fairness_weight"] = float(row["weight"])
    elif row["setting"] == "limit" and plan.constraint is None:
        changes["max_discrimination"] = float(row["limit"])
    elif row["setting"] == "limit":
        changes[views_of(state.present_decision.kind).limit] = float(row["limit"])
    drafts.take(state, USUAL, **changes)


def setting_words(row: Any, unit: charts.Unit, by: str) -> str:
    """Return a setting, a row of ``TreesDetails.settings``, and what it gives on the tuning rows, in words."""
    quality = unit.quality(row.mae if unit.digits is not None else row.accuracy)
    return charts.option(row.words, quality, unit.distance(getattr(row, by), by), chosen=bool(row.chosen))


# The search for a tree while it goes on: the best tree so far, and the proven bound.

TREE, WEIGHT = "tree", "weight"


def search_steps(found: Sequence[Incumbent]) -> pd.DataFrame:
    """Return the steps of a search: share (of the work), objective (of the best), bound; NaN where there is none."""
    names = ["share", "objective", "bound"]
    rows = [[float(each.figures[name]) for name in names] for each in found if each.what == TREE]
    path = pd.DataFrame(rows, columns=names, dtype=float).replace([math.inf, -math.inf], math.nan)
    return path.assign(objective=path["objective"].cummin())


def show_steps(job: Job) -> None:
    """Draw how far a search for a tree that is under way has come."""
    found, fit = job.found, job.about
    # With a price on discrimination, what is made small is no share of rows.
    priced = fit.plan.fairness_weight > 0
    digits = views_of(fit.outcome).digits(fit.facts)
    counted = "curve-search" if fit.plan.max_loss is not None else _counted(priced, digits)
    path = search_steps(found)
    trials = [each.figures for each in found if each.what == WEIGHT]
    best, bound = path["objective"].min(), path["bound"].max()
    figures = [("Best so far", value_text(best, priced=priced, digits=digits), say(Message(counted)))]
    if path["bound"].notna().any():
        figures += [
            ("Least possible", value_text(bound, priced=priced, digits=digits), say(Message("tree-search-proven"))),
            distance_figure(best, bound),
        ]
    elif trials:
        figures.append(("Weights tried", f"{len(trials)}", say(Message("tree-search-weights"))))
    show_figures(figures)
    if path["bound"].notna().any():
        places = 4 if digits is None else digits + 1
        drawn = tree_bounds_chart(path, digits=places)
        show_chart(drawn, description=bounds_alt(path, digits=places), note=say(Message("tree-bounds-note")))


def _counted(priced: bool, digits: int | None) -> str:
    if priced:
        return "tree-search-priced"
    return "tree-search-wrong" if digits is None else "tree-search-off"


def value_text(value: float, *, priced: bool, digits: int | None = None) -> str:
    """Return what is made small, in words.

    Examples
    --------
    >>> value_text(math.nan, priced=False), value_text(0.3125, priced=True), value_text(412.3, priced=False, digits=0)
    ('none yet', '0.3125', '412.3')
    """
    if not math.isfinite(value):
        return say(Message("tree-search-none"))
    if digits is not None:
        return number_text(value, digits=digits + 1)
    return number_text(value, digits=4) if priced else share_text(value)


def distance_figure(best: float, bound: float) -> tuple[str, str, str]:
    """Return how far the best can be above the lowest possible, as a figure with its note.

    Examples
    --------
    >>> distance_figure(0.9, 0.1), distance_figure(0.0, 0.0)[1]
    (('Distance', 'far', 'more than twice the bound'), '0 %')
    """
    if 0 < 2 * bound < best:
        return "Distance", "far", say(Message("tree-search-far"))
    return "Distance", distance_text(best, bound), say(Message("tree-search-near"))
