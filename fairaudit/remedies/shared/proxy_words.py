"""Sentences about rules and splits that use a column that reveals the groups, or one that nearly does."""

from __future__ import annotations

from typing import Any

import pandas as pd

from fairaudit.present import brief


def marks_words(row: Any) -> str:
    """Return in words that a rule or split uses such a column."""
    marks = ["it uses a column that tells the groups"] if row.uses_protected else []
    if row.proxies:
        marks.append(f"it uses what comes close to showing the groups: {brief.whole(row.proxies)}")
    return "; ".join(marks)


def marked_notes(rows: pd.DataFrame, *, each: str, whole: str) -> tuple[str, ...]:
    """Return what the marks mean."""
    texts = []
    if rows["uses_protected"].fillna(False).astype(bool).any():
        texts.append(
            f"Where a {each} uses a column that tells the groups, people can be decided on differently by their group. "
            "That may be unlawful: ask counsel before it is used."
        )
    if rows["proxies"].fillna("").astype(bool).any():
        texts.append(
            "A column that comes close to showing the groups can stand in for the group, also where the group itself "
            f"is left out of the {whole}."
        )
    return tuple(texts)
