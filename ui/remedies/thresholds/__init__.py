"""Thresholds by group."""
