"""The version of fairaudit, as results and reports name it."""

__version__ = "0.8.0"
