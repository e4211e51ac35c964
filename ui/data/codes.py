"""What the codes of a column stand for: asked where the decision or a group has such, and written there or in More."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from fairaudit.columns import Column, ReadOptions, code_text, labels_of, number_text
from fairaudit.data.code_columns import codes_in
from fairaudit.data.codebook import labels_for, read_codebook
from fairaudit.data.table import Table
from fairaudit.errors import FairauditError, expect, quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from ui.asking import Press, Question, show_answer
from ui.data.loading import open_again, read_content
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import labels, stated
from ui.widgets import start_choice

COLUMN = "codes_column"
"""Under which of the session's drafts the column stands whose codes the person names where they are asked about."""

_YES_NO = {"0", "1"}
_MOST_SHOWN = 4
_IN_A_ROW = 3


def asked_codes(state: AuditState) -> tuple[str, ...]:
    """Return the columns of the decision and of groups that hold codes which nobody has said anything of."""
    table = state.present_table
    if table.is_connected:
        return ()
    has_good = state.decision is not None and state.decision.kind.has_good_outcome
    decision = state.present_decision.column if has_good else None
    named = [*([] if decision is None else [decision]), *state.protected_columns]
    for entry in state.checks:
        try:
            condition = table.condition(entry.plan.protected)
        except FairauditError:
            continue
        named += [] if condition is None else condition.columns
    names = [name for name in dict.fromkeys(named) if name in table.columns and table.columns[name].kind == "number"]
    found = state.remember("asked_codes", tuple(names), lambda: codes_in(table, names))
    # A decision of 0 and 1 is no and yes, and its verb says what it means.
    return tuple(name for name, codes in found.items() if name != decision or not set(codes) <= _YES_NO)


def ask_codes(state: AuditState) -> tuple[Question, ...]:
    """Ask what the codes of each column stand for that the decision or a group is made of."""
    return tuple(_ask_codes(state, name) for name in asked_codes(state))


def _ask_codes(state: AuditState, name: str) -> Question:
    codes = codes_in(state.present_table, [name])[name]
    shown = ", ".join(codes[:_MOST_SHOWN]) + (", …" if len(codes) > _MOST_SHOWN else "")
    asked = Message("data-codes", {"codes": Phrase(shown), "column": Phrase(quote(name, limit=40))})
    lead = Message("data-codes-lead")
    are_numbers = Press(
        Message("data-codes-are-numbers"),
        "data_codes_numbers",
        lambda: _take_for_numbers(state, name),
        help="More of them is more, as of points.",
    )
    if state.drafts.get(COLUMN) == name:
        return Question(asked, lead, (are_numbers,), lambda: _edit(state, name, key="data_asked"))
    return Question(
        asked,
        lead,
        (Press(Message("data-codes-name"), "data_codes_name", lambda: _begin_naming(state, name)), are_numbers),
    )


def _begin_naming(state: AuditState, name: str) -> None:
    state.drafts[COLUMN] = name
    st.rerun()


def _take_for_numbers(state: AuditState, name: str) -> None:
    _reread(state, replace(state.reading, numbers=(*state.reading.numbers, name)))


def show_codes(state: AuditState) -> None:
    """Draw the editor of labels: the codes of a column with their rows, a codebook, and what takes it back."""
    table = state.present_table
    if table.is_connected:
        return
    held = state.remember("code_columns", "", lambda: codes_in(table, table.columns))
    said = {*held, *state.reading.numbers}
    columns = [name for name, column in table.columns.items() if name in said or column.labels]
    with st.expander(say(Message("data-codes-title")), key="data_codes"):
        if columns:
            place = start_choice(f"data_codes_column_{state.data_key}", None, columns)
            name = st.selectbox(
                "Column", columns, format_func=labels(columns), key=place, placeholder="Choose a column", index=None
            )
            if name in state.reading.numbers:
                left = tuple(each for each in state.reading.numbers if each != name)
                take = partial(_reread, state, replace(state.reading, numbers=left))
                numbers = Message("data-codes-numbers", {"column": Phrase(quote(name, limit=40))})
                show_answer(numbers, Press(Message("data-undo"), "data_codes_undo", take))
            elif name is not None:
                _edit(state, name, key="data_more")
        _bring_codebook(state)


