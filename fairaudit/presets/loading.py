"""Find and read preset files: those that come with the package, and an office's own."""

from __future__ import annotations

import os
import tomllib
from importlib import resources
from pathlib import Path

from pydantic import BaseModel, ValidationError

from fairaudit.errors import PlanError, near_names, quote
from fairaudit.plan_errors import plan_error
from fairaudit.presets.preset import Preset, PresetCheck, PresetRole, PresetWords

FOLDER_VARIABLE = "FAIRAUDIT_PRESETS"
"""Names the folder with an office's own presets."""

LARGEST_FILE = 1_000_000
"""Bytes of a preset file, at most."""

_PARTS: tuple[type[BaseModel], ...] = (Preset, PresetCheck, PresetRole, PresetWords)


def list_presets(folder: str | Path | None = None) -> tuple[Preset, ...]:
    """Return all presets: those of the package, then those of an office's folder.

    Parameters
    ----------
    folder : str or Path, optional
        The office's folder; without it the one that the environment variable FAIRAUDIT_PRESETS names, if any.

    Returns
    -------
    tuple of Preset
        The package's in alphabetical order of their keys, then the office's.

    Raises
    ------
    PlanError
        If the folder cannot be read, a file in it is no preset, or two have the same key.
    """
    found = [read_preset(text, name) for name, text in _own_files()]
    office = [(path.name, path) for path in _office_files(folder)]
    names = {preset.key: "a preset of fairaudit" for preset in found}
    for name, path in office:
        preset = read_preset(_text(path), name)
        if preset.key in names:
            raise PlanError(
                f"The preset file {quote(name)} has the key {quote(preset.key)}, which {names[preset.key]} has, too.",
                hint="Give it another key.",
            )
        names[preset.key] = f"the file {quote(name)}"
        found.append(preset)
    return tuple(found)


def load_preset(name: str, *, base: str | Path | None = None) -> Preset:
    """Return one preset by its key, or read it from a file.

    Parameters
    ----------
    name : str
        A key, such as ``nyc144``, or the path of a file that ends in ``.toml``.
    base : str or Path, optional
        The folder that a path is relative to; without it the working directory.

    Returns
    -------
    Preset
        The preset, validated.

    Raises
    ------
    PlanError
        If there is no such preset, or the file cannot be read or breaks the schema; with the line and the remedy.
    """
    if name.endswith(".toml"):
        path = Path(base or ".") / name
        return read_preset(_text(path), path.name)
    presets = {preset.key: preset for preset in list_presets()}
    if name not in presets:
        known = near_names(name, presets)
        raise PlanError(f"There is no preset {quote(name)}.", hint=f"{known} The path of a file ends in .toml.")
    return presets[name]


def read_preset(text: str, name: str) -> Preset:
    """Read a preset from TOML.

    Parameters
    ----------
    text : str
        The content of a preset file.
    name : str
        The file's name, for messages.

    Returns
    -------
    Preset
        The preset, validated.

    Raises
    ------
    PlanError
        If the text is not TOML or breaks the schema; with the line and the remedy.
    """
    what = f"preset file {quote(name)}"
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"The {what} is not valid TOML: {error}.", hint="Mend that line.") from None
    try:
        return Preset.model_validate(values)
    except ValidationError as error:
        known = sorted({field for part in _PARTS for field in part.model_fields})
        raise plan_error(error, text, known, what=what) from None


def _own_files() -> list[tuple[str, str]]:
    folder = resources.files("fairaudit.presets")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return [(file.name, file.read_text(encoding="utf-8")) for file in files]


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


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise PlanError(
                f"The preset file {quote(path.name)} must be at most {LARGEST_FILE:,} bytes, got "
                f"{path.stat().st_size:,}."
            )
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise PlanError(f"The preset file {quote(path)} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise PlanError(f"The preset file {quote(path.name)} is not UTF-8 text.") from None
