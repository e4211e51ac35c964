"""Find and read preset files: those that come with the package, and an office's own."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import BaseModel, ValidationError

from fairaudit.data.folder import leads_out
from fairaudit.errors import PlanError, near_names, quote, sure
from fairaudit.plan.errors import plan_error, read_toml
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import Preset, PresetCheck, PresetRole, PresetWords

FOLDER_VARIABLE = "FAIRAUDIT_PRESETS"
"""Names the folder with an office's own presets."""

LARGEST_FILE = 1_000_000
"""Bytes of a preset file, at most."""

_PARTS: tuple[type[BaseModel], ...] = (Preset, PresetCheck, PresetRole, PresetWords)


@dataclass(frozen=True)
class PresetFile:
    """A preset and where it stands.

    Parameters
    ----------
    preset : Preset
        The preset, validated.
    name : str or None
        The name of an office's own file, without folders; None for a preset of the package.
    digest : str or None
        SHA-256 of that file, 64 hexadecimal digits.
    content : bytes
        That file.
    """

    preset: Preset
    name: str | None = None
    digest: str | None = None
    content: bytes = b""


def names_file(name: str) -> bool:
    """Say whether a preset is named by the path of a file, and not by its key."""
    return name.endswith(".toml")


def find_presets(folder: str | Path | None = None) -> tuple[tuple[PresetFile, ...], tuple[PlanError, ...]]:
    """Return all presets that can be read, and what is wrong with the others."""
    found, errors = list(_own_presets()), []
    try:
        paths = _office_files(folder)
    except PlanError as error:
        return tuple(found), (error,)
    for path in paths:
        try:
            made = _read_file(path)
            _refuse_taken(made, found)
            found.append(made)
        except PlanError as error:
            errors.append(error)
    return tuple(found), tuple(errors)


def list_presets(folder: str | Path | None = None) -> tuple[Preset, ...]:
    """Return all presets: those of the package, then those of an office's folder."""
    found, errors = find_presets(folder)
    if errors:
        raise errors[0]
    return tuple(file.preset for file in found)


def load_preset(name: str, *, base: str | Path | None = None) -> Preset:
    """Return one preset by its key, or read it from a file."""
    return open_preset(name, base=base).preset


def open_preset(name: str, *, base: str | Path | None = None) -> PresetFile:
    """Return one preset with the name and digest of its file; with `base`, a plan's folder, only a file in there."""
    if names_file(name):
        if base is not None and leads_out(name):
            raise PlanError(
                f"The plan names a form outside its own folder: {quote(name)}.",
                hint=f"Put the file beside the plan, or into the folder that {FOLDER_VARIABLE} names, and use its key.",
            )
        found = _read_file(Path(base or ".") / name)
        _refuse_taken(found, _own_presets())
        return found
    own = {file.preset.key: file for file in _own_presets()}
    if name in own:
        return own[name]
    files, errors = find_presets()
    presets = {file.preset.key: file for file in files}
    if name not in presets:
        hint = f"{near_names(name, presets)} The path of a file ends in .toml."
        raise PlanError(
            f"There is no preset {quote(name)}.",
            hint=" ".join([hint, *(f"Not read: {error.message}" for error in errors)]),
        )
    return presets[name]


def forms_beside(
    parts: Sequence[PresetPlan], folder: Path, *, base: str | Path | None = None, reserved: Sequence[str] = ()
) -> tuple[tuple[PresetPlan, ...], dict[Path, bytes]]:
    """Return the forms of a plan that is written into a folder, and the office's own files to be put beside it.

    Each is named by its file alone, so that the plan can be repeated wherever both are. A name that is `reserved`, or
    that another file there has, gets a part of the digest. What is not there any more, or not the same, stays as it is.
    """
    named: list[PresetPlan] = []
    files: dict[Path, bytes] = {}
    for part in parts:
        found = _unchanged_file(part, base) if names_file(part.preset) else None
        if found is not None:
            path = folder / sure(found.name)
            other = files.get(path)
            if path.name in reserved or _is_other(path, found.content) or other not in (None, found.content):
                path = path.with_stem(f"{path.stem}-{sure(found.digest)[:8]}")
            files[path] = found.content
            part = part.model_copy(update={"preset": path.name})
        named.append(part)
    return tuple(named), files


def _unchanged_file(part: PresetPlan, base: str | Path | None) -> PresetFile | None:
    try:
        found = open_preset(part.preset, base=base)
    except PlanError:
        return None
    return found if part.file_digest in (None, found.digest) else None


def _is_other(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() != content
    except OSError:
        return False


def read_preset(text: str, name: str) -> Preset:
    """Read a preset from TOML."""
    what = f"preset file {quote(name)}"
    values = read_toml(text, what=what, hint="Mend that line.")
    try:
        return Preset.model_validate(values)
    except ValidationError as error:
        known = sorted({field for part in _PARTS for field in part.model_fields})
        raise plan_error(error, text, known, top=Preset.model_fields, what=what) from None


@cache
def _own_presets() -> tuple[PresetFile, ...]:
    folder = resources.files("fairaudit.presets")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return tuple(PresetFile(read_preset(file.read_text(encoding="utf-8"), file.name)) for file in files)


def _office_files(folder: str | Path | None) -> list[Path]:
    named = os.environ.get(FOLDER_VARIABLE) if folder is None else folder
    if not named:
        return []
    path = Path(named)
    if not path.is_dir():
        raise PlanError(
            f"The folder of presets {quote(path)} is not there.",
            hint=f"Set {FOLDER_VARIABLE} to a folder with .toml files, or leave it out.",
        )
    return sorted(path.glob("*.toml"))


def _refuse_taken(made: PresetFile, others: tuple[PresetFile, ...] | list[PresetFile]) -> None:
    """Refuse an office's file with the key or the title of another preset, which it could be taken for."""
    for other in others:
        whose = "a preset of fairaudit" if other.name is None else f"the file {quote(other.name)}"
        for field in ("key", "title"):
            value = getattr(made.preset, field)
            if _as_read(value) == _as_read(getattr(other.preset, field)):
                raise PlanError(
                    f"The preset file {quote(made.name)} has the {field} {quote(value)}, which {whose} has, too.",
                    hint=f"Give it another {field}.",
                )


def _as_read(text: str) -> str:
    """Return a text without what people do not see in it: letter case, wide letters and further blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _read_file(path: Path) -> PresetFile:
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= LARGEST_FILE else b""
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise PlanError(f"The preset file {quote(path.name)} is not UTF-8 text.", hint="Save it as UTF-8.") from None
    except (OSError, ValueError) as error:
        # A name that holds a NUL is no name of a file.
        why = error.strerror if isinstance(error, OSError) else "there can be no such name"
        raise PlanError(
            f"The preset file {quote(path)} cannot be read: {why}.", hint="Put it there, or name a form by its key."
        ) from None
    if size > LARGEST_FILE:
        raise PlanError(
            f"The preset file {quote(path.name)} must be at most {LARGEST_FILE:,} bytes, got {size:,}.",
            hint="A preset is some pages of text: take out what is none.",
        )
    preset = read_preset(text.replace("\r\n", "\n"), path.name)
    return PresetFile(preset, path.name, hashlib.sha256(content).hexdigest(), content)
