"""Tables as offices keep them, made up, and what is true of each: for walks of people who see the app first."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class WalkTable:
    """A table to bring, what a person asks of it, and the verdict that is right.

    Parameters
    ----------
    file : str
        Its name.
    content : bytes
        The file.
    decision, good : str
        The column that holds what was decided, and the outcome that is good, as the app shows them.
    group, protected : str
        The column that says who is protected, and the value.
    verdict : str
        Key of what the answer must be.
    n_protected, n_rest : int
        Rows that are compared.
    """

    file: str
    content: bytes
    decision: str
    good: str
    group: str
    protected: str
    verdict: str
    n_protected: int
    n_rest: int

    @property
    def name(self) -> str:
        """What the app calls the table."""
        return self.file.rpartition(".")[0]


def suspensions() -> WalkTable:
    """Return pupils of a school board: of those with a disability, 18 points fewer are never suspended."""
    n = 2_400
    random = np.random.default_rng(11)
    disabled = np.arange(n) % 5 == 0
    grade = random.integers(6, 12, n)
    # The same share to the row in every draw: 30 % of the one group are suspended, 12 % of the other.
    suspended = np.zeros(n, dtype=bool)
    for group, share in ((disabled, 0.30), (~disabled, 0.12)):
        rows = np.flatnonzero(group)
        suspended[random.permutation(rows)[: round(share * len(rows))]] = True
    frame = pd.DataFrame(
        {
            "pupil_no": np.arange(10_001, 10_001 + n),
            "school": random.choice(["Northside", "Hill Street", "St Anne", "Riverbank"], n),
            "grade": grade,
            "disability": np.where(disabled, "yes", "no"),
            "days_absent": random.poisson(6, n),
            "suspended": np.where(suspended, "suspended", "not suspended"),
        }
    )
    return WalkTable(
        "suspensions.csv",
        frame.to_csv(index=False).encode(),
        decision="suspended",
        good="not suspended",
        group="disability",
        protected="yes",
        verdict="verdict-clear-gap",
        n_protected=480,
        n_rest=1_920,
    )


def waiting_list() -> WalkTable:
    """Return a housing list as it comes out of an office's program: blanks in names, missing cells, and no gap."""
    n = 6_000
    random = np.random.default_rng(12)
    foreign = np.arange(n) % 3 == 0
    offered = np.zeros(n, dtype=bool)
    for group in (foreign, ~foreign):
        rows = np.flatnonzero(group)
        offered[random.permutation(rows)[: round(0.4 * len(rows))]] = True
    rooms = random.integers(1, 5, n).astype(object)
    rooms[random.random(n) < 0.05] = None
    frame = pd.DataFrame(
        {
            "Case No.": np.arange(1, n + 1),
            " Household size ": random.integers(1, 7, n),
            "Rooms needed (max.)": rooms,
            "Nationality: group": np.where(foreign, "other country", "this country"),
            "Date applied": pd.Timestamp("2021-01-04") + pd.to_timedelta(random.integers(0, 1_200, n), unit="D"),
            "Offer made?": np.where(offered, "Yes", "No"),
            "Remarks": ["see file; phone, 2 p.m." if drawn < 0.1 else None for drawn in random.random(n)],
        }
    )
    buffer = io.BytesIO()
    frame.to_excel(buffer, index=False, sheet_name="Export 2025-03")
    return WalkTable(
        "waiting list.xlsx",
        buffer.getvalue(),
        decision="Offer made?",
        good="Yes",
        group="Nationality: group",
        protected="other country",
        verdict="verdict-no-gap-above-tolerance",
        n_protected=2_000,
        n_rest=4_000,
    )


def sanctions() -> WalkTable:
    """Return the benefit sanctions of a small office with a risk score: too few rows to tell."""
    n = 160
    random = np.random.default_rng(13)
    lone = np.arange(n) % 8 == 0
    sanctioned = np.zeros(n, dtype=bool)
    for group, share in ((lone, 0.35), (~lone, 0.25)):
        rows = np.flatnonzero(group)
        sanctioned[random.permutation(rows)[: round(share * len(rows))]] = True
    frame = pd.DataFrame(
        {
            "office": random.choice(["East", "West"], n),
            "household": np.where(lone, "lone parent", "other"),
            "months_on_benefit": random.integers(1, 60, n),
            "risk_score": np.clip(random.normal(0.3, 0.15, n) + 0.15 * sanctioned, 0, 1).round(3),
            "sanction": np.where(sanctioned, "sanctioned", "none"),
        }
    )
    return WalkTable(
        "sanctions.csv",
        frame.to_csv(index=False, sep=";").encode("cp1252"),
        decision="sanction",
        good="none",
        group="household",
        protected="lone parent",
        verdict="verdict-too-few-to-tell",
        n_protected=20,
        n_rest=140,
    )


WALKS = {table().name: table for table in (suspensions, waiting_list, sanctions)}
