"""Bringing a table, how it was read, what is asked where it can be read in two ways, and changing it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Literal

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from fairaudit.columns import (
    DayOrder,
    DecimalMark,
)
from fairaudit.data import ReadOptions
from fairaudit.data.dialect import MOST_ABOVE
from fairaudit.data.formats import sniff
from fairaudit.data.statistical_files import CALLED
from fairaudit.data.subprocess_reader import warm_up
from fairaudit.data.unknown_values import unknown_meaning
from fairaudit.errors import FairauditError, LimitError, TwoReadings, quote, require
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from ui.data import connecting, rows_of_file
from ui.data.loading import (
    bring_upload,
    folder_files,
    list_samples,
    open_again,
    open_folder_file,
    open_sample,
    open_upload,
    show_refusal,
    show_room,
)
from ui.entries import AskedFile
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import labels, literal
from ui.widgets import start_choice

# Columns whose numbers can be read in two ways: nothing is read before the person has said which is meant.

Meant = Literal[".", ",", "text"]

_APART = 1
"""Above so many columns, one answer for all is offered first."""


def show_two_readings(state: AuditState) -> None:
    """Draw the question that a file asked, and read it with the answers."""
    asked = require(state.asked_file)
    st.header(literal(asked.source, limit=80))
    options = ask_two_readings(asked)
    if st.button("Leave this file", key=f"data_two_readings_leave_{asked.key}"):
        state.asked_file = None
        st.rerun()
    if options is not None:
        with errors_shown(go_on=True):
            open_again(state, asked.source, asked.content, options)
            st.rerun()


def ask_two_readings(asked: AskedFile) -> ReadOptions | None:
    """Draw the question that a file asked; return how it is to be read, None before that is said."""
    columns = asked.columns
    n = len(columns)
    headline = st.container()
    meant: dict[str, Meant | None] = {}
    one_by_one = True
    if n > _APART and len({each.as_comma > each.as_point for each in columns}) == 1:
        for_all = _choose(columns[0], f"in {n} columns", key=f"data_two_readings_all_{asked.key}")
        one_by_one = st.checkbox("Not alike in all: choose one by one", key=f"data_two_readings_apart_{asked.key}")
        meant = {each.column: for_all for each in columns}
    if one_by_one:
        for place, each in enumerate(columns):
            where = f"in {quote(each.column, limit=60)}"
            meant[each.column] = _choose(each, where, key=f"data_two_readings_{place}_{asked.key}")
    n_asked = n if one_by_one else 1
    headline.subheader(say(Message("data-questions", {"n": Count(n_asked)})), anchor=False)
    answered = st.button(
        "Answer and go on",
        type="primary",
        key=f"data_two_readings_go_{asked.key}",
        disabled=any(answer is None for answer in meant.values()),
    )
    return with_answers(asked.options, meant) if answered else None


def _choose(each: TwoReadings, where: str, *, key: str) -> Meant | None:
    """Draw the question about a column, with some of its cells and what each answer makes of the first."""
    marks, said = marks_in_words(each)
    options: list[Meant] = [*marks, "text"]
    words: dict[Meant, str] = {**{mark: say(said[mark]) for mark in marks}, "text": "No number: keep it as text"}
    big, small = (_in_words(mark, each) for mark in marks)
    question = f"{literal(f'Does {each.cells[0]} {where} mean', limit=200)} {big}, or {small}?"
    seen = say(Message("data-cells", {"cells": Phrase(", ".join(each.cells))}))
    if each.shown_by is not None:
        mark = "comma" if each.likely == "," else "point"
        args = {"column": Phrase(quote(each.shown_by, limit=60)), "mark": Phrase(mark)}
        seen = f"{seen} {say(Message('data-mark-shown', args))}"
    with st.container(border=True):
        st.markdown(f"**{question}**")
        st.caption(literal(seen, limit=400))
        return st.radio(
            question,
            options,
            index=None,
            format_func=lambda answer: words[answer],
            label_visibility="collapsed",
            key=key,
        )


def marks_in_words(each: TwoReadings) -> tuple[tuple[DecimalMark, ...], dict[DecimalMark, Message]]:
    """Return both decimal marks, and what the first cell then is; thousands first, as they are more frequent."""
    comma_first = abs(each.as_comma) > abs(each.as_point)
    marks: tuple[DecimalMark, ...] = (",", ".") if comma_first else (".", ",")
    called = Phrase("point" if comma_first else "comma")
    big, small = (Phrase(_in_words(mark, each)) for mark in marks)
    thousands = Message("data-mark-thousands", {"number": big, "mark": called})
    return marks, {
        marks[0]: thousands,
        marks[1]: Message("data-mark-decimal", {"number": small, "mark": called}),
    }


def _in_words(mark: Meant, each: TwoReadings) -> str:
    """Return the first cell as it is read with a decimal mark, so that no mark can be read in two ways again."""
    number = each.as_point if mark == "." else each.as_comma
    if float(number).is_integer():
        return f"{number:.0f}"
    sign, size = "minus " if number < 0 else "", round(1000 * abs(number))
    return f"{sign}{size // 1000} and {size % 1000} thousandths"


def with_answers(options: ReadOptions, meant: Mapping[str, Meant | None]) -> ReadOptions:
    """Return options with what was said of columns: their decimal mark, or that they are texts."""
    named: dict[Meant, tuple[str, ...]] = {
        answer: tuple(name for name, said in meant.items() if said == answer) for answer in (".", ",", "text")
    }
    return replace(
        options,
        decimal_point=(*options.decimal_point, *named["."]),
        decimal_comma=(*options.decimal_comma, *named[","]),
        as_text=(*options.as_text, *named["text"]),
    )


# How the file was read, and changing it.

NAMED_KINDS = {
    "csv": "text",
    "tsv": "text",
    "xlsx": "an Excel workbook",
    "parquet": "a Parquet table",
    **CALLED,
    "zsav": CALLED["sav"],
}
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
MARKS: dict[DecimalMark | None, str] = {".": "point", ",": "comma", None: "found in each column"}
DAYS_WRITTEN: dict[DayOrder | None, str] = {
    None: "31.12.2024",
    "day first": "31/12/2024 or 31-12-2024",
    "month first": "12/31/2024 or 12-31-2024",
    "year first": "2024-12-31 alone",
}
MISSING_TEXTS = ("?", "unknown", "N/A", "NA", "NULL", "-")
QUOTES = {'"': '"', "'": "'", "": "none"}
FOUND = "found by itself"
ENCODINGS = ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16"]


def name_notes(state: AuditState) -> tuple[str, ...]:
    """Return a sentence where the file's name says another kind than its content, which counts."""
    named = PurePath(state.source.lower().removesuffix(".gz")).suffix.removeprefix(".")
    found = state.present_table.source.format
    if named not in NAMED_KINDS or found not in NAMED_KINDS or NAMED_KINDS[named] == NAMED_KINDS[found]:
        return ()
    return (say(Message("data-named-otherwise", {"named": Phrase(named), "kind": Phrase(NAMED_KINDS[found])})),)


