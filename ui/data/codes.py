"""What the codes of a column stand for: asked where the decision or a group has such, and written there or in More."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from fairaudit.columns import Column, ReadOptions, code_text, labels_of, number_text
from fairaudit.data.code_columns import LIKELY, Likely, codes_in, open_codes
from fairaudit.data.codebook import labels_for, read_codebook
from fairaudit.data.table import Table
from fairaudit.errors import FairauditError, expect, quote
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from ui.asking import Press, Question, show_answer
from ui.data.loading import read_again, read_content
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import OPEN_CODES, columns_named, labels, stated
from ui.widgets import start_choice

COLUMN = "codes_column"
"""Under which of the session's drafts the column stands whose codes the person names where they are asked about."""

_ASKED = "data_asked"
_YES_NO = {"0", "1"}
_MOST_SHOWN = 4
_MOST_NAMED = 3
_IN_A_ROW = 3


def asked_codes(state: AuditState) -> tuple[str, ...]:
    """Return the columns of the decision and of groups that hold codes which nobody has said anything of."""
    table = state.present_table
    # Which values are good is said in what they stand for.
    decision = state.begun.get("decision") if state.decision is None else state.decision.column
    if state.decision is not None and not state.decision.kind.has_good_outcome:
        decision = None
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
    others = (
        Press(Message("data-codes-unnamed"), "data_codes_unnamed", partial(_take_for, state, "codes", (name,))),
        Press(
            Message("data-codes-are-numbers"),
            "data_codes_numbers",
            partial(_take_for, state, "numbers", (name,)),
            help="More of them is more, as of points.",
        ),
    )
    if state.drafts.get(COLUMN) == name:
        return Question(asked, lead, others, lambda: _edit(state, name, key=_ASKED), fields_answer=True)
    begin = Press(Message("data-codes-name"), "data_codes_name", lambda: _begin_naming(state, name))
    return Question(asked, lead, (begin, *others))


def ask_order(state: AuditState, names: Iterable[str]) -> tuple[Question, ...]:
    """Ask, of columns that an answer takes for an order, whether their numbers are codes: one question for those alike.

    First come those that are likely codes.
    """
    table = state.present_table
    names = tuple(name for name in dict.fromkeys(names) if name in table.columns)
    found = state.remember("open_codes", names, lambda: open_codes(table, names))
    return tuple(
        _ask_order(state, tuple(name for name, each in found.items() if each == likely), likely)
        for likely in dict.fromkeys(sorted(found.values()))
    )


def _ask_order(state: AuditState, names: tuple[str, ...], likely: Likely) -> Question:
    named = Phrase(columns_named(names[:_MOST_NAMED]))
    more = len(names) - _MOST_NAMED
    columns = Message("names-more", {"names": named, "n": Count(more)}) if more > 0 else named
    presses = {
        "codes": Press(
            Message("data-order-codes"), "data_order_codes", partial(_take_for, state, "codes", names),
            help="They become text. What they stand for can be said on Data, under More.",
        ),
        "numbers": Press(
            Message("data-order-numbers"), "data_order_numbers", partial(_take_for, state, "numbers", names),
        ),
    }  # fmt: skip
    return Question(
        Message("data-order", {"columns": columns}),
        Message("data-order-likely", {"answer": Word(likely), "columns": _shown_codes(state, names)}),
        tuple(sorted(presses.values(), key=lambda press: press != presses[likely])),
    )


def _shown_codes(state: AuditState, names: tuple[str, ...]) -> Phrase:
    """Return the first columns with their first numbers."""
    shown = []
    for name in names[:_MOST_SHOWN]:
        values = sorted(value for value in state.present_table.common_values(name) if value is not None)
        codes = ", ".join(code_text(value) for value in values[:_MOST_SHOWN])
        shown.append(f"{quote(name, limit=40)}: {codes}{', …' if len(values) > _MOST_SHOWN else ''}")
    return Phrase("; ".join(shown))


def _begin_naming(state: AuditState, name: str) -> None:
    state.drafts[COLUMN] = name
    st.rerun()


def _take_for(state: AuditState, likely: Likely, names: tuple[str, ...]) -> None:
    """Read the numbers of some columns as codes, or as numbers, and draw anew."""
    st.session_state.pop(OPEN_CODES, None)
    _reread(state, _with(state.reading, likely, (*getattr(state.reading, likely), *names)))


