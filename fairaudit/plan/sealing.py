"""What a plan asks, as digests of its parts, and the seal that shows whether that changed since it was set.

What changes no answer is left out, and what is recorded of the data: beside hidden counts none of it may be said, not
even in a digest.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import tomllib
from typing import Annotated, Any, Final

from pydantic import Field

from fairaudit.plan.parts import Part

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
NOT_ASKED: Final = ("names", "report", "schema_version", "seal")
"""Parts of a plan that change no answer."""
RECORDED: Final = ("name", "fingerprint", "n_rows", "columns", "connection")
"""What a plan records of its data."""
WORDS: Final = ("answers", "title", "protected_name", "others_name", "reason", "meaning", "verb")
READING: Final = ("distinct", "one_row_per")
"""Of how a file is read, what changes who is counted; all else follows from the file."""


class SealPlan(Part):
    """What a plan asked when it was sealed, and when that was."""

    at: str = Field(
        pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$",
        description="When, such as 2026-11-30T09:00:00Z.",
    )
    by: str | None = Field(default=None, max_length=200, description="Who sealed it.")
    parts: dict[str, Digest] = Field(description="SHA-256 of each part that asks something, by its name.")

    @property
    def code(self) -> str:
        """SHA-256 of the seal, 64 hexadecimal digits: who has it knows that the seal is no later than that."""
        return _digest(self.model_dump(mode="json", exclude_none=True))

    @property
    def day(self) -> datetime.datetime:
        """When it was sealed."""
        return datetime.datetime.fromisoformat(self.at)

    def changed(self, text: str) -> tuple[str, ...]:
        """Return the names of the parts of a plan, as TOML, that are not as they were sealed."""
        now = asked_parts(text)
        return tuple(name for name in sorted({*self.parts, *now}) if self.parts.get(name) != now.get(name))


def seal_of(text: str, *, by: str | None = None, at: datetime.datetime | None = None) -> SealPlan:
    """Return the seal of a plan, as TOML; set now, unless said otherwise."""
    when = datetime.datetime.now(datetime.UTC) if at is None else at.astimezone(datetime.UTC)
    return SealPlan(at=f"{when:%Y-%m-%dT%H:%M:%S}Z", by=by, parts=asked_parts(text))


def question_digest(text: str) -> str:
    """Return SHA-256 of what a plan, as TOML, asks: 64 hexadecimal digits."""
    return _digest(asked_parts(text))


def asked_parts(text: str) -> dict[str, str]:
    """Return SHA-256 of each part of a plan, as TOML, that asks something, by its name."""
    values = {name: value for name, value in tomllib.loads(text).items() if name not in NOT_ASKED}
    data = {name: value for name, value in values["data"].items() if name not in (*RECORDED, "reading")}
    reading = values["data"].get("reading", {})
    values["data"] = data | {name: reading[name] for name in READING if name in reading}
    for change in values.get("changes", ()):
        change.pop("second_fingerprint", None)
    for form in values.get("presets", ()):
        # An office's own form is known by its content, wherever it lies.
        if form.get("file_digest"):
            form.pop("preset", None)
    kept = {name: value if name == "data" else _without_words(value) for name, value in values.items()}
    return {name: _digest(value) for name, value in sorted(kept.items())}


def _without_words(part: Any) -> Any:
    """Return a part without titles, names of groups and reasons, which are given after the answer, too."""
    if isinstance(part, list):
        return [_without_words(each) for each in part]
    if not isinstance(part, dict):
        return part
    said = {name: value for name, value in part.items() if name not in WORDS}
    return said | ({"controls": _without_words(said["controls"])} if "controls" in said else {})


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
