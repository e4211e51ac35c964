"""Equalized distributions."""