def plan_notes(state: AuditState) -> tuple[str, ...]:
    """Return a sentence on how the saved audit says that its file is read, where the present file was read so."""
    if not state.read_as_planned:
        return ()
    found = state.reading
    parts = [] if found.sheet is None else [f"sheet {quote(found.sheet, limit=60)}"]
    parts += [] if found.delimiter is None else [f"between cells: {DELIMITERS.get(found.delimiter, found.delimiter)}"]
    parts += [] if found.encoding is None else [f"encoding: {found.encoding}"]
    texts = ", ".join(quote(text, limit=20) for text in found.missing)
    parts += [say(Message("data-missing-texts", {"texts": Phrase(texts)}))] if texts else []
    columns = ", ".join(quote(name, limit=40) for name in found.same_spelling)
    parts += [say(Message("data-one-spelling-in", {"columns": Phrase(columns)}))] if columns else []
    if not parts:
        return (say(Message("data-read-as-saved")),)
    return (say(Message("data-read-as-saved-how", {"how": Phrase("; ".join(parts))})),)


def show_refused_upload(state: AuditState, upload: UploadedFile) -> None:
    """Say why an upload is not used, and draw a form that reads it with other choices where it is a text."""
    show_refusal(state)
    kind = None
    with suppress(FairauditError):
        kind = sniff(upload.getvalue())
    # What is too large is so however it is read.
    if kind not in ("text", "gzip") or isinstance(state.refused, LimitError):
        return
    with st.form("data_refused"):
        st.markdown("**Read it in another way**")
        options = ReadOptions(
            delimiter=_choice("Between cells", DELIMITERS, "data_refused_delimiter"),
            quote=_choice("Quote mark", QUOTES, "data_refused_quote"),
            encoding=_choice("Encoding", {name: name for name in ENCODINGS}, "data_refused_encoding"),
        )
        again = st.form_submit_button("Read it with these choices")
    if again:
        bring_upload(state, upload, options)


def _choice(label: str, named: dict[str, str], key: str) -> Any:
    """Draw a choice among some marks, each with its name, or none: it is found then."""
    options = [None, *named]
    return st.selectbox(label, options, format_func=lambda mark: FOUND if mark is None else named[mark], key=key)


