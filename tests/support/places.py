"""Where the project and its data lie."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample_data"
LOCAL_RULE = SAMPLES / "local_rules" / "anytown_grants.toml"
"""The documented example of an office's own preset."""

SHARED_DATA = ROOT.parent / "shared" / "data"
"""Real data beside the project; tests that need them are skipped where they are missing."""
