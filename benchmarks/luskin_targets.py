"""What was to be reached, and by how much it was."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.common import markdown


@dataclass(frozen=True)
class Target:
    """One number that was to be at most, or at least, another.

    Parameters
    ----------
    what : str
        The number, in words.
    measured : float
        What it is.
    most, least : float, optional
        The bound; one of the two.
    """

    what: str
    measured: float
    most: float | None = None
    least: float | None = None

    @property
    def margin(self) -> float:
        """How far the number is on the right side of its bound; below 0 where it is not."""
        return self.most - self.measured if self.least is None else self.measured - self.least

    @property
    def met(self) -> bool:
        """Whether the number is within its bound."""
        return self.margin >= 0


def as_table(targets: list[Target]) -> str:
    """Return the targets as Markdown."""
    lines = []
    for target in targets:
        bound = f"at most {target.most:g}" if target.least is None else f"at least {target.least:g}"
        verdict = "met, by" if target.met else "NOT met, by"
        lines.append((target.what, bound, f"{target.measured:.4g}", f"{verdict} {abs(target.margin):.2g}"))
    return markdown(("what", "target", "measured", "verdict"), lines)
