"""Bringing data, how they were read, and what their columns mean."""
