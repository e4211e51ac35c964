"""Relabelling and retraining."""
