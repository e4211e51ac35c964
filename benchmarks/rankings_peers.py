"""Rankings beside peers: the same share among the first, exposure, and adjusted levels of the prefix test.

Peers are looked for among what is installed, and in the folder of `--peers`. A figure whose peer is missing is a row
that says so. The published table is that of FA*IR (Zehlike and others 2017, table 2).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.common import SEED, markdown, say, setting
from fairaudit import check_rankings
from fairaudit.measure.places import fails_by_chance, fewest_protected, prefix_test

LISTS = 100
"""Made lists that figures are compared on."""
PUBLISHED = {
    0.1: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    0.2: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1),
    0.3: (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2),
    0.4: (0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3),
    0.5: (0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4),
    0.6: (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5),
    0.7: (0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6),
}
"""The fewest protected among the first 1, 2, ..., 12 by their share, at a level of 0.1 that is not adjusted."""
ASKED = ((10, 0.3), (20, 0.2), (20, 0.5), (40, 0.3), (100, 0.1), (100, 0.5))
"""How many places, and the share of the protected."""
LEVEL = 0.1


def made() -> Iterator[tuple[pd.DataFrame, int]]:
    """Yield lists of 20 to 200 cases, each with how many of it are first."""
    rng = np.random.default_rng(SEED)
    for _ in range(LISTS):
        n = int(rng.integers(20, 201))
        own = rng.random(n) < rng.uniform(0.2, 0.6)
        own[:2] = True, False
        yield pd.DataFrame({"own": rng.permutation(own), "place": np.arange(1, n + 1)}), int(rng.integers(3, n // 2))


def by_holisticai(frame: pd.DataFrame, first: int) -> float:
    """Return the gap between the shares of both groups that stand among the first."""
    from holisticai.bias.metrics import statistical_parity

    own = frame["own"].to_numpy().astype(int)
    return float(statistical_parity(own, 1 - own, (frame["place"] <= first).to_numpy().astype(int)))


def by_scikit_learn(frame: pd.DataFrame, first: int) -> float:
    """Return the protected group's part of the exposure: its discounted gain by that of all."""
    from sklearn.metrics import dcg_score

    own, order = frame["own"].to_numpy(dtype=float), -frame["place"].to_numpy(dtype=float)
    return float(dcg_score([own], [order]) / dcg_score([np.ones(len(own))], [order]))


FIGURES: dict[str, tuple[str, Callable[[pd.DataFrame, int], float], Callable[..., float]]] = {
    "gap among the first": ("holisticai", by_holisticai, lambda found: found.difference),
    "share of exposure": ("scikit-learn", by_scikit_learn, lambda found: found.exposure.found),
}
"""Who else works a figure out, how, and where it stands in our answer."""


def figures() -> Iterator[tuple[object, ...]]:
    """Yield how far figures of made lists are from those of a peer."""
    lists = list(made())
    ours = [check_rankings(frame, protected="own = true", rank="place", first=first) for frame, first in lists]
    for name, (peer, theirs, of_ours) in FIGURES.items():
        try:
            far = max(abs(of_ours(one) - theirs(*each)) for one, each in zip(ours, lists, strict=True))
        except ImportError:
            yield name, peer, "not installed"
        else:
            yield name, peer, f"{far:.1e} at most, in {LISTS} lists"


def published() -> str:
    """Say how many numbers of the published table are ours."""
    same = [fewest_protected(len(row), share, LEVEL) == np.array(row) for share, row in PUBLISHED.items()]
    return f"Published table: {int(np.sum(same))} of {np.size(same)} numbers are the same."


def levels() -> Iterator[tuple[object, ...]]:
    """Yield adjusted levels with the exact chance that a list drawn by lot fails, beside a peer's."""
    for k, share in ASKED:
        test = prefix_test(k, share, LEVEL)
        ours = (f"{test.adjusted_level:.5f}", f"{test.fails_by_chance:.4f}")
        try:
            from fairsearchcore import fail_prob
            from fairsearchcore.fair import Fair
        except ImportError:
            yield k, share, *ours, "not installed", "", ""
            continue
        # With newer NumPy, its own hash of a cached step is no whole number.
        fail_prob.LegalAssignmentKey.__hash__ = lambda key: hash(str(vars(key)))
        fair = Fair(k, share, LEVEL)
        fewest = np.array(fair.create_adjusted_mtable()[-k:], dtype=np.int64)
        same = int((fewest == test.fewest).sum())
        yield k, share, *ours, f"{fair.adjust_alpha():.5f}", f"{fails_by_chance(fewest, share):.4f}", f"{same} of {k}"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, help="a folder of installed peers")
    if (peers := parser.parse_args().peers) is not None:
        # Last: what both need is taken from ours.
        sys.path.append(str(peers))
    say(setting())
    say(markdown(("figure", "peer", "difference"), list(figures())))
    say()
    say(published())
    say()
    head = ("places", "share", "level", "fails by lot", "fairsearchcore", "fails by lot", "places with the same number")
    say(markdown(head, list(levels())))


if __name__ == "__main__":
    main()
