"""What is taken where nobody says otherwise: tolerance, confidence, power, few rows, and how a particle swarm moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Positive = Literal["favorable", "unfavorable"]
"""Which outcome error rates call positive; where nobody says it, the good one."""

USUAL_POSITIVE: Final[Positive] = "favorable"

USUAL_TOLERANCE: Final = 0.05
"""The largest gap between shares that counts as alike."""

USUAL_CONFIDENCE: Final = 0.95
"""The confidence of intervals."""

USUAL_POWER: Final = 0.8
"""How often a gap is to be seen, where it is asked how large one must be for that."""

ENOUGH: Final = 30
"""Of fewer rows, a share or a mean says little: it is marked, and rates are not compared."""

CONFIDENCE_RANGE: Final = (0.5, 0.9999)
"""From the lowest to the highest confidence that a plan or the command line may ask for."""


@dataclass(frozen=True)
class SwarmSettings:
    """How a particle swarm searches for thresholds; the paper gives none of the numbers."""

    # What particles are: places on the ROC curves, or thresholds.
    swarm: Literal["curves", "thresholds"] = "curves"
    # n_particles, n_iterations: The size and the steps of the swarm.
    n_particles: int = 40
    n_iterations: int = 100
    # What a particle keeps of its last step, and how strongly its own best place and that of all pull it: constriction
    # factors.
    inertia: float = 0.729
    own_pull: float = 1.49445
    common_pull: float = 1.49445


USUAL_SWARM: Final = SwarmSettings()
