"""Remedies where the decision is an amount."""
