"""Presets: the form that a rule asks for, as data. Each is a TOML file with its checks and its words.

An office adds its own by putting files into the folder that the environment variable ``FAIRAUDIT_PRESETS`` names.
"""

from typing import TYPE_CHECKING

from fairaudit.late import late_names

if TYPE_CHECKING:
    from fairaudit.presets.filling import fill_plan
    from fairaudit.presets.findings import PresetFinding
    from fairaudit.presets.fitting import suggest_columns
    from fairaudit.presets.preset import (
        Preset,
        PresetCheck,
        PresetFile,
        PresetRole,
        PresetWords,
        find_presets,
        list_presets,
        load_preset,
        open_preset,
    )

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

__getattr__ = late_names(
    __name__,
    {
        "Preset": "fairaudit.presets.preset",
        "PresetCheck": "fairaudit.presets.preset",
        "PresetFile": "fairaudit.presets.preset",
        "PresetFinding": "fairaudit.presets.findings",
        "PresetRole": "fairaudit.presets.preset",
        "PresetWords": "fairaudit.presets.preset",
        "fill_plan": "fairaudit.presets.filling",
        "find_presets": "fairaudit.presets.preset",
        "list_presets": "fairaudit.presets.preset",
        "load_preset": "fairaudit.presets.preset",
        "open_preset": "fairaudit.presets.preset",
        "suggest_columns": "fairaudit.presets.fitting",
    },
)