def show_reading(state: AuditState) -> None:
    """Draw what was found while reading, and a form that reads the file again with other choices."""
    source = state.present_table.source
    with st.expander("How the file was read", key="data_how_read"):
        st.markdown(f"Kind: {source.format}{', gzip-compressed' if source.compressed else ''}.")
        if state.content is None:
            st.caption(say(Message("data-read-in-place")))
            return
        rows_of_file.show(state)
        with st.form("data_reading", border=False):
            options = _text_fields(state) if source.format in {"csv", "tsv"} else _other_fields(state)
            again = st.form_submit_button("Read it again with these choices")
        if again:
            with errors_shown(go_on=True):
                open_upload(state, state.source, state.content, options)
                st.rerun()


def _text_fields(state: AuditState) -> ReadOptions:
    found = state.reading
    left, right = st.columns(2)
    with left:
        delimiters = list(dict.fromkeys([found.delimiter, *DELIMITERS]))
        delimiter = st.selectbox(
            "Between cells",
            delimiters,
            format_func=lambda d: DELIMITERS.get(d, d or "one column"),
            key=f"data_delimiter_{state.data_key}",
        )
        decimal = _decimal_field(state)
    with right:
        encodings = list(dict.fromkeys([found.encoding, *ENCODINGS]))
        encoding = st.selectbox("Encoding", encodings, format_func=str, key=f"data_encoding_{state.data_key}")
        quotes = list(dict.fromkeys([found.quote, *QUOTES]))
        dates = _dates_field(state)
        mark = st.selectbox("Quote mark", quotes, format_func=lambda q: q or "none", key=f"data_quote_{state.data_key}")
    header, names_row, name_rows = _names_fields(state, "line")
    trim = st.checkbox("Remove blanks around cells", value=found.trim, key=f"data_trim_{state.data_key}")
    options = replace(
        found,
        delimiter=delimiter,
        decimal=decimal,
        dates=dates,
        encoding=encoding,
        quote=mark,
        header=header,
        names_row=names_row,
        name_rows=name_rows,
        trim=trim,
        missing=_missing_field(state),
    )
    return _with_columns(state, options, same_names=(header, names_row, name_rows) == _placed(found))


def _other_fields(state: AuditState) -> ReadOptions:
    found = state.reading
    sheets = state.present_table.source.sheets
    sheet = found.sheet
    if sheets:
        sheet = st.selectbox(
            "Sheet", sheets, index=sheets.index(sheet) if sheet in sheets else 0, key=f"data_sheet_{state.data_key}"
        )
    # Parquet says itself what a day is, and what a number.
    if not sheets:
        return replace(found, missing=_missing_field(state))
    dates, decimal = _dates_field(state), _decimal_field(state)
    header, names_row, name_rows = _names_fields(state, "row")
    # Of another sheet, nothing is known yet.
    same = sheet == found.sheet
    options = replace(
        found,
        sheet=sheet,
        dates=dates,
        decimal=decimal,
        header=header if same else None,
        names_row=names_row if same else None,
        name_rows=name_rows if same else None,
        missing=_missing_field(state),
    )
    return _with_columns(state, options, same_names=same and (header, names_row, name_rows) == _placed(found))


def _decimal_field(state: AuditState) -> DecimalMark | None:
    return st.selectbox(
        "Decimal mark",
        list(MARKS),
        index=list(MARKS).index(state.reading.decimal),
        format_func=MARKS.__getitem__,
        key=f"data_decimal_{state.data_key}",
    )


def _names_fields(state: AuditState, called: str) -> tuple[bool, int | None, int | None]:
    """Draw where the names stand; what is left as it was found is found again."""
    source, found = state.present_table.source, state.reading
    header = st.checkbox(
        f"A {called} holds the column names", value=bool(found.header), key=f"data_header_{state.data_key}"
    )
    left, right = st.columns(2)
    place, n = source.names_row or 1, source.name_rows or 1
    with left:
        names_row = st.number_input(
            f"The names begin in {called}", 1, MOST_ABOVE, place, key=f"data_names_row_{state.data_key}"
        )
    with right:
        name_rows = st.number_input(
            f"{called.capitalize()}s of names", 1, MOST_ABOVE, n, key=f"data_name_rows_{state.data_key}"
        )
    if not header:
        return False, None, None
    moved = (names_row, name_rows) != (place, n)
    return True, names_row if moved else found.names_row, found.name_rows if name_rows == n else name_rows


def _placed(options: ReadOptions) -> tuple[bool, int | None, int | None]:
    return bool(options.header), options.names_row, options.name_rows


