"""The manifest of a folder of results: which files were written, from which plan and data, by which software.

What two runs must have alike stands under `compared`; when it was made stands outside of that. Beside hidden counts,
fingerprints are those that the export shows: salted, or none.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from fairaudit.audit.result import AuditResult
from fairaudit.audit.running import versions
from fairaudit.errors import InputError, ReportError, quote
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import fits
from fairaudit.plan.parts import Part
from fairaudit.plan.sealing import Digest

MANIFEST: Final = "manifest.json"
MANIFEST_SIGNATURE: Final = f"{MANIFEST}.p7s"
SIGNED: Final = {"report.signed.pdf": "report.pdf", "annexes.signed.pdf": "annexes.pdf", MANIFEST_SIGNATURE: MANIFEST}
"""By name of a file that holds a signature, the file that it signs. No list names them: who signs does so later."""
INSTALL: Final = 'pip install "fairaudit[sign]"'
"""What installs what signs and checks signatures."""
DRAWING: Final = ("altair", "typst", "vl-convert-python")
"""Software that draws the documents, beside that which computes the numbers."""
MOST_BYTES: Final = 4_000_000
"""The largest manifest that is read."""


class Compared(Part):
    """What two runs of one plan on the same data, with the same software, have alike."""

    files: dict[str, Digest] = Field(description="By name, the SHA-256 of each file.", max_length=1000)
    plan: Digest = Field(description="SHA-256 of the plan's content, as in result.json.")
    question: Digest = Field(description="The same of what the plan asks, without the data, names and first page.")
    data: str = Field(description="What the data are called.", max_length=10_000)
    fingerprint: str | None = Field(
        description="SHA-256 of the data's content; beside hidden counts salted, or none.",
        pattern="^(salted:)?[0-9a-f]{64}$",
    )
    seed: int = Field(description="It feeds everything that draws at random.")
    versions: dict[str, str] = Field(description="Software that computed the numbers and drew the documents.")


class Manifest(Part):
    """The list of the files of a report, and what they were made from."""

    schema_version: Literal[1] = Field(default=1, description="Version of this schema.")
    compared: Compared = Field(description="What two runs have alike.")
    made: datetime.datetime = Field(description="When the files were written, in UTC; not compared.")
    dated: dict[str, Digest] = Field(
        default={}, max_length=10, description="By name, the SHA-256 of files that say when that was; not compared."
    )

    def to_json(self) -> bytes:
        """Return the content of the file."""
        return (json.dumps(self.model_dump(mode="json"), sort_keys=True, indent=2, ensure_ascii=False) + "\n").encode()

    @classmethod
    def read(cls, content: bytes) -> Manifest:
        """Read the content of a file, which a stranger may have written."""
        try:
            if len(content) > MOST_BYTES:
                raise ValueError
            return cls.model_validate_json(content)
        except (ValueError, ValidationError, RecursionError):
            raise ReportError(
                f"{MANIFEST} is not a list of files that fairaudit wrote.", hint="Ask for the folder again."
            ) from None


def manifest_of(files: Mapping[str, bytes], result: AuditResult, *, made: datetime.datetime | None = None) -> Manifest:
    """Return the manifest of the files that were made of an exported result; made now, unless said otherwise."""
    when = datetime.datetime.now(datetime.UTC).replace(microsecond=0) if made is None else made
    compared = Compared(
        files={name: digest_of(content) for name, content in sorted(files.items())},
        plan=result.plan_digest,
        question=result.plan.question,
        data=result.data.name,
        fingerprint=result.data.fingerprint,
        seed=result.plan.seed,
        versions=dict(result.versions) | _drawing_versions(),
    )
    return Manifest(compared=compared, made=when)


def present_versions() -> dict[str, str]:
    """Return the versions that a manifest written now would name."""
    return dict(versions()) | _drawing_versions()


def _drawing_versions() -> dict[str, str]:
    return {name: version(name) for name in DRAWING}


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of a file's content, 64 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def refuse_other_audit(folder: Path, plan: AuditPlan, fingerprint: str) -> None:
    """Raise `InputError` where a folder holds the results of another audit, or of other data, or signed ones."""
    if any((folder / name).is_file() for name in SIGNED):
        raise InputError(
            f"{quote(folder)} holds a signed report.", hint="Name another folder, or write over it with --force."
        )
    path = folder / MANIFEST
    if not path.is_file():
        return
    try:
        with path.open("rb") as stream:
            there = Manifest.read(stream.read(MOST_BYTES + 1)).compared
        other = "another audit" if there.question != plan.question else None
    except ReportError:
        there, other = None, "another program"
    if (
        there is not None
        and other is None
        and there.fingerprint is not None
        and fits(there.fingerprint, fingerprint) is False
    ):
        other = "the same audit on other data"
    if other is not None:
        raise InputError(
            f"{quote(folder)} holds the results of {other}.",
            hint="Name another folder, or write over them with --force.",
        )
