"""Rule sets."""
