"""The picture of how well columns stand in for the group."""

from __future__ import annotations

from fairaudit.findings import Message, Phrase
from fairaudit.measure.explain.proxies import Proxies
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import Chart, cell_text
from fairaudit.present.charts.bounds import BoundRow, bounds_chart

MOST_DRAWN = 12
"""Columns that a picture holds."""


def proxies_chart(found: Proxies) -> Chart | None:
    """Return the picture: what each column tells beyond chance with its range, those that tell most first."""
    frame = found.by_column.dropna(subset=["revealed_low", "revealed_high"]).head(MOST_DRAWN)
    if frame.empty:
        return None
    rows = [
        BoundRow(
            str(row.column),
            max(0.0, row.revealed_low),
            max(0.0, row.revealed_high),
            cell_text(row.revealed, "share", digits=0),
            cell_text((row.revealed_low, row.revealed_high), "share_interval"),
            bool(row.is_proxy),
        )
        for row in frame.itertuples()
    ]
    title = say(Message("proxies-chart"))
    revealed = naming.listed([f"{row.name} {row.text}" for row in rows])
    alt = say(Message("proxies-alt", {"rows": Phrase(revealed)}))
    picture = bounds_chart(rows, description=alt, heads=("Column", "Revealed beyond chance", "Likely range"))
    return Chart("proxies", title, alt, picture, "proxies")
