"""Kinds of decisions: those with a good outcome, of which shares are compared, and amounts, of which means are."""