def _edit(state: AuditState, name: str, *, key: str) -> None:
    """Draw a field for the label of each code, with its rows."""
    table = state.present_table
    column, is_said = table.columns[name], name in dict(state.reading.labels)
    present = dict(column.labels)
    frame = table.values(name, limit=200).dropna(subset="value")
    rows = {code_text(value): int(n) for value, n in zip(frame["value"], frame["n"], strict=True)}
    codes = sorted({*present, *(code for code in rows if code not in present.values())}, key=_in_order)
    n_of = {code: rows.get(present.get(code, code), 0) for code in codes}
    at = f"{key}_codes_{state.data_key}_{list(table.columns).index(name)}"
    with st.form(at, border=False):
        places = st.columns(_IN_A_ROW)
        said = {
            code: places[place % _IN_A_ROW]
            .text_input(
                stated("data-code", code=Phrase(code), n=Count(n_of[code]), limit=60),
                value=present.get(code, ""),
                key=f"{at}_{place}",
                placeholder="What it stands for",
                max_chars=120,
            )
            .strip()
            for place, code in enumerate(codes)
        }
        use = st.form_submit_button("Use these labels")
    if use:
        _use(state, {name: {code: label for code, label in said.items() if label}})
    are_numbers = column.kind == "number" or (present and all(map(number_text, present)))
    if key == "data_more" and not is_said and are_numbers and st.button("They are numbers", key="data_more_numbers"):
        _take_for_numbers(state, name)
    if is_said and st.button("Undo: show the codes again", key="data_codes_undo"):
        rest = tuple(each for each in state.reading.labels if each[0] != name)
        _reread(state, replace(state.reading, labels=rest))


def _in_order(code: str) -> tuple[float, str]:
    try:
        return float(code), code
    except ValueError:
        return float("inf"), code


def _bring_codebook(state: AuditState) -> None:
    """Draw where a codebook is brought; it is used once."""
    left, right = st.columns(2)
    names = list(state.present_table.columns)
    about = right.selectbox(
        "About the column",
        names,
        index=None,
        format_func=labels(names),
        placeholder="Named in the codebook",
        key=f"data_codebook_column_{state.data_key}",
        help="Choose one where the codebook has two columns alone, value and label.",
    )
    upload: UploadedFile | None = left.file_uploader(
        "Codebook: column, value, label",
        key=f"data_codebook_{state.data_key}",
        help="A second file that says what codes stand for.",
    )
    if upload is not None and st.button("Use this codebook", key="data_codebook_use"):
        with errors_shown(go_on=True):
            labels_read = read_codebook(upload.getvalue(), column=about, read=_read_apart)
            found, _ = labels_for(labels_read, names)
            _use(state, {name: dict(codes) for name, codes in found})


def _read_apart(content: str | Path | bytes, options: ReadOptions) -> Table:
    return read_content(expect(bytes, content), name="codebook", options=options)


def _use(state: AuditState, said: Mapping[str, Mapping[str, str]]) -> None:
    """Read the table again with labels of some columns, in place of those that they had."""
    with errors_shown(go_on=True):
        others = {name: dict(codes) for name, codes in state.reading.labels if name not in said}
        numbers = tuple(name for name in state.reading.numbers if name not in said)
        _reread(state, replace(state.reading, labels=labels_of({**others, **said}), numbers=numbers))


def _reread(state: AuditState, options: ReadOptions) -> None:
    """Read the file again and draw anew; what was favourable stays, in labels or in codes."""
    before = state.present_table
    outcomes = {name: _in_codes(getattr(state, name), before.columns) for name in ("decision", "prediction")}
    with errors_shown(go_on=True):
        for name, outcome in outcomes.items():
            setattr(state, name, outcome)
        open_again(state, state.source, state.content, options)
        state.drafts.pop(COLUMN, None)
        st.rerun()


def _in_codes(outcome: OutcomePlan | None, columns: Mapping[str, Column]) -> OutcomePlan | None:
    """Return a decision whose favourable values are codes, which a column with labels and one without both take."""
    column = None if outcome is None else columns.get(outcome.column)
    by_label = {} if column is None else {label: code for code, label in column.labels}
    if outcome is None or not by_label:
        return outcome
    return outcome.model_copy(update={"favorable": tuple(by_label.get(str(v), v) for v in outcome.favorable)})
