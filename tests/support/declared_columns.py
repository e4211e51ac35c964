"""Frames of what a fit found, and the columns that their fields declare."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import pandas as pd

from fairaudit.disclosure.fields import field_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def assert_frames_have_their_declared_columns(details: DataclassInstance) -> None:
    """Fail where a frame has other columns than its field declares, or declares none."""
    frames = [field for field in fields(details) if isinstance(getattr(details, field.name), pd.DataFrame)]
    assert frames
    for field in frames:
        assert list(getattr(details, field.name)) == list(field_of(field).columns), field.name
