"""A gap that is watched night by night: false alarms, how soon a gap is seen, and whether the range of the gap holds.

Streams of nights are drawn from known shares: without a gap, with one exactly at the tolerance, with shares that move
by the day of the week, with groups of unequal size, and with a gap three points beyond the tolerance, from the first
night or from a later one on. Beside it stand the tests of each night by itself, by the verdict (`--fail-on clear_gap`)
and by whether the point lies beyond the tolerance, and the verdict on all nights so far, asked anew each night.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import SEED, markdown, say, setting
from fairaudit.measure.intervals import newcombe, wilson
from fairaudit.measure.sequential import Evidence

TOLERANCE, CONFIDENCE = 0.05, 0.95
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Stream:
    """What nights are drawn from.

    Parameters
    ----------
    sizes : tuple of float
        Cases of the protected group and of the others in a night, on average (Poisson).
    share : float
        Of the others.
    gap : float
        By how much the protected group has less.
    begins : int
        The night before which there is no gap.
    week : float
        By how much shares move within a week, at most.
    tolerance : float
        What is asked.
    """

    sizes: tuple[float, float] = (200, 200)
    share: float = 0.5
    gap: float = 0.0
    begins: int = 0
    week: float = 0.0
    tolerance: float = TOLERANCE


STREAMS = {
    "no gap": Stream(),
    "no gap, 20 + 20 a night": Stream((20, 20)),
    "at the tolerance": Stream(gap=0.05),
    "at the tolerance, 20 + 20": Stream((20, 20), gap=0.05),
    "at the tolerance, 3 + 3": Stream((3, 3), gap=0.05),
    "at the tolerance, 10 % favourable": Stream(share=0.1, gap=0.05),
    "at the tolerance, shares move by 15 points": Stream(gap=0.05, week=0.15),
    "at the tolerance, 20 + 400, shares move": Stream((20, 400), gap=0.05, week=0.15),
    "no gap, tolerance 0": Stream(tolerance=0.0),
    "3 points beyond": Stream(gap=0.08),
    "3 points beyond, 50 + 50": Stream((50, 50), gap=0.08),
    "3 points beyond, 20 + 400": Stream((20, 400), gap=0.08),
    "3 points beyond, 15 % favourable": Stream(share=0.15, gap=0.08),
    "3 points beyond from night 100 on": Stream(gap=0.08, begins=100),
    "10 points beyond from night 100 on": Stream(gap=0.15, begins=100),
}


def drawn(stream: Stream, night: int, streams: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw a night of each stream: cases and favourable results of both groups, (streams, 2)."""
    n = rng.poisson(stream.sizes, (streams, 2))
    other = stream.share + stream.week * math.sin(2 * math.pi * night / 7)
    gap = stream.gap if night >= stream.begins else 0.0
    return n.astype(float), rng.binomial(n, [other - gap, other]).astype(float)


def clear(n: Floats, k: Floats, tolerance: float) -> NDArray[np.bool_]:
    """Say in which streams the verdict on these counts is a clear gap, as a check gives it."""
    low, high = newcombe(k[:, 0], n[:, 0], k[:, 1], n[:, 1], CONFIDENCE)
    return (low > tolerance) | (high < -tolerance)


def watched(name: str, streams: int, nights: int, seed: int) -> dict[str, Any]:
    """Watch streams of a kind, and return how many gave an alarm and when."""
    stream, rng, begun = STREAMS[name], np.random.default_rng([SEED, seed, sum(map(ord, name))]), time.process_time()
    evidence, alarm = Evidence.none(streams), np.full(streams, 0)
    alone, point, so_far, held = (np.zeros(streams, dtype=bool) for _ in range(4))
    first_alone, held[:] = np.full(streams, 0), True
    single = np.zeros(2)
    weight, weighted = np.zeros(streams), np.zeros(streams)
    spent = 0.0
    for night in range(nights):
        n, k = drawn(stream, night, streams, rng)
        started = time.process_time()
        evidence = evidence.after(n, k, stream.tolerance)
        alarm[(alarm == 0) & (evidence.log_evidence >= -math.log(1 - CONFIDENCE))] = night + 1
        low, high = evidence.interval(CONFIDENCE)
        spent += time.process_time() - started
        worth = np.where(n.min(axis=1) > 0, n.prod(axis=1) / np.maximum(n.sum(axis=1), 1), 0)
        weight += worth
        weighted -= worth * (stream.gap if night >= stream.begins else 0.0)
        true = weighted / np.where(weight > 0, weight, 1)
        held &= (weight == 0) | ((low <= true) & (true <= high))
        with np.errstate(invalid="ignore"):
            now = clear(n, k, stream.tolerance)
            beyond = np.abs(k[:, 0] / n[:, 0] - k[:, 1] / n[:, 1]) > stream.tolerance
        single += (now.mean(), beyond.mean())
        first_alone[(first_alone == 0) & now] = night + 1
        alone |= now
        point |= beyond
        so_far |= clear(evidence.n, evidence.k, stream.tolerance)
    seen = alarm[alarm > stream.begins] - stream.begins
    return asdict(stream) | {
        "name": name,
        "streams": streams,
        "nights": nights,
        "alarms": int((alarm > 0).sum()),
        "early": int(((alarm > 0) & (alarm <= stream.begins)).sum()),
        "delays": np.sort(seen).tolist(),
        "held": int(held.sum()),
        "alone": int(alone.sum()),
        "point": int(point.sum()),
        "so_far": int(so_far.sum()),
        "one_night_clear": float(single[0] / nights),
        "one_night_point": float(single[1] / nights),
        "range": float(np.median(high - low)),
        "seconds_a_batch": spent / (nights * streams),
        "seconds": time.process_time() - begun,
    }


def table(found: Sequence[dict[str, Any]]) -> str:
    """Return a line for each kind of stream."""
    header = [
        "streams", "number", "alarm", "range of that (95 %)", "nights until (median, 90 %)", "range of the gap held",
        "clear gap in any night alone", "in all so far", "one night alone: clear gap", "one night: point beyond",
    ]  # fmt: skip
    lines = []
    for row in found:
        n = row["streams"]
        low, high = wilson(row["alarms"], n)
        delays = row["delays"]
        soon = f"{np.median(delays):.0f}, {np.quantile(delays, 0.9):.0f}" if row["alarms"] > n / 2 else ""
        lines.append(
            [
                row["name"], n, f"{row['alarms'] / n:.3f}", f"{low:.3f} to {high:.3f}", soon, f"{row['held'] / n:.3f}",
                f"{row['alone'] / n:.3f}", f"{row['so_far'] / n:.3f}", f"{row['one_night_clear']:.4f}",
                f"{row['one_night_point']:.3f}",
            ]
        )  # fmt: skip
    return markdown(header, lines)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stream", choices=tuple(STREAMS), action="append")
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--nights", type=int, default=365)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", type=Path, help="where results are kept, one line each")
    options = parser.parse_args()
    say(setting())
    found = []
    for name in options.stream or STREAMS:
        found.append(watched(name, options.streams, options.nights, options.seed))
        if options.rows is not None:
            with options.rows.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found[-1]) + "\n")
    say(table(found))
    most = max(row["seconds_a_batch"] for row in found)
    whole = sum(row["seconds"] for row in found)
    say(f"Processor seconds a batch of a stream, many at once: {most:.2g} at most; in all {whole:.0f}.")


if __name__ == "__main__":
    main()
