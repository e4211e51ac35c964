"""No command writes over what it reads: this is looked at before anything is read or computed."""

from __future__ import annotations

from pathlib import Path

from fairaudit.files import refuse_overwriting

REPORT = ("report.pdf", "annexes.pdf", "tables.zip", "result.json", "plan.toml")
FORMS = ("form_*.html", "form_*.csv")


def check_outputs(*inputs: str | Path | None, out: Path | None = None, plan: Path | None = None) -> None:
    """Refuse a folder or a plan to write to where that would overwrite one of the inputs."""
    outputs = [] if plan is None else [plan]
    if out is not None:
        outputs += [*(out / name for name in REPORT), *(path for form in FORMS for path in out.glob(form))]
    refuse_overwriting(outputs, [Path(path) for path in inputs if path is not None])
