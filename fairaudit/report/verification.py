"""Whether a report is as it was written, and whether its plan and data give it again.

A list of digests shows what was changed by accident, or by somebody who did not change the list. Only making the audit
again from its data shows the rest, so that is done wherever the data are given.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from fairaudit.audit.result import AuditResult
from fairaudit.audit.running import iter_run
from fairaudit.columns import Source
from fairaudit.data.given import as_table
from fairaudit.data.table import Table
from fairaudit.disclosure.gate import exported, hidden_beside
from fairaudit.disclosure.hidden import replaced
from fairaudit.errors import FairauditError, FingerprintError, ReportError
from fairaudit.events import Command, Event, Finished, Progress
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import SALTED, compare_data, fits, open_data
from fairaudit.presets.preset import names_file
from fairaudit.report.composing import compose_report, form_files, lists_of, report_files
from fairaudit.report.crate import CRATE
from fairaudit.report.json_export import to_json
from fairaudit.report.manifest import (
    DRAWING,
    MANIFEST,
    MANIFEST_SIGNATURE,
    SIGNED,
    Compared,
    Manifest,
    digest_of,
    present_versions,
)
from fairaudit.report.manifest import MOST_BYTES as MOST_MANIFEST
from fairaudit.report.result_files import ResultFiles, is_plain, open_results
from fairaudit.report.signatures import certificate_in, signatures_of
from fairaudit.report.verified import Difference, FileState, Misfit, Verdict, Verification
from fairaudit.sections.change.answering import open_second
from fairaudit.settings import SALT

RESULT: Final = "result.json"
PLAN: Final = "plan.toml"
DOCUMENTS: Final = ("report.pdf", "annexes.pdf")
NEEDED: Final = (*DOCUMENTS, "tables.zip", RESULT, "result.schema.json", PLAN, CRATE)
"""What every report has."""
MOST_PLAN: Final = 20_000_000
NOT_COMPARED: Final = {("versions",), ("data", "source"), ("data", "notes"), ("data", "name")}
"""What is no number of an audit: the software, and the file that held the data."""
READING: Final = ("source", "notes")
"""What is said of how data were read: other words for the same data that were brought in another way."""
MOST_READING: Final = 1_000_000
ALIKE: Final = 1e-9
"""Numbers that differ by a smaller share are the same but for the order in which a processor adds up."""
MOST_DIFFERENCES: Final = 200


def verify(
    folder: str | Path | bytes,
    data: object = None,
    *,
    published: Sequence[AuditResult] = (),
    trust: Sequence[str | Path] = (),
) -> Verification:
    """Check whether a report is as it was written and, with its data, make the audit again and compare.

    Parameters
    ----------
    folder : str, Path or bytes
        The folder that a report was written into, or a zip of its files, or the content of one.
    data : str, Path, Table or data frame, optional
        The data of the audit. Second tables of periods are looked for beside a file. Without data only the files are
        compared with their list, which whoever changes a file can change, too.
    published : sequence of AuditResult
        The audits that small counts were hidden beside, where they were.
    trust : sequence of str or Path
        Certificates, as PEM, of those whose signatures are trusted, or of who issued theirs.

    Returns
    -------
    Verification
        One verdict, which files are changed, which numbers differ, and who signed it.

    Raises
    ------
    ReportError
        If there is no report, or more than a report can hold.
    InputError
        If a certificate cannot be read.
    PlanError
        If its plan cannot be read, and data are given.
    DataError
        If the data cannot be opened.
    FairauditError
        If the audit cannot be made again from these data.

    Notes
    -----
    Where the same versions of all software are here, each file is made again and compared byte by byte, unless numbers
    differ in their last digits. Otherwise the numbers of ``result.json`` are compared. A listed file that the audit
    does not make is another one. Where the same data were read in another way, what is said of that is taken from the
    report. No row of the data and no file of the report is kept. No network is asked whether a certificate was
    revoked.
    """
    certificates = tuple(map(certificate_in, trust))
    opens = None if data is None else brought(data)
    steps = iter_verify(folder, opens, beside=_beside(data), published=lambda _: published, certificates=certificates)
    with closing(steps) as events:
        for event in events:
            if isinstance(event, Finished):
                return event.result
    raise TypeError("a check that is not stopped ends with its result")


Opens = Callable[[AuditPlan], Table]
"""What opens the data of an audit, read as its plan says."""


def brought(data: object) -> Opens:
    """Return what opens data that are named by a path or at hand as a table."""
    if isinstance(data, str | Path):
        return lambda plan: open_data(plan, data=data)
    return lambda plan: copy(as_table(data))


def _beside(data: object) -> Path:
    return Path(data).parent if isinstance(data, str | Path) else Path()


def iter_verify(
    folder: str | Path | bytes,
    opens: Opens | None = None,
    *,
    beside: Path = Path(),
    published: Callable[[Table], Sequence[AuditResult]] = lambda _: (),
    certificates: Sequence[bytes] = (),
) -> Generator[Event, Command | None, None]:
    """Check a report as :func:`verify` does, yield what the audit yields on the way, and finish with what was found.

    `opens` brings the data, `beside` is the folder of second tables, `published` makes the audits again that small
    counts were hidden beside, and `certificates` are those that are trusted, as PEM.
    """
    yield Progress("Looking at the files", 0, 1)
    files = open_results(folder)
    if MANIFEST not in files.openers:
        raise ReportError(
            f"There is no {MANIFEST}, which says what the files were when they were written.",
            hint="Name the folder of a report, or the zip with all of its files.",
        )
    manifest = Manifest.read(files.read(MANIFEST, MOST_MANIFEST))
    found = _with_signatures(_as_listed(files, manifest), files, manifest, certificates)
    if opens is not None and {PLAN, RESULT} <= files.openers.keys():
        found = yield from _made_again(files, manifest, found, opens, beside, published)
    yield Finished(found)


def _as_listed(files: ResultFiles, manifest: Manifest) -> Verification:
    """Compare files with their list."""
    listed = manifest.compared.files | manifest.dated
    there = files.openers.keys() - {MANIFEST, *SIGNED}
    states = []
    for name in sorted({*listed, *NEEDED, *_forms_in(files), *there}):
        if name not in there:
            states.append(FileState(name, "missing"))
        elif name not in listed:
            states.append(FileState(name, "added"))
        else:
            states.append(FileState(name, "unchanged" if files.digest(name) == listed[name] else "changed"))
    states += [FileState(name, "added") for name in files.others]
    is_whole = all(each.state == "unchanged" for each in states)
    whole = {each.name for each in states if each.state == "unchanged"}
    misfits = tuple(dict.fromkeys(_misfits(files, manifest.compared, whole)))
    fingerprint = manifest.compared.fingerprint
    return Verification(
        verdict="unchanged" if is_whole and not misfits else "changed",
        made=manifest.made,
        files=tuple(states),
        misfits=misfits,
        is_salted=fingerprint is not None and fingerprint.startswith(SALTED),
    )


def _forms_in(files: ResultFiles) -> Iterator[str]:
    """Yield the names of the forms that a result says were filled; what is no result names none."""
    if RESULT not in files.openers:
        return
    try:
        filled = values_of(files.read(RESULT))["presets"]
        for number, form in enumerate(filled, start=1):
            yield from (name for name in form_files(number, form["key"], as_yaml=form["as_yaml"]) if is_plain(name))
    except (FairauditError, KeyError, TypeError, AttributeError):
        return


def _with_signatures(
    found: Verification, files: ResultFiles, manifest: Manifest, certificates: Sequence[bytes]
) -> Verification:
    """Say who signed the report; a signature that does not fit, or is gone, makes it another report."""
    signatures = signatures_of(files, manifest, certificates)
    states, verdict = list(found.files), found.verdict
    if signatures and MANIFEST_SIGNATURE not in files.openers:
        # Without that of the list, nothing says that the other files were signed.
        states.append(FileState(MANIFEST_SIGNATURE, "missing"))
        verdict = "changed"
    if any(each.state == "invalid" for each in signatures):
        verdict = "changed"
    return replace(found, files=tuple(states), verdict=verdict, signatures=signatures)


def _misfits(files: ResultFiles, named: Compared, whole: Collection[str]) -> Iterator[Misfit]:
    """Yield what the list of files names otherwise than saved audit and numbers do, where these are as listed."""
    try:
        plan = plan_in(files) if PLAN in whole else None
        result = values_of(files.read(RESULT)) if RESULT in whole else None
        if plan is not None:
            own = {"plan": plan.digest, "question": plan.question, "seed": plan.seed}
            yield from (name for name in _OF_PLAN if own[name] != getattr(named, name))
        if result is not None:
            if result["plan_digest"] != named.plan:
                yield "plan"
            if result["data"]["fingerprint"] != named.fingerprint:
                yield "fingerprint"
            if result["data"]["name"] != named.data:
                yield "data"
            if not result["versions"].items() <= named.versions.items():
                yield "versions"
    except (FairauditError, KeyError, TypeError, AttributeError):
        yield "plan"


_OF_PLAN: Final[tuple[Misfit, ...]] = ("plan", "question", "seed")


def plan_in(files: ResultFiles) -> AuditPlan:
    """Return the saved audit of a report."""
    try:
        return AuditPlan.from_toml(files.read(PLAN, MOST_PLAN).decode())
    except UnicodeDecodeError:
        raise ReportError(f"{PLAN} is not UTF-8 text.", hint="Ask for the files again.") from None


def values_of(content: bytes) -> dict[str, Any]:
    """Return the values of a result, which a stranger may have written."""
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise ReportError(f"{RESULT} is not what fairaudit writes.", hint="Ask for the files again.")
    return values


def is_same_result(one: bytes, other: bytes) -> bool:
    """Say whether two texts of results hold the same numbers, but for last digits."""
    return all(is_near for _, is_near in _differences(values_of(one), values_of(other)))


# The audit made again.


def _made_again(
    files: ResultFiles,
    manifest: Manifest,
    found: Verification,
    opens: Opens,
    beside: Path,
    published: Callable[[Table], Sequence[AuditResult]],
) -> Generator[Event, Command | None, Verification]:
    """Make the audit again and compare its files and numbers with those of the report."""
    plan, reported = plan_in(files), values_of(files.read(RESULT))
    table = opens(plan)
    # What a report calls its data does not depend on the name of the file at hand.
    table.name = manifest.compared.data
    second = {asked.second: open_second(plan, asked, beside) for asked in plan.changes if asked.second is not None}
    recorded = manifest.compared.fingerprint
    is_same = None if recorded is None else fits(recorded, table.fingerprint)
    with tempfile.TemporaryDirectory() as base:
        for name, content in _own_forms(files, plan):
            (Path(base) / name).write_bytes(content)
        before = hidden_beside(plan, published(table))
        events = iter_run(plan, table=table, base=base, ignore_fingerprint=True, seconds=second, published=before)
        for event in events:
            if isinstance(event, Finished):
                result = known_as_reported(exported(event.result), reported)
            elif isinstance(event, Progress):
                yield event
    now = values_of(to_json(result).encode())
    differences = list(_differences(reported, now))
    n_far = sum(not is_near for _, is_near in differences)
    numbers: Literal["same", "last_digits", "other"] = "other" if n_far else "last_digits" if differences else "same"
    here = present_versions()
    others = tuple(sorted(name for name, one in manifest.compared.versions.items() if here.get(name) != one))
    is_read_alike = bool(n_far) or all(reported["data"].get(name) == now["data"].get(name) for name in READING)
    if not is_read_alike and is_same is not False:
        result = _read_as_reported(result, reported["data"])
    report = compose_report(result)
    own = {form.preset: form.file_digest for form in result.plan.presets}
    forms = {name: content for name, content in _own_forms(files, plan) if digest_of(content) == own.get(name)}
    again = dict(report_files(result, report)) | forms
    again[CRATE] = lists_of(again, result, report, made=manifest.made)[CRATE]
    # Other numbers change every file, and what draws the pages these alone.
    skipped = {*again} if numbers != "same" or {*others} - {*DRAWING} else {CRATE, *DOCUMENTS} if others else set()
    states = tuple(_again(files, each, again, skipped) for each in found.files)
    is_other = numbers == "other" or any(each.again == "other" for each in states)
    data_are: Literal["same", "other", "not_known"] = "not_known" if is_same is None else "same" if is_same else "other"
    verdict: Verdict = "changed"
    if found.verdict == "unchanged":
        verdict = "differs" if is_other or data_are == "other" else "made_again"
    shown = [difference for difference, is_near in differences if not is_near or not n_far]
    return replace(
        found,
        verdict=verdict,
        files=states,
        data=data_are,
        mismatch=_mismatch(plan, table) if data_are == "other" else None,
        numbers=numbers,
        n_differences=n_far or len(differences),
        differences=tuple(shown[:MOST_DIFFERENCES]),
        is_read_alike=is_read_alike,
        other_versions=others,
    )


def _on_day(result: AuditResult, day: str) -> AuditResult:
    """Return a result as it would be on another day: whether the rules of its forms were checked depends on that."""
    return replace(result, presets=tuple(replace(form, day=day) for form in result.presets))


def _own_forms(files: ResultFiles, plan: AuditPlan) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the office's own files of forms that a plan names."""
    for name in sorted({form.preset for form in plan.presets} & files.openers.keys()):
        if names_file(name) and is_plain(name):
            yield name, files.read(name)


