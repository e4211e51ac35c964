"""The answer of a check, its settings and its tabs."""
