"""Presets: the form that a rule asks for, as data. Each is a TOML file with its checks and its words.

An office adds its own by putting files into the folder that the environment variable ``FAIRAUDIT_PRESETS`` names.
"""

from fairaudit.presets.filling import fill_plan
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.loading import PresetFile, find_presets, list_presets, load_preset, open_preset
from fairaudit.presets.preset import Preset, PresetCheck, PresetRole, PresetWords
from fairaudit.presets.suggesting import suggest_columns

__all__ = [
    "Preset",
    "PresetCheck",
    "PresetFile",
    "PresetFinding",
    "PresetRole",
    "PresetWords",
    "fill_plan",
    "find_presets",
    "list_presets",
    "load_preset",
    "open_preset",
    "suggest_columns",
]
