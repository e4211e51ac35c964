"""The words for what is compared, in which direction, and by what subgroups are ranked."""

from __future__ import annotations

from typing import Literal

from fairaudit.measure.vocabulary import Searched

Measure = Searched

Direction = Literal["both", "lower", "higher"]

Ranking = Literal["people", "gap", "evidence"]