def known_as_reported(result: AuditResult, reported: Mapping[str, Any]) -> AuditResult:
    """Return an exported result with the fingerprints of a report beside hidden counts, where none can be made here.

    Without the salt of the office no salted one can be; and where a report has none, a salt that is here adds none.
    """
    if not result.plan.small_cells.mask:
        return result
    data = replaced(result.data, fingerprint=_known(result.data.fingerprint, reported.get("data"), "fingerprint"))
    theirs = reported.get("changes")
    theirs = theirs if isinstance(theirs, list) and len(theirs) == len(result.changes) else [None] * len(result.changes)
    changes = tuple(
        replaced(change, second_fingerprint=_known(change.second_fingerprint, one, "second_fingerprint"))
        for change, one in zip(result.changes, theirs, strict=True)
    )
    return replaced(result, data=data, changes=changes)


def _known(own: str | None, reported: object, name: str) -> str | None:
    theirs = reported.get(name) if isinstance(reported, dict) else own
    is_salted = isinstance(theirs, str) and theirs.startswith(SALTED)
    return theirs if theirs is None or (is_salted and SALT.value is None) else own


def _read_as_reported(result: AuditResult, data: Mapping[str, Any]) -> AuditResult:
    """Return a result that says of how its data were read what a report does; as it is where no report can say so."""
    try:
        if len(json.dumps([data[name] for name in READING])) > MOST_READING:
            return result
        source = TypeAdapter(Source).validate_python(data["source"])
        notes = TypeAdapter(tuple[str, ...]).validate_python(data["notes"])
    except (FairauditError, KeyError, TypeError, ValueError):
        return result
    return replaced(result, data=replaced(result.data, source=source, notes=notes))


