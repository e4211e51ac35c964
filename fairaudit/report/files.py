"""All files of a report in one folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fairaudit.audit.result import AuditResult
from fairaudit.disclosure.gate import exported
from fairaudit.errors import ReportError
from fairaudit.presets.document import preset_html
from fairaudit.presets.preset import forms_beside
from fairaudit.presets.tables import preset_csv
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes, compose_report
from fairaudit.report.json_export import to_json
from fairaudit.report.pdf import to_pdf
from fairaudit.whole_files import folder_for, write_files


def write_report(result: AuditResult, folder: str | Path, *, base: str | Path | None = None) -> tuple[Path, ...]:
    """Write the report of an audit: two PDFs, CSV bundle, JSON, plan, and two files for each form of a rule.

    An office's own file of a form is put beside the plan, which names it so; `base` is the folder from which the plan
    that was run names it.
    """
    folder = Path(folder)
    parts, forms = forms_beside(result.plan.presets, folder, base=base, reserved=("plan.toml",))
    presets = tuple(replace(finding, plan=part) for finding, part in zip(result.presets, parts, strict=True))
    plan = result.plan.model_copy(update={"presets": parts})
    result = exported(replace(result, plan=plan, presets=presets))
    contents = {
        "report.pdf": to_pdf(compose_report(result)),
        "annexes.pdf": to_pdf(compose_annexes(result)),
        "tables.zip": to_csv_bundle(result),
        "result.json": to_json(result).encode(),
        "plan.toml": result.plan.to_toml().encode(),
    }
    author = result.plan.report.author
    for number, finding in enumerate(result.presets, start=1):
        page = preset_html(finding, number=number, author=author)
        contents[f"form_{number}_{finding.preset.key}.html"] = page.encode()
        contents[f"form_{number}_{finding.preset.key}.csv"] = preset_csv(finding)
    try:
        with folder_for(folder):
            write_files({folder / name: content for name, content in contents.items()} | forms)
    except OSError as error:
        raise ReportError(
            f"The report cannot be written to {str(folder)!r}: {error.strerror}.", hint="Choose another folder."
        ) from None
    return (*(folder / name for name in contents), *forms)
