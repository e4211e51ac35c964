"""Making the report's files and handing them over."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import streamlit as st

from fairaudit.plan import ReportPlan, SmallCellsPlan
from fairaudit.report import compose, exported, to_csv_bundle, to_json, to_pdf
from fairaudit.report.blocks import Document
from fairaudit.run import iter_run
from ui.preview import show_document
from ui.progress import follow
from ui.state import AuditState
from ui.widgets import start


@dataclass(frozen=True)
class Made:
    """The files of one report and what they were made from."""

    digest: str
    document: Document
    pdf: bytes
    bundle: bytes
    json: str
    plan: str


def show_options(state: AuditState) -> None:
    """Draw what the report says about itself and whether small counts are hidden."""
    report = state.report
    left, right = st.columns(2)
    title = left.text_input("Title", placeholder=state.table.name, key=start("report_title", report.title or ""))
    organisation = right.text_input("Organisation", key=start("report_organisation", report.organisation or ""))
    author = left.text_input("Author", key=start("report_author", report.author or ""))
    purpose = right.text_input("Why this audit was made", key=start("report_purpose", report.purpose or ""))
    quality = left.checkbox("Say what stands out in the data", key=start("report_quality", report.quality))
    definitions = right.checkbox("Explain how it is computed", key=start("report_definitions", report.definitions))
    state.report = ReportPlan(
        title=title.strip() or None,
        organisation=organisation.strip() or None,
        author=author.strip() or None,
        purpose=purpose.strip() or None,
        quality=quality,
        definitions=definitions,
    )
    mask = left.checkbox(
        "Hide small counts",
        key=start("report_mask", state.small_cells.mask),
        help="Counts of few people can point to a person. Hidden counts cannot be worked out from the others. "
        "The pages still show you everything, but hand out no tables.",
    )
    minimum = right.number_input(
        "Hide counts under",
        min_value=2,
        max_value=1000,
        step=1,
        disabled=not mask,
        key=start("report_minimum", state.small_cells.minimum),
    )
    state.small_cells = SmallCellsPlan(mask=mask, minimum=int(minimum))


def make(state: AuditState) -> None:
    """Run the audit as it stands and make all its files."""
    with st.spinner("Reading all data once for their fingerprint …"):
        plan = state.plan()
    result = exported(follow(iter_run(plan, table=state.table), label="Computing."))
    with st.spinner("Drawing the report …"):
        document = compose(result)
        state.made = Made(
            digest=_digest(state),
            document=document,
            pdf=to_pdf(document, created=datetime.date.today()),
            bundle=to_csv_bundle(result),
            json=to_json(result),
            plan=plan.to_toml(),
        )


def show_made(state: AuditState) -> None:
    """Draw the downloads and the preview of the report that was made last."""
    made = state.made
    if made is None:
        st.caption("The report is made when you press the button. It takes a few seconds.")
        return
    if made.digest != _digest(state):
        st.warning("Settings or data have changed since this report. Make it again before you hand it over.")
    buttons = st.container(horizontal=True)
    for label, content, name, mime in (
        ("PDF", made.pdf, "fairaudit-report.pdf", "application/pdf"),
        ("Tables (CSV, zip)", made.bundle, "fairaudit-tables.zip", "application/zip"),
        ("JSON", made.json, "fairaudit-result.json", "application/json"),
        ("Plan (TOML)", made.plan, "plan.toml", "application/toml"),
    ):
        buttons.download_button(
            label,
            data=content,
            file_name=name,
            mime=mime,
            key=f"report_download_{name.split('.')[-1]}",
            icon=":material/download:",
            on_click="ignore",
        )
    st.caption(
        "To repeat it: put plan.toml beside the data file, and run this in the folder of fairaudit. "
        "The numbers will be the same."
    )
    st.code(".venv/bin/python -m fairaudit run PATH/plan.toml --out PATH/report", language=None, wrap_lines=True)
    with st.expander("Preview", expanded=True):
        show_document(made.document)


def _digest(state: AuditState) -> str:
    return f"{state.plan(fingerprint=False).digest} {state.data_key}"