def _again(files: ResultFiles, one: FileState, again: Mapping[str, bytes], skipped: Collection[str]) -> FileState:
    """Compare a listed file with the same one made again; what the audit does not make is another one."""
    if one.state not in ("unchanged", "changed") or one.name in skipped:
        return one
    is_same = one.name in again and files.digest(one.name) == digest_of(again[one.name])
    return replace(one, again="same" if is_same else "other")


def _mismatch(plan: AuditPlan, table: Table) -> str | None:
    """Say how a table differs from the data of a plan, as far as the plan records them."""
    try:
        return compare_data(plan, table).mismatch
    except FingerprintError as error:
        return error.message


def _differences(one: Any, other: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[Difference, bool]]:
    """Yield the values that differ, each with whether it does so in its last digits alone."""
    if path in NOT_COMPARED:
        return
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted({*one, *other}):
            yield from _differences(one.get(name), other.get(name), (*path, name))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _differences(left, right, (*path, str(number)))
    elif type(one) is not type(other) or one != other:
        yield Difference(".".join(path), one, other), _is_near(one, other)


def _is_near(one: object, other: object) -> bool:
    if not (isinstance(one, int | float) and isinstance(other, int | float)) or isinstance(one, bool | type(None)):
        return False
    return abs(one - other) <= ALIKE * max(abs(one), abs(other))