def _with_columns(state: AuditState, options: ReadOptions, *, same_names: bool) -> ReadOptions:
    """Draw which columns are texts and which have another decimal mark; return the options with the choice."""
    columns, now = list(state.present_table.columns), state.reading

    def choose_names(label: str, field: str, present: tuple[str, ...]) -> tuple[str, ...]:
        key = f"data_{field}_{state.data_key}"
        # Columns that count cases are none of the table any more.
        names = list(dict.fromkeys((*columns, *present)))
        chosen = st.multiselect(label, names, default=list(present), format_func=labels(names), key=key)
        # Columns that get other names are asked about again.
        return tuple(chosen) if same_names else ()

    return replace(
        options,
        decimal_point=choose_names("Columns with a decimal point", "decimal_point", now.decimal_point),
        decimal_comma=choose_names("Columns with a decimal comma", "decimal_comma", now.decimal_comma),
        as_text=choose_names("Columns that are text", "as_text", now.as_text),
    )


def _dates_field(state: AuditState) -> DayOrder | None:
    days = list(DAYS_WRITTEN)
    return st.selectbox(
        "Days are written",
        days,
        index=days.index(state.reading.dates),
        format_func=DAYS_WRITTEN.__getitem__,
        key=f"data_dates_{state.data_key}",
        help="A column of days can be put in order, and two periods can be compared. 2024-12-31 is always read.",
    )


def _missing_field(state: AuditState) -> tuple[str, ...]:
    present = state.reading.missing
    chosen = st.multiselect(
        "Texts that mean 'missing'",
        list(dict.fromkeys([*present, *_said_missing(state), *MISSING_TEXTS])),
        default=list(present),
        accept_new_options=True,
        key=f"data_missing_{state.data_key}",
        help="Empty cells are always missing. Choose codes such as ? or type your own.",
    )
    return tuple(chosen)


def _said_missing(state: AuditState) -> list[str]:
    """Return the texts of the table that say in words that something is not known."""

    def find() -> list[str]:
        columns = [name for name, column in state.present_table.columns.items() if column.kind == "text"]
        values = dict.fromkeys(value for name in columns for value in state.present_table.common_values(name))
        texts = [value for value in values if isinstance(value, str)]
        return [text for text in texts if unknown_meaning(text) in ("code", "not known")]

    return state.remember("said_missing", state.data_key, find)


# The ways to bring a table: a file, a sample, a database, the folder of this server.

UPLOAD, SAMPLE, DATABASE, SERVER = "Upload a file", "Open a sample", "From a database", "From this server"


def bring_table(state: AuditState) -> None:
    """Draw the ways to bring a table."""
    offer = connecting.offered()
    ways = [UPLOAD, SAMPLE, *([DATABASE] if offer else []), *([SERVER] if folder_files() else [])]
    first = DATABASE if state.table is not None and state.table.is_connected and offer else UPLOAD
    way = st.segmented_control("Where are the data?", ways, required=True, key=start_choice("data_way", first, ways))
    if way == UPLOAD:
        _bring_file(state)
    elif way == SAMPLE:
        _choose_sample(state)
    elif way == DATABASE:
        connecting.show_connect(state, offer)
    else:
        _choose_file(state)


def show_refused(state: AuditState) -> None:
    """Say why the file that was brought last is not used, and offer to read it in another way."""
    upload: UploadedFile | None = st.session_state.get("data_upload")
    if upload is not None and state.refused is not None and upload.file_id == state.opened_upload:
        show_refused_upload(state, upload)


def _bring_file(state: AuditState) -> None:
    warm_up()
    show_room()
    upload = st.file_uploader(
        "CSV, TSV, Excel, Parquet, SPSS, Stata or SAS",
        key="data_upload",
        help="Up to 500 MB; text files may be gzip-compressed. The file stays in the memory of this session.",
    )
    if upload is not None and upload.file_id != state.opened_upload:
        bring_upload(state, upload)


def _choose_sample(state: AuditState) -> None:
    samples = {sample.key: sample for sample in list_samples()}
    key = st.selectbox("Sample", list(samples), format_func=lambda k: samples[k].title, key="data_sample")
    st.caption(literal(samples[key].purpose))
    if st.button("Open this sample", key="data_open_sample"):
        with errors_shown(go_on=True):
            open_sample(state, key)
            st.rerun()


def _choose_file(state: AuditState) -> None:
    files = {file.name: file for file in folder_files()}
    name = st.selectbox(
        "File", list(files), format_func=lambda n: f"{n} ({files[n].size_bytes / 1e6:,.1f} MB)", key="data_file"
    )
    if st.button("Open this file", key="data_open_file"):
        with errors_shown(go_on=True):
            open_folder_file(state, name)
            st.rerun()
