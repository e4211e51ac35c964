"""Figures of remedies as they are printed."""

from __future__ import annotations

from typing import Any

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.present.blocks import cell_text


def moved_text(before: Any, after: Any) -> str:
    """Return a share before and after."""
    return f"{cell_text(before, 'share')} to {cell_text(after, 'share')}"


def size_text(gap: Any) -> str:
    """Return the size of a gap in points."""
    return cell_text(gap, "points").lstrip("+")


def model_words(plan: object, field: str) -> str:
    """Return the model that a field of a plan names, in words."""
    name = getattr(plan, field, "")
    return MODEL_WORDS.get(name, str(name))
