"""Presets: the form that a rule asks for, as data. Each is a TOML file with its checks and its words.

An office adds its own by putting files into the folder that the environment variable ``FAIRAUDIT_PRESETS`` names.
"""
