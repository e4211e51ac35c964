"""Retraining on relabelled rows."""
