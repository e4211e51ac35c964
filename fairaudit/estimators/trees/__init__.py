"""Optimal and look-ahead decision trees under discrimination indices and constraints on groups."""