def _with(options: ReadOptions, likely: Likely, names: Iterable[str]) -> ReadOptions:
    """Return options that name these columns as those of codes, or as those of numbers."""
    return replace(options, codes=tuple(names)) if likely == "codes" else replace(options, numbers=tuple(names))


def show_codes(state: AuditState) -> None:
    """Draw the editor of labels: the codes of a column with their rows, a codebook, and what takes it back."""
    table = state.present_table
    # Of a database, each column would be a question to it.
    held = {} if table.is_connected else state.remember("code_columns", "", lambda: codes_in(table, table.columns))
    said = {*held, *state.reading.numbers}
    columns = [
        name
        for name, column in table.columns.items()
        if name in said or column.labels or (table.is_connected and column.kind in ("number", "text"))
    ]
    with st.expander(say(Message("data-codes-title")), key="data_codes"):
        if columns:
            place = start_choice(f"data_codes_column_{state.data_key}", None, columns)
            name = st.selectbox(
                "Column", columns, format_func=labels(columns), key=place, placeholder="Choose a column", index=None
            )
            answered = [likely for likely in LIKELY if name in getattr(state.reading, likely)]
            for likely in answered:
                left = (each for each in getattr(state.reading, likely) if each != name)
                take = partial(_reread, state, _with(state.reading, likely, left))
                said_of: dict[str, Argument] = {"answer": Word(likely), "column": Phrase(quote(name, limit=40))}
                show_answer(Message("data-codes-said", said_of), Press(Message("data-undo"), "data_codes_undo", take))
            if name is not None and "numbers" not in answered:
                _edit(state, name, key="data_more")
        _bring_codebook(state)


def _edit(state: AuditState, name: str, *, key: str) -> None:
    """Draw a field for the label of each code, with its rows."""
    table = state.present_table
    column, is_said = table.columns[name], name in dict(state.reading.labels)
    # Codes without labels are held as their own.
    present = {code: label for code, label in column.labels if name not in state.reading.codes}
    frame = table.values(name, limit=200).dropna(subset="value")
    rows = {code_text(value): int(n) for value, n in zip(frame["value"], frame["n"], strict=True)}
    codes = sorted({*present, *(code for code in rows if code not in present.values())}, key=_in_order)
    n_of = {code: rows.get(present.get(code, code), 0) for code in codes}
    at = f"{key}_codes_{state.data_key}_{list(table.columns).index(name)}"
    with st.form(at, border=False):
        # Row by row: so they are read and reached by the keyboard in the order of the codes.
        rows_of_fields = [st.columns(_IN_A_ROW) for _ in range(0, len(codes), _IN_A_ROW)]
        said = {
            code: rows_of_fields[place // _IN_A_ROW][place % _IN_A_ROW]
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
        use = st.form_submit_button("Use these labels", type="primary" if key == _ASKED else "secondary")
    if use:
        _use(state, {name: {code: label for code, label in said.items() if label}})
    are_numbers = column.kind == "number" or (present and all(map(number_text, present)))
    if key == "data_more" and not is_said and are_numbers:
        with st.container(horizontal=True):
            for likely, words in zip(LIKELY, ("data-codes-unnamed", "data-codes-are-numbers"), strict=True):
                if st.button(say(Message(words)), key=f"data_more_{likely}"):
                    _take_for(state, likely, (name,))
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
        options = state.reading
        for likely in LIKELY:
            options = _with(options, likely, (name for name in getattr(options, likely) if name not in said))
        _reread(state, replace(options, labels=labels_of({**others, **said})))


def _reread(state: AuditState, options: ReadOptions) -> None:
    """Read the file again and draw anew; what was favourable stays, in labels or in codes."""
    before = state.present_table
    outcomes = {name: _in_codes(getattr(state, name), before.columns) for name in ("decision", "prediction")}
    with errors_shown(go_on=True):
        for name, outcome in outcomes.items():
            setattr(state, name, outcome)
        read_again(state, options)
        state.drafts.pop(COLUMN, None)
        st.rerun()


def _in_codes(outcome: OutcomePlan | None, columns: Mapping[str, Column]) -> OutcomePlan | None:
    """Return a decision whose favourable values are codes, which a column with labels and one without both take."""
    column = None if outcome is None else columns.get(outcome.column)
    by_label = {} if column is None else {label: code for code, label in column.labels}
    if outcome is None or not by_label:
        return outcome
    return outcome.model_copy(update={"favorable": tuple(by_label.get(str(v), v) for v in outcome.favorable)})
